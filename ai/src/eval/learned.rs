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
    /// Knowing these weights.
    pub(crate) fn of(weights: Weights) -> Self {
        Self {
            weights: Some(weights),
            net: None,
            endgame: Arc::default(),
        }
    }

    /// Knowing these weights, those of a network behind those of the features.
    pub(crate) fn with_net<P: Learn>(weights: Weights) -> Self {
        let net = P::NET.map(|shape| Net::of(&weights, P::FEATURES, shape));
        Self {
            net,
            ..Self::of(weights)
        }
    }

    /// The weights and the network, where there are.
    #[inline(always)]
    pub(crate) fn learned(&self) -> Option<(&Weights, &Net)> {
        Some((self.weights.as_ref()?, self.net.as_ref()?))
    }

    /// The sum of the weights of a position's features, in hundredths; `None` where nothing was learned.
    #[inline(always)]
    pub(crate) fn judge<P: Learn>(&self, pos: &P) -> Option<i32> {
        let weights = self.weights.as_ref()?;
        let mut sum = 0;
        pos.features(|feature, times| sum += i32::from(weights[feature]) * times);
        Some(sum / Weights::PARTS)
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

    /// Tells the features that the position has, as its side to move sees it: the number of each, below
    /// [`Learn::FEATURES`], and how many times it is there.
    fn features(&self, found: impl FnMut(usize, i32));

    /// What is known with these weights and nothing else.
    fn knowing(weights: Weights) -> Self::Known;
}
