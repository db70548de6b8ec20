//! Extractors of handlers: the caller, the address, and parsed bodies, paths and queries.

use std::net::{IpAddr, SocketAddr};

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{ConnectInfo, FromRequest, FromRequestParts, MatchedPath, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use mawe_store::{Account, Holder, Player};
use mawe_wire::grants::{Grant, Grants};
use mawe_wire::ids::TokenHash;
use mawe_wire::scope::{Scope, Scopes};
use mawe_wire::{ClientMsg, Code, PlayerKind, SessionMsg};
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::app::App;
use crate::clock::unix_ms;
use crate::connections::timeouts::BodyTimeout;
use crate::http::caching::Personal;
use crate::http::error::ApiError;
use crate::http::tally;
use crate::identity::devices::GivenMarks;
use crate::identity::sessions;
use crate::identity::tokens;
use crate::live::view;

/// A caller with a session, or with a token of sufficient scope: a guest, an account or a bot account.
#[derive(Debug, Clone)]
pub struct SignedIn {
    /// The player.
    pub player: Player,
    /// The hash of the session's or the token's secret.
    pub session: TokenHash,
    /// The scopes of the token; `None` for a session, which has no restriction.
    pub scopes: Option<Scopes>,
    /// The account's grants.
    pub grants: Grants,
    /// The expiry of the session or token, in Unix milliseconds.
    pub expires_ms: i64,
}

/// A moderator or an admin with a session; a token is never enough to moderate.
#[derive(Debug, Clone)]
pub struct Moderator(pub SignedIn);

/// An account with the grant `operator`, with a session that began a short time ago. Only where the operator's page is switched on.
#[derive(Debug, Clone)]
pub struct Operator(pub SignedIn);

/// An account with the grant `operator` or `admin`, with a session that began a short time ago: it may invite people.
#[derive(Debug, Clone)]
pub struct Inviter(pub SignedIn);

/// Any caller: with a session, with a token, or with neither.
#[derive(Debug, Clone)]
pub struct Visitor(pub Option<SignedIn>);

/// A caller that was identified before the handler of the request: it is counted and looked up once.
#[derive(Debug, Clone)]
struct Identified(SignedIn);

/// The age of a session after which the operator's page asks for the password again: one that was left open, or stolen, does not open it.
const OPERATOR_SESSION_MS: i64 = 12 * 60 * 60 * 1_000;

/// The right that a request needs of a token. A session has all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// Any token.
    Any,
    /// A token with this scope.
    Scope(Scope),
    /// No token is enough.
    Session,
}

