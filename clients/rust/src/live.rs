//! The line to the socket: keeps a connection open, feeds the state of `core.rs` and writes its frames.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use reqwest::header::{HeaderMap, HeaderValue, RETRY_AFTER, SEC_WEBSOCKET_PROTOCOL, USER_AGENT};
use tokio::net::TcpStream;
use tokio::sync::{Notify, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::{sleep, sleep_until, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_tls_with_config};

use crate::core::{Line, News, TOO_LATE};
use crate::errors::Error;
use crate::feed::{Feed, Sender, feed};
use crate::http::Answer;
use crate::types::{
    ClientMsg, Command, EventMsg, MatchId, MatchResult, MatchView, PlayerRef, ServerMsg, Side,
};

const OPEN_TIMEOUT: Duration = Duration::from_secs(20);
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);
/// The longest message of the server; a match of 400 plies has a tenth of it.
const LONGEST_MESSAGE: usize = 1 << 22;
const SUBPROTOCOL: &str = "mawe.v1";
/// Statuses of the handshake that pass, among those of a client's fault.
const PASSING_STATUSES: [u16; 3] = [408, 425, 429];

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// The way to a socket, with TLS or without.
#[derive(Clone)]
pub(crate) struct Connector(pub(crate) tokio_tungstenite::Connector);

impl std::fmt::Debug for Connector {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Connector")
    }
}

/// A line to the server that survives broken connections, restarts and deploys. Clones are the same line; it is closed with the last of
/// them, its matches, turns and messages.
#[derive(Debug, Clone)]
pub struct Live {
    shared: Arc<Shared>,
    /// Closes the line where nobody has it any more.
    closing: Arc<watch::Sender<bool>>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    /// The writer has something to look at.
    wake: Notify,
    task: Mutex<Option<JoinHandle<()>>>,
}

/// Waits for the answer to a question of the program.
type Waiting<T> = Vec<oneshot::Sender<Result<T, Error>>>;

#[derive(Debug)]
struct State {
    line: Line,
    messages: Vec<Sender<ServerMsg>>,
    turns: Vec<Sender<Offered>>,
    turns_of: HashMap<MatchId, Vec<Sender<Offered>>>,
    answers: HashMap<String, Waiting<EventMsg>>,
    shown: HashMap<MatchId, Waiting<()>>,
    greeted: Waiting<()>,
    ended: Option<Error>,
}

/// A turn on its way to the program.
#[derive(Debug)]
struct Offered {
    view: Arc<MatchView>,
    you: Side,
    is_over: Arc<AtomicBool>,
    as_of: Instant,
}

/// A match that is followed.
#[derive(Debug, Clone)]
pub struct Match {
    live: Live,
    id: MatchId,
    /// The last known state, which remains after `leave`.
    last: Arc<Mutex<(Arc<MatchView>, Option<Side>)>>,
}

/// A turn of this player.
#[derive(Debug, Clone)]
pub struct Turn {
    live: Live,
    offered: Arc<Offered>,
}

/// The turns of this player that are due, and each that comes, once.
#[derive(Debug)]
pub struct Turns {
    live: Live,
    feed: Feed<Offered>,
}

/// Messages of the server, each once.
#[derive(Debug)]
pub struct Messages {
    feed: Feed<ServerMsg>,
    _live: Live,
}

