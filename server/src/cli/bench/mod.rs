//! `mawe bench`: the players that this machine can serve, measured by games over real sockets.

mod child;
mod report;

use std::path::PathBuf;
use std::time::Duration;

use axum::http::Uri;
use clap::Args;
use indicatif::ProgressBar;
use mawe_store::ScratchDatabase;

use self::child::Own;
use self::report::{MovesFigures, Report, SocketFigures, SpectatorFigures, Verdict};
use crate::cli::output::{Failure, print, runtime};
use crate::cli::progress;
use crate::cli::signals::Signals;
use crate::config::DATA_DIR;
use crate::connections::open_files::OpenFiles;
use crate::load::playing::{Moves, Pace, Playing};
use crate::load::target::{Stream, Target};
use crate::load::watching::{self, Watching};
use crate::load::{LoadError, quantile};

/// The parts of the throughput that are tried as rates.
const SHARES: [f64; 4] = [0.1, 0.25, 0.5, 0.75];

/// The shortest interval between two moves of a match on a server elsewhere, where a socket may send 15 messages a second.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(160);

/// The number of moves that spectators watch.
const WATCHED_MOVES: usize = 15;

const BAR: &str = "{msg:34} {wide_bar} {pos:>5} of {len}, {elapsed}";

/// `mawe bench`.
#[derive(Debug, Args)]
pub(super) struct BenchOptions {
    /// The server to measure [default: one of its own on this machine, which is deleted afterwards]
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Measure a server on another machine. It must be yours: the guests and matches stay there, and to others this is an attack
    #[arg(long, requires = "url")]
    allow_remote: bool,
    /// The number of matches at once [default: 200; 8 with --url]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    matches: Option<u32>,
    /// The longest time of each measurement of moves, in seconds
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=600))]
    seconds: u32,
    /// The number of open sockets and of spectators [default: 1000; 50 with --url]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=50_000))]
    sockets: Option<u32>,
    /// The directory on whose disk the own server writes [default: the data directory if it is there, else this one]
    #[arg(long, value_name = "DIR", conflicts_with = "url")]
    directory: Option<PathBuf>,
    /// Let the own server write to Postgres: a database is made beside that of this address, and removed afterwards. Its user needs CREATEDB
    #[arg(long, env = "MAWE_BENCH_DATABASE", value_name = "URL", hide_env_values = true, conflicts_with_all = ["url", "directory"])]
    database: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The server to measure, and the size of the load.
struct Bench {
    target: Target,
    own: Option<Own>,
    matches: usize,
    sockets: usize,
    lasts: Duration,
    bar: ProgressBar,
}

pub(super) fn run(options: BenchOptions) -> Result<(), Failure> {
    if let Some(url) = &options.url
        && !options.allow_remote
        && !is_here(url)
    {
        return Err(Failure::BadInput(format!(
            "{url} is not on this machine: --allow-remote says that it is your server, and that guests and matches may stay on it"
        )));
    }
    // The sockets of the players are files of this process. Where there are too few, a socket cannot be opened, and the error says so.
    let _ = OpenFiles::raise_limit();
    let report = runtime()?.block_on(measured(&options))?;
    if options.json {
        let json = serde_json::to_string(&report).expect("numbers and text");
        print(&format!("{json}\n"))
    } else {
        print(&report.text())
    }
}

/// Returns whether an address is of this machine.
fn is_here(url: &str) -> bool {
    let uri = url.parse::<Uri>().ok();
    let host = uri.as_ref().and_then(Uri::host).unwrap_or_default();
    let ip = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    host == "localhost" || ip.is_ok_and(|ip| ip.is_loopback())
}

async fn measured(options: &BenchOptions) -> Result<Report, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
    let signals = Signals::new().map_err(|error| failed(&error))?;
    let Some(url) = &options.database else {
        return measured_on(options, None, signals).await;
    };
    let scratch = ScratchDatabase::create(url).await;
    let scratch = scratch.map_err(|error| failed(&error))?;
    let report = measured_on(options, Some(scratch.url()), signals).await;
    // Also after a failure, which is the one to tell.
    let removed = scratch.remove().await.map_err(|error| failed(&error));
    let report = report?;
    removed?;
    Ok(report)
}

async fn measured_on(
    options: &BenchOptions,
    database: Option<String>,
    mut signals: Signals,
) -> Result<Report, Failure> {
    let bar = progress::bar(0, BAR);
    let own = match &options.url {
        Some(_) => None,
        None => {
            let data_dir = PathBuf::from(DATA_DIR);
            let usual = if data_dir.is_dir() {
                data_dir
            } else {
                ".".into()
            };
            Some(
                Own::start(
                    options.directory.as_ref().unwrap_or(&usual),
                    database,
                    options.seconds,
                )
                .await?,
            )
        }
    };
    let url = own.as_ref().map(|own| format!("http://{}", own.address));
    let url = url.or_else(|| options.url.clone()).unwrap_or_default();
    let usual = |here, elsewhere| if own.is_some() { here } else { elsewhere };
    let target = Target::new(&url).map_err(|error| Failure::BadInput(error.to_string()))?;
    let bench = Bench {
        target,
        matches: options.matches.unwrap_or(usual(200, 8)) as usize,
        sockets: options.sockets.unwrap_or(usual(1_000, 50)) as usize,
        lasts: Duration::from_secs(options.seconds.into()),
        own,
        bar,
    };
    let report = tokio::select! {
        report = bench.report(options.url.clone()) => report.map_err(|error| Failure::Failed(error.to_string())),
        () = signals.stop() => Err(Failure::Failed("stopped before the end of the measurements".to_owned())),
    };
    bench.bar.finish_and_clear();
    if let Some(own) = bench.own {
        own.stop().await;
    }
    report
}

