//! A small network beside a sum of weights: what pieces are worth together.
//!
//! The first features of a phase are its inputs. Each has a row of weights, which are summed up for the hidden
//! units; these are cut off below 0 and above 1, squared, and weighed apart for every phase. All in whole
//! numbers, so that every machine gets the same.

use crate::weights::Weights;

/// How many hidden units there are.
pub const HIDDEN: usize = 64;
/// So many parts are 1 in a hidden unit: the square just fits.
pub const PARTS: i32 = 181;
/// The square of a hidden unit is divided by two so often.
const SHIFT: u32 = 7;
/// So many parts are 1 in a square.
const SQUARE: i32 = (PARTS * PARTS) >> SHIFT;
/// No weight of an input is larger, so that 32 pieces together stay within the type.
pub const LARGEST: i32 = 990;

/// How the features of a game lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// So many phases,
    pub phases: usize,
    /// of so many features each,
    pub in_phase: usize,
    /// of which the first are inputs.
    pub inputs: usize,
}

impl Shape {
    /// How many weights a network of this shape has.
    pub const fn weights(self) -> usize {
        (self.inputs + 1 + self.phases) * HIDDEN
    }
}

/// A network. Its weights lie in a file behind those of the features: a row for each input, the row of no
/// input, and a row for what comes out in each phase.
pub(crate) struct Net {
    rows: Box<[[i16; HIDDEN]]>,
    bias: [i16; HIDDEN],
    out: Box<[[i16; HIDDEN]]>,
}

impl Net {
    /// The network behind the first `features` of all weights.
    pub(crate) fn of(weights: &Weights, features: usize, shape: Shape) -> Self {
        let row = |number: usize| std::array::from_fn(|i| weights[features + number * HIDDEN + i]);
        Self {
            rows: (0..shape.inputs).map(row).collect(),
            bias: row(shape.inputs),
            out: (0..shape.phases)
                .map(|phase| row(shape.inputs + 1 + phase))
                .collect(),
        }
    }

    /// The hidden units of no input.
    #[inline(always)]
    pub(crate) fn begin(&self) -> [i16; HIDDEN] {
        self.bias
    }

    /// Adds an input.
    #[inline(always)]
    pub(crate) fn add(&self, hidden: &mut [i16; HIDDEN], input: usize) {
        for (unit, weight) in hidden.iter_mut().zip(&self.rows[input]) {
            // Within the type: see `LARGEST`.
            *unit = unit.wrapping_add(*weight);
        }
    }

    /// What comes out, in parts of a hundredth.
    #[inline(always)]
    pub(crate) fn value(&self, hidden: &[i16; HIDDEN], phase: usize) -> i32 {
        let units = hidden.iter().zip(&self.out[phase]);
        let sum: i32 = units
            .map(|(unit, weight)| {
                let unit = (*unit).clamp(0, PARTS as i16);
                // At most 32,761, and then at most 255.
                let square = (unit * unit) >> SHIFT;
                i32::from(square) * i32::from(*weight)
            })
            .sum();
        sum / SQUARE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_cut_off_squared_and_weighed_by_phase() {
        let shape = Shape {
            phases: 2,
            in_phase: 3,
            inputs: 2,
        };
        // One feature before the network; the first unit is half of the first input and all of the second.
        let mut weights = vec![0; 1 + shape.weights()];
        (weights[1], weights[1 + HIDDEN]) = (90, 181);
        weights[1 + 2 * HIDDEN] = -10;
        (weights[1 + 3 * HIDDEN], weights[1 + 4 * HIDDEN]) = (1_600, -3_200);
        let net = Net::of(&Weights::new(weights), 1, shape);
        let value = |inputs: &[usize], phase| {
            let mut hidden = net.begin();
            for input in inputs {
                net.add(&mut hidden, *input);
            }
            net.value(&hidden, phase)
        };
        assert_eq!(value(&[], 0), 0, "below 0");
        assert_eq!(value(&[0], 0), 1_600 * (80 * 80 / 128) / 255);
        assert_eq!(value(&[0, 1], 0), 1_600, "above 1");
        assert_eq!(value(&[0, 1], 1), -3_200);
    }
}
