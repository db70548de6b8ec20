//! Fill-ins: computer players in an arena or a Swiss where too few people have come.
//!
//! The terms say up to how many players they fill. In a Swiss they also make the number of each round even, so that nobody gets a bye. Two of
//! them never meet; they sit out instead, without points.

use mawe_wire::events::EventState;
use mawe_wire::ids::PlayerId;

use super::entry::{Entry, Seat};
use super::state::Event;
use super::terms::{Format, Start};
use crate::rating::START_RATING;

/// The greatest number of fill-ins of an event: they are for a few missing players, and the server thinks for all of them.
pub const MOST_FILL_INS: u32 = 8;

impl Event {
    /// The number of fill-ins that are to join now, before the event begins or the next round is paired.
    #[must_use]
    pub fn wanted_fill_ins(&self, now_ms: i64) -> u32 {
        let Some(fill_to) = self.terms.fill_to else {
            return 0;
        };
        if self.due_ms().is_none_or(|due| now_ms < due) {
            return 0;
        }
        let there = self.entrants.iter().filter(|one| one.bot).count();
        let room = MOST_FILL_INS.saturating_sub(u32::try_from(there).unwrap_or(u32::MAX));
        match (self.state, self.terms.format) {
            (EventState::Coming, _) if self.people() < self.least_people() => 0,
            (EventState::Coming, Format::Arena { .. }) => self.missing(fill_to).min(room),
            (EventState::Coming, Format::Swiss { .. }) => {
                let missing = self.missing(fill_to).min(room);
                let is_odd = self.is_odd_with(missing);
                match missing {
                    _ if !is_odd => missing,
                    _ if missing < room => missing + 1,
                    _ => missing.saturating_sub(1),
                }
            }
            (EventState::Running, Format::Swiss { rounds }) => {
                let are_two = self.active().nth(1).is_some();
                let has_one = self.active().any(|seat| self.is_fill_in(seat));
                let wanted =
                    self.round < rounds && are_two && !has_one && self.is_odd_with(0) && room > 0;
                u32::from(wanted)
            }
            _ => 0,
        }
    }

    /// Decides about a fill-in that the caller has: it joins if the event wants one.
    pub(super) fn fill_in(&self, now_ms: i64, player: &PlayerId, rating: f64) -> Vec<Entry> {
        if self.wanted_fill_ins(now_ms) == 0 || self.seat_of(player).is_some() {
            return Vec::new();
        }
        let rating = if rating.is_finite() {
            rating.round()
        } else {
            START_RATING
        };
        vec![Entry::Joined {
            player: player.clone(),
            rating,
            bot: true,
            group: None,
        }]
    }

    /// Whether the player of a seat is a fill-in.
    pub(super) fn is_fill_in(&self, seat: Seat) -> bool {
        self.entrant(seat).is_some_and(|one| one.bot)
    }

    /// The number of people without the withdrawn ones.
    #[must_use]
    pub fn people(&self) -> u32 {
        let people = self
            .entrants
            .iter()
            .filter(|one| one.is_there() && !one.bot);
        u32::try_from(people.count()).unwrap_or(u32::MAX)
    }

    /// The fewest people with whom the event begins; with fewer it wants no fill-ins.
    fn least_people(&self) -> u32 {
        match self.terms.start {
            Start::At { .. } => 1,
            Start::Full { players, .. } => players,
        }
    }

    /// The number of players that are missing at the start.
    fn missing(&self, fill_to: u32) -> u32 {
        fill_to.saturating_sub(self.players())
    }

    /// Whether the number of players of the next round of a Swiss is odd with so many more.
    fn is_odd_with(&self, more: u32) -> bool {
        let asks = |seat: &Seat| {
            let entrant = self.entrant(*seat);
            entrant.is_some_and(|one| one.asked.contains(&(self.round + 1)))
        };
        let playing = self.active().filter(|seat| !asks(seat)).count();
        !(playing + more as usize).is_multiple_of(2)
    }
}
