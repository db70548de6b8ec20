//! Appends to a journal, and their results.

use std::collections::HashSet;

use mawe_play::room::entry::StoredEntry;
use mawe_play::room::io::Finish;
use mawe_wire::ids::MatchId;

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
    /// The time at which the match must be loaded even if nobody opens it, [`NEVER_DUE`](mawe_play::room::due::NEVER_DUE) for never; `None` leaves the stored value.
    pub due_ms: Option<i64>,
}

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
