//! Rows of club matches that end with something else: a membership, an account, a club.

use mawe_wire::club_matches::ClubMatchState;
use mawe_wire::ids::{ClubId, ClubMatchId, PlayerId};

use super::backend::Tx;
use crate::StoreError;
use crate::rows::Stored;

/// Deletes the sign-ups of a player for a club, whose membership ends. Boards stay: a match that has begun is played to its end.
pub(super) async fn sign_off(
    tx: &mut Tx,
    club: &ClubId,
    player: &PlayerId,
) -> Result<(), StoreError> {
    sqlx::query(
        "DELETE FROM club_match_players WHERE player_id = $2 AND EXISTS (SELECT 1 FROM club_matches c
            WHERE c.id = club_match_players.club_match_id AND $1 = CASE WHEN club_match_players.home THEN c.home_id ELSE c.away_id END)",
    )
    .bind(club.as_str())
    .bind(player.as_str())
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Deletes the sign-up of a player for a club match.
pub(super) async fn delete_entry(
    tx: &mut Tx,
    id: &ClubMatchId,
    player: &PlayerId,
) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM club_match_players WHERE club_match_id = $1 AND player_id = $2")
        .bind(id.as_str())
        .bind(player.as_str())
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Deletes all sign-ups of an account that ends.
pub(super) async fn forget_entries(tx: &mut Tx, player: &PlayerId) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM club_match_players WHERE player_id = $1")
        .bind(player.as_str())
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Ends the part of a club in its club matches, because it is closed: those that have not begun are cancelled, and their entrants get notices
/// by the next steps; running and finished ones stay with the other club. One of which both clubs are closed is deleted; its matches go on as any other.
pub(super) async fn leave_matches(
    tx: &mut Tx,
    club: &ClubId,
    now_ms: i64,
) -> Result<(), StoreError> {
    for sql in [
        "UPDATE club_matches SET state = $2, due_ms = $5 WHERE home_id = $1 AND state IN ($3, $4)",
        "UPDATE club_matches SET state = $2, due_ms = $5 WHERE away_id = $1 AND state IN ($3, $4)",
    ] {
        sqlx::query(sql)
            .bind(club.as_str())
            .bind(ClubMatchState::Cancelled.text())
            .bind(ClubMatchState::Proposed.text())
            .bind(ClubMatchState::Accepted.text())
            .bind(now_ms)
            .execute(&mut **tx)
            .await?;
    }
    for sql in [
        "UPDATE club_matches SET home_name = c.name, home_id = NULL, hidden = hidden OR c.joining = 'invitation'
            FROM clubs c WHERE c.id = $1 AND home_id = c.id AND away_id IS NOT NULL",
        "UPDATE club_matches SET away_name = c.name, away_id = NULL, hidden = hidden OR c.joining = 'invitation'
            FROM clubs c WHERE c.id = $1 AND away_id = c.id AND home_id IS NOT NULL",
    ] {
        sqlx::query(sql)
            .bind(club.as_str())
            .execute(&mut **tx)
            .await?;
    }
    // Only those of which the other club was closed before are left.
    delete_of(tx, club).await
}

macro_rules! delete_statements {
    ($which:literal) => {
        [
            concat!(
                "DELETE FROM club_match_games WHERE club_match_id IN (SELECT id FROM club_matches WHERE ",
                $which,
                ")"
            ),
            concat!(
                "DELETE FROM club_match_boards WHERE club_match_id IN (SELECT id FROM club_matches WHERE ",
                $which,
                ")"
            ),
            concat!(
                "DELETE FROM club_match_players WHERE club_match_id IN (SELECT id FROM club_matches WHERE ",
                $which,
                ")"
            ),
            concat!("DELETE FROM club_matches WHERE ", $which),
        ]
    };
}

async fn delete_of(tx: &mut Tx, club: &ClubId) -> Result<(), StoreError> {
    for sql in delete_statements!("home_id = $1 OR away_id = $1") {
        sqlx::query(sql)
            .bind(club.as_str())
            .execute(&mut **tx)
            .await?;
    }
    Ok(())
}

/// Deletes club matches that a club has proposed, that were not played, and whose start was before `before_ms`.
pub(super) async fn delete_unplayed(
    tx: &mut Tx,
    club: &ClubId,
    before_ms: i64,
) -> Result<(), StoreError> {
    for sql in delete_statements!(
        "home_id = $1 AND state IN ('declined', 'withdrawn', 'cancelled', 'lapsed') AND start_ms < $2"
    ) {
        sqlx::query(sql)
            .bind(club.as_str())
            .bind(before_ms)
            .execute(&mut **tx)
            .await?;
    }
    Ok(())
}
