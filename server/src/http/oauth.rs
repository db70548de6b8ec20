//! OAuth 2 for programs that are not their users' own (RFC 6749, with PKCE by RFC 7636): a person allows an access on a page of this
//! server, and the program exchanges a code for a token. Clients are not registered (`docs/decisions/0025-oauth-clients.md`).
//!
//! The page is `/oauth/authorize` of `static/`. It may not be framed, and acts by the session of its reader.

use axum::Json;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use mawe_store::OauthCode;
use mawe_wire::scope::Scope;
use mawe_wire::{Code, PlayerKind};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::caching::{self, Fresh};
use crate::http::error::ApiError;
use crate::http::extract::{Body, SignedIn};
use crate::http::tokens::{MAX_TOKENS, too_many_tokens};
use crate::http::{oauth_token, origin};
use crate::identity::oauth::{
    self, BadClient, BadRequest, Client, Fault, Parameters, Request, RequestError,
};

/// The page on which a person allows an access.
const PAGE: &str = "/oauth/authorize";

/// The description of this server for clients (RFC 8414).
pub(crate) const METADATA: &str = "/.well-known/oauth-authorization-server";

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(read))
        .routes(routes!(create))
        .routes(routes!(metadata))
        .merge(oauth_token::router())
}

/// A request of a client, with the parameters of the page `/oauth/authorize`. Parameters that are not listed are ignored.
#[derive(Debug, Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
#[allow(
    dead_code,
    reason = "it describes the query, which is read by name: a bad value is no refusal but an answer"
)]
struct AuthorizationRequest {
    /// `code`.
    response_type: Option<String>,
    /// The client's name of itself, 3 to 80 printable characters of ASCII without a space. Clients are not registered.
    client_id: Option<String>,
    /// The address to which the answer is sent: with `https`, with `http` of `localhost`, `127.0.0.1` or `[::1]`, or with an app's own scheme
    /// such as `com.example.app:/done`; at most 500 characters.
    redirect_uri: Option<String>,
    /// The scopes, with spaces between: of `read`, `play` and `challenge`.
    scope: Option<String>,
    /// The SHA-256 of the client's verifier in base64url without padding (RFC 7636).
    code_challenge: Option<String>,
    /// `S256`.
    code_challenge_method: Option<String>,
    /// A text of at most 500 characters that the answer gives back.
    state: Option<String>,
}

impl AuthorizationRequest {
    fn into_parameters(self) -> Parameters {
        let pairs = [
            ("response_type", self.response_type),
            ("client_id", self.client_id),
            ("redirect_uri", self.redirect_uri),
            ("scope", self.scope),
            ("code_challenge", self.code_challenge),
            ("code_challenge_method", self.code_challenge_method),
            ("state", self.state),
        ];
        let pairs = pairs.into_iter();
        Parameters::from_pairs(pairs.filter_map(|(name, value)| Some((name.to_owned(), value?))))
    }
}

/// A request of a client, as its person has to see it.
#[derive(Debug, Serialize, ToSchema)]
struct AuthorizationView {
    client_id: String,
    /// The host to which the answer is sent; of an app on a device its scheme.
    host: String,
    /// The scopes that the client wishes; none where it cannot be granted.
    scopes: Vec<Scope>,
    /// The error of a request that cannot be granted: `invalid_request`, `unsupported_response_type` or `invalid_scope`.
    #[schema(required = true)]
    error: Option<&'static str>,
    /// The address to go to if the person refuses, or if the request cannot be granted. It tells the client the error.
    refusal: String,
}

