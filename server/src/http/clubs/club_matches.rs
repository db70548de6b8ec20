//! Club matches: proposed, answered, signed up for, listed.

use std::ops::RangeInclusive;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mawe_rules::{AnySetup, GameKind};
use mawe_store::{
    CLUB_MATCH_LIMITS, ClubMatchChange, ClubMatchCursor, ClubPlayerCursor, ClubRefusal,
    MAX_BOARD_GAMES, MAX_BOARDS, NewClubMatch,
};
use mawe_wire::club_matches::{ClubMatchList, ClubSide};
use mawe_wire::clubs::ClubStanding;
use mawe_wire::ids::ClubMatchId;
use mawe_wire::{Code, PlayerRef, TimeControl};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::match_views::{ClubMatchSummary, ClubMatchView, is_public, seen, shown};
use super::shared::{led, visible};
use crate::app::App;
use crate::clock::unix_ms;
use crate::http::accounts::Empty;
use crate::http::error::ApiError;
use crate::http::extract::{Body, From, Path, Query, SignedIn, Visitor};
use crate::http::paging::{cut, page_size, parts};
use crate::live::view;

/// The number of boards.
pub(crate) const BOARDS: RangeInclusive<u32> = 1..=MAX_BOARDS;

/// The matches at each board.
pub(crate) const BOARD_GAMES: RangeInclusive<u32> = 1..=MAX_BOARD_GAMES;

const MINUTE_MS: i64 = 60 * 1_000;

/// The time from the proposal to the start: the other club has to answer, and players to sign up.
const START_AFTER_MS: RangeInclusive<i64> = 5 * MINUTE_MS..=30 * 24 * 60 * MINUTE_MS;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, propose))
        .routes(routes!(one, end))
        .routes(routes!(accept))
        .routes(routes!(decline))
        .routes(routes!(players, sign_up, sign_off))
}

/// A club match to propose to another club.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ClubMatchProposal {
    /// The handle of the other club.
    against: String,
    game: GameKind,
    /// The time control of each match: a clock, or days for each turn.
    time_control: TimeControl,
    /// Whether ratings change.
    #[serde(default)]
    rated: bool,
    /// The time at which the entrants are paired: 5 minutes to 30 days from now.
    start_at: jiff::Timestamp,
    /// The most boards, 1 to 50.
    boards: u32,
    /// The matches at each board, 1 or 2; 1 by default. The sides are exchanged in the second one, which begins when the first has ended.
    #[serde(default = "one_game")]
    games_per_board: u32,
}

const fn one_game() -> u32 {
    1
}

/// The caller's wish to play in a club match.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ClubMatchEntry {
    /// The side, for a member of both clubs.
    side: Option<ClubSide>,
}

/// A page of club matches.
#[derive(Debug, Serialize, ToSchema)]
struct ClubMatchPage {
    /// Those that a reader of both clubs sees; others are left out, so that a page may have fewer than `limit`.
    items: Vec<ClubMatchSummary>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// An entrant.
#[derive(Debug, Serialize, ToSchema)]
struct ClubMatchPlayerView {
    player: PlayerRef,
    since: jiff::Timestamp,
}

/// A page of entrants.
#[derive(Debug, Serialize, ToSchema)]
struct ClubMatchPlayerPage {
    /// The first to sign up first.
    items: Vec<ClubMatchPlayerView>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// The query of a list of club matches.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ClubMatchQuery {
    /// The list; coming ones by default.
    #[param(inline)]
    list: Option<ClubMatchList>,
    /// `next` of the previous page.
    cursor: Option<String>,
    /// The size of the page, 1 to 100; 20 by default.
    limit: Option<u32>,
}

/// The query of the players of a side.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ClubMatchPlayersQuery {
    /// The side; the proposing club by default.
    #[param(inline)]
    side: Option<ClubSide>,
    /// `next` of the previous page.
    cursor: Option<String>,
    /// The size of the page, 1 to 100; 20 by default.
    limit: Option<u32>,
}

