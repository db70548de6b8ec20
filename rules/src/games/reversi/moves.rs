//! A ply: a disc on a square, or a pass.

use std::fmt;
use std::str::FromStr;

use crate::error::MoveParseError;
use crate::square::Square;

/// A ply. Its text form is the square in lower case, `d3`, or `pass`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReversiMove {
    /// A disc is placed.
    Place(Square),
    /// A pass: the side to move cannot place a disc, the other side can.
    Pass,
}

/// The text form of [`ReversiMove::Pass`].
const PASS: &str = "pass";

impl fmt::Display for ReversiMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReversiMove::Place(square) => square.fmt(f),
            ReversiMove::Pass => f.write_str(PASS),
        }
    }
}

impl fmt::Debug for ReversiMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for ReversiMove {
    type Err = MoveParseError;

    fn from_str(text: &str) -> Result<Self, MoveParseError> {
        match text.as_bytes() {
            &[file, rank] => Square::from_text(file, rank)
                .map(Self::Place)
                .ok_or(MoveParseError),
            _ if text == PASS => Ok(Self::Pass),
            _ => Err(MoveParseError),
        }
    }
}
