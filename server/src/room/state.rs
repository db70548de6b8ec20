//! The match core: a state machine without I/O, clock or chance of its own (`docs/decisions/0003-match-core.md`, `0004-log-first.md`).
//!
//! [`RoomState::handle`] gets the time and one input, and returns effects. A change of the match is returned as entries to append; **the
//! state changes only after the entries are durable**, so it never contains anything that could still be lost, and no effect reveals an
//! entry that is not on disk. Between requesting an append and its completion, the room handles no other input.
//!
//! The same [`RoomState::apply`] rebuilds a room from its journal, so memory and replay can differ only in the duration of the present
//! turn. Commands are judged in `judge.rs`; time is computed in `timing.rs`.

use std::collections::HashMap;

use mawe_rules::clock::{Clock, Tempo};
use mawe_rules::{BySide, Record, Side};

use crate::ids::ClientId;
use crate::protocol::{Event, EventMsg, MatchResult, PlyView, StateView, TimeControl};
use crate::room::end_reason::is_called_off;
use crate::room::entry::{Action, Entry};
use crate::room::judge::{Given, by_rules, left_by, result_of};
use crate::room::words::{Answer, BotQuestion, Effects, Input, MatchSetup, Millis, Now, Wanted};
use crate::store::StoreError;

/// A match in memory.
#[derive(Debug, Clone)]
pub struct RoomState {
    pub(super) setup: MatchSetup,
    pub(super) epoch: u64,
    pub(super) record: Record,
    pub(super) clock: Clock,
    /// The journal, for clients that return.
    pub(super) journal: Vec<Entry>,
    /// The seq of the entry that each command has become.
    pub(super) done: HashMap<(Side, ClientId), u64>,
    /// The number of moves of each side, including moves taken back: no clock runs before both sides have made one.
    pub(super) moves: BySide<u32>,
    /// The side of each ply.
    pub(super) played: Vec<Played>,
    pub(super) draw: Offer,
    pub(super) takeback: Offer,
    /// The seq of the last takeback; 0 before the first.
    pub(super) taken_back_at: u64,
    /// The ply at which each side last took a move back without asking.
    pub(super) corrected_at: BySide<Option<u32>>,
    pub(super) result: Option<MatchResult>,
    /// The time that the side to move had left when its ply began.
    pub(super) turn_left_ms: u64,
    pub(super) present: Present,
}

/// A ply, with facts that the record does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Played {
    pub(super) side: Side,
    /// Whether it is a pass played by the server.
    pub(super) forced: bool,
}

/// An offer that the other side may accept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Offer {
    /// The side whose offer is pending.
    pub(super) by: Option<Side>,
    /// The ply at which each side last made an offer.
    pub(super) last_ply: BySide<Option<u32>>,
}

impl Offer {
    fn made(&mut self, side: Side, ply: u32) {
        self.by = Some(side);
        self.last_ply[side] = Some(ply);
    }
}

/// State that is not in the journal and ends with the room.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Present {
    /// The start of the turn of the side to move; in the future during the grace period after a restart.
    pub(super) turn_began: Millis,
    /// The last known lag of each side's connection.
    pub(super) lag_ms: BySide<u64>,
    /// The time since which each player has been away.
    pub(super) gone_since: BySide<Option<Millis>>,
    /// Entries that are being made durable.
    pub(super) pending: Option<Pending>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pending {
    pub(super) entries: Vec<Entry>,
    /// An answer to send once they are durable: the command came too late.
    pub(super) answer: Option<Answer>,
}

