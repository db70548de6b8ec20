//! The clocks of the limits of endings, RULES-draughts.md section 6.

use super::board::Geometry;
use super::limits::{Counts, Material, Resets};
use super::ply::Ply;
use super::position::DraughtsPosition;
use super::variant::Variant;
use crate::vocab::{BySide, Side};

/// The most clocks that a game has.
pub(super) const MOST_CLOCKS: usize = 4;

/// What the conditions look at, in a position.
fn material<V: Variant>(position: &DraughtsPosition<V>) -> Material {
    let road = road::<V>();
    let count = |of: &dyn Fn(Side) -> u32| BySide::new(of(Side::First), of(Side::Second));
    Material {
        men: count(&|side| position.men(side)),
        kings: count(&|side| position.kings(side)),
        on_road: count(&|side| (position.pieces[side] & road).count_ones()),
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
        let material = material(position);
        let mut counts = [None; MOST_CLOCKS];
        for (count, clock) in counts.iter_mut().zip(V::CLOCKS) {
            *count = (clock.holds)(&material).then_some(0);
        }
        Self { counts }
    }

    /// Notes a ply and the position after it; returns whether a clock has reached its limit.
    pub fn note<V: Variant>(&mut self, ply: Ply, after: &DraughtsPosition<V>) -> bool {
        let material = material(after);
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
