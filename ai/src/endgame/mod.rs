//! Known truth: databases of all positions with few pieces or seeds, made by ourselves.
//!
//! A database is made slice by slice, each from those before it, and a slice is one byte a position,
//! the side to move at the bottom. Nothing here reads or writes a file: [`header`] and [`decode`] say
//! how a slice is kept, `mawe solve` makes the files.
//!
//! What a value means is said by each database: [`KalahDatabase`], [`OwareDatabase`],
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

/// Positions of a slice that one thread takes at a time.
const CHUNK: usize = 1 << 14;

/// A part of a database: all positions with so many seeds in the houses, or with these pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slice {
    kind: GameKind,
    /// Seeds and three zeros; or men and kings of the side to move, men and kings of the other.
    parts: [u8; 4],
}

impl Slice {
    /// The game.
    pub fn kind(self) -> GameKind {
        self.kind
    }

    /// The name of its file.
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

/// A database that grows slice by slice.
pub trait Database: Default + Send + Sync {
    /// The game.
    const KIND: GameKind;
    /// The largest database that can be asked for, in seeds or pieces.
    const LARGEST: u8;

    /// What is to be solved for so many seeds or pieces, in this order; slices that depend on each
    /// other stand together.
    fn plan(up_to: u8) -> Vec<Vec<Slice>>;

    /// The bytes of a slice; 0 of one that this database does not have.
    fn length(slice: Slice) -> usize;

    /// The values of a slice, if it is there.
    fn data(&self, slice: Slice) -> Option<&[u8]>;

    /// Takes a slice. False, and nothing is changed, if it is none of this database, of another
    /// length, holds what is no value, or a slice that it was made from is not there.
    fn insert(&mut self, slice: Slice, data: Vec<u8>) -> bool;

    /// Solves slices that stand together in the plan, and takes them; all before them must be there.
    /// Tells how many positions of how many have been looked at in this round, and which round it is.
    fn solve(&mut self, slices: &[Slice], threads: usize, told: &mut dyn FnMut(Progress));

    /// All of a plan, solved by so many threads and kept in memory.
    fn solved(up_to: u8, threads: usize) -> Self {
        let mut database = Self::default();
        for slices in Self::plan(up_to) {
            database.solve(&slices, threads, &mut |_| ());
        }
        database
    }

    /// How many positions of a slice are won, drawn, lost and undecided for the side to move.
    fn count(&self, slice: Slice) -> Option<Counts>;
}

/// How far the work on a slice has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How often the positions have been gone through before.
    pub round: u32,
    /// Positions looked at in this round.
    pub done: usize,
    /// Positions of the slice.
    pub of: usize,
}

/// What becomes of the positions of a slice, each with the side to move in view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The side to move wins, in the sowing games: the larger part of what is left.
    pub won: u64,
    /// Neither side.
    pub drawn: u64,
    /// The other side.
    pub lost: u64,
    /// What it depends on how a repetition is settled.
    pub open: u64,
    /// In checkers the longest win, in plies.
    pub longest: u32,
}

impl Counts {
    /// All positions of the slice.
    pub fn all(self) -> u64 {
        self.won + self.drawn + self.lost + self.open
    }
}

/// Calls `work` with all of `0..length` in chunks, on so many threads.
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
            // Without it the work takes longer, no more.
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
