//! Creating and cancelling events.

use std::ops::RangeInclusive;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mawe_ai::Level;
use mawe_play::events::{
    BERSERK_BASE_MS, FEWEST_PLAYERS, Format, Input, MOST_FILL_INS, most_players,
};
use mawe_rules::GameKind;
use mawe_store::{ClubRefusal, EventFillIns, EventTerms, NewAudit, NewEvent};
use mawe_wire::clubs::ClubStanding;
use mawe_wire::events::{EventCancelled, EventKind, EventState};
use mawe_wire::ids::{ClubId, EventId};
use mawe_wire::{Code, TimeControl};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::judging::logged;
use super::views::{EventView, fault, seen, shown};
use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract::{Body, From, Path, SignedIn};
use crate::http::lobby::RATINGS;
use crate::http::moderation::attribution;
use crate::http::reports::prose;
use crate::http::terms::{TermsRequest, extra_ms};
use crate::identity::display_names::NameFault;
use crate::lobby::address_groups;
use crate::lobby::events::{CANCELLED_KEPT_MS, LEAD_MS, first_append_of};

/// The length of the name, in characters.
pub(crate) const NAME_CHARS: RangeInclusive<usize> = 3..=60;

/// The longest description, in characters.
pub(crate) const MAX_DESCRIPTION_CHARS: usize = 2_000;

/// The length of a password for joining, in characters.
pub(crate) const PASSWORD_CHARS: RangeInclusive<usize> = 4..=100;

/// The length of an arena, in minutes.
pub(crate) const DURATION_MINUTES: RangeInclusive<u32> = 5..=720;

/// The rounds of a Swiss tournament.
pub(crate) const ROUNDS: RangeInclusive<u32> = Format::ROUNDS;

/// The cycles of a round robin.
pub(crate) const CYCLES: RangeInclusive<u32> = Format::CYCLES;

/// The games of a series.
pub(crate) const GAMES: RangeInclusive<u32> = Format::GAMES;

/// The number of players of an event of any kind.
pub(crate) const PLAYERS: RangeInclusive<u32> = FEWEST_PLAYERS..=most_players(EventKind::Arena);

/// The levels of fill-ins.
pub(crate) const LEVELS: RangeInclusive<u32> = 1..=10;

/// The most rated matches that an event may ask for.
pub(crate) const MAX_MIN_MATCHES: u32 = 1_000;

const MINUTE_MS: i64 = 60 * 1_000;
const DAY_MS: i64 = 24 * 60 * MINUTE_MS;

/// The time from the creation to the start.
const START_AFTER_MS: RangeInclusive<i64> = LEAD_MS..=90 * DAY_MS;

/// The time after which an event that waits for a number of players is cancelled.
const GATHERING_MS: i64 = 7 * DAY_MS;

/// The most events of one account that have not begun.
const MAX_COMING: u32 = 10;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create))
        .routes(routes!(cancel))
}

/// An event to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EventProposal {
    pub(super) kind: EventKind,
    /// The name: one line of 3 to 60 characters.
    name: String,
    /// The description, 2,000 characters at most; may be left out.
    #[serde(default)]
    description: String,
    game: GameKind,
    /// The setup of each match; empty for the standard game.
    #[serde(default)]
    setup: String,
    /// The time control of each match. An arena and a simul need a clock; others may be played by the day.
    time_control: TimeControl,
    /// Whether ratings change.
    #[serde(default)]
    rated: bool,
    /// The time of the beginning: 1 minute to 90 days from now. Either this or `start_players`; an arena needs this.
    pub(super) start_at: Option<jiff::Timestamp>,
    /// The number of players with which it begins; it is cancelled if they have not come within 7 days.
    pub(super) start_players: Option<u32>,
    /// The length of an arena in minutes, 5 to 720.
    duration_minutes: Option<u32>,
    /// The rounds of a Swiss tournament, 3 to 15.
    rounds: Option<u32>,
    /// The cycles of a round robin, 1 or 2; 1 by default.
    cycles: Option<u32>,
    /// The games of a series, 1 to 20.
    games: Option<u32>,
    /// Whether a series ends as soon as a player cannot be caught any more; all games are played otherwise.
    #[serde(default)]
    best_of: bool,
    /// The most players; by default, and at most: 10,000 of an arena, 300 of a Swiss tournament, 16 of a round robin, 128 of a knockout, 41 of a
    /// simul with its host, and 2 of a series.
    max_players: Option<u32>,
    /// Fill-ins, which are computer players; none by default. Only an arena and a Swiss tournament have them.
    fill_ins: Option<EventFillInsWish>,
    /// Whether players of one address at joining are not paired with each other. Only an arena and a Swiss tournament have this.
    #[serde(default)]
    apart_by_address: bool,
    /// Whether players of an arena may halve their clocks before the first move, for one more point if they win. The base time is 20 seconds
    /// at least.
    #[serde(default)]
    berserk: bool,
    /// The time on the clocks of the host of a simul at the start beyond that of the others, in minutes, 0 to 60; both together are 3 hours at
    /// most. None by default.
    host_extra_minutes: Option<u32>,
    /// The conditions for joining; for everybody without one.
    #[serde(default)]
    pub(super) entry: EventEntryWish,
}

