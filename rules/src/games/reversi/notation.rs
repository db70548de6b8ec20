//! The position string: 64 squares, a1 first, then the side to move.

use std::fmt;
use std::str::FromStr;

use super::ReversiPosition;
use crate::error::{PositionError, PositionFault};
use crate::kind::GameKind;
use crate::square::Square;
use crate::vocab::{BySide, Side};

impl fmt::Display for ReversiPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(66);
        for square in Square::all() {
            let on = |side| self.discs[side] & square.bit() != 0;
            text.push(match (on(Side::First), on(Side::Second)) {
                (true, _) => 'X',
                (false, true) => 'O',
                (false, false) => '-',
            });
        }
        text.push(' ');
        text.push_str(GameKind::Reversi.side_code(self.turn));
        f.pad(&text)
    }
}

impl FromStr for ReversiPosition {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let fault = |at, why| Err(PositionError { at, why });
        let text = text.as_bytes();
        let mut discs = BySide::new(0, 0);
        for square in Square::all() {
            let at = square.index();
            match text.get(at) {
                Some(b'X') => discs.first |= square.bit(),
                Some(b'O') => discs.second |= square.bit(),
                Some(b'-') => (),
                Some(b' ') => return fault(at, PositionFault::RowTooShort),
                Some(_) => return fault(at, PositionFault::UnexpectedSymbol),
                None => return fault(at, PositionFault::EndsEarly),
            }
        }
        match text.get(64) {
            Some(b' ') => (),
            Some(b'X' | b'O' | b'-') => return fault(64, PositionFault::RowTooLong),
            Some(_) => return fault(64, PositionFault::UnexpectedSymbol),
            None => return fault(64, PositionFault::EndsEarly),
        }
        let turn = match text.get(65) {
            Some(b'X') => Side::First,
            Some(b'O') => Side::Second,
            Some(_) => return fault(65, PositionFault::UnknownSide),
            None => return fault(65, PositionFault::EndsEarly),
        };
        match text.len() {
            66 => Ok(Self::new(discs, turn)),
            _ => fault(66, PositionFault::TrailingText),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_and_where() {
        let empty = "-".repeat(64);
        let cases = [
            (String::new(), 0, PositionFault::EndsEarly),
            ("-X".to_owned(), 2, PositionFault::EndsEarly),
            ("-x".to_owned(), 1, PositionFault::UnexpectedSymbol),
            ("-X X".to_owned(), 2, PositionFault::RowTooShort),
            (empty.clone(), 64, PositionFault::EndsEarly),
            (format!("{empty}X"), 64, PositionFault::RowTooLong),
            (format!("{empty}é"), 64, PositionFault::UnexpectedSymbol),
            (format!("{empty} "), 65, PositionFault::EndsEarly),
            (format!("{empty} B"), 65, PositionFault::UnknownSide),
            (format!("{empty} X "), 66, PositionFault::TrailingText),
        ];
        for (text, at, why) in cases {
            let refused = text.parse::<ReversiPosition>();
            assert_eq!(refused, Err(PositionError { at, why }), "{text:?}");
        }
    }
}
