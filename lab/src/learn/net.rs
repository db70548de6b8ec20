//! Fits a network together with the sum of weights beside it.

use mawe_ai::eval::{HIDDEN, PARTS_OF_NET, Shape};
use mawe_ai::{Weights, mix};

use super::loss::logistic;

/// The number of positions of a step.
const BATCH: usize = 256;
/// The decay rates of the means of gradients and of their squares (Adam, D. Kingma and J. Ba,
/// 2014).
const SLOPES: f32 = 0.9;
const SQUARES: f32 = 0.999;
/// A small term that limits steps along small gradients.
const CAUTION: f32 = 1e-8;
/// The initial step of a weight; it decreases to a hundredth of this.
const STEP: f32 = 2e-3;

/// The weights of the network and of the sum, in logits.
pub(super) struct Learner {
    shape: Shape,
    features: usize,
    weights: Vec<f32>,
    slopes: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
}

impl Learner {
    /// A learner with initial weights.
    pub(super) fn new(features: usize, shape: Shape, seed: u64) -> Self {
        let count = features + shape.weights();
        let mut weights = vec![0.0; count];
        // Rows begin with random weights; otherwise all hidden units would learn the same.
        let rows = &mut weights[features..features + shape.inputs * HIDDEN];
        for (i, weight) in rows.iter_mut().enumerate() {
            *weight = (mix(seed ^ mix(i as u64)) >> 40) as f32 / (1 << 24) as f32 * 0.4 - 0.2;
        }
        let bias = features + shape.inputs * HIDDEN;
        weights[bias..bias + HIDDEN].fill(0.3);
        Self {
            shape,
            features,
            weights,
            slopes: vec![0.0; count],
            means: vec![0.0; count],
            squares: vec![0.0; count],
            steps: 0,
        }
    }

    /// The hidden units of a position before clamping, and its phase.
    fn hidden(&self, found: &[(u16, i16)]) -> ([f32; HIDDEN], usize) {
        let rows = &self.weights[self.features..];
        let row = |number: usize| &rows[number * HIDDEN..(number + 1) * HIDDEN];
        let mut hidden = [0.0; HIDDEN];
        hidden.copy_from_slice(row(self.shape.inputs));
        let mut phase = 0;
        for (feature, _) in found {
            let here = usize::from(*feature) % self.shape.in_phase;
            phase = usize::from(*feature) / self.shape.in_phase;
            if here < self.shape.inputs {
                for (unit, weight) in hidden.iter_mut().zip(row(here)) {
                    *unit += *weight;
                }
            }
        }
        (hidden, phase)
    }

    /// The prediction for a position, as a logit.
    pub(super) fn sum(&self, found: &[(u16, i16)]) -> f32 {
        let (hidden, phase) = self.hidden(found);
        self.total(found, &hidden, phase)
    }

    fn total(&self, found: &[(u16, i16)], hidden: &[f32; HIDDEN], phase: usize) -> f32 {
        let features = found.iter();
        let sum: f32 = features
            .map(|(feature, times)| self.weights[usize::from(*feature)] * f32::from(*times))
            .sum();
        let out = self.out(phase);
        let units = hidden.iter().zip(&self.weights[out..out + HIDDEN]);
        let net: f32 = units
            .map(|(unit, weight)| {
                let unit = unit.clamp(0.0, 1.0);
                unit * unit * weight
            })
            .sum();
        sum + net
    }

    /// The offset of the output weights of a phase.
    fn out(&self, phase: usize) -> usize {
        self.features + (self.shape.inputs + 1 + phase) * HIDDEN
    }

    /// Makes a pass over all positions; `share` is the finished share of all rounds.
    pub(super) fn round<'a>(
        &mut self,
        order: &[u32],
        share: impl Fn(usize) -> f32,
        pull: f32,
        position: impl Fn(usize) -> (&'a [(u16, i16)], f32),
    ) {
        for (number, batch) in order.chunks(BATCH).enumerate() {
            for index in batch {
                let (found, target) = position(*index as usize);
                self.lean(found, target);
            }
            self.step(STEP * (1.0 - 0.99 * share(number * BATCH)), pull);
        }
    }

    /// Adds the gradient of a position.
    fn lean(&mut self, found: &[(u16, i16)], target: f32) {
        let (hidden, phase) = self.hidden(found);
        let error = logistic(self.total(found, &hidden, phase)) - target;
        let out = self.out(phase);
        let mut back = [0.0; HIDDEN];
        for (i, unit) in hidden.iter().enumerate() {
            let cut = unit.clamp(0.0, 1.0);
            back[i] = if *unit > 0.0 && *unit < 1.0 {
                error * 2.0 * cut * self.weights[out + i]
            } else {
                0.0
            };
            self.slopes[out + i] += error * cut * cut;
        }
        let rows = self.features;
        let mut add = |number: usize| {
            let row = &mut self.slopes[rows + number * HIDDEN..rows + (number + 1) * HIDDEN];
            for (slope, back) in row.iter_mut().zip(&back) {
                *slope += *back;
            }
        };
        add(self.shape.inputs);
        for (feature, _) in found {
            let here = usize::from(*feature) % self.shape.in_phase;
            if here < self.shape.inputs {
                add(here);
            }
        }
        for (feature, times) in found {
            self.slopes[usize::from(*feature)] += error * f32::from(*times);
        }
    }

    fn step(&mut self, step: f32, pull: f32) {
        self.steps += 1;
        let unbiased = |keep: f32| 1.0 / (1.0 - keep.powi(self.steps));
        let (of_means, of_squares) = (unbiased(SLOPES), unbiased(SQUARES));
        let all = self.weights.iter_mut().zip(&mut self.slopes);
        let all = all.zip(self.means.iter_mut().zip(&mut self.squares));
        for ((weight, slope), (mean, square)) in all {
            let here = *slope / BATCH as f32 + pull * *weight;
            *slope = 0.0;
            *mean = SLOPES * *mean + (1.0 - SLOPES) * here;
            *square = SQUARES * *square + (1.0 - SQUARES) * here * here;
            *weight -= step * *mean * of_means / ((*square * of_squares).sqrt() + CAUTION);
        }
    }

    /// The weights as integers; `logit` parts make a logit.
    pub(super) fn weights(&self, logit: f32) -> Weights {
        let rows = self.features..self.out(0);
        let rounded = self.weights.iter().enumerate().map(|(i, weight)| {
            if rows.contains(&i) {
                let largest = self.shape.largest() as f32;
                (weight * PARTS_OF_NET as f32)
                    .clamp(-largest, largest)
                    .round() as i16
            } else {
                // A conversion from a float saturates.
                (weight * logit).round() as i16
            }
        });
        Weights::new(rounded.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_learns_what_no_sum_of_weights_can_say() {
        let shape = Shape {
            phases: 1,
            in_phase: 2,
            inputs: 2,
            at_once: 2,
        };
        // Each input alone predicts a win; both together predict a loss, as no input does.
        let lessons: [(&[(u16, i16)], f32); 4] = [
            (&[], 0.2),
            (&[(0, 1)], 0.8),
            (&[(1, 1)], 0.8),
            (&[(0, 1), (1, 1)], 0.2),
        ];
        let mut learner = Learner::new(2, shape, 1);
        let order: Vec<u32> = (0..100_000).collect();
        let share = |done: usize| done as f32 / 100_000.0;
        learner.round(&order, share, 0.0, |number| lessons[number % 4]);
        for (found, target) in lessons {
            let told = logistic(learner.sum(found));
            assert!((told - target).abs() < 0.05, "{found:?}: {told}");
        }
    }
}
