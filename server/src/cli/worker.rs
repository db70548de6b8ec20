//! `mawe worker`: thinks for the computer opponents of a server elsewhere, or of all nodes of a cluster, until it is told to stop.

use std::path::PathBuf;

use clap::Args;

use crate::cli::signals::Signals;
use crate::cli::{Failure, log, runtime};
use crate::config::{DataOptions, bus, spare_cores};
use crate::endgames;
use crate::http::jobs::WorkerKey;
use crate::worker::market::Elsewhere;
use crate::worker::remote::Remote;
use crate::worker::think;

/// More threads than any machine has cores.
const MAX_THREADS: u64 = 1_024;

/// `mawe worker`.
#[derive(Debug, Args)]
pub(super) struct WorkerOptions {
    /// The server to work for, like `https://play.example.org`
    #[arg(
        long,
        env = "MAWE_SERVER",
        value_name = "URL",
        required_unless_present = "nats",
        conflicts_with = "nats"
    )]
    server: Option<String>,
    /// The key that the server was given as --worker-key; better in the environment, where other users do not see it
    #[arg(
        long,
        env = "MAWE_WORKER_KEY",
        value_name = "KEY",
        hide_env_values = true,
        required_unless_present = "nats"
    )]
    key: Option<String>,
    /// In place of a server: NATS, to work for all nodes that are on it; as `mawe serve` has it, best with a user of its own
    #[arg(long, env = "MAWE_NATS", value_name = "URL", hide_env_values = true)]
    nats: Option<String>,
    /// A file with the certificates of who may have signed that of NATS, beyond those of the system
    #[arg(long, env = "MAWE_NATS_CA", value_name = "FILE", requires = "nats")]
    nats_ca: Option<PathBuf>,
    /// How many threads think [default: all cores but one]
    #[arg(long, env = "MAWE_THREADS", value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: Option<u64>,
    #[command(flatten)]
    data: DataOptions,
}

pub(super) fn run(options: WorkerOptions) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
    let bad = |error: &dyn std::fmt::Display| Failure::BadInput(error.to_string());
    let threads = options.threads.map_or_else(spare_cores, |threads| {
        usize::try_from(threads).expect("a thousand at most")
    });
    let think = think::by_engine();
    let begin = |place: &str| {
        log::start();
        endgames::install(options.data.directory(), |line| tracing::info!("{line}"));
        tracing::info!("working for {place} with {threads} threads");
    };
    if let Some(url) = options.nats {
        let bus = bus(url, options.nats_ca).map_err(|error| bad(&error))?;
        return runtime()?.block_on(async {
            let mut signals = Signals::new().map_err(|error| failed(&error))?;
            let elsewhere = Elsewhere::reach(&bus)
                .await
                .map_err(|error| failed(&error))?;
            begin(&format!("the nodes at NATS {}", bus.place()));
            let worked = elsewhere.work(threads, &think, signals.stop());
            worked.await.map_err(|error| failed(&error))
        });
    }
    let (Some(server), Some(key)) = (options.server, options.key) else {
        return Err(bad(
            &"name a server with --server and its key with --key, or NATS with --nats",
        ));
    };
    let key = WorkerKey::new(key.trim())
        .map_err(|error| bad(&format!("the worker's key is none: {error}")))?;
    let remote = Remote::new(&server, &key).map_err(|error| bad(&error))?;
    runtime()?.block_on(async {
        let mut signals = Signals::new().map_err(|error| failed(&error))?;
        begin(&server);
        let worked = remote.work(threads, &think, signals.stop());
        worked.await.map_err(|error| failed(&error))
    })
}
