//! The match core: a state machine without I/O, clock or chance of its own (DESIGN.md D3, D4).
//!
//! [`RoomState::handle`] takes the time and one input and says what should happen. What would change the match comes back as entries to
//! append; **the state changes only when it is told that they are durable**, so it never holds what could still be lost, and nothing in
//! its effects tells anybody of an entry that is not on disk. Between asking for an append and hearing of it the room takes no other
//! input.
//!
//! The same [`RoomState::apply`] builds a room from its journal, so that memory and replay cannot differ in anything but how long the
//! present turn has lasted.

use std::collections::HashMap;

use mawe_rules::clock::{Clock, Tempo};
use mawe_rules::{BySide, GameKind, Outcome, PlayError, Record, Side};

use crate::ids::{ClientId, MatchId};
use crate::protocol::{
    ClockView, Command, Event, EventMsg, MatchOptions, MatchResult, PlyView, Seats, StateView,
    TimeControl,
};
use crate::room::entry::{Action, Entry};
use crate::store::{Finish, StoreError};

/// A side that offered a draw may offer the next one this many plies later: an offer at every ply is a way to disturb.
const PLIES_BETWEEN_DRAW_OFFERS: u32 = 10;

/// How long a person has for the first move against a person, before the server calls the match off.
const FIRST_MOVE_MS: u64 = 60_000;

/// The same against a computer, which waits gladly.
const FIRST_MOVE_AGAINST_BOT_MS: u64 = 600_000;

/// After a restart or a takeover the side to move has this much before its clock goes on: its page has to come back first.
const RETURN_GRACE_MS: u64 = 5_000;

/// A correspondence turn that ran out while nobody could move, because the server was not there, ends this long after it is back.
const REPRIEVE_MS: i64 = 15 * 60 * 1_000;

/// Milliseconds of a monotonic clock; only differences mean anything.
pub type Millis = u64;

/// When an input came: `mono` for all computing, `unix_ms` only to be written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Now {
    /// The monotonic time.
    pub mono: Millis,
    /// The time of day, in milliseconds since the Unix epoch.
    pub unix_ms: i64,
}

/// What a match is and will not change: the part of its row that the core needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchSetup {
    /// Its id.
    pub id: MatchId,
    /// The game kind.
    pub game: GameKind,
    /// The setup's text.
    pub setup: String,
    /// Whether ratings change.
    pub rated: bool,
    /// How much time.
    pub time_control: TimeControl,
    /// What the players may do.
    pub options: MatchOptions,
    /// One player has both seats: pass and play.
    pub one_player: bool,
    /// When it was created, in milliseconds since the Unix epoch: a correspondence clock runs from then on.
    pub created_ms: i64,
    /// The level of the bot in each seat that has one.
    pub bots: BySide<Option<u8>>,
}

/// One input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// The room was opened: its journal is replayed.
    Open {
        /// Since when the server has been there to take moves, in milliseconds since the Unix epoch.
        up_since_ms: i64,
    },
    /// Somebody who sits at the match does something.
    Command {
        /// Their seat.
        side: Side,
        /// Their name for the command.
        client_id: ClientId,
        /// What.
        command: Command,
        /// The lag of their line, as the server measured it.
        lag_ms: u64,
    },
    /// The time that [`Effects::wake_at`] asked for has come.
    Tick,
    /// The entries that were asked for are durable.
    Durable,
}

/// What should happen.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Effects {
    /// Entries to make durable; then [`Input::Durable`]. Nothing else is handled in between.
    pub append: Option<Proposal>,
    /// What everybody at the match is to be told: durable.
    pub tell: Vec<EventMsg>,
    /// What the sender of the command is to be told.
    pub answer: Option<Answer>,
    /// A bot is to be asked.
    pub ask: Option<BotQuestion>,
    /// When to come back with [`Input::Tick`], if nothing else comes first.
    pub wake_at: Option<Millis>,
}

/// Entries to append, and how the match ends by them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The head they stand on.
    pub head: u64,
    /// The entries.
    pub entries: Vec<Entry>,
    /// Set when the last of them ends the match.
    pub finish: Option<Finish>,
}

