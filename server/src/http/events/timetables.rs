//! Timetables of events: officers of clubs make them for their members, operators for everybody.
//!
//! `docs/decisions/0033-events.md` says why operators do this over the network.

use std::ops::RangeInclusive;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mawe_rules::GameKind;
use mawe_store::{
    EVENT_TIMETABLE_LIMITS, EventRecurrence, EventTimetableCreated, EventTimetableReader,
    EventTimetableRow, NewEventTimetable,
};
use mawe_wire::clubs::ClubStanding;
use mawe_wire::events::{EventInterval, EventKind, Weekday};
use mawe_wire::ids::EventTimetableId;
use mawe_wire::{Code, PlayerRef, Speed, TimeControl};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::creation::{EventProposal, bad_terms, check, check_class, club, password_hash};
use super::views::{EventEntryView, EventFillInsView};
use crate::app::App;
use crate::clock::unix_ms;
use crate::http::error::ApiError;
use crate::http::extract::{Body, From, Path, Query, SignedIn, may_invite};
use crate::http::paging::{ListQuery, cut, page_size, part};
use crate::live::view;
use crate::lobby::events::LEAD_MS;
use crate::lobby::events::timetable::{BadTimetable, Timetable, minute_of, time_of, zone_name};

pub(crate) use crate::lobby::events::timetable::ZONE_CHARS;

/// The length of a local time, in characters.
pub(crate) const AT_CHARS: RangeInclusive<usize> = 5..=5;

/// The days of the week of a timetable.
pub(crate) const WEEKDAYS: RangeInclusive<usize> = 0..=7;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(stop))
}

/// A timetable to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct EventTimetableProposal {
    every: EventInterval,
    /// The days of the week of a weekly timetable, each once; left out for a daily one.
    #[serde(default)]
    weekdays: Vec<Weekday>,
    /// The local time, such as `18:30`.
    at: String,
    /// The time zone, by its name in the database of IANA, such as `Europe/Warsaw`.
    zone: String,
    /// The terms of its events, without `start_at` and `start_players`.
    event: EventProposal,
}

/// A timetable.
#[derive(Debug, Serialize, ToSchema)]
struct EventTimetableView {
    id: EventTimetableId,
    every: EventInterval,
    /// The days of the week; empty for each day.
    weekdays: Vec<Weekday>,
    /// The local time, such as `18:30`.
    at: String,
    /// The name of the time zone.
    zone: String,
    /// The start of the next event.
    next_at: jiff::Timestamp,
    event: TimetableEvent,
    created_by: PlayerRef,
    created_at: jiff::Timestamp,
}

/// The terms of the events of a timetable.
#[derive(Debug, Serialize, ToSchema)]
struct TimetableEvent {
    kind: EventKind,
    name: String,
    /// The description, as plain text.
    description: String,
    game: GameKind,
    /// The setup of each match, as text.
    setup: String,
    time_control: TimeControl,
    speed: Speed,
    rated: bool,
    /// The length of an arena.
    #[schema(required = true)]
    duration_minutes: Option<i64>,
    /// The rounds of a Swiss tournament.
    #[schema(required = true)]
    rounds: Option<u32>,
    /// The cycles of a round robin.
    #[schema(required = true)]
    cycles: Option<u32>,
    /// The games of a series, at most.
    #[schema(required = true)]
    games: Option<u32>,
    /// Whether a series ends as soon as a player cannot be caught any more.
    best_of: bool,
    max_players: u32,
    /// Whether players of one address at joining are not paired with each other.
    apart_by_address: bool,
    /// Whether players of an arena may halve their clocks for one more point.
    berserk: bool,
    /// The time on the clocks of a simul's host beyond that of the others, in minutes.
    host_extra_minutes: u64,
    /// Fill-ins, which are computer players, where too few people have come; null for none.
    #[schema(required = true)]
    fill_ins: Option<EventFillInsView>,
    entry: EventEntryView,
}

/// A page of timetables.
#[derive(Debug, Serialize, ToSchema)]
struct EventTimetablePage {
    items: Vec<EventTimetableView>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(required = true)]
    next: Option<String>,
}

