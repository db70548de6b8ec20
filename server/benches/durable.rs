//! Durable moves a second over many concurrent matches, on SQLite and on Postgres: every move passes its room's actor, the rules and the
//! journal's writer, and counts when the mover has received its event.
//!
//! `cargo bench -p mawe-server --bench durable -- [MATCHES] [SECONDS] [--untimed]`. Both players of a match move at once when it is their
//! turn, without sockets between: the figure is that of rooms and store. Random legal moves; the games are generated beforehand.

#[path = "../tests/common/postgres.rs"]
mod postgres;
#[path = "common/usage.rs"]
mod usage;

use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use fastrand::Rng;
use futures_util::{StreamExt, stream};
use mawe_rules::{AnySetup, BySide, GameKind, Record, Side};
use mawe_server::bots::Bots;
use mawe_server::connections::admission::{Admission, ConnectionLimits};
use mawe_server::live::arrange::{self, Terms};
use mawe_server::live::journal::Journal;
use mawe_server::live::message::{Caller, Envelope, RoomMsg};
use mawe_server::live::notices;
use mawe_server::live::outbox::Outbox;
use mawe_server::live::rooms::Rooms;
use mawe_server::live::services::{Services, Settings};
use mawe_server::live::sockets::Sockets;
use mawe_server::trace::Trace;
use mawe_store::{NewPlayer, Player, Store};
use mawe_wire::ids::{MatchId, PlayerId};
use mawe_wire::{Command, MatchMsg, MatchOptions, PlayerKind, TimeControl};
use tokio::sync::Semaphore;

/// The number of different games.
const GAMES: usize = 64;

/// The number of players or matches that are made at once: the store gives up on a write that waits for too long.
const AT_ONCE: usize = 64;

#[derive(Debug, Clone, Copy, Parser)]
struct Options {
    /// The number of matches that are played at once.
    #[arg(default_value_t = 500)]
    matches: usize,
    /// The time for which they are played.
    #[arg(default_value_t = 10)]
    seconds: u64,
    /// Plays without clocks. Tens of thousands of matches take longer to begin than a player has for the first move.
    #[arg(long)]
    untimed: bool,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

impl Options {
    fn time_control(self) -> TimeControl {
        if self.untimed {
            return TimeControl::Unlimited;
        }
        TimeControl::Realtime {
            base_ms: 300_000,
            increment_ms: 3_000,
        }
    }
}

/// The two players of a match, and the number of their next socket.
struct Pair {
    players: BySide<Player>,
    games: Arc<Vec<Vec<String>>>,
    next_game: usize,
    number: u64,
}

fn games(kind: GameKind) -> Vec<Vec<String>> {
    let game = |seed| {
        let mut rng = Rng::with_seed(seed);
        let mut record = Record::new(kind, &AnySetup::standard(kind)).expect("every game starts");
        std::iter::from_fn(|| {
            let text = rng.choice(record.legal_moves())?;
            record.play(&text).expect("it is legal");
            Some(text)
        })
        .collect()
    };
    (0..GAMES as u64).map(game).collect()
}

async fn player(store: &dyn Store) -> Player {
    let id = PlayerId::random();
    let player = Player {
        id: id.clone(),
        name: format!("p{id}"),
        kind: PlayerKind::Guest,
        level: None,
        look: mawe_wire::Look::default(),
        created_ms: 0,
    };
    store
        .create_player(
            &NewPlayer {
                player: player.clone(),
                password_hash: None,
            },
            None,
        )
        .await
        .expect("a player");
    player
}

/// A match that both players have joined.
struct Table {
    id: MatchId,
    callers: BySide<Caller>,
}

/// Makes a match of the pair, and lets both join it.
async fn make(rooms: &Arc<Rooms>, pair: &Pair, time_control: TimeControl) -> Table {
    let terms = Terms {
        game: GameKind::Mawe,
        setup: AnySetup::standard(GameKind::Mawe),
        time_control,
        rated: false,
        options: MatchOptions::usual(false),
        private: false,
    };
    let store = rooms.services.store.as_ref();
    let new = arrange::prepare(store, &terms, &pair.players, None)
        .await
        .expect("the store answers");
    store.create_match(&new).await.expect("a match");
    let id = new.id;
    let caller = |side: Side, number| Caller {
        socket: number,
        player: Some(pair.players[side].id.clone()),
        outbox: Arc::new(Outbox::default()),
    };
    let callers = BySide::new(
        caller(Side::First, pair.number),
        caller(Side::Second, pair.number + 1),
    );
    for (_, caller) in callers.iter() {
        let join = RoomMsg::Join {
            caller: caller.clone(),
            since: None,
            answered: None,
        };
        rooms.send(&id, join).await;
        caller.outbox.ready().await;
    }
    Table { id, callers }
}

/// Plays a match, and further ones, until the time is up; returns the latencies of its moves in microseconds.
async fn play(
    rooms: Arc<Rooms>,
    mut pair: Pair,
    first: Table,
    making: Arc<Semaphore>,
    time_control: TimeControl,
    until: Instant,
) -> Vec<u32> {
    let mut latencies = Vec::new();
    let mut table = first;
    loop {
        play_one(&rooms, &table, &pair, until, &mut latencies).await;
        pair.next_game += 1;
        if Instant::now() >= until {
            return latencies;
        }
        let _place = making.acquire().await.expect("it is never closed");
        table = make(&rooms, &pair, time_control).await;
    }
}

async fn play_one(
    rooms: &Arc<Rooms>,
    table: &Table,
    pair: &Pair,
    until: Instant,
    latencies: &mut Vec<u32>,
) {
    let Table { id, callers } = table;
    let mut frames = Vec::new();
    let mut side = Side::First;
    for (ply, text) in (0u32..).zip(&pair.games[pair.next_game % GAMES]) {
        let sent = Instant::now();
        if sent >= until {
            break;
        }
        let name = format!("c{ply}");
        let needle = format!("\"client_id\":\"{name}\"");
        let command = Command::Move {
            ply,
            text: text.clone(),
        };
        let client_id = name.parse().expect("a client id");
        let caller = &callers[side];
        rooms
            .send(
                id,
                RoomMsg::Client(Envelope {
                    caller: caller.clone(),
                    received: sent,
                    lag_ms: 0,
                    message: MatchMsg::Command {
                        client_id,
                        seq: 0,
                        command,
                    },
                    unheard: false,
                    trace: Trace::default(),
                }),
            )
            .await;
        'answered: loop {
            caller.outbox.ready().await;
            assert_eq!(
                caller.outbox.drain(&mut frames),
                None,
                "an outbox that is read is not cut"
            );
            for frame in frames.drain(..) {
                assert!(!frame.contains("\"t\":\"error\""), "{frame}");
                if frame.contains(&needle) {
                    break 'answered;
                }
            }
        }
        latencies.push(u32::try_from(sent.elapsed().as_micros()).unwrap_or(u32::MAX));
        // The opponent's events are read as well.
        callers[side.other()].outbox.drain(&mut frames);
        frames.clear();
        side = side.other();
    }
    for (_, caller) in callers.iter() {
        rooms
            .send_if_open(
                id,
                RoomMsg::Leave {
                    socket: caller.socket,
                },
            )
            .await;
    }
}

