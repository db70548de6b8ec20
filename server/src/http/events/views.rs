//! Views of events, and who sees them.

use std::sync::Arc;

use mawe_rules::GameKind;
use mawe_store::{EventFillIns, EventGameKey, EventRow};
use mawe_wire::clubs::ClubRef;
use mawe_wire::events::{EventCancelled, EventGameState, EventKind, EventPlayerState, EventState};
use mawe_wire::ids::{EventId, MatchId, PlayerId};
use mawe_wire::{PlayerRef, Speed, TimeControl};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::extract::SignedIn;
use crate::live::view;
use crate::lobby::event_standings::featured;
use crate::lobby::event_states::{Snapshot, may_see};
use crate::lobby::events::EventFault;

/// The conditions for joining an event.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EventEntryView {
    /// The lowest rating at joining.
    #[schema(required = true)]
    pub(super) min_rating: Option<i32>,
    /// The greatest rating at joining.
    #[schema(required = true)]
    pub(super) max_rating: Option<i32>,
    /// Rated matches at the game and the speed that a player must have finished.
    pub(super) min_matches: u32,
    /// The club of the entrants; null for everybody, and after it was closed.
    #[schema(required = true)]
    pub(super) club: Option<ClubRef>,
    /// Whether joining needs a password.
    pub(super) password: bool,
}

/// Fill-ins: computer players at the start.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EventFillInsView {
    /// The number of players up to which they come at the start.
    players: u32,
    /// The level of the first of them.
    level: u8,
}

impl From<EventFillIns> for EventFillInsView {
    fn from(EventFillIns { players, level }: EventFillIns) -> EventFillInsView {
        EventFillInsView { players, level }
    }
}

/// An event in a list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EventSummary {
    id: EventId,
    kind: EventKind,
    state: EventState,
    name: String,
    game: GameKind,
    /// The setup of each match, as text.
    setup: String,
    time_control: TimeControl,
    speed: Speed,
    rated: bool,
    /// The time of the beginning; null where a number of players begins it.
    #[schema(required = true)]
    start_at: Option<jiff::Timestamp>,
    /// The number of players that begins it.
    #[schema(required = true)]
    start_players: Option<u32>,
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
    /// The number of players, without withdrawn ones.
    players: u32,
    /// The last round that was paired; 0 before.
    round: u32,
    entry: EventEntryView,
    created_by: PlayerRef,
    created_at: jiff::Timestamp,
    /// The time of the end; null before.
    #[schema(required = true)]
    finished_at: Option<jiff::Timestamp>,
}

/// An event.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EventView {
    #[serde(flatten)]
    summary: EventSummary,
    /// The description, as plain text.
    description: String,
    /// The number of the last entry of the journal: it grows with each change.
    seq: u64,
    /// The time of the beginning; null before.
    #[schema(required = true)]
    began_at: Option<jiff::Timestamp>,
    /// The reason for which it was cancelled; null for every other one.
    #[schema(required = true)]
    cancelled: Option<EventCancelled>,
    /// The caller as a player; null for everybody else.
    #[schema(required = true)]
    me: Option<EventMe>,
    /// A running match of a leader.
    #[schema(required = true)]
    featured: Option<MatchId>,
    /// Whether the caller may cancel the event now.
    may_cancel: bool,
}

/// The caller as a player of an event.
#[derive(Debug, Serialize, ToSchema)]
struct EventMe {
    state: EventPlayerState,
    /// The place in the standings.
    place: u32,
    /// The caller's running match; null between two.
    #[serde(rename = "match")]
    #[schema(required = true)]
    match_id: Option<MatchId>,
}

