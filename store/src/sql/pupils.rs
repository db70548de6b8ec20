//! Pupils of classes in changes of matches, clubs and accounts: their restrictions, and the end of their rows.

use mawe_wire::clubs::ClassRules;
use mawe_wire::ids::{ClubId, PlayerId};

use super::backend::Tx;
use crate::rows::id as parsed_id;
use crate::{ClubRefusal, StoreError};

/// Whether the class of the pupil `$player` forbids by `$rule`.
macro_rules! class_forbids {
    ($rule:literal, $player:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM pupils q JOIN classes c ON c.club_id = q.club_id WHERE q.player_id = ",
            $player,
            " AND NOT c.",
            $rule,
            ")"
        )
    };
}
pub(super) use class_forbids;

/// Whether the class of the player `$player` hides the profile from the reader `$reader`.
///
/// It is a subquery with a value: for an `EXISTS` beside other conditions Postgres reads the pupils of all classes, and in a join all classes.
macro_rules! profile_hidden {
    ($player:literal, $reader:literal) => {
        concat!(
            "COALESCE((SELECT (SELECT NOT c.profiles FROM classes c WHERE c.club_id = q.club_id)
                AND NOT EXISTS (SELECT 1 FROM club_members m WHERE m.club_id = q.club_id AND m.player_id = ",
            $reader,
            ") FROM pupils q WHERE q.player_id = ",
            $player,
            "), FALSE)"
        )
    };
}
pub(super) use profile_hidden;

/// Whether a class has made an account.
pub(super) async fn is_pupil(
    tx: &mut Tx,
    class: &ClubId,
    player: &PlayerId,
) -> Result<bool, StoreError> {
    let is_pupil = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM pupils WHERE player_id = $1 AND club_id = $2)",
    )
    .bind(player.as_str())
    .bind(class.as_str())
    .fetch_one(&mut **tx)
    .await?;
    Ok(is_pupil)
}

/// Deletes the rows of an account as a pupil; returns the class.
pub(super) async fn forget_pupil(
    tx: &mut Tx,
    player: &PlayerId,
) -> Result<Option<ClubId>, StoreError> {
    sqlx::query("DELETE FROM login_cards WHERE player_id = $1")
        .bind(player.as_str())
        .execute(&mut **tx)
        .await?;
    let class: Option<String> =
        sqlx::query_scalar("DELETE FROM pupils WHERE player_id = $1 RETURNING club_id")
            .bind(player.as_str())
            .fetch_optional(&mut **tx)
            .await?;
    class.map(|class| parsed_id("club id", class)).transpose()
}

/// Makes a new club a class.
pub(super) async fn insert_class(tx: &mut Tx, class: &ClubId) -> Result<(), StoreError> {
    let rules = ClassRules::default();
    sqlx::query(
        "INSERT INTO classes (club_id, outsiders, phrases, spectators, profiles) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(class.as_str())
    .bind(rules.outsiders)
    .bind(rules.phrases)
    .bind(rules.spectators)
    .bind(rules.profiles)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Refuses a match or a challenge between a pupil of a class that plays among itself and a player outside it, other than a computer opponent.
pub(super) async fn check_class(tx: &mut Tx, (one, other): (&str, &str)) -> Result<(), StoreError> {
    let kept_apart: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM pupils q JOIN classes c ON c.club_id = q.club_id
            JOIN players o ON o.id = CASE q.player_id WHEN $1 THEN $2 ELSE $1 END
            WHERE q.player_id IN ($1, $2) AND NOT c.outsiders AND o.level IS NULL
                AND NOT EXISTS (SELECT 1 FROM club_members m WHERE m.club_id = q.club_id AND m.player_id = o.id))",
    )
    .bind(one)
    .bind(other)
    .fetch_one(&mut **tx)
    .await?;
    (!kept_apart)
        .then_some(())
        .ok_or_else(|| ClubRefusal::ClassOnly.into())
}

/// Refuses that a pupil of a class that plays among itself joins another club.
pub(super) async fn check_may_join(
    tx: &mut Tx,
    club: &ClubId,
    player: &PlayerId,
) -> Result<(), StoreError> {
    let kept: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM pupils q JOIN classes c ON c.club_id = q.club_id
            WHERE q.player_id = $1 AND q.club_id <> $2 AND NOT c.outsiders)",
    )
    .bind(player.as_str())
    .bind(club.as_str())
    .fetch_one(&mut **tx)
    .await?;
    (!kept)
        .then_some(())
        .ok_or_else(|| ClubRefusal::ClassOnly.into())
}

/// Refuses to end the account of the only teacher of a class that has pupils.
pub(super) async fn check_not_only_teacher(
    tx: &mut Tx,
    player: &PlayerId,
) -> Result<(), StoreError> {
    let only: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM club_members m WHERE m.player_id = $1 AND m.officer
            AND EXISTS (SELECT 1 FROM pupils q WHERE q.club_id = m.club_id)
            AND NOT EXISTS (SELECT 1 FROM club_members o JOIN players p ON p.id = o.player_id
                WHERE o.club_id = m.club_id AND o.officer AND o.player_id <> $1 AND p.disabled_ms IS NULL))",
    )
    .bind(player.as_str())
    .fetch_one(&mut **tx)
    .await?;
    (!only)
        .then_some(())
        .ok_or_else(|| ClubRefusal::OnlyTeacher.into())
}
