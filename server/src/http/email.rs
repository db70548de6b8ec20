//! The e-mail address of an account: its owner sets it, confirms it by a link, and removes it.
//!
//! While the server sends no mail, nothing is set or confirmed, and the owner of a stored address still sees and removes it.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use mawe_store::{CONFIRMATION_MS, ClubRefusal, OwnEmail};
use mawe_wire::Code;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::catalogues::language;
use crate::http::credentials::check_own_password;
use crate::http::error::ApiError;
use crate::http::extract::{Body, From, SignedIn};
use crate::http::mails::{self, Recipient};
use crate::http::recoveries::OwnPassword;
use crate::identity::email_addresses;
use crate::live::view;
use crate::mail::Mailer;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(own, set, remove))
        .routes(routes!(confirm))
}

/// The e-mail addresses of the caller's account.
#[derive(Debug, Serialize, ToSchema)]
struct OwnEmailView {
    /// The confirmed address, to which links for a new password go; null without one.
    #[schema(required = true)]
    address: Option<String>,
    /// The time of its confirmation.
    #[schema(required = true)]
    confirmed_at: Option<jiff::Timestamp>,
    /// The address that waits for its confirmation; null without one.
    #[schema(required = true)]
    waiting: Option<WaitingEmail>,
}

/// An address that waits for its confirmation.
#[derive(Debug, Serialize, ToSchema)]
struct WaitingEmail {
    address: String,
    /// The time until which the link in the mail is good.
    expires_at: jiff::Timestamp,
}

impl std::convert::From<OwnEmail> for OwnEmailView {
    fn from(own: OwnEmail) -> OwnEmailView {
        let now_ms = unix_ms();
        let (address, confirmed_at) = own.confirmed.unzip();
        let waiting = own.waiting.filter(|(_, expires_ms)| *expires_ms > now_ms);
        OwnEmailView {
            address,
            confirmed_at: confirmed_at.map(view::timestamp),
            waiting: waiting.map(|(address, expires_ms)| WaitingEmail {
                address,
                expires_at: view::timestamp(expires_ms),
            }),
        }
    }
}

/// A new address, and the password of the caller.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewEmail {
    /// The address, in ASCII.
    address: String,
    /// The present password.
    password: String,
}

/// The token of a link that came by mail.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct EmailConfirmation {
    /// The part of the address of the link after the last `/`.
    token: String,
}

/// An account with a confirmed address.
#[derive(Debug, Serialize, ToSchema)]
struct ConfirmedEmail {
    /// The name of the account.
    name: String,
    /// Its address from now on.
    address: String,
}

/// Returns the queue of mails.
///
/// # Errors
/// [`ApiError::MailOff`].
pub(crate) fn mailer(app: &App) -> Result<&Mailer, ApiError> {
    app.mail.as_ref().ok_or(ApiError::MailOff)
}

/// Returns the e-mail addresses of the caller's account, also where the server sends no mail.
#[utoipa::path(
    get, path = "/api/v1/me/email", tag = "accounts",
    responses(
        (status = 200, body = OwnEmailView),
        (status = 401),
        (status = 403, description = "`account-needed`, `session-needed`; `no-bots`"),
        (status = 409, description = "`pupil-account`: an account of a class has no address"),
    )
)]
async fn own(State(app): State<App>, me: SignedIn) -> Result<Json<OwnEmailView>, ApiError> {
    me.check_person()?;
    let own = app.store.email(&me.player.id).await?;
    if own.is_pupil {
        return Err(ApiError::Club(ClubRefusal::Pupil));
    }
    Ok(Json(own.into()))
}

