//! A server under load, over HTTP or HTTPS: guests, their matches, and their sockets.

use std::sync::Arc;
use std::time::Duration;

use axum::http::header::{
    CONNECTION, CONTENT_TYPE, COOKIE, RETRY_AFTER, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL,
    SEC_WEBSOCKET_VERSION, SET_COOKIE, UPGRADE,
};
use axum::http::request::Builder;
use axum::http::{HeaderMap, Request, StatusCode, Uri};
use futures_util::{StreamExt, TryStreamExt, stream};
use http_body_util::{BodyExt, Limited};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use mawe_wire::SUBPROTOCOL;
use mawe_wire::ids::MatchId;
use serde_json::{Value, json};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::protocol::Role;

use super::LoadError;
use super::line::{Line, config};
use super::playing::Pair;
use crate::outbound::{HttpClient, Reach};

/// The longest answer that is read.
const MAX_ANSWER_BYTES: usize = 256 * 1024;

/// The number of matches that are prepared at once.
const AT_ONCE: usize = 16;

/// The longest time of a request.
const WITHIN: Duration = Duration::from_secs(30);

/// The longest wait where the server limits requests; its limits count minutes.
const LONGEST_WAIT: Duration = Duration::from_secs(90);

/// The number of times that a refused request waits.
const WAITS: u32 = 20;

/// The stream of a socket to a [`Target`].
pub type Stream = TokioIo<Upgraded>;

/// A server by its address.
#[derive(Debug, Clone)]
pub struct Target {
    /// Without a slash at its end.
    url: Arc<str>,
    client: Arc<HttpClient>,
}

/// The answer to a request.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Value,
}

impl Target {
    /// Returns the server at an address like `https://mawe.example`.
    ///
    /// # Errors
    ///
    /// [`LoadError::BadAddress`] if it is none of HTTP or HTTPS.
    pub fn new(url: &str) -> Result<Target, LoadError> {
        let bad = |why: &str| LoadError::BadAddress(url.to_owned(), why.to_owned());
        let uri: Uri = url.parse().map_err(|_| bad("it is not a URL"))?;
        if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none() {
            return Err(bad("it begins with http:// or https://, and names a host"));
        }
        let client = HttpClient::new(Reach::Everywhere, AT_ONCE);
        let client = client.map_err(|error| bad(&error.to_string()))?;
        Ok(Target {
            url: url.trim_end_matches('/').into(),
            client: Arc::new(client),
        })
    }

    /// Creates guests and matches of Reversi between them, with `tick` after each match. Where the server limits requests, it waits.
    ///
    /// # Errors
    ///
    /// A [`LoadError`] if the server cannot be reached or refuses.
    pub async fn pairs(&self, number: usize, tick: impl Fn()) -> Result<Vec<Pair>, LoadError> {
        let pair = async |_| {
            let made = self.pair().await;
            tick();
            made
        };
        let making = stream::iter(0..number).map(pair);
        making.buffer_unordered(AT_ONCE).try_collect().await
    }

    async fn pair(&self) -> Result<Pair, LoadError> {
        let (first, second) = (self.guest().await?, self.guest().await?);
        let offer = json!({
            "game": "reversi",
            "side": "first",
            "rated": false,
            "time_control": { "kind": "realtime", "base_ms": 600_000, "increment_ms": 0 },
        });
        let path = "/api/v1/challenges";
        let challenge = self.post("a challenge", path, Some(&first), &offer).await?;
        let id = text(&challenge.body, "id")?;
        let path = format!("/api/v1/challenges/{id}/accept");
        let accepted = self
            .post("a match", &path, Some(&second), &json!({}))
            .await?;
        let id = text(&accepted.body, "id")?.parse::<MatchId>();
        Ok(Pair {
            id: id.map_err(|error| LoadError::Unreadable(error.to_string()))?,
            cookies: [Some(first), Some(second)],
        })
    }

    /// Creates a guest; returns the cookie.
    async fn guest(&self) -> Result<String, LoadError> {
        let made = self
            .post("a guest", "/api/v1/guests", None, &json!({}))
            .await?;
        let set = made.headers.get_all(SET_COOKIE).iter();
        let cookies = set.filter_map(|set| set.to_str().ok()?.split(';').next());
        Ok(cookies.collect::<Vec<_>>().join("; "))
    }

