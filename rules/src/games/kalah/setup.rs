//! The setup of Kalah: the seeds in each house, and the opening.

use std::fmt;
use std::str::FromStr;

use super::KalahPosition;
use crate::error::SetupError;
use crate::games::opening::Opening;
use crate::games::sowing::SeedsSetup;
use crate::position::Position;
use crate::setup;

/// A setup of Kalah. Its text form has each pair only where it is not the default, in this order:
///
/// - `seeds=N`: 3, 5 or 6 seeds in each house at the start, 4 otherwise;
/// - `opening=drawn`, or the plies of an opening, `opening=4411423`: see [`Opening`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KalahSetup {
    seeds: SeedsSetup,
    opening: Opening,
}

impl KalahSetup {
    /// The seeds in each house at the start.
    pub const fn seeds(self) -> u8 {
        self.seeds.seeds()
    }

    /// The opening.
    pub const fn opening(self) -> Opening {
        self.opening
    }

    /// Returns this setup with another opening.
    ///
    /// # Errors
    ///
    /// [`SetupError::BadValue`] for plies that are not an opening.
    pub fn with_opening(self, opening: Opening) -> Result<Self, SetupError> {
        let setup = Self { opening, ..self };
        match opening {
            Opening::None | Opening::Drawn => Ok(setup),
            Opening::Plies(_) => KalahPosition::from_setup(&setup).map(|_| setup),
        }
    }
}

impl fmt::Display for KalahSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pairs = Vec::new();
        if self.seeds != SeedsSetup::default() {
            pairs.push(self.seeds.to_string());
        }
        if self.opening != Opening::None {
            pairs.push(format!("opening={}", self.opening));
        }
        f.pad(&pairs.join(","))
    }
}

impl FromStr for KalahSetup {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        let mut setup = Self::default();
        let mut opening = Opening::None;
        for (key, value) in setup::pairs(text)? {
            match key {
                "seeds" => setup.seeds = SeedsSetup::parse_seeds(value)?,
                "opening" => opening = value.parse()?,
                _ => return Err(SetupError::UnknownOption),
            }
        }
        setup.with_opening(opening)
    }
}
