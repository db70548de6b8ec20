//! The interface of the databases of all games.

use mawe_rules::GameKind;

use super::slice::Slice;

/// An endgame database that is built slice by slice.
pub trait Database: Default + Send + Sync {
    /// The game of the database.
    const KIND: GameKind;
    /// The largest supported database, in seeds or pieces.
    const LARGEST: u8;

    /// The slices of a database of up to `up_to` seeds or pieces, in the order in which they are
    /// solved. Slices that depend on each other are in one group.
    fn plan(up_to: u8) -> Vec<Vec<Slice>>;

    /// The number of bytes of a slice; 0 if this database does not have it.
    fn length(slice: Slice) -> usize;

    /// The values of a slice, if the database holds it.
    fn data(&self, slice: Slice) -> Option<&[u8]>;

    /// Adds a slice. Returns false and changes nothing if the slice is not of this database, has
    /// another length, holds an invalid value, or depends on a missing slice.
    fn insert(&mut self, slice: Slice, data: Vec<u8>) -> bool;

    /// Solves a group of slices of the plan and adds them; all earlier groups must be there. Calls
    /// `told` with the progress.
    fn solve(&mut self, slices: &[Slice], threads: usize, told: &mut dyn FnMut(Progress));

    /// Solves all of a plan on `threads` threads and keeps it in memory.
    fn solved(up_to: u8, threads: usize) -> Self {
        let mut database = Self::default();
        for slices in Self::plan(up_to) {
            database.solve(&slices, threads, &mut |_| ());
        }
        database
    }

    /// The numbers of won, drawn, lost and undecided positions of a slice, from the view of the side
    /// to move; `None` if the slice is missing.
    fn count(&self, slice: Slice) -> Option<Counts>;
}

/// The progress of the work on a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of complete passes over the positions.
    pub round: u32,
    /// The positions visited in this pass.
    pub done: usize,
    /// The number of positions of the slice.
    pub of: usize,
}

/// The numbers of positions of a slice by their values, each from the view of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Wins of the side to move; in the sowing games, positions in which it gets more of the
    /// remaining seeds.
    pub won: u64,
    /// Draws.
    pub drawn: u64,
    /// Losses of the side to move.
    pub lost: u64,
    /// Positions whose value depends on the rule for repetitions.
    pub open: u64,
    /// The longest win in plies; only in checkers and draughts.
    pub longest: u32,
}

impl Counts {
    /// The number of positions in the slice.
    pub fn all(self) -> u64 {
        self.won + self.drawn + self.lost + self.open
    }
}
