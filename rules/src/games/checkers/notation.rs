//! The position string.

use std::fmt;
use std::str::FromStr;

use super::CheckersPosition;
use super::board::Square;
use crate::error::PositionError;
use crate::games::draughts_text::{Board, Contents};
use crate::vocab::{BySide, Side};

const BOARD: Board = Board {
    squares: 32,
    bit: |number| Square::new(number).map_or(0, Square::bit),
    white: Side::Second,
    far_rows: BySide::new(
        CheckersPosition::far_row(Side::First),
        CheckersPosition::far_row(Side::Second),
    ),
};

impl fmt::Display for CheckersPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let contents = Contents {
            pieces: self.pieces,
            kings: self.kings,
            turn: self.turn,
        };
        BOARD.write(&contents, f)
    }
}

impl FromStr for CheckersPosition {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let read = BOARD.read(text)?;
        Ok(Self::new(read.pieces, read.kings, read.turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::PositionFault;

    #[test]
    fn a_refusal_says_what_and_where() {
        let cases = [
            ("", 0, PositionFault::EndsEarly),
            ("X:W21:B1", 0, PositionFault::UnknownSide),
            ("B", 1, PositionFault::EndsEarly),
            ("B:W21", 5, PositionFault::EndsEarly),
            ("B:W21:", 6, PositionFault::EndsEarly),
            ("B W21:B1", 1, PositionFault::UnexpectedSymbol),
            ("B:w21:B1", 2, PositionFault::UnexpectedSymbol),
            ("B:W21:W1", 6, PositionFault::UnexpectedSymbol),
            ("B:W21:B1,", 9, PositionFault::EndsEarly),
            ("B:W21:B1:", 8, PositionFault::TrailingText),
            ("B:W21:B1.", 8, PositionFault::TrailingText),
            ("B:W21,:B1", 6, PositionFault::UnexpectedSymbol),
            ("B:WK:B1", 4, PositionFault::UnexpectedSymbol),
            ("B:WK", 4, PositionFault::EndsEarly),
            ("B:Wk21:B1", 3, PositionFault::UnexpectedSymbol),
            ("B:W0:B1", 3, PositionFault::NoSuchSquare),
            ("B:W021:B1", 3, PositionFault::NoSuchSquare),
            ("B:W21:B33", 7, PositionFault::NoSuchSquare),
            ("B:W21:B1,260", 9, PositionFault::NoSuchSquare),
            ("B:W21,21:B1", 6, PositionFault::RepeatedSquare),
            ("B:W21:BK21", 8, PositionFault::RepeatedSquare),
            ("B:W4:B5", 3, PositionFault::UncrownedMan),
            ("B:W21:B29", 7, PositionFault::UncrownedMan),
            ("B:Wé", 3, PositionFault::UnexpectedSymbol),
        ];
        for (text, at, why) in cases {
            let refused = text.parse::<CheckersPosition>();
            assert_eq!(refused, Err(PositionError { at, why }), "{text:?}");
        }
    }

    #[test]
    fn lists_come_in_any_order_and_go_in_one() {
        let cases = [
            ("B:B5,K1:W32,K30", "B:WK30,32:BK1,5"),
            ("W:W10:B", "W:W10:B"),
            ("W:B:W", "W:W:B"),
        ];
        for (text, printed) in cases {
            let pos: CheckersPosition = text.parse().expect("a position");
            assert_eq!(pos.to_string(), printed);
        }
    }
}
