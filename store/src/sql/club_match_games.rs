//! The games of club matches: each is seated, skipped and ended once, under the lock of its club match's row.

use mawe_rules::{GameKind, Side};
use mawe_wire::club_matches::{ClubGameSkipped, ClubGameState, ClubMatchState};
use mawe_wire::clubs::ClubRef;
use mawe_wire::ids::PlayerId;
use mawe_wire::{NoticeAbout, NoticeKind};

use super::backend::Tx;
use super::matches::insert_match;
use super::notices::write_all;
use super::seating::{cancel_locked, lock_seeks, take_seats};
use crate::rows::{Stored, int};
use crate::{ByClub, ClubGameKey, ClubGameSeated, NewMatch, NewNotice, StoreError, WishState};

/// Locks the row of the club match, and returns whether the game is in one of these states.
async fn is_in(
    tx: &mut Tx,
    key: &ClubGameKey,
    states: &[ClubGameState],
) -> Result<bool, StoreError> {
    // In statements of their own: the second one sees the changes of the transaction for which the first one has waited.
    sqlx::query(concat!(
        "SELECT id FROM club_matches WHERE id = $1",
        for_update!()
    ))
    .bind(key.club_match.as_str())
    .fetch_optional(&mut **tx)
    .await?;
    let state: Option<String> = sqlx::query_scalar(
        "SELECT state FROM club_match_games WHERE club_match_id = $1 AND board = $2 AND game = $3",
    )
    .bind(key.club_match.as_str())
    .bind(int(key.board.into()))
    .bind(int(key.game.into()))
    .fetch_optional(&mut **tx)
    .await?;
    let state = state.as_deref().map(ClubGameState::from_text).transpose()?;
    Ok(state.is_some_and(|state| states.contains(&state)))
}

async fn set_state(
    tx: &mut Tx,
    key: &ClubGameKey,
    state: ClubGameState,
    skipped: Option<ClubGameSkipped>,
    match_id: Option<&str>,
) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE club_match_games SET state = $4, skipped = $5, match_id = coalesce($6, match_id)
        WHERE club_match_id = $1 AND board = $2 AND game = $3",
    )
    .bind(key.club_match.as_str())
    .bind(int(key.board.into()))
    .bind(int(key.game.into()))
    .bind(state.text())
    .bind(skipped.map(Stored::text))
    .bind(match_id)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Goes on after the end of a game: with the next one of its board, or with the end of the club match.
async fn go_on(tx: &mut Tx, key: &ClubGameKey, now_ms: i64) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE club_match_games SET state = 'ready' WHERE club_match_id = $1 AND board = $2 AND game = $3 AND state = 'waiting'",
    )
    .bind(key.club_match.as_str())
    .bind(int(key.board.into()))
    .bind(int((key.game + 1).into()))
    .execute(&mut **tx)
    .await?;
    sqlx::query(
        "UPDATE club_matches SET state = $2, finished_ms = $3 WHERE id = $1 AND state = $4
            AND NOT EXISTS (SELECT 1 FROM club_match_games WHERE club_match_id = $1 AND state NOT IN ('ended', 'skipped'))",
    )
    .bind(key.club_match.as_str())
    .bind(ClubMatchState::Finished.text())
    .bind(now_ms)
    .bind(ClubMatchState::Running.text())
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Notes the end of a game whose match has ended.
pub(super) async fn end(tx: &mut Tx, key: &ClubGameKey, now_ms: i64) -> Result<bool, StoreError> {
    if !is_in(tx, key, &[ClubGameState::Playing]).await? {
        return Ok(false);
    }
    set_state(tx, key, ClubGameState::Ended, None, None).await?;
    go_on(tx, key, now_ms).await?;
    Ok(true)
}

/// Notes that a ready game is not played.
pub(super) async fn skip(
    tx: &mut Tx,
    key: &ClubGameKey,
    reason: ClubGameSkipped,
    now_ms: i64,
) -> Result<bool, StoreError> {
    if !is_in(tx, key, &[ClubGameState::Ready]).await? {
        return Ok(false);
    }
    set_state(tx, key, ClubGameState::Skipped, Some(reason), None).await?;
    go_on(tx, key, now_ms).await?;
    Ok(true)
}

