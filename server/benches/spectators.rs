//! Spectators of one match or one event, spread evenly over nodes: the time from a move, or from a change of the event, to the last of them, and
//! the processor time of a frame.
//!
//! `cargo bench -p mawe-server --bench spectators -- [--event] [--nodes N]… [--spectators N] [--moves N]`. The nodes are processes of the program, and so
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
use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use cluster::Cluster;
use common::play::Seat;
use common::{PASSWORD, Person};
use usage::used_by;

/// The number of sockets that a process opens at once.
const AT_ONCE: usize = 64;

/// The number of addresses of the spectators of a node: one address may have half of a node's connections at most.
const SOURCES: usize = 8;

/// The number of rows of the standings in a state of an event.
const STATE_ROWS: usize = 20;

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
    /// The number of moves, or of changes, that they watch.
    #[arg(long, default_value_t = 15)]
    moves: usize,
    /// An event instead of a match: its state is sent once a second at most.
    #[arg(long)]
    event: bool,
    /// Watches this match or event on the node of `--at`, with `--spectators` sockets, and prints the time of the last frame of each move.
    #[arg(long, hide = true, requires = "at")]
    watch: Option<String>,
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
    fn start(at: SocketAddr, id: &str, count: usize, options: &Options) -> Watchers {
        let program = std::env::current_exe().expect("this program has a path");
        let mut process = Command::new(program)
            .args(["--watch", id, "--at", &at.to_string()])
            .args(["--spectators", &count.to_string()])
            .args(["--moves", &options.moves.to_string()])
            .args(options.event.then_some("--event"))
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

/// Watches a match or an event with many sockets.
async fn watch(id: &str, at: SocketAddr, options: &Options) {
    let join = async |number: usize| {
        let source = Ipv4Addr::new(127, 0, 1, 1 + (number % SOURCES) as u8);
        let line = Line::open_from(source, at, None).await;
        let mut line = line.expect("the server accepts it");
        let joined = if options.event {
            line.watch_event(&id.parse().expect("an id")).await
        } else {
            let joined = line.join(&id.parse().expect("an id")).await;
            joined.map(|_| ())
        };
        joined.expect("it can be watched");
        line
    };
    let opening = stream::iter(0..options.spectators).map(join);
    let mut lines: Vec<Line> = opening.buffer_unordered(AT_ONCE).collect().await;
    println!("{JOINED}");
    for _ in 0..options.moves {
        let heard = lines.iter_mut().map(|line| async {
            let heard = if options.event {
                line.until_a_state().await
            } else {
                line.until_a_move().await
            };
            heard.expect("it is open");
            now_us()
        });
        let last = join_all(heard).await.into_iter().max();
        println!("{}", last.unwrap_or_default());
    }
}

/// The watched match or event, with its players.
enum Subject {
    Match {
        id: String,
        seats: Box<[Seat; 2]>,
        rng: fastrand::Rng,
    },
    Event {
        id: String,
        player: Box<Person>,
        is_in: bool,
    },
}

impl Subject {
    /// A match, on the node of its first player.
    async fn a_match(cluster: &Cluster) -> Subject {
        let at = |which: usize| cluster.nodes[which % cluster.nodes.len()].address;
        let mut first = Person::guest_at(at(0)).await;
        let mut second = Person::guest_at(at(1)).await;
        let id = first.play_with(&mut second, "first", false).await;
        let seats = Box::new([
            Seat::take(&first, &id, Side::First).await,
            Seat::take(&second, &id, Side::Second).await,
        ]);
        let rng = fastrand::Rng::with_seed(7);
        Subject::Match { id, seats, rng }
    }

    /// A coming event with as many players as its state has rows.
    async fn an_event(cluster: &Cluster) -> Subject {
        let at = cluster.nodes[0].address;
        let account = async |number: usize| {
            let mut person = Person::at(at);
            let who = json!({ "name": format!("Player{number}"), "password": PASSWORD });
            let made = person.post("/api/v1/accounts", &who).await;
            assert_eq!(made.status, 201, "{made:?}");
            person
        };
        let mut creator = account(0).await;
        let start = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1);
        let terms = json!({
            "kind": "arena", "name": "Friday", "game": "mawe", "duration_minutes": 60, "start_at": start.to_string(),
            "time_control": { "kind": "realtime", "base_ms": 180_000, "increment_ms": 2_000 },
        });
        let id = creator.post("/api/v1/events", &terms).await.text("/id");
        for number in 1..=STATE_ROWS {
            join_event(&mut account(number).await, &id, "join").await;
        }
        Subject::Event {
            id,
            player: Box::new(creator),
            is_in: false,
        }
    }

    fn id(&self) -> &str {
        match self {
            Subject::Match { id, .. } | Subject::Event { id, .. } => id,
        }
    }

    /// Makes a change, of which the spectators are told once; returns the time before it.
    async fn change(&mut self) -> u64 {
        match self {
            Subject::Match { seats, rng, .. } => {
                let mover = usize::from(seats[0].mirror.state.turn == Side::Second);
                let text = rng
                    .choice(&seats[mover].mirror.state.legal)
                    .expect("it is not over");
                let (command, sent_us) = (seats[mover].a_move(text), now_us());
                seats[mover].send(command).await;
                for seat in &mut **seats {
                    seat.event().await;
                }
                sent_us
            }
            Subject::Event { id, player, is_in } => {
                let sent_us = now_us();
                let step = if *is_in { "withdraw" } else { "join" };
                join_event(player, id, step).await;
                *is_in = !*is_in;
                sent_us
            }
        }
    }
}

async fn join_event(person: &mut Person, id: &str, step: &str) {
    let path = format!("/api/v1/events/{id}/{step}");
    let done = person.post(&path, &json!({})).await;
    assert!(done.status.is_success(), "{done:?}");
}

async fn measure(nodes: usize, options: &Options) {
    let cluster = Cluster::start(nodes, &["--spectator-delay=0"]).await;
    let mut subject = if options.event {
        Subject::an_event(&cluster).await
    } else {
        Subject::a_match(&cluster).await
    };
    let each = options.spectators / nodes;
    let start = |node: usize| {
        let at = cluster.nodes[node].address;
        Watchers::start(at, subject.id(), each, options)
    };
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
    let mut waits = Vec::new();
    for _ in 0..options.moves {
        let sent_us = subject.change().await;
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
        "{nodes} nodes, {} spectators: a change to the last one, median {:.0} ms, longest {:.0} ms; processor time of the nodes a frame {:.1} µs, \
         of NATS a change {:.0} µs",
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
        return watch(id, at, &options).await;
    }
    for nodes in &options.nodes {
        measure(*nodes, &options).await;
    }
}
