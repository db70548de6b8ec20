//! Invitations to register: their authors make, see and revoke them. `docs/decisions/0026-a-server-for-one-house.md` says why this is a
//! change by the operator over the network.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use mawe_store::{Attribution, InvitationCursor, InvitationRow, NewInvitation as Stored};
use mawe_wire::Code;
use mawe_wire::ids::InvitationId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract::{Body, Inviter, Path, Query};
use crate::http::origin;
use crate::http::paging::{ListQuery, cut, page_size, parts};
use crate::identity::invitations::{self, Wanted, WantedError};
use crate::live::view;

pub(crate) use crate::identity::invitations::{MAX_DAYS, MAX_USES, NOTE_CHARS};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(revoke))
}

/// An invitation to make.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewInvitation {
    /// The number of accounts that it makes, 1 to 500; 1 by default.
    uses: Option<u32>,
    /// The number of days in which it can be used, 1 to 365; 14 by default.
    days: Option<u32>,
    /// The author's note on its purpose, at most 80 characters.
    note: Option<String>,
}

/// An invitation, without its code.
#[derive(Debug, Serialize, ToSchema)]
struct InvitationView {
    id: InvitationId,
    /// The author's note on its purpose; may be empty.
    note: String,
    /// The number of accounts that it makes.
    uses: u32,
    /// The number of accounts that it has made.
    used: u32,
    /// Whether it makes accounts now: it is neither used up nor expired nor revoked.
    open: bool,
    /// The name of its author; null for the operator at the console.
    #[schema(required = true)]
    created_by: Option<String>,
    created_at: jiff::Timestamp,
    /// The time from which it makes no account.
    expires_at: jiff::Timestamp,
    /// The time at which it was revoked; null if it is not.
    #[schema(required = true)]
    revoked_at: Option<jiff::Timestamp>,
}

impl From<InvitationRow> for InvitationView {
    fn from(row: InvitationRow) -> InvitationView {
        InvitationView {
            open: row.is_open(unix_ms()),
            id: row.id,
            note: row.note,
            uses: row.uses,
            used: row.used,
            created_by: row.created_by,
            created_at: view::timestamp(row.created_ms),
            expires_at: view::timestamp(row.expires_ms),
            revoked_at: row.revoked_ms.map(view::timestamp),
        }
    }
}

/// A new invitation, with its code.
#[derive(Debug, Serialize, ToSchema)]
struct MadeInvitation {
    id: InvitationId,
    /// The code, which is shown only here and not stored.
    code: String,
    /// The address of the form for a new account with the code filled in; a path where the server does not know its own origin.
    link: String,
    /// The number of accounts that it makes.
    uses: u32,
    /// The time from which it makes no account.
    expires_at: jiff::Timestamp,
}

/// A page of invitations.
#[derive(Debug, Serialize, ToSchema)]
struct InvitationPage {
    /// The latest first.
    items: Vec<InvitationView>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// Lists the invitations, without their codes. They stay for 30 days after their expiry.
#[utoipa::path(
    get, path = "/api/v1/invitations", tag = "operator", params(ListQuery),
    responses(
        (status = 200, body = InvitationPage),
        (status = 401),
        (status = 403, description = "`operators-only`: for accounts with the grant `operator` or `admin`; `log-in-again`, `session-needed`"),
        (status = 422),
    )
)]
async fn list(
    State(app): State<App>,
    _: Inviter,
    Query(query): Query<ListQuery>,
) -> Result<Json<InvitationPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let after = parts(query.cursor.as_deref())?;
    let after = after.map(|(created_ms, id)| InvitationCursor { created_ms, id });
    let mut rows = app.store.invitations(after.as_ref(), limit + 1).await?;
    let next = cut(&mut rows, limit, |row| {
        format!("{}.{}", row.created_ms, row.id)
    });
    let items = rows.into_iter().map(InvitationView::from).collect();
    Ok(Json(InvitationPage { items, next }))
}

/// Makes an invitation. Its code is in this response only.
/// It makes accounts where the server asks for invitations (`site.registration` of `GET /me` is `invite`).
#[utoipa::path(
    post, path = "/api/v1/invitations", tag = "operator", request_body = NewInvitation,
    responses(
        (status = 201, body = MadeInvitation),
        (status = 401),
        (status = 403, description = "`operators-only`: for accounts with the grant `operator` or `admin`; `log-in-again`, `session-needed`"),
        (status = 422, description = "`bad-field`; `bad-text` for the note; `too-many-invitations`: 500 have not expired"),
        (status = 429),
    )
)]
async fn create(
    State(app): State<App>,
    Inviter(me): Inviter,
    headers: HeaderMap,
    Body(new): Body<NewInvitation>,
) -> Result<(StatusCode, Json<MadeInvitation>), ApiError> {
    let now = unix_ms();
    let wanted = Wanted {
        uses: new.uses,
        days: new.days,
        note: new.note.unwrap_or_default(),
    };
    let (code, stored) = invitations::draw(wanted, now).map_err(refused)?;
    let attribution = attribution(&me.player.id, now);
    let made = app
        .store
        .create_invitation(&stored, invitations::MAX_INVITATIONS, &attribution);
    if !made.await? {
        let advice =
            "500 invitations have not expired; let one of them make more accounts, or wait";
        return Err(ApiError::field(Code::TooManyInvitations, "", advice));
    }
    let Stored {
        id,
        uses,
        expires_ms,
        ..
    } = stored;
    let origin = origin::of_links(&headers, app.settings.origin.as_deref());
    let made = MadeInvitation {
        id,
        link: origin.unwrap_or_default() + &invitations::path(&code),
        code,
        uses,
        expires_at: view::timestamp(expires_ms),
    };
    Ok((StatusCode::CREATED, Json(made)))
}

fn refused(error: WantedError) -> ApiError {
    let (code, field) = match error {
        WantedError::Uses => (Code::BadField, "uses"),
        WantedError::Days => (Code::BadField, "days"),
        WantedError::Note => (Code::BadText, "note"),
    };
    ApiError::field(code, field, error.to_string())
}

fn attribution(by: &mawe_wire::ids::PlayerId, at_ms: i64) -> Attribution {
    Attribution {
        by: Some(by.clone()),
        why: String::new(),
        at_ms,
    }
}

/// Revokes an invitation: it makes no further account.
/// The accounts that it has made stay. A repeated request changes nothing.
#[utoipa::path(
    delete, path = "/api/v1/invitations/{id}", tag = "operator", params(("id" = InvitationId, Path, description = "the invitation's id")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`operators-only`: for accounts with the grant `operator` or `admin`; `log-in-again`, `session-needed`"),
        (status = 404),
    )
)]
async fn revoke(
    State(app): State<App>,
    Inviter(me): Inviter,
    Path(id): Path<InvitationId>,
) -> Result<StatusCode, ApiError> {
    let attribution = attribution(&me.player.id, unix_ms());
    app.store.revoke_invitation(&id, &attribution).await?;
    Ok(StatusCode::NO_CONTENT)
}
