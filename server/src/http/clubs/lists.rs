//! The lists of clubs, and the lists of one club.

use axum::Json;
use axum::extract::State;
use mawe_play::rating::{MIN_OPPONENTS, PROVISIONAL_DEVIATION, shown_now};
use mawe_rules::GameKind;
use mawe_store::{
    ClubBoard, ClubCursor, ClubOf, ClubOfCursor, ClubPlayerCursor, LeaderboardRow, Player,
};
use mawe_wire::clubs::{ClubAction, ClubStanding};
use mawe_wire::{Code, PlayerRef, RatingRef, Speed};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::shared::{ClubSummary, led, visible};
use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract::{Path, Query, SignedIn, Visitor};
use crate::http::lookup;
use crate::http::matches::MatchPage;
use crate::http::paging::{ListQuery, bad_cursor, cut, match_cursor, page_size, part, parts};
use crate::live::view;

/// The longest search text, in characters: no name of a club is longer.
const MAX_SEARCH: usize = 40;

/// The age up to which finished matches of members are listed.
const MATCHES_MS: i64 = 14 * 24 * 60 * 60 * 1_000;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(public))
        .routes(routes!(mine))
        .routes(routes!(of_player))
        .routes(routes!(members))
        .routes(routes!(requests))
        .routes(routes!(invitations))
        .routes(routes!(log))
        .routes(routes!(leaderboard))
        .routes(routes!(matches))
}

/// A page of public clubs.
#[derive(Debug, Serialize, ToSchema)]
struct ClubPage {
    /// The largest first.
    items: Vec<ClubSummary>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// A club of a player.
#[derive(Debug, Serialize, ToSchema)]
struct ClubOfPlayer {
    club: ClubSummary,
    /// The player's standing.
    standing: ClubStanding,
    /// The time at which it began.
    since: jiff::Timestamp,
}

/// A page of a player's clubs.
#[derive(Debug, Serialize, ToSchema)]
struct ClubOfPlayerPage {
    /// The latest first.
    items: Vec<ClubOfPlayer>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// A member of a club.
#[derive(Debug, Serialize, ToSchema)]
struct ClubMemberView {
    player: PlayerRef,
    officer: bool,
    /// The time of joining.
    since: jiff::Timestamp,
    /// Whether the member has a page open; other members see it.
    online: bool,
    /// Whether the class has made the account; other members see it.
    pupil: bool,
}

/// A page of members.
#[derive(Debug, Serialize, ToSchema)]
struct ClubMemberPage {
    /// Those of longest standing first.
    items: Vec<ClubMemberView>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// A request to join.
#[derive(Debug, Serialize, ToSchema)]
struct ClubRequestView {
    player: PlayerRef,
    /// The player's line; may be empty.
    line: String,
    since: jiff::Timestamp,
}

/// A page of requests to join.
#[derive(Debug, Serialize, ToSchema)]
struct ClubRequestPage {
    /// The latest first.
    items: Vec<ClubRequestView>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// An invitation.
#[derive(Debug, Serialize, ToSchema)]
struct ClubInvitationView {
    player: PlayerRef,
    /// The name of the officer.
    by: String,
    since: jiff::Timestamp,
}

/// A page of invitations.
#[derive(Debug, Serialize, ToSchema)]
struct ClubInvitationPage {
    /// The latest first.
    items: Vec<ClubInvitationView>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// An entry of the log of a club.
#[derive(Debug, Serialize, ToSchema)]
struct ClubLogEntry {
    /// The number of the entry.
    number: u64,
    at: jiff::Timestamp,
    action: ClubAction,
    /// The name of the officer; null for the server and for moderators.
    #[schema(required = true)]
    actor: Option<String>,
    /// The name of the player concerned.
    #[schema(required = true)]
    about: Option<String>,
    /// The changed fields, separated by spaces; may be empty.
    detail: String,
}

/// A page of the log of a club.
#[derive(Debug, Serialize, ToSchema)]
struct ClubLogPage {
    /// The latest first.
    items: Vec<ClubLogEntry>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// A line of the leaderboard of a club.
#[derive(Debug, Serialize, ToSchema)]
struct ClubRanked {
    rank: u32,
    player: PlayerRef,
    rating: RatingRef,
    /// Rated matches.
    games: u32,
}

/// A page of the leaderboard of a club.
#[derive(Debug, Serialize, ToSchema)]
struct ClubLeaderboardPage {
    items: Vec<ClubRanked>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// The query of the list of public clubs.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ClubSearch {
    /// A part of the name or of the handle, 1 to 40 characters, without regard to case.
    search: Option<String>,
    /// `next` of the previous page.
    cursor: Option<String>,
    /// The size of the page, 1 to 100; 20 by default.
    limit: Option<u32>,
}

/// The query of the caller's clubs.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct OwnClubs {
    /// Clubs with this standing of the caller; by default those of which the caller is a member or an officer.
    #[param(inline)]
    standing: Option<OwnClubsWish>,
    /// `next` of the previous page.
    cursor: Option<String>,
    /// The size of the page, 1 to 100; 20 by default.
    limit: Option<u32>,
}

/// A standing of the caller.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum OwnClubsWish {
    Member,
    Requested,
    Invited,
}

/// The query of the leaderboard of a club.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ClubBoardQuery {
    /// The speed; blitz by default.
    #[param(inline)]
    speed: Option<Speed>,
    /// `next` of the previous page.
    cursor: Option<String>,
    /// The size of the page, 1 to 100; 20 by default.
    limit: Option<u32>,
}

fn player_cursor(cursor: Option<&str>) -> Result<Option<ClubPlayerCursor>, ApiError> {
    let parts = parts(cursor)?;
    Ok(parts.map(|(since_ms, player)| ClubPlayerCursor { since_ms, player }))
}

fn after_player(since_ms: i64, player: &Player) -> String {
    format!("{since_ms}.{}", player.id)
}

fn club_of_page(mut rows: Vec<ClubOf>, limit: u32) -> ClubOfPlayerPage {
    let next = cut(&mut rows, limit, |row| {
        format!("{}.{}", row.since_ms, row.club.id)
    });
    let items = rows.iter().map(|row| ClubOfPlayer {
        club: ClubSummary::of(&row.club),
        standing: row.standing,
        since: view::timestamp(row.since_ms),
    });
    ClubOfPlayerPage {
        items: items.collect(),
        next,
    }
}

/// Lists public clubs, the largest first, or searches them.
/// Clubs that are joined by invitation are not listed. One search looks at 5,000 clubs at most.
#[utoipa::path(
    get, path = "/api/v1/clubs", tag = "clubs", params(ClubSearch),
    responses(
        (status = 200, body = ClubPage),
        (status = 422),
    )
)]
async fn public(
    State(app): State<App>,
    Query(query): Query<ClubSearch>,
) -> Result<Json<ClubPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let after = parts(query.cursor.as_deref())?;
    let after = after.map(|(members, id)| ClubCursor { members, id });
    let search = query.search.as_deref().unwrap_or_default().trim();
    let is_asked = query.search.is_some();
    if is_asked && !(1..=MAX_SEARCH).contains(&search.chars().count()) {
        let advice = "give a part of a name";
        return Err(ApiError::field(Code::BadFilter, "search", advice));
    }
    let rows = app.store.public_clubs(search, after.as_ref(), limit + 1);
    let mut rows = rows.await?;
    let next = cut(&mut rows, limit, |row| {
        format!("{}.{}", row.members, row.id)
    });
    Ok(Json(ClubPage {
        items: rows.iter().map(ClubSummary::of).collect(),
        next,
    }))
}

