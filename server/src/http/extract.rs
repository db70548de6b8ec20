//! What handlers take as arguments: who asks, and bodies, paths and queries that were understood.

use std::net::{IpAddr, SocketAddr};

use axum::body::Bytes;
use axum::extract::{ConnectInfo, FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::arrange::unix_ms;
use crate::http::App;
use crate::http::error::ApiError;
use crate::sessions::{self, TokenHash};
use crate::store::Player;

/// Somebody with a session: a guest or an account.
#[derive(Debug, Clone)]
pub struct SignedIn {
    /// Who.
    pub player: Player,
    /// By which session.
    pub session: TokenHash,
}

/// Anybody: with a session or without.
#[derive(Debug, Clone)]
pub struct Visitor(pub Option<SignedIn>);

impl FromRequestParts<App> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Visitor, ApiError> {
        let cookies = parts
            .headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok());
        let Some(token) = cookies.filter_map(sessions::from_cookies).next() else {
            return Ok(Visitor(None));
        };
        let session = sessions::hash(token);
        let player = app.store.session_player(&session, unix_ms()).await?;
        Ok(Visitor(player.map(|player| SignedIn { player, session })))
    }
}

impl FromRequestParts<App> for SignedIn {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<SignedIn, ApiError> {
        let Visitor(visitor) = Visitor::from_request_parts(parts, app).await?;
        visitor.ok_or(ApiError::SignInFirst)
    }
}

/// The address a request comes from; behind a proxy the one that the proxy names last.
#[derive(Debug, Clone, Copy)]
pub struct From(pub IpAddr);

impl FromRequestParts<App> for From {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<From, ApiError> {
        let named = if app.settings.behind_proxy {
            forwarded_for(&parts.headers)
        } else {
            None
        };
        let direct = parts
            .extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map(|ConnectInfo(address)| address.ip());
        named.or(direct).map(From).ok_or(ApiError::Internal)
    }
}

fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?;
    last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
}

/// A JSON body.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Body<T>, ApiError> {
        let content_type = request
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok());
        // A form of a foreign page cannot send this type without asking first.
        if !content_type.is_some_and(|value| {
            value
                .split(';')
                .next()
                .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
        }) {
            return Err(ApiError::NotJson);
        }
        let bytes = Bytes::from_request(request, app)
            .await
            .map_err(|_| ApiError::TooLarge)?;
        let mut json = serde_json::Deserializer::from_slice(&bytes);
        let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
            let path = error.path().to_string();
            let inner = error.into_inner();
            // A number where one of a few words is wanted is told as bad JSON, which it is not.
            if inner.is_data() || serde_json::from_slice::<IgnoredAny>(&bytes).is_ok() {
                let detail = inner.to_string();
                ApiError::Unprocessable {
                    code: "bad-field",
                    field: field(&path, &detail),
                    detail,
                }
            } else {
                ApiError::BadRequest(format!("the body is not JSON: {inner}"))
            }
        })?;
        json.end()
            .map_err(|error| ApiError::BadRequest(format!("the body is not JSON: {error}")))?;
        Ok(Body(value))
    }
}

/// The field that is wrong. The path to one that is missing ends at what should hold it; serde's message names it.
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

/// A path parameter; one that does not parse names nothing.
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

/// A query; an unknown or wrong parameter is named.
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
                let field = error.path().to_string();
                ApiError::Unprocessable {
                    code: "bad-filter",
                    field,
                    detail: error.into_inner().to_string(),
                }
            })
    }
}
