//! American checkers (English draughts), RULES.md section 3: the game of the draughts family with kings that move one square, and with openings.
//!
//! Men move diagonally forward, kings one square in any direction; captures jump, are compulsory and continue as long as possible. A side that
//! cannot move loses. [`Side::First`](crate::Side::First) is Black.

use crate::error::SetupError;
use crate::games::draughts::{self, American, DraughtsMove, DraughtsPosition, Listed};
use crate::games::opening::PlyText;
use crate::games::opening_setup::opening_setup;
use crate::games::options::SetupOptions;
use crate::kind::GameKind;

/// A position of American checkers.
pub type CheckersPosition = DraughtsPosition<American>;

/// A move of American checkers: a step, `9-14`, or a capture with every landing square, `22x15x8`.
pub type CheckersMove = DraughtsMove<American>;

/// A dark square, 1 to 32.
pub type Square = draughts::Square<American>;

opening_setup!(
    /// A setup of American checkers.
    CheckersSetup,
    CheckersPosition,
    PlyText::Moves
);

impl Listed for American {
    const KIND: GameKind = GameKind::Checkers;
    type Setup = CheckersSetup;

    fn set_up(
        setup: &CheckersSetup,
        start: CheckersPosition,
    ) -> Result<CheckersPosition, SetupError> {
        setup.opening().after(start, PlyText::Moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{PositionError, PositionFault};

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
