//! Scores, and what may be concluded from them.

use mawe_rules::{Outcome, Side};

use crate::eval::MAX_EVALUATION;
use crate::table::{Bound, Entry, SOLVED};

/// The score of a game won now; one won `n` plies from here scores `WIN - n`.
pub const WIN: i32 = 10_000_000;

/// Scores from here on are won, and from its negative down lost, whatever else is played. Every
/// difference in points, in hundredths, lies below.
pub const WIN_BOUND: i32 = WIN - 10_000;

/// A game won for certain in nobody knows how many plies, by no points; with each point up to a few
/// hundred it is [`UNIT`] more. It lies beyond every evaluation.
pub(crate) const KNOWN_WIN: i32 = MAX_EVALUATION + 500_000;
/// The points that make a known win better.
const MOST_POINTS: i32 = 400;

/// Beyond every score.
pub(crate) const INFINITE: i32 = WIN + 1;

/// One point, seed, disc, man, stone.
pub(crate) const UNIT: i32 = 100;

/// What a finished game is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Aim {
    /// A win, the sooner the better; a majority that cannot be lost any more is one.
    #[default]
    Win,
    /// As many points more than the opponent as possible, in games that count points.
    Points,
}

/// A score and whether it holds at every depth.
#[derive(Clone, Copy)]
pub(crate) struct Value {
    pub(crate) score: i32,
    pub(crate) solved: bool,
}

impl Value {
    /// What an aborted search says: nothing.
    pub(crate) const NONE: Value = Value {
        score: 0,
        solved: false,
    };

    /// The same value, if need be from the other side's view.
    #[inline(always)]
    pub(crate) fn seen_by(self, same_side: bool) -> Self {
        Self {
            score: if same_side { self.score } else { -self.score },
            ..self
        }
    }
}

/// What is asked of a node.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    /// Plies still to search.
    pub(crate) depth: u32,
    /// Plies from the root.
    pub(crate) ply: u32,
    /// Scores up to this are of no interest, another move is as good;
    pub(crate) alpha: i32,
    /// scores from this on neither, the opponent would not let it come to this.
    pub(crate) beta: i32,
}

impl Window {
    /// Whether more is wanted than on which side of a score the node lies.
    #[inline(always)]
    pub(crate) fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }
}

/// The score of a win with the very move that is made `ply` plies after the root.
#[inline(always)]
pub(crate) fn fastest_win(ply: u32) -> i32 {
    WIN - (ply as i32 + 1)
}

/// The score of a game won or lost or drawn `ply` plies after the root, from the view of a side.
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

/// The score of a game that ends with so many points more than the other side has.
#[inline]
pub(crate) fn known(points: i32, aim: Aim) -> i32 {
    match aim {
        Aim::Points => points * UNIT,
        Aim::Win => points.signum() * KNOWN_WIN + points.clamp(-MOST_POINTS, MOST_POINTS) * UNIT,
    }
}

/// What is between which scores, if all that is certain are bounds on the points, and a majority may
/// end the game before the last is shared out.
#[inline]
pub(crate) fn lead(low: i32, high: i32, aim: Aim) -> (i32, i32) {
    let at_least = |points: i32| match (aim, points) {
        (Aim::Win, _) => known(points, aim),
        // A majority is one point more at least.
        (Aim::Points, 1..) => UNIT,
        (Aim::Points, 0) => 0,
        (Aim::Points, _) => -INFINITE,
    };
    (at_least(low), -at_least(-high))
}

/// The points of a side less those of the other, in hundredths; `None` where points do not count.
pub(crate) fn margin(outcome: &Outcome, side: Side) -> Option<i32> {
    let score = outcome.score?;
    Some((i32::from(score[side]) - i32::from(score[side.other()])) * UNIT)
}

/// What an entry says of a node, if that is enough to leave it.
#[inline]
pub(crate) fn usable(entry: Entry, window: Window) -> Option<Value> {
    let Window {
        depth,
        ply,
        alpha,
        beta,
    } = window;
    let solved = entry.depth == SOLVED;
    // Within an open window the line is wanted as well as the score, so only the final word counts.
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

/// Wins and losses are counted from the root in the search, but from the node in the table, where
/// the same position may be met at another ply.
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
