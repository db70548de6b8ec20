//! The operator's notice, for whoever is to see it.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::banner::Banner;
use crate::grants::Grant;
use crate::http::App;
use crate::http::error::{ApiError, Problem};
use crate::http::extract::{SignedIn, Visitor};

/// Where its picture is.
const PICTURE: &str = "/api/v1/banner/picture";

/// No cache may keep it: the next one who asks there may have `premium`.
const NO_STORE: &str = "private, no-store";

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(banner))
        .routes(routes!(picture))
}

/// The one place that decides who sees it: everybody but accounts with `premium`.
fn shown_to<'a>(app: &'a App, visitor: Option<&SignedIn>) -> Option<&'a Banner> {
    let is_premium = visitor.is_some_and(|visitor| visitor.grants.has(Grant::Premium));
    app.settings.banner.as_ref().filter(|_| !is_premium)
}

/// What the operator lets visitors know.
#[derive(Debug, Serialize, ToSchema)]
struct BannerAnswer {
    /// Null where there is none for the one who asks.
    #[schema(required = true)]
    banner: Option<BannerView>,
    /// Whether the operator has set one at all: accounts with `premium` are shown none, and should not be told that there is none.
    configured: bool,
}

/// The notice.
#[derive(Debug, Serialize, ToSchema)]
struct BannerView {
    /// One line.
    text: String,
    /// Where it leads.
    #[schema(required = true)]
    link: Option<String>,
    /// The address of its picture, on this server.
    #[schema(required = true)]
    picture: Option<&'static str>,
}

/// The operator's notice, if there is one. Accounts with `premium` have none.
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

/// Its picture: PNG, JPEG, GIF or WebP.
#[utoipa::path(
    get, path = "/api/v1/banner/picture", tag = "operation",
    responses(
        (status = 200, content_type = "image/*", body = Vec<u8>),
        (status = 404, body = Problem, content_type = "application/problem+json"),
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
