//! Scores and conclusions from them.

use mawe_rules::{Outcome, Side};

use crate::eval::MAX_EVALUATION;
use crate::table::{Bound, Entry, SOLVED};

/// The score of a game that is won now; a win in `n` plies scores `WIN - n`.
pub const WIN: i32 = 10_000_000;

/// The least score of a win; its negative is the greatest score of a loss. All differences in
/// points, in hundredths, are smaller.
pub const WIN_BOUND: i32 = WIN - 10_000;

/// The score of a certain win by 0 points in an unknown number of plies; each point, up to a few
/// hundred, adds [`UNIT`]. It is greater than every evaluation.
pub(crate) const KNOWN_WIN: i32 = MAX_EVALUATION + 500_000;
/// The greatest number of points that increase the score of a known win.
const MOST_POINTS: i32 = 400;

/// Greater than every score.
pub(crate) const INFINITE: i32 = WIN + 1;

/// The score of one point, seed, disc, man or stone.
pub(crate) const UNIT: i32 = 100;

/// The value of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Objective {
    /// A win, the sooner the better; a majority that cannot be lost counts as a win.
    #[default]
    Win,
    /// The greatest possible lead in points, in games that count points.
    Points,
}

/// A score and whether it holds at every depth.
#[derive(Clone, Copy)]
pub(crate) struct Value {
    pub(crate) score: i32,
    pub(crate) solved: bool,
}

impl Value {
    /// The value of an aborted search, which has no meaning.
    pub(crate) const NONE: Value = Value {
        score: 0,
        solved: false,
    };

    /// The value from the view of the parent's side to move, which may be the other side.
    #[inline(always)]
    pub(crate) fn seen_by(self, same_side: bool) -> Self {
        Self {
            score: if same_side { self.score } else { -self.score },
            ..self
        }
    }
}

/// The parameters of the search of a node.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    /// Plies still to search.
    pub(crate) depth: u32,
    /// Plies from the root.
    pub(crate) ply: u32,
    /// Scores up to `alpha` are not needed, because another move is as good.
    pub(crate) alpha: i32,
    /// Scores from `beta` on are not needed, because the opponent would avoid the node.
    pub(crate) beta: i32,
}

impl Window {
    /// Whether the window is wider than a null window.
    #[inline(always)]
    pub(crate) fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }
}

/// The score of a win by the ply that is played `ply` plies after the root.
#[inline(always)]
pub(crate) fn fastest_win(ply: u32) -> i32 {
    WIN - (ply as i32 + 1)
}

/// The score of a game that ended `ply` plies after the root, from the view of a side.
#[inline(always)]
pub(crate) fn won_by(winner: Option<Side>, side: Side, ply: u32) -> Value {
    let win = WIN - ply as i32;
    let score = match winner {
        Some(winner) if winner == side => win,
        Some(_) => -win,
        None => 0,
    };
    Value {
        score,
        solved: true,
    }
}

/// The score of a game that ends with a lead of `points`.
#[inline]
pub(crate) fn known(points: i32, objective: Objective) -> i32 {
    match objective {
        Objective::Points => points * UNIT,
        Objective::Win => {
            points.signum() * KNOWN_WIN + points.clamp(-MOST_POINTS, MOST_POINTS) * UNIT
        }
    }
}

/// The bounds of the score, if only bounds on the points are certain and a majority may end the game
/// early.
#[inline]
pub(crate) fn lead(low: i32, high: i32, objective: Objective) -> (i32, i32) {
    let at_least = |points: i32| match (objective, points) {
        (Objective::Win, _) => known(points, objective),
        // A majority is a lead of at least one point.
        (Objective::Points, 1..) => UNIT,
        (Objective::Points, 0) => 0,
        (Objective::Points, _) => -INFINITE,
    };
    (at_least(low), -at_least(-high))
}

/// The points of a side less those of the other, in hundredths; `None` in games without points. A win by equal points counts half
/// a point.
pub(crate) fn margin(outcome: &Outcome, side: Side) -> Option<i32> {
    let score = outcome.score?;
    let lead = i32::from(score[side]) - i32::from(score[side.other()]);
    Some(match outcome.winner {
        Some(winner) if lead == 0 && winner == side => UNIT / 2,
        Some(_) if lead == 0 => -UNIT / 2,
        Some(_) | None => lead * UNIT,
    })
}

/// The value of a node by its table entry, if that suffices to cut it off.
#[inline]
pub(crate) fn usable(entry: Entry, window: Window) -> Option<Value> {
    let Window {
        depth,
        ply,
        alpha,
        beta,
    } = window;
    let solved = entry.depth == SOLVED;
    // In an open window the line is needed as well as the score, so only a solved entry suffices.
    if !solved && (u32::from(entry.depth) < depth || window.is_open()) {
        return None;
    }
    let score = to_root(entry.score, ply);
    let decides = match entry.bound {
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
        Bound::Exact => true,
    };
    decides.then_some(Value { score, solved })
}

/// Converts a score relative to the root into one relative to the node, as the table stores it: the
/// same position may occur at another ply.
#[inline(always)]
pub(crate) fn from_node(score: i32, ply: u32) -> i32 {
    shift_win(score, ply as i32)
}

#[inline(always)]
fn to_root(score: i32, ply: u32) -> i32 {
    shift_win(score, -(ply as i32))
}

#[inline(always)]
fn shift_win(score: i32, plies: i32) -> i32 {
    if score >= WIN_BOUND {
        score + plies
    } else if score <= -WIN_BOUND {
        score - plies
    } else {
        score
    }
}
