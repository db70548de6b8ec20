//! Counters of the match core and of the pools.

use std::hint::black_box;

use mawe_counters::games::{game, id_text, match_setup};
use mawe_play::pairing::{Entrant, Pools, SideHistory};
use mawe_play::room::entry::Entry;
use mawe_play::room::io::{Input, Now};
use mawe_play::room::state::RoomState;
use mawe_rules::{GameKind, Side};
use mawe_wire::pool::PoolKey;
use mawe_wire::{Command, EventMsg, ServerMsg};
use serde::Serialize;

use crate::{count_allocations, count_instructions, print_figure};

/// The counters of the pools' tick, each with the number of waiting players.
const POOLS: [(&str, u64); 2] = [("tick/pools", 0), ("tick/pools-100", 100)];

/// The number of ticks in one count.
const TICKS: usize = 100;

/// Each player moves a second after the opponent.
const PACE_MS: u64 = 1_000;

/// The number of games of each kind: their mean depends less on one position.
const GAMES: u64 = 4;

/// A move as it arrives from a client.
struct Arrival {
    now: Now,
    input: Input,
}

/// A match before its moves, with room for the entries and events.
struct Match {
    state: RoomState,
    arrivals: Vec<Arrival>,
    entries: Vec<Entry>,
    events: Vec<EventMsg>,
}

/// Counts moves, the encoding of their entries and events, and ticks.
pub(crate) fn instructions() {
    for kind in GameKind::ALL.iter().copied() {
        let mut matches = matches(kind);
        let moves = matches.iter().map(|game| game.arrivals.len()).sum();
        count_instructions(&format!("move/{}", kind.id()), moves, || {
            matches.iter_mut().for_each(Match::play);
        });
        let entries = matches.iter().map(|game| game.entries.len()).sum();
        count_instructions(&format!("entry/{}", kind.id()), entries, || {
            matches.iter().for_each(Match::store);
        });
        let messages = messages(matches);
        count_instructions(&format!("event/{}", kind.id()), messages.len(), || {
            encode(&messages);
        });
    }
    let mut idle = idle_match();
    count_instructions("tick/match", TICKS, || idle.tick());
    for (name, waiting) in POOLS {
        let mut pools = pools(waiting);
        count_instructions(name, TICKS, || tick_pools(&mut pools));
    }
}

/// Counts the allocations of whole moves (with the encoding of entry and event) and of ticks.
pub(crate) fn allocations() {
    for kind in GameKind::ALL.iter().copied() {
        let mut matches = matches(kind);
        let moves = matches.iter().map(|game| game.arrivals.len()).sum();
        let handled = count_allocations(|| {
            matches.iter_mut().for_each(Match::play);
            matches.iter().for_each(Match::store);
        });
        let messages = messages(matches);
        // The list of the messages is no part of a move, but the box of each is.
        let boxed = messages.len();
        let encoded = count_allocations(|| encode(&messages));
        let allocations = handled + boxed + encoded;
        print_figure(&format!("move/{}", kind.id()), allocations, moves);
    }
    let mut idle = idle_match();
    print_figure("tick/match", count_allocations(|| idle.tick()), TICKS);
    for (name, waiting) in POOLS {
        let mut pools = pools(waiting);
        print_figure(name, count_allocations(|| tick_pools(&mut pools)), TICKS);
    }
}

/// Counts the bytes of an event as it is sent, and of the legal moves in it.
pub(crate) fn bytes() {
    for kind in GameKind::ALL.iter().copied() {
        let mut matches = matches(kind);
        matches.iter_mut().for_each(Match::play);
        let messages = messages(matches);
        let (mut whole, mut legal) = (0, 0);
        for message in &messages {
            let ServerMsg::Event(event) = message else {
                unreachable!("all are events");
            };
            whole += text(message).len();
            legal += text(&event.state.legal).len();
        }
        print_figure(&format!("event/{}", kind.id()), whole, messages.len());
        print_figure(&format!("event-legal/{}", kind.id()), legal, messages.len());
    }
}