/// Computer players for an event to which too few people have come.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct EventFillInsWish {
    /// The number of players up to which they come at the start, at most 8 of them: 2 to `max_players`.
    players: u32,
    /// The level of the first of them, 1 to 10; the others have the next levels.
    level: u32,
}

/// Conditions for joining an event.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EventEntryWish {
    /// The lowest rating at the game and the speed; a player without one counts as 1,500.
    min_rating: Option<i32>,
    /// The greatest rating.
    max_rating: Option<i32>,
    /// Rated matches at the game and the speed that a player must have finished.
    min_matches: Option<u32>,
    /// The handle of a club of which the caller is an officer: for its members only.
    pub(super) club: Option<String>,
    /// A password, 4 to 100 characters.
    pub(super) password: Option<String>,
}

pub(super) fn bad_terms<T>(field: &str, advice: &str) -> Result<T, ApiError> {
    Err(ApiError::field(Code::BadTerms, field, advice))
}

/// Creates an event. Its creator is not a player, but for the host of a simul.
/// An account has 10 coming events at most.
#[utoipa::path(
    post, path = "/api/v1/events", tag = "events", request_body = EventProposal,
    responses(
        (status = 201, body = EventView),
        (status = 401),
        (status = 403, description = "`account-needed`, `no-bots`, `scope-needed`; `officers-only`: an event for a club; `class-only`: by a pupil"),
        (status = 422, description = "`bad-terms`, `bad-setup`, `bad-time-control`, `bad-level`, `bad-range`, `bad-name`, `bad-text`, `unknown-club`, `too-many-events`"),
        (status = 429),
    )
)]
async fn create(
    State(app): State<App>,
    From(address): From,
    me: SignedIn,
    Body(proposal): Body<EventProposal>,
) -> Result<(StatusCode, Json<EventView>), ApiError> {
    me.check_person()?;
    let now = unix_ms();
    let start = checked_start(&proposal, checked_players(&proposal)?, now)?;
    let terms = check(&app, &me, &proposal, start)?;
    let club = club(&app, &me, proposal.entry.club.as_deref()).await?;
    check_class(&app, &me, club.as_ref()).await?;
    app.limits.event(&me.player.id, address)?;
    let password_hash = password_hash(&app, proposal.entry.password).await?;
    let new = NewEvent {
        id: EventId::random(),
        address_key: address_groups::key_of(&terms),
        terms,
        by: me.player.id.clone(),
        club,
        password_hash,
        created_ms: now,
    };
    let (first, refused) = first_append_of(app.store.as_ref(), &new).await?;
    if let Some(refusal) = refused.into_iter().next() {
        return Err(ApiError::Event(refusal));
    }
    let forget = now.saturating_sub(CANCELLED_KEPT_MS);
    let created = app.store.create_event(&new, &first, MAX_COMING, forget);
    if !created.await? {
        let advice = "an account has 10 events at most that have not begun; cancel one first";
        return Err(ApiError::field(Code::TooManyEvents, "", advice));
    }
    let view = view_of(&app, &new.id, &me).await?;
    Ok((StatusCode::CREATED, Json(view)))
}

async fn view_of(app: &App, id: &EventId, me: &SignedIn) -> Result<EventView, ApiError> {
    let snapshot = seen(app, id, Some(me)).await?;
    shown(app, &snapshot, Some(me)).await
}

