//! Statistics: rating histories, head-to-head results, results by game, the featured matches, and the activity of the server.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use mawe_play::rating::START_RATING;
use mawe_rules::{GameKind, Side};
use mawe_store::{HistoryCursor, HistoryOrder, MatchRow, RatingChange, Tally};
use mawe_wire::ids::MatchId;
use mawe_wire::{Code, PlayerRef, Speed};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::caching::{self, Fresh};
use crate::http::error::ApiError;
use crate::http::extract::{Path, Query, Visitor};
use crate::http::lookup::shown;
use crate::http::matches::MatchSummary;
use crate::http::paging::{cut, parts};
use crate::live::view;

/// The number of points in a page of a rating's history: a chart of a year takes one or two requests.
const DEFAULT_POINTS: u32 = 200;
pub(crate) const MAX_POINTS: u32 = 1_000;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(rating_history))
        .routes(routes!(head_to_head))
        .routes(routes!(games))
        .routes(routes!(tv))
        .routes(routes!(activity))
}

/// The end at which a history begins.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Order {
    /// Begins with the first rated match.
    #[default]
    Oldest,
    /// Begins with the last rated match.
    Newest,
}

/// The query of a page of a rating's history.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
struct HistoryQuery {
    /// The order; `oldest` first by default.
    #[param(inline)]
    order: Option<Order>,
    /// `next` of the previous page in the same order.
    cursor: Option<String>,
    /// The size of the page, 1 to 1000; 200 by default.
    limit: Option<u32>,
}

/// A page of a rating's history.
#[derive(Debug, Serialize, ToSchema)]
struct RatingHistory {
    items: Vec<RatingPoint>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// A rating after one match.
#[derive(Debug, Serialize, ToSchema)]
struct RatingPoint {
    /// The time of the end of the match.
    at: jiff::Timestamp,
    /// The match.
    #[serde(rename = "match")]
    match_id: MatchId,
    opponent: PlayerRef,
    result: PlayerResult,
    /// Glicko-2 rating after the match.
    rating: f64,
    /// Glicko-2 deviation after the match.
    deviation: f64,
    /// The change of the rating by the match.
    change: f64,
}

/// The result of a match for one player.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum PlayerResult {
    Won,
    Drawn,
    Lost,
}

impl RatingPoint {
    fn from_change(change: &RatingChange) -> RatingPoint {
        let before = change.before.map_or(START_RATING, |before| before.rating);
        RatingPoint {
            at: view::timestamp(change.at_ms),
            match_id: change.match_id.clone(),
            opponent: view::player(&change.opponent),
            result: match change.won {
                Some(true) => PlayerResult::Won,
                None => PlayerResult::Drawn,
                Some(false) => PlayerResult::Lost,
            },
            rating: change.after.rating,
            deviation: change.after.deviation,
            change: change.after.rating - before,
        }
    }
}

/// Returns the history of a player's rating in one game and speed, match by match.
#[utoipa::path(
    get, path = "/api/v1/players/{name}/ratings/{game}/{speed}", tag = "players",
    params(
        ("name" = String, Path, description = "the player's name"),
        ("game" = GameKind, Path, description = "the game kind"),
        ("speed" = Speed, Path, description = "the speed"),
        HistoryQuery,
    ),
    responses(
        (status = 200, body = RatingHistory),
        (status = 304, description = "not changed since the `ETag` in `If-None-Match`"),
        (status = 404),
        (status = 422),
    )
)]
async fn rating_history(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    Path((name, game, speed)): Path<(String, GameKind, Speed)>,
    Query(query): Query<HistoryQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let limit = query.limit.unwrap_or(DEFAULT_POINTS);
    if !(1..=MAX_POINTS).contains(&limit) {
        return Err(ApiError::field(
            Code::BadFilter,
            "limit",
            "limit is 1 to 1000",
        ));
    }
    let cursor = parts(query.cursor.as_deref())?;
    let cursor = cursor.map(|(at_ms, ordinal)| HistoryCursor { at_ms, ordinal });
    let order = match query.order.unwrap_or_default() {
        Order::Oldest => HistoryOrder::OldestFirst,
        Order::Newest => HistoryOrder::NewestFirst,
    };
    let player = shown(&app, &name, visitor.as_ref()).await?;
    let mut changes = app
        .store
        .rating_history(&player.id, game, speed, order, cursor.as_ref(), limit + 1)
        .await?;
    let next = cut(&mut changes, limit, |change| {
        format!("{}.{}", change.at_ms, change.ordinal)
    });
    let page = RatingHistory {
        items: changes.iter().map(RatingPoint::from_change).collect(),
        next,
    };
    caching::answer(&headers, Fresh::Always, &page)
}

/// The results of two players against each other.
#[derive(Debug, Serialize, ToSchema)]
struct HeadToHead {
    player: PlayerRef,
    opponent: PlayerRef,
    /// Finished matches between them that had a winner or were drawn.
    played: u32,
    /// Won by `player`.
    won: u32,
    drawn: u32,
    /// Lost by `player`.
    lost: u32,
    /// The same counts by game, of games that they have played.
    games: Vec<HeadToHeadGame>,
}

/// The results of two players against each other in one game.
#[derive(Debug, Serialize, ToSchema)]
struct HeadToHeadGame {
    game: GameKind,
    won: u32,
    drawn: u32,
    lost: u32,
}

