//! The clocks of the limits of endings, RULES-draughts.md section 6.

use super::board::Geometry;
use super::limits::{Counts, Material, Resets};
use super::ply::Ply;
use super::position::DraughtsPosition;
use super::variant::Variant;
use crate::endgame_clocks::EndgameClocks;
use crate::vocab::{BySide, Side};

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

impl<V: Variant> DraughtsPosition<V> {
    /// What the conditions of the clocks look at.
    pub fn material(&self) -> Material {
        let road = road::<V>();
        let count = |of: &dyn Fn(Side) -> u32| BySide::new(of(Side::First), of(Side::Second));
        Material {
            men: count(&|side| (self.pieces[side] & !self.kings).count_ones()),
            kings: count(&|side| (self.pieces[side] & self.kings).count_ones()),
            on_road: count(&|side| (self.pieces[side] & road).count_ones()),
        }
    }

    /// The clocks in the first position of a game.
    pub fn start_of_clocks(&self) -> EndgameClocks {
        let material = self.material();
        let mut clocks = EndgameClocks::default();
        for (count, clock) in clocks.counts.iter_mut().zip(V::CLOCKS) {
            *count = (clock.holds)(&material).then_some(0);
        }
        clocks
    }

    /// Notes the ply that led to this position; returns whether a clock has reached its limit.
    pub fn note_ply(&self, ply: Ply, clocks: &mut EndgameClocks) -> bool {
        let material = self.material();
        let mut is_reached = false;
        for (count, clock) in clocks.counts.iter_mut().zip(V::CLOCKS) {
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
                Some(before) if !resets => Some(before + u16::from(counted)),
                Some(_) | None => Some(0),
            };
            is_reached |= count.is_some_and(|count| count >= clock.limit);
        }
        is_reached
    }
}
