//! Authorization codes of OAuth 2: a person allows a program an access, and the program exchanges the code for a token, once.
//!
//! A code is bound to the client, to the address to which it was sent, and to a challenge (RFC 7636) whose verifier only the program knows.

use async_trait::async_trait;
use mawe_wire::ids::{PlayerId, TokenHash, TokenId};
use mawe_wire::scope::Scopes;
use subtle::ConstantTimeEq;

use crate::StoreError;

/// The time for which a code is valid.
pub const OAUTH_CODE_MS: i64 = 5 * 60 * 1_000;

/// The most codes of one player; the oldest give way.
pub const MAX_OAUTH_CODES: u32 = 10;

/// Authorization codes.
#[async_trait]
pub trait OauthCodes: Send + Sync {
    /// Stores a code. Returns `false`, and stores nothing, when the player has `max_tokens` tokens that have not expired: no token could come
    /// of the code.
    async fn create_oauth_code(&self, new: &OauthCode, max_tokens: u32)
    -> Result<bool, StoreError>;

    /// Exchanges a code for a token, in one transaction. The first use counts, whether a token comes of it or not, but for
    /// [`Redeemed::TooManyTokens`]. A later one revokes the token that came of the first (RFC 6749, 4.1.2), as long as the code is stored.
    async fn redeem_oauth_code(
        &self,
        redemption: &OauthRedemption,
        max_tokens: u32,
    ) -> Result<Redeemed, StoreError>;
}

/// An authorization code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OauthCode {
    /// Its SHA-256.
    pub hash: TokenHash,
    /// The player who has allowed the access.
    pub player: PlayerId,
    /// The program, by its own word.
    pub client_id: String,
    /// The address to which the code is sent.
    pub redirect_uri: String,
    /// The SHA-256 of the program's verifier.
    pub challenge: [u8; 32],
    /// The scopes of the token.
    pub scopes: Scopes,
    /// The time of creation.
    pub created_ms: i64,
}

/// A request to exchange a code for a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OauthRedemption {
    /// The SHA-256 of the presented code.
    pub hash: TokenHash,
    /// The client that presents it.
    pub client_id: String,
    /// The address to which the client says the code was sent.
    pub redirect_uri: String,
    /// The SHA-256 of the presented verifier.
    pub challenge: [u8; 32],
    /// The id of the new token.
    pub token: TokenId,
    /// The SHA-256 of the new token.
    pub token_hash: TokenHash,
    /// The name of the new token.
    pub token_name: String,
    /// The time of the request, at which the token is created.
    pub now_ms: i64,
    /// The time of expiry of the token.
    pub expires_ms: i64,
}

/// The result of an exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Redeemed {
    /// The token was created, with these scopes.
    Token(Scopes),
    /// No such code is stored, or it has expired.
    Unknown,
    /// The client, the address or the verifier is not that of the code, which is used up by this.
    Mismatch,
    /// The code was used before. The hash is that of the token that came of it and is revoked by this, if it still was there.
    UsedBefore(Option<TokenHash>),
    /// The player has as many tokens as possible; the code stays valid.
    TooManyTokens,
}

impl OauthCode {
    /// Returns whether a request is from the client to which the code was given.
    pub(crate) fn is_for(&self, redemption: &OauthRedemption) -> bool {
        // In constant time: the time of an answer must not tell how much of a guess is right.
        let is_proved = self.challenge.ct_eq(&redemption.challenge);
        bool::from(is_proved)
            && self.client_id == redemption.client_id
            && self.redirect_uri == redemption.redirect_uri
    }

    /// Returns whether the code has expired.
    pub(crate) fn is_expired(&self, now_ms: i64) -> bool {
        now_ms >= self.created_ms.saturating_add(OAUTH_CODE_MS)
    }
}
