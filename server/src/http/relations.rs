//! The follows, followers and blocks of the caller.

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mawe_store::{Followed, MatchRow, Player, Related, Relation, RelationCursor};
use mawe_wire::ids::{ChallengeId, PlayerId};
use mawe_wire::{ChallengeStatus, Code, DeclineReason, PlayerRef, ServerMsg};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract::{Body, Path, Query, SignedIn};
use crate::http::lookup::{check_shown, find};
use crate::http::matches::{MatchPage, MatchSummary};
use crate::http::paging::{ListQuery, cut, match_cursor, page_size, parts};
use crate::live::outbox::encode;
use crate::live::view;

/// The most players that one account may follow.
const MAX_FOLLOWS: u32 = 200;

/// The most players that one account may block.
const MAX_BLOCKS: u32 = 500;

/// The most running matches of followed players that are looked at: far more than a person can follow.
const MAX_RUNNING_SHOWN: u32 = 100;

/// The age up to which finished matches of followed players are listed.
const FEED_MS: i64 = 14 * 24 * 60 * 60 * 1_000;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(relation))
        .routes(routes!(following, follow))
        .routes(routes!(unfollow))
        .routes(routes!(followers))
        .routes(routes!(followed_matches))
        .routes(routes!(blocks, block))
        .routes(routes!(unblock))
}

/// A player, by name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NamedPlayer {
    /// The player's name.
    player: String,
}

/// The relation of the caller to a player.
#[derive(Debug, Serialize, ToSchema)]
struct RelationView {
    /// Whether the caller follows the player.
    following: bool,
    /// Whether the player follows the caller.
    follower: bool,
    /// Whether each follows the other.
    friend: bool,
    /// Whether the caller has blocked the player.
    blocked: bool,
}

/// The page of a list of relations that a query names.
struct RelationPage {
    after: Option<RelationCursor>,
    limit: u32,
}

impl RelationPage {
    fn of(query: &ListQuery) -> Result<RelationPage, ApiError> {
        let after = parts(query.cursor.as_deref())?;
        Ok(RelationPage {
            after: after.map(|(since_ms, player)| RelationCursor { since_ms, player }),
            limit: page_size(query.limit)?,
        })
    }

    /// The number of rows to read: one more than the page shows whether there is a next page.
    fn rows(&self) -> u32 {
        self.limit + 1
    }

    /// Removes the additional row, and returns the cursor of the next page.
    fn cut(&self, rows: &mut Vec<Related>) -> Option<String> {
        let cursor = |row: &Related| format!("{}.{}", row.since_ms, row.player.id);
        cut(rows, self.limit, cursor)
    }
}

/// A followed player, or a follower.
#[derive(Debug, Serialize, ToSchema)]
struct FollowView {
    player: PlayerRef,
    /// The time from which the follow counts.
    since: jiff::Timestamp,
    /// Whether each follows the other.
    friend: bool,
    /// Whether the player has a page open.
    online: bool,
    /// A public match that the player plays now, with clocks that run in seconds; null without one. Only in the list of followed
    /// players.
    #[serde(rename = "match")]
    #[schema(required = true)]
    playing: Option<MatchSummary>,
}

/// A page of follows.
#[derive(Debug, Serialize, ToSchema)]
struct FollowPage {
    /// The latest first.
    items: Vec<FollowView>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// A blocked player.
#[derive(Debug, Serialize, ToSchema)]
struct BlockView {
    player: PlayerRef,
    /// The time of the block.
    since: jiff::Timestamp,
}

/// A page of blocked players.
#[derive(Debug, Serialize, ToSchema)]
struct BlockPage {
    /// The latest first.
    items: Vec<BlockView>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

/// Finds the other player of a relation.
async fn other(app: &App, me: &SignedIn, name: &str) -> Result<Player, ApiError> {
    let other = find(app, name).await?;
    if other.id == me.player.id {
        let advice = "this is you; name somebody else";
        return Err(ApiError::field(Code::Yourself, "player", advice));
    }
    if other.is_computer() {
        return Err(ApiError::NoBots);
    }
    Ok(other)
}

/// Refuses a match where the caller or the other player has blocked the other; returns the relation of the two. The refusal of a blocked
/// caller is the same as by the other player's rule about challenges. The store decides when the match is made.
///
/// # Errors
/// [`ApiError::PlayerBlocked`], [`ApiError::MatchRefused`]; an error of the store.
pub(crate) async fn check_not_apart(
    app: &App,
    me: &PlayerId,
    other: &PlayerId,
) -> Result<Relation, ApiError> {
    let relation = app.store.relation(me, other).await?;
    if relation.blocks {
        Err(ApiError::PlayerBlocked)
    } else if relation.blocked_by {
        Err(ApiError::MatchRefused)
    } else {
        Ok(relation)
    }
}

/// Returns the relation of the caller to a player.
#[utoipa::path(
    get, path = "/api/v1/me/relations/{name}", tag = "people", params(("name" = String, Path, description = "the player's name")),
    responses(
        (status = 200, body = RelationView),
        (status = 401),
        (status = 404),
    )
)]
async fn relation(
    State(app): State<App>,
    me: SignedIn,
    Path(name): Path<String>,
) -> Result<Json<RelationView>, ApiError> {
    let player = find(&app, &name).await?;
    let relation = app.store.relation(&me.player.id, &player.id).await?;
    Ok(Json(RelationView {
        following: relation.follows,
        follower: relation.followed_by && !relation.blocks,
        friend: relation.are_friends(),
        blocked: relation.blocks,
    }))
}

