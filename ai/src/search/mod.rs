//! Alpha-beta search with principal variation windows, generic over a game.
//!
//! Sides change by who is to move next, not by the ply, so games with several plies in a row are
//! searched alike. Nothing is pruned that could change the score: at the same depth the score is
//! that of plain minimax.

mod score;
mod searcher;

use crate::error::ThinkError;
use crate::eval::Evaluate;
use crate::limits::Limits;
use crate::sight::Sight;
pub use score::{WIN, WIN_BOUND};
use searcher::Searcher;

/// The deepest iteration, in plies. It bounds the recursion, hence the stack.
pub const MAX_DEPTH: u32 = 200;

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<M> {
    /// The best move.
    pub best: M,
    /// Its score in hundredths from the view of the side to move; beyond [`WIN_BOUND`] either way
    /// it is a win or a loss.
    pub score: i32,
    /// Whether the score is the exact result: no evaluation had a part in it.
    pub proven: bool,
    /// The deepest iteration that was finished, in plies; 0 if there was no time for any.
    pub depth: u32,
    /// The number of positions visited.
    pub nodes: u64,
    /// The line expected, `best` first.
    pub pv: Vec<M>,
}

/// Searches deeper and deeper until a limit is reached or the result is proven.
///
/// # Errors
///
/// [`ThinkError::GameOver`] if there is no move to find.
pub fn search<P: Evaluate>(pos: &P, limits: &Limits) -> Result<Found<P::Move>, ThinkError> {
    search_seeing(pos, limits, None)
}

/// As [`search`], with eyes that overlook moves; nothing is then proven.
pub(crate) fn search_seeing<P: Evaluate>(
    pos: &P,
    limits: &Limits,
    sight: Option<Sight>,
) -> Result<Found<P::Move>, ThinkError> {
    let mut searcher = Searcher::new(limits, sight);
    let mut found = searcher.glance(pos).ok_or(ThinkError::GameOver)?;
    let deepest = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    for depth in 1..=deepest {
        let value = searcher.iterate(pos, depth, found.best);
        let pv = searcher.pv.first().filter(|pv| !pv.is_empty());
        if let Some((pv, best)) = pv.and_then(|pv| Some((pv, *pv.first()?))) {
            // Also of an iteration cut short: its first move is the last iteration's best, so what
            // has replaced that one is better.
            (found.best, found.pv) = (best, pv.clone());
            found.score = searcher.root_score;
        }
        if searcher.stopped {
            found.proven &= found.score.abs() >= WIN_BOUND;
            break;
        }
        found.depth = depth;
        // A win may be known before the nearest one is; within the depth, the nearest is known.
        let decided = (WIN - value.score.abs()) <= depth as i32;
        found.proven = sight.is_none() && (value.solved || value.score.abs() >= WIN_BOUND);
        if value.solved || decided {
            break;
        }
    }
    found.nodes = searcher.nodes;
    searcher.lengthen(pos, &mut found.pv);
    Ok(found)
}
