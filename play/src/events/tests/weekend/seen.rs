//! The numbers of a simulated weekend.

use super::journals::Journal;
use crate::events::{Entry, Event};

/// The numbers of what has happened.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) finished: usize,
    pub(super) cancelled: usize,
    pub(super) entries: usize,
    pub(super) games: usize,
    pub(super) crashes: usize,
    pub(super) takeovers: usize,
    pub(super) lost_writes: usize,
    /// Writes that a node had decided on a head that was past.
    pub(super) late_writes_refused: usize,
    pub(super) refused_inputs: usize,
    pub(super) corrected: usize,
    /// Fill-ins that joined with the beginning, and after it.
    pub(super) fill_ins: usize,
    pub(super) late_fill_ins: usize,
    pub(super) games_of_fill_ins: usize,
    /// Joins that were refused because people had all places.
    pub(super) full: usize,
    /// Games of players who both have a group, of different ones or of one.
    pub(super) grouped: usize,
    pub(super) of_one_group: usize,
}

impl Seen {
    pub(super) fn add(&mut self, other: &Seen) {
        self.finished += other.finished;
        self.cancelled += other.cancelled;
        self.entries += other.entries;
        self.games += other.games;
        self.crashes += other.crashes;
        self.takeovers += other.takeovers;
        self.lost_writes += other.lost_writes;
        self.late_writes_refused += other.late_writes_refused;
        self.refused_inputs += other.refused_inputs;
        self.corrected += other.corrected;
        self.fill_ins += other.fill_ins;
        self.late_fill_ins += other.late_fill_ins;
        self.games_of_fill_ins += other.games_of_fill_ins;
        self.full += other.full;
        self.grouped += other.grouped;
        self.of_one_group += other.of_one_group;
    }

    /// Counts the fill-ins of an event.
    pub(super) fn count_fill_ins(&mut self, journal: &Journal) {
        let mut has_begun = false;
        for (_, text) in &journal.entries {
            match Entry::read(text).expect("our own entry") {
                Entry::Began { .. } => has_begun = true,
                Entry::Joined { bot: true, .. } if has_begun => self.late_fill_ins += 1,
                Entry::Joined { bot: true, .. } => self.fill_ins += 1,
                _ => {}
            }
        }
    }

    /// Counts the games of fill-ins and of groups.
    pub(super) fn count_pairs(&mut self, event: &Event) {
        for game in event.games() {
            let seats = [game.seats.first, game.seats.second];
            let [a, b] = seats.map(|seat| &event.entrants()[seat as usize]);
            self.games_of_fill_ins += usize::from(a.bot || b.bot);
            match (a.group, b.group) {
                (Some(a), Some(b)) if a == b => self.of_one_group += 1,
                (Some(_), Some(_)) => self.grouped += 1,
                _ => {}
            }
        }
    }
}
