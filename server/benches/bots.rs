//! The delay that computer opponents cause to moves between people, and the punctuality of their own moves. On SQLite, through the whole
//! server.
//!
//! `cargo bench -p mawe-server --bench bots -- people [SECONDS]`: moves between people, each from the mover's socket through room, rules
//! and a durable entry to the opponent's socket, alternately with all workers busy and with an idle server.
//!
//! `cargo bench -p mawe-server --bench bots -- games [GAMES] [PLIES]`: GAMES concurrent games against levels 1 to 4, of all six kinds,
//! until each bot has played PLIES moves; reports their delays.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "common/usage.rs"]
mod usage;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::TestServer;
use common::play::{Pair, Seat};
use mawe_ai::Level;
use mawe_play::room::io::{BotQuestion, Wanted};
use mawe_rules::{AnySetup, GameKind, Record, Side};
use mawe_server::bots::job::Reply;
use mawe_server::bots::{BotNews, Bots, SLACK, pace};
use mawe_server::load::quantile;
use mawe_server::trace::Trace;
use mawe_server::worker::{ThreadPool, think};
use mawe_wire::Event;
use mawe_wire::ids::MatchId;
use serde_json::json;
use usage::used_here;

/// Pairs of people who move at once when it is their turn, ten times a second each.
const PAIRS: usize = 10;

/// The pause before each of their moves.
const THINKING: Duration = Duration::from_millis(100);

/// The number of slices of the time: idle, busy, idle, busy, so that both see the same load from other processes.
const SLICES: u32 = 6;

/// The number of waiting jobs of the strongest level while workers are to be busy.
const BACKLOG: usize = 8;

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// Keeps the workers busy while `busy` is set: the strongest level in the middle of Mawe! games, on a separate queue with separate threads,
/// of the same number, priority and code as the server's.
fn keep_busy(threads: usize, busy: Arc<AtomicBool>) {
    let (bots, mut news) = Bots::new();
    let crew = ThreadPool::start(&bots, threads, &think::by_engine()).expect("threads");
    tokio::spawn(async move {
        let _crew = crew;
        let kind = GameKind::ALL[0];
        let mut game = Record::new(kind, &AnySetup::standard(kind)).expect("every game starts");
        for _ in 0..10 {
            let legal = game.legal_moves();
            game.play(&legal[legal.len() / 2]).expect("it is legal");
        }
        let ask = || {
            let question = BotQuestion {
                side: game.turn(),
                level: Level::MAX.get(),
                seq: 0,
                wanted: Wanted::Move,
                game: game.clone(),
                clock_ms: None,
            };
            bots.ask(&MatchId::random(), question, &Trace::default());
        };
        let mut under_way = 0;
        loop {
            if busy.load(Ordering::Relaxed) {
                while under_way < BACKLOG {
                    ask();
                    under_way += 1;
                }
            }
            match tokio::time::timeout(Duration::from_millis(20), news.recv()).await {
                Ok(Some(BotNews::Answer(answer))) => {
                    assert!(matches!(answer.reply, Reply::Move { .. }));
                    under_way -= 1;
                }
                Ok(Some(BotNews::Away { .. })) | Err(_) => {}
                Ok(None) => return,
            }
        }
    });
}

async fn people(seconds: u64) {
    let threads = std::thread::available_parallelism().map_or(1, |cores| (cores.get() - 1).max(1));
    let server = Arc::new(TestServer::start().await);
    let busy = Arc::new(AtomicBool::new(false));
    keep_busy(threads, Arc::clone(&busy));
    let slice = Duration::from_secs(seconds) / SLICES;
    let mut times: HashMap<bool, Vec<Duration>> = HashMap::new();
    let mut used: HashMap<bool, Duration> = HashMap::new();
    let mut pairs = Vec::new();
    for _ in 0..PAIRS {
        pairs.push(Pair::of_guests(&server).await);
    }
    for number in 0..SLICES {
        let is_busy = number % 2 == 1;
        busy.store(is_busy, Ordering::Relaxed);
        // Until the last search of a busy slice is over, and the first of the next has begun.
        tokio::time::sleep(Duration::from_secs(4)).await;
        let (until, before) = (Instant::now() + slice, used_here());
        let playing: Vec<_> = pairs
            .drain(..)
            .map(|mut pair| {
                let server = Arc::clone(&server);
                tokio::spawn(async move {
                    let mut times = Vec::new();
                    while Instant::now() < until {
                        if pair.is_over() {
                            pair = Pair::of_guests(&server).await;
                        }
                        tokio::time::sleep(THINKING).await;
                        times.push(one_move(&mut pair).await);
                    }
                    (pair, times)
                })
            })
            .collect();
        for pair in playing {
            let (pair, taken) = pair.await.expect("they play on");
            pairs.push(pair);
            times.entry(is_busy).or_default().extend(taken);
        }
        *used.entry(is_busy).or_default() += used_here() - before;
    }
    let mut p99 = Vec::new();
    for is_busy in [false, true] {
        let sorted = times.entry(is_busy).or_default();
        sorted.sort_unstable();
        p99.push(quantile(sorted, 0.99));
        println!(
            "{}: {} moves to the opponent, p50 {:.2} ms, p99 {:.2} ms; {:.2} cores used",
            if is_busy {
                "all workers busy"
            } else {
                "workers idle"
            },
            sorted.len(),
            ms(quantile(sorted, 0.5)),
            ms(quantile(sorted, 0.99)),
            used[&is_busy].as_secs_f64() / (slice.as_secs_f64() * f64::from(SLICES) / 2.0),
        );
    }
    println!(
        "{threads} workers; p99 busy to idle: {:.2}",
        p99[1].as_secs_f64() / p99[0].as_secs_f64()
    );
}

