//! Events: arenas, Swiss and round-robin tournaments, knockouts and simuls.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::clubs::codes;
use crate::ids::EventId;

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
    }
}
