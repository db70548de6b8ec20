//! The operator's banner, for every visitor whose account has no `premium`.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use mawe_wire::grants::Grant;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::{SignedIn, Visitor};
use crate::page::banner::Banner;

/// The address of the banner's picture.
const PICTURE: &str = "/api/v1/banner/picture";

/// Forbids caching: another user of the same browser may have `premium`.
const NO_STORE: &str = "private, no-store";

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(banner))
        .routes(routes!(picture))
}

/// Returns the banner for a visitor: none for accounts with `premium`. Nothing else decides this.
fn shown_to<'a>(app: &'a App, visitor: Option<&SignedIn>) -> Option<&'a Banner> {
    let is_premium = visitor.is_some_and(|visitor| visitor.grants.has(Grant::Premium));
    app.settings.banner.as_ref().filter(|_| !is_premium)
}

/// The operator's banner, as this caller sees it.
#[derive(Debug, Serialize, ToSchema)]
struct BannerAnswer {
    /// Null if there is no banner for this caller.
    #[schema(required = true)]
    banner: Option<BannerView>,
    /// Whether the operator has set a banner at all: accounts with `premium` see none, though there may be one.
    configured: bool,
}

/// A banner.
#[derive(Debug, Serialize, ToSchema)]
struct BannerView {
    /// One line.
    text: String,
    /// The target of its link, if it has one.
    #[schema(required = true)]
    link: Option<String>,
    /// The path of its picture on this server, if it has one.
    #[schema(required = true)]
    picture: Option<&'static str>,
}

/// Returns the operator's banner, if there is one. Accounts with `premium` get none.
#[utoipa::path(get, path = "/api/v1/banner", tag = "operation", responses((status = 200, body = BannerAnswer)))]
async fn banner(State(app): State<App>, Visitor(visitor): Visitor) -> impl IntoResponse {
    let banner = shown_to(&app, visitor.as_ref()).map(|banner| BannerView {
        text: banner.text.clone(),
        link: banner.link.clone(),
        picture: banner.picture.as_ref().map(|_| PICTURE),
    });
    let headers = [(header::CACHE_CONTROL, NO_STORE)];
    let configured = app.settings.banner.is_some();
    (headers, Json(BannerAnswer { banner, configured }))
}

/// Returns the banner's picture: PNG, JPEG, GIF or WebP.
#[utoipa::path(
    get, path = "/api/v1/banner/picture", tag = "operation",
    responses(
        (status = 200, content_type = "image/*", body = Vec<u8>),
        (status = 404),
    )
)]
async fn picture(
    State(app): State<App>,
    Visitor(visitor): Visitor,
) -> Result<impl IntoResponse, ApiError> {
    let banner = shown_to(&app, visitor.as_ref());
    let picture = banner.and_then(|banner| banner.picture.as_ref());
    let picture = picture.ok_or(ApiError::NotFound("picture"))?;
    let headers = [
        (header::CACHE_CONTROL, NO_STORE),
        (header::CONTENT_TYPE, picture.kind),
    ];
    Ok((headers, picture.bytes.clone()))
}
