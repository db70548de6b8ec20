//! Events: creation and appends. Games are in `event_games`, reads in `event_lists`.

use async_trait::async_trait;
use mawe_rules::GameKind;
use mawe_wire::events::{EventPlayerState, EventRef, EventState};
use mawe_wire::ids::{ClubId, EventId, EventTimetableId, PlayerId};
use mawe_wire::{NoticeAbout, NoticeKind};

use super::audit::insert_audit;
use super::backend::{Backend, Tx, begin, commit, serialise};
use super::club_members::check_person;
use super::event_games::{change, seat};
use super::notices::write_all;
use crate::detached::detached;
use crate::rows::{Stored, TimeColumns, id as parsed_id, int};
use crate::{
    EndedEventGame, EventAppend, EventCandidate, EventCursor, EventEntry, EventGameKey,
    EventGameRow, EventGameSeated, EventPlayerChange, EventRow, Events, NewEvent, NewMatch,
    NewNotice, Player, StoreError, WishState,
};

#[async_trait]
impl Events for Backend {
    async fn create_event(
        &self,
        new: &NewEvent,
        first: &EventAppend,
        coming: u32,
        forget_before_ms: i64,
    ) -> Result<bool, StoreError> {
        self.has_space()?;
        let (writer, new, first) = (self.writer().clone(), new.clone(), first.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            lock_events_of(&mut tx, &new.by).await?;
            forget_cancelled(&mut tx, &new.by, forget_before_ms).await?;
            let open: i64 = sqlx::query_scalar(
                "SELECT count(*) FROM events WHERE by_id = $1 AND state = $2 AND timetable_id IS NULL",
            )
            .bind(new.by.as_str())
            .bind(EventState::Coming.text())
            .fetch_one(&mut *tx)
            .await?;
            if open >= i64::from(coming) {
                return Ok(false);
            }
            insert(&mut tx, &new, &first, None).await?;
            let appended = append(&mut tx, &first).await?;
            debug_assert!(appended, "nobody else knows the event");
            commit(tx).await?;
            Ok(true)
        })
        .await
    }

    async fn find_event(&self, id: &EventId) -> Result<Option<EventRow>, StoreError> {
        self.event_by_id(id).await
    }

    async fn event_entries(
        &self,
        id: &EventId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<EventEntry>, StoreError> {
        self.entries_of_event(id, after, limit).await
    }

    async fn append_event(&self, new: &EventAppend) -> Result<bool, StoreError> {
        if new.players.iter().any(|player| player.new.is_some()) {
            self.has_space()?;
        }
        let (writer, new) = (self.writer().clone(), new.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            let appended = append(&mut tx, &new).await?;
            if appended {
                commit(tx).await?;
            }
            Ok(appended)
        })
        .await
    }

    async fn events_in(
        &self,
        state: EventState,
        after: Option<&EventCursor>,
        limit: u32,
    ) -> Result<Vec<EventRow>, StoreError> {
        self.list_of_events(state, after, limit).await
    }

    async fn due_events(&self, now_ms: i64, limit: u32) -> Result<Vec<EventId>, StoreError> {
        self.events_due(now_ms, limit).await
    }

    async fn event_players(
        &self,
        id: &EventId,
        seats: &[u32],
    ) -> Result<Vec<(u32, Player)>, StoreError> {
        self.players_of_event(id, seats).await
    }

    async fn event_games(
        &self,
        id: &EventId,
        round: Option<u32>,
        after: u32,
        limit: u32,
    ) -> Result<Vec<EventGameRow>, StoreError> {
        self.games_of_event(id, round, after, limit).await
    }

    async fn event_game(&self, key: &EventGameKey) -> Result<Option<EventGameRow>, StoreError> {
        self.game_of_event(key).await
    }

    async fn tell_event_starts(
        &self,
        start_ms: i64,
        now_ms: i64,
        limit: u32,
    ) -> Result<Vec<EventId>, StoreError> {
        let writer = self.writer().clone();
        detached(async move {
            let mut tx = begin(&writer).await?;
            let told = tell_starts(&mut tx, start_ms, now_ms, limit).await?;
            commit(tx).await?;
            Ok(told)
        })
        .await
    }

    async fn ready_event_games(&self, limit: u32) -> Result<Vec<EventGameRow>, StoreError> {
        self.event_games_to_begin(limit).await
    }

    async fn seat_event_game(
        &self,
        key: &EventGameKey,
        new: &NewMatch,
        seats: &[WishState],
        tell: bool,
    ) -> Result<EventGameSeated, StoreError> {
        self.has_space()?;
        let (writer, key, new) = (self.writer().clone(), key.clone(), new.clone());
        let seats = seats.to_vec();
        detached(async move {
            let mut tx = begin(&writer).await?;
            let seated = seat(&mut tx, &key, &new, &seats, tell).await?;
            if seated == EventGameSeated::Seated {
                commit(tx).await?;
            }
            Ok(seated)
        })
        .await
    }

    async fn ended_event_games(&self, limit: u32) -> Result<Vec<EndedEventGame>, StoreError> {
        self.event_games_that_ended(limit).await
    }

    async fn changed_event_games(&self, limit: u32) -> Result<Vec<EventGameKey>, StoreError> {
        self.event_games_that_changed(limit).await
    }

    async fn event_candidate(
        &self,
        player: &PlayerId,
        club: Option<&ClubId>,
    ) -> Result<EventCandidate, StoreError> {
        self.candidate_of_event(player, club).await
    }
}

