//! One socket: reads its frames, passes messages to rooms and the lobby, and writes its outbox. It judges no move.
//!
//! Each socket has one task. Frames are written outside `select!`: a cancelled send would lose its message.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use mawe_wire::chat::ChatRoom;
use mawe_wire::ids::{ClientId, EventId, MatchId};
use mawe_wire::{
    ClientMsg, Code, ErrorMsg, MAX_FRAME_BYTES, MatchMsg, PlayerKind, ServerMsg, SessionMsg,
    ToMatch,
};
use tokio::io::AsyncWriteExt;
use tokio::sync::oneshot;
use tokio::time::{MissedTickBehavior, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

use crate::app::App;
use crate::clock::unix_ms;
use crate::http;
use crate::http::extract::SignedIn;
use crate::live::message::{Caller, Envelope, RoomMsg};
use crate::live::outbox::{CloseReason, Outbox, encode};
use crate::live::sockets::Owner;
use crate::live::view;
use crate::lobby::events::WatchRefusal;
use crate::lobby::{self, Asker};
use crate::trace::Trace;
use crate::ws::bucket::Bucket;
use crate::ws::frames::CountedStream;

/// The interval of the server's pings; clients are asked to ping as often.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// The time without input after which a connection counts as dead.
const SILENCE: Duration = Duration::from_secs(30);

/// The time limit of each write; a peer that does not read fast enough is cut off.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// After the close frame, input is read and dropped for at most this time and size. Closing a connection whose peer still sends would
/// reset it, and the close frame could be lost.
const LINGER: Duration = Duration::from_secs(1);
const LINGER_BYTES: u64 = 256 * 1024;

/// The most matches that one socket may follow.
const MAX_JOINED: usize = 16;

/// The burst of messages, in seconds of their rate. Frames of all kinds have a separate limit below the library: [`CountedStream`].
const BURST_SECONDS: f64 = 8.0 / 3.0;

/// The number of bad frames of one kind that are answered with an error; the next one closes the socket.
const STRIKES: u32 = 8;

/// The delay in milliseconds before a client reconnects after `closing`; clients add a random part.
const RETRY_MS: u64 = 500;

/// The WebSocket over the connection of its handshake.
pub(super) type WebSocket = WebSocketStream<CountedStream<TokioIo<Upgraded>>>;

/// Serves a socket until it closes.
pub(super) async fn run(socket: &mut WebSocket, app: App, visitor: Option<SignedIn>) {
    let outbox = Arc::new(Outbox::default());
    let owner = visitor.as_ref().map(|visitor| Owner {
        player: visitor.player.id.clone(),
        session: visitor.session,
        is_guest: visitor.player.kind == PlayerKind::Guest,
    });
    let Some(number) = app.sockets.add(owner.as_ref(), &outbox) else {
        let ending = Ending::Close(CloseCode::Policy, "too many sockets of one player");
        ending.tell(socket).await;
        linger(socket).await;
        return;
    };
    let hello = ServerMsg::Hello {
        player: visitor
            .as_ref()
            .map(|visitor| view::player(&visitor.player)),
        heartbeat_ms: u64::try_from(HEARTBEAT.as_millis()).unwrap_or(u64::MAX),
    };
    outbox.push(encode(&hello));
    let caller = Caller {
        socket: number,
        player: owner.as_ref().map(|owner| owner.player.clone()),
        outbox,
    };
    let rate = f64::from(app.messages_per_second.get());
    let mut session = Session {
        app: app.clone(),
        caller,
        visitor,
        joined: HashSet::new(),
        joining: None,
        bucket: Bucket::full(rate, rate * BURST_SECONDS, Instant::now()),
        strikes: Strikes::default(),
        lag: Lag::default(),
    };
    let ending = session.serve(socket).await;
    ending.tell(socket).await;
    for id in std::mem::take(&mut session.joined) {
        session.unwatch_chat(&id);
        app.rooms
            .send_if_open(&id, RoomMsg::Leave { socket: number })
            .await;
    }
    app.tv.forget(number);
    app.lobby.close_socket(session.asker());
    app.sockets.remove(number, owner.as_ref());
    if ending != Ending::Gone {
        linger(socket).await;
    }
}

/// The reason why a socket ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// The peer is gone, or does not read.
    Gone,
    /// The peer has sent a close frame.
    ByPeer,
    /// The server closes the socket with this code and reason.
    Close(CloseCode, &'static str),
}

impl Ending {
    /// Returns the ending for a read error.
    fn from_error(error: &Error, stream: &CountedStream<TokioIo<Upgraded>>) -> Ending {
        // Only an I/O error comes from the counted stream; with any other error the library failed before it reached the stream's fault.
        if let (Error::Io(_), Some(fault)) = (error, stream.fault()) {
            let (code, words) = fault.closing();
            return Ending::Close(code, words);
        }
        match error {
            Error::Capacity(_) => Ending::Close(CloseCode::Size, "a frame is too large"),
            Error::Utf8(_) => Ending::Close(CloseCode::Invalid, "text is not UTF-8"),
            Error::Io(_)
            | Error::ConnectionClosed
            | Error::AlreadyClosed
            | Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => Ending::Gone,
            // Reading gives no other kind of the library's errors than those of the protocol.
            _ => Ending::Close(CloseCode::Protocol, "that was no WebSocket frame"),
        }
    }

    /// Sends the close frame, or answers the peer's.
    async fn tell(self, socket: &mut WebSocket) {
        let told = async {
            match self {
                Ending::Gone => {}
                // The library makes the answer, and writes it before the stream of messages ends.
                Ending::ByPeer => while let Some(Ok(_)) = socket.next().await {},
                Ending::Close(code, words) => {
                    let reason = Utf8Bytes::from_static(words);
                    let frame = CloseFrame { code, reason };
                    // If the send fails, the peer is gone.
                    let _ = socket.send(Message::Close(Some(frame))).await;
                }
            }
        };
        let _ = timeout(WRITE_TIMEOUT, told).await;
    }
}

/// Shuts down the connection after the close frame, dropping further input within [`LINGER`].
async fn linger(socket: &mut WebSocket) {
    let stream = socket.get_mut();
    let rest = async {
        // A connection that cannot be shut down has already ended.
        if stream.shutdown().await.is_ok() {
            stream.discard(LINGER_BYTES).await;
        }
    };
    let _ = timeout(LINGER, rest).await;
}

struct Session {
    app: App,
    caller: Caller,
    /// The signed-in player, with the scopes of the session or token; `None` without either.
    visitor: Option<SignedIn>,
    joined: HashSet<MatchId>,
    /// Completes when a join is answered. Until that answer is written the socket reads nothing more: the answers to several joins
    /// together can exceed the limit of an outbox.
    joining: Option<oneshot::Receiver<()>>,
    bucket: Bucket,
    strikes: Strikes,
    lag: Lag,
}

#[derive(Default)]
struct Strikes {
    unparsed: u32,
    too_large: u32,
    too_fast: u32,
}

impl Session {
    async fn serve(&mut self, socket: &mut WebSocket) -> Ending {
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard = Instant::now();
        let mut frames = Vec::new();
        loop {
            tokio::select! {
                received = socket.next(), if self.joining.is_none() => match received {
                    Some(Ok(message)) => {
                        heard = Instant::now();
                        // Boxed: an idle socket keeps no place for the state of a message.
                        if Box::pin(self.receive(heard, message)).await == Line::Closed {
                            return Ending::ByPeer;
                        }
                        // Immediate answers are written before the next read: after a close frame nothing can be written.
                        if let Some(ending) = self.deliver(socket, &mut frames).await {
                            return ending;
                        }
                    }
                    Some(Err(error)) => return Ending::from_error(&error, socket.get_ref()),
                    None => return Ending::Gone,
                },
                () = answered(self.joining.as_mut()) => {
                    self.joining = None;
                    heard = Instant::now();
                    if let Some(ending) = self.deliver(socket, &mut frames).await {
                        return ending;
                    }
                }
                () = self.caller.outbox.ready() => {
                    if let Some(ending) = self.deliver(socket, &mut frames).await {
                        return ending;
                    }
                }
                _ = heartbeat.tick() => {
                    // An expired session or token must not keep a socket open.
                    if self.visitor.as_ref().is_some_and(|visitor| visitor.expires_ms <= unix_ms()) {
                        self.caller.outbox.close(CloseReason::LoggedOut);
                        continue;
                    }
                    if self.joining.is_none() && self.ran_since(heard) > SILENCE {
                        return Ending::Close(CloseCode::Away, "nothing was heard for too long");
                    }
                    let ping = Message::Ping(self.lag.ping(Instant::now()));
                    match timeout(WRITE_TIMEOUT, socket.send(ping)).await {
                        Ok(Ok(())) => {}
                        Ok(Err(_)) | Err(_) => return Ending::Gone,
                    }
                }
            }
        }
    }

    /// Returns how long the server has run since `then`: a suspended server must not count its connections as dead.
    fn ran_since(&self, then: Instant) -> Duration {
        self.app
            .rooms
            .services
            .run_time
            .between(then, Instant::now())
    }

    /// Writes the frames of the outbox; returns the ending if the socket is to be closed.
    async fn deliver(
        &mut self,
        socket: &mut WebSocket,
        frames: &mut Vec<Utf8Bytes>,
    ) -> Option<Ending> {
        let (close_reason, deliveries) = self.caller.outbox.drain_traced(frames);
        if frames.is_empty() && close_reason.is_none() {
            return None;
        }
        if let Some(reason) = close_reason {
            self.app.sockets.meters.note_closed(reason);
        }
        let written = write(socket, frames, close_reason).await;
        drop(deliveries);
        if written.is_err() {
            return Some(Ending::Gone);
        }
        close_reason.map(goodbye)
    }

    async fn receive(&mut self, at: Instant, message: Message) -> Line {
        match message {
            Message::Text(text) => self.frame(at, &text).await,
            Message::Binary(_) => self.unparsed("frames are text"),
            Message::Pong(payload) => {
                if let Some(sent) = self.lag.pong(&payload) {
                    self.lag
                        .note(self.app.rooms.services.run_time.between(sent, at));
                }
            }
            // The library answers pings itself, and never yields a bare frame when reading.
            Message::Ping(_) | Message::Frame(_) => {}
            Message::Close(_) => return Line::Closed,
        }
        Line::Open
    }

    async fn frame(&mut self, at: Instant, text: &str) {
        if !self.bucket.acquire(at) {
            self.error(Code::TooFast, "frames come too fast; wait a moment");
            self.strikes.too_fast += 1;
            self.close_after(self.strikes.too_fast, CloseReason::TooFast);
        } else if text.len() > MAX_FRAME_BYTES {
            self.error(Code::FrameTooLarge, "a frame has at most 4096 bytes");
            self.strikes.too_large += 1;
            self.close_after(self.strikes.too_large, CloseReason::TooLarge);
        } else {
            match serde_json::from_str(text) {
                Ok(message) => self.handle_message(at, message).await,
                Err(error) => self.unparsed(&format!(
                    "not a message of {}: {error}",
                    mawe_wire::SUBPROTOCOL
                )),
            }
        }
    }

    fn unparsed(&mut self, message: &str) {
        self.error(Code::BadFrame, message);
        self.strikes.unparsed += 1;
        self.close_after(self.strikes.unparsed, CloseReason::Unparsed);
    }

    /// Closes the outbox after too many strikes. The reason is queued like a message, so that the client reads the errors before it.
    fn close_after(&self, strikes: u32, close_reason: CloseReason) {
        if strikes > STRIKES {
            self.caller.outbox.close(close_reason);
        }
    }

    async fn handle_message(&mut self, received: Instant, message: ClientMsg) {
        if let Some(visitor) = &self.visitor
            && let Err(refusal) = visitor.may_send(&message)
        {
            let (match_id, client_id) = match message {
                ClientMsg::Match(to) => (Some(to.match_id), to.message.client_id().cloned()),
                ClientMsg::Session(_) => (None, None),
            };
            self.tell_error(match_id, client_id, Code::ScopeNeeded, &refusal.to_string());
            return;
        }
        match message {
            ClientMsg::Match(to) => self.forward(received, to).await,
            ClientMsg::Session(message) => self.handle_own(message).await,
        }
    }

    /// Forwards a message to the room of its match.
    async fn forward(&self, received: Instant, to: ToMatch) {
        let ToMatch { match_id, message } = to;
        if !self.joined.contains(&match_id) {
            let client_id = message.client_id().cloned();
            self.refuse(match_id, client_id, Code::NotJoined, "join the match first");
            return;
        }
        if matches!(message, MatchMsg::Phrase { .. }) && self.is_muted().await {
            let text = "a moderator has muted you: you say no phrases";
            self.refuse(match_id, None, Code::Muted, text);
            return;
        }
        let unheard =
            matches!(message, MatchMsg::Phrase { .. }) && self.is_blocked_at(&match_id).await;
        let trace = match &message {
            MatchMsg::Command { command, .. } => Trace::command(&match_id, command),
            MatchMsg::Rematch {} | MatchMsg::Phrase { .. } | MatchMsg::Mute { .. } => {
                Trace::default()
            }
        };
        let envelope = Envelope {
            caller: self.caller.clone(),
            received,
            lag_ms: self.lag.ms(),
            message,
            unheard,
            trace,
        };
        self.app
            .rooms
            .send(&match_id, RoomMsg::Client(envelope))
            .await;
    }

    /// Handles a message to the server.
    async fn handle_own(&mut self, message: SessionMsg) {
        let caller = self.caller.clone();
        match message {
            SessionMsg::Join { match_id, since } => {
                if self.joined.len() >= MAX_JOINED && !self.joined.contains(&match_id) {
                    self.refuse(
                        match_id,
                        None,
                        Code::TooManyMatches,
                        "one socket follows 16 matches at most",
                    );
                    return;
                }
                self.joined.insert(match_id.clone());
                let (answered, joining) = oneshot::channel();
                self.joining = Some(joining);
                let join = RoomMsg::Join {
                    caller,
                    since,
                    answered: Some(answered),
                };
                self.app.rooms.send(&match_id, join).await;
            }
            SessionMsg::Leave { match_id } => {
                if self.joined.remove(&match_id) {
                    self.unwatch_chat(&match_id);
                    self.app
                        .rooms
                        .send_if_open(
                            &match_id,
                            RoomMsg::Leave {
                                socket: caller.socket,
                            },
                        )
                        .await;
                }
            }
            SessionMsg::Ping => self.caller.outbox.push(encode(&ServerMsg::Pong)),
            SessionMsg::WatchTv { game } => {
                self.app.tv.watch(game, caller.socket, &caller.outbox);
            }
            SessionMsg::UnwatchTv { game } => self.app.tv.unwatch(game, caller.socket),
            SessionMsg::WatchEvent { event } => self.watch_event(&event).await,
            SessionMsg::UnwatchEvent { event } => {
                self.app.lobby.event_watch.unwatch(&event, caller.socket);
            }
            SessionMsg::WatchChat { match_id, room } => self.watch_chat(&match_id, room).await,
            SessionMsg::UnwatchChat { match_id, room } => {
                self.app
                    .sockets
                    .chat
                    .unwatch(&match_id, room, caller.socket);
            }
            SessionMsg::JoinPool { game, pool, rated } => {
                let (asker, key) = (self.asker(), lobby::key(game, &pool, rated));
                self.app.lobby.join_pool(asker, key).await;
            }
            SessionMsg::LeavePool { game, pool, rated } => {
                let key = lobby::key(game, &pool, rated);
                self.app.lobby.leave_pool(self.asker(), key).await;
            }
            SessionMsg::AcceptBot { game, pool, rated } => {
                let (asker, key) = (self.asker(), lobby::key(game, &pool, rated));
                self.app.lobby.accept_bot(asker, key).await;
            }
            SessionMsg::WatchLobby => self.app.lobby.watch(self.asker()),
            SessionMsg::UnwatchLobby => self.app.lobby.unwatch(caller.socket),
        }
    }

    /// Makes the socket follow an event, if its player may see it.
    async fn watch_event(&self, id: &EventId) {
        let Caller {
            socket,
            player,
            outbox,
        } = &self.caller;
        let lobby = &self.app.lobby;
        let watching = lobby.watch_event(id, player.as_ref(), *socket, outbox);
        let Err(refusal) = watching.await else {
            return;
        };
        let code = match &refusal {
            WatchRefusal::NotFound => Code::NotFound,
            WatchRefusal::TooMany => Code::Busy,
            WatchRefusal::Store(_) => Code::StorageUnavailable,
        };
        self.error(code, &refusal.to_string());
    }

    /// Makes the socket follow a room of a chat, if its player may read it.
    async fn watch_chat(&self, match_id: &MatchId, room: ChatRoom) {
        let refusal = if self.joined.contains(match_id) {
            let watching = http::chat::watch(&self.app, &self.caller, match_id, room);
            watching
                .await
                .err()
                .map(|error| (error.code(), error.to_string()))
        } else {
            Some((Code::NotJoined, "join the match first".to_owned()))
        };
        if let Some((code, message)) = refusal {
            self.refuse(match_id.clone(), None, code, &message);
        }
    }

    fn unwatch_chat(&self, match_id: &MatchId) {
        for room in ChatRoom::ALL {
            self.app
                .sockets
                .chat
                .unwatch(match_id, room, self.caller.socket);
        }
    }

    /// Returns whether a moderator has muted this player. Asks the store each time, so that a mute takes effect at once; phrases are rare.
    /// If the store fails, nobody counts as muted.
    async fn is_muted(&self) -> bool {
        let Some(player) = &self.caller.player else {
            return false;
        };
        let until_ms = self.app.store.muted_until(player).await;
        until_ms.is_ok_and(|until_ms| until_ms.is_some_and(|until_ms| unix_ms() < until_ms))
    }

    /// Returns whether the opponent at a match has blocked this player. If the store fails, nobody counts as blocked.
    async fn is_blocked_at(&self, match_id: &MatchId) -> bool {
        let Some(player) = &self.caller.player else {
            return false;
        };
        let is_blocked = self.app.store.is_blocked_at(match_id, player).await;
        is_blocked.unwrap_or_default()
    }

    fn asker(&self) -> Asker<'_> {
        Asker {
            socket: self.caller.socket,
            player: self.caller.player.as_ref(),
        }
    }

    /// Queues an error about a frame that was not parsed.
    fn error(&self, code: Code, message: &str) {
        self.tell_error(None, None, code, message);
    }

    fn refuse(&self, match_id: MatchId, client_id: Option<ClientId>, code: Code, message: &str) {
        self.tell_error(Some(match_id), client_id, code, message);
    }

    fn tell_error(
        &self,
        match_id: Option<MatchId>,
        client_id: Option<ClientId>,
        code: Code,
        message: &str,
    ) {
        let error = ErrorMsg {
            match_id,
            client_id,
            code,
            why: None,
            message: message.to_owned(),
            retry_ms: None,
        };
        self.caller.outbox.push(encode(&ServerMsg::Error(error)));
    }
}

