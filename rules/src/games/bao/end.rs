//! The end of a game by its own rules (RULES-bao.md section 10).

use std::fmt;

use crate::vocab::Side;

/// The reason of an end. Its text form is the reason code of the rule book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// *Bao hamna*: the loser's front row is empty.
    FrontEmpty,
    /// The side to move has no legal ply.
    NoMoves,
}

impl EndReason {
    /// The reason code.
    pub const fn as_str(self) -> &'static str {
        match self {
            EndReason::FrontEmpty => "front-empty",
            EndReason::NoMoves => "no-moves",
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The result of a game. There is no score, and the only draw is that of the house, by repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BaoEnd {
    /// The side that has won.
    pub winner: Side,
    /// The reason.
    pub reason: EndReason,
}
