//! Squares of the 8x8 board, as bits: a1 is bit 0, h1 bit 7, a2 bit 8, h8 bit 63.

use std::fmt;

/// A square, a1 to h8. Its text form is file and rank in lower case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square with the index in the low six bits of `index`: 0 is a1, 1 is b1, 63 is h8.
    #[inline]
    pub const fn from_index(index: u8) -> Self {
        Self(index & 63)
    }

    /// The square on this file and rank, both 0 to 7, if it exists.
    pub(crate) fn at(file: i8, rank: i8) -> Option<Self> {
        let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
        on_board.then(|| Self::from_index((rank * 8 + file) as u8))
    }

    /// Reads a file letter and a rank digit.
    pub(crate) fn from_text(file: u8, rank: u8) -> Option<Self> {
        match (file, rank) {
            (b'a'..=b'h', b'1'..=b'8') => Some(Self((rank - b'1') * 8 + (file - b'a'))),
            (_, _) => None,
        }
    }

    /// All squares, a1 first, rank by rank.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..64).map(Self)
    }

    /// The index, 0 for a1 to 63 for h8, rank by rank.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask never changes the value; it spares the bounds check of a table of 64.
        (self.0 & 63) as usize
    }

    /// The file, 0 for a to 7 for h.
    #[inline]
    pub const fn file(self) -> i8 {
        (self.0 & 7) as i8
    }

    /// The rank, 0 for 1 to 7 for 8.
    #[inline]
    pub const fn rank(self) -> i8 {
        ((self.0 >> 3) & 7) as i8
    }

    /// The bit set with only this square.
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
