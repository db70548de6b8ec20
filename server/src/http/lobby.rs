//! The lobby over REST: seeks, and the list of pools. Players join a pool over the WebSocket.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mawe_play::rating;
use mawe_rules::{BySide, GameKind, Side};
use mawe_store::{ChallengeRow, ExtraTime, NewChallenge, Player, StoreError};
use mawe_wire::ids::{ChallengeId, MatchId, PlayerId};
use mawe_wire::{Code, PlayerKind, PoolCount, SeekView, ServerMsg, SideWish, Speed, TimeControl};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::accounts::Empty;
use crate::http::error::ApiError;
use crate::http::extract::{Body, From, Path, SignedIn, Visitor};
use crate::http::matches::{Created, check_room_for_more, not_made};
use crate::http::relations::check_not_apart;
use crate::http::terms::{OptionsWish, TermsRequest, check_rated};
use crate::live::arrange;
use crate::live::outbox::encode;
use crate::lobby::UNKNOWN;

/// The lifetime of a seek for a real-time match: the seeker is connected and can renew it.
const NOW_FOR_MS: i64 = 60 * 60 * 1_000;

/// The lifetime of a seek for a match by the day.
const OPEN_FOR_MS: i64 = 14 * 24 * 60 * 60 * 1_000;

/// The most open seeks of a player with an account.
const MAX_SEEKS: u32 = 5;

/// The most open seeks of a guest: new guests cost nothing.
const MAX_GUEST_SEEKS: u32 = 2;

/// The valid ratings in a range.
pub(crate) const RATINGS: std::ops::RangeInclusive<i32> = 0..=4_000;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(cancel))
        .routes(routes!(accept))
        .routes(routes!(pools))
}

/// A public offer to play.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "game": "oware", "time_control": { "kind": "correspondence", "days": 3 } }))]
struct NewSeek {
    /// The game kind.
    #[schema(example = "mawe")]
    game: GameKind,
    /// The setup; empty for the standard game. `position=TEXT` starts a casual match from a position.
    #[serde(default)]
    setup: String,
    /// The side that the seeker wants; in a rated match it is drawn by lot.
    #[serde(default)]
    side: SideWish,
    /// The time control.
    time_control: TimeControl,
    /// Whether ratings change; both players then need accounts.
    #[serde(default)]
    rated: bool,
    /// The options of the match.
    options: Option<OptionsWish>,
    /// The lowest rating that may accept, 0 to 4000; a player without a rating counts as 1500.
    min_rating: Option<i32>,
    /// The highest rating that may accept.
    max_rating: Option<i32>,
}

/// A list of seeks.
#[derive(Debug, Serialize, ToSchema)]
struct SeekList {
    items: Vec<SeekView>,
}

/// A list of pools.
#[derive(Debug, Serialize, ToSchema)]
struct PoolList {
    items: Vec<PoolCount>,
}

/// Lists the open seeks.
/// The list has one of each seeker, newest first, then their second ones, and so on, 50 at most; the caller's own are always included.
/// Seeks for a real-time match are shown while the seeker has a socket open, and are withdrawn when the seeker stays away.
#[utoipa::path(
    get, path = "/api/v1/seeks", tag = "lobby",
    responses((status = 200, body = SeekList))
)]
async fn list(
    State(app): State<App>,
    Visitor(visitor): Visitor,
) -> Result<Json<SeekList>, ApiError> {
    let mut items = app.lobby.seeks().await?;
    if let Some(visitor) = visitor {
        let own = app
            .store
            .open_seeks(Some(&visitor.player.id), unix_ms(), MAX_SEEKS)
            .await?;
        for row in own {
            if items.iter().all(|seek| seek.id != row.offer.id) {
                items.push(app.lobby.seek(row).await?);
            }
        }
    }
    Ok(Json(SeekList { items }))
}