/// Returns the right that a route needs of a token. A route not listed here needs `read` for GET and HEAD, else a session.
pub(crate) fn need(method: &Method, route: &str) -> Need {
    const MINE: &str = "/api/v1/me";
    let is_read = *method == Method::GET || *method == Method::HEAD;
    let under = |prefix: &str| {
        let rest = route.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    if (route == MINE && is_read) || route == "/api/v1/imports" {
        // Any token may ask for its owner; an import is for everybody, and stores nothing.
        Need::Any
    } else if route == "/api/v1/me/bot" {
        Need::Scope(Scope::Bot)
    } else if [
        "/api/v1/me/sessions",
        "/api/v1/me/tokens",
        "/api/v1/me/password",
        "/api/v1/me/recovery-codes",
        "/api/v1/me/passkeys",
        "/api/v1/me/email",
        "/api/v1/me/name",
        "/api/v1/me/display-name",
        "/api/v1/me/export",
        "/api/v1/me/push",
        "/api/v1/moderation",
        "/api/v1/operator",
        "/api/v1/invitations",
        // They go on when the token is gone.
        "/api/v1/event-timetables",
        // Real names of pupils.
        "/api/v1/clubs/{handle}/pupils",
        "/api/v1/clubs/{handle}/export",
    ]
    .into_iter()
    .any(under)
    {
        // A leaked token must not gain further rights, and must not survive its revocation.
        Need::Session
    } else if is_read {
        Need::Scope(Scope::Read)
    } else if route == "/api/v1/matches/{id}/chat/{room}" {
        // Only a person writes to people.
        Need::Session
    } else if under("/api/v1/challenges") || under("/api/v1/seeks") {
        Need::Scope(Scope::Challenge)
    } else if under("/api/v1/events") {
        Need::Scope(Scope::Event)
    } else if under("/api/v1/matches") {
        Need::Scope(Scope::Play)
    } else {
        Need::Session
    }
}

/// Returns the right that a message needs of a token, on a socket that was opened with `read`.
fn need_to_send(message: &ClientMsg) -> Need {
    match message {
        ClientMsg::Session(
            SessionMsg::Join { .. }
            | SessionMsg::Leave { .. }
            | SessionMsg::Ping
            | SessionMsg::WatchLobby
            | SessionMsg::UnwatchLobby
            | SessionMsg::WatchTv { .. }
            | SessionMsg::UnwatchTv { .. }
            | SessionMsg::WatchEvent { .. }
            | SessionMsg::UnwatchEvent { .. }
            | SessionMsg::WatchChat { .. }
            | SessionMsg::UnwatchChat { .. },
        ) => Need::Any,
        ClientMsg::Session(
            SessionMsg::JoinPool { .. }
            | SessionMsg::LeavePool { .. }
            | SessionMsg::AcceptBot { .. },
        )
        | ClientMsg::Match(_) => Need::Scope(Scope::Play),
    }
}

impl SignedIn {
    /// Refuses guests and bot accounts.
    ///
    /// # Errors
    /// [`ApiError::AccountOnly`], [`ApiError::NoBots`].
    pub(crate) fn check_person(&self) -> Result<(), ApiError> {
        match self.player.kind {
            PlayerKind::Account => Ok(()),
            PlayerKind::Guest => Err(ApiError::AccountOnly),
            PlayerKind::Bot => Err(ApiError::NoBots),
        }
    }

    /// Returns whether the caller is a moderator with a session.
    pub(crate) fn moderates(&self) -> bool {
        self.scopes.is_none() && self.grants.moderate()
    }

    /// Returns whether the caller may see the operator's page, but for the age of the session.
    pub(crate) fn operates(&self, app: &App) -> bool {
        self.scopes.is_none() && sees_operators_page(app, self.grants)
    }

    /// Refuses everybody but accounts that change things of the site, with a session that began a short time ago.
    ///
    /// # Errors
    /// [`ApiError::OperatorsOnly`], [`ApiError::LogInAgain`].
    pub(crate) fn check_operator(&self) -> Result<(), ApiError> {
        if !may_invite(self.grants) || self.scopes.is_some() {
            Err(ApiError::OperatorsOnly)
        } else if sessions::age_ms(self.expires_ms, unix_ms()) > OPERATOR_SESSION_MS {
            Err(ApiError::LogInAgain)
        } else {
            Ok(())
        }
    }

    fn may(&self, need: Need) -> Result<(), ApiError> {
        let Some(scopes) = self.scopes else {
            return Ok(());
        };
        match need {
            Need::Any => Ok(()),
            Need::Scope(scope) if scopes.allow(scope, self.player.kind) => Ok(()),
            Need::Scope(scope) => Err(ApiError::ScopeNeeded(scope)),
            Need::Session => Err(ApiError::SessionNeeded),
        }
    }

    /// Checks that the token permits this message.
    ///
    /// # Errors
    /// [`ApiError::ScopeNeeded`].
    pub fn may_send(&self, message: &ClientMsg) -> Result<(), ApiError> {
        self.may(need_to_send(message))
    }
}

/// Returns the caller by its token or session cookie, if valid. Disabling an account ends its sessions and tokens; the check here covers
/// one that was created at the same moment. A token takes precedence over a cookie, because a request with a token is from a program.
async fn identify(parts: &Parts, app: &App) -> Result<Option<SignedIn>, ApiError> {
    if let Some(Identified(me)) = parts.extensions.get() {
        return Ok(Some(me.clone()));
    }
    let now = unix_ms();
    let (hash, holder) = match bearer(&parts.headers) {
        Some(token) => {
            let token = token.filter(|token| tokens::is_well_formed(token));
            let hash = sessions::hash(token.ok_or(ApiError::BadToken)?);
            let holder = app.store.token(&hash, now).await?;
            let holder = holder.filter(|holder| !holder.is_disabled);
            (hash, holder.ok_or(ApiError::BadToken)?)
        }
        None => {
            let Some(found) = by_cookie(parts, app, now).await? else {
                return Ok(None);
            };
            found
        }
    };
    if let Some(personal) = parts.extensions.get::<Personal>() {
        personal.note();
    }
    app.used.note(&hash, &holder, now);
    let me = SignedIn {
        player: holder.player,
        session: hash,
        scopes: holder.scopes,
        grants: holder.grants,
        expires_ms: holder.expires_ms,
    };
    let token = me.scopes.is_some().then_some(&me.session);
    tally::count_for(parts, app, &me.player.id, token)?;
    Ok(Some(me))
}

/// Returns whether the caller has an account, and keeps it for the handler. A token needs the scope of the request here: without `read` it is
/// nobody's.
///
/// # Errors
/// Those of a token that is not valid or lacks the scope, and of the store.
pub(crate) async fn has_account(parts: &mut Parts, app: &App) -> Result<bool, ApiError> {
    let me = identify(parts, app).await?;
    let me = me.filter(|me| me.player.kind != PlayerKind::Guest);
    let Some(me) = me else {
        return Ok(false);
    };
    me.may(need_of(parts))?;
    parts.extensions.insert(Identified(me));
    Ok(true)
}

/// Returns the session of the first valid cookie.
async fn by_cookie(
    parts: &Parts,
    app: &App,
    now: i64,
) -> Result<Option<(TokenHash, Holder)>, ApiError> {
    let is_secure = app.settings.is_secure();
    for token in sessions::from_cookies(&cookies(&parts.headers), is_secure) {
        let hash = sessions::hash(token);
        let holder = app.store.session(&hash, now).await?;
        if let Some(holder) = holder.filter(|holder| !holder.is_disabled) {
            return Ok(Some((hash, holder)));
        }
    }
    Ok(None)
}

/// Returns the values of the `Cookie` headers.
pub(crate) fn cookies(headers: &HeaderMap) -> Vec<&str> {
    let values = headers.get_all(header::COOKIE).into_iter();
    values.filter_map(|value| value.to_str().ok()).collect()
}

/// Returns the token of `Authorization: Bearer`, if there is one; `Some(None)` if it is not text. Other schemes are left to a proxy. The
/// typed headers of a library do not distinguish a spoilt token from another scheme.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<Option<&str>> {
    const SCHEME: &[u8] = b"bearer";
    let value = headers.get(header::AUTHORIZATION)?;
    let (scheme, rest) = value.as_bytes().split_at_checked(SCHEME.len())?;
    let is_bearer = scheme.eq_ignore_ascii_case(SCHEME) && matches!(rest, [] | [b' ', ..]);
    is_bearer.then(|| Some(value.to_str().ok()?[SCHEME.len()..].trim()))
}

