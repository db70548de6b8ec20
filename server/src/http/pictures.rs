//! Pictures of positions, for the cards of links and for embedded boards, and of whole matches.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
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
use crate::http::{lookup, matches, positions};
use crate::page::precompressed;
use crate::pictures::{self, Drawing, FRAMES_PER_PICTURE, LastMove, Pictures, Refused, Scene};

/// A position in a match that is over does not change, nor does a game's picture within a day.
const LASTING: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// A running match goes on, and a ply can be taken back.
const PASSING: HeaderValue = HeaderValue::from_static("public, no-cache");

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(of_match))
        .routes(routes!(board_of_match))
        .routes(routes!(moving))
        .routes(routes!(of_game))
        .routes(routes!(of_position))
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
    let (view, caching) = seen(&app, &id).await?;
    let Scene { position, last } = scene_of(&view, ply_of(&view, query.ply)?)?;
    let drawing = pictures::drawing(&position, last);
    send(&app, from, drawing, caching, &headers).await
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

/// The query of the picture of a position.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PositionQuery {
    /// The position; by default the start of the standard game.
    #[param(example = "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s")]
    position: Option<String>,
}

/// Returns a picture of a position, 1200 × 630 pixels.
#[utoipa::path(
    get, path = "/api/v1/positions/{game}/picture.png", tag = "games",
    params(("game" = GameKind, Path, description = "the game's id"), PositionQuery),
    responses(
        (status = 200, content_type = "image/png", body = Vec<u8>),
        (status = 304, description = "not changed since the `ETag` in `If-None-Match`"),
        (status = 404),
        (status = 422, description = "`bad-filter`: the position cannot be read"),
    )
)]
async fn of_position(
    State(app): State<App>,
    from: From,
    Path(game): Path<GameKind>,
    Query(query): Query<PositionQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let position = positions::read(game, query.position.as_deref())?;
    let drawing = pictures::drawing(&position, None);
    send(&app, from, drawing, LASTING, &headers).await
}

/// Returns the board of a match as SVG, without a ground, with the last move marked.
/// It shows no more than an anonymous `GET /api/v1/matches/{id}` at the same time.
#[utoipa::path(
    get, path = "/api/v1/matches/{id}/board.svg", tag = "matches",
    params(("id" = MatchId, Path, description = "the match's id"), PictureQuery),
    responses(
        (status = 200, content_type = "image/svg+xml", body = String),
        (status = 304, description = "not changed since the `ETag` in `If-None-Match`"),
        (status = 404),
        (status = 422, description = "`bad-filter`: the match has fewer plies"),
    )
)]
async fn board_of_match(
    State(app): State<App>,
    Path(id): Path<MatchId>,
    Query(query): Query<PictureQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (view, caching) = seen(&app, &id).await?;
    let Scene { position, last } = scene_of(&view, ply_of(&view, query.ply)?)?;
    let drawing = pictures::board(&position, last);
    let caching = caching_of(&Pictures::key(&drawing), caching);
    if precompressed::matches_tag(&headers, &caching[0].1) {
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    let kind = [(
        header::CONTENT_TYPE,
        HeaderValue::from_static("image/svg+xml"),
    )];
    Ok((caching, kind, drawing.as_str().to_owned()).into_response())
}

/// Returns a finished match as a moving picture (GIF), with a slow last frame.
/// It has 200 frames at most: a longer match is shown in steps of several plies.
#[utoipa::path(
    get, path = "/api/v1/matches/{id}/animation.gif", tag = "matches",
    params(("id" = MatchId, Path, description = "the match's id")),
    responses(
        (status = 200, content_type = "image/gif", body = Vec<u8>),
        (status = 304, description = "not changed since the `ETag` in `If-None-Match`"),
        (status = 404),
        (status = 409, description = "`match-not-over`"),
    )
)]
async fn moving(
    State(app): State<App>,
    From(address): From,
    Path(id): Path<MatchId>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let row = lookup::find_match(&app, &id).await?;
    if row.finish.is_none() {
        return Err(ApiError::MatchNotOver);
    }
    let view = matches::view_for(&app, row, None).await?;
    let scenes: Result<Vec<Scene>, ApiError> = pictures::shown(view.plies.len())
        .map(|number| scene_of(&view, number))
        .collect();
    let scenes = scenes?;
    let key = pictures::key(&scenes);
    let caching = caching_of(&key, LASTING);
    if precompressed::matches_tag(&headers, &caching[0].1) {
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    let cost = u32::try_from(scenes.len().div_ceil(FRAMES_PER_PICTURE)).unwrap_or(u32::MAX);
    let cost = NonZeroU32::new(cost).unwrap_or(NonZeroU32::MIN);
    let draw = move || pictures::gif(&scenes);
    let picture = drawn(&app, &app.animations, address, key, cost, draw).await?;
    // Also one that is kept: it may have megabytes.
    app.quotas.file(address, picture.len())?;
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("image/gif"))];
    Ok((caching, kind, picture).into_response())
}

/// Returns a match as an anonymous visitor sees it, and the caching of its pictures.
async fn seen(app: &App, id: &MatchId) -> Result<(MatchView, HeaderValue), ApiError> {
    let row = lookup::find_match(app, id).await?;
    let view = matches::view_for(app, row, None).await?;
    let caching = if view.state.result.is_some() {
        LASTING
    } else {
        PASSING
    };
    Ok((view, caching))
}

/// Returns the wanted number of plies, by default all plies of the view.
fn ply_of(view: &MatchView, ply: Option<u32>) -> Result<usize, ApiError> {
    let most = view.plies.len();
    let number = ply.map_or(most, |ply| usize::try_from(ply).unwrap_or(usize::MAX));
    if number > most {
        let advice = format!("ply is 0 to {most} here");
        return Err(ApiError::field(Code::BadFilter, "ply", advice));
    }
    Ok(number)
}

/// Returns the position of a view after a number of plies.
fn scene_of(view: &MatchView, number: usize) -> Result<Scene, ApiError> {
    let last = number.checked_sub(1).and_then(|last| view.plies.get(last));
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
    Ok(Scene { position, last })
}

fn caching_of(key: &[u8; 32], caching: HeaderValue) -> [(HeaderName, HeaderValue); 2] {
    let tag = format!("\"{}\"", precompressed::short(key));
    let tag = HeaderValue::from_str(&tag).expect("base64 in quotes");
    [(header::ETAG, tag), (header::CACHE_CONTROL, caching)]
}

/// Returns a picture that is kept, or draws it within the quota of the address.
async fn drawn(
    app: &App,
    pictures: &Arc<Pictures>,
    address: IpAddr,
    key: [u8; 32],
    cost: NonZeroU32,
    draw: impl FnOnce() -> Option<Bytes> + Send + 'static,
) -> Result<Bytes, ApiError> {
    if let Some(picture) = pictures.get(&key) {
        return Ok(picture);
    }
    app.quotas.pictures(address, cost)?;
    let drawn = pictures.draw(key, draw).await;
    drawn.map_err(|refused| match refused {
        Refused::Busy => ApiError::TooManyPictures,
        Refused::Failed => {
            tracing::error!("a picture could not be drawn");
            ApiError::Internal
        }
    })
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
    let caching = caching_of(&key, caching);
    if precompressed::matches_tag(headers, &caching[0].1) {
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    let draw = move || pictures::png(&drawing);
    let one = NonZeroU32::MIN;
    let picture = drawn(app, &app.pictures, address, key, one, draw).await?;
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("image/png"))];
    Ok((caching, kind, picture).into_response())
}