/// Waits until a join is answered, or until its room is gone without an answer.
async fn answered(joining: Option<&mut oneshot::Receiver<()>>) {
    match joining {
        // Nothing is ever sent: the room drops the sender, and the error is the signal.
        Some(joining) => drop(joining.await),
        None => std::future::pending().await,
    }
}

/// The state of the peer's side of the socket.
#[derive(PartialEq, Eq)]
enum Line {
    Open,
    Closed,
}

fn goodbye(close_reason: CloseReason) -> Ending {
    match close_reason {
        CloseReason::Unparsed => Ending::Close(CloseCode::Unsupported, "frames do not parse"),
        CloseReason::TooLarge => Ending::Close(CloseCode::Size, "frames are too large"),
        CloseReason::TooFast => Ending::Close(CloseCode::Policy, "frames come too fast"),
        CloseReason::TooSlow => Ending::Close(CloseCode::Policy, "too slow"),
        CloseReason::Restarting => Ending::Close(CloseCode::Restart, "restarting"),
        CloseReason::LoggedOut => Ending::Close(CloseCode::Normal, "logged out"),
    }
}

/// Writes the frames, then the reason, in as few writes as possible.
async fn write(
    socket: &mut WebSocket,
    frames: &mut Vec<Utf8Bytes>,
    close_reason: Option<CloseReason>,
) -> Result<(), ()> {
    let last = close_reason.map(|close_reason| {
        encode(&ServerMsg::Closing {
            reason: close_reason.reason(),
            retry_ms: RETRY_MS,
        })
    });
    let written = async {
        for frame in frames.drain(..).chain(last) {
            socket.feed(Message::Text(frame)).await?;
        }
        socket.flush().await
    };
    match timeout(WRITE_TIMEOUT, written).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(()),
    }
}