impl Bench {
    async fn report(&self, url: Option<String>) -> Result<Report, LoadError> {
        let throughput = match self.own {
            Some(_) => {
                let moves = self.moves("moves as fast as they can", Duration::ZERO);
                Some(MovesFigures::of(None, &moves.await?))
            }
            None => None,
        };
        let matches = self.matches as f64;
        let most = match &throughput {
            Some(throughput) => throughput.moves_per_second,
            None => matches / SHORTEST_INTERVAL.as_secs_f64() / SHARES[SHARES.len() - 1],
        };
        let mut rates = Vec::new();
        for share in SHARES {
            let wanted = most * share;
            let interval = Duration::try_from_secs_f64(matches / wanted).unwrap_or(self.lasts);
            let step = format!("moves at {wanted:.0} a second");
            let moves = self.moves(&step, interval).await?;
            rates.push(MovesFigures::of(Some(wanted), &moves));
        }
        let free = free_memory();
        let sockets = self.idle().await?;
        let spectators = self.spectators().await?;
        Ok(Report {
            version: env!("CARGO_PKG_VERSION"),
            url,
            cores: std::thread::available_parallelism().map_or(1, Into::into),
            free_memory_bytes: free,
            verdict: Verdict::of(&rates, sockets.bytes_each, free),
            throughput,
            rates,
            sockets,
            spectators,
        })
    }

    /// Begins a step of the bar.
    fn step(&self, name: &str, length: usize) {
        self.bar.set_message(name.to_owned());
        self.bar.set_length(length as u64);
        self.bar.set_position(0);
    }

    /// Lets all matches play, with an interval between the moves of each.
    async fn moves(&self, step: &str, interval: Duration) -> Result<Moves, LoadError> {
        self.step("matches", self.matches);
        let pairs = self.target.pairs(self.matches, || self.bar.inc(1)).await?;
        let pace = Pace {
            interval,
            rematch: false,
            lasts: self.lasts,
            is_bare: false,
        };
        let open = async |cookie: Option<&str>| self.target.open(cookie).await;
        let playing = Playing::<Stream>::start(pairs, pace, open).await?;
        playing.begin().await;
        self.step(step, self.lasts.as_secs() as usize);
        let second = async {
            loop {
                tokio::time::sleep(Duration::from_secs(1)).await;
                self.bar.inc(1);
            }
        };
        let end = tokio::select! {
            end = playing.end() => end,
            () = second => unreachable!("it goes on"),
        };
        let moves = playing.moves(end).await?;
        if moves.received.is_empty() {
            return Err(LoadError::Late(self.lasts.as_secs()));
        }
        Ok(moves)
    }

    /// Opens sockets that wait in their matches.
    async fn idle(&self) -> Result<SocketFigures, LoadError> {
        let open = async |cookie: Option<&str>| {
            let opened = self.target.open(cookie).await;
            self.bar.inc(1);
            opened
        };
        // The first match allocates the parts that all share.
        let first = self.target.pairs(1, || ()).await?;
        let _first = watching::joined(&first, open).await?;
        let empty = self.own.as_ref().and_then(Own::memory);
        let number = self.sockets.div_ceil(2);
        self.step("matches", number);
        let pairs = self.target.pairs(number, || self.bar.inc(1)).await?;
        self.step("open sockets", 2 * number);
        let lines = watching::joined(&pairs, open).await?;
        let full = self.own.as_ref().and_then(Own::memory);
        let taken = full
            .zip(empty)
            .map(|(full, empty)| full.saturating_sub(empty));
        Ok(SocketFigures {
            number: lines.len(),
            bytes_each: taken.map(|taken| taken / lines.len() as u64),
        })
    }

    async fn spectators(&self) -> Result<SpectatorFigures, LoadError> {
        let pairs = self.target.pairs(1, || ()).await?;
        let open = async |cookie: Option<&str>| self.target.open(cookie).await;
        self.step("spectators of one match", WATCHED_MOVES);
        let mut watching = Watching::start(&pairs[0], self.sockets, false, open).await?;
        let mut last = Vec::new();
        for _ in 0..WATCHED_MOVES {
            last.push(watching.next().await?);
            self.bar.inc(1);
        }
        last.sort_unstable();
        Ok(SpectatorFigures {
            number: self.sockets,
            last_ms: quantile(&last, 0.5).as_secs_f64() * 1_000.0,
        })
    }
}

/// Returns the memory that programs may still take, in bytes; `None` where the system does not tell.
fn free_memory() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1_024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_this_machine_are_measured_without_leave() {
        for here in [
            "http://127.0.0.1:8080",
            "http://localhost",
            "https://[::1]:1/",
        ] {
            assert!(is_here(here), "{here}");
        }
        for elsewhere in [
            "http://192.168.1.2",
            "https://mawe.example",
            "http://localhost.example",
            "x",
        ] {
            assert!(!is_here(elsewhere), "{elsewhere}");
        }
    }
}
