//! Matches without their journals, and filters for lists of matches.

use async_trait::async_trait;
use mawe_play::Damaged;
use mawe_play::pairing::penalty::Abandonments;
use mawe_play::room::due::NEVER_DUE;
use mawe_play::room::entry::{Entry, StoredEntry};
use mawe_play::room::io::{Finish, MatchSetup};
use mawe_play::room::state::RoomState;
use mawe_rules::{BySide, GameKind};
use mawe_wire::ids::{MatchId, PlayerId};
use mawe_wire::{MatchOptions, Speed, TimeControl};

use super::players::Player;
use crate::StoreError;

/// Matches without their journals.
#[async_trait]
pub trait Matches: Send + Sync {
    /// Creates a match with an empty journal (head 0, epoch 0).
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the match is a rematch of a match that has a rematch already; [`StoreError::TooManyMatches`] when one
    /// of its players, other than a computer opponent, has [`MAX_RUNNING`] running matches; [`StoreError::Blocked`] when one of its players
    /// has blocked the other. Every method that creates a match can return the second and the third.
    async fn create_match(&self, new: &NewMatch) -> Result<(), StoreError>;

    /// Returns a match without its journal.
    async fn find_match(&self, id: &MatchId) -> Result<Option<MatchRow>, StoreError>;

    /// Returns the rematch of a match.
    async fn find_rematch(&self, of: &MatchId) -> Result<Option<MatchId>, StoreError>;

    /// Returns the ids of all running realtime matches, oldest first. A starting server opens their rooms.
    async fn live_match_ids(&self) -> Result<Vec<MatchId>, StoreError>;

    /// Returns running matches that are due at `now_ms` ([`Append::due_ms`](crate::Append::due_ms)), the earliest due first; realtime matches are never due.
    async fn due_match_ids(&self, now_ms: i64, limit: u32) -> Result<Vec<MatchId>, StoreError>;

