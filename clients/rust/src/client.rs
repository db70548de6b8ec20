//! The client: its identity, and requests over REST.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::header::{
    AUTHORIZATION, CONTENT_TYPE, COOKIE, HeaderMap, HeaderValue, RETRY_AFTER, SET_COOKIE,
};
use reqwest::{Response, Url};
use serde::de::DeserializeOwned;
use tokio::time::sleep;

use crate::errors::Error;
use crate::http::{Answer, Attempts, Request};
use crate::live::{Connector, Live};

/// The time of waiting for one request, at most, where the program says nothing else.
const PATIENCE: Duration = Duration::from_secs(60);
/// The time of one attempt, where the program says nothing else.
const TIMEOUT: Duration = Duration::from_secs(30);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
const USER_AGENT: &str = concat!("mawe-rust/", env!("CARGO_PKG_VERSION"));
/// Cookies of a server, at most: it has one.
const MOST_COOKIES: usize = 8;

/// A client of a server. Clones share its session.
///
/// Each operation of the REST interface is a method, under the id that it has in `/api/openapi.json`. A request waits where the server asks for
/// it (429), and so does one to a server that restarts, where it may be done twice.
///
/// Without a token it is an anonymous visitor, or, after [`post_guests`](Client::post_guests) or [`post_sessions`](Client::post_sessions), the
/// player of that session.
#[derive(Debug, Clone)]
pub struct Client(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    url: Url,
    http: reqwest::Client,
    identity: Identity,
    patience: Duration,
    timeout: Duration,
    connector: Connector,
}

/// The player of a client: its token, or the cookie of its session.
#[derive(Debug)]
struct Identity {
    token: Option<HeaderValue>,
    cookies: Mutex<BTreeMap<String, String>>,
}

/// The options of a client.
#[derive(Debug, Clone)]
#[must_use = "it becomes a client by `build`"]
pub struct ClientBuilder {
    url: String,
    token: Option<String>,
    patience: Duration,
    timeout: Duration,
    #[cfg(feature = "tls")]
    tls: Option<Arc<rustls::ClientConfig>>,
}

impl ClientBuilder {
    /// With a token (`mawe_…`).
    pub fn token(mut self, token: impl Into<String>) -> ClientBuilder {
        self.token = Some(token.into());
        self
    }

    /// With the time that one request may wait, in all its attempts: a minute, unless the program says otherwise.
    pub fn patience(mut self, patience: Duration) -> ClientBuilder {
        self.patience = patience;
        self
    }

    /// With the time for one attempt at a request: half a minute, unless the program says otherwise.
    pub fn timeout(mut self, timeout: Duration) -> ClientBuilder {
        self.timeout = timeout;
        self
    }

    /// With other authorities than those that Mozilla trusts.
    #[cfg(feature = "tls")]
    pub fn tls(mut self, config: Arc<rustls::ClientConfig>) -> ClientBuilder {
        self.tls = Some(config);
        self
    }

    /// Makes the client. It connects with its first request.
    pub fn build(self) -> Result<Client, Error> {
        let url = Url::parse(&self.url)
            .map_err(|error| Error::Configuration(format!("{}: {error}", self.url)))?;
        if !matches!(url.scheme(), "http" | "https") || url.cannot_be_a_base() {
            let reason = format!("{}: the address begins with http:// or https://", self.url);
            return Err(Error::Configuration(reason));
        }
        let token = self.token.map(|token| {
            let mut value = HeaderValue::try_from(format!("Bearer {token}")).map_err(|_| {
                Error::Configuration("the token has characters that none has".to_owned())
            })?;
            value.set_sensitive(true);
            Ok(value)
        });
        // The socket knows no proxy: requests take the same way.
        let http = reqwest::Client::builder()
            .no_proxy()
            .user_agent(USER_AGENT)
            .connect_timeout(CONNECT_TIMEOUT);
        #[cfg(feature = "tls")]
        let (http, connector) = {
            let config = self.tls.map_or_else(crate::tls::with_public_roots, Ok)?;
            let http = http.tls_backend_preconfigured((*config).clone());
            (http, tokio_tungstenite::Connector::Rustls(config))
        };
        #[cfg(not(feature = "tls"))]
        let connector = tokio_tungstenite::Connector::Plain;
        let http = http
            .build()
            .map_err(|error| Error::Configuration(causes(&error)))?;
        Ok(Client(Arc::new(Inner {
            url,
            http,
            identity: Identity {
                token: token.transpose()?,
                cookies: Mutex::default(),
            },
            patience: self.patience,
            timeout: self.timeout,
            connector: Connector(connector),
        })))
    }
}

