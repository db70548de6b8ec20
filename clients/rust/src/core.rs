//! The state of a line to the server without any I/O: followed matches, commands without an answer, frames to send.
//!
//! Time comes in as an argument. `docs/protocol.md` of the server ("What a client must do") has the rules; `live.rs` opens the connections
//! and carries the frames. The same as `_core.py` and `core.ts` of the other libraries; `tests/clients/conformance.py` plays the same
//! scenarios with all three.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::backoff::{Backoff, asked_ms, doubled};
use crate::errors::Error;
use crate::names;
use crate::types::{
    ClientMsg, ClockView, Command, ErrorMsg, EventMsg, MatchId, MatchView, PlayerRef, ServerMsg,
    Side, Snapshot,
};

/// The server looks at 15 frames a second and 40 at once; this stays below both.
const FRAMES_PER_SECOND: f64 = 12.0;
const FRAMES_AT_ONCE: f64 = 24.0;
/// Pauses before another `join`: doubled each time, between these.
const FIRST_REJOIN: Duration = Duration::from_millis(100);
const LONGEST_REJOIN: Duration = Duration::from_secs(5);
/// The pause after `too-fast`.
const TOO_FAST_PAUSE: Duration = Duration::from_secs(1);
/// A heartbeat outside of these is taken for the nearer one.
const SHORTEST_HEARTBEAT: Duration = Duration::from_millis(100);
const LONGEST_HEARTBEAT: Duration = Duration::from_secs(600);
/// Commands without an answer, at most.
const MOST_COMMANDS: usize = 1_000;
/// Close codes after which a client does not come back: the session has ended; the frames are no messages.
const FINAL_CODES: [u16; 2] = [1000, 1003];
/// Errors of a match that cannot be reached for the moment: it is joined again.
const PASSING: [&str; 3] = ["moved", "storage-unavailable", "not-joined"];
/// Errors of a `join` that another `join` does not mend.
const JOIN_REFUSALS: [&str; 2] = ["unknown-match", "too-many-matches"];
/// Characters of the id of a match, and of the name of a command at most: the server answers a frame with any other id by an error that names
/// neither the match nor the command.
const MATCH_ID_LENGTH: usize = 12;
const LONGEST_CLIENT_ID: usize = 40;
/// Subscriptions, and the kind of message that answers each.
const ANSWERS: [(&str, &str); 5] = [
    ("watch-lobby", "lobby"),
    ("watch-tv", "tv"),
    ("watch-event", "event-state"),
    ("watch-chat", "chat"),
    ("join-pool", "pool"),
];
/// Errors of a move that came too late: the events show the new position.
pub(crate) const TOO_LATE: [&str; 3] = ["stale-ply", "match-over", "not-your-turn"];

/// A match that a line follows.
#[derive(Debug)]
pub(crate) struct Followed {
    /// The match as the server last showed it.
    pub(crate) view: Option<Arc<MatchView>>,
    pub(crate) you: Option<Side>,
    /// Whether the match has a result. Turns share it, also after the match was left.
    pub(crate) is_over: Arc<AtomicBool>,
    /// The time of the clocks in `view`.
    pub(crate) as_of: Instant,
    /// Whether the server has answered `join` on this connection.
    ready: bool,
    /// The number of `join`s since the last answer.
    joins: u32,
    rejoin_at: Option<Instant>,
    /// Whether the next `join` asks for all of it, because entries are missing.
    whole: bool,
    /// The ply that was last offered as a turn.
    asked: Option<u32>,
}

impl Followed {
    /// Whether it is this player's turn, as far as is known.
    pub(crate) fn is_due(&self) -> bool {
        let is_turn = |view: &Arc<MatchView>| {
            Some(view.state.turn) == self.you && view.state.result.is_none()
        };
        self.ready && self.view.as_ref().is_some_and(is_turn)
    }

    /// Notes the time of the clocks, and whether there is a result.
    fn shown(&mut self, now: Instant) {
        let has_result = |view: &Arc<MatchView>| view.state.result.is_some();
        let is_over = self.view.as_ref().is_some_and(has_result);
        self.is_over.store(is_over, Ordering::Relaxed);
        self.as_of = now;
    }