impl EventTimetableView {
    fn of(row: EventTimetableRow, now_ms: i64) -> EventTimetableView {
        let next_ms = if row.last_ms > now_ms && row.last_ms != row.created_ms {
            Some(row.last_ms)
        } else {
            let timetable = Timetable::new(&row.recurrence).ok();
            timetable.and_then(|timetable| timetable.next_after(now_ms.saturating_add(LEAD_MS)))
        };
        let terms = row.terms;
        EventTimetableView {
            id: row.id,
            every: row.recurrence.every,
            weekdays: row.recurrence.weekdays,
            at: time_of(row.recurrence.at_minute),
            zone: row.recurrence.zone,
            next_at: view::timestamp(next_ms.unwrap_or(row.last_ms)),
            event: TimetableEvent {
                kind: terms.kind,
                name: terms.name,
                description: terms.description,
                game: terms.game,
                setup: terms.setup,
                time_control: terms.time_control,
                speed: terms.time_control.speed(),
                rated: terms.rated,
                duration_minutes: terms.duration_ms.map(|ms| ms / 60_000),
                rounds: terms.rounds,
                cycles: terms.cycles,
                games: terms.games,
                best_of: terms.best_of,
                max_players: terms.max_players,
                apart_by_address: terms.apart_by_address,
                berserk: terms.berserk,
                host_extra_minutes: terms.host_extra_ms / 60_000,
                fill_ins: terms.fill_ins.map(EventFillInsView::from),
                entry: EventEntryView {
                    min_rating: terms.min_rating,
                    max_rating: terms.max_rating,
                    min_matches: terms.min_matches,
                    club: row.club.map(|(_, reference)| reference),
                    password: row.password_hash.is_some(),
                },
            },
            created_by: view::player(&row.by),
            created_at: view::timestamp(row.created_ms),
        }
    }
}

/// Returns the times of a timetable, with the name of the zone as the database writes it.
fn checked_times(proposal: &EventTimetableProposal) -> Result<EventRecurrence, ApiError> {
    let times = || {
        let of = EventRecurrence {
            every: proposal.every,
            weekdays: proposal.weekdays.clone(),
            at_minute: minute_of(&proposal.at)?,
            zone: zone_name(&proposal.zone).ok_or(BadTimetable::Zone)?,
        };
        Timetable::new(&of).map(|_| of)
    };
    times().or_else(|fault: BadTimetable| {
        let field = match fault {
            BadTimetable::At => "at",
            BadTimetable::Zone => "zone",
            BadTimetable::Weekdays => "weekdays",
        };
        bad_terms(field, &fault.to_string())
    })
}

/// Names the field of a proposal by its path in a timetable.
fn inside(error: ApiError) -> ApiError {
    match error {
        ApiError::Unprocessable {
            code,
            field,
            detail,
        } => ApiError::Unprocessable {
            code,
            field: format!("event.{field}"),
            detail,
        },
        other => other,
    }
}

