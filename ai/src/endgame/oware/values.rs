//! The values of positions, packed in bytes.

use mawe_rules::games::oware::OwarePosition;
use mawe_rules::{BySide, Position, Side};

use super::super::seeds::{self, Houses};

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
    pub(super) slices: Vec<Vec<u8>>,
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

    /// The bounds on the further gain of the side to move.
    #[inline]
    pub(super) fn of_houses(&self, houses: &Houses) -> Option<OwareValue> {
        let seeds: u8 = houses.iter().sum();
        let packed = self
            .slices
            .get(usize::from(seeds))?
            .get(seeds::rank(houses))?;
        Some(unpack(*packed, seeds))
    }
}

// All seeds are divided, so a difference has the parity of their number: with `n` seeds there are n +
// 1 differences, and (n + 1)(n + 2) / 2 pairs of a lower and a higher one, at most 171.

/// The byte of a value.
#[inline]
pub(super) fn pack(value: OwareValue, seeds: u8) -> u8 {
    let number = |difference: i32| ((difference + i32::from(seeds)) / 2) as usize;
    let (low, high) = (number(value.low), number(value.high));
    (high * (high + 1) / 2 + low) as u8
}

/// The value of a byte.
#[inline]
pub(super) fn unpack(packed: u8, seeds: u8) -> OwareValue {
    let [low, high] = PAIRS[usize::from(packed)];
    let difference = |number: u8| 2 * i32::from(number) - i32::from(seeds);
    OwareValue {
        low: difference(low),
        high: difference(high),
    }
}

/// The largest packed pair of a slice.
pub(super) fn unknown(seeds: u8) -> u8 {
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
pub(super) fn position(houses: &Houses) -> OwarePosition {
    let pos = OwarePosition::new(seeds::rows(houses), BySide::default(), Side::First);
    pos.expect("few seeds")
}

/// The seeds on the board from the view of the side to move, if there are fewer than `below`.
#[inline]
pub(super) fn houses_of(pos: &OwarePosition, below: usize) -> Option<Houses> {
    let (own, other) = (pos.turn(), pos.turn().other());
    seeds::of_rows(pos.houses(own), pos.houses(other), below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_packed_and_unpacked() {
        for seeds in 0..=seeds::LARGEST {
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
}
