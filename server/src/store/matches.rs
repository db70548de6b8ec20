//! What is remembered of a match, beside its journal, and which matches are asked for.

use mawe_rules::{BySide, GameKind};

use super::{Finish, Player, StoredEntry};
use crate::ids::{MatchId, PlayerId};
use crate::protocol::{MatchOptions, Speed, TimeControl};

/// The number of running matches that one player may have, whoever began them: more cannot be played, only left lying. It is checked by the
/// transaction that inserts a match.
pub const MAX_RUNNING: u32 = 50;

/// A match to create.
#[derive(Debug, Clone, PartialEq)]
pub struct NewMatch {
    /// Its id.
    pub id: MatchId,
    /// The game kind.
    pub game: GameKind,
    /// The setup's text.
    pub setup: String,
    /// Whether ratings change.
    pub rated: bool,
    /// How much time.
    pub time_control: TimeControl,
    /// The speed it belongs to.
    pub speed: Speed,
    /// What the players may do.
    pub options: MatchOptions,
    /// Only who has its id sees it: it is in no list of others.
    pub private: bool,
    /// Who sits where; twice the same player in pass and play.
    pub players: BySide<PlayerId>,
    /// With which ratings they sit down: (rating, deviation).
    pub ratings: BySide<Option<(f64, f64)>>,
    /// The match it is the rematch of.
    pub rematch_of: Option<MatchId>,
    /// As [`due_ms`](super::Append::due_ms) of an append.
    pub due_ms: Option<i64>,
    /// When.
    pub created_ms: i64,
}

/// A match without its journal.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchRow {
    /// Its id.
    pub id: MatchId,
    /// The game kind.
    pub game: GameKind,
    /// The setup's text.
    pub setup: String,
    /// Whether ratings change.
    pub rated: bool,
    /// How much time.
    pub time_control: TimeControl,
    /// The speed it belongs to.
    pub speed: Speed,
    /// What the players may do.
    pub options: MatchOptions,
    /// Only who has its id sees it.
    pub private: bool,
    /// Who sits where.
    pub players: BySide<Player>,
    /// With which ratings they sat down: (rating, deviation).
    pub ratings: BySide<Option<(f64, f64)>>,
    /// What the match did to the ratings (after minus before), once it was counted.
    pub rating_changes: BySide<Option<f64>>,
    /// How much of the change the ratings took ([`crate::rating::weight`]); `None` before it was counted, and for a match that was counted
    /// before there were weights, which is whole.
    pub rating_weight: Option<f64>,
    /// Since when it counts for nothing, by a moderator's decision.
    pub voided_ms: Option<i64>,
    /// When it was created.
    pub created_ms: i64,
    /// How it ended; `None` while it runs.
    pub finish: Option<Finish>,
    /// The head of its journal.
    pub head: u64,
    /// Its epoch.
    pub epoch: u64,
}

/// A match taken over, with its journal.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimedMatch {
    /// The match, with the new epoch.
    pub row: MatchRow,
    /// Its journal from seq 1 to `row.head`.
    pub entries: Vec<StoredEntry>,
}

/// Which matches of a player. Every filter holds together with every other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchFilter {
    /// Whose, at either seat.
    pub player: PlayerId,
    /// Who looks: a private match is for those who played it. `None` for an anonymous visitor.
    pub viewer: Option<PlayerId>,
    /// Of this game kind.
    pub game: Option<GameKind>,
    /// Against this player.
    pub opponent: Option<PlayerId>,
    /// Rated, or not.
    pub rated: Option<bool>,
    /// Ended so for the player.
    pub score: Option<Score>,
    /// At this speed.
    pub speed: Option<Speed>,
    /// Created at this time or later.
    pub since_ms: Option<i64>,
    /// Created before this time.
    pub until_ms: Option<i64>,
    /// Only what is over.
    pub finished: bool,
}

impl MatchFilter {
    /// All matches of a player, as they see them themselves.
    #[must_use]
    pub fn of(player: PlayerId) -> MatchFilter {
        MatchFilter {
            viewer: Some(player.clone()),
            player,
            game: None,
            opponent: None,
            rated: None,
            score: None,
            speed: None,
            since_ms: None,
            until_ms: None,
            finished: false,
        }
    }
}

/// How a match ended for a player. Who played both sides has none, and a match called off has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// Won.
    Won,
    /// Drawn.
    Drawn,
    /// Lost.
    Lost,
}

/// Where a page of matches begins: after the match with these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchCursor {
    /// `created_ms` of the last match of the page before.
    pub created_ms: i64,
    /// Its id.
    pub id: MatchId,
}
