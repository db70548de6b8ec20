//! The answers of engines.

use std::time::Duration;

use mawe_rules::AnyMove;

/// The score of a position that is won; a win in so many plies is that much less, as `mawe analyse` prints it.
pub const WIN: i32 = 10_000_000;

/// The answer of an engine to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The engine's decision.
    pub play: Play,
    /// The engine's own last score of the position, from the view of the side to move: in hundredths of the game's unit (men, discs, seeds),
    /// or near ±[`WIN`]. `None` if it gave none.
    pub score: Option<i32>,
    /// The time from the question to the answer.
    pub time: Duration,
}

/// The decision of an engine whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// A legal move.
    Move(AnyMove),
    /// The engine gives the game up.
    Resign,
}

/// Reads a score of whole units with decimals as hundredths.
pub(super) fn hundredths(text: &str) -> Option<i32> {
    let units: f64 = text.parse().ok()?;
    let score = (units * 100.0).round();
    // The conversion of a float saturates.
    score.is_finite().then_some(score as i32)
}

/// The score of a win in `plies` plies; of a loss, if the number is negative.
pub(super) fn win_in(plies: i32) -> i32 {
    match plies {
        0.. => WIN.saturating_sub(plies),
        _ => (-WIN).saturating_sub(plies),
    }
}
