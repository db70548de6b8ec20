//! Spectators of one match, spread evenly over nodes: the time from a move to the last of them, and the processor time of a frame.
//!
//! `cargo bench -p mawe-server --bench spectators -- [--nodes N]… [--spectators N] [--moves N]`. The nodes are processes of the program, and so
//! are the spectators of each node: a process may have fewer files open than there are spectators. All share the cores of one machine, so
//! the next move begins only after the last spectator has the one before.

#[path = "common/cluster.rs"]
mod cluster;
#[path = "../tests/common/mod.rs"]
mod common;
#[path = "common/usage.rs"]
mod usage;

use std::net::{Ipv4Addr, SocketAddr};
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use clap::Parser;
use futures_util::future::join_all;
use futures_util::{StreamExt, stream};
use mawe_rules::Side;
use mawe_server::connections::open_files::OpenFiles;
use mawe_server::load::line::Line;
use mawe_server::load::quantile;
use mawe_wire::ids::MatchId;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use cluster::Cluster;
use common::Person;
use common::play::Seat;
use usage::used_by;

/// The number of sockets that a process opens at once.
const AT_ONCE: usize = 64;

/// The number of addresses of the spectators of a node: one address may have half of a node's connections at most.
const SOURCES: usize = 8;

/// The words of a process of spectators once all have joined.
const JOINED: &str = "joined";

#[derive(Debug, Parser)]
struct Options {
    /// The number of nodes, measured one after the other.
    #[arg(long, default_values_t = [1, 3])]
    nodes: Vec<usize>,
    /// The number of spectators of the match, on all nodes together.
    #[arg(long, default_value_t = 3_000)]
    spectators: usize,
    /// The number of moves that they watch.
    #[arg(long, default_value_t = 15)]
    moves: usize,
    /// Watches this match on the node of `--at`, with `--spectators` sockets, and prints the time of the last frame of each move.
    #[arg(long, hide = true, requires = "at")]
    watch: Option<MatchId>,
    #[arg(long, hide = true)]
    at: Option<SocketAddr>,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// A process of spectators.
struct Watchers {
    output: Lines<BufReader<ChildStdout>>,
    _process: Child,
}

impl Watchers {
    fn start(at: SocketAddr, id: &str, count: usize, moves: usize) -> Watchers {
        let program = std::env::current_exe().expect("this program has a path");
        let mut process = Command::new(program)
            .args(["--watch", id, "--at", &at.to_string()])
            .args([
                "--spectators",
                &count.to_string(),
                "--moves",
                &moves.to_string(),
            ])
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("this program runs");
        let output = process.stdout.take().expect("it is piped");
        Watchers {
            output: BufReader::new(output).lines(),
            _process: process,
        }
    }

    async fn line(&mut self) -> String {
        let line = self.output.next_line().await.expect("it is text");
        line.expect("the spectators watch to the end")
    }
}

/// Returns the time of day in microseconds, which all processes share.
fn now_us() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let us = since.expect("after 1970").as_micros();
    u64::try_from(us).expect("before the year 500,000")
}

/// Watches a match with many sockets.
async fn watch(id: &MatchId, at: SocketAddr, count: usize, moves: usize) {
    let join = async |number: usize| {
        let source = Ipv4Addr::new(127, 0, 1, 1 + (number % SOURCES) as u8);
        let line = Line::open_from(source, at, None).await;
        let mut line = line.expect("the server accepts it");
        line.join(id).await.expect("it can be watched");
        line
    };
    let opening = stream::iter(0..count).map(join).buffer_unordered(AT_ONCE);
    let mut lines: Vec<Line> = opening.collect().await;
    println!("{JOINED}");
    for _ in 0..moves {
        let heard = lines.iter_mut().map(|line| async {
            line.until_a_move().await.expect("it is open");
            now_us()
        });
        let last = join_all(heard).await.into_iter().max();
        println!("{}", last.unwrap_or_default());
    }
}

async fn measure(nodes: usize, options: &Options) {
    let cluster = Cluster::start(nodes, &["--spectator-delay=0"]).await;
    let at = |which: usize| cluster.nodes[which % nodes].address;
    // The match is on the node of its first player.
    let mut first = Person::guest_at(at(0)).await;
    let mut second = Person::guest_at(at(1)).await;
    let id = first.play_with(&mut second, "first", false).await;
    let mut seats = [
        Seat::take(&first, &id, Side::First).await,
        Seat::take(&second, &id, Side::Second).await,
    ];
    let each = options.spectators / nodes;
    let start = |node| Watchers::start(at(node), &id, each, options.moves);
    let mut watchers: Vec<Watchers> = (0..nodes).map(start).collect();
    for joined in join_all(watchers.iter_mut().map(Watchers::line)).await {
        assert_eq!(joined, JOINED);
    }
    let used = || -> f64 {
        let nodes = cluster.nodes.iter();
        nodes.filter_map(|node| Some(used_by(node.id())?.0)).sum()
    };
    let nats = || used_by(cluster.nats.process()).map_or(0.0, |(used, _)| used);
    let before = (used(), nats());
    let mut rng = fastrand::Rng::with_seed(7);
    let mut waits = Vec::new();
    for _ in 0..options.moves {
        let mover = usize::from(seats[0].mirror.state.turn == Side::Second);
        let text = rng
            .choice(&seats[mover].mirror.state.legal)
            .expect("it is not over");
        let (command, sent_us) = (seats[mover].a_move(text), now_us());
        seats[mover].send(command).await;
        for seat in &mut seats {
            seat.event().await;
        }
        let heard = join_all(watchers.iter_mut().map(Watchers::line)).await;
        let last: Option<u64> = heard.iter().map(|us| us.parse().expect("a time")).max();
        waits.push(Duration::from_micros(
            last.unwrap_or(0).saturating_sub(sent_us),
        ));
    }
    waits.sort_unstable();
    let frames = (each * nodes * options.moves) as f64;
    let us = |seconds: f64| seconds * 1_000_000.0;
    println!(
        "{nodes} nodes, {} spectators: a move to the last one, median {:.0} ms, longest {:.0} ms; processor time of the nodes a frame {:.1} µs, \
         of NATS a move {:.0} µs",
        each * nodes,
        quantile(&waits, 0.5).as_secs_f64() * 1_000.0,
        quantile(&waits, 1.0).as_secs_f64() * 1_000.0,
        us(used() - before.0) / frames,
        us(nats() - before.1) / options.moves as f64,
    );
}

#[tokio::main]
async fn main() {
    let options = Options::parse();
    // The sockets of the spectators are files of their process.
    OpenFiles::raise_limit().log();
    if let (Some(id), Some(at)) = (&options.watch, options.at) {
        return watch(id, at, options.spectators, options.moves).await;
    }
    for nodes in &options.nodes {
        measure(*nodes, &options).await;
    }
}