/// Refuses a pupil of a class that plays among itself, but for an event of the class.
pub(super) async fn check_class(
    app: &App,
    me: &SignedIn,
    club: Option<&ClubId>,
) -> Result<(), ApiError> {
    let candidate = app.store.event_candidate(&me.player.id, club).await?;
    if candidate.is_kept {
        return Err(ApiError::Club(ClubRefusal::ClassOnly));
    }
    Ok(())
}

/// Returns the hash of a password for joining.
pub(super) async fn password_hash(
    app: &App,
    password: Option<String>,
) -> Result<Option<String>, ApiError> {
    Ok(match checked_password(password)? {
        Some(password) => Some(app.passwords.hash(password).await?),
        None => None,
    })
}

/// Checks the terms of an event, but for its start: the time, and the number of players.
pub(super) fn check(
    app: &App,
    me: &SignedIn,
    proposal: &EventProposal,
    (start_ms, start_players): (i64, Option<u32>),
) -> Result<EventTerms, ApiError> {
    let agreed = TermsRequest {
        game: proposal.game,
        setup: &proposal.setup,
        time_control: proposal.time_control,
        rated: proposal.rated,
        options: None,
        private: false,
    };
    let agreed = agreed.check(&me.player)?;
    check_pace(proposal.kind, agreed.time_control)?;
    let name = checked_name(app, &proposal.name)?;
    let description = prose("description", &proposal.description, MAX_DESCRIPTION_CHARS)?;
    let max_players = checked_players(proposal)?;
    let format = checked_format(proposal)?;
    let pairs_freely = matches!(proposal.kind, EventKind::Arena | EventKind::Swiss);
    if proposal.apart_by_address && !pairs_freely {
        let advice = "only an arena and a Swiss tournament choose the pairs; leave it out";
        return bad_terms("apart_by_address", advice);
    }
    check_berserk(proposal)?;
    let (min_rating, max_rating) = checked_ratings(&proposal.entry)?;
    let min_matches = proposal.entry.min_matches.unwrap_or_default();
    if min_matches > MAX_MIN_MATCHES {
        return bad_terms(
            "entry.min_matches",
            "an event asks for 1,000 matches at most",
        );
    }
    Ok(EventTerms {
        kind: proposal.kind,
        name,
        description,
        game: agreed.game,
        setup: agreed.setup.to_string(),
        time_control: agreed.time_control,
        rated: agreed.rated,
        start_ms,
        start_players,
        duration_ms: format.duration_ms,
        rounds: format.rounds,
        cycles: format.cycles,
        games: format.games,
        best_of: proposal.best_of,
        max_players,
        apart_by_address: proposal.apart_by_address,
        berserk: proposal.berserk,
        host_extra_ms: checked_host_extra(proposal)?,
        fill_ins: checked_fill_ins(proposal, max_players)?,
        min_rating,
        max_rating,
        min_matches,
    })
}

fn checked_players(proposal: &EventProposal) -> Result<u32, ApiError> {
    let most = most_players(proposal.kind);
    let max_players = proposal.max_players.unwrap_or(most);
    if !(*PLAYERS.start()..=most).contains(&max_players) {
        let advice = format!("this kind of event has 2 to {most} players");
        return bad_terms("max_players", &advice);
    }
    Ok(max_players)
}

fn check_pace(kind: EventKind, time_control: TimeControl) -> Result<(), ApiError> {
    let needs_clock = matches!(kind, EventKind::Arena | EventKind::Simul);
    let advice = match time_control {
        TimeControl::Realtime { .. } => return Ok(()),
        TimeControl::Correspondence { .. } if !needs_clock => return Ok(()),
        TimeControl::Correspondence { .. } => "an arena and a simul need a clock",
        TimeControl::Unlimited => "an event needs a clock, or days for each turn",
    };
    Err(ApiError::field(
        Code::BadTimeControl,
        "time_control",
        advice,
    ))
}

fn check_berserk(proposal: &EventProposal) -> Result<(), ApiError> {
    let base_ms = match proposal.time_control {
        TimeControl::Realtime { base_ms, .. } => base_ms,
        TimeControl::Correspondence { .. } | TimeControl::Unlimited => 0,
    };
    if proposal.berserk && proposal.kind != EventKind::Arena {
        bad_terms("berserk", "only an arena event has this; leave it out")
    } else if proposal.berserk && base_ms < BERSERK_BASE_MS {
        bad_terms(
            "berserk",
            "a clock that is halved has 20 seconds at least; give more time or leave it out",
        )
    } else {
        Ok(())
    }
}

