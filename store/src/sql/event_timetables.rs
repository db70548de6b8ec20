//! Timetables of events.

use async_trait::async_trait;
use mawe_wire::events::{EventState, Weekday};
use mawe_wire::grants::{Grant, Grants};
use mawe_wire::ids::{ClubId, EventTimetableId};

use super::backend::{Backend, Tx, begin, commit, serialise};
use super::club_members::lock_club;
use super::events::{append, forget_cancelled, insert, lock_events_of};
use crate::detached::detached;
use crate::rows::{EventTimetableRecord, Stored, damaged, parsed};
use crate::{
    EventAppend, EventOccurrence, EventOccurrenceMade, EventTimetableCreated, EventTimetableLimits,
    EventTimetableReader, EventTimetableRow, EventTimetables, NewEvent, NewEventTimetable,
    StoreError,
};

/// Selects timetables as `EventTimetableRecord`s: `t`, joined to the account `p` and to the club `c`.
macro_rules! select_timetables {
    ($rest:literal) => {
        concat!(
            "SELECT t.id AS timetable_id, t.every, t.weekdays, t.at_minute, t.zone, t.terms, t.password_hash,
                t.created_ms AS timetable_created_ms, t.last_ms, c.id AS club_id, c.handle AS club_handle, c.name AS club_name,
                p.id, p.name, p.kind, p.level, p.display_name, p.avatar, p.flag, p.created_ms AS player_created_ms
            FROM event_timetables t JOIN players p ON p.id = t.by_id LEFT JOIN clubs c ON c.id = t.club_id ",
            $rest
        )
    };
}

#[async_trait]
impl EventTimetables for Backend {
    async fn create_event_timetable(
        &self,
        new: &NewEventTimetable,
        limits: &EventTimetableLimits,
    ) -> Result<EventTimetableCreated, StoreError> {
        self.has_space()?;
        let (writer, new, limits) = (self.writer().clone(), new.clone(), *limits);
        detached(async move {
            let mut tx = begin(&writer).await?;
            serialise(&mut tx, "timetables of events").await?;
            let room = room(&mut tx, &new, &limits).await?;
            if room == EventTimetableCreated::Created {
                insert_timetable(&mut tx, &new).await?;
                commit(tx).await?;
            }
            Ok(room)
        })
        .await
    }

    async fn event_timetable(
        &self,
        id: &EventTimetableId,
    ) -> Result<Option<EventTimetableRow>, StoreError> {
        let row: Option<EventTimetableRecord> =
            sqlx::query_as(select_timetables!("WHERE t.id = $1"))
                .bind(id.as_str())
                .fetch_optional(self.reader())
                .await?;
        row.map(EventTimetableRow::try_from).transpose()
    }

    async fn event_timetables(
        &self,
        reader: &EventTimetableReader,
        after: Option<&EventTimetableId>,
        limit: u32,
    ) -> Result<Vec<EventTimetableRow>, StoreError> {
        let after = after.map_or("", EventTimetableId::as_str).to_owned();
        let query = match reader {
            EventTimetableReader::All => {
                sqlx::query_as(select_timetables!("WHERE t.id > $1 ORDER BY t.id LIMIT $2"))
                    .bind(after)
                    .bind(i64::from(limit))
            }
            EventTimetableReader::Account { player, site } => sqlx::query_as(select_timetables!(
                "WHERE t.id > $1 AND (
                    (t.club_id IS NULL AND $3)
                    OR t.club_id IN (SELECT m.club_id FROM club_members m WHERE m.player_id = $4 AND m.officer)
                ) ORDER BY t.id LIMIT $2"
            ))
            .bind(after)
            .bind(i64::from(limit))
            .bind(*site)
            .bind(player.as_str()),
        };
        let rows: Vec<EventTimetableRecord> = query.fetch_all(self.reader()).await?;
        parsed(rows)
    }

    async fn due_event_timetables(
        &self,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<EventTimetableRow>, StoreError> {
        let rows: Vec<EventTimetableRecord> = sqlx::query_as(select_timetables!(
            "WHERE t.last_ms <= $1 ORDER BY t.last_ms LIMIT $2"
        ))
        .bind(now_ms)
        .bind(i64::from(limit))
        .fetch_all(self.reader())
        .await?;
        parsed(rows)
    }

    async fn make_event_of_timetable(
        &self,
        occurrence: &EventOccurrence,
        first: &EventAppend,
        forget_before_ms: i64,
    ) -> Result<EventOccurrenceMade, StoreError> {
        self.has_space()?;
        let (writer, new, first) = (self.writer().clone(), occurrence.clone(), first.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            // The locks in the order of the end of an account and of a club, which delete timetables last.
            lock_events_of(&mut tx, &new.event.by).await?;
            if let Some(club) = &new.event.club {
                lock_club(&mut tx, club).await?;
            }
            let may_make = may_make(&mut tx, &new.event).await?;
            let moved = sqlx::query(
                "UPDATE event_timetables SET last_ms = $3 WHERE id = $1 AND last_ms = $2",
            )
            .bind(new.timetable.as_str())
            .bind(new.last_ms)
            .bind(new.event.terms.start_ms)
            .execute(&mut *tx)
            .await?;
            if moved.rows_affected() != 1 {
                return Ok(EventOccurrenceMade::Passed);
            }
            if may_make {
                forget_cancelled(&mut tx, &new.event.by, forget_before_ms).await?;
                insert(&mut tx, &new.event, &first, Some(&new.timetable)).await?;
                let appended = append(&mut tx, &first).await?;
                debug_assert!(appended, "nobody else knows the event");
            }
            commit(tx).await?;
            Ok(if may_make {
                EventOccurrenceMade::Made
            } else {
                EventOccurrenceMade::Omitted
            })
        })
        .await
    }

    async fn delete_event_timetable(&self, id: &EventTimetableId) -> Result<bool, StoreError> {
        let (writer, id) = (self.writer().clone(), id.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let deleted = sqlx::query("DELETE FROM event_timetables WHERE id = $1")
                .bind(id.as_str())
                .execute(&mut *tx)
                .await?;
            commit(tx).await?;
            Ok(deleted.rows_affected() == 1)
        })
        .await
    }
}

