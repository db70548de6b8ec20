//! The knowledge of Reversi: a file of weights, unpacked on first use.

use std::sync::OnceLock;

use mawe_rules::GameKind;

use super::board_weights::BoardWeights;
use super::patterns::Patterns;
use crate::weights::{BadWeights, Weights};

/// The weights of the patterns, if there are any.
#[derive(Default)]
pub struct Known {
    weights: Option<Weights>,
    patterns: OnceLock<Option<Patterns>>,
}

impl Known {
    /// One step of a weight in a file, in hundredths of a disc.
    pub const STEP: f32 = 12.0;

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

    /// The file with these weights, in hundredths of a disc; a [`BoardWeights`] knows their places. Each weight
    /// is a byte, two of which make a number of the file.
    pub fn file(weights: &[f32]) -> Vec<u8> {
        let byte = |weight: &f32| (weight / Self::STEP).round().clamp(-127.0, 127.0) as i8;
        let bytes: Vec<i8> = weights.iter().map(byte).collect();
        let word = |pair: &[i8]| {
            let high = pair.get(1).copied().unwrap_or_default();
            i16::from_le_bytes([pair[0] as u8, high as u8])
        };
        Weights::new(bytes.chunks(2).map(word).collect()).write(GameKind::Reversi)
    }

    /// The weights, in hundredths of a disc, in the order of [`Known::file`].
    pub fn weights(&self) -> Option<Vec<f32>> {
        let weights = self.weights.as_ref()?;
        let bytes = (0..words()).flat_map(|word| weights[word].to_le_bytes());
        let weights = bytes.map(|byte| f32::from(byte as i8) * Self::STEP);
        Some(weights.take(BoardWeights::count()).collect())
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
    BoardWeights::count().div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let weight = |place: usize| (place * 7 % 255) as f32 * Known::STEP - 127.0 * Known::STEP;
        let weights: Vec<f32> = (0..BoardWeights::count()).map(weight).collect();
        let known = Known::read(&Known::file(&weights)).expect("a file of weights");
        let read = known.patterns().expect("weights");
        assert!(*read == Patterns::new(&weights));
        assert!(Known::default().patterns().is_none());
    }
}