/// What the sender of a command is told, beside the events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It was done before: the event with this `seq` is the answer.
    Again(u64),
    /// It is refused.
    Refused(Refusal),
}

/// What a bot is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotQuestion {
    /// Its seat.
    pub side: Side,
    /// Its level.
    pub level: u8,
    /// The ply at stake.
    pub ply: u32,
    /// What is wanted.
    pub wanted: Wanted,
    /// The position.
    pub position: mawe_rules::AnyPosition,
    /// What its clock has left.
    pub clock_ms: u64,
}

/// What is wanted of a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A move.
    Move,
    /// Whether it accepts a draw.
    DrawAnswer,
}

/// Why a command is refused. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is the other side's turn.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The move answers another ply than the present one.
    #[error("the match is at ply {0}")]
    StalePly(u32),
    /// The rules forbid the move.
    #[error("{0}")]
    IllegalMove(PlayError),
    /// The match is over.
    #[error("the match is over")]
    MatchOver,
    /// There is no draw offer to answer.
    #[error("there is no draw offer to answer")]
    NoDrawOffer,
    /// One's own draw offer still stands.
    #[error("your draw offer still stands")]
    DrawOfferPending,
    /// The last draw offer was a short time ago.
    #[error("offer a draw again later in the game")]
    DrawOfferTooSoon,
    /// Two plies have been played.
    #[error("after the second ply a match cannot be called off; resign instead")]
    CannotAbort,
}

impl Refusal {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::NotYourTurn => "not-your-turn",
            Refusal::StalePly(_) => "stale-ply",
            Refusal::IllegalMove(_) => "illegal-move",
            Refusal::MatchOver => "match-over",
            Refusal::NoDrawOffer => "no-draw-offer",
            Refusal::DrawOfferPending => "draw-offer-pending",
            Refusal::DrawOfferTooSoon => "draw-offer-too-soon",
            Refusal::CannotAbort => "cannot-abort",
        }
    }

    /// For an illegal move: the stable code of the rule it breaks.
    #[must_use]
    pub fn why(&self) -> Option<&'static str> {
        match self {
            Refusal::IllegalMove(error) => Some(error.code()),
            _ => None,
        }
    }
}

/// A match in memory.
#[derive(Debug, Clone)]
pub struct RoomState {
    setup: MatchSetup,
    epoch: u64,
    record: Record,
    clock: Clock,
    /// The journal, to tell it to those who come back.
    journal: Vec<Entry>,
    /// Which commands have become which entries.
    done: HashMap<(Side, ClientId), u64>,
    /// Who has made a move: no clock runs before both have.
    moved: BySide<bool>,
    draw_offer: Option<Side>,
    last_offer_ply: BySide<Option<u32>>,
    result: Option<MatchResult>,
    /// What the side to move had left when its ply began.
    turn_left_ms: u64,
    present: Present,
}

/// What is not in the journal, and is forgotten with the room.
#[derive(Debug, Clone, Default, PartialEq)]
struct Present {
    /// Since when the clock of the side to move runs; in the future while a grace lasts.
    turn_began: Millis,
    /// Where days count: no flag falls before this time of day.
    reprieve_until_ms: i64,
    /// The lag of each side's line, as last heard.
    lag_ms: BySide<u64>,
    /// Entries that are being made durable.
    pending: Option<Pending>,
}

#[derive(Debug, Clone, PartialEq)]
struct Pending {
    entries: Vec<Entry>,
    /// What the sender is told besides, once they are durable: that the move came too late.
    answer: Option<Answer>,
}

impl RoomState {
    /// A match with an empty journal.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when its setup is none.
    pub fn new(setup: MatchSetup, epoch: u64) -> Result<RoomState, StoreError> {
        let damaged = |detail: String| StoreError::Damaged {
            what: "match",
            detail,
        };
        let parsed = mawe_rules::AnySetup::parse(setup.game, &setup.setup)
            .map_err(|error| damaged(error.to_string()))?;
        let record =
            Record::new(setup.game, &parsed).map_err(|error| damaged(error.to_string()))?;
        let clock = Clock::new(tempo(setup.time_control));
        Ok(RoomState {
            turn_left_ms: clock.left().first.clock_ms,
            clock,
            setup,
            epoch,
            record,
            journal: Vec::new(),
            done: HashMap::new(),
            moved: BySide::default(),
            draw_offer: None,
            last_offer_ply: BySide::default(),
            result: None,
            present: Present::default(),
        })
    }