/// Lists the caller's clubs, open requests, or open invitations.
#[utoipa::path(
    get, path = "/api/v1/me/clubs", tag = "clubs", params(OwnClubs),
    responses(
        (status = 200, body = ClubOfPlayerPage),
        (status = 401),
        (status = 422),
    )
)]
async fn mine(
    State(app): State<App>,
    me: SignedIn,
    Query(query): Query<OwnClubs>,
) -> Result<Json<ClubOfPlayerPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let after = parts(query.cursor.as_deref())?;
    let after = after.map(|(since_ms, id)| ClubOfCursor { since_ms, id });
    let (player, after) = (&me.player.id, after.as_ref());
    let store = app.store.as_ref();
    let rows = match query.standing.unwrap_or(OwnClubsWish::Member) {
        OwnClubsWish::Member => store.clubs_of(player, false, after, limit + 1).await,
        OwnClubsWish::Requested => store.club_requests_of(player, after, limit + 1).await,
        OwnClubsWish::Invited => store.club_invitations_of(player, after, limit + 1).await,
    };
    Ok(Json(club_of_page(rows?, limit)))
}

/// Lists the public clubs of a player.
#[utoipa::path(
    get, path = "/api/v1/players/{name}/clubs", tag = "clubs",
    params(("name" = String, Path, description = "the player's name"), ListQuery),
    responses(
        (status = 200, body = ClubOfPlayerPage),
        (status = 404),
        (status = 422),
    )
)]
async fn of_player(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    Path(name): Path<String>,
    Query(query): Query<ListQuery>,
) -> Result<Json<ClubOfPlayerPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let after = parts(query.cursor.as_deref())?;
    let after = after.map(|(since_ms, id)| ClubOfCursor { since_ms, id });
    let player = lookup::shown(&app, &name, visitor.as_ref()).await?;
    let rows = app
        .store
        .clubs_of(&player.id, true, after.as_ref(), limit + 1);
    Ok(Json(club_of_page(rows.await?, limit)))
}

