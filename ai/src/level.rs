//! Playing strengths for people to choose from.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mawe_rules::{AnyPosition, GameKind, Record};

use crate::error::{ThinkError, UnknownLevel};
use crate::knowledge::Knowledge;
use crate::limits::Limits;
use crate::search::{Features, MAX_DEPTH};
use crate::sight::Sight;
use crate::think::{Thought, ladder, strengths, think_seeing};

/// A playing strength, from [`Level::MIN`] (a beginner) to [`Level::MAX`] (all the engine has). Its text form is the number.
///
/// A level is a depth, a number of nodes and, for the weak, an error model: the search overlooks
/// moves that are long or lie far ahead, and judges a little wrongly. It never plays a move it
/// knows to be worse, so even level 1 converts a won end that is near.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Level(u8);

/// Which ladder it is that [`Level::rating`] tells of: raised whenever a level's strength was measured anew.
pub const LADDER: u32 = 6;

/// The level that is rated as somebody of whom nothing is known.
const ANCHOR: usize = 5;

/// What that is, on the scale of people's ratings.
const ANCHOR_RATING: i32 = 1_500;

/// What makes a level, or any other player with errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// Deepest iteration, in plies.
    pub depth: u32,
    /// Positions visited: the bound on a move's work that does not depend on the machine.
    pub nodes: u64,
    /// The chance in percent to overlook a move, for each 100 of difficulty beyond `sure`; 0 sees
    /// everything. A move is the more difficult, the longer it is and the further ahead it lies.
    pub blindness: u32,
    /// The difficulty up to which everything is seen.
    pub sure: u32,
    /// How far a judgement may be off, in hundredths either way. The strongest keep a little, so
    /// that not every game is the same.
    pub noise: i32,
    /// Whether a line goes on until the position is calm.
    pub calms: bool,
}

impl Strength {
    /// All the engine has, and only so much error that games differ.
    pub const FULL: Strength = Strength {
        depth: MAX_DEPTH,
        nodes: 1_500_000,
        blindness: 0,
        sure: 0,
        noise: 1,
        calms: true,
    };

    fn features(self) -> Features {
        Features {
            quiescence: self.calms,
            ..Features::ALL
        }
    }

    fn sight(self, seed: u64) -> Sight {
        Sight {
            seed,
            blindness: self.blindness,
            sure: self.sure,
            noise: self.noise,
        }
    }
}

impl Level {
    /// The weakest level.
    pub const MIN: Level = Level(1);
    /// The strongest level: the number of levels follows from it everywhere but in the page, which a test of its own compares.
    pub const MAX: Level = Level(10);
    /// How many levels there are.
    pub const COUNT: usize = (Self::MAX.0 - Self::MIN.0 + 1) as usize;
    /// How many steps there are from a level to the next.
    pub(crate) const RUNGS: usize = Self::COUNT - 1;

    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (Self::MIN.0..=Self::MAX.0).map(Level)
    }

    /// The number.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// What makes this level in a game.
    pub fn strength(self, kind: GameKind) -> Strength {
        strengths(kind)[usize::from(self.0 - Self::MIN.0)]
    }

    /// The rating of this level in a game: as far from level 5 as the ladder says, and level 5 where
    /// a new player's rating begins. How people's ratings compare was not measured; they will tell.
    pub fn rating(self, kind: GameKind) -> i32 {
        let rungs = |levels: std::ops::Range<usize>| -> i32 {
            // The rung up to level n is the one at n - 2.
            levels.map(|below| ladder(kind)[below - 1]).sum()
        };
        let level = usize::from(self.0);
        if level < ANCHOR {
            ANCHOR_RATING - rungs(level..ANCHOR)
        } else {
            ANCHOR_RATING + rungs(ANCHOR..level)
        }
    }
}

impl TryFrom<u8> for Level {
    type Error = UnknownLevel;

