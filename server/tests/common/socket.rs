//! A WebSocket of a client.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use mawe_wire::{
    Code, Command, ErrorMsg, EventMsg, MatchMsg, Notice, NoticeKind, Presence, SUBPROTOCOL,
    ServerMsg, SessionMsg, Snapshot, ToMatch,
};
use serde::Serialize;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::tungstenite::{self, Message};

use super::{PATIENCE, Person};

/// The time limit for a handshake with a server that may be paused.
const ATTEMPT: Duration = Duration::from_secs(1);

/// A well-behaved client sends no more messages than the server accepts (`docs/protocol.md`: 15 a second, 40 at once), however fast the
/// machine.
const MESSAGES_AT_ONCE: u32 = 30;
const MESSAGE_EVERY: Duration = Duration::from_millis(75);

pub struct Socket {
    /// The last presence message.
    pub presence: Option<Presence>,
    stream: WebSocketStream<TcpStream>,
    pace: Pace,
}

/// The budget of messages, which refills with time.
struct Pace {
    at_once: u32,
    counted_from: Instant,
}

impl Pace {
    fn new() -> Pace {
        Pace {
            at_once: MESSAGES_AT_ONCE,
            counted_from: Instant::now(),
        }
    }

    /// Waits until another message may be sent.
    async fn next(&mut self) {
        loop {
            let waited = self.counted_from.elapsed();
            let come_back = (waited.as_millis() / MESSAGE_EVERY.as_millis()) as u32;
            self.at_once = self.at_once.saturating_add(come_back).min(MESSAGES_AT_ONCE);
            self.counted_from += MESSAGE_EVERY * come_back;
            if self.at_once > 0 {
                self.at_once -= 1;
                return;
            }
            tokio::time::sleep_until((self.counted_from + MESSAGE_EVERY).into()).await;
        }
    }
}

/// Input from a socket.
#[derive(Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "a test has few of them at a time"
)]
pub enum Heard {
    Said(ServerMsg),
    /// The connection ended, with a close code or without one.
    Closed(Option<u16>),
}

