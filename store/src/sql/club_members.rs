//! Members of clubs: entering and leaving, the succession of officers, and the end of an account or of a club.

use std::collections::BTreeSet;

use mawe_wire::NoticeKind;
use mawe_wire::clubs::ClubAction;
use mawe_wire::ids::{ClubId, PlayerId};

use super::backend::{Tx, serialise};
use super::club_match_rows::{forget_entries, leave_matches, sign_off};
use super::notices::delete_about;
use super::pupils::{check_may_join, forget_pupil};
use crate::rows::{Stored, id as parsed_id};
use crate::{CLUB_LOG_ENTRIES, ClubLimits, ClubRefusal, StoreError};

/// Locks the memberships of a player until the commit.
pub(super) async fn lock_player(tx: &mut Tx, player: &PlayerId) -> Result<(), StoreError> {
    serialise(tx, &format!("clubs of {player}")).await
}

/// Locks a club until the commit: after the memberships of players, and before their notices.
pub(super) async fn lock_club(tx: &mut Tx, club: &ClubId) -> Result<(), StoreError> {
    serialise(tx, &format!("club {club}")).await
}

/// Locks the memberships of a player and all clubs that refer to the player, whose account is about to end or to be disabled. Returns the clubs
/// of which the player is a member. Called before the notices and the row of the player are locked: changes of clubs take the locks in this
/// order.
pub(super) async fn lock_clubs_of(
    tx: &mut Tx,
    player: &PlayerId,
) -> Result<Vec<ClubId>, StoreError> {
    lock_player(tx, player).await?;
    let clubs: Vec<String> =
        sqlx::query_scalar("SELECT club_id FROM club_members WHERE player_id = $1 ORDER BY 1")
            .bind(player.as_str())
            .fetch_all(&mut **tx)
            .await?;
    let clubs: Result<BTreeSet<ClubId>, StoreError> = clubs
        .into_iter()
        .map(|club| parsed_id("club id", club))
        .collect();
    let clubs: Vec<ClubId> = clubs?.into_iter().collect();
    for club in &clubs {
        lock_club(tx, club).await?;
    }
    Ok(clubs)
}

/// The key of the notices to a player about a club.
pub(super) fn notice_key(club: &ClubId, player: &PlayerId) -> String {
    format!("{club}-{player}")
}

/// Makes a player a member, and deletes the request, the invitation and the removal of the player. Returns whether a notice was deleted. The
/// caller has locked the player's memberships and the club.
pub(super) async fn enter(
    tx: &mut Tx,
    (club, player): (&ClubId, &PlayerId),
    officer: bool,
    limits: &ClubLimits,
    now_ms: i64,
) -> Result<bool, StoreError> {
    check_person(tx, player).await?;
    check_may_join(tx, club, player).await?;
    let (memberships, members): (i64, i64) = sqlx::query_as(
        "SELECT (SELECT count(*) FROM club_members WHERE player_id = $2), (SELECT members FROM clubs WHERE id = $1)",
    )
    .bind(club.as_str())
    .bind(player.as_str())
    .fetch_one(&mut **tx)
    .await?;
    if memberships >= i64::from(limits.memberships) {
        return Err(ClubRefusal::TooManyMemberships.into());
    }
    if members >= i64::from(limits.members) {
        return Err(ClubRefusal::Full.into());
    }
    sqlx::query(
        "INSERT INTO club_members (club_id, player_id, officer, since_ms) VALUES ($1, $2, $3, $4)",
    )
    .bind(club.as_str())
    .bind(player.as_str())
    .bind(officer)
    .bind(now_ms)
    .execute(&mut **tx)
    .await?;
    sqlx::query("UPDATE clubs SET members = members + 1 WHERE id = $1")
        .bind(club.as_str())
        .execute(&mut **tx)
        .await?;
    for sql in [
        "DELETE FROM club_requests WHERE club_id = $1 AND player_id = $2",
        "DELETE FROM club_invitations WHERE club_id = $1 AND player_id = $2",
        "DELETE FROM club_removals WHERE club_id = $1 AND player_id = $2",
    ] {
        sqlx::query(sql)
            .bind(club.as_str())
            .bind(player.as_str())
            .execute(&mut **tx)
            .await?;
    }
    let key = notice_key(club, player);
    delete_about(tx, player, &key, NoticeKind::ClubInvitation).await
}

