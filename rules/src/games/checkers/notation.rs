//! The position string, the FEN of PDN: side to move, White's pieces, Black's pieces.

use std::fmt::{self, Write};
use std::str::FromStr;

use super::CheckersPosition;
use super::board::Square;
use crate::error::{PositionError, PositionFault};
use crate::kind::GameKind;
use crate::vocab::{BySide, Side};

/// The order in which the lists are printed.
const PRINTED: [Side; 2] = [Side::Second, Side::First];

impl fmt::Display for CheckersPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::from(GameKind::Checkers.side_code(self.turn));
        for side in PRINTED {
            text.push(':');
            text.push_str(GameKind::Checkers.side_code(side));
            let on = |squares: u64| move |square: &Square| squares & square.bit() != 0;
            for (i, square) in Square::all().filter(on(self.pieces[side])).enumerate() {
                let comma = if i > 0 { "," } else { "" };
                let crown = if on(self.kings)(&square) { "K" } else { "" };
                write!(text, "{comma}{crown}{square}")?;
            }
        }
        f.pad(&text)
    }
}

impl FromStr for CheckersPosition {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let mut reader = Reader {
            text: text.as_bytes(),
            at: 0,
            pieces: BySide::new(0, 0),
            kings: 0,
        };
        let turn = match reader.next()? {
            b'B' => Side::First,
            b'W' => Side::Second,
            _ => return Err(reader.fault(PositionFault::UnknownSide)),
        };
        reader.at += 1;
        let first = reader.list(None)?;
        reader.list(Some(first))?;
        match reader.peek() {
            None => Ok(Self::new(reader.pieces, reader.kings, turn)),
            Some(_) => Err(reader.fault(PositionFault::TrailingText)),
        }
    }
}

/// The text, the offset of the reader, and the pieces read so far.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    pieces: BySide<u64>,
    kings: u64,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn next(&self) -> Result<u8, PositionError> {
        self.peek().ok_or(self.fault(PositionFault::EndsEarly))
    }

    fn fault(&self, why: PositionFault) -> PositionError {
        PositionError { at: self.at, why }
    }

    /// Reads a colon and the list of one side, which must not be the side of the `earlier` list;
    /// returns that side.
    fn list(&mut self, earlier: Option<Side>) -> Result<Side, PositionError> {
        self.exactly(b':')?;
        let side = match self.next()? {
            b'B' => Side::First,
            b'W' => Side::Second,
            _ => return Err(self.fault(PositionFault::UnexpectedSymbol)),
        };
        if earlier == Some(side) {
            return Err(self.fault(PositionFault::UnexpectedSymbol));
        }
        self.at += 1;
        if !matches!(self.peek(), None | Some(b':')) {
            self.piece(side)?;
            while self.peek() == Some(b',') {
                self.at += 1;
                self.piece(side)?;
            }
        }
        Ok(side)
    }

    fn piece(&mut self, side: Side) -> Result<(), PositionError> {
        let is_king = self.next()? == b'K';
        if is_king {
            self.at += 1;
        }
        let begin = self.at;
        let fault = |why| PositionError { at: begin, why };
        let mut number: u8 = 0;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            // A saturated number stays too large for a square when further digits follow.
            number = number.saturating_mul(10).saturating_add(digit - b'0');
            if number == 0 {
                return Err(self.fault(PositionFault::NoSuchSquare));
            }
            self.at += 1;
        }
        if self.at == begin {
            self.next()?;
            return Err(self.fault(PositionFault::UnexpectedSymbol));
        }
        let square = Square::new(number).ok_or(fault(PositionFault::NoSuchSquare))?;
        if (self.pieces.first | self.pieces.second) & square.bit() != 0 {
            return Err(fault(PositionFault::RepeatedSquare));
        }
        if !is_king && Self::crowns(side, square) {
            return Err(fault(PositionFault::UncrownedMan));
        }
        self.pieces[side] |= square.bit();
        if is_king {
            self.kings |= square.bit();
        }
        Ok(())
    }

    fn crowns(side: Side, square: Square) -> bool {
        CheckersPosition::far_row(side) & square.bit() != 0
    }

    fn exactly(&mut self, symbol: u8) -> Result<(), PositionError> {
        if self.next()? != symbol {
            return Err(self.fault(PositionFault::UnexpectedSymbol));
        }
        self.at += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
