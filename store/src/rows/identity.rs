//! Rows of sessions and tokens.

use mawe_wire::PlayerKind;
use mawe_wire::grants::{Grant, Grants};
use mawe_wire::ids::TokenId;
use mawe_wire::scope::Scopes;
use sqlx_macros::FromRow;

use super::convert::{damaged, id, token_hash};
use super::players::PlayerRecord;
use crate::{Holder, OauthCode, Player, SessionRow, StoreError, TokenRow};

/// A session.
#[derive(FromRow)]
pub(crate) struct SessionRecord {
    token_hash: Vec<u8>,
    label: String,
    created_ms: i64,
    last_used_ms: i64,
    expires_ms: i64,
}

impl TryFrom<SessionRecord> for SessionRow {
    type Error = StoreError;

    fn try_from(row: SessionRecord) -> Result<Self, StoreError> {
        Ok(Self {
            hash: token_hash(row.token_hash)?,
            label: row.label,
            created_ms: row.created_ms,
            last_used_ms: row.last_used_ms,
            expires_ms: row.expires_ms,
        })
    }
}

/// A token, without its hash.
#[derive(FromRow)]
pub(crate) struct TokenRecord {
    id: String,
    name: String,
    scopes: String,
    created_ms: i64,
    expires_ms: i64,
    last_used_ms: Option<i64>,
}

impl TryFrom<TokenRecord> for TokenRow {
    type Error = StoreError;

    fn try_from(row: TokenRecord) -> Result<Self, StoreError> {
        Ok(Self {
            id: id("token id", row.id)?,
            name: row.name,
            scopes: scopes(&row.scopes)?,
            created_ms: row.created_ms,
            expires_ms: row.expires_ms,
            last_used_ms: row.last_used_ms,
        })
    }
}

/// An authorization code.
#[derive(FromRow)]
pub(crate) struct OauthCodeRecord {
    code_hash: Vec<u8>,
    player_id: String,
    client_id: String,
    redirect_uri: String,
    challenge: Vec<u8>,
    scopes: String,
    created_ms: i64,
    used_ms: Option<i64>,
    token_id: Option<String>,
}

/// An authorization code with its use.
pub(crate) struct StoredOauthCode {
    pub(crate) code: OauthCode,
    pub(crate) is_used: bool,
    /// The token that came of it.
    pub(crate) token: Option<TokenId>,
}

impl TryFrom<OauthCodeRecord> for StoredOauthCode {
    type Error = StoreError;

    fn try_from(row: OauthCodeRecord) -> Result<Self, StoreError> {
        let code = OauthCode {
            hash: token_hash(row.code_hash)?,
            player: id("player id", row.player_id)?,
            client_id: row.client_id,
            redirect_uri: row.redirect_uri,
            challenge: token_hash(row.challenge)?,
            scopes: scopes(&row.scopes)?,
            created_ms: row.created_ms,
        };
        let token = row.token_id.map(|token| id("token id", token));
        Ok(Self {
            code,
            is_used: row.used_ms.is_some(),
            token: token.transpose()?,
        })
    }
}

/// A session or a token joined to its player.
#[derive(FromRow)]
pub(crate) struct HolderRecord {
    #[sqlx(flatten)]
    player: PlayerRecord,
    grants: String,
    disabled_ms: Option<i64>,
    scopes: Option<String>,
    last_used_ms: Option<i64>,
    expires_ms: i64,
}

impl TryFrom<HolderRecord> for Holder {
    type Error = StoreError;

    fn try_from(row: HolderRecord) -> Result<Self, StoreError> {
        let player = Player::try_from(row.player)?;
        Ok(Self {
            grants: grants(&row.grants, player.kind)?,
            is_disabled: row.disabled_ms.is_some(),
            player,
            scopes: row.scopes.as_deref().map(scopes).transpose()?,
            last_used_ms: row.last_used_ms,
            expires_ms: row.expires_ms,
        })
    }
}

/// Parses stored grants, and adds [`Grant::Bot`] for a bot account, whose kind stands for it.
pub(super) fn grants(text: &str, kind: PlayerKind) -> Result<Grants, StoreError> {
    let grants: Grants = text.parse().map_err(|_| damaged("grants", text))?;
    Ok(match kind {
        PlayerKind::Bot => grants.with(Grant::Bot),
        PlayerKind::Guest | PlayerKind::Account => grants,
    })
}

/// Parses stored scopes.
fn scopes(text: &str) -> Result<Scopes, StoreError> {
    text.parse().map_err(|_| damaged("scopes", text))
}
