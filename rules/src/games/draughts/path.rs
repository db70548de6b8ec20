//! The words that hold a move: its origin, the number of its jumps and its landing squares. A square is the position of its bit.

use std::fmt::Debug;
use std::hash::Hasher;

/// A move in one word or a few.
pub trait Path: Copy + Debug + Ord + Send + Sync + 'static {
    /// The most jumps.
    const MOST_JUMPS: u32;

    /// The beginning of a move, without landing squares.
    fn begin(origin: u8) -> Self;

    /// Returns this beginning with a step to a square, which lies in a direction.
    fn and_step(self, to: u8, direction: usize) -> Self;

    /// Returns this capture with one more jump, to a square that lies in a direction. There are at most [`MOST_JUMPS`](Path::MOST_JUMPS).
    fn and_jump(self, to: u8, direction: usize) -> Self;

    /// The square of origin.
    fn origin(self) -> u8;

    /// The number of jumps; 0 for a step.
    fn jumps(self) -> u32;

    /// The landing square in a place, counted from 0, after the square before it.
    fn landing(self, before: u8, place: u32) -> u8;

    /// Writes the move to a hasher, on every machine in the same way.
    fn write<H: Hasher>(self, state: &mut H);
}

/// The direction of each jump, for kings that move one step on a board of eight by eight.
///
/// One number holds the square of origin (6 bits), the number of jumps (4 bits, 0 is a step) and the direction of the step or of each jump
/// (2 bits each).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Directions(u32);

/// The positions of the parts of [`Directions`].
const JUMPS_SHIFT: u32 = 6;
const PATH_SHIFT: u32 = 10;

/// The change of a bit's position by one step in each direction.
const OFFSETS: [i8; 4] = [4, 5, -5, -4];

impl Path for Directions {
    /// A jump goes two rows and two columns, so a piece can land on eight squares at most, between which lie nine squares to jump over, each
    /// once.
    const MOST_JUMPS: u32 = 9;

    #[inline(always)]
    fn begin(origin: u8) -> Self {
        Self(u32::from(origin))
    }

    #[inline(always)]
    fn and_step(self, _: u8, direction: usize) -> Self {
        // Two bits.
        Self(self.0 | (direction as u32) << PATH_SHIFT)
    }

    #[inline(always)]
    fn and_jump(self, _: u8, direction: usize) -> Self {
        let shift = PATH_SHIFT + 2 * self.jumps();
        Self((self.0 | (direction as u32) << shift) + (1 << JUMPS_SHIFT))
    }

    #[inline(always)]
    fn origin(self) -> u8 {
        (self.0 & 63) as u8
    }

    #[inline(always)]
    fn jumps(self) -> u32 {
        (self.0 >> JUMPS_SHIFT) & 15
    }

    #[inline(always)]
    fn landing(self, before: u8, place: u32) -> u8 {
        let distance = if self.jumps() == 0 { 1 } else { 2 };
        let direction = self.0 >> (PATH_SHIFT + 2 * place) & 3;
        before.wrapping_add_signed(distance * OFFSETS[direction as usize])
    }

    #[inline]
    fn write<H: Hasher>(self, state: &mut H) {
        state.write_u32(self.0);
    }
}

/// The landing squares themselves, for kings that fly on a board with `ROW` squares in a row.
///
/// Each word holds ten fields of 6 bits, the first one highest: the square of origin, the landing squares and, in the last field, the number
/// of jumps. The order of two captures is that of their paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Squares<const WORDS: usize, const ROW: u32>([u64; WORDS]);

const FIELDS: usize = 10;

impl<const WORDS: usize, const ROW: u32> Squares<WORDS, ROW> {
    const LAST: usize = FIELDS * WORDS - 1;

    /// The word of a field, and the place of the field in it.
    #[inline(always)]
    const fn place(field: usize) -> (usize, usize) {
        // The remainder never changes the word; it spares the bounds check.
        (field / FIELDS % WORDS, 6 * (FIELDS - 1 - field % FIELDS))
    }

    #[inline(always)]
    const fn get(self, field: usize) -> u8 {
        let (word, shift) = Self::place(field);
        (self.0[word] >> shift & 63) as u8
    }

    #[inline(always)]
    fn with(mut self, field: usize, square: u8) -> Self {
        let (word, shift) = Self::place(field);
        self.0[word] |= u64::from(square) << shift;
        self
    }
}

impl<const WORDS: usize, const ROW: u32> Path for Squares<WORDS, ROW> {
    /// The inner squares of the board: each jumped piece stands on another one.
    const MOST_JUMPS: u32 = 2 * (ROW - 1) * (ROW - 1);

    #[inline(always)]
    fn begin(origin: u8) -> Self {
        Self([0; WORDS]).with(0, origin)
    }

    #[inline(always)]
    fn and_step(self, to: u8, _: usize) -> Self {
        self.with(1, to)
    }

    #[inline(always)]
    fn and_jump(mut self, to: u8, _: usize) -> Self {
        let jumps = self.jumps() as usize;
        self.0[WORDS - 1] += 1;
        self.with(1 + jumps, to)
    }

    #[inline(always)]
    fn origin(self) -> u8 {
        self.get(0)
    }

    #[inline(always)]
    fn jumps(self) -> u32 {
        u32::from(self.get(Self::LAST))
    }

    #[inline(always)]
    fn landing(self, _: u8, place: u32) -> u8 {
        self.get(1 + place as usize)
    }

    // One word of the numbers of squares.
    fn write<H: Hasher>(self, state: &mut H) {
        let number = |index: u8| u64::from(index - index / (2 * ROW as u8 + 1) + 1);
        let start = number(self.origin()) << 6 | u64::from(self.jumps());
        let path = (0..self.jumps().max(1)).map(|place| number(self.landing(0, place)));
        state.write_u64(path.fold(start, |word, landing| word << 6 ^ landing));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_origin_landings_and_jumps() {
        fn has_room<const WORDS: usize, const ROW: u32>() {
            let most = Squares::<WORDS, ROW>::MOST_JUMPS as usize;
            assert!(most < Squares::<WORDS, ROW>::LAST);
        }
        has_room::<2, 4>();
        has_room::<4, 5>();
        const {
            assert!(PATH_SHIFT + 2 * Directions::MOST_JUMPS <= u32::BITS);
            assert!(Directions::MOST_JUMPS < 16);
        }
    }

    #[test]
    fn captures_are_in_the_order_of_their_paths() {
        let path = |squares: &[u8]| {
            let begin = Squares::<2, 4>::begin(squares[0]);
            squares[1..].iter().fold(begin, |m, to| m.and_jump(*to, 0))
        };
        let sorted = [
            path(&[3, 9, 20]),
            path(&[3, 10, 1, 8]),
            path(&[3, 10, 2, 7]),
            path(&[4, 1]),
        ];
        assert!(sorted.is_sorted());
        let long: Vec<u8> = (0..19).collect();
        let landings = (0..18).map(|place| path(&long).landing(0, place));
        assert_eq!(landings.collect::<Vec<u8>>(), long[1..]);
        assert_eq!(path(&long).jumps(), 18);
    }
}
