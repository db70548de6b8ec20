//! Events: their journals, and the rows that follow from these.

use async_trait::async_trait;
use mawe_rules::{BySide, GameKind, Side};
use mawe_wire::TimeControl;
use mawe_wire::clubs::{ClubRef, Joining};
use mawe_wire::events::{
    EventGameResult, EventGameSkipped, EventGameState, EventKind, EventPlayerState, EventState,
};
use mawe_wire::ids::{ClubId, EventId, MatchId, PlayerId};
use serde::{Deserialize, Serialize};

use crate::{NewAudit, NewMatch, Player, StoreError, WishState};

/// Events.
///
/// An event is a journal. Each change is one append, a compare-and-set on the head: it writes entries and, in the same transaction, what follows
/// from them in the rows of the event, its players and its games. So a change happens once, also where several nodes try it, and after a crash
/// either all of it is there or nothing.
#[async_trait]
pub trait Events: Send + Sync {
    /// Creates an event with the first entries of its journal, if any. Returns `false`, and writes nothing, when the creator has `coming` events
    /// that have not begun, those of timetables left out. Cancelled events of the creator that end before `forget_before_ms` and had no games are deleted.
    async fn create_event(
        &self,
        new: &NewEvent,
        first: &EventAppend,
        coming: u32,
        forget_before_ms: i64,
    ) -> Result<bool, StoreError>;

    /// Returns an event without its journal.
    async fn find_event(&self, id: &EventId) -> Result<Option<EventRow>, StoreError>;

    /// Returns entries of the journal after `after`, in order.
    async fn event_entries(
        &self,
        id: &EventId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<EventEntry>, StoreError>;

    /// Appends to the journal of an event. Returns `false`, and writes nothing, when the head is another, or when a game is in another state than
    /// the append says: the caller reads again.
    ///
    /// # Errors
    /// [`StoreError::Club`] for a new player who is neither an account that can play nor a computer opponent of the server.
    async fn append_event(&self, append: &EventAppend) -> Result<bool, StoreError>;

    /// Returns a page of the events in a state. Coming ones: the next first; all others: the latest first.
    async fn events_in(
        &self,
        state: EventState,
        after: Option<&EventCursor>,
        limit: u32,
    ) -> Result<Vec<EventRow>, StoreError>;

    /// Returns events that are due at this time, those that are longest due first.
    async fn due_events(&self, now_ms: i64, limit: u32) -> Result<Vec<EventId>, StoreError>;

    /// Returns the players at these seats of an event.
    async fn event_players(
        &self,
        id: &EventId,
        seats: &[u32],
    ) -> Result<Vec<(u32, Player)>, StoreError>;

    /// Returns a page of the games of an event, by number.
    async fn event_games(
        &self,
        id: &EventId,
        round: Option<u32>,
        after: u32,
        limit: u32,
    ) -> Result<Vec<EventGameRow>, StoreError>;

    /// Returns a game.
    async fn event_game(&self, key: &EventGameKey) -> Result<Option<EventGameRow>, StoreError>;

    /// Writes the notices of coming events that begin before `start_ms`, once for each event. Returns those events.
    async fn tell_event_starts(
        &self,
        start_ms: i64,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<EventId>, StoreError>;

    /// Returns games that are to begin.
    async fn ready_event_games(&self, limit: u32) -> Result<Vec<EventGameRow>, StoreError>;

    /// Creates the match of a ready game, with notices to both players where `tell` says so, and grants the wishes in `seats` by it.
    ///
    /// # Errors
    /// As [`Matches::create_match`](crate::Matches::create_match); nothing was written then.
    async fn seat_event_game(
        &self,
        key: &EventGameKey,
        new: &NewMatch,
        seats: &[WishState],
        tell: bool,
    ) -> Result<EventGameSeated, StoreError>;

    /// Returns games of running events whose match has ended, and of which the end is not noted.
    async fn ended_event_games(&self, limit: u32) -> Result<Vec<EndedEventGame>, StoreError>;

    /// Returns games whose match was made void after its end was noted.
    async fn changed_event_games(&self, limit: u32) -> Result<Vec<EventGameKey>, StoreError>;

    /// Returns what decides whether a player may join an event for the members of this club, or for everybody.
    async fn event_candidate(
        &self,
        player: &PlayerId,
        club: Option<&ClubId>,
    ) -> Result<EventCandidate, StoreError>;
}

/// An event to create.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent {
    /// Its id.
    pub id: EventId,
    /// The terms.
    pub terms: EventTerms,
    /// The creator.
    pub by: PlayerId,
    /// The club whose members may join.
    pub club: Option<ClubId>,
    /// The hash of the password for joining.
    pub password_hash: Option<String>,
    /// The key by which addresses become groups; given where the terms keep players apart by address.
    pub address_key: Option<Vec<u8>>,
    /// The time of creation.
    pub created_ms: i64,
}

/// The terms of an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventTerms {
    /// The kind.
    pub kind: EventKind,
    /// The name.
    pub name: String,
    /// The description.
    pub description: String,
    /// The game kind.
    pub game: GameKind,
    /// The setup's text.
    pub setup: String,
    /// The time control.
    pub time_control: TimeControl,
    /// Whether ratings change.
    pub rated: bool,
    /// The time of the beginning; where a number of players begins it, the time at which it is cancelled without them.
    pub start_ms: i64,
    /// The number of players that begins it.
    pub start_players: Option<u32>,
    /// The length of an arena.
    pub duration_ms: Option<i64>,
    /// The rounds of a Swiss tournament.
    pub rounds: Option<u32>,
    /// The cycles of a round robin.
    pub cycles: Option<u32>,
    /// The games of a series, at most.
    #[serde(default)]
    pub games: Option<u32>,
    /// Whether a series ends as soon as a player cannot be caught any more.
    #[serde(default)]
    pub best_of: bool,
    /// The most players.
    pub max_players: u32,
    /// Whether players of one address at joining are not paired with each other.
    pub apart_by_address: bool,
    /// Whether players of an arena may halve their clocks for one more point.
    #[serde(default)]
    pub berserk: bool,
    /// The time on the clocks of a simul's host at the start beyond the base time, in milliseconds.
    #[serde(default)]
    pub host_extra_ms: u64,
    /// The fill-ins at the start.
    pub fill_ins: Option<EventFillIns>,
    /// The lowest rating at joining.
    pub min_rating: Option<i32>,
    /// The greatest rating at joining.
    pub max_rating: Option<i32>,
    /// The rated matches that a player must have played.
    pub min_matches: u32,
}

