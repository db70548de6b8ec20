//! Pictures of positions, for the cards that other programs show beside a link: an SVG text, drawn from a position of `mawe_rules`, and
//! its PNG. A whole match is a GIF.
//!
//! A picture has shapes only, no letters, so neither fonts nor languages matter.

mod animation;
mod canvas;
mod colours;
mod games;
mod kept;
mod last_move;
mod render;
mod samples;

pub(crate) use animation::{FRAMES_PER_PICTURE, Scene, gif, key, shown};
pub(crate) use canvas::{Drawing, HEIGHT, WIDTH};
pub(crate) use games::{board, drawing, shape};
pub use kept::Pictures;
pub(crate) use kept::Refused;
pub(crate) use last_move::LastMove;
pub(crate) use render::png;
pub(crate) use samples::sample;
