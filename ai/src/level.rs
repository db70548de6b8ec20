//! Playing strengths from which people choose.

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

/// A playing strength, from [`Level::MIN`] (a beginner) to [`Level::MAX`] (the full engine). Its text form is the number.
///
/// A level is a depth, a number of nodes and, for weak levels, an error model: the search overlooks moves that are long or lie
/// far ahead, and evaluates with a small error. It never plays a move that it has found to be worse, so even level 1 converts
/// a won ending that is near.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Level(u8);

/// The version of the ladder behind [`Level::rating`], raised when a level's strength is measured again.
pub const LADDER: u32 = 6;

/// The level whose rating is that of a new player.
const ANCHOR: usize = 5;

/// The rating of that level, on the scale of people's ratings.
const ANCHOR_RATING: i32 = 1_500;

/// The parameters of a level, or of any other player with errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// Deepest iteration, in plies.
    pub depth: u32,
    /// Positions visited; unlike time, this limit on a move's work does not depend on the machine.
    pub nodes: u64,
    /// The chance in percent to overlook a move, for each 100 of difficulty beyond `sure`; 0 overlooks nothing. The difficulty
    /// grows with the length of a move and its distance from the root.
    pub blindness: u32,
    /// The difficulty up to which no move is overlooked.
    pub sure: u32,
    /// The greatest error of the evaluation, in hundredths either way. The strongest levels keep a small error, so that games
    /// differ.
    pub noise: i32,
    /// Whether a line continues until the position is calm.
    pub calms: bool,
}

impl Strength {
    /// The full strength of the engine, with only a small error so that games differ.
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
    /// The strongest level. The number of levels follows from it; only the page has its own constant, which a test compares.
    pub const MAX: Level = Level(10);
    /// The number of levels.
    pub const COUNT: usize = (Self::MAX.0 - Self::MIN.0 + 1) as usize;
    /// The number of steps from one level to the next.
    pub(crate) const RUNGS: usize = Self::COUNT - 1;

    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (Self::MIN.0..=Self::MAX.0).map(Level)
    }

    /// The number.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The parameters of this level in a game.
    pub fn strength(self, kind: GameKind) -> Strength {
        strengths(kind)[usize::from(self.0 - Self::MIN.0)]
    }

    /// The rating of this level in a game: level 5 has the rating of a new player, and the distances of the others come from
    /// the ladder. The relation to people's ratings has not been measured.
    pub fn rating(self, kind: GameKind) -> i32 {
        let rungs = |levels: std::ops::Range<usize>| -> i32 {
            // The rung from level n - 1 to level n has index n - 2.
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
        // A number can be written with a sign and with leading zeros, but a level has one spelling.
        match level.to_string() == text {
            true => Ok(level),
            false => Err(UnknownLevel),
        }
    }
}

/// The move of a player of this level.
///
/// The same arguments give the same result, unless `stop` is set or `deadline` (from the call; [`Duration::MAX`] for none)
/// passes before the level's own limits are reached. `proven` is never set, because a player with errors is never certain.
///
/// # Errors
///
/// [`ThinkError::GameOver`] if the game is over.
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

/// As [`choose`], in the current position of a game, whose earlier positions count for repetition, and with `knowledge`. Only
/// a player that overlooks nothing uses it; the others use none. A player of full strength plays book moves while there are
/// any.
///
/// # Errors
///
/// The errors of [`choose`].
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
        // A single legal move needs no search.
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

    /// The ladder in docs/engine.md must match the constants.
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
                    // All games were won: a lower bound of the lead.
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
