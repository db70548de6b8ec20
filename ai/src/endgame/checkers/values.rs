//! The values of positions, as bytes.

use mawe_rules::Position;
use mawe_rules::games::checkers::CheckersPosition;

use super::index::{Board, MOST};

// A byte is 0 for a draw, 255 if no position has this number, and otherwise one more than the plies to
// the end: a win if they are odd, a loss if even.
pub(super) const DRAW: u8 = 0;
pub(super) const NO_POSITION: u8 = u8::MAX;

/// The outcome of a position with best play by both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckersValue {
    /// The side to move wins in this many plies.
    Win(u32),
    /// Neither side wins.
    Draw,
    /// The side to move loses in this many plies.
    Loss(u32),
}

impl CheckersValue {
    /// The value of a byte; `None` if no position has this number.
    pub(super) fn from_byte(byte: u8) -> Option<Self> {
        match (byte, u32::from(byte)) {
            (NO_POSITION, _) => None,
            (DRAW, _) => Some(Self::Draw),
            (_, byte) if byte % 2 == 0 => Some(Self::Win(byte - 1)),
            (_, byte) => Some(Self::Loss(byte - 1)),
        }
    }
}

/// The values of all positions with few pieces.
#[derive(Clone, Default)]
pub struct CheckersDatabase {
    /// The values, by material and number of the position.
    pub(super) slices: Vec<Option<Vec<u8>>>,
}

impl CheckersDatabase {
    /// The value of a position, if the database has it. It has no position in which only the other
    /// side has no pieces, because such a game ended a ply before.
    #[inline]
    pub fn value(&self, pos: &CheckersPosition) -> Option<CheckersValue> {
        let own = pos.pieces(pos.turn());
        if own == 0 {
            return Some(CheckersValue::Loss(0));
        }
        let all = own | pos.pieces(pos.turn().other());
        if self.slices.is_empty() || all.count_ones() as usize > MOST {
            return None;
        }
        let board = Board::of(pos);
        let material = board.material();
        let slice = self.slices.get(material.place())?.as_ref()?;
        CheckersValue::from_byte(*slice.get(material.rank(&board))?)
    }
}
