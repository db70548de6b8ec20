//! Learning an evaluation: games of the engine against itself, and the weights that foretell their results best.
//!
//! [`play`] makes games, each of which is a line of text; [`Lesson`] reads such lines and fits the weights.
//! The method is logistic regression on positions of the games, as A. Reisz and P. Österlund described it for
//! chess ("Texel's tuning method"): the sum of the weights, put through a logistic function, is to be the
//! share of the point that is won. `ai/examples/learn.rs` is the command.

mod fit;
mod games;
mod net;

pub use fit::{Course, Fitted, Lesson};
pub use games::{PlayOptions, play};
