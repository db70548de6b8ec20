//! Journals of matches.

use std::collections::HashSet;

use async_trait::async_trait;
use mawe_play::room::entry::StoredEntry;
use mawe_play::room::io::Finish;
use mawe_wire::ids::MatchId;

use crate::{ClaimedMatch, StoreError};

/// The journals of matches: appending, reading, and taking over a match with its journal.
#[async_trait]
pub trait Journal: Send + Sync {
    /// Appends entries to many matches in one commit. The answers are in the order of `batch`.
    ///
    /// A match may appear once in a batch. [`Appended::Fenced`] is the answer to any later append for the same match, to an append whose
    /// entries are not numbered consecutively from its head, and to one that names a command twice. The rest of the batch is written. That
    /// no earlier entry has the command is known to the writer: with the right head it has read them all.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when nothing was committed; [`StoreError::OutcomeUnknown`] when that is uncertain: read the journal
    /// back.
    async fn append(&self, batch: &[Append]) -> Result<Vec<Appended>, StoreError>;

    /// Returns the entries of a match with `seq` above `after`, in order; empty for an unknown match.
    async fn entries(&self, id: &MatchId, after: u64) -> Result<Vec<StoredEntry>, StoreError>;

    /// Takes over a running match: adds one to its epoch, stores `owner`, and returns the match with its whole journal as of that commit. A
    /// finished match is returned unclaimed: nothing can be appended to it. `None` for an unknown match.
    async fn claim_match(
        &self,
        id: &MatchId,
        owner: &str,
    ) -> Result<Option<ClaimedMatch>, StoreError>;

    /// Like [`Journal::claim_match`], unless another live node owns the match. A finished match is claimed too, without a new epoch, so that
    /// its players still meet in one room.
    async fn claim_free_match(&self, id: &MatchId, node: &str)
    -> Result<Option<Claim>, StoreError>;
}

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
    /// Whether the entries are numbered from above `head` without a gap, in this epoch, and each of another command.
    pub(super) fn is_well_formed(&self) -> bool {
        let in_place =
            |(entry, seq): (&StoredEntry, u64)| entry.seq == seq && entry.epoch == self.epoch;
        // An append has one entry, or a few.
        let is_new = |(place, entry): (usize, &StoredEntry)| {
            let earlier = &self.entries[..place];
            entry.client_id.is_none() || earlier.iter().all(|one| one.client_id != entry.client_id)
        };
        !self.entries.is_empty()
            && self.entries.iter().zip(self.head + 1..).all(in_place)
            && self.entries.iter().enumerate().all(is_new)
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

/// The result of claiming a match where several nodes share the matches.
#[derive(Debug, Clone, PartialEq)]
pub enum Claim {
    /// This node owns the match now.
    Taken(Box<ClaimedMatch>),
    /// Another live node owns it.
    Owned {
        /// The owner's name.
        by: String,
    },
}