    /// A match from its journal.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when an entry is not one that this core would have written there.
    pub fn replay(
        setup: MatchSetup,
        epoch: u64,
        journal: impl IntoIterator<Item = Entry>,
    ) -> Result<RoomState, StoreError> {
        let mut state = RoomState::new(setup, epoch)?;
        for entry in journal {
            state.apply(entry)?;
        }
        Ok(state)
    }

    /// Takes one input.
    pub fn handle(&mut self, now: Now, input: Input) -> Effects {
        let mut effects = match input {
            Input::Open { up_since_ms } => self.open(now, up_since_ms),
            Input::Command {
                side,
                client_id,
                command,
                lag_ms,
            } => {
                self.present.lag_ms[side] = lag_ms;
                self.command(now, side, client_id, command)
            }
            Input::Tick => self.tick(now),
            Input::Durable => self.durable(now),
        };
        effects.wake_at = if effects.append.is_some() {
            None
        } else {
            self.remaining_ms(now).map(|ms| now.mono + ms)
        };
        effects
    }

    /// What the match is.
    #[must_use]
    pub fn setup(&self) -> &MatchSetup {
        &self.setup
    }

    /// The head of the journal.
    #[must_use]
    pub fn head(&self) -> u64 {
        self.journal.len() as u64
    }

    /// The epoch in which this room writes.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The journal.
    #[must_use]
    pub fn journal(&self) -> &[Entry] {
        &self.journal
    }

    /// How it ended, once it has.
    #[must_use]
    pub fn result(&self) -> Option<&MatchResult> {
        self.result.as_ref()
    }

    /// The game so far.
    #[must_use]
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// How it stands, as the last entry left it; for the clocks as they have run on since, see [`RoomState::clock_at`].
    #[must_use]
    pub fn view(&self) -> StateView {
        StateView {
            position: self.record.position().to_string(),
            turn: self.record.turn(),
            ply: self.record.ply(),
            legal: if self.result.is_some() {
                Vec::new()
            } else {
                self.record.legal_moves()
            },
            clock: self.clock_after(0),
            draw_offer: self.draw_offer,
            result: self.result.clone(),
        }
    }

    /// The clocks as they stand now.
    #[must_use]
    pub fn clock_at(&self, now: Now) -> ClockView {
        self.clock_after(self.waited_ms(now))
    }

    fn clock_after(&self, elapsed_ms: u64) -> ClockView {
        let turn = self.record.turn();
        let running = self.clock_runs().then_some(turn);
        let left = |side: Side| {
            let full = self.clock.left()[side].clock_ms;
            if running == Some(side) {
                full.saturating_sub(elapsed_ms)
            } else {
                full
            }
        };
        let waits = self.result.is_none() && running.is_none();
        ClockView {
            first_ms: left(Side::First),
            second_ms: left(Side::Second),
            running,
            first_move_ms: self
                .first_move_ms()
                .filter(|_| waits)
                .map(|allowed| allowed.saturating_sub(elapsed_ms)),
        }
    }

    fn clock_runs(&self) -> bool {
        self.result.is_none() && self.moved[Side::First] && self.moved[Side::Second]
    }

    fn first_move_ms(&self) -> Option<u64> {
        match self.clock.tempo() {
            Tempo::Untimed => None,
            Tempo::PerTurn { turn_ms } => Some(turn_ms),
            Tempo::Increment { .. } if self.is_among_people() => Some(FIRST_MOVE_MS),
            Tempo::Increment { .. } => Some(FIRST_MOVE_AGAINST_BOT_MS),
        }
    }

    fn is_among_people(&self) -> bool {
        !self.setup.one_player && self.setup.bots == BySide::default()
    }

