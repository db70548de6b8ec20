//! The id of each request: in the response, in problems, and in the log, where each request has one line.

use std::fmt;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use mawe_wire::Code;
use tracing::Instrument;

use crate::app::App;
use crate::trace::Trace;

/// The header of a response with the id of its request.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Routes that a monitor asks every few seconds: they have a line only when they fail.
const PROBES: [&str; 2] = ["/healthz", "/readyz"];

/// The header of the W3C with the trace of a client.
const TRACEPARENT: &str = "traceparent";

tokio::task_local! {
    /// The request that this task answers: [`super::error`] writes its id into problems.
    static CURRENT: Current;
}

/// The request that a task answers.
struct Current {
    id: RequestId,
    trace: Trace,
}

/// Returns the trace of the request that this task answers.
pub(crate) fn trace() -> Trace {
    let trace = CURRENT.try_with(|current| current.trace.clone());
    trace.unwrap_or_default()
}

/// The id of a request. It is always drawn here: an id from a client could be made to look like that of another request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RequestId(u64);

impl RequestId {
    fn draw() -> RequestId {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
        RequestId(u64::from_ne_bytes(bytes))
    }

    /// Returns the id of the request that this task answers; `None` outside of a request over HTTP.
    pub(crate) fn current() -> Option<RequestId> {
        CURRENT.try_with(|current| current.id).ok()
    }

    fn write(self, response: &mut Response) {
        let text = HeaderValue::try_from(self.to_string());
        let text = text.expect("hexadecimal digits may stand in a header");
        response.headers_mut().insert(REQUEST_ID, text);
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The code of the problem in a response, as an extension of the response.
#[derive(Debug, Clone)]
pub(crate) struct ProblemCode(pub(crate) Code);

/// Draws the id of a request, makes it known to everything that answers it, and logs the request when the head of the response is there.
/// Events that are logged in between have the id, too.
pub(crate) async fn identify(State(app): State<App>, request: Request, next: Next) -> Response {
    let id = RequestId::draw();
    let line = Line::begin(&request);
    let trace = line.trace(&request);
    let current = Current {
        id,
        trace: trace.clone(),
    };
    let answering = async {
        let mut response = next.run(request).await;
        id.write(&mut response);
        line.write(&app, &response);
        trace.note_answer(id, response.status().as_u16());
        response
    };
    // Of the highest level, so that a filter which lets any event pass keeps the id beside it.
    let span = tracing::error_span!("request", request_id = %id);
    CURRENT.scope(current, answering).instrument(span).await
}

/// Gives an id to a response that is made without the router.
pub(crate) fn identified(answer: impl FnOnce() -> Response) -> Response {
    let id = RequestId::draw();
    let current = Current {
        id,
        trace: Trace::default(),
    };
    let mut response = CURRENT.sync_scope(current, answer);
    id.write(&mut response);
    response
}

/// The line of a request in the log. It has the template of the route and never the path, the query, a header or a body: these have names,
/// links of invitations, tokens and passwords in them.
struct Line {
    begun: Instant,
    method: &'static str,
    /// The route; `None` for a file or a page, and for an address that does not exist.
    route: Option<MatchedPath>,
}

impl Line {
    fn begin(request: &Request) -> Line {
        Line {
            begun: Instant::now(),
            method: name_of(request.method()),
            route: request.extensions().get::<MatchedPath>().cloned(),
        }
    }

    /// Begins the trace of the request, if it is drawn. Files, pages and probes have none.
    fn trace(&self, request: &Request) -> Trace {
        let route = self.route.as_ref().map(MatchedPath::as_str);
        match route.filter(|route| !PROBES.contains(route)) {
            Some(route) => Trace::request(self.method, route, || {
                request.headers().get(TRACEPARENT)?.to_str().ok()
            }),
            None => Trace::default(),
        }
    }

    fn write(&self, app: &App, response: &Response) {
        let status = response.status();
        let problem = response.extensions().get::<ProblemCode>();
        let code = problem.map(|ProblemCode(code)| code);
        if let Some(code) = code
            && is_flood(status, code)
        {
            return app.log_lines.count_refused(code);
        }
        let route = self.route.as_ref().map(MatchedPath::as_str);
        let is_quiet = route.is_none_or(|route| PROBES.contains(&route));
        let is_error = status.is_client_error() || status.is_server_error();
        if (is_quiet && !is_error)
            || !tracing::enabled!(tracing::Level::INFO)
            || !app.log_lines.admit()
        {
            return;
        }
        let duration_ms = self.begun.elapsed().as_micros() as f64 / 1e3;
        tracing::info!(
            method = self.method,
            route = route.unwrap_or("none"),
            status = status.as_u16(),
            duration_ms,
            code = code.map(Code::as_str),
            "answered"
        );
    }
}

/// Returns whether a response refuses a client that asks too often: such clients go on, and each would write a line with every request.
fn is_flood(status: StatusCode, code: &Code) -> bool {
    status == StatusCode::TOO_MANY_REQUESTS || *code == Code::TooManyConnections
}

/// Returns the name of a usual method; any other is a text of the client's, of any length.
fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_short_and_no_two_are_the_same() {
        let (one, other) = (RequestId::draw().to_string(), RequestId::draw().to_string());
        assert_ne!(one, other);
        assert!(one.len() == 16 && one.bytes().all(|byte| byte.is_ascii_hexdigit()));
        assert_eq!(RequestId(7).to_string(), "0000000000000007");
        assert_eq!(RequestId::current(), None);
    }

    #[test]
    fn a_method_that_nobody_knows_has_no_name() {
        let long = Method::from_bytes("X".repeat(10_000).as_bytes()).expect("a method");
        assert_eq!(
            (name_of(&long), name_of(&Method::PATCH)),
            ("other", "PATCH")
        );
    }
}
