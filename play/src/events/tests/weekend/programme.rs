//! The events of the weekend: their terms, and the wanted number of players.

use fastrand::Rng;
use mawe_wire::TimeControl;

use super::super::run::{BLITZ, START};
use crate::events::{Format, Start, Terms};

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

/// The opening on Friday evening.
pub(super) const OPENS: i64 = START;

/// The latest time of a start, on Sunday evening.
const LAST_START: i64 = OPENS + 46 * HOUR;

/// The time on Sunday night from which no player acts any more, and no node crashes.
pub(super) const CLOSES: i64 = OPENS + 52 * HOUR;

/// The time before the start from which players join.
pub(super) const JOINING: i64 = 2 * HOUR;

/// An event of the programme.
pub(super) struct Planned {
    pub(super) terms: Terms,
    /// The wanted number of players.
    pub(super) wanted: u32,
    /// The time at which all players withdraw.
    pub(super) deserted_ms: Option<i64>,
    /// The number of addresses behind which the players are, where those of one address are kept apart.
    pub(super) addresses: Option<u32>,
}

/// Draws the programme: two or more events of each kind. Some arenas and Swiss have fill-ins, some keep players of one address apart.
pub(super) fn draw(rng: &mut Rng) -> Vec<Planned> {
    let mut events = Vec::new();
    for _ in 0..2 {
        let formats = [
            Format::Arena {
                duration_ms: rng.i64(5..50) * MINUTE,
                berserk: rng.bool(),
            },
            Format::Swiss {
                rounds: rng.u32(Format::ROUNDS),
            },
            Format::Swiss { rounds: 3 },
            Format::RoundRobin {
                cycles: rng.u32(Format::CYCLES),
            },
            Format::Knockout,
            Format::Simul,
            Format::Series {
                games: rng.u32(Format::GAMES),
                best_of: rng.bool(),
            },
        ];
        events.extend(formats.map(|format| planned(rng, format, BLITZ)));
    }
    let by_correspondence = TimeControl::Correspondence { days: 1 };
    events.push(planned(
        rng,
        Format::RoundRobin { cycles: 1 },
        by_correspondence,
    ));
    let berserk = rng.bool();
    let duration_ms = rng.i64(20..50) * MINUTE;
    let rounds = rng.u32(4..8);
    for format in [
        Format::Arena {
            duration_ms,
            berserk,
        },
        Format::Swiss { rounds },
    ] {
        let planned = planned(rng, format, BLITZ);
        events.push(with_few_people(rng, planned));
    }
    events
}

/// Makes an event one to which few people come, so that many of its players are fill-ins.
fn with_few_people(rng: &mut Rng, mut planned: Planned) -> Planned {
    let at_ms = planned.start_ms();
    planned.terms.start = Start::At { at_ms };
    planned.terms.max_players = rng.u32(6..24);
    planned.terms.fill_to = Some(rng.u32(6..=planned.terms.max_players));
    assert_eq!(planned.terms.check(), Ok(()));
    planned.wanted = rng.u32(1..6);
    planned.deserted_ms = None;
    planned
}

fn planned(rng: &mut Rng, format: Format, time_control: TimeControl) -> Planned {
    let max_players = format.most_players().min(rng.u32(4..40));
    let at_ms = rng.i64(OPENS..LAST_START);
    let start = if matches!(format, Format::Arena { .. }) || rng.u32(..3) > 0 {
        Start::At { at_ms }
    } else {
        Start::Full {
            players: rng.u32(2..=max_players.min(12)),
            until_ms: at_ms,
        }
    };
    let is_open = matches!(format, Format::Arena { .. } | Format::Swiss { .. });
    let terms = Terms {
        format,
        time_control,
        start,
        max_players,
        fill_to: (is_open && rng.bool()).then(|| draw_fill_to(rng, format, max_players)),
    };
    assert_eq!(terms.check(), Ok(()));
    let wanted = match rng.u32(..10) {
        0 => 0,
        1 => 1,
        2 => 2,
        _ if terms.fill_to.is_some() && rng.u32(..4) > 0 => rng.u32(3..9),
        _ => rng.u32(3..=max_players + 4),
    };
    let deserted_ms = (rng.u32(..6) == 0).then(|| at_ms + rng.i64(-10..40) * MINUTE);
    Planned {
        terms,
        wanted,
        deserted_ms,
        addresses: (is_open && rng.bool()).then(|| rng.u32(2..12)),
    }
}

/// The number of players up to which fill-ins come. With two they do nothing but make the number of a Swiss even.
fn draw_fill_to(rng: &mut Rng, format: Format, max_players: u32) -> u32 {
    if matches!(format, Format::Swiss { .. }) && rng.bool() {
        2
    } else {
        rng.u32(4..=max_players.min(16))
    }
}

impl Planned {
    /// The time at which the event begins at the latest.
    pub(super) fn start_ms(&self) -> i64 {
        match self.terms.start {
            Start::At { at_ms } => at_ms,
            Start::Full { until_ms, .. } => until_ms,
        }
    }
}