/// Locks the number of coming events of a creator until the commit.
pub(super) async fn lock_events_of(tx: &mut Tx, by: &PlayerId) -> Result<(), StoreError> {
    serialise(tx, &format!("events of {by}")).await
}

/// Deletes cancelled events of a creator that had no games.
pub(super) async fn forget_cancelled(
    tx: &mut Tx,
    by: &PlayerId,
    before_ms: i64,
) -> Result<(), StoreError> {
    let old: Vec<String> = sqlx::query_scalar(
        "SELECT id FROM events WHERE by_id = $1 AND state = $2 AND sort_ms < $3
            AND NOT EXISTS (SELECT 1 FROM event_games g WHERE g.event_id = events.id)",
    )
    .bind(by.as_str())
    .bind(EventState::Cancelled.text())
    .bind(before_ms)
    .fetch_all(&mut **tx)
    .await?;
    for id in old {
        for sql in [
            "DELETE FROM event_entries WHERE event_id = $1",
            "DELETE FROM event_players WHERE event_id = $1",
            "DELETE FROM events WHERE id = $1",
        ] {
            sqlx::query(sql).bind(&id).execute(&mut **tx).await?;
        }
    }
    Ok(())
}

/// Inserts the row of an event without entries; the append of the first ones follows in the same transaction.
pub(super) async fn insert(
    tx: &mut Tx,
    new: &NewEvent,
    first: &EventAppend,
    timetable: Option<&EventTimetableId>,
) -> Result<(), StoreError> {
    let terms = &new.terms;
    let time = TimeColumns::from(terms.time_control);
    sqlx::query(
        "INSERT INTO events (id, kind, name, description, game, setup, time_control, base_ms, increment_ms, days, rated,
            start_ms, start_players, duration_ms, rounds, cycles, games, best_of, max_players, min_rating, max_rating, min_matches,
            fill_players, fill_level, apart_by_address, berserk, host_extra_ms, address_key, club_id, for_club, password_hash, by_id, created_ms, state, sort_ms, head,
            players, round, told, hidden, timetable_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
            $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, 0, 0, 0, $36, $36, $37)",
    )
    .bind(new.id.as_str())
    .bind(terms.kind.text())
    .bind(&terms.name)
    .bind(&terms.description)
    .bind(terms.game.text())
    .bind(&terms.setup)
    .bind(time.time_control)
    .bind(time.base_ms)
    .bind(time.increment_ms)
    .bind(time.days)
    .bind(terms.rated)
    .bind(terms.start_ms)
    .bind(terms.start_players.map(i64::from))
    .bind(terms.duration_ms)
    .bind(terms.rounds.map(i64::from))
    .bind(terms.cycles.map(i64::from))
    .bind(terms.games.map(i64::from))
    .bind(terms.best_of)
    .bind(i64::from(terms.max_players))
    .bind(terms.min_rating.map(i64::from))
    .bind(terms.max_rating.map(i64::from))
    .bind(i64::from(terms.min_matches))
    .bind(terms.fill_ins.map(|fill| i64::from(fill.players)))
    .bind(terms.fill_ins.map(|fill| i64::from(fill.level)))
    .bind(terms.apart_by_address)
    .bind(terms.berserk)
    .bind(int(terms.host_extra_ms))
    .bind(new.address_key.as_deref())
    .bind(new.club.as_ref().map(ClubId::as_str))
    .bind(new.club.is_some())
    .bind(new.password_hash.as_deref())
    .bind(new.by.as_str())
    .bind(new.created_ms)
    .bind(first.columns.state.text())
    .bind(first.columns.sort_ms)
    .bind(false)
    .bind(timetable.map(EventTimetableId::as_str))
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Appends entries where the head is the expected one, with what follows from them. The update of the row is the lock. `false`: nothing may be
/// committed.
pub(super) async fn append(tx: &mut Tx, new: &EventAppend) -> Result<bool, StoreError> {
    let columns = &new.columns;
    let head = new.head + new.entries.len() as u64;
    let updated = sqlx::query(
        "UPDATE events SET head = $3, state = $4, sort_ms = $5, due_ms = $6, players = $7, round = $8, finished_ms = $9,
            address_key = CASE WHEN $10 THEN NULL ELSE address_key END
        WHERE id = $1 AND head = $2",
    )
    .bind(new.event.as_str())
    .bind(int(new.head))
    .bind(int(head))
    .bind(columns.state.text())
    .bind(columns.sort_ms)
    .bind(columns.due_ms)
    .bind(i64::from(columns.players))
    .bind(i64::from(columns.round))
    .bind(columns.finished_ms)
    // Without the key nobody can find the address of a group again.
    .bind(matches!(columns.state, EventState::Finished | EventState::Cancelled))
    .execute(&mut **tx)
    .await?;
    if updated.rows_affected() != 1 {
        return Ok(false);
    }
    for (seq, payload) in (new.head + 1..).zip(&new.entries) {
        sqlx::query(
            "INSERT INTO event_entries (event_id, seq, at_ms, payload) VALUES ($1, $2, $3, $4)",
        )
        .bind(new.event.as_str())
        .bind(int(seq))
        .bind(new.at_ms)
        .bind(payload)
        .execute(&mut **tx)
        .await?;
    }
    for player in &new.players {
        change_player(tx, new, player).await?;
    }
    for game in &new.games {
        if !change(tx, &new.event, game).await? {
            return Ok(false);
        }
    }
    if let Some(audit) = &new.audit {
        insert_audit(tx, audit).await?;
    }
    Ok(true)
}

