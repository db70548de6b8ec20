//! One module a game. A game knows of no other game.

pub mod mawe;
