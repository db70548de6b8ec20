//! Members, officers, requests and invitations: every change of them.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mawe_store::{ClubChange, ClubRefusal, Player};
use mawe_wire::Code;
use mawe_wire::clubs::ClubStanding;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::shared::{change, find, led};
use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::{Body, Path, SignedIn};
use crate::http::lookup;
use crate::live::chat::text::check_line;

/// The longest line of a request to join, in characters.
pub(crate) const MAX_LINE_CHARS: usize = 200;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(join))
        .routes(routes!(leave_or_remove))
        .routes(routes!(accept))
        .routes(routes!(withdraw_or_refuse))
        .routes(routes!(invite))
        .routes(routes!(decline_or_end))
        .routes(routes!(appoint))
        .routes(routes!(dismiss))
}

/// The caller's wish to join.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct JoinRequest {
    /// A line for the officers, at most 200 characters, where they decide; may be left out.
    #[serde(default)]
    line: String,
}

/// The caller's standing.
#[derive(Debug, Serialize, ToSchema)]
struct OwnStanding {
    standing: ClubStanding,
}

/// A player, by name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ClubPlayer {
    /// The player's name.
    player: String,
}

/// Finds a player; returns whether it is the caller.
async fn player(app: &App, me: &SignedIn, name: &str) -> Result<(Player, bool), ApiError> {
    let player = lookup::find(app, name).await?;
    let is_me = player.id == me.player.id;
    Ok((player, is_me))
}

/// Joins a club, or requests to join it.
/// An open club and an invited player: at once. Where officers decide, a request is made, or its line changed. For a member nothing changes.
#[utoipa::path(
    post, path = "/api/v1/clubs/{handle}/members", tag = "clubs", request_body = JoinRequest,
    params(("handle" = String, Path, description = "the club's handle")),
    responses(
        (status = 200, body = OwnStanding),
        (status = 401),
        (status = 403, description = "`account-needed`, `no-bots`, `session-needed`; `club-invitation-needed`: also for a member whom an officer has removed"),
        (status = 404),
        (status = 409, description = "`club-full`"),
        (status = 422, description = "`bad-text`, `too-many-clubs`, `too-many-join-requests`"),
        (status = 429),
    )
)]
async fn join(
    State(app): State<App>,
    me: SignedIn,
    Path(handle): Path<String>,
    Body(wish): Body<JoinRequest>,
) -> Result<Json<OwnStanding>, ApiError> {
    me.check_person()?;
    let line = check_line(&wish.line, MAX_LINE_CHARS)
        .map_err(|advice| ApiError::field(Code::BadText, "line", advice))?;
    let club = find(&app, &handle).await?;
    change(&app, &me, &club, &ClubChange::Join(line)).await?;
    let standing = app.store.club_standing(&club.id, &me.player.id).await?;
    Ok(Json(OwnStanding { standing }))
}