impl RoomState {
    /// Creates a match with an empty journal.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when the setup is invalid.
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
            moves: BySide::default(),
            played: Vec::new(),
            draw: Offer::default(),
            takeback: Offer::default(),
            taken_back_at: 0,
            corrected_at: BySide::default(),
            result: None,
            present: Present::default(),
        })
    }

    /// Creates a match from its journal.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when this core could not have written an entry at its place.
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

    /// Handles one input.
    pub fn handle(&mut self, now: Now, input: Input) -> Effects {
        let mut effects = match input {
            Input::Open => self.open(now),
            Input::Command {
                side,
                client_id,
                seq,
                command,
                lag_ms,
            } => {
                self.present.lag_ms[side] = lag_ms;
                let given = Given {
                    side,
                    client_id,
                    seq,
                    command,
                };
                self.command(now, given)
            }
            Input::Presence { side, here } => {
                self.note_presence(now, side, here);
                Effects::default()
            }
            Input::Close(closing) => self.close(now, closing),
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

    /// Returns the setup of the match.
    #[must_use]
    pub fn setup(&self) -> &MatchSetup {
        &self.setup
    }

    /// Returns the head of the journal.
    #[must_use]
    pub fn head(&self) -> u64 {
        self.journal.len() as u64
    }

    /// Returns the epoch in which this room writes.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Returns the journal.
    #[must_use]
    pub fn journal(&self) -> &[Entry] {
        &self.journal
    }

    /// Returns the result, once the match is over.
    #[must_use]
    pub fn result(&self) -> Option<&MatchResult> {
        self.result.as_ref()
    }

    /// Returns the side whose leaving called the match off; `None` if nobody left, or it was not called off.
    #[must_use]
    pub fn left_by(&self) -> Option<Side> {
        let called_off = |result: &MatchResult| is_called_off(&result.reason);
        self.result.as_ref().filter(|result| called_off(result))?;
        let last = self.journal.last()?;
        left_by(&last.action, last.side, self.record.turn())
    }

    /// Returns the game so far.
    #[must_use]
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Returns the state after the last entry; for the present clocks, see [`RoomState::clock_at`].
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
            draw_offer: self.draw.by,
            takeback_offer: self.takeback.by,
            result: self.result.clone(),
        }
    }

    fn open(&mut self, now: Now) -> Effects {
        self.take_up_time(now);
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

    fn durable(&mut self, now: Now) -> Effects {
        let Some(pending) = self.present.pending.take() else {
            return Effects::default();
        };
        let mut effects = Effects {
            answer: pending.answer,
            ..Effects::default()
        };
        // The clock runs only from here, so that neither side pays for the duration of the commit.
        self.present.turn_began = now.mono;
        for entry in pending.entries {
            let is_move = matches!(entry.action, Action::Move { .. } | Action::Takeback { .. });
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
        self.ask(self.draw.by?.other(), Wanted::DrawAnswer)
    }

    fn ask(&self, side: Side, wanted: Wanted) -> Option<BotQuestion> {
        let level = self.setup.bots[side].filter(|_| self.result.is_none())?;
        Some(BotQuestion {
            side,
            level,
            seq: self.head(),
            wanted,
            game: self.record.clone(),
            clock_ms: (self.clock.tempo() != Tempo::Untimed)
                .then(|| self.clock.left()[side].clock_ms),
        })
    }

    /// Applies one durable entry, and returns its event. Nothing else changes the journalled part of the state.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when the entry does not follow the journal (a gap, or an illegal move). The state must not be used
    /// afterwards.
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
                self.moves[side] += 1;
                self.played.push(Played {
                    side,
                    // Only the server's own moves have no client id.
                    forced: entry.client_id.is_none(),
                });
                // A move by the side that was offered a draw declines the offer; a takeback offer was for the position before.
                self.draw.by = self.draw.by.filter(|offerer| *offerer == side);
                self.takeback.by = None;
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
                self.draw.made(side, self.record.ply());
                Event::OfferDraw { side }
            }
            Action::AcceptDraw => Event::AcceptDraw { side: actor()? },
            Action::DeclineDraw => {
                self.draw.by = None;
                Event::DeclineDraw { side: actor()? }
            }
            Action::OfferTakeback => {
                let side = actor()?;
                self.takeback.made(side, self.record.ply());
                Event::OfferTakeback { side }
            }
            Action::Takeback { plies } => {
                let side = actor()?;
                if self.record.retreat(*plies) != *plies {
                    return Err(damaged(format!("{plies} plies cannot be taken back")));
                }
                let ply = self.record.ply();
                // The mover has taken it back without the opponent's consent.
                let taken = self.played.get(self.record.moves().len());
                if taken.is_some_and(|played| played.side == side) {
                    self.corrected_at[side] = Some(ply);
                }
                self.played.truncate(self.record.moves().len());
                (self.draw.by, self.takeback.by) = (None, None);
                self.taken_back_at = entry.seq;
                self.turn_left_ms = entry.left[self.record.turn()].clock_ms;
                Event::Takeback {
                    side,
                    plies: *plies,
                }
            }
            Action::DeclineTakeback => {
                self.takeback.by = None;
                Event::DeclineTakeback { side: actor()? }
            }
            Action::GiveTime { ms } => Event::GiveTime {
                side: actor()?,
                ms: *ms,
            },
            Action::ClaimWin => Event::ClaimWin { side: actor()? },
            Action::ClaimDraw => Event::ClaimDraw { side: actor()? },
            Action::Flag => Event::Flag { side: actor()? },
            Action::Abort { .. } => Event::Abort { side: entry.side },
        };
        self.result = self
            .record
            .outcome()
            .map(by_rules)
            .or_else(|| result_of(&entry.action, entry.side, entry.early));
        if self.result.is_some() {
            (self.draw.by, self.takeback.by) = (None, None);
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

    /// Whether both have the same journal and the same state derived from it. The epoch and the duration of the present turn are not
    /// compared.
    #[must_use]
    pub fn is_replay_of(&self, other: &RoomState) -> bool {
        let Self {
            setup,
            epoch: _,
            record,
            clock,
            journal,
            done,
            moves,
            played,
            draw,
            takeback,
            taken_back_at,
            corrected_at,
            result,
            turn_left_ms,
            present: _,
        } = self;
        *setup == other.setup
            && *record == other.record
            && *clock == other.clock
            && *journal == other.journal
            && *done == other.done
            && *moves == other.moves
            && *played == other.played
            && *draw == other.draw
            && *takeback == other.takeback
            && *taken_back_at == other.taken_back_at
            && *corrected_at == other.corrected_at
            && *result == other.result
            && *turn_left_ms == other.turn_left_ms
    }

    /// Returns the events after `since`, as they were sent.
    ///
    /// # Panics
    /// Never: the journal was applied before.
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

    /// Returns every ply so far.
    #[must_use]
    pub fn plies(&self) -> Vec<PlyView> {
        let mut plies = Vec::with_capacity(self.played.len());
        for event in self.events_since(0) {
            match event.event {
                Event::Move(ply) => plies.push(ply),
                Event::Takeback { .. } => plies.truncate(event.state.ply as usize),
                _ => {}
            }
        }
        plies
    }
}

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