/// The extra time of the host of a simul, in milliseconds.
fn checked_host_extra(proposal: &EventProposal) -> Result<u64, ApiError> {
    let Some(minutes) = proposal.host_extra_minutes else {
        return Ok(0);
    };
    extra_ms(proposal.time_control, minutes, "host_extra_minutes")
}

fn checked_name(app: &App, name: &str) -> Result<String, ApiError> {
    let name = prose("name", name, *NAME_CHARS.end())?;
    if name.chars().count() < *NAME_CHARS.start() || name.contains(['\n', '\t']) {
        let advice = "a name is one line of 3 to 60 characters";
        return Err(ApiError::field(Code::BadText, "name", advice));
    }
    let fault = |fault: NameFault| ApiError::field(Code::BadName, "name", fault.to_string());
    app.settings.refused_names.check(&name).map_err(fault)?;
    Ok(name)
}

fn checked_start(
    proposal: &EventProposal,
    max_players: u32,
    now_ms: i64,
) -> Result<(i64, Option<u32>), ApiError> {
    match (proposal.start_at, proposal.start_players) {
        (Some(at), None) => {
            let start_ms = at.as_millisecond();
            if !START_AFTER_MS.contains(&start_ms.saturating_sub(now_ms)) {
                let advice =
                    "an event starts in 1 minute at the earliest, and in 90 days at the latest";
                return bad_terms("start_at", advice);
            }
            Ok((start_ms, None))
        }
        (None, Some(_)) if proposal.kind == EventKind::Arena => {
            bad_terms("start_players", "an arena starts at a time")
        }
        (None, Some(players)) => {
            if !(*PLAYERS.start()..=max_players).contains(&players) {
                let advice =
                    "an event begins with 2 players at least, and with max_players at most";
                return bad_terms("start_players", advice);
            }
            Ok((now_ms.saturating_add(GATHERING_MS), Some(players)))
        }
        _ => bad_terms("start_at", "give either start_at or start_players"),
    }
}

/// The number that each kind of event has.
#[derive(Default)]
struct FormatColumns {
    duration_ms: Option<i64>,
    rounds: Option<u32>,
    cycles: Option<u32>,
    games: Option<u32>,
}

fn checked_format(proposal: &EventProposal) -> Result<FormatColumns, ApiError> {
    let kind = proposal.kind;
    for (field, given, of) in [
        (
            "duration_minutes",
            proposal.duration_minutes,
            EventKind::Arena,
        ),
        ("rounds", proposal.rounds, EventKind::Swiss),
        ("cycles", proposal.cycles, EventKind::RoundRobin),
        ("games", proposal.games, EventKind::Series),
        (
            "host_extra_minutes",
            proposal.host_extra_minutes,
            EventKind::Simul,
        ),
    ] {
        if given.is_some() && kind != of {
            return bad_terms(field, &format!("only a {of} event has this; leave it out"));
        }
    }
    if proposal.best_of && kind != EventKind::Series {
        return bad_terms("best_of", "only a series event has this; leave it out");
    }
    let mut format = FormatColumns::default();
    match kind {
        EventKind::Arena => {
            let minutes = proposal.duration_minutes.unwrap_or_default();
            if !DURATION_MINUTES.contains(&minutes) {
                return bad_terms("duration_minutes", "an arena has 5 to 720 minutes");
            }
            format.duration_ms = Some(i64::from(minutes) * MINUTE_MS);
        }
        EventKind::Swiss => {
            let rounds = proposal.rounds.unwrap_or_default();
            if !ROUNDS.contains(&rounds) {
                return bad_terms("rounds", "a Swiss tournament has 3 to 15 rounds");
            }
            format.rounds = Some(rounds);
        }
        EventKind::RoundRobin => {
            let cycles = proposal.cycles.unwrap_or(*CYCLES.start());
            if !CYCLES.contains(&cycles) {
                return bad_terms("cycles", "a round robin has 1 or 2 cycles");
            }
            format.cycles = Some(cycles);
        }
        EventKind::Series => {
            let games = proposal.games.unwrap_or_default();
            if !GAMES.contains(&games) {
                return bad_terms("games", "a series has 1 to 20 games");
            }
            format.games = Some(games);
        }
        EventKind::Knockout | EventKind::Simul => {}
    }
    Ok(format)
}