impl Live {
    pub(crate) async fn open(
        url: String,
        user_agent: &'static str,
        identity: impl Fn() -> HeaderMap + Send + 'static,
        connector: Connector,
    ) -> Result<Live, Error> {
        let (greeted, greeting) = oneshot::channel();
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                line: Line::new(Instant::now(), fastrand::Rng::new()),
                messages: Vec::new(),
                turns: Vec::new(),
                turns_of: HashMap::new(),
                answers: HashMap::new(),
                shown: HashMap::new(),
                greeted: vec![greeted],
                ended: None,
            }),
            wake: Notify::new(),
            task: Mutex::new(None),
        });
        let (closing, is_closing) = watch::channel(false);
        let driver = Driver {
            shared: Arc::clone(&shared),
            closing: is_closing,
            url,
            user_agent,
            identity: Box::new(identity),
            connector,
        };
        let task = tokio::spawn(driver.run());
        *shared.task.lock().unwrap_or_else(PoisonError::into_inner) = Some(task);
        let closing = Arc::new(closing);
        let live = Live { shared, closing };
        answer(greeting).await?;
        Ok(live)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state()
    }

    /// The player of this line; `None` for an anonymous visitor.
    #[must_use]
    pub fn player(&self) -> Option<PlayerRef> {
        self.state().line.player.clone()
    }

    /// All messages from now on, each once. After a new connection comes `hello` again: challenges and pairings may have been missed;
    /// [`Account`](crate::Account) asks for them.
    #[must_use]
    pub fn messages(&self) -> Messages {
        let (sender, feed) = feed();
        let mut state = self.state();
        match &state.ended {
            Some(ended) => sender.end(shown_end(ended)),
            None => {
                state.messages.retain(|each| !each.is_abandoned());
                state.messages.push(sender);
            }
        }
        let _live = self.clone();
        Messages { feed, _live }
    }

    /// This player's turns in all followed matches.
    #[must_use]
    pub fn turns(&self) -> Turns {
        let (sender, feed) = feed();
        let mut state = self.state();
        for id in state.due() {
            state
                .line
                .follows
                .get(&id)
                .and_then(Offered::of)
                .map(|turn| sender.put(turn));
        }
        match &state.ended {
            Some(ended) => sender.end(shown_end(ended)),
            None => {
                state.turns.retain(|each| !each.is_abandoned());
                state.turns.push(sender);
            }
        }
        let live = self.clone();
        Turns { live, feed }
    }

    /// This player's turns in one match, until it is over.
    fn turns_of(&self, id: &MatchId) -> Turns {
        let (sender, feed) = feed();
        let mut state = self.state();
        let followed = state.line.follows.get(id);
        if let Some(turn) = followed
            .and_then(Offered::of)
            .filter(|_| state.ended.is_none())
        {
            sender.put(turn);
        }
        let view = followed.and_then(|followed| followed.view.as_ref());
        let is_over = view.is_none_or(|view| view.state.result.is_some());
        match &state.ended {
            Some(ended) => sender.end(shown_end(ended)),
            None if is_over => sender.end(None),
            None => {
                let feeds = state.turns_of.entry(id.clone()).or_default();
                feeds.retain(|each| !each.is_abandoned());
                feeds.push(sender);
            }
        }
        let live = self.clone();
        Turns { live, feed }
    }

    /// Follows a match. [`Error::Refused`] if there is no such match, or if this line follows 16 already: a match that is over is followed
    /// until [`Match::leave`].
    pub async fn join(&self, id: impl Into<MatchId>) -> Result<Match, Error> {
        let id = id.into();
        let shown = {
            let mut state = self.state();
            state.alive()?;
            let is_shown = state.line.follow(Instant::now(), &id)?.view.is_some();
            (!is_shown).then(|| {
                let (sender, receiver) = oneshot::channel();
                state.shown.entry(id.clone()).or_default().push(sender);
                receiver
            })
        };
        self.shared.wake.notify_one();
        if let Some(shown) = shown {
            answer(shown).await?;
        }
        let state = self.state();
        let followed = state.line.follows.get(&id);
        // It may be left by another task of the program.
        let last = followed.and_then(|followed| Some((followed.view.clone()?, followed.you)));
        let last = Arc::new(Mutex::new(last.ok_or(Error::Closed)?));
        let live = self.clone();
        Ok(Match { live, id, last })
    }

    /// As [`Match::command`].
    async fn command(
        &self,
        id: &MatchId,
        command: Command,
        client_id: Option<String>,
    ) -> Result<EventMsg, Error> {
        let receiver = {
            let mut state = self.state();
            state.alive()?;
            let name = state.line.command(Instant::now(), id, command, client_id)?;
            let (sender, receiver) = oneshot::channel();
            state.answers.entry(name).or_default().push(sender);
            receiver
        };
        self.shared.wake.notify_one();
        answer(receiver).await
    }

    /// Sends any message of the protocol. A subscription (`watch-lobby`, `join-pool`) is repeated on each new connection.
    pub fn send(&self, message: &ClientMsg) -> Result<(), Error> {
        let mut state = self.state();
        state.alive()?;
        state.line.send(message);
        drop(state);
        self.shared.wake.notify_one();
        Ok(())
    }

    /// Closes the line, and waits until the server has heard it. Turns and messages end; a command without an answer returns
    /// [`Error::Closed`].
    pub async fn close(&self) {
        self.state().finish(None);
        self.closing.send_replace(true);
        let task = self
            .shared
            .task
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(task) = task {
            let _ = task.await;
        }
    }
}

