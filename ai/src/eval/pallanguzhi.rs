//! Evaluation of Pallanguzhi: won seeds, seeds in the row, pits that can be played.
//!
//! The winnings of a ply cannot be derived from the position without playing it; the search finds them. Nothing is learned: the full search
//! reaches the end of a round from its start, and the levels below it have no learned evaluation.

use mawe_rules::games::pallanguzhi::{PallanguzhiMove, PallanguzhiPosition};
use mawe_rules::{Position, Side};

use super::evaluate::Evaluate;

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
    type Known = ();
    const ASPIRATION: i32 = 250;
    const REDUCTION: u32 = 10;
    const CONTEMPT: i32 = 60;
    const MAY_REPEAT: bool = true;

    #[inline]
    fn evaluate(&self, _known: &()) -> i32 {
        let side = self.turn();
        TURN + value(self, side) - value(self, side.other())
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
        pos.evaluate(&())
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
