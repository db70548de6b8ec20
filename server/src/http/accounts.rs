//! The identity of callers: guests, accounts, sessions.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use mawe_store::{InvitationUse, NewPlayer, NewSession, Player, StoreError};
use mawe_wire::grants::{Grant, Grants};
use mawe_wire::ids::PlayerId;
use mawe_wire::random;
use mawe_wire::{Code, Language, Look, PlayerKind, PlayerRef};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::credentials::{Attempt, check_credentials};
use crate::http::error::{ApiError, bad_invitation};
use crate::http::extract::{self, Body, Browser, From, SignedIn, Visitor, may_log_in};
use crate::http::site::SiteView;
use crate::identity::devices::GivenMarks;
use crate::identity::passwords::check_password;
use crate::identity::{recovery_codes, sessions, typed_codes};
use crate::live::view;
use crate::moderation::effects::show_anew;
use crate::page::site::Registration;

/// The number of attempts to draw an unused guest name. There are 36^6 names, so repeated collisions mean a fault.
const GUEST_NAME_ATTEMPTS: usize = 5;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(me))
        .routes(routes!(create_guest))
        .routes(routes!(register))
        .routes(routes!(log_in))
        .routes(routes!(log_out))
        .routes(routes!(choose_language))
}

/// The identity of the caller.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Me {
    /// Null for an anonymous visitor.
    #[schema(required = true)]
    pub(crate) player: Option<PlayerRef>,
    /// Whether the caller is a moderator with a session; false for every token.
    pub(crate) moderator: bool,
    /// Whether the caller sees the operator's page: it is switched on, and the caller has the grant `operator` and a session.
    pub(crate) operator: bool,
    /// Whether the caller makes invitations to register: the site asks for them, and the caller has the grant `operator` or `admin` and a
    /// session.
    inviter: bool,
    /// Whether the account has the grant `premium` and so sees no banner of the operator; also for its tokens.
    premium: bool,
    /// Whether the account has the grant `teacher` and so founds classes; also for its tokens.
    teacher: bool,
    /// The chosen language; null if none was chosen.
    #[schema(required = true)]
    pub(crate) language: Option<Language>,
    /// The number of unread notices.
    unread: u32,
    /// The operator's choices for this site; null where everything is as on any other: everybody may see it and register, and it has
    /// the name of the product.
    #[schema(required = true)]
    site: Option<SiteView>,
}

impl Me {
    /// Creates the view of a player. By a token nobody moderates, and nobody is the operator.
    pub(crate) async fn load(
        app: &App,
        player: &Player,
        grants: Grants,
        has_session: bool,
    ) -> Result<Me, ApiError> {
        Ok(Me {
            player: Some(view::player(player)),
            moderator: has_session && grants.moderate(),
            operator: has_session && extract::sees_operators_page(app, grants),
            inviter: has_session
                && app.settings.site.registration == Registration::Invite
                && extract::may_invite(grants),
            premium: grants.has(Grant::Premium),
            teacher: grants.has(Grant::Teacher),
            language: app.store.language(&player.id).await?,
            unread: app.store.unread_notices(&player.id).await?,
            site: SiteView::of(app),
        })
    }

    /// Creates the view of a player who is new, and so has nothing in the store.
    fn new_player(app: &App, player: &Player) -> Me {
        Me {
            player: Some(view::player(player)),
            ..Me::nobody(app)
        }
    }

    fn nobody(app: &App) -> Me {
        Me {
            player: None,
            moderator: false,
            operator: false,
            inviter: false,
            premium: false,
            teacher: false,
            language: None,
            unread: 0,
            site: SiteView::of(app),
        }
    }
}

/// A new account, with its first recovery codes.
#[derive(Debug, Serialize, ToSchema)]
struct Registered {
    #[serde(flatten)]
    me: Me,
    /// One-time codes with which the owner sets a new password after forgetting it. They are shown only here.
    recovery_codes: Vec<String>,
}

/// The choice of a language.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LanguageChoice {
    language: Language,
}

/// A name and a password.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Credentials {
    /// 2 to 20 of a-z, A-Z, 0-9, - and _, beginning with a letter.
    name: String,
    /// 8 to 200 characters.
    password: String,
}

