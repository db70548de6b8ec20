//! The Unix socket on which a running server hears its operator.

use std::io;
use std::path::{Path, PathBuf};

use axum::Router;
use axum::http::{Method, Request, header};
use http_body_util::{BodyExt, Full};
use serde_json::Value;
use tower::ServiceExt;

use super::words::Ask;
use super::{PATH, Refused, understood};
#[cfg(unix)]
use crate::private;

/// The name of the socket in the data directory.
pub const FILE: &str = "admin.sock";

/// A socket that was bound; its file goes with it.
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
        // Somebody may have removed it before.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl AdminSocket {
    /// Binds it, for its owner alone. One that a killed server has left behind is replaced, one that answers is not.
    ///
    /// # Errors
    /// Where there can be none: a path that is too long, a directory that cannot be written, a server that is there already.
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
        // Under another name until only its owner may open it; then in one step over what was left behind.
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

    /// There are no such sockets here.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(unix))]
    pub async fn bind(_: &Path) -> io::Result<AdminSocket> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Serves it until `stop`; what is under way is carried through.
    pub async fn serve(self, router: Router, stop: impl Future<Output = ()> + Send + 'static) {
        #[cfg(unix)]
        {
            let AdminSocket { listener, path } = self;
            let served = axum::serve(listener, router).with_graceful_shutdown(async move {
                stop.await;
                // Whoever asks from now on finds no server.
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

/// Asks the server that answers at `path`; `None` where none does.
///
/// # Errors
/// What the server refuses; and when the line breaks.
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
    // The answer is here; how the line ends says nothing more.
    let _ = driver.await;
    understood(status, &body).map(Some)
}

/// There are no such sockets here, so no server answers.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub async fn ask_server(_: &Path, _: &Ask) -> Result<Option<Value>, Refused> {
    Ok(None)
}

/// Asks the router in this process.
///
/// # Errors
/// What it refuses.
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
