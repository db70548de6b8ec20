//! Appends to a journal, and their results.

use std::collections::HashSet;

use mawe_rules::{BySide, Side};

use crate::ids::MatchId;

/// Entries to append to one match.
#[derive(Debug, Clone, PartialEq)]
pub struct Append {
    /// The match.
    pub match_id: MatchId,
    /// The head that the writer expects; the `seq` of the first entry is one above it.
    pub head: u64,
    /// The epoch in which the writer owns the match.
    pub epoch: u64,
    /// The entries: at least one, with consecutive `seq`.
    pub entries: Vec<StoredEntry>,
    /// The result of the match, if the last entry ends it.
    pub finish: Option<Finish>,
    /// The time at which the match must be loaded even if nobody opens it, [`NEVER_DUE`] for never; `None` leaves the stored value.
    pub due_ms: Option<i64>,
}

/// The `due_ms` of a match that need not be loaded until somebody opens it.
pub const NEVER_DUE: i64 = i64::MAX;

impl Append {
    /// Whether the entries are numbered from above `head` without a gap, in this epoch.
    pub(super) fn is_well_formed(&self) -> bool {
        let in_place =
            |(entry, seq): (&StoredEntry, u64)| entry.seq == seq && entry.epoch == self.epoch;
        !self.entries.is_empty() && self.entries.iter().zip(self.head + 1..).all(in_place)
    }

    /// Returns the head after the append.
    pub(super) fn new_head(&self) -> u64 {
        self.head + self.entries.len() as u64
    }
}

/// Returns for each append of a batch whether to try it: it must be well-formed, and the first one for its match.
pub(super) fn admitted(batch: &[Append]) -> Vec<bool> {
    let mut seen = HashSet::with_capacity(batch.len());
    let mut admitted = Vec::with_capacity(batch.len());
    for append in batch {
        let admit = seen.insert(&append.match_id) && append.is_well_formed();
        if !admit {
            tracing::error!(match_id = %append.match_id, "a malformed append was refused: a fault of this program");
        }
        admitted.push(admit);
    }
    admitted
}

/// The result of an [`Append`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// The entries are durable.
    Done,
    /// The head or the epoch differs from the stored one, or the match is finished: nothing was written.
    Fenced,
}

/// One entry of a journal as stored. Only the room interprets the payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEntry {
    /// The number of the entry in its match, from 1.
    pub seq: u64,
    /// The epoch in which it was written.
    pub epoch: u64,
    /// The kind, for operators who read the table.
    pub kind: String,
    /// The entry as JSON.
    pub payload: String,
    /// The command that caused the entry, as `<side>:<client_id>`; unique in its match.
    pub client_id: Option<String>,
    /// The time of the entry.
    pub at_ms: i64,
}

/// The result of a match, as stored in its row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finish {
    /// The winner; `None` for a draw or a match that was called off.
    pub winner: Option<Side>,
    /// The code of the reason; `aborted` for a match that was called off.
    pub reason: String,
    /// The final score, in games that have one.
    pub score: Option<BySide<u16>>,
    /// The time of the end.
    pub at_ms: i64,
    /// The number of plies.
    pub plies: u32,
    /// Whether the match is to be counted (tallies and, if rated, ratings): the same commit adds it to the outbox. A match that was called
    /// off is never counted, nor one of a player against themselves.
    pub owed: bool,
    /// The side whose leaving called the match off. A player who leaves repeatedly must wait for the next match.
    pub left_by: Option<Side>,
}