/// Ends a membership: with the caller's own name it is leaving, else an officer removes the member.
/// A removed player returns to an open club by invitation only. The only officer does not leave while there are other members; the last member
/// closes the club by leaving.
#[utoipa::path(
    delete, path = "/api/v1/clubs/{handle}/members/{name}", tag = "clubs",
    params(("handle" = String, Path, description = "the club's handle"), ("name" = String, Path, description = "the member's name")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`officers-only`, `session-needed`"),
        (status = 404),
        (status = 409, description = "`not-a-member`, `last-officer`"),
        (status = 429),
    )
)]
async fn leave_or_remove(
    State(app): State<App>,
    me: SignedIn,
    Path((handle, name)): Path<(String, String)>,
) -> Result<StatusCode, ApiError> {
    let club = find(&app, &handle).await?;
    let what = match player(&app, &me, &name).await? {
        (_, true) => ClubChange::Leave,
        (player, false) => ClubChange::Remove(player.id),
    };
    change(&app, &me, &club, &what).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Accepts a request to join, as an officer. The player gets a notice.
#[utoipa::path(
    post, path = "/api/v1/clubs/{handle}/requests/{name}/accept", tag = "clubs",
    params(("handle" = String, Path, description = "the club's handle"), ("name" = String, Path, description = "the player's name")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`officers-only`, `session-needed`"),
        (status = 404),
        (status = 409, description = "`no-join-request`: it was withdrawn, or answered; `club-full`"),
        (status = 422, description = "`too-many-clubs`: the player belongs to 50; `cannot-invite`: the account is disabled"),
        (status = 429),
    )
)]
async fn accept(
    State(app): State<App>,
    me: SignedIn,
    Path((handle, name)): Path<(String, String)>,
) -> Result<StatusCode, ApiError> {
    let club = led(&app, &handle, &me).await?;
    let (player, _) = player(&app, &me, &name).await?;
    change(&app, &me, &club, &ClubChange::Accept(player.id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends a request to join: with the caller's own name it is withdrawn, else an officer refuses it.
/// The player is not told of a refusal. Withdrawing where there is no request changes nothing.
#[utoipa::path(
    delete, path = "/api/v1/clubs/{handle}/requests/{name}", tag = "clubs",
    params(("handle" = String, Path, description = "the club's handle"), ("name" = String, Path, description = "the player's name")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`officers-only`, `session-needed`"),
        (status = 404),
        (status = 409, description = "`no-join-request`"),
        (status = 429),
    )
)]
async fn withdraw_or_refuse(
    State(app): State<App>,
    me: SignedIn,
    Path((handle, name)): Path<(String, String)>,
) -> Result<StatusCode, ApiError> {
    let club = find(&app, &handle).await?;
    let what = match player(&app, &me, &name).await? {
        (_, true) => ClubChange::Withdraw,
        (player, false) => ClubChange::Refuse(player.id),
    };
    change(&app, &me, &club, &what).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Invites a player, as an officer. The player gets a notice, unless they have blocked the officer: the officer is not told.
/// For a member and for an invited player nothing changes.
#[utoipa::path(
    post, path = "/api/v1/clubs/{handle}/invitations", tag = "clubs", request_body = ClubPlayer,
    params(("handle" = String, Path, description = "the club's handle")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`officers-only`, `session-needed`"),
        (status = 404),
        (status = 422, description = "`yourself`; `cannot-invite`: a guest, a bot, a disabled or deleted account; `too-many-club-invitations`"),
        (status = 429),
    )
)]
async fn invite(
    State(app): State<App>,
    me: SignedIn,
    Path(handle): Path<String>,
    Body(named): Body<ClubPlayer>,
) -> Result<StatusCode, ApiError> {
    let club = led(&app, &handle, &me).await?;
    let player = match player(&app, &me, &named.player).await? {
        (_, true) => {
            let advice = "this is you; name somebody else";
            return Err(ApiError::field(Code::Yourself, "player", advice));
        }
        (player, false) if player.is_computer() => {
            return Err(ApiError::Club(ClubRefusal::NoPerson));
        }
        (player, false) => player,
    };
    change(&app, &me, &club, &ClubChange::Invite(player.id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends an invitation: with the caller's own name it is declined, else an officer takes it back. Without one nothing changes.
#[utoipa::path(
    delete, path = "/api/v1/clubs/{handle}/invitations/{name}", tag = "clubs",
    params(("handle" = String, Path, description = "the club's handle"), ("name" = String, Path, description = "the player's name")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`officers-only`, `session-needed`"),
        (status = 404),
        (status = 429),
    )
)]
async fn decline_or_end(
    State(app): State<App>,
    me: SignedIn,
    Path((handle, name)): Path<(String, String)>,
) -> Result<StatusCode, ApiError> {
    let club = find(&app, &handle).await?;
    let what = match player(&app, &me, &name).await? {
        (_, true) => ClubChange::Decline,
        (player, false) => ClubChange::EndInvitation(player.id),
    };
    change(&app, &me, &club, &what).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Makes a member an officer, as an officer. A club has 10 at most.
#[utoipa::path(
    post, path = "/api/v1/clubs/{handle}/officers", tag = "clubs", request_body = ClubPlayer,
    params(("handle" = String, Path, description = "the club's handle")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`officers-only`, `session-needed`"),
        (status = 404),
        (status = 409, description = "`not-a-member`"),
        (status = 422, description = "`too-many-officers`; `cannot-invite`: the account is disabled"),
        (status = 429),
    )
)]
async fn appoint(
    State(app): State<App>,
    me: SignedIn,
    Path(handle): Path<String>,
    Body(named): Body<ClubPlayer>,
) -> Result<StatusCode, ApiError> {
    let club = led(&app, &handle, &me).await?;
    let (player, _) = player(&app, &me, &named.player).await?;
    change(&app, &me, &club, &ClubChange::Appoint(player.id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Makes an officer a member, as an officer; with the caller's own name it is stepping down, which the only officer does not.
#[utoipa::path(
    delete, path = "/api/v1/clubs/{handle}/officers/{name}", tag = "clubs",
    params(("handle" = String, Path, description = "the club's handle"), ("name" = String, Path, description = "the officer's name")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`officers-only`, `session-needed`"),
        (status = 404),
        (status = 409, description = "`not-a-member`, `last-officer`"),
        (status = 429),
    )
)]
async fn dismiss(
    State(app): State<App>,
    me: SignedIn,
    Path((handle, name)): Path<(String, String)>,
) -> Result<StatusCode, ApiError> {
    let club = led(&app, &handle, &me).await?;
    let (player, _) = player(&app, &me, &name).await?;
    change(&app, &me, &club, &ClubChange::Dismiss(player.id)).await?;
    Ok(StatusCode::NO_CONTENT)
}