    fn seq(&self) -> Option<u64> {
        self.view.as_ref().map(|view| view.seq)
    }
}

/// A command without an answer.
#[derive(Debug)]
struct Pending {
    client_id: String,
    match_id: MatchId,
    frame: String,
    sent: bool,
}

/// A message that is repeated on each connection until its opposite.
#[derive(Debug)]
struct Subscription {
    /// The kind of message that answers it.
    answer: &'static str,
    subject: Subject,
    frame: String,
    /// Whether the server has answered it on this connection.
    is_answered: bool,
}

/// The lobby, or a game, a room of a match or a pool, as the fields of messages name them.
#[derive(Debug, PartialEq)]
struct Subject {
    noun: String,
    fields: Map<String, Value>,
}

/// News for the driver.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "each is taken out at once")]
pub(crate) enum News {
    /// The end of a command: its entry, or an error.
    Settled {
        client_id: String,
        answer: Result<EventMsg, Error>,
    },
    /// A turn that was not offered before.
    Due(MatchId),
    /// A match that is not followed any more: the server has refused it, or, without an error, the program has left it.
    Left(MatchId, Option<Error>),
    /// A message for the program.
    Message(ServerMsg),
}

/// The next step of the driver.
#[derive(Debug, Default)]
pub(crate) struct Step {
    /// The frames to send now.
    pub(crate) frames: Vec<String>,
    /// The time of the next look.
    pub(crate) look_at: Option<Instant>,
}

/// One player's line, over any number of connections.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) player: Option<PlayerRef>,
    pub(crate) follows: BTreeMap<MatchId, Followed>,
    /// News for the driver, oldest first.
    pub(crate) news: VecDeque<News>,
    /// In the order in which they were given.
    pending: Vec<Pending>,
    /// Subscriptions, repeated on each connection until their end: the lobby, TV, a chat, a pool.
    standing: Vec<Subscription>,
    subscribe_at: Option<Instant>,
    chance: fastrand::Rng,
    is_open: bool,
    out: VecDeque<String>,
    tokens: f64,
    counted_at: Instant,
    heard_at: Instant,
    pinged: bool,
    heartbeat: Duration,
    stay_away: Duration,
    backoff: Backoff,
}

impl Line {
    pub(crate) fn new(now: Instant, mut chance: fastrand::Rng) -> Line {
        Line {
            player: None,
            follows: BTreeMap::new(),
            news: VecDeque::new(),
            pending: Vec::new(),
            standing: Vec::new(),
            subscribe_at: None,
            backoff: Backoff::new(chance.fork()),
            chance,
            is_open: false,
            out: VecDeque::new(),
            tokens: FRAMES_AT_ONCE,
            counted_at: now,
            heard_at: now,
            pinged: false,
            heartbeat: Duration::from_secs(10),
            stay_away: Duration::ZERO,
        }
    }

    // The connection.

    /// A connection stands: resumes every match, and asks again for everything that goes on.
    pub(crate) fn opened(&mut self, now: Instant) {
        self.is_open = true;
        (self.heard_at, self.counted_at) = (now, now);
        self.backoff.opened(now);
        self.pinged = false;
        self.tokens = FRAMES_AT_ONCE;
        self.stay_away = Duration::ZERO;
        self.out.clear();
        for (id, followed) in &mut self.follows {
            followed.joins = 0;
            join(&mut self.out, id, followed);
        }
        for subscription in &mut self.standing {
            subscription.is_answered = false;
        }
        self.subscribe();
    }

    /// Handles the end of the connection; returns the pause before the next, or an error if the server wants no other.
    pub(crate) fn closed(
        &mut self,
        now: Instant,
        code: Option<u16>,
        retry_after: Duration,
    ) -> Result<Duration, Error> {
        self.is_open = false;
        self.out.clear();
        for followed in self.follows.values_mut() {
            followed.ready = false;
            followed.rejoin_at = None;
        }
        for command in &mut self.pending {
            command.sent = false;
        }
        if let Some(code) = code.filter(|code| FINAL_CODES.contains(code)) {
            return Err(Error::Goodbye(code));
        }
        let asked = self.stay_away.max(retry_after);
        Ok(self.backoff.pause(now, asked))
    }

