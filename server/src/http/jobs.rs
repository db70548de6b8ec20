//! Jobs for remote workers: `mawe worker` pulls jobs of this server's computer opponents, with a key that the operator has set.

use std::fmt;
use std::time::Duration;

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use subtle::ConstantTimeEq;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::bots::job::{JobRequest, JobView, VERSION};
use crate::http::App;
use crate::http::error::{ApiError, Problem};
use crate::http::extract::{Body, From, bearer};

/// The path at which workers pull jobs.
pub const PATH: &str = "/api/v1/jobs";

/// How long a request waits for a job: shorter than the usual timeout of a proxy in between.
pub const POLL: Duration = Duration::from_secs(25);

/// The most workers at one address that may wait for a job.
pub const MAX_WAITING: u32 = 256;

/// The shortest key, in characters: long enough that it cannot be guessed.
const MIN_KEY_CHARS: usize = 16;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(exchange))
}

/// The key of remote workers. Its `Debug` form does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct WorkerKey(String);

impl WorkerKey {
    /// Returns the key if it is long enough and valid in a header.
    ///
    /// # Errors
    /// A description of the valid keys.
    pub fn new(text: &str) -> Result<WorkerKey, String> {
        let can_be_sent = text.bytes().all(|byte| byte.is_ascii_graphic());
        if text.len() >= MIN_KEY_CHARS && can_be_sent {
            Ok(WorkerKey(text.to_owned()))
        } else {
            Err(format!(
                "it must have at least {MIN_KEY_CHARS} letters, digits or signs, and no spaces"
            ))
        }
    }

    /// Returns the text of the key.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.0
    }

    /// Compares in constant time, so that the duration reveals nothing about the key.
    fn is(&self, shown: &str) -> bool {
        self.0.as_bytes().ct_eq(shown.as_bytes()).into()
    }
}

impl fmt::Debug for WorkerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WorkerKey")
    }
}

/// A worker that has presented the key.
struct Worker {
    from: From,
}

impl FromRequestParts<App> for Worker {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Worker, ApiError> {
        let key = app.settings.worker_key.as_ref();
        let key = key.ok_or(ApiError::WorkersOff)?;
        let from = From::from_request_parts(parts, app).await?;
        if bearer(&parts.headers)
            .flatten()
            .is_some_and(|shown| key.is(shown))
        {
            return Ok(Worker { from });
        }
        app.limits.worker(from.0)?;
        Err(ApiError::BadWorkerKey)
    }
}

/// Takes the result of a job and returns the next one, as `mawe worker` requests it. Waits up to 25 seconds for a job.
///
/// Send the key that the operator has set with `--worker-key` as `Authorization: Bearer`. A result that is illegal, late, sent twice, or
/// for a job of another worker has no effect: the job is given to another worker.
#[utoipa::path(
    post, path = "/api/v1/jobs", tag = "operation", request_body = JobRequest,
    responses(
        (status = 200, body = JobView),
        (status = 204, description = "no job just now, or none was asked for"),
        (status = 401, body = Problem, content_type = "application/problem+json", description = "`bad-worker-key`"),
        (status = 403, body = Problem, content_type = "application/problem+json", description = "`workers-off`: no key is set; `foreign-origin`"),
        (status = 409, body = Problem, content_type = "application/problem+json", description = "`other-version`: the worker is not of the server's version"),
    )
)]
async fn exchange(
    State(app): State<App>,
    worker: Worker,
    Body(request): Body<JobRequest>,
) -> Result<Response, ApiError> {
    if request.version != VERSION {
        return Err(ApiError::OtherVersion(
            request.version.chars().take(40).collect(),
        ));
    }
    let _place = app.jobs.enter(worker.from.0)?;
    let bots = &app.rooms.bots;
    if let Some(result) = request.result {
        bots.settle(&request.worker, result.into());
    }
    if !request.more {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    match tokio::time::timeout(POLL, bots.next(&request.worker)).await {
        Ok(Some(job)) => Ok(Json(job.to_view()).into_response()),
        // The server is stopping.
        Ok(None) => Err(ApiError::Busy),
        Err(_) => Ok(StatusCode::NO_CONTENT.into_response()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_long_fits_into_a_header_and_is_not_printed() {
        let key = WorkerKey::new("0123456789abcdef").expect("long enough");
        assert!(key.is("0123456789abcdef"));
        for wrong in [
            "",
            "0123456789abcde",
            "0123456789abcdeF",
            "0123456789abcdef0",
        ] {
            assert!(!key.is(wrong), "{wrong}");
        }
        assert!(!format!("{key:?}").contains("0123"));
        for bad in [
            "",
            "short",
            "has a space in it here",
            "malayalam-അആഇഈഉഊ-key",
        ] {
            assert!(WorkerKey::new(bad).is_err(), "{bad}");
        }
    }
}
