//! Jobs of another server, over HTTP: a request brings the result of the last job and waits for the next.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderValue, Request, StatusCode, Uri, header};
use http_body_util::{BodyExt, Limited};
use mawe_wire::ids::WorkerId;

use crate::bots::exchange::{PATH, POLL};
use crate::bots::job::{Job, JobRequest, JobResult, JobView, ResultView, VERSION};
use crate::http::error::Problem;
use crate::identity::shared_key::SharedKey;
use crate::outbound::{HttpClient, Reach};
use crate::worker::Jobs;
use crate::worker::heartbeat::Heartbeat;
use crate::worker::shift::{Rejected, Shift};
use crate::worker::think::Think;

/// Time limit for an answer, beyond the time that the server waits for a job.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// Time limit for delivering the last result when a worker ends.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// The first and the longest pause before an unavailable server is asked again.
const RETRY: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(30));

/// Maximum size of an answer: a job with the longest game has a few thousand bytes.
const MAX_ANSWER_BYTES: usize = 256 * 1024;

/// A connection to another server's queue.
#[derive(Debug)]
pub struct Remote {
    client: HttpClient,
    jobs: Uri,
    authorization: HeaderValue,
    shift: Shift,
}

/// Result of a request.
enum Said {
    Job(Box<Job>),
    Nothing,
    /// The server is unavailable, or asks to wait.
    Later(String),
}

impl Remote {
    /// Makes a client for the server at this address; `key` is the server's `--worker-key`, `heartbeat` the file that shows its answers.
    ///
    /// # Errors
    /// The address is not an HTTP or HTTPS address.
    pub fn new(
        server: &str,
        key: &SharedKey,
        heartbeat: Option<Heartbeat>,
    ) -> Result<Arc<Remote>, Rejected> {
        let wrong = || {
            Rejected(format!(
                "{server:?} is no address of a server; it should be like https://play.example.org"
            ))
        };
        let mut parts = server.parse::<Uri>().map_err(|_| wrong())?.into_parts();
        let scheme = parts.scheme.as_ref().map(|scheme| scheme.as_str());
        if !matches!(scheme, Some("http" | "https")) {
            return Err(wrong());
        }
        parts.path_and_query = Some(PathAndQuery::from_static(PATH));
        let jobs = Uri::from_parts(parts).map_err(|_| wrong())?;
        // Every thread has a request under way, or is about to send one.
        let client = HttpClient::new(Reach::Everywhere, usize::MAX)
            .map_err(|error| Rejected(format!("cannot make connections: {error}")))?;
        let mut authorization = HeaderValue::try_from(format!("Bearer {}", key.secret()))
            .expect("a key is made of letters, digits and signs");
        authorization.set_sensitive(true);
        Ok(Arc::new(Remote {
            client,
            jobs,
            authorization,
            shift: Shift::new(heartbeat),
        }))
    }

    /// Works with `count` threads until `stop` completes or the server dismisses it.
    ///
    /// # Errors
    /// [`Rejected`]: another version, a wrong key.
    pub async fn work(
        self: Arc<Self>,
        count: usize,
        think: &Think,
        stop: impl Future<Output = ()>,
    ) -> Result<(), Rejected> {
        self.shift.work(&self, count, think, stop).await
    }

