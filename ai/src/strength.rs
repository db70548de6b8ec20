//! The parameters of players with errors.

use crate::search::{Features, MAX_DEPTH};
use crate::sight::Sight;

/// The parameters of a level, or of any other player with errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// Deepest iteration, in plies.
    pub depth: u32,
    /// Positions visited; unlike time, this limit on a move's work does not depend on the machine.
    pub nodes: u64,
    /// The chance in percent to overlook a move, for each 100 of difficulty beyond `sure`; 0 overlooks nothing. The difficulty
    /// grows with the length of a move and its distance from the root.
    pub blindness: u32,
    /// The difficulty up to which no move is overlooked.
    pub sure: u32,
    /// The greatest error of the evaluation, in hundredths either way. The strongest levels keep a small error, so that games
    /// differ.
    pub noise: i32,
    /// Whether a line continues until the position is quiet.
    pub calms: bool,
}

impl Strength {
    /// The full strength of the engine, with only a small error so that games differ.
    pub const FULL: Strength = Strength {
        depth: MAX_DEPTH,
        nodes: 1_500_000,
        blindness: 0,
        sure: 0,
        noise: 1,
        calms: true,
    };

    /// The enabled parts of the search.
    pub(crate) fn features(self) -> Features {
        Features {
            quiescence: self.calms,
            ..Features::ALL
        }
    }

    /// The errors of the player with this seed.
    pub(crate) fn sight(self, seed: u64) -> Sight {
        Sight {
            seed,
            blindness: self.blindness,
            sure: self.sure,
            noise: self.noise,
        }
    }
}
