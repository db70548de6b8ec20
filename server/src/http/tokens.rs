//! Tokens for programs: created, listed and revoked with a session of their owner, never with a token.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use mawe_store::{NewToken, TokenRow};
use mawe_wire::ids::TokenId;
use mawe_wire::scope::{Scope, Scopes};
use mawe_wire::{Code, PlayerKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract::{Body, Path, SignedIn};
use crate::identity::tokens;
use crate::live::view;

/// The most tokens of one account.
pub(crate) const MAX_TOKENS: u32 = 20;

/// The length of a token's name, in characters.
pub(crate) const NAME_CHARS: std::ops::RangeInclusive<usize> = 1..=40;

/// The default lifetime of a token, in days.
pub(crate) const DAYS: u32 = 90;

/// The longest lifetime of a token, in days.
pub(crate) const MAX_DAYS: u32 = 366;

pub(crate) const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(revoke))
}

/// A token to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Wanted {
    /// A name that tells its purpose, 1 to 40 characters.
    name: String,
    /// The scopes; at least one.
    scopes: Vec<Scope>,
    /// The lifetime in days, 1 to 366; 90 by default.
    expires_in_days: Option<u32>,
}

/// A token, without its secret.
#[derive(Debug, Serialize, ToSchema)]
struct TokenView {
    id: TokenId,
    name: String,
    scopes: Vec<Scope>,
    created_at: jiff::Timestamp,
    expires_at: jiff::Timestamp,
    /// Exact to the hour; null before the first use.
    #[schema(required = true)]
    last_used_at: Option<jiff::Timestamp>,
}

/// A new token, with its secret.
#[derive(Debug, Serialize, ToSchema)]
struct NewTokenView {
    /// The secret, which is shown only here and not stored.
    token: String,
    #[serde(flatten)]
    view: TokenView,
}

/// A list of tokens.
#[derive(Debug, Serialize, ToSchema)]
struct TokenList {
    items: Vec<TokenView>,
}

impl TokenView {
    fn from_row(row: TokenRow) -> TokenView {
        TokenView {
            id: row.id,
            name: row.name,
            scopes: row.scopes.iter().collect(),
            created_at: view::timestamp(row.created_ms),
            expires_at: view::timestamp(row.expires_ms),
            last_used_at: row.last_used_ms.map(view::timestamp),
        }
    }
}

/// Lists the caller's tokens that have not expired, newest first; 20 at most.
#[utoipa::path(
    get, path = "/api/v1/me/tokens", tag = "tokens",
    responses(
        (status = 200, body = TokenList),
        (status = 401),
        (status = 403, description = "`session-needed`"),
    )
)]
async fn list(State(app): State<App>, me: SignedIn) -> Result<Json<TokenList>, ApiError> {
    app.used.write(app.store.as_ref()).await?;
    let rows = app.store.tokens_of(&me.player.id, unix_ms()).await?;
    Ok(Json(TokenList {
        items: rows.into_iter().map(TokenView::from_row).collect(),
    }))
}

/// Creates a token.
/// Its secret is in this response only.
#[utoipa::path(
    post, path = "/api/v1/me/tokens", tag = "tokens", request_body = Wanted,
    responses(
        (status = 201, body = NewTokenView),
        (status = 401),
        (status = 403, description = "`account-needed`, `session-needed`"),
        (status = 422, description = "`bad-token-name`, `bad-scopes`, `bad-expiry`, `too-many-tokens`"),
    )
)]
async fn create(
    State(app): State<App>,
    me: SignedIn,
    Body(wanted): Body<Wanted>,
) -> Result<impl IntoResponse, ApiError> {
    if me.player.kind == PlayerKind::Guest {
        return Err(ApiError::AccountOnly);
    }
    let name = wanted.name.trim();
    if !NAME_CHARS.contains(&name.chars().count()) || name.chars().any(char::is_control) {
        let advice = "a token's name has 1 to 40 characters";
        return Err(ApiError::field(Code::BadTokenName, "name", advice));
    }
    let scopes: Scopes = wanted.scopes.into_iter().collect();
    if scopes.is_empty() {
        let advice = "name at least one of read, play, challenge and bot";
        return Err(ApiError::field(Code::BadScopes, "scopes", advice));
    }
    let days = wanted.expires_in_days.unwrap_or(DAYS);
    if !(1..=MAX_DAYS).contains(&days) {
        let advice = "a token is good for 1 to 366 days";
        return Err(ApiError::field(Code::BadExpiry, "expires_in_days", advice));
    }
    let (token, hash) = tokens::draw();
    let now = unix_ms();
    let new = NewToken {
        id: TokenId::random(),
        hash,
        player: me.player.id,
        name: name.to_owned(),
        scopes,
        created_ms: now,
        expires_ms: now + i64::from(days) * DAY_MS,
    };
    if !app.store.create_token(&new, MAX_TOKENS).await? {
        return Err(too_many_tokens());
    }
    let row = TokenRow {
        id: new.id,
        name: new.name,
        scopes: new.scopes,
        created_ms: new.created_ms,
        expires_ms: new.expires_ms,
        last_used_ms: None,
    };
    let view = TokenView::from_row(row);
    // The response has a secret, so no cache may keep it.
    let headers = [(header::CACHE_CONTROL, "no-store")];
    Ok((
        StatusCode::CREATED,
        headers,
        Json(NewTokenView { token, view }),
    ))
}

/// Returns the error for an account with as many tokens as possible.
pub(crate) fn too_many_tokens() -> ApiError {
    let advice = "an account has 20 tokens at most: revoke one first";
    ApiError::field(Code::TooManyTokens, "", advice)
}

/// Revokes a token at once and closes its sockets.
#[utoipa::path(
    delete, path = "/api/v1/me/tokens/{id}", tag = "tokens", params(("id" = TokenId, Path, description = "the token's id")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`session-needed`"),
        (status = 404, description = "also for somebody else's"),
    )
)]
async fn revoke(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<TokenId>,
) -> Result<StatusCode, ApiError> {
    let hash = app.store.delete_token(&me.player.id, &id).await?;
    let hash = hash.ok_or(ApiError::NotFound("token"))?;
    app.sockets.end_session(&hash);
    Ok(StatusCode::NO_CONTENT)
}