/// Lists the club matches of a club.
/// Proposed and coming ones: the next start first; running and past ones: the latest start first. Proposals are for officers. Of matches against
/// a club that is joined by invitation, only members, invited players and moderators learn.
#[utoipa::path(
    get, path = "/api/v1/clubs/{handle}/club-matches", tag = "clubs",
    params(("handle" = String, Path, description = "the club's handle"), ClubMatchQuery),
    responses(
        (status = 200, body = ClubMatchPage),
        (status = 403, description = "`club-invitation-needed`; `officers-only`: the proposals"),
        (status = 404),
        (status = 422),
    )
)]
async fn list(
    State(app): State<App>,
    Visitor(reader): Visitor,
    Path(handle): Path<String>,
    Query(query): Query<ClubMatchQuery>,
) -> Result<Json<ClubMatchPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let after = parts(query.cursor.as_deref())?;
    let after = after.map(|(start_ms, id)| ClubMatchCursor { start_ms, id });
    let (club, standing) = visible(&app, &handle, reader.as_ref()).await?;
    let moderates = reader.as_ref().is_some_and(SignedIn::moderates);
    let list = query.list.unwrap_or(ClubMatchList::Coming);
    if list == ClubMatchList::Proposed && standing != ClubStanding::Officer && !moderates {
        return Err(ApiError::Club(ClubRefusal::OfficersOnly));
    }
    let store = app.store.as_ref();
    let rows = store.club_matches_of(&club.id, list, after.as_ref(), limit + 1);
    let mut rows = rows.await?;
    let next = cut(&mut rows, limit, |row| {
        format!("{}.{}", row.start_ms, row.id)
    });
    let inside = standing.is_member() || standing == ClubStanding::Invited || moderates;
    let seen = rows.iter().filter(|row| inside || is_public(row));
    Ok(Json(ClubMatchPage {
        items: seen.map(ClubMatchSummary::of).collect(),
        next,
    }))
}

/// Proposes a club match to another club, as an officer.
/// The officers of the other club get notices. A club has 10 proposals and coming club matches at most, and 10 open proposals from others.
#[utoipa::path(
    post, path = "/api/v1/clubs/{handle}/club-matches", tag = "clubs", request_body = ClubMatchProposal,
    params(("handle" = String, Path, description = "the handle of the proposing club")),
    responses(
        (status = 201, body = ClubMatchView),
        (status = 401),
        (status = 403, description = "`officers-only`, `session-needed`; `class-only`: the pupils of one of the two play among themselves"),
        (status = 404),
        (status = 422, description = "`unknown-club`: none has the handle `against`; `bad-terms`, `bad-time-control`, `too-many-club-matches`"),
        (status = 429),
    )
)]
async fn propose(
    State(app): State<App>,
    From(address): From,
    me: SignedIn,
    Path(handle): Path<String>,
    Body(proposal): Body<ClubMatchProposal>,
) -> Result<(StatusCode, Json<ClubMatchView>), ApiError> {
    let club = led(&app, &handle, &me).await?;
    let now = unix_ms();
    let time_control = check(&proposal, now)?;
    let against = app.store.find_club(&proposal.against).await?;
    let advice = "there is no club with this handle";
    let against = against.ok_or_else(|| ApiError::field(Code::UnknownClub, "against", advice))?;
    if against.id == club.id {
        let advice = "a club does not play against itself; name another one";
        return Err(ApiError::field(Code::BadTerms, "against", advice));
    }
    app.limits.club_match(&me.player.id, address)?;
    let new = NewClubMatch {
        id: ClubMatchId::random(),
        home: club.id,
        away: against.id,
        by: me.player.id.clone(),
        game: proposal.game,
        time_control,
        rated: proposal.rated,
        boards: proposal.boards,
        games: proposal.games_per_board,
        start_ms: proposal.start_at.as_millisecond(),
        created_ms: now,
    };
    let changed = app.store.propose_club_match(&new, &CLUB_MATCH_LIMITS);
    announce(&app, &changed.await?.told);
    let view = view_of(&app, &new.id, &me).await?;
    Ok((StatusCode::CREATED, Json(view)))
}

