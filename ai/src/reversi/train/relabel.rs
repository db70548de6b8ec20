//! Results with less noise: the mean of the game's result, which depends much on the later moves, and
//! the score of a search.

use super::Sample;
use crate::limits::{Budget, Limits};
use crate::reversi::node::Node;
use crate::reversi::patterns::{MOST, Patterns};
use crate::reversi::solver::Solver;
use crate::table::Table;

/// Replaces the margin of each sample by its mean with the score of a search of `depth` plies.
pub fn relabel(samples: &mut [Sample], patterns: &Patterns, depth: u32) {
    let Some(table) = Table::new(16 << 20) else {
        return;
    };
    let limits = Limits::default();
    let budget = Budget::start(&limits);
    let mut solver = Solver::new(&table, Some(patterns), budget.share());
    for sample in samples {
        let node = Node::of(patterns, sample.board);
        let worth = solver.pvs(patterns, &node, depth, -MOST - 1, MOST + 1);
        // The margin is at most 64 either way.
        sample.margin = ((i32::from(sample.margin) * 100 + worth) as f64 / 200.0).round() as i8;
    }
}
