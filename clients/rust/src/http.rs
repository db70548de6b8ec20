//! Requests: their parts, the decision to try again, and the reading of answers. No I/O.

use std::time::Duration;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::backoff::{asked_seconds, doubled};
use crate::errors::{Error, Problem};
use crate::names;

const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// By so much at random a pause is longer than the server asks for: not all clients come back at once.
const SPREAD: Duration = Duration::from_millis(200);

/// Characters that would end a part of a path, or that no address has.
const NOT_IN_A_SEGMENT: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'/')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Returns a text as one part of a path.
pub(crate) fn segment(text: &str) -> String {
    match text {
        // These two would be taken for the directory and the one above.
        "." => "%2E".to_owned(),
        ".." => "%2E%2E".to_owned(),
        _ => utf8_percent_encode(text, NOT_IN_A_SEGMENT).to_string(),
    }
}

/// The method of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

impl Method {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Patch => "PATCH",
            Method::Delete => "DELETE",
        }
    }
}

/// A request to a route for which [`Client`](crate::Client) has no method.
///
/// ```no_run
/// # async fn open(client: mawe_client::Client) -> Result<(), mawe_client::Error> {
/// use mawe_client::Request;
///
/// let reports: serde_json::Value = client.json(Request::get("/api/v1/moderation/reports?state=open")).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use = "it is sent by a method of the client"]
pub struct Request {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) body: Option<Vec<u8>>,
    pub(crate) key: Option<String>,
    /// The reason why it cannot be sent.
    pub(crate) fault: Option<String>,
}

impl Request {
    fn new(method: Method, path: impl Into<String>) -> Request {
        let path = path.into();
        Request {
            method,
            path,
            query: Vec::new(),
            body: None,
            key: None,
            fault: None,
        }
    }

    /// A `GET` of a path, which begins with `/`.
    pub fn get(path: impl Into<String>) -> Request {
        Request::new(Method::Get, path)
    }

    /// A `POST` to a path.
    pub fn post(path: impl Into<String>) -> Request {
        Request::new(Method::Post, path)
    }

    /// A `PUT` to a path.
    pub fn put(path: impl Into<String>) -> Request {
        Request::new(Method::Put, path)
    }

    /// A `PATCH` of a path.
    pub fn patch(path: impl Into<String>) -> Request {
        Request::new(Method::Patch, path)
    }

    /// A `DELETE` of a path.
    pub fn delete(path: impl Into<String>) -> Request {
        Request::new(Method::Delete, path)
    }

    /// With the fields of an object as the query; those that are null are left out.
    pub fn query(mut self, query: &impl Serialize) -> Request {
        match serde_json::to_value(query) {
            Ok(Value::Object(fields)) => {
                let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
                self.query.extend(fields.map(|(name, value)| match value {
                    Value::String(text) => (name, text),
                    other => (name, other.to_string()),
                }));
            }
            Ok(_) => self.fault = Some("the query is no object".to_owned()),
            Err(error) => self.fault = Some(format!("the query has no JSON form: {error}")),
        }
        self
    }

    /// With a body as JSON.
    pub fn body(mut self, body: &impl Serialize) -> Request {
        match serde_json::to_vec(body) {
            Ok(body) => self.body = Some(body),
            Err(error) => self.fault = Some(format!("the body has no JSON form: {error}")),
        }
        self
    }

    /// With an `Idempotency-Key` of its own, where the route takes one: it may then be sent again when no answer came, and is done once.
    pub fn keyed(self) -> Request {
        self.key(names::unique())
    }

    /// With this `Idempotency-Key`: also another process that sends the same request does it only once.
    pub fn key(mut self, key: impl Into<String>) -> Request {
        self.key = Some(key.into());
        self
    }

    /// The method and path, for messages.
    pub(crate) fn title(&self) -> String {
        format!("{} {}", self.method.name(), self.path)
    }

    /// Whether it may be done twice. A match does a command with one name once.
    fn is_repeatable(&self) -> bool {
        matches!(self.method, Method::Get | Method::Put | Method::Delete)
            || self.key.is_some()
            || self.path.ends_with("/commands")
    }
}

/// The attempts at one request. Each method returns the pause before the next, or `None` where there shall be none.
#[derive(Debug)]
pub(crate) struct Attempts {
    is_repeatable: bool,
    patience: Duration,
    made: u32,
    chance: fastrand::Rng,
}

impl Attempts {
    pub(crate) fn new(request: &Request, patience: Duration) -> Attempts {
        Attempts {
            is_repeatable: request.is_repeatable(),
            patience,
            made: 0,
            chance: fastrand::Rng::new(),
        }
    }

    /// `asked` is the `Retry-After` of the answer.
    pub(crate) fn after_answer(
        &mut self,
        status: u16,
        asked: Option<Duration>,
    ) -> Option<Duration> {
        // A request beyond a limit was not carried out, by any method. A 503 may come after a part of the work.
        if status == 429 || (self.is_repeatable && matches!(status, 502..=504)) {
            self.pause(asked)
        } else {
            None
        }
    }

    /// `sent` says whether the request may have arrived.
    pub(crate) fn after_failure(&mut self, sent: bool) -> Option<Duration> {
        if !sent || self.is_repeatable {
            self.pause(None)
        } else {
            None
        }
    }

    fn pause(&mut self, asked: Option<Duration>) -> Option<Duration> {
        let own = doubled(FIRST_PAUSE, LONGEST_PAUSE, self.made, &mut self.chance);
        self.made += 1;
        let pause = asked.map_or(own, |asked| asked + SPREAD.mul_f64(self.chance.f64()));
        self.patience = self.patience.checked_sub(pause)?;
        Some(pause)
    }
}

