//! The setup of Congkak: the form of the game, and the round of a match.

use std::fmt;
use std::str::FromStr;

use super::CongkakPosition;
use super::rounds::{MAX_ROUNDS, Round};
use crate::error::SetupError;
use crate::games::opening::Opening;
use crate::kind::GameKind;
use crate::position::Position;
use crate::setup;
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
    form: Form,
    opening: Opening,
    of_match: Option<OfMatch>,
}

/// A round as part of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OfMatch {
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

    /// Returns this setup with another opening.
    ///
    /// # Errors
    ///
    /// [`SetupError::Contradiction`] for an opening in a match of rounds or in the traditional form;
    /// [`SetupError::BadValue`] for plies that are not an opening.
    pub fn with_opening(self, opening: Opening) -> Result<Self, SetupError> {
        let setup = Self { opening, ..self };
        if opening != Opening::None && (setup.form != Form::Limited || setup.of_match.is_some()) {
            return Err(SetupError::Contradiction);
        }
        match opening {
            Opening::None | Opening::Drawn => Ok(setup),
            Opening::Plies(_) => CongkakPosition::from_setup(&setup).map(|_| setup),
        }
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

impl FromStr for CongkakSetup {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        let mut form = Form::Traditional;
        let mut opening = Opening::None;
        let (mut rounds, mut number, mut owned, mut begins) = (None, None, None, None);
        for (key, value) in setup::pairs(text)? {
            match key {
                "form" => form = parse_form(value)?,
                "opening" => opening = value.parse()?,
                "rounds" => rounds = Some(parse_number(value)?),
                "round" => number = Some(parse_number(value)?),
                "owned" => owned = Some(parse_owned(value)?),
                "begins" => begins = Some(parse_side(value)?),
                _ => return Err(SetupError::UnknownOption),
            }
        }
        let Some(rounds) = rounds else {
            // A single round has no number and no owned seeds.
            return match (number, owned, begins) {
                (None, None, None) => Self::single(form).with_opening(opening),
                (_, _, _) => Err(SetupError::Contradiction),
            };
        };
        let number: u8 = number.unwrap_or(1);
        let round = match owned {
            None if number > 1 => return Err(SetupError::Contradiction),
            None => Round::FIRST,
            Some(owned) => Round::new(owned, begins.unwrap_or(Round::usual_beginner(owned)))?,
        };
        if begins.is_some_and(|begins| begins != round.begins) {
            return Err(SetupError::Contradiction);
        }
        Self::of_match(form, rounds, number, round)?.with_opening(opening)
    }
}

fn parse_form(text: &str) -> Result<Form, SetupError> {
    match text {
        "traditional" => Ok(Form::Traditional),
        "limited" => Ok(Form::Limited),
        _ => Err(SetupError::BadValue),
    }
}

/// Reads a number without sign or leading zero.
fn parse_number<N: FromStr>(text: &str) -> Result<N, SetupError> {
    let is_plain =
        text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    let number = is_plain.then(|| text.parse().ok()).flatten();
    number.ok_or(SetupError::BadValue)
}

fn parse_owned(text: &str) -> Result<BySide<u16>, SetupError> {
    let (south, north) = text.split_once('-').ok_or(SetupError::BadValue)?;
    Ok(BySide::new(parse_number(south)?, parse_number(north)?))
}

fn parse_side(text: &str) -> Result<Side, SetupError> {
    let is_code = |side: &Side| GameKind::Congkak.side_code(*side) == text;
    Side::ALL
        .into_iter()
        .find(is_code)
        .ok_or(SetupError::BadValue)
}
