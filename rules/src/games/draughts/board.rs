//! Squares as bits, laid out so that each diagonal step is one shift.
//!
//! Source of the layout: A. L. Samuel, "Some studies in machine learning using the game of checkers", IBM Journal 3 (1959), appendix A: after
//! every second row one bit is left out, so that a step over the border ends on a bit that is no square.

use std::marker::PhantomData;

use super::path::Path;

/// The width of a board.
pub trait Width {
    /// The squares of a row: half the width of the board.
    const ROW: u32;
    /// A move in one word or a few: its origin and as many landing squares as a capture can have.
    type Landings: Path;
}

/// The board of a width.
pub(super) struct Geometry<V>(PhantomData<V>);

/// The directions: down to the left and to the right, up to the left and to the right, as the rule book draws the board.
pub(super) const ALL: [usize; 4] = [0, 1, 2, 3];
pub(super) const DOWN: [usize; 2] = [0, 1];
pub(super) const UP: [usize; 2] = [2, 3];

impl<V: Width> Geometry<V> {
    /// All squares.
    pub(super) const BOARD: u64 = {
        let mut board = 0;
        let mut number = 1;
        while number <= 2 * V::ROW * V::ROW {
            board |= Self::bit(number);
            number += 1;
        }
        board
    };

    /// The squares of the row of Black's home.
    pub(super) const TOP_ROW: u64 = (1 << V::ROW) - 1;

    /// The squares of the row of White's home.
    pub(super) const BOTTOM_ROW: u64 = {
        let mut row = 0;
        let mut place = 0;
        while place < V::ROW {
            row |= Self::bit(2 * V::ROW * V::ROW - place);
            place += 1;
        }
        row
    };

    /// The bit of the square with a number; of no square for a number that is none.
    #[inline]
    pub(super) const fn bit(number: u32) -> u64 {
        if number == 0 || number > 2 * V::ROW * V::ROW {
            return 0;
        }
        1 << (number - 1 + (number - 1) / (2 * V::ROW))
    }

    /// All squares moved one step; a bit that leaves the board is dropped.
    #[inline(always)]
    pub(super) const fn step(squares: u64, direction: usize) -> u64 {
        Self::shift(squares, direction) & Self::BOARD
    }

    /// All squares moved one step. A square that leaves the board becomes a bit that is no square, or is shifted out.
    #[inline(always)]
    pub(super) const fn shift(squares: u64, direction: usize) -> u64 {
        match direction {
            0 => squares << V::ROW,
            1 => squares << (V::ROW + 1),
            2 => squares >> (V::ROW + 1),
            _ => squares >> V::ROW,
        }
    }

    /// The change of a bit's position by one step.
    #[inline(always)]
    pub(super) const fn offset(direction: usize) -> i8 {
        // At most 6.
        let (near, far) = (V::ROW as i8, V::ROW as i8 + 1);
        match direction {
            0 => near,
            1 => far,
            2 => -far,
            _ => -near,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use super::super::path::{Directions, Squares};
    use super::super::square::Square;

    struct Small;
    struct Large;

    impl Width for Small {
        const ROW: u32 = 4;
        type Landings = Squares<2, 4>;
    }

    impl Width for Large {
        const ROW: u32 = 5;
        type Landings = Squares<4, 5>;
    }

    /// Row and column of a square, RULES-draughts.md section 2.
    fn place<V: Width>(number: u32) -> (i64, i64) {
        let (row, column) = ((number - 1) / V::ROW, (number - 1) % V::ROW);
        let shifted = u32::from(row % 2 == 0);
        (i64::from(row), i64::from(2 * column + shifted))
    }

    fn steps_follow_the_drawing<V: Width>() {
        let squares = 1..=2 * V::ROW * V::ROW;
        for number in squares.clone() {
            let bit = Geometry::<V>::bit(number);
            let (row, column) = place::<V>(number);
            let square = || Square::<V>::from_index(bit.trailing_zeros() as u8);
            assert_eq!(u32::from(square().number()), number);
            assert_eq!((i64::from(square().row()), square().bit()), (row, bit));
            for (direction, (down, right)) in
                ALL.into_iter().zip([(1, -1), (1, 1), (-1, -1), (-1, 1)])
            {
                let wanted = (row + down, column + right);
                let expected = squares.clone().find(|other| place::<V>(*other) == wanted);
                let reached = Geometry::<V>::step(bit, direction);
                assert_eq!(reached, expected.map_or(0, Geometry::<V>::bit), "{number}");
                if reached != 0 {
                    let moved = reached.trailing_zeros() as i32 - bit.trailing_zeros() as i32;
                    assert_eq!(moved, i32::from(Geometry::<V>::offset(direction)));
                }
            }
        }
        let all = squares.fold(0, |set, number| set | Geometry::<V>::bit(number));
        assert_eq!(all, Geometry::<V>::BOARD);
    }

    #[test]
    fn steps_follow_the_drawing_of_both_boards() {
        steps_follow_the_drawing::<Small>();
        steps_follow_the_drawing::<Large>();
    }

    /// The squares that touch no edge of the board.
    fn inner<V: Width>() -> Vec<(i64, i64)> {
        let touches = |at: i64| at == 0 || at == i64::from(2 * V::ROW - 1);
        let squares = (1..=2 * V::ROW * V::ROW).map(place::<V>);
        squares
            .filter(|(row, column)| !touches(*row) && !touches(*column))
            .collect()
    }

    #[test]
    fn a_move_has_room_for_a_landing_behind_each_inner_square() {
        fn jumps<V: Width>() -> usize {
            V::Landings::MOST_JUMPS as usize
        }
        assert_eq!(jumps::<Small>(), inner::<Small>().len());
        assert_eq!(jumps::<Large>(), inner::<Large>().len());
        // A king that moves one step jumps over squares of one parity of row and of column.
        let reached = inner::<Small>();
        let of = |parity| reached.iter().filter(|(row, _)| row % 2 == parity).count();
        assert_eq!(Directions::MOST_JUMPS as usize, of(0).max(of(1)));
    }

    #[test]
    fn no_other_number_has_a_bit() {
        assert_eq!([0, 33, 50].map(Geometry::<Small>::bit), [0; 3]);
        assert_eq!([0, 51].map(Geometry::<Large>::bit), [0; 2]);
    }
}
