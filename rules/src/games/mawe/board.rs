//! Squares and directions on the 8x8 board, as bits: a1 is bit 0, h1 bit 7, a2 bit 8, h8 bit 63.

use std::fmt;

/// Rank 1, White's home and Black's far rank.
pub(super) const RANK_1: u64 = 0x0000_0000_0000_00ff;
/// Rank 8, Black's home and White's far rank.
pub(super) const RANK_8: u64 = 0xff00_0000_0000_0000;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = 0x8080_8080_8080_8080;

/// A square, a1 to h8. Its text form is file and rank in lower case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square with this index, the low six bits of it: 0 is a1, 1 is b1, 63 is h8.
    #[inline]
    pub(super) const fn from_index(index: u8) -> Self {
        Self(index & 63)
    }

    /// The square on this file and rank, both 0 to 7, if it exists.
    pub(super) fn at(file: i8, rank: i8) -> Option<Self> {
        let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
        on_board.then(|| Self::from_index((rank * 8 + file) as u8))
    }

    /// Reads a file letter and a rank digit.
    pub(super) fn from_text(file: u8, rank: u8) -> Option<Self> {
        match (file, rank) {
            (b'a'..=b'h', b'1'..=b'8') => Some(Self((rank - b'1') * 8 + (file - b'a'))),
            (_, _) => None,
        }
    }

    /// All squares, a1 first, rank by rank.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..64).map(Self)
    }

    /// 0 for a1 to 63 for h8, rank by rank.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask is always a no-op and spares the bounds check of a table of 64.
        (self.0 & 63) as usize
    }

    /// 0 for file a to 7 for file h.
    #[inline]
    pub const fn file(self) -> i8 {
        (self.0 & 7) as i8
    }

    /// 0 for rank 1 to 7 for rank 8.
    #[inline]
    pub const fn rank(self) -> i8 {
        ((self.0 >> 3) & 7) as i8
    }

    /// The set of this square alone.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'a' + (self.0 & 7));
        let rank = char::from(b'1' + ((self.0 >> 3) & 7));
        write!(f, "{file}{rank}")
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A direction in which stones move, as White sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    UpLeft,
    UpRight,
    DownLeft,
    DownRight,
    Left,
    Right,
}

impl Direction {
    /// All squares one step further; what would leave the board is gone.
    #[inline(always)]
    pub(super) const fn step(self, squares: u64) -> u64 {
        match self {
            Direction::UpLeft => (squares & !FILE_A) << 7,
            Direction::UpRight => (squares & !FILE_H) << 9,
            Direction::DownLeft => (squares & !FILE_A) >> 9,
            Direction::DownRight => (squares & !FILE_H) >> 7,
            Direction::Left => (squares & !FILE_A) >> 1,
            Direction::Right => (squares & !FILE_H) << 1,
        }
    }

    /// By how much one step changes a square's index.
    #[inline(always)]
    pub(super) const fn offset(self) -> i8 {
        match self {
            Direction::UpLeft => 7,
            Direction::UpRight => 9,
            Direction::DownLeft => -9,
            Direction::DownRight => -7,
            Direction::Left => -1,
            Direction::Right => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_agree_with_offsets_and_never_wrap() {
        let deltas = [
            (Direction::UpLeft, -1, 1),
            (Direction::UpRight, 1, 1),
            (Direction::DownLeft, -1, -1),
            (Direction::DownRight, 1, -1),
            (Direction::Left, -1, 0),
            (Direction::Right, 1, 0),
        ];
        for square in Square::all() {
            for (direction, file, rank) in deltas {
                let next = Square::at(square.file() + file, square.rank() + rank);
                assert_eq!(direction.step(square.bit()), next.map_or(0, Square::bit));
                if let Some(next) = next {
                    let offset = i32::from(direction.offset());
                    assert_eq!(next.index() as i32 - square.index() as i32, offset);
                }
            }
        }
    }
}
