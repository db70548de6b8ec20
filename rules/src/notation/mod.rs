//! Games as other programs write them: one module a format, one error for all.
//!
//! Readers take any bytes, never panic, and need time and memory in proportion to the text at most.

#[cfg(feature = "digest")]
pub mod digest;
#[cfg(feature = "serde")]
pub mod json;
pub mod pdn;
pub mod transcript;

use std::error::Error;
use std::fmt;

use crate::error::{PlayError, PositionError};

/// What is wrong with a game's text, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NotationError {
    /// The line, counted from 1.
    pub line: usize,
    /// The character in the line, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub why: NotationFault,
}

impl NotationError {
    /// The stable code, that of [`why`](NotationError::why).
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

/// A byte order mark, which some editors put first.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A line of a text: its number, counted from 1, and the offset in bytes of its first character.
#[derive(Clone, Copy, Debug)]
struct Line {
    number: usize,
    start: usize,
}

impl Line {
    /// The first line, a byte order mark left out.
    fn first(text: &[u8]) -> Self {
        let start = match text.starts_with(BYTE_ORDER_MARK) {
            true => BYTE_ORDER_MARK.len(),
            false => 0,
        };
        Self { number: 1, start }
    }

    /// The line in which offset `at` lies, this one or a later one.
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
        // In UTF-8 every byte but a continuation begins a character.
        let is_start = |byte: &&u8| **byte & 0xc0 != 0x80;
        NotationError {
            line: line.number,
            column: 1 + before.iter().filter(is_start).count(),
            why,
        }
    }
}

/// What can be wrong with a game's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NotationFault {
    /// A character that cannot stand here.
    UnexpectedSymbol,
    /// A comment without its end.
    OpenComment,
    /// A tag that is not `[Name "value"]`.
    BadTag,
    /// A variation without its end, or an end without its begin.
    OpenVariation,
    /// A tag that says the game is another one.
    OtherGame,
    /// A start position that is none.
    BadPosition(PositionError),
    /// A move that is not legal here.
    BadMove(PlayError),
    /// A short form that fits several moves.
    AmbiguousMove,
}

impl NotationFault {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            NotationFault::UnexpectedSymbol => "unexpected-symbol",
            NotationFault::OpenComment => "open-comment",
            NotationFault::BadTag => "bad-tag",
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
            NotationFault::OpenVariation => "the brackets of variations do not match",
            NotationFault::OtherGame => "this is a game of another kind",
            // Where in the file it is stands behind; within the position would be once too often.
            NotationFault::BadPosition(error) => return error.why.fmt(f),
            NotationFault::BadMove(error) => return error.fmt(f),
            NotationFault::AmbiguousMove => "several moves can be written so",
        })
    }
}
