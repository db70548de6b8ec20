//! The questions of matchmaking about the setup of any game.

use crate::error::SetupError;
use crate::games::opening::{Opening, PlyText};
use crate::games::rounds::Next;
use crate::setup::NoOptions;
use crate::vocab::BySide;

/// A setup as a match is made of it. The provided methods are those of a game without openings that may always be rated.
pub trait SetupOptions: Clone + Default {
    /// How the plies of an opening are written; `None` in a game without openings.
    const OPENING: Option<PlyText> = None;

    /// The setup of pools, and of rated play unless the players choose another.
    fn usual() -> Self {
        Self::default()
    }

    /// Whether players may request a rated match of this setup, its opening aside.
    fn may_be_rated(&self) -> bool {
        true
    }

    /// Whether this is the setup of a round of a match of rounds.
    fn is_round(&self) -> bool {
        false
    }

    /// The state of the match after this round, if it leaves the sides with these seeds; `None` if this is no round of a match, or these are
    /// not all seeds of the game.
    fn next_round(&self, _owned: BySide<u16>) -> Option<Next<Self>> {
        None
    }

    /// The opening.
    fn opening(&self) -> Opening {
        Opening::None
    }

    /// Returns this setup with another opening.
    ///
    /// # Errors
    ///
    /// [`SetupError::UnknownOption`] in a game without openings; otherwise the error of the game itself.
    fn with_opening(&self, opening: Opening) -> Result<Self, SetupError> {
        match opening {
            Opening::None => Ok(self.clone()),
            Opening::Drawn | Opening::Plies(_) => Err(SetupError::UnknownOption),
        }
    }
}

impl SetupOptions for NoOptions {}
