//! The ends of display names, and those that are held for their former owners.

use mawe_wire::ids::PlayerId;

use super::backend::Tx;
use crate::{DISPLAY_NAMES_IN_PERIOD, NAME_HELD_MS, StoreError};

/// Takes the display name from an account, and holds it for it.
pub(super) async fn give_up(tx: &mut Tx, player: &PlayerId, now_ms: i64) -> Result<(), StoreError> {
    // A row that is there is of a time that is over.
    sqlx::query(
        "INSERT INTO former_display_names (display_key, name, player_id, until_ms)
        SELECT display_key, display_name, id, $2 FROM players WHERE id = $1 AND display_key IS NOT NULL
        ON CONFLICT (display_key) DO UPDATE SET name = excluded.name, player_id = excluded.player_id, until_ms = excluded.until_ms",
    )
    .bind(player.as_str())
    .bind(now_ms.saturating_add(NAME_HELD_MS))
    .execute(&mut **tx)
    .await?;
    sqlx::query(
        "UPDATE players SET display_name = NULL, display_key = NULL, display_find = NULL WHERE id = $1",
    )
    .bind(player.as_str())
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Removes the display name of an account by a decision of a moderator: for the length of a period its owner sets no other.
pub(super) async fn take_display_name(
    tx: &mut Tx,
    player: &PlayerId,
    now_ms: i64,
) -> Result<(), StoreError> {
    give_up(tx, player, now_ms).await?;
    sqlx::query("UPDATE players SET display_since_ms = $2, display_changes = $3 WHERE id = $1")
        .bind(player.as_str())
        .bind(now_ms)
        .bind(i64::from(DISPLAY_NAMES_IN_PERIOD))
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Lets the owner set a display name at once: the decision that removed it was wrong.
pub(super) async fn free_display_name(tx: &mut Tx, player: &PlayerId) -> Result<(), StoreError> {
    sqlx::query("UPDATE players SET display_since_ms = NULL, display_changes = NULL WHERE id = $1")
        .bind(player.as_str())
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Removes all that is stored of display names of an account.
pub(super) async fn forget_display_names(tx: &mut Tx, player: &PlayerId) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE players SET display_name = NULL, display_key = NULL, display_find = NULL, display_since_ms = NULL, display_changes = NULL
        WHERE id = $1",
    )
    .bind(player.as_str())
    .execute(&mut **tx)
    .await?;
    sqlx::query("DELETE FROM former_display_names WHERE player_id = $1")
        .bind(player.as_str())
        .execute(&mut **tx)
        .await?;
    Ok(())
}
