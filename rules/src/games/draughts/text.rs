//! The position string of the family, the FEN of PDN: side to move, White's pieces, Black's pieces.

use std::fmt;

use crate::error::{PositionError, PositionFault};
use crate::vocab::{BySide, Side};

/// The squares of a board, and whose pieces are which.
pub(super) struct Board {
    /// The number of squares.
    pub(super) squares: u8,
    /// The bit of the square with a number.
    pub(super) bit: fn(u8) -> u64,
    /// White's side.
    pub(super) white: Side,
    /// Where each side's men are crowned.
    pub(super) far_rows: BySide<u64>,
}

/// The contents of a position string.
pub(super) struct Contents {
    pub(super) pieces: BySide<u64>,
    pub(super) kings: u64,
    pub(super) turn: Side,
}

impl Board {
    const fn letter(&self, side: Side) -> char {
        match side as u8 == self.white as u8 {
            true => 'W',
            false => 'B',
        }
    }

    const fn side(&self, letter: u8) -> Option<Side> {
        match letter {
            b'W' => Some(self.white),
            b'B' => Some(self.white.other()),
            _ => None,
        }
    }

    /// Writes a position.
    ///
    /// # Errors
    ///
    /// Those of the formatter.
    pub(super) fn write(&self, contents: &Contents, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The longest number with its comma, and the letters.
        let count = (contents.pieces.first | contents.pieces.second).count_ones() as usize;
        let mut text = String::with_capacity(5 + 4 * count);
        text.push(self.letter(contents.turn));
        for side in [self.white, self.white.other()] {
            text.extend([':', self.letter(side)]);
            let on = |set: u64| move |number: &u8| set & (self.bit)(*number) != 0;
            let squares = (1..=self.squares).filter(on(contents.pieces[side]));
            for (place, number) in squares.enumerate() {
                if place > 0 {
                    text.push(',');
                }
                if on(contents.kings)(&number) {
                    text.push('K');
                }
                push_number(&mut text, number);
            }
        }
        f.pad(&text)
    }

    /// Reads a position string, with the squares and the lists in any order.
    ///
    /// # Errors
    ///
    /// A [`PositionError`] with the place and the fault.
    pub(super) fn read(&self, text: &str) -> Result<Contents, PositionError> {
        let mut reader = Reader {
            board: self,
            text: text.as_bytes(),
            at: 0,
            pieces: BySide::new(0, 0),
            kings: 0,
        };
        let turn = self
            .side(reader.next()?)
            .ok_or(reader.fault(PositionFault::UnknownSide))?;
        reader.at += 1;
        let first = reader.list(None)?;
        reader.list(Some(first))?;
        match reader.peek() {
            None => Ok(Contents {
                pieces: reader.pieces,
                kings: reader.kings,
                turn,
            }),
            Some(_) => Err(reader.fault(PositionFault::TrailingText)),
        }
    }
}

/// Appends a number below 100. A position is written for every move, and the formatter takes several times as long.
fn push_number(text: &mut String, number: u8) {
    if number > 9 {
        text.push(char::from(b'0' + number / 10));
    }
    text.push(char::from(b'0' + number % 10));
}

/// The text, the offset of the reader, and the pieces read so far.
struct Reader<'a> {
    board: &'a Board,
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

    /// Reads a colon and the list of one side, which must not be the side of the `earlier` list; returns that side.
    fn list(&mut self, earlier: Option<Side>) -> Result<Side, PositionError> {
        self.exactly(b':')?;
        let side = self
            .board
            .side(self.next()?)
            .filter(|side| earlier != Some(*side))
            .ok_or(self.fault(PositionFault::UnexpectedSymbol))?;
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
        if number > self.board.squares {
            return Err(fault(PositionFault::NoSuchSquare));
        }
        let bit = (self.board.bit)(number);
        if (self.pieces.first | self.pieces.second) & bit != 0 {
            return Err(fault(PositionFault::RepeatedSquare));
        }
        if !is_king && self.board.far_rows[side] & bit != 0 {
            return Err(fault(PositionFault::UncrownedMan));
        }
        self.pieces[side] |= bit;
        if is_king {
            self.kings |= bit;
        }
        Ok(())
    }

    fn exactly(&mut self, symbol: u8) -> Result<(), PositionError> {
        if self.next()? != symbol {
            return Err(self.fault(PositionFault::UnexpectedSymbol));
        }
        self.at += 1;
        Ok(())
    }
}