/// Returns a handshake as a browser makes it.
pub fn handshake(address: SocketAddr, headers: &[(&'static str, &str)]) -> Request {
    let mut request = format!("ws://{address}/api/v1/ws")
        .into_client_request()
        .expect("an address");
    for (name, value) in headers {
        request
            .headers_mut()
            .insert(*name, value.parse().expect("a header"));
    }
    request
}

impl Socket {
    /// Opens a socket for this person, and receives `hello`.
    pub async fn open(person: &Person) -> Socket {
        let stream = TcpStream::connect(person.address)
            .await
            .expect("the server listens");
        Socket::over(stream, person).await
    }

    pub async fn over(stream: TcpStream, person: &Person) -> Socket {
        let mut socket = Socket::unheard(stream, person).await;
        match socket.next().await {
            ServerMsg::Hello { player, .. } => {
                assert_eq!(player.is_some(), person.is_somebody());
            }
            other => panic!("the first message is hello, not {other:?}"),
        }
        socket
    }

    /// Returns a socket whose first message has not been read.
    pub async fn unheard(stream: TcpStream, person: &Person) -> Socket {
        let socket = Socket::attempt(stream, person).await;
        socket.expect("the handshake succeeds")
    }

    /// Opens a socket to a server that may be stopping or gone; returns `None` in that case.
    pub async fn try_open(person: &Person) -> Option<Socket> {
        let attempt = async {
            let stream = TcpStream::connect(person.address).await.ok()?;
            let mut socket = Socket::attempt(stream, person).await.ok()?;
            match socket.hear_at_last().await {
                Heard::Said(ServerMsg::Hello { .. }) => Some(socket),
                Heard::Said(_) | Heard::Closed(_) => None,
            }
        };
        timeout(ATTEMPT, attempt).await.ok().flatten()
    }

    async fn attempt(stream: TcpStream, person: &Person) -> Result<Socket, tungstenite::Error> {
        stream.set_nodelay(true)?;
        let cookie = person.cookie();
        let mut headers = vec![("sec-websocket-protocol", SUBPROTOCOL)];
        headers.extend(cookie.as_deref().map(|cookie| ("cookie", cookie)));
        let bearer = person
            .bearer
            .as_ref()
            .map(|token| format!("Bearer {token}"));
        headers.extend(bearer.as_deref().map(|bearer| ("authorization", bearer)));
        let request = handshake(person.address, &headers);
        let (stream, response) = tokio_tungstenite::client_async(request, stream).await?;
        assert_eq!(
            response.headers()["sec-websocket-protocol"],
            SUBPROTOCOL,
            "the server selects the subprotocol"
        );
        Ok(Socket {
            presence: None,
            stream,
            pace: Pace::new(),
        })
    }

    /// Returns the first input within this time.
    pub async fn hear_within(&mut self, time: Duration) -> Option<Heard> {
        timeout(time, self.hear_at_last()).await.ok()
    }

    pub async fn send(&mut self, message: &impl Serialize) {
        let text = serde_json::to_string(message).expect("a message is plain JSON");
        self.send_text(text).await;
    }

    /// Sends a text, at the rate of a well-behaved client.
    pub async fn send_text(&mut self, text: impl Into<String>) {
        self.pace.next().await;
        self.send_raw(Message::text(text.into()))
            .await
            .expect("the line is open");
    }

    /// Sends a frame at once; an error means that the server has hung up.
    pub async fn send_raw(&mut self, message: Message) -> Result<(), tungstenite::Error> {
        timeout(PATIENCE, self.stream.send(message))
            .await
            .expect("the server reads")
    }

    /// Sends bytes that the library would not send, such as an incomplete frame.
    pub async fn send_bytes(&mut self, bytes: &[u8]) {
        let stream = self.stream.get_mut();
        stream.write_all(bytes).await.expect("the line is open");
    }

    pub async fn join(&mut self, id: &str) {
        self.join_since(id, None).await;
    }

    pub async fn join_since(&mut self, id: &str, since: Option<u64>) {
        let match_id = id.parse().expect("a match id");
        self.send(&SessionMsg::Join { match_id, since }).await;
    }

    /// Joins, and receives the snapshot. A node that takes a match over, or gives it up, tells the client to join again: on a busy machine
    /// also a node that is alone.
    pub async fn joined(&mut self, id: &str) -> Snapshot {
        self.join(id).await;
        loop {
            match self.next().await {
                ServerMsg::Snapshot(snapshot) => return *snapshot,
                ServerMsg::Error(error) if error.code == Code::Moved => self.join(id).await,
                ServerMsg::Error(error) => panic!("refused: {error:?}"),
                _ => {}
            }
        }
    }

    pub async fn leave(&mut self, id: &str) {
        let match_id = id.parse().expect("a match id");
        self.send(&SessionMsg::Leave { match_id }).await;
    }

    pub async fn rematch(&mut self, id: &str) {
        let match_id = id.parse().expect("a match id");
        let message = MatchMsg::Rematch {};
        self.send(&ToMatch { match_id, message }).await;
    }

    /// Joins over a connection that may be closed; returns whether it was open.
    pub async fn try_join(&mut self, id: &str, since: Option<u64>) -> bool {
        let match_id = id.parse().expect("a match id");
        self.try_send(&SessionMsg::Join { match_id, since }).await
    }

    /// Sends a command over a connection that may be closed; returns whether it was open.
    pub async fn try_command(
        &mut self,
        id: &str,
        client_id: &str,
        seq: u64,
        command: Command,
    ) -> bool {
        self.try_send(&ToMatch {
            match_id: id.parse().expect("a match id"),
            message: MatchMsg::Command {
                client_id: client_id.parse().expect("a client id"),
                seq,
                command,
            },
        })
        .await
    }

    async fn try_send(&mut self, message: &impl Serialize) -> bool {
        let text = serde_json::to_string(message).expect("a message is plain JSON");
        self.pace.next().await;
        let sent = timeout(ATTEMPT, self.stream.send(Message::text(text))).await;
        matches!(sent, Ok(Ok(())))
    }

    pub async fn command(&mut self, id: &str, client_id: &str, seq: u64, command: Command) {
        self.send(&ToMatch {
            match_id: id.parse().expect("a match id"),
            message: MatchMsg::Command {
                client_id: client_id.parse().expect("a client id"),
                seq,
                command,
            },
        })
        .await;
    }

    /// Returns the next input other than a ping.
    pub async fn hear(&mut self) -> Heard {
        timeout(PATIENCE, self.hear_at_last())
            .await
            .expect("something comes")
    }

    /// Returns the next input other than a ping, without a time limit.
    pub async fn hear_at_last(&mut self) -> Heard {
        loop {
            match self.stream.next().await {
                Some(Ok(Message::Text(text))) => {
                    let message = serde_json::from_str(&text)
                        .unwrap_or_else(|error| panic!("{error}: {text}"));
                    match &message {
                        ServerMsg::Snapshot(snapshot) => self.presence = Some(snapshot.presence),
                        ServerMsg::Joined { presence, .. }
                        | ServerMsg::Presence { presence, .. } => self.presence = Some(*presence),
                        _ => {}
                    }
                    return Heard::Said(message);
                }
                Some(Ok(Message::Close(frame))) => {
                    return Heard::Closed(frame.map(|frame| frame.code.into()));
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(other)) => panic!("a server sends text, not {other:?}"),
                Some(Err(_)) | None => return Heard::Closed(None),
            }
        }
    }

    /// Returns the next message. Notices come at a time of their own, after the messages of their causes: only those of moderators are
    /// returned here, the others by [`Socket::notice`].
    pub async fn next(&mut self) -> ServerMsg {
        loop {
            match self.any().await {
                ServerMsg::Notice { notice, .. } if !notice.kind.is_of_moderator() => {}
                ServerMsg::NoticesRead { .. } => {}
                message => return message,
            }
        }
    }

    async fn any(&mut self) -> ServerMsg {
        match self.hear().await {
            Heard::Said(message) => message,
            Heard::Closed(code) => panic!("the socket was closed with {code:?}"),
        }
    }

    /// Returns the next notice of this kind, and the number of unread ones; other messages are skipped, as are other notices: an
    /// earlier one may still be on its way.
    pub async fn notice(&mut self, kind: NoticeKind) -> (Notice, u32) {
        loop {
            match self.any().await {
                ServerMsg::Notice { notice, unread } if notice.kind == kind => {
                    return (notice, unread);
                }
                _ => {}
            }
        }
    }

    /// Returns the number of unread notices after some were read or withdrawn; other messages are skipped.
    pub async fn unread(&mut self) -> u32 {
        loop {
            if let ServerMsg::NoticesRead { unread } = self.any().await {
                return unread;
            }
        }
    }

    /// Returns the first value that `pick` makes of a message; other messages are skipped.
    pub async fn until<T>(&mut self, mut pick: impl FnMut(ServerMsg) -> Option<T>) -> T {
        loop {
            if let Some(found) = pick(self.next().await) {
                return found;
            }
        }
    }

    /// Waits until the presence is this one.
    pub async fn until_present(&mut self, wanted: (bool, bool, u32)) {
        while self.here() != Some(wanted) {
            self.next().await;
        }
    }

    /// Returns the last presence: the two players, and the number of spectators.
    pub fn here(&self) -> Option<(bool, bool, u32)> {
        self.presence
            .map(|presence| (presence.first, presence.second, presence.spectators))
    }

    pub async fn snapshot(&mut self) -> Snapshot {
        self.until(|message| match message {
            ServerMsg::Snapshot(snapshot) => Some(*snapshot),
            ServerMsg::Error(error) => panic!("refused: {error:?}"),
            _ => None,
        })
        .await
    }

    /// Returns the next event; presence is skipped, an error is not.
    pub async fn event(&mut self) -> EventMsg {
        self.until(|message| match message {
            ServerMsg::Event(event) => Some(*event),
            ServerMsg::Error(error) => panic!("refused: {error:?}"),
            _ => None,
        })
        .await
    }

    /// Returns the next error; presence is skipped, an event is not.
    pub async fn error(&mut self) -> ErrorMsg {
        self.until(|message| match message {
            ServerMsg::Error(error) => Some(error),
            ServerMsg::Event(event) => panic!("done instead of refused: {event:?}"),
            _ => None,
        })
        .await
    }

    /// Returns all messages until the socket is closed, and the close code.
    pub async fn rest(&mut self) -> (Vec<ServerMsg>, Option<u16>) {
        let mut said = Vec::new();
        loop {
            match self.hear().await {
                Heard::Said(message) => said.push(message),
                Heard::Closed(code) => return (said, code),
            }
        }
    }
}
