//! The setup of Pallanguzhi: the form of play, and the round of a match (RULES-pallanguzhi.md sections 4 and 5).

use std::fmt;
use std::str::FromStr;

use super::size::{SEEDS, TOTAL};
use crate::error::SetupError;
use crate::games::options::SetupOptions;
use crate::games::rounds::{MAX_ROUNDS, Next, parse_number, parse_owned};
use crate::setup;
use crate::vocab::{BySide, Side};

/// The form of play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// One round.
    #[default]
    Single,
    /// Two rounds from full pits, which South and North begin in turn. The seeds of both are added.
    Pair,
    /// At most this many rounds, 1 to [`MAX_ROUNDS`]. Each begins with the seeds that the sides own, and with rubbish holes where they do not
    /// suffice.
    Match(u8),
}

/// A setup of Pallanguzhi: the form, and the place of the round in it.
///
/// Its text form, each pair only where it is not the default, in this order:
///
/// - `form=pair`, or `rounds=N` for a match of at most `N` rounds (1 to 20);
/// - `round=N`: the number of the round, the first if left out;
/// - `owned=S-N`, in every round but the first: the seeds that South and North own, or won in the first round of a pair.
///
/// South begins the odd rounds. So `rounds=3,round=2,owned=60-24` starts from `6,6,6,6,6,6,6,18/6,6,6,6,x,x,x,0 n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PallanguzhiSetup {
    form: Form,
    /// Counted from 1.
    number: u8,
    /// [`TOTAL`] together; equal before the first round.
    owned: BySide<u16>,
}

impl PallanguzhiSetup {
    /// The first round of a form of play.
    ///
    /// # Errors
    ///
    /// [`SetupError::BadValue`] for a match of 0 or of more than [`MAX_ROUNDS`] rounds.
    pub fn new(form: Form) -> Result<Self, SetupError> {
        match form {
            Form::Match(0 | MAX_ROUNDS_PLUS_ONE..) => Err(SetupError::BadValue),
            Form::Single | Form::Pair | Form::Match(_) => Ok(Self {
                form,
                number: 1,
                owned: EQUAL,
            }),
        }
    }

    /// The form of play.
    pub const fn form(&self) -> Form {
        self.form
    }

    /// The greatest number of rounds.
    const fn rounds(&self) -> u8 {
        match self.form {
            Form::Single => 1,
            Form::Pair => 2,
            Form::Match(rounds) => rounds,
        }
    }

    /// The side that begins the round.
    pub fn begins(&self) -> Side {
        match self.number % 2 {
            0 => Side::Second,
            _ => Side::First,
        }
    }

    /// The seeds that count at the end besides those of this round: in the second round of a pair those of the first.
    pub fn won_before(&self) -> BySide<u16> {
        match (self.form, self.number) {
            (Form::Pair, 2..) => self.owned,
            (Form::Single | Form::Pair | Form::Match(_), _) => BySide::new(0, 0),
        }
    }

    /// The seeds with which the sides fill their pits.
    pub(super) fn filled_with(&self) -> BySide<u16> {
        match self.form {
            Form::Single | Form::Pair => EQUAL,
            Form::Match(_) => self.owned,
        }
    }

    /// A later round of the form, if there is one.
    ///
    /// # Errors
    ///
    /// [`SetupError::BadValue`] unless the form has a round of this number, all seeds are there, and each side of a match can fill a pit.
    fn later(self, number: u8, owned: BySide<u16>) -> Result<Self, SetupError> {
        let is_whole = owned.first.checked_add(owned.second) == Some(TOTAL);
        let can_go_on = match self.form {
            Form::Match(_) => owned.first >= SEEDS && owned.second >= SEEDS,
            Form::Single | Form::Pair => true,
        };
        match (2..=self.rounds()).contains(&number) && is_whole && can_go_on {
            true => Ok(Self {
                number,
                owned,
                ..self
            }),
            false => Err(SetupError::BadValue),
        }
    }
}

/// The seeds that the sides own before a first round.
const EQUAL: BySide<u16> = BySide::new(TOTAL / 2, TOTAL / 2);

const MAX_ROUNDS_PLUS_ONE: u8 = MAX_ROUNDS + 1;

impl Default for PallanguzhiSetup {
    fn default() -> Self {
        Self {
            form: Form::Single,
            number: 1,
            owned: EQUAL,
        }
    }
}

impl SetupOptions for PallanguzhiSetup {
    /// None, until players from Kerala have confirmed the reading (RULES-pallanguzhi.md section 7).
    fn may_be_rated(&self) -> bool {
        false
    }

    fn is_round(&self) -> bool {
        self.form != Form::Single
    }

    fn next_round(&self, score: BySide<u16>) -> Option<Next<Self>> {
        if !self.is_round() || score.first.checked_add(score.second) != Some(TOTAL) {
            return None;
        }
        Some(match self.later(self.number + 1, score) {
            Ok(setup) => Next::Round(setup),
            Err(_) => {
                let before = self.won_before();
                Next::Over(BySide::from_fn(|side| before[side] + score[side]))
            }
        })
    }
}

impl fmt::Display for PallanguzhiSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = match self.form {
            Form::Single => String::new(),
            Form::Pair => "form=pair".to_owned(),
            Form::Match(rounds) => format!("rounds={rounds}"),
        };
        match self.number {
            1 => f.pad(&form),
            number => {
                let BySide { first, second } = self.owned;
                f.pad(&format!("{form},round={number},owned={first}-{second}"))
            }
        }
    }
}

impl FromStr for PallanguzhiSetup {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        let (mut form, mut rounds, mut number, mut owned) = (None, None, None, None);
        for (key, value) in setup::pairs(text)? {
            match (key, value) {
                ("form", "single") => form = Some(Form::Single),
                ("form", "pair") => form = Some(Form::Pair),
                ("form", _) => return Err(SetupError::BadValue),
                ("rounds", value) => rounds = Some(Form::Match(parse_number(value)?)),
                ("round", value) => number = Some(parse_number(value)?),
                ("owned", value) => owned = Some(parse_owned(value)?),
                _ => return Err(SetupError::UnknownOption),
            }
        }
        let form = match (form, rounds) {
            (Some(Form::Pair), Some(_)) => return Err(SetupError::Contradiction),
            (_, Some(rounds)) => rounds,
            (form, None) => form.unwrap_or_default(),
        };
        let first = Self::new(form)?;
        match (number.unwrap_or(1), owned) {
            (1, None) => Ok(first),
            (1, Some(_)) | (_, None) => Err(SetupError::Contradiction),
            (number, Some(owned)) => first.later(number, owned),
        }
    }
}