/// Lists the caller's followed players, with their present matches.
#[utoipa::path(
    get, path = "/api/v1/me/follows", tag = "people", params(ListQuery),
    responses(
        (status = 200, body = FollowPage),
        (status = 401),
        (status = 422),
    )
)]
async fn following(
    State(app): State<App>,
    me: SignedIn,
    Query(query): Query<ListQuery>,
) -> Result<Json<FollowPage>, ApiError> {
    let page = RelationPage::of(&query)?;
    let mut rows = app
        .store
        .following(&me.player.id, page.after.as_ref(), page.rows())
        .await?;
    let next = page.cut(&mut rows);
    let running = app
        .store
        .running_of_followed(&me.player.id, MAX_RUNNING_SHOWN)
        .await?;
    let mut playing: HashMap<&PlayerId, &MatchRow> = HashMap::new();
    for row in &running {
        for player in [&row.players.first, &row.players.second] {
            // The newest match comes first.
            playing.entry(&player.id).or_insert(row);
        }
    }
    let items = rows.iter().map(|row| FollowView {
        player: view::player(&row.player),
        since: view::timestamp(row.since_ms),
        friend: row.mutual,
        online: !row.hidden && app.sockets.is_here(&row.player.id),
        playing: playing
            .get(&row.player.id)
            .filter(|_| !row.hidden)
            .map(|row| MatchSummary::from_row(row)),
    });
    Ok(Json(FollowPage {
        items: items.collect(),
        next,
    }))
}

/// Follows a player.
/// The followed player is not notified; the caller is in the list of their followers.
#[utoipa::path(
    post, path = "/api/v1/me/follows", tag = "people", request_body = NamedPlayer,
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`account-needed`, `session-needed`; `no-bots`, also for a computer opponent"),
        (status = 404),
        (status = 409, description = "`player-blocked`"),
        (status = 422, description = "`yourself`, `too-many-follows`"),
    )
)]
async fn follow(
    State(app): State<App>,
    me: SignedIn,
    Body(new): Body<NamedPlayer>,
) -> Result<StatusCode, ApiError> {
    me.check_person()?;
    let other = other(&app, &me, &new.player).await?;
    check_shown(&app, &other, Some(&me)).await?;
    let followed = app
        .store
        .follow(&me.player.id, &other.id, MAX_FOLLOWS, unix_ms());
    match followed.await? {
        Followed::Yes => Ok(StatusCode::NO_CONTENT),
        Followed::Blocked => Err(ApiError::PlayerBlocked),
        Followed::TooMany => {
            let advice = format!("unfollow somebody first: {MAX_FOLLOWS} players at most");
            Err(ApiError::field(Code::TooManyFollows, "player", advice))
        }
    }
}

/// Ends a follow.
#[utoipa::path(
    delete, path = "/api/v1/me/follows/{name}", tag = "people", params(("name" = String, Path, description = "the player's name")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`session-needed`"),
        (status = 404),
    )
)]
async fn unfollow(
    State(app): State<App>,
    me: SignedIn,
    Path(name): Path<String>,
) -> Result<StatusCode, ApiError> {
    let other = find(&app, &name).await?;
    app.store.unfollow(&me.player.id, &other.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lists the caller's followers, without blocked ones.
#[utoipa::path(
    get, path = "/api/v1/me/followers", tag = "people", params(ListQuery),
    responses(
        (status = 200, body = FollowPage),
        (status = 401),
        (status = 422),
    )
)]
async fn followers(
    State(app): State<App>,
    me: SignedIn,
    Query(query): Query<ListQuery>,
) -> Result<Json<FollowPage>, ApiError> {
    let page = RelationPage::of(&query)?;
    let mut rows = app
        .store
        .followers(&me.player.id, page.after.as_ref(), page.rows())
        .await?;
    let next = page.cut(&mut rows);
    let items = rows.iter().map(|row| FollowView {
        player: view::player(&row.player),
        since: view::timestamp(row.since_ms),
        friend: row.mutual,
        online: !row.hidden && app.sockets.is_here(&row.player.id),
        playing: None,
    });
    Ok(Json(FollowPage {
        items: items.collect(),
        next,
    }))
}

