//! A dark square of a board.

use std::fmt;
use std::marker::PhantomData;

use super::board::{Geometry, Width};
use super::variant::Variant;

/// A dark square, counted from 1 in reading order with Black's home at the top. Its text form is its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square<V> {
    /// The position of its bit.
    index: u8,
    variant: PhantomData<V>,
}

impl<V: Width> Square<V> {
    /// The square of this number.
    pub const fn new(number: u8) -> Option<Self> {
        match Geometry::<V>::bit(number as u32) {
            0 => None,
            // Below 64.
            bit => Some(Self::from_index(bit.trailing_zeros() as u8)),
        }
    }

    /// The square at this position of the bitboards.
    #[inline(always)]
    pub(super) const fn from_index(index: u8) -> Self {
        Self {
            index,
            variant: PhantomData,
        }
    }

    /// The number, in reading order with Black's home at the top.
    #[inline]
    pub const fn number(self) -> u8 {
        // Below 16.
        self.index - self.index / (2 * V::ROW as u8 + 1) + 1
    }

    /// The row, 0 for that of Black's home.
    #[inline]
    pub const fn row(self) -> u8 {
        // Below 8.
        (self.number() - 1) / V::ROW as u8
    }

    /// The position of its bit.
    #[inline(always)]
    pub(super) const fn index(self) -> u8 {
        self.index
    }

    /// The bit set with only this square.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        1 << (self.index & 63)
    }
}

impl<V: Variant> fmt::Display for Square<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl<V: Variant> fmt::Debug for Square<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