    /// How long since the last entry. By the monotonic clock where seconds count; where days do, by the time of day that stands in the
    /// journal: such a match is not in memory all the time.
    fn waited_ms(&self, now: Now) -> u64 {
        if self.setup.time_control.is_realtime() {
            return now.mono.saturating_sub(self.present.turn_began);
        }
        now.unix_ms
            .saturating_sub(self.last_at_ms())
            .max(0)
            .cast_unsigned()
    }

    fn last_at_ms(&self) -> i64 {
        self.journal
            .last()
            .map_or(self.setup.created_ms, |entry| entry.at_ms)
    }

    /// How long the side to move may take before its time is up; `None` for ever.
    fn allowed_ms(&self) -> Option<u64> {
        let turn = self.record.turn();
        if self.clock_runs() {
            self.clock.allowance_ms(turn, self.present.lag_ms[turn])
        } else {
            self.first_move_ms()
        }
    }

    /// How long until the time of the side to move is up, 0 once it is; `None` for never.
    fn remaining_ms(&self, now: Now) -> Option<u64> {
        let allowed = self.allowed_ms().filter(|_| self.result.is_none())?;
        if self.setup.time_control.is_realtime() {
            return Some((self.present.turn_began + allowed).saturating_sub(now.mono));
        }
        let due = self.last_at_ms().saturating_add_unsigned(allowed);
        let due = due.max(self.present.reprieve_until_ms);
        Some(due.saturating_sub(now.unix_ms).max(0).cast_unsigned())
    }

    fn is_time_up(&self, now: Now) -> bool {
        self.remaining_ms(now) == Some(0)
    }

    fn open(&mut self, now: Now, up_since_ms: i64) -> Effects {
        let grace = if self.journal.is_empty() {
            0
        } else {
            RETURN_GRACE_MS
        };
        self.present.turn_began = now.mono + grace;
        // Whoever would have moved in time found nobody here: the time of the outage is nobody's.
        let due = self
            .allowed_ms()
            .map(|allowed| self.last_at_ms().saturating_add_unsigned(allowed));
        if due.is_some_and(|due| due < up_since_ms) {
            self.present.reprieve_until_ms = up_since_ms + REPRIEVE_MS;
        }
        Effects {
            ask: self.question().or_else(|| self.draw_question()),
            ..Effects::default()
        }
    }

    fn tick(&mut self, now: Now) -> Effects {
        if self.is_time_up(now) {
            self.time_is_up(now, None)
        } else {
            Effects::default()
        }
    }

    /// The side to move did not move in time: its flag falls, or, before both have moved, the match is called off.
    fn time_is_up(&mut self, now: Now, answer: Option<Answer>) -> Effects {
        let turn = self.record.turn();
        if self.clock_runs() {
            self.act(now, Some(turn), None, Action::Flag, answer)
        } else {
            self.act(now, None, None, Action::Abort, answer)
        }
    }

    fn command(&mut self, now: Now, side: Side, client_id: ClientId, command: Command) -> Effects {
        if let Some(seq) = self.done.get(&(side, client_id.clone())) {
            return answer(Answer::Again(*seq));
        }
        if self.result.is_some() {
            return refuse(Refusal::MatchOver);
        }
        // What comes after the time of the side to move is up finds the match over, whoever sends it.
        if self.is_time_up(now) {
            return self.time_is_up(now, Some(Answer::Refused(Refusal::MatchOver)));
        }
        match self.judge(side, &command) {
            Err(refusal) => refuse(refusal),
            Ok(Judged::Move(text)) => self.play(now, side, client_id, &text),
            Ok(Judged::Other(action)) => self.act(now, Some(side), Some(client_id), action, None),
        }
    }

