//! A small network that is added to a sum of weights; it evaluates combinations of pieces.
//!
//! The first features of a phase are its inputs. Each has a row of weights, which are added to the hidden
//! units. These are clamped to 0 and 1, squared, and weighted separately for every phase. The arithmetic uses
//! integers only, so that every machine computes the same values.

use super::hidden::{HIDDEN, Hidden, Sums};
use crate::weights::Weights;

/// The integer that stands for 1 in a hidden unit: the greatest whose square fits the type.
pub const PARTS: i32 = 181;
/// The right shift of the square of a hidden unit.
const SHIFT: u32 = 7;
/// The integer that stands for 1 in a square.
const SQUARE: i32 = (PARTS * PARTS) >> SHIFT;

/// The layout of the features of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The number of phases.
    pub phases: usize,
    /// The number of features in each phase.
    pub in_phase: usize,
    /// The number of these that are inputs, which come first.
    pub inputs: usize,
    /// The greatest number of inputs of a position.
    pub at_once: usize,
}

impl Shape {
    /// The number of weights of a network of this shape.
    pub const fn weights(self) -> usize {
        (self.inputs + 1 + self.phases) * HIDDEN
    }

    /// The greatest weight of an input, so that the hidden units of any position fit their type.
    pub const fn largest(self) -> i32 {
        i16::MAX as i32 / (self.at_once as i32 + 1)
    }
}

/// A network. Its weights follow those of the features in a file: a row for each input, the bias row, and an
/// output row for each phase.
pub(crate) struct Net {
    rows: Box<[Hidden]>,
    bias: Hidden,
    out: Box<[[i16; HIDDEN]]>,
}

impl Net {
    /// The network whose weights follow the first `features` weights.
    pub(crate) fn of(weights: &Weights, features: usize, shape: Shape) -> Self {
        let row = |number: usize| std::array::from_fn(|i| weights[features + number * HIDDEN + i]);
        Self {
            rows: (0..shape.inputs).map(row).map(Hidden::of).collect(),
            bias: Hidden::of(row(shape.inputs)),
            out: (0..shape.phases)
                .map(|phase| row(shape.inputs + 1 + phase))
                .collect(),
        }
    }

    /// The hidden units without inputs.
    #[inline(always)]
    pub(crate) fn begin(&self) -> Hidden {
        self.bias
    }

    /// Adds an input.
    #[inline(always)]
    pub(crate) fn add(&self, hidden: &mut Hidden, input: usize) {
        hidden.add(&self.rows[input]);
    }

    /// The output, in the parts of a hundredth that [`Weights`] uses.
    #[inline(always)]
    pub(crate) fn value(&self, hidden: &Hidden, phase: usize) -> i32 {
        let units = hidden.units();
        let units = units.iter().zip(&self.out[phase]);
        let sum: i32 = units
            .map(|(unit, weight)| {
                let unit = (*unit).clamp(0, PARTS as i16);
                // At most 32,761, and after the shift at most 255.
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
            at_once: 2,
        };
        // One feature precedes the network; the first unit is half of the first input and all of the second.
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