impl Client {
    /// Returns a client without a token.
    pub fn new(url: impl Into<String>) -> Result<Client, Error> {
        Client::builder(url).build()
    }

    /// Begins a client of the server at an address, such as `https://mawe.example`.
    pub fn builder(url: impl Into<String>) -> ClientBuilder {
        ClientBuilder {
            url: url.into(),
            token: None,
            patience: PATIENCE,
            timeout: TIMEOUT,
            #[cfg(feature = "tls")]
            tls: None,
        }
    }

    /// Opens the line to the socket. An error where the server refuses it; where the server cannot be reached, it waits.
    pub async fn live(&self) -> Result<Live, Error> {
        let mut url = self.url("/api/v1/ws")?;
        let scheme = if url.scheme() == "https" { "wss" } else { "ws" };
        url.set_scheme(scheme).expect("both are of the same kind");
        let client = self.clone();
        let identity = move || client.0.identity.headers();
        Live::open(
            url.to_string(),
            USER_AGENT,
            identity,
            self.0.connector.clone(),
        )
        .await
    }

    /// Sends a request and reads its answer as JSON: for routes that have no method here, into a type of the program's own or
    /// [`serde_json::Value`].
    pub async fn json<T: DeserializeOwned>(&self, request: Request) -> Result<T, Error> {
        self.send(&request).await?.json(&request.title())
    }

    /// Sends a request; the answer has no content.
    pub async fn nothing(&self, request: Request) -> Result<(), Error> {
        self.send(&request).await.map(|_| ())
    }

    /// Sends a request and reads its answer as a text.
    pub async fn text(&self, request: Request) -> Result<String, Error> {
        let answer = self.send(&request).await?;
        Ok(String::from_utf8_lossy(&answer.body).into_owned())
    }

    /// Sends a request and reads its answer as it is.
    pub async fn bytes(&self, request: Request) -> Result<Vec<u8>, Error> {
        Ok(self.send(&request).await?.body)
    }

    /// Sends a request and reads its answer as a line of JSON for each item.
    pub async fn lines<T: DeserializeOwned>(&self, request: Request) -> Result<Vec<T>, Error> {
        self.send(&request).await?.lines(&request.title())
    }

    async fn send(&self, request: &Request) -> Result<Answer, Error> {
        let mut attempts = Attempts::new(request, self.0.patience);
        loop {
            let pause = match self.attempt(request).await {
                Ok(answer) => match attempts.after_answer(answer.status, answer.retry_after) {
                    Some(pause) => pause,
                    None if answer.is_good() => return Ok(answer),
                    None => return Err(answer.into_problem()),
                },
                Err(error @ Error::Unreachable { sent, .. }) => {
                    attempts.after_failure(sent).ok_or(error)?
                }
                Err(error) => return Err(error),
            };
            sleep(pause).await;
        }
    }

    async fn attempt(&self, request: &Request) -> Result<Answer, Error> {
        let attempt = async {
            let response = self.open(request).await?;
            self.read(response)
                .await
                .map_err(|error| unreachable(request, &error))
        };
        let timeout = |_| Error::Unreachable {
            request: request.title(),
            cause: format!("no answer within {:?}", self.0.timeout),
            sent: true,
        };
        tokio::time::timeout(self.0.timeout, attempt)
            .await
            .map_err(timeout)?
    }

