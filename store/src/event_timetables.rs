//! Timetables of events: at each of their times they make an event.

use async_trait::async_trait;
use mawe_wire::clubs::ClubRef;
use mawe_wire::events::{EventInterval, Weekday};
use mawe_wire::ids::{ClubId, EventTimetableId, PlayerId};

use crate::{EventAppend, EventTerms, NewEvent, Player, StoreError};

/// Timetables of events.
///
/// A timetable has one coming event at a time: the next one is made when the last one begins. The event is made in the transaction that moves the
/// timetable on, a compare-and-set on the time of the last one, so that each occurrence has one event where several nodes make it, and after a
/// crash.
#[async_trait]
pub trait EventTimetables: Send + Sync {
    /// Creates a timetable, if the limits leave room for it.
    async fn create_event_timetable(
        &self,
        new: &NewEventTimetable,
        limits: &EventTimetableLimits,
    ) -> Result<EventTimetableCreated, StoreError>;

    /// Returns a timetable.
    async fn event_timetable(
        &self,
        id: &EventTimetableId,
    ) -> Result<Option<EventTimetableRow>, StoreError>;

    /// Returns a page of the timetables that a reader may stop, by id.
    async fn event_timetables(
        &self,
        reader: &EventTimetableReader,
        after: Option<&EventTimetableId>,
        limit: u32,
    ) -> Result<Vec<EventTimetableRow>, StoreError>;

    /// Returns timetables whose last event begins at this time or has begun, those first that have waited longest.
    async fn due_event_timetables(
        &self,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<EventTimetableRow>, StoreError>;

    /// Makes the event of an occurrence: its start is the new time of the timetable. Cancelled events of the creator that end before
    /// `forget_before_ms` and had no games are deleted.
    async fn make_event_of_timetable(
        &self,
        occurrence: &EventOccurrence,
        first: &EventAppend,
        forget_before_ms: i64,
    ) -> Result<EventOccurrenceMade, StoreError>;

    /// Deletes a timetable; its events stay. Returns whether there was one.
    async fn delete_event_timetable(&self, id: &EventTimetableId) -> Result<bool, StoreError>;
}

/// The limits of timetables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventTimetableLimits {
    /// Timetables of a club.
    pub of_club: u32,
    /// Timetables for everybody.
    pub of_site: u32,
    /// Timetables of the server.
    pub all: u32,
    /// Coming events of the creator that are of no timetable: those of a deleted one count there.
    pub coming: u32,
}

/// The limits of every server.
pub const EVENT_TIMETABLE_LIMITS: EventTimetableLimits = EventTimetableLimits {
    of_club: 5,
    of_site: 20,
    all: 1_000,
    coming: 10,
};

/// The times of a timetable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRecurrence {
    /// The interval.
    pub every: EventInterval,
    /// The days of the week; empty for each day.
    pub weekdays: Vec<Weekday>,
    /// The local time, in minutes since midnight.
    pub at_minute: u32,
    /// The name of the time zone.
    pub zone: String,
}

/// A timetable to create.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEventTimetable {
    /// Its id.
    pub id: EventTimetableId,
    /// Its times.
    pub recurrence: EventRecurrence,
    /// The terms of its events; their start is of no meaning.
    pub terms: EventTerms,
    /// The account that creates its events.
    pub by: PlayerId,
    /// The club whose members may join.
    pub club: Option<ClubId>,
    /// The hash of the password for joining.
    pub password_hash: Option<String>,
    /// The time of creation.
    pub created_ms: i64,
}

/// The result of [`EventTimetables::create_event_timetable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventTimetableCreated {
    /// It was created.
    Created,
    /// The club, the operators or the server have too many of them.
    TooMany,
    /// The account has too many coming events.
    TooManyEvents,
}

/// A timetable.
#[derive(Debug, Clone, PartialEq)]
pub struct EventTimetableRow {
    /// Its id.
    pub id: EventTimetableId,
    /// Its times.
    pub recurrence: EventRecurrence,
    /// The terms of its events; their start is of no meaning.
    pub terms: EventTerms,
    /// The account that creates its events.
    pub by: Player,
    /// The club whose members may join.
    pub club: Option<(ClubId, ClubRef)>,
    /// The hash of the password for joining.
    pub password_hash: Option<String>,
    /// The time of creation.
    pub created_ms: i64,
    /// The start of the last event; the time of creation before the first one.
    pub last_ms: i64,
}

/// A reader of the list of timetables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventTimetableReader {
    /// A moderator: all timetables.
    All,
    /// An account: those of clubs of which it is an officer, and those for everybody where `site` says so.
    Account {
        /// The account.
        player: PlayerId,
        /// Whether it makes timetables for everybody.
        site: bool,
    },
}

/// An occurrence of a timetable, and its event.
#[derive(Debug, Clone, PartialEq)]
pub struct EventOccurrence {
    /// The timetable.
    pub timetable: EventTimetableId,
    /// The time of the timetable that the writer believes.
    pub last_ms: i64,
    /// The event.
    pub event: NewEvent,
}

/// The result of [`EventTimetables::make_event_of_timetable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventOccurrenceMade {
    /// The event was made.
    Made,
    /// The timetable is gone, or another node has moved it on.
    Passed,
    /// The timetable was moved on without an event: its account may make none at this time.
    Omitted,
}
