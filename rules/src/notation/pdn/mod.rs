//! Portable Draughts Notation of American checkers (game type 21).
//!
//! Sources: A. Millett's proposal "Portable Draughts Notation: a PGN format for checkers" (1995) and
//! M. Cash's draft "PDN 2.0" (2003), as American programs write it; tags, comments, NAGs and
//! variations as in the PGN standard (S. J. Edwards, 1994). Results name the side that begins first, so
//! `1-0` is a win of Black (PDN 2.0, sections 6.1.1.1.1.5 and 6.1.1.2.6), not of White as in chess.
//!
//! Comments, annotations and variations are read over. A game must be one by RULES.md, whose draws
//! come by themselves: moves after a third occurrence, or after 80 quiet plies, are refused.

mod read;
mod write;

pub use read::{Games, games};
pub use write::write;

use crate::record::Record;
use crate::vocab::Side;

/// A game and what its file tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Name and value of each tag in the file's order, save those that follow from the fields
    /// below: `Result`, `GameType`, `SetUp`, `FEN`.
    pub tags: Vec<(String, String)>,
    /// Start and moves.
    pub record: Record,
    /// How it ended, if the file says so: also by resignation, agreement or time, of which the
    /// record knows nothing.
    pub result: GameResult,
}

/// The end of a game as PDN knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// A side has won.
    Won(Side),
    /// Nobody has.
    Drawn,
    /// Unknown, or still going on.
    Open,
}

impl GameResult {
    /// `1-0` where Black has won, who begins, `0-1` where White has, `1/2-1/2` or `*`.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::Won(Side::First) => "1-0",
            GameResult::Won(Side::Second) => "0-1",
            GameResult::Drawn => "1/2-1/2",
            GameResult::Open => "*",
        }
    }

    /// Reads also how players of other draughts write results, by points.
    fn from_text(text: &[u8]) -> Option<Self> {
        match text {
            b"1-0" | b"2-0" => Some(GameResult::Won(Side::First)),
            b"0-1" | b"0-2" => Some(GameResult::Won(Side::Second)),
            b"1/2-1/2" | b"1-1" => Some(GameResult::Drawn),
            b"*" => Some(GameResult::Open),
            _ => None,
        }
    }

    /// What the record says, if it is over by the rules.
    fn of(record: &Record) -> Option<Self> {
        record.outcome().map(|outcome| match outcome.winner {
            Some(side) => GameResult::Won(side),
            None => GameResult::Drawn,
        })
    }
}

/// The game type of American checkers in the tag of that name.
const GAME_TYPE: &str = "21";
