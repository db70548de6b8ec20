//! Challenges by link: whoever has the link may accept.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mawe_rules::{BySide, GameKind, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::arrange::{self, unix_ms};
use crate::http::App;
use crate::http::accounts::Empty;
use crate::http::error::{ApiError, Problem};
use crate::http::extract::{Body, Path, SignedIn};
use crate::http::matches::{Created, check_room_for_more};
use crate::http::terms::{OptionsWish, SideWish, Wish};
use crate::ids::{ChallengeId, MatchId};
use crate::outbox::encode;
use crate::protocol::{
    MatchOptions, PlayerKind, PlayerRef, RatingRef, ServerMsg, Speed, TimeControl,
};
use crate::rating;
use crate::room::view;
use crate::store::{ChallengeRow, NewChallenge, StoreError};

/// How long a link can be accepted: a friend may be asleep on the other side of the world.
const OPEN_FOR_MS: i64 = 24 * 60 * 60 * 1_000;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create))
        .routes(routes!(find, cancel))
        .routes(routes!(accept))
}

/// A challenge to whoever gets its link.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Offer {
    /// The game kind.
    #[schema(value_type = String, example = "mawe")]
    game: GameKind,
    /// The setup; empty for the standard game.
    #[serde(default)]
    setup: String,
    /// The side the challenger wants.
    #[serde(default)]
    side: SideWish,
    /// How much time.
    time_control: TimeControl,
    /// Whether ratings change: both need accounts.
    #[serde(default)]
    rated: bool,
    /// What the players may do.
    options: Option<OptionsWish>,
    /// Whether only who has the match's link may watch.
    #[serde(default)]
    private: bool,
}

/// A challenge.
#[derive(Debug, Serialize, ToSchema)]
struct Challenge {
    #[schema(value_type = String)]
    id: ChallengeId,
    #[schema(value_type = String)]
    game: GameKind,
    setup: String,
    /// The side the challenger wants.
    side: SideWish,
    time_control: TimeControl,
    speed: Speed,
    rated: bool,
    options: MatchOptions,
    private: bool,
    challenger: PlayerRef,
    /// Null before the first rated match of this kind and speed.
    #[schema(required = true)]
    challenger_rating: Option<RatingRef>,
    status: Status,
    /// The match that it became.
    #[serde(rename = "match")]
    #[schema(required = true, value_type = Option<String>)]
    match_id: Option<MatchId>,
    #[schema(value_type = String)]
    created_at: jiff::Timestamp,
    #[schema(value_type = String)]
    expires_at: jiff::Timestamp,
}

/// What has become of a challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Status {
    /// It can be accepted.
    Open,
    /// It became a match.
    Accepted,
    /// It was taken back.
    Cancelled,
    /// Nobody accepted it in time.
    Expired,
}

impl Status {
    fn of(row: &ChallengeRow, now_ms: i64) -> Status {
        if row.match_id.is_some() {
            Status::Accepted
        } else if row.cancelled {
            Status::Cancelled
        } else if row.offer.expires_ms <= now_ms {
            Status::Expired
        } else {
            Status::Open
        }
    }
}

/// Challenge whoever gets the link.
#[utoipa::path(
    post, path = "/api/v1/challenges", tag = "challenges", request_body = Offer,
    responses(
        (status = 201, body = Challenge),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 403, body = Problem, content_type = "application/problem+json", description = "`account-needed` for a rated match"),
        (status = 422, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn create(
    State(app): State<App>,
    me: SignedIn,
    Body(offer): Body<Offer>,
) -> Result<(StatusCode, Json<Challenge>), ApiError> {
    let wish = Wish {
        game: offer.game,
        setup: &offer.setup,
        time_control: offer.time_control,
        rated: offer.rated,
        options: offer.options,
        private: offer.private,
    };
    let terms = wish.check()?;
    if terms.rated && me.player.kind == PlayerKind::Guest {
        return Err(ApiError::AccountNeeded);
    }
    check_room_for_more(&app, &me.player.id).await?;
    let now = unix_ms();
    let new = NewChallenge {
        id: ChallengeId::random(),
        challenger: me.player.id.clone(),
        game: terms.game,
        setup: terms.setup.to_string(),
        side: offer.side.side(),
        time_control: terms.time_control,
        rated: terms.rated,
        options: terms.options,
        private: terms.private,
        to: None,
        listed: false,
        rating_range: (None, None),
        created_ms: now,
        expires_ms: now + OPEN_FOR_MS,
    };
    app.store.create_challenge(&new).await?;
    let row = ChallengeRow {
        offer: new,
        challenger: me.player,
        match_id: None,
        cancelled: false,
        declined: None,
    };
    Ok((StatusCode::CREATED, Json(shown(&app, row).await?)))
}

/// A challenge, by the id in its link.
#[utoipa::path(
    get, path = "/api/v1/challenges/{id}", tag = "challenges", params(("id" = String, Path, description = "the challenge's id")),
    responses((status = 200, body = Challenge), (status = 404, body = Problem, content_type = "application/problem+json"))
)]
async fn find(
    State(app): State<App>,
    Path(id): Path<ChallengeId>,
) -> Result<Json<Challenge>, ApiError> {
    let row = app
        .store
        .find_challenge(&id)
        .await?
        .filter(|row| !row.offer.listed)
        .ok_or(ApiError::NotFound("challenge"))?;
    Ok(Json(shown(&app, row).await?))
}

