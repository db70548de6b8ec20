//! The endgame database of Oware, by the seeds left on the board.
//!
//! A value is two bounds on the number of seeds that the side to move gains from here on, less those
//! of the other side, if the game is played until all seeds are divided: `low` is the difference that
//! it can force, `high` the one that the other side can hold it to. They are equal unless a side can
//! force a cycle.
//!
//! **Cycles.** By the house rule, the third occurrence of a position gives each side the seeds of its
//! row, so the value of a cycle depends on the position where it ends. The bounds do not depend on
//! it: for `low` an endless game gives all seeds to the other side, for `high` all to the side
//! itself, and each real repetition is worth something between. So both hold under the house rule,
//! and under the rules of the published databases, which divide the seeds of a cycle evenly. They are
//! the least and the greatest fixed point of the same equations.
//!
//! **Majorities.** A game ends when a side has more than half of the seeds. The side that would have
//! more at the end wins then too, so the sign of the sum is right, but not the number of seeds.

mod solve;
mod values;

use mawe_rules::GameKind;

use super::database::{Counts, Database, Progress};
use super::seeds;
use super::slice::Slice;
pub use values::{OwareDatabase, OwareValue};
use values::{unknown, unpack};

impl Database for OwareDatabase {
    const KIND: GameKind = GameKind::Oware;
    const LARGEST: u8 = seeds::LARGEST;

    fn plan(up_to: u8) -> Vec<Vec<Slice>> {
        seeds::plan(Self::KIND, up_to)
    }

    fn length(slice: Slice) -> usize {
        seeds::length(slice)
    }

    fn data(&self, slice: Slice) -> Option<&[u8]> {
        self.slices
            .get(usize::from(slice.parts[0]))
            .map(Vec::as_slice)
    }

    fn insert(&mut self, slice: Slice, data: Vec<u8>) -> bool {
        let seeds = slice.parts[0];
        let fits = slice.kind == Self::KIND
            && usize::from(seeds) == self.slices.len()
            && data.len() == Self::length(slice)
            && data.iter().all(|packed| *packed <= unknown(seeds));
        if fits {
            self.slices.push(data);
        }
        fits
    }

    fn solve(&mut self, slices: &[Slice], threads: usize, told: &mut dyn FnMut(Progress)) {
        for slice in slices {
            let seeds = slice.parts[0];
            let values = solve::solve(self, seeds, threads, told);
            let taken = self.insert(*slice, values);
            debug_assert!(taken, "slices are solved in their order");
        }
    }

    fn count(&self, slice: Slice) -> Option<Counts> {
        let values = self.data(slice)?;
        let mut counts = Counts::default();
        for packed in values {
            match unpack(*packed, slice.parts[0]) {
                OwareValue { low: 1.., .. } => counts.won += 1,
                OwareValue { high: ..=-1, .. } => counts.lost += 1,
                OwareValue { low: 0, high: 0 } => counts.drawn += 1,
                OwareValue { .. } => counts.open += 1,
            }
        }
        Some(counts)
    }
}

#[cfg(test)]
mod tests {
    use mawe_rules::Position;
    use mawe_rules::games::oware::OwarePosition;

    use super::seeds::Houses;
    use super::values::{houses_of, position};
    use super::*;

    fn database(seeds: u8) -> OwareDatabase {
        OwareDatabase::solved(seeds, 1)
    }

    /// The value by the rules alone: every game is played to its end, at the latest when a position
    /// occurs for the `last`th time. `None` if `budget` is exhausted.
    fn plain(
        pos: &OwarePosition,
        path: &mut Vec<OwarePosition>,
        last: usize,
        (mut low, high): (i32, i32),
        budget: &mut u32,
    ) -> Option<i32> {
        *budget = budget.checked_sub(1)?;
        let side = pos.turn();
        let ahead = |pos: &OwarePosition| {
            let stores = pos.stores();
            i32::from(stores[side]) - i32::from(stores[side.other()])
        };
        if pos.legal_moves().is_empty() {
            let score = pos.outcome().and_then(|outcome| outcome.score);
            let score = score.expect("without a move the game is over");
            return Some(i32::from(score[side]) - i32::from(score[side.other()]));
        }
        if path.iter().filter(|earlier| *earlier == pos).count() + 1 >= last {
            let mut end = pos.clone();
            end.third_occurrence();
            return Some(ahead(&end));
        }
        path.push(pos.clone());
        let mut best = i32::MIN;
        for m in pos.legal_moves() {
            let mut child = pos.clone();
            child.play_unchecked(m);
            let value = -plain(&child, path, last, (-high, -low), budget)?;
            best = best.max(value);
            low = low.max(value);
            if low >= high {
                break;
            }
        }
        path.pop();
        Some(best)
    }

