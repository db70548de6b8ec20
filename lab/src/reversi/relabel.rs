//! Results with less noise: the mean of the game's result, which depends much on the later moves, and
//! the score of a search.

use mawe_ai::NoMemory;
use mawe_ai::reversi::{BoardSearch, Patterns};

use super::samples::Sample;

/// Replaces the margin of each sample by its mean with the score of a search of `depth` plies.
///
/// # Errors
///
/// [`NoMemory`] if the table cannot be allocated.
pub fn relabel(samples: &mut [Sample], patterns: &Patterns, depth: u32) -> Result<(), NoMemory> {
    let search = BoardSearch::new(Some(patterns))?;
    for sample in samples {
        let worth = search.score(sample.board, depth).expect("it has patterns");
        // The margin is at most 64 either way.
        sample.margin = ((i32::from(sample.margin) * 100 + worth) as f64 / 200.0).round() as i8;
    }
    Ok(())
}
