//! Match play with burnt houses, RULES.md section 7.1: rounds, and what leads from one to the next.
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

use super::{CongkakSetup, Form, HOUSES, SEEDS};
use crate::error::SetupError;
use crate::vocab::{BySide, Side};

/// The most rounds that a match may have (RULES.md section 7.1).
pub const MAX_ROUNDS: u8 = 20;

/// All seeds of the game.
pub const TOTAL: u16 = 2 * HOUSES as u16 * SEEDS;

/// What a round starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Round {
    /// The seeds that each side owns; together [`TOTAL`], each enough to fill a house.
    pub(super) owned: BySide<u16>,
    /// The side that moves first.
    pub(super) begins: Side,
}

impl Round {
    /// The first round of a match, and every round of its own: South begins, all houses are full.
    pub const FIRST: Round = Round {
        owned: BySide::new(TOTAL / 2, TOTAL / 2),
        begins: Side::First,
    };

    /// A later round.
    ///
    /// # Errors
    ///
    /// [`SetupError::BadValue`] unless the seeds are all there and each side can fill a house;
    /// [`SetupError::Contradiction`] if the side begins that owns more.
    pub fn new(owned: BySide<u16>, begins: Side) -> Result<Self, SetupError> {
        if !is_whole(owned) || !can_go_on(owned) {
            return Err(SetupError::BadValue);
        }
        match owned[begins] > owned[begins.other()] {
            true => Err(SetupError::Contradiction),
            false => Ok(Self { owned, begins }),
        }
    }

    /// The round after one that `began` began and that left the sides with these seeds, rounds not
    /// limited; `None` if the match is over, or these are not all seeds.
    pub fn after(owned: BySide<u16>, began: Side) -> Option<Self> {
        let begins = match owned.first == owned.second {
            true => began.other(),
            false => Self::usual_beginner(owned),
        };
        Self::new(owned, begins).ok()
    }

    /// The seeds that each side owns.
    pub const fn owned(&self) -> BySide<u16> {
        self.owned
    }

    /// The side that moves first.
    pub const fn begins(&self) -> Side {
        self.begins
    }

    /// The side that owns less, South if both own as many.
    pub(super) fn usual_beginner(owned: BySide<u16>) -> Side {
        match owned.second < owned.first {
            true => Side::Second,
            false => Side::First,
        }
    }
}

/// What follows a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Another round, from this setup.
    Round(CongkakSetup),
    /// The match is over.
    Over(MatchOutcome),
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchOutcome {
    /// The side that owns more seeds; `None` is a draw.
    pub winner: Option<Side>,
    /// The seeds that each side owns.
    pub owned: BySide<u16>,
    /// What ended the match.
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

/// Why a round does not go on a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchError {
    /// The match is over.
    MatchOver,
    /// The seeds that the sides own are not all seeds of the game.
    SeedsMissing,
    /// The round does not start as the one before demands.
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
    /// What follows this round of a match when it leaves the sides with these seeds; a round of its
    /// own is a match of one.
    ///
    /// # Errors
    ///
    /// [`MatchError::SeedsMissing`] unless these are all the seeds.
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

/// A match as it is played: the rounds that are over, and what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CongkakMatch {
    played: Vec<PlayedRound>,
    next: Next,
}

/// A round that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedRound {
    /// Where it started from.
    pub setup: CongkakSetup,
    /// The seeds that each side owned after it: the score of its outcome.
    pub owned: BySide<u16>,
}

impl CongkakMatch {
    /// A match of at most so many rounds.
    ///
    /// # Errors
    ///
    /// [`SetupError::BadValue`] unless there are 1 to [`MAX_ROUNDS`].
    pub fn new(form: Form, rounds: u8) -> Result<Self, SetupError> {
        let first = CongkakSetup::of_match(form, rounds, 1, Round::FIRST)?;
        Ok(Self {
            played: Vec::new(),
            next: Next::Round(first),
        })
    }

    /// The match that goes on with this round, a round of its own being a match of one; of the rounds
    /// before nothing is known.
    pub fn from_setup(setup: CongkakSetup) -> Self {
        Self {
            played: Vec::new(),
            next: Next::Round(setup),
        }
    }

    /// The match of which these rounds have been played, each checked against the one before.
    ///
    /// # Errors
    ///
    /// What is wrong with the first round that does not fit; [`MatchError::WrongRound`] also if
    /// there is none.
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

    /// The rounds that are over, in order.
    pub fn played(&self) -> &[PlayedRound] {
        &self.played
    }

    /// The round to be played, or how the match ended.
    pub fn next(&self) -> Next {
        self.next
    }

    /// Notes what the round now played has left the sides with; returns what follows.
    ///
    /// # Errors
    ///
    /// As [`CongkakSetup::next`], and [`MatchError::MatchOver`]; the match is then unchanged.
    pub fn finish_round(&mut self, owned: BySide<u16>) -> Result<Next, MatchError> {
        let Next::Round(setup) = self.next else {
            return Err(MatchError::MatchOver);
        };
        self.next = setup.next(owned)?;
        self.played.push(PlayedRound { setup, owned });
        Ok(self.next)
    }
}

fn is_whole(owned: BySide<u16>) -> bool {
    owned.first.checked_add(owned.second) == Some(TOTAL)
}

fn can_go_on(owned: BySide<u16>) -> bool {
    owned.first >= SEEDS && owned.second >= SEEDS
}
