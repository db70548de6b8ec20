//! The setup of Congkak: the form of the game, and the round of a match.

use std::fmt;

use super::round::Round;
use crate::error::SetupError;
use crate::games::opening::Opening;
use crate::games::rounds::MAX_ROUNDS;
use crate::vocab::{BySide, Side};

/// The number of extra moves that a turn may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// Any number (RULES.md section 7).
    #[default]
    Traditional,
    /// At most one (RULES.md section 7.3): the form of rated play.
    Limited,
}

/// A setup of Congkak: the form, and the place of the round in a match.
///
/// Its text form, each pair only where it is not the default, in this order:
///
/// - `form=limited`;
/// - `opening=drawn`, or the plies of an opening, `opening=4411423`, in a single round of the limited form: see [`Opening`];
/// - `rounds=N`: the round belongs to a match of at most `N` rounds (1 to 20);
/// - `round=N`: the number of the round in the match, the first if left out;
/// - `owned=S-N`: the seeds that South and North own, in every round but the first;
/// - `begins=n`: North begins although both own the same number. Otherwise the seeds decide the beginner.
///
/// So `form=limited,rounds=3,round=2,owned=60-38` starts from
/// `7,7,7,7,7,7,7,11/x,x,7,7,7,7,7,3 n1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CongkakSetup {
    pub(super) form: Form,
    pub(super) opening: Opening,
    pub(super) of_match: Option<OfMatch>,
}

/// A round as part of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OfMatch {
    rounds: u8,
    /// Counted from 1, at most `rounds`; the first is [`Round::FIRST`].
    number: u8,
    round: Round,
}

impl CongkakSetup {
    /// A single round.
    pub const fn single(form: Form) -> Self {
        Self {
            form,
            opening: Opening::None,
            of_match: None,
        }
    }

    /// A round of a match of at most `rounds` rounds; `number` is counted from 1.
    ///
    /// # Errors
    ///
    /// [`SetupError::BadValue`] if `number` is not one of the rounds, or `rounds` is greater than [`MAX_ROUNDS`];
    /// [`SetupError::Contradiction`] for a first round that is not the usual start.
    pub fn of_match(form: Form, rounds: u8, number: u8, round: Round) -> Result<Self, SetupError> {
        if !(1..=MAX_ROUNDS).contains(&rounds) || !(1..=rounds).contains(&number) {
            return Err(SetupError::BadValue);
        }
        if number == 1 && round != Round::FIRST {
            return Err(SetupError::Contradiction);
        }
        let of_match = Some(OfMatch {
            rounds,
            number,
            round,
        });
        Ok(Self {
            form,
            opening: Opening::None,
            of_match,
        })
    }

    /// The form of the game.
    pub const fn form(&self) -> Form {
        self.form
    }

    /// The opening of the round.
    pub const fn opening(&self) -> Opening {
        self.opening
    }

    /// The start of the round.
    pub fn round(&self) -> Round {
        self.of_match.map_or(Round::FIRST, |of| of.round)
    }

    /// The greatest number of rounds of the match and the number of this round, counted from 1; `None` for a single round.
    pub fn place(&self) -> Option<(u8, u8)> {
        self.of_match.map(|of| (of.rounds, of.number))
    }
}

impl fmt::Display for CongkakSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pairs: Vec<String> = Vec::new();
        if self.form == Form::Limited {
            pairs.push("form=limited".to_owned());
        }
        if self.opening != Opening::None {
            pairs.push(format!("opening={}", self.opening));
        }
        if let Some(of) = self.of_match {
            pairs.push(format!("rounds={}", of.rounds));
            if of.number > 1 {
                let BySide { first, second } = of.round.owned;
                pairs.push(format!("round={}", of.number));
                pairs.push(format!("owned={first}-{second}"));
                if first == second && of.round.begins == Side::Second {
                    pairs.push("begins=n".to_owned());
                }
            }
        }
        f.pad(&pairs.join(","))
    }
}
