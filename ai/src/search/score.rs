//! Scores, and what may be concluded from them.

use mawe_rules::{Outcome, Side};

use crate::table::{Bound, Entry, SOLVED};

/// The score of a game won now; one won `n` plies from here scores `WIN - n`.
pub const WIN: i32 = 1_000_000;

/// Scores from here on are won, and from its negative down lost, whatever else is played.
pub const WIN_BOUND: i32 = WIN - 10_000;

/// Beyond every score.
pub(crate) const INFINITE: i32 = WIN + 1;

/// A score and whether it holds at every depth.
#[derive(Clone, Copy)]
pub(crate) struct Value {
    pub(crate) score: i32,
    pub(crate) solved: bool,
}

impl Value {
    /// The same value, if need be from the other side's view.
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

/// The score of a win with the very move that is made `ply` plies after the root.
pub(crate) fn fastest_win(ply: u32) -> i32 {
    WIN - (ply as i32 + 1)
}

/// The score of a finished game from the view of a side, `ply` plies after the root.
pub(crate) fn result(outcome: Outcome, side: Side, ply: u32) -> Value {
    let win = WIN - ply as i32;
    let score = match outcome.winner {
        Some(winner) if winner == side => win,
        Some(_) => -win,
        None => 0,
    };
    Value {
        score,
        solved: true,
    }
}

/// What an entry says of a node, if that is enough to leave it.
pub(crate) fn usable(entry: Entry, window: Window) -> Option<Value> {
    let Window {
        depth,
        ply,
        alpha,
        beta,
    } = window;
    let solved = entry.depth == SOLVED;
    // Within an open window the line is wanted as well as the score, so only the final word counts.
    if !solved && (u32::from(entry.depth) < depth || beta - alpha > 1) {
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
pub(crate) fn from_node(score: i32, ply: u32) -> i32 {
    shift_win(score, ply as i32)
}

fn to_root(score: i32, ply: u32) -> i32 {
    shift_win(score, -(ply as i32))
}

fn shift_win(score: i32, plies: i32) -> i32 {
    if score >= WIN_BOUND {
        score + plies
    } else if score <= -WIN_BOUND {
        score - plies
    } else {
        score
    }
}
