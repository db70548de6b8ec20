//! Games in the formats of other programs: one module a format, one error type for all.
//!
//! Readers accept any bytes, never panic, and need time and memory at most in proportion to the
//! length of the text.

#[cfg(feature = "digest")]
pub mod digest;
pub mod ggf;
#[cfg(feature = "serde")]
pub mod json;
pub mod pdn;
mod reader;
pub mod transcript;

use std::error::Error;
use std::fmt;

use crate::error::{PlayError, PositionError};

/// The error of a game's text: a fault and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NotationError {
    /// The line, counted from 1.
    pub line: usize,
    /// The character in the line, counted from 1.
    pub column: usize,
    /// The fault at that place.
    pub why: NotationFault,
}

impl NotationError {
    /// The stable code of [`why`](NotationError::why).
    pub const fn code(self) -> &'static str {
        self.why.code()
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} at line {}, column {}",
            self.why, self.line, self.column
        )
    }
}

impl Error for NotationError {}

/// A byte order mark, which some editors write at the beginning of a file.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A line of a text: its number, counted from 1, and the offset in bytes of its first character.
#[derive(Clone, Copy, Debug)]
struct Line {
    number: usize,
    start: usize,
}

impl Line {
    /// The first line, which begins after a byte order mark.
    fn first(text: &[u8]) -> Self {
        let start = match text.starts_with(BYTE_ORDER_MARK) {
            true => BYTE_ORDER_MARK.len(),
            false => 0,
        };
        Self { number: 1, start }
    }

    /// The line of offset `at`, this one or a later one.
    fn of(self, text: &[u8], at: usize) -> Self {
        let between = text.get(self.start..at).unwrap_or_default();
        let last_end = between.iter().rposition(|byte| *byte == b'\n');
        Self {
            number: self.number + between.iter().filter(|byte| **byte == b'\n').count(),
            start: last_end.map_or(self.start, |i| self.start + i + 1),
        }
    }

    /// The fault `why` at offset `at` in this line or a later one.
    fn fault(self, text: &[u8], at: usize, why: NotationFault) -> NotationError {
        let line = self.of(text, at);
        let before = text.get(line.start..at).unwrap_or_default();
        // In UTF-8 every byte except a continuation byte begins a character.
        let is_start = |byte: &&u8| **byte & 0xc0 != 0x80;
        NotationError {
            line: line.number,
            column: 1 + before.iter().filter(is_start).count(),
            why,
        }
    }
}

/// The kinds of faults in a game's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NotationFault {
    /// A character that cannot stand here.
    UnexpectedSymbol,
    /// A comment that is not closed.
    OpenComment,
    /// A tag that is not `[Name "value"]`.
    BadTag,
    /// A property of GGF that is not `NAME[value]`, or a game that does not end.
    BadProperty,
    /// A move of the side that is not to move.
    OtherSide,
    /// A variation that is not closed, or a closing bracket without an opening one.
    OpenVariation,
    /// A tag that names another game.
    OtherGame,
    /// An invalid start position.
    BadPosition(PositionError),
    /// A move that is not legal here.
    BadMove(PlayError),
    /// An abbreviated move that fits several legal moves.
    AmbiguousMove,
}

impl NotationFault {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            NotationFault::UnexpectedSymbol => "unexpected-symbol",
            NotationFault::OpenComment => "open-comment",
            NotationFault::BadTag => "bad-tag",
            NotationFault::BadProperty => "bad-property",
            NotationFault::OtherSide => "other-side",
            NotationFault::OpenVariation => "open-variation",
            NotationFault::OtherGame => "other-game",
            NotationFault::BadPosition(error) => error.code(),
            NotationFault::BadMove(error) => error.code(),
            NotationFault::AmbiguousMove => "ambiguous-move",
        }
    }
}

impl fmt::Display for NotationFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotationFault::UnexpectedSymbol => "unexpected symbol",
            NotationFault::OpenComment => "the comment does not end",
            NotationFault::BadTag => "a tag is [Name \"value\"]",
            NotationFault::BadProperty => "a property is NAME[value], and a game ends with ;)",
            NotationFault::OtherSide => "it is the other side's turn",
            NotationFault::OpenVariation => "the brackets of variations do not match",
            NotationFault::OtherGame => "this is a game of another kind",
            // The caller prints the place in the file; the place within the position would be
            // confusing.
            NotationFault::BadPosition(error) => return error.why.fmt(f),
            NotationFault::BadMove(error) => return error.fmt(f),
            NotationFault::AmbiguousMove => "several moves can be written so",
        })
    }
}
