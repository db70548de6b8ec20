//! Challenges: to a player by name, who alone may accept or decline; or by link, which anybody with the link may accept.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mawe_play::rating;
use mawe_rules::{BySide, GameKind, Side};
use mawe_store::{
    ChallengeRow, ExtraTime, NewChallenge, NewMatch, Offered, Player, Relation, StoreError,
};
use mawe_wire::ids::{ChallengeId, MatchId, PlayerId};
use mawe_wire::people::ChallengesFrom;
use mawe_wire::{
    ChallengeStatus, ChallengeView, Code, DeclineReason, ExtraMinutes, PlayerKind, PlayerRef,
    ServerMsg, SideWish, TimeControl,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::clock::unix_ms;
use crate::http::accounts::Empty;
use crate::http::error::ApiError;
use crate::http::extract::{Body, Path, SignedIn, Visitor};
use crate::http::lobby::is_in_range;
use crate::http::matches::{Created, check_room_for_more, not_made};
use crate::http::relations::check_not_apart;
use crate::http::request_keys::{self, Claim, Keyed, Looks};
use crate::http::terms::{OptionsWish, TermsRequest, check_rated, extra_ms};
use crate::live::arrange::{self, Terms};
use crate::live::outbox::encode;
use crate::live::view;
use crate::push::{About, Call};

/// The lifetime of a challenge: a friend may be asleep on the other side of the world.
const OPEN_FOR_MS: i64 = 24 * 60 * 60 * 1_000;

/// The most open challenges by one player.
const MAX_OPEN: u32 = 20;

/// The most open challenges from one player to one other player: repeated challenges are a nuisance.
const MAX_TO_ONE: u32 = 3;

/// The most incoming challenges that are listed.
const MAX_SHOWN: u32 = 50;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create))
        .routes(routes!(find, cancel))
        .routes(routes!(accept))
        .routes(routes!(decline))
        .routes(routes!(mine))
}

/// A challenge to a player by name, or to anybody with its link.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "game": "mawe", "time_control": { "kind": "realtime", "base_ms": 300_000, "increment_ms": 3_000 } }))]
struct Offer {
    /// The game kind.
    #[schema(example = "mawe")]
    game: GameKind,
    /// The setup; empty for the standard game. `position=TEXT` starts a casual match from a position.
    #[serde(default)]
    setup: String,
    /// The side that the challenger wants; in a rated match it is drawn by lot.
    #[serde(default)]
    side: SideWish,
    /// The time control.
    time_control: TimeControl,
    /// The minutes of each player beyond the base time, as odds between players of different strength; only in a casual match with clocks.
    #[serde(default)]
    extra_minutes: ExtraMinutes,
    /// Whether ratings change; both players then need accounts.
    #[serde(default)]
    rated: bool,
    /// The options of the match.
    options: Option<OptionsWish>,
    /// Whether only callers with the match's link may watch.
    #[serde(default)]
    private: bool,
    /// The name of the challenged player; without it anybody with the link may accept.
    to: Option<String>,
}

/// The caller's open challenges.
#[derive(Debug, Serialize, ToSchema)]
struct Challenges {
    /// Open challenges to the caller by name, newest first, 50 at most.
    incoming: Vec<ChallengeView>,
    /// The caller's own open challenges, by name and by link, newest first.
    outgoing: Vec<ChallengeView>,
}

/// A refusal of a challenge.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Decline {
    /// The reason that the challenger is given.
    #[serde(default)]
    reason: DeclineReason,
}

fn status_of(row: &ChallengeRow, now_ms: i64) -> ChallengeStatus {
    if row.match_id.is_some() {
        ChallengeStatus::Accepted
    } else if row.cancelled {
        ChallengeStatus::Cancelled
    } else if row.declined.is_some() {
        ChallengeStatus::Declined
    } else if row.offer.expires_ms <= now_ms {
        ChallengeStatus::Expired
    } else {
        ChallengeStatus::Open
    }
}

