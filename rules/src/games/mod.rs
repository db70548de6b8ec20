//! One module a game. No game uses the module of another game, but for the draughts family, which has its board and its generator in one.

pub mod bao;
pub mod checkers;
pub mod congkak;
pub mod draughts;
pub mod form;
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
