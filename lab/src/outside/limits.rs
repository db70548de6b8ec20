//! The limits of an engine's move.

use std::time::Duration;

use mawe_rules::{BySide, Side};

/// The time in which an engine must answer without a clock and without a time for the move.
const UNTIMED: Duration = Duration::from_secs(600);

/// The limits of a move. An engine gets those that its protocol can express.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveLimits {
    /// The clocks of both sides.
    pub clocks: Option<Clocks>,
    /// The time for this move.
    pub movetime: Option<Duration>,
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
    /// The number of positions to visit.
    pub nodes: Option<u64>,
}

/// The clocks of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// The time of each clock at the start of the game.
    pub base: Duration,
    /// The time added to a clock after each of its moves. The time left contains the earlier increments.
    pub increment: Duration,
    /// The time left of each side.
    pub left: BySide<Duration>,
}

impl MoveLimits {
    /// Only a time for the move.
    pub fn movetime(movetime: Duration) -> Self {
        Self {
            movetime: Some(movetime),
            ..Self::default()
        }
    }

    /// Only clocks.
    pub fn clocks(clocks: Clocks) -> Self {
        Self {
            clocks: Some(clocks),
            ..Self::default()
        }
    }

    /// The time in which a move of this side is due.
    pub(super) fn due(&self, side: Side) -> Duration {
        let left = self.clocks.map(|clocks| clocks.left[side]);
        let due = [left, self.movetime].into_iter().flatten().min();
        due.unwrap_or(UNTIMED)
    }
}
