//! Push services: the check of endpoints, and the connections to them.
//!
//! An endpoint comes from a browser, so anyone can choose it; this server must not give access to its own network. So a message goes by
//! https, to the default port, and to an address of the public network. The address is checked when the connection is made (`outbound/`),
//! so a name that is changed to point elsewhere gains nothing. Redirects are not followed, and only the status of an answer is read.
//! Services that the operator trusts by name are exempt from all this.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::time::Duration;

use axum::http::uri::Scheme;
use axum::http::{HeaderMap, Request, StatusCode, Uri, header};

use crate::outbound::{HttpClient, Reach, may_be_public};

/// Maximum length of an endpoint, in bytes; those of the present services have 150 to 800.
const MAX_ENDPOINT_BYTES: usize = 2_000;

/// Time limit for the answer of a push service.
const ANSWER_WITHIN: Duration = Duration::from_secs(20);

/// The longest wait that a push service may ask for: by then the player may have moved, and needs no call.
const MAX_WAIT: Duration = Duration::from_secs(10 * 60);

/// Maximum number of idle connections kept for each service.
const IDLE: usize = 2;

/// Reason for which an endpoint is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadEndpoint {
    /// Not a valid address.
    #[error("endpoint must be the address of a push service, as the browser gives it")]
    NoAddress,
    /// Longer than `MAX_ENDPOINT_BYTES`.
    #[error("endpoint has more than {MAX_ENDPOINT_BYTES} bytes")]
    TooLong,
    /// Not a push service of the public network.
    #[error(
        "endpoint must be at a push service of the public network: https, without a port, a name and no private address"
    )]
    NotPublic,
}

/// A host and port that the operator trusts as a push service, such as `push.school.lan:8443`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Trusted(String);

/// The address of a browser at its push service.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    uri: Uri,
    is_trusted: bool,
}

/// A push service's response to a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ServiceResponse {
    /// The service has accepted the message.
    Taken,
    /// The browser's subscription no longer exists.
    Gone,
    /// The service is busy or cannot be reached; holds the wait that it asks for, if any.
    Later(Option<Duration>),
    /// The service refuses such a message.
    Refused(StatusCode),
}

/// HTTP clients for push services.
pub(super) struct Services {
    trusted: BTreeSet<Trusted>,
    public: HttpClient,
    everywhere: HttpClient,
}

impl Trusted {
    /// Parses a host and port.
    ///
    /// # Errors
    /// A message for the operator, if the text is anything else.
    pub fn new(text: &str) -> Result<Trusted, &'static str> {
        let wrong = "must be a host with its port, as push.school.lan:8443";
        let uri: Uri = format!("https://{text}/").parse().map_err(|_| wrong)?;
        let whole = uri.authority().filter(|authority| {
            authority.port_u16().is_some() && !authority.as_str().contains('@')
        });
        match whole {
            Some(authority) if uri.path() == "/" => {
                Ok(Trusted(authority.as_str().to_ascii_lowercase()))
            }
            _ => Err(wrong),
        }
    }
}

impl Endpoint {
    /// The address to send messages to.
    pub(super) fn uri(&self) -> &Uri {
        &self.uri
    }

    /// Host of the service. The rest of the address stays secret, since it allows sending to the browser.
    #[must_use]
    pub fn host(&self) -> &str {
        self.uri.host().unwrap_or_default()
    }

    /// Origin of the service, which is the audience of a token.
    pub(super) fn origin(&self) -> String {
        let scheme = self.uri.scheme_str().unwrap_or("https");
        let usual = if scheme == "https" { 443 } else { 80 };
        match self.uri.port_u16().filter(|port| *port != usual) {
            Some(port) => format!("{scheme}://{}:{port}", self.host()),
            None => format!("{scheme}://{}", self.host()),
        }
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Endpoint({}…)", self.origin())
    }
}

impl Services {
    /// Creates clients for public services and for those that the operator trusts.
    pub(super) fn new(trusted: impl IntoIterator<Item = Trusted>) -> io::Result<Services> {
        Ok(Services {
            trusted: trusted.into_iter().collect(),
            public: HttpClient::new(Reach::Public, IDLE)?,
            everywhere: HttpClient::new(Reach::Everywhere, IDLE)?,
        })
    }