/// Lists the members of a club, those of longest standing first.
/// Members see which others have a page open, but for those who have blocked them.
#[utoipa::path(
    get, path = "/api/v1/clubs/{handle}/members", tag = "clubs",
    params(("handle" = String, Path, description = "the club's handle"), ListQuery),
    responses(
        (status = 200, body = ClubMemberPage),
        (status = 403, description = "`club-invitation-needed`"),
        (status = 404),
        (status = 422),
    )
)]
async fn members(
    State(app): State<App>,
    Visitor(reader): Visitor,
    Path(handle): Path<String>,
    Query(query): Query<ListQuery>,
) -> Result<Json<ClubMemberPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let after = player_cursor(query.cursor.as_deref())?;
    let (club, standing) = visible(&app, &handle, reader.as_ref()).await?;
    let me = reader.as_ref().map(|reader| &reader.player.id);
    let rows = app
        .store
        .club_members(&club.id, me, after.as_ref(), limit + 1);
    let mut rows = rows.await?;
    let next = cut(&mut rows, limit, |row| {
        after_player(row.since_ms, &row.player)
    });
    let sees = standing.is_member();
    let items = rows.iter().map(|row| ClubMemberView {
        player: view::player(&row.player),
        officer: row.officer,
        since: view::timestamp(row.since_ms),
        online: sees && !row.blocked_by && app.sockets.is_here(&row.player.id),
        pupil: sees && row.pupil,
    });
    Ok(Json(ClubMemberPage {
        items: items.collect(),
        next,
    }))
}

/// Lists the open requests to join a club, for its officers.
#[utoipa::path(
    get, path = "/api/v1/clubs/{handle}/requests", tag = "clubs",
    params(("handle" = String, Path, description = "the club's handle"), ListQuery),
    responses(
        (status = 200, body = ClubRequestPage),
        (status = 401),
        (status = 403, description = "`officers-only`"),
        (status = 404),
        (status = 422),
    )
)]
async fn requests(
    State(app): State<App>,
    me: SignedIn,
    Path(handle): Path<String>,
    Query(query): Query<ListQuery>,
) -> Result<Json<ClubRequestPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let after = player_cursor(query.cursor.as_deref())?;
    let club = led(&app, &handle, &me).await?;
    let rows = app.store.club_requests(&club.id, after.as_ref(), limit + 1);
    let mut rows = rows.await?;
    let next = cut(&mut rows, limit, |row| {
        after_player(row.since_ms, &row.player)
    });
    let items = rows.into_iter().map(|row| ClubRequestView {
        player: view::player(&row.player),
        line: row.line,
        since: view::timestamp(row.since_ms),
    });
    Ok(Json(ClubRequestPage {
        items: items.collect(),
        next,
    }))
}

/// Lists the open invitations of a club, for its officers.
#[utoipa::path(
    get, path = "/api/v1/clubs/{handle}/invitations", tag = "clubs",
    params(("handle" = String, Path, description = "the club's handle"), ListQuery),
    responses(
        (status = 200, body = ClubInvitationPage),
        (status = 401),
        (status = 403, description = "`officers-only`"),
        (status = 404),
        (status = 422),
    )
)]
async fn invitations(
    State(app): State<App>,
    me: SignedIn,
    Path(handle): Path<String>,
    Query(query): Query<ListQuery>,
) -> Result<Json<ClubInvitationPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let after = player_cursor(query.cursor.as_deref())?;
    let club = led(&app, &handle, &me).await?;
    let rows = app
        .store
        .club_invitations(&club.id, after.as_ref(), limit + 1);
    let mut rows = rows.await?;
    let next = cut(&mut rows, limit, |row| {
        after_player(row.since_ms, &row.player)
    });
    let items = rows.into_iter().map(|row| ClubInvitationView {
        player: view::player(&row.player),
        by: row.by,
        since: view::timestamp(row.since_ms),
    });
    Ok(Json(ClubInvitationPage {
        items: items.collect(),
        next,
    }))
}

