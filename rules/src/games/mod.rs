//! One module a game. A game knows of no other game.

pub mod checkers;
pub mod congkak;
pub mod kalah;
pub mod mawe;
pub mod opening;
pub mod oware;
pub mod reversi;
pub mod sowing;