/// Challenges a player by name, or anybody with the link.
/// A computer opponent accepts at once: the response then names the match.
#[utoipa::path(
    post, path = "/api/v1/challenges", tag = "challenges", request_body = Offer,
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "a key of the client's own: within 24 hours the same request with the same key creates nothing anew", min_length = 1, max_length = 128, example = "8e03978e-40d5-43dd-bc93-6894a57f9324"),
    ),
    responses(
        (status = 201, body = ChallengeView),
        (status = 401),
        (status = 403, description = "`account-needed` for a rated match, `guests-refused`, `match-refused`"),
        (status = 409, description = "`player-blocked`"),
        (status = 422),
        (status = 429, description = "also `challenge-declined`"),
    )
)]
async fn create(
    State(app): State<App>,
    me: SignedIn,
    Keyed { body: offer, key }: Keyed<Offer>,
) -> Result<Response, ApiError> {
    // A refusal that another body can avoid leaves the key free.
    let checked = check(&app, &me.player, &offer).await?;
    let drawn = ChallengeId::random();
    let Claim { id, is_shared } = request_keys::claim(key, &app, &me.player.id, drawn).await?;
    let answer = |view: ChallengeView, was_there: bool| {
        let headers = request_keys::headers(was_there);
        (StatusCode::CREATED, headers, Json(view)).into_response()
    };
    if is_shared && let Some(view) = made_before(&app, &id).await? {
        return Ok(answer(view, true));
    }
    match make(&app, me, checked, id.clone()).await {
        Ok(view) => Ok(answer(view, false)),
        // The same request is under way twice: the other one was faster.
        Err(ApiError::ChallengeClosed) if is_shared => {
            let mut looks = Looks::default();
            while looks.next().await {
                if let Some(view) = made_before(&app, &id).await? {
                    return Ok(answer(view, true));
                }
            }
            Err(ApiError::StoreUnavailable)
        }
        // A limit may have counted the creation of the other request with this key.
        Err(error) if is_shared => match made_before(&app, &id).await? {
            Some(view) => Ok(answer(view, true)),
            None => Err(error),
        },
        Err(error) => Err(error),
    }
}

