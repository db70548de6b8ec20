//! A position: the pieces and the side to move.

use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use super::board::Geometry;
use super::keys::Keys;
use super::variant::{Colour, Variant};
use crate::vocab::{BySide, Side};

/// A position of one game of the family: the pieces, which of them are kings, and the side to move.
///
/// [`Side::First`] has the colour that begins. Any number of pieces may stand anywhere, but a piece of a side on that side's far row is a king.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraughtsPosition<V> {
    pub(super) pieces: BySide<u64>,
    /// The squares of kings, a subset of all pieces.
    pub(super) kings: u64,
    pub(super) turn: Side,
    /// A function of the fields above, updated with every ply.
    pub(super) hash: u64,
    variant: PhantomData<V>,
}

impl<V: Variant> DraughtsPosition<V> {
    /// The position before the first ply.
    pub fn start() -> Self {
        let rows = V::ROW * V::MEN_ROWS;
        let squares = 2 * V::ROW * V::ROW;
        let men = |numbers: std::ops::RangeInclusive<u32>| {
            numbers.fold(0, |set, number| set | Geometry::<V>::bit(number))
        };
        let (black, white) = (men(1..=rows), men(squares - rows + 1..=squares));
        let pieces = match V::BEGINS {
            Colour::White => BySide::new(white, black),
            Colour::Black => BySide::new(black, white),
        };
        Self::new(pieces, 0, Side::First)
    }

    /// The position with these pieces. A square in both sets is the first side's; crowns without a piece are dropped, men on their far row are
    /// crowned.
    pub fn new(pieces: BySide<u64>, kings: u64, turn: Side) -> Self {
        let first = pieces.first & Geometry::<V>::BOARD;
        let pieces = BySide::new(first, pieces.second & Geometry::<V>::BOARD & !first);
        let crowned =
            (pieces.first & V::far_row(Side::First)) | (pieces.second & V::far_row(Side::Second));
        let kings = (kings & (pieces.first | pieces.second)) | crowned;
        Self {
            pieces,
            kings,
            turn,
            hash: Keys::<V>::hash_of(pieces, kings, turn),
            variant: PhantomData,
        }
    }

    /// The side to move. In a finished game, the side that would be next.
    #[inline]
    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// The squares of a side's men and kings, as a bit set of [`square`](DraughtsPosition::square).
    #[inline]
    pub fn pieces(&self, side: Side) -> u64 {
        self.pieces[side]
    }

    /// The squares of all kings, as a bit set.
    #[inline]
    pub fn kings(&self) -> u64 {
        self.kings
    }

    /// The bit of the square with a number, counted from 1; 0 for a number of no square.
    pub const fn square(number: u32) -> u64 {
        Geometry::<V>::bit(number)
    }

    /// Whether the piece on the square with a number is a king.
    pub fn is_king(&self, square: u8) -> bool {
        self.kings & Geometry::<V>::bit(u32::from(square)) != 0
    }

    /// Whether kings alone, one on each side, are a draw here unless there is a capture.
    #[inline(always)]
    pub(super) fn is_king_against_king(&self) -> bool {
        let single = |side: Side| {
            let pieces = self.pieces[side];
            pieces & !self.kings == 0 && pieces.count_ones() == 1
        };
        V::KING_AGAINST_KING_IS_DRAWN && Side::ALL.into_iter().all(single)
    }
}

// Equal positions have equal hashes, and the Zobrist hash is already well mixed.
impl<V> Hash for DraughtsPosition<V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}
