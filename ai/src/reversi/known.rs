//! The knowledge of Reversi: a file of weights, unpacked on first use.

use std::sync::OnceLock;

use mawe_rules::GameKind;

use super::patterns::{ANCHORS, LAYOUT, Patterns};
use crate::weights::{BadWeights, Weights};

/// One step of a weight in a file, in hundredths of a disc.
pub(super) const UNIT: f32 = 12.0;

/// The weights of the patterns, if there are any.
#[derive(Default)]
pub struct Known {
    weights: Option<Weights>,
    patterns: OnceLock<Option<Patterns>>,
}

impl Known {
    /// Reads a file that [`Known::file`] made.
    ///
    /// # Errors
    ///
    /// [`BadWeights`], with the fault of the file.
    pub fn read(file: &[u8]) -> Result<Self, BadWeights> {
        Ok(Self {
            weights: Some(Weights::read(file, GameKind::Reversi, words())?),
            patterns: OnceLock::new(),
        })
    }

    /// The file with these weights, in hundredths of a disc: a list for each anchor, with a weight for
    /// each class. Each weight is a byte, two of which make a number of the file.
    pub fn file(weights: &[Vec<f32>]) -> Vec<u8> {
        let byte = |weight: &f32| (weight / UNIT).round().clamp(-127.0, 127.0) as i8;
        let bytes: Vec<i8> = weights.iter().flatten().map(byte).collect();
        let word = |pair: &[i8]| {
            let high = pair.get(1).copied().unwrap_or_default();
            i16::from_le_bytes([pair[0] as u8, high as u8])
        };
        Weights::new(bytes.chunks(2).map(word).collect()).write(GameKind::Reversi)
    }

    /// The weights, in hundredths of a disc: a list for each anchor, with a weight for each class.
    pub fn weights(&self) -> Option<Vec<Vec<f32>>> {
        let weights = self.weights.as_ref()?;
        let bytes = (0..words()).flat_map(|word| weights[word].to_le_bytes());
        let weights: Vec<f32> = bytes.map(|byte| f32::from(byte as i8) * UNIT).collect();
        let anchors = weights.chunks(LAYOUT.classes).take(ANCHORS.len());
        Some(anchors.map(<[f32]>::to_vec).collect())
    }

    /// The patterns with these weights, unpacked on first use.
    pub fn patterns(&self) -> Option<&Patterns> {
        let unpacked = self
            .patterns
            .get_or_init(|| Some(Patterns::new(&self.weights()?)));
        unpacked.as_ref()
    }
}

/// The count of numbers in a file.
fn words() -> usize {
    (LAYOUT.classes * ANCHORS.len()).div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let weights: Vec<Vec<f32>> = (0..ANCHORS.len())
            .map(|anchor| {
                let weight = |class| ((class * 7 + anchor) % 255) as f32 * UNIT - 127.0 * UNIT;
                (0..LAYOUT.classes).map(weight).collect()
            })
            .collect();
        let known = Known::read(&Known::file(&weights)).expect("a file of weights");
        let read = known.patterns().expect("weights");
        assert!(*read == Patterns::new(&weights));
        assert!(Known::default().patterns().is_none());
    }
}
