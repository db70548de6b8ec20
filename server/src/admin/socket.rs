//! The Unix socket on which a running server accepts the operator's requests.

use std::io;
use std::path::{Path, PathBuf};

use axum::Router;
use axum::http::{Method, Request, header};
use http_body_util::{BodyExt, Full};
use serde_json::Value;
use tower::ServiceExt;

use super::api::Ask;
use super::refusal::{PATH, Refused, understood};
#[cfg(unix)]
use mawe_store::private;

/// The name of the socket in the data directory.
pub const FILE: &str = "admin.sock";

/// A bound socket; its file is removed with it.
#[derive(Debug)]
pub struct AdminSocket {
    #[cfg(unix)]
    listener: tokio::net::UnixListener,
    #[cfg(unix)]
    path: SocketFile,
}

/// Removes the file when it is dropped.
#[derive(Debug)]
struct SocketFile(PathBuf);

impl Drop for SocketFile {
    fn drop(&mut self) {
        // The file may be gone already.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl AdminSocket {
    /// Binds the socket, with access for its owner only. Replaces the socket of a killed server, but not one that answers.
    ///
    /// # Errors
    /// The path is too long, the directory cannot be written, or another server answers.
    #[cfg(unix)]
    pub async fn bind(path: &Path) -> io::Result<AdminSocket> {
        use std::os::unix::fs::PermissionsExt;
        use tokio::net::{UnixListener, UnixStream};

        if let Some(directory) = path.parent() {
            private::make_directory(directory)?;
        }
        if UnixStream::connect(path).await.is_ok() {
            return Err(io::Error::new(
                io::ErrorKind::AddrInUse,
                "another server answers there",
            ));
        }
        // The socket gets its name, over any old file, in one step after access is restricted to its owner.
        let unfinished = SocketFile(path.with_extension(format!("{}", std::process::id())));
        let _ = std::fs::remove_file(&unfinished.0);
        let listener = UnixListener::bind(&unfinished.0)?;
        std::fs::set_permissions(&unfinished.0, std::fs::Permissions::from_mode(0o600))?;
        std::fs::rename(&unfinished.0, path)?;
        Ok(AdminSocket {
            listener,
            path: SocketFile(path.to_owned()),
        })
    }

    /// Fails on systems without Unix sockets.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(unix))]
    pub async fn bind(_: &Path) -> io::Result<AdminSocket> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Serves requests until `stop` completes; requests under way are finished.
    pub async fn serve(self, router: Router, stop: impl Future<Output = ()> + Send + 'static) {
        #[cfg(unix)]
        {
            let AdminSocket { listener, path } = self;
            let served = axum::serve(listener, router).with_graceful_shutdown(async move {
                stop.await;
                // Later callers find no server.
                drop(path);
            });
            if let Err(error) = served.await {
                tracing::error!(%error, "the operator's socket failed");
            }
        }
        #[cfg(not(unix))]
        let _ = (router, stop);
    }
}

/// Sends a request to the server that answers at `path`; `None` if none does.
///
/// # Errors
/// The server refuses the request, or the connection breaks.
#[cfg(unix)]
pub async fn ask_server(path: &Path, ask: &Ask) -> Result<Option<Value>, Refused> {
    use hyper_util::rt::TokioIo;
    use tokio::net::UnixStream;

    let broke = |error: &dyn std::fmt::Display| {
        Refused::Failed(format!(
            "the line to the running server broke: {error}; look whether it was done before you ask again"
        ))
    };
    let stream = match UnixStream::connect(path).await {
        Ok(stream) => stream,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            let path = path.display();
            return Err(Refused::Failed(format!(
                "{path} belongs to somebody else; run this as the user that runs the server"
            )));
        }
        Err(_) => return Ok(None),
    };
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
        .await
        .map_err(|error| broke(&error))?;
    let driver = tokio::spawn(connection);
    let response = sender.send_request(request(ask)).await;
    let response = response.map_err(|error| broke(&error))?;
    let status = response.status();
    let body = response.into_body().collect().await;
    let body = body.map_err(|error| broke(&error))?.to_bytes();
    drop(sender);
    // The answer is complete; an error at the end of the connection means nothing.
    let _ = driver.await;
    understood(status, &body).map(Some)
}

/// Always `None`: this system has no Unix sockets, so no server answers.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub async fn ask_server(_: &Path, _: &Ask) -> Result<Option<Value>, Refused> {
    Ok(None)
}

/// Passes a request to the router in this process.
///
/// # Errors
/// The router refuses the request.
pub async fn ask_here(router: Router, ask: &Ask) -> Result<Value, Refused> {
    let response = router
        .oneshot(request(ask).map(axum::body::Body::new))
        .await;
    let response = response.unwrap_or_else(|never| match never {});
    let status = response.status();
    let body = response.into_body().collect().await;
    let body = body.map_err(|error| Refused::Failed(error.to_string()))?;
    understood(status, &body.to_bytes())
}

fn request(ask: &Ask) -> Request<Full<axum::body::Bytes>> {
    let body = serde_json::to_vec(ask).expect("a question is plain JSON");
    Request::builder()
        .method(Method::POST)
        .uri(PATH)
        .header(header::HOST, "mawe")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Full::from(body))
        .expect("a request of ours is well-formed")
}
