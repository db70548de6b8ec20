//! The hidden units of a network while the rows of its inputs are added: the inner loop of the evaluation.

/// The number of hidden units.
pub const HIDDEN: usize = 64;

/// A sum of rows of weights, a number for each hidden unit.
pub(crate) trait Sums: Copy {
    /// The sum of one row.
    fn of(row: [i16; HIDDEN]) -> Self;

    /// Adds another sum. Each unit fits its type: see [`Shape::largest`](super::net::Shape::largest).
    fn add(&mut self, other: &Self);

    /// The hidden units.
    fn units(&self) -> [i16; HIDDEN];
}

/// The sums that are faster on the target. With vector instructions the compiler adds the units of `Lanes` eight at a time, but the words
/// of `Words` one at a time.
#[cfg(not(all(target_arch = "wasm32", not(target_feature = "simd128"))))]
pub(crate) type Hidden = Lanes;
/// The sums that are faster on the target, here WebAssembly without vector instructions.
#[cfg(all(target_arch = "wasm32", not(target_feature = "simd128")))]
pub(crate) type Hidden = words::Words;

/// Sums for vector instructions.
#[derive(Clone, Copy)]
pub(crate) struct Lanes([i16; HIDDEN]);

impl Sums for Lanes {
    fn of(row: [i16; HIDDEN]) -> Self {
        Self(row)
    }

    #[inline(always)]
    fn add(&mut self, other: &Self) {
        for (unit, weight) in self.0.iter_mut().zip(&other.0) {
            *unit = unit.wrapping_add(*weight);
        }
    }

    #[inline(always)]
    fn units(&self) -> [i16; HIDDEN] {
        self.0
    }
}

#[cfg(any(test, all(target_arch = "wasm32", not(target_feature = "simd128"))))]
mod words {
    use super::{HIDDEN, Sums};

    /// The number of units in a word.
    const IN_WORD: usize = 4;
    /// The number 2 to the 15th for each unit of a word.
    const HALVES: u64 = 0x8000_8000_8000_8000;

    /// Sums without vector instructions: one addition of words adds four units.
    ///
    /// A word is the sum of its units, each times a power of 2 to the 16th, so a negative unit takes 1 from the one above it.
    #[derive(Clone, Copy)]
    pub(crate) struct Words([u64; HIDDEN / IN_WORD]);

    impl Sums for Words {
        fn of(row: [i16; HIDDEN]) -> Self {
            Self(std::array::from_fn(|word| {
                let units = row[word * IN_WORD..][..IN_WORD].iter().rev();
                units.fold(0, |sum: u64, unit| (sum << 16).wrapping_add(*unit as u64))
            }))
        }

        #[inline(always)]
        fn add(&mut self, other: &Self) {
            for (word, weights) in self.0.iter_mut().zip(&other.0) {
                *word = word.wrapping_add(*weights);
            }
        }

        #[inline(always)]
        fn units(&self) -> [i16; HIDDEN] {
            // With 2 to the 15th added no unit is negative, so none has taken from another; then the sign is put back.
            let mut units = [0; HIDDEN];
            let (words, _) = units.as_chunks_mut::<IN_WORD>();
            for (four, word) in words.iter_mut().zip(self.0) {
                let bytes = (word.wrapping_add(HALVES) ^ HALVES).to_le_bytes();
                let (pairs, _) = bytes.as_chunks();
                *four = std::array::from_fn(|i| i16::from_le_bytes(pairs[i]));
            }
            units
        }
    }
}

#[cfg(test)]
mod tests {
    use super::words::Words;
    use super::*;
    use crate::sight::mix;

    #[test]
    fn words_hold_the_same_units_as_lanes() {
        // The sum of 32 rows fits.
        const LARGEST: u64 = 990;
        let largest = LARGEST as i16;
        let weight = |row: u64, unit: usize| match unit {
            // The ends of the type, beside each other.
            0 | 2 => -largest,
            1 => largest,
            _ => (mix(row * 64 + unit as u64) % (2 * LARGEST + 1)) as i16 - largest,
        };
        let row = |row| std::array::from_fn(|unit| weight(row, unit));
        let (mut words, mut lanes) = (Words::of(row(0)), Lanes::of(row(0)));
        for number in 1..=32 {
            words.add(&Words::of(row(number)));
            lanes.add(&Lanes::of(row(number)));
            assert_eq!(words.units(), lanes.units(), "{number} rows");
        }
    }
}
