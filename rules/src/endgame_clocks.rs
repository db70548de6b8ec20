//! The counts of the limits of endings.

/// The greatest number of clocks of a game.
pub(crate) const MOST_CLOCKS: usize = 4;

/// The count of each clock of a game, which draws the game at a limit of its own (RULES-draughts.md section 6); `None` where a clock is
/// off. Most games have no clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndgameClocks {
    pub(crate) counts: [Option<u16>; MOST_CLOCKS],
}

impl EndgameClocks {
    /// The count of the clock with this number, in the order of the game's clocks; `None` where it is off.
    pub fn count(&self, clock: usize) -> Option<u16> {
        self.counts.get(clock).copied().flatten()
    }
}
