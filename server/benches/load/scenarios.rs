//! The scenarios: what is done to a server, and what is measured.

use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use futures_util::future::join_all;
use futures_util::{StreamExt, stream};
use mawe_rules::Side;
use mawe_wire::ids::MatchId;
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::Options;
use crate::peer::{Peer, Running};
use crate::picture::{Picture, Point};
use crate::players::{Line, Orders, Received, Seat, Table, games};
use crate::usage;

/// The time that players get to join before the first move.
const GATHERING: Duration = Duration::from_millis(500);

/// The time for which an idle server is watched. An allocator returns freed pages to the system within it.
const IDLE: Duration = Duration::from_secs(15);

/// The number of matches that are prepared at once.
const AT_ONCE: usize = 32;

/// The number of moves that spectators watch.
const WATCHED_MOVES: usize = 15;

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Scenario {
    /// All matches move as fast as they can, until the first game is over.
    Throughput,
    /// All matches move at a rate.
    Latency,
    /// All matches move as fast as they can, and each is followed by a rematch.
    Churn,
    /// Joined sockets without a move, two a match.
    Idle,
    /// Spectators of one match.
    Spectators,
    /// All sockets are closed at once, and come back at once.
    Reconnect,
    /// Guests, matches, sockets.
    Admission,
    /// The start on existing data.
    Start,
}

