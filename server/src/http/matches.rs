//! Matches over REST: matches against the computer, pass and play, and lookups.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use mawe_ai::UnknownLevel;
use mawe_play::room::io::Finish;
use mawe_play::room::state::RoomState;
use mawe_rules::{BySide, GameKind, Side};
use mawe_store::{ClaimedMatch, MAX_RUNNING, MatchRow, NewMatch, StoreError};
use mawe_wire::ids::{MatchId, PlayerId};
use mawe_wire::{
    Code, MatchOptions, MatchResult, MatchView, SeatView, Seats, SideWish, Speed, TimeControl,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract::{Path, Query, SignedIn, Visitor};
use crate::http::paging::{cut, match_cursor, page_size};
use crate::http::request_keys::{Claim, Key, Keyed, Looks};
use crate::http::terms::{OptionsWish, TermsRequest};
use crate::http::{lookup, request_keys};
use crate::live::arrange;
use crate::live::view;
use crate::page::precompressed;

/// The most running matches in a list.
const LOBBY: usize = 50;

/// The number of the strongest running matches that are read for it: those without a player present are left out.
const READ_FOR_LOBBY: u32 = 200;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(find))
        .routes(routes!(mine))
        .routes(routes!(pass_and_play))
}

/// A match against the computer.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "game": "checkers", "level": 1, "side": "first", "time_control": { "kind": "realtime", "base_ms": 300_000, "increment_ms": 3_000 } }))]
struct NewBotMatch {
    /// The game kind.
    #[schema(example = "mawe")]
    game: GameKind,
    /// The setup; empty for the standard game. `position=TEXT` starts a casual match from a position.
    #[serde(default)]
    setup: String,
    /// The computer's level, 1 to 10.
    level: u8,
    /// The side that the caller wants; in a rated match it is drawn by lot.
    #[serde(default)]
    side: SideWish,
    /// The time control.
    time_control: TimeControl,
    /// Whether ratings change; this needs an account.
    #[serde(default)]
    rated: bool,
    /// The options of the match.
    options: Option<OptionsWish>,
    /// Whether only callers with the link may watch.
    #[serde(default)]
    private: bool,
}

/// The id of a match.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Created {
    pub(crate) id: MatchId,
}

/// A match in a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MatchSummary {
    id: MatchId,
    game: GameKind,
    setup: String,
    rated: bool,
    time_control: TimeControl,
    speed: Speed,
    options: MatchOptions,
    seats: Seats<SeatView>,
    /// The side to move; only in the list of the caller's running matches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turn: Option<Side>,
    /// Null while the match runs.
    #[schema(required = true)]
    result: Option<MatchResult>,
    /// The number of plies; null while the match runs.
    #[schema(required = true)]
    plies: Option<u32>,
    created_at: jiff::Timestamp,
    #[schema(required = true)]
    finished_at: Option<jiff::Timestamp>,
    /// The weight of the match in the players' ratings, 0 to 1: within 24 hours each further rated match of a pair in a game weighs less.
    /// Absent before the match is counted, and for matches counted before weights were introduced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rating_weight: Option<f64>,
    /// Whether a moderator has made the match void, so that it counts for nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    voided: bool,
}

/// A list of matches.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MatchList {
    items: Vec<MatchSummary>,
}

/// Returns the cursor of the page after this match.
fn after_match(row: &MatchRow) -> String {
    format!("{}.{}", row.created_ms, row.id)
}

/// A page of matches.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MatchPage {
    /// The newest first.
    items: Vec<MatchSummary>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

impl MatchPage {
    /// Returns the page of these rows, of which there is one more than `limit` if there is a next page.
    pub(crate) fn of(mut rows: Vec<MatchRow>, limit: u32) -> MatchPage {
        let next = cut(&mut rows, limit, after_match);
        MatchPage {
            items: rows.iter().map(MatchSummary::from_row).collect(),
            next,
        }
    }
}

impl MatchSummary {
    pub(crate) fn from_row(row: &MatchRow) -> MatchSummary {
        MatchSummary {
            id: row.id.clone(),
            game: row.game,
            setup: row.setup.clone(),
            rated: row.rated,
            time_control: row.time_control,
            speed: row.speed,
            options: row.options,
            seats: view::seats(row),
            turn: None,
            result: row.finish.as_ref().map(result),
            plies: row.finish.as_ref().map(|finish| finish.plies),
            created_at: view::timestamp(row.created_ms),
            finished_at: row
                .finish
                .as_ref()
                .map(|finish| view::timestamp(finish.at_ms)),
            rating_weight: row.rating_weight,
            voided: row.voided_ms.is_some(),
        }
    }
}

fn result(finish: &Finish) -> MatchResult {
    MatchResult {
        winner: finish.winner,
        reason: finish.reason.clone(),
        score: finish.score.map(|score| Seats {
            first: score.first,
            second: score.second,
        }),
    }
}

/// Refuses a player with too many running matches early. The store decides when the match is made.
pub(crate) async fn check_room_for_more(app: &App, player: &PlayerId) -> Result<(), ApiError> {
    let counts = app.store.running_counts(player, unix_ms()).await?;
    if counts.counted < MAX_RUNNING {
        Ok(())
    } else {
        Err(ApiError::too_many_matches())
    }
}

