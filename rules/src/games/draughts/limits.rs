//! The limits of endings as conditions and counts, RULES-draughts.md section 6.

use crate::vocab::{BySide, Side};

/// The plies that a clock counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Those of both sides.
    EveryPly,
    /// Those of the lone king.
    LoneKing,
    /// Those of the side against which the lone king stands.
    StrongerSide,
}

/// The plies that set a clock back to 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resets {
    /// No ply.
    None,
    /// A capture.
    Capture,
    /// A capture, and the crowning of a man.
    CaptureOrCrowning,
}

/// A limit for certain endings.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// The condition on the position.
    pub holds: fn(&Material) -> bool,
    /// The plies that it counts.
    pub counts: Counts,
    /// The count with which the game is drawn.
    pub limit: u16,
    /// The plies that set it back.
    pub resets: Resets,
}

/// What the conditions look at.
#[derive(Clone, Copy, Debug)]
pub struct Material {
    /// The men of each side.
    pub men: BySide<u32>,
    /// The kings of each side.
    pub kings: BySide<u32>,
    /// The pieces of each side on the long diagonal.
    pub on_road: BySide<u32>,
}

impl Material {
    /// The number of all pieces.
    pub fn pieces(&self) -> u32 {
        self.men.first + self.men.second + self.kings.first + self.kings.second
    }

    /// Whether each side has a king.
    pub fn both_have_kings(&self) -> bool {
        self.kings.first > 0 && self.kings.second > 0
    }

    /// Whether a side's only piece is a king.
    fn is_lone(&self, side: Side) -> bool {
        self.men[side] == 0 && self.kings[side] == 1
    }

    /// The side with a lone king. Where both have one, the clocks count every ply.
    pub fn lone_side(&self) -> Option<Side> {
        Side::ALL.into_iter().find(|side| self.is_lone(*side))
    }

    /// Whether a lone king stands against a side whose men and kings fit.
    pub fn lone_king_against(&self, fits: fn(men: u32, kings: u32) -> bool) -> bool {
        let against = |side: Side| fits(self.men[side], self.kings[side]);
        Side::ALL
            .into_iter()
            .any(|side| self.is_lone(side) && against(side.other()))
    }

    /// Whether the lone king stands on the long diagonal, and no other piece does.
    pub fn lone_king_has_road(&self) -> bool {
        self.lone_side()
            .is_some_and(|side| self.on_road[side] == 1 && self.on_road[side.other()] == 0)
    }
}
