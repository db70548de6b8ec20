//! Jobs for remote workers: `mawe worker` pulls jobs of this server's computer opponents, with a key that the operator has set.

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::bots::WorkerKind;
use crate::bots::exchange::POLL;
use crate::bots::job::{JobRequest, JobView, VERSION};
use crate::http::error::ApiError;
use crate::http::extract::{Body, From, bearer};

/// The most workers at one address that may wait for a job.
pub const MAX_WAITING: u32 = 256;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(exchange))
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
        (status = 401, description = "`bad-worker-key`"),
        (status = 403, description = "`workers-off`: no key is set; `foreign-origin`"),
        (status = 409, description = "`other-version`: the worker is not of the server's version"),
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
    let bots = &app.rooms.services.bots;
    if let Some(result) = request.result {
        bots.settle(WorkerKind::Http, &request.worker, result.into());
    }
    if !request.more {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    match tokio::time::timeout(POLL, bots.next(WorkerKind::Http, &request.worker)).await {
        Ok(Some(job)) => Ok(Json(job.to_view()).into_response()),
        // The server is stopping.
        Ok(None) => Err(ApiError::Busy),
        Err(_) => Ok(StatusCode::NO_CONTENT.into_response()),
    }
}
