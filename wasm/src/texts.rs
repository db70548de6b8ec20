//! The texts of kinds, positions and outcomes, read and written.

use mawe_rules::{AnyPosition, GameKind, Outcome, Record};

/// A record that begins from a position of a kind.
pub(crate) fn record_from(kind: &str, position: &str) -> Result<Record, &'static str> {
    let position = AnyPosition::parse(parse_kind(kind)?, position).map_err(|error| error.code())?;
    Ok(Record::from_position(position))
}

pub(crate) fn parse_kind(text: &str) -> Result<GameKind, &'static str> {
    text.parse()
        .map_err(|error: mawe_rules::UnknownWord| error.code())
}

/// The outcome as winner code, reason and, in a game with points, the points of both sides.
pub(crate) fn write_outcome(kind: GameKind, outcome: Outcome) -> String {
    let text = format!("{} {}", kind.winner_code(outcome.winner), outcome.reason);
    match outcome.score {
        Some(score) => format!("{text} {}-{}", score.first, score.second),
        None => text,
    }
}
