//! Perft: counting legal sequences, the standard test of a move generator.
//!
//! Source of the convention: RULES.md section 0. Exactly `depth` plies are counted; a finished game
//! has no continuation; house draws (repetition, quiet limit) are ignored.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use crate::position::Position;

/// The greatest supported depth; callers refuse a greater one. It bounds the recursion, hence the
/// stack, in games that need not end.
pub const MAX_DEPTH: u32 = 1_000;

/// The number of different legal sequences of exactly `depth` plies; 1 at depth 0. A depth beyond
/// [`MAX_DEPTH`] counts as [`MAX_DEPTH`].
///
/// The last ply is counted without being played ([`Position::count_legal`]).
///
/// ```
/// use mawe_rules::{Position, games::mawe::MawePosition, perft::perft};
///
/// let start = MawePosition::from_setup(&Default::default())?;
/// assert_eq!(perft(&start, 3), 137_620);
/// # Ok::<(), mawe_rules::SetupError>(())
/// ```
pub fn perft<P: Position>(pos: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        depth => count(pos, depth.min(MAX_DEPTH), &mut Vec::new()),
    }
}

/// As [`perft`], with the counts kept in `table` for positions that occur again.
pub fn perft_hashed<P: Position>(pos: &P, depth: u32, table: &Table) -> u64 {
    match depth {
        0 => 1,
        depth => count_hashed(pos, depth.min(MAX_DEPTH), &mut Vec::new(), table),
    }
}

/// As [`perft`], with the root moves shared among `threads` threads (0 counts as 1).
pub fn perft_threads<P: Position>(pos: &P, depth: u32, threads: usize) -> u64 {
    if threads <= 1 || depth < 2 {
        return perft(pos, depth);
    }
    divide(pos, depth, threads)
        .iter()
        .map(|(_, nodes)| nodes)
        .sum()
}

/// The perft after each legal move, sorted by the moves' text; empty at depth 0.
///
/// The root moves are shared among `threads` threads (0 counts as 1). If the system refuses a
/// thread, the others do its work.
pub fn divide<P: Position>(pos: &P, depth: u32, threads: usize) -> Vec<(P::Move, u64)> {
    divide_by(pos, depth, threads, &perft)
}

/// As [`divide`], with one table for all threads.
pub fn divide_hashed<P: Position>(
    pos: &P,
    depth: u32,
    threads: usize,
    table: &Table,
) -> Vec<(P::Move, u64)> {
    divide_by(pos, depth, threads, &|child: &P, rest| {
        perft_hashed(child, rest, table)
    })
}

fn divide_by<P: Position>(
    pos: &P,
    depth: u32,
    threads: usize,
    perft: &(impl Fn(&P, u32) -> u64 + Sync),
) -> Vec<(P::Move, u64)> {
    let Some(rest) = depth.min(MAX_DEPTH).checked_sub(1) else {
        return Vec::new();
    };
    let mut moves = pos.legal_moves();
    moves.sort_by_cached_key(P::Move::to_string);

    // Each worker takes the next root move when it is free, because root moves differ widely in
    // size.
    let next = AtomicUsize::new(0);
    let work = || {
        let mut counts = Vec::new();
        while let Some(&m) = moves.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut child = pos.clone();
            child.play_unchecked(m);
            counts.push((m, perft(&child, rest)));
        }
        counts
    };
    let helpers = threads.min(moves.len()).saturating_sub(1);
    let mut counts = thread::scope(|scope| {
        let helpers: Vec<_> = (0..helpers)
            .filter_map(|_| thread::Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        let mut counts = work();
        for helper in helpers {
            counts.extend(helper.join().expect("counting panics on no position"));
        }
        counts
    });
    counts.sort_by_cached_key(|(m, _)| m.to_string());
    counts
}

/// [`perft`] at a depth of 1 or more. `moves` is a stack of move lists, one a level, so that a
/// whole count allocates only a few times.
fn count<P: Position>(pos: &P, depth: u32, moves: &mut Vec<P::Move>) -> u64 {
    if depth == 1 {
        return pos.count_legal() as u64;
    }
    let first = moves.len();
    pos.legal_moves_into(moves);
    let mut nodes = 0;
    for i in first..moves.len() {
        let mut child = pos.clone();
        child.play_unchecked(moves[i]);
        nodes += count(&child, depth - 1, moves);
    }
    moves.truncate(first);
    nodes
}

/// As [`count`], with a lookup in the table first. Counting the last ply is faster than a lookup.
fn count_hashed<P: Position>(pos: &P, depth: u32, moves: &mut Vec<P::Move>, table: &Table) -> u64 {
    if depth == 1 {
        return pos.count_legal() as u64;
    }
    let key = Table::key(pos, depth);
    if let Some(nodes) = table.get(key) {
        return nodes;
    }
    let first = moves.len();
    pos.legal_moves_into(moves);
    let mut nodes = 0;
    for i in first..moves.len() {
        let mut child = pos.clone();
        child.play_unchecked(moves[i]);
        nodes += count_hashed(&child, depth - 1, moves, table);
    }
    moves.truncate(first);
    table.put(key, nodes);
    nodes
}

/// Counts of earlier positions, shared by all threads without locks.
///
/// A key is the 64 bits of a position's hash mixed with the depth. Two positions with the same key
/// would be confused, which is to be expected once in some billions of stored positions. A count
/// that must be certain is made without a table.
pub struct Table {
    /// The number of slots is a power of two.
    slots: Vec<Slot>,
}

/// The number of nodes, and the key XORed with it: a slot half written by another thread matches no
/// key (R. Hyatt and T. Mann, "A lockless transposition-table implementation for parallel search",
/// ICGA Journal 25, 2002).
#[derive(Default)]
struct Slot {
    check: AtomicU64,
    nodes: AtomicU64,
}

impl Table {
    /// A table of at most this many megabytes, but at least one slot; `None` if the memory cannot
    /// be allocated.
    pub fn new(megabytes: usize) -> Option<Self> {
        let most = megabytes.saturating_mul(1 << 20) / size_of::<Slot>();
        let slots = 1 << most.max(1).ilog2();
        let mut table = Vec::new();
        table.try_reserve_exact(slots).ok()?;
        table.resize_with(slots, Slot::default);
        Some(Self { slots: table })
    }

    /// Returns the key, never 0, because 0 would match an empty slot.
    fn key<P: Position>(pos: &P, depth: u32) -> u64 {
        let mixed = pos.zobrist() ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The upper half is mixed into the lower, because the low bits choose the slot.
        (mixed ^ (mixed >> 32)).max(1)
    }

    fn slot(&self, key: u64) -> &Slot {
        // The cast drops the upper bits on a 32-bit machine, which is intended.
        &self.slots[key as usize & (self.slots.len() - 1)]
    }

    fn get(&self, key: u64) -> Option<u64> {
        let slot = self.slot(key);
        let nodes = slot.nodes.load(Ordering::Relaxed);
        (slot.check.load(Ordering::Relaxed) ^ nodes == key).then_some(nodes)
    }

    fn put(&self, key: u64, nodes: u64) {
        let slot = self.slot(key);
        slot.nodes.store(nodes, Ordering::Relaxed);
        slot.check.store(key ^ nodes, Ordering::Relaxed);
    }
}
