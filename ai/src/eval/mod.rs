//! The static evaluation of positions: one file a game.

mod bao;
mod checkers;
mod congkak;
mod draughts;
mod evaluate;
mod hidden;
mod kalah;
mod learned;
mod mawe;
mod net;
mod oware;
mod pallanguzhi;
mod reversi;
mod sowing;

pub use evaluate::{Evaluate, MAX_EVALUATION, Quietness, Truth};
pub use hidden::HIDDEN;
pub use learned::{Learn, Learned};
pub use net::{PARTS as PARTS_OF_NET, Shape};