    /// Whether the side may do this now; whether a move is legal is the rules' to say.
    fn judge(&self, side: Side, command: &Command) -> Result<Judged, Refusal> {
        let offered_by_other = self.draw_offer == Some(side.other());
        match command {
            Command::Move { ply, .. } if *ply != self.record.ply() => {
                Err(Refusal::StalePly(self.record.ply()))
            }
            Command::Move { .. } if side != self.record.turn() => Err(Refusal::NotYourTurn),
            Command::Move { text, .. } => Ok(Judged::Move(text.clone())),
            Command::Resign => Ok(Judged::Other(Action::Resign)),
            Command::OfferDraw | Command::AcceptDraw if offered_by_other => {
                Ok(Judged::Other(Action::AcceptDraw))
            }
            Command::OfferDraw if self.draw_offer == Some(side) => Err(Refusal::DrawOfferPending),
            Command::OfferDraw if self.offered_lately(side) => Err(Refusal::DrawOfferTooSoon),
            Command::OfferDraw => Ok(Judged::Other(Action::OfferDraw)),
            Command::DeclineDraw if offered_by_other => Ok(Judged::Other(Action::DeclineDraw)),
            Command::AcceptDraw | Command::DeclineDraw => Err(Refusal::NoDrawOffer),
            Command::Abort if self.record.ply() < 2 => Ok(Judged::Other(Action::Abort)),
            Command::Abort => Err(Refusal::CannotAbort),
        }
    }

    fn offered_lately(&self, side: Side) -> bool {
        self.last_offer_ply[side]
            .is_some_and(|ply| self.record.ply() < ply + PLIES_BETWEEN_DRAW_OFFERS)
    }

    fn play(&mut self, now: Now, side: Side, client_id: ClientId, text: &str) -> Effects {
        let mut next = self.record.clone();
        let played = match next.play(text) {
            Ok(played) => played.to_string(),
            Err(error) => return refuse(Refusal::IllegalMove(error)),
        };
        let turn_passes = self.clock_runs() && next.turn() != side;
        let mut clock = self.clock.clone();
        let Ok(spent) = clock.spend(
            side,
            self.elapsed_ms(now),
            self.present.lag_ms[side],
            turn_passes,
        ) else {
            return self.time_is_up(now, Some(Answer::Refused(Refusal::MatchOver)));
        };
        // A draw offer in mid-turn has charged a part already.
        let charged_ms = self
            .turn_left_ms
            .saturating_sub(self.clock.left()[side].clock_ms);
        let action = Action::Move {
            text: played,
            spent_ms: charged_ms + spent.spent_ms,
            lag_ms: spent.lag_ms,
        };
        let mut acts = vec![(Some(side), Some(client_id), action)];
        // Reversi's pass is played by the server, as a ply of its own.
        if let Some(pass) = next.forced_pass() {
            let passer = next.turn();
            let text = pass.to_string();
            next.play(&text).expect("a forced pass is legal");
            acts.push((
                Some(passer),
                None,
                Action::Move {
                    text,
                    spent_ms: 0,
                    lag_ms: 0,
                },
            ));
        }
        let result = next.outcome().map(by_rules);
        self.propose(
            now,
            &clock,
            acts,
            result.map(|result| (result, next.ply())),
            None,
        )
    }

    /// An action that is no move: the clock of the side to move is charged up to now, so that every entry says what was left.
    fn act(
        &mut self,
        now: Now,
        side: Option<Side>,
        client_id: Option<ClientId>,
        action: Action,
        answer: Option<Answer>,
    ) -> Effects {
        let mut clock = self.clock.clone();
        match action {
            Action::Flag => clock.run_out(self.record.turn()),
            _ => clock.charge(self.record.turn(), self.elapsed_ms(now)),
        }
        let result = result_of(&action, side).map(|result| (result, self.record.ply()));
        self.propose(now, &clock, vec![(side, client_id, action)], result, answer)
    }

    fn propose(
        &mut self,
        now: Now,
        clock: &Clock,
        acts: Vec<(Option<Side>, Option<ClientId>, Action)>,
        result: Option<(MatchResult, u32)>,
        answer: Option<Answer>,
    ) -> Effects {
        let (epoch, head, left) = (self.epoch, self.head(), *clock.left());
        let entry = |(seq, (side, client_id, action))| Entry {
            seq,
            epoch,
            at_ms: now.unix_ms,
            client_id,
            side,
            action,
            left,
        };
        let entries: Vec<Entry> = (head + 1..).zip(acts).map(entry).collect();
        let finish = result.map(|(result, plies)| Finish {
            winner: result.winner,
            owed: result.reason != ABORTED && !self.setup.one_player,
            reason: result.reason,
            score: result
                .score
                .map(|score| BySide::new(score.first, score.second)),
            at_ms: now.unix_ms,
            plies,
        });
        self.present.pending = Some(Pending {
            entries: entries.clone(),
            answer,
        });
        Effects {
            append: Some(Proposal {
                head,
                entries,
                finish,
            }),
            ..Effects::default()
        }
    }

