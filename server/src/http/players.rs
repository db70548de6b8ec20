//! Players: profile, history, leaderboards.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use mawe_play::rating::{self, MIN_OPPONENTS, PROVISIONAL_DEVIATION};
use mawe_rules::{GameKind, Side};
use mawe_store::{RatingRow, SideTally, Tally};
use mawe_wire::{Code, PlayerRef, RatingRef, Seats, Speed};
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::caching::{self, Fresh};
use crate::http::error::ApiError;
use crate::http::extract::{Path, Query, Visitor};
use crate::http::history::{self, HistoryQuery};
use crate::http::lookup::{moved, present_name, shown as shown_player};
use crate::http::matches::MatchPage;
use crate::http::paging::{bad_cursor, match_cursor, page_size};
use crate::http::vacations;
use crate::live::view;

/// The longest search text, in characters: no name is longer.
pub(crate) const MAX_SEARCH: usize = 40;

/// The last rank that a leaderboard can be read to.
const MAX_RANK: u32 = 10_000;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(search))
        .routes(routes!(profile))
        .routes(routes!(history))
        .routes(routes!(leaderboard))
}

/// A player's profile.
#[derive(Debug, Serialize, ToSchema)]
struct Profile {
    player: PlayerRef,
    created_at: jiff::Timestamp,
    /// The end of the player's vacation, while it lasts: until then the player's clocks by the day end no match.
    #[serde(skip_serializing_if = "Option::is_none")]
    vacation_until: Option<jiff::Timestamp>,
    /// The number of followed players.
    following: u32,
    /// The number of followers, counted up to 10,000.
    followers: u32,
    /// One rating for each game and speed with a rated match.
    ratings: Vec<RatingView>,
    /// Finished matches that had a winner or were drawn.
    played: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    /// The same counts by game and side, of games with a finished match.
    games: Vec<GameRecord>,
}

/// A player's results in one game.
#[derive(Debug, Serialize, ToSchema)]
struct GameRecord {
    game: GameKind,
    /// The results at each side.
    sides: Seats<SideRecord>,
}

/// A player's results at one side of a game.
#[derive(Debug, Default, Serialize, ToSchema)]
struct SideRecord {
    won: u32,
    drawn: u32,
    lost: u32,
    /// The total number of plies of these matches.
    plies: u64,
}

fn by_game(tallies: &[SideTally]) -> Vec<GameRecord> {
    let side = |rows: &[SideTally], side: Side| {
        let row = rows.iter().find(|row| row.side == side);
        row.map_or_else(SideRecord::default, |row| SideRecord {
            won: row.tally.won,
            drawn: row.tally.drawn,
            lost: row.tally.lost,
            plies: row.plies,
        })
    };
    let games = tallies.chunk_by(|a, b| a.game == b.game);
    games
        .map(|rows| GameRecord {
            game: rows[0].game,
            sides: Seats {
                first: side(rows, Side::First),
                second: side(rows, Side::Second),
            },
        })
        .collect()
}

/// A player's rating in one game and speed.
#[derive(Debug, Serialize, ToSchema)]
struct RatingView {
    game: GameKind,
    speed: Speed,
    /// Glicko-2 rating.
    rating: f64,
    /// Glicko-2 deviation, grown since the last rated match.
    deviation: f64,
    /// Glicko-2 volatility.
    volatility: f64,
    /// Rated matches.
    games: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    /// The number of different opponents in them, not counting computer opponents; a leaderboard requires eight.
    opponents: u32,
    /// Whether the deviation is too large to rank the player.
    provisional: bool,
    #[schema(required = true)]
    updated_at: Option<jiff::Timestamp>,
}

/// A page of a leaderboard.
#[derive(Debug, Serialize, ToSchema)]
struct LeaderboardPage {
    items: Vec<Ranked>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// One line of a leaderboard.
#[derive(Debug, Serialize, ToSchema)]
struct Ranked {
    rank: u32,
    player: PlayerRef,
    rating: RatingRef,
    /// Rated matches.
    games: u32,
}

/// The query of a leaderboard.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
struct LeaderboardQuery {
    /// The speed; blitz by default.
    speed: Option<Speed>,
    /// `next` of the previous page.
    cursor: Option<String>,
    /// The size of the page, 1 to 100; 20 by default.
    limit: Option<u32>,
}

/// The players found by a search.
#[derive(Debug, Serialize, ToSchema)]
struct PlayerList {
    items: Vec<PlayerRef>,
}

/// The query of a search for players.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
struct SearchQuery {
    /// The first letters of a name or a display name, 1 to 40, without regard to case.
    search: String,
    /// The most players to return, 1 to 100; 20 by default.
    limit: Option<u32>,
}

/// Finds players by the first letters of their names or display names, ordered by name.
/// Guests and disabled accounts are not included.
#[utoipa::path(
    get, path = "/api/v1/players", tag = "players", params(SearchQuery),
    responses(
        (status = 200, body = PlayerList),
        (status = 304, description = "not changed since the `ETag` in `If-None-Match`"),
        (status = 422),
    )
)]
async fn search(
    State(app): State<App>,
    Query(query): Query<SearchQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let limit = page_size(query.limit)?;
    let start = query.search.trim();
    if !(1..=MAX_SEARCH).contains(&start.chars().count()) {
        let advice = "give the first letters of a name";
        return Err(ApiError::field(Code::BadFilter, "search", advice));
    }
    // As display names are stored.
    let start: String = start.nfc().collect();
    let found = app.store.find_players(&start, limit).await?;
    let items = found.iter().map(view::player).collect();
    caching::answer(&headers, Fresh::AFewSeconds, &PlayerList { items })
}

