//! The parameters of a search.

use mawe_rules::EndgameClocks;

use super::features::Features;
use super::score::Objective;
use crate::limits::Limits;
use crate::sight::Sight;
use crate::table::Table;

/// The deepest iteration, in plies.
pub const MAX_DEPTH: u32 = 200;

/// The longest line, in plies: an iteration and the plies after its horizon. It bounds the recursion,
/// hence the stack.
pub(crate) const MAX_PLY: u32 = 300;

/// A position on the path to the searched one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The hash of the position.
    pub(crate) hash: u64,
    /// The number of consecutive quiet plies before it.
    pub(crate) quiet: u32,
}

/// The parameters of a search.
#[derive(Clone, Copy)]
pub(crate) struct SearchOptions<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) features: Features,
    pub(crate) objective: Objective,
    /// The clocks of the limits of endings at the root.
    pub(crate) clocks: EndgameClocks,
    /// Whether a draw has the penalty [`CONTEMPT`](crate::Evaluate::CONTEMPT) of the game.
    pub(crate) contempt: bool,
    pub(crate) threads: usize,
    pub(crate) sight: Option<Sight>,
}

impl<'a> SearchOptions<'a> {
    pub(crate) fn plain(limits: &'a Limits) -> Self {
        Self {
            limits,
            features: Features::ALL,
            objective: Objective::Win,
            clocks: EndgameClocks::default(),
            contempt: false,
            threads: 1,
            sight: None,
        }
    }
}

/// The table and the knowledge of a search.
pub(crate) struct SearchTables<'a, K> {
    /// The transposition table, which may hold entries of earlier searches.
    pub(crate) table: &'a Table,
    /// The knowledge of the game.
    pub(crate) known: &'a K,
}

impl<K> Clone for SearchTables<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for SearchTables<'_, K> {}
