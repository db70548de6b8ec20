//! Perft of Bao, in the convention of [`crate::perft`].

use super::moves::BaoMove;
use super::position::BaoPosition;
use crate::perft::MAX_DEPTH;

impl BaoPosition {
    /// The number of different legal sequences of exactly `depth` plies; 1 at depth 0. A depth
    /// beyond [`MAX_DEPTH`] counts as [`MAX_DEPTH`].
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            depth => count(self, depth.min(MAX_DEPTH), &mut Vec::new()),
        }
    }
}

/// Counts at a depth of 1 or more. `moves` is a stack of move lists, one a level.
fn count(pos: &BaoPosition, depth: u32, moves: &mut Vec<BaoMove>) -> u64 {
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