/// Returns the log of a club, for its officers. It keeps the latest 2,000 entries.
#[utoipa::path(
    get, path = "/api/v1/clubs/{handle}/log", tag = "clubs",
    params(("handle" = String, Path, description = "the club's handle"), ListQuery),
    responses(
        (status = 200, body = ClubLogPage),
        (status = 401),
        (status = 403, description = "`officers-only`"),
        (status = 404),
        (status = 422),
    )
)]
async fn log(
    State(app): State<App>,
    me: SignedIn,
    Path(handle): Path<String>,
    Query(query): Query<ListQuery>,
) -> Result<Json<ClubLogPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let before = part(query.cursor.as_deref())?;
    let club = led(&app, &handle, &me).await?;
    let mut rows = app.store.club_log(&club.id, before, limit + 1).await?;
    let next = cut(&mut rows, limit, |row| row.number.to_string());
    let items = rows.into_iter().map(|row| ClubLogEntry {
        number: row.number,
        at: view::timestamp(row.at_ms),
        action: row.action,
        actor: row.actor,
        about: row.about,
        detail: row.detail,
    });
    Ok(Json(ClubLogPage {
        items: items.collect(),
        next,
    }))
}

/// Lists the members of a club by rating, ranked as on the leaderboard of all players.
#[utoipa::path(
    get, path = "/api/v1/clubs/{handle}/leaderboards/{game}", tag = "clubs",
    params(("handle" = String, Path, description = "the club's handle"), ("game" = GameKind, Path, description = "the game kind"), ClubBoardQuery),
    responses(
        (status = 200, body = ClubLeaderboardPage),
        (status = 403, description = "`club-invitation-needed`"),
        (status = 404),
        (status = 422),
    )
)]
async fn leaderboard(
    State(app): State<App>,
    Visitor(reader): Visitor,
    Path((handle, game)): Path<(String, GameKind)>,
    Query(query): Query<ClubBoardQuery>,
) -> Result<Json<ClubLeaderboardPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let offset: u32 = part(query.cursor.as_deref())?.unwrap_or_default();
    if offset > mawe_store::CLUB_LIMITS.members {
        return Err(bad_cursor());
    }
    let (club, _) = visible(&app, &handle, reader.as_ref()).await?;
    let board = ClubBoard {
        club: club.id,
        game,
        speed: query.speed.unwrap_or(Speed::Blitz),
        max_deviation: PROVISIONAL_DEVIATION,
        min_opponents: MIN_OPPONENTS,
    };
    let mut rows = app
        .store
        .club_leaderboard(&board, offset, limit + 1)
        .await?;
    let next = cut(&mut rows, limit, |_| (offset + limit).to_string());
    let now = unix_ms();
    let ranked = |(rank, line): (u32, LeaderboardRow)| ClubRanked {
        rank,
        player: view::player(&line.player),
        rating: shown_now(&line.row.rating, now),
        games: line.row.tally.won + line.row.tally.drawn + line.row.tally.lost,
    };
    Ok(Json(ClubLeaderboardPage {
        items: (offset + 1..).zip(rows).map(ranked).collect(),
        next,
    }))
}

/// The state of matches to list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum ClubMatchState {
    /// Matches with clocks in seconds that run.
    Running,
    /// Finished matches of the last 14 days, without those that were called off.
    #[default]
    Finished,
}

/// The query of a page of matches between members.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ClubMatchQuery {
    /// The state; `finished` by default.
    #[param(inline)]
    state: Option<ClubMatchState>,
    /// `next` of the previous page.
    cursor: Option<String>,
    /// The size of the page, 1 to 100; 20 by default.
    limit: Option<u32>,
}

/// Lists public matches between members of a club, the latest first: the finished ones of the last 14 days, or those that run.
/// Running matches of players who have blocked the caller are left out.
#[utoipa::path(
    get, path = "/api/v1/clubs/{handle}/matches", tag = "clubs",
    params(("handle" = String, Path, description = "the club's handle"), ClubMatchQuery),
    responses(
        (status = 200, body = MatchPage),
        (status = 403, description = "`club-invitation-needed`"),
        (status = 404),
        (status = 422),
    )
)]
async fn matches(
    State(app): State<App>,
    Visitor(reader): Visitor,
    Path(handle): Path<String>,
    Query(query): Query<ClubMatchQuery>,
) -> Result<Json<MatchPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let after = match_cursor(query.cursor.as_deref())?;
    let (club, _) = visible(&app, &handle, reader.as_ref()).await?;
    let (store, club, after, rows) = (&app.store, &club.id, after.as_ref(), limit + 1);
    let rows = match query.state.unwrap_or_default() {
        ClubMatchState::Running => {
            let reader = reader.as_ref().map(|me| &me.player.id);
            store.running_club_matches(club, reader, after, rows).await
        }
        ClubMatchState::Finished => {
            let since_ms = unix_ms() - MATCHES_MS;
            store.club_matches(club, since_ms, after, rows).await
        }
    };
    Ok(Json(MatchPage::of(rows?, limit)))
}
