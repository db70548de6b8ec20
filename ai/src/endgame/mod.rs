//! Endgame databases: exact values of all positions with few pieces or seeds.
//!
//! A database is made slice by slice, each from earlier ones. A slice has one byte a position, from
//! the view of the side to move. Nothing here reads or writes a file: [`header`] and [`decode`]
//! convert slices to file contents and back, and `mawe solve` makes the files.
//!
//! Each database documents the meaning of its values: [`KalahDatabase`], [`OwareDatabase`],
//! [`CheckersDatabase`].

mod checkers;
pub(crate) mod exact;
mod file;
mod kalah;
mod oware;
mod seeds;

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use mawe_rules::GameKind;

pub use checkers::{CheckersDatabase, CheckersValue};
pub use file::{BadFile, HEADER_BYTES, decode, header};
pub use kalah::KalahDatabase;
pub use oware::{OwareDatabase, OwareValue};

/// The number of positions in a thread's unit of work.
const CHUNK: usize = 1 << 14;

/// A part of a database: all positions with a number of seeds in the houses, or with a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slice {
    kind: GameKind,
    /// The number of seeds and three zeros; or men and kings of the side to move, men and kings of
    /// the other side.
    parts: [u8; 4],
}

impl Slice {
    /// The game of the slice.
    pub fn kind(self) -> GameKind {
        self.kind
    }

    /// The name of the file of the slice.
    pub fn file_name(self) -> String {
        let [a, b, c, d] = self.parts;
        match self.kind {
            GameKind::Checkers => format!("checkers-{a}{b}-{c}{d}.slice"),
            kind => format!("{}-{a:02}.slice", kind.id()),
        }
    }

    fn seeds(kind: GameKind, seeds: u8) -> Self {
        Self {
            kind,
            parts: [seeds, 0, 0, 0],
        }
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.parts;
        match self.kind {
            GameKind::Checkers => {
                write!(f, "checkers, {a} men {b} kings against {c} men {d} kings")
            }
            kind => write!(f, "{}, {a} seeds", kind.id()),
        }
    }
}

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
    /// The longest win in plies; only in checkers.
    pub longest: u32,
}

impl Counts {
    /// The number of positions in the slice.
    pub fn all(self) -> u64 {
        self.won + self.drawn + self.lost + self.open
    }
}

/// Calls `work` with the parts of `0..length` in chunks, on `threads` threads.
fn in_chunks(
    length: usize,
    threads: usize,
    told: &mut dyn FnMut(usize),
    work: &(impl Fn(Range<usize>) + Sync),
) {
    let next = AtomicUsize::new(0);
    let take = || {
        let from = next.fetch_add(CHUNK, Ordering::Relaxed);
        (from < length).then(|| from..(from + CHUNK).min(length))
    };
    let all = || {
        while let Some(chunk) = take() {
            work(chunk);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Without this thread the work only takes longer.
            if thread::Builder::new().spawn_scoped(scope, all).is_err() {
                break;
            }
        }
        while let Some(chunk) = take() {
            told(chunk.start);
            work(chunk);
        }
    });
    told(length);
}