    /// How long the present turn has lasted since the last entry; a grace that still lasts costs nothing, and a reprieve leaves a
    /// millisecond.
    fn elapsed_ms(&self, now: Now) -> u64 {
        if !self.clock_runs() {
            0
        } else if now.unix_ms < self.present.reprieve_until_ms {
            let left = self.clock.left()[self.record.turn()].clock_ms;
            self.waited_ms(now).min(left.saturating_sub(1))
        } else {
            self.waited_ms(now)
        }
    }

    fn durable(&mut self, now: Now) -> Effects {
        let Some(pending) = self.present.pending.take() else {
            return Effects::default();
        };
        let mut effects = Effects {
            answer: pending.answer,
            ..Effects::default()
        };
        // The time of the commit is nobody's: the clock goes on when the entry is durable.
        self.present.turn_began = now.mono;
        for entry in pending.entries {
            let is_move = matches!(entry.action, Action::Move { .. });
            effects.tell.push(
                self.apply(entry)
                    .expect("a proposed entry has just been judged"),
            );
            effects.ask = if is_move {
                self.question()
            } else {
                self.draw_question()
            };
        }
        effects
    }

    fn question(&self) -> Option<BotQuestion> {
        self.ask(self.record.turn(), Wanted::Move)
    }

    fn draw_question(&self) -> Option<BotQuestion> {
        self.ask(self.draw_offer?.other(), Wanted::DrawAnswer)
    }

    fn ask(&self, side: Side, wanted: Wanted) -> Option<BotQuestion> {
        let level = self.setup.bots[side].filter(|_| self.result.is_none())?;
        Some(BotQuestion {
            side,
            level,
            ply: self.record.ply(),
            wanted,
            position: self.record.position().clone(),
            clock_ms: self.clock.left()[side].clock_ms,
        })
    }

    /// Changes the state by one durable entry, and says how it is told. The only way the journalled part of the state changes.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when the entry does not follow: a gap, or an illegal move. The state is then of no use.
    pub fn apply(&mut self, entry: Entry) -> Result<EventMsg, StoreError> {
        let damaged = |detail: String| StoreError::Damaged {
            what: "journal",
            detail: format!("{} seq {}: {detail}", self.setup.id, entry.seq),
        };
        if entry.seq != self.head() + 1 {
            return Err(damaged(format!("it follows seq {}", self.head())));
        }
        let actor = || {
            entry
                .side
                .ok_or_else(|| damaged("it names no side".to_owned()))
        };
        self.clock.set_left(entry.left);
        let event = match &entry.action {
            Action::Move {
                text,
                spent_ms,
                lag_ms,
            } => {
                let side = actor()?;
                self.record
                    .play(text)
                    .map_err(|error| damaged(error.to_string()))?;
                self.moved[side] = true;
                // A move by the side that was offered a draw declines it.
                self.draw_offer = self.draw_offer.filter(|offerer| *offerer == side);
                self.turn_left_ms = entry.left[self.record.turn()].clock_ms;
                Event::Move(PlyView {
                    side,
                    text: text.clone(),
                    position: self.record.position().to_string(),
                    clock_ms: entry.left[side].clock_ms,
                    spent_ms: *spent_ms,
                    lag_ms: *lag_ms,
                })
            }
            Action::Resign => Event::Resign { side: actor()? },
            Action::OfferDraw => {
                let side = actor()?;
                self.draw_offer = Some(side);
                self.last_offer_ply[side] = Some(self.record.ply());
                Event::OfferDraw { side }
            }
            Action::AcceptDraw => Event::AcceptDraw { side: actor()? },
            Action::DeclineDraw => {
                self.draw_offer = None;
                Event::DeclineDraw { side: actor()? }
            }
            Action::Flag => Event::Flag { side: actor()? },
            Action::Abort => Event::Abort { side: entry.side },
        };
        self.result = self
            .record
            .outcome()
            .map(by_rules)
            .or_else(|| result_of(&entry.action, entry.side));
        if self.result.is_some() {
            self.draw_offer = None;
        }
        if let (Some(side), Some(client_id)) = (entry.side, &entry.client_id) {
            self.done.insert((side, client_id.clone()), entry.seq);
        }
        let (seq, client_id) = (entry.seq, entry.client_id.clone());
        self.journal.push(entry);
        Ok(EventMsg {
            match_id: self.setup.id.clone(),
            seq,
            client_id,
            event,
            state: self.view(),
        })
    }

