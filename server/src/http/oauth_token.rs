//! The endpoints of OAuth 2 at which clients exchange a code for a token, and give a token back. Pages of every origin may use them: the
//! body of a request has its whole authority, and cookies are dropped (`http/origin.rs`).
//!
//! Refusals of the protocol are in its own form (RFC 6749, 5.2). Problems that have nothing to do with it, such as too many requests, are
//! problems as everywhere.

use axum::Json;
use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use mawe_store::{OauthRedemption, Redeemed, StoreError};
use mawe_wire::ids::TokenId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract;
use crate::http::tokens::{DAY_MS, DAYS, MAX_TOKENS};
use crate::identity::oauth::{self, Client, Parameters};
use crate::identity::{sessions, tokens};

pub(crate) const TOKEN: &str = "/oauth/token";
pub(crate) const REVOKE: &str = "/oauth/revoke";

/// The media type of forms.
const FORM: &str = "application/x-www-form-urlencoded";

/// RFC 6749, 5.1: a response with a secret says so to old caches, too.
const NOT_KEPT: [(HeaderName, &str); 2] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::PRAGMA, "no-cache"),
];

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(exchange))
        .routes(routes!(revoke))
}

/// A refusal of these endpoints.
#[derive(Debug)]
enum Refusal {
    /// By the protocol.
    Protocol(OauthError),
    Other(ApiError),
}

/// An error of the protocol (RFC 6749, 5.2).
#[derive(Debug, Serialize, ToSchema)]
struct OauthError {
    /// `invalid_request`, `unsupported_grant_type` or `invalid_grant`.
    error: &'static str,
    /// The fault and its remedy, in English.
    error_description: String,
}

fn refusal(error: &'static str, description: impl Into<String>) -> Refusal {
    Refusal::Protocol(OauthError {
        error,
        error_description: description.into(),
    })
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Refusal {
        Refusal::Other(error)
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        Refusal::Other(error.into())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        match self {
            Refusal::Protocol(error) => {
                (StatusCode::BAD_REQUEST, NOT_KEPT, Json(error)).into_response()
            }
            Refusal::Other(error) => error.into_response(),
        }
    }
}

/// The parameters in the body of a request.
struct Form(Parameters);

impl FromRequest<App> for Form {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &App) -> Result<Form, Refusal> {
        if !is_form(request.headers()) {
            return Err(refusal("invalid_request", format!("send {FORM}")));
        }
        let body = extract::bytes(request, app).await?;
        Ok(Form(Parameters::from_form(&body)))
    }
}

fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|value| value.to_str().ok());
    let kind = kind.and_then(|value| value.split(';').next());
    kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case(FORM))
}

impl Form {
    /// Returns the value of a parameter that has to be there.
    fn get(&self, name: &str) -> Result<&str, Refusal> {
        match self.0.get(name) {
            Ok(Some(value)) => Ok(value),
            Ok(None) => Err(refusal("invalid_request", format!("{name} is missing"))),
            Err(oauth::Repeated) => {
                let description = format!("{name} is given more than once");
                Err(refusal("invalid_request", description))
            }
        }
    }
}

/// A request to exchange a code for a token (RFC 6749, 4.1.3).
#[derive(Debug, Deserialize, ToSchema)]
#[allow(dead_code, reason = "it describes the form, which is read by name")]
struct TokenRequest {
    /// `authorization_code`.
    grant_type: String,
    /// The code.
    code: String,
    /// The address to which the code was sent, as in the request for it.
    redirect_uri: String,
    /// The client's name of itself, as in the request for the code.
    client_id: String,
    /// The verifier of the challenge (RFC 7636): 43 to 128 letters, digits and `-._~`.
    code_verifier: String,
}

/// A token (RFC 6749, 5.1).
#[derive(Debug, Serialize, ToSchema)]
struct AccessToken {
    /// The secret, which is shown only here and not stored.
    access_token: String,
    /// `Bearer`.
    token_type: &'static str,
    /// The lifetime in seconds: 90 days.
    expires_in: i64,
    /// The scopes, with spaces between.
    scope: String,
}