async fn measure(name: &str, url: &str, options: Options) {
    let time_control = options.time_control();
    let store = mawe_store::open(url).await.expect("the store opens");
    let (journal, writer) = Journal::start(store.clone());
    let (bots, _answers) = Bots::new();
    let settings = Settings {
        spectator_delay: Duration::ZERO,
        linger: Duration::from_secs(60),
        rematch_offer: Duration::from_secs(60),
    };
    let admission = Admission::new(&ConnectionLimits::default(), u64::MAX);
    let sockets = Arc::new(Sockets::new(admission));
    let (notices, _) = notices::queue(&store, &sockets);
    let rooms = Rooms::new(Services::new(
        Arc::clone(&store),
        journal,
        bots,
        "bench".to_owned(),
        settings,
        None,
        None,
        notices,
    ));
    let games = Arc::new(games(GameKind::Mawe));
    let pair = async |index| {
        let players = BySide::new(player(store.as_ref()).await, player(store.as_ref()).await);
        let pair = Pair {
            players,
            games: Arc::clone(&games),
            next_game: index,
            number: 2 * index as u64,
        };
        let first = make(&rooms, &pair, time_control).await;
        (pair, first)
    };
    let pairs = stream::iter(0..options.matches).map(pair);
    let pairs: Vec<_> = pairs.buffer_unordered(AT_ONCE).collect().await;
    let making = Arc::new(Semaphore::new(AT_ONCE));
    let (began, used) = (Instant::now(), usage::used_here());
    let until = began + Duration::from_secs(options.seconds);
    let tasks: Vec<_> = pairs
        .into_iter()
        .map(|(pair, first)| {
            let (rooms, making) = (Arc::clone(&rooms), Arc::clone(&making));
            tokio::spawn(play(rooms, pair, first, making, time_control, until))
        })
        .collect();
    let mut latencies = Vec::new();
    for task in tasks {
        latencies.extend(task.await.expect("a pair plays to the end"));
    }
    let (seconds, used) = (began.elapsed().as_secs_f64(), usage::used_here() - used);
    latencies.sort_unstable();
    let quantile =
        |q: f64| f64::from(latencies[((latencies.len() - 1) as f64 * q) as usize]) / 1_000.0;
    println!(
        "{name}: {} matches, {} durable moves in {seconds:.1} s: {:.0} moves/s; move to its own event p50 {:.2} ms, p99 {:.2} ms; {:.1} µs of this process a move",
        options.matches,
        latencies.len(),
        latencies.len() as f64 / seconds,
        quantile(0.5),
        quantile(0.99),
        used.as_secs_f64() * 1_000_000.0 / latencies.len() as f64,
    );
    rooms.stop().await;
    drop(rooms);
    writer.await.expect("the writer ends");
    store.close().await;
}

#[tokio::main]
async fn main() {
    let options = Options::parse();
    let directory = tempfile::tempdir().expect("a temporary directory");
    let sqlite = format!("sqlite:{}", directory.path().join("bench.sqlite").display());
    measure("SQLite", &sqlite, options).await;
    let postgres = postgres::Postgres::durable();
    let url = postgres.fresh_database().await;
    measure("Postgres", &url, options).await;
}
