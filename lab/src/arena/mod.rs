//! Matches between players, to measure which is the stronger and by how much.
//!
//! Games come in pairs: both begin with the same few random plies, and the players exchange sides. The seed determines every game, unless a
//! player is limited by time or has several threads.

mod games;
mod mcts;
mod openings;
mod player;
mod spec;
mod standings;
mod tally;
mod tournament;

pub use games::{End, Game, play_both, play_pair};
pub use openings::{Openings, opening_of, setup_of, start_of};
pub use player::Player;
pub use spec::{BadSpec, Spec, TimeControl};
pub use standings::{Standing, Standings};
pub use tally::{Elo, Pair, Tally, Verdict};
pub use tournament::{Encounter, Tournament};