    /// Parses and checks the endpoint that a browser gives.
    pub(super) fn endpoint(&self, text: &str) -> Result<Endpoint, BadEndpoint> {
        if text.len() > MAX_ENDPOINT_BYTES {
            return Err(BadEndpoint::TooLong);
        }
        let uri: Uri = text.parse().map_err(|_| BadEndpoint::NoAddress)?;
        let (Some(scheme), Some(host)) = (uri.scheme(), uri.host()) else {
            return Err(BadEndpoint::NoAddress);
        };
        let is_https = *scheme == Scheme::HTTPS;
        if !is_https && *scheme != Scheme::HTTP {
            return Err(BadEndpoint::NoAddress);
        }
        if uri
            .authority()
            .is_some_and(|authority| authority.as_str().contains('@'))
        {
            return Err(BadEndpoint::NoAddress);
        }
        let port = uri.port_u16().unwrap_or(if is_https { 443 } else { 80 });
        let named = Trusted(format!("{host}:{port}").to_ascii_lowercase());
        let is_trusted = self.trusted.contains(&named);
        let is_public = is_https && port == 443 && may_be_public(host);
        if is_trusted || is_public {
            Ok(Endpoint { uri, is_trusted })
        } else {
            Err(BadEndpoint::NotPublic)
        }
    }

    /// Sends a message.
    pub(super) async fn send(&self, to: &Endpoint, message: Request<Vec<u8>>) -> ServiceResponse {
        let client = match to.is_trusted {
            true => &self.everywhere,
            false => &self.public,
        };
        match tokio::time::timeout(ANSWER_WITHIN, client.send(message)).await {
            Ok(Ok(answer)) => verdict(answer.status(), answer.headers()),
            Ok(Err(error)) => {
                tracing::debug!(
                    error = &error as &dyn std::error::Error,
                    push.service = to.host(),
                    "a push service could not be reached"
                );
                ServiceResponse::Later(None)
            }
            Err(_too_late) => ServiceResponse::Later(None),
        }
    }
}

