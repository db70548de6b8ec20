//! One module a game. A game knows of no other game.

pub mod congkak;
pub mod kalah;
pub mod mawe;
pub mod oware;
pub mod sowing;
