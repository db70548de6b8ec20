//! Rows of timetables of events.

use mawe_wire::clubs::ClubRef;
use mawe_wire::events::{EventInterval, Weekday};
use sqlx_macros::FromRow;

use super::convert::{Stored, damaged, id, number, stored};
use super::players::PlayerRecord;
use crate::{EventRecurrence, EventTimetableRow, StoreError};

stored! {
    EventInterval "interval of a timetable",
    Weekday "day of the week",
}

/// A timetable joined to its account, and to its club if there is one.
#[derive(FromRow)]
pub(crate) struct EventTimetableRecord {
    timetable_id: String,
    every: String,
    weekdays: String,
    at_minute: i64,
    zone: String,
    terms: String,
    password_hash: Option<String>,
    timetable_created_ms: i64,
    last_ms: i64,
    club_id: Option<String>,
    club_handle: Option<String>,
    club_name: Option<String>,
    #[sqlx(flatten)]
    by: PlayerRecord,
}

impl TryFrom<EventTimetableRecord> for EventTimetableRow {
    type Error = StoreError;

    fn try_from(row: EventTimetableRecord) -> Result<Self, StoreError> {
        let weekdays = row.weekdays.split_whitespace().map(Weekday::from_text);
        let club = match (row.club_id, row.club_handle, row.club_name) {
            (Some(club), Some(handle), Some(name)) => {
                Some((id("club id", club)?, ClubRef { handle, name }))
            }
            _ => None,
        };
        Ok(Self {
            id: id("id of a timetable", row.timetable_id)?,
            recurrence: EventRecurrence {
                every: EventInterval::from_text(&row.every)?,
                weekdays: weekdays.collect::<Result<_, _>>()?,
                at_minute: number("minute", row.at_minute)?,
                zone: row.zone,
            },
            terms: serde_json::from_str(&row.terms)
                .map_err(|_| damaged("terms of an event", &row.terms))?,
            by: row.by.try_into()?,
            club,
            password_hash: row.password_hash,
            created_ms: row.timetable_created_ms,
            last_ms: row.last_ms,
        })
    }
}