fn checked_fill_ins(
    proposal: &EventProposal,
    max_players: u32,
) -> Result<Option<EventFillIns>, ApiError> {
    let Some(wish) = proposal.fill_ins else {
        return Ok(None);
    };
    if !matches!(proposal.kind, EventKind::Arena | EventKind::Swiss) {
        let advice = "only an arena and a Swiss tournament have fill-ins; leave them out";
        return bad_terms("fill_ins", advice);
    }
    if !(*PLAYERS.start()..=max_players).contains(&wish.players) {
        let advice = format!(
            "fill-ins come up to 2 players at least, and max_players at most; {MOST_FILL_INS} of them at most"
        );
        return bad_terms("fill_ins.players", &advice);
    }
    let level = u8::try_from(wish.level)
        .ok()
        .filter(|level| Level::try_from(*level).is_ok());
    let Some(level) = level else {
        let advice = "the levels are 1 to 10";
        return Err(ApiError::field(Code::BadLevel, "fill_ins.level", advice));
    };
    Ok(Some(EventFillIns {
        players: wish.players,
        level,
    }))
}

fn checked_ratings(entry: &EventEntryWish) -> Result<(Option<i32>, Option<i32>), ApiError> {
    let bounds = [
        ("entry.min_rating", entry.min_rating),
        ("entry.max_rating", entry.max_rating),
    ];
    for (field, rating) in bounds {
        if rating.is_some_and(|rating| !RATINGS.contains(&rating)) {
            let advice = "a rating is 0 to 4000";
            return Err(ApiError::field(Code::BadRange, field, advice));
        }
    }
    if let (Some(min), Some(max)) = (entry.min_rating, entry.max_rating)
        && min > max
    {
        let advice = "the lowest rating is above the greatest";
        return Err(ApiError::field(Code::BadRange, "entry.min_rating", advice));
    }
    Ok((entry.min_rating, entry.max_rating))
}

fn checked_password(password: Option<String>) -> Result<Option<String>, ApiError> {
    let Some(password) = password else {
        return Ok(None);
    };
    if !PASSWORD_CHARS.contains(&password.chars().count()) {
        return bad_terms("entry.password", "a password has 4 to 100 characters");
    }
    Ok(Some(password))
}

/// Finds the club whose members may join; the caller must be an officer.
pub(super) async fn club(
    app: &App,
    me: &SignedIn,
    handle: Option<&str>,
) -> Result<Option<ClubId>, ApiError> {
    let Some(handle) = handle else {
        return Ok(None);
    };
    let found = app.store.find_club(handle).await?;
    let advice = "there is no club with this handle";
    let club = found.ok_or_else(|| ApiError::field(Code::UnknownClub, "entry.club", advice))?;
    let standing = app.store.club_standing(&club.id, &me.player.id).await?;
    if standing != ClubStanding::Officer {
        return Err(ApiError::Club(ClubRefusal::OfficersOnly));
    }
    Ok(Some(club.id))
}

/// Cancels an event that has not ended: its creator before it has begun, a moderator at any time. Matches that have begun go on.
#[utoipa::path(
    delete, path = "/api/v1/events/{id}", tag = "events", params(("id" = EventId, Path, description = "the id of the event")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`scope-needed`; `moderators-only`: by anybody else, or after the beginning"),
        (status = 404),
        (status = 409, description = "`event-over`"),
        (status = 429),
    )
)]
async fn cancel(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<EventId>,
) -> Result<StatusCode, ApiError> {
    let snapshot = seen(&app, &id, Some(&me)).await?;
    let is_creator = snapshot.row.by.id == me.player.id;
    let reason = if is_creator && snapshot.row.columns.state == EventState::Coming {
        EventCancelled::ByCreator
    } else if me.moderates() {
        EventCancelled::ByModerator
    } else {
        return Err(ApiError::ModeratorsOnly);
    };
    app.limits.event_change(&me.player.id)?;
    let input = Input::Cancel(reason);
    let cancelled = if reason == EventCancelled::ByModerator {
        let audit = NewAudit {
            attribution: attribution(&me, String::new()),
            action: "cancel-event",
            about: Some(snapshot.row.by.id.clone()),
            match_id: None,
            detail: logged(&snapshot.row),
        };
        app.lobby.moderate_event(&id, &input, audit).await
    } else {
        app.lobby.change_event(&id, unix_ms(), &input).await
    };
    cancelled.map_err(fault)?;
    Ok(StatusCode::NO_CONTENT)
}