/// Returns the error for this player when a match could not be made.
pub(crate) fn not_made(error: StoreError, me: &PlayerId) -> ApiError {
    match error {
        StoreError::TooManyMatches(player) if player != *me => ApiError::OpponentBusy,
        error => error.into(),
    }
}

/// Starts a match against the computer.
#[utoipa::path(
    post, path = "/api/v1/matches", tag = "matches", request_body = NewBotMatch,
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "a key of the client's own: within 24 hours the same request with the same key creates nothing anew", min_length = 1, max_length = 128, example = "8e03978e-40d5-43dd-bc93-6894a57f9324"),
    ),
    responses(
        (status = 201, body = Created),
        (status = 401),
        (status = 403, description = "`account-needed` for a rated match"),
        (status = 422),
    )
)]
async fn create(
    State(app): State<App>,
    me: SignedIn,
    Keyed { body: new, key }: Keyed<NewBotMatch>,
) -> Result<Response, ApiError> {
    let wish = TermsRequest {
        game: new.game,
        setup: &new.setup,
        time_control: new.time_control,
        rated: new.rated,
        options: new.options,
        private: new.private,
    };
    let terms = wish.check(&me.player)?;
    let bot = app
        .bot(new.level)
        .ok_or_else(|| ApiError::field(Code::BadLevel, "level", UnknownLevel.to_string()))?;
    let sender = me.player.id.clone();
    let players = match arrange::side_for(terms.side(new.side)) {
        Side::First => BySide::new(me.player, bot.clone()),
        Side::Second => BySide::new(bot.clone(), me.player),
    };
    let new = arrange::prepare(app.store.as_ref(), &terms, &players, None).await?;
    begin(&app, &sender, key, new).await
}

/// Creates a match, unless an earlier request with the same key has created it, and opens it.
async fn begin(
    app: &App,
    sender: &PlayerId,
    key: Option<Key>,
    new: NewMatch,
) -> Result<Response, ApiError> {
    let Claim { id, is_shared } = request_keys::claim(key, app, sender, new.id.clone()).await?;
    let mut was_there = is_shared && app.store.find_match(&id).await?.is_some();
    if !was_there {
        let new = NewMatch {
            id: id.clone(),
            ..new
        };
        match app.store.create_match(&new).await {
            Ok(()) => {}
            // The same request is under way twice: the other one was faster.
            Err(StoreError::Conflict) if is_shared => {
                let mut looks = Looks::default();
                while !was_there && looks.next().await {
                    was_there = app.store.find_match(&id).await?.is_some();
                }
                if !was_there {
                    return Err(ApiError::StoreUnavailable);
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
    app.rooms.open(&id);
    let headers = request_keys::headers(was_there);
    Ok((StatusCode::CREATED, headers, Json(Created { id })).into_response())
}

/// A match that one person plays at both seats.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "game": "kalah", "time_control": { "kind": "unlimited" } }))]
struct NewPassAndPlay {
    /// The game kind.
    #[schema(example = "mawe")]
    game: GameKind,
    /// The setup; empty for the standard game. `position=TEXT` starts a casual match from a position.
    #[serde(default)]
    setup: String,
    /// The time control.
    time_control: TimeControl,
    /// The options of the match.
    options: Option<OptionsWish>,
    /// Whether only callers with the link may watch; true by default.
    private: Option<bool>,
}

/// Starts a pass and play match: one person at both seats, on one device.
/// It is never rated and counts in no statistics.
#[utoipa::path(
    post, path = "/api/v1/matches/pass-and-play", tag = "matches", request_body = NewPassAndPlay,
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "a key of the client's own: within 24 hours the same request with the same key creates nothing anew", min_length = 1, max_length = 128, example = "8e03978e-40d5-43dd-bc93-6894a57f9324"),
    ),
    responses(
        (status = 201, body = Created),
        (status = 401),
        (status = 422),
    )
)]
async fn pass_and_play(
    State(app): State<App>,
    me: SignedIn,
    Keyed { body: new, key }: Keyed<NewPassAndPlay>,
) -> Result<Response, ApiError> {
    let wish = TermsRequest {
        game: new.game,
        setup: &new.setup,
        time_control: new.time_control,
        rated: false,
        options: new.options,
        private: new.private.unwrap_or(true),
    };
    let terms = wish.check(&me.player)?;
    let sender = me.player.id.clone();
    let players = BySide::new(me.player.clone(), me.player);
    let new = arrange::prepare(app.store.as_ref(), &terms, &players, None).await?;
    begin(&app, &sender, key, new).await
}

/// The filter of the list of matches.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
struct Filter {
    /// Only matches of this game kind.
    game: Option<GameKind>,
}