impl EventSummary {
    pub(super) fn of(row: &EventRow) -> EventSummary {
        let terms = &row.terms;
        EventSummary {
            id: row.id.clone(),
            kind: terms.kind,
            state: row.columns.state,
            name: terms.name.clone(),
            game: terms.game,
            setup: terms.setup.clone(),
            time_control: terms.time_control,
            speed: terms.time_control.speed(),
            rated: terms.rated,
            start_at: match terms.start_players {
                None => Some(view::timestamp(terms.start_ms)),
                Some(_) => None,
            },
            start_players: terms.start_players,
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
            players: row.columns.players,
            round: row.columns.round,
            entry: EventEntryView {
                min_rating: terms.min_rating,
                max_rating: terms.max_rating,
                min_matches: terms.min_matches,
                club: row.club.as_ref().map(|club| club.reference.clone()),
                password: row.password_hash.is_some(),
            },
            created_by: view::player(&row.by),
            created_at: view::timestamp(row.created_ms),
            finished_at: row.columns.finished_ms.map(view::timestamp),
        }
    }
}

/// Finds an event that the reader sees.
///
/// # Errors
/// [`ApiError::NotFound`], also for one that the reader does not see.
pub(crate) async fn seen(
    app: &App,
    id: &EventId,
    reader: Option<&SignedIn>,
) -> Result<Arc<Snapshot>, ApiError> {
    let snapshot = app.lobby.events.read(app.store.as_ref(), id).await?;
    let snapshot = snapshot.ok_or(ApiError::NotFound("event"))?;
    let me = reader.map(|reader| &reader.player.id);
    let is_inside = reader.is_some_and(SignedIn::moderates)
        || may_see(app.store.as_ref(), &snapshot, me).await?;
    is_inside
        .then_some(snapshot)
        .ok_or(ApiError::NotFound("event"))
}

/// Returns the view of an event for a reader who sees it.
pub(super) async fn shown(
    app: &App,
    snapshot: &Snapshot,
    reader: Option<&SignedIn>,
) -> Result<EventView, ApiError> {
    let me = reader.map(|reader| &reader.player.id);
    let state = snapshot.row.columns.state;
    let is_creator = me == Some(&snapshot.row.by.id);
    let moderates = reader.is_some_and(SignedIn::moderates);
    Ok(EventView {
        summary: EventSummary::of(&snapshot.row),
        description: snapshot.row.terms.description.clone(),
        seq: snapshot.row.head,
        began_at: snapshot.event.began_ms().map(view::timestamp),
        cancelled: snapshot.event.cancelled(),
        me: match me {
            Some(me) => own_part(app, snapshot, me).await?,
            None => None,
        },
        featured: featured(app.store.as_ref(), snapshot).await?,
        may_cancel: match state {
            EventState::Coming => is_creator || moderates,
            EventState::Running => moderates,
            EventState::Finished | EventState::Cancelled => false,
        },
    })
}

async fn own_part(
    app: &App,
    snapshot: &Snapshot,
    me: &PlayerId,
) -> Result<Option<EventMe>, ApiError> {
    let event = &snapshot.event;
    let Some(seat) = event.seat_of(me) else {
        return Ok(None);
    };
    let standings = snapshot.standings();
    let own = standings.iter().find(|standing| standing.seat == seat);
    let match_id = match event.pending_game_of(seat) {
        Some(game) => match_of(app, snapshot, game.number).await?,
        None => None,
    };
    Ok(Some(EventMe {
        state: event
            .player_state(seat)
            .unwrap_or(EventPlayerState::Withdrawn),
        place: own.map_or(0, |own| own.place),
        match_id,
    }))
}

/// Returns the match of a game that runs.
async fn match_of(
    app: &App,
    snapshot: &Snapshot,
    number: u32,
) -> Result<Option<MatchId>, ApiError> {
    let key = EventGameKey {
        event: snapshot.row.id.clone(),
        number,
    };
    let game = app.store.event_game(&key).await?;
    let game = game.filter(|game| game.state == EventGameState::Playing);
    Ok(game.and_then(|game| game.match_id))
}

/// Returns the error for a change that an event has refused.
pub(super) fn fault(fault: EventFault) -> ApiError {
    match fault {
        EventFault::NotFound => ApiError::NotFound("event"),
        EventFault::Refused(refusal) => ApiError::Event(refusal),
        EventFault::Crowded => ApiError::EventBusy,
        EventFault::Store(error) => error.into(),
    }
}
