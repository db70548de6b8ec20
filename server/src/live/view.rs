//! The public view of a match, made from its row and its state.

use mawe_play::rating;
use mawe_play::room::io::Now;
use mawe_play::room::state::RoomState;
use mawe_rules::{BySide, Side};
use mawe_store::{MatchRow, Player};
use mawe_wire::{ClockView, MatchView, PlayerRef, Presence, SeatView, Seats};

use crate::live::audience::Audience;

/// The largest number of events that a returning client is sent. A client further behind gets a snapshot, which is shorter.
const MAX_RESUMED_EVENTS: u64 = 40;

/// Returns the public view of a match.
#[must_use]
pub fn of_match(row: &MatchRow, state: &RoomState, clock: ClockView) -> MatchView {
    let finished = state.result().and_then(|_| state.journal().last());
    let mut view = state.view();
    view.clock = clock;
    MatchView {
        id: row.id.clone(),
        game: row.game,
        setup: row.setup.clone(),
        start: state.record().start().to_string(),
        rated: row.rated,
        time_control: row.time_control,
        speed: row.speed,
        extra_ms: (row.extra_ms != BySide::default()).then_some(Seats {
            first: row.extra_ms.first,
            second: row.extra_ms.second,
        }),
        options: row.options,
        private: row.private,
        seats: seats(row),
        created_at: timestamp(row.created_ms),
        finished_at: finished.map(|entry| timestamp(entry.at_ms)),
        rating_weight: row.rating_weight,
        voided: row.voided_ms.is_some(),
        seq: state.head(),
        plies: state.plies(),
        state: view,
    }
}

/// Whether a client with the last seq `since` gets the events after it, up to `head`, and not a snapshot.
#[must_use]
pub fn resumes(head: u64, since: u64) -> bool {
    since <= head && head - since <= MAX_RESUMED_EVENTS
}

/// Returns the presence of players and spectators, with the length of each player's absence.
#[must_use]
pub fn presence(audience: &Audience, state: &RoomState, now: Now) -> Presence {
    let gone_ms = |side: Side| {
        let since = state.gone_since()[side].filter(|_| !audience.is_here(side))?;
        Some(now.mono.saturating_sub(since))
    };
    Presence {
        first: audience.is_here(Side::First),
        second: audience.is_here(Side::Second),
        spectators: audience.spectators(),
        gone_ms: Seats {
            first: gone_ms(Side::First),
            second: gone_ms(Side::Second),
        },
        claim_after_ms: state.claim_after_ms(),
    }
}

/// Returns the player at each seat, with rating and rating change.
#[must_use]
pub fn seats(row: &MatchRow) -> Seats<SeatView> {
    let seat = |side: Side| SeatView {
        player: player(&row.players[side]),
        rating: row.ratings[side].map(|(value, deviation)| rating::shown(value, deviation)),
        rating_change: row.rating_changes[side].map(rating::rounded),
    };
    let both = BySide::from_fn(seat);
    Seats {
        first: both.first,
        second: both.second,
    }
}

/// Returns the public data of a player.
#[must_use]
pub fn player(player: &Player) -> PlayerRef {
    PlayerRef {
        name: player.name.clone(),
        kind: player.kind,
        level: player.level,
        look: player.look.clone(),
    }
}

/// Converts a stored time for the wire.
#[must_use]
pub fn timestamp(unix_ms: i64) -> jiff::Timestamp {
    jiff::Timestamp::from_millisecond(unix_ms).unwrap_or_default()
}
