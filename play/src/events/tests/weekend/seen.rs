//! The numbers of a simulated weekend.

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
    }
}
