//! Founding, showing, changing and closing clubs.

use std::ops::RangeInclusive;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mawe_store::{CLUB_LIMITS, ClubChange, ClubEdit, ClubName, ClubRefusal, NewClub};
use mawe_wire::Code;
use mawe_wire::clubs::{ClassRulesEdition, ClubKind, ClubTexts, Joining};
use mawe_wire::grants::Grant;
use mawe_wire::ids::ClubId;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::pupils::delete_all;
use super::shared::{ClubView, change, checked_texts, find, led, shown};
use crate::app::App;
use crate::clock::unix_ms;
use crate::http::credentials::check_own_password;
use crate::http::error::ApiError;
use crate::http::extract::{Body, Path, SignedIn, Visitor};
use crate::http::recoveries::OwnPassword;
use crate::http::reports::prose;
use crate::identity::display_names::{self, NameFault};
use crate::identity::refused_names::RefusedNames;
use crate::live::chat::text::check_line;

/// The length of the name of a club, in characters.
pub(crate) const NAME_CHARS: RangeInclusive<usize> = 3..=40;

/// The longest description in one language, in characters.
pub(crate) const MAX_DESCRIPTION_CHARS: usize = 2_000;

/// The longest line at the top of the page of a club, in characters.
pub(crate) const MAX_BANNER_CHARS: usize = 200;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(found))
        .routes(routes!(one, edit, close))
}

/// A club to found.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ClubFounding {
    /// The name in addresses: as the name of an account.
    handle: String,
    /// The name: 3 to 40 letters of one script, digits, single spaces and `- ' . , & ! +`.
    name: String,
    /// The kind; a club by default. A class needs the grant `teacher`.
    #[serde(default)]
    kind: Option<ClubKind>,
    /// The way to join; by request if it is left out. A class is always joined by invitation.
    joining: Option<Joining>,
    /// The description, at most 2,000 characters in each language; may be left out.
    #[serde(default)]
    description: ClubTexts,
    /// The line at the top of the page, at most 200 characters; may be left out.
    #[serde(default)]
    banner: String,
}

/// The data of a club to change; those left out stay as they are.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ClubEdition {
    /// The name.
    name: Option<String>,
    joining: Option<Joining>,
    /// The description in the languages to change; an empty text deletes it.
    #[serde(default)]
    description: ClubTexts,
    /// The line at the top of the page; empty for none.
    banner: Option<String>,
    /// The rules of a class; a club of another kind has none.
    rules: Option<ClassRulesEdition>,
}

pub(super) fn checked_name(name: &str, refused: &RefusedNames) -> Result<ClubName, ApiError> {
    let fault = |fault: NameFault| ApiError::field(Code::BadName, "name", fault.to_string());
    let name = display_names::check(name, NAME_CHARS).map_err(fault)?;
    refused.check(&name.text).map_err(fault)?;
    Ok(ClubName {
        text: name.text,
        key: name.key,
    })
}

pub(super) fn checked_banner(banner: &str) -> Result<String, ApiError> {
    check_line(banner, MAX_BANNER_CHARS)
        .map_err(|advice| ApiError::field(Code::BadText, "banner", advice))
}

pub(super) fn checked_description(texts: ClubTexts) -> Result<ClubTexts, ApiError> {
    checked_texts(texts, |field, text| {
        prose(field, text, MAX_DESCRIPTION_CHARS)
    })
}

/// Refuses a class without invitations.
fn check_joining(kind: ClubKind, joining: Option<Joining>) -> Result<(), ApiError> {
    if kind == ClubKind::Class && joining.is_some_and(Joining::is_public) {
        let advice = "a class is joined by invitation; leave joining out";
        return Err(ApiError::field(Code::BadTerms, "joining", advice));
    }
    Ok(())
}

/// Founds a club, with the caller as its officer.
/// An account has founded 5 clubs that exist at most, and belongs to 50.
#[utoipa::path(
    post, path = "/api/v1/clubs", tag = "clubs", request_body = ClubFounding,
    responses(
        (status = 201, body = ClubView),
        (status = 401),
        (status = 403, description = "`account-needed`, `no-bots`, `session-needed`; `teachers-only`: a class without the grant; `class-only`: by a pupil"),
        (status = 409, description = "`name-taken`, with the `field`: the handle, or a name that looks like this one"),
        (status = 422, description = "`bad-name`, `bad-terms`, `bad-text`, `too-many-clubs`"),
        (status = 429),
    )
)]
async fn found(
    State(app): State<App>,
    me: SignedIn,
    Body(new): Body<ClubFounding>,
) -> Result<(StatusCode, Json<ClubView>), ApiError> {
    me.check_person()?;
    let kind = new.kind.unwrap_or(ClubKind::Club);
    if kind == ClubKind::Class && !me.grants.has(Grant::Teacher) {
        return Err(ApiError::TeachersOnly);
    }
    check_joining(kind, new.joining)?;
    let joining = match kind {
        ClubKind::Club => new.joining.unwrap_or(Joining::Request),
        ClubKind::Class => Joining::Invitation,
    };
    let refused = &app.settings.refused_names;
    let checked = refused.check_name(&new.handle);
    checked.map_err(|advice| ApiError::field(Code::BadName, "handle", advice))?;
    let new = NewClub {
        id: ClubId::random(),
        kind,
        name: checked_name(&new.name, refused)?,
        handle: new.handle,
        joining,
        descriptions: checked_description(new.description)?,
        banner: checked_banner(&new.banner)?,
        founder: me.player.id.clone(),
        created_ms: unix_ms(),
    };
    app.limits.club(&me.player.id)?;
    app.store.found_club(&new, &CLUB_LIMITS).await?;
    let club = find(&app, &new.handle).await?;
    let view = shown(&app, club, Some(&me)).await?;
    Ok((StatusCode::CREATED, Json(view)))
}