/// Returns whether the limits leave room for a timetable.
async fn room(
    tx: &mut Tx,
    new: &NewEventTimetable,
    limits: &EventTimetableLimits,
) -> Result<EventTimetableCreated, StoreError> {
    let (all, own, coming): (i64, i64, i64) = sqlx::query_as(
        "SELECT (SELECT count(*) FROM event_timetables),
            (SELECT count(*) FROM event_timetables WHERE club_id = $1 OR (club_id IS NULL AND $2)),
            (SELECT count(*) FROM events WHERE by_id = $3 AND state = $4 AND timetable_id IS NULL)",
    )
    .bind(new.club.as_ref().map(ClubId::as_str))
    .bind(new.club.is_none())
    .bind(new.by.as_str())
    .bind(EventState::Coming.text())
    .fetch_one(&mut **tx)
    .await?;
    let most = if new.club.is_some() {
        limits.of_club
    } else {
        limits.of_site
    };
    if all >= i64::from(limits.all) || own >= i64::from(most) {
        Ok(EventTimetableCreated::TooMany)
    } else if coming >= i64::from(limits.coming) {
        Ok(EventTimetableCreated::TooManyEvents)
    } else {
        Ok(EventTimetableCreated::Created)
    }
}

async fn insert_timetable(tx: &mut Tx, new: &NewEventTimetable) -> Result<(), StoreError> {
    let weekdays: Vec<&str> = new
        .recurrence
        .weekdays
        .iter()
        .map(|day| Weekday::text(*day))
        .collect();
    let terms = serde_json::to_string(&new.terms).expect("terms have a form in JSON");
    sqlx::query(
        "INSERT INTO event_timetables (id, every, weekdays, at_minute, zone, terms, password_hash, club_id, by_id, created_ms, last_ms)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)",
    )
    .bind(new.id.as_str())
    .bind(new.recurrence.every.text())
    .bind(weekdays.join(" "))
    .bind(i64::from(new.recurrence.at_minute))
    .bind(&new.recurrence.zone)
    .bind(terms)
    .bind(new.password_hash.as_deref())
    .bind(new.club.as_ref().map(ClubId::as_str))
    .bind(new.by.as_str())
    .bind(new.created_ms)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Returns whether the account of a timetable may make an event now: it is enabled, and an officer of the club; for everybody, it has a grant of
/// operators. Locks its row until the commit.
async fn may_make(tx: &mut Tx, event: &NewEvent) -> Result<bool, StoreError> {
    let account: Option<(String, bool)> = sqlx::query_as(concat!(
        "SELECT grants, (kind = 'account' AND disabled_ms IS NULL AND deleted_ms IS NULL) FROM players WHERE id = $1",
        for_update!()
    ))
    .bind(event.by.as_str())
    .fetch_optional(&mut **tx)
    .await?;
    let Some((grants, true)) = account else {
        return Ok(false);
    };
    let Some(club) = &event.club else {
        let grants: Grants = grants.parse().map_err(|_| damaged("grants", &grants))?;
        return Ok(grants.has(Grant::Operator) || grants.has(Grant::Admin));
    };
    let is_officer: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM club_members WHERE club_id = $1 AND player_id = $2 AND officer)",
    )
    .bind(club.as_str())
    .bind(event.by.as_str())
    .fetch_one(&mut **tx)
    .await?;
    Ok(is_officer)
}
