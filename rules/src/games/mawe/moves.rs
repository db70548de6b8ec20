//! Moves and their text.

use std::fmt;
use std::str::FromStr;

use crate::error::MoveParseError;
use crate::square::Square;

/// A move of one stone from one square to another. The two squares identify it; they are its text
/// form, `a1c3`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MaweMove {
    from: Square,
    to: Square,
}

impl MaweMove {
    #[inline(always)]
    pub(super) const fn new(from: Square, to: Square) -> Self {
        Self { from, to }
    }

    /// The square of origin.
    #[inline]
    pub const fn from(self) -> Square {
        self.from
    }

    /// The target square, never the square of origin.
    #[inline]
    pub const fn to(self) -> Square {
        self.to
    }

    /// The number of squares that the stone travels: 1 to 7 along a diagonal, 2 for a sideways
    /// jump.
    pub fn distance(self) -> u8 {
        let files = self.from.file().abs_diff(self.to.file());
        files.max(self.from.rank().abs_diff(self.to.rank()))
    }
}

impl fmt::Display for MaweMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

impl fmt::Debug for MaweMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for MaweMove {
    type Err = MoveParseError;

    fn from_str(text: &str) -> Result<Self, MoveParseError> {
        let &[file, rank, to_file, to_rank] = text.as_bytes() else {
            return Err(MoveParseError);
        };
        match (
            Square::from_text(file, rank),
            Square::from_text(to_file, to_rank),
        ) {
            (Some(from), Some(to)) if from != to => Ok(Self { from, to }),
            (_, _) => Err(MoveParseError),
        }
    }
}
