//! Fits the weights to the results of games.

use mawe_ai::eval::{Quietness, Shape};
use mawe_ai::{Learn, Weights, mix};
use mawe_rules::Side;

use super::loss::{cross_entropy, logistic, mean};
use super::net::Learner;

/// One game in this many is kept for validation.
const KEPT_BACK: u64 = 20;
/// Pieces moved to and fro give no new information: with a network, no more than this many consecutive quiet
/// plies are used.
const MOST_QUIET: u32 = 24;
/// A small term that limits the first steps of a weight.
const CAUTION: f32 = 1e-3;
/// The largest weight, in logits.
const LARGEST: f32 = 20.0;

/// The parameters of a fit.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// The number of passes over all positions.
    pub rounds: u32,
    /// The size of a step.
    pub step: f32,
    /// The strength of the pull to zero on weights with little evidence.
    pub pull: f32,
    /// The weight of the game's result in the target of a position, 0 to 1; the rest is the score of the
    /// search.
    pub result: f32,
    /// The hundredths of a logit; `None` derives it from the games.
    pub scale: Option<f32>,
    /// The seed of the order of positions.
    pub seed: u64,
}

impl Default for Course {
    fn default() -> Self {
        Self {
            rounds: 24,
            step: 0.05,
            pull: 2e-5,
            result: 0.6,
            scale: None,
            seed: 1,
        }
    }
}

/// The result of a fit.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The weights.
    pub weights: Weights,
    /// The hundredths of a logit, by the scores of the games' searches.
    pub scale: f32,
    /// The mean loss on the validation positions after each round, in nats.
    pub losses: Vec<f32>,
}

/// Positions and the results of their games.
pub struct Lesson {
    /// The end of each position's features.
    ends: Vec<usize>,
    features: Vec<(u16, i16)>,
    /// The result and the score of the search, from the view of the side to move.
    told: Vec<(f32, f32)>,
    is_kept_back: Vec<bool>,
    count: usize,
    net: Option<Shape>,
}

impl Lesson {
    /// An empty lesson for a game.
    pub fn of<P: Learn>() -> Self {
        Self {
            ends: vec![0],
            features: Vec::new(),
            told: Vec::new(),
            is_kept_back: Vec::new(),
            count: P::FEATURES,
            net: P::NET,
        }
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.told.len()
    }

    /// Adds the positions of a game from `start`, given as the line that [`play`](super::play) writes. `None`
    /// if the line is invalid; the positions before the fault remain.
    pub fn add<P: Learn>(&mut self, start: &P, line: &str) -> Option<()> {
        let mut words = line.split(' ');
        let number: u64 = words.next()?.parse().ok()?;
        let result: f32 = words.next()?.parse().ok()?;
        let mut pos = start.clone();
        let mut quiet = 0;
        for word in words {
            let (text, score) = match word.split_once(':') {
                Some((text, score)) => (text, Some(score.parse::<i32>().ok()?)),
                None => (word, None),
            };
            let m = text.parse().ok()?;
            if let Some(score) = score
                && (P::NET.is_none() || quiet <= MOST_QUIET)
                && !matches!(pos.quietness(), Quietness::Forced)
            {
                let sign = if pos.turn() == Side::First { 1.0 } else { -1.0 };
                pos.features(|base, here, times| {
                    if times != 0 {
                        self.features.push(((base + here) as u16, times as i16));
                    }
                });
                self.ends.push(self.features.len());
                self.told.push(((result * sign + 1.0) / 2.0, score as f32));
                self.is_kept_back.push(number.is_multiple_of(KEPT_BACK));
            }
            quiet = if pos.is_quiet(m) { quiet + 1 } else { 0 };
            pos.play(m).ok()?;
        }
        Some(())
    }

