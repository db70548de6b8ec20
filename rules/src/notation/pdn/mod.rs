//! Portable Draughts Notation of American checkers (game type 21).
//!
//! Sources: A. Millett's proposal "Portable Draughts Notation: a PGN format for checkers" (1995) and M.
//! Cash's draft "PDN 2.0" (2003), in the usage of American programs; tags, comments, NAGs and
//! variations as in the PGN standard (S. J. Edwards, 1994). The first number of a result is that of the
//! side that begins, so `1-0` is a win of Black (PDN 2.0, sections 6.1.1.1.1.5 and 6.1.1.2.6), not of
//! White as in chess.
//!
//! Comments, annotations and variations are skipped. A game must follow RULES.md, where draws are
//! automatic: moves after a third occurrence, or after 80 quiet plies, are refused.

mod game;
mod read;
mod write;

pub use game::{Game, GameResult};
pub use read::{Games, games};
pub use write::write;
