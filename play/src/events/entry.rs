//! The entries of an event's journal. Every change of an event is an entry, and nothing else changes it.

use mawe_rules::Side;
use mawe_wire::TimeControl;
use mawe_wire::events::{EventCancelled, EventGameResult, EventGameSkipped};
use mawe_wire::ids::PlayerId;
use serde::{Deserialize, Serialize};

use crate::Damaged;

/// The number of an entrant in the order of joining, from 0; it stays the same for the life of the event.
pub type Seat = u32;

/// Points of an event, in halves: a draw of a Swiss is one half, a win of an arena four.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Points(u32);

impl Points {
    /// No points.
    pub const ZERO: Points = Points(0);
    /// Half a point.
    pub const HALF: Points = Points(1);
    /// One point.
    pub const ONE: Points = Points(2);

    /// Makes points of a number of halves.
    #[must_use]
    pub const fn from_halves(halves: u32) -> Points {
        Points(halves)
    }

    /// The number of halves.
    #[must_use]
    pub const fn halves(self) -> u32 {
        self.0
    }

    /// The points as a number, for people.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 2.0
    }
}

/// An entry of the journal of an event. The time at which it was accepted stands beside it in the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Entry {
    /// A player has joined, and gets the next seat.
    Joined {
        /// The player.
        player: PlayerId,
        /// The rating at that time, in the game and at the speed of the event.
        rating: f64,
        /// Whether it is a computer player that fills in.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        bot: bool,
        /// The group, where the creator keeps players of one address apart: an opaque number, the same for all of them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        group: Option<u32>,
    },
    /// A player who had withdrawn is back.
    Rejoined {
        /// The player's seat.
        seat: Seat,
    },
    /// A player has withdrawn.
    Withdrawn {
        /// The player's seat.
        seat: Seat,
    },
    /// A player pauses, or is paused after not coming to a game.
    Paused {
        /// The player's seat.
        seat: Seat,
    },
    /// The pause is over.
    Resumed {
        /// The player's seat.
        seat: Seat,
    },
    /// A player of a Swiss has asked for a bye of half a point.
    ByeAsked {
        /// The player's seat.
        seat: Seat,
        /// The round.
        round: u32,
    },
    /// The event has begun.
    Began {
        /// The order of the draw: the seats by the numbers of the Berger table in a round robin, the strongest first in a knockout
        /// and a series; empty where no order matters.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        order: Vec<Seat>,
        /// The side of the strongest player in the first round of a Swiss or the first game of a series, drawn by chance.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        top: Option<Side>,
    },
    /// The event is cancelled.
    Cancelled {
        /// The reason.
        reason: EventCancelled,
    },
    /// Games are to be seated.
    Paired {
        /// The round, from 1. An arena counts its pairings. The games of the mini-matches of a knockout's round are paired one after
        /// another with the same round.
        round: u32,
        /// The games.
        games: Vec<PairedGame>,
        /// The players who get points without a game.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        byes: Vec<Bye>,
    },
    /// A player halves the own clock for one more point.
    Berserk {
        /// The game's number.
        game: u32,
        /// The player's side.
        side: Side,
    },
    /// A game has ended.
    Ended {
        /// The game's number.
        game: u32,
        /// The result.
        result: EventGameResult,
        /// Whether the loser had not come, so that the game was not played.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        forfeit: bool,
    },
    /// A game is not played.
    Skipped {
        /// The game's number.
        game: u32,
        /// The reason.
        reason: EventGameSkipped,
        /// The side of the player with whom the reason lies; `None` if it is neither or both.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<Side>,
    },
    /// The result of a game has changed after its end: a moderator has judged it, or made the match void.
    Corrected {
        /// The game's number.
        game: u32,
        /// The new result.
        result: EventGameResult,
    },
    /// The time of an arena is over: nothing is paired any more, and the games that are played count.
    Closed,
    /// The event is over; the standings are final.
    Finished,
}

/// A game that is to be seated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairedGame {
    /// The number of the game in the event, from 1 without gaps.
    pub number: u32,
    /// The player of the first side.
    pub first: Seat,
    /// The player of the second side.
    pub second: Seat,
    /// The time control, where it differs from the terms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_control: Option<TimeControl>,
}

/// Points without a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bye {
    /// The player's seat.
    pub seat: Seat,
    /// The points.
    pub points: Points,
}

impl Entry {
    /// Reads an entry from the journal.
    ///
    /// # Errors
    /// [`Damaged`] if this program could not have written the text.
    pub fn read(text: &str) -> Result<Entry, Damaged> {
        serde_json::from_str(text).map_err(|error| Damaged {
            what: "event entry",
            detail: error.to_string(),
        })
    }

    /// Writes the entry for the journal.
    #[must_use]
    #[expect(
        clippy::missing_panics_doc,
        reason = "the types have no map with keys that are not text"
    )]
    pub fn write(&self) -> String {
        serde_json::to_string(self).expect("an entry is JSON")
    }

    /// The kind, for people who read the table.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Entry::Joined { .. } => "joined",
            Entry::Rejoined { .. } => "rejoined",
            Entry::Withdrawn { .. } => "withdrawn",
            Entry::Paused { .. } => "paused",
            Entry::Resumed { .. } => "resumed",
            Entry::ByeAsked { .. } => "bye-asked",
            Entry::Began { .. } => "began",
            Entry::Cancelled { .. } => "cancelled",
            Entry::Paired { .. } => "paired",
            Entry::Berserk { .. } => "berserk",
            Entry::Ended { .. } => "ended",
            Entry::Skipped { .. } => "skipped",
            Entry::Corrected { .. } => "corrected",
            Entry::Closed => "closed",
            Entry::Finished => "finished",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_written_as_it_is_read() {
        let table = [
            (
                r#"{"kind":"joined","player":"7hG2kQ9xWzB1","rating":1500.5}"#,
                Entry::Joined {
                    player: "7hG2kQ9xWzB1".parse().expect("an id"),
                    rating: 1500.5,
                    bot: false,
                    group: None,
                },
            ),
            (
                r#"{"kind":"paired","round":1,"games":[{"number":1,"first":2,"second":0}],"byes":[{"seat":1,"points":2}]}"#,
                Entry::Paired {
                    round: 1,
                    games: vec![PairedGame {
                        number: 1,
                        first: 2,
                        second: 0,
                        time_control: None,
                    }],
                    byes: vec![Bye {
                        seat: 1,
                        points: Points::ONE,
                    }],
                },
            ),
            (
                r#"{"kind":"ended","game":1,"result":"first"}"#,
                Entry::Ended {
                    game: 1,
                    result: EventGameResult::First,
                    forfeit: false,
                },
            ),
            (
                r#"{"kind":"skipped","game":1,"reason":"busy","side":"second"}"#,
                Entry::Skipped {
                    game: 1,
                    reason: EventGameSkipped::Busy,
                    side: Some(Side::Second),
                },
            ),
            (
                r#"{"kind":"began"}"#,
                Entry::Began {
                    order: Vec::new(),
                    top: None,
                },
            ),
            (r#"{"kind":"finished"}"#, Entry::Finished),
        ];
        for (text, entry) in table {
            assert_eq!(entry.write(), text);
            assert_eq!(Entry::read(text).as_ref(), Ok(&entry));
            assert!(text.contains(&format!(r#""kind":"{}""#, entry.kind())));
        }
        for text in [
            "",
            "{}",
            r#"{"kind":"won"}"#,
            r#"{"kind":"ended","game":-1}"#,
        ] {
            assert!(Entry::read(text).is_err(), "{text}");
        }
    }
}
