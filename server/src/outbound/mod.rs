//! The HTTP client of requests that this program makes: to push services, and as a worker to its server.
//!
//! It is hyper's own client with a connector for TLS: no redirect is followed, no proxy is used, no cookie is kept. The caller bounds the
//! time of a request and the length of an answer that it reads. Reqwest is built on the same crates; it would add five more to the program
//! (second versions of base64 and tower-http, and a verifier for the system's certificates beside the roots that are used here), for
//! functions that are not needed.

mod public;

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;

use axum::body::Bytes;
use axum::http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::TokioExecutor;
use tower::util::ServiceFn;

pub(crate) use self::public::may_be_public;

type Resolving =
    Pin<Box<dyn Future<Output = io::Result<std::vec::IntoIter<SocketAddr>>> + Send + 'static>>;

/// A connector whose resolver decides which addresses of a name may be reached.
type Connector = HttpsConnector<HttpConnector<ServiceFn<fn(Name) -> Resolving>>>;

/// The hosts that a client connects to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Hosts of the public network, over TLS. The addresses of a name are checked when a connection is made.
    Public,
    /// Every host, also without TLS.
    Everywhere,
}

/// A request failed before its answer began.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SendError {
    /// The host is written as an address outside of the public network.
    #[error("the address is not of the public network")]
    NotPublic,
    /// No connection could be made, or it ended.
    #[error(transparent)]
    Connection(#[from] Error),
}

/// A client with its idle connections.
#[derive(Debug)]
pub(crate) struct HttpClient {
    client: Client<Connector, Full<Bytes>>,
    reach: Reach,
}

impl HttpClient {
    /// Makes a client that keeps at most `idle` unused connections to each host.
    pub(crate) fn new(reach: Reach, idle: usize) -> io::Result<HttpClient> {
        let resolver: fn(Name) -> Resolving = match reach {
            Reach::Public => |name| Box::pin(public::addresses(name.as_str().to_owned())),
            Reach::Everywhere => |name| Box::pin(addresses(name.as_str().to_owned())),
        };
        let mut connector = HttpConnector::new_with_resolver(tower::service_fn(resolver));
        connector.enforce_http(false);
        // The same cryptography as for connections to Postgres, so that there is only one.
        let tls = HttpsConnectorBuilder::new()
            .with_provider_and_webpki_roots(rustls::crypto::ring::default_provider())
            .map_err(io::Error::other)?;
        let tls = match reach {
            Reach::Public => tls.https_only(),
            Reach::Everywhere => tls.https_or_http(),
        };
        let connector = tls.enable_http1().wrap_connector(connector);
        let client = Client::builder(TokioExecutor::new())
            .pool_max_idle_per_host(idle)
            .build(connector);
        Ok(HttpClient { client, reach })
    }

    /// Sends a request, and returns the answer once its head has come.
    pub(crate) async fn send(
        &self,
        request: Request<Vec<u8>>,
    ) -> Result<Response<Incoming>, SendError> {
        // The connector asks the resolver for names only.
        let host = request.uri().host().unwrap_or_default();
        if self.reach == Reach::Public && !may_be_public(host) {
            return Err(SendError::NotPublic);
        }
        Ok(self.client.request(request.map(Full::from)).await?)
    }
}

async fn addresses(name: String) -> io::Result<std::vec::IntoIter<SocketAddr>> {
    let found = tokio::net::lookup_host((name, 0)).await?;
    Ok(found.collect::<Vec<_>>().into_iter())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_client_of_the_public_network_reaches_no_listener_at_home() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let client = HttpClient::new(Reach::Public, 1).expect("connections can be made");
        for host in ["127.0.0.1", "[::ffff:127.0.0.1]", "localhost"] {
            let request = Request::post(format!("https://{host}:{port}/"))
                .body(Vec::new())
                .expect("a request");
            assert!(client.send(request).await.is_err(), "{host}");
        }
        let came = tokio::time::timeout(Duration::from_millis(50), listener.accept()).await;
        assert!(came.is_err(), "somebody came");
    }
}
