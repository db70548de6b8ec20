//! Portable Draughts Notation of American checkers and of the draughts family.
//!
//! Sources: A. Millett's proposal "Portable Draughts Notation: a PGN format for checkers" (1995) and M.
//! Cash's draft "PDN 2.0" (2003), in the usage of American programs; tags, comments, NAGs and
//! variations as in the PGN standard (S. J. Edwards, 1994). In American checkers the first number of a result is that of the
//! side that begins, so `1-0` is a win of Black (PDN 2.0, sections 6.1.1.1.1.5 and 6.1.1.2.6); in the other games it is White's.
//! The games of the family differ in the tags `GameType` and `Variant` and in the names of squares (RULES-draughts.md section 7.5).
//!
//! Comments, annotations and variations are skipped. A game must follow the rule books, where draws are
//! automatic: moves after a third occurrence, or after too many quiet plies, are refused.

mod dialect;
mod game;
mod read;
mod write;

pub use dialect::Dialect;
pub use game::{Game, GameResult};
pub use read::{Games, games};
pub use write::write;
