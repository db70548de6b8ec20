//! The moves that a side has, counted without a list.

use super::generator::with_board;
use super::position::DraughtsPosition;
use super::variant::Variant;
use crate::vocab::Side;

impl<V: Variant> DraughtsPosition<V> {
    /// The number of moves of a side here, or of the side if it were to move.
    #[inline]
    pub fn count_moves(&self, side: Side) -> u32 {
        with_board!(self, side, board => match board.must_capture() {
            true => board.count_captures(),
            false if self.is_king_against_king() => 0,
            false => board.count_steps(),
        })
    }

    /// The men of a side that can step, were no capture compulsory.
    #[inline]
    pub fn can_step(&self, side: Side) -> u64 {
        with_board!(self, side, board => board.steppers())
    }

    /// Whether the side to move must capture.
    #[inline]
    pub fn must_capture(&self) -> bool {
        with_board!(self, self.turn, board => board.must_capture())
    }
}