    /// Whether both have the same journal and the same state by it, byte for byte; who owns it and how long the present turn has
    /// lasted are not part of that.
    #[must_use]
    pub fn is_replay_of(&self, other: &RoomState) -> bool {
        let Self {
            setup,
            epoch: _,
            record,
            clock,
            journal,
            done,
            moved,
            draw_offer,
            last_offer_ply,
            result,
            turn_left_ms,
            present: _,
        } = self;
        *setup == other.setup
            && *record == other.record
            && *clock == other.clock
            && *journal == other.journal
            && *done == other.done
            && *moved == other.moved
            && *draw_offer == other.draw_offer
            && *last_offer_ply == other.last_offer_ply
            && *result == other.result
            && *turn_left_ms == other.turn_left_ms
    }

    /// The events after `since`, as they were told.
    ///
    /// # Panics
    /// Never: the journal was applied once already.
    #[must_use]
    pub fn events_since(&self, since: u64) -> Vec<EventMsg> {
        if since >= self.head() {
            return Vec::new();
        }
        let mut again =
            RoomState::new(self.setup.clone(), self.epoch).expect("the setup was read before");
        let events = self.journal.iter().map(|entry| {
            again
                .apply(entry.clone())
                .expect("the entry was applied before")
        });
        events.filter(|event| event.seq > since).collect()
    }

    /// Every ply so far.
    #[must_use]
    pub fn plies(&self) -> Vec<PlyView> {
        let plies = self
            .events_since(0)
            .into_iter()
            .filter_map(|event| match event.event {
                Event::Move(ply) => Some(ply),
                _ => None,
            });
        plies.collect()
    }
}

/// The reason code of a match that was called off.
pub const ABORTED: &str = "aborted";

fn tempo(control: TimeControl) -> Tempo {
    match control {
        TimeControl::Realtime {
            base_ms,
            increment_ms,
        } => Tempo::Increment {
            base_ms,
            increment_ms,
        },
        TimeControl::Correspondence { .. } => Tempo::PerTurn {
            turn_ms: control.turn_ms().expect("it has days"),
        },
        TimeControl::Unlimited => Tempo::Untimed,
    }
}

enum Judged {
    Move(String),
    Other(Action),
}

fn answer(answer: Answer) -> Effects {
    Effects {
        answer: Some(answer),
        ..Effects::default()
    }
}

fn refuse(refusal: Refusal) -> Effects {
    answer(Answer::Refused(refusal))
}

/// How an action that is no move ends the match, if it does.
fn result_of(action: &Action, side: Option<Side>) -> Option<MatchResult> {
    let ended = |winner, reason: &str| {
        Some(MatchResult {
            winner,
            reason: reason.to_owned(),
            score: None,
        })
    };
    match action {
        Action::Resign => ended(side.map(Side::other), "resign"),
        Action::AcceptDraw => ended(None, "agreement"),
        Action::Flag => ended(side.map(Side::other), "time"),
        Action::Abort => ended(None, ABORTED),
        Action::Move { .. } | Action::OfferDraw | Action::DeclineDraw => None,
    }
}

fn by_rules(outcome: Outcome) -> MatchResult {
    MatchResult {
        winner: outcome.winner,
        reason: outcome.reason.to_string(),
        score: outcome.score.map(|score| Seats {
            first: score[Side::First],
            second: score[Side::Second],
        }),
    }
}
