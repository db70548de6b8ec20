//! Reading of setups, whose openings are checked by playing them.

use std::str::FromStr;

use super::round::{Round, is_whole};
use super::{CongkakPosition, CongkakSetup, Form};
use crate::error::SetupError;
use crate::games::opening::{Opening, PlyText};
use crate::games::options::SetupOptions;
use crate::games::rounds::{Next, parse_number, parse_owned};
use crate::kind::GameKind;
use crate::position::Position;
use crate::setup;
use crate::vocab::{BySide, Side};

impl CongkakSetup {
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
}

impl SetupOptions for CongkakSetup {
    const OPENING: Option<PlyText> = Some(PlyText::Houses);

    /// The limited form (RULES.md section 7.3).
    fn usual() -> Self {
        Self::single(Form::Limited)
    }

    /// The limited form from the usual start: in the traditional form the first player has too great an advantage, and a later
    /// round begins uneven (RULES.md section 7.3).
    fn may_be_rated(&self) -> bool {
        self.form == Form::Limited && self.of_match.is_none()
    }

    fn is_round(&self) -> bool {
        self.of_match.is_some()
    }

    fn next_round(&self, owned: BySide<u16>) -> Option<Next<Self>> {
        let (rounds, number) = self.place()?;
        if !is_whole(owned) {
            return None;
        }
        let round = Round::after(owned, self.round().begins).filter(|_| number < rounds);
        let next = round.map(|round| Self::of_match(self.form, rounds, number + 1, round));
        Some(match next {
            Some(setup) => {
                Next::Round(setup.expect("the number is among the rounds and not the first"))
            }
            None => Next::Over(owned),
        })
    }

    fn opening(&self) -> Opening {
        self.opening
    }

    fn with_opening(&self, opening: Opening) -> Result<Self, SetupError> {
        (*self).with_opening(opening)
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

fn parse_side(text: &str) -> Result<Side, SetupError> {
    let is_code = |side: &Side| GameKind::Congkak.side_code(*side) == text;
    Side::ALL
        .into_iter()
        .find(is_code)
        .ok_or(SetupError::BadValue)
}
