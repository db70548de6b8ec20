//! Rows of passkeys.

use sqlx_macros::FromRow;

use super::convert::{id, number};
use super::players::PlayerRecord;
use crate::{LoginPasskey, PasskeyRow, StoreError};

/// A passkey, without its key.
#[derive(FromRow)]
pub(crate) struct PasskeyRecord {
    id: String,
    credential_id: Vec<u8>,
    name: String,
    transports: i64,
    created_ms: i64,
    last_used_ms: Option<i64>,
}

impl TryFrom<PasskeyRecord> for PasskeyRow {
    type Error = StoreError;

    fn try_from(row: PasskeyRecord) -> Result<Self, StoreError> {
        Ok(Self {
            id: id("passkey id", row.id)?,
            credential_id: row.credential_id,
            name: row.name,
            transports: number("transports", row.transports)?,
            created_ms: row.created_ms,
            last_used_ms: row.last_used_ms,
        })
    }
}

/// A passkey joined to its player.
#[derive(FromRow)]
pub(crate) struct LoginPasskeyRecord {
    #[sqlx(flatten)]
    player: PlayerRecord,
    password_hash: String,
    passkey_id: String,
    public_key: Vec<u8>,
    state: Vec<u8>,
}

impl TryFrom<LoginPasskeyRecord> for LoginPasskey {
    type Error = StoreError;

    fn try_from(row: LoginPasskeyRecord) -> Result<Self, StoreError> {
        Ok(Self {
            id: id("passkey id", row.passkey_id)?,
            player: row.player.try_into()?,
            password_hash: row.password_hash,
            public_key: row.public_key,
            state: row.state,
        })
    }
}
