//! The games of events: each is paired, seated, ended or skipped once.

use mawe_rules::GameKind;
use mawe_wire::events::{EventGameState, EventRef, EventState};
use mawe_wire::ids::{EventId, PlayerId};
use mawe_wire::{NoticeAbout, NoticeKind};

use super::backend::Tx;
use super::matches::insert_match;
use super::notices::write_all;
use super::seating::{cancel_locked, lock_seeks, take_seats};
use crate::rows::{Stored, TimeColumns};
use crate::{
    EventGameChange, EventGameKey, EventGameSeated, NewMatch, NewNotice, StoreError, WishState,
};

/// The states of which a game must be in one for a change, and the state that it gets.
fn step(change: &EventGameChange) -> Option<([EventGameState; 2], EventGameState)> {
    use EventGameState::{Ended, Playing, Ready, Skipped};
    match change {
        EventGameChange::Paired { .. } => None,
        // After the end of an arena one that has not begun ends, too.
        EventGameChange::Ended { .. } => Some(([Playing, Ready], Ended)),
        EventGameChange::Skipped { .. } => Some(([Ready, Ready], Skipped)),
        // A moderator judges also a game that could not be played.
        EventGameChange::Corrected { .. } => Some(([Ended, Skipped], Ended)),
    }
}

/// Changes the row of a game. Returns `false` where it is in another state than the change needs.
pub(super) async fn change(
    tx: &mut Tx,
    event: &EventId,
    change: &EventGameChange,
) -> Result<bool, StoreError> {
    let (number, result, skipped) = match change {
        EventGameChange::Paired {
            number,
            round,
            first,
            second,
            time_control,
        } => {
            let time = time_control.map(TimeColumns::from);
            let columns = time.as_ref();
            sqlx::query(
                "INSERT INTO event_games (event_id, number, round, first_seat, second_seat, time_control, base_ms, increment_ms, days,
                    state, changed)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            )
            .bind(event.as_str())
            .bind(i64::from(*number))
            .bind(i64::from(*round))
            .bind(i64::from(*first))
            .bind(i64::from(*second))
            .bind(columns.map(|time| time.time_control.clone()))
            .bind(columns.and_then(|time| time.base_ms))
            .bind(columns.and_then(|time| time.increment_ms))
            .bind(columns.and_then(|time| time.days))
            .bind(EventGameState::Ready.text())
            .bind(false)
            .execute(&mut **tx)
            .await?;
            return Ok(true);
        }
        EventGameChange::Ended { number, result }
        | EventGameChange::Corrected { number, result } => (number, Some(*result), None),
        EventGameChange::Skipped { number, reason } => (number, None, Some(*reason)),
    };
    let Some((before, after)) = step(change) else {
        return Ok(true);
    };
    // A match that was made void while its end was noted is still to be corrected.
    let still_changed = matches!(change, EventGameChange::Ended { .. });
    let updated = sqlx::query(
        "UPDATE event_games SET state = $5, result = $6, skipped = $7, changed = changed AND $8
        WHERE event_id = $1 AND number = $2 AND state IN ($3, $4)",
    )
    .bind(event.as_str())
    .bind(i64::from(*number))
    .bind(before[0].text())
    .bind(before[1].text())
    .bind(after.text())
    .bind(result.map(Stored::text))
    .bind(skipped.map(Stored::text))
    .bind(still_changed)
    .execute(&mut **tx)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Creates the match of a ready game. The caller commits if it was seated.
pub(super) async fn seat(
    tx: &mut Tx,
    key: &EventGameKey,
    new: &NewMatch,
    seats: &[WishState],
    tell: bool,
) -> Result<EventGameSeated, StoreError> {
    // The row of the game is the lock: an append that skips it waits, and then finds another state.
    let state: Option<String> = sqlx::query_scalar(concat!(
        "SELECT state FROM event_games WHERE event_id = $1 AND number = $2",
        for_update!()
    ))
    .bind(key.event.as_str())
    .bind(i64::from(key.number))
    .fetch_optional(&mut **tx)
    .await?;
    let event: Option<(String, String)> =
        sqlx::query_as("SELECT name, state FROM events WHERE id = $1")
            .bind(key.event.as_str())
            .fetch_optional(&mut **tx)
            .await?;
    let Some((name, event_state)) = event else {
        return Ok(EventGameSeated::NotReady);
    };
    if state.as_deref() != Some(EventGameState::Ready.text())
        || event_state != EventState::Running.text()
    {
        return Ok(EventGameSeated::NotReady);
    }
    let (first, second) = (&new.players.first, &new.players.second);
    let absent: Vec<String> = sqlx::query_scalar(
        "SELECT id FROM players WHERE id IN ($1, $2) AND (kind = 'guest' OR disabled_ms IS NOT NULL OR deleted_ms IS NOT NULL)",
    )
    .bind(first.as_str())
    .bind(second.as_str())
    .fetch_all(&mut **tx)
    .await?;
    if !absent.is_empty() {
        return Ok(EventGameSeated::Absent {
            first: absent.iter().any(|id| id == first.as_str()),
            second: absent.iter().any(|id| id == second.as_str()),
        });
    }
    let players: Vec<PlayerId> = seats.iter().map(|seat| seat.player.clone()).collect();
    let seeks = lock_seeks(tx, &players, None).await?;
    insert_match(tx, new).await?;
    sqlx::query(
        "UPDATE event_games SET state = $3, match_id = $4 WHERE event_id = $1 AND number = $2",
    )
    .bind(key.event.as_str())
    .bind(i64::from(key.number))
    .bind(EventGameState::Playing.text())
    .bind(new.id.as_str())
    .execute(&mut **tx)
    .await?;
    cancel_locked(tx, &seeks, None).await?;
    if !take_seats(tx, seats, &new.id).await? {
        return Ok(EventGameSeated::Changed);
    }
    if tell {
        let event = EventRef {
            id: key.event.clone(),
            name,
        };
        let notices = [(first, second), (second, first)];
        let notices = notices.map(|pair| begun(&event, new, pair));
        write_all(tx, Vec::from(notices)).await?;
    }
    Ok(EventGameSeated::Seated)
}

/// The notice to a player whose match has begun. Its key is the match, so that the room marks it as read when the player comes.
fn begun(event: &EventRef, new: &NewMatch, (player, other): (&PlayerId, &PlayerId)) -> NewNotice {
    let game: GameKind = new.game;
    NewNotice {
        player: player.clone(),
        kind: NoticeKind::EventMatchBegun,
        by: Some(other.clone()),
        key: new.id.to_string(),
        about: NoticeAbout {
            match_id: Some(new.id.clone()),
            game: Some(game),
            event: Some(event.clone()),
            ..NoticeAbout::default()
        },
        until_ms: None,
        at_ms: new.created_ms,
    }
}
