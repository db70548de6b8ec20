//! A socket of a player or spectator.

use std::net::{Ipv4Addr, SocketAddr};

use futures_util::{SinkExt, StreamExt};
use mawe_wire::ids::{EventId, MatchId};
use mawe_wire::{MatchMsg, SUBPROTOCOL, ServerMsg, SessionMsg, ToMatch};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::http::header::{COOKIE, SEC_WEBSOCKET_PROTOCOL};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use super::LoadError;

/// The answer of a bare server to `join`, for a bench that compares with it.
pub const BARE_SNAPSHOT: &str = r#"{"t":"snapshot"}"#;

/// Small, as there are thousands.
const READ_BUFFER: usize = 4 * 1024;

/// A socket to a server.
#[derive(Debug)]
pub struct Line<S = TcpStream> {
    stream: WebSocketStream<S>,
}

/// Returns the configuration of the sockets.
pub(super) fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
}

impl Line<TcpStream> {
    /// Opens a socket without TLS.
    ///
    /// # Errors
    ///
    /// [`LoadError::Unreachable`] if the server does not accept it.
    pub async fn open(address: SocketAddr, cookie: Option<&str>) -> Result<Line, LoadError> {
        Line::open_from(Ipv4Addr::UNSPECIFIED, address, cookie).await
    }

    /// Opens a socket from one of the addresses of this machine.
    ///
    /// # Errors
    ///
    /// [`LoadError::Unreachable`] if the server does not accept it.
    pub async fn open_from(
        source: Ipv4Addr,
        address: SocketAddr,
        cookie: Option<&str>,
    ) -> Result<Line, LoadError> {
        let failed =
            |error: &dyn ToString| LoadError::Unreachable(address.to_string(), error.to_string());
        let socket = TcpSocket::new_v4().map_err(|error| failed(&error))?;
        let bound = socket.bind((source, 0).into());
        bound.map_err(|error| failed(&error))?;
        let stream = socket.connect(address).await;
        let stream = stream.map_err(|error| failed(&error))?;
        stream.set_nodelay(true).map_err(|error| failed(&error))?;
        let request = format!("ws://{address}/api/v1/ws").into_client_request();
        let mut request = request.map_err(|error| failed(&error))?;
        let headers = request.headers_mut();
        headers.insert(
            SEC_WEBSOCKET_PROTOCOL,
            HeaderValue::from_static(SUBPROTOCOL),
        );
        if let Some(cookie) = cookie {
            let cookie = HeaderValue::from_str(cookie).map_err(|error| failed(&error))?;
            headers.insert(COOKIE, cookie);
        }
        let opened =
            tokio_tungstenite::client_async_with_config(request, stream, Some(config())).await;
        Ok(Line::over(opened.map_err(|error| failed(&error))?.0))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Line<S> {
    /// A socket whose handshake is done; the server may greet, which the next reader skips.
    pub(super) fn over(stream: WebSocketStream<S>) -> Line<S> {
        Line { stream }
    }

    async fn send(&mut self, message: &impl serde::Serialize) -> Result<(), LoadError> {
        let text = serde_json::to_string(message).expect("a message is plain JSON");
        let sent = self.stream.send(Message::text(text)).await;
        sent.map_err(|error| LoadError::Closed(error.to_string()))
    }

    pub(super) async fn tell(&mut self, id: &MatchId, message: MatchMsg) -> Result<(), LoadError> {
        let match_id = id.clone();
        self.send(&ToMatch { match_id, message }).await
    }

    /// Returns the next text that `wanted` accepts.
    async fn until(&mut self, wanted: impl Fn(&str) -> bool) -> Result<String, LoadError> {
        loop {
            match self.stream.next().await {
                Some(Ok(Message::Text(text))) => {
                    if text.starts_with(r#"{"t":"error""#) {
                        return Err(LoadError::Message(text.to_string()));
                    }
                    if wanted(&text) {
                        return Ok(text.to_string());
                    }
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(other)) => return Err(LoadError::Closed(other.to_string())),
                Some(Err(error)) => return Err(LoadError::Closed(error.to_string())),
                None => return Err(LoadError::Closed("the connection ended".to_owned())),
            }
        }
    }

    /// Joins a match; returns the number of plies played.
    ///
    /// # Errors
    ///
    /// A [`LoadError`] if the server refuses, or the socket is closed.
    pub async fn join(&mut self, id: &MatchId) -> Result<usize, LoadError> {
        let match_id = id.clone();
        let since = None;
        self.send(&SessionMsg::Join { match_id, since }).await?;
        let snapshot = |text: &str| text.starts_with(r#"{"t":"snapshot""#);
        let text = self.until(snapshot).await?;
        if text == BARE_SNAPSHOT {
            return Ok(0);
        }
        match serde_json::from_str(&text) {
            Ok(ServerMsg::Snapshot(snapshot)) => Ok(snapshot.view.plies.len()),
            Ok(_) => Err(LoadError::Unreadable(text)),
            Err(error) => Err(LoadError::Unreadable(error.to_string())),
        }
    }

    /// Watches an event, and waits for its present state.
    ///
    /// # Errors
    ///
    /// A [`LoadError`] if the server refuses, or the socket is closed.
    pub async fn watch_event(&mut self, id: &EventId) -> Result<(), LoadError> {
        let event = id.clone();
        self.send(&SessionMsg::WatchEvent { event }).await?;
        self.until_a_state().await
    }

    /// Waits for the next state of the event that is watched.
    ///
    /// # Errors
    ///
    /// A [`LoadError`] if the socket is closed.
    pub async fn until_a_state(&mut self) -> Result<(), LoadError> {
        let state = |text: &str| text.starts_with(r#"{"t":"event-state""#);
        self.until(state).await.map(|_| ())
    }

    /// Waits for the event of a move.
    ///
    /// # Errors
    ///
    /// A [`LoadError`] if the socket is closed.
    pub async fn until_a_move(&mut self) -> Result<(), LoadError> {
        let moved = |text: &str| {
            text.starts_with(r#"{"t":"event""#) && text.contains(r#""event":{"kind":"move""#)
        };
        self.until(moved).await.map(|_| ())
    }

    /// Waits for the rematch of a match; returns its id.
    pub(super) async fn until_a_rematch(&mut self, of: &MatchId) -> Result<MatchId, LoadError> {
        loop {
            let rematch = |text: &str| text.starts_with(r#"{"t":"rematch""#);
            let text = self.until(rematch).await?;
            match serde_json::from_str(&text) {
                Ok(ServerMsg::Rematch { match_id, rematch }) if match_id == *of => {
                    if let Some(next) = rematch.next {
                        return Ok(next);
                    }
                }
                Ok(_) => {}
                Err(error) => return Err(LoadError::Unreadable(error.to_string())),
            }
        }
    }
}