type Figure = (&'static str, f64);

/// Two sockets of a match that are not joined yet.
struct Pair {
    id: MatchId,
    cookies: [Option<String>; 2],
}

impl Scenario {
    pub(crate) fn all() -> Vec<Scenario> {
        Scenario::value_variants().to_vec()
    }

    pub(crate) async fn measure(
        self,
        peer: &Peer,
        options: &Options,
        picture: &mut Picture,
    ) -> Vec<Figure> {
        if let Scenario::Start = self {
            return start(peer, options).await;
        }
        let server = peer.start(options).await;
        match self {
            Scenario::Throughput => throughput(&server, options).await,
            Scenario::Latency => latency(&server, options).await,
            Scenario::Churn => {
                let moves = Moves::of(&server, options, Duration::ZERO, true).await;
                picture.set(peer.name(), moves.points());
                churn(&moves)
            }
            Scenario::Idle => idle(&server, options).await,
            Scenario::Spectators => spectators(&server, options).await,
            Scenario::Reconnect => reconnect(&server, options).await,
            Scenario::Admission => admission(&server, options).await,
            Scenario::Start => unreachable!("it starts its servers itself"),
        }
    }
}

async fn pairs(server: &Running, count: usize) -> Vec<Pair> {
    let pair = async |_| {
        let (id, cookies) = server.pair().await;
        Pair { id, cookies }
    };
    stream::iter(0..count)
        .map(pair)
        .buffer_unordered(AT_ONCE)
        .collect()
        .await
}

/// The moves of a scenario within its period, and what they cost.
struct Moves {
    begin: Instant,
    received: Vec<Received>,
    seconds: f64,
    used: f64,
    written: u64,
}

impl Moves {
    /// Lets all pairs play.
    async fn of(server: &Running, options: &Options, interval: Duration, rematch: bool) -> Moves {
        let lasts = Duration::from_secs(options.seconds);
        let pairs = pairs(server, options.matches).await;
        let games = Arc::new(games());
        let orders = Arc::new(Orders {
            begin: Instant::now() + GATHERING + Duration::from_millis(2) * options.matches as u32,
            interval,
            rematch,
            over: Notify::new(),
        });
        let mut tasks = Vec::new();
        for (index, pair) in pairs.into_iter().enumerate() {
            let table = Table::new();
            for (side, cookie) in [Side::First, Side::Second].into_iter().zip(pair.cookies) {
                let mut seat = Seat {
                    line: Line::open(server.process.address, cookie.as_deref()).await,
                    id: pair.id.clone(),
                    side,
                    table: Arc::clone(&table),
                    games: Arc::clone(&games),
                    game: index,
                    is_bare: server.is_bare,
                    received: Vec::new(),
                };
                let (orders, until) = (Arc::clone(&orders), orders.begin + lasts);
                tasks.push(tokio::spawn(async move {
                    let _ = tokio::time::timeout_at(until.into(), seat.play(&orders)).await;
                    seat
                }));
            }
        }
        tokio::time::sleep_until(orders.begin.into()).await;
        let (used, written) = (server.used(), usage::written_by(server.process.id()));
        let _ = timeout(lasts, orders.over.notified()).await;
        let end = Instant::now();
        let (used, written) = (
            server.used() - used,
            usage::written_by(server.process.id()) - written,
        );
        let mut received = Vec::new();
        for task in tasks {
            // The others play on until their own game is over, after the period.
            let seat = task.await.expect("a player plays to the end");
            received.extend(seat.received.into_iter().filter(|(at, _)| *at <= end));
        }
        Moves {
            begin: orders.begin,
            received,
            seconds: (end - orders.begin).as_secs_f64(),
            used,
            written,
        }
    }

    fn per_second(&self) -> f64 {
        self.received.len() as f64 / self.seconds
    }

    fn processor_us(&self) -> f64 {
        self.used * 1_000_000.0 / self.received.len() as f64
    }

    fn points(&self) -> Vec<Point> {
        let received = self.received.iter();
        received
            .map(|(at, time)| (at.saturating_duration_since(self.begin), *time))
            .collect()
    }

    fn written_bytes(&self) -> f64 {
        self.written as f64 / self.received.len() as f64
    }

    /// Returns a quantile of the time from mover to opponent, in milliseconds.
    fn quantile_ms(&self, q: f64) -> f64 {
        let mut times: Vec<Duration> = self.received.iter().map(|(_, time)| *time).collect();
        times.sort_unstable();
        ms(usage::quantile(&times, q))
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

async fn throughput(server: &Running, options: &Options) -> Vec<Figure> {
    let moves = Moves::of(server, options, Duration::ZERO, false).await;
    vec![
        ("throughput: moves a second", moves.per_second()),
        (
            "throughput: processor time a move, µs",
            moves.processor_us(),
        ),
        (
            "throughput: move to opponent, p50, ms",
            moves.quantile_ms(0.5),
        ),
        ("throughput: p99, ms", moves.quantile_ms(0.99)),
        ("throughput: written bytes a move", moves.written_bytes()),
    ]
}

async fn latency(server: &Running, options: &Options) -> Vec<Figure> {
    let interval = Duration::from_secs(1) * options.matches as u32 / options.rate;
    let moves = Moves::of(server, options, interval, false).await;
    vec![
        ("at the rate: moves a second", moves.per_second()),
        (
            "at the rate: processor time a move, µs",
            moves.processor_us(),
        ),
        (
            "at the rate: move to opponent, p50, ms",
            moves.quantile_ms(0.5),
        ),
        ("at the rate: p99, ms", moves.quantile_ms(0.99)),
    ]
}

fn churn(moves: &Moves) -> Vec<Figure> {
    vec![
        (
            "with ends and rematches: moves a second",
            moves.per_second(),
        ),
        (
            "with ends and rematches: processor time a move, µs",
            moves.processor_us(),
        ),
        ("with ends and rematches: p50, ms", moves.quantile_ms(0.5)),
        ("with ends and rematches: p99, ms", moves.quantile_ms(0.99)),
        (
            "with ends and rematches: longest, ms",
            moves.quantile_ms(1.0),
        ),
    ]
}

/// Opens and joins the sockets of all pairs.
async fn joined(server: &Running, pairs: &[Pair]) -> Vec<Line> {
    let address = server.process.address;
    let seats = pairs.iter().flat_map(|pair| {
        let cookies = pair.cookies.iter();
        cookies.map(|cookie| (&pair.id, cookie.as_deref()))
    });
    let join = async |(id, cookie): (&MatchId, Option<&str>)| {
        let mut line = Line::open(address, cookie).await;
        line.join(id).await;
        line
    };
    join_all(seats.map(join)).await
}

async fn idle(server: &Running, options: &Options) -> Vec<Figure> {
    // The first match brings what every further one shares.
    let first = pairs(server, 1).await;
    let _first = joined(server, &first).await;
    let empty = usage::resident_kib(server.process.id());
    let pairs = pairs(server, options.sockets / 2).await;
    let lines = joined(server, &pairs).await;
    let before = server.used();
    tokio::time::sleep(IDLE).await;
    let used = server.used() - before;
    let full = usage::resident_kib(server.process.id());
    let each = full.saturating_sub(empty) as f64 / lines.len() as f64;
    vec![
        ("idle: memory a socket, its match included, KiB", each),
        (
            "idle: processor, % of a core",
            used / IDLE.as_secs_f64() * 100.0,
        ),
    ]
}

async fn spectators(server: &Running, options: &Options) -> Vec<Figure> {
    let pair = pairs(server, 1).await.remove(0);
    let (address, id) = (server.process.address, &pair.id);
    let watch = async |_| {
        let mut line = Line::open(address, None).await;
        line.join(id).await;
        line
    };
    let mut watchers = join_all((0..options.sockets).map(watch)).await;
    let (table, games) = (Table::new(), Arc::new(games()));
    let orders = Arc::new(Orders {
        begin: Instant::now(),
        interval: Duration::from_millis(400),
        rematch: true,
        over: Notify::new(),
    });
    let mut tasks = Vec::new();
    for (side, cookie) in [Side::First, Side::Second].into_iter().zip(&pair.cookies) {
        let mut seat = Seat {
            line: Line::open(address, cookie.as_deref()).await,
            id: pair.id.clone(),
            side,
            table: Arc::clone(&table),
            games: Arc::clone(&games),
            game: 0,
            is_bare: server.is_bare,
            received: Vec::new(),
        };
        let orders = Arc::clone(&orders);
        tasks.push(tokio::spawn(async move { seat.play(&orders).await }));
    }
    let before = server.used();
    let mut last = Vec::new();
    for _ in 0..WATCHED_MOVES {
        let heard = watchers.iter_mut().map(|line| async {
            line.until_a_move().await;
            table.since_sent()
        });
        last.push(join_all(heard).await.into_iter().max().unwrap_or_default());
    }
    let used = server.used() - before;
    for task in tasks {
        task.abort();
    }
    last.sort_unstable();
    let frames = (WATCHED_MOVES * watchers.len()) as f64;
    vec![
        (
            "spectators: a move to the last one, median, ms",
            ms(usage::quantile(&last, 0.5)),
        ),
        (
            "spectators: processor time a frame, µs",
            used * 1_000_000.0 / frames,
        ),
    ]
}

async fn reconnect(server: &Running, options: &Options) -> Vec<Figure> {
    let pairs = pairs(server, options.sockets / 2).await;
    let lines = joined(server, &pairs).await;
    let count = lines.len() as f64;
    drop(lines);
    let (before, begin) = (server.used(), Instant::now());
    let _back = joined(server, &pairs).await;
    let took = begin.elapsed();
    vec![
        ("reconnect of all sockets at once, ms", ms(took)),
        (
            "reconnect: processor time a socket, µs",
            (server.used() - before) * 1_000_000.0 / count,
        ),
    ]
}

async fn admission(server: &Running, options: &Options) -> Vec<Figure> {
    let (before, begin) = (server.used(), Instant::now());
    let pairs = pairs(server, options.matches).await;
    let lines = joined(server, &pairs).await;
    let took = begin.elapsed().as_secs_f64();
    vec![
        ("admission: players a second", lines.len() as f64 / took),
        (
            "admission: processor time a player, µs",
            (server.used() - before) * 1_000_000.0 / lines.len() as f64,
        ),
    ]
}

async fn start(peer: &Peer, options: &Options) -> Vec<Figure> {
    let first = peer.start(options).await;
    let data = first.data;
    first.process.stop("TERM").await;
    let begin = Instant::now();
    let again = peer.start_again(&data).await;
    let took = begin.elapsed();
    again.kill().await;
    vec![("start on existing data, ms", ms(took))]
}
