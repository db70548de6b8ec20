//! Kalah by the seeds left in the houses.
//!
//! A value is by how many seeds more than the other the side to move gets from here on, at the end of
//! the game, when both play for seeds; what is in the stores already has no part in it. No position
//! comes back, for a move that feeds no store moves its seeds nearer to one: so every position is
//! looked at once.

use std::sync::atomic::{AtomicI8, Ordering};

use mawe_rules::games::kalah::KalahPosition;
use mawe_rules::{BySide, GameKind, Position, Side};

use super::seeds::{self, Houses};
use super::{Counts, Database, Progress, Slice, in_chunks};

/// Of a position that is not looked at yet; no value is as small.
const UNKNOWN: i8 = i8::MIN;

/// All positions with few seeds in the houses.
#[derive(Clone, Default)]
pub struct KalahDatabase {
    /// The values by number of seeds and number of the way they lie, as bytes of an `i8`.
    slices: Vec<Vec<u8>>,
}

impl KalahDatabase {
    /// The most seeds in the houses that it knows, if any.
    pub fn seeds(&self) -> Option<u8> {
        u8::try_from(self.slices.len()).ok()?.checked_sub(1)
    }

    /// By how many seeds more than the other the side to move gets in all, those in the stores
    /// included, if there are few enough in the houses.
    #[inline]
    pub fn value(&self, pos: &KalahPosition) -> Option<i32> {
        if self.slices.is_empty() {
            return None;
        }
        let houses = houses_of(pos, self.slices.len())?;
        Some(ahead(pos, pos.turn()) + self.of_houses(&houses)?)
    }

    /// What the side to move gets from here on, more than the other.
    #[inline]
    pub(super) fn of_houses(&self, houses: &Houses) -> Option<i32> {
        let seeds: usize = houses.iter().map(|seeds| usize::from(*seeds)).sum();
        let value = self.slices.get(seeds)?.get(seeds::rank(houses))?;
        Some(i32::from(*value as i8))
    }

    /// The value of a position of the slice that is being solved, and of all that it leads to.
    fn look_at(&self, houses: &Houses, seeds: u8, slice: &[AtomicI8]) -> i8 {
        let rank = seeds::rank(houses);
        let known = slice[rank].load(Ordering::Relaxed);
        if known != UNKNOWN {
            return known;
        }
        let pos = position(houses);
        let mut best = UNKNOWN;
        // Written by every thread alike, if two come here at once.
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
            // A row is empty: each side has what lies in its own.
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

/// The seeds in the store of a side less those of the other.
pub(super) fn ahead(pos: &KalahPosition, side: Side) -> i32 {
    let stores = pos.stores();
    i32::from(stores[side]) - i32::from(stores[side.other()])
}

/// A position with these seeds and empty stores.
fn position(houses: &Houses) -> KalahPosition {
    let pos = KalahPosition::new(seeds::rows(houses), BySide::default(), Side::First);
    pos.expect("few seeds")
}

/// The seeds in the houses as the side to move sees them, if there are fewer than `below`.
#[inline]
pub(super) fn houses_of(pos: &KalahPosition, below: usize) -> Option<Houses> {
    let (own, other) = (pos.turn(), pos.turn().other());
    seeds::of_rows(pos.houses(own), pos.houses(other), below)
}

/// A database of so many seeds, for tests.
#[cfg(test)]
pub(super) fn database(seeds: u8) -> KalahDatabase {
    KalahDatabase::solved(seeds, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the rules alone, to the end of every game.
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