impl Match {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> &MatchId {
        &self.id
    }

    /// The whole match, as the server last showed it.
    #[must_use]
    pub fn view(&self) -> Arc<MatchView> {
        self.last().0
    }

    /// This player's seat; `None` for a spectator.
    #[must_use]
    pub fn you(&self) -> Option<Side> {
        self.last().1
    }

    /// The result, once it is over.
    #[must_use]
    pub fn result(&self) -> Option<MatchResult> {
        self.view().state.result.clone()
    }

    /// Does something in the match once, however often the line breaks; returns the entry that it became.
    pub async fn command(&self, command: Command) -> Result<EventMsg, Error> {
        self.live.command(&self.id, command, None).await
    }

    /// The same under a name of the program's own, 1 to 40 letters, digits, `-` or `_`: another process that sends it does nothing more.
    pub async fn command_named(
        &self,
        command: Command,
        client_id: impl Into<String>,
    ) -> Result<EventMsg, Error> {
        self.live
            .command(&self.id, command, Some(client_id.into()))
            .await
    }

    /// Gives up.
    pub async fn resign(&self) -> Result<EventMsg, Error> {
        self.command(Command::Resign).await
    }

    /// This player's turns, until the match is over.
    #[must_use]
    pub fn turns(&self) -> Turns {
        self.live.turns_of(&self.id)
    }

    /// Follows it no longer. Its commands without an answer return [`Error::Closed`]: they may have been carried out.
    pub fn leave(&self) {
        let _ = self.last();
        let mut state = self.live.state();
        state.line.leave(&self.id);
        state.tell();
        drop(state);
        self.live.shared.wake.notify_one();
    }

    fn last(&self) -> (Arc<MatchView>, Option<Side>) {
        let state = self.live.state();
        let followed = state.line.follows.get(&self.id);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((view, you)) = followed.and_then(|each| Some((each.view.clone()?, each.you))) {
            *last = (view, you);
        }
        last.clone()
    }
}

impl Turn {
    /// The match as it was when the turn came.
    #[must_use]
    pub fn view(&self) -> &MatchView {
        &self.offered.view
    }

    /// The id of the match.
    #[must_use]
    pub fn match_id(&self) -> &MatchId {
        &self.offered.view.id
    }

    /// This player's side.
    #[must_use]
    pub fn you(&self) -> Side {
        self.offered.you
    }

    /// The position in the notation of the game.
    #[must_use]
    pub fn position(&self) -> &str {
        &self.offered.view.state.position
    }

    /// All moves that are legal in it, sorted; never empty.
    #[must_use]
    pub fn legal(&self) -> &[String] {
        &self.offered.view.state.legal
    }

