//! Endgame databases: exact values of all positions with few pieces or seeds.
//!
//! A database is made slice by slice, each from earlier ones. A slice has one byte a position, from
//! the view of the side to move. Nothing here reads or writes a file: [`header`] and [`decode`]
//! convert slices to file contents and back, and `mawe solve` makes the files.
//!
//! Each database documents the meaning of its values: [`KalahDatabase`], [`OwareDatabase`],
//! [`PiecesDatabase`].

mod chunks;
mod database;
pub(crate) mod exact;
mod file;
mod kalah;
mod oware;
mod pieces;
mod seeds;
mod slice;

pub use database::{Counts, Database, Progress};
pub use file::{BadFile, HEADER_BYTES, decode, header};
pub use kalah::KalahDatabase;
pub use oware::{OwareDatabase, OwareValue};
pub use pieces::{
    CheckersDatabase, DraughtsDatabase, Effect, MenAndKings, PiecesDatabase, PiecesValue,
};
pub use slice::Slice;