    /// Sends a request once; the content of the answer has not been read.
    pub(crate) async fn open(&self, request: &Request) -> Result<Response, Error> {
        if let Some(fault) = &request.fault {
            return Err(Error::Unreadable {
                request: request.title(),
                cause: fault.clone(),
            });
        }
        let mut url = self.url(&request.path)?;
        if !request.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&request.query);
        }
        let method = reqwest::Method::from_bytes(request.method.name().as_bytes())
            .expect("these are methods of HTTP");
        let mut builder = self
            .0
            .http
            .request(method, url)
            .headers(self.0.identity.headers());
        if let Some(key) = &request.key {
            builder = builder.header("Idempotency-Key", key);
        }
        if let Some(body) = &request.body {
            builder = builder
                .header(CONTENT_TYPE, "application/json")
                .body(body.clone());
        }
        let response = builder
            .send()
            .await
            .map_err(|error| unreachable(request, &error))?;
        self.0.identity.keep(response.headers());
        Ok(response)
    }

    /// Reads the content of an answer.
    pub(crate) async fn read(&self, response: Response) -> Result<Answer, reqwest::Error> {
        let headers = response.headers();
        let text = |name| {
            headers
                .get(name)
                .and_then(|value: &HeaderValue| value.to_str().ok())
        };
        let retry_after = Answer::retry_after(text(RETRY_AFTER.as_str()));
        let request_id = text("x-request-id").unwrap_or_default().to_owned();
        Ok(Answer {
            status: response.status().as_u16(),
            retry_after,
            request_id,
            body: response.bytes().await?.to_vec(),
        })
    }

    fn url(&self, path: &str) -> Result<Url, Error> {
        let base = self.0.url.as_str().trim_end_matches('/');
        Url::parse(&format!("{base}{path}"))
            .map_err(|error| Error::Configuration(format!("{base}{path}: {error}")))
    }
}

impl Identity {
    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if let Some(token) = &self.token {
            headers.insert(AUTHORIZATION, token.clone());
        }
        let cookies = self.cookies.lock().unwrap_or_else(PoisonError::into_inner);
        let pairs: Vec<String> = cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        if let Ok(mut value) = HeaderValue::try_from(pairs.join("; "))
            && !pairs.is_empty()
        {
            value.set_sensitive(true);
            headers.insert(COOKIE, value);
        }
        headers
    }

    /// Keeps the cookies that an answer sets.
    fn keep(&self, headers: &HeaderMap) {
        for value in headers.get_all(SET_COOKIE) {
            let Some((name, value)) = value.to_str().ok().and_then(cookie) else {
                continue;
            };
            let mut cookies = self.cookies.lock().unwrap_or_else(PoisonError::into_inner);
            if value.is_empty() {
                cookies.remove(name);
            } else if cookies.contains_key(name) || cookies.len() < MOST_COOKIES {
                cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }
}

/// Returns the name and the value of a `Set-Cookie`.
fn cookie(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split(';').next()?.split_once('=')?;
    Some((name.trim(), value.trim()))
}

fn unreachable(request: &Request, error: &reqwest::Error) -> Error {
    Error::Unreachable {
        request: request.title(),
        cause: causes(error),
        sent: !error.is_connect() && !error.is_builder(),
    }
}

/// An error of reqwest names its address; the reasons are its causes.
fn causes(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        text = inner.to_string();
        cause = inner.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_is_none_is_refused() {
        for url in [
            "",
            "mawe.example",
            "ftp://mawe.example",
            "mailto:mawe@example",
        ] {
            assert!(
                matches!(Client::new(url), Err(Error::Configuration(_))),
                "{url}"
            );
        }
        let token = Client::builder("http://127.0.0.1").token("a\nb").build();
        assert!(matches!(token, Err(Error::Configuration(_))));
    }

    #[test]
    fn a_client_does_not_print_its_token() {
        let client = Client::builder("http://127.0.0.1")
            .token("mawe_secret")
            .build();
        assert!(!format!("{:?}", client.expect("a client")).contains("mawe_secret"));
    }

    #[test]
    fn a_path_stands_behind_the_address() {
        for base in ["http://127.0.0.1:8080", "http://127.0.0.1:8080/"] {
            let client = Client::new(base).expect("a client");
            let url = client.url("/api/v1/me").expect("an address");
            assert_eq!(url.as_str(), "http://127.0.0.1:8080/api/v1/me");
        }
    }

    #[test]
    fn the_cookie_of_a_session_is_sent_until_it_is_taken_away() {
        let identity = Identity {
            token: None,
            cookies: Mutex::default(),
        };
        let mut answer = HeaderMap::new();
        answer.insert(
            SET_COOKIE,
            HeaderValue::from_static("mawe_session=abc; Path=/; HttpOnly"),
        );
        identity.keep(&answer);
        assert_eq!(identity.headers()[COOKIE], "mawe_session=abc");
        answer.insert(
            SET_COOKIE,
            HeaderValue::from_static("mawe_session=; Max-Age=0"),
        );
        identity.keep(&answer);
        assert!(identity.headers().is_empty());
    }
}