/// Take one's own challenge back.
#[utoipa::path(
    delete, path = "/api/v1/challenges/{id}", tag = "challenges", params(("id" = String, Path, description = "the challenge's id")),
    responses(
        (status = 204),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "also for somebody else's"),
        (status = 409, body = Problem, content_type = "application/problem+json", description = "`challenge-closed`"),
    )
)]
async fn cancel(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<ChallengeId>,
) -> Result<StatusCode, ApiError> {
    let row = app.store.find_challenge(&id).await?;
    row.filter(|row| row.challenger.id == me.player.id && !row.offer.listed)
        .ok_or(ApiError::NotFound("challenge"))?;
    app.store.cancel_challenge(&id).await.map_err(closed)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Accept a challenge: the match begins.
#[utoipa::path(
    post, path = "/api/v1/challenges/{id}/accept", tag = "challenges", request_body = Empty,
    params(("id" = String, Path, description = "the challenge's id")),
    responses(
        (status = 200, body = Created),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 403, body = Problem, content_type = "application/problem+json", description = "`account-needed` for a rated match"),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json", description = "`own-challenge`, `challenge-closed`"),
    )
)]
async fn accept(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<ChallengeId>,
    _: Body<Empty>,
) -> Result<Json<Created>, ApiError> {
    let row = app
        .store
        .find_challenge(&id)
        .await?
        .filter(|row| !row.offer.listed)
        .ok_or(ApiError::NotFound("challenge"))?;
    let (challenger, accepter) = (row.challenger, me.player);
    if challenger.id == accepter.id {
        return Err(ApiError::OwnChallenge);
    }
    if row.offer.rated && accepter.kind != PlayerKind::Account {
        return Err(ApiError::AccountNeeded);
    }
    check_room_for_more(&app, &accepter.id).await?;
    let terms = arrange::terms_of(&row.offer)?;
    let players = match arrange::side_for(row.offer.side) {
        Side::First => BySide::new(challenger.clone(), accepter),
        Side::Second => BySide::new(accepter, challenger.clone()),
    };
    let new = arrange::prepare(app.store.as_ref(), &terms, &players, None).await?;
    app.store
        .accept_challenge(&id, &new, unix_ms())
        .await
        .map_err(closed)?;
    app.rooms.open(&new.id);
    if new.time_control.is_realtime() {
        let ids = [&new.players.first, &new.players.second];
        app.lobby.plays(ids.map(Clone::clone)).await;
    }
    app.sockets.tell(
        &challenger.id,
        &encode(&ServerMsg::ChallengeAccepted {
            challenge: id,
            match_id: new.id.clone(),
        }),
    );
    Ok(Json(Created { id: new.id }))
}

fn closed(error: StoreError) -> ApiError {
    match error {
        StoreError::Conflict => ApiError::ChallengeClosed,
        error => error.into(),
    }
}

async fn shown(app: &App, row: ChallengeRow) -> Result<Challenge, ApiError> {
    let status = Status::of(&row, unix_ms());
    let offer = row.offer;
    let speed = offer.time_control.speed();
    let rating = app
        .store
        .rating(&row.challenger.id, offer.game, speed)
        .await?;
    Ok(Challenge {
        id: offer.id,
        game: offer.game,
        setup: offer.setup,
        side: SideWish::of(offer.side),
        time_control: offer.time_control,
        speed,
        rated: offer.rated,
        options: offer.options,
        private: offer.private,
        challenger: view::player(&row.challenger),
        challenger_rating: rating.map(|row| rating::shown(row.rating.rating, row.rating.deviation)),
        status,
        match_id: row.match_id,
        created_at: view::timestamp(offer.created_ms),
        expires_at: view::timestamp(offer.expires_ms),
    })
}
