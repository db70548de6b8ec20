//! A position of Bao.

use super::board::{Board, Half, Stage};
use super::moves::BaoMove;
use super::ply;
use super::ring::{PITS, Pit};
use super::step::BaoStep;
use crate::vocab::Side;

/// A position of Bao: the seeds, the owned houses, the takasia-ed pit and the side to move.
///
/// Its text form is the position string of RULES-bao.md section 12.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaoPosition {
    /// The board from the view of the side to move.
    pub(super) board: Board,
    pub(super) turn: Side,
}

impl BaoPosition {
    /// The stage of the next ply.
    #[inline]
    pub fn stage(&self) -> Stage {
        self.board.stage()
    }

    /// The seeds in a side's pits, in the order of [`Pit::ALL`].
    pub fn pits(&self, side: Side) -> [u8; PITS] {
        let half = self.half(side);
        Pit::ALL.map(|pit| half.get(pit))
    }

    /// The seeds in a side's store (*ghala*).
    pub fn store(&self, side: Side) -> u8 {
        self.half(side).store
    }

    /// Whether a side still owns its house.
    pub fn owns_house(&self, side: Side) -> bool {
        self.half(side).owns_house
    }

    /// The front pit of the side to move that is takasia-ed (RULES-bao.md section 9).
    pub fn takasia(&self) -> Option<Pit> {
        self.board.takasia
    }

    /// What happens in a ply, in order. `m` must be legal here; otherwise the steps are
    /// unspecified, but the method does not panic.
    pub fn steps(&self, m: BaoMove) -> Vec<BaoStep> {
        let mut steps = Vec::new();
        ply::play(&mut self.board.clone(), m, |step| steps.push(step));
        steps
    }

    /// The number of seeds that a ply sows, the seed from the store not counted. `m` must be legal here; otherwise the number is
    /// unspecified, but the method does not panic.
    pub fn sown(&self, m: BaoMove) -> u16 {
        let mut sown = 0;
        ply::play(&mut self.board.clone(), m, |step| {
            if let BaoStep::Sow { seeds, .. } = step {
                sown += u16::from(seeds);
            }
        });
        sown
    }

    /// The seeds that the opening of a legal move captures; 0 for a takata.
    #[inline]
    pub fn opening_capture(&self, m: BaoMove) -> u8 {
        self.board.captured_first(m)
    }

    /// The seeds of the largest capture that could open a ply of `side`, were it to move; 0 without one.
    #[inline]
    pub fn largest_opening_capture(&self, side: Side) -> u8 {
        if side == self.turn {
            self.board.largest_capture()
        } else {
            self.board.turned().largest_capture()
        }
    }

    /// All but the seeds on the board, as one word.
    pub(super) fn rest(&self) -> u64 {
        let (mover, opponent) = (&self.board.mover, &self.board.opponent);
        let takasia = self.board.takasia.map_or(0, Pit::number);
        u64::from_le_bytes([
            self.turn as u8,
            mover.store,
            opponent.store,
            u8::from(mover.owns_house),
            u8::from(opponent.owns_house),
            takasia,
            0,
            0,
        ])
    }

    pub(super) fn half(&self, side: Side) -> &Half {
        if side == self.turn {
            &self.board.mover
        } else {
            &self.board.opponent
        }
    }
}
