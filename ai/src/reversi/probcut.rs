//! ProbCut: the score of a shallow search predicts that of a deep one, with a measured error. If the prediction is
//! far outside the window, the deep search is skipped (M. Buro, "ProbCut: an effective selective extension of the
//! alpha-beta algorithm", ICCA Journal 18, 1995).

use super::node::Node;
use super::patterns::{MOST, Patterns};
use super::solver::Solver;

/// The least depth of a node that may be cut: a ply less has no shallower search of its parity.
const FROM: u32 = 2;
/// The required distance from the window, in hundredths of a standard deviation.
const CAUTION: i32 = 75;

/// The depth of the shallow search with which ProbCut predicts a search of this depth.
pub fn shallow_depth(depth: u32) -> u32 {
    // The depths have the same parity, because the evaluations of odd and even depths differ.
    match depth {
        0..=5 => depth % 2,
        6..=9 => 2 + depth % 2,
        10..=13 => 4 + depth % 2,
        _ => 6 + depth % 2,
    }
}

/// The standard deviation of a deep search from a shallow one with this many empty squares, in hundredths of a disc,
/// as `lab reversi-train deviations` measures it: a few plies change little early in a game and much late.
fn deviation(depth: u32, empties: u32) -> i32 {
    let late = match depth {
        0..=2 => 560,
        3 => 480,
        4 => 680,
        5 => 640,
        _ => 440 + 32 * (depth - shallow_depth(depth)) as i32,
    };
    late * SHARES[(empties as usize / 8).min(SHARES.len() - 1)] / 100
}

/// The deviation with 0 to 7 empty squares, with 8 to 15 and so on, in hundredths of that with 8 to 15.
const SHARES: [i32; 7] = [110, 100, 77, 60, 50, 49, 36];

/// A likely bound of the node's score from a shallow search, if it lies outside the null window above `alpha`.
pub(super) fn cut(
    solver: &mut Solver<'_>,
    patterns: &Patterns,
    node: &Node,
    depth: u32,
    alpha: i32,
) -> Option<i32> {
    if depth < FROM {
        return None;
    }
    let empties = node.board.empties();
    let margin = deviation(depth, empties) * CAUTION / 100;
    let now = patterns.judge(&node.ways, empties) + solver.error(node.board);
    let mut search = |alpha| match shallow_depth(depth) {
        0 => now,
        ahead => solver.pvs(patterns, node, ahead, alpha, alpha + 1),
    };
    let (high, low) = (alpha + 1 + margin, alpha - margin);
    // The search is made only if it is likely to succeed.
    if now > alpha && high < MOST {
        let score = search(high - 1);
        return (score >= high && !solver.stopped).then_some(alpha + 1);
    }
    if now <= alpha && low > -MOST {
        let score = search(low);
        return (score <= low && !solver.stopped).then_some(alpha);
    }
    None
}