    /// The time at which the connection is dead if nothing is heard until then.
    pub(crate) fn dead_at(&self) -> Instant {
        self.heard_at + 3 * self.heartbeat
    }

    /// Returns the frames to send now and the time of the next look.
    pub(crate) fn poll(&mut self, now: Instant) -> Step {
        if !self.is_open {
            return Step::default();
        }
        if now - self.heard_at >= self.heartbeat && !self.pinged {
            self.pinged = true;
            self.out.push_front(frame(&ClientMsg::Ping));
        }
        let mut look_at = if self.pinged {
            self.dead_at()
        } else {
            self.heard_at + self.heartbeat
        };
        for (id, followed) in &mut self.follows {
            match followed.rejoin_at {
                Some(at) if at <= now => join(&mut self.out, id, followed),
                Some(at) => look_at = look_at.min(at),
                None => {}
            }
        }
        match self.subscribe_at {
            Some(at) if at <= now => self.subscribe(),
            Some(at) => look_at = look_at.min(at),
            None => {}
        }
        let since = (now - self.counted_at).as_secs_f64();
        self.tokens = FRAMES_AT_ONCE.min(self.tokens + since * FRAMES_PER_SECOND);
        self.counted_at = now;
        let mut frames = Vec::new();
        while self.tokens >= 1.0
            && let Some(frame) = self.out.pop_front()
        {
            self.tokens -= 1.0;
            frames.push(frame);
        }
        if !self.out.is_empty() {
            let missing = Duration::from_secs_f64((1.0 - self.tokens) / FRAMES_PER_SECOND);
            // The missing part of a frame may be less than a clock can show.
            look_at = look_at.min(now + missing.max(Duration::from_millis(1)));
        }
        Step {
            frames,
            look_at: Some(look_at),
        }
    }

    // Requests of the program.

