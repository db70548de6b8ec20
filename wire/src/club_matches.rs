//! Club matches: a club against another, board by board.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::clubs::codes;

codes! {
    /// A side of a club match.
    ClubSide {
        /// The club that has proposed the match.
        Home "home",
        /// The other club.
        Away "away",
    }
}

impl ClubSide {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> ClubSide {
        match self {
            ClubSide::Home => ClubSide::Away,
            ClubSide::Away => ClubSide::Home,
        }
    }
}

codes! {
    /// The state of a club match.
    ClubMatchState {
        /// The officers of the other club have not answered.
        Proposed "proposed",
        /// Agreed: members sign up until the start.
        Accepted "accepted",
        /// The boards are paired; matches are played.
        Running "running",
        /// All matches have ended; the score is final.
        Finished "finished",
        /// The other club has declined.
        Declined "declined",
        /// The proposal was withdrawn.
        Withdrawn "withdrawn",
        /// Cancelled after it was accepted, by an officer, by the end of a club, or because no board could be paired.
        Cancelled "cancelled",
        /// Nobody has answered the proposal before the start.
        Lapsed "lapsed",
    }
}

codes! {
    /// The state of one game at a board of a club match.
    ClubGameState {
        /// It begins when the game before it at this board has ended.
        Waiting "waiting",
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
    /// The reason for which a game of a club match is not played.
    ClubGameSkipped {
        /// The two players do not play each other: by a block, or by the rules of a class.
        Apart "apart",
        /// A player has the maximum number of running matches.
        Busy "busy",
        /// The account of a player is disabled or deleted.
        Absent "absent",
    }
}

codes! {
    /// A list of the club matches of a club.
    ClubMatchList {
        /// Proposed ones, for officers of the club.
        Proposed "proposed",
        /// Accepted ones, those that begin first at the top.
        Coming "coming",
        /// Running ones, those that began last at the top.
        Running "running",
        /// Finished ones, those that began last at the top.
        Past "past",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clubs::tests::is_written;

    #[test]
    fn the_code_is_the_one_on_the_wire() {
        is_written(ClubSide::ALL, ClubSide::as_str);
        is_written(ClubMatchState::ALL, ClubMatchState::as_str);
        is_written(ClubGameState::ALL, ClubGameState::as_str);
        is_written(ClubGameSkipped::ALL, ClubGameSkipped::as_str);
        is_written(ClubMatchList::ALL, ClubMatchList::as_str);
    }
}