    /// The time left to a side now; `None` without a clock.
    #[must_use]
    pub fn time_left(&self, side: Side) -> Option<Duration> {
        let view = &self.offered.view;
        let left = view.time_left(side)?;
        if view.state.clock.running == Some(side) {
            Some(left.saturating_sub(self.offered.as_of.elapsed()))
        } else {
            Some(left)
        }
    }

    /// Plays a move. Returns the entry that it became, or `None` where the turn was over before it came. [`Error::Refused`] for a move that
    /// is not legal.
    pub async fn play(&self, text: impl Into<String>) -> Result<Option<EventMsg>, Error> {
        let view = &self.offered.view;
        let (ply, text) = (view.state.ply, text.into());
        // The name contains the seq that it answers: also another process with the same token plays it once.
        let name = format!("turn-{}", view.seq);
        match self
            .live
            .command(&view.id, Command::Move { ply, text }, Some(name))
            .await
        {
            Err(Error::Refused(refused)) if TOO_LATE.contains(&&*refused.code) => Ok(None),
            // A program may leave a match as soon as it is over, while a last move is under way.
            Err(Error::Closed) if self.offered.is_over.load(Ordering::Relaxed) => Ok(None),
            other => other.map(Some),
        }
    }

    /// Gives the match up.
    pub async fn resign(&self) -> Result<EventMsg, Error> {
        self.live
            .command(&self.offered.view.id, Command::Resign, None)
            .await
    }
}

impl Turns {
    /// Waits for the next turn; `None` once the match is over, or the line was closed. Nothing is lost where the future is dropped.
    pub async fn next(&mut self) -> Result<Option<Turn>, Error> {
        let live = self.live.clone();
        let turn = |offered| Turn {
            live,
            offered: Arc::new(offered),
        };
        Ok(self.feed.next().await?.map(turn))
    }
}

impl Messages {
    /// Waits for the next message; `None` once the line was closed. Nothing is lost where the future is dropped.
    pub async fn next(&mut self) -> Result<Option<ServerMsg>, Error> {
        self.feed.next().await
    }
}

