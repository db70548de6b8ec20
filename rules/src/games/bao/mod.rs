//! Bao la Kiswahili and Bao la kujifunza, RULES-bao.md.
//!
//! Each side sows in a ring of its own two rows and captures from the opponent's front row. As long
//! as a side has seeds in its store, each ply brings one of them onto the board (*namua*); after
//! that a ply starts from the seeds of a pit (*mtaji*). [`Side::First`](crate::Side::First) is
//! South.

mod board;
mod explain;
mod game;
mod legal;
mod moves;
mod opening;
mod ply;
mod position;
mod ring;
mod setup;
mod step;
mod text;

pub use board::Stage;
pub use moves::{BaoMove, Letter};
pub use ply::MAX_SOWN;
pub use position::BaoPosition;
pub use ring::{Direction, PITS, Pit};
pub use setup::{BaoSetup, Form};
pub use step::{BaoStep, Owner, PlyEnd, PlyKind, Source};
