//! Learning of evaluations: games of the engine against itself, and the weights that predict their results best.
//!
//! [`play`] makes games, each a line of text; [`Lesson`] reads such lines and fits the weights. The method is
//! logistic regression on positions of the games, as A. Reisz and P. Österlund described it for chess ("Texel's
//! tuning method"): the logistic function of the sum of the weights predicts the expected share of the point.
//! `lab learn` is the command.

mod fit;
mod games;
mod loss;
mod net;

pub use fit::{Course, Fitted, Lesson};
pub use games::{PlayOptions, play};
