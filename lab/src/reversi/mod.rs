//! The training of the weights of Reversi's patterns: games of the engine against itself, their ends solved
//! exactly, and a regression of the results on the patterns of the boards.

mod deviations;
mod fit;
mod play;
mod relabel;
mod samples;

pub use deviations::{Deviation, deviations};
pub use fit::Fit;
pub use play::{Course, play};
pub use relabel::relabel;
pub use samples::{Chunks, Sample};