    /// Follows a match. [`Error::Refused`] for a malformed id.
    pub(crate) fn follow(&mut self, now: Instant, id: &MatchId) -> Result<&Followed, Error> {
        let is_new = !self.follows.contains_key(id);
        if is_new
            && !(id.len() == MATCH_ID_LENGTH && id.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        {
            return Err(refused(
                "unknown-match",
                format!("{:?} is no id of a match", &**id),
            ));
        }
        let followed = self.follows.entry(id.clone()).or_insert(Followed {
            view: None,
            you: None,
            is_over: Arc::default(),
            as_of: now,
            ready: false,
            joins: 0,
            rejoin_at: None,
            whole: false,
            asked: None,
        });
        if is_new && self.is_open {
            join(&mut self.out, id, followed);
        }
        Ok(followed)
    }

    pub(crate) fn leave(&mut self, id: &MatchId) {
        if self.follows.remove(id).is_none() {
            return;
        }
        if self.is_open {
            let match_id = id.clone();
            self.out.push_back(frame(&ClientMsg::Leave { match_id }));
        }
        self.left(id, None);
    }

    /// Sends a command until it is answered; returns its name. [`Error::Refused`] for a malformed id.
    pub(crate) fn command(
        &mut self,
        now: Instant,
        id: &MatchId,
        command: Command,
        client_id: Option<String>,
    ) -> Result<String, Error> {
        let client_id = client_id.unwrap_or_else(names::unique);
        if self.place(&client_id).is_some() {
            return Ok(client_id);
        }
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if !(1..=LONGEST_CLIENT_ID).contains(&client_id.len()) || !client_id.bytes().all(is_name) {
            let reason = format!(
                "the name {client_id:?} of a command is not 1 to {LONGEST_CLIENT_ID} letters, digits, - or _"
            );
            return Err(refused("bad-frame", reason));
        }
        if self.pending.len() >= MOST_COMMANDS {
            return Err(Error::Overrun(format!(
                "{MOST_COMMANDS} commands wait for an answer"
            )));
        }
        let seq = self.follow(now, id)?.seq().unwrap_or(0);
        let message = ClientMsg::Command {
            client_id: client_id.as_str().into(),
            command,
            match_id: id.clone(),
            seq,
        };
        self.pending.push(Pending {
            client_id: client_id.clone(),
            match_id: id.clone(),
            frame: frame(&message),
            sent: false,
        });
        self.transmit(id);
        Ok(client_id)
    }

    /// Sends any other message; one that begins something is sent again on each new connection, until its opposite.
    pub(crate) fn send(&mut self, message: &ClientMsg) {
        let frame = frame(message);
        let value =
            serde_json::to_value(message).expect("a message of this library has a JSON form");
        let verb = value["t"].as_str().unwrap_or_default();
        let subject = Subject::of(&value);
        let answer = ANSWERS
            .iter()
            .find(|(begins, _)| *begins == verb)
            .map(|(_, answer)| *answer);
        if answer.is_some() || verb.starts_with("unwatch-") || verb == "leave-pool" {
            self.standing.retain(|known| known.subject != subject);
        }
        if let Some(answer) = answer {
            self.standing.push(Subscription {
                answer,
                subject,
                frame: frame.clone(),
                is_answered: false,
            });
        }
        if self.is_open {
            self.out.push_back(frame);
        }
    }

    // Messages of the server.

    /// Takes one frame. A frame that is no message, and a message of an unknown kind, are no error.
    pub(crate) fn received(&mut self, now: Instant, text: &str) {
        self.heard_at = now;
        self.pinged = false;
        let Ok(value) = serde_json::from_str::<Value>(text) else {
            return;
        };
        if value.get("t").is_none() {
            return;
        }
        let Ok(message) = ServerMsg::deserialize(&value) else {
            return;
        };
        for subscription in &mut self.standing {
            subscription.is_answered |=
                value["t"] == subscription.answer && subscription.subject.is_of(&value);
        }
        match message {
            ServerMsg::Pong => {}
            ServerMsg::Closing { retry_ms, .. } => self.stay_away = asked_ms(retry_ms),
            ServerMsg::Snapshot(snapshot) => self.snapshot(now, snapshot),
            ServerMsg::Event(event) => self.event(now, event),
            ServerMsg::Joined { .. } => self.joined(now, message),
            ServerMsg::Error(error) => self.error(now, error),
            ServerMsg::Hello {
                ref player,
                heartbeat_ms,
            } => {
                self.player.clone_from(player);
                self.heartbeat = Duration::from_millis(heartbeat_ms)
                    .clamp(SHORTEST_HEARTBEAT, LONGEST_HEARTBEAT);
                self.tell(message);
            }
            ServerMsg::Paired { .. } => {
                self.standing.retain(|known| known.answer != "pool");
                self.tell(message);
            }
            ServerMsg::PoolLeft { .. } => {
                self.standing
                    .retain(|known| known.answer != "pool" || !known.subject.is_of(&value));
                self.tell(message);
            }
            other => self.tell(other),
        }
    }

    fn tell(&mut self, message: ServerMsg) {
        self.news.push_back(News::Message(message));
    }

    fn snapshot(&mut self, now: Instant, snapshot: Snapshot) {
        let id = snapshot.view.id.clone();
        let Some(followed) = self.follows.get_mut(&id) else {
            return;
        };
        // One that came late must not take the place of newer knowledge, unless it was asked for.
        if followed.ready && Some(snapshot.view.seq) < followed.seq() {
            return;
        }
        followed.view = Some(Arc::new(snapshot.view.clone()));
        followed.you = snapshot.you;
        followed.shown(now);
        followed.whole = false;
        self.answered(&id);
        self.tell(ServerMsg::Snapshot(snapshot));
        self.offer(&id);
    }

    fn event(&mut self, now: Instant, message: EventMsg) {
        self.settle(&message);
        let id = message.match_id.clone();
        let Some(followed) = self.follows.get_mut(&id) else {
            return;
        };
        let Some(view) = &mut followed.view else {
            return;
        };
        if message.seq <= view.seq {
            return;
        }
        if message.seq > view.seq.saturating_add(1) {
            // Some are missing. While a `join` waits for its answer they are under way.
            if followed.ready {
                join(&mut self.out, &id, followed);
            }
            return;
        }
        Arc::make_mut(view).apply(&message);
        followed.shown(now);
        self.tell(ServerMsg::Event(message));
        self.offer(&id);
    }

    fn joined(&mut self, now: Instant, message: ServerMsg) {
        let ServerMsg::Joined {
            ref match_id,
            seq,
            ref clock,
            you,
            ..
        } = message
        else {
            return;
        };
        let (id, clock): (MatchId, ClockView) = (match_id.clone(), clock.clone());
        let Some(followed) = self.follows.get_mut(&id) else {
            return;
        };
        let Some(view) = &mut followed.view else {
            return;
        };
        if view.seq < seq {
            followed.whole = true;
            self.later(now, &id, Duration::ZERO);
            return;
        }
        Arc::make_mut(view).state.clock = clock;
        followed.you = you;
        followed.shown(now);
        self.answered(&id);
        self.tell(message);
        self.offer(&id);
    }

    fn error(&mut self, now: Instant, error: ErrorMsg) {
        let code = &*error.code;
        let followed = error
            .match_id
            .clone()
            .filter(|id| self.follows.contains_key(id));
        if code == "too-fast" && error.match_id.is_none() {
            // The frame was not looked at, and the error does not name it. It may be any without an answer.
            let ids: Vec<MatchId> = self.follows.keys().cloned().collect();
            for id in ids {
                self.later(now, &id, TOO_FAST_PAUSE);
            }
            self.subscribe_at = Some(now + TOO_FAST_PAUSE);
        } else if let Some(id) = followed.as_ref().filter(|_| PASSING.contains(&code)) {
            self.later(now, id, Duration::ZERO);
        } else if let Some(client_id) = error.client_id.as_deref() {
            if let Some(place) = self.place(client_id) {
                let client_id = self.pending.remove(place).client_id;
                let answer = Err(Error::Refused(Box::new(error)));
                self.news.push_back(News::Settled { client_id, answer });
            }
        } else if let Some(id) = followed.filter(|_| JOIN_REFUSALS.contains(&code)) {
            self.follows.remove(&id);
            self.left(&id, Some(Error::Refused(Box::new(error))));
        } else {
            self.tell(ServerMsg::Error(error));
        }
    }

    fn settle(&mut self, message: &EventMsg) {
        let Some(client_id) = message.client_id.as_deref() else {
            return;
        };
        let Some(place) = self.place(client_id) else {
            return;
        };
        if self.pending[place].match_id != message.match_id {
            return;
        }
        // The opponent's names are a space of their own, and may be the same.
        let you = self
            .follows
            .get(&message.match_id)
            .and_then(|followed| followed.you);
        if let (Some(side), Some(you)) = (message.event.side(), you)
            && side != you
        {
            return;
        }
        let client_id = self.pending.remove(place).client_id;
        let answer = Ok(message.clone());
        self.news.push_back(News::Settled { client_id, answer });
    }

    fn place(&self, client_id: &str) -> Option<usize> {
        self.pending
            .iter()
            .position(|known| known.client_id == client_id)
    }

    // Consequences.

    /// Sends each subscription without an answer.
    fn subscribe(&mut self) {
        self.subscribe_at = None;
        for subscription in self.standing.iter().filter(|known| !known.is_answered) {
            if !self.out.contains(&subscription.frame) {
                self.out.push_back(subscription.frame.clone());
            }
        }
    }

    /// Ends the commands of a match that is not followed any more: they are not sent again.
    fn left(&mut self, id: &MatchId, error: Option<Error>) {
        let of_match = |command: &mut Pending| command.match_id == *id;
        for command in self.pending.extract_if(.., of_match) {
            self.news.push_back(News::Settled {
                client_id: command.client_id,
                answer: Err(error.clone().unwrap_or(Error::Closed)),
            });
        }
        self.news.push_back(News::Left(id.clone(), error));
    }

    /// Joins again after a pause, longer each time; commands without an answer are sent again after it.
    fn later(&mut self, now: Instant, id: &MatchId, least: Duration) {
        let Some(followed) = self.follows.get_mut(id) else {
            return;
        };
        followed.ready = false;
        for command in &mut self.pending {
            command.sent &= command.match_id != *id;
        }
        if followed.rejoin_at.is_none() {
            let pause = doubled(
                FIRST_REJOIN,
                LONGEST_REJOIN,
                followed.joins,
                &mut self.chance,
            );
            followed.rejoin_at = Some(now + pause.max(least));
        }
    }

    fn answered(&mut self, id: &MatchId) {
        if let Some(followed) = self.follows.get_mut(id) {
            followed.ready = true;
            followed.joins = 0;
            followed.rejoin_at = None;
        }
        self.transmit(id);
    }

    fn transmit(&mut self, id: &MatchId) {
        let is_ready = self.follows.get(id).is_some_and(|followed| followed.ready);
        if !self.is_open || !is_ready {
            return;
        }
        for command in &mut self.pending {
            if command.match_id == *id && !command.sent {
                command.sent = true;
                self.out.push_back(command.frame.clone());
            }
        }
    }

    /// Offers a turn once.
    fn offer(&mut self, id: &MatchId) {
        let Some(followed) = self.follows.get_mut(id).filter(|followed| followed.ready) else {
            return;
        };
        if !followed.is_due() {
            followed.asked = None;
            return;
        }
        let ply = followed.view.as_ref().map(|view| view.state.ply);
        if followed.asked != ply {
            followed.asked = ply;
            self.news.push_back(News::Due(id.clone()));
        }
    }
}

/// Puts a `join` among the frames to send.
fn join(out: &mut VecDeque<String>, id: &MatchId, followed: &mut Followed) {
    followed.ready = false;
    followed.rejoin_at = None;
    followed.joins = followed.joins.saturating_add(1);
    let since = followed.seq().filter(|_| !followed.whole);
    let match_id = id.clone();
    out.push_back(frame(&ClientMsg::Join { match_id, since }));
}

fn frame(message: &ClientMsg) -> String {
    serde_json::to_string(message).expect("a message of this library has a JSON form")
}

/// The error of the server, where the frame need not be sent to know it.
fn refused(code: &str, message: String) -> Error {
    Error::Refused(Box::new(ErrorMsg {
        client_id: None,
        code: code.into(),
        match_id: None,
        message,
        retry_ms: None,
        why: None,
    }))
}

impl Subject {
    /// The subject of a subscription or of its opposite: `watch-tv` and `unwatch-tv` have the same game.
    fn of(message: &Value) -> Subject {
        let mut fields = message.as_object().cloned().unwrap_or_default();
        let kind = fields.remove("t");
        let kind = kind.as_ref().and_then(Value::as_str).unwrap_or_default();
        let noun = kind.split_once('-').map_or("", |(_, noun)| noun).to_owned();
        if noun == "pool" {
            // A pool is the casual one where the field is left out.
            fields.entry("rated").or_insert(Value::Bool(false));
        }
        Subject { noun, fields }
    }