fn need_of(parts: &Parts) -> Need {
    let route = parts.extensions.get::<MatchedPath>();
    need(&parts.method, route.map_or("", MatchedPath::as_str))
}

impl FromRequestParts<App> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Visitor, ApiError> {
        let visitor = identify(parts, app).await?;
        let need = need_of(parts);
        let upgrades = parts.headers.contains_key(header::UPGRADE);
        match visitor.as_ref().map_or(Ok(()), |me| me.may(need)) {
            // Public data needs no scope, but a token without `read` sees it as an anonymous visitor does.
            Err(ApiError::ScopeNeeded(Scope::Read)) if !upgrades => Ok(Visitor(None)),
            Err(refusal) => Err(refusal),
            Ok(()) => Ok(Visitor(visitor)),
        }
    }
}

impl FromRequestParts<App> for SignedIn {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<SignedIn, ApiError> {
        let me = identify(parts, app).await?.ok_or(ApiError::SignInFirst)?;
        me.may(need_of(parts))?;
        Ok(me)
    }
}

/// Returns whether an account with these grants sees the operator's page, with a session.
pub(crate) fn sees_operators_page(app: &App, grants: Grants) -> bool {
    app.settings.operator_page && grants.has(Grant::Operator)
}

/// Returns whether an account with these grants makes invitations to register, with a session.
pub(crate) const fn may_invite(grants: Grants) -> bool {
    grants.has(Grant::Operator) || grants.has(Grant::Admin)
}