/// A name, a password and, where the server asks for one, an invitation.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewAccount {
    /// 2 to 20 of a-z, A-Z, 0-9, - and _, beginning with a letter.
    name: String,
    /// 8 to 200 characters.
    password: String,
    /// The code of an invitation; case, spaces and hyphens do not matter. A server on which everybody may register ignores it.
    invitation: Option<String>,
}

/// An empty JSON object: `{}`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Empty {}

/// Returns the identity of the caller, by the session cookie or the token.
#[utoipa::path(get, path = "/api/v1/me", tag = "accounts", responses((status = 200, body = Me)))]
async fn me(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    headers: HeaderMap,
) -> Result<(HeaderMap, Json<Me>), ApiError> {
    let Some(visitor) = visitor else {
        return Ok((HeaderMap::new(), Json(Me::nobody(&app))));
    };
    let me = Me::load(
        &app,
        &visitor.player,
        visitor.grants,
        visitor.scopes.is_none(),
    )
    .await?;
    let is_secure = app.settings.is_secure();
    let old = sessions::under_old_name(&extract::cookies(&headers), &visitor.session, is_secure);
    let renamed = old.map_or_else(HeaderMap::new, |token| {
        cookies(&sessions::set_cookies(token, is_secure))
    });
    Ok((renamed, Json(me)))
}

/// Sets the caller's language on all devices.
/// A guest who registers keeps it.
#[utoipa::path(
    post, path = "/api/v1/me/language", tag = "accounts", request_body = LanguageChoice,
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`session-needed`"),
        (status = 422),
    )
)]
async fn choose_language(
    State(app): State<App>,
    me: SignedIn,
    Body(choice): Body<LanguageChoice>,
) -> Result<StatusCode, ApiError> {
    app.store
        .set_language(&me.player.id, choice.language)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Creates a guest: an identity without a chosen name, which becomes an account by registering.
/// Sets the session cookie. A caller who is signed in already keeps their identity.
#[utoipa::path(
    post, path = "/api/v1/guests", tag = "accounts", request_body = Empty,
    responses(
        (status = 201, body = Me),
        (status = 200, body = Me, description = "signed in already"),
        (status = 429),
    )
)]
async fn create_guest(
    State(app): State<App>,
    From(address): From,
    browser: Browser,
    Visitor(visitor): Visitor,
    _: Body<Empty>,
) -> Result<Response, ApiError> {
    if let Some(visitor) = visitor {
        let me = Me::load(
            &app,
            &visitor.player,
            visitor.grants,
            visitor.scopes.is_none(),
        )
        .await?;
        return Ok((StatusCode::OK, Json(me)).into_response());
    }
    app.limits.sign_up(address)?;
    for _ in 0..GUEST_NAME_ATTEMPTS {
        let name = format!("Guest-{}", random::text(6).to_ascii_lowercase());
        let player = Player {
            id: PlayerId::random(),
            name,
            kind: PlayerKind::Guest,
            level: None,
            look: Look::default(),
            created_ms: unix_ms(),
        };
        let new = NewPlayer {
            player,
            password_hash: None,
        };
        let (token, session) = new_session(&new.player, &browser);
        match app.store.create_player(&new, Some(&session)).await {
            Ok(()) => {
                let me = Me::new_player(&app, &new.player);
                return Ok(answer(&app, StatusCode::CREATED, &token, me));
            }
            Err(StoreError::Conflict) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(ApiError::Internal)
}

/// Registers an account.
/// A guest becomes the account and keeps their matches. Sets the session cookie. The recovery codes are in this response only.
#[utoipa::path(
    post, path = "/api/v1/accounts", tag = "accounts", request_body = NewAccount,
    responses(
        (status = 201, body = Registered),
        (status = 403, description = "`registration-closed`: the operator alone makes accounts; `invitation-needed`"),
        (status = 409, description = "`name-taken`, `name-looks-alike`, or `has-account` for one who is signed in to an account"),
        (status = 422, description = "`bad-name`, `weak-password`; `bad-invitation`: the code makes no account, for whatever reason"),
        (status = 429),
    )
)]
async fn register(
    State(app): State<App>,
    From(address): From,
    browser: Browser,
    marks: GivenMarks,
    Visitor(visitor): Visitor,
    Body(new): Body<NewAccount>,
) -> Result<Response, ApiError> {
    if visitor
        .as_ref()
        .is_some_and(|visitor| visitor.player.kind != PlayerKind::Guest)
    {
        return Err(ApiError::HasAccount);
    }
    let code = asked_code(&app, new.invitation.as_deref())?;
    let checked = app.settings.refused_names.check_name(&new.name);
    checked.map_err(|advice| ApiError::field(Code::BadName, "name", advice))?;
    check_password(&new.password, &new.name)
        .map_err(|advice| ApiError::field(Code::WeakPassword, "password", advice))?;
    // Counts each attempt with a code, too.
    app.limits.sign_up(address)?;
    let invitation = match code {
        Some(code) => Some(invited(&app, code).await?),
        None => None,
    };
    let password_hash = app.passwords.hash(new.password).await?;
    let (recovery_codes, code_set) = recovery_codes::draw(unix_ms());
    if let Some(guest) = visitor {
        let player = app
            .store
            .register_guest(
                &guest.player.id,
                &new.name,
                &password_hash,
                &code_set,
                invitation,
            )
            .await
            .map_err(taken)?;
        let device = remember_device(&app, &marks, &player.id, &password_hash);
        // The session has gained rights, so it gets a new token.
        app.store.delete_session(&guest.session).await?;
        show_anew(&app, &player.id).await?;
        note_shared_device(&app, &marks, &player.id).await;
        let token = begin_session(&app, &player, &browser).await?;
        let me = Me::load(&app, &player, Grants::default(), true).await?;
        let registered = Registered { me, recovery_codes };
        let registered = answer(&app, StatusCode::CREATED, &token, registered);
        return Ok((device, registered).into_response());
    }
    let player = Player {
        id: PlayerId::random(),
        name: new.name,
        kind: PlayerKind::Account,
        level: None,
        look: Look::default(),
        created_ms: unix_ms(),
    };
    let device = remember_device(&app, &marks, &player.id, &password_hash);
    let new = NewPlayer {
        player,
        password_hash: Some(password_hash),
    };
    let (token, session) = new_session(&new.player, &browser);
    let registered = app
        .store
        .register_account(&new, &session, &code_set, invitation);
    registered.await.map_err(taken)?;
    note_shared_device(&app, &marks, &new.player.id).await;
    let me = Me::new_player(&app, &new.player);
    let registered = Registered { me, recovery_codes };
    let registered = answer(&app, StatusCode::CREATED, &token, registered);
    Ok((device, registered).into_response())
}

