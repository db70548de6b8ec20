//! The commands, a module for each.

pub(crate) mod book;
mod databases;
pub(crate) mod decided;
pub(crate) mod endgames;
pub(crate) mod failure;
pub(crate) mod features;
pub(crate) mod ffo;
pub(crate) mod intents;
pub(crate) mod ladder;
pub(crate) mod learn;
pub(crate) mod mawe_boards;
pub(crate) mod openings;
pub(crate) mod reversi_train;
pub(crate) mod rival;