    /// Whether a message of the server has the same fields.
    fn is_of(&self, message: &Value) -> bool {
        self.fields
            .iter()
            .all(|(name, value)| message.get(name) == Some(value))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn line(now: Instant) -> Line {
        let mut line = Line::new(now, fastrand::Rng::with_seed(7));
        line.opened(now);
        line
    }

    fn kinds(step: &Step) -> Vec<String> {
        let kind = |frame: &String| {
            let value: Value = serde_json::from_str(frame).expect("a frame is JSON");
            value["t"].as_str().expect("it has a kind").to_owned()
        };
        step.frames.iter().map(kind).collect()
    }

    #[test]
    fn fewer_frames_are_sent_than_the_server_looks_at() {
        let now = Instant::now();
        let mut line = line(now);
        for _ in 0..200 {
            line.send(&ClientMsg::Ping);
        }
        let mut sent = Vec::new();
        let mut at = now;
        while sent.len() < 200 {
            let step = line.poll(at);
            sent.extend(step.frames.iter().map(|_| at));
            line.received(at, r#"{"t":"pong"}"#);
            at = step.look_at.expect("the line is open").max(at);
        }
        for (count, at) in sent.iter().enumerate() {
            let allowed = 40.0 + 15.0 * (*at - now).as_secs_f64();
            assert!((count as f64) < allowed, "{count} after {:?}", *at - now);
        }
        let last = *sent.last().expect("all were sent");
        assert!(last - now < Duration::from_secs(16), "and not far fewer");
    }

    #[test]
    fn a_line_that_is_not_answered_is_dead_after_three_heartbeats() {
        let now = Instant::now();
        let mut line = line(now);
        line.received(now, r#"{"t":"hello","player":null,"heartbeat_ms":1000}"#);
        let second = Duration::from_secs(1);
        assert_eq!(kinds(&line.poll(now)), [] as [&str; 0]);
        assert_eq!(kinds(&line.poll(now + second)), ["ping"]);
        assert_eq!(kinds(&line.poll(now + 2 * second)), [] as [&str; 0], "once");
        assert_eq!(line.dead_at(), now + 3 * second);
        line.received(now + 2 * second, r#"{"t":"pong"}"#);
        assert_eq!(line.dead_at(), now + 5 * second);
    }

    #[test]
    fn numbers_without_end_do_no_harm() {
        let now = Instant::now();
        let mut line = line(now);
        let huge = u64::MAX;
        line.received(
            now,
            &json!({ "t": "hello", "player": null, "heartbeat_ms": huge }).to_string(),
        );
        assert_eq!(line.dead_at(), now + 3 * LONGEST_HEARTBEAT);
        line.poll(now);
        let closing = json!({ "t": "closing", "reason": "restarting", "retry_ms": huge });
        line.received(now, &closing.to_string());
        let pause = line.closed(now, Some(1012), Duration::MAX.min(asked_ms(huge)));
        assert!(pause.expect("it comes back") <= Duration::from_secs(2 * 3_600));
        for text in [
            "",
            "null",
            "[]",
            "{}",
            "\"t\"",
            "{\"t\":7}",
            "{\"t\":\"event\"}",
            "{\"t\":\"error\",\"code\":\"moved\"}",
        ] {
            line.received(now, text);
        }
    }

    #[test]
    fn the_session_has_ended_for_good_and_a_restart_has_not() {
        let now = Instant::now();
        for (code, is_final) in [
            (Some(1000), true),
            (Some(1003), true),
            (Some(1012), false),
            (Some(1008), false),
            (None, false),
        ] {
            let closed = line(now).closed(now, code, Duration::ZERO);
            assert_eq!(closed.is_err(), is_final, "{code:?}");
        }
    }

    #[test]
    fn a_subscription_is_repeated_until_its_opposite() {
        let now = Instant::now();
        let mut line = line(now);
        let pool = |game: &str| ClientMsg::JoinPool {
            game: game.into(),
            pool: "5+0".to_owned(),
            rated: None,
        };
        line.send(&ClientMsg::WatchLobby);
        line.send(&ClientMsg::WatchTv {
            game: "oware".into(),
        });
        line.send(&pool("oware"));
        line.send(&pool("mawe"));
        let rated = ClientMsg::JoinPool {
            game: "mawe".into(),
            pool: "5+0".to_owned(),
            rated: Some(true),
        };
        line.send(&rated);
        line.send(&ClientMsg::UnwatchTv {
            game: "oware".into(),
        });
        line.received(
            now,
            r#"{"t":"pool-left","game":"mawe","pool":"5+0","rated":false}"#,
        );
        line.opened(now);
        assert_eq!(
            kinds(&line.poll(now)),
            ["watch-lobby", "join-pool", "join-pool"]
        );
        line.received(
            now,
            r#"{"t":"paired","match":"Kx7Rm2Qp9TzA","game":"oware","pool":"5+0","rated":false}"#,
        );
        line.opened(now);
        assert_eq!(kinds(&line.poll(now)), ["watch-lobby"]);
        line.send(&ClientMsg::UnwatchLobby);
        line.opened(now);
        assert_eq!(kinds(&line.poll(now)), [] as [&str; 0]);
    }

    #[test]
    fn commands_without_an_answer_are_bounded_and_named_once() {
        let now = Instant::now();
        let mut line = line(now);
        let id = MatchId::from("Kx7Rm2Qp9TzA");
        let resign =
            |line: &mut Line, name: Option<String>| line.command(now, &id, Command::Resign, name);
        for number in 0..MOST_COMMANDS {
            resign(&mut line, Some(number.to_string())).expect("there is room");
        }
        assert!(
            resign(&mut line, Some("0".to_owned())).is_ok(),
            "it waits already"
        );
        assert!(matches!(resign(&mut line, None), Err(Error::Overrun(_))));
        line.received(now, &json!({ "t": "error", "match": id, "client_id": "0", "code": "match-over", "message": "m" }).to_string());
        assert!(resign(&mut line, None).is_ok());
    }
}