impl FromRequestParts<App> for Operator {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Operator, ApiError> {
        if !app.settings.operator_page {
            return Err(ApiError::NotFound("address"));
        }
        let me = SignedIn::from_request_parts(parts, app).await?;
        if !me.operates(app) {
            Err(ApiError::OperatorsOnly)
        } else if sessions::age_ms(me.expires_ms, unix_ms()) > OPERATOR_SESSION_MS {
            Err(ApiError::LogInAgain)
        } else {
            Ok(Operator(me))
        }
    }
}

impl FromRequestParts<App> for Inviter {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Inviter, ApiError> {
        let me = SignedIn::from_request_parts(parts, app).await?;
        me.check_operator()?;
        Ok(Inviter(me))
    }
}

impl FromRequestParts<App> for Moderator {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Moderator, ApiError> {
        let me = SignedIn::from_request_parts(parts, app).await?;
        if me.moderates() {
            Ok(Moderator(me))
        } else {
            Err(ApiError::ModeratorsOnly)
        }
    }
}

/// Checks that a moderator may act on an account: never on their own, and on an admin's only as an admin.
///
/// # Errors
/// [`ApiError::OwnCase`], [`ApiError::AdminsOnly`].
pub(crate) fn may_act_on(me: &SignedIn, account: &Account) -> Result<(), ApiError> {
    if account.player.id == me.player.id {
        Err(ApiError::OwnCase)
    } else if account.grants.has(Grant::Admin) && !me.grants.has(Grant::Admin) {
        Err(ApiError::AdminsOnly)
    } else {
        Ok(())
    }
}

/// Checks that a player with the right password may log in, and returns the account's grants.
///
/// # Errors
/// [`ApiError::AccountDisabled`]; an error of the store.
pub(crate) async fn may_log_in(app: &App, player: &Player) -> Result<Grants, ApiError> {
    let account = app.store.account(&player.id).await?;
    let grants = account.as_ref().map(|account| account.grants);
    match account.and_then(|account| account.disabled) {
        Some(disabled) => Err(ApiError::AccountDisabled {
            why: disabled.why,
            until: disabled.until_ms.map(view::timestamp),
        }),
        None => Ok(grants.unwrap_or_default()),
    }
}

/// A short description of the caller's browser.
#[derive(Debug, Clone)]
pub struct Browser(pub String);

impl FromRequestParts<App> for Browser {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Browser, ApiError> {
        let user_agent = parts.headers.get(header::USER_AGENT);
        let text = user_agent.and_then(|value| value.to_str().ok());
        Ok(Browser(sessions::label(text.unwrap_or_default())))
    }
}

impl FromRequestParts<App> for GivenMarks {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<GivenMarks, ApiError> {
        Ok(GivenMarks::from_headers(&parts.headers))
    }
}

/// The client's address, as proxies in front of the server report it ([`Proxies::client`](crate::connections::forwarded::Proxies::client)).
#[derive(Debug, Clone, Copy)]
pub struct From(pub IpAddr);

