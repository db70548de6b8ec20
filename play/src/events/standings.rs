//! Standings: places, points and tie-breaks, computed from the state each time.

use std::cmp::Ordering;

use mawe_rules::Side;
use mawe_wire::events::{EventGameResult, EventPlayerState};

use super::entry::{Points, Seat};
use super::standing::{Standing, TieBreak};
use super::state::{Event, Game, GameOutcome};
use super::terms::Format;
use super::{knockout, series, tie_breaks};

/// The count of a player of an arena.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Sheet {
    pub(super) points: Points,
    /// The number of games won in a row.
    streak: u32,
    played: u32,
    won: u32,
    /// The sum of the opponents' ratings with 500 more for a win and less for a loss.
    performance: f64,
}

/// The number of wins in a row after which games count double.
const FIRE: u32 = 2;

impl Sheet {
    fn add(&mut self, event: &Event, seat: Seat, game: &Game) {
        let GameOutcome::Ended { result, forfeit } = game.outcome else {
            return;
        };
        let side = game.side_of(seat);
        let won = match (result, side) {
            (EventGameResult::CalledOff, _) => return,
            (EventGameResult::Drawn, _) => None,
            (EventGameResult::First, Side::First) | (EventGameResult::Second, Side::Second) => {
                Some(true)
            }
            (EventGameResult::First, Side::Second) | (EventGameResult::Second, Side::First) => {
                Some(false)
            }
        };
        let double = if self.streak >= FIRE { 2 } else { 1 };
        let points = match won {
            Some(true) => 2 * double + u32::from(game.berserk[side] && !forfeit),
            None => double,
            Some(false) => 0,
        };
        self.points = Points::from_halves(self.points.halves() + 2 * points);
        self.streak = if won == Some(true) {
            self.streak + 1
        } else {
            0
        };
        if forfeit {
            return;
        }
        self.played += 1;
        self.won += u32::from(won == Some(true));
        let rating = event
            .entrant(game.opponent_of(seat))
            .map_or(0.0, |one| one.rating);
        self.performance += rating
            + match won {
                Some(true) => 500.0,
                None => 0.0,
                Some(false) => -500.0,
            };
    }

    fn performance(&self) -> f64 {
        if self.played == 0 {
            0.0
        } else {
            (self.performance / f64::from(self.played)).round()
        }
    }
}

/// The counts of all players of an arena, by seat. The order of the pairings is that of the ends, since a player has one game at a time.
pub(super) fn arena_sheets(event: &Event) -> Vec<Sheet> {
    let mut sheets = vec![Sheet::default(); event.entrants.len()];
    for game in &event.games {
        for seat in [game.seats.first, game.seats.second] {
            sheets[seat as usize].add(event, seat, game);
        }
    }
    sheets
}

impl Event {
    /// The tie-breaks of the standings, the first one first.
    #[must_use]
    pub fn tie_breaks(&self) -> &'static [TieBreak] {
        match self.terms.format {
            Format::Arena { .. } => &[TieBreak::Performance],
            Format::Swiss { .. } => &[
                TieBreak::Buchholz,
                TieBreak::SonnebornBerger,
                TieBreak::DirectEncounter,
            ],
            Format::RoundRobin { .. } => &[
                TieBreak::SonnebornBerger,
                TieBreak::DirectEncounter,
                TieBreak::Wins,
            ],
            Format::Knockout => &[TieBreak::Round],
            Format::Simul | Format::Series { .. } => &[],
        }
    }

    /// The standings, the first place first. Players who withdrew before they played have no row. The host of a simul stands first, with the
    /// points of all games. A player who has left a series stands below the other one.
    #[must_use]
    pub fn standings(&self) -> Vec<Standing> {
        let mut rows = match self.terms.format {
            Format::Arena { .. } => self.arena_rows(),
            Format::Swiss { .. } | Format::RoundRobin { .. } => tie_breaks::rows(self),
            Format::Knockout => self.rows_by(|seat| vec![f64::from(knockout::reached(self, seat))]),
            Format::Simul | Format::Series { .. } => self.rows_by(|_| Vec::new()),
        };
        rows.retain(|row| self.has_row(row.seat));
        let key = |row: &Standing| match self.terms.format {
            // The round comes before the points: a long mini-match has more of them.
            Format::Knockout => (row.tie_breaks.clone(), Points::ZERO, Vec::new()),
            Format::Simul => (
                vec![f64::from(u32::from(row.seat == super::HOST))],
                row.points,
                Vec::new(),
            ),
            Format::Series { .. } => (
                vec![f64::from(u32::from(!series::has_left(self, row.seat)))],
                row.points,
                Vec::new(),
            ),
            Format::Arena { .. } | Format::Swiss { .. } | Format::RoundRobin { .. } => {
                (Vec::new(), row.points, row.tie_breaks.clone())
            }
        };
        let compare = |a: &Standing, b: &Standing| {
            let (a, b) = (key(a), key(b));
            let by_first = by_values(&b.0, &a.0);
            by_first
                .then(b.1.cmp(&a.1))
                .then_with(|| by_values(&b.2, &a.2))
        };
        rows.sort_by(|a, b| compare(a, b).then_with(|| self.by_rating(a.seat, b.seat)));
        for place in 0..rows.len() {
            let shared = place > 0 && compare(&rows[place - 1], &rows[place]) == Ordering::Equal;
            rows[place].place = if shared {
                rows[place - 1].place
            } else {
                u32::try_from(place + 1).unwrap_or(u32::MAX)
            };
        }
        rows
    }

    fn has_row(&self, seat: Seat) -> bool {
        let entrant = self.entrant(seat);
        entrant.is_some_and(|one| one.state != EventPlayerState::Withdrawn || !one.games.is_empty())
    }

    fn arena_rows(&self) -> Vec<Standing> {
        let sheets = (0..).zip(arena_sheets(self));
        let rows = sheets.map(|(seat, sheet)| Standing {
            place: 0,
            seat,
            points: sheet.points,
            tie_breaks: vec![sheet.performance()],
            on_fire: sheet.streak >= FIRE,
            played: sheet.played,
            won: sheet.won,
        });
        rows.collect()
    }

    /// Rows with the usual count of points.
    pub(super) fn rows_by(&self, values: impl Fn(Seat) -> Vec<f64>) -> Vec<Standing> {
        let seats = 0..u32::try_from(self.entrants.len()).unwrap_or(u32::MAX);
        let rows = seats.map(|seat| {
            let mut row = Standing {
                place: 0,
                seat,
                points: Points::ZERO,
                tie_breaks: values(seat),
                on_fire: false,
                played: 0,
                won: 0,
            };
            let mut halves = 0;
            for game in self.games_of(seat) {
                let points = game.points(game.side_of(seat)).unwrap_or_default();
                halves += points.halves();
                row.played += u32::from(game.is_played());
                row.won += u32::from(game.is_played() && points == Points::ONE);
            }
            for (_, bye) in self.byes.iter().filter(|(_, bye)| bye.seat == seat) {
                halves += bye.points.halves();
            }
            row.points = Points::from_halves(halves);
            row
        });
        rows.collect()
    }
}

fn by_values(a: &[f64], b: &[f64]) -> Ordering {
    let pairs = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
    pairs.fold(Ordering::Equal, Ordering::then)
}