/// The round-trip time, measured by the server from its own pings; times reported by clients are ignored.
#[derive(Default)]
struct Lag {
    sent: Option<(u64, Instant)>,
    pings: u64,
    smoothed_ms: Option<u64>,
}

impl Lag {
    fn ping(&mut self, now: Instant) -> Bytes {
        self.pings += 1;
        self.sent = Some((self.pings, now));
        Bytes::copy_from_slice(&self.pings.to_be_bytes())
    }

    /// Returns when the last ping was sent, if `payload` answers it.
    fn pong(&mut self, payload: &[u8]) -> Option<Instant> {
        let (_, sent) = self
            .sent
            .take_if(|(number, _)| payload == number.to_be_bytes())?;
        Some(sent)
    }

    /// Adds a measured round trip to the smoothed value, with weight 1/4.
    fn note(&mut self, trip: Duration) {
        let trip = u64::try_from(trip.as_millis()).unwrap_or(u64::MAX);
        self.smoothed_ms = Some(self.smoothed_ms.map_or(trip, |old| (3 * old + trip) / 4));
    }

    fn ms(&self) -> u64 {
        self.smoothed_ms.unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_pong_of_the_last_ping_measures() {
        let mut lag = Lag::default();
        let now = Instant::now();
        let first = lag.ping(now);
        let second = lag.ping(now);
        assert_eq!(lag.pong(&first), None);
        assert_eq!(lag.pong(&second), Some(now));
        assert_eq!(lag.pong(&second), None, "a pong counts once");
        lag.note(Duration::from_millis(80));
        assert_eq!(lag.ms(), 80);
    }
}
