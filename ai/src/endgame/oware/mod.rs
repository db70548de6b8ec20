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

use mawe_rules::games::oware::OwarePosition;
use mawe_rules::{BySide, GameKind, Position, Side};

use super::seeds::{self, Houses};
use super::{Counts, Database, Progress, Slice};

/// Bounds on the lead of the side to move over the other side, in seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwareValue {
    /// The lead that the side to move can force.
    pub low: i32,
    /// The lead to which the other side can hold it.
    pub high: i32,
}

/// The values of all positions with few seeds on the board.
#[derive(Clone, Default)]
pub struct OwareDatabase {
    /// The packed bounds by number of seeds and number of their distribution.
    slices: Vec<Vec<u8>>,
}

impl OwareDatabase {
    /// The most seeds on the board that the database covers; `None` if it is empty.
    pub fn seeds(&self) -> Option<u8> {
        u8::try_from(self.slices.len()).ok()?.checked_sub(1)
    }

    /// The final lead of the side to move in seeds, including the captured ones, if the game is
    /// played to the last seed; `None` with too many seeds on the board.
    #[inline]
    pub fn value(&self, pos: &OwarePosition) -> Option<OwareValue> {
        if self.slices.is_empty() {
            return None;
        }
        let houses = houses_of(pos, self.slices.len())?;
        let value = self.of_houses(&houses)?;
        let stores = pos.stores();
        let side = pos.turn();
        let ahead = i32::from(stores[side]) - i32::from(stores[side.other()]);
        Some(OwareValue {
            low: ahead + value.low,
            high: ahead + value.high,
        })
    }

    #[inline]
    fn of_houses(&self, houses: &Houses) -> Option<OwareValue> {
        let seeds: u8 = houses.iter().sum();
        let packed = self
            .slices
            .get(usize::from(seeds))?
            .get(seeds::rank(houses))?;
        Some(unpack(*packed, seeds))
    }
}

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

// All seeds are divided, so a difference has the parity of their number: with `n` seeds there are n +
// 1 differences, and (n + 1)(n + 2) / 2 pairs of a lower and a higher one, at most 171.

#[inline]
fn pack(value: OwareValue, seeds: u8) -> u8 {
    let number = |difference: i32| ((difference + i32::from(seeds)) / 2) as usize;
    let (low, high) = (number(value.low), number(value.high));
    (high * (high + 1) / 2 + low) as u8
}

#[inline]
fn unpack(packed: u8, seeds: u8) -> OwareValue {
    let [low, high] = PAIRS[usize::from(packed)];
    let difference = |number: u8| 2 * i32::from(number) - i32::from(seeds);
    OwareValue {
        low: difference(low),
        high: difference(high),
    }
}

/// The largest packed pair of a slice.
fn unknown(seeds: u8) -> u8 {
    let highest = usize::from(seeds);
    (highest * (highest + 1) / 2 + highest) as u8
}

/// The numbers of the lower and the higher difference of each packed pair.
const PAIRS: [[u8; 2]; 256] = pairs();

const fn pairs() -> [[u8; 2]; 256] {
    let mut pairs = [[0; 2]; 256];
    let (mut low, mut high, mut packed) = (0, 0, 0);
    while packed < pairs.len() {
        pairs[packed] = [low, high];
        (low, high) = if low == high {
            (0, high + 1)
        } else {
            (low + 1, high)
        };
        packed += 1;
    }
    pairs
}

/// A position with these seeds on the board and no captured ones.
fn position(houses: &Houses) -> OwarePosition {
    let pos = OwarePosition::new(seeds::rows(houses), BySide::default(), Side::First);
    pos.expect("few seeds")
}

/// The seeds on the board from the view of the side to move, if there are fewer than `below`.
#[inline]
fn houses_of(pos: &OwarePosition, below: usize) -> Option<Houses> {
    let (own, other) = (pos.turn(), pos.turn().other());
    seeds::of_rows(pos.houses(own), pos.houses(other), below)
}

#[cfg(test)]
mod tests {
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
    fn pairs_are_packed_and_unpacked() {
        for seeds in 0..=OwareDatabase::LARGEST {
            let differences = || (-i32::from(seeds)..=i32::from(seeds)).step_by(2);
            let mut count = 0;
            for (low, high) in differences().flat_map(|low| differences().map(move |h| (low, h))) {
                if low <= high {
                    let value = OwareValue { low, high };
                    let packed = pack(value, seeds);
                    assert!(packed <= unknown(seeds));
                    assert_eq!(unpack(packed, seeds), value);
                    count += 1;
                }
            }
            assert_eq!(count, usize::from(unknown(seeds)) + 1);
        }
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
