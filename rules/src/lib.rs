//! The rules of the games of a Mawe! server: positions, legal moves, outcomes and notation.
//!
//! The crate does no I/O, reads no clock, draws no random number and panics on no input. Each game
//! is one module under [`games`] that implements [`Position`]. Hot code (perft, search) is generic
//! over that trait; storage and the wire use [`AnyPosition`], [`Record`] and text.
//!
//! The rule book is `RULES.md`; its conformance vectors are this crate's tests.
//!
//! ```
//! use mawe_rules::{AnySetup, GameKind, PlayError, Record};
//!
//! let mut record = Record::new(GameKind::Mawe, &AnySetup::standard(GameKind::Mawe))?;
//! record.play("a1c3").expect("a legal slide");
//! assert_eq!(record.play("a1b2"), Err(PlayError::EmptySquare));
//! assert_eq!(record.ply(), 1);
//! # Ok::<(), mawe_rules::SetupError>(())
//! ```

pub mod games;
pub mod notation;
pub mod perft;

pub mod clock;

mod any;
mod endgame_clocks;
mod error;
mod kind;
mod position;
mod record;
#[cfg(feature = "schema")]
mod schema;
#[cfg(feature = "serde")]
mod serde_text;
mod setup;
mod square;
mod vocab;
mod zobrist;

pub use any::{AnyMove, AnyPosition, AnySetup};
pub use endgame_clocks::EndgameClocks;
pub use error::{MoveParseError, PlayError, PositionError, PositionFault, SetupError, UnknownWord};
pub use kind::{Family, GameKind};
pub use position::Position;
pub use record::{OCCURRENCES_TO_END, PlayedRound, Record};
pub use setup::NoOptions;
pub use square::Square;
pub use vocab::{BySide, Outcome, Reason, Side};
