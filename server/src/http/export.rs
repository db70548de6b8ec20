//! Exports of matches for other programs: one match in the usual notation of its game, or all matches of a player.

use std::collections::{HashSet, VecDeque};

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use mawe_rules::notation::json::JsonRecordError;
use mawe_store::{MatchCursor, MatchFilter, MatchRow};
use mawe_wire::Code;
use mawe_wire::ids::{MatchId, PlayerId};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::{From, Path, Query, Visitor};
use crate::http::history::{self, Narrowed};
use crate::http::{lookup, matches};
use crate::limits::concurrency::Permit;
use crate::live::export::{self, MatchRecord};
use crate::page::precompressed;

/// The most exports that one address may read at a time: each reads as fast as the store permits.
pub const MAX_EXPORTS: u32 = 4;

/// The number of matches that an export fetches, and so holds in memory, at a time.
const PAGE: u32 = 50;

/// The approximate size of a chunk.
pub(crate) const CHUNK_BYTES: usize = 8 * 1024;

/// The media type of NDJSON.
pub(crate) const NDJSON: &str = "application/x-ndjson";

/// The media type of Portable Draughts Notation, as other servers send it.
const PDN: &str = "application/x-draughts-pdn; charset=utf-8";

/// The media type of JSON.
const JSON: &str = "application/json";

/// The media type of plain text.
const TEXT: &str = "text/plain; charset=utf-8";

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(one))
        .routes(routes!(all))
}

/// The notations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Notation {
    /// One JSON object, for every game.
    Json,
    /// Portable Draughts Notation: checkers.
    Pdn,
    /// The squares in the order of play: Reversi.
    Transcript,
}

impl Notation {
    fn name(self) -> &'static str {
        match self {
            Notation::Json => "json",
            Notation::Pdn => "pdn",
            Notation::Transcript => "transcript",
        }
    }
}

/// The query of an export.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ExportQuery {
    /// The notation; by default the usual one of the game, or JSON if the client accepts nothing else.
    #[param(inline)]
    format: Option<Notation>,
}

/// Exports a match in the usual notation of its game.
/// That is PDN for checkers and the draughts family, a transcript for Reversi, and a JSON record for the others. JSON is available for every game, by `format` or
/// `Accept`.
#[utoipa::path(
    get, path = "/api/v1/matches/{id}/export", tag = "matches",
    params(("id" = MatchId, Path, description = "the match's id"), ExportQuery),
    responses(
        (status = 200, content((MatchRecord = "application/json"), (String = "application/x-draughts-pdn"), (String = "text/plain"))),
        (status = 304, description = "not changed since the `ETag` in `If-None-Match`"),
        (status = 404),
        (status = 422, description = "`bad-filter`: the game is not written so"),
    )
)]
async fn one(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    Path(id): Path<MatchId>,
    Query(query): Query<ExportQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let row = lookup::find_match(&app, &id).await?;
    let game = row.game;
    let query = query
        .format
        .or_else(|| wants_json(&headers).then_some(Notation::Json));
    let caching = if row.finish.is_some() {
        let tag = matches::etag_of(&row, query.map_or("field", Notation::name));
        let caching = HeaderMap::from_iter([
            (header::ETAG, tag.clone()),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
            (header::VARY, HeaderValue::from_static("accept")),
        ]);
        if precompressed::matches_tag(&headers, &tag) {
            return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
        }
        caching
    } else {
        HeaderMap::from_iter([(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))])
    };
    let view = if row.finish.is_some() {
        export::finished(app.store.as_ref(), row).await?
    } else {
        let viewer = visitor.map(|visitor| visitor.player.id);
        let view = app.rooms.view(&id, viewer).await;
        view.ok_or(ApiError::StoreUnavailable)?
    };
    let (kind, text) = match query {
        Some(Notation::Json) => (JSON, None),
        Some(Notation::Pdn) => (PDN, export::pdn(&view).map_err(damaged)?),
        Some(Notation::Transcript) => (TEXT, export::transcript(&view).map_err(damaged)?),
        None => match export::pdn(&view).map_err(damaged)? {
            Some(text) => (PDN, Some(text)),
            None => match export::transcript(&view).map_err(damaged)? {
                Some(text) => (TEXT, Some(text)),
                None => (JSON, None),
            },
        },
    };
    match text {
        Some(text) => Ok((caching, [(header::CONTENT_TYPE, kind)], text).into_response()),
        None if kind == JSON => Ok((caching, Json(MatchRecord::from_view(&view))).into_response()),
        None => Err(ApiError::field(
            Code::BadFilter,
            "format",
            format!("{game} is not written so"),
        )),
    }
}

