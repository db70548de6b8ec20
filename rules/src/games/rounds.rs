//! Matches of rounds: the state after a round, and the texts of setups of rounds.
//!
//! Congkak (RULES.md section 7.1) and Pallanguzhi (RULES-pallanguzhi.md sections 4 and 5) are played in rounds, each with a setup of its own.
//! [`Record`](crate::Record) plays all rounds of a match as one game.

use std::str::FromStr;

use crate::error::SetupError;
use crate::vocab::BySide;

/// The most rounds that a match may have (RULES.md section 7.1, RULES-pallanguzhi.md section 5).
pub const MAX_ROUNDS: u8 = 20;

/// The state of a match after a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next<S> {
    /// Another round, from this setup.
    Round(S),
    /// The match is over; the side that has more of these seeds wins.
    Over(BySide<u16>),
}

impl<S> Next<S> {
    /// The same state with another type of setups.
    pub(crate) fn map<T>(self, wrap: impl FnOnce(S) -> T) -> Next<T> {
        match self {
            Next::Round(setup) => Next::Round(wrap(setup)),
            Next::Over(owned) => Next::Over(owned),
        }
    }
}

/// Reads a number without sign or leading zero.
pub(super) fn parse_number<N: FromStr>(text: &str) -> Result<N, SetupError> {
    let is_plain =
        text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    let number = is_plain.then(|| text.parse().ok()).flatten();
    number.ok_or(SetupError::BadValue)
}

/// Reads the seeds that South and North own, such as `60-38`.
pub(super) fn parse_owned(text: &str) -> Result<BySide<u16>, SetupError> {
    let (south, north) = text.split_once('-').ok_or(SetupError::BadValue)?;
    Ok(BySide::new(parse_number(south)?, parse_number(north)?))
}
