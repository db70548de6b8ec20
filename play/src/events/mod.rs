//! Events: arenas, Swiss and round-robin tournaments, knockouts, simuls and series.
//!
//! An event is a journal and a state machine without I/O, as a match is (`docs/decisions/0033-events.md`). A reader of the journal has the
//! state ([`Event::apply`]); every change is a decision on that state ([`Event::decide`]), whose entries are appended if the journal still
//! ends where the state does. Standings are computed from the state and never stored.

mod apply;
mod arena;
mod bounds;
mod chance;
mod decide;
mod entry;
mod fill_ins;
mod knockout;
mod player_state;
mod round_robin;
mod series;
mod simul;
mod standing;
mod standings;
mod state;
mod swiss;
mod terms;
mod tie_breaks;

#[cfg(test)]
mod tests;

pub use self::bounds::{FEWEST_PLAYERS, MOST_BYES, MOST_CHANGES, MOST_GAMES};
pub use self::chance::Chance;
pub use self::decide::{Input, Refusal};
pub use self::entry::{Bye, Entry, PairedGame, Points, Seat};
pub use self::fill_ins::MOST_FILL_INS;
pub use self::simul::HOST;
pub use self::standing::{Standing, TieBreak};
pub use self::state::{Entrant, Event, Game, GameOutcome};
pub use self::terms::{BERSERK_BASE_MS, BadTerms, Format, Start, Terms, most_players};