/// Returns whether the client accepts only JSON.
fn wants_json(headers: &HeaderMap) -> bool {
    let accept = headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let mut kinds = accept.split(',').map(|kind| kind.split(';').next());
    kinds.all(|kind| kind.is_some_and(|kind| kind.trim() == "application/json"))
}

/// Returns the error for a stored match that cannot be replayed: its moves were legal when stored, so this is a bug or damage to the disk.
fn damaged(error: JsonRecordError) -> ApiError {
    tracing::error!(%error, "a stored match could not be replayed for an export");
    ApiError::Internal
}

/// Exports all finished matches of a player, newest first, one JSON record a line.
/// The server fetches more only as the client reads. A response that breaks off is incomplete.
#[utoipa::path(
    get, path = "/api/v1/players/{name}/matches/export", tag = "players",
    params(("name" = String, Path, description = "the player's name"), Narrowed),
    responses(
        (status = 200, body = MatchRecord, content_type = "application/x-ndjson", description = "one record a line"),
        (status = 404),
        (status = 422),
        (status = 429, description = "`too-many-streams`: this address reads 4 exports already"),
    )
)]
async fn all(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    From(address): From,
    Path(name): Path<String>,
    Query(query): Query<Narrowed>,
) -> Result<Response, ApiError> {
    let player = lookup::shown(&app, &name, visitor.as_ref()).await?;
    let mut filter = history::filter(&app, player, visitor, query).await?;
    filter.finished = true;
    let place = app.exports.enter(address)?;
    Ok(stream(app, VecDeque::from([filter]), place))
}

/// Returns an answer with all matches of each filter in turn, each match once.
pub(crate) fn stream(app: App, filters: VecDeque<MatchFilter>, place: Permit) -> Response {
    let export = Export {
        app,
        filters,
        cursor: None,
        rows: VecDeque::new(),
        done: HashSet::new(),
        _place: place,
    };
    let chunks = stream::try_unfold(export, Export::next);
    let headers = [
        (header::CONTENT_TYPE, NDJSON),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, Body::from_stream(chunks)).into_response()
}

/// An export in progress.
struct Export {
    app: App,
    /// The filters with pages left; the first is under way.
    filters: VecDeque<MatchFilter>,
    cursor: Option<MatchCursor>,
    /// Matches fetched and not yet written.
    rows: VecDeque<MatchRow>,
    /// The players of the finished filters.
    done: HashSet<PlayerId>,
    _place: Permit,
}

impl Export {
    /// Returns the next chunk. An error breaks the response off, so that a client cannot mistake a part for the whole.
    async fn next(mut self) -> Result<Option<(Bytes, Export)>, ApiError> {
        let mut chunk = Vec::new();
        while chunk.len() < CHUNK_BYTES {
            if self.app.rooms.services.is_stopping() {
                return Err(ApiError::StoreUnavailable);
            }
            if let Some(row) = self.rows.pop_front() {
                let view = export::finished(self.app.store.as_ref(), row).await?;
                MatchRecord::from_view(&view).write_line(&mut chunk);
            } else if !self.fetch().await? {
                break;
            }
        }
        Ok((!chunk.is_empty()).then(|| (chunk.into(), self)))
    }

    /// Fetches the next page; returns whether there was one to fetch.
    async fn fetch(&mut self) -> Result<bool, ApiError> {
        let Some(filter) = self.filters.front() else {
            return Ok(false);
        };
        let cursor = self.cursor.as_ref();
        let mut rows = self.app.store.matches_of(filter, cursor, PAGE).await?;
        self.cursor = rows.last().map(|row| MatchCursor {
            created_ms: row.created_ms,
            id: row.id.clone(),
        });
        let is_last = rows.len() < PAGE as usize;
        rows.retain(|row| {
            let players = [&row.players.first.id, &row.players.second.id];
            !players.into_iter().any(|player| self.done.contains(player))
        });
        self.rows = rows.into();
        if is_last && let Some(filter) = self.filters.pop_front() {
            self.done.insert(filter.player);
            self.cursor = None;
        }
        Ok(true)
    }
}