/// Reads a request of a client; the page shows it to its reader.
/// A request that cannot be granted is answered with its error. Without a good `client_id` and `redirect_uri` there is nobody to tell.
#[utoipa::path(
    get, path = "/api/v1/oauth/request", tag = "oauth", params(AuthorizationRequest),
    responses(
        (status = 200, body = AuthorizationView),
        (status = 422, description = "`bad-field` of `client_id` or `redirect_uri`"),
    )
)]
async fn read(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Json<AuthorizationView>, ApiError> {
    let issuer = issuer(&app, &headers);
    let issuer = issuer.as_deref();
    let parameters = Parameters::from_form(query.unwrap_or_default().as_bytes());
    let view = match Request::from_parameters(&parameters) {
        Ok(request) => {
            let state = request.state.as_deref();
            let refusal = refusal(&request.client, issuer, state, "access_denied", None);
            AuthorizationView {
                client_id: request.client.id().to_owned(),
                host: request.client.host(),
                scopes: request.scopes.iter().collect(),
                error: None,
                refusal,
            }
        }
        Err(Fault::Client(bad)) => return Err(bad_client(bad)),
        Err(Fault::Request(bad)) => {
            let BadRequest {
                client,
                state,
                error,
            } = *bad;
            let description = error.description();
            let (state, code) = (state.as_deref(), error.code());
            AuthorizationView {
                client_id: client.id().to_owned(),
                host: client.host(),
                scopes: Vec::new(),
                error: Some(code),
                refusal: refusal(&client, issuer, state, code, Some(&description)),
            }
        }
    };
    Ok(Json(view))
}

/// Returns the address that tells a client an error.
fn refusal(
    client: &Client,
    issuer: Option<&str>,
    state: Option<&str>,
    error: &str,
    description: Option<&str>,
) -> String {
    client.address(&[
        ("error", Some(error)),
        ("error_description", description),
        ("state", state),
        ("iss", issuer),
    ])
}

fn bad_client(bad: BadClient) -> ApiError {
    ApiError::field(Code::BadField, bad.parameter(), bad.to_string())
}

fn bad_request(error: RequestError) -> ApiError {
    ApiError::field(Code::BadField, error.parameter(), error.description())
}

/// Returns the origin under which clients know this server (RFC 9207).
fn issuer(app: &App, headers: &HeaderMap) -> Option<String> {
    origin::of_links(headers, app.settings.origin.as_deref())
}

/// A granted request.
#[derive(Debug, Serialize, ToSchema)]
struct CodeView {
    /// The address to go to, with the code and the `state` in its query.
    address: String,
}

/// Grants a request of a client: creates a code, which the client exchanges for a token within five minutes.
/// It takes a session of the page; no token is enough. A player has ten codes at most, and older ones give way.
#[utoipa::path(
    post, path = "/api/v1/oauth/codes", tag = "oauth", request_body = AuthorizationRequest,
    responses(
        (status = 201, body = CodeView),
        (status = 401),
        (status = 403, description = "`foreign-origin`, `account-needed`, `session-needed`"),
        (status = 422, description = "`bad-field`, `too-many-tokens`"),
    )
)]
async fn create(
    State(app): State<App>,
    me: SignedIn,
    headers: HeaderMap,
    Body(wanted): Body<AuthorizationRequest>,
) -> Result<impl IntoResponse, ApiError> {
    if me.player.kind == PlayerKind::Guest {
        return Err(ApiError::AccountOnly);
    }
    let request =
        Request::from_parameters(&wanted.into_parameters()).map_err(|fault| match fault {
            Fault::Client(bad) => bad_client(bad),
            Fault::Request(bad) => bad_request(bad.error),
        })?;
    let (code, hash) = oauth::draw_code();
    let new = OauthCode {
        hash,
        player: me.player.id,
        client_id: request.client.id().to_owned(),
        redirect_uri: request.client.redirect_uri().to_owned(),
        challenge: request.challenge,
        scopes: request.scopes,
        created_ms: unix_ms(),
    };
    if !app.store.create_oauth_code(&new, MAX_TOKENS).await? {
        return Err(too_many_tokens());
    }
    let issuer = issuer(&app, &headers);
    let address = request.client.address(&[
        ("code", Some(&code)),
        ("state", request.state.as_deref()),
        ("iss", issuer.as_deref()),
    ]);
    // The response has a secret, so no cache may keep it.
    let headers = [(header::CACHE_CONTROL, "no-store")];
    Ok((StatusCode::CREATED, headers, Json(CodeView { address })))
}

/// The description of this server for clients of OAuth 2 (RFC 8414).
#[derive(Debug, Serialize, ToSchema)]
struct ServerMetadata {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    revocation_endpoint: String,
    scopes_supported: Vec<Scope>,
    response_types_supported: [&'static str; 1],
    response_modes_supported: [&'static str; 1],
    grant_types_supported: [&'static str; 1],
    code_challenge_methods_supported: [&'static str; 1],
    /// `none`: clients are not registered, and have no secret.
    token_endpoint_auth_methods_supported: [&'static str; 1],
    revocation_endpoint_auth_methods_supported: [&'static str; 1],
    /// Whether answers have the parameter `iss` (RFC 9207).
    authorization_response_iss_parameter_supported: bool,
    service_documentation: String,
}

/// Describes this server for clients of OAuth 2 (RFC 8414).
/// The addresses are those of `--origin`, or of the request's host without it.
#[utoipa::path(
    get, path = "/.well-known/oauth-authorization-server", tag = "oauth",
    responses((status = 200, body = ServerMetadata), (status = 400))
)]
async fn metadata(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let issuer = issuer(&app, &headers).ok_or_else(|| {
        ApiError::BadRequest("the Host header is not the name of a host".to_owned())
    })?;
    let metadata = ServerMetadata {
        authorization_endpoint: format!("{issuer}{PAGE}"),
        token_endpoint: format!("{issuer}{}", oauth_token::TOKEN),
        revocation_endpoint: format!("{issuer}{}", oauth_token::REVOKE),
        scopes_supported: oauth::given_scopes().collect(),
        response_types_supported: ["code"],
        response_modes_supported: ["query"],
        grant_types_supported: ["authorization_code"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        revocation_endpoint_auth_methods_supported: ["none"],
        authorization_response_iss_parameter_supported: true,
        service_documentation: format!("{issuer}/api/docs"),
        issuer,
    };
    caching::answer(&headers, Fresh::Always, &metadata)
}
