//! The exact result of a position, by null-window searches.

use std::sync::Arc;

use super::board::{Board, PASS};
use super::solver::{Bounds, Solver};
use crate::error::NoMemory;
use crate::knowledge::Knowledge;
use crate::limits::{Budget, Limits};
use crate::table::Table;

/// The value of empty squares at the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Counting {
    /// Empty squares count for neither side, as in the rules of this server.
    #[default]
    Discs,
    /// Empty squares count for the winner, as in tournaments and in the published test positions.
    WinnerTakesEmpty,
}

/// The result of [`Ending::solve`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The least and the greatest margin of the side to move with best play, in discs; they are equal
    /// unless a limit ended the search.
    pub margin: (i32, i32),
    /// The squares of best play; 64 is a pass.
    pub line: Vec<u32>,
    /// The number of positions visited.
    pub nodes: u64,
}

/// A solver with its own table, which it keeps between searches.
pub struct Ending {
    table: Table,
    knowledge: Arc<Knowledge>,
}

impl Ending {
    /// A solver with an empty table of `megabytes`.
    ///
    /// # Errors
    ///
    /// [`NoMemory`] if the table cannot be allocated.
    pub fn new(megabytes: usize) -> Result<Self, NoMemory> {
        let bytes = megabytes.checked_mul(1 << 20).ok_or(NoMemory)?;
        let table = Table::new(bytes).ok_or(NoMemory)?;
        Ok(Self {
            table,
            knowledge: Knowledge::built_in(),
        })
    }

    /// Returns this solver with other weights for the order of moves.
    #[must_use]
    pub fn knowing(mut self, knowledge: Arc<Knowledge>) -> Self {
        self.knowledge = knowledge;
        self
    }

    /// Clears the results of all earlier searches, so that the next search is as if it were the first.
    pub fn forget(&self) {
        self.table.clear();
    }

    /// The exact margin of a position, in discs from the view of the side to move, or the bounds found
    /// within the limits. The limit of depth is ignored.
    pub fn solve(&self, board: Board, counting: Counting, limits: &Limits) -> Solution {
        self.table.grow_older();
        let budget = Budget::start(limits);
        let mut solver = Solver::new(
            &self.table,
            self.knowledge.reversi.patterns(),
            budget.share(),
        );
        let (bounds, line) = match counting {
            Counting::Discs => solved::<false>(&mut solver, board),
            Counting::WinnerTakesEmpty => solved::<true>(&mut solver, board),
        };
        Solution {
            margin: (bounds.lower, bounds.upper),
            line,
            nodes: solver.share.nodes,
        }
    }
}

fn solved<const FILL: bool>(solver: &mut Solver<'_>, board: Board) -> (Bounds, Vec<u32>) {
    let bounds = narrow::<FILL>(solver, board, 0);
    (bounds, line::<FILL>(solver, board, bounds))
}

/// Tests whether the margin is above `alpha`. Returns a bound on it and, if it is above, the move that
/// proves it, which is moved to the front of `moves`.
pub(super) fn ask<const FILL: bool>(
    solver: &mut Solver<'_>,
    board: Board,
    alpha: i32,
    moves: &mut [u32],
) -> (i32, Option<u32>) {
    let mut best = -64;
    for i in 0..moves.len() {
        let square = moves[i];
        let child = board.play(square, board.flips(square));
        best = best.max(-solver.above::<FILL>(child, -alpha - 1));
        if solver.stopped {
            break;
        }
        if best > alpha {
            moves[..=i].rotate_right(1);
            return (best, Some(square));
        }
    }
    (best, None)
}

/// Narrows the bounds of the margin with null windows, beginning at `guess`, until they meet.
pub(super) fn narrow<const FILL: bool>(
    solver: &mut Solver<'_>,
    board: Board,
    guess: i32,
) -> Bounds {
    let mut bounds = Bounds::UNKNOWN;
    // Margins are even if all squares count.
    let step = if FILL { 2 } else { 1 };
    let mut alpha = if FILL { guess & !1 } else { guess };
    while bounds.lower < bounds.upper {
        alpha = alpha.clamp(bounds.lower, bounds.upper - step);
        let score = solver.above::<FILL>(board, alpha);
        if solver.stopped {
            break;
        }
        if score > alpha {
            bounds.lower = if FILL { score + (score & 1) } else { score };
            alpha = bounds.lower;
        } else {
            bounds.upper = if FILL { score - (score & 1) } else { score };
            alpha = bounds.upper - step;
        }
    }
    bounds.best = solver.known::<FILL>(board).best;
    bounds
}

/// The line of best play, as far as it is found without a long search.
pub(super) fn line<const FILL: bool>(
    solver: &mut Solver<'_>,
    board: Board,
    bounds: Bounds,
) -> Vec<u32> {
    let mut line = Vec::new();
    let (mut board, mut margin) = (board, bounds.lower);
    if bounds.lower < bounds.upper {
        line.extend(bounds.best);
        return line;
    }
    loop {
        let moves = board.placements();
        if moves == 0 {
            if board.pass().placements() == 0 {
                return line;
            }
            line.push(PASS);
            (board, margin) = (board.pass(), -margin);
            continue;
        }
        // The best move of the table is tried first.
        let best = solver.known::<FILL>(board).best;
        let first = best.map_or(0, |square| moves & 1 << (square & 63));
        let mut found = None;
        for set in [first, moves & !first] {
            for square in super::board::squares(set) {
                let child = board.play(square, board.flips(square));
                // The move keeps the margin if the other side cannot get more than its negative.
                if found.is_none() && solver.above::<FILL>(child, -margin) <= -margin {
                    found = Some((square, child));
                }
            }
        }
        let Some((square, child)) = found.filter(|_| !solver.stopped) else {
            return line;
        };
        line.push(square);
        (board, margin) = (child, -margin);
    }
}
