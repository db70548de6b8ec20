//! The result of a search of one game.

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<M> {
    /// The best move.
    pub best: M,
    /// Its score in hundredths from the view of the side to move; beyond [`WIN_BOUND`](super::WIN_BOUND) it is a win or
    /// a loss.
    pub score: i32,
    /// Whether the score is the exact result, to which no evaluation contributed.
    pub proven: bool,
    /// The deepest iteration that was finished, in plies; 0 if there was no time for any.
    pub depth: u32,
    /// The number of positions visited.
    pub nodes: u64,
    /// The written slots of the table, per thousand.
    pub table_permille: u32,
    /// The principal variation, beginning with `best`.
    pub pv: Vec<M>,
}
