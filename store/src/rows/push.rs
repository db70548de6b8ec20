//! Rows of push subscriptions.

use mawe_wire::Language;
use sqlx_macros::FromRow;

use super::convert::{Stored, token_hash};
use crate::{StoreError, SubscriptionRow};

/// A push subscription.
#[derive(FromRow)]
pub(crate) struct SubscriptionRecord {
    session_hash: Vec<u8>,
    endpoint: String,
    p256dh: Vec<u8>,
    auth: Vec<u8>,
    language: Option<String>,
    created_ms: i64,
}

impl TryFrom<SubscriptionRecord> for SubscriptionRow {
    type Error = StoreError;

    fn try_from(row: SubscriptionRecord) -> Result<Self, StoreError> {
        let language = row.language.as_deref().map(Language::from_text);
        Ok(Self {
            session: token_hash(row.session_hash)?,
            endpoint: row.endpoint,
            p256dh: row.p256dh,
            auth: row.auth,
            language: language.transpose()?,
            created_ms: row.created_ms,
        })
    }
}