/// An answer, read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) request_id: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The pause that the server asks for, of the value of `Retry-After`.
    pub(crate) fn retry_after(value: Option<&str>) -> Option<Duration> {
        asked_seconds(value?)
    }

    pub(crate) fn is_good(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Reads a refusal. A proxy in front answers in its own words.
    pub(crate) fn into_problem(self) -> Error {
        let mut problem = serde_json::from_slice(&self.body).unwrap_or_else(|_| Problem {
            status: self.status,
            code: "not-json".to_owned(),
            title: format!("status {}", self.status),
            detail: String::from_utf8_lossy(&self.body)
                .chars()
                .take(200)
                .collect(),
            field: None,
            request_id: self.request_id,
            retry_after: None,
        });
        problem.status = self.status;
        problem.retry_after = self.retry_after;
        Error::Problem(Box::new(problem))
    }

    pub(crate) fn json<T: DeserializeOwned>(&self, title: &str) -> Result<T, Error> {
        let unreadable = |error| unreadable(title, &error);
        serde_json::from_slice(&self.body).map_err(unreadable)
    }

    /// A line of JSON for each item.
    pub(crate) fn lines<T: DeserializeOwned>(&self, title: &str) -> Result<Vec<T>, Error> {
        let lines = self.body.split(|byte| *byte == b'\n');
        lines
            .filter(|line| !line.trim_ascii().is_empty())
            .map(|line| serde_json::from_slice(line).map_err(|error| unreadable(title, &error)))
            .collect()
    }
}

fn unreadable(title: &str, error: &serde_json::Error) -> Error {
    Error::Unreadable {
        request: title.to_owned(),
        cause: format!("the answer is of another form: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(60);
    const SECOND: Option<Duration> = Some(Duration::from_secs(1));

    fn attempts(request: &Request) -> Attempts {
        Attempts::new(request, PATIENCE)
    }

    fn challenge() -> Request {
        Request::post("/api/v1/challenges")
    }

    #[test]
    fn a_request_beyond_a_limit_is_sent_again_whatever_it_does() {
        for request in [Request::get("/"), challenge(), challenge().keyed()] {
            let pause = attempts(&request).after_answer(429, SECOND).expect("again");
            assert!(pause >= Duration::from_secs(1), "{pause:?}");
        }
    }

    #[test]
    fn without_a_key_a_post_that_may_have_been_carried_out_is_not_sent_again() {
        for status in [502, 503, 504] {
            for asked in [None, SECOND] {
                assert_eq!(attempts(&challenge()).after_answer(status, asked), None);
            }
        }
        assert_eq!(attempts(&challenge()).after_failure(true), None);
        assert!(attempts(&challenge()).after_failure(false).is_some());
        let command = Request::post("/api/v1/matches/Kx7Rm2Qp9TzA/commands");
        for request in [Request::get("/"), challenge().keyed(), command] {
            assert!(attempts(&request).after_answer(503, None).is_some());
            assert!(attempts(&request).after_answer(503, SECOND).is_some());
            assert!(attempts(&request).after_failure(true).is_some());
        }
    }

    #[test]
    fn a_refusal_is_final() {
        for status in [400, 401, 404, 409, 422, 500] {
            assert_eq!(
                attempts(&Request::get("/")).after_answer(status, SECOND),
                None
            );
        }
    }

    #[test]
    fn patience_has_an_end() {
        let request = Request::get("/");
        let mut attempts = attempts(&request);
        let mut waited = Duration::ZERO;
        while let Some(pause) = attempts.after_failure(true) {
            waited += pause;
        }
        assert!(waited <= PATIENCE && waited > PATIENCE / 2, "{waited:?}");
        let asked = Some(Duration::from_secs(61));
        assert_eq!(
            Attempts::new(&request, PATIENCE).after_answer(429, asked),
            None
        );
    }

    #[test]
    fn a_part_of_a_path_stays_one() {
        assert_eq!(segment("a/../b?c#d%"), "a%2F..%2Fb%3Fc%23d%25");
        assert_eq!(segment(".."), "%2E%2E");
        assert_eq!(segment("Kx7Rm2Qp9TzA"), "Kx7Rm2Qp9TzA");
    }

    #[test]
    fn a_query_leaves_out_what_is_null() {
        let fields =
            serde_json::json!({ "limit": 5, "rated": true, "game": "oware", "cursor": null });
        let query = Request::get("/").query(&fields).query;
        let pairs: Vec<_> = query
            .iter()
            .map(|(name, value)| (&**name, &**value))
            .collect();
        assert_eq!(
            pairs,
            [("game", "oware"), ("limit", "5"), ("rated", "true")]
        );
    }

    #[test]
    fn a_problem_has_its_code_detail_and_field() {
        let body = br#"{"status":422,"code":"bad-field","title":"t","detail":"d","field":"game","request_id":"r","type":"about:blank"}"#;
        let answer = |status, body: &[u8]| Answer {
            status,
            retry_after: SECOND,
            request_id: "of the header".to_owned(),
            body: body.to_vec(),
        };
        let Error::Problem(problem) = answer(422, body).into_problem() else {
            panic!("another error");
        };
        assert_eq!(
            (&*problem.code, &*problem.detail, problem.status),
            ("bad-field", "d", 422)
        );
        assert_eq!(
            (problem.field.as_deref(), problem.retry_after),
            (Some("game"), SECOND)
        );
        let Error::Problem(problem) = answer(502, b"<html>Bad Gateway").into_problem() else {
            panic!("another error");
        };
        assert_eq!((&*problem.code, problem.status), ("not-json", 502));
        assert_eq!(problem.request_id, "of the header");
    }
}
