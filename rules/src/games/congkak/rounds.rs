//! Match play with burnt houses, RULES.md section 7.1: rounds, and the setup of the next round.
//!
//! ```
//! use mawe_rules::games::congkak::rounds::{CongkakMatch, Next};
//! use mawe_rules::games::congkak::{CongkakPosition, Form};
//! use mawe_rules::{BySide, Position};
//!
//! let mut rounds = CongkakMatch::new(Form::Traditional, 3)?;
//! // South has won the first round by 60 to 38.
//! let Next::Round(setup) = rounds.finish_round(BySide::new(60, 38)).expect("98 seeds") else {
//!     panic!("two rounds are left");
//! };
//! assert_eq!(setup.to_string(), "rounds=3,round=2,owned=60-38");
//! let start = CongkakPosition::from_setup(&setup)?;
//! assert_eq!(start.to_string(), "7,7,7,7,7,7,7,11/x,x,7,7,7,7,7,3 n");
//! # Ok::<(), mawe_rules::SetupError>(())
//! ```

use std::error::Error;
use std::fmt;

pub use super::round::{MAX_ROUNDS, Round, TOTAL};

use super::round::is_whole;
use super::setup::{CongkakSetup, Form};
use crate::error::SetupError;
use crate::vocab::{BySide, Side};

/// The state of a match after a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Another round, from this setup.
    Round(CongkakSetup),
    /// The match is over.
    Over(MatchOutcome),
}

/// The end of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchOutcome {
    /// The side that owns more seeds; `None` is a draw.
    pub winner: Option<Side>,
    /// The seeds that each side owns.
    pub owned: BySide<u16>,
    /// The reason of the end.
    pub reason: MatchReason,
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchReason {
    /// A side cannot fill a house.
    CannotFill,
    /// The last round has been played.
    RoundsPlayed,
}

impl MatchReason {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            MatchReason::CannotFill => "cannot-fill",
            MatchReason::RoundsPlayed => "rounds-played",
        }
    }
}

/// The reason why a round does not continue a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchError {
    /// The match is over.
    MatchOver,
    /// The seeds that the sides own are not all seeds of the game.
    SeedsMissing,
    /// The round does not start as the previous round requires.
    WrongRound,
}

impl MatchError {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            MatchError::MatchOver => "match-over",
            MatchError::SeedsMissing => "seeds-missing",
            MatchError::WrongRound => "wrong-round",
        }
    }
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MatchError::MatchOver => "the match is over",
            MatchError::SeedsMissing => "these are not all the seeds of the game",
            MatchError::WrongRound => "the round does not follow from the one before",
        })
    }
}

impl Error for MatchError {}

impl CongkakSetup {
    /// The state of the match after this round, if it leaves the sides with these seeds. A single
    /// round is a match of one.
    ///
    /// # Errors
    ///
    /// [`MatchError::SeedsMissing`] unless `owned` holds all seeds of the game.
    pub fn next(&self, owned: BySide<u16>) -> Result<Next, MatchError> {
        if !is_whole(owned) {
            return Err(MatchError::SeedsMissing);
        }
        let (rounds, number) = self.place().unwrap_or((1, 1));
        let reason = match Round::after(owned, self.round().begins) {
            None => MatchReason::CannotFill,
            Some(_) if number >= rounds => MatchReason::RoundsPlayed,
            Some(round) => {
                let setup = Self::of_match(self.form(), rounds, number + 1, round);
                return Ok(Next::Round(
                    setup.expect("the number is among the rounds and not the first"),
                ));
            }
        };
        let winner = match owned.first == owned.second {
            true => None,
            false => Some(Round::usual_beginner(owned).other()),
        };
        Ok(Next::Over(MatchOutcome {
            winner,
            owned,
            reason,
        }))
    }
}

/// A match in progress: the finished rounds, and the next one or the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CongkakMatch {
    played: Vec<PlayedRound>,
    next: Next,
}

/// A finished round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedRound {
    /// The setup from which the round started.
    pub setup: CongkakSetup,
    /// The seeds that each side owned after the round: the score of its outcome.
    pub owned: BySide<u16>,
}

impl CongkakMatch {
    /// A match of at most `rounds` rounds.
    ///
    /// # Errors
    ///
    /// [`SetupError::BadValue`] unless `rounds` is 1 to [`MAX_ROUNDS`].
    pub fn new(form: Form, rounds: u8) -> Result<Self, SetupError> {
        let first = CongkakSetup::of_match(form, rounds, 1, Round::FIRST)?;
        Ok(Self {
            played: Vec::new(),
            next: Next::Round(first),
        })
    }

    /// The match that continues with this round, without a list of the rounds before it. A single
    /// round is a match of one.
    pub fn from_setup(setup: CongkakSetup) -> Self {
        Self {
            played: Vec::new(),
            next: Next::Round(setup),
        }
    }

    /// The match after these rounds, each checked against the previous one.
    ///
    /// # Errors
    ///
    /// The error of the first round that does not fit; [`MatchError::WrongRound`] also if `rounds` is
    /// empty.
    pub fn replay(rounds: &[PlayedRound]) -> Result<Self, MatchError> {
        let first = rounds.first().ok_or(MatchError::WrongRound)?;
        let (limit, _) = first.setup.place().unwrap_or((1, 1));
        let mut replayed =
            Self::new(first.setup.form(), limit).map_err(|_| MatchError::WrongRound)?;
        if first.setup.place().is_none() {
            replayed.next = Next::Round(CongkakSetup::single(first.setup.form()));
        }
        for round in rounds {
            match replayed.next {
                Next::Over(_) => return Err(MatchError::MatchOver),
                Next::Round(setup) if setup != round.setup => return Err(MatchError::WrongRound),
                Next::Round(_) => replayed.finish_round(round.owned)?,
            };
        }
        Ok(replayed)
    }

    /// The finished rounds, in order.
    pub fn played(&self) -> &[PlayedRound] {
        &self.played
    }

    /// The next round, or the result of the match.
    pub fn next(&self) -> Next {
        self.next
    }

    /// Records the seeds that the sides own after the current round; returns the new state of the
    /// match.
    ///
    /// # Errors
    ///
    /// The errors of [`CongkakSetup::next`], and [`MatchError::MatchOver`]; the match is then
    /// unchanged.
    pub fn finish_round(&mut self, owned: BySide<u16>) -> Result<Next, MatchError> {
        let Next::Round(setup) = self.next else {
            return Err(MatchError::MatchOver);
        };
        self.next = setup.next(owned)?;
        self.played.push(PlayedRound { setup, owned });
        Ok(self.next)
    }
}
