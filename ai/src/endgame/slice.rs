//! The parts of which databases are made.

use std::fmt;

use mawe_rules::{Family, GameKind};

/// A part of a database: all positions with a number of seeds in the houses, or with a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slice {
    pub(super) kind: GameKind,
    /// The number of seeds and three zeros; or men and kings of the side to move, men and kings of
    /// the other side.
    pub(super) parts: [u8; 4],
}

impl Slice {
    /// The game of the slice.
    pub fn kind(self) -> GameKind {
        self.kind
    }

    /// The name of the file of the slice.
    pub fn file_name(self) -> String {
        let [a, b, c, d] = self.parts;
        let game = self.kind.id();
        match self.kind.family() {
            Family::Checkers | Family::Draughts => format!("{game}-{a}{b}-{c}{d}.slice"),
            _ => format!("{game}-{a:02}.slice"),
        }
    }

    /// The slice of the positions with this many seeds.
    pub(super) fn seeds(kind: GameKind, seeds: u8) -> Self {
        Self {
            kind,
            parts: [seeds, 0, 0, 0],
        }
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.parts;
        let game = self.kind.id();
        match self.kind.family() {
            Family::Checkers | Family::Draughts => {
                write!(f, "{game}, {a} men {b} kings against {c} men {d} kings")
            }
            _ => write!(f, "{game}, {a} seeds"),
        }
    }
}
