//! `mawe worker`: thinks for the computer opponents of a server elsewhere, until it is told to stop.

use clap::Args;

use crate::cli::signals::Signals;
use crate::cli::{Failure, log, runtime};
use crate::config::{DataOptions, spare_cores};
use crate::endgames;
use crate::http::jobs::WorkerKey;
use crate::worker::remote::Remote;
use crate::worker::think;

/// More threads than any machine has cores.
const MAX_THREADS: u64 = 1_024;

/// `mawe worker`.
#[derive(Debug, Args)]
pub(super) struct WorkerOptions {
    /// The server to work for, like `https://play.example.org`
    #[arg(long, env = "MAWE_SERVER", value_name = "URL")]
    server: String,
    /// The key that the server was given as --worker-key; better in the environment, where other users do not see it
    #[arg(
        long,
        env = "MAWE_WORKER_KEY",
        value_name = "KEY",
        hide_env_values = true
    )]
    key: String,
    /// How many threads think [default: all cores but one]
    #[arg(long, env = "MAWE_THREADS", value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: Option<u64>,
    #[command(flatten)]
    data: DataOptions,
}

pub(super) fn run(options: &WorkerOptions) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
    let key = WorkerKey::new(options.key.trim())
        .map_err(|error| Failure::BadInput(format!("the worker's key is none: {error}")))?;
    let remote =
        Remote::new(&options.server, &key).map_err(|error| Failure::BadInput(error.to_string()))?;
    let threads = options.threads.map_or_else(spare_cores, |threads| {
        usize::try_from(threads).expect("a thousand at most")
    });
    log();
    endgames::install(options.data.directory(), |line| tracing::info!("{line}"));
    runtime()?.block_on(async {
        let mut signals = Signals::new().map_err(|error| failed(&error))?;
        tracing::info!("working for {} with {threads} threads", options.server);
        let think = think::by_engine();
        let worked = remote.work(threads, &think, signals.stop());
        worked.await.map_err(|error| failed(&error))
    })
}