/// Returns a player's profile, by name without regard to case.
#[utoipa::path(
    get, path = "/api/v1/players/{name}", tag = "players", params(("name" = String, Path, description = "the player's name")),
    responses(
        (status = 200, body = Profile),
        (status = 304, description = "not changed since the `ETag` in `If-None-Match`"),
        (status = 308, description = "the player has another name now: `Location` has its address; for 90 days after the change"),
        (status = 404),
    )
)]
async fn profile(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let player = match shown_player(&app, &name, visitor.as_ref()).await {
        Err(ApiError::NotFound(what)) => {
            let present = present_name(&app, &name).await?;
            let present = present.ok_or(ApiError::NotFound(what))?;
            return Ok(moved(&format!("/api/v1/players/{present}")));
        }
        found => found?,
    };
    let ratings = app.store.ratings_of(&player.id).await?;
    let tallies = app.store.tallies_of(&player.id).await?;
    let follows = app.store.follow_counts(&player.id).await?;
    let sum = |of: fn(&Tally) -> u32| tallies.iter().map(|row| of(&row.tally)).sum();
    let (won, drawn, lost) = (sum(|t| t.won), sum(|t| t.drawn), sum(|t| t.lost));
    let now = unix_ms();
    let profile = Profile {
        player: view::player(&player),
        created_at: view::timestamp(player.created_ms),
        vacation_until: vacations::until(&app, &player.id).await?,
        following: follows.following,
        followers: follows.followers,
        ratings: ratings.into_iter().map(|row| shown(row, now)).collect(),
        played: won + drawn + lost,
        won,
        drawn,
        lost,
        games: by_game(&tallies),
    };
    caching::answer(&headers, Fresh::Always, &profile)
}

/// Lists a player's matches, newest first.
/// A private match is listed only for its own players; a running one not for a caller whom the player has blocked.
#[utoipa::path(
    get, path = "/api/v1/players/{name}/matches", tag = "players", params(("name" = String, Path, description = "the player's name"), HistoryQuery),
    responses(
        (status = 200, body = MatchPage),
        (status = 404),
        (status = 422),
    )
)]
async fn history(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    Path(name): Path<String>,
    Query(query): Query<HistoryQuery>,
) -> Result<Json<MatchPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let cursor = match_cursor(query.cursor.as_deref())?;
    let player = shown_player(&app, &name, visitor.as_ref()).await?;
    let filter = history::filter(&app, player, visitor, query.narrowed()).await?;
    // One row more than the page shows whether there is a next page.
    let rows = app
        .store
        .matches_of(&filter, cursor.as_ref(), limit + 1)
        .await?;
    Ok(Json(MatchPage::of(rows, limit)))
}

/// Lists the best players of a game at a speed, computer opponents included.
/// Players whose rating was provisional after their last rated match are not ranked, nor are players with fewer than eight different
/// opponents, not counting computer opponents.
#[utoipa::path(
    get, path = "/api/v1/leaderboards/{game}", tag = "players", params(("game" = GameKind, Path, description = "the game kind"), LeaderboardQuery),
    responses(
        (status = 200, body = LeaderboardPage),
        (status = 304, description = "not changed since the `ETag` in `If-None-Match`"),
        (status = 404),
        (status = 422),
    )
)]
async fn leaderboard(
    State(app): State<App>,
    Path(game): Path<GameKind>,
    Query(query): Query<LeaderboardQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let limit = page_size(query.limit)?;
    let offset = match query.cursor.as_deref() {
        None => 0,
        Some(text) => text
            .parse()
            .ok()
            .filter(|offset| *offset <= MAX_RANK)
            .ok_or_else(bad_cursor)?,
    };
    let speed = query.speed.unwrap_or(Speed::Blitz);
    let mut rows = app
        .store
        .leaderboard(
            game,
            speed,
            PROVISIONAL_DEVIATION,
            MIN_OPPONENTS,
            offset,
            limit + 1,
        )
        .await?;
    let more = rows.len() > limit as usize && offset + limit <= MAX_RANK;
    rows.truncate(limit as usize);
    let now = unix_ms();
    let ranked = |(rank, line): (u32, mawe_store::LeaderboardRow)| Ranked {
        rank,
        player: view::player(&line.player),
        rating: rating::shown_now(&line.row.rating, now),
        games: games(&line.row),
    };
    let items = (offset + 1..).zip(rows).map(ranked).collect();
    let page = LeaderboardPage {
        items,
        next: more.then(|| (offset + limit).to_string()),
    };
    caching::answer(&headers, Fresh::AFewSeconds, &page)
}

fn shown(row: RatingRow, now_ms: i64) -> RatingView {
    let now = rating::current(&row.rating, now_ms);
    RatingView {
        game: row.game,
        speed: row.speed,
        rating: row.rating.rating,
        deviation: now.deviation,
        volatility: row.rating.volatility,
        games: games(&row),
        won: row.tally.won,
        drawn: row.tally.drawn,
        lost: row.tally.lost,
        opponents: row.opponents,
        provisional: rating::is_provisional(now.deviation),
        updated_at: row.rating.updated_ms.map(view::timestamp),
    }
}

fn games(row: &RatingRow) -> u32 {
    row.tally.won + row.tally.drawn + row.tally.lost
}
