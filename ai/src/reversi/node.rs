//! A node of the midgame search.

use super::board::Board;
use super::patterns::{Patterns, Ways};

/// A board and the numbers of its patterns.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) board: Board,
    pub(super) ways: Ways,
}

impl Node {
    pub(super) fn of(patterns: &Patterns, board: Board) -> Self {
        let ways = patterns.ways(board);
        Self { board, ways }
    }

    #[inline(always)]
    pub(super) fn play(&self, patterns: &Patterns, square: u32) -> Self {
        let flips = self.board.flips(square);
        Self {
            board: self.board.play(square, flips),
            ways: patterns.after(&self.ways, square, flips),
        }
    }

    #[inline(always)]
    pub(super) fn pass(&self, patterns: &Patterns) -> Self {
        Self {
            board: self.board.pass(),
            ways: patterns.passed(&self.ways),
        }
    }
}
