//! A game of a file, and its result.

use super::dialect::Dialect;
use crate::record::Record;
use crate::vocab::Side;

/// A game with the data of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Name and value of each tag in the file's order, except those that follow from the fields below:
    /// `Result`, `GameType`, `Variant`, `SetUp`, `FEN`.
    pub tags: Vec<(String, String)>,
    /// The start and the moves.
    pub record: Record,
    /// The result, if the file has one. It can also come from resignation, agreement or time, which are
    /// not part of the record.
    pub result: GameResult,
}

/// The result of a game in PDN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// A side has won.
    Won(Side),
    /// A draw.
    Drawn,
    /// An unknown result, or a game that still goes on.
    Open,
}

impl GameResult {
    /// `1-0`, `0-1`, `1/2-1/2` or `*`, in the order of numbers of the game.
    pub fn text(self, dialect: Dialect) -> &'static str {
        match self {
            GameResult::Won(side) if side == dialect.first_in_results() => "1-0",
            GameResult::Won(_) => "0-1",
            GameResult::Drawn => "1/2-1/2",
            GameResult::Open => "*",
        }
    }

    /// Reads a result, also in the points that players of other draughts write.
    pub fn from_text(text: &[u8], dialect: Dialect) -> Option<Self> {
        let before = dialect.first_in_results();
        match text {
            b"1-0" | b"2-0" => Some(GameResult::Won(before)),
            b"0-1" | b"0-2" => Some(GameResult::Won(before.other())),
            b"1/2-1/2" | b"1-1" => Some(GameResult::Drawn),
            b"*" => Some(GameResult::Open),
            _ => None,
        }
    }

    /// The result of the record, if the game is over by the rules.
    pub(super) fn of(record: &Record) -> Option<Self> {
        record.outcome().map(|outcome| match outcome.winner {
            Some(side) => GameResult::Won(side),
            None => GameResult::Drawn,
        })
    }
}