    /// Fits the weights. Calls `report` after every round with its number and the mean loss on the validation
    /// positions.
    pub fn fit(&self, course: Course, report: &mut dyn FnMut(u32, f32)) -> Fitted {
        let scale = course.scale.unwrap_or_else(|| self.scale());
        let target = |position: usize| {
            let (result, score) = self.told[position];
            course.result * result + (1.0 - course.result) * logistic(score / scale)
        };
        if let Some(shape) = self.net {
            return self.fit_net(shape, course, scale, &target, report);
        }
        let mut weights = vec![0.0_f32; self.count];
        let mut seen = vec![0.0_f32; self.count];
        let mut order = self.learned_from();
        let mut losses = Vec::new();
        for round in 0..course.rounds {
            shuffle(&mut order, mix(course.seed ^ mix(u64::from(round))));
            let step = course.step * (1.0 - round as f32 / course.rounds as f32).max(0.05);
            for position in &order {
                let position = *position as usize;
                let error = logistic(self.sum(position, &weights)) - target(position);
                for (feature, times) in self.features_of(position) {
                    let feature = usize::from(*feature);
                    let slope = error * f32::from(*times) + course.pull * weights[feature];
                    seen[feature] += slope * slope;
                    weights[feature] -= step * slope / (seen[feature].sqrt() + CAUTION);
                }
            }
            let loss = self.loss(&target, |position| self.sum(position, &weights));
            report(round + 1, loss);
            losses.push(loss);
        }
        let parts = Weights::PARTS as f32 * scale;
        let rounded = weights.iter().map(|weight| {
            let weight = weight.clamp(-LARGEST, LARGEST) * parts;
            // A conversion from a float saturates.
            weight.round() as i16
        });
        Fitted {
            weights: Weights::new(rounded.collect()),
            scale,
            losses,
        }
    }

    /// Fits the weights and a network of this shape together.
    fn fit_net(
        &self,
        shape: Shape,
        course: Course,
        scale: f32,
        target: &impl Fn(usize) -> f32,
        report: &mut dyn FnMut(u32, f32),
    ) -> Fitted {
        let mut learner = Learner::new(self.count, shape, course.seed);
        let mut order = self.learned_from();
        let mut losses = Vec::new();
        for round in 0..course.rounds {
            shuffle(&mut order, mix(course.seed ^ mix(u64::from(round))));
            let all = order.len() as f32;
            let share = |done: usize| (round as f32 + done as f32 / all) / course.rounds as f32;
            learner.round(&order, share, course.pull, |position| {
                (self.features_of(position), target(position))
            });
            let loss = self.loss(target, |position| learner.sum(self.features_of(position)));
            report(round + 1, loss);
            losses.push(loss);
        }
        Fitted {
            weights: learner.weights(Weights::PARTS as f32 * scale),
            scale,
            losses,
        }
    }

    fn learned_from(&self) -> Vec<u32> {
        (0..self.positions() as u32)
            .filter(|position| !self.is_kept_back[*position as usize])
            .collect()
    }

    fn features_of(&self, position: usize) -> &[(u16, i16)] {
        &self.features[self.ends[position]..self.ends[position + 1]]
    }

    fn sum(&self, position: usize, weights: &[f32]) -> f32 {
        let features = self.features_of(position).iter();
        features
            .map(|(feature, times)| weights[usize::from(*feature)] * f32::from(*times))
            .sum()
    }

    /// The mean loss on the validation positions.
    fn loss(&self, target: &impl Fn(usize) -> f32, sum: impl Fn(usize) -> f32) -> f32 {
        let kept = (0..self.positions()).filter(|position| self.is_kept_back[*position]);
        mean(kept.map(|position| cross_entropy(target(position), sum(position))))
    }

    /// The hundredths of a logit with which the scores of the searches predict the results best.
    fn scale(&self) -> f32 {
        let loss = |scale: f32| {
            let told = self.told.iter();
            mean(told.map(|(result, score)| cross_entropy(*result, score / scale)))
        };
        // The loss has a single minimum; the interval is narrowed to it.
        let (mut low, mut high) = (10.0_f32, 10_000.0_f32);
        while high / low > 1.01 {
            let third = (high / low).powf(1.0 / 3.0);
            if loss(low * third) < loss(high / third) {
                high /= third;
            } else {
                low *= third;
            }
        }
        (low * high).sqrt()
    }
}

fn shuffle(order: &mut [u32], seed: u64) {
    let mut dice = seed;
    for i in (1..order.len()).rev() {
        dice = mix(dice);
        order.swap(i, (dice % (i as u64 + 1)) as usize);
    }
}
