//! Learned evaluations: a weight for every feature of a position.

use std::sync::Arc;

use super::evaluate::Evaluate;
use super::net::{Net, Shape};
use crate::weights::Weights;

/// The knowledge of a game with a learned evaluation. Without weights it is evaluated by hand; `D` is its endgame
/// database, if it has one.
#[derive(Default)]
pub struct Learned<D = ()> {
    weights: Option<Weights>,
    net: Option<Net>,
    pub(crate) endgame: Arc<D>,
}

impl<D: Default> Learned<D> {
    /// The knowledge of these weights; those of a network follow those of the features.
    pub(crate) fn of<P: Learn>(weights: Weights) -> Self {
        Self {
            net: P::NET.map(|shape| Net::of(&weights, P::FEATURES, shape)),
            weights: Some(weights),
            endgame: Arc::default(),
        }
    }

    /// The learned evaluation of a position, in hundredths: the sum of the weights of its features, and the network if
    /// there is one. `None` without weights.
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
    /// The number of features.
    const FEATURES: usize;
    /// The shape of the network that is added to their sum, if there is one.
    const NET: Option<Shape> = None;
    /// The total number of weights.
    const WEIGHTS: usize = match Self::NET {
        Some(shape) => Self::FEATURES + shape.weights(),
        None => Self::FEATURES,
    };

    /// Calls `found` for each feature of the position, from the view of the side to move: the offset of its phase, the
    /// feature's number in the phase, and its count. The sum of offset and number is below [`Learn::FEATURES`].
    fn features(&self, found: impl FnMut(usize, usize, i32));

    /// The knowledge of these weights and nothing else.
    fn knowing(weights: Weights) -> Self::Known;
}