/// Creates a timetable of events. Each event is made when the one before it begins, the first one at once; occurrences at which no server runs are
/// left out. It ends with the club; it makes no event while its creator is no officer of the club, or for everybody no operator.
#[utoipa::path(
    post, path = "/api/v1/event-timetables", tag = "events", request_body = EventTimetableProposal,
    responses(
        (status = 201, body = EventTimetableView),
        (status = 401),
        (status = 403, description = "`account-needed`, `no-bots`, `session-needed`; `officers-only`: for the members of a club; `operators-only`, `log-in-again`: for everybody; `class-only`: by a pupil"),
        (status = 422, description = "`bad-terms`, `bad-setup`, `bad-time-control`, `bad-range`, `bad-name`, `bad-text`, `unknown-club`, `too-many-events`; `too-many-timetables`: 5 of a club, 20 for everybody, 1,000 of the server"),
        (status = 429),
    )
)]
async fn create(
    State(app): State<App>,
    From(address): From,
    me: SignedIn,
    Body(proposal): Body<EventTimetableProposal>,
) -> Result<(StatusCode, Json<EventTimetableView>), ApiError> {
    me.check_person()?;
    if proposal.event.entry.club.is_none() {
        me.check_operator()?;
    }
    let now = unix_ms();
    let recurrence = checked_times(&proposal)?;
    let event = proposal.event;
    if event.start_at.is_some() || event.start_players.is_some() {
        let advice =
            "a timetable has the start of its events; leave out start_at and start_players";
        return bad_terms("event.start_at", advice);
    }
    let terms = check(&app, &me, &event, (0, None)).map_err(inside)?;
    let club = club(&app, &me, event.entry.club.as_deref())
        .await
        .map_err(inside)?;
    check_class(&app, &me, club.as_ref()).await?;
    app.limits.event(&me.player.id, address)?;
    let new = NewEventTimetable {
        id: EventTimetableId::random(),
        recurrence,
        terms,
        by: me.player.id.clone(),
        club,
        password_hash: password_hash(&app, event.entry.password)
            .await
            .map_err(inside)?,
        created_ms: now,
    };
    let created = app
        .store
        .create_event_timetable(&new, &EVENT_TIMETABLE_LIMITS);
    let (code, advice) = match created.await? {
        EventTimetableCreated::Created => {
            let row = app.store.event_timetable(&new.id).await?;
            let row = row.ok_or(ApiError::NotFound("timetable"))?;
            return Ok((StatusCode::CREATED, Json(EventTimetableView::of(row, now))));
        }
        EventTimetableCreated::TooMany => (
            Code::TooManyTimetables,
            "a club has 5 timetables at most; stop one first",
        ),
        EventTimetableCreated::TooManyEvents => (
            Code::TooManyEvents,
            "an account has 10 events at most that have not begun; cancel one first",
        ),
    };
    Err(ApiError::field(code, "", advice))
}

/// Lists the timetables that the caller may stop: those of clubs of which the caller is an officer; those for everybody, as an operator; all, as a
/// moderator.
#[utoipa::path(
    get, path = "/api/v1/event-timetables", tag = "events", params(ListQuery),
    responses(
        (status = 200, body = EventTimetablePage),
        (status = 401),
        (status = 403, description = "`session-needed`"),
        (status = 422),
    )
)]
async fn list(
    State(app): State<App>,
    me: SignedIn,
    Query(query): Query<ListQuery>,
) -> Result<Json<EventTimetablePage>, ApiError> {
    let limit = page_size(query.limit)?;
    let after: Option<EventTimetableId> = part(query.cursor.as_deref())?;
    let reader = if me.moderates() {
        EventTimetableReader::All
    } else {
        EventTimetableReader::Account {
            player: me.player.id.clone(),
            site: may_invite(me.grants),
        }
    };
    let store = app.store.as_ref();
    let mut rows = store
        .event_timetables(&reader, after.as_ref(), limit + 1)
        .await?;
    let next = cut(&mut rows, limit, |row| row.id.to_string());
    let now = unix_ms();
    let items = rows.into_iter().map(|row| EventTimetableView::of(row, now));
    Ok(Json(EventTimetablePage {
        items: items.collect(),
        next,
    }))
}

/// Stops a timetable that the caller sees in the list. Its events stay.
#[utoipa::path(
    delete, path = "/api/v1/event-timetables/{id}", tag = "events",
    params(("id" = EventTimetableId, Path, description = "the id of the timetable")),
    responses(
        (status = 204),
        (status = 401),
        (status = 403, description = "`session-needed`; `log-in-again`: for everybody"),
        (status = 404, description = "also for one that the caller may not stop"),
        (status = 429),
    )
)]
async fn stop(
    State(app): State<App>,
    me: SignedIn,
    Path(id): Path<EventTimetableId>,
) -> Result<StatusCode, ApiError> {
    let missing = || ApiError::NotFound("timetable");
    app.limits.event_change(&me.player.id)?;
    let row = app.store.event_timetable(&id).await?.ok_or_else(missing)?;
    if !me.moderates() {
        match &row.club {
            Some((club, _)) => {
                let standing = app.store.club_standing(club, &me.player.id).await?;
                if standing != ClubStanding::Officer {
                    return Err(missing());
                }
            }
            None if may_invite(me.grants) => me.check_operator()?,
            None => return Err(missing()),
        }
    }
    let deleted = app.store.delete_event_timetable(&id).await?;
    deleted
        .then_some(StatusCode::NO_CONTENT)
        .ok_or_else(missing)
}
