//! Searches of single boards, for training and measurements.

use super::board::Board;
use super::node::Node;
use super::patterns::{MOST, Patterns};
use super::solve::narrow;
use super::solver::Solver;
use crate::error::NoMemory;
use crate::limits::{Budget, Limits};
use crate::table::Table;

/// The size of the table, in bytes.
const TABLE: usize = 16 << 20;

/// A search of single boards without limits and without errors, which keeps its table from one search to the next.
pub struct BoardSearch<'a> {
    table: Table,
    patterns: Option<&'a Patterns>,
    probcut: bool,
}

impl<'a> BoardSearch<'a> {
    /// A search with these patterns; without any it only solves boards.
    ///
    /// # Errors
    ///
    /// [`NoMemory`] if the table cannot be allocated.
    pub fn new(patterns: Option<&'a Patterns>) -> Result<Self, NoMemory> {
        Ok(Self {
            table: Table::new(TABLE).ok_or(NoMemory)?,
            patterns,
            probcut: true,
        })
    }

    /// Returns this search without ProbCut.
    #[must_use]
    pub fn without_probcut(mut self) -> Self {
        self.probcut = false;
        self
    }

    /// Prefers the results of later searches to those of earlier ones, as between two games.
    pub fn grow_older(&self) {
        self.table.grow_older();
    }

    /// The score of a search of `depth` plies, in hundredths of a disc from the view of the side to move; `None` without
    /// patterns.
    pub fn score(&self, board: Board, depth: u32) -> Option<i32> {
        self.search(|solver, patterns| {
            let node = Node::of(patterns, board);
            Some(solver.pvs(patterns, &node, depth, -MOST - 1, MOST + 1))
        })
    }

    /// The square of the best move of a search of `depth` plies; `None` without patterns, or if no disc can be placed.
    pub fn best_move(&self, board: Board, depth: u32) -> Option<u32> {
        self.search(|solver, patterns| {
            let node = Node::of(patterns, board);
            let (square, _) = solver.best_move(patterns, &node, depth)?;
            Some(square)
        })
    }

    /// The exact margin of the side to move with best play, in discs.
    pub fn margin(&self, board: Board) -> i32 {
        self.with_solver(|solver| narrow::<false>(solver, board, 0).lower)
    }

    fn search<T>(&self, work: impl FnOnce(&mut Solver<'_>, &Patterns) -> Option<T>) -> Option<T> {
        let patterns = self.patterns?;
        self.with_solver(|solver| work(solver, patterns))
    }

    fn with_solver<T>(&self, work: impl FnOnce(&mut Solver<'_>) -> T) -> T {
        let limits = Limits::default();
        let budget = Budget::start(&limits);
        let mut solver = Solver::new(&self.table, self.patterns, budget.share());
        solver.probcut = self.probcut;
        work(&mut solver)
    }
}
