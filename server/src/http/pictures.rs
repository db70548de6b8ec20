//! Pictures of positions, for the cards of links.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use mawe_rules::{AnyPosition, GameKind};
use mawe_wire::ids::MatchId;
use mawe_wire::{Code, MatchView};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::{From, Path, Query};
use crate::http::{lookup, matches};
use crate::page::precompressed;
use crate::pictures::{self, Drawing, LastMove, Pictures, Refused};

/// A position in a match that is over does not change, nor does a game's picture within a day.
const LASTING: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// A running match goes on, and a ply can be taken back.
const PASSING: HeaderValue = HeaderValue::from_static("public, no-cache");

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(of_match))
        .routes(routes!(of_game))
}

/// The query of a picture.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PictureQuery {
    /// The number of plies that lead to the position; by default all that a spectator may see now.
    ply: Option<u32>,
}

/// Returns a picture of a match, 1200 × 630 pixels, with the last move marked.
/// It shows no more than an anonymous `GET /api/v1/matches/{id}` at the same time.
#[utoipa::path(
    get, path = "/api/v1/matches/{id}/picture.png", tag = "matches",
    params(("id" = MatchId, Path, description = "the match's id"), PictureQuery),
    responses(
        (status = 200, content_type = "image/png", body = Vec<u8>),
        (status = 304, description = "not changed since the `ETag` in `If-None-Match`"),
        (status = 404),
        (status = 422, description = "`bad-filter`: the match has fewer plies"),
    )
)]
async fn of_match(
    State(app): State<App>,
    from: From,
    Path(id): Path<MatchId>,
    Query(query): Query<PictureQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let row = lookup::find_match(&app, &id).await?;
    // Nobody's view: the one that an anonymous visitor gets.
    let view = matches::view_for(&app, row, None).await?;
    let caching = if view.state.result.is_some() {
        LASTING
    } else {
        PASSING
    };
    send(&app, from, drawing_of(&view, query.ply)?, caching, &headers).await
}

/// Returns a picture of a game, 1200 × 630 pixels: a position from its middle.
#[utoipa::path(
    get, path = "/api/v1/games/{game}/picture.png", tag = "operation",
    params(("game" = GameKind, Path, description = "the game's id")),
    responses(
        (status = 200, content_type = "image/png", body = Vec<u8>),
        (status = 304, description = "not changed since the `ETag` in `If-None-Match`"),
        (status = 404),
    )
)]
async fn of_game(
    State(app): State<App>,
    from: From,
    Path(game): Path<GameKind>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (position, last) = pictures::sample(game);
    let drawing = pictures::drawing(&position, last);
    send(&app, from, drawing, LASTING, &headers).await
}

/// Draws the position after a number of plies of those that a view has.
fn drawing_of(view: &MatchView, ply: Option<u32>) -> Result<Drawing, ApiError> {
    let number = match ply {
        None => view.plies.len(),
        Some(ply) => usize::try_from(ply).unwrap_or(usize::MAX),
    };
    let shown = view.plies.get(..number).ok_or_else(|| {
        let most = view.plies.len();
        ApiError::field(Code::BadFilter, "ply", format!("ply is 0 to {most} here"))
    })?;
    let last = shown.last();
    let text = last.map_or(&view.start, |last| &last.position);
    let position = AnyPosition::parse(view.game, text).map_err(|error| {
        tracing::error!(%error, game.match_id = %view.id, "a position of a match cannot be read");
        ApiError::Internal
    })?;
    let last = last.and_then(|last| {
        let played = position.parse_move(&last.text).ok()?;
        Some(LastMove {
            side: last.side,
            played,
        })
    });
    Ok(pictures::drawing(&position, last))
}

/// Sends the PNG of a drawing, and draws it unless it is kept.
async fn send(
    app: &App,
    From(address): From,
    drawing: Drawing,
    caching: HeaderValue,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    let key = Pictures::key(&drawing);
    let tag = HeaderValue::from_str(&format!("\"{}\"", precompressed::short(&key)))
        .expect("base64 in quotes");
    let caching = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, caching),
    ];
    if precompressed::matches_tag(headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    let pictures = Arc::clone(&app.pictures);
    let picture = match pictures.get(&key) {
        Some(picture) => picture,
        None => {
            app.quotas.picture(address)?;
            let drawn = pictures.draw(key, drawing).await;
            drawn.map_err(|refused| match refused {
                Refused::Busy => ApiError::TooManyPictures,
                Refused::Failed => {
                    tracing::error!("a picture could not be drawn");
                    ApiError::Internal
                }
            })?
        }
    };
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("image/png"))];
    Ok((caching, kind, picture).into_response())
}