impl Match {
    fn new(kind: GameKind, seed: u64) -> Match {
        let state = RoomState::new(match_setup(kind), 1).expect("a setup");
        let mut record = state.record().clone();
        let mut arrivals = Vec::new();
        for text in game(kind, seed) {
            let (side, ply) = (record.turn(), record.ply());
            let is_forced = record.forced_pass().is_some();
            record.play(&text).expect("the game is legal");
            // The room plays a forced pass by itself.
            if !is_forced {
                arrivals.push(arrival(side, ply, text));
            }
        }
        let plies = record.moves().len();
        Match {
            state,
            arrivals,
            entries: Vec::with_capacity(plies),
            events: Vec::with_capacity(plies),
        }
    }

    /// Handles all moves.
    fn play(&mut self) {
        for Arrival { now, input } in std::mem::take(&mut self.arrivals) {
            let proposed = self.state.handle(now, input);
            let append = proposed.append.expect("a legal move becomes an entry");
            self.entries.extend(append.entries);
            let durable = self.state.handle(now, Input::Durable);
            self.events.extend(durable.tell);
        }
    }

    /// Encodes all entries as they are stored.
    fn store(&self) {
        for entry in &self.entries {
            black_box(entry.to_stored());
        }
    }

    /// Runs the timer of a match in which nobody moves: it asks whether the time is up, and when to ask again.
    fn tick(&mut self) {
        let now = now(self.state.record().ply());
        for _ in 0..TICKS {
            let effects = self.state.handle(now, Input::Tick);
            assert!(effects.append.is_none(), "nobody's time is up");
        }
    }
}

fn matches(kind: GameKind) -> Vec<Match> {
    (1..=GAMES).map(|seed| Match::new(kind, seed)).collect()
}

/// Returns a match in mid-game.
fn idle_match() -> Match {
    let mut game = Match::new(GameKind::Mawe, 1);
    game.arrivals.truncate(game.arrivals.len() / 2);
    game.play();
    game
}

fn now(ply: u32) -> Now {
    Now {
        mono: u64::from(ply) * PACE_MS,
        unix_ms: 1_700_000_000_000 + i64::from(ply) * 1_000,
        up_since_ms: 0,
    }
}

fn arrival(side: Side, ply: u32, text: String) -> Arrival {
    Arrival {
        now: now(ply),
        input: Input::Command {
            side,
            client_id: format!("0193b1c2-8f4e-7a61-{ply:012}")
                .parse()
                .expect("a client's id"),
            seq: u64::from(ply),
            command: Command::Move { ply, text },
            lag_ms: 20,
        },
    }
}

fn messages(matches: Vec<Match>) -> Vec<ServerMsg> {
    let events = matches.into_iter().flat_map(|game| game.events);
    events
        .map(|event| ServerMsg::Event(Box::new(event)))
        .collect()
}

/// Encodes messages as the server does.
fn encode(messages: &[ServerMsg]) {
    for message in messages {
        black_box(text(message));
    }
}

fn text(part: &impl Serialize) -> String {
    serde_json::to_string(part).expect("a message is plain JSON")
}

/// Returns pools with players too far apart to be paired.
fn pools(waiting: u64) -> Pools {
    let mut pools = Pools::new(None);
    let key = PoolKey::all().next().expect("there are pools");
    for number in 0..waiting {
        let entrant = Entrant {
            player: id_text(number).parse().expect("it has the form of an id"),
            rating: f64::from(u32::try_from(number).expect("there are few")) * 10_000.0,
            deviation: 50.0,
            sides: SideHistory::default(),
            last_opponent: None,
            not_before: 0,
        };
        pools
            .join(0, key, entrant, number)
            .expect("nobody must wait first");
    }
    pools
}

fn tick_pools(pools: &mut Pools) {
    for _ in 0..TICKS {
        let effects = pools.tick(PACE_MS, || true);
        assert!(effects.is_empty(), "nobody can be paired");
    }
}
