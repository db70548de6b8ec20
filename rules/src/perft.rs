//! Perft: counting legal sequences, the standard test of a move generator.
//!
//! Source of the convention: RULES.md section 0. Exactly `depth` plies are counted; a finished game
//! has no continuation; house draws (repetition, quiet limit) are ignored.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::position::Position;

/// The greatest depth that is counted; a caller refuses more. It bounds the recursion, hence the
/// stack, in games that need not end.
pub const MAX_DEPTH: u32 = 1_000;

/// The number of different legal sequences of exactly `depth` plies; 1 at depth 0. A depth beyond
/// [`MAX_DEPTH`] counts as that.
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

/// As [`perft`], the root moves shared out among `threads` threads (0 counts as 1).
pub fn perft_threads<P: Position>(pos: &P, depth: u32, threads: usize) -> u64 {
    if threads <= 1 || depth < 2 {
        return perft(pos, depth);
    }
    divide(pos, depth, threads)
        .iter()
        .map(|(_, nodes)| nodes)
        .sum()
}

/// The perft behind each legal move, sorted by the moves' text; empty at depth 0.
///
/// The root moves are shared out among `threads` threads (0 counts as 1). A thread that the system
/// refuses is done without.
pub fn divide<P: Position>(pos: &P, depth: u32, threads: usize) -> Vec<(P::Move, u64)> {
    let Some(rest) = depth.min(MAX_DEPTH).checked_sub(1) else {
        return Vec::new();
    };
    let mut moves = pos.legal_moves();
    moves.sort_by_cached_key(P::Move::to_string);

    // Workers take the next root move as they become free, for root moves differ widely in size.
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
/// whole count allocates a handful of times.
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
