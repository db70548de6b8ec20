//! The endgame database of Kalah, by the seeds left in the houses.
//!
//! A value is the number of seeds that the side to move gains from here on, less those of the other
//! side, if both maximise it to the end of the game; the seeds already in the stores do not count. No
//! position occurs again, because a move that feeds no store moves its seeds nearer to one, so every
//! position needs one visit only.

use std::sync::atomic::{AtomicI8, Ordering};

use mawe_rules::games::kalah::KalahPosition;
use mawe_rules::{BySide, GameKind, Position, Side};

use super::chunks::in_chunks;
use super::database::{Counts, Database, Progress};
use super::seeds::{self, Houses};
use super::slice::Slice;

/// The mark of a position without a value yet; all values are greater.
const UNKNOWN: i8 = i8::MIN;

/// The values of all positions with few seeds in the houses.
#[derive(Clone, Default)]
pub struct KalahDatabase {
    /// The values by number of seeds and number of their distribution, as bytes of an `i8`.
    slices: Vec<Vec<u8>>,
}

impl KalahDatabase {
    /// The most seeds in the houses that the database covers; `None` if it is empty.
    pub fn seeds(&self) -> Option<u8> {
        u8::try_from(self.slices.len()).ok()?.checked_sub(1)
    }

    /// The final lead of the side to move in seeds, including those in the stores; `None` with too
    /// many seeds in the houses.
    #[inline]
    pub fn value(&self, pos: &KalahPosition) -> Option<i32> {
        if self.slices.is_empty() {
            return None;
        }
        let houses = houses_of(pos, self.slices.len())?;
        Some(ahead(pos, pos.turn()) + self.of_houses(&houses)?)
    }

    /// The seeds that the side to move gains from here on, less those of the other side.
    #[inline]
    pub(super) fn of_houses(&self, houses: &Houses) -> Option<i32> {
        let seeds: usize = houses.iter().map(|seeds| usize::from(*seeds)).sum();
        let value = self.slices.get(seeds)?.get(seeds::rank(houses))?;
        Some(i32::from(*value as i8))
    }

    /// Computes and stores the value of a position of the slice in work, and of the positions of the
    /// slice that it leads to.
    fn look_at(&self, houses: &Houses, seeds: u8, slice: &[AtomicI8]) -> i8 {
        let rank = seeds::rank(houses);
        let known = slice[rank].load(Ordering::Relaxed);
        if known != UNKNOWN {
            return known;
        }
        let pos = position(houses);
        let mut best = UNKNOWN;
        // Two threads may compute the same position; both store the same value.
        for m in pos.legal_moves() {
            let mut child = pos.clone();
            child.play_unchecked(m);
            let gain = ahead(&child, pos.turn());
            let left = houses_of(&child, usize::MAX).expect("no more seeds than before");
            let value = match left.iter().sum::<u8>() == seeds {
                true => i32::from(self.look_at(&left, seeds, slice)),
                false => self.of_houses(&left).expect("smaller slices are there"),
            };
            let same = child.turn() == pos.turn();
            let value = gain + if same { value } else { -value };
            best = best.max(value as i8);
        }
        if best == UNKNOWN {
            // A row is empty: each side gets the seeds in its own row.
            let row = |half: &[u8]| half.iter().sum::<u8>() as i8;
            best = row(&houses[..6]) - row(&houses[6..]);
        }
        slice[rank].store(best, Ordering::Relaxed);
        best
    }
}

impl Database for KalahDatabase {
    const KIND: GameKind = GameKind::Kalah;
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
        let is_value = |value: &u8| (*value as i8).unsigned_abs() <= seeds;
        let fits = slice.kind == Self::KIND
            && usize::from(seeds) == self.slices.len()
            && data.len() == Self::length(slice)
            && data.iter().all(is_value);
        if fits {
            self.slices.push(data);
        }
        fits
    }

    fn solve(&mut self, slices: &[Slice], threads: usize, told: &mut dyn FnMut(Progress)) {
        for slice in slices {
            let seeds = slice.parts[0];
            let length = Self::length(*slice);
            let values: Vec<AtomicI8> = (0..length).map(|_| AtomicI8::new(UNKNOWN)).collect();
            let this = &*self;
            let mut told_done = |done| {
                told(Progress {
                    round: 0,
                    done,
                    of: length,
                });
            };
            in_chunks(length, threads, &mut told_done, &|chunk| {
                let mut houses = seeds::unrank(seeds, chunk.start);
                for _ in chunk {
                    this.look_at(&houses, seeds, &values);
                    seeds::advance(&mut houses);
                }
            });
            let values = values.into_iter().map(|value| value.into_inner() as u8);
            let taken = self.insert(*slice, values.collect());
            debug_assert!(taken, "slices are solved in their order");
        }
    }

    fn count(&self, slice: Slice) -> Option<Counts> {
        let values = self.data(slice)?;
        let mut counts = Counts::default();
        for value in values {
            match *value as i8 {
                1.. => counts.won += 1,
                0 => counts.drawn += 1,
                _ => counts.lost += 1,
            }
        }
        Some(counts)
    }
}

