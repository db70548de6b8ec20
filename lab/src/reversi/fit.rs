//! Fits the weights to the results: least squares with a penalty on large weights, by conjugate gradients, each weight
//! with a step size of its own.

use std::collections::BTreeMap;

use mawe_ai::reversi::{BoardWeights, Known};

use super::samples::Sample;

/// One sample in this many is kept for validation.
const ASIDE: usize = 32;

/// A sample with its weights.
struct Row {
    weights: BoardWeights,
    /// The residual, in discs.
    left: f32,
}

/// A fit in progress.
pub struct Fit {
    rows: Vec<Row>,
    aside: Vec<Row>,
    /// The initial weights, in discs, and the fitted changes of them.
    before: Vec<f32>,
    weights: Vec<f32>,
    /// The penalty in samples: a weight that occurs in this many samples is halved.
    penalty: f32,
    /// The number of occurrences of each weight.
    counts: Vec<f32>,
    residual: Vec<f32>,
    direction: Vec<f32>,
    size: f64,
}

impl Fit {
    /// Begins with these weights in hundredths of a disc, or with zeros. The penalty applies to the changes of them, so
    /// that information from earlier samples is kept.
    pub fn new(samples: &[Sample], penalty: f32, before: Option<&[f32]>) -> Self {
        let count = BoardWeights::count();
        let before: Vec<f32> = match before {
            Some(weights) => weights.iter().map(|weight| weight / 100.0).collect(),
            None => vec![0.0; count],
        };
        let row = |sample: &Sample| Row {
            weights: BoardWeights::of(sample.board),
            left: f32::from(sample.margin),
        };
        let (mut rows, mut aside) = (Vec::with_capacity(samples.len()), Vec::new());
        for (i, sample) in samples.iter().enumerate() {
            let mut row = row(sample);
            row.left -= row.says(&before);
            // Samples are divided in blocks of 64, so that boards of one game stay together.
            match (i / 64) % ASIDE {
                0 => aside.push(row),
                _ => rows.push(row),
            }
        }
        let mut counts = vec![penalty; count];
        let mut residual = vec![0.0; count];
        for row in &rows {
            for (at, share) in row.weights.places() {
                counts[at] += share * share;
                residual[at] += share * row.left;
            }
        }
        let mut fit = Self {
            rows,
            aside,
            before,
            weights: vec![0.0; count],
            penalty,
            counts,
            residual,
            direction: vec![0.0; count],
            size: 0.0,
        };
        fit.direction = fit.scaled();
        fit.size = dot(&fit.residual, &fit.direction);
        fit
    }

    /// Makes one step; returns the root mean square errors on the samples and on the validation samples, in discs.
    pub fn step(&mut self) -> (f64, f64) {
        let mut pushed = vec![0.0; self.weights.len()];
        let mut said = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let says = row.says(&self.direction);
            said.push(says);
            for (at, share) in row.weights.places() {
                pushed[at] += share * says;
            }
        }
        for (pushed, direction) in pushed.iter_mut().zip(&self.direction) {
            *pushed += self.penalty * direction;
        }
        let length = (self.size / dot(&self.direction, &pushed).max(1e-12)) as f32;
        for (weight, direction) in self.weights.iter_mut().zip(&self.direction) {
            *weight += length * direction;
        }
        for (residual, pushed) in self.residual.iter_mut().zip(&pushed) {
            *residual -= length * pushed;
        }
        for (row, says) in self.rows.iter_mut().zip(said) {
            row.left -= length * says;
        }
        for row in &mut self.aside {
            row.left -= length * row.says(&self.direction);
        }
        let scaled = self.scaled();
        let size = dot(&self.residual, &scaled);
        let keep = (size / self.size.max(1e-12)) as f32;
        for (direction, scaled) in self.direction.iter_mut().zip(scaled) {
            *direction = scaled + keep * *direction;
        }
        self.size = size;
        (error(&self.rows), error(&self.aside))
    }

    fn scaled(&self) -> Vec<f32> {
        let each = self.residual.iter().zip(&self.counts);
        each.map(|(residual, count)| residual / count.max(1e-6))
            .collect()
    }

    /// The errors on the validation samples by stage: the fewest empty squares of the stage, the number of samples, and
    /// their error.
    pub fn by_stage(&self) -> Vec<(u32, usize, f64)> {
        let mut stages: BTreeMap<u32, (usize, f64)> = BTreeMap::new();
        for row in &self.aside {
            let (count, squares) = stages.entry(row.weights.fewest_empties()).or_default();
            *count += 1;
            *squares += f64::from(row.left).powi(2);
        }
        let error = |(empties, (count, squares)): (u32, (usize, f64))| {
            (empties, count, (squares / count as f64).sqrt())
        };
        stages.into_iter().map(error).collect()
    }

    /// The weights in hundredths of a disc. A weight with few samples is rounded more coarsely, because uncertain digits
    /// only take room in the file.
    pub fn weights(&self) -> Vec<f32> {
        let sum = self.before.iter().zip(&self.weights);
        let rounded = sum.zip(&self.counts).map(|((before, added), count)| {
            let step = Known::STEP * coarseness(count - self.penalty);
            (100.0 * (before + added) / step).round() * step
        });
        rounded.collect()
    }
}

impl Row {
    fn says(&self, weights: &[f32]) -> f32 {
        let places = self.weights.places();
        places.map(|(at, share)| weights[at] * share).sum()
    }
}

/// The rounding of a weight with this many samples, in steps of the file.
fn coarseness(samples: f32) -> f32 {
    let steps = [(4_000.0, 1.0), (500.0, 2.0), (60.0, 4.0)];
    let step = steps.into_iter().find(|(from, _)| samples >= *from);
    step.map_or(8.0, |(_, step)| step)
}

fn dot(one: &[f32], other: &[f32]) -> f64 {
    let products = one.iter().zip(other);
    products
        .map(|(one, other)| f64::from(*one) * f64::from(*other))
        .sum()
}

fn error(rows: &[Row]) -> f64 {
    let squares: f64 = rows.iter().map(|row| f64::from(row.left).powi(2)).sum();
    (squares / rows.len().max(1) as f64).sqrt()
}
