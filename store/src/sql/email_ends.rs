//! The end of e-mail addresses and of links for a new password, in changes of accounts and passwords.

use mawe_wire::ids::PlayerId;

use super::backend::Tx;
use crate::StoreError;

/// Deletes the link that would set a new password: the password was changed, or the address.
pub(super) async fn delete_reset(tx: &mut Tx, player: &PlayerId) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM password_resets WHERE player_id = $1")
        .bind(player.as_str())
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Deletes the addresses of an account, with its links.
pub(super) async fn delete_email(tx: &mut Tx, player: &PlayerId) -> Result<(), StoreError> {
    for sql in [
        "DELETE FROM emails WHERE player_id = $1",
        "DELETE FROM email_confirmations WHERE player_id = $1",
        "DELETE FROM password_resets WHERE player_id = $1",
    ] {
        sqlx::query(sql)
            .bind(player.as_str())
            .execute(&mut **tx)
            .await?;
    }
    Ok(())
}
