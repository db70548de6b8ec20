//! The weights of a board, for the fit of new ones.

use super::board::Board;
use super::patterns::{ANCHORS, LAYOUT, PLACES, STAGE, between, stage};

/// The weights that the evaluation of a board adds up, by their places in the list of all weights, which has those of one anchor
/// after those of the other.
#[derive(Clone, Debug)]
pub struct BoardWeights {
    classes: [u32; PLACES],
    /// The offsets of its anchors' weights, and the share of the second anchor.
    low: u32,
    high: u32,
    share: f32,
    stage: u8,
}

impl BoardWeights {
    /// The weights of a board.
    pub fn of(board: Board) -> Self {
        let stage = stage(board.empties());
        let (low, high, share) = between(stage);
        Self {
            classes: LAYOUT.classes(&LAYOUT.ways(board)),
            low: (low * LAYOUT.classes) as u32,
            high: (high * LAYOUT.classes) as u32,
            share,
            stage: stage as u8,
        }
    }

    /// The number of all weights.
    pub fn count() -> usize {
        LAYOUT.classes * ANCHORS.len()
    }

    /// The fewest empty squares of the boards of the same stage of a game.
    pub fn fewest_empties(&self) -> u32 {
        STAGE * u32::from(self.stage)
    }

    /// The places of the weights, and their shares.
    pub fn places(&self) -> impl Iterator<Item = (usize, f32)> {
        let (low, high, share) = (self.low, self.high, self.share);
        self.classes.iter().flat_map(move |class| {
            [
                ((low + class) as usize, 1.0 - share),
                ((high + class) as usize, share),
            ]
        })
    }
}
