//! The clock, the players, the matches and the two nodes of a weekend.

use std::collections::BTreeMap;

use fastrand::Rng;
use mawe_rules::Side;
use mawe_wire::events::{EventGameResult, EventGameSkipped, EventState};
use mawe_wire::ids::PlayerId;

use super::journals::{Journals, Match, Row};
use super::node::{Node, Task};
use super::programme::{self, CLOSES, JOINING, OPENS};
use super::seen::Seen;
use crate::events::{Input, Refusal, Seat};

/// The number of steps after which a weekend should have ended many times over.
const MOST_STEPS: u32 = 400_000;

/// One step in so many is a fault of a node.
const FAULT_EVERY: u32 = 120;

/// The longest time between two acts of players.
const ACT_EVERY_MS: i64 = 60_000;

pub(super) struct Simulation<'a> {
    pub(super) journals: Journals,
    pub(super) seen: Seen,
    pub(super) nodes: [Node<'a>; 2],
    /// The node that does the work of the clock.
    owner: usize,
    pub(super) ids: &'a [PlayerId],
    /// The computer players of the server, which fill in.
    bots: &'a [PlayerId],
    pub(super) now_ms: i64,
    next_act_ms: i64,
    pub(super) rng: Rng,
}

impl<'a> Simulation<'a> {
    pub(super) fn new(seed: u64, ids: &'a [PlayerId], bots: &'a [PlayerId]) -> Simulation<'a> {
        let mut rng = Rng::with_seed(seed);
        let journals = Journals::new(programme::draw(&mut rng));
        let events = journals.all.len();
        let nodes = [(); 2].map(|()| Node::new(events, bots, rng.i64(-1_500..1_500)));
        Simulation {
            journals,
            seen: Seen::default(),
            nodes,
            owner: 0,
            ids,
            bots,
            now_ms: OPENS - JOINING,
            next_act_ms: OPENS - JOINING,
            rng,
        }
    }

    /// Plays until all events are over.
    pub(super) fn play(&mut self) {
        let mut steps = 0;
        while !self.journals.are_over() {
            steps += 1;
            assert!(steps < MOST_STEPS, "{}", self.unfinished());
            if self.is_open() && self.rng.u32(..FAULT_EVERY) == 0 {
                self.fail();
            }
            self.step();
        }
    }

    /// The events that are not over, for a message.
    fn unfinished(&self) -> String {
        let now_ms = self.now_ms;
        let mut lines = vec![format!("at {now_ms} the weekend does not end")];
        for journal in self.journals.all.iter().filter(|one| !one.is_over()) {
            let (terms, due, last) = (
                &journal.planned.terms,
                journal.due_ms,
                journal.entries.last(),
            );
            lines.push(format!("{terms:?}, due at {due:?}, last entry {last:?}"));
        }
        lines.join("\n")
    }

    fn is_open(&self) -> bool {
        self.now_ms < CLOSES
    }

    /// One task of a node, one act of a player, or one round of the owner's work; if none of them is to be done, the clock moves on.
    fn step(&mut self) {
        let working: Vec<usize> = (0..2)
            .filter(|node| !self.nodes[*node].tasks.is_empty())
            .collect();
        if !working.is_empty() && self.rng.u32(..4) > 0 {
            let node = working[self.rng.usize(..working.len())];
            self.run_task(node);
        } else if self.is_open() && self.next_act_ms <= self.now_ms {
            self.next_act_ms = self.now_ms + self.rng.i64(0..ACT_EVERY_MS);
            self.act();
        } else if self.nodes[self.owner].tasks.is_empty() {
            // Its round waits for what it has begun. A result may be read late, so that a round with nothing to do is no end.
            self.now_ms += self.rng.i64(0..1_500);
            self.advance(self.owner);
            if self.nodes[self.owner].tasks.is_empty() {
                self.now_ms = self.now_ms.max(self.next_ms());
            }
        }
    }

    /// The next time at which a node or a player has something to do.
    fn next_ms(&self) -> i64 {
        let act = self.is_open().then_some(self.next_act_ms);
        let running = self.journals.all.iter().filter(|one| !one.is_over());
        let due = running.flat_map(|journal| {
            let rows = journal.rows.iter().filter_map(|row| match row {
                Row::Playing(made) => Some(made.ends_ms),
                Row::Ready => Some(self.now_ms),
                Row::Ended { .. } | Row::Skipped => None,
            });
            rows.chain(journal.due_ms)
        });
        let next = due.chain(act).min().unwrap_or(self.now_ms);
        let behind = self.nodes[self.owner].skew_ms.min(0);
        next - behind
    }

    /// A crash of a node, or a takeover after which the old owner still finishes its work, and may do another round of it.
    fn fail(&mut self) {
        let node = self.rng.usize(..2);
        if self.rng.bool() {
            self.seen.crashes += 1;
            self.nodes[node].crash(&mut self.journals, &mut self.rng, &mut self.seen);
        } else {
            self.seen.takeovers += 1;
            let old = self.owner;
            self.owner = 1 - old;
            if self.rng.bool() {
                self.advance(old);
            }
        }
    }

    fn run_task(&mut self, node: usize) {
        let tasks = self.nodes[node].tasks.len();
        let task = self.nodes[node].tasks.swap_remove(self.rng.usize(..tasks));
        match task {
            Task::Write {
                append,
                inputs,
                tries,
            } => {
                let (rng, seen) = (&mut self.rng, &mut self.seen);
                let write = (append, inputs, tries);
                self.nodes[node].write(&mut self.journals, write, self.now_ms, rng, seen);
            }
            Task::Seat { event, game } => self.seat(node, event, game),
        }
    }

    pub(super) fn decide(&mut self, node: usize, event: usize, inputs: Vec<Input<'a>>) {
        let (rng, now_ms) = (&mut self.rng, self.now_ms);
        let refused = self.nodes[node].decide(&self.journals, event, now_ms, inputs, rng);
        self.seen.refused_inputs += refused.len();
        let full = refused.iter().filter(|one| **one == Refusal::Full);
        self.seen.full += full.count();
    }

    /// A round of the owner's work: ends of matches, corrections, what is due, and games to seat.
    fn advance(&mut self, node: usize) {
        let now_ms = self.now_ms + self.nodes[node].skew_ms;
        for (event, games) in self.ended_games(now_ms) {
            self.decide(
                node,
                event,
                games.into_iter().chain([Input::Tick]).collect(),
            );
        }
        for event in 0..self.journals.all.len() {
            for game in self.rows(event, |row| *row == Row::Ended { voided: true }) {
                let result = EventGameResult::CalledOff;
                self.decide(node, event, vec![Input::Correct { game, result }]);
            }
            let due = self.journals.all[event].due_ms;
            if due.is_some_and(|due| due <= now_ms) {
                self.decide(node, event, vec![Input::Tick]);
            }
            if self.journals.all[event].event.state() == EventState::Running {
                let ready = self.rows(event, |row| *row == Row::Ready);
                let seats = ready.into_iter().map(|game| Task::Seat { event, game });
                self.nodes[node].tasks.extend(seats);
            }
        }
    }

    /// The numbers of the games whose rows are so.
    pub(super) fn rows(&self, event: usize, is: impl Fn(&Row) -> bool) -> Vec<u32> {
        let rows = (1..).zip(&self.journals.all[event].rows);
        rows.filter(|(_, row)| is(row))
            .map(|(game, _)| game)
            .collect()
    }

    /// The ends of matches in any order; some are read late.
    fn ended_games(&mut self, now_ms: i64) -> BTreeMap<usize, Vec<Input<'a>>> {
        let mut ended: BTreeMap<usize, Vec<Input>> = BTreeMap::new();
        for (event, journal) in self.journals.all.iter().enumerate() {
            if journal.event.state() != EventState::Running {
                continue;
            }
            for (game, row) in (1..).zip(&journal.rows) {
                let Row::Playing(made) = *row else { continue };
                if made.ends_ms <= now_ms && self.rng.u32(..8) > 0 {
                    let games = ended.entry(event).or_default();
                    games.push(Input::GameEnded {
                        game,
                        result: made.result,
                        forfeit: made.forfeit,
                    });
                }
            }
        }
        for games in ended.values_mut() {
            self.rng.shuffle(games);
        }
        ended
    }

    /// Seats a game, or notes the reason for which it is not played.
    fn seat(&mut self, node: usize, event: usize, game: u32) {
        let (state, _) = self.nodes[node].read(&self.journals, event);
        let seats = state.game(game).expect("a paired game").seats;
        let skipped = state.skip_before_seating(game);
        // The other node may have seated it.
        let is_ready = self.journals.all[event].rows[game as usize - 1] == Row::Ready;
        let skipped = skipped.or_else(|| {
            is_ready
                .then(|| self.skip(event, [seats.first, seats.second]))
                .flatten()
        });
        if let Some((reason, side)) = skipped {
            let skip = Input::GameSkipped { game, reason, side };
            self.decide(node, event, vec![skip, Input::Tick]);
        } else if self.rng.u32(..20) > 0 {
            // Otherwise a player is being seated elsewhere at this moment; the next round tries again.
            let made = self.draw_match(event);
            self.journals.seat(event, game, made);
        }
    }

    /// The reason for which two players cannot be seated.
    fn skip(&mut self, event: usize, seats: [Seat; 2]) -> Option<(EventGameSkipped, Option<Side>)> {
        let entrants = self.journals.all[event].event.entrants();
        let [a, b] = seats.map(|seat| {
            let player = &entrants[seat as usize].player;
            let mut known = self.ids.iter().chain(self.bots);
            known.position(|id| id == player).expect("a player")
        });
        if (7 * a.min(b) + a.max(b)) % 41 == 0 {
            return Some((EventGameSkipped::Apart, None));
        }
        let side = [Some(Side::First), Some(Side::Second), None][self.rng.usize(..3)];
        match self.rng.u32(..200) {
            0 => Some((EventGameSkipped::Absent, side)),
            1..4 => Some((EventGameSkipped::Busy, side)),
            _ => None,
        }
    }

    fn draw_match(&mut self, event: usize) -> Match {
        let control = self.journals.all[event].planned.terms.time_control;
        let lasts = if control.is_realtime() {
            self.rng.i64(5_000..720_000)
        } else {
            self.rng.i64(300_000..20_000_000)
        };
        let (result, forfeit) = match self.rng.u32(..100) {
            0..40 => (EventGameResult::First, false),
            40..75 => (EventGameResult::Second, false),
            75..90 => (EventGameResult::Drawn, false),
            90..93 => (EventGameResult::First, true),
            93..96 => (EventGameResult::Second, true),
            _ => (EventGameResult::CalledOff, false),
        };
        Match {
            ends_ms: self.now_ms + lasts,
            result,
            forfeit,
        }
    }
}