    #[test]
    fn the_house_rule_s_values_lie_within_the_bounds() {
        let database = database(5);
        let (mut exact, mut open) = (0, 0);
        for seeds in 1..=5 {
            for number in (0..seeds::ways(seeds)).step_by(usize::from(seeds)) {
                let houses = seeds::unrank(seeds, number);
                let pos = position(&houses);
                let value = database.of_houses(&houses).expect("few seeds");
                for last in [2, 3] {
                    let mut budget = 2_000;
                    let window = (-100, 100);
                    let Some(found) = plain(&pos, &mut Vec::new(), last, window, &mut budget)
                    else {
                        continue;
                    };
                    let is_within = (value.low..=value.high).contains(&found);
                    // If a majority ends the game early, only the winner has to agree.
                    let is_cut = found.signum() == value.low.signum()
                        && value.low.signum() == value.high.signum();
                    assert!(is_within || is_cut, "{pos} {value:?} {found}");
                    match value.low == value.high {
                        true => exact += 1,
                        false => open += 1,
                    }
                }
            }
        }
        assert!(exact > 500 && open >= 20, "{exact} exact, {open} open");
    }

    /// Computes the bounds with a search of fixed depth whose horizon counts as the worst value. The
    /// search reaches the bounds with enough plies and never exceeds them.
    #[test]
    fn bounds_are_what_can_be_forced_in_some_number_of_plies() {
        let database = database(4);
        for seeds in 1..=4 {
            let all: Vec<Houses> = (0..seeds::ways(seeds))
                .map(|number| seeds::unrank(seeds, number))
                .collect();
            let worst = -i32::from(seeds);
            // The values that the side to move and the other side can force without a ply.
            let mut forced: Vec<[i32; 2]> = vec![[worst; 2]; all.len()];
            loop {
                let next: Vec<[i32; 2]> = all
                    .iter()
                    .map(|houses| one_ply(&database, houses, seeds, &forced))
                    .collect();
                for (houses, [mover, other]) in all.iter().zip(&next) {
                    let value = database.of_houses(houses).expect("few seeds");
                    assert!(*mover <= value.low && -*other >= value.high, "{houses:?}");
                }
                if next == forced {
                    break;
                }
                forced = next;
            }
            for (houses, [mover, other]) in all.iter().zip(&forced) {
                let value = database.of_houses(houses).expect("few seeds");
                assert_eq!((*mover, -*other), (value.low, value.high), "{houses:?}");
            }
        }
    }

    /// The values that both sides can force if they can force `below` one ply later.
    fn one_ply(
        database: &OwareDatabase,
        houses: &Houses,
        seeds: u8,
        below: &[[i32; 2]],
    ) -> [i32; 2] {
        let pos = position(houses);
        let children = pos.legal_moves().into_iter().map(|m| {
            let mut child = pos.clone();
            child.play_unchecked(m);
            let stores = child.stores().map(i32::from);
            let gain = stores.first - stores.second;
            let left = houses_of(&child, 100).expect("few seeds");
            let [mover, other] = match left.iter().sum::<u8>() == seeds {
                true => below[seeds::rank(&left)],
                false => {
                    let value = database.of_houses(&left).expect("fewer seeds");
                    [value.low, -value.high]
                }
            };
            [gain + other, mover - gain]
        });
        let best = children.reduce(|[a, b], [c, d]| [a.max(c), b.min(d)]);
        best.unwrap_or_else(|| {
            let score = pos.outcome().and_then(|outcome| outcome.score);
            let score = score
                .expect("without a move the game is over")
                .map(i32::from);
            let ahead = score.first - score.second;
            [ahead, -ahead]
        })
    }
}