/// Checks the terms of a proposal; returns the time control.
fn check(proposal: &ClubMatchProposal, now_ms: i64) -> Result<TimeControl, ApiError> {
    let bad_time = |advice| ApiError::field(Code::BadTimeControl, "time_control", advice);
    let time_control = proposal.time_control.check().map_err(bad_time)?;
    if time_control == TimeControl::Unlimited {
        return Err(bad_time(
            "a club match needs a clock, or days for each turn",
        ));
    }
    let bad_terms = |field, advice: &str| Err(ApiError::field(Code::BadTerms, field, advice));
    if proposal.rated && !AnySetup::usual(proposal.game).may_be_rated() {
        return bad_terms("rated", "this game is not rated; leave out rated");
    }
    if !BOARDS.contains(&proposal.boards) {
        return bad_terms("boards", "a club match has 1 to 50 boards");
    }
    if !BOARD_GAMES.contains(&proposal.games_per_board) {
        return bad_terms("games_per_board", "a board has 1 or 2 matches");
    }
    let wait_ms = proposal.start_at.as_millisecond().saturating_sub(now_ms);
    if !START_AFTER_MS.contains(&wait_ms) {
        let advice =
            "a club match starts in 5 minutes at the earliest, and in 30 days at the latest";
        return bad_terms("start_at", advice);
    }
    Ok(time_control)
}

fn announce(app: &App, told: &[String]) {
    for key in told {
        app.rooms.services.notices.announce(key);
    }
}

async fn view_of(app: &App, id: &ClubMatchId, me: &SignedIn) -> Result<ClubMatchView, ApiError> {
    let (row, standings) = seen(app, id, Some(me)).await?;
    shown(app, (&row, &standings), Some(me)).await
}

/// Changes a club match that the caller sees.
async fn change(
    app: &App,
    me: &SignedIn,
    id: &ClubMatchId,
    what: ClubMatchChange,
) -> Result<(), ApiError> {
    app.limits.club_change(&me.player.id)?;
    let limits = &CLUB_MATCH_LIMITS;
    let store = app.store.as_ref();
    let changed = store.change_club_match(id, &me.player.id, what, limits, unix_ms());
    announce(app, &changed.await?.told);
    Ok(())
}

/// Returns a club match, with its boards and its score.
/// One that was not agreed is for the officers of both clubs; one with a club that is joined by invitation for members, invited players and
/// moderators.
#[utoipa::path(
    get, path = "/api/v1/club-matches/{id}", tag = "clubs", params(("id" = ClubMatchId, Path, description = "the id of the club match")),
    responses((status = 200, body = ClubMatchView), (status = 404))
)]
async fn one(
    State(app): State<App>,
    Visitor(reader): Visitor,
    Path(id): Path<ClubMatchId>,
) -> Result<Json<ClubMatchView>, ApiError> {
    let (row, standings) = seen(&app, &id, reader.as_ref()).await?;
    let view = shown(&app, (&row, &standings), reader.as_ref()).await?;
    Ok(Json(view))
}

/// Accepts a proposed club match, as an officer of the other club. The officers of the proposing club get notices.
#[utoipa::path(
    post, path = "/api/v1/club-matches/{id}/accept", tag = "clubs", request_body = Empty,
    params(("id" = ClubMatchId, Path, description = "the id of the club match")),
    responses(
        (status = 200, body = ClubMatchView),
        (status = 401),
        (status = 403, description = "`officers-only`, `session-needed`; `class-only`"),
        (status = 404),
        (status = 409, description = "`club-match-closed`: it was answered or withdrawn, or its start is over"),
        (status = 422, description = "`too-many-club-matches`"),
        (status = 429),
    )
)]
async fn accept(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<ClubMatchId>,
    _: Body<Empty>,
) -> Result<Json<ClubMatchView>, ApiError> {
    seen(&app, &id, Some(&me)).await?;
    change(&app, &me, &id, ClubMatchChange::Accept).await?;
    Ok(Json(view_of(&app, &id, &me).await?))
}

