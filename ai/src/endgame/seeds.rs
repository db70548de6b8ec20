//! Numbers of the distributions of seeds over twelve houses.
//!
//! Eleven bars between twelve houses are a combination of 11 places among the seeds and bars. Its number is
//! that of the combinatorial number system (D. E. Knuth, The Art of Computer Programming 4A, 7.2.1.3), so
//! that every number from 0 on belongs to exactly one distribution.

use mawe_rules::{BySide, GameKind};

use super::slice::Slice;

/// The number of houses of both sides.
pub(crate) const HOUSES: usize = 12;

/// The seeds in the houses: the mover's houses 1 to 6, then the opponent's.
pub(crate) type Houses = [u8; HOUSES];

/// The most seeds of a numbered distribution: six in every house, the largest start.
pub(crate) const MOST: usize = 72;

/// The most seeds of a database: 52 million positions of a byte each; 18 seeds would need 86 million.
pub(crate) const LARGEST: u8 = 17;

const ROWS: usize = MOST + HOUSES;
/// Binomial coefficients: `[k][n]` is the number of combinations of `k` out of `n`.
const CHOICES: [[u64; ROWS]; HOUSES + 1] = choices();

const fn choices() -> [[u64; ROWS]; HOUSES + 1] {
    let mut table = [[0; ROWS]; HOUSES + 1];
    let mut n = 0;
    while n < ROWS {
        table[0][n] = 1;
        let mut k = 1;
        while n > 0 && k <= HOUSES {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
}

/// The seeds in two rows of houses, if there are fewer than `below` and at most [`MOST`].
#[inline]
pub(crate) fn of_rows(own: [u16; 6], other: [u16; 6], below: usize) -> Option<Houses> {
    let seeds = own.iter().chain(&other).map(|seeds| usize::from(*seeds));
    let all: usize = seeds.sum();
    (all < below && all <= MOST).then(|| {
        std::array::from_fn(|house| match house {
            0..6 => own[house] as u8,
            _ => other[house - 6] as u8,
        })
    })
}

/// The rows of a distribution, the mover's first.
pub(crate) fn rows(houses: &Houses) -> BySide<[u16; 6]> {
    let row = |from: usize| std::array::from_fn(|house| u16::from(houses[from + house]));
    BySide::new(row(0), row(6))
}

/// The slices of a database by seeds, each in a group of its own.
pub(super) fn plan(kind: GameKind, up_to: u8) -> Vec<Vec<Slice>> {
    let slice = |seeds| vec![Slice::seeds(kind, seeds)];
    (0..=up_to.min(LARGEST)).map(slice).collect()
}

/// The number of bytes of a slice by seeds; 0 for any other slice.
pub(super) fn length(slice: Slice) -> usize {
    match slice.parts {
        [seeds @ 0..=LARGEST, 0, 0, 0] => ways(seeds),
        _ => 0,
    }
}

/// The number of distributions of this many seeds.
pub(crate) fn ways(seeds: u8) -> usize {
    CHOICES[HOUSES - 1][usize::from(seeds) + HOUSES - 1] as usize
}

/// The number of a distribution among those of the same number of seeds, at most [`MOST`].
#[inline]
pub(crate) fn rank(houses: &Houses) -> usize {
    let (mut bar, mut rank) = (0, 0);
    for k in 1..HOUSES {
        bar += usize::from(houses[k - 1]);
        rank += CHOICES[k][(bar + k - 1).min(ROWS - 1)];
    }
    rank as usize
}

/// The number of a distribution among all of at most [`MOST`] seeds.
#[inline]
pub(crate) fn rank_of_all(houses: &Houses) -> u64 {
    let seeds: usize = houses.iter().map(|seeds| usize::from(*seeds)).sum();
    CHOICES[HOUSES][(seeds + HOUSES - 1).min(ROWS - 1)] + rank(houses) as u64
}

/// The distribution with this number.
pub(crate) fn unrank(seeds: u8, rank: usize) -> Houses {
    let mut houses = [0; HOUSES];
    let mut rest = rank as u64;
    // The number of seeds in house k and all before it, from the last house on.
    let mut behind = usize::from(seeds);
    for k in (1..HOUSES).rev() {
        let mut bar = behind;
        while CHOICES[k][bar + k - 1] > rest {
            bar -= 1;
        }
        rest -= CHOICES[k][bar + k - 1];
        houses[k] = (behind - bar) as u8;
        behind = bar;
    }
    houses[0] = behind as u8;
    houses
}

/// Advances to the distribution with the next number; after the last one the result is unspecified.
#[inline]
pub(crate) fn advance(houses: &mut Houses) {
    if let Some(k) = (1..HOUSES).find(|k| houses[*k] > 0) {
        houses[k] -= 1;
        let first = std::mem::take(&mut houses[0]);
        houses[k - 1] = first + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_has_its_number() {
        // Published for Oware: 12 positions of one seed, 78 of two (M. Smits, "Endgame books in Oware
        // Abapa", tech.io); the others are binomials.
        for (seeds, count) in [(0, 1), (1, 12), (2, 78), (3, 364), (4, 1365)] {
            assert_eq!(ways(seeds), count);
            let mut houses = unrank(seeds, 0);
            for number in 0..count {
                assert_eq!(houses.iter().sum::<u8>(), seeds);
                assert_eq!(rank(&houses), number);
                assert_eq!(unrank(seeds, number), houses);
                let fewer: usize = (0..seeds).map(ways).sum();
                assert_eq!(rank_of_all(&houses), (fewer + number) as u64);
                advance(&mut houses);
            }
        }
        assert_eq!(ways(17), 21_474_180);
        let last = [6; HOUSES];
        assert_eq!(unrank(72, rank(&last)), last);
    }
}