/// Publishes a seek for an opponent.
#[utoipa::path(
    post, path = "/api/v1/seeks", tag = "lobby", request_body = NewSeek,
    responses(
        (status = 201, body = SeekView),
        (status = 401),
        (status = 403, description = "`account-needed` for a rated match, `no-bots`"),
        (status = 422),
        (status = 429),
    )
)]
async fn create(
    State(app): State<App>,
    From(address): From,
    me: SignedIn,
    Body(seek): Body<NewSeek>,
) -> Result<(StatusCode, Json<SeekView>), ApiError> {
    let wish = TermsRequest {
        game: seek.game,
        setup: &seek.setup,
        time_control: seek.time_control,
        rated: seek.rated,
        options: seek.options,
        private: false,
    };
    people_only(&me)?;
    let terms = wish.check(&me.player)?;
    let rating_range = check_range(
        seek.min_rating,
        seek.max_rating,
        ["min_rating", "max_rating"],
    )?;
    check_room_for_more(&app, &me.player.id).await?;
    check_wait(&app, &me.player.id, terms.time_control).await?;
    let max_open = match me.player.kind {
        PlayerKind::Guest => MAX_GUEST_SEEKS,
        PlayerKind::Account | PlayerKind::Bot => MAX_SEEKS,
    };
    let now = unix_ms();
    let too_many = || {
        let advice = "take one of your seeks back first";
        ApiError::field(Code::TooManySeeks, "", advice)
    };
    // The store decides when the seek is written. This check keeps a player with too many seeks from using up the address's limit.
    let open = app.store.open_seeks(Some(&me.player.id), now, max_open);
    if u32::try_from(open.await?.len()).is_ok_and(|count| count >= max_open) {
        return Err(too_many());
    }
    app.limits.seek(address)?;
    let open_for = if terms.time_control.is_realtime() {
        NOW_FOR_MS
    } else {
        OPEN_FOR_MS
    };
    let offer = NewChallenge {
        id: ChallengeId::random(),
        challenger: me.player.id.clone(),
        game: terms.game,
        setup: terms.setup.to_string(),
        side: terms.side(seek.side),
        time_control: terms.time_control,
        extra: ExtraTime::default(),
        rated: terms.rated,
        options: terms.options,
        private: false,
        to: None,
        listed: true,
        rating_range,
        created_ms: now,
        expires_ms: now + open_for,
    };
    if !app.store.create_seek(&offer, max_open).await? {
        return Err(too_many());
    }
    let row = ChallengeRow {
        offer,
        challenger: me.player,
        match_id: None,
        cancelled: false,
        declined: None,
    };
    Ok((StatusCode::CREATED, Json(app.lobby.seek(row).await?)))
}

/// Refuses a player who has repeatedly left matches or called them off. Matches by the day are exempt: leaving them harms nobody.
async fn check_wait(app: &App, player: &PlayerId, control: TimeControl) -> Result<(), ApiError> {
    if !control.is_realtime() {
        return Ok(());
    }
    match app.lobby.wait_ms(player).await? {
        0 => Ok(()),
        wait_ms => Err(ApiError::PairingWait {
            retry_s: wait_ms.div_ceil(1_000),
        }),
    }
}

/// Refuses bot accounts: seeks are for people, and bots are challenged by name.
fn people_only(me: &SignedIn) -> Result<(), ApiError> {
    match me.player.kind {
        PlayerKind::Guest | PlayerKind::Account => Ok(()),
        PlayerKind::Bot => Err(ApiError::NoBots),
    }
}

/// Checks a range of ratings, given in the fields of these names.
///
/// # Errors
/// [`ApiError::Unprocessable`], naming the field.
pub(crate) fn check_range(
    min: Option<i32>,
    max: Option<i32>,
    [min_field, max_field]: [&str; 2],
) -> Result<(Option<i32>, Option<i32>), ApiError> {
    for (field, rating) in [(min_field, min), (max_field, max)] {
        if rating.is_some_and(|rating| !RATINGS.contains(&rating)) {
            let advice = "a rating is 0 to 4000";
            return Err(ApiError::field(Code::BadRange, field, advice));
        }
    }
    match (min, max) {
        (Some(min), Some(max)) if min > max => {
            let advice = format!("{min_field} must not be above {max_field}");
            Err(ApiError::field(Code::BadRange, min_field, advice))
        }
        range => Ok(range),
    }
}

async fn find(app: &App, id: &ChallengeId) -> Result<ChallengeRow, ApiError> {
    let row = app.store.find_challenge(id).await?;
    row.filter(|row| row.offer.listed)
        .ok_or(ApiError::NotFound("seek"))
}

/// Withdraws the caller's own seek.
#[utoipa::path(
    delete, path = "/api/v1/seeks/{id}", tag = "lobby", params(("id" = ChallengeId, Path, description = "the seek's id")),
    responses(
        (status = 204),
        (status = 401),
        (status = 404, description = "also for somebody else's"),
        (status = 409, description = "`challenge-closed`"),
    )
)]
async fn cancel(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<ChallengeId>,
) -> Result<StatusCode, ApiError> {
    let row = find(&app, &id).await?;
    if row.challenger.id != me.player.id {
        return Err(ApiError::NotFound("seek"));
    }
    app.store.cancel_challenge(&id).await.map_err(closed)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Accepts a seek and starts the match.
#[utoipa::path(
    post, path = "/api/v1/seeks/{id}/accept", tag = "lobby", request_body = Empty,
    params(("id" = ChallengeId, Path, description = "the seek's id")),
    responses(
        (status = 200, body = Created),
        (status = 401),
        (status = 403, description = "`account-needed` for a rated match, `rating-out-of-range`, `no-bots`, `match-refused`"),
        (status = 404),
        (status = 409, description = "`own-seek`, `challenge-closed`, `seeker-gone`, `being-seated`, `opponent-busy`, `player-blocked`"),
        (status = 422),
    )
)]
async fn accept(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<ChallengeId>,
    _: Body<Empty>,
) -> Result<Json<Created>, ApiError> {
    people_only(&me)?;
    let row = find(&app, &id).await?;
    if row.challenger.id == me.player.id {
        return Err(ApiError::OwnSeek);
    }
    let is_open = row.match_id.is_none() && !row.cancelled && row.offer.expires_ms > unix_ms();
    if !is_open {
        return Err(ApiError::ChallengeClosed);
    }
    check_rated(&me.player, row.offer.rated)?;
    check_not_apart(&app, &me.player.id, &row.challenger.id).await?;
    check_rating(&app, &row.offer, &me.player).await?;
    if !app.lobby.can_be_met(&row) {
        return Err(ApiError::SeekerGone);
    }
    check_wait(&app, &me.player.id, row.offer.time_control).await?;
    // This runs in a task of its own that outlives a dropped request, so that the seeker always learns of a match that was made.
    let seating = {
        let app = App::clone(&app);
        async move { seat(&app, row, me.player).await }
    };
    let seated = app.sockets.tasks.spawn(seating).await;
    let id = seated.map_err(|_| ApiError::Internal)??;
    Ok(Json(Created { id }))
}

