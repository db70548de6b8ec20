//! The edge: the one place that asks which game it is.

use mawe_rules::{AnyMove, AnyPosition};

use crate::error::ThinkError;
use crate::limits::Limits;
use crate::search::{Found, search_seeing};
use crate::sight::Sight;

/// What the engine has to say of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The best move.
    pub best: AnyMove,
    /// Its score in hundredths from the view of the side to move; a win in `n` plies is
    /// [`WIN`](crate::search::WIN)` - n`, a loss the negative of that.
    pub score: i32,
    /// Whether the score is the exact result.
    pub proven: bool,
    /// The deepest iteration that was finished, in plies; 0 if there was no time for any.
    pub depth: u32,
    /// The number of positions visited.
    pub nodes: u64,
    /// The line expected, `best` first.
    pub pv: Vec<AnyMove>,
}

/// Finds the best move within the limits.
///
/// # Errors
///
/// [`ThinkError::GameOver`] if there is no move to find.
pub fn think(pos: &AnyPosition, limits: &Limits) -> Result<Thought, ThinkError> {
    think_seeing(pos, limits, None)
}

/// As [`think`], with eyes that overlook moves.
pub(crate) fn think_seeing(
    pos: &AnyPosition,
    limits: &Limits,
    sight: Option<Sight>,
) -> Result<Thought, ThinkError> {
    match pos {
        AnyPosition::Mawe(pos) => search_seeing(pos, limits, sight).map(thought),
        AnyPosition::Reversi(pos) => search_seeing(pos, limits, sight).map(thought),
        AnyPosition::Checkers(pos) => search_seeing(pos, limits, sight).map(thought),
        AnyPosition::Kalah(pos) => search_seeing(pos, limits, sight).map(thought),
        AnyPosition::Oware(pos) => search_seeing(pos, limits, sight).map(thought),
        AnyPosition::Congkak(pos) => search_seeing(pos, limits, sight).map(thought),
    }
}

fn thought<M: Copy + Into<AnyMove>>(found: Found<M>) -> Thought {
    Thought {
        best: found.best.into(),
        score: found.score,
        proven: found.proven,
        depth: found.depth,
        nodes: found.nodes,
        pv: found.pv.into_iter().map(M::into).collect(),
    }
}
