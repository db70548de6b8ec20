//! The lobby: pools and seeks, where players find opponents.
//!
//! [`mawe_play::pairing`] decides the pairs; this module connects it to sockets, the store and the clock. Pools live in memory only: after a
//! restart they are empty, and pages ask again over their new sockets. Seeks are rows of the store.
//!
//! Players who are being seated, by any route, are first set aside in the pools ([`Lobby::seat`]), and released if no match is made. So
//! no player is seated twice at once, and nobody loses a place when the store fails.

pub mod address_groups;
mod board;
mod club_matches;
mod elsewhere;
pub mod event_standings;
pub mod event_states;
pub mod event_watch;
pub mod events;
mod pools;
mod run;
mod seating;

pub use self::pools::*;
pub use self::seating::Seating;