async fn change_player(
    tx: &mut Tx,
    append: &EventAppend,
    player: &EventPlayerChange,
) -> Result<(), StoreError> {
    let query = if let Some(new) = &player.new {
        check_entrant(tx, new).await?;
        sqlx::query(
            "INSERT INTO event_players (event_id, seat, state, player_id, since_ms) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(append.event.as_str())
        .bind(i64::from(player.seat))
        .bind(player.state.text())
        .bind(new.as_str())
        .bind(append.at_ms)
    } else {
        sqlx::query("UPDATE event_players SET state = $3 WHERE event_id = $1 AND seat = $2")
            .bind(append.event.as_str())
            .bind(i64::from(player.seat))
            .bind(player.state.text())
    };
    query.execute(&mut **tx).await?;
    Ok(())
}

/// Refuses a player who is neither an account that can play nor a computer opponent of the server.
async fn check_entrant(tx: &mut Tx, player: &PlayerId) -> Result<(), StoreError> {
    let is_computer: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM players WHERE id = $1 AND level IS NOT NULL)",
    )
    .bind(player.as_str())
    .fetch_one(&mut **tx)
    .await?;
    if is_computer {
        return Ok(());
    }
    check_person(tx, player).await
}

/// Writes the notices of events that begin soon, to the players who take part.
async fn tell_starts(
    tx: &mut Tx,
    start_ms: i64,
    now_ms: i64,
    limit: u32,
) -> Result<Vec<EventId>, StoreError> {
    let soon: Vec<(String, String, String, i64)> = sqlx::query_as(
        "UPDATE events SET told = $1 WHERE id IN (
            SELECT id FROM events WHERE state = $2 AND sort_ms <= $3 AND start_players IS NULL AND NOT told ORDER BY sort_ms LIMIT $4
        ) RETURNING id, name, game, start_ms",
    )
    .bind(true)
    .bind(EventState::Coming.text())
    .bind(start_ms)
    .bind(i64::from(limit))
    .fetch_all(&mut **tx)
    .await?;
    let mut events = Vec::with_capacity(soon.len());
    for (id, name, game, start_ms) in soon {
        let event = EventRef {
            id: parsed_id("event id", id)?,
            name,
        };
        let players: Vec<String> = sqlx::query_scalar(
            "SELECT player_id FROM event_players WHERE event_id = $1 AND state = $2 ORDER BY player_id",
        )
        .bind(event.id.as_str())
        .bind(EventPlayerState::In.text())
        .fetch_all(&mut **tx)
        .await?;
        let game = GameKind::from_text(&game)?;
        let notices = players.into_iter().map(|player| {
            Ok(NewNotice {
                player: parsed_id("player id", player)?,
                kind: NoticeKind::EventStarts,
                by: None,
                key: event.id.to_string(),
                about: NoticeAbout {
                    game: Some(game),
                    event: Some(event.clone()),
                    ..NoticeAbout::default()
                },
                until_ms: Some(start_ms),
                at_ms: now_ms,
            })
        });
        write_all(tx, notices.collect::<Result<_, StoreError>>()?).await?;
        events.push(event.id);
    }
    Ok(events)
}