/// Returns the code that a registration has to use; `None` where everybody may register.
fn asked_code<'a>(app: &App, given: Option<&'a str>) -> Result<Option<&'a str>, ApiError> {
    let given = given.filter(|code| !code.trim().is_empty());
    match app.settings.site.registration {
        Registration::Open => Ok(None),
        Registration::Invite => given.map(Some).ok_or(ApiError::InvitationNeeded),
        Registration::Closed => Err(ApiError::RegistrationClosed),
    }
}

/// Returns the use of an invitation by its code. The store decides about the last use when the account is stored; this keeps wrong codes
/// from the threads that hash passwords.
async fn invited(app: &App, code: &str) -> Result<InvitationUse, ApiError> {
    let code = typed_codes::hash(code).ok_or_else(bad_invitation)?;
    let at_ms = unix_ms();
    match app.store.is_invited(&code, at_ms).await? {
        true => Ok(InvitationUse { code, at_ms }),
        false => Err(bad_invitation()),
    }
}

fn taken(error: StoreError) -> ApiError {
    match error {
        StoreError::Conflict => ApiError::NameTaken,
        error => error.into(),
    }
}

/// Logs in.
/// Sets the session cookie, and one that makes the browser a known device of the account.
#[utoipa::path(
    post, path = "/api/v1/sessions", tag = "accounts", request_body = Credentials,
    responses(
        (status = 200, body = Me),
        (status = 401, description = "`wrong-credentials`: the name or the password, which is not said"),
        (status = 403, description = "`account-disabled`: by the operator; `detail` says why"),
        (status = 429),
    )
)]
async fn log_in(
    State(app): State<App>,
    From(address): From,
    browser: Browser,
    marks: GivenMarks,
    Body(given): Body<Credentials>,
) -> Result<Response, ApiError> {
    let attempt = Attempt {
        address,
        marks: &marks,
        name: &given.name,
        password: given.password,
    };
    let (player, stored) = check_credentials(&app, attempt).await?;
    let grants = may_log_in(&app, &player).await?;
    let device = remember_device(&app, &marks, &player.id, &stored);
    note_shared_device(&app, &marks, &player.id).await;
    let entered = signed_in(&app, StatusCode::OK, &player, grants, &browser).await?;
    Ok((device, entered).into_response())
}

