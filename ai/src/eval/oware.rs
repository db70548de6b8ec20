//! Evaluation of Oware: captured seeds, houses of one or two seeds that can be captured, freedom to
//! move.
//!
//! The weights are set by hand. In matches of 200 nodes a ply they were better by some 100 Elo than
//! a first guess with a greater weight for seeds in reach and a penalty for houses of one or two
//! seeds.

use mawe_rules::games::oware::{HOUSES, OwareMove, OwarePosition};
use mawe_rules::{Position, Side};

use super::evaluate::{Evaluate, Quietness, Truth};
use super::learned::{Learn, Learned};
use super::sowing::Layout;
use crate::endgame::{OwareDatabase, OwareValue};
use crate::weights::Weights;

/// The value of a captured seed.
const CAPTURED: i32 = 100;
/// The value of a seed in the own row, which the side keeps if the game ends for lack of moves.
const IN_ROW: i32 = 10;
/// The bonus for a house that can be played.
const HOUSE: i32 = 15;
/// The value of each seed that a side's next ply could capture: for the side to move, and for the
/// other side.
const IN_REACH: i32 = 40;
const IN_REACH_LATER: i32 = 5;

/// A house of one or two seeds that the other side may increase to two or three.
const EXPOSED: i32 = 4;
/// A house with enough seeds to go around the whole board and end on the other side.
const LOADED: i32 = 40;
const LOAD: u16 = 12;
/// The advantage of being the side to move.
const TURN: i32 = 5;

/// The visibility cost of a move, for each seed sown.
const COST_PER_SEED: u32 = 10;

impl Evaluate for OwarePosition {
    type Known = Learned<OwareDatabase>;
    const QUIESCENCE: u32 = 4;
    const ASPIRATION: i32 = 80;
    const MARGIN: i32 = 150;
    const ONLY_REPLY_IS_FREE: bool = true;
    const REDUCTION: u32 = 10;
    const MAY_REPEAT: bool = true;

    #[inline]
    fn evaluate(&self, known: &Self::Known) -> i32 {
        known.judge(self).unwrap_or_else(|| by_hand(self))
    }

    #[inline]
    fn probe(&self, known: &Self::Known) -> Option<Truth> {
        let OwareValue { low, high } = known.endgame.value(self)?;
        Some(Truth::Lead(low, high))
    }

    #[inline]
    fn quietness(&self) -> Quietness {
        let (own, opponent) = (self.houses(self.turn()), self.houses(self.turn().other()));
        let captures = (0..HOUSES).any(|house| captured(&own, &opponent, house) > 0);
        if captures {
            Quietness::Noisy
        } else {
            Quietness::Quiet
        }
    }

    #[inline]
    fn is_noisy(&self, m: OwareMove) -> bool {
        self.order_score(m) > 0
    }

    #[inline]
    fn order_score(&self, m: OwareMove) -> i32 {
        let (own, opponent) = (self.houses(self.turn()), self.houses(self.turn().other()));
        captured(&own, &opponent, usize::from(m.house() - 1))
    }

    #[inline]
    fn is_reversible(&self, _m: OwareMove, child: &Self) -> bool {
        self.stores() == child.stores()
    }

    fn visibility_cost(&self, m: OwareMove) -> u32 {
        let seeds = self.houses(self.turn())[usize::from(m.house() - 1)];
        u32::from(seeds).saturating_mul(COST_PER_SEED)
    }
}

/// The layout of the features. The counts are a constant one, the lead, and the largest captures of
/// both sides.
const LAYOUT: Layout<HOUSES> = Layout {
    phases: &[8, 16, 26, 36, u16::MAX],
    contents: 16,
    few: 6,
    counts: 4,
};

impl Learn for OwarePosition {
    const FEATURES: usize = LAYOUT.features();

    #[inline(always)]
    fn features(&self, mut found: impl FnMut(usize, usize, i32)) {
        let side = self.turn();
        let rows = [self.houses(side), self.houses(side.other())];
        let seeds = rows.iter().flatten().sum();
        let stored = self.stores();
        let lead = i32::from(stored[side]) - i32::from(stored[side.other()]);
        let counts = [1, lead, best(self, side), best(self, side.other())];
        LAYOUT.tell(
            seeds,
            rows,
            |seeds| LAYOUT.content(seeds),
            counts,
            &mut found,
        );
    }

    fn knowing(weights: Weights) -> Self::Known {
        Learned::of::<Self>(weights)
    }
}

/// The seeds of the largest capture of `side` if it were to move.
#[inline(always)]
fn best(pos: &OwarePosition, side: Side) -> i32 {
    let (own, opponent) = (pos.houses(side), pos.houses(side.other()));
    let captures = (0..HOUSES).map(|house| captured(&own, &opponent, house));
    captures.max().unwrap_or(0)
}

/// The evaluation by rules of thumb.
#[inline]
fn by_hand(pos: &OwarePosition) -> i32 {
    let side = pos.turn();
    TURN + value(pos, side, IN_REACH) - value(pos, side.other(), IN_REACH_LATER)
}

/// The seeds that a house captures within the first lap, where each passed house gets one seed. A
/// grand slam is counted too.
#[inline]
fn captured(own: &[u16; HOUSES], opponent: &[u16; HOUSES], house: usize) -> i32 {
    let last = house + usize::from(own[house]);
    if own[house] == 0 || !(HOUSES..2 * HOUSES).contains(&last) {
        return 0;
    }
    let passed = opponent[..=last - HOUSES].iter().rev();
    let chain = passed.take_while(|seeds| matches!(**seeds, 1 | 2));
    chain.map(|seeds| i32::from(*seeds) + 1).sum()
}

/// The value of a side's seeds, with `in_reach` for each seed that it can capture.
#[inline]
fn value(pos: &OwarePosition, side: Side, in_reach: i32) -> i32 {
    let own = pos.houses(side);
    let opponent = pos.houses(side.other());
    let mut value = CAPTURED * i32::from(pos.stores()[side]);
    let mut most = 0;
    for (house, seeds) in own.into_iter().enumerate() {
        if seeds > 0 {
            value += IN_ROW * i32::from(seeds) + HOUSE;
            if seeds <= 2 {
                value += EXPOSED;
            } else if seeds >= LOAD {
                value += LOADED;
            }
            most = most.max(captured(&own, &opponent, house));
        }
    }
    value + in_reach * most
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(text: &str) -> i32 {
        let pos: OwarePosition = text.parse().expect("a position");
        pos.evaluate(&Learned::default())
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