/// The fill-ins, where too few people have come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventFillIns {
    /// The number of players up to which they come.
    pub players: u32,
    /// The level of the first of them.
    pub level: u8,
}

/// An append to the journal of an event, with what follows from it.
#[derive(Debug, Clone, PartialEq)]
pub struct EventAppend {
    /// The event.
    pub event: EventId,
    /// The head that the writer believes.
    pub head: u64,
    /// The time of the entries.
    pub at_ms: i64,
    /// The entries, as JSON.
    pub entries: Vec<String>,
    /// The new columns of the event.
    pub columns: EventColumns,
    /// New players, and players with another state.
    pub players: Vec<EventPlayerChange>,
    /// New games, and games in another state.
    pub games: Vec<EventGameChange>,
    /// The entry of the audit log, for a change by a moderator.
    pub audit: Option<NewAudit>,
}

/// The columns of an event that follow from its journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventColumns {
    /// The state.
    pub state: EventState,
    /// The order of lists: the start, then the time of the beginning, then of the end.
    pub sort_ms: i64,
    /// The time at which the server looks at it next.
    pub due_ms: Option<i64>,
    /// The number of players, without withdrawn ones.
    pub players: u32,
    /// The last round that was paired.
    pub round: u32,
    /// The time of the end.
    pub finished_ms: Option<i64>,
}

/// A player of an event, as an append changes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventPlayerChange {
    /// The seat.
    pub seat: u32,
    /// The player, if new.
    pub new: Option<PlayerId>,
    /// The state.
    pub state: EventPlayerState,
}