/// Refuses a player who is no account of a person, or whose account is disabled or deleted.
pub(super) async fn check_person(tx: &mut Tx, player: &PlayerId) -> Result<(), StoreError> {
    let is_person: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM players WHERE id = $1 AND kind = 'account' AND disabled_ms IS NULL AND deleted_ms IS NULL)",
    )
    .bind(player.as_str())
    .fetch_one(&mut **tx)
    .await?;
    is_person
        .then_some(())
        .ok_or_else(|| ClubRefusal::NoPerson.into())
}

/// Ends a membership; returns whether there was one. The caller calls [`settle`].
pub(super) async fn leave(
    tx: &mut Tx,
    club: &ClubId,
    player: &PlayerId,
) -> Result<bool, StoreError> {
    let left = sqlx::query("DELETE FROM club_members WHERE club_id = $1 AND player_id = $2")
        .bind(club.as_str())
        .bind(player.as_str())
        .execute(&mut **tx)
        .await?;
    if left.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query("UPDATE clubs SET members = members - 1 WHERE id = $1")
        .bind(club.as_str())
        .execute(&mut **tx)
        .await?;
    sign_off(tx, club, player).await?;
    Ok(true)
}

/// Sets whether a member is an officer.
pub(super) async fn set_officer(
    tx: &mut Tx,
    club: &ClubId,
    player: &PlayerId,
    officer: bool,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE club_members SET officer = $3 WHERE club_id = $1 AND player_id = $2")
        .bind(club.as_str())
        .bind(player.as_str())
        .bind(officer)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Closes a club without members. Where no officer can act, the member of longest standing who can becomes the officer in place of all
/// others. A pupil never leads the own class: one without teachers waits for a moderator.
pub(super) async fn settle(tx: &mut Tx, club: &ClubId, now_ms: i64) -> Result<(), StoreError> {
    let is_led: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM club_members m JOIN players p ON p.id = m.player_id
            WHERE m.club_id = $1 AND m.officer AND p.disabled_ms IS NULL)",
    )
    .bind(club.as_str())
    .fetch_one(&mut **tx)
    .await?;
    if is_led {
        return Ok(());
    }
    let heir: Option<(String, Option<i64>)> = sqlx::query_as(
        "SELECT m.player_id, p.disabled_ms FROM club_members m JOIN players p ON p.id = m.player_id
            LEFT JOIN pupils q ON q.player_id = m.player_id AND q.club_id = m.club_id
        WHERE m.club_id = $1 AND q.player_id IS NULL
        ORDER BY CASE WHEN p.disabled_ms IS NULL THEN 0 WHEN m.officer THEN 1 ELSE 2 END, m.since_ms, m.player_id LIMIT 1",
    )
    .bind(club.as_str())
    .fetch_optional(&mut **tx)
    .await?;
    let Some((heir, disabled_ms)) = heir else {
        let has_pupils: bool =
            sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM pupils WHERE club_id = $1)")
                .bind(club.as_str())
                .fetch_one(&mut **tx)
                .await?;
        if !has_pupils {
            close(tx, club, now_ms).await?;
        }
        return Ok(());
    };
    let heir: PlayerId = parsed_id("player id", heir)?;
    if disabled_ms.is_none() {
        sqlx::query("UPDATE club_members SET officer = $2 WHERE club_id = $1 AND officer")
            .bind(club.as_str())
            .bind(false)
            .execute(&mut **tx)
            .await?;
        log(
            tx,
            club,
            None,
            (ClubAction::Succeeded, Some(&heir)),
            "",
            now_ms,
        )
        .await?;
    }
    set_officer(tx, club, &heir, true).await
}

