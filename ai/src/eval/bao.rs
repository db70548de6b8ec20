//! Evaluation of Bao: seeds on either side, seeds safe in the back row, houses, and captures that are open.

use mawe_rules::games::bao::{BaoMove, BaoPosition, PITS, Stage};
use mawe_rules::{Position, Side};

use super::evaluate::Evaluate;
use super::learned::{Learn, Learned};
use crate::weights::Weights;

/// The value of a seed, in the store or on the board.
const SEED: i32 = 100;
/// The extra value of a seed in the back row, which cannot be captured.
const BACK: i32 = 15;
/// The extra value of an owned house.
const HOUSE: i32 = 250;
/// The value of each seed of the largest capture that can open a ply: for the side to move, and for the other side.
const CAPTURE: i32 = 60;
const CAPTURE_LATER: i32 = 25;
/// The advantage of being the side to move.
const TURN: i32 = 80;

/// The visibility cost of a move, for each seed that it sows.
const COST_PER_SEED: u32 = 2;

/// The pits of a front row.
const FRONT: usize = PITS / 2;

impl Evaluate for BaoPosition {
    type Known = Learned;
    const ASPIRATION: i32 = 250;
    const MARGIN: i32 = 600;
    const REDUCTION: u32 = 10;
    const MAY_REPEAT: bool = true;

    #[inline]
    fn evaluate(&self, known: &Learned) -> i32 {
        known.judge(self).unwrap_or_else(|| by_hand(self))
    }

    #[inline]
    fn order_score(&self, m: BaoMove) -> i32 {
        i32::from(self.opening_capture(m))
    }

    fn visibility_cost(&self, m: BaoMove) -> u32 {
        u32::from(self.sown(m)) * COST_PER_SEED
    }
}

/// The contents of one side.
struct Part {
    pits: [u8; PITS],
    store: i32,
    owns_house: bool,
    /// The seeds of the largest capture that could open a ply of this side.
    capture: i32,
}

impl Part {
    #[inline]
    fn of(pos: &BaoPosition, side: Side) -> Self {
        Self {
            pits: pos.pits(side),
            store: i32::from(pos.store(side)),
            owns_house: pos.owns_house(side),
            capture: i32::from(pos.largest_opening_capture(side)),
        }
    }

    /// The seeds in the front row, and those in the back row.
    fn rows(&self) -> [i32; 2] {
        let sum = |row: &[u8]| row.iter().map(|seeds| i32::from(*seeds)).sum();
        let (front, back) = self.pits.split_at(FRONT);
        [sum(front), sum(back)]
    }
}

/// The evaluation by rules of thumb.
fn by_hand(pos: &BaoPosition) -> i32 {
    let side = pos.turn();
    let [own, other] = [side, side.other()].map(|side| Part::of(pos, side));
    let value = |part: &Part, capture: i32| {
        let [front, back] = part.rows();
        SEED * (front + back + part.store)
            + BACK * back
            + HOUSE * i32::from(part.owns_house)
            + capture * part.capture
    };
    TURN + value(&own, CAPTURE) - value(&other, CAPTURE_LATER)
}

/// The phases, each with its own weights: much of the namua stage is left, little of it, none.
const PHASES: usize = 3;
/// The least number of seeds in the store in the first phase.
const EARLY: i32 = 12;
/// The categories of a pit by itself: its seeds, the last one for all greater numbers.
const CONTENTS: usize = 14;
/// The categories of a front pit beside the one that it faces.
const FEW: usize = 6;
const FACING_AT: usize = 2 * PITS * CONTENTS;
const COUNTS_AT: usize = FACING_AT + FRONT * FEW * FEW;
const COUNTS: usize = 8;
const IN_PHASE: usize = COUNTS_AT + COUNTS;

impl Learn for BaoPosition {
    const FEATURES: usize = PHASES * IN_PHASE;

    #[inline(always)]
    fn features(&self, mut found: impl FnMut(usize, usize, i32)) {
        let side = self.turn();
        let parts = [side, side.other()].map(|side| Part::of(self, side));
        let [own, other] = &parts;
        let phase = match self.stage() {
            Stage::Namua if own.store >= EARLY => 0,
            Stage::Namua => 1,
            Stage::Mtaji => 2,
        };
        let base = phase * IN_PHASE;
        for (i, part) in parts.iter().enumerate() {
            for (pit, seeds) in part.pits.iter().enumerate() {
                let content = usize::from(*seeds).min(CONTENTS - 1);
                found(base, (i * PITS + pit) * CONTENTS + content, 1);
            }
        }
        for pit in 0..FRONT {
            let pair = few(own.pits[pit]) * FEW + few(other.pits[FRONT - 1 - pit]);
            found(base, FACING_AT + pit * FEW * FEW + pair, 1);
        }
        let [[own_front, own_back], [other_front, other_back]] = [own.rows(), other.rows()];
        let counts: [i32; COUNTS] = [
            1,
            own_front + own_back + own.store - other_front - other_back - other.store,
            own_front,
            other_front,
            i32::from(own.owns_house),
            i32::from(other.owns_house),
            own.capture,
            other.capture,
        ];
        for (i, times) in counts.into_iter().enumerate() {
            found(base, COUNTS_AT + i, times);
        }
    }

    fn knowing(weights: Weights) -> Learned {
        Learned::of::<Self>(weights)
    }
}

/// The category of a front pit beside the one that it faces.
#[inline(always)]
fn few(seeds: u8) -> usize {
    match seeds {
        0..=2 => usize::from(seeds),
        3..=4 => 3,
        5..=8 => 4,
        _ => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(text: &str) -> i32 {
        let pos: BaoPosition = text.parse().expect("a position");
        pos.evaluate(&Learned::default())
    }

    #[test]
    fn seeds_and_houses_and_open_captures_count() {
        let level =
            evaluate("0,0,2,0,0,0,0,0,0,2,2,0,0,0,0,0,0/0,0,2,0,0,0,0,0,0,2,2,0,0,0,0,0,0 s");
        let more =
            evaluate("0,0,2,0,0,0,0,0,0,3,2,0,0,0,0,0,0/0,0,2,0,0,0,0,0,0,2,2,0,0,0,0,0,0 s");
        assert!(more > level);
        let house =
            evaluate("0,0,0,0,6h,2,2,0,0,0,0,0,0,0,0,0,22/0,0,0,0,6,2,2,0,0,0,0,0,0,0,0,0,22 s");
        let none =
            evaluate("0,0,0,0,6,2,2,0,0,0,0,0,0,0,0,0,22/0,0,0,0,6,2,2,0,0,0,0,0,0,0,0,0,22 s");
        assert!(house > none);
        // The two seeds of A5 face a pit with four, and with none.
        let open =
            evaluate("0,0,0,0,2,0,0,0,0,0,0,0,0,0,0,0,9/0,0,0,4,0,0,0,0,0,0,0,0,0,0,0,0,9 s");
        let closed =
            evaluate("0,0,0,0,2,0,0,0,0,0,0,0,0,0,0,0,9/0,0,4,0,0,0,0,0,0,0,0,0,0,0,0,0,9 s");
        assert!(open > closed);
    }

    #[test]
    fn the_sides_are_judged_alike() {
        assert_eq!(
            evaluate("1,2,0,3,6h,0,1,0,0,4,0,0,1,0,0,2,7/0,3,1,0,0,2,0,0,5,0,0,0,1,0,0,0,7 s"),
            evaluate("0,3,1,0,0,2,0,0,5,0,0,0,1,0,0,0,6/1,2,0,3,6h,0,1,0,0,4,0,0,1,0,0,2,7 n")
                - SEED,
        );
    }
}
