//! The common terms of all games: sides, reasons for an end, outcomes.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

use crate::error::UnknownWord;

/// One of the two sides of a game. Its text form is `first` or `second`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The side that moves first from the standard start (White, Black or South, by game).
    First,
    /// The other side.
    Second,
}

impl Side {
    /// Both sides, [`Side::First`] first.
    pub const ALL: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// The text form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Side::First => "first",
            Side::Second => "second",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Side {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let known = Self::ALL.into_iter().find(|side| side.as_str() == text);
        known.ok_or(UnknownWord::Side)
    }
}

/// A pair of values, one for each side; indexed by [`Side`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BySide<T> {
    /// The value of [`Side::First`].
    pub first: T,
    /// The value of [`Side::Second`].
    pub second: T,
}

impl<T> BySide<T> {
    /// The pair of these values.
    pub const fn new(first: T, second: T) -> Self {
        Self { first, second }
    }

    /// The pair of the results of `f` for each side.
    pub fn from_fn(mut f: impl FnMut(Side) -> T) -> Self {
        Self {
            first: f(Side::First),
            second: f(Side::Second),
        }
    }

    /// Converts each value with `f`.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> BySide<U> {
        BySide {
            first: f(self.first),
            second: f(self.second),
        }
    }

    /// The values with their sides, [`Side::First`] first.
    pub fn iter(&self) -> impl Iterator<Item = (Side, &T)> {
        [(Side::First, &self.first), (Side::Second, &self.second)].into_iter()
    }

    /// As [`iter`](BySide::iter), with mutable references to the values.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Side, &mut T)> {
        [
            (Side::First, &mut self.first),
            (Side::Second, &mut self.second),
        ]
        .into_iter()
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    #[inline]
    fn index(&self, side: Side) -> &T {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    #[inline]
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::First => &mut self.first,
            Side::Second => &mut self.second,
        }
    }
}

/// The reason why a game ended, among those that the rules decide (RULES.md section 0).
///
/// Resignation, agreement and time are decided by the server and are not part of this set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// The side to move cannot move; in Reversi, neither side can.
    NoMoves,
    /// As [`NoMoves`](Reason::NoMoves) with equal points, in the decisive form of Mawe!: the side that moved last wins.
    LastMove,
    /// A side has no pieces left.
    NoPieces,
    /// The side to move has pieces, but none can move.
    Blocked,
    /// The same position for the third time.
    Repetition,
    /// Too many consecutive plies without progress.
    QuietLimit,
    /// Pieces that cannot win against each other: in Drafti a king against a king.
    Material,
    /// A limit of the number of moves in certain endings.
    EndgameLimit,
    /// All houses of one row are empty.
    RowEmpty,
    /// A side holds more than half of the seeds, or both hold exactly half.
    Majority,
    /// No seed is left in play, or the opponent has none and cannot be fed.
    BoardEmpty,
    /// *Bao hamna*: the front row of a side is empty.
    FrontEmpty,
}

impl Reason {
    /// Every reason, in the order of RULES.md section 0.
    pub const ALL: &[Reason] = &[
        Reason::NoMoves,
        Reason::LastMove,
        Reason::NoPieces,
        Reason::Blocked,
        Reason::Repetition,
        Reason::QuietLimit,
        Reason::Material,
        Reason::EndgameLimit,
        Reason::RowEmpty,
        Reason::Majority,
        Reason::BoardEmpty,
        Reason::FrontEmpty,
    ];

    /// The reason code of a result, which is also the text form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::NoMoves => "no-moves",
            Reason::LastMove => "last-move",
            Reason::NoPieces => "no-pieces",
            Reason::Blocked => "blocked",
            Reason::Repetition => "repetition",
            Reason::QuietLimit => "quiet-limit",
            Reason::Material => "material",
            Reason::EndgameLimit => "endgame-limit",
            Reason::RowEmpty => "row-empty",
            Reason::Majority => "majority",
            Reason::BoardEmpty => "board-empty",
            Reason::FrontEmpty => "front-empty",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Reason {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let known = Self::ALL
            .iter()
            .copied()
            .find(|reason| reason.as_str() == text);
        known.ok_or(UnknownWord::Reason)
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winning side; `None` is a draw.
    pub winner: Option<Side>,
    /// The reason of the end.
    pub reason: Reason,
    /// The points of each side in the game's own unit, in a game that counts points.
    pub score: Option<BySide<u16>>,
}

impl Outcome {
    /// The outcome of a game decided by points: the side with more wins, equal points are a draw.
    pub fn by_score(score: BySide<u16>, reason: Reason) -> Self {
        let winner = match score.first.cmp(&score.second) {
            std::cmp::Ordering::Greater => Some(Side::First),
            std::cmp::Ordering::Less => Some(Side::Second),
            std::cmp::Ordering::Equal => None,
        };
        Self {
            winner,
            reason,
            score: Some(score),
        }
    }

    /// A draw without points.
    pub const fn draw(reason: Reason) -> Self {
        Self {
            winner: None,
            reason,
            score: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_round_trip() {
        for side in Side::ALL {
            assert_eq!(side.to_string().parse(), Ok(side));
            assert_eq!(side.other().other(), side);
        }
        for reason in Reason::ALL {
            assert_eq!(reason.to_string().parse(), Ok(*reason));
        }
        assert_eq!("First".parse::<Side>(), Err(UnknownWord::Side));
        assert_eq!("".parse::<Reason>(), Err(UnknownWord::Reason));
    }

    #[test]
    fn more_points_win_and_equal_points_draw() {
        let winner =
            |first, second| Outcome::by_score(BySide::new(first, second), Reason::NoMoves).winner;
        assert_eq!(winner(3, 2), Some(Side::First));
        assert_eq!(winner(2, 3), Some(Side::Second));
        assert_eq!(winner(3, 3), None);
    }

    #[test]
    fn by_side_keeps_its_sides_apart() {
        let mut pair = BySide::from_fn(|side| side.as_str().len());
        assert_eq!((pair[Side::First], pair[Side::Second]), (5, 6));
        pair[Side::Second] = 1;
        assert_eq!(pair.map(|n| n * 2), BySide::new(10, 2));
        let listed: Vec<_> = pair.iter().collect();
        assert_eq!(listed, [(Side::First, &5), (Side::Second, &1)]);
    }
}
