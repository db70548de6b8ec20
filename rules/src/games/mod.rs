//! One module a game. No game uses another game's module.

pub mod bao;
pub mod checkers;
pub mod congkak;
pub mod draughts;
mod draughts_text;
pub mod kalah;
pub mod mawe;
pub mod opening;
mod opening_setup;
pub mod options;
pub mod oware;
pub mod pallanguzhi;
pub mod reversi;
pub mod rounds;
pub mod sowing;
