//! The caller's own sessions, and the password.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use mawe_store::SessionRow;
use mawe_wire::ids::TokenHash;
use mawe_wire::{Code, PlayerKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::accounts::{cookies, remember_device};
use crate::http::credentials::check_own_password;
use crate::http::error::ApiError;
use crate::http::extract::{Body, Path, SignedIn};
use crate::identity::devices::GivenMarks;
use crate::identity::passwords::check_password;
use crate::identity::sessions;
use crate::live::view;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, end_others))
        .routes(routes!(end))
        .routes(routes!(change_password))
}

/// A session: one browser that is logged in.
#[derive(Debug, Serialize, ToSchema)]
struct SessionView {
    id: String,
    /// Browser and system, as far as the browser names them; may be empty.
    label: String,
    created_at: jiff::Timestamp,
    /// Exact to the hour.
    last_used_at: jiff::Timestamp,
    expires_at: jiff::Timestamp,
    /// Whether it is the session of this request.
    current: bool,
}

/// A list of sessions.
#[derive(Debug, Serialize, ToSchema)]
struct SessionList {
    items: Vec<SessionView>,
}

/// A new password.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PasswordChange {
    /// The old password.
    old: String,
    /// The new one, 8 to 200 characters.
    new: String,
    /// Whether to revoke all tokens as well; false by default.
    #[serde(default)]
    end_tokens: bool,
}

impl SessionView {
    fn from_row(row: SessionRow, current: &TokenHash) -> SessionView {
        SessionView {
            id: sessions::id(&row.hash),
            label: row.label,
            created_at: view::timestamp(row.created_ms),
            last_used_at: view::timestamp(row.last_used_ms),
            expires_at: view::timestamp(row.expires_ms),
            current: row.hash == *current,
        }
    }
}

/// Lists the caller's sessions, most recently used first; 50 at most.
#[utoipa::path(
    get, path = "/api/v1/me/sessions", tag = "accounts",
    responses(
        (status = 200, body = SessionList),
        (status = 401),
        (status = 403, description = "`session-needed`"),
    )
)]
async fn list(State(app): State<App>, me: SignedIn) -> Result<Json<SessionList>, ApiError> {
    app.used.write(app.store.as_ref()).await?;
    let rows = app.store.sessions_of(&me.player.id, unix_ms()).await?;
    let items = rows.into_iter();
    Ok(Json(SessionList {
        items: items
            .map(|row| SessionView::from_row(row, &me.session))
            .collect(),
    }))
}

/// Ends one of the caller's sessions and closes its sockets.
#[utoipa::path(
    delete, path = "/api/v1/me/sessions/{id}", tag = "accounts", params(("id" = String, Path, description = "the session's id")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`session-needed`"),
        (status = 404, description = "also for somebody else's"),
    )
)]
async fn end(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<String>,
) -> Result<(StatusCode, HeaderMap), ApiError> {
    let rows = app.store.sessions_of(&me.player.id, unix_ms()).await?;
    let mut hashes = rows.into_iter().map(|row| row.hash);
    let hash = hashes.find(|hash| sessions::id(hash) == id);
    let hash = hash.ok_or(ApiError::NotFound("session"))?;
    app.store.delete_session(&hash).await?;
    app.sockets.end_session(&hash);
    let headers = if hash == me.session {
        cookies(&sessions::clear_cookies(app.settings.is_secure()))
    } else {
        HeaderMap::new()
    };
    Ok((StatusCode::NO_CONTENT, headers))
}

/// Ends all of the caller's sessions except the one of this request.
#[utoipa::path(
    delete, path = "/api/v1/me/sessions", tag = "accounts",
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`session-needed`"),
    )
)]
async fn end_others(State(app): State<App>, me: SignedIn) -> Result<StatusCode, ApiError> {
    let store = app.store.as_ref();
    let ended = store
        .delete_other_sessions(&me.player.id, &me.session)
        .await?;
    close_sockets(&app, &ended);
    Ok(StatusCode::NO_CONTENT)
}

/// Changes the caller's password and ends all other sessions.
/// With `end_tokens` it also revokes all tokens, otherwise none. The sockets of ended sessions and tokens are closed.
#[utoipa::path(
    post, path = "/api/v1/me/password", tag = "accounts", request_body = PasswordChange,
    responses(
        (status = 204),
        (status = 401, description = "`sign-in-first`; `wrong-credentials` for a wrong old password"),
        (status = 403, description = "`account-needed`, `session-needed`"),
        (status = 422, description = "`weak-password`"),
        (status = 429),
    )
)]
async fn change_password(
    State(app): State<App>,
    marks: GivenMarks,
    me: SignedIn,
    Body(change): Body<PasswordChange>,
) -> Result<impl IntoResponse, ApiError> {
    if me.player.kind == PlayerKind::Guest {
        return Err(ApiError::AccountOnly);
    }
    check_password(&change.new, &me.player.name)
        .map_err(|advice| ApiError::field(Code::WeakPassword, "new", advice))?;
    check_own_password(&app, &me, change.old).await?;
    let (player, end_tokens) = (&me.player.id, change.end_tokens);
    let password_hash = app.passwords.hash(change.new).await?;
    let ended = app
        .store
        .change_password(player, &password_hash, &me.session, end_tokens)
        .await?;
    close_sockets(&app, &ended);
    // Devices are known by the password hash, so none is known any more; this one becomes known by the new hash.
    let device = remember_device(&app, &marks, player, &password_hash);
    Ok((StatusCode::NO_CONTENT, device))
}

/// Closes the sockets of ended sessions and tokens.
pub(crate) fn close_sockets(app: &App, ended: &[TokenHash]) {
    for hash in ended {
        app.sockets.end_session(hash);
    }
}
