//! The acts of players and moderators.

use fastrand::Rng;
use mawe_rules::Side;
use mawe_wire::events::{EventCancelled, EventGameResult, EventState};
use mawe_wire::ids::PlayerId;

use super::PLAYERS;
use super::journals::Row;
use super::programme::JOINING;
use super::simulation::Simulation;
use crate::events::{Entrant, Input};

impl<'a> Simulation<'a> {
    /// An act of a player or a moderator, at any node.
    pub(super) fn act(&mut self) {
        let now_ms = self.now_ms;
        let open = self.journals.all.iter().enumerate().filter(|(_, journal)| {
            let has_opened = journal.planned.start_ms() - JOINING <= now_ms;
            has_opened && (!journal.is_over() || journal.planned.start_ms() + JOINING > now_ms)
        });
        let open: Vec<usize> = open.map(|(event, _)| event).collect();
        let node = self.rng.usize(..2);
        for event in open {
            let journal = &self.journals.all[event];
            if journal.planned.deserted_ms.is_some_and(|at| at <= now_ms) && !journal.is_over() {
                self.desert(node, event);
            } else if journal.event.people() < journal.planned.wanted && self.rng.u32(..3) > 0 {
                let join = self.draw_join(event);
                self.decide(node, event, vec![join]);
            } else {
                self.act_in(node, event);
            }
        }
    }

    /// All players withdraw, each in the own request.
    fn desert(&mut self, node: usize, event: usize) {
        let entrants = self.journals.all[event].event.entrants().iter();
        let there: Vec<&'a PlayerId> = entrants
            .filter(|one| one.is_there())
            .filter_map(|one| self.ids.iter().find(|id| **id == one.player))
            .collect();
        for id in there {
            self.decide(node, event, vec![Input::Withdraw(id)]);
        }
    }

    fn draw_player(&mut self) -> &'a PlayerId {
        &self.ids[self.rng.usize(..self.ids.len())]
    }

    /// Whether a person more comes than are wanted: with fill-ins hardly ever before the start, or people would fill the event.
    fn may_join(&mut self, event: usize) -> bool {
        let planned = &self.journals.all[event].planned;
        let one_of = if self.now_ms < planned.start_ms() {
            40
        } else {
            4
        };
        planned.terms.fill_to.is_none() || self.rng.u32(..one_of) == 0
    }

    fn draw_join(&mut self, event: usize) -> Input<'a> {
        let number = self.rng.u32(..PLAYERS);
        let addresses = self.journals.all[event].planned.addresses;
        Input::Join {
            player: &self.ids[number as usize],
            rating: 400.0 + self.rng.f64() * 2_000.0,
            group: addresses.map(|addresses| draw_address(&mut self.rng, number, addresses)),
        }
    }

    /// A person of an event, or rarely any other.
    fn draw_entrant(&mut self, event: usize) -> &'a PlayerId {
        let entrants = self.journals.all[event].event.entrants().iter();
        let entrants: Vec<&Entrant> = entrants.filter(|one| !one.bot).collect();
        if entrants.is_empty() || self.rng.u32(..20) == 0 {
            return self.draw_player();
        }
        let id = &entrants[self.rng.usize(..entrants.len())].player;
        let known = self.ids.iter().find(|one| *one == id);
        known.expect("a player of the weekend")
    }

    /// A clock is halved in a game, which may be over or not exist.
    fn draw_berserk(&mut self, event: usize) -> Input<'a> {
        let games = self.journals.all[event].event.games().len();
        let side = if self.rng.bool() {
            Side::First
        } else {
            Side::Second
        };
        Input::Berserk {
            game: self.rng.u32(0..=u32::try_from(games).expect("few")),
            side,
        }
    }

    fn act_in(&mut self, node: usize, event: usize) {
        let player = self.draw_entrant(event);
        let round = self.journals.all[event].event.round() + self.rng.u32(..4);
        let input = match self.rng.u32(..200) {
            0..40 if self.may_join(event) => self.draw_join(event),
            40..55 => Input::Withdraw(player),
            55..75 => Input::Pause(player),
            75..125 => Input::Resume(player),
            125..145 => Input::AskBye { player, round },
            145..165 => self.draw_berserk(event),
            165..180 => return self.void_a_match(event),
            180..195 => return self.judge(node, event),
            195 if self.rng.u32(..20) == 0 => Input::Cancel(EventCancelled::ByCreator),
            _ => Input::Tick,
        };
        // The creator cancels before the beginning alone.
        let has_begun = self.journals.all[event].event.state() != EventState::Coming;
        if !(matches!(input, Input::Cancel(_)) && has_begun) {
            self.decide(node, event, vec![input]);
        }
    }

    /// Makes the match of a game void, whether its end is noted or not.
    fn void_a_match(&mut self, event: usize) {
        let rows = &mut self.journals.all[event].rows;
        let place = self.rng.usize(..=rows.len());
        match rows.get_mut(place) {
            Some(Row::Playing(made)) => {
                made.ends_ms = made.ends_ms.min(self.now_ms);
                made.result = EventGameResult::CalledOff;
                made.forfeit = false;
            }
            Some(Row::Ended { voided }) => {
                *voided = true;
                self.seen.corrected += 1;
            }
            Some(Row::Ready | Row::Skipped) | None => {}
        }
    }

    /// Gives a game that has ended another result.
    fn judge(&mut self, node: usize, event: usize) {
        let ended = self.rows(event, |row| matches!(row, Row::Ended { .. }));
        let result = [
            EventGameResult::First,
            EventGameResult::Second,
            EventGameResult::Drawn,
            EventGameResult::CalledOff,
        ][self.rng.usize(..4)];
        if let Some(game) = self.rng.choice(ended) {
            self.seen.corrected += 1;
            self.decide(node, event, vec![Input::Correct { game, result }]);
        }
    }
}

/// The address of a player: mostly that of the home, which others share.
fn draw_address(rng: &mut Rng, player: u32, addresses: u32) -> u32 {
    if rng.u32(..10) == 0 {
        rng.u32(..addresses)
    } else {
        player % addresses
    }
}
