//! What is appended to a journal, and what became of it.

use std::collections::HashSet;

use mawe_rules::{BySide, Side};

use crate::ids::MatchId;

/// Entries to append to one match.
#[derive(Debug, Clone, PartialEq)]
pub struct Append {
    /// The match.
    pub match_id: MatchId,
    /// The head that the writer believes: the first entry's `seq` is one above.
    pub head: u64,
    /// The epoch in which the writer owns the match.
    pub epoch: u64,
    /// At least one, with consecutive `seq`.
    pub entries: Vec<StoredEntry>,
    /// Set when the last of them ends the match.
    pub finish: Option<Finish>,
    /// From when on the match must be looked at though nobody is there, [`NEVER_DUE`] for never; `None` leaves it as it was.
    pub due_ms: Option<i64>,
}

/// A match that nobody needs to look at until somebody comes.
pub const NEVER_DUE: i64 = i64::MAX;

impl Append {
    /// Whether the entries are numbered from above `head` without a gap, in this epoch.
    pub(super) fn is_well_formed(&self) -> bool {
        let in_place =
            |(entry, seq): (&StoredEntry, u64)| entry.seq == seq && entry.epoch == self.epoch;
        !self.entries.is_empty() && self.entries.iter().zip(self.head + 1..).all(in_place)
    }

    /// The head after it.
    pub(super) fn new_head(&self) -> u64 {
        self.head + self.entries.len() as u64
    }
}

/// Which appends of a batch may be tried: well-formed ones, and of each match the first.
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

/// What became of an [`Append`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// It is durable.
    Done,
    /// Head or epoch were not what the writer believes, or the match is over: nothing of it was written.
    Fenced,
}

/// One entry of a journal as it is stored: the room knows what the payload means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEntry {
    /// Its place, from 1.
    pub seq: u64,
    /// The epoch it was written in.
    pub epoch: u64,
    /// Its kind, for people who read the table.
    pub kind: String,
    /// JSON.
    pub payload: String,
    /// The command it came from, as `<side>:<client_id>`; unique in its match.
    pub client_id: Option<String>,
    /// When.
    pub at_ms: i64,
}

/// How a match ended, as its row remembers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finish {
    /// Who won.
    pub winner: Option<Side>,
    /// The reason's code; `aborted` for a match called off.
    pub reason: String,
    /// What was counted.
    pub score: Option<BySide<u16>>,
    /// When.
    pub at_ms: i64,
    /// How many plies were played.
    pub plies: u32,
    /// Whether it is still to be counted (tallies, and ratings where it is rated): written to the outbox in the same commit. A match
    /// called off is never counted, nor one of a player against themselves.
    pub owed: bool,
    /// Whose leaving it was, where the match was called off by that: a player who does so again and again waits for the next match.
    pub left_by: Option<Side>,
}