impl FromRequestParts<App> for From {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<From, ApiError> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let ConnectInfo(peer) = peer.ok_or(ApiError::Internal)?;
        let proxies = &app.settings.proxies;
        Ok(From(proxies.client(peer.ip(), &parts.headers)))
    }
}

/// Returns the error for a body that could not be read.
fn unread(rejection: &BytesRejection) -> ApiError {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return ApiError::TooLarge;
    }
    let causes = std::iter::successors(
        Some(rejection as &(dyn std::error::Error + 'static)),
        |error| error.source(),
    );
    if causes.into_iter().any(|error| error.is::<BodyTimeout>()) {
        ApiError::BodyTimeout
    } else {
        ApiError::BadRequest("the body is malformed, or ended early".to_owned())
    }
}

/// A JSON body.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Body<T>, ApiError> {
        parsed(&json_bytes(request, app).await?).map(Body)
    }
}

/// Reads the body of a request with JSON.
///
/// # Errors
/// [`ApiError::NotJson`] and those of a body that cannot be read.
pub(crate) async fn json_bytes(request: Request, app: &App) -> Result<Bytes, ApiError> {
    let content_type = request
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    // A form on a foreign page cannot send this type without a CORS preflight.
    if !content_type.is_some_and(|value| {
        value
            .split(';')
            .next()
            .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
    }) {
        return Err(ApiError::NotJson);
    }
    bytes(request, app).await
}

/// Reads the body of a request.
///
/// # Errors
/// Those of a body that cannot be read.
pub(crate) async fn bytes(request: Request, app: &App) -> Result<Bytes, ApiError> {
    let read = Bytes::from_request(request, app).await;
    read.map_err(|rejection| unread(&rejection))
}

/// Parses JSON.
///
/// # Errors
/// A problem that names the field.
pub(crate) fn parsed<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner();
        // serde reports a number in place of an enum's string as a syntax error, though the body is valid JSON.
        if inner.is_data() || serde_json::from_slice::<IgnoredAny>(bytes).is_ok() {
            let detail = inner.to_string();
            ApiError::Unprocessable {
                code: Code::BadField,
                field: field(&path, &detail),
                detail,
            }
        } else {
            ApiError::BadRequest(format!("the body is not JSON: {inner}"))
        }
    })?;
    json.end()
        .map_err(|error| ApiError::BadRequest(format!("the body is not JSON: {error}")))?;
    Ok(value)
}

/// Returns the path of the wrong field. The path to a missing field ends at its parent; serde's message names the field.
fn field(path: &str, detail: &str) -> String {
    let missing = detail
        .strip_prefix("missing field `")
        .and_then(|rest| rest.split('`').next());
    match (path, missing) {
        (".", missing) => missing.unwrap_or_default().to_owned(),
        (path, Some(missing)) => format!("{path}.{missing}"),
        (path, None) => path.to_owned(),
    }
}

/// A path parameter; one that does not parse is answered with 404.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<App> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Path<T>, ApiError> {
        let path = axum::extract::Path::<T>::from_request_parts(parts, app).await;
        path.map(|axum::extract::Path(value)| Path(value))
            .map_err(|_| ApiError::NotFound("thing"))
    }
}