impl Offered {
    /// The turn of a match, if it is due.
    fn of(followed: &crate::core::Followed) -> Option<Offered> {
        let view = followed.view.clone().filter(|_| followed.is_due())?;
        Some(Offered {
            view,
            you: followed.you?,
            is_over: Arc::clone(&followed.is_over),
            as_of: followed.as_of,
        })
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Every change of the state is whole before anything in it may panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn alive(&self) -> Result<(), Error> {
        self.ended.clone().map_or(Ok(()), Err)
    }

    fn due(&self) -> Vec<MatchId> {
        let follows = self.line.follows.iter();
        follows
            .filter(|(_, followed)| followed.is_due())
            .map(|(id, _)| id.clone())
            .collect()
    }

    /// Carries the news of the line to the program.
    fn tell(&mut self) {
        while let Some(news) = self.line.news.pop_front() {
            match news {
                News::Settled { client_id, answer } => {
                    for waiting in self.answers.remove(&client_id).into_iter().flatten() {
                        let _ = waiting.send(answer.clone());
                    }
                }
                News::Due(id) => self.tell_turn(&id),
                News::Left(id, error) => {
                    for waiting in self.shown.remove(&id).into_iter().flatten() {
                        let _ = waiting.send(Err(error.clone().unwrap_or(Error::Closed)));
                    }
                    for each in self.turns_of.remove(&id).into_iter().flatten() {
                        each.end(error.as_ref());
                    }
                }
                News::Message(message) => self.tell_message(&message),
            }
        }
    }

    fn tell_turn(&mut self, id: &MatchId) {
        let Some(followed) = self.line.follows.get(id) else {
            return;
        };
        let put = |each: &Sender<Offered>| Offered::of(followed).is_none_or(|turn| each.put(turn));
        self.turns.retain(put);
        if let Some(feeds) = self.turns_of.get_mut(id) {
            feeds.retain(put);
        }
    }

    fn tell_message(&mut self, message: &ServerMsg) {
        let id = match message {
            ServerMsg::Hello { .. } => {
                for waiting in self.greeted.drain(..) {
                    let _ = waiting.send(Ok(()));
                }
                None
            }
            ServerMsg::Snapshot(snapshot) => {
                for waiting in self.shown.remove(&snapshot.view.id).into_iter().flatten() {
                    let _ = waiting.send(Ok(()));
                }
                Some(&snapshot.view.id)
            }
            ServerMsg::Event(event) => Some(&event.match_id),
            _ => None,
        };
        if let Some(id) = id
            && let Some(view) = self
                .line
                .follows
                .get(id)
                .and_then(|each| each.view.as_ref())
            && view.state.result.is_some()
        {
            for each in self.turns_of.remove(id).into_iter().flatten() {
                each.end(None);
            }
        }
        self.messages.retain(|each| each.put(message.clone()));
    }

    /// Ends the line: by an error of the server, or by the program.
    fn finish(&mut self, error: Option<Error>) {
        if self.ended.is_some() {
            return;
        }
        let ended = error.clone().unwrap_or(Error::Closed);
        let turns = self.turns.drain(..);
        for each in turns.chain(self.turns_of.drain().flat_map(|(_, feeds)| feeds)) {
            each.end(error.as_ref());
        }
        for each in self.messages.drain(..) {
            each.end(error.as_ref());
        }
        for waiting in self.answers.drain().flat_map(|(_, waiting)| waiting) {
            let _ = waiting.send(Err(ended.clone()));
        }
        let shown = self.shown.drain().flat_map(|(_, waiting)| waiting);
        for waiting in shown.chain(self.greeted.drain(..)) {
            let _ = waiting.send(Err(ended.clone()));
        }
        self.ended = Some(ended);
    }
}

/// The task behind a line.
struct Driver {
    shared: Arc<Shared>,
    closing: watch::Receiver<bool>,
    url: String,
    user_agent: &'static str,
    identity: Box<dyn Fn() -> HeaderMap + Send>,
    connector: Connector,
}

impl Drop for Driver {
    /// Programs that wait must hear of a fault of this library, too.
    fn drop(&mut self) {
        self.shared.state().finish(None);
    }
}

impl Driver {
    async fn run(mut self) {
        loop {
            let pause = match self.connection().await {
                Ok(Some(pause)) => pause,
                Ok(None) => return,
                Err(error) => return self.shared.state().finish(Some(error)),
            };
            tokio::select! {
                () = sleep(pause) => {}
                () = closed(&mut self.closing) => return,
            }
        }
    }

    /// Keeps one connection until it ends; returns the pause before the next, `None` once the program has closed the line.
    async fn connection(&mut self) -> Result<Option<Duration>, Error> {
        let request = self.request()?;
        let config = WebSocketConfig::default()
            .max_message_size(Some(LONGEST_MESSAGE))
            .max_frame_size(Some(LONGEST_MESSAGE));
        let connector = Some(self.connector.0.clone());
        let connect = connect_async_tls_with_config(request, Some(config), true, connector);
        let connected = tokio::select! {
            connected = timeout(OPEN_TIMEOUT, connect) => connected,
            () = closed(&mut self.closing) => return Ok(None),
        };
        let (mut code, mut retry_after) = (None, Duration::ZERO);
        match connected {
            Ok(Ok((socket, _))) => {
                self.shared.state().line.opened(Instant::now());
                match self.carry(socket).await {
                    Some(ended) => code = ended,
                    None => return Ok(None),
                }
            }
            Ok(Err(SocketError::Http(response))) => {
                let status = response.status().as_u16();
                if (400..500).contains(&status) && !PASSING_STATUSES.contains(&status) {
                    return Err(Error::Goodbye(status));
                }
                let asked = response.headers().get(RETRY_AFTER);
                let asked = Answer::retry_after(asked.and_then(|value| value.to_str().ok()));
                retry_after = asked.unwrap_or_default();
            }
            Ok(Err(_)) | Err(_) => {}
        }
        let pause = self
            .shared
            .state()
            .line
            .closed(Instant::now(), code, retry_after)?;
        Ok(Some(pause))
    }

