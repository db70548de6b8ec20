//! The 32 dark squares as bits, laid out so that each diagonal step is one shift.
//!
//! Source of the layout: A. L. Samuel, "Some studies in machine learning using the game of
//! checkers", IBM Journal 3 (1959), appendix A: after every second row one bit is left out, so that
//! a step over the border ends on a bit that is no square.

use std::fmt;

/// The bits that are squares; 8, 17 and 26 are not.
pub(super) const BOARD: u64 = 0x0007_fbfd_feff;
/// Squares 1 to 4, where White's men are crowned.
pub(super) const TOP_ROW: u64 = 0x0000_0000_000f;
/// Squares 29 to 32, where Black's men are crowned.
pub(super) const BOTTOM_ROW: u64 = 0x0007_8000_0000;
/// Squares 1 to 12, Black's at the start.
pub(super) const BLACK_START: u64 = 0x0000_0000_1eff;
/// Squares 21 to 32, White's at the start.
pub(super) const WHITE_START: u64 = 0x0007_fbc0_0000;

/// The number of squares.
const SQUARES: u8 = 32;

/// A dark square, 1 to 32. Its text form is its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square of this number, 1 to 32.
    pub const fn new(number: u8) -> Option<Self> {
        match number {
            1..=SQUARES => Some(Self(number - 1 + (number - 1) / 8)),
            _ => None,
        }
    }

    /// The number, 1 to 32, in reading order with Black's home at the top.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 - self.0 / 9 + 1
    }

    /// The row, 0 for squares 1 to 4, to 7 for squares 29 to 32.
    #[inline]
    pub const fn row(self) -> u8 {
        (self.number() - 1) / 4
    }

    /// The square with this bit, one of [`BOARD`].
    #[inline]
    pub(super) const fn from_index(index: u8) -> Self {
        Self(index)
    }

    /// All squares in the order of their numbers.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (1..=SQUARES).filter_map(Self::new)
    }

    /// The position of the square's bit, 0 to 34.
    #[inline]
    pub(super) const fn index(self) -> usize {
        // The mask never changes the value; it spares the bounds check of a table of 64.
        (self.0 & 63) as usize
    }

    /// The bit set with only this square.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// The next square in a direction, or `None` at the border.
    #[inline]
    pub(super) fn step(self, direction: Direction) -> Option<Self> {
        let next = direction.step(self.bit()) & BOARD;
        // The shift count is at most 34.
        (next != 0).then(|| Self(next.trailing_zeros() as u8))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A direction of movement, on the board as the rule book draws it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    DownLeft,
    DownRight,
    UpLeft,
    UpRight,
}

impl Direction {
    pub(super) const ALL: [Direction; 4] = [
        Direction::DownLeft,
        Direction::DownRight,
        Direction::UpLeft,
        Direction::UpRight,
    ];

    /// The index in [`ALL`](Direction::ALL), two bits.
    #[inline(always)]
    pub(super) const fn code(self) -> u32 {
        self as u32
    }

    /// The direction whose code is the low two bits of `code`.
    #[inline(always)]
    pub(super) const fn from_code(code: u32) -> Self {
        Self::ALL[(code & 3) as usize]
    }

    /// All squares moved one step. A square that leaves the board becomes a bit that is no square,
    /// or is shifted out.
    #[inline(always)]
    pub(super) const fn step(self, squares: u64) -> u64 {
        match self {
            Direction::DownLeft => squares << 4,
            Direction::DownRight => squares << 5,
            Direction::UpLeft => squares >> 5,
            Direction::UpRight => squares >> 4,
        }
    }

    /// The opposite direction.
    #[inline(always)]
    pub(super) const fn opposite(self) -> Self {
        match self {
            Direction::DownLeft => Direction::UpRight,
            Direction::DownRight => Direction::UpLeft,
            Direction::UpLeft => Direction::DownRight,
            Direction::UpRight => Direction::DownLeft,
        }
    }

    /// The change of a bit's position by one step.
    #[inline(always)]
    pub(super) const fn offset(self) -> i8 {
        match self {
            Direction::DownLeft => 4,
            Direction::DownRight => 5,
            Direction::UpLeft => -5,
            Direction::UpRight => -4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_bits_agree() {
        let mut all = 0;
        for number in 0..=u8::MAX {
            match Square::new(number) {
                Some(square) => {
                    assert_eq!(square.number(), number);
                    assert_eq!(Square::from_index(square.index() as u8), square);
                    all |= square.bit();
                }
                None => assert!(number == 0 || number > 32),
            }
        }
        assert_eq!(all, BOARD);
        let set = |numbers: std::ops::RangeInclusive<u8>| {
            let squares = numbers.filter_map(Square::new);
            squares.fold(0, |set, square| set | square.bit())
        };
        assert_eq!(TOP_ROW, set(1..=4));
        assert_eq!(BOTTOM_ROW, set(29..=32));
        assert_eq!(BLACK_START, set(1..=12));
        assert_eq!(WHITE_START, set(21..=32));
    }

    #[test]
    fn steps_follow_the_drawing() {
        // Columns as drawn: the squares of even rows (squares 1 to 4 are row 0) are one column
        // further right.
        let column = |square: Square| {
            let number = i32::from(square.number()) - 1;
            2 * (number % 4) + i32::from(square.row().is_multiple_of(2))
        };
        for square in Square::all() {
            for direction in Direction::ALL {
                let (down, right) = match direction {
                    Direction::DownLeft => (1, -1),
                    Direction::DownRight => (1, 1),
                    Direction::UpLeft => (-1, -1),
                    Direction::UpRight => (-1, 1),
                };
                let wanted = (i32::from(square.row()) + down, column(square) + right);
                let expected =
                    Square::all().find(|other| (i32::from(other.row()), column(*other)) == wanted);
                assert_eq!(square.step(direction), expected, "{square} {direction:?}");
                if let Some(next) = expected {
                    let offset = i32::from(direction.offset());
                    assert_eq!(next.index() as i32 - square.index() as i32, offset);
                }
                assert_eq!(Direction::from_code(direction.code()), direction);
                assert_eq!(direction.opposite().offset(), -direction.offset());
            }
        }
    }
}
