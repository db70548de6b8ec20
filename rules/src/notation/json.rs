//! One JSON object for a game of any kind.
//!
//! ```json
//! {"game":"checkers","start":"B:WK32:BK1","moves":"1-5 32-28","result":{"winner":"draw","reason":"repetition"}}
//! ```
//!
//! - `game`: the id of the kind.
//! - `setup`: the setup's text; left out for the standard game.
//! - `start`: the position before the first ply; left out if it is the setup's.
//! - `moves`: every ply in the game's notation, including passes, separated by single blanks.
//! - `result`: as in RULES.md section 8; left out while the game goes on. A game may also end outside the rules,
//!   by resignation or time; then the given result stands.
//!
//! Unknown keys are ignored, so that a record may hold more.

use std::error::Error;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::any::{AnyMove, AnyPosition, AnySetup};
use crate::error::{PlayError, PositionError, SetupError};
use crate::kind::GameKind;
use crate::record::Record;
use crate::vocab::Outcome;

/// A game as JSON; see the [module](self).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JsonRecord {
    /// The game.
    pub game: GameKind,
    /// The setup's text; empty for the standard game.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub setup: String,
    /// The position before the first ply, unless it is the setup's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Every ply, separated by blanks.
    pub moves: String,
    /// The result; `None` while the game goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<JsonResult>,
}

/// A result as JSON (RULES.md section 8).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JsonResult {
    /// The code of the winning side, or `draw`.
    pub winner: String,
    /// The reason code.
    pub reason: String,
    /// The points of the first and the second side, in a game with points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<[u16; 2]>,
}

impl JsonResult {
    /// The outcome in the codes of its game.
    pub fn new(kind: GameKind, outcome: Outcome) -> Self {
        Self {
            winner: kind.winner_code(outcome.winner).to_owned(),
            reason: outcome.reason.to_string(),
            score: outcome.score.map(|score| [score.first, score.second]),
        }
    }
}

/// The error of a record that is valid JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonRecordError {
    /// The setup is invalid for this game.
    Setup(SetupError),
    /// The start is not a valid position.
    Start(PositionError),
    /// A ply is not legal.
    Move {
        /// Its number, counted from 1.
        ply: u32,
        /// The rule that it breaks.
        why: PlayError,
    },
    /// The result contradicts the moves, which end the game differently.
    OtherResult,
}

impl JsonRecordError {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            JsonRecordError::Setup(error) => error.code(),
            JsonRecordError::Start(error) => error.code(),
            JsonRecordError::Move { why, .. } => why.code(),
            JsonRecordError::OtherResult => "other-result",
        }
    }
}

impl fmt::Display for JsonRecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JsonRecordError::Setup(error) => write!(f, "setup: {error}"),
            JsonRecordError::Start(error) => write!(f, "start: {error}"),
            JsonRecordError::Move { ply, why } => write!(f, "ply {ply}: {why}"),
            JsonRecordError::OtherResult => {
                f.write_str("the moves end the game with another result")
            }
        }
    }
}

impl Error for JsonRecordError {}

impl From<&Record> for JsonRecord {
    fn from(record: &Record) -> Self {
        let kind = record.kind();
        // A position as the start is written as the start, and not once more as the setup.
        let setup = match record.setup() {
            AnySetup::Position(_) => AnySetup::standard(kind),
            options => options.clone(),
        };
        let is_setups = AnyPosition::start(kind, &setup).as_ref() == Ok(record.start());
        let moves: Vec<String> = record.moves().iter().map(AnyMove::to_string).collect();
        Self {
            game: kind,
            setup: setup.to_string(),
            start: (!is_setups).then(|| record.start().to_string()),
            moves: moves.join(" "),
            result: record
                .outcome()
                .map(|outcome| JsonResult::new(kind, outcome)),
        }
    }
}

impl JsonRecord {
    /// The record before its first ply.
    ///
    /// # Errors
    ///
    /// [`JsonRecordError::Setup`] or [`JsonRecordError::Start`].
    pub fn begin(&self) -> Result<Record, JsonRecordError> {
        let setup = AnySetup::parse(self.game, &self.setup).map_err(JsonRecordError::Setup)?;
        match &self.start {
            None => Record::new(self.game, &setup).map_err(JsonRecordError::Setup),
            Some(start) => {
                let start = AnyPosition::parse(self.game, start).map_err(JsonRecordError::Start)?;
                Ok(match setup == AnySetup::standard(self.game) {
                    true => Record::from_position(start),
                    false => Record::begin(setup, start),
                })
            }
        }
    }

    /// The plies' texts.
    pub fn plies(&self) -> impl Iterator<Item = &str> {
        self.moves.split_ascii_whitespace()
    }

    /// Replays the whole game: checks every ply and applies house draws.
    ///
    /// # Errors
    ///
    /// The first [`JsonRecordError`] of the record.
    pub fn replay(&self) -> Result<Record, JsonRecordError> {
        let mut record = self.begin()?;
        for (ply, text) in (1..).zip(self.plies()) {
            let played = record.play(text);
            played.map_err(|why| JsonRecordError::Move { ply, why })?;
        }
        let outcome = record
            .outcome()
            .map(|outcome| JsonResult::new(self.game, outcome));
        match (&self.result, outcome) {
            (Some(told), Some(is)) if *told != is => Err(JsonRecordError::OtherResult),
            (Some(_) | None, Some(_) | None) => Ok(record),
        }
    }
}