/// A query; the error for an unknown or invalid parameter names it.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<App> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Query<T>, ApiError> {
        let query = parts.uri.query().unwrap_or_default();
        let pairs = serde_urlencoded::Deserializer::new(form_urlencoded::parse(query.as_bytes()));
        serde_path_to_error::deserialize(pairs)
            .map(Query)
            .map_err(|error| {
                let path = error.path().to_string();
                let detail = error.into_inner().to_string();
                ApiError::Unprocessable {
                    code: Code::BadFilter,
                    field: field(&path, &detail),
                    detail,
                }
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_needs_the_scope_of_what_it_does() {
        let read = Need::Scope(Scope::Read);
        for (method, route, expected) in [
            (Method::GET, "/api/v1/me", Need::Any),
            (Method::GET, "/api/v1/me/matches", read),
            (Method::GET, "/api/v1/me/sessions", Need::Session),
            (Method::DELETE, "/api/v1/me/sessions/{id}", Need::Session),
            (Method::POST, "/api/v1/me/tokens", Need::Session),
            (Method::GET, "/api/v1/me/tokens", Need::Session),
            (Method::POST, "/api/v1/me/password", Need::Session),
            (Method::GET, "/api/v1/me/recovery-codes", Need::Session),
            (Method::GET, "/api/v1/me/passkeys", Need::Session),
            (Method::GET, "/api/v1/me/email", Need::Session),
            (Method::POST, "/api/v1/sessions/passkey", Need::Session),
            (Method::POST, "/api/v1/recoveries", Need::Session),
            (Method::DELETE, "/api/v1/me", Need::Session),
            (Method::GET, "/api/v1/me/name", Need::Session),
            (Method::GET, "/api/v1/me/display-name", Need::Session),
            (Method::POST, "/api/v1/me/bot", Need::Scope(Scope::Bot)),
            (Method::POST, "/api/v1/guests", Need::Session),
            (Method::POST, "/api/v1/accounts", Need::Session),
            (Method::POST, "/api/v1/sessions", Need::Session),
            (Method::DELETE, "/api/v1/sessions/current", Need::Session),
            (Method::POST, "/api/v1/matches", Need::Scope(Scope::Play)),
            (
                Method::POST,
                "/api/v1/matches/{id}/chat/{room}",
                Need::Session,
            ),
            (Method::GET, "/api/v1/matches/{id}/chat/{room}", read),
            (Method::GET, "/api/v1/challenges/{id}", read),
            (
                Method::POST,
                "/api/v1/challenges/{id}/accept",
                Need::Scope(Scope::Challenge),
            ),
            (
                Method::DELETE,
                "/api/v1/seeks/{id}",
                Need::Scope(Scope::Challenge),
            ),
            (
                Method::POST,
                "/api/v1/events/{id}/join",
                Need::Scope(Scope::Event),
            ),
            (
                Method::DELETE,
                "/api/v1/events/{id}",
                Need::Scope(Scope::Event),
            ),
            (Method::GET, "/api/v1/events/{id}/standings", read),
            (Method::GET, "/api/v1/ws", read),
            (Method::GET, "/api/v1/moderation/reports", Need::Session),
            (Method::GET, "/api/v1/operator/status", Need::Session),
            (Method::GET, "/api/v1/invitations", Need::Session),
            (Method::GET, "/api/v1/event-timetables", Need::Session),
            (
                Method::DELETE,
                "/api/v1/event-timetables/{id}",
                Need::Session,
            ),
            (Method::DELETE, "/api/v1/invitations/{id}", Need::Session),
            (Method::POST, "/api/v1/oauth/codes", Need::Session),
            // Nobody has thought of these yet.
            (Method::POST, "/api/v1/me/fortune", Need::Session),
            (Method::POST, "/api/v1/seeksandmore", Need::Session),
            (Method::GET, "/api/v1/me/fortune", read),
            (Method::POST, "", Need::Session),
        ] {
            assert_eq!(need(&method, route), expected, "{method} {route}");
        }
    }

    #[test]
    fn a_bearer_is_found_and_other_schemes_are_not() {
        for (value, expected) in [
            (&b"Bearer abc"[..], Some(Some("abc"))),
            (b"bearer  abc ", Some(Some("abc"))),
            (b"Bearer ", Some(Some(""))),
            (b"Bearer \xff", Some(None)),
            (b"Basic abc", None),
            (b"Bearer", Some(Some(""))),
            (b"Bearers", None),
            (b"Bear", None),
            (b"", None),
        ] {
            let value = axum::http::HeaderValue::from_bytes(value).expect("a header");
            let headers = HeaderMap::from_iter([(header::AUTHORIZATION, value)]);
            assert_eq!(bearer(&headers), expected, "{headers:?}");
        }
        assert_eq!(bearer(&HeaderMap::new()), None);
    }
}