/// A game of an event, as an append changes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventGameChange {
    /// It was paired, and is ready to begin.
    Paired {
        /// Its number.
        number: u32,
        /// The round.
        round: u32,
        /// The seat of the player with the first move.
        first: u32,
        /// The other seat.
        second: u32,
        /// The time control, where it differs from that of the event.
        time_control: Option<TimeControl>,
    },
    /// Its match has ended.
    Ended {
        /// Its number.
        number: u32,
        /// The result.
        result: EventGameResult,
    },
    /// It is ready, and is not played.
    Skipped {
        /// Its number.
        number: u32,
        /// The reason.
        reason: EventGameSkipped,
    },
    /// It has another result than was noted, or a result although it was not played.
    Corrected {
        /// Its number.
        number: u32,
        /// The result.
        result: EventGameResult,
    },
}

/// An event without its journal.
#[derive(Debug, Clone, PartialEq)]
pub struct EventRow {
    /// Its id.
    pub id: EventId,
    /// The terms.
    pub terms: EventTerms,
    /// The creator.
    pub by: Player,
    /// The club whose members may join; `None` for everybody, and after it was closed.
    pub club: Option<EventClub>,
    /// Whether only members of a club may join: nobody after it was closed.
    pub for_club: bool,
    /// Whether that club was joined by invitation, and is closed.
    pub hidden: bool,
    /// The hash of the password for joining.
    pub password_hash: Option<String>,
    /// The key by which addresses become groups; it is deleted with the end of the event.
    pub address_key: Option<Vec<u8>>,
    /// The time of creation.
    pub created_ms: i64,
    /// The columns that follow from the journal.
    pub columns: EventColumns,
    /// The head of the journal.
    pub head: u64,
}

/// The club of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventClub {
    /// Its id.
    pub id: ClubId,
    /// Its name and address.
    pub reference: ClubRef,
    /// The way to join.
    pub joining: Joining,
}

/// An entry of the journal of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventEntry {
    /// Its number, from 1.
    pub seq: u64,
    /// Its time.
    pub at_ms: i64,
    /// The entry, as JSON.
    pub payload: String,
}

/// A place in a list of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventCursor {
    /// `sort_ms` of the last event before it.
    pub sort_ms: i64,
    /// The id of that event.
    pub id: EventId,
}

/// A game of an event, by its place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventGameKey {
    /// The event.
    pub event: EventId,
    /// The number, from 1.
    pub number: u32,
}

/// A game of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventGameRow {
    /// Its place.
    pub key: EventGameKey,
    /// The round.
    pub round: u32,
    /// The seat of the player with the first move.
    pub first: u32,
    /// The other seat.
    pub second: u32,
    /// The time control, where it differs from that of the event.
    pub time_control: Option<TimeControl>,
    /// The state.
    pub state: EventGameState,
    /// The result, once it has ended.
    pub result: Option<EventGameResult>,
    /// The reason for which it is not played.
    pub skipped: Option<EventGameSkipped>,
    /// Its match.
    pub match_id: Option<MatchId>,
    /// Whether only clients with its id can see the match.
    pub private: bool,
}

/// A game whose match has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedEventGame {
    /// Its place.
    pub key: EventGameKey,
    /// The end of the match; `None` where the match is gone, or was made void.
    pub end: Option<EventMatchEnd>,
}

/// The end of a match of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventMatchEnd {
    /// The winner; `None` for a draw or a match that was called off.
    pub winner: Option<Side>,
    /// The code of the reason.
    pub reason: String,
    /// The number of plies.
    pub plies: u32,
    /// The side whose leaving called the match off.
    pub left_by: Option<Side>,
    /// The sides that halved their clocks.
    pub berserk: BySide<bool>,
}

/// The result of [`Events::seat_event_game`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventGameSeated {
    /// The match was created.
    Seated,
    /// The game was not ready any more, or the event has ended.
    NotReady,
    /// A wish has changed since it was read; the caller tries again.
    Changed,
    /// The accounts of these players are disabled or deleted.
    Absent {
        /// That of the first side.
        first: bool,
        /// That of the second side.
        second: bool,
    },
}

/// What decides whether a player may join.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventCandidate {
    /// Whether the player is a member of the club; `false` without a club.
    pub is_member: bool,
    /// Whether the player's class plays among itself, and the event is not for this class.
    pub is_kept: bool,
}
