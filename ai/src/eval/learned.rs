//! Evaluations that are learned: a weight for every feature that a position has.

use std::sync::Arc;

use crate::eval::Evaluate;
use crate::eval::net::{Net, Shape};
use crate::weights::Weights;

/// What the engine knows of a game whose evaluation can be learned. Without weights it judges by hand;
/// `D` is what it has worked out of the end of the game, if it can.
#[derive(Default)]
pub struct Learned<D = ()> {
    weights: Option<Weights>,
    net: Option<Net>,
    pub(crate) endgame: Arc<D>,
}

impl<D: Default> Learned<D> {
    /// Knowing these weights; those of a network lie behind those of the features.
    pub(crate) fn of<P: Learn>(weights: Weights) -> Self {
        Self {
            net: P::NET.map(|shape| Net::of(&weights, P::FEATURES, shape)),
            weights: Some(weights),
            endgame: Arc::default(),
        }
    }

    /// What was learned says of a position, in hundredths: the sum of the weights of its features, and the network beside
    /// it where there is one. `None` where nothing was learned.
    #[inline(always)]
    pub(crate) fn judge<P: Learn>(&self, pos: &P) -> Option<i32> {
        let weights = self.weights.as_ref()?;
        let mut sum = 0;
        let Some(shape) = P::NET else {
            pos.features(|base, here, times| sum += i32::from(weights[base + here]) * times);
            return Some(sum / Weights::PARTS);
        };
        let net = self.net.as_ref()?;
        let mut hidden = net.begin();
        let mut phase_at = 0;
        pos.features(|base, here, times| {
            phase_at = base;
            sum += i32::from(weights[base + here]) * times;
            if here < shape.inputs {
                net.add(&mut hidden, here);
            }
        });
        let value = net.value(&hidden, phase_at / shape.in_phase);
        Some((sum + value) / Weights::PARTS)
    }
}

/// A position whose evaluation can be learned.
pub trait Learn: Evaluate {
    /// How many features there are.
    const FEATURES: usize;
    /// The network that judges beside their sum, if there is one.
    const NET: Option<Shape> = None;
    /// How many weights there are in all.
    const WEIGHTS: usize = match Self::NET {
        Some(shape) => Self::FEATURES + shape.weights(),
        None => Self::FEATURES,
    };

    /// Tells the features that the position has, as its side to move sees it: where those of its phase begin, the number
    /// of each from there, and how many times it is there. The sum of the two is below [`Learn::FEATURES`].
    fn features(&self, found: impl FnMut(usize, usize, i32));

    /// What is known with these weights and nothing else.
    fn knowing(weights: Weights) -> Self::Known;
}