/// Returns the challenge that an earlier request with the same key has made, as it is now. If that request could not let a computer
/// opponent accept it, this one does.
async fn made_before(app: &App, id: &ChallengeId) -> Result<Option<ChallengeView>, ApiError> {
    let Some(mut row) = app.store.find_challenge(id).await? else {
        return Ok(None);
    };
    let to = asked(app, &row).await?;
    if let Some(bot) = to.as_ref().filter(|to| to.is_computer())
        && status_of(&row, unix_ms()) == ChallengeStatus::Open
    {
        match begin(app, row.clone(), bot.clone()).await {
            Ok(id) => row.match_id = Some(id),
            // The earlier request is doing the same at this moment.
            Err(ApiError::ChallengeClosed) => {
                let mut looks = Looks::default();
                while row.match_id.is_none() {
                    if !looks.next().await {
                        return Err(ApiError::StoreUnavailable);
                    }
                    row = app.store.find_challenge(id).await?.unwrap_or(row);
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Some(shown(app, row, to.as_ref()).await?))
}

/// An offer that may be made, but for the limits.
struct CheckedOffer {
    terms: Terms,
    extra: ExtraTime,
    side: SideWish,
    to: Option<Player>,
}

/// Checks an offer. Nothing is counted.
async fn check(app: &App, me: &Player, offer: &Offer) -> Result<CheckedOffer, ApiError> {
    let wish = TermsRequest {
        game: offer.game,
        setup: &offer.setup,
        time_control: offer.time_control,
        rated: offer.rated,
        options: offer.options,
        private: offer.private,
    };
    let terms = wish.check(me)?;
    let extra = checked_extra(&terms, offer.extra_minutes)?;
    let to = match &offer.to {
        Some(name) => Some(opponent(app, me, name, &terms).await?),
        None => None,
    };
    let side = offer.side;
    Ok(CheckedOffer {
        terms,
        extra,
        side,
        to,
    })
}

/// The time of the players beyond the base time.
fn checked_extra(terms: &Terms, wish: ExtraMinutes) -> Result<ExtraTime, ApiError> {
    if wish == ExtraMinutes::default() {
        return Ok(ExtraTime::default());
    }
    let field = "extra_minutes";
    if terms.rated {
        let advice = "in a rated match both have the same time: leave out extra_minutes or rated";
        return Err(ApiError::field(Code::BadTerms, field, advice));
    }
    Ok(ExtraTime {
        challenger_ms: extra_ms(terms.time_control, wish.challenger, field)?,
        opponent_ms: extra_ms(terms.time_control, wish.opponent, field)?,
    })
}

/// Makes a challenge under this id, and tells the challenged player.
async fn make(
    app: &App,
    me: SignedIn,
    checked: CheckedOffer,
    id: ChallengeId,
) -> Result<ChallengeView, ApiError> {
    let CheckedOffer {
        terms,
        extra,
        side,
        to,
    } = checked;
    if let Some(to) = to.as_ref().filter(|to| !to.is_computer()) {
        app.limits.challenge(&me.player, to)?;
    }
    check_room_for_more(app, &me.player.id).await?;
    let now = unix_ms();
    let expires_ms = now + OPEN_FOR_MS;
    let new = NewChallenge {
        id,
        challenger: me.player.id.clone(),
        game: terms.game,
        setup: terms.setup.to_string(),
        side: terms.side(side),
        time_control: terms.time_control,
        extra,
        rated: terms.rated,
        options: terms.options,
        private: terms.private,
        to: to.as_ref().map(|to| to.id.clone()),
        listed: false,
        rating_range: (None, None),
        created_ms: now,
        expires_ms,
    };
    let store = app.store.as_ref();
    // The limit for one opponent does not apply to bots: they are not disturbed by repeated challenges.
    let patient = to.as_ref().is_some_and(|to| to.kind == PlayerKind::Bot);
    let offered = store.create_challenge_within(&new, MAX_OPEN, MAX_TO_ONE, patient);
    let offered = offered.await.map_err(|error| match error {
        // Another request with the same key has made it at this moment.
        StoreError::Conflict => ApiError::ChallengeClosed,
        error => error.into(),
    });
    let unanswered = match offered? {
        Offered::Made { unanswered } => unanswered,
        Offered::TooMany => {
            let advice = "take some of your open challenges back first";
            return Err(ApiError::field(Code::TooManyChallenges, "", advice));
        }
        Offered::Declined { wait_until_ms } => {
            let wait_ms = u64::try_from(wait_until_ms.saturating_sub(now)).unwrap_or(0);
            let retry_s = wait_ms.div_ceil(1_000);
            return Err(ApiError::Declined { retry_s });
        }
    };
    let mut row = ChallengeRow {
        offer: new,
        challenger: me.player,
        match_id: None,
        cancelled: false,
        declined: None,
    };
    match &to {
        Some(bot) if bot.is_computer() => {
            row.match_id = Some(begin(app, row.clone(), bot.clone()).await?);
        }
        Some(_) | None => {}
    }
    let view = shown(app, row, to.as_ref()).await?;
    if let Some(to) = to.filter(|to| !to.is_computer()) {
        app.rooms.services.notices.announce(view.id.as_str());
        let challenge = Box::new(view.clone());
        app.sockets
            .tell(&to.id, &encode(&ServerMsg::Challenge { challenge }));
        // One push message stands for all unanswered challenges.
        if let Some(push) = app.rooms.services.push.as_ref().filter(|_| unanswered == 0) {
            push.call(Call {
                player: to.id,
                by: called(&view.challenger).to_owned(),
                game: view.game,
                until_ms: Some(expires_ms),
                about: About::Challenge(view.id.clone()),
            });
        }
    }
    Ok(view)
}

/// Returns the name by which a player is called: the display name, if there is one.
fn called(player: &PlayerRef) -> &str {
    let shown = player.look.display_name.as_deref();
    shown.unwrap_or(&player.name)
}

/// Returns the player that a challenge names, if the caller may challenge them.
async fn opponent(app: &App, me: &Player, name: &str, terms: &Terms) -> Result<Player, ApiError> {
    let player = app.store.find_player_by_name(name).await?;
    let advice = "there is no player of this name";
    let player = player.ok_or_else(|| ApiError::field(Code::UnknownPlayer, "to", advice))?;
    if player.id == me.id {
        let advice = "this is you; name somebody else, or play pass and play";
        return Err(ApiError::field(Code::Yourself, "to", advice));
    }
    match player.kind {
        PlayerKind::Guest if terms.rated => {
            let advice = "a guest plays casual matches only: leave out rated";
            Err(ApiError::field(Code::BadTerms, "rated", advice))
        }
        PlayerKind::Bot if player.is_computer() => Ok(player),
        PlayerKind::Guest | PlayerKind::Account | PlayerKind::Bot => {
            let relation = check_not_apart(app, &me.id, &player.id).await?;
            check_rule(app, me, (&player, relation), terms).await?;
            Ok(player)
        }
    }
}

/// Checks that a player takes challenges by name of this challenger.
async fn check_rule(
    app: &App,
    me: &Player,
    (player, relation): (&Player, Relation),
    terms: &Terms,
) -> Result<(), ApiError> {
    let rule = app.store.challenge_rule(&player.id).await?;
    let may = match rule.from {
        ChallengesFrom::Everybody => true,
        ChallengesFrom::Registered if me.kind == PlayerKind::Guest => {
            return Err(ApiError::GuestsRefused);
        }
        ChallengesFrom::Registered => true,
        ChallengesFrom::Friends => {
            relation.are_friends() || app.store.share_club(&me.id, &player.id).await?
        }
        ChallengesFrom::Nobody => false,
    };
    let at = (terms.game, terms.time_control.speed());
    let range = (rule.min_rating, rule.max_rating);
    let may = may && is_in_range(app, me, at, range).await?;
    may.then_some(()).ok_or(ApiError::MatchRefused)
}

/// Lists the caller's open challenges.
#[utoipa::path(
    get, path = "/api/v1/me/challenges", tag = "challenges",
    responses((status = 200, body = Challenges), (status = 401))
)]
async fn mine(State(app): State<App>, me: SignedIn) -> Result<Json<Challenges>, ApiError> {
    let now = unix_ms();
    let to_me = app
        .store
        .challenges_to(&me.player.id, now, MAX_SHOWN)
        .await?;
    let by_me = app
        .store
        .challenges_by(&me.player.id, now, MAX_OPEN)
        .await?;
    let mut incoming = Vec::with_capacity(to_me.len());
    for row in to_me {
        incoming.push(shown(&app, row, Some(&me.player)).await?);
    }
    let mut outgoing = Vec::with_capacity(by_me.len());
    for row in by_me {
        let to = asked(&app, &row).await?;
        outgoing.push(shown(&app, row, to.as_ref()).await?);
    }
    Ok(Json(Challenges { incoming, outgoing }))
}

/// Returns the open challenges to a player, oldest first, each as the message that announced it.
///
/// # Errors
/// An error of the store.
pub(crate) async fn told(app: &App, player: &Player) -> Result<Vec<ServerMsg>, ApiError> {
    let rows = app
        .store
        .challenges_to(&player.id, unix_ms(), MAX_SHOWN)
        .await?;
    let mut told = Vec::with_capacity(rows.len());
    // The store returns the newest first.
    for row in rows.into_iter().rev() {
        let challenge = Box::new(shown(app, row, Some(player)).await?);
        told.push(ServerMsg::Challenge { challenge });
    }
    Ok(told)
}

/// Returns a challenge by the id in its link.
/// A challenge to a player by name is visible to its two players only.
#[utoipa::path(
    get, path = "/api/v1/challenges/{id}", tag = "challenges", params(("id" = ChallengeId, Path, description = "the challenge's id")),
    responses((status = 200, body = ChallengeView), (status = 404))
)]
async fn find(
    State(app): State<App>,
    Visitor(visitor): Visitor,
    Path(id): Path<ChallengeId>,
) -> Result<Json<ChallengeView>, ApiError> {
    let player = visitor.as_ref().map(|visitor| &visitor.player.id);
    let row = visible(&app, &id, player).await?;
    let to = asked(&app, &row).await?;
    Ok(Json(shown(&app, row, to.as_ref()).await?))
}

