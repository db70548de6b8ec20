//! Pictures of positions, for the cards that other programs show beside a link: an SVG text, drawn from a position of `mawe_rules`, and
//! its PNG.
//!
//! A picture has shapes only, no letters, so neither fonts nor languages matter.

mod canvas;
mod colours;
mod games;
mod kept;
mod last_move;
mod render;
mod samples;

pub(crate) use canvas::{Drawing, HEIGHT, WIDTH};
pub(crate) use games::drawing;
pub use kept::Pictures;
pub(crate) use kept::Refused;
pub(crate) use last_move::LastMove;
pub(crate) use samples::sample;
