//! Squares as bits, laid out so that each diagonal step is one shift: after every second row one bit is left out, so that a step over the
//! border ends on a bit that is no square (the layout of American checkers, for any even width).

use std::fmt::Debug;
use std::marker::PhantomData;

/// The width of a board.
pub trait Width {
    /// The squares of a row: half the width of the board.
    const ROW: u32;
    /// The landing squares of a move, as many as a capture can have: each jumped piece stands on another inner square.
    type Landings: AsRef<[u8]> + AsMut<[u8]> + Copy + Debug + Ord + Send + Sync + 'static;
    /// No landing square: all are 0.
    const NO_LANDING: Self::Landings;
}

/// The inner squares of a board of eight by eight, and of one of ten by ten.
pub(super) const INNER: usize = 18;
pub(super) const INNER_OF_100: usize = 32;

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

    /// The number of the square with a bit.
    #[inline]
    pub(super) const fn number(bit: u64) -> u8 {
        let index = bit.trailing_zeros();
        // At most 50.
        (index - index / (2 * V::ROW + 1) + 1) as u8
    }

    /// All squares moved one step; a bit that leaves the board is dropped.
    #[inline(always)]
    pub(super) const fn step(squares: u64, direction: usize) -> u64 {
        let moved = match direction {
            0 => squares << V::ROW,
            1 => squares << (V::ROW + 1),
            2 => squares >> (V::ROW + 1),
            _ => squares >> V::ROW,
        };
        moved & Self::BOARD
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Small;
    struct Large;

    impl Width for Small {
        const ROW: u32 = 4;
        type Landings = [u8; INNER];
        const NO_LANDING: Self::Landings = [0; INNER];
    }

    impl Width for Large {
        const ROW: u32 = 5;
        type Landings = [u8; INNER_OF_100];
        const NO_LANDING: Self::Landings = [0; INNER_OF_100];
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
            assert_eq!(u32::from(Geometry::<V>::number(bit)), number);
            let (row, column) = place::<V>(number);
            for (direction, (down, right)) in
                ALL.into_iter().zip([(1, -1), (1, 1), (-1, -1), (-1, 1)])
            {
                let wanted = (row + down, column + right);
                let expected = squares.clone().find(|other| place::<V>(*other) == wanted);
                let reached = Geometry::<V>::step(bit, direction);
                assert_eq!(reached, expected.map_or(0, Geometry::<V>::bit), "{number}");
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
    fn inner<V: Width>() -> usize {
        let touches = |at: i64| at == 0 || at == i64::from(2 * V::ROW - 1);
        let squares = (1..=2 * V::ROW * V::ROW).map(place::<V>);
        squares
            .filter(|(row, column)| !touches(*row) && !touches(*column))
            .count()
    }

    #[test]
    fn a_move_has_room_for_a_landing_behind_each_inner_square() {
        assert_eq!(Small::NO_LANDING.len(), inner::<Small>());
        assert_eq!(Large::NO_LANDING.len(), inner::<Large>());
    }

    #[test]
    fn no_other_number_has_a_bit() {
        assert_eq!([0, 33, 50].map(Geometry::<Small>::bit), [0; 3]);
        assert_eq!([0, 51].map(Geometry::<Large>::bit), [0; 2]);
    }
}
