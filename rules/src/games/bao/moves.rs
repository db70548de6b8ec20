//! Moves and their text (RULES-bao.md section 12).

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use super::ring::{Direction, Pit};
use crate::error::MoveParseError;

/// The letter of a move: the kichwa that a capture of the namua stage enters, the direction of the
/// hand in every other ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Letter {
    /// The left kichwa; towards lower numbers.
    L,
    /// The right kichwa; towards higher numbers.
    R,
}

impl Letter {
    pub(super) const BOTH: [Letter; 2] = [Letter::L, Letter::R];

    /// The kichwa that is entered.
    pub(super) const fn kichwa(self) -> Pit {
        match self {
            Letter::L => Pit::LEFT_KICHWA,
            Letter::R => Pit::RIGHT_KICHWA,
        }
    }

    /// The direction of the ring in which the hand moves from a pit.
    pub(super) const fn direction(self, from: Pit) -> Direction {
        match (self, from.is_front()) {
            (Letter::R, true) | (Letter::L, false) => Direction::Clockwise,
            (Letter::L, true) | (Letter::R, false) => Direction::AntiClockwise,
        }
    }
}

/// A move of Bao. Its text form is the pit, the letter and possibly `>` for a house that is played:
/// `A2`, `A5R>`, `B2L`.
///
/// The same text can be a capture in one position and a takata in another, and the letter then
/// means something else. [`BaoPosition`](super::BaoPosition) tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BaoMove {
    pit: Pit,
    letter: Option<Letter>,
    plays_house: bool,
}

impl BaoMove {
    pub(super) const fn new(pit: Pit, letter: Option<Letter>) -> Self {
        Self {
            pit,
            letter,
            plays_house: false,
        }
    }

    /// This move with the choice at the house.
    #[must_use]
    pub(super) const fn with_house_played(self, plays_house: bool) -> Self {
        Self {
            plays_house,
            ..self
        }
    }

    /// The pit of the mover in which the ply opens.
    pub const fn pit(self) -> Pit {
        self.pit
    }

    /// The letter; `None` for a capture of the namua stage at A1, A2, A7 or A8.
    pub const fn letter(self) -> Option<Letter> {
        self.letter
    }

    /// Whether the house is played when a lap ends in it, rather than the ply stopped.
    pub const fn plays_house(self) -> bool {
        self.plays_house
    }

    /// Whether some position has a move of this spelling.
    const fn is_spelled(self) -> bool {
        let is_kimbi = self.pit.forced_kichwa().is_some();
        // A letter that a capture of the namua stage has, or has not.
        let is_namua_capture = self.pit.is_front() && is_kimbi == self.letter.is_none();
        is_namua_capture || self.letter.is_some() && !self.plays_house
    }
}

// Derived, the hash of the letter would depend on the width of a pointer, and with it the errors of a level.
impl Hash for BaoMove {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let letter = match self.letter {
            None => 0,
            Some(Letter::L) => 1,
            Some(Letter::R) => 2,
        };
        let row = if self.pit.is_front() { 0 } else { 8 };
        state.write_u8(self.pit.number() + row + 32 * letter + 128 * u8::from(self.plays_house));
    }
}

impl fmt::Display for BaoMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.letter {
            None => "",
            Some(Letter::L) => "L",
            Some(Letter::R) => "R",
        };
        let house = if self.plays_house { ">" } else { "" };
        f.pad(&format!("{}{letter}{house}", self.pit))
    }
}

impl FromStr for BaoMove {
    type Err = MoveParseError;

    fn from_str(text: &str) -> Result<Self, MoveParseError> {
        let (pit, rest) = match text.as_bytes() {
            [b'A', digit @ b'1'..=b'8', rest @ ..] => (Pit::front(digit - b'0'), rest),
            [b'B', digit @ b'1'..=b'8', rest @ ..] => (Pit::back(digit - b'0'), rest),
            _ => return Err(MoveParseError),
        };
        let (letter, rest) = match rest {
            [b'L', rest @ ..] => (Some(Letter::L), rest),
            [b'R', rest @ ..] => (Some(Letter::R), rest),
            rest => (None, rest),
        };
        let plays_house = match rest {
            [] => false,
            [b'>'] => true,
            _ => return Err(MoveParseError),
        };
        let m = Self::new(pit, letter).with_house_played(plays_house);
        m.is_spelled().then_some(m).ok_or(MoveParseError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_round_trips_and_no_other_is_read() {
        let mut read = 0;
        for pit in Pit::ALL {
            for rest in ["", "L", "R", ">", "L>", "R>", "+", "l", "LR", "L>>", "L "] {
                let text = format!("{pit}{rest}");
                if let Ok(m) = text.parse::<BaoMove>() {
                    assert_eq!(m.to_string(), text);
                    read += 1;
                }
            }
        }
        // 4 kimbi: alone, with `>`, and with either letter; 4 other front pits: either letter, with
        // `>` or not; 8 back pits: either letter.
        assert_eq!(read, 4 * 4 + 4 * 4 + 8 * 2);
        for text in [
            "", "A", "A0", "A9L", "C6L", "6L", "a6L", "A6", "A1L>", "B8", "B6L>", "é6L",
        ] {
            assert_eq!(text.parse::<BaoMove>(), Err(MoveParseError), "{text:?}");
        }
    }
}
