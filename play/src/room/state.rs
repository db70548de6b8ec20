//! The state of a match in memory.

use std::collections::HashMap;

use mawe_rules::clock::{Clock, Tempo};
use mawe_rules::{BySide, Record, Side};
use mawe_wire::end_reason::is_called_off;
use mawe_wire::ids::ClientId;
use mawe_wire::{Event, EventMsg, MatchResult, PlyView, StateView, TimeControl};

use crate::Damaged;
use crate::room::entry::Entry;
use crate::room::io::{Answer, MatchSetup, Millis};
use crate::room::results::left_by;

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
    pub(super) draw: PendingOffer,
    pub(super) takeback: PendingOffer,
    /// The seq of the last takeback; 0 before the first.
    pub(super) taken_back_at: u64,
    /// The ply at which each side last took a move back without asking.
    pub(super) corrected_at: BySide<Option<u32>>,
    /// The sides that have halved their clocks.
    pub(super) berserk: BySide<bool>,
    pub(super) result: Option<MatchResult>,
    /// The time that the side to move had left when its ply began.
    pub(super) turn_left_ms: u64,
    /// The time of day at which its ply began.
    pub(super) turn_since_ms: i64,
    /// The time by which entries have extended its ply because of a vacation.
    pub(super) vacation_ms: u64,
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
pub(super) struct PendingOffer {
    /// The side whose offer is pending.
    pub(super) by: Option<Side>,
    /// The ply at which each side last made an offer.
    pub(super) last_ply: BySide<Option<u32>>,
}

impl PendingOffer {
    pub(super) fn made(&mut self, side: Side, ply: u32) {
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
    /// [`Damaged`] when the setup is invalid.
    pub fn new(setup: MatchSetup, epoch: u64) -> Result<RoomState, Damaged> {
        let damaged = |detail: String| Damaged {
            what: "match",
            detail,
        };
        let parsed = mawe_rules::AnySetup::parse(setup.game, &setup.setup)
            .map_err(|error| damaged(error.to_string()))?;
        let record =
            Record::new(setup.game, &parsed).map_err(|error| damaged(error.to_string()))?;
        Ok(RoomState::from_record(setup, record, epoch))
    }

    /// Creates a match with an empty journal that begins with this record, which holds no plies yet: of a setup, or of a position.
    #[must_use]
    pub fn from_record(setup: MatchSetup, record: Record, epoch: u64) -> RoomState {
        let mut clock = Clock::new(tempo(setup.time_control));
        for side in Side::ALL {
            clock.give(side, setup.extra_ms[side], u64::MAX);
        }
        RoomState {
            turn_left_ms: clock.left().first.clock_ms,
            turn_since_ms: setup.created_ms,
            vacation_ms: 0,
            clock,
            setup,
            epoch,
            record,
            journal: Vec::new(),
            done: HashMap::new(),
            moves: BySide::default(),
            played: Vec::new(),
            draw: PendingOffer::default(),
            takeback: PendingOffer::default(),
            taken_back_at: 0,
            corrected_at: BySide::default(),
            berserk: BySide::default(),
            result: None,
            present: Present::default(),
        }
    }

    /// Creates a match from its journal.
    ///
    /// # Errors
    /// [`Damaged`] when this core could not have written an entry at its place.
    pub fn replay(
        setup: MatchSetup,
        epoch: u64,
        journal: impl IntoIterator<Item = Entry>,
    ) -> Result<RoomState, Damaged> {
        let mut state = RoomState::new(setup, epoch)?;
        for entry in journal {
            state.apply(entry)?;
        }
        Ok(state)
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
        self.view_with(self.record.position().to_string())
    }

    /// Returns the view, with the text of the present position.
    pub(super) fn view_with(&self, position: String) -> StateView {
        StateView {
            position,
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
            berserk: Side::ALL
                .into_iter()
                .filter(|side| self.berserk[*side])
                .collect(),
        }
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
            berserk,
            result,
            turn_left_ms,
            turn_since_ms,
            vacation_ms,
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
            && *berserk == other.berserk
            && *result == other.result
            && *turn_left_ms == other.turn_left_ms
            && *turn_since_ms == other.turn_since_ms
            && *vacation_ms == other.vacation_ms
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
        let mut start = self.record.clone();
        start.retreat(start.ply());
        let mut again = RoomState::from_record(self.setup.clone(), start, self.epoch);
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