    /// Returns running public matches for a lobby, the strongest first (by the sum of the ratings at the seats, where a missing rating
    /// counts as 0), then the newest. A match without clocks against a computer opponent is left out when it had no entry in the ten
    /// minutes before `now_ms`.
    async fn running_matches(
        &self,
        game: Option<GameKind>,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError>;

    /// Returns running public realtime matches of one game in the same order, without those of one player at both seats.
    async fn strongest_live_matches(
        &self,
        game: GameKind,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError>;

    /// Counts the running realtime matches.
    async fn count_live_matches(&self) -> Result<u32, StoreError>;

    /// Returns the number of running matches of every kind.
    async fn count_running_matches(&self) -> Result<u32, StoreError>;

    /// Returns public matches between two players that finished at `since_ms` or later, the last finished first, without those that were
    /// called off.
    async fn latest_results(&self, since_ms: i64, limit: u32) -> Result<Vec<MatchRow>, StoreError>;

    /// Counts the running matches of a player who is no computer opponent.
    async fn running_counts(
        &self,
        player: &PlayerId,
        now_ms: i64,
    ) -> Result<RunningCounts, StoreError>;

    /// Returns a page of the running matches of a player, newest first (by `created_at`, then id), after `after` if given.
    async fn running_matches_of(
        &self,
        player: &PlayerId,
        after: Option<&MatchCursor>,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError>;

    /// Returns a page of a player's matches, newest first (by `created_at`, then id), after `cursor` if given.
    async fn matches_of(
        &self,
        filter: &MatchFilter,
        cursor: Option<&MatchCursor>,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError>;

    /// Returns a page of finished matches by id, after `after` if given.
    async fn finished_matches(
        &self,
        after: Option<&MatchId>,
        limit: u32,
    ) -> Result<Vec<MatchRow>, StoreError>;

    /// Returns the number of finished matches. It reads all of them: for a command, not for a request.
    async fn count_finished_matches(&self) -> Result<u64, StoreError>;

    /// Counts a player's abandonments of realtime matches against people since `since_ms`: matches lost by leaving (`abandoned`), rated
    /// matches left before they counted (`left-early`), and first moves never made (`no-show`). Also counts the matches that the player has
    /// called off or not begun since `call_offs_since_ms`, which must not be earlier than `since_ms`.
    async fn abandonments(
        &self,
        player: &PlayerId,
        since_ms: i64,
        call_offs_since_ms: i64,
    ) -> Result<Abandonments, StoreError>;
}

/// The number of running matches that one player may have, including those begun by others: nobody can play more at a time. Not counted are
/// matches without clocks that nobody has moved in for 14 days, and those against computer opponents ([`MAX_UNTIMED`]). The transaction that
/// inserts a match checks it.
pub const MAX_RUNNING: u32 = 50;

/// The number of running matches without clocks against computer opponents that one player may have. Each is called off 14 days after its
/// last entry.
pub const MAX_UNTIMED: u32 = 200;

/// The numbers of a player's running matches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunningCounts {
    /// Those that count against [`MAX_RUNNING`].
    pub counted: u32,
    /// Those that count against [`MAX_UNTIMED`].
    pub untimed_against_bots: u32,
}

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
    /// The time control.
    pub time_control: TimeControl,
    /// The speed of the time control.
    pub speed: Speed,
    /// The time on each clock at the start beyond the base time, in milliseconds.
    pub extra_ms: BySide<u64>,
    /// The options of the match.
    pub options: MatchOptions,
    /// Whether only clients with its id can see it: it is in no list of other players.
    pub private: bool,
    /// The player at each seat; the same player twice in pass and play.
    pub players: BySide<PlayerId>,
    /// The players' ratings at the start: (rating, deviation).
    pub ratings: BySide<Option<(f64, f64)>>,
    /// The match of which this is the rematch.
    pub rematch_of: Option<MatchId>,
    /// Like [`due_ms`](super::Append::due_ms) of an append.
    pub due_ms: Option<i64>,
    /// The time of creation.
    pub created_ms: i64,
}

impl NewMatch {
    /// Whether the match counts against [`MAX_UNTIMED`]. Only a match against a bot has a time at which it is due without clocks.
    #[must_use]
    pub fn is_untimed_against_bot(&self) -> bool {
        let is_due = self.due_ms.is_some_and(|due_ms| due_ms != NEVER_DUE);
        is_due && self.time_control == TimeControl::Unlimited
    }
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
    /// The time control.
    pub time_control: TimeControl,
    /// The speed of the time control.
    pub speed: Speed,
    /// The time on each clock at the start beyond the base time, in milliseconds.
    pub extra_ms: BySide<u64>,
    /// The options of the match.
    pub options: MatchOptions,
    /// Whether only clients with its id can see it.
    pub private: bool,
    /// The player at each seat.
    pub players: BySide<Player>,
    /// The players' ratings at the start: (rating, deviation).
    pub ratings: BySide<Option<(f64, f64)>>,
    /// The change of each rating (after minus before), once the match is counted.
    pub rating_changes: BySide<Option<f64>>,
    /// The share of the change that was applied to the ratings ([`mawe_play::rating::weight`]). `None` before the match is counted, and for
    /// matches that were counted before weights existed, which have the full weight.
    pub rating_weight: Option<f64>,
    /// The time at which a moderator made the match void.
    pub voided_ms: Option<i64>,
    /// The time of creation.
    pub created_ms: i64,
    /// The result; `None` while the match runs.
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

impl ClaimedMatch {
    /// Returns the state of the match, from its row and journal.
    ///
    /// # Errors
    /// [`Damaged`].
    pub fn rebuild(&self) -> Result<RoomState, Damaged> {
        let row = &self.row;
        let setup = MatchSetup {
            id: row.id.clone(),
            game: row.game,
            setup: row.setup.clone(),
            rated: row.rated,
            time_control: row.time_control,
            extra_ms: row.extra_ms,
            options: row.options,
            one_player: row.players.first.id == row.players.second.id,
            created_ms: row.created_ms,
            bots: BySide::new(row.players.first.level, row.players.second.level),
        };
        let entries = self.entries.iter().map(Entry::from_stored);
        let entries = entries.collect::<Result<Vec<_>, _>>()?;
        RoomState::replay(setup, row.epoch, entries)
    }
}

/// A filter for the matches of a player. All conditions must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchFilter {
    /// The player, at either seat.
    pub player: PlayerId,
    /// The viewer, who sees private matches only if they have a seat in them. `None` for an anonymous visitor.
    pub viewer: Option<PlayerId>,
    /// Of this game kind.
    pub game: Option<GameKind>,
    /// Against this player.
    pub opponent: Option<PlayerId>,
    /// Rated, or not.
    pub rated: Option<bool>,
    /// With this result for the player.
    pub score: Option<Score>,
    /// At this speed.
    pub speed: Option<Speed>,
    /// Created at this time or later.
    pub since_ms: Option<i64>,
    /// Created before this time.
    pub until_ms: Option<i64>,
    /// Only finished matches.
    pub finished: bool,
}

impl MatchFilter {
    /// Returns a filter for all matches of a player, as seen by that player.
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

/// The result of a match for a player. A match that was called off has none, nor a match of one player at both seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// Won.
    Won,
    /// Drawn.
    Drawn,
    /// Lost.
    Lost,
}

/// The position after which a page of matches begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchCursor {
    /// `created_ms` of the last match of the previous page.
    pub created_ms: i64,
    /// The id of that match.
    pub id: MatchId,
}