/// Returns the results of a player against another, from the first player's view.
#[utoipa::path(
    get, path = "/api/v1/players/{name}/against/{other}", tag = "players",
    params(
        ("name" = String, Path, description = "the player's name"),
        ("other" = String, Path, description = "the opponent's name"),
    ),
    responses(
        (status = 200, body = HeadToHead),
        (status = 304, description = "not changed since the `ETag` in `If-None-Match`"),
        (status = 404),
    )
)]
async fn head_to_head(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    Path((name, other)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let player = shown(&app, &name, visitor.as_ref()).await?;
    let opponent = shown(&app, &other, visitor.as_ref()).await?;
    let games = app.store.head_to_head(&player.id, &opponent.id).await?;
    let sum = |of: fn(&Tally) -> u32| games.iter().map(|(_, tally)| of(tally)).sum();
    let (won, drawn, lost) = (sum(|t| t.won), sum(|t| t.drawn), sum(|t| t.lost));
    let body = HeadToHead {
        player: view::player(&player),
        opponent: view::player(&opponent),
        played: won + drawn + lost,
        won,
        drawn,
        lost,
        games: games
            .iter()
            .map(|(game, tally)| HeadToHeadGame {
                game: *game,
                won: tally.won,
                drawn: tally.drawn,
                lost: tally.lost,
            })
            .collect(),
    };
    caching::answer(&headers, Fresh::Always, &body)
}

/// A list of game kinds.
#[derive(Debug, Serialize, ToSchema)]
struct Games {
    items: Vec<GameStatistics>,
}

/// The results of all counted matches of one game.
#[derive(Debug, Serialize, ToSchema)]
struct GameStatistics {
    game: GameKind,
    /// Finished matches that had a winner or were drawn.
    played: u64,
    /// Won by the side that moved first.
    first_won: u64,
    drawn: u64,
    /// Won by the other side.
    second_won: u64,
    /// The average number of plies of a match; null before the first match.
    #[schema(required = true)]
    average_plies: Option<f64>,
}

/// Lists all game kinds with the results of their matches.
#[utoipa::path(
    get, path = "/api/v1/games", tag = "games",
    responses(
        (status = 200, body = Games),
        (status = 304, description = "not changed since the `ETag` in `If-None-Match`"),
    )
)]
async fn games(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let tallies = app.store.game_tallies().await?;
    let of = |game: &GameKind| {
        let tally = tallies.iter().find(|tally| tally.game == *game);
        let won = |side: Side| tally.map_or(0, |tally| tally.won[side]);
        let drawn = tally.map_or(0, |tally| tally.drawn);
        let played = won(Side::First) + drawn + won(Side::Second);
        #[allow(clippy::cast_precision_loss)] // no server sees 2^52 plies
        let average = |plies: u64| plies as f64 / played as f64;
        GameStatistics {
            game: *game,
            played,
            first_won: won(Side::First),
            drawn,
            second_won: won(Side::Second),
            average_plies: tally
                .filter(|_| played > 0)
                .map(|tally| average(tally.plies)),
        }
    };
    let body = Games {
        items: GameKind::ALL.iter().map(of).collect(),
    };
    caching::answer(&headers, Fresh::AFewSeconds, &body)
}

/// The featured matches.
#[derive(Debug, Serialize, ToSchema)]
struct OnTv {
    /// One channel for each game kind.
    items: Vec<TvChannel>,
}

/// The featured match of one game.
#[derive(Debug, Serialize, ToSchema)]
struct TvChannel {
    game: GameKind,
    /// The match; null if none is running.
    #[serde(rename = "match")]
    #[schema(required = true)]
    summary: Option<MatchSummary>,
}

/// Lists the featured match of each game.
/// It is the running match of the strongest players, until it ends or one of much stronger players begins.
#[utoipa::path(
    get, path = "/api/v1/tv", tag = "games",
    responses(
        (status = 200, body = OnTv),
        (status = 304, description = "not changed since the `ETag` in `If-None-Match`"),
    )
)]
async fn tv(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let channel = |(game, row): (GameKind, Option<MatchRow>)| TvChannel {
        game,
        summary: row.as_ref().map(MatchSummary::from_row),
    };
    let items = app.tv.now().into_iter().map(channel).collect();
    caching::answer(&headers, Fresh::Always, &OnTv { items })
}

/// The number of results in the activity of the server.
const RESULTS: u32 = 10;

/// The age of the oldest of them.
const RESULTS_WITHIN_MS: i64 = 30 * 24 * 60 * 60 * 1_000;

/// The players and matches on the server now.
#[derive(Debug, Serialize, ToSchema)]
struct Activity {
    /// The number of connected players.
    players: usize,
    /// The number of running matches in real time.
    matches: u32,
    /// The latest results of public matches of the last 30 days, newest first, without matches that were called off.
    results: Vec<MatchSummary>,
}

/// Returns the number of players and matches on the server now, and the latest results.
#[utoipa::path(
    get, path = "/api/v1/activity", tag = "games",
    responses(
        (status = 200, body = Activity),
        (status = 304, description = "not changed since the `ETag` in `If-None-Match`"),
    )
)]
async fn activity(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let since_ms = unix_ms() - RESULTS_WITHIN_MS;
    let results = app.store.latest_results(since_ms, RESULTS).await?;
    let activity = Activity {
        players: app.sockets.player_count(),
        matches: app.store.count_live_matches().await?,
        results: results.iter().map(MatchSummary::from_row).collect(),
    };
    caching::answer(&headers, Fresh::AFewSeconds, &activity)
}