/// Makes the match of a seek, and tells the seeker.
async fn seat(app: &App, row: ChallengeRow, accepter: Player) -> Result<MatchId, ApiError> {
    let (id, seeker) = (row.offer.id.clone(), row.challenger);
    let (mut seatings, mut seats) = (Vec::new(), Vec::new());
    // A match by the day does not take its players out of their pools.
    if row.offer.time_control.is_realtime() {
        let mine = app.lobby.seat([accepter.id.clone()]);
        seatings.push(mine.ok_or(ApiError::BeingSeated)?);
        let theirs = app.lobby.seat([seeker.id.clone()]);
        seatings.push(theirs.ok_or(ApiError::ChallengeClosed)?);
        // Other nodes do not know of these reservations, so storing the match compares the wishes read here. A node that seats a player
        // also withdraws the player's seeks, so a seek that is still open after this read is of a free player.
        seats = app.lobby.pairing_states(&[&accepter, &seeker]).await?;
        if app.lobby.is_just_paired(&seats, &accepter.id).await? {
            return Err(ApiError::BeingSeated);
        }
        let still = app.store.find_challenge(&id).await?;
        if still.is_none_or(|row| row.match_id.is_some() || row.cancelled) {
            return Err(ApiError::ChallengeClosed);
        }
    }
    let terms = arrange::terms_of(&row.offer)?;
    let me = accepter.id.clone();
    let players = match arrange::side_for(row.offer.side) {
        Side::First => BySide::new(seeker.clone(), accepter),
        Side::Second => BySide::new(accepter, seeker.clone()),
    };
    let new = arrange::prepare(app.store.as_ref(), &terms, &players, None).await?;
    let accepted = app
        .store
        .accept_and_seat(&id, &new, unix_ms(), &seats)
        .await;
    let accepted = match accepted {
        Err(StoreError::Conflict) => return Err(ApiError::ChallengeClosed),
        accepted => accepted.map_err(|error| not_made(error, &me))?,
    };
    if !accepted {
        return Err(ApiError::BeingSeated);
    }
    app.rooms.open(&new.id);
    app.sockets.tell(
        &seeker.id,
        &encode(&ServerMsg::ChallengeAccepted {
            challenge: id,
            match_id: new.id.clone(),
        }),
    );
    for seating in seatings {
        let left = seating.done().await;
        app.lobby.tell_left(&left);
    }
    Ok(new.id)
}

/// Checks that the accepter's rating is in the seeker's range.
async fn check_rating(app: &App, offer: &NewChallenge, player: &Player) -> Result<(), ApiError> {
    let fits = is_in_range(
        app,
        player,
        (offer.game, offer.time_control.speed()),
        offer.rating_range,
    );
    fits.await?.then_some(()).ok_or(ApiError::RatingOutOfRange)
}

/// Whether a player's rating in a game at a speed is in a range; a player without one counts as 1500.
pub(crate) async fn is_in_range(
    app: &App,
    player: &Player,
    (game, speed): (GameKind, Speed),
    (min, max): (Option<i32>, Option<i32>),
) -> Result<bool, ApiError> {
    if min.is_none() && max.is_none() {
        return Ok(true);
    }
    let row = app.store.rating(&player.id, game, speed).await?;
    let rating = rating::rounded(row.map_or(UNKNOWN.0, |row| row.rating.rating));
    Ok(min.is_none_or(|min| rating >= min) && max.is_none_or(|max| rating <= max))
}

fn closed(error: StoreError) -> ApiError {
    match error {
        StoreError::Conflict => ApiError::ChallengeClosed,
        error => error.into(),
    }
}

/// Lists the pools with the number of waiting players.
/// To wait in a pool, send `join-pool` over the WebSocket.
#[utoipa::path(
    get, path = "/api/v1/pools", tag = "lobby",
    responses((status = 200, body = PoolList))
)]
async fn pools(State(app): State<App>) -> Json<PoolList> {
    Json(PoolList {
        items: app.lobby.pools(),
    })
}