/// Lists finished public matches of the caller's followed players, of the last 14 days.
/// Matches that were called off are left out.
#[utoipa::path(
    get, path = "/api/v1/me/followed-matches", tag = "people", params(ListQuery),
    responses(
        (status = 200, body = MatchPage),
        (status = 401),
        (status = 422),
    )
)]
async fn followed_matches(
    State(app): State<App>,
    me: SignedIn,
    Query(query): Query<ListQuery>,
) -> Result<Json<MatchPage>, ApiError> {
    let limit = page_size(query.limit)?;
    let after = match_cursor(query.cursor.as_deref())?;
    let since_ms = unix_ms() - FEED_MS;
    let rows = app
        .store
        .finished_of_followed(&me.player.id, since_ms, after.as_ref(), limit + 1)
        .await?;
    Ok(Json(MatchPage::of(rows, limit)))
}

/// Lists the caller's blocked players.
#[utoipa::path(
    get, path = "/api/v1/me/blocks", tag = "people", params(ListQuery),
    responses(
        (status = 200, body = BlockPage),
        (status = 401),
        (status = 422),
    )
)]
async fn blocks(
    State(app): State<App>,
    me: SignedIn,
    Query(query): Query<ListQuery>,
) -> Result<Json<BlockPage>, ApiError> {
    let page = RelationPage::of(&query)?;
    let mut rows = app
        .store
        .blocks(&me.player.id, page.after.as_ref(), page.rows())
        .await?;
    let next = page.cut(&mut rows);
    let items = rows.iter().map(|row| BlockView {
        player: view::player(&row.player),
        since: view::timestamp(row.since_ms),
    });
    Ok(Json(BlockPage {
        items: items.collect(),
        next,
    }))
}

/// Blocks a player.
/// From now on no match is made between the two: by challenge, seek, pool or rematch. The caller sees none of the player's phrases and lines
/// of chat, and no longer follows the player; open challenges between them are closed. The player is not told. A match that runs goes on.
#[utoipa::path(
    post, path = "/api/v1/me/blocks", tag = "people", request_body = NamedPlayer,
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`account-needed`, `session-needed`; `no-bots`, also for a computer opponent"),
        (status = 404),
        (status = 422, description = "`yourself`, `too-many-blocks`"),
    )
)]
async fn block(
    State(app): State<App>,
    me: SignedIn,
    Body(new): Body<NamedPlayer>,
) -> Result<StatusCode, ApiError> {
    me.check_person()?;
    let other = other(&app, &me, &new.player).await?;
    let me = me.player.id;
    let closed = app
        .store
        .block(&me, &other.id, MAX_BLOCKS, unix_ms())
        .await?;
    let Some(closed) = closed else {
        let advice = format!("unblock somebody first: {MAX_BLOCKS} players at most");
        return Err(ApiError::field(Code::TooManyBlocks, "player", advice));
    };
    app.sockets.mute_chat(&me, &other.id);
    let tell = |challenge: ChallengeId, status, reason| {
        let gone = encode(&ServerMsg::ChallengeGone {
            challenge,
            status,
            reason,
        });
        app.sockets.tell(&me, &gone);
        app.sockets.tell(&other.id, &gone);
    };
    for challenge in closed.declined {
        let reason = Some(DeclineReason::Generic);
        tell(challenge, ChallengeStatus::Declined, reason);
    }
    for challenge in closed.cancelled {
        tell(challenge, ChallengeStatus::Cancelled, None);
    }
    // The notices of the closed challenges are gone.
    for player in [&me, &other.id] {
        app.rooms.services.notices.recount(player);
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Ends a block.
#[utoipa::path(
    delete, path = "/api/v1/me/blocks/{name}", tag = "people", params(("name" = String, Path, description = "the player's name")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`session-needed`"),
        (status = 404),
    )
)]
async fn unblock(
    State(app): State<App>,
    me: SignedIn,
    Path(name): Path<String>,
) -> Result<StatusCode, ApiError> {
    let other = find(&app, &name).await?;
    app.store.unblock(&me.player.id, &other.id).await?;
    Ok(StatusCode::NO_CONTENT)
}
