//! Playing strengths for people to choose from.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mawe_rules::{AnyPosition, Record};

use crate::error::{ThinkError, UnknownLevel};
use crate::limits::Limits;
use crate::search::Features;
use crate::sight::Sight;
use crate::think::{Thought, think_seeing};

/// A playing strength, 1 (a beginner) to 8 (all the engine has). Its text form is the number.
///
/// A level is a depth, a number of nodes and, for the weak, an error model: the search overlooks
/// moves that are long or lie far ahead, and judges a little wrongly. It never plays a move it
/// knows to be worse, so even level 1 converts a won end that is near.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Level(u8);

/// What makes a level.
struct Strength {
    /// Deepest iteration, in plies.
    depth: u32,
    /// Positions visited: the bound on a move's work that does not depend on the machine.
    nodes: u64,
    /// See [`Sight`]; 0 sees everything.
    blindness: u32,
    /// See [`Sight`].
    sure: u32,
    /// See [`Sight`]. The strongest keep a little, so that not every game is the same.
    noise: i32,
}

#[rustfmt::skip]
const STRENGTHS: [Strength; 8] = [
    Strength { depth: 1,   nodes: 1_000,     blindness: 120, sure: 5,  noise: 80 },
    Strength { depth: 2,   nodes: 5_000,     blindness: 90,  sure: 10, noise: 60 },
    Strength { depth: 2,   nodes: 10_000,    blindness: 60,  sure: 15, noise: 40 },
    Strength { depth: 3,   nodes: 20_000,    blindness: 40,  sure: 20, noise: 25 },
    Strength { depth: 4,   nodes: 40_000,    blindness: 25,  sure: 25, noise: 15 },
    Strength { depth: 5,   nodes: 100_000,   blindness: 10,  sure: 30, noise: 8 },
    Strength { depth: 8,   nodes: 400_000,   blindness: 0,   sure: 0,  noise: 4 },
    Strength { depth: 200, nodes: 3_000_000, blindness: 0,   sure: 0,  noise: 2 },
];

impl Level {
    /// The weakest level.
    pub const MIN: Level = Level(1);
    /// The strongest level.
    pub const MAX: Level = Level(8);

    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (Self::MIN.0..=Self::MAX.0).map(Level)
    }

    /// The number, 1 to 8.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// What the level may spend on a move, without a limit in time.
    pub fn limits(self) -> Limits {
        let strength = self.strength();
        Limits {
            depth: Some(strength.depth),
            nodes: Some(strength.nodes),
            ..Limits::default()
        }
    }

    fn sight(self, seed: u64) -> Sight {
        let strength = self.strength();
        Sight {
            seed,
            blindness: strength.blindness,
            sure: strength.sure,
            noise: strength.noise,
        }
    }

    fn strength(self) -> &'static Strength {
        &STRENGTHS[usize::from(self.0 - Self::MIN.0)]
    }
}

impl TryFrom<u8> for Level {
    type Error = UnknownLevel;

    fn try_from(number: u8) -> Result<Self, UnknownLevel> {
        match number {
            1..=8 => Ok(Self(number)),
            _ => Err(UnknownLevel),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(text: &str) -> Result<Self, UnknownLevel> {
        match text.as_bytes() {
            [digit @ b'1'..=b'8'] => Ok(Self(digit - b'0')),
            _ => Err(UnknownLevel),
        }
    }
}

/// The move that a player of this level makes.
///
/// The same question with the same `seed` gets the same answer unless `stop` is set or `deadline`
/// (from the call; [`Duration::MAX`] for none) passes before the level's own limits are reached.
/// `proven` is never set: a player with errors knows nothing for certain.
///
/// # Errors
///
/// [`ThinkError::GameOver`] if there is no move to make.
pub fn choose(
    pos: &AnyPosition,
    level: Level,
    seed: u64,
    stop: Arc<AtomicBool>,
    deadline: Duration,
) -> Result<Thought, ThinkError> {
    let game = Record::from_position(pos.clone());
    choose_capped(&game, level, seed, stop, deadline, None)
}

/// As [`choose`], in the last position of a game, with a limit of nodes below the level's own.
pub(crate) fn choose_capped(
    game: &Record,
    level: Level,
    seed: u64,
    stop: Arc<AtomicBool>,
    deadline: Duration,
    nodes: Option<u64>,
) -> Result<Thought, ThinkError> {
    let own = level.limits();
    let limits = Limits {
        nodes: own.nodes.map(|own| nodes.map_or(own, |cap| cap.min(own))),
        // An only move needs no thought.
        depth: match game.position().legal_moves().len() {
            1 => Some(1),
            _ => own.depth,
        },
        movetime: (deadline < Duration::MAX).then_some(deadline),
        stop: Some(stop),
        ..own
    };
    think_seeing(game, &limits, Features::ALL, level.sight(seed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_one_to_eight_with_one_spelling() {
        assert_eq!(Level::all().count(), STRENGTHS.len());
        for level in Level::all() {
            assert_eq!(level.to_string().parse(), Ok(level));
            assert_eq!(Level::try_from(level.get()), Ok(level));
        }
        for text in ["", "0", "9", "01", "+1", " 1", "1 ", "one"] {
            assert_eq!(text.parse::<Level>(), Err(UnknownLevel), "{text:?}");
        }
        assert_eq!(Level::try_from(0), Err(UnknownLevel));
        assert_eq!(Level::try_from(9), Err(UnknownLevel));
    }
}