/// Returns a challenge if it is visible to this player.
async fn visible(
    app: &App,
    id: &ChallengeId,
    player: Option<&PlayerId>,
) -> Result<ChallengeRow, ApiError> {
    let row = app.store.find_challenge(id).await?;
    let concerns = |row: &ChallengeRow| match &row.offer.to {
        Some(to) => player.is_some_and(|player| player == to || *player == row.challenger.id),
        None => true,
    };
    row.filter(|row| !row.offer.listed && concerns(row))
        .ok_or(ApiError::NotFound("challenge"))
}

/// Returns the player that a challenge names.
async fn asked(app: &App, row: &ChallengeRow) -> Result<Option<Player>, ApiError> {
    match &row.offer.to {
        Some(to) => Ok(app.store.find_player(to).await?),
        None => Ok(None),
    }
}

/// Withdraws the caller's own challenge.
#[utoipa::path(
    delete, path = "/api/v1/challenges/{id}", tag = "challenges", params(("id" = ChallengeId, Path, description = "the challenge's id")),
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
    let row = visible(&app, &id, Some(&me.player.id)).await?;
    if row.challenger.id != me.player.id {
        return Err(ApiError::NotFound("challenge"));
    }
    app.store.cancel_challenge(&id).await.map_err(closed)?;
    tell_gone(&app, &row, ChallengeStatus::Cancelled, None);
    recount(&app, &row);
    Ok(StatusCode::NO_CONTENT)
}