/// Creates the match of a ready game. The caller commits if it was seated.
pub(super) async fn seat(
    tx: &mut Tx,
    key: &ClubGameKey,
    new: &NewMatch,
    seats: &[WishState],
) -> Result<ClubGameSeated, StoreError> {
    if !is_in(tx, key, &[ClubGameState::Ready]).await? {
        return Ok(ClubGameSeated::NotReady);
    }
    let (first, second) = (&new.players.first, &new.players.second);
    let present: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM players WHERE id IN ($1, $2) AND kind = 'account' AND disabled_ms IS NULL AND deleted_ms IS NULL",
    )
    .bind(first.as_str())
    .bind(second.as_str())
    .fetch_one(&mut **tx)
    .await?;
    if present < 2 {
        return Ok(ClubGameSeated::Absent);
    }
    let players: Vec<PlayerId> = seats.iter().map(|seat| seat.player.clone()).collect();
    let seeks = lock_seeks(tx, &players, None).await?;
    insert_match(tx, new).await?;
    set_state(tx, key, ClubGameState::Playing, None, Some(new.id.as_str())).await?;
    cancel_locked(tx, &seeks, None).await?;
    if !take_seats(tx, seats, &new.id).await? {
        return Ok(ClubGameSeated::Changed);
    }
    let clubs = clubs_of(tx, key).await?;
    let home_side = home_side_of(tx, key).await?;
    let notices = [(first, second, Side::First), (second, first, Side::Second)];
    let notices = notices.map(|(player, other, side)| {
        let theirs = if side == home_side {
            &clubs.away
        } else {
            &clubs.home
        };
        begun(key, new, (player, other), theirs.clone())
    });
    write_all(tx, Vec::from(notices)).await?;
    Ok(ClubGameSeated::Seated)
}

/// Returns the clubs of a club match, as far as they exist.
async fn clubs_of(tx: &mut Tx, key: &ClubGameKey) -> Result<ByClub<Option<ClubRef>>, StoreError> {
    type Columns = (
        Option<String>,
        Option<String>,
        Option<String>,
        Option<String>,
    );
    let (home, home_name, away, away_name): Columns = sqlx::query_as(
        "SELECT h.handle, h.name, a.handle, a.name FROM club_matches c
            LEFT JOIN clubs h ON h.id = c.home_id LEFT JOIN clubs a ON a.id = c.away_id WHERE c.id = $1",
    )
    .bind(key.club_match.as_str())
    .fetch_one(&mut **tx)
    .await?;
    let club = |handle: Option<String>, name: Option<String>| {
        handle
            .zip(name)
            .map(|(handle, name)| ClubRef { handle, name })
    };
    Ok(ByClub {
        home: club(home, home_name),
        away: club(away, away_name),
    })
}

async fn home_side_of(tx: &mut Tx, key: &ClubGameKey) -> Result<Side, StoreError> {
    let side: String = sqlx::query_scalar(
        "SELECT home_side FROM club_match_games WHERE club_match_id = $1 AND board = $2 AND game = $3",
    )
    .bind(key.club_match.as_str())
    .bind(int(key.board.into()))
    .bind(int(key.game.into()))
    .fetch_one(&mut **tx)
    .await?;
    Side::from_text(&side)
}

/// The notice to a player whose match has begun. Its key is the match, so that the room marks it as read when the player comes.
fn begun(
    key: &ClubGameKey,
    new: &NewMatch,
    (player, other): (&PlayerId, &PlayerId),
    club: Option<ClubRef>,
) -> NewNotice {
    let game: GameKind = new.game;
    NewNotice {
        player: player.clone(),
        kind: NoticeKind::ClubMatchBegun,
        by: Some(other.clone()),
        key: new.id.to_string(),
        about: NoticeAbout {
            match_id: Some(new.id.clone()),
            game: Some(game),
            club,
            club_match: Some(key.club_match.clone()),
            ..NoticeAbout::default()
        },
        until_ms: None,
        at_ms: new.created_ms,
    }
}
