//! The store as the core uses it: one match, compare-and-set on head and epoch.

use mawe_play::room::due::{due_ms, turn_ms};
use mawe_play::room::entry::Entry;
use mawe_play::room::entry::StoredEntry;
use mawe_play::room::io::{MatchSetup, Proposal};
use mawe_play::room::state::RoomState;
use mawe_rules::BySide;
use mawe_store::Appended;
use mawe_wire::EventMsg;

/// One match on disk.
pub(crate) struct SimStore {
    pub(crate) setup: MatchSetup,
    epoch: u64,
    journal: Vec<StoredEntry>,
    finished: bool,
    due_ms: Option<i64>,
    /// The state by replay of the stored entries, and their events.
    pub(crate) shadow: RoomState,
    pub(crate) canon: Vec<EventMsg>,
}

impl SimStore {
    pub(crate) fn new(setup: MatchSetup) -> SimStore {
        let shadow = RoomState::new(setup.clone(), 0).expect("a setup");
        SimStore {
            epoch: 0,
            journal: Vec::new(),
            finished: false,
            due_ms: due_ms(
                setup.time_control,
                turn_ms(setup.time_control, setup.bots != BySide::default()),
                setup.bots.first.is_some(),
                setup.created_ms,
            ),
            shadow,
            canon: Vec::new(),
            setup,
        }
    }

    pub(crate) fn journal(&self) -> &[StoredEntry] {
        &self.journal
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.finished
    }

    /// Returns whether a sleeping match is due.
    pub(crate) fn is_due(&self, now: u64) -> bool {
        let now = i64::try_from(now).expect("a few years");
        !self.finished && self.due_ms.is_some_and(|due| due <= now)
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
        self.due_ms = proposal.due_ms.or(self.due_ms);
        Appended::Done
    }

    /// Replays the entries appended since the last call.
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

    /// Claims the match for a new owner: raises the epoch, and returns the state by replay.
    pub(crate) fn claim(&mut self) -> RoomState {
        self.epoch += 1;
        self.replay()
    }

    /// Returns the state by replay of the journal.
    pub(crate) fn replay(&self) -> RoomState {
        let entries = self
            .journal
            .iter()
            .map(|stored| Entry::from_stored(stored).expect("it was written by the core"));
        RoomState::replay(self.setup.clone(), self.epoch, entries)
            .expect("the journal follows the rules")
    }
}
