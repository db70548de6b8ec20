//! Directions on the 8x8 board; for squares as bits see [`Square`](crate::square::Square).

/// Rank 1, White's home and Black's far rank.
pub(super) const RANK_1: u64 = 0x0000_0000_0000_00ff;
/// Rank 8, Black's home and White's far rank.
pub(super) const RANK_8: u64 = 0xff00_0000_0000_0000;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = 0x8080_8080_8080_8080;

/// A direction of movement, from White's view of the board.
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
    /// All squares moved one step; squares that would leave the board are dropped.
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

    /// The change of a square's index by one step.
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
    use crate::square::Square;

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