/// Lists running matches that have begun and have a player present, strongest players first.
#[utoipa::path(
    get, path = "/api/v1/matches", tag = "matches", params(Filter),
    responses((status = 200, body = MatchList), (status = 422))
)]
async fn list(
    State(app): State<App>,
    Query(filter): Query<Filter>,
) -> Result<Json<MatchList>, ApiError> {
    let now_ms = unix_ms();
    let rows = app
        .store
        .running_matches(filter.game, now_ms, READ_FOR_LOBBY)
        .await?;
    let attended = rows.iter().filter(|row| app.sockets.is_attended(row));
    Ok(Json(MatchList {
        items: attended.take(LOBBY).map(MatchSummary::from_row).collect(),
    }))
}

/// The query of the list of the caller's running matches.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct RunningQuery {
    /// `next` of the previous page.
    cursor: Option<String>,
    /// The size of the page, 1 to 100; 50 by default.
    limit: Option<u32>,
}

/// Lists the caller's running matches, newest first.
#[utoipa::path(
    get, path = "/api/v1/me/matches", tag = "matches", params(RunningQuery),
    responses((status = 200, body = MatchPage), (status = 401), (status = 422))
)]
async fn mine(
    State(app): State<App>,
    me: SignedIn,
    Query(query): Query<RunningQuery>,
) -> Result<Json<MatchPage>, ApiError> {
    let limit = page_size(query.limit.or(Some(MAX_RUNNING)))?;
    let after = match_cursor(query.cursor.as_deref())?;
    let mut rows = app
        .store
        .running_matches_of(&me.player.id, after.as_ref(), limit + 1)
        .await?;
    let next = cut(&mut rows, limit, after_match);
    let mut items = Vec::with_capacity(rows.len());
    for row in rows {
        let summary = MatchSummary::from_row(&row);
        let turn = Some(turn_of(&app, row).await?);
        items.push(MatchSummary { turn, ..summary });
    }
    Ok(Json(MatchPage { items, next }))
}

/// Returns a match with all its plies.
/// A finished match has an `ETag`, because it no longer changes.
#[utoipa::path(
    get, path = "/api/v1/matches/{id}", tag = "matches", params(("id" = MatchId, Path, description = "the match's id")),
    responses(
        (status = 200, body = MatchView),
        (status = 304, description = "not changed since the `ETag` in `If-None-Match`"),
        (status = 404),
    )
)]
async fn find(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    Path(id): Path<MatchId>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let row = lookup::find_match(&app, &id).await?;
    if row.finish.is_none() {
        let player = visitor.map(|visitor| visitor.player.id);
        let view = view_for(&app, row, player).await?;
        return Ok(([(header::CACHE_CONTROL, "no-store")], Json(view)).into_response());
    }
    let tag = etag(&row);
    let caching = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    if precompressed::matches_tag(&headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    Ok((caching, Json(view_for(&app, row, None).await?)).into_response())
}

/// Returns a match as a player or an anonymous visitor may see it now.
pub(crate) async fn view_for(
    app: &App,
    row: MatchRow,
    player: Option<PlayerId>,
) -> Result<MatchView, ApiError> {
    if row.finish.is_some() {
        return stored(app, row).await;
    }
    match app.rooms.view(&row.id, player).await {
        Some(view) => Ok(view),
        None => unopened(app, row).await,
    }
}

/// Returns a running match whose room cannot be opened, because the store can be read but not written. No player can move in it either.
async fn unopened(app: &App, row: MatchRow) -> Result<MatchView, ApiError> {
    // Another node may own the match and delay it for spectators, while the store has the latest moves.
    let is_shown_late = row.rated && row.time_control.is_realtime();
    if is_shown_late {
        return Err(ApiError::StoreUnavailable);
    }
    stored(app, row).await
}

/// Returns a match as its journal records it.
async fn stored(app: &App, row: MatchRow) -> Result<MatchView, ApiError> {
    let (row, state) = rebuilt(app, row).await?;
    let clock = state.view().clock;
    Ok(view::of_match(&row, &state, clock))
}

/// Returns the side to move in a running match.
async fn turn_of(app: &App, row: MatchRow) -> Result<Side, ApiError> {
    if let Some(side) = app.turns.get(&row.id, row.head) {
        return Ok(side);
    }
    let (row, state) = rebuilt(app, row).await?;
    let side = state.record().turn();
    app.turns.put(row.id, row.head, side);
    Ok(side)
}

/// Rebuilds the state of a match from its journal.
pub(crate) async fn rebuilt(app: &App, row: MatchRow) -> Result<(MatchRow, RoomState), ApiError> {
    let entries = app.store.entries(&row.id, 0).await?;
    let claimed = ClaimedMatch { row, entries };
    let state = claimed.rebuild()?;
    Ok((claimed.row, state))
}

fn etag(row: &MatchRow) -> HeaderValue {
    etag_of(row, "view")
}

/// Returns the tag of a finished match in one representation. The only thing that still changes is the rating change, once it is counted.
pub(crate) fn etag_of(row: &MatchRow, form: &str) -> HeaderValue {
    let counted = row.rating_changes.first.is_some();
    HeaderValue::from_str(&format!(
        "\"{}-{}-{}-{form}\"",
        row.id,
        row.head,
        u8::from(counted)
    ))
    .expect("letters and digits")
}