/// Declines a challenge to the caller by name.
#[utoipa::path(
    post, path = "/api/v1/challenges/{id}/decline", tag = "challenges", request_body = Decline,
    params(("id" = ChallengeId, Path, description = "the challenge's id")),
    responses(
        (status = 204),
        (status = 401),
        (status = 404, description = "also for one that does not name the asker"),
        (status = 409, description = "`own-challenge`, `challenge-closed`"),
        (status = 422),
    )
)]
async fn decline(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<ChallengeId>,
    Body(no): Body<Decline>,
) -> Result<StatusCode, ApiError> {
    let row = visible(&app, &id, Some(&me.player.id)).await?;
    if row.challenger.id == me.player.id {
        return Err(ApiError::OwnChallenge);
    }
    if row.offer.to.is_none() {
        // A challenge by link is addressed to nobody, so nobody can decline it.
        return Err(ApiError::NotFound("challenge"));
    }
    app.store
        .decline_challenge(&id, no.reason, unix_ms())
        .await
        .map_err(closed)?;
    tell_gone(&app, &row, ChallengeStatus::Declined, Some(no.reason));
    recount(&app, &row);
    app.rooms.services.notices.announce(id.as_str());
    Ok(StatusCode::NO_CONTENT)
}

/// Tells both players of a named challenge, on all their sockets, that it is no longer open. The player who closed it may have other tabs.
fn tell_gone(
    app: &App,
    row: &ChallengeRow,
    status: ChallengeStatus,
    reason: Option<DeclineReason>,
) {
    let Some(to) = &row.offer.to else { return };
    let gone = encode(&ServerMsg::ChallengeGone {
        challenge: row.offer.id.clone(),
        status,
        reason,
    });
    app.sockets.tell(to, &gone);
    app.sockets.tell(&row.challenger.id, &gone);
}

/// Tells the challenged player the number of unread notices: that of the challenge is gone.
fn recount(app: &App, row: &ChallengeRow) {
    if let Some(to) = &row.offer.to {
        app.rooms.services.notices.recount(to);
    }
}

/// Accepts a challenge and starts the match.
#[utoipa::path(
    post, path = "/api/v1/challenges/{id}/accept", tag = "challenges", request_body = Empty,
    params(("id" = ChallengeId, Path, description = "the challenge's id")),
    responses(
        (status = 200, body = Created),
        (status = 401),
        (status = 403, description = "`account-needed` for a rated match, `match-refused`"),
        (status = 404),
        (status = 409, description = "`own-challenge`, `challenge-closed`, `opponent-busy`, `player-blocked`"),
        (status = 422, description = "`too-many-matches`"),
    )
)]
async fn accept(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<ChallengeId>,
    _: Body<Empty>,
) -> Result<Json<Created>, ApiError> {
    let row = visible(&app, &id, Some(&me.player.id)).await?;
    if row.challenger.id == me.player.id {
        return Err(ApiError::OwnChallenge);
    }
    check_rated(&me.player, row.offer.rated)?;
    check_not_apart(&app, &me.player.id, &row.challenger.id).await?;
    let id = begin(&app, row, me.player).await?;
    Ok(Json(Created { id }))
}

/// Makes the match of a challenge that `accepter` accepts; if several accept at once, the first one gets it. This runs in a task of its
/// own that outlives a dropped request, so that the challenger always learns of a match that was made.
async fn begin(app: &App, row: ChallengeRow, accepter: Player) -> Result<MatchId, ApiError> {
    let seating = {
        let app = App::clone(app);
        async move { seat(&app, row, accepter).await }
    };
    let seated = app.sockets.tasks.spawn(seating).await;
    seated.map_err(|_| ApiError::Internal)?
}

