//! Authorization codes of OAuth 2.
//!
//! Each transaction locks the row of the code's player first: of two concurrent exchanges of one code, the second sees the first.

use async_trait::async_trait;
use mawe_wire::ids::{PlayerId, TokenHash, TokenId};

use super::backend::{ALL, Backend, Tx, begin, commit};
use super::tokens::{count_tokens, insert_token, lock_player};
use crate::detached::detached;
use crate::oauth_codes::MAX_OAUTH_CODES;
use crate::rows::{OauthCodeRecord, StoredOauthCode, id, token_hash};
use crate::{NewToken, OauthCode, OauthCodes, OauthRedemption, Redeemed, StoreError};

#[async_trait]
impl OauthCodes for Backend {
    async fn create_oauth_code(
        &self,
        new: &OauthCode,
        max_tokens: u32,
    ) -> Result<bool, StoreError> {
        self.has_space()?;
        let (writer, new) = (self.writer().clone(), new.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            lock_player(&mut tx, &new.player).await?;
            if count_tokens(&mut tx, &new.player, new.created_ms).await? >= i64::from(max_tokens) {
                return Ok(false);
            }
            // With the new one there are as many as there may be.
            sqlx::query(
                "DELETE FROM oauth_codes WHERE code_hash IN (
                    SELECT code_hash FROM oauth_codes WHERE player_id = $1
                    ORDER BY created_ms DESC, code_hash LIMIT $2 OFFSET $3
                )",
            )
            .bind(new.player.as_str())
            .bind(ALL)
            .bind(i64::from(MAX_OAUTH_CODES - 1))
            .execute(&mut *tx)
            .await?;
            sqlx::query(
                "INSERT INTO oauth_codes (code_hash, player_id, client_id, redirect_uri, challenge, scopes, created_ms)
                VALUES ($1, $2, $3, $4, $5, $6, $7)",
            )
            .bind(new.hash.to_vec())
            .bind(new.player.as_str())
            .bind(&new.client_id)
            .bind(&new.redirect_uri)
            .bind(new.challenge.to_vec())
            .bind(new.scopes.to_string())
            .bind(new.created_ms)
            .execute(&mut *tx)
            .await?;
            commit(tx).await?;
            Ok(true)
        })
        .await
    }

    async fn redeem_oauth_code(
        &self,
        redemption: &OauthRedemption,
        max_tokens: u32,
    ) -> Result<Redeemed, StoreError> {
        // A guess costs a read, and no turn of the writer.
        let player: Option<String> =
            sqlx::query_scalar("SELECT player_id FROM oauth_codes WHERE code_hash = $1")
                .bind(redemption.hash.to_vec())
                .fetch_optional(self.reader())
                .await?;
        let Some(player) = player else {
            return Ok(Redeemed::Unknown);
        };
        let player: PlayerId = id("player id", player)?;
        let (writer, redemption) = (self.writer().clone(), redemption.clone());
        detached(async move {
            let mut tx = begin(&writer).await?;
            lock_player(&mut tx, &player).await?;
            let row: Option<OauthCodeRecord> = sqlx::query_as(
                "SELECT code_hash, player_id, client_id, redirect_uri, challenge, scopes, created_ms, used_ms, token_id
                FROM oauth_codes WHERE code_hash = $1",
            )
            .bind(redemption.hash.to_vec())
            .fetch_optional(&mut *tx)
            .await?;
            // It may have given way since.
            let Some(row) = row else {
                return Ok(Redeemed::Unknown);
            };
            let StoredOauthCode {
                code,
                is_used,
                token,
            } = row.try_into()?;
            let redeemed = if is_used {
                Redeemed::UsedBefore(revoke(&mut tx, &code, token).await?)
            } else if code.is_expired(redemption.now_ms) {
                Redeemed::Unknown
            } else if code.is_for(&redemption) {
                let new = token_of(&code, &redemption);
                if !insert_token(&mut tx, &new, max_tokens).await? {
                    // Nothing is written: the code can be presented again.
                    return Ok(Redeemed::TooManyTokens);
                }
                use_up(&mut tx, &redemption, Some(&new.id)).await?;
                Redeemed::Token(code.scopes)
            } else {
                use_up(&mut tx, &redemption, None).await?;
                Redeemed::Mismatch
            };
            commit(tx).await?;
            Ok(redeemed)
        })
        .await
    }
}

fn token_of(code: &OauthCode, redemption: &OauthRedemption) -> NewToken {
    NewToken {
        id: redemption.token.clone(),
        hash: redemption.token_hash,
        player: code.player.clone(),
        name: redemption.token_name.clone(),
        scopes: code.scopes,
        created_ms: redemption.now_ms,
        expires_ms: redemption.expires_ms,
    }
}

/// Notes the first use of a code, with the token that came of it.
async fn use_up(
    tx: &mut Tx,
    redemption: &OauthRedemption,
    token: Option<&TokenId>,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE oauth_codes SET used_ms = $2, token_id = $3 WHERE code_hash = $1")
        .bind(redemption.hash.to_vec())
        .bind(redemption.now_ms)
        .bind(token.map(TokenId::as_str))
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Revokes the token that came of a code; returns its hash, if it still was there.
async fn revoke(
    tx: &mut Tx,
    code: &OauthCode,
    token: Option<TokenId>,
) -> Result<Option<TokenHash>, StoreError> {
    let Some(token) = token else {
        return Ok(None);
    };
    let revoked: Option<Vec<u8>> = sqlx::query_scalar(
        "DELETE FROM tokens WHERE id = $1 AND player_id = $2 RETURNING token_hash",
    )
    .bind(token.as_str())
    .bind(code.player.as_str())
    .fetch_optional(&mut **tx)
    .await?;
    revoked.map(token_hash).transpose()
}

/// Deletes the codes of a player whose sessions end: an access that a stolen session has allowed must not outlive it.
pub(super) async fn delete_codes(tx: &mut Tx, player: &PlayerId) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM oauth_codes WHERE player_id = $1")
        .bind(player.as_str())
        .execute(&mut **tx)
        .await?;
    Ok(())
}
