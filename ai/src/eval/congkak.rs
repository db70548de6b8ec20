//! Congkak: seeds in the store, seeds kept in the row, moves that end in the store at once.
//!
//! Where a relay ends cannot be told from the position; that is left to the search.
//!
//! The weights are a first guess that no match has weighed yet.

use mawe_rules::games::congkak::{CongkakMove, CongkakPosition, HOUSES};
use mawe_rules::{Position, Side};

use super::{Evaluate, Tension};

/// A seed in the store: the unit.
const STORED: i32 = 100;
/// A seed in the own row, which is kept if the round ends soon.
const IN_ROW: i32 = 20;
/// A house that can be played: an empty row ends the round, and a relay needs a choice.
const HOUSE: i32 = 20;
/// A house whose seeds end in the store: another move. The mover's next is nearer than the
/// opponent's.
const EXTRA: i32 = 60;
const EXTRA_LATER: i32 = 30;
/// It is a help to be the one to move: a ply feeds the store several times.
const TURN: i32 = 150;

/// The effort to see where a move ends, for each handful beyond the first and for each seed of it.
const EFFORT_PER_HANDFUL: u32 = 8;
const EFFORT_PER_SEED: u32 = 2;

impl Evaluate for CongkakPosition {
    const QUIESCENCE: u32 = 2;
    const ASPIRATION: i32 = 250;
    const REDUCTION: u32 = 10;

    #[inline]
    fn evaluate(&self) -> i32 {
        let side = self.turn();
        let extra = match self.may_move_again() {
            true => EXTRA,
            false => 0,
        };
        TURN + value(self, side, extra) - value(self, side.other(), EXTRA_LATER)
    }

    #[inline]
    fn majority(&self) -> Option<Side> {
        let stores = self.stores();
        let in_row = |side| {
            self.houses(side)
                .iter()
                .map(|seeds| u32::from(seeds.unwrap_or(0)))
                .sum::<u32>()
        };
        let left = in_row(Side::First) + in_row(Side::Second);
        let lead = i32::from(stores[Side::First]) - i32::from(stores[Side::Second]);
        match lead.unsigned_abs() > left {
            true if lead > 0 => Some(Side::First),
            true => Some(Side::Second),
            false => None,
        }
    }

    #[inline]
    fn tension(&self) -> Tension {
        let own = self.houses(self.turn()).into_iter().enumerate();
        let mut ends = own.map(|(house, seeds)| house + usize::from(seeds.unwrap_or(0)));
        match self.may_move_again() && ends.any(|last| last == HOUSES) {
            true => Tension::Tense,
            false => Tension::Calm,
        }
    }

    #[inline]
    fn is_loud(&self, m: CongkakMove) -> bool {
        self.promise(m) > 0
    }

    #[inline]
    fn promise(&self, m: CongkakMove) -> i32 {
        let house = usize::from(m.house() - 1);
        let seeds = self.houses(self.turn())[house].unwrap_or(0);
        i32::from(house + usize::from(seeds) == HOUSES)
    }

    fn effort(&self, m: CongkakMove) -> u32 {
        let seeds = self.houses(self.turn())[usize::from(m.house() - 1)];
        let relay = self.handfuls(m).saturating_sub(1);
        let seeds = u32::from(seeds.unwrap_or(0)).saturating_mul(EFFORT_PER_SEED);
        seeds.saturating_add(relay.saturating_mul(EFFORT_PER_HANDFUL))
    }
}

/// What a side's seeds are worth, each move that ends in the store at once counting `extra`.
fn value(pos: &CongkakPosition, side: Side, extra: i32) -> i32 {
    let mut value = STORED * i32::from(pos.stores()[side]);
    let houses = pos.houses(side).into_iter().enumerate();
    for (house, seeds) in houses {
        let seeds = usize::from(seeds.unwrap_or(0));
        if seeds > 0 {
            // At most all seeds of a position, which are few enough for an i32.
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
        pos.evaluate()
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
