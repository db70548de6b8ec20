//! Names that look alike, of whatever kind: names in addresses and display names, present ones and held ones.

use mawe_wire::ids::PlayerId;

use super::backend::{Tx, serialise};
use crate::StoreError;
use crate::rows::name_look;

/// The look of the name whose key is in `name_key`, as [`name_look`] computes it and as the indexes have it.
macro_rules! look {
    () => {
        "replace(replace(replace(replace(replace(replace(name_key, '-', ''), '_', ''), '0', 'o'), '1', 'l'), 'i', 'l'), 'm', 'rn')"
    };
}

pub(super) use look;

/// Checks that a new name of an account looks like no name of another player. A change of the name that leaves its look is always permitted: older
/// names may look alike.
///
/// # Errors
/// [`StoreError::LooksAlike`]
pub(super) async fn take_look(
    tx: &mut Tx,
    player: &PlayerId,
    (old, new): (Option<&str>, &str),
    now_ms: i64,
) -> Result<(), StoreError> {
    let look = name_look(new);
    if old.is_some_and(|old| name_look(old) == look) {
        return Ok(());
    }
    check_look(tx, player, &look, now_ms).await
}

/// Checks that no other player has a name that looks so, nor holds one. Changes to names of one look take turns until the commit, so two
/// players never get it at once. The caller has locked the row of the player.
///
/// # Errors
/// [`StoreError::LooksAlike`]
pub(super) async fn check_look(
    tx: &mut Tx,
    player: &PlayerId,
    look: &str,
    now_ms: i64,
) -> Result<(), StoreError> {
    serialise(tx, &format!("look of a name: {look}")).await?;
    let taken: bool = sqlx::query_scalar(concat!(
        "SELECT EXISTS (SELECT 1 FROM players WHERE display_key = $1 AND id <> $2)
            OR EXISTS (SELECT 1 FROM players WHERE ",
        look!(),
        " = $1 AND kind <> 'guest' AND id <> $2)
            OR EXISTS (SELECT 1 FROM former_names WHERE ",
        look!(),
        " = $1 AND player_id <> $2 AND until_ms > $3)
            OR EXISTS (SELECT 1 FROM former_display_names WHERE display_key = $1 AND player_id <> $2 AND until_ms > $3)"
    ))
    .bind(look)
    .bind(player.as_str())
    .bind(now_ms)
    .fetch_one(&mut **tx)
    .await?;
    (!taken).then_some(()).ok_or(StoreError::LooksAlike)
}
