//! The store as the core sees it: one match, compare-and-set on head and epoch.

use mawe_server::protocol::EventMsg;
use mawe_server::room::entry::Entry;
use mawe_server::room::state::{MatchSetup, Proposal, RoomState};
use mawe_server::store::{Appended, StoredEntry};

/// One match on disk.
pub(crate) struct SimStore {
    pub(crate) setup: MatchSetup,
    epoch: u64,
    journal: Vec<StoredEntry>,
    finished: bool,
    /// The journal as it is read back from the disk, entry by entry, and what its events are.
    pub(crate) shadow: RoomState,
    pub(crate) canon: Vec<EventMsg>,
}

impl SimStore {
    pub(crate) fn new(setup: MatchSetup) -> SimStore {
        let shadow = RoomState::new(setup.clone(), 0).expect("a setup");
        SimStore {
            setup,
            epoch: 0,
            journal: Vec::new(),
            finished: false,
            shadow,
            canon: Vec::new(),
        }
    }

    pub(crate) fn journal(&self) -> &[StoredEntry] {
        &self.journal
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.finished
    }

    pub(crate) fn append(&mut self, epoch: u64, proposal: &Proposal) -> Appended {
        if self.finished || epoch != self.epoch || proposal.head != self.journal.len() as u64 {
            return Appended::Fenced;
        }
        for entry in &proposal.entries {
            let stored = entry.to_stored();
            assert_eq!(
                stored.seq,
                self.journal.len() as u64 + 1,
                "seq has neither gap nor fork"
            );
            assert_eq!(stored.epoch, self.epoch, "one owner writes in an epoch");
            let twice = self
                .journal
                .iter()
                .any(|old| old.client_id.is_some() && old.client_id == stored.client_id);
            assert!(!twice, "a command becomes one entry: {stored:?}");
            self.journal.push(stored);
        }
        self.finished = proposal.finish.is_some();
        Appended::Done
    }

    /// Reads what was appended since.
    pub(crate) fn follow(&mut self) {
        for stored in &self.journal[self.canon.len()..] {
            let entry = Entry::from_stored(stored).expect("it was written by the core");
            self.canon.push(
                self.shadow
                    .apply(entry)
                    .expect("the journal follows the rules"),
            );
        }
    }

    /// A new owner: the next epoch, and the state by replay.
    pub(crate) fn claim(&mut self) -> RoomState {
        self.epoch += 1;
        self.replay()
    }

    /// The state that the journal gives.
    pub(crate) fn replay(&self) -> RoomState {
        let entries = self
            .journal
            .iter()
            .map(|stored| Entry::from_stored(stored).expect("it was written by the core"));
        RoomState::replay(self.setup.clone(), self.epoch, entries)
            .expect("the journal follows the rules")
    }
}
