//! The scenarios: what is done to a server, and what is measured.

use std::time::{Duration, Instant};

use clap::ValueEnum;
use futures_util::{StreamExt, stream};
use mawe_server::load::line::Line;
use mawe_server::load::playing::{self, Pace, Pair, Playing};
use mawe_server::load::quantile;
use mawe_server::load::watching::{self, Watching};

use crate::Options;
use crate::peer::{Peer, Running};
use crate::picture::{Picture, Point};
use crate::usage;

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
    stream::iter(0..count)
        .map(|_| server.pair())
        .buffer_unordered(AT_ONCE)
        .collect()
        .await
}

/// The moves of a scenario within its period, and what they cost.
struct Moves {
    moves: playing::Moves,
    used: f64,
    written: u64,
}

impl Moves {
    /// Lets all pairs play.
    async fn of(server: &Running, options: &Options, interval: Duration, rematch: bool) -> Moves {
        let pairs = pairs(server, options.matches).await;
        let pace = Pace {
            interval,
            rematch,
            lasts: Duration::from_secs(options.seconds),
            is_bare: server.is_bare,
        };
        let open = async |cookie: Option<&str>| Line::open(server.process.address, cookie).await;
        let playing = Playing::start(pairs, pace, open).await;
        let playing = playing.expect("the server accepts all sockets");
        playing.begin().await;
        let (used, written) = (server.used(), usage::written_by(server.process.id()));
        let end = playing.end().await;
        let (used, written) = (
            server.used() - used,
            usage::written_by(server.process.id()) - written,
        );
        Moves {
            moves: playing.moves(end).await.expect("all players can play"),
            used,
            written,
        }
    }

    fn processor_us(&self) -> f64 {
        self.used * 1_000_000.0 / self.moves.received.len() as f64
    }

    fn points(&self) -> Vec<Point> {
        let received = self.moves.received.iter();
        received
            .map(|(at, time)| (at.saturating_duration_since(self.moves.begin), *time))
            .collect()
    }

    fn written_bytes(&self) -> f64 {
        self.written as f64 / self.moves.received.len() as f64
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

async fn throughput(server: &Running, options: &Options) -> Vec<Figure> {
    let moves = Moves::of(server, options, Duration::ZERO, false).await;
    let [p50, p99] = moves.moves.quantiles_ms([0.5, 0.99]);
    vec![
        ("throughput: moves a second", moves.moves.per_second()),
        (
            "throughput: processor time a move, µs",
            moves.processor_us(),
        ),
        ("throughput: move to opponent, p50, ms", p50),
        ("throughput: p99, ms", p99),
        ("throughput: written bytes a move", moves.written_bytes()),
    ]
}

async fn latency(server: &Running, options: &Options) -> Vec<Figure> {
    let interval = Duration::from_secs(1) * options.matches as u32 / options.rate;
    let moves = Moves::of(server, options, interval, false).await;
    let [p50, p99] = moves.moves.quantiles_ms([0.5, 0.99]);
    vec![
        ("at the rate: moves a second", moves.moves.per_second()),
        (
            "at the rate: processor time a move, µs",
            moves.processor_us(),
        ),
        ("at the rate: move to opponent, p50, ms", p50),
        ("at the rate: p99, ms", p99),
    ]
}

fn churn(moves: &Moves) -> Vec<Figure> {
    let [p50, p99, longest] = moves.moves.quantiles_ms([0.5, 0.99, 1.0]);
    vec![
        (
            "with ends and rematches: moves a second",
            moves.moves.per_second(),
        ),
        (
            "with ends and rematches: processor time a move, µs",
            moves.processor_us(),
        ),
        ("with ends and rematches: p50, ms", p50),
        ("with ends and rematches: p99, ms", p99),
        ("with ends and rematches: longest, ms", longest),
    ]
}

/// Opens and joins the sockets of all pairs.
async fn joined(server: &Running, pairs: &[Pair]) -> Vec<Line> {
    let open = async |cookie: Option<&str>| Line::open(server.process.address, cookie).await;
    let joined = watching::joined(pairs, open).await;
    joined.expect("the server accepts all sockets")
}

async fn idle(server: &Running, options: &Options) -> Vec<Figure> {
    // The first match allocates the parts that all share.
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
    let open = async |cookie: Option<&str>| Line::open(server.process.address, cookie).await;
    let watching = Watching::start(&pair, options.sockets, server.is_bare, open).await;
    let mut watching = watching.expect("the server accepts all sockets");
    let before = server.used();
    let mut last = Vec::new();
    for _ in 0..WATCHED_MOVES {
        last.push(watching.next().await.expect("all spectators hear it"));
    }
    let used = server.used() - before;
    last.sort_unstable();
    let frames = (WATCHED_MOVES * options.sockets) as f64;
    vec![
        (
            "spectators: a move to the last one, median, ms",
            ms(quantile(&last, 0.5)),
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