/// Logs out: ends the session and closes its sockets.
#[utoipa::path(delete, path = "/api/v1/sessions/current", tag = "accounts", responses((status = 204)))]
async fn log_out(
    State(app): State<App>,
    Visitor(visitor): Visitor,
) -> Result<(StatusCode, HeaderMap), ApiError> {
    if let Some(SignedIn { session, .. }) = visitor {
        app.store.delete_session(&session).await?;
        app.sockets.end_session(&session);
    }
    Ok((
        StatusCode::NO_CONTENT,
        cookies(&sessions::clear_cookies(app.settings.is_secure())),
    ))
}

/// Begins a session, and returns the answer with its cookie.
pub(crate) async fn signed_in(
    app: &App,
    status: StatusCode,
    player: &Player,
    grants: Grants,
    browser: &Browser,
) -> Result<Response, ApiError> {
    let token = begin_session(app, player, browser).await?;
    let me = Me::load(app, player, grants, true).await?;
    Ok(answer(app, status, &token, me))
}

/// Stores a session that begins now, and returns its token.
async fn begin_session(
    app: &App,
    player: &Player,
    browser: &Browser,
) -> Result<String, StoreError> {
    let (token, new) = new_session(player, browser);
    for ended in app.store.create_session(&new).await? {
        app.sockets.end_session(&ended);
    }
    Ok(token)
}

/// Returns an answer that gives the browser a session.
fn answer(app: &App, status: StatusCode, token: &str, body: impl Serialize) -> Response {
    (status, session_cookies(app, token), Json(body)).into_response()
}

/// Returns a session that begins now, and its token.
fn new_session(player: &Player, Browser(label): &Browser) -> (String, NewSession) {
    let (token, hash) = sessions::draw();
    let now = unix_ms();
    let lifetime_ms = sessions::LIFETIME_DAYS * 24 * 60 * 60 * 1_000;
    let session = NewSession {
        hash,
        player: player.id.clone(),
        label: label.clone(),
        created_ms: now,
        expires_ms: now + lifetime_ms,
    };
    (token, session)
}

fn session_cookies(app: &App, token: &str) -> HeaderMap {
    cookies(&sessions::set_cookies(token, app.settings.is_secure()))
}

/// Returns the cookie that makes the browser a known device of an account; it is set beside the session cookie.
pub(crate) fn remember_device(
    app: &App,
    marks: &GivenMarks,
    player: &PlayerId,
    password_hash: &str,
) -> AppendHeaders<[(HeaderName, String); 1]> {
    let secure = app.settings.is_secure();
    let value = app
        .devices
        .remember(marks, player, password_hash, unix_ms(), secure);
    AppendHeaders([(header::SET_COOKIE, value)])
}

/// Records for moderators the other accounts that have logged in from this browser. This is a hint only: a failure of the store does not
/// prevent the login.
pub(crate) async fn note_shared_device(app: &App, marks: &GivenMarks, player: &PlayerId) {
    if let Err(error) = try_note_shared_device(app, marks, player).await {
        tracing::warn!(
            error = &error as &dyn std::error::Error,
            "that accounts share a device was not noted"
        );
    }
}

async fn try_note_shared_device(
    app: &App,
    marks: &GivenMarks,
    player: &PlayerId,
) -> Result<(), StoreError> {
    let now_ms = unix_ms();
    let named = app.devices.others(marks, player);
    let stored = app.store.password_hashes(&named).await?;
    // Anybody can forge a mark with an account's id, so only those with a valid signature for that account count.
    let is_good = |(other, hash): &(PlayerId, String)| {
        app.devices.known(marks, other, hash, now_ms).is_some()
    };
    let good = stored.into_iter().filter(is_good);
    let others: Vec<PlayerId> = good.map(|(other, _)| other).collect();
    if others.is_empty() {
        return Ok(());
    }
    let seen_ms = now_ms - now_ms % DAY_MS;
    app.store.note_shared_device(player, &others, seen_ms).await
}

/// Returns headers that set these cookies.
pub(crate) fn cookies(values: &[String]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for value in values {
        let value = HeaderValue::from_str(value).expect("a cookie of ours is plain ASCII");
        headers.append(header::SET_COOKIE, value);
    }
    headers
}
