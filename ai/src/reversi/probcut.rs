//! ProbCut: what a shallow look says of a node is what a deep one would say, give or take an error
//! that was measured; where that is far outside the window the deep look is spared (M. Buro,
//! "ProbCut: an effective selective extension of the alpha-beta algorithm", ICCA Journal 18, 1995).

use super::midgame::Node;
use super::patterns::{MOST, Patterns};
use super::solver::Solver;

/// Nodes this deep or deeper may be cut.
const FROM: u32 = 4;
/// So many standard deviations outside the window, in hundredths.
const CAUTION: i32 = 80;

/// How deep to look for a cut at this depth.
pub(super) fn shallow(depth: u32) -> u32 {
    // Of the same parity: judgements of odd and even depths differ.
    match depth {
        0..=5 => depth % 2,
        6..=9 => 2 + depth % 2,
        10..=13 => 4 + depth % 2,
        _ => 6 + depth % 2,
    }
}

/// The standard deviation, in hundredths of a disc, of a deep look from a shallow one, as
/// `reversi_train -- deviations` measures it.
fn deviation(depth: u32) -> i32 {
    match shallow(depth) {
        0 => 640,
        1 => 560,
        ahead => 320 + 35 * (depth - ahead) as i32,
    }
}

/// A bound on the node's worth that a shallow look makes likely, if it lies outside the null window
/// above `alpha`.
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
    let margin = deviation(depth) * CAUTION / 100;
    let now = patterns.judge(&node.ways, empties);
    let ahead = shallow(depth);
    let (high, low) = (alpha + 1 + margin, alpha - margin);
    // Only where it is likely to succeed.
    if now > alpha && high < MOST {
        let score = solver.look(patterns, node, ahead, high - 1, high);
        if score >= high && !solver.stopped {
            return Some(alpha + 1);
        }
    } else if now <= alpha && low > -MOST {
        let score = solver.look(patterns, node, ahead, low, low + 1);
        if score <= low && !solver.stopped {
            return Some(alpha);
        }
    }
    None
}
