//! Events: arenas, Swiss and round-robin tournaments, knockouts, simuls and series.

use std::fmt;

use mawe_rules::Side;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::clubs::codes;
use crate::ids::EventId;
use crate::players::PlayerRef;

/// An event, where something else names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EventRef {
    /// Its id.
    pub id: EventId,
    /// Its name.
    pub name: String,
}

codes! {
    /// The kind of an event.
    EventKind {
        /// A fixed length of time; players are paired as soon as they are free.
        Arena "arena",
        /// A number of rounds, each among players with similar scores who have not met.
        Swiss "swiss",
        /// Everybody plays everybody else.
        RoundRobin "round-robin",
        /// The loser of a mini-match is eliminated.
        Knockout "knockout",
        /// One host plays all others at the same time.
        Simul "simul",
        /// Two players meet in a number of games with one score.
        Series "series",
    }
}

codes! {
    /// The state of an event.
    EventState {
        /// It has not begun; players join.
        Coming "coming",
        /// It has begun.
        Running "running",
        /// All its games have ended; the standings are final.
        Finished "finished",
        /// It was cancelled, or too few players had joined at its start.
        Cancelled "cancelled",
    }
}

codes! {
    /// The state of a player in an event.
    EventPlayerState {
        /// The player is paired.
        In "in",
        /// The player is not paired for the time being.
        Paused "paused",
        /// The player has withdrawn.
        Withdrawn "withdrawn",
        /// The player has lost a mini-match of a knockout.
        Eliminated "eliminated",
    }
}

codes! {
    /// The state of a game of an event.
    EventGameState {
        /// It is about to begin.
        Ready "ready",
        /// It has begun.
        Playing "playing",
        /// It has ended.
        Ended "ended",
        /// It is not played; `skipped` has the reason.
        Skipped "skipped",
    }
}

codes! {
    /// The result of a game of an event.
    EventGameResult {
        /// The player of the first side has won.
        First "first",
        /// The player of the second side has won.
        Second "second",
        /// A draw.
        Drawn "drawn",
        /// The match was called off, or made void, and counts for nobody.
        CalledOff "called-off",
    }
}

codes! {
    /// The reason for which a game of an event is not played.
    EventGameSkipped {
        /// The two players do not play each other: by a block, or by the rules of a class.
        Apart "apart",
        /// A player has the maximum number of running matches.
        Busy "busy",
        /// The account of a player is disabled or deleted.
        Absent "absent",
        /// A player had withdrawn before the game began.
        Withdrawn "withdrawn",
    }
}

codes! {
    /// The reason for which an event was cancelled.
    EventCancelled {
        /// Too few players had joined at its start.
        TooFewPlayers "too-few-players",
        /// Its creator has cancelled it.
        ByCreator "by-creator",
        /// A moderator has cancelled it.
        ByModerator "by-moderator",
    }
}

codes! {
    /// The interval of a timetable.
    EventInterval {
        /// Each day.
        Daily "daily",
        /// Each week, on chosen days.
        Weekly "weekly",
    }
}

codes! {
    /// A day of the week.
    Weekday {
        /// The first one.
        Monday "monday",
        /// The second one.
        Tuesday "tuesday",
        /// The third one.
        Wednesday "wednesday",
        /// The fourth one.
        Thursday "thursday",
        /// The fifth one.
        Friday "friday",
        /// The sixth one.
        Saturday "saturday",
        /// The last one.
        Sunday "sunday",
    }
}

/// A page of the standings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventStandingPage {
    /// The rows, the first place first.
    pub items: Vec<EventStandingView>,
    /// The names of the tie-breaks, in the order in which they count: `buchholz`, `sonneborn-berger`, `direct-encounter` and others.
    pub tie_break_names: Vec<String>,
    /// The number of the last entry of the journal at which these standings were computed.
    pub seq: u64,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    pub next: Option<String>,
}

/// A row of the standings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventStandingView {
    /// The place; players without a difference share one.
    pub place: u32,
    /// The player.
    pub player: PlayerRef,
    /// The rating at joining, rounded.
    pub rating: i32,
    /// The points; halves are possible.
    pub points: f64,
    /// The values of the tie-breaks.
    pub tie_breaks: Vec<f64>,
    /// The state of the player.
    pub state: EventPlayerState,
    /// Matches that the player has played.
    pub played: u32,
    /// Matches that the player has won.
    pub won: u32,
    /// Whether the next win of an arena counts double.
    pub fire: bool,
    /// The games, the latest 30, in the order of the rounds.
    pub games: Vec<EventStandingGame>,
}

/// A game in a row of the standings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventStandingGame {
    /// The number of the game in the event.
    pub number: u32,
    /// The round.
    pub round: u32,
    /// The place of the opponent; null for one without a place.
    #[schema(required = true)]
    pub opponent: Option<u32>,
    /// The side of the player.
    pub side: Side,
    /// The result for the player; null before the end.
    #[schema(required = true)]
    pub result: Option<EventOutcome>,
}

/// The result of a game for a player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EventOutcome {
    /// The player has won.
    Won,
    /// It is drawn.
    Drawn,
    /// The opponent has won.
    Lost,
    /// The match was called off or made void, or is not played, and counts for nobody.
    CalledOff,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clubs::tests::is_written;

    #[test]
    fn the_code_is_the_one_on_the_wire() {
        is_written(EventKind::ALL, EventKind::as_str);
        is_written(EventState::ALL, EventState::as_str);
        is_written(EventPlayerState::ALL, EventPlayerState::as_str);
        is_written(EventGameState::ALL, EventGameState::as_str);
        is_written(EventGameResult::ALL, EventGameResult::as_str);
        is_written(EventGameSkipped::ALL, EventGameSkipped::as_str);
        is_written(EventCancelled::ALL, EventCancelled::as_str);
        is_written(EventInterval::ALL, EventInterval::as_str);
        is_written(Weekday::ALL, Weekday::as_str);
    }
}