fn verdict(status: StatusCode, headers: &HeaderMap) -> ServiceResponse {
    match status {
        status if status.is_success() => ServiceResponse::Taken,
        StatusCode::NOT_FOUND | StatusCode::GONE => ServiceResponse::Gone,
        status if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
            let seconds = headers.get(header::RETRY_AFTER);
            let seconds = seconds.and_then(|value| value.to_str().ok()?.trim().parse().ok());
            ServiceResponse::Later(
                seconds.map(|seconds| Duration::from_secs(seconds).min(MAX_WAIT)),
            )
        }
        status => ServiceResponse::Refused(status),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn services(trusted: &[&str]) -> Services {
        let trusted = trusted.iter().map(|text| Trusted::new(text).expect(text));
        Services::new(trusted).expect("connections can be made")
    }

    #[test]
    fn only_the_public_network_is_written_to() {
        let services = services(&[]);
        for good in [
            "https://fcm.googleapis.com/fcm/send/abc:def",
            "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
            "https://web.push.apple.com:443/QG",
            "https://93.184.215.14/push",
            "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/push",
        ] {
            assert!(services.endpoint(good).is_ok(), "{good}");
        }
        for bad in [
            "http://fcm.googleapis.com/fcm/send/abc",
            "https://fcm.googleapis.com:8443/fcm",
            "https://localhost/push",
            "https://printer/push",
            "https://127.0.0.1/push",
            "https://10.1.2.3/push",
            "https://192.168.0.1/push",
            "https://172.31.255.255/push",
            "https://169.254.169.254/latest/meta-data",
            "https://100.64.0.1/push",
            "https://0.0.0.0/push",
            "https://255.255.255.255/push",
            "https://[::1]/push",
            "https://[::]/push",
            "https://[::ffff:127.0.0.1]/push",
            "https://[64:ff9b::7f00:1]/push",
            "https://[2002:7f00:1::]/push",
            "https://[fe80::1]/push",
            "https://[fd00::1]/push",
            "https://[2001::1]/push",
            "https://[2001:db8::1]/push",
        ] {
            assert_eq!(services.endpoint(bad), Err(BadEndpoint::NotPublic), "{bad}");
        }
        for none in [
            "",
            "/push",
            "push",
            "ftp://example.org/",
            "https://a@b.example/",
        ] {
            assert_eq!(
                services.endpoint(none),
                Err(BadEndpoint::NoAddress),
                "{none}"
            );
        }
        let long = format!(
            "https://push.example.org/{}",
            "x".repeat(MAX_ENDPOINT_BYTES)
        );
        assert_eq!(services.endpoint(&long), Err(BadEndpoint::TooLong));
    }

    #[test]
    fn what_the_operator_trusts_is_one_host_at_one_port() {
        let services = services(&["Push.School.lan:8443", "127.0.0.1:9"]);
        for good in [
            "https://push.school.lan:8443/x",
            "http://PUSH.school.lan:8443/",
            "http://127.0.0.1:9/y",
        ] {
            assert!(services.endpoint(good).expect(good).is_trusted, "{good}");
        }
        for bad in [
            "http://push.school.lan/x",
            "http://127.0.0.1:10/",
            "https://[::1]:9/",
        ] {
            assert_eq!(services.endpoint(bad), Err(BadEndpoint::NotPublic), "{bad}");
        }
        for bad in [
            "",
            "push.school.lan",
            "http://push.school.lan:1",
            "a b:1",
            "push:1/x",
            "a@push:1",
            "push:70000",
        ] {
            assert!(Trusted::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_service_is_named_by_its_origin() {
        let services = services(&["127.0.0.1:9"]);
        for (endpoint, origin) in [
            ("https://push.example.org/a/b?c", "https://push.example.org"),
            ("https://push.example.org:443/a", "https://push.example.org"),
            ("http://127.0.0.1:9/secret", "http://127.0.0.1:9"),
        ] {
            let endpoint = services.endpoint(endpoint).expect(endpoint);
            assert_eq!(endpoint.origin(), origin);
            assert!(!format!("{endpoint:?}").contains("secret"));
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_into_the_network_at_home_is_not_followed() {
        // A listener is there, and nothing reaches it.
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let services = services(&[]);
        let there = Endpoint {
            uri: format!("https://localhost:{port}/push")
                .parse()
                .expect("an address"),
            is_trusted: false,
        };
        let message = Request::post(there.uri().clone())
            .body(Vec::new())
            .expect("a request");
        assert_eq!(
            services.send(&there, message).await,
            ServiceResponse::Later(None)
        );
        let came = tokio::time::timeout(Duration::from_millis(50), listener.accept()).await;
        assert!(came.is_err(), "somebody came");
    }

    #[test]
    fn a_verdict_is_read_from_the_status() {
        let with = |status, retry: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            if let Some(retry) = retry {
                headers.insert(header::RETRY_AFTER, retry.parse().expect("ASCII"));
            }
            verdict(status, &headers)
        };
        assert_eq!(with(StatusCode::CREATED, None), ServiceResponse::Taken);
        assert_eq!(with(StatusCode::GONE, None), ServiceResponse::Gone);
        assert_eq!(with(StatusCode::NOT_FOUND, None), ServiceResponse::Gone);
        let busy = StatusCode::TOO_MANY_REQUESTS;
        assert_eq!(with(busy, None), ServiceResponse::Later(None));
        assert_eq!(
            with(busy, Some("7")),
            ServiceResponse::Later(Some(Duration::from_secs(7)))
        );
        assert_eq!(
            with(busy, Some("99999")),
            ServiceResponse::Later(Some(MAX_WAIT))
        );
        assert_eq!(
            with(StatusCode::BAD_GATEWAY, Some("soon")),
            ServiceResponse::Later(None)
        );
        for status in [
            StatusCode::FOUND,
            StatusCode::BAD_REQUEST,
            StatusCode::FORBIDDEN,
        ] {
            assert_eq!(with(status, None), ServiceResponse::Refused(status));
        }
    }
}
