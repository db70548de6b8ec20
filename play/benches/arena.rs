//! An arena of 1,000 players at a pace of three minutes and two seconds, for an hour: the time of each pairing, of the standings and of a replay,
//! and the size of the journal. Games last as long as drawn, from half a minute to eight minutes; a twentieth of the players pause now and then.
//!
//! `cargo bench -p mawe-play --bench arena`

use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

use fastrand::Rng;
use mawe_play::events::{Entry, Event, Format, Input, Start, Terms};
use mawe_wire::TimeControl;
use mawe_wire::events::{EventGameResult, EventState};
use mawe_wire::ids::PlayerId;

const PLAYERS: u32 = 1_000;

/// An end of a game, the earliest first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct End(std::cmp::Reverse<i64>, u32);

struct Arena {
    event: Event,
    journal: Vec<(i64, Entry)>,
    now: i64,
    rng: Rng,
}

impl Arena {
    /// Decides and applies.
    fn input(&mut self, input: &Input) {
        let rng = &mut self.rng;
        let entries = self
            .event
            .decide(self.now, input, &mut |below| rng.u32(..below));
        for entry in entries.unwrap_or_default() {
            self.event.apply(self.now, &entry).expect("our own entry");
            self.journal.push((self.now, entry));
        }
    }
}

/// The time of some work that changes nothing: the least of several, since another program may have had the processor meanwhile.
fn time<T>(work: impl Fn() -> T) -> Duration {
    let times = (0..5).map(|_| {
        let begun = Instant::now();
        std::hint::black_box(work());
        begun.elapsed()
    });
    times.min().unwrap_or_default()
}

fn player(number: u32) -> PlayerId {
    format!("player{number:06}").parse().expect("an id")
}

fn main() {
    let terms = Terms {
        format: Format::Arena {
            duration_ms: 60 * 60_000,
            berserk: true,
        },
        time_control: TimeControl::Realtime {
            base_ms: 180_000,
            increment_ms: 2_000,
        },
        start: Start::At { at_ms: 0 },
        max_players: 10_000,
        fill_to: None,
    };
    let mut arena = Arena {
        event: Event::new(terms.clone()),
        journal: Vec::new(),
        now: -1,
        rng: Rng::with_seed(1),
    };
    for number in 0..PLAYERS {
        let id = player(number);
        let rating = f64::from(arena.rng.u32(800..2_400));
        arena.input(&Input::Join {
            player: &id,
            rating,
            group: None,
        });
    }
    let mut rounds: Vec<(Duration, usize)> = Vec::new();
    let mut standings = Vec::new();
    let mut ends: BinaryHeap<End> = BinaryHeap::new();
    while matches!(
        arena.event.state(),
        EventState::Coming | EventState::Running
    ) {
        let due = arena.event.due_ms().unwrap_or(i64::MAX);
        let end = ends.peek().map_or(i64::MAX, |End(at, _)| at.0);
        arena.now = arena.now.max(due.min(end));
        if due <= end {
            let games = arena.event.games().len();
            let took = time(|| arena.event.decide(arena.now, &Input::Tick, &mut |_| 0));
            arena.input(&Input::Tick);
            let made = &arena.event.games()[games..];
            if !made.is_empty() {
                rounds.push((took, made.len()));
            }
            for game in made {
                let lasts = arena.rng.i64(30_000..480_000);
                ends.push(End(std::cmp::Reverse(arena.now + lasts), game.number));
            }
            standings.push(time(|| arena.event.standings()));
            continue;
        }
        let End(_, game) = ends.pop().expect("an end");
        let result = [EventGameResult::First, EventGameResult::Second][arena.rng.usize(..2)];
        arena.input(&Input::GameEnded {
            game,
            result,
            forfeit: false,
        });
        if arena.rng.u32(..20) == 0 {
            let [paused, resumed] = [(); 2].map(|()| player(arena.rng.u32(..PLAYERS)));
            arena.input(&Input::Pause(&paused));
            arena.input(&Input::Resume(&resumed));
        }
    }
    report(&arena, &terms, rounds, standings);
}

fn report(
    arena: &Arena,
    terms: &Terms,
    mut rounds: Vec<(Duration, usize)>,
    mut standings: Vec<Duration>,
) {
    let most = rounds.iter().map(|(_, games)| *games).max();
    let games = arena.event.games().len();
    println!(
        "{} pairings, {games} games, at most {most:?} at once",
        rounds.len()
    );
    rounds.sort_unstable();
    standings.sort_unstable();
    let [half, most] = [rounds.len() / 2, rounds.len() - 1].map(|place| rounds[place].0);
    println!("a pairing: median {half:?}, most {most:?}");
    let [half, most] = [standings.len() / 2, standings.len() - 1].map(|place| standings[place]);
    println!("the standings: median {half:?}, most {most:?}");
    let bytes: usize = arena
        .journal
        .iter()
        .map(|(_, entry)| entry.write().len())
        .sum();
    println!(
        "the journal: {} entries, {bytes} bytes",
        arena.journal.len()
    );
    let begun = Instant::now();
    let entries = arena.journal.iter().map(|(at_ms, entry)| (*at_ms, entry));
    let again = Event::replay(terms.clone(), entries).expect("our own journal");
    println!("a replay: {:?}", begun.elapsed());
    assert_eq!(again, arena.event);
}
