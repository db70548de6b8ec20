//! Openings: plies that are part of the setup.
//!
//! With the opening in the setup, a record can be replayed without other data.

use std::fmt;
use std::str::FromStr;

use crate::error::SetupError;
use crate::position::Position;
use crate::vocab::Side;

/// The longest opening. Longer ones would leave little of the game.
pub const MAX_OPENING_PLIES: usize = 16;

/// The longest text of an opening, in bytes: as many plies as may be where a ply is one or two characters, and five steps where a ply
/// is written with its squares.
const MAX_TEXT: usize = 32;

/// How a game writes the plies of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlyText {
    /// One digit for a ply, the number of the house: `4411423`.
    Houses,
    /// Two characters for a ply, the square: `f5d6c3d3`.
    Squares,
    /// Full stops between the plies: `11-15.23-19.8-11`.
    Moves,
}

/// The opening of a game: the plies that precede the first ply of the players.
///
/// Its text form is the value of the option `opening`: `drawn`, or the plies as [`PlyText`] says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Opening {
    /// No opening: the players begin from the start.
    #[default]
    None,
    /// An opening that is drawn by lot when the match is made. It is a request only; no game can start from it.
    Drawn,
    /// These plies.
    Plies(OpeningPlies),
}

/// The text of an opening's plies. Only the setup of a game knows whether they can be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OpeningPlies {
    length: u8,
    /// ASCII; zero from `length` on.
    text: [u8; MAX_TEXT],
}

impl OpeningPlies {
    /// The text form.
    pub fn as_str(&self) -> &str {
        let text = &self.text[..usize::from(self.length)];
        std::str::from_utf8(text).expect("only ASCII is accepted")
    }
}

impl PlyText {
    /// The plies of a text, each in the notation of the game. Where the text does not divide into plies, one of them is no move.
    fn split(self, text: &str) -> Vec<&str> {
        let width = match self {
            PlyText::Houses => 1,
            PlyText::Squares => 2,
            PlyText::Moves => return text.split('.').collect(),
        };
        let starts = (0..text.len()).step_by(width);
        // The text of an opening is ASCII.
        starts
            .map(|at| &text[at..text.len().min(at + width)])
            .collect()
    }

    /// The text of these plies.
    fn join(self, plies: &[String]) -> String {
        plies.join(match self {
            PlyText::Houses | PlyText::Squares => "",
            PlyText::Moves => ".",
        })
    }

    /// The opening of these plies, which are in the notation of the game.
    ///
    /// # Errors
    ///
    /// [`SetupError::BadValue`] if there are none, or their text is too long.
    pub(crate) fn opening(self, plies: &[String]) -> Result<Opening, SetupError> {
        let text = self.join(plies);
        OpeningPlies::read(&text).map(Opening::Plies)
    }
}

impl Opening {
    /// The plies, each in the notation of the game; none for an opening without plies.
    pub(crate) fn plies(&self, written: PlyText) -> Vec<&str> {
        match self {
            Opening::None | Opening::Drawn => Vec::new(),
            Opening::Plies(plies) => written.split(plies.as_str()),
        }
    }

    /// The position after the opening, from the start of the game.
    ///
    /// # Errors
    ///
    /// [`SetupError::UndrawnOpening`] for [`Opening::Drawn`]; [`SetupError::BadValue`] if a ply is illegal, there are more than
    /// [`MAX_OPENING_PLIES`], or the game is over afterwards. In a sowing game also if the second side is to move: with extra moves any
    /// number of plies can give either side the turn, and the first side begins a match. Where the sides take turns, the number of
    /// plies says whose turn it is, and a match may begin with the second side: the three plies of a ballot of checkers give White the
    /// move.
    pub(super) fn after<P: Position>(self, start: P, written: PlyText) -> Result<P, SetupError> {
        match self {
            Opening::None => return Ok(start),
            Opening::Drawn => return Err(SetupError::UndrawnOpening),
            Opening::Plies(_) => {}
        }
        let plies = self.plies(written);
        if plies.len() > MAX_OPENING_PLIES {
            return Err(SetupError::BadValue);
        }
        let mut position = start;
        for ply in plies {
            let m: P::Move = ply.parse().map_err(|_| SetupError::BadValue)?;
            if !position.is_legal(m) {
                return Err(SetupError::BadValue);
            }
            position.play_unchecked(m);
        }
        let is_turn = match written {
            PlyText::Houses => position.turn() == Side::First,
            PlyText::Squares | PlyText::Moves => true,
        };
        match position.outcome() {
            None if is_turn => Ok(position),
            None | Some(_) => Err(SetupError::BadValue),
        }
    }
}

impl OpeningPlies {
    fn read(text: &str) -> Result<Self, SetupError> {
        let is_of_plies = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
        if text.is_empty() || text.len() > MAX_TEXT || !text.bytes().all(is_of_plies) {
            return Err(SetupError::BadValue);
        }
        let mut plies = Self {
            // The length is at most that of the array.
            length: text.len() as u8,
            text: [0; MAX_TEXT],
        };
        plies.text[..text.len()].copy_from_slice(text.as_bytes());
        Ok(plies)
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Opening::None => "",
            Opening::Drawn => "drawn",
            Opening::Plies(plies) => plies.as_str(),
        })
    }
}

impl FromStr for Opening {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        match text {
            "drawn" => Ok(Opening::Drawn),
            _ => OpeningPlies::read(text).map(Opening::Plies),
        }
    }
}
