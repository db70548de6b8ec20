//! Names that are held for their former owners.

use mawe_wire::ids::PlayerId;

use super::backend::Tx;
use crate::StoreError;
use crate::rows::name_key;

/// Checks that a name that a player has just been given is not held for another account, and lets a row of the player's own go. It comes after
/// the write of the name: that one waits for a transaction that gives the same name up, whose row is then seen here.
///
/// # Errors
/// [`StoreError::Conflict`]
pub(super) async fn take_name(
    tx: &mut Tx,
    player: &PlayerId,
    name: &str,
    now_ms: i64,
) -> Result<(), StoreError> {
    let holder: Option<(String, i64)> =
        sqlx::query_as("SELECT player_id, until_ms FROM former_names WHERE name_key = $1")
            .bind(name_key(name))
            .fetch_optional(&mut **tx)
            .await?;
    let Some((holder, until_ms)) = holder else {
        return Ok(());
    };
    if holder != player.as_str() && until_ms > now_ms {
        return Err(StoreError::Conflict);
    }
    sqlx::query("DELETE FROM former_names WHERE name_key = $1")
        .bind(name_key(name))
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Gives the names up that are held for an account.
pub(super) async fn forget_names(tx: &mut Tx, player: &PlayerId) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM former_names WHERE player_id = $1")
        .bind(player.as_str())
        .execute(&mut **tx)
        .await?;
    Ok(())
}