async fn seat(app: &App, row: ChallengeRow, accepter: Player) -> Result<MatchId, ApiError> {
    let terms = arrange::terms_of(&row.offer)?;
    // A player who waits in a pool may be paired at this moment, by this node or another. Storing the match fails if that happened after
    // this read. A player who is not waiting may accept any number of challenges.
    let mut seats = Vec::new();
    if row.offer.time_control.is_realtime() {
        seats = app
            .lobby
            .pairing_states(&[&row.challenger, &accepter])
            .await?;
        if app.lobby.is_just_paired(&seats, &accepter.id).await? {
            return Err(ApiError::BeingSeated);
        }
        seats.retain(|wished| wished.got == Some(None));
    }
    let (challenger, by_a_person) = (row.challenger, !accepter.is_computer());
    // A computer opponent accepts at once, so the request is the challenger's.
    let me = if by_a_person {
        accepter.id.clone()
    } else {
        challenger.id.clone()
    };
    let challenger_id = challenger.id.clone();
    let ExtraTime {
        challenger_ms,
        opponent_ms,
    } = row.offer.extra;
    let (players, extra_ms) = match arrange::side_for(row.offer.side) {
        Side::First => (
            BySide::new(challenger, accepter),
            BySide::new(challenger_ms, opponent_ms),
        ),
        Side::Second => (
            BySide::new(accepter, challenger),
            BySide::new(opponent_ms, challenger_ms),
        ),
    };
    let new = NewMatch {
        extra_ms,
        ..arrange::prepare(app.store.as_ref(), &terms, &players, None).await?
    };
    let accepted = app
        .store
        .accept_and_seat(&row.offer.id, &new, unix_ms(), &seats)
        .await;
    let accepted = match accepted {
        Err(StoreError::Conflict) => return Err(ApiError::ChallengeClosed),
        accepted => accepted.map_err(|error| not_made(error, &me))?,
    };
    if !accepted {
        return Err(ApiError::BeingSeated);
    }
    let by_name = row.offer.to.filter(|_| by_a_person);
    if by_name.is_some() {
        app.rooms.services.notices.announce(new.id.as_str());
    }
    app.rooms.open(&new.id);
    if new.time_control.is_realtime() {
        let ids = [&new.players.first, &new.players.second];
        app.lobby.plays(ids.map(Clone::clone)).await;
    }
    if by_a_person {
        let accepted = ServerMsg::ChallengeAccepted {
            challenge: row.offer.id.clone(),
            match_id: new.id.clone(),
        };
        app.sockets.tell(&challenger_id, &encode(&accepted));
    }
    if let Some(to) = by_name {
        app.rooms.services.notices.recount(&to);
        // The accepter's other tabs must close the challenge too.
        let gone = ServerMsg::ChallengeGone {
            challenge: row.offer.id,
            status: ChallengeStatus::Accepted,
            reason: None,
        };
        app.sockets.tell(&to, &encode(&gone));
    }
    Ok(new.id)
}

fn closed(error: StoreError) -> ApiError {
    match error {
        StoreError::Conflict => ApiError::ChallengeClosed,
        error => error.into(),
    }
}

async fn shown(
    app: &App,
    row: ChallengeRow,
    to: Option<&Player>,
) -> Result<ChallengeView, ApiError> {
    let now = unix_ms();
    let status = status_of(&row, now);
    let offer = row.offer;
    let speed = offer.time_control.speed();
    let rating = app
        .store
        .rating(&row.challenger.id, offer.game, speed)
        .await?;
    Ok(ChallengeView {
        id: offer.id,
        game: offer.game,
        setup: offer.setup,
        side: SideWish::from_side(offer.side),
        time_control: offer.time_control,
        speed,
        extra_minutes: ExtraMinutes {
            challenger: minutes(offer.extra.challenger_ms),
            opponent: minutes(offer.extra.opponent_ms),
        },
        rated: offer.rated,
        options: offer.options,
        private: offer.private,
        challenger: view::player(&row.challenger),
        challenger_rating: rating.map(|row| rating::shown_now(&row.rating, now)),
        to: to.map(view::player),
        status,
        declined: row.declined,
        match_id: row.match_id,
        created_at: view::timestamp(offer.created_ms),
        expires_at: view::timestamp(offer.expires_ms),
    })
}

fn minutes(ms: u64) -> u32 {
    // At most 60, as `extra_ms` checks.
    u32::try_from(ms / 60_000).unwrap_or(u32::MAX)
}