    fn request(&self) -> Result<tokio_tungstenite::tungstenite::handshake::client::Request, Error> {
        let request = self.url.as_str().into_client_request();
        let mut request = request.map_err(|error| Error::Configuration(error.to_string()))?;
        let headers = request.headers_mut();
        headers.extend((self.identity)());
        headers.insert(USER_AGENT, HeaderValue::from_static(self.user_agent));
        headers.insert(
            SEC_WEBSOCKET_PROTOCOL,
            HeaderValue::from_static(SUBPROTOCOL),
        );
        Ok(request)
    }

    /// Carries frames both ways; returns the code of the close frame, if there was one, and `None` once the program has closed the line.
    async fn carry(&mut self, socket: Socket) -> Option<Option<u16>> {
        let (mut sink, mut stream) = socket.split();
        let shared = &self.shared;
        let read = async {
            let mut code = None;
            while let Some(Ok(message)) = stream.next().await {
                match message {
                    Message::Text(text) => {
                        let mut state = shared.state();
                        state.line.received(Instant::now(), &text);
                        state.tell();
                        drop(state);
                        shared.wake.notify_one();
                    }
                    Message::Close(frame) => code = frame.map(|frame| u16::from(frame.code)),
                    _ => {}
                }
            }
            code
        };
        let mut closing = self.closing.clone();
        let write = async {
            let mut is_last = false;
            loop {
                let step = shared.state().line.poll(Instant::now());
                for frame in step.frames {
                    if sink.send(Message::text(frame)).await.is_err() {
                        // The reader hears why.
                        return std::future::pending::<()>().await;
                    }
                }
                if is_last {
                    return;
                }
                let look = async {
                    match step.look_at {
                        Some(at) => sleep_until(at.into()).await,
                        None => std::future::pending().await,
                    }
                };
                tokio::select! {
                    () = look => {}
                    () = shared.wake.notified() => {}
                    // The frames from before it was closed still go out.
                    () = closed(&mut closing) => is_last = true,
                }
            }
        };
        // The other end does not answer, so there is nobody to say goodbye to.
        let silence = async {
            loop {
                let dead_at = shared.state().line.dead_at();
                if dead_at <= Instant::now() {
                    return;
                }
                sleep_until(dead_at.into()).await;
            }
        };
        // The other end may not read.
        let stuck = async {
            closed(&mut self.closing).await;
            sleep(CLOSE_TIMEOUT).await;
        };
        tokio::select! {
            code = read => return Some(code),
            () = silence => return Some(None),
            () = write => {}
            () = stuck => {}
        }
        let goodbye = async {
            let frame = CloseFrame {
                code: CloseCode::Normal,
                reason: "".into(),
            };
            if sink.send(Message::Close(Some(frame))).await.is_ok() {
                while let Some(Ok(_)) = stream.next().await {}
            }
        };
        let _ = timeout(CLOSE_TIMEOUT, goodbye).await;
        None
    }
}

/// Waits until the program closes the line, or has none of its parts any more.
async fn closed(closing: &mut watch::Receiver<bool>) {
    let _ = closing.wait_for(|is_closing| *is_closing).await;
}

/// Waits for an answer; a line that ended without one is closed.
async fn answer<T>(receiver: oneshot::Receiver<Result<T, Error>>) -> Result<T, Error> {
    receiver.await.unwrap_or(Err(Error::Closed))
}

/// The error at the end of a queue; none where the program itself has closed the line.
fn shown_end(ended: &Error) -> Option<&Error> {
    (!matches!(ended, Error::Closed)).then_some(ended)
}