    async fn post(
        &self,
        what: &'static str,
        path: &str,
        cookie: Option<&str>,
        body: &Value,
    ) -> Result<Answer, LoadError> {
        let mut waits = 0;
        loop {
            let request = self.request(Request::post(format!("{}{path}", self.url)), cookie);
            let request = request.header(CONTENT_TYPE, "application/json");
            let request = request.body(body.to_string().into_bytes());
            let answer = self
                .send(request.map_err(|error| self.away(&error))?)
                .await?;
            if answer.status.is_success() {
                return Ok(answer);
            }
            let wait = answer.headers.get(RETRY_AFTER);
            let wait = wait.and_then(|wait| wait.to_str().ok()?.parse().ok());
            match wait.map(Duration::from_secs) {
                Some(wait) if waits < WAITS => {
                    waits += 1;
                    tokio::time::sleep(wait.min(LONGEST_WAIT)).await;
                }
                _ => {
                    let problem = answer.body["detail"].as_str();
                    let problem = problem.map_or(answer.status.to_string(), str::to_owned);
                    return Err(LoadError::Refused(what, problem));
                }
            }
        }
    }

    /// Opens a socket.
    ///
    /// # Errors
    ///
    /// A [`LoadError`] if the server cannot be reached or refuses.
    pub async fn open(&self, cookie: Option<&str>) -> Result<Line<Stream>, LoadError> {
        // The upgrade of HTTP leads through the same connector as requests, with its TLS.
        let request = Request::get(format!("{}/api/v1/ws", self.url));
        let request = self
            .request(request, cookie)
            .header(CONNECTION, "Upgrade")
            .header(UPGRADE, "websocket")
            .header(SEC_WEBSOCKET_VERSION, "13")
            .header(SEC_WEBSOCKET_KEY, generate_key())
            .header(SEC_WEBSOCKET_PROTOCOL, SUBPROTOCOL)
            .body(Vec::new());
        let request = request.map_err(|error| self.away(&error))?;
        let opening = tokio::time::timeout(WITHIN, self.client.send(request)).await;
        let response = opening.map_err(|error| self.away(&error))?;
        let response = response.map_err(|error| self.away(&error))?;
        if response.status() != StatusCode::SWITCHING_PROTOCOLS {
            let status = response.status().to_string();
            return Err(LoadError::Refused("a socket", status));
        }
        let stream = hyper::upgrade::on(response).await;
        let stream = TokioIo::new(stream.map_err(|error| self.away(&error))?);
        let config = Some(config());
        let stream = WebSocketStream::from_raw_socket(stream, Role::Client, config).await;
        Ok(Line::over(stream))
    }

    fn request(&self, request: Builder, cookie: Option<&str>) -> Builder {
        match cookie {
            Some(cookie) => request.header(COOKIE, cookie),
            None => request,
        }
    }

    async fn send(&self, request: Request<Vec<u8>>) -> Result<Answer, LoadError> {
        let sending = async {
            let response = self.client.send(request).await;
            let (head, body) = response.map_err(|error| self.away(&error))?.into_parts();
            let body = Limited::new(body, MAX_ANSWER_BYTES).collect().await;
            let body = body.map_err(|error| LoadError::Unreadable(error.to_string()))?;
            Ok(Answer {
                status: head.status,
                headers: head.headers,
                body: serde_json::from_slice(&body.to_bytes()).unwrap_or_default(),
            })
        };
        let sent = tokio::time::timeout(WITHIN, sending).await;
        sent.map_err(|error| self.away(&error))?
    }

    fn away(&self, error: &dyn ToString) -> LoadError {
        LoadError::Unreachable(self.url.to_string(), error.to_string())
    }
}

fn text<'a>(body: &'a Value, field: &str) -> Result<&'a str, LoadError> {
    let missing = || LoadError::Unreadable(format!("it has no {field}"));
    body[field].as_str().ok_or_else(missing)
}