/// Exchanges a code for a token.
/// A code works once, within five minutes, for the client that has its verifier. If it comes again, the token that came of it is revoked. The
/// token is one of the account's own: it is listed and revoked in the settings of the page. Errors are those of RFC 6749.
#[utoipa::path(
    post, path = "/oauth/token", tag = "oauth",
    request_body(content = TokenRequest, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, body = AccessToken),
        (status = 400, body = OauthError, description = "`invalid_request`, `unsupported_grant_type`, `invalid_grant`, with `error` and `error_description`"),
    )
)]
async fn exchange(State(app): State<App>, form: Form) -> Result<impl IntoResponse, Refusal> {
    let grant_type = form.get("grant_type")?;
    if grant_type != "authorization_code" {
        let description = "grant_type must be authorization_code";
        return Err(refusal("unsupported_grant_type", description));
    }
    let code = form.get("code")?;
    let (redirect_uri, client_id) = (form.get("redirect_uri")?, form.get("client_id")?);
    let challenge = oauth::challenge_of(form.get("code_verifier")?).ok_or_else(|| {
        let description = "code_verifier must have 43 to 128 letters, digits and -._~";
        refusal("invalid_request", description)
    })?;
    let client = Client::new(client_id, redirect_uri)
        .map_err(|bad| refusal("invalid_request", bad.to_string()))?;
    let unknown = || {
        let description = "the code is unknown or has expired: ask for another one";
        refusal("invalid_grant", description)
    };
    let hash = oauth::hash_code(code).ok_or_else(unknown)?;
    let (token, token_hash) = tokens::draw();
    let (now, lifetime_ms) = (unix_ms(), i64::from(DAYS) * DAY_MS);
    let redemption = OauthRedemption {
        hash,
        client_id: client_id.to_owned(),
        redirect_uri: redirect_uri.to_owned(),
        challenge,
        token: TokenId::random(),
        token_hash,
        token_name: client.token_name(),
        now_ms: now,
        expires_ms: now + lifetime_ms,
    };
    let scopes = match app.store.redeem_oauth_code(&redemption, MAX_TOKENS).await? {
        Redeemed::Token(scopes) => scopes,
        Redeemed::Unknown => return Err(unknown()),
        Redeemed::Mismatch => {
            let description = "the code was given to another client_id or redirect_uri, or for another code_verifier; it is used up";
            return Err(refusal("invalid_grant", description));
        }
        Redeemed::UsedBefore(revoked) => {
            if let Some(revoked) = revoked {
                app.sockets.end_session(&revoked);
            }
            let description = "the code was used before, and the token that came of it is revoked";
            return Err(refusal("invalid_grant", description));
        }
        Redeemed::TooManyTokens => {
            let description = "the account has 20 tokens, which is the most: its owner has to revoke one in the settings first";
            return Err(refusal("invalid_grant", description));
        }
    };
    let body = AccessToken {
        access_token: token,
        token_type: "Bearer",
        expires_in: lifetime_ms / 1_000,
        scope: scopes.to_string(),
    };
    Ok((NOT_KEPT, Json(body)))
}

/// A request to revoke a token (RFC 7009).
#[derive(Debug, Deserialize, ToSchema)]
#[allow(dead_code, reason = "it describes the form, which is read by name")]
struct RevocationRequest {
    /// The token.
    token: String,
}

/// Revokes a token at once and closes its sockets (RFC 7009).
/// The holder of a token needs nothing else for this. A token that does not exist counts as revoked.
#[utoipa::path(
    post, path = "/oauth/revoke", tag = "oauth",
    request_body(content = RevocationRequest, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, description = "there is no such token any more"),
        (status = 400, body = OauthError, description = "`invalid_request`, with `error` and `error_description`"),
    )
)]
async fn revoke(State(app): State<App>, form: Form) -> Result<StatusCode, Refusal> {
    let token = form.get("token")?;
    if tokens::is_well_formed(token) {
        let hash = sessions::hash(token);
        if app.store.revoke_token(&hash).await? {
            app.sockets.end_session(&hash);
        }
    }
    Ok(StatusCode::OK)
}
