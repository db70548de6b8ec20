//! The closed set of games.

use std::fmt;
use std::str::FromStr;

use crate::error::UnknownWord;
use crate::vocab::Side;

/// The game that is played. Its text form is its [`id`](GameKind::id).
///
/// A new game is a new variant here. The compiler then reports every `match` that lacks it, and the
/// tests that walk [`GameKind::ALL`] report the other missing parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GameKind {
    /// Mawe! (RULES.md section 1). `Side::First` is White.
    Mawe,
    /// Reversi (RULES.md section 2). `Side::First` is Black.
    Reversi,
    /// American checkers (RULES.md section 3). `Side::First` is Black.
    Checkers,
    /// Drafti ya Kitanzania, Tanzania Draughts-64 (RULES-draughts.md). `Side::First` is White.
    Drafti,
    /// Brazilian draughts, in Polish *warcaby klasyczne* (RULES-draughts.md). `Side::First` is White.
    Brazilian,
    /// Russian draughts, *shashki* (RULES-draughts.md). `Side::First` is White.
    Russian,
    /// International draughts on 10×10 squares, in Polish *warcaby stupolowe* (RULES-draughts.md). `Side::First` is White.
    International,
    /// American pool checkers (RULES-draughts.md). `Side::First` is Black.
    Pool,
    /// Kalah (RULES.md section 5). `Side::First` is South.
    Kalah,
    /// Oware, the Abapa rules (RULES.md section 6). `Side::First` is South.
    Oware,
    /// Congkak (RULES.md section 7). `Side::First` is South.
    Congkak,
    /// Bao la Kiswahili, and Bao la kujifunza (RULES-bao.md). `Side::First` is South.
    Bao,
    /// Pallanguzhi (RULES-pallanguzhi.md). `Side::First` is South.
    Pallanguzhi,
}

/// The games that have a module of the rules in common; most games are a family of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Mawe!.
    Mawe,
    /// Reversi.
    Reversi,
    /// American checkers.
    Checkers,
    /// The draughts with flying kings.
    Draughts,
    /// Kalah.
    Kalah,
    /// Oware.
    Oware,
    /// Congkak.
    Congkak,
    /// Bao.
    Bao,
    /// Pallanguzhi.
    Pallanguzhi,
}

impl Family {
    /// The name of the module, in `rules/src/games/` and in `ai/src/eval/`.
    pub const fn module(self) -> &'static str {
        match self {
            Family::Mawe => "mawe",
            Family::Reversi => "reversi",
            Family::Checkers => "checkers",
            Family::Draughts => "draughts",
            Family::Kalah => "kalah",
            Family::Oware => "oware",
            Family::Congkak => "congkak",
            Family::Bao => "bao",
            Family::Pallanguzhi => "pallanguzhi",
        }
    }
}

impl GameKind {
    /// Every game, in the order in which lists show them.
    pub const ALL: &[GameKind] = &[
        GameKind::Mawe,
        GameKind::Reversi,
        GameKind::Checkers,
        GameKind::Drafti,
        GameKind::Brazilian,
        GameKind::Russian,
        GameKind::International,
        GameKind::Pool,
        GameKind::Kalah,
        GameKind::Oware,
        GameKind::Congkak,
        GameKind::Bao,
        GameKind::Pallanguzhi,
    ];

    /// The stable name in URLs, rows, files and on the wire.
    pub const fn id(self) -> &'static str {
        match self {
            GameKind::Mawe => "mawe",
            GameKind::Reversi => "reversi",
            GameKind::Checkers => "checkers",
            GameKind::Drafti => "drafti",
            GameKind::Brazilian => "brazilian",
            GameKind::Russian => "russian",
            GameKind::International => "international",
            GameKind::Pool => "pool",
            GameKind::Kalah => "kalah",
            GameKind::Oware => "oware",
            GameKind::Congkak => "congkak",
            GameKind::Bao => "bao",
            GameKind::Pallanguzhi => "pallanguzhi",
        }
    }

    /// The family of this game.
    pub const fn family(self) -> Family {
        match self {
            GameKind::Mawe => Family::Mawe,
            GameKind::Reversi => Family::Reversi,
            GameKind::Checkers => Family::Checkers,
            GameKind::Drafti
            | GameKind::Brazilian
            | GameKind::Russian
            | GameKind::International
            | GameKind::Pool => Family::Draughts,
            GameKind::Kalah => Family::Kalah,
            GameKind::Oware => Family::Oware,
            GameKind::Congkak => Family::Congkak,
            GameKind::Bao => Family::Bao,
            GameKind::Pallanguzhi => Family::Pallanguzhi,
        }
    }

    /// The code of a side in position strings and results of this game (RULES.md section 0).
    pub const fn side_code(self, side: Side) -> &'static str {
        match (self.family(), side) {
            (Family::Mawe, Side::First) => "w",
            (Family::Mawe, Side::Second) => "b",
            (Family::Reversi, Side::First) => "X",
            (Family::Reversi, Side::Second) => "O",
            (Family::Checkers, Side::First) => "B",
            (Family::Checkers, Side::Second) => "W",
            (Family::Draughts, side) => match (self, side) {
                (GameKind::Pool, Side::First) => "B",
                (GameKind::Pool, Side::Second) | (_, Side::First) => "W",
                (_, Side::Second) => "B",
            },
            (
                Family::Kalah | Family::Oware | Family::Congkak | Family::Bao | Family::Pallanguzhi,
                Side::First,
            ) => "s",
            (
                Family::Kalah | Family::Oware | Family::Congkak | Family::Bao | Family::Pallanguzhi,
                Side::Second,
            ) => "n",
        }
    }

    /// The winner code of a result: the [`side_code`](GameKind::side_code), or `draw`.
    pub const fn winner_code(self, winner: Option<Side>) -> &'static str {
        match winner {
            Some(side) => self.side_code(side),
            None => "draw",
        }
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for GameKind {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let known = Self::ALL.iter().copied().find(|kind| kind.id() == text);
        known.ok_or(UnknownWord::GameKind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_distinct_and_round_trip() {
        for (i, kind) in GameKind::ALL.iter().enumerate() {
            assert_eq!(kind.id().parse(), Ok(*kind));
            assert!(
                GameKind::ALL[..i]
                    .iter()
                    .all(|other| other.id() != kind.id())
            );
            assert_ne!(kind.side_code(Side::First), kind.side_code(Side::Second));
        }
        assert_eq!("Mawe".parse::<GameKind>(), Err(UnknownWord::GameKind));
    }
}
