//! The board of the solver: the discs of the side to move and those of the other side, without
//! colours.

use mawe_rules::games::reversi::{ReversiPosition, board};
use mawe_rules::{Position, Side};

/// A pass in a line of squares.
pub const PASS: u32 = 64;

/// Two sets of squares; a1 is the lowest bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Board {
    /// The discs of the side to move.
    pub own: u64,
    /// The discs of the other side.
    pub other: u64,
}

impl Board {
    /// The board of a position.
    pub fn of(pos: &ReversiPosition) -> Self {
        let side: Side = pos.turn();
        Self {
            own: pos.discs(side),
            other: pos.discs(side.other()),
        }
    }

    /// The squares without a disc.
    #[inline(always)]
    pub fn empty(self) -> u64 {
        !(self.own | self.other)
    }

    /// The number of squares without a disc.
    #[inline(always)]
    pub fn empties(self) -> u32 {
        self.empty().count_ones()
    }

    /// The squares on which the side to move can place a disc.
    #[inline(always)]
    pub fn placements(self) -> u64 {
        board::placements(self.own, self.other)
    }

    /// The discs that a disc on the empty square with this index turns over.
    #[inline(always)]
    pub fn flips(self, square: u32) -> u64 {
        board::flips(self.own, self.other, square as usize)
    }

    /// The board after a disc on this square, from the view of the other side.
    #[inline(always)]
    pub fn play(self, square: u32, flips: u64) -> Self {
        Self {
            own: self.other & !flips,
            other: self.own | flips | (1 << (square & 63)),
        }
    }

    /// The board after a pass, from the view of the other side.
    #[inline(always)]
    pub fn pass(self) -> Self {
        Self {
            own: self.other,
            other: self.own,
        }
    }

    /// The discs of the side to move less those of the other; with `FILL` the winner also gets the
    /// empty squares, as tournaments and test positions count.
    #[inline(always)]
    pub fn margin<const FILL: bool>(self) -> i32 {
        let lead = self.own.count_ones() as i32 - self.other.count_ones() as i32;
        match FILL {
            true => lead + lead.signum() * self.empties() as i32,
            false => lead,
        }
    }

    /// A key for tables, well mixed in all its bits. `salt` separates entries of different kinds.
    #[inline(always)]
    pub fn key(self, salt: u64) -> u64 {
        let own = (self.own ^ salt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let other = self.other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        let mixed = (own ^ (own >> 29)).wrapping_add(other.rotate_left(32) ^ other);
        let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^ (mixed >> 32)
    }
}

/// The squares of a set, the lowest first.
#[inline(always)]
pub(crate) fn squares(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| set.trailing_zeros());
        set &= set.wrapping_sub(1);
        square
    })
}

pub(crate) const CORNERS: u64 = 0x8100_0000_0000_0081;
const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = 0x8080_8080_8080_8080;

/// The squares of a set and their neighbours, in all eight directions.
#[inline(always)]
pub(crate) const fn around(set: u64) -> u64 {
    let row = set | ((set & !FILE_A) >> 1) | ((set & !FILE_H) << 1);
    row | (row << 8) | (row >> 8)
}

/// The quarters of the board, four squares by four, that hold an odd number of squares of the set, as
/// sets of whole quarters.
#[inline(always)]
pub(crate) fn odd_quarters(set: u64) -> u64 {
    let mut fold = set ^ (set >> 1);
    fold ^= fold >> 2;
    fold ^= fold >> 8;
    fold ^= fold >> 16;
    (fold & 0x0000_0011_0000_0011).wrapping_mul(0x0f0f_0f0f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_are_told_by_their_parity() {
        assert_eq!(odd_quarters(1), 0x0f0f_0f0f);
        assert_eq!(odd_quarters(0b11), 0);
        assert_eq!(odd_quarters(1 << 63), 0xf0f0_f0f0_0000_0000);
        assert_eq!(
            odd_quarters((1 << 4) | (1 << 35) | (0b111 << 56)),
            0xf0f0_f0f0
        );
    }

    #[test]
    fn neighbours_do_not_wrap() {
        assert_eq!(around(1 << 7), 0xc0c0);
        assert_eq!(around(1 << 56), 0x0303 << 48);
    }

    #[test]
    fn the_winner_gets_what_is_left_only_where_that_is_asked() {
        let board = Board {
            own: 0b111,
            other: 0b1000,
        };
        assert_eq!((board.margin::<false>(), board.margin::<true>()), (2, 62));
        let even = Board { own: 1, other: 2 };
        assert_eq!((even.margin::<false>(), even.margin::<true>()), (0, 0));
    }
}
