//! The limits of endings, RULES-draughts.md section 6.

use super::board::Geometry;
use super::variant::Variant;
use super::{DraughtsPosition, Ply};
use crate::vocab::{BySide, Side};

/// The most clocks that a game has.
pub(super) const MOST_CLOCKS: usize = 4;

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
    pub limit: u32,
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
    fn of<V: Variant>(position: &DraughtsPosition<V>) -> Self {
        let road = road::<V>();
        let count = |of: &dyn Fn(Side) -> u32| BySide::new(of(Side::First), of(Side::Second));
        Self {
            men: count(&|side| position.men(side)),
            kings: count(&|side| position.kings(side)),
            on_road: count(&|side| (position.pieces[side] & road).count_ones()),
        }
    }

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
    fn lone_side(&self) -> Option<Side> {
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

/// The long diagonal: from the right of the top row down to the left.
fn road<V: Variant>() -> u64 {
    let mut at = Geometry::<V>::bit(V::ROW);
    let mut road = 0;
    while at != 0 {
        road |= at;
        at = Geometry::<V>::step(at, 0);
    }
    road
}

/// The clocks of a game, after each of its plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndgameClocks {
    /// The count of each clock of the variant; `None` where it is off.
    counts: [Option<u32>; MOST_CLOCKS],
}

impl EndgameClocks {
    /// The clocks in the first position of a game.
    pub fn start<V: Variant>(position: &DraughtsPosition<V>) -> Self {
        let material = Material::of(position);
        let mut counts = [None; MOST_CLOCKS];
        for (count, clock) in counts.iter_mut().zip(V::CLOCKS) {
            *count = (clock.holds)(&material).then_some(0);
        }
        Self { counts }
    }

    /// Notes a ply and the position after it; returns whether a clock has reached its limit.
    pub fn note<V: Variant>(&mut self, ply: Ply, after: &DraughtsPosition<V>) -> bool {
        let material = Material::of(after);
        let mut is_reached = false;
        for (count, clock) in self.counts.iter_mut().zip(V::CLOCKS) {
            let resets = match clock.resets {
                Resets::None => false,
                Resets::Capture => ply.captures,
                Resets::CaptureOrCrowning => ply.captures || ply.crowns,
            };
            let counted = match clock.counts {
                Counts::EveryPly => true,
                Counts::LoneKing => material.lone_side() == Some(ply.side),
                Counts::StrongerSide => material.lone_side() == Some(ply.side.other()),
            };
            *count = match *count {
                _ if !(clock.holds)(&material) => None,
                Some(before) if !resets => Some(before + u32::from(counted)),
                Some(_) | None => Some(0),
            };
            is_reached |= count.is_some_and(|count| count >= clock.limit);
        }
        is_reached
    }
}