/// Declines a proposed club match, as an officer of the other club. The officers of the proposing club get notices.
#[utoipa::path(
    post, path = "/api/v1/club-matches/{id}/decline", tag = "clubs", request_body = Empty,
    params(("id" = ClubMatchId, Path, description = "the id of the club match")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`officers-only`, `session-needed`"),
        (status = 404),
        (status = 409, description = "`club-match-closed`"),
        (status = 429),
    )
)]
async fn decline(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<ClubMatchId>,
    _: Body<Empty>,
) -> Result<StatusCode, ApiError> {
    seen(&app, &id, Some(&me)).await?;
    change(&app, &me, &id, ClubMatchChange::Decline).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Withdraws a proposal, as an officer of the proposing club; or cancels an agreed club match before its start, as an officer of either.
#[utoipa::path(
    delete, path = "/api/v1/club-matches/{id}", tag = "clubs", params(("id" = ClubMatchId, Path, description = "the id of the club match")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`officers-only`, `session-needed`"),
        (status = 404),
        (status = 409, description = "`club-match-closed`"),
        (status = 429),
    )
)]
async fn end(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<ClubMatchId>,
) -> Result<StatusCode, ApiError> {
    seen(&app, &id, Some(&me)).await?;
    change(&app, &me, &id, ClubMatchChange::End).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lists the entrants for a side, the first first.
#[utoipa::path(
    get, path = "/api/v1/club-matches/{id}/players", tag = "clubs",
    params(("id" = ClubMatchId, Path, description = "the id of the club match"), ClubMatchPlayersQuery),
    responses((status = 200, body = ClubMatchPlayerPage), (status = 404), (status = 422))
)]
async fn players(
    State(app): State<App>,
    Visitor(reader): Visitor,
    Path(id): Path<ClubMatchId>,
    Query(query): Query<ClubMatchPlayersQuery>,
) -> Result<Json<ClubMatchPlayerPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let after = parts(query.cursor.as_deref())?;
    let after = after.map(|(since_ms, player)| ClubPlayerCursor { since_ms, player });
    seen(&app, &id, reader.as_ref()).await?;
    let store = app.store.as_ref();
    let side = query.side.unwrap_or(ClubSide::Home);
    let rows = store.club_match_players(&id, side, after.as_ref(), limit + 1);
    let mut rows = rows.await?;
    let next = cut(&mut rows, limit, |row| {
        format!("{}.{}", row.since_ms, row.player.id)
    });
    let items = rows.iter().map(|row| ClubMatchPlayerView {
        player: view::player(&row.player),
        since: view::timestamp(row.since_ms),
    });
    Ok(Json(ClubMatchPlayerPage {
        items: items.collect(),
        next,
    }))
}

/// Signs the caller up for an agreed club match, as a member of one of its clubs. A member of both names the side, and may change it.
#[utoipa::path(
    post, path = "/api/v1/club-matches/{id}/players", tag = "clubs", request_body = ClubMatchEntry,
    params(("id" = ClubMatchId, Path, description = "the id of the club match")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`session-needed`; `class-only`: the caller's class plays among itself"),
        (status = 404),
        (status = 409, description = "`not-a-member`; `club-match-closed`; `club-match-full`: 500 players of the club have signed up"),
        (status = 422, description = "`bad-terms`: a member of both clubs names no side"),
        (status = 429),
    )
)]
async fn sign_up(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<ClubMatchId>,
    Body(entry): Body<ClubMatchEntry>,
) -> Result<StatusCode, ApiError> {
    let (_, standings) = seen(&app, &id, Some(&me)).await?;
    let side = match (entry.side, standings.member_of().as_slice()) {
        (Some(side), _) => side,
        (None, [side]) => *side,
        (None, []) => return Err(ApiError::Club(ClubRefusal::NotAMember)),
        (None, _) => {
            let advice = "you are in both clubs: name the side for which you play";
            return Err(ApiError::field(Code::BadTerms, "side", advice));
        }
    };
    change(&app, &me, &id, ClubMatchChange::SignUp(side)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Signs the caller off, before the start. Without an entry nothing changes.
#[utoipa::path(
    delete, path = "/api/v1/club-matches/{id}/players", tag = "clubs",
    params(("id" = ClubMatchId, Path, description = "the id of the club match")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`session-needed`"),
        (status = 404),
        (status = 409, description = "`club-match-closed`"),
        (status = 429),
    )
)]
async fn sign_off(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<ClubMatchId>,
) -> Result<StatusCode, ApiError> {
    seen(&app, &id, Some(&me)).await?;
    change(&app, &me, &id, ClubMatchChange::SignOff).await?;
    Ok(StatusCode::NO_CONTENT)
}
