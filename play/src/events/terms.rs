//! The terms of an event, which never change.

use mawe_wire::TimeControl;
use mawe_wire::events::EventKind;
use serde::{Deserialize, Serialize};

/// The terms of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The kind, with its numbers.
    pub format: Format,
    /// The time control of the games.
    pub time_control: TimeControl,
    /// The condition of the start.
    pub start: Start,
    /// The greatest number of players at a time.
    pub max_players: u32,
    /// The number of players up to which computer players fill an arena or a Swiss; none come without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill_to: Option<u32>,
}

/// A kind of event, with its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Format {
    /// A fixed length of time.
    Arena {
        /// The length, in milliseconds.
        duration_ms: i64,
        /// Whether players may halve their clocks for one more point.
        berserk: bool,
    },
    /// A number of rounds by the Dutch system.
    Swiss {
        /// The number of rounds.
        rounds: u32,
    },
    /// Everybody plays everybody else.
    RoundRobin {
        /// The number of games of each pair.
        cycles: u32,
    },
    /// Mini-matches; the loser is eliminated.
    Knockout,
    /// Seat 0, the host, plays all others at the same time.
    Simul,
    /// Two players meet in a number of games with one score.
    Series {
        /// The number of games at most.
        games: u32,
        /// Whether it ends as soon as a player cannot be caught any more; all games are played otherwise.
        best_of: bool,
    },
}

/// The condition of the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Start {
    /// A time, in milliseconds since the Unix epoch.
    At {
        /// The time.
        at_ms: i64,
    },
    /// A number of players.
    Full {
        /// The number.
        players: u32,
        /// The time at which the event is cancelled if they have not come, in milliseconds since the Unix epoch.
        until_ms: i64,
    },
}

/// A fault of the terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadTerms {
    /// The length of an arena is outside [`Format::DURATION_MS`].
    #[error("an arena lasts from 5 minutes to 12 hours")]
    Duration,
    /// The number of rounds is outside [`Format::ROUNDS`].
    #[error("a Swiss has from 3 to 15 rounds")]
    Rounds,
    /// The number of cycles is outside [`Format::CYCLES`].
    #[error("a round robin has one or two cycles")]
    Cycles,
    /// The number of games of a series is outside [`Format::GAMES`].
    #[error("a series has from 1 to 20 games")]
    Games,
    /// The number of players is outside the limits of the kind.
    #[error("the number of players is outside the limits of this kind of event")]
    Players,
    /// The time control does not fit the kind.
    #[error("this kind of event is not played with this time control")]
    TimeControl,
    /// Berserk needs clocks that can be halved.
    #[error("berserk needs a base time of at least 20 seconds")]
    Berserk,
    /// An arena begins at a time.
    #[error("an arena begins at a time")]
    Start,
    /// The kind has no fill-ins, or their number is outside the limits.
    #[error("computer players fill an arena or a Swiss, up to its greatest number of players")]
    FillIns,
}

/// The shortest base time whose half is a permitted one.
pub const BERSERK_BASE_MS: u64 = 2 * *TimeControl::BASE_MS.start();

impl Format {
    /// The length of an arena, in milliseconds.
    pub const DURATION_MS: std::ops::RangeInclusive<i64> = 5 * 60_000..=12 * 60 * 60_000;

    /// The number of rounds of a Swiss.
    pub const ROUNDS: std::ops::RangeInclusive<u32> = 3..=15;

    /// The number of cycles of a round robin.
    pub const CYCLES: std::ops::RangeInclusive<u32> = 1..=2;

    /// The number of games of a series.
    pub const GAMES: std::ops::RangeInclusive<u32> = 1..=20;

    /// The kind.
    #[must_use]
    pub const fn kind(self) -> EventKind {
        match self {
            Format::Arena { .. } => EventKind::Arena,
            Format::Swiss { .. } => EventKind::Swiss,
            Format::RoundRobin { .. } => EventKind::RoundRobin,
            Format::Knockout => EventKind::Knockout,
            Format::Simul => EventKind::Simul,
            Format::Series { .. } => EventKind::Series,
        }
    }

    /// The greatest number of players.
    #[must_use]
    pub const fn most_players(self) -> u32 {
        most_players(self.kind())
    }
}

/// The greatest number of players that an event of a kind may admit: two in a series; for the others, each is the greatest for which the
/// pairing of a round is fast.
#[must_use]
pub const fn most_players(kind: EventKind) -> u32 {
    match kind {
        EventKind::Arena => 10_000,
        EventKind::Swiss => 300,
        EventKind::RoundRobin => 16,
        EventKind::Knockout => 128,
        EventKind::Simul => 41,
        EventKind::Series => 2,
    }
}

impl Terms {
    /// Checks the numbers.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self) -> Result<(), BadTerms> {
        match self.format {
            Format::Arena {
                duration_ms,
                berserk,
            } => self.check_arena(duration_ms, berserk)?,
            Format::Swiss { rounds } if !Format::ROUNDS.contains(&rounds) => {
                return Err(BadTerms::Rounds);
            }
            Format::RoundRobin { cycles } if !Format::CYCLES.contains(&cycles) => {
                return Err(BadTerms::Cycles);
            }
            Format::Series { games, .. } if !Format::GAMES.contains(&games) => {
                return Err(BadTerms::Games);
            }
            Format::Swiss { .. }
            | Format::RoundRobin { .. }
            | Format::Knockout
            | Format::Simul
            | Format::Series { .. } => {}
        }
        let may_fill = matches!(self.format, Format::Arena { .. } | Format::Swiss { .. });
        let fills = |to| may_fill && (2..=self.max_players).contains(&to);
        if !self.fill_to.is_none_or(fills) {
            return Err(BadTerms::FillIns);
        }
        let players = 2..=self.format.most_players();
        let wanted = match self.start {
            Start::At { .. } => 2,
            Start::Full { players, .. } => players,
        };
        if players.contains(&self.max_players) && (2..=self.max_players).contains(&wanted) {
            Ok(())
        } else {
            Err(BadTerms::Players)
        }
    }

    fn check_arena(&self, duration_ms: i64, berserk: bool) -> Result<(), BadTerms> {
        let TimeControl::Realtime { base_ms, .. } = self.time_control else {
            return Err(BadTerms::TimeControl);
        };
        if !Format::DURATION_MS.contains(&duration_ms) {
            Err(BadTerms::Duration)
        } else if berserk && base_ms < BERSERK_BASE_MS {
            Err(BadTerms::Berserk)
        } else if matches!(self.start, Start::Full { .. }) {
            Err(BadTerms::Start)
        } else {
            Ok(())
        }
    }
}
