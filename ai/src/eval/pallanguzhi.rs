//! Evaluation of Pallanguzhi: won seeds, seeds in the row, pits that can be played.
//!
//! What a ply wins cannot be derived from the position without playing it; the search finds it.

use mawe_rules::games::pallanguzhi::{HOUSES, PallanguzhiMove, PallanguzhiPosition};
use mawe_rules::{Position, Side};

use super::evaluate::Evaluate;
use super::learned::{Learn, Learned};
use super::sowing::Layout;
use crate::weights::Weights;

/// The value of a won seed.
const STORED: i32 = 100;
/// The value of a seed in the own row, which the side keeps if the round ends soon.
const IN_ROW: i32 = 20;
/// The bonus for a pit that can be played: an empty row ends the round.
const HOUSE: i32 = 20;
/// The advantage of being the side to move: most plies win seeds.
const TURN: i32 = 150;

/// The visibility cost of a move, for each seed sown in all its laps.
const COST_PER_SEED: u32 = 2;

impl Evaluate for PallanguzhiPosition {
    type Known = Learned;
    const ASPIRATION: i32 = 250;
    const REDUCTION: u32 = 10;
    const CONTEMPT: i32 = 60;
    const MAY_REPEAT: bool = true;

    #[inline]
    fn evaluate(&self, known: &Learned) -> i32 {
        known.judge(self).unwrap_or_else(|| by_hand(self))
    }

    fn total_points(&self) -> u32 {
        let all = |side| self.stores()[side] + self.houses(side).into_iter().flatten().sum::<u16>();
        u32::from(all(Side::First)) + u32::from(all(Side::Second))
    }

    #[inline(always)]
    fn majority(&self, total_points: u32) -> Option<Side> {
        let stored = self.stores();
        let has_most = |side: &Side| 2 * u32::from(stored[*side]) > total_points;
        Side::ALL.into_iter().find(has_most)
    }

    #[inline]
    fn order_score(&self, m: PallanguzhiMove) -> i32 {
        i32::from(self.wins(m))
    }

    #[inline]
    fn is_reversible(&self, _m: PallanguzhiMove, child: &Self) -> bool {
        self.stores() == child.stores()
    }

    fn visibility_cost(&self, m: PallanguzhiMove) -> u32 {
        u32::from(self.sown(m)) * COST_PER_SEED
    }
}

/// The layout of the features. The counts are a constant one and the lead.
const LAYOUT: Layout<HOUSES> = Layout {
    phases: &[12, 24, 36, 52, u16::MAX],
    contents: 17,
    few: 8,
    counts: 2,
};

impl Learn for PallanguzhiPosition {
    const FEATURES: usize = LAYOUT.features();

    #[inline(always)]
    fn features(&self, mut found: impl FnMut(usize, usize, i32)) {
        let side = self.turn();
        let rows = [self.houses(side), self.houses(side.other())];
        let seeds = rows.iter().flatten().flatten().sum();
        let stored = self.stores();
        let lead = i32::from(stored[side]) - i32::from(stored[side.other()]);
        let content = |seeds| LAYOUT.content_or_none(seeds);
        LAYOUT.tell(seeds, rows, content, [1, lead], &mut found);
    }

    fn knowing(weights: Weights) -> Learned {
        Learned::of::<Self>(weights)
    }
}

/// The evaluation by rules of thumb.
#[inline]
fn by_hand(pos: &PallanguzhiPosition) -> i32 {
    let side = pos.turn();
    TURN + value(pos, side) - value(pos, side.other())
}

/// The value of a side's seeds.
fn value(pos: &PallanguzhiPosition, side: Side) -> i32 {
    let held = pos.houses(side).into_iter().flatten();
    // The number of seeds in a position always fits an i32.
    let in_row = |seeds: u16| IN_ROW * i32::from(seeds) + HOUSE;
    let row: i32 = held.filter(|seeds| *seeds > 0).map(in_row).sum();
    STORED * i32::from(pos.stores()[side]) + row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(text: &str) -> i32 {
        let pos: PallanguzhiPosition = text.parse().expect("a position");
        pos.evaluate(&Learned::default())
    }

    #[test]
    fn won_seeds_count_most_and_pits_with_seeds_count() {
        let level = evaluate("0,0,0,2,4,4,4,10/0,0,0,0,4,4,4,10 s");
        assert!(evaluate("0,0,0,2,4,4,4,11/0,0,0,0,4,4,4,10 s") > level);
        assert!(evaluate("0,0,1,1,4,4,4,10/0,0,0,0,4,4,4,10 s") > level);
    }

    #[test]
    fn the_sides_are_judged_alike() {
        assert_eq!(
            evaluate("1,2,3,4,5,6,x,8/0,0,8,1,0,2,9,4 s"),
            evaluate("0,0,8,1,0,2,9,4/1,2,3,4,5,6,x,8 n"),
        );
    }
}