/// Deletes a club with all that belongs to it; the pupils of a class go on with ordinary accounts. Returns the players whose invitations were
/// open.
pub(super) async fn close(
    tx: &mut Tx,
    club: &ClubId,
    now_ms: i64,
) -> Result<Vec<PlayerId>, StoreError> {
    let invited: Vec<String> = sqlx::query_scalar(
        "SELECT player_id FROM club_invitations WHERE club_id = $1 AND NOT hidden ORDER BY player_id",
    )
    .bind(club.as_str())
    .fetch_all(&mut **tx)
    .await?;
    let invited: Result<Vec<PlayerId>, StoreError> = invited
        .into_iter()
        .map(|player| parsed_id("player id", player))
        .collect();
    let invited = invited?;
    for player in &invited {
        let key = notice_key(club, player);
        delete_about(tx, player, &key, NoticeKind::ClubInvitation).await?;
    }
    leave_matches(tx, club, now_ms).await?;
    for sql in [
        "DELETE FROM club_log WHERE club_id = $1",
        "DELETE FROM club_removals WHERE club_id = $1",
        "DELETE FROM club_invitations WHERE club_id = $1",
        "DELETE FROM club_requests WHERE club_id = $1",
        "DELETE FROM club_members WHERE club_id = $1",
        "DELETE FROM login_cards WHERE player_id IN (SELECT player_id FROM pupils WHERE club_id = $1)",
        "DELETE FROM pupils WHERE club_id = $1",
        "DELETE FROM classes WHERE club_id = $1",
        "UPDATE events SET hidden = hidden OR (SELECT joining FROM clubs WHERE id = $1) = 'invitation', club_id = NULL WHERE club_id = $1",
        "DELETE FROM clubs WHERE id = $1",
    ] {
        sqlx::query(sql)
            .bind(club.as_str())
            .execute(&mut **tx)
            .await?;
    }
    Ok(invited)
}

/// Writes an entry of the log, and deletes the one that is too old.
pub(super) async fn log(
    tx: &mut Tx,
    club: &ClubId,
    actor: Option<&PlayerId>,
    (action, about): (ClubAction, Option<&PlayerId>),
    detail: &str,
    now_ms: i64,
) -> Result<(), StoreError> {
    let number: i64 = sqlx::query_scalar(
        "UPDATE clubs SET log_entries = log_entries + 1 WHERE id = $1 RETURNING log_entries",
    )
    .bind(club.as_str())
    .fetch_one(&mut **tx)
    .await?;
    sqlx::query(
        "INSERT INTO club_log (club_id, number, at_ms, actor_id, action, about_id, detail) VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(club.as_str())
    .bind(number)
    .bind(now_ms)
    .bind(actor.map(PlayerId::as_str))
    .bind(action.text())
    .bind(about.map(PlayerId::as_str))
    .bind(detail)
    .execute(&mut **tx)
    .await?;
    sqlx::query("DELETE FROM club_log WHERE club_id = $1 AND number <= $2")
        .bind(club.as_str())
        .bind(number - i64::from(CLUB_LOG_ENTRIES))
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Removes an account from these clubs, which [`lock_clubs_of`] has returned, and deletes its requests, invitations and removals. `by` is the
/// teacher who deletes the account of a pupil.
pub(super) async fn forget(
    tx: &mut Tx,
    player: &PlayerId,
    clubs: &[ClubId],
    by: Option<&PlayerId>,
    now_ms: i64,
) -> Result<(), StoreError> {
    if let Some(class) = forget_pupil(tx, player).await? {
        let deleted = (ClubAction::PupilDeleted, Some(player));
        log(tx, &class, by, deleted, "", now_ms).await?;
    }
    for sql in [
        "DELETE FROM club_requests WHERE player_id = $1",
        "DELETE FROM club_invitations WHERE player_id = $1",
        "DELETE FROM club_removals WHERE player_id = $1",
    ] {
        sqlx::query(sql)
            .bind(player.as_str())
            .execute(&mut **tx)
            .await?;
    }
    forget_entries(tx, player).await?;
    for club in clubs {
        if leave(tx, club, player).await? {
            settle(tx, club, now_ms).await?;
        }
    }
    Ok(())
}
