//! Openings of the sowing games: plies that are part of the setup.
//!
//! With the opening in the setup, a record can be replayed without other data.

use std::fmt;
use std::str::FromStr;

use crate::error::SetupError;
use crate::position::Position;
use crate::vocab::Side;

/// The longest opening. Longer ones would leave little of the game.
pub const MAX_OPENING_PLIES: usize = 16;

/// The opening of a game: the plies that precede the first ply of the players.
///
/// Its text form is the value of the option `opening`: `drawn`, or the numbers of the played houses, `4411423`.
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

/// The houses played in an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OpeningPlies {
    count: u8,
    /// Numbers of houses, 1 to 9; zero from `count` on.
    houses: [u8; MAX_OPENING_PLIES],
}

impl OpeningPlies {
    fn houses(&self) -> &[u8] {
        &self.houses[..usize::from(self.count)]
    }
}

impl Opening {
    /// The position after the opening, from the start of the game.
    ///
    /// # Errors
    ///
    /// [`SetupError::UndrawnOpening`] for [`Opening::Drawn`]; [`SetupError::BadValue`] if a ply is illegal, the game is over
    /// afterwards, or the second side is to move, because the first side begins a match.
    pub(super) fn after<P: Position>(self, start: P) -> Result<P, SetupError> {
        let plies = match self {
            Opening::None => return Ok(start),
            Opening::Drawn => return Err(SetupError::UndrawnOpening),
            Opening::Plies(plies) => plies,
        };
        let mut position = start;
        for house in plies.houses() {
            let m: P::Move = house
                .to_string()
                .parse()
                .map_err(|_| SetupError::BadValue)?;
            if !position.is_legal(m) {
                return Err(SetupError::BadValue);
            }
            position.play_unchecked(m);
        }
        match position.outcome() {
            None if position.turn() == Side::First => Ok(position),
            None | Some(_) => Err(SetupError::BadValue),
        }
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Opening::None => Ok(()),
            Opening::Drawn => f.write_str("drawn"),
            Opening::Plies(plies) => plies
                .houses()
                .iter()
                .try_for_each(|house| write!(f, "{house}")),
        }
    }
}

impl FromStr for Opening {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Self, SetupError> {
        if text == "drawn" {
            return Ok(Opening::Drawn);
        }
        let mut houses = [0; MAX_OPENING_PLIES];
        if text.is_empty() || text.len() > houses.len() {
            return Err(SetupError::BadValue);
        }
        for (house, digit) in houses.iter_mut().zip(text.bytes()) {
            *house = match digit {
                b'1'..=b'9' => digit - b'0',
                _ => return Err(SetupError::BadValue),
            };
        }
        Ok(Opening::Plies(OpeningPlies {
            // The length is at most that of the array.
            count: text.len() as u8,
            houses,
        }))
    }
}
