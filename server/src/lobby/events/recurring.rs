//! The events of timetables: each is made when the one before it begins.

use mawe_play::Damaged;
use mawe_store::{EventOccurrence, EventOccurrenceMade, EventTimetableRow, NewEvent, StoreError};
use mawe_wire::ids::EventId;

use super::changes::first_append_of;
use super::clock::failed;
use super::timetable::Timetable;
use super::{CANCELLED_KEPT_MS, LEAD_MS};
use crate::lobby::address_groups;
use crate::lobby::pools::Lobby;

/// The number of timetables that are read at once.
const TIMETABLES: u32 = 100;

impl Lobby {
    /// Makes the next event of each timetable whose last one begins or has begun. Occurrences that have passed are left out.
    pub(super) async fn make_recurring_events(&self, now_ms: i64) -> Result<(), StoreError> {
        for row in self.store.due_event_timetables(now_ms, TIMETABLES).await? {
            let made = self.make_next(&row, now_ms).await;
            made.unwrap_or_else(|error| failed(&error.into()));
        }
        Ok(())
    }

    async fn make_next(&self, row: &EventTimetableRow, now_ms: i64) -> Result<(), StoreError> {
        let damaged = || {
            StoreError::from(Damaged {
                what: "timetable",
                detail: row.id.to_string(),
            })
        };
        let timetable = Timetable::new(&row.recurrence).map_err(|_| damaged())?;
        let next_ms = timetable.next_after(now_ms.saturating_add(LEAD_MS));
        let mut terms = row.terms.clone();
        terms.start_ms = next_ms.ok_or_else(damaged)?;
        let event = NewEvent {
            id: EventId::random(),
            address_key: address_groups::key_of(&terms),
            terms,
            by: row.by.id.clone(),
            club: row.club.as_ref().map(|(id, _)| id.clone()),
            password_hash: row.password_hash.clone(),
            created_ms: now_ms,
        };
        let store = self.store.as_ref();
        let (first, refused) = first_append_of(store, &event).await?;
        if !refused.is_empty() {
            return Err(damaged());
        }
        let occurrence = EventOccurrence {
            timetable: row.id.clone(),
            last_ms: row.last_ms,
            event,
        };
        let forget_ms = now_ms.saturating_sub(CANCELLED_KEPT_MS);
        let made = store
            .make_event_of_timetable(&occurrence, &first, forget_ms)
            .await?;
        if made == EventOccurrenceMade::Omitted {
            tracing::info!(timetable = %row.id, "the account of a timetable may make no event at this time");
        }
        Ok(())
    }
}