/// Returns a club, by its handle without regard to case.
#[utoipa::path(
    get, path = "/api/v1/clubs/{handle}", tag = "clubs", params(("handle" = String, Path, description = "the club's handle")),
    responses(
        (status = 200, body = ClubView),
        (status = 404),
    )
)]
async fn one(
    State(app): State<App>,
    Visitor(reader): Visitor,
    Path(handle): Path<String>,
) -> Result<Json<ClubView>, ApiError> {
    let club = find(&app, &handle).await?;
    Ok(Json(shown(&app, club, reader.as_ref()).await?))
}

/// Changes a club, as one of its officers.
#[utoipa::path(
    patch, path = "/api/v1/clubs/{handle}", tag = "clubs", request_body = ClubEdition,
    params(("handle" = String, Path, description = "the club's handle")),
    responses(
        (status = 200, body = ClubView),
        (status = 401),
        (status = 403, description = "`officers-only`, `session-needed`"),
        (status = 404),
        (status = 409, description = "`name-taken`"),
        (status = 422, description = "`bad-name`, `bad-terms`, `bad-text`"),
        (status = 429),
    )
)]
async fn edit(
    State(app): State<App>,
    me: SignedIn,
    Path(handle): Path<String>,
    Body(new): Body<ClubEdition>,
) -> Result<Json<ClubView>, ApiError> {
    let club = led(&app, &handle, &me).await?;
    let refused = &app.settings.refused_names;
    let name = new.name.as_deref().map(|name| checked_name(name, refused));
    let edit = ClubEdit {
        name: name.transpose()?,
        joining: new.joining,
        descriptions: checked_description(new.description)?,
        banner: new.banner.as_deref().map(checked_banner).transpose()?,
    };
    check_joining(club.kind, edit.joining)?;
    if let Some(rules) = new.rules {
        if club.kind != ClubKind::Class {
            let advice = "only a class has rules";
            return Err(ApiError::field(Code::BadTerms, "rules", advice));
        }
        app.limits.club_change(&me.player.id)?;
        let changed = app
            .store
            .change_class_rules(&club.id, &me.player.id, &rules, unix_ms());
        changed.await?;
    }
    if edit != ClubEdit::default() {
        change(&app, &me, &club, &ClubChange::Edit(edit)).await?;
    }
    let club = find(&app, &handle).await?;
    Ok(Json(shown(&app, club, Some(&me)).await?))
}

/// Closes a club for good, as its only officer.
/// With a class the accounts of all its pupils are deleted. If that breaks off, it can be repeated.
#[utoipa::path(
    delete, path = "/api/v1/clubs/{handle}", tag = "clubs", request_body = OwnPassword,
    params(("handle" = String, Path, description = "the club's handle")),
    responses(
        (status = 204),
        (status = 401, description = "`sign-in-first`; `wrong-credentials` for a wrong password"),
        (status = 403, description = "`officers-only`, `session-needed`"),
        (status = 404),
        (status = 409, description = "`other-officers`; of a class `matches-running`, `class-has-pupils`: one was added meanwhile"),
        (status = 429),
    )
)]
async fn close(
    State(app): State<App>,
    me: SignedIn,
    Path(handle): Path<String>,
    Body(given): Body<OwnPassword>,
) -> Result<StatusCode, ApiError> {
    let club = led(&app, &handle, &me).await?;
    if app.store.club_officers(&club.id).await?.len() > 1 {
        return Err(ApiError::Club(ClubRefusal::OtherOfficers));
    }
    check_own_password(&app, &me, given.password).await?;
    if club.kind == ClubKind::Class {
        delete_all(&app, &me, &club).await?;
    }
    change(&app, &me, &club, &ClubChange::Close).await?;
    Ok(StatusCode::NO_CONTENT)
}