/// The seeds in the store of a side less those in the other store.
pub(super) fn ahead(pos: &KalahPosition, side: Side) -> i32 {
    let stores = pos.stores();
    i32::from(stores[side]) - i32::from(stores[side.other()])
}

/// A position with these seeds in the houses and empty stores.
fn position(houses: &Houses) -> KalahPosition {
    let pos = KalahPosition::new(seeds::rows(houses), BySide::default(), Side::First);
    pos.expect("few seeds")
}

/// The seeds in the houses from the view of the side to move, if there are fewer than `below`.
#[inline]
pub(super) fn houses_of(pos: &KalahPosition, below: usize) -> Option<Houses> {
    let (own, other) = (pos.turn(), pos.turn().other());
    seeds::of_rows(pos.houses(own), pos.houses(other), below)
}

/// A database of up to `seeds` seeds, for tests.
#[cfg(test)]
pub(super) fn database(seeds: u8) -> KalahDatabase {
    KalahDatabase::solved(seeds, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value by the rules alone, from every game to its end.
    fn plain(pos: &KalahPosition) -> i32 {
        let side = pos.turn();
        if let Some(score) = pos.outcome().and_then(|outcome| outcome.score) {
            return i32::from(score[side]) - i32::from(score[side.other()]);
        }
        let below = pos.legal_moves().into_iter().map(|m| {
            let mut child = pos.clone();
            child.play_unchecked(m);
            match child.turn() == side {
                true => plain(&child),
                false => -plain(&child),
            }
        });
        below.max().expect("the game goes on")
    }

    #[test]
    fn values_are_those_of_plain_search() {
        let database = database(5);
        assert_eq!(database.seeds(), Some(5));
        for seeds in 0..=5 {
            for number in (0..seeds::ways(seeds)).step_by(7) {
                let houses = seeds::unrank(seeds, number);
                let pos = position(&houses);
                assert_eq!(database.value(&pos), Some(plain(&pos)), "{pos}");
            }
        }
        let pos: KalahPosition = "0,0,1,0,1,1,20/0,0,0,1,0,1,21 n"
            .parse()
            .expect("a position");
        assert_eq!(database.value(&pos), Some(plain(&pos)));
        let pos: KalahPosition = "0,0,1,0,3,1,20/0,0,0,1,0,1,21 n"
            .parse()
            .expect("a position");
        assert_eq!(database.value(&pos), None, "seven seeds");
    }

    #[test]
    fn threads_find_the_same() {
        let one = database(6);
        let two = KalahDatabase::solved(6, 3);
        assert_eq!(one.slices, two.slices);
    }

    #[test]
    fn only_the_next_slice_is_taken_and_only_with_values() {
        let whole = database(2);
        let slice = |seeds| Slice::seeds(GameKind::Kalah, seeds);
        let data = |seeds| whole.data(slice(seeds)).expect("it is there").to_vec();
        let mut other = KalahDatabase::default();
        assert!(!other.insert(slice(1), data(1)), "0 seeds come first");
        assert!(other.insert(slice(0), data(0)));
        assert!(!other.insert(slice(1), data(2)), "of another length");
        assert!(
            !other.insert(slice(1), vec![3; 12]),
            "1 seed is not worth 3"
        );
        assert!(!other.insert(Slice::seeds(GameKind::Oware, 1), data(1)));
        assert!(other.insert(slice(1), data(1)));
        assert_eq!(other.seeds(), Some(1));
    }
}