/// Measures a move from the mover's socket to the opponent's.
async fn one_move(pair: &mut Pair) -> Duration {
    let turn = pair.turn();
    let state = &pair.seats[turn].mirror.state;
    let choice = (state.ply as usize * 7 + 3) % state.legal.len();
    let command = pair.seats[turn].a_move(&state.legal[choice]);
    let began = Instant::now();
    pair.seats[turn].send(command).await;
    pair.seats[1 - turn].event().await;
    let took = began.elapsed();
    pair.seats[turn].event().await;
    took
}

/// The result of a game.
#[derive(Default)]
struct Kept {
    /// The delay of each move of the bot after the level's pace.
    late: Vec<Duration>,
    flags: u32,
}

/// Plays games against a bot until it has made `moves` moves.
async fn play_a_bot(server: &TestServer, number: usize, moves: usize) -> Kept {
    let kinds = GameKind::ALL;
    let kind = kinds[number % kinds.len()];
    let level = u8::try_from(number % 4).expect("small") + 1;
    let mut kept = Kept::default();
    let mut person = server.guest().await;
    while kept.late.len() < moves {
        let new = json!({
            "game": kind.id(), "level": level, "side": "first",
            "time_control": { "kind": "realtime", "base_ms": 300_000, "increment_ms": 2_000 },
        });
        let made = person.post("/api/v1/matches", &new).await;
        assert_eq!(made.status, 201, "{made:?}");
        let mut seat = Seat::take(&person, &made.text("/id"), Side::First).await;
        // The time at which the bot's turn began.
        let mut since = Instant::now();
        while kept.late.len() < moves {
            let state = &seat.mirror.state;
            if let Some(result) = &state.result {
                let flagged = result.reason == "time";
                kept.flags += u32::from(flagged && result.winner == Some(Side::First));
                break;
            }
            // The server plays a pass that is the only legal ply.
            if state.turn == Side::First && state.legal != ["pass"] {
                let choice = (state.ply as usize * 7 + number) % state.legal.len();
                let command = seat.a_move(&state.legal[choice]);
                seat.send(command).await;
            }
            let left = Duration::from_millis(seat.mirror.state.clock.second_ms);
            let event = seat.event().await;
            if let Event::Move(ply) = &event.event
                && ply.side == Side::Second
                // A pass that the server plays is not counted.
                && ply.text != "pass"
            {
                let took = since.elapsed();
                kept.late.push(took.saturating_sub(pace(level, Some(left))));
            }
            since = Instant::now();
        }
    }
    kept
}

async fn games(count: usize, moves: usize) {
    let server = Arc::new(TestServer::start().await);
    let (began, before) = (Instant::now(), used_here());
    let playing: Vec<_> = (0..count)
        .map(|number| {
            let server = Arc::clone(&server);
            tokio::spawn(async move { play_a_bot(&server, number, moves).await })
        })
        .collect();
    let (mut late, mut flags) = (Vec::new(), 0);
    for game in playing {
        let kept = game.await.expect("it is played");
        late.extend(kept.late);
        flags += kept.flags;
    }
    let (took, used) = (began.elapsed(), used_here() - before);
    late.sort_unstable();
    let too_late = late.iter().filter(|late| **late > SLACK).count();
    println!(
        "{count} games at once, {} moves of bots in {:.1} s ({:.0}/s): after the level's pace p50 {:.1} ms, p99 {:.1} ms, at most {:.1} ms; \
         {too_late} later than the {} s of the deadline, {flags} bots lost on time; {:.2} cores used by server and players",
        late.len(),
        took.as_secs_f64(),
        late.len() as f64 / took.as_secs_f64(),
        ms(quantile(&late, 0.5)),
        ms(quantile(&late, 0.99)),
        ms(late.last().copied().unwrap_or_default()),
        SLACK.as_secs(),
        used.as_secs_f64() / took.as_secs_f64(),
    );
    let tally = &server.app().rooms.services.bots.tally;
    println!(
        "jobs answered {}, of these by the fallback {}, taken from a worker {}",
        tally.answered.load(Ordering::Relaxed),
        tally.by_fallback.load(Ordering::Relaxed),
        tally.taken_away.load(Ordering::Relaxed),
    );
}

#[tokio::main]
async fn main() {
    // Cargo adds `--bench`.
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let number = |index: usize, usual: u64| {
        let given = words.get(index).and_then(|word| word.parse().ok());
        given.unwrap_or(usual)
    };
    let what = words.first().map_or("all", String::as_str);
    if matches!(what, "all" | "people") {
        people(number(1, 60)).await;
    }
    if matches!(what, "all" | "games") {
        let count = usize::try_from(number(1, 500)).expect("a number of games");
        let moves = usize::try_from(number(2, 20)).expect("a number of moves");
        games(count, moves).await;
    }
}