    async fn ask(&self, request: &JobRequest, within: Duration) -> Said {
        let (status, body) = match tokio::time::timeout(within, self.post(request)).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(why)) => return Said::Later(why),
            Err(_) => return Said::Later("no answer in time".to_owned()),
        };
        match status {
            StatusCode::NO_CONTENT => Said::Nothing,
            StatusCode::OK => {
                let view = serde_json::from_slice::<JobView>(&body);
                match view
                    .map_err(in_short)
                    .and_then(|view| Job::try_from(view).map_err(in_short))
                {
                    Ok(job) => Said::Job(Box::new(job)),
                    Err(why) => Said::Later(why),
                }
            }
            status if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
                Said::Later(status.to_string())
            }
            status => {
                let problem = serde_json::from_slice::<Problem>(&body);
                let detail = problem.map_or_else(
                    |_| format!("it answers {status}, which is not what a Mawe! server says"),
                    |problem| problem.detail,
                );
                let server = self
                    .jobs
                    .authority()
                    .map_or("?", |authority| authority.as_str());
                self.shift.dismiss(format!(
                    "the server at {server} sends this worker away: {detail}"
                ));
                Said::Nothing
            }
        }
    }

    /// Sends one request. The error is a short description of the fault.
    async fn post(&self, request: &JobRequest) -> Result<(StatusCode, Bytes), String> {
        let body = serde_json::to_vec(request).expect("a request is plain JSON");
        let request = Request::post(self.jobs.clone())
            .header(header::AUTHORIZATION, self.authorization.clone())
            .header(header::CONTENT_TYPE, "application/json")
            .body(body)
            .expect("the address was parsed");
        let answer = self.client.send(request).await.map_err(in_short)?;
        let status = answer.status();
        let body = Limited::new(answer.into_body(), MAX_ANSWER_BYTES);
        let body = body.collect().await.map_err(|error| error.to_string())?;
        Ok((status, body.to_bytes()))
    }
}

impl Jobs for Remote {
    async fn exchange(&self, worker: &WorkerId, result: Option<JobResult>) -> Option<Job> {
        let mut stopped = self.shift.stopped();
        let mut request = JobRequest {
            version: VERSION.to_owned(),
            worker: worker.clone(),
            result: result.as_ref().map(ResultView::from),
            more: true,
        };
        let mut pause = RETRY.0;
        loop {
            if *stopped.borrow_and_update() {
                request.more = false;
                if request.result.is_some() && !self.shift.is_dismissed() {
                    // If this fails, the job goes to another worker.
                    self.ask(&request, LAST_WORDS).await;
                }
                return None;
            }
            let said = tokio::select! {
                said = self.ask(&request, POLL + ANSWER_WITHIN) => said,
                // A stop interrupts the wait. The result is sent again, with `more` unset.
                _ = stopped.changed() => continue,
            };
            match said {
                Said::Job(job) => {
                    self.shift.beat();
                    self.shift.begin(&job);
                    return Some(*job);
                }
                Said::Nothing => {
                    self.shift.beat();
                    request.result = None;
                    pause = RETRY.0;
                }
                Said::Later(why) => {
                    let wait = jittered(pause);
                    tracing::warn!(
                        "the server does not answer ({why}); asking again in {wait:.1?}"
                    );
                    tokio::select! {
                        () = tokio::time::sleep(wait) => {}
                        _ = stopped.changed() => {}
                    }
                    pause = (pause * 2).min(RETRY.1);
                }
            }
        }
    }
}

/// Returns between half of the pause and all of it, so that workers that lost their server together do not return together.
fn jittered(pause: Duration) -> Duration {
    let mut byte = [0u8];
    // Without randomness they return together, which is acceptable.
    let _ = getrandom::fill(&mut byte);
    pause / 2 + pause / 2 * u32::from(byte[0]) / 255
}

/// Describes an error by its innermost cause, which is the most specific.
fn in_short(error: impl std::error::Error + 'static) -> String {
    let mut cause: &(dyn std::error::Error + 'static) = &error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_between_half_and_all() {
        for _ in 0..1_000 {
            let wait = jittered(RETRY.1);
            assert!(RETRY.1 / 2 <= wait && wait <= RETRY.1, "{wait:?}");
        }
    }

    #[test]
    fn what_is_no_address_is_named() {
        let key = SharedKey::new("0123456789abcdef").expect("long enough");
        for bad in [
            "",
            "play.example.org",
            "ftp://play.example.org",
            "http://",
            "/",
        ] {
            let refused = Remote::new(bad, &key, None).expect_err(bad).to_string();
            assert!(refused.contains(&format!("{bad:?}")), "{refused}");
        }
        for good in ["http://127.0.0.1:8080", "https://play.example.org/"] {
            assert!(Remote::new(good, &key, None).is_ok());
        }
    }
}
