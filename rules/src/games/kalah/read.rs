//! Reading of setups, whose openings are checked by playing them.

use std::str::FromStr;

use super::{KalahPosition, KalahSetup};
use crate::error::SetupError;
use crate::games::opening::{Opening, PlyText};
use crate::games::options::SetupOptions;
use crate::games::sowing::SeedsSetup;
use crate::position::Position;
use crate::setup;

impl KalahSetup {
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

impl SetupOptions for KalahSetup {
    const OPENING: Option<PlyText> = Some(PlyText::Houses);

    /// Only the standard game: the even openings of no other are known.
    fn may_be_rated(&self) -> bool {
        self.seeds() == Self::default().seeds()
    }

    fn opening(&self) -> Opening {
        self.opening
    }

    fn with_opening(&self, opening: Opening) -> Result<Self, SetupError> {
        (*self).with_opening(opening)
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
