//! Evaluation of Congkak: seeds in the store, seeds in the row, moves that end in the store at once.
//!
//! The end of a relay cannot be derived from the position cheaply; the search finds it.
//!
//! The weights are set by hand; in matches of 300 nodes a ply (1000 games each) other values of `TURN` and
//! `IN_ROW` were not better. Looking further at moves that end in the store lost games (-24 ± 17 Elo).

use mawe_rules::games::congkak::{CongkakMove, CongkakPosition, HOUSES};
use mawe_rules::{Position, Side};

use super::evaluate::Evaluate;
use super::learned::{Learn, Learned};
use super::sowing::Layout;
use crate::weights::Weights;

/// The value of a seed in the store.
const STORED: i32 = 100;
/// The value of a seed in the own row, which the side keeps if the round ends soon.
const IN_ROW: i32 = 20;
/// The bonus for a house that can be played: an empty row ends the round, and a relay needs a choice.
const HOUSE: i32 = 20;
/// The bonus for a house whose seeds end in the store, which gives another move. It is greater for the side to
/// move than for the opponent.
const EXTRA: i32 = 60;
const EXTRA_LATER: i32 = 30;
/// The advantage of being the side to move: a ply feeds the store several times.
const TURN: i32 = 150;

/// The visibility cost of the end of a move, for each handful after the first and for each of its seeds.
const COST_PER_HANDFUL: u32 = 8;
const COST_PER_SEED: u32 = 2;

impl Evaluate for CongkakPosition {
    type Known = Learned;
    const ASPIRATION: i32 = 250;
    const MARGIN: i32 = 400;
    const REDUCTION: u32 = 10;
    const CONTEMPT: i32 = 60;

    #[inline]
    fn evaluate(&self, known: &Learned) -> i32 {
        known.judge(self).unwrap_or_else(|| by_hand(self))
    }

    fn total_points(&self) -> u32 {
        let seeds = |house: Option<u16>| u32::from(house.unwrap_or(0));
        let in_row = |side| self.houses(side).into_iter().map(seeds).sum::<u32>();
        let stored = self.stores().map(u32::from);
        let all = |side| stored[side] + in_row(side);
        all(Side::First) + all(Side::Second)
    }

    #[inline(always)]
    fn majority(&self, total_points: u32) -> Option<Side> {
        let stored = self.stores();
        let has_most = |side: &Side| 2 * u32::from(stored[*side]) > total_points;
        Side::ALL.into_iter().find(has_most)
    }

    #[inline]
    fn order_score(&self, m: CongkakMove) -> i32 {
        let house = usize::from(m.house() - 1);
        let seeds = self.houses(self.turn())[house].unwrap_or(0);
        i32::from(house + usize::from(seeds) == HOUSES)
    }

    fn visibility_cost(&self, m: CongkakMove) -> u32 {
        let seeds = self.houses(self.turn())[usize::from(m.house() - 1)];
        let relay = self.handfuls(m).saturating_sub(1);
        let seeds = u32::from(seeds.unwrap_or(0)).saturating_mul(COST_PER_SEED);
        seeds.saturating_add(relay.saturating_mul(COST_PER_HANDFUL))
    }
}

/// The layout of the features. The counts are a constant one, the lead, and whether a ply that ends in the
/// store gives another.
const LAYOUT: Layout<HOUSES> = Layout {
    phases: &[15, 30, 50, 70, u16::MAX],
    contents: 17,
    few: 8,
    counts: 3,
};

impl Learn for CongkakPosition {
    const FEATURES: usize = LAYOUT.features();

    #[inline(always)]
    fn features(&self, mut found: impl FnMut(usize, usize, i32)) {
        let side = self.turn();
        let rows = [self.houses(side), self.houses(side.other())];
        let seeds = rows.iter().flatten().flatten().sum();
        let stored = self.stores();
        let lead = i32::from(stored[side]) - i32::from(stored[side.other()]);
        let counts = [1, lead, i32::from(self.may_move_again())];
        LAYOUT.tell(seeds, rows, content, counts, &mut found);
    }

    fn knowing(weights: Weights) -> Learned {
        Learned::of::<Self>(weights)
    }
}

/// The categories of a house: by itself (one for 15 seeds or more, one for a burnt house), and beside a
/// neighbour, where a burnt house counts as an empty one.
#[inline(always)]
fn content(seeds: Option<u16>) -> (usize, usize) {
    let count = usize::from(seeds.unwrap_or(0));
    let alone = match seeds {
        Some(_) => count.min(LAYOUT.contents - 2),
        None => LAYOUT.contents - 1,
    };
    (alone, count.min(LAYOUT.few - 1))
}

/// The evaluation by rules of thumb.
#[inline]
fn by_hand(pos: &CongkakPosition) -> i32 {
    let side = pos.turn();
    let extra = match pos.may_move_again() {
        true => EXTRA,
        false => 0,
    };
    TURN + value(pos, side, extra) - value(pos, side.other(), EXTRA_LATER)
}

/// The value of a side's seeds, with `extra` for each move that ends in the store at once.
fn value(pos: &CongkakPosition, side: Side, extra: i32) -> i32 {
    let mut value = STORED * i32::from(pos.stores()[side]);
    let houses = pos.houses(side).into_iter().enumerate();
    for (house, seeds) in houses {
        let seeds = usize::from(seeds.unwrap_or(0));
        if seeds > 0 {
            // The number of seeds in a position always fits an i32.
            value += IN_ROW * seeds as i32 + HOUSE;
        }
        if house + seeds == HOUSES {
            value += extra;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(text: &str) -> i32 {
        let pos: CongkakPosition = text.parse().expect("a position");
        pos.evaluate(&Learned::default())
    }

    #[test]
    fn stored_seeds_count_most_and_chances_count() {
        let level = evaluate("0,0,0,2,4,4,4,10/0,0,0,0,4,4,4,10 s");
        assert!(evaluate("0,0,0,2,4,4,4,11/0,0,0,0,4,4,4,10 s") > level);
        assert!(evaluate("0,0,0,4,2,4,4,10/0,0,0,0,4,4,4,10 s") > level);
        let limited = evaluate("0,0,0,4,2,4,4,10/0,0,0,0,4,4,4,10 s0");
        assert!(limited < evaluate("0,0,0,4,2,4,4,10/0,0,0,0,4,4,4,10 s1"));
    }

    #[test]
    fn the_sides_are_judged_alike() {
        assert_eq!(
            evaluate("x,2,3,4,5,6,7,8/0,0,8,1,0,2,9,4 s"),
            evaluate("0,0,8,1,0,2,9,4/x,2,3,4,5,6,7,8 n"),
        );
    }
}
