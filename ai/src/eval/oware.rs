//! Oware: captured seeds, houses of one or two seeds that can be captured, freedom to move.
//!
//! The weights are a first guess that no match has weighed yet.

use mawe_rules::games::oware::{HOUSES, OwareMove, OwarePosition};
use mawe_rules::{Position, Side};

use super::Evaluate;

/// A captured seed: the unit.
const CAPTURED: i32 = 100;
/// A seed in the own row, which is kept if the game runs dry.
const IN_ROW: i32 = 10;
/// A house that can be played.
const HOUSE: i32 = 10;
/// Each seed that the other side's next ply would capture, by whose turn it is.
const IN_REACH: i32 = 60;
const IN_REACH_LATER: i32 = 25;

/// The effort to see a move, for each seed that is sown.
const EFFORT_PER_SEED: u32 = 10;

impl Evaluate for OwarePosition {
    fn evaluate(&self) -> i32 {
        let side = self.turn();
        value(self, side, IN_REACH) - value(self, side.other(), IN_REACH_LATER)
    }

    fn effort(&self, m: OwareMove) -> u32 {
        let seeds = self.houses(self.turn())[usize::from(m.house() - 1)];
        u32::from(seeds).saturating_mul(EFFORT_PER_SEED)
    }
}

/// What a side's seeds are worth, each seed that it can capture counting `in_reach`.
fn value(pos: &OwarePosition, side: Side, in_reach: i32) -> i32 {
    let own = pos.houses(side).map(i32::from);
    let opponent = pos.houses(side.other()).map(i32::from);
    let mut value = CAPTURED * i32::from(pos.stores()[side]);
    let mut captured = 0;
    for (house, seeds) in own.into_iter().enumerate().filter(|(_, seeds)| *seeds > 0) {
        value += IN_ROW * seeds + HOUSE;
        // Within the first lap, where each house passed gets one seed.
        let last = house + seeds as usize;
        if (HOUSES..2 * HOUSES).contains(&last) {
            let passed = opponent[..=last - HOUSES].iter().rev();
            let chain = passed.take_while(|seeds| matches!(**seeds, 1 | 2));
            captured = captured.max(chain.map(|seeds| seeds + 1).sum());
        }
    }
    value + in_reach * captured
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(text: &str) -> i32 {
        let pos: OwarePosition = text.parse().expect("a position");
        pos.evaluate()
    }

    #[test]
    fn captured_seeds_count_most_and_chances_count() {
        let level = evaluate("0,0,0,4,4,4,10/0,0,0,4,4,4,10 s");
        assert!(evaluate("0,0,0,4,4,4,11/0,0,0,4,4,4,10 s") > level);
        // House 6 has three seeds and makes 2 and 3 in houses 2 and 3.
        let capture = evaluate("0,0,0,0,0,3,10/0,1,2,4,4,4,10 s");
        assert!(capture > evaluate("0,0,0,0,0,3,10/0,3,0,4,4,4,10 s"));
    }

    #[test]
    fn the_sides_are_judged_alike() {
        assert_eq!(
            evaluate("1,2,3,4,5,6,7/0,0,8,1,0,2,9 s"),
            evaluate("0,0,8,1,0,2,9/1,2,3,4,5,6,7 n"),
        );
    }
}