    fn try_from(number: u8) -> Result<Self, UnknownLevel> {
        let level = Self(number);
        match (Self::MIN..=Self::MAX).contains(&level) {
            true => Ok(level),
            false => Err(UnknownLevel),
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
        let number: u8 = text.parse().map_err(|_| UnknownLevel)?;
        let level = Self::try_from(number)?;
        // A number can be written with a sign and with zeros before it: a level has one spelling.
        match level.to_string() == text {
            true => Ok(level),
            false => Err(UnknownLevel),
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
    let knowledge = Knowledge::built_in();
    choose_as(
        &game,
        level.strength(pos.kind()),
        knowledge,
        seed,
        stop,
        deadline,
    )
}

/// As [`choose`], in the last position of a game, what has occurred in it before being known to occur
/// again, and knowing more or less: who overlooks nothing uses all of `knowledge`, others
/// none. Who has all strength plays openings, while they last.
///
/// # Errors
///
/// As [`choose`].
pub fn choose_as(
    game: &Record,
    strength: Strength,
    knowledge: &Knowledge,
    seed: u64,
    stop: Arc<AtomicBool>,
    deadline: Duration,
) -> Result<Thought, ThinkError> {
    if strength == Strength::FULL
        && let Some(m) = knowledge.opening(game.position(), seed)
    {
        return Ok(Thought::from_book(m));
    }
    let limits = Limits {
        // An only move needs no thought.
        depth: Some(match game.position().legal_moves().len() {
            1 => 1,
            _ => strength.depth,
        }),
        nodes: Some(strength.nodes),
        movetime: (deadline < Duration::MAX).then_some(deadline),
        stop: Some(stop),
        clock: None,
    };
    think_seeing(
        game,
        &limits,
        strength.features(),
        strength.sight(seed),
        knowledge,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_rise_by_the_rungs_of_the_ladder() {
        for &kind in GameKind::ALL {
            let ratings: Vec<i32> = Level::all().map(|level| level.rating(kind)).collect();
            let rungs: Vec<i32> = ratings.windows(2).map(|pair| pair[1] - pair[0]).collect();
            assert_eq!(rungs, ladder(kind), "{kind}");
            assert_eq!(ratings[4], 1_500, "{kind}");
            assert!(ratings[0] > 400, "{kind}: below any rating that there is");
        }
    }

    /// The page of the engine says what its levels are rated by.
    #[test]
    fn the_ladder_is_the_one_that_is_written_down() {
        let page = include_str!("../../docs/engine.md");
        let names = ["Mawe!", "Reversi", "Checkers", "Kalah", "Oware", "Congkak"];
        for (&kind, name) in GameKind::ALL.iter().zip(names) {
            let row = page
                .lines()
                .find(|line| {
                    line.starts_with(&format!("| {name} |"))
                        && line.matches('±').count() == Level::RUNGS
                })
                .unwrap_or_else(|| panic!("no row of {name}"));
            let told = row
                .split('|')
                .filter(|cell| cell.contains('±'))
                .map(|cell| {
                    let known = cell.split('±').next().expect("a number").trim();
                    // All games won: as strong as that shows at least.
                    let bound = if cell.contains('¹') { "370" } else { known };
                    bound.parse::<i32>().expect("a number")
                });
            assert_eq!(told.collect::<Vec<_>>(), ladder(kind), "{kind}");
        }
    }

    #[test]
    fn levels_are_one_to_ten_with_one_spelling() {
        assert_eq!(Level::all().count(), Level::COUNT);
        assert_eq!(Level::COUNT, 10);
        for level in Level::all() {
            assert_eq!(level.to_string().parse(), Ok(level));
            assert_eq!(Level::try_from(level.get()), Ok(level));
        }
        for text in [
            "", "0", "11", "256", "01", "010", "+1", "-1", " 1", "1 ", "one",
        ] {
            assert_eq!(text.parse::<Level>(), Err(UnknownLevel), "{text:?}");
        }
        assert_eq!(Level::try_from(0), Err(UnknownLevel));
        assert_eq!(Level::try_from(11), Err(UnknownLevel));
        assert_eq!(UnknownLevel.to_string(), "a level is a number from 1 to 10");
    }
}
