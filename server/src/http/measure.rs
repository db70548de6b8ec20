//! The count of requests by route template, method and status.

use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::app::App;

/// Counts a request with its status and its time to the head of the answer.
pub(crate) async fn count(State(app): State<App>, request: Request, next: Next) -> Response {
    let (began, method) = (Instant::now(), request.method().clone());
    let template = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    let template = template.as_ref().map(MatchedPath::as_str);
    let (requests, status) = (&app.meters.requests, response.status());
    requests.count(template, &method, status, began.elapsed());
    response
}
