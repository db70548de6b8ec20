//! The rows of standings, and the names of the tie-breaks.

use super::entry::{Points, Seat};

/// A row of the standings.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The place, from 1. Players whom no tie-break tells apart share a place.
    pub place: u32,
    /// The player's seat.
    pub seat: Seat,
    /// The points.
    pub points: Points,
    /// The values of [`Event::tie_breaks`](super::Event::tie_breaks), in that order.
    pub tie_breaks: Vec<f64>,
    /// Whether the next win of an arena counts double.
    pub on_fire: bool,
    /// The number of games with a result that counts.
    pub played: u32,
    /// The number of games won over the board.
    pub won: u32,
}

/// A rule that tells players with equal points apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TieBreak {
    /// The mean rating of the opponents, 500 more for a win and 500 less for a loss.
    Performance,
    /// The sum of the opponents' points.
    Buchholz,
    /// The points of the beaten opponents and half of the points of the opponents with a drawn game.
    SonnebornBerger,
    /// The points from the games among the players who are equal so far.
    DirectEncounter,
    /// The number of games won.
    Wins,
    /// The last round of a knockout that the player reached, one more for its winner.
    Round,
}

impl TieBreak {
    /// The code on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            TieBreak::Performance => "performance",
            TieBreak::Buchholz => "buchholz",
            TieBreak::SonnebornBerger => "sonneborn-berger",
            TieBreak::DirectEncounter => "direct-encounter",
            TieBreak::Wins => "wins",
            TieBreak::Round => "round",
        }
    }
}
