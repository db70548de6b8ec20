//! The position string: ranks 8 to 1, then the side to move, and `d` in the decisive form.

use std::fmt;
use std::str::FromStr;

use super::{Form, MawePosition};
use crate::error::{PositionError, PositionFault};
use crate::kind::GameKind;
use crate::square::Square;
use crate::vocab::{BySide, Side};

/// The mark of the decisive form after the side to move.
const DECISIVE: char = 'd';

impl fmt::Display for MawePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Eight ranks of at most eight characters, seven slashes, a blank, the side and the form.
        let mut text = String::with_capacity(74);
        for rank in (0..8).rev() {
            let mut run = 0;
            for square in (0..8).filter_map(|file| Square::at(file, rank)) {
                match self.symbol(square) {
                    Some(symbol) => {
                        push_run(&mut text, &mut run);
                        text.push(symbol);
                    }
                    None => run += 1,
                }
            }
            push_run(&mut text, &mut run);
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        text.push_str(GameKind::Mawe.side_code(self.turn));
        if self.form == Form::Decisive {
            text.push(DECISIVE);
        }
        f.pad(&text)
    }
}

impl MawePosition {
    fn symbol(&self, square: Square) -> Option<char> {
        let on = |squares: u64| squares & square.bit() != 0;
        let symbol = match (on(self.stones.first), on(self.stones.second)) {
            (true, _) => 'W',
            (false, true) => 'B',
            (false, false) => return None,
        };
        Some(if on(self.pinned) {
            symbol.to_ascii_lowercase()
        } else {
            symbol
        })
    }
}

fn push_run(text: &mut String, run: &mut u8) {
    if *run > 0 {
        text.push(char::from(b'0' + *run));
        *run = 0;
    }
}

impl FromStr for MawePosition {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let mut reader = Reader {
            text: text.as_bytes(),
            at: 0,
        };
        let mut stones = BySide::new(0, 0);
        let mut pinned = 0;
        for rank in (0..8).rev() {
            reader.rank(rank, &mut stones, &mut pinned)?;
            reader.exactly(if rank > 0 { b'/' } else { b' ' })?;
        }
        let turn = reader.side()?;
        let form = reader.form();
        match reader.peek() {
            None => Ok(Self::new(stones, pinned, turn, form)),
            Some(_) => Err(reader.fault(PositionFault::TrailingText)),
        }
    }
}

/// The text and the offset of the reader.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn fault(&self, why: PositionFault) -> PositionError {
        PositionError { at: self.at, why }
    }

    /// Reads the eight squares of a rank, counted from 0.
    fn rank(
        &mut self,
        rank: i8,
        stones: &mut BySide<u64>,
        pinned: &mut u64,
    ) -> Result<(), PositionError> {
        let mut file = 0;
        let mut after_run = false;
        while let Some(symbol) = self.peek() {
            match symbol {
                b'/' | b' ' if file < 8 => return Err(self.fault(PositionFault::RowTooShort)),
                b'/' | b' ' => return Ok(()),
                b'1'..=b'8' if after_run => return Err(self.fault(PositionFault::SplitRun)),
                b'1'..=b'8' => file += (symbol - b'0') as i8,
                b'W' | b'B' | b'w' | b'b' => {
                    let bit = Square::at(file, rank).map_or(0, Square::bit);
                    match symbol.to_ascii_uppercase() {
                        b'W' => stones.first |= bit,
                        _ => stones.second |= bit,
                    }
                    if symbol.is_ascii_lowercase() {
                        *pinned |= bit;
                    }
                    file += 1;
                }
                _ => return Err(self.fault(PositionFault::UnexpectedSymbol)),
            }
            if file > 8 {
                return Err(self.fault(PositionFault::RowTooLong));
            }
            after_run = symbol.is_ascii_digit();
            self.at += 1;
        }
        Err(self.fault(PositionFault::EndsEarly))
    }

    fn exactly(&mut self, symbol: u8) -> Result<(), PositionError> {
        match self.peek() {
            Some(next) if next == symbol => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(self.fault(PositionFault::UnexpectedSymbol)),
            None => Err(self.fault(PositionFault::EndsEarly)),
        }
    }

    fn side(&mut self) -> Result<Side, PositionError> {
        let side = match self.peek() {
            Some(b'w') => Side::First,
            Some(b'b') => Side::Second,
            Some(_) => return Err(self.fault(PositionFault::UnknownSide)),
            None => return Err(self.fault(PositionFault::EndsEarly)),
        };
        self.at += 1;
        Ok(side)
    }

    fn form(&mut self) -> Form {
        if self.peek().map(char::from) != Some(DECISIVE) {
            return Form::Standard;
        }
        self.at += 1;
        Form::Decisive
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_and_where() {
        let cases = [
            ("", 0, PositionFault::EndsEarly),
            ("8/8/8/8/8/8/8/8", 15, PositionFault::EndsEarly),
            ("8/8/8/8/8/8/8/8 ", 16, PositionFault::EndsEarly),
            ("8/8/8/8/8/8/8/8 x", 16, PositionFault::UnknownSide),
            ("8/8/8/8/8/8/8/8 w ", 17, PositionFault::TrailingText),
            ("8/8/8/8/8/8/8/8 wdd", 18, PositionFault::TrailingText),
            ("8/8/8/8/8/8/8/8 wD", 17, PositionFault::TrailingText),
            ("8/8/8/8/8/8/8/8/ w", 15, PositionFault::UnexpectedSymbol),
            ("8/8/8/8/8/8/8 w", 13, PositionFault::UnexpectedSymbol),
            ("8/7/8/8/8/8/8/8 w", 3, PositionFault::RowTooShort),
            ("8/W8/8/8/8/8/8/8 w", 3, PositionFault::RowTooLong),
            ("8/44/8/8/8/8/8/8 w", 3, PositionFault::SplitRun),
            ("8/8/é", 4, PositionFault::UnexpectedSymbol),
            ("0", 0, PositionFault::UnexpectedSymbol),
        ];
        for (text, at, why) in cases {
            let refused = text.parse::<MawePosition>();
            assert_eq!(refused, Err(PositionError { at, why }), "{text:?}");
        }
    }
}
