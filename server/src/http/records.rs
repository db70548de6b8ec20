//! Records: how ratings came about, how two players stand against each other, how each game goes, and what is on.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use mawe_rules::{GameKind, Side};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::App;
use crate::http::caching::{self, Fresh};
use crate::http::error::{ApiError, Problem};
use crate::http::extract::{Path, Query};
use crate::http::matches::MatchSummary;
use crate::http::players::{bad_cursor, find};
use crate::ids::MatchId;
use crate::protocol::{PlayerRef, Speed};
use crate::room::view;
use crate::store::{HistoryCursor, HistoryOrder, MatchRow, RatingChange, START_RATING, Tally};

/// How many points of a curve come at once: a chart of a year in one or two requests.
const DEFAULT_POINTS: u32 = 200;
const MAX_POINTS: u32 = 1_000;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(rating_history))
        .routes(routes!(head_to_head))
        .routes(routes!(games))
        .routes(routes!(tv))
}

/// Which end of a history to begin with.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Order {
    /// The first rated match.
    #[default]
    Oldest,
    /// The last rated match.
    Newest,
}

/// Which page of a rating's history.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
struct HistoryQuery {
    /// Which end to begin with; the oldest by default.
    #[param(inline)]
    order: Option<Order>,
    /// `next` of the page before, read in the same order.
    cursor: Option<String>,
    /// How many, 1 to 1000; 200 by default.
    limit: Option<u32>,
}

/// A page of a rating's history.
#[derive(Debug, Serialize, ToSchema)]
struct RatingHistory {
    items: Vec<RatingPoint>,
    /// What to give as `cursor` for the next page; null on the last.
    #[schema(required = true)]
    next: Option<String>,
}

/// A rating as one match left it.
#[derive(Debug, Serialize, ToSchema)]
struct RatingPoint {
    /// When the match ended.
    #[schema(value_type = String)]
    at: jiff::Timestamp,
    /// The match.
    #[serde(rename = "match")]
    #[schema(value_type = String)]
    match_id: MatchId,
    opponent: PlayerRef,
    result: PlayerResult,
    /// Glicko-2 rating after it.
    rating: f64,
    /// Glicko-2 deviation after it.
    deviation: f64,
    /// What the match did to the rating.
    change: f64,
}

/// How a match ended for one player.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum PlayerResult {
    Won,
    Drawn,
    Lost,
}

impl RatingPoint {
    fn of(change: &RatingChange) -> RatingPoint {
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

/// How a player's rating in one game and speed came about, match by match.
#[utoipa::path(
    get, path = "/api/v1/players/{name}/ratings/{game}/{speed}", tag = "players",
    params(
        ("name" = String, Path, description = "the player's name"),
        ("game" = String, Path, description = "the game kind"),
        ("speed" = String, Path, description = "the speed"),
        HistoryQuery,
    ),
    responses(
        (status = 200, body = RatingHistory),
        (status = 304, description = "not changed since the `ETag` in `If-None-Match`"),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 422, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn rating_history(
    State(app): State<App>,
    Path((name, game, speed)): Path<(String, GameKind, Speed)>,
    Query(query): Query<HistoryQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let limit = query.limit.unwrap_or(DEFAULT_POINTS);
    if !(1..=MAX_POINTS).contains(&limit) {
        return Err(ApiError::field("bad-filter", "limit", "limit is 1 to 1000"));
    }
    let cursor = query.cursor.as_deref().map(parse_cursor).transpose()?;
    let order = match query.order.unwrap_or_default() {
        Order::Oldest => HistoryOrder::OldestFirst,
        Order::Newest => HistoryOrder::NewestFirst,
    };
    let player = find(&app, &name).await?;
    // One more than asked for tells whether there is a next page.
    let mut changes = app
        .store
        .rating_history(&player.id, game, speed, order, cursor.as_ref(), limit + 1)
        .await?;
    let more = changes.len() > limit as usize;
    changes.truncate(limit as usize);
    let next = changes
        .last()
        .filter(|_| more)
        .map(|change| format!("{}.{}", change.at_ms, change.ordinal));
    let page = RatingHistory {
        items: changes.iter().map(RatingPoint::of).collect(),
        next,
    };
    caching::answer(&headers, Fresh::Always, &page)
}

fn parse_cursor(text: &str) -> Result<HistoryCursor, ApiError> {
    let (at_ms, ordinal) = text.split_once('.').ok_or_else(bad_cursor)?;
    Ok(HistoryCursor {
        at_ms: at_ms.parse().map_err(|_| bad_cursor())?,
        ordinal: ordinal.parse().map_err(|_| bad_cursor())?,
    })
}

/// How two players stand against each other.
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
    /// The same by game; of games that they have played only.
    games: Vec<HeadToHeadGame>,
}

/// How two players stand against each other in one game.
#[derive(Debug, Serialize, ToSchema)]
struct HeadToHeadGame {
    #[schema(value_type = String)]
    game: GameKind,
    won: u32,
    drawn: u32,
    lost: u32,
}

/// How a player stands against another, from the first one's view.
#[utoipa::path(
    get, path = "/api/v1/players/{name}/against/{other}", tag = "players",
    params(
        ("name" = String, Path, description = "the player's name"),
        ("other" = String, Path, description = "the opponent's name"),
    ),
    responses(
        (status = 200, body = HeadToHead),
        (status = 304, description = "not changed since the `ETag` in `If-None-Match`"),
        (status = 404, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn head_to_head(
    State(app): State<App>,
    Path((name, other)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let player = find(&app, &name).await?;
    let opponent = find(&app, &other).await?;
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

/// The game kinds.
#[derive(Debug, Serialize, ToSchema)]
struct Games {
    items: Vec<GameStatistics>,
}

/// How the matches of one game went, over all that have been counted.
#[derive(Debug, Serialize, ToSchema)]
struct GameStatistics {
    #[schema(value_type = String)]
    game: GameKind,
    /// Finished matches that had a winner or were drawn.
    played: u64,
    /// Won by the side that moved first.
    first_won: u64,
    drawn: u64,
    /// Won by the other side.
    second_won: u64,
    /// How many plies a match had; null before the first.
    #[schema(required = true)]
    average_plies: Option<f64>,
}

/// All game kinds, and how their matches went.
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

/// What is on.
#[derive(Debug, Serialize, ToSchema)]
struct OnTv {
    /// Every game kind.
    items: Vec<TvChannel>,
}

/// What is on in one game.
#[derive(Debug, Serialize, ToSchema)]
struct TvChannel {
    #[schema(value_type = String)]
    game: GameKind,
    /// The featured match; null where none runs.
    #[serde(rename = "match")]
    #[schema(required = true)]
    summary: Option<MatchSummary>,
}

/// The featured match of each game: the strongest that runs, until it ends or a much stronger one has begun.
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
        summary: row.as_ref().map(MatchSummary::of),
    };
    let items = app.tv.now().into_iter().map(channel).collect();
    caching::answer(&headers, Fresh::Always, &OnTv { items })
}
