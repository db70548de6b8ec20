//! Evaluation of Kalah: seeds in the store, seeds in the row, moves that end in the store, possible
//! captures.
//!
//! The weights are set by hand; in matches of 300 nodes a ply (1000 games each) no other value of
//! `TURN`, `EXTRA` or `FARTHEST` was better by more than 20 Elo.

use mawe_rules::games::kalah::{HOUSES, KalahMove, KalahPosition};
use mawe_rules::{Position, Side};

use super::evaluate::{Evaluate, Quietness, Truth};
use super::learned::{Learn, Learned};
use super::sowing::Layout;
use crate::endgame::KalahDatabase;
use crate::weights::Weights;

/// The value of a seed in the store.
const STORED: i32 = 100;
/// The value of a seed in the own row, which the side keeps if the game ends soon.
const IN_ROW: i32 = 15;
/// The bonus for a house whose seeds end in the store, which gives another move: for the side to move,
/// and for the other side.
const EXTRA: i32 = 20;
const EXTRA_LATER: i32 = 30;
/// The bonus for each seed of the largest possible capture: for the side to move, and for the other
/// side.
const CAPTURE: i32 = 90;
const CAPTURE_LATER: i32 = 40;
/// The advantage of being the side to move.
const TURN: i32 = 45;
/// The bonus for a house that can be played: an empty row ends the game.
const HOUSE: i32 = 5;
/// The extra value of a seed in the house farthest from the store, which is the last to reach the
/// opponent.
const FARTHEST: i32 = 5;

/// The visibility cost of a move, for each seed sown.
const COST_PER_SEED: u32 = 12;

/// The number of seeds in a lap.
const LAP: u16 = 13;

impl Evaluate for KalahPosition {
    type Known = Learned<KalahDatabase>;
    const QUIESCENCE: u32 = 6;
    const ASPIRATION: i32 = 80;
    const ONLY_REPLY_IS_FREE: bool = true;
    const REDUCTION: u32 = 10;
    const EXTRA_IS_FREE: bool = true;

    #[inline]
    fn evaluate(&self, known: &Self::Known) -> i32 {
        known.judge(self).unwrap_or_else(|| by_hand(self))
    }

    #[inline]
    fn probe(&self, known: &Self::Known) -> Option<Truth> {
        known.endgame.value(self).map(Truth::Points)
    }

    fn total_points(&self) -> u32 {
        let in_row = |side| self.houses(side).into_iter().map(u32::from).sum::<u32>();
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
    fn quietness(&self) -> Quietness {
        let own = self.houses(self.turn());
        let gains = (0..HOUSES).any(|house| gain(&own, self, house) > 0);
        if gains {
            Quietness::Noisy
        } else {
            Quietness::Quiet
        }
    }

    #[inline]
    fn is_noisy(&self, m: KalahMove) -> bool {
        self.order_score(m) > 0
    }

    #[inline]
    fn order_score(&self, m: KalahMove) -> i32 {
        gain(&self.houses(self.turn()), self, usize::from(m.house() - 1))
    }

    fn visibility_cost(&self, m: KalahMove) -> u32 {
        let seeds = self.houses(self.turn())[usize::from(m.house() - 1)];
        u32::from(seeds).saturating_mul(COST_PER_SEED)
    }
}

/// The layout of the features. The counts are a constant one, the lead, and the largest captures of
/// both sides.
const LAYOUT: Layout<HOUSES> = Layout {
    phases: &[12, 24, 36, u16::MAX],
    contents: 16,
    few: 8,
    counts: 4,
};

impl Learn for KalahPosition {
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
fn best(pos: &KalahPosition, side: Side) -> i32 {
    captured(
        &pos.houses(side).map(i32::from),
        &pos.houses(side.other()).map(i32::from),
    )
}

/// The seeds of the largest capture within the first lap.
#[inline(always)]
fn captured(own: &[i32; HOUSES], opponent: &[i32; HOUSES]) -> i32 {
    let mut most = 0;
    for (house, seeds) in own.iter().enumerate().filter(|(_, seeds)| **seeds > 0) {
        let last = house + *seeds as usize;
        if last < HOUSES && own[last] == 0 && opponent[HOUSES - 1 - last] > 0 {
            most = most.max(opponent[HOUSES - 1 - last] + 1);
        }
    }
    most
}

/// The evaluation by rules of thumb.
#[inline]
fn by_hand(pos: &KalahPosition) -> i32 {
    let side = pos.turn();
    let (now, later) = ([EXTRA, CAPTURE], [EXTRA_LATER, CAPTURE_LATER]);
    TURN + value(pos, side, now) - value(pos, side.other(), later)
}

/// The immediate gain of the side to move from one of its houses, without the seed that passes its
/// store: 1 for another move, or the seeds of a capture.
#[inline]
fn gain(own: &[u16; HOUSES], pos: &KalahPosition, house: usize) -> i32 {
    let seeds = own[house];
    let last = house + usize::from(seeds);
    if seeds == 0 || seeds > LAP {
        0
    } else if last == HOUSES {
        1
    } else if last < HOUSES && own[last] == 0 {
        i32::from(pos.houses(pos.turn().other())[HOUSES - 1 - last])
    } else {
        0
    }
}

/// The value of a side's seeds, with `extra` for each house that ends in the store and `capture` for
/// each seed of a capture.
#[inline]
fn value(pos: &KalahPosition, side: Side, [extra, capture]: [i32; 2]) -> i32 {
    let own = pos.houses(side).map(i32::from);
    let opponent = pos.houses(side.other()).map(i32::from);
    let mut value = STORED * i32::from(pos.stores()[side]) + FARTHEST * own[0];
    for (house, seeds) in own.into_iter().enumerate().filter(|(_, seeds)| *seeds > 0) {
        value += IN_ROW * seeds + HOUSE;
        // The move is within the first lap; the store is one step behind the last house.
        let last = house + seeds as usize;
        if last == HOUSES {
            value += extra;
        }
    }
    value + capture * captured(&own, &opponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(text: &str) -> i32 {
        let pos: KalahPosition = text.parse().expect("a position");
        pos.evaluate(&Learned::default())
    }

    #[test]
    fn stored_seeds_count_most_and_chances_count() {
        let level = evaluate("0,0,2,2,3,0,10/0,0,2,2,3,0,10 s");
        assert!(evaluate("0,0,2,2,3,0,11/0,0,2,2,3,0,10 s") > level);
        assert!(evaluate("0,0,2,2,2,0,11/0,0,2,2,3,0,10 s") > level);
        let extra = evaluate("0,0,2,3,2,0,10/0,0,2,2,3,0,10 s");
        assert!(extra > level, "house 4 and house 5 end in the store");
        let capture = evaluate("0,0,3,2,2,0,10/9,0,2,2,3,0,10 s");
        assert!(capture > evaluate("0,0,4,1,2,0,10/9,0,2,2,3,0,10 s"));
    }

    #[test]
    fn the_sides_are_judged_alike() {
        assert_eq!(
            evaluate("1,2,3,4,5,6,7/0,0,8,1,0,2,9 s"),
            evaluate("0,0,8,1,0,2,9/1,2,3,4,5,6,7 n"),
        );
    }
}
