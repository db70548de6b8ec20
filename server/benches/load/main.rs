//! The server under load, beside a bare WebSocket server: throughput, latency at a rate, games that end and begin, idle sockets, spectators,
//! a storm of reconnects, admission, and the start.
//!
//! `cargo bench -p mawe-server --bench load -- [SCENARIO…] [--against PROGRAM] [--rounds N] [--directory DIR] [--postgres] [--picture FILE]`; all scenarios
//! without one. Each server is a process of its own; the players and the measured server share the machine. `bare` is an axum server that
//! sends each message to the two sockets of a match, and nothing more: with it a figure is a ratio of one run. `--against` measures another
//! build of `mawe` in turns with this one. Each figure is the median of the rounds.
//!
//! Players play Reversi with moves that were drawn beforehand. They parse no event: what a browser does with it is not measured here.

#[path = "../../tests/common/mod.rs"]
mod common;
mod echo;
mod peer;
mod picture;
mod scenarios;
#[path = "../common/usage.rs"]
mod usage;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Parser;

use peer::Peer;
use picture::Picture;
use scenarios::Scenario;

#[derive(Debug, Parser)]
struct Options {
    /// The scenarios; all without one.
    scenarios: Vec<Scenario>,
    /// Another build of `mawe`, measured in turns with this one.
    #[arg(long)]
    against: Option<PathBuf>,
    /// The number of rounds; each figure is the median.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// The number of matches in the scenarios of moves.
    #[arg(long, default_value_t = 500)]
    matches: usize,
    /// The longest time of a scenario of moves in seconds.
    #[arg(long, default_value_t = 8)]
    seconds: u64,
    /// The moves a second in the scenario `latency`, of all matches together.
    #[arg(long, default_value_t = 1_000)]
    rate: u32,
    /// The number of sockets in the scenarios `idle`, `spectators` and `reconnect`.
    #[arg(long, default_value_t = 2_000)]
    sockets: usize,
    /// The directory of the data, such as one in memory; the system's temporary directory without one.
    #[arg(long)]
    directory: Option<PathBuf>,
    /// Measures the servers on Postgres instead of SQLite.
    #[arg(long)]
    postgres: bool,
    /// Draws the latency of the scenario `churn` over its time into this file, as an SVG, of the last round.
    #[arg(long)]
    picture: Option<PathBuf>,
    /// Serves as the bare server, with events of this size.
    #[arg(long, hide = true)]
    echo: Option<usize>,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// The figures of all rounds by measure, then by peer, in the order in which they came.
#[derive(Default)]
struct Figures {
    measures: Vec<&'static str>,
    values: BTreeMap<(&'static str, &'static str), Vec<f64>>,
}

impl Figures {
    fn add(&mut self, peer: &'static str, figures: Vec<(&'static str, f64)>) {
        for (measure, value) in figures {
            if !self.measures.contains(&measure) {
                self.measures.push(measure);
            }
            self.values.entry((measure, peer)).or_default().push(value);
        }
    }

    fn median(&self, measure: &'static str, peer: &'static str) -> Option<f64> {
        let mut values = self.values.get(&(measure, peer))?.clone();
        values.sort_by(f64::total_cmp);
        Some(mawe_server::load::quantile(&values, 0.5))
    }

    fn print(&self, peers: &[Peer]) {
        let names = peers.iter().map(Peer::name);
        let names: Vec<&str> = names.collect();
        println!(
            "| measure | {} | new to bare | new to old |",
            names.join(" | ")
        );
        println!("|---|{}---|---|", "---|".repeat(names.len()));
        for measure in &self.measures {
            let median = |name| self.median(measure, name);
            let values: Vec<String> = peers
                .iter()
                .map(|peer| median(peer.name()).map_or_else(|| "–".to_owned(), number))
                .collect();
            let ratio = |of: Option<f64>, to: Option<f64>| match (of, to) {
                (Some(of), Some(to)) if to != 0.0 => format!("{:.2}", of / to),
                _ => "–".to_owned(),
            };
            println!(
                "| {measure} | {} | {} | {} |",
                values.join(" | "),
                ratio(median("new"), median("bare")),
                ratio(median("new"), median("old")),
            );
        }
    }
}

fn number(value: f64) -> String {
    if value >= 100.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}")
    }
}

#[tokio::main]
async fn main() {
    let options = Options::parse();
    if let Some(bytes) = options.echo {
        return echo::serve(bytes).await;
    }
    // The sockets of the players are files of this process.
    let files = mawe_server::connections::open_files::OpenFiles::raise_limit();
    files.log();
    let scenarios = if options.scenarios.is_empty() {
        Scenario::all()
    } else {
        options.scenarios.clone()
    };
    let peers = Peer::all(&options);
    let (mut figures, mut picture) = (Figures::default(), Picture::default());
    for scenario in scenarios {
        for round in 1..=options.rounds {
            for peer in &peers {
                eprintln!("{scenario:?}, round {round}: {}", peer.name());
                let measured = scenario.measure(peer, &options, &mut picture).await;
                figures.add(peer.name(), measured);
            }
        }
    }
    figures.print(&peers);
    if let Some(file) = &options.picture {
        std::fs::write(file, picture.svg()).expect("the file of the picture can be written");
    }
}