/// Sets the e-mail address of the caller's account.
/// It counts when its owner has opened the link that is sent to it, within a day; until then the former one does.
#[utoipa::path(
    put, path = "/api/v1/me/email", tag = "accounts", request_body = NewEmail,
    responses(
        (status = 200, body = OwnEmailView),
        (status = 401, description = "`sign-in-first`; `wrong-credentials` for a wrong password"),
        (status = 403, description = "`mail-off`: the server sends no mail; `account-needed`, `session-needed`; `no-bots`"),
        (status = 409, description = "`pupil-account`: an account of a class has no address"),
        (status = 422, description = "`bad-email`"),
        (status = 429),
        (status = 503, description = "`busy`: too many mails wait to be sent"),
    )
)]
async fn set(
    State(app): State<App>,
    me: SignedIn,
    headers: HeaderMap,
    Body(given): Body<NewEmail>,
) -> Result<Json<OwnEmailView>, ApiError> {
    let mailer = mailer(&app)?;
    me.check_person()?;
    let address = email_addresses::parse(&given.address)
        .map_err(|fault| ApiError::field(Code::BadEmail, "address", fault.to_string()))?;
    check_own_password(&app, &me, given.password).await?;
    app.limits.email_change(&me.player.id)?;
    let place = mailer.place()?;
    let player = &me.player;
    let recipient = Recipient::of(&app, player, language(None, &headers)).await?;
    let (token, link) = email_addresses::draw_link(unix_ms(), CONFIRMATION_MS);
    let await_it = app.store.await_email(&player.id, address.as_ref(), &link);
    if app.limits.confirmation(address.as_ref()).is_ok() {
        await_it.await?;
        place.send(recipient.confirmation(address, &token));
    } else {
        // Without a refusal, which would tell that others have had something sent there. A link that is there already stays good.
        mailer.meters().limited.count();
        let waiting = app.store.email(&player.id).await?.waiting;
        if waiting.is_none_or(|(waiting, _)| waiting != address.as_ref() as &str) {
            await_it.await?;
        }
    }
    Ok(Json(app.store.email(&player.id).await?.into()))
}

/// Removes the e-mail address of the caller's account, also one that waits for its confirmation.
/// The address gets a mail about it, where the server sends mail.
#[utoipa::path(
    delete, path = "/api/v1/me/email", tag = "accounts", request_body = OwnPassword,
    responses(
        (status = 204),
        (status = 401, description = "`sign-in-first`; `wrong-credentials` for a wrong password"),
        (status = 403, description = "`account-needed`, `session-needed`; `no-bots`"),
        (status = 429),
    )
)]
async fn remove(
    State(app): State<App>,
    me: SignedIn,
    headers: HeaderMap,
    Body(given): Body<OwnPassword>,
) -> Result<StatusCode, ApiError> {
    me.check_person()?;
    check_own_password(&app, &me, given.password).await?;
    let removed = app.store.remove_email(&me.player.id).await?;
    if let Some(mailer) = &app.mail
        && let Some(former) = removed.as_deref().and_then(mails::stored)
    {
        let recipient = Recipient::of(&app, &me.player, language(None, &headers)).await?;
        mailer.send(recipient.removed(former));
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Confirms an e-mail address by the token of the link that was sent to it.
/// The former address of the account is told of it. Needs no session: the link may be opened on another device.
#[utoipa::path(
    post, path = "/api/v1/email-confirmations", tag = "accounts", request_body = EmailConfirmation,
    responses(
        (status = 200, body = ConfirmedEmail),
        (status = 403, description = "`mail-off`: the server sends no mail"),
        (status = 410, description = "`link-expired`: also for a link that was used, or replaced by a newer one"),
        (status = 429),
    )
)]
async fn confirm(
    State(app): State<App>,
    From(from): From,
    headers: HeaderMap,
    Body(given): Body<EmailConfirmation>,
) -> Result<Json<ConfirmedEmail>, ApiError> {
    let mailer = mailer(&app)?;
    app.limits.login(from)?;
    let token = email_addresses::token_hash(&given.token).ok_or(ApiError::LinkExpired)?;
    let confirmed = app.store.confirm_email(&token, unix_ms()).await?;
    let confirmed = confirmed.ok_or(ApiError::LinkExpired)?;
    let former = confirmed.former.as_deref();
    if let Some(former) = former.filter(|former| !former.eq_ignore_ascii_case(&confirmed.address))
        && let Some(former) = mails::stored(former)
    {
        let recipient = Recipient::of(&app, &confirmed.player, language(None, &headers)).await?;
        mailer.send(recipient.changed(former));
    }
    Ok(Json(ConfirmedEmail {
        name: confirmed.player.name,
        address: confirmed.address,
    }))
}
