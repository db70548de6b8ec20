//! Playing strengths from which people choose.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// A playing strength, from [`Level::MIN`] (a beginner) to [`Level::MAX`] (the full engine). Its text form is the number.
///
/// A level is a depth, a number of nodes and, for weak levels, an error model: the search overlooks moves that are long or lie
/// far ahead, and evaluates with a small error. It never plays a move that it has found to be worse, so even level 1 converts
/// a won ending that is near.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Level(u8);

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

/// The error of a number or text that is not a [`Level`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnknownLevel;

impl UnknownLevel {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        "unknown-level"
    }
}

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a level is a number from {} to {}",
            Level::MIN,
            Level::MAX
        )
    }
}

impl Error for UnknownLevel {}

#[cfg(test)]
mod tests {
    use super::*;

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
