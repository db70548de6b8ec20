//! Diagonals.

use super::board::{ALL, DOWN, Geometry, Width};

/// The path from a square to another on a diagonal.
pub(super) struct Line {
    pub(super) direction: usize,
    /// The squares between the two.
    pub(super) between: u64,
}

impl Line {
    /// The path between two squares; `None` where no diagonal has both.
    #[inline]
    pub(super) fn of<V: Width>(from: u64, to: u64) -> Option<Self> {
        let has = |direction: &usize| Geometry::<V>::ray(from, *direction) & to != 0;
        let direction = ALL.into_iter().find(has)?;
        // The directions are in opposite pairs.
        let back = Geometry::<V>::ray(to, 3 - direction);
        Some(Self {
            direction,
            between: Geometry::<V>::ray(from, direction) & back,
        })
    }

    /// The number of steps.
    pub(super) const fn length(&self) -> u32 {
        self.between.count_ones() + 1
    }
}

impl<V: Width> Geometry<V> {
    /// The squares from `from` to the border in each direction, by the position of its bit.
    const RAYS: &'static [[u64; 64]; 4] = &{
        let mut rays = [[0; 64]; 4];
        let mut direction = 0;
        while direction < 4 {
            let mut number = 1;
            while number <= 2 * V::ROW * V::ROW {
                let from = Self::bit(number);
                let mut at = Self::step(from, direction);
                while at != 0 {
                    rays[direction][from.trailing_zeros() as usize] |= at;
                    at = Self::step(at, direction);
                }
                number += 1;
            }
            direction += 1;
        }
        rays
    };

    /// The squares from a square to the border; unspecified for the empty set.
    #[inline(always)]
    pub(super) fn ray(from: u64, direction: usize) -> u64 {
        // The masks never change the values; they spare the bounds checks.
        Self::RAYS[direction & 3][from.trailing_zeros() as usize & 63]
    }

    /// The squares of `empty` from a square up to the next piece.
    #[inline(always)]
    pub(super) fn reach(from: u64, direction: usize, empty: u64) -> u64 {
        let ray = Self::ray(from, direction);
        match first(ray & !empty, direction) {
            0 => ray,
            piece => ray & !(piece | Self::ray(piece, direction)),
        }
    }

    /// The piece among `left` that a flying king on `at` takes in a direction, and the empty squares behind it up to the next piece.
    #[inline]
    pub(super) fn far_jump(at: u64, direction: usize, left: u64, empty: u64) -> Option<(u64, u64)> {
        let over = first(Self::ray(at, direction) & !empty, direction) & left;
        if over == 0 {
            return None;
        }
        let landings = Self::reach(over, direction, empty);
        (landings != 0).then_some((over, landings))
    }

    /// Whether a flying king on `at` takes one of the pieces `left`.
    #[inline]
    pub(super) fn has_far_jump(at: u64, left: u64, empty: u64) -> bool {
        ALL.into_iter()
            .any(|direction| Self::far_jump(at, direction, left, empty).is_some())
    }
}

/// The square of a set that comes first in a direction, where all are on one diagonal; 0 for the empty set.
#[inline(always)]
pub(super) fn first(set: u64, direction: usize) -> u64 {
    if DOWN.contains(&direction) {
        // Down the board the bits grow.
        set & set.wrapping_neg()
    } else if set == 0 {
        0
    } else {
        1 << (63 - set.leading_zeros())
    }
}

/// The squares of a set on one diagonal, one by one, in a direction.
#[inline(always)]
pub(super) fn along(mut set: u64, direction: usize) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let square = first(set, direction);
        set &= !square;
        (square != 0).then_some(square)
    })
}

/// The squares of a set, one by one, in the order of their numbers.
#[inline(always)]
pub(super) fn squares(set: u64) -> impl Iterator<Item = u64> {
    along(set, DOWN[0])
}
