//! `mawe worker`: thinks for the computer opponents of a remote server, or of all nodes of a cluster, until a signal stops it.

use std::path::PathBuf;

use clap::Args;

use crate::bots::endgames;
use crate::bots::options::spare_cores;
use crate::cli::log;
use crate::cli::output::{Failure, runtime};
use crate::cli::signals::Signals;
use crate::cluster::bus::BusOptions;
use crate::config::{DataOptions, LogOptions};
use crate::identity::shared_key::SharedKey;
use crate::trace::export::Exporter;
use crate::trace::{self, CollectorOptions};
use crate::worker::heartbeat::Heartbeat;
use crate::worker::nats::Elsewhere;
use crate::worker::remote::Remote;
use crate::worker::think;

/// The greatest number of threads: more than any machine has cores.
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
    /// The server's --worker-key; safer in the environment, where other users cannot see it
    #[arg(
        long,
        env = "MAWE_WORKER_KEY",
        value_name = "KEY",
        hide_env_values = true,
        required_unless_present = "nats"
    )]
    key: Option<String>,
    /// Instead of a server: the NATS server of the nodes to work for, as in `mawe serve`; best with a separate user
    #[arg(long, env = "MAWE_NATS", value_name = "URL", hide_env_values = true)]
    nats: Option<String>,
    /// A file with certificates of authorities that may have signed the certificate of NATS, besides those of the system
    #[arg(long, env = "MAWE_NATS_CA", value_name = "FILE", requires = "nats")]
    nats_ca: Option<PathBuf>,
    /// The number of threads that think [default: all cores but one]
    #[arg(long, env = "MAWE_THREADS", value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS))]
    threads: Option<u64>,
    /// A file that the worker writes whenever the server or NATS has answered, for `mawe health`
    #[arg(long, env = "MAWE_HEARTBEAT", value_name = "FILE")]
    heartbeat: Option<PathBuf>,
    #[command(flatten)]
    traces: CollectorOptions,
    #[command(flatten)]
    data: DataOptions,
    #[command(flatten)]
    log: LogOptions,
}

pub(super) fn run(options: WorkerOptions) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
    let bad = |error: &dyn std::fmt::Display| Failure::BadInput(error.to_string());
    let threads = options.threads.map_or_else(spare_cores, |threads| {
        usize::try_from(threads).expect("a thousand at most")
    });
    let think = think::by_engine();
    let heartbeat = match options.heartbeat {
        None => None,
        Some(path) => {
            let place = path.display().to_string();
            let heartbeat = Heartbeat::new(path);
            Some(heartbeat.map_err(|error| bad(&format!("--heartbeat {place}: {error}")))?)
        }
    };
    let traces = options.traces.resolve_to_continue();
    let traces = traces.map_err(|error| bad(&error))?;
    let traces = traces.map(|settings| trace::export::begin(&settings, "mawe-worker", None));
    let (tracer, exporter) = traces.transpose().map_err(|error| failed(&error))?.unzip();
    let begin = |place: &str| {
        log::start(&options.log, tracer);
        endgames::install(&options.data.data_dir, |line| tracing::info!("{line}"));
        tracing::info!("working for {place} with {threads} threads");
    };
    if let Some(url) = options.nats {
        let bus = BusOptions::new(url, options.nats_ca).map_err(|error| bad(&error))?;
        return runtime()?.block_on(async {
            let mut signals = Signals::new().map_err(|error| failed(&error))?;
            let elsewhere = Elsewhere::reach(&bus, heartbeat)
                .await
                .map_err(|error| failed(&error))?;
            begin(&format!("the nodes at NATS {}", bus.place()));
            let working = elsewhere.work(threads, &think, signals.stop());
            let worked = while_exporting(exporter, working).await;
            worked.map_err(|error| failed(&error))
        });
    }
    let (Some(server), Some(key)) = (options.server, options.key) else {
        return Err(bad(
            &"name a server with --server and its key with --key, or NATS with --nats",
        ));
    };
    let key = SharedKey::new(key.trim())
        .map_err(|error| bad(&format!("the worker's key is none: {error}")))?;
    let remote = Remote::new(&server, &key, heartbeat).map_err(|error| bad(&error))?;
    runtime()?.block_on(async {
        let mut signals = Signals::new().map_err(|error| failed(&error))?;
        begin(&server);
        let working = remote.work(threads, &think, signals.stop());
        let worked = while_exporting(exporter, working).await;
        worked.map_err(|error| failed(&error))
    })
}

/// Sends the spans of the jobs while the worker works, and the last ones after it.
async fn while_exporting<T>(exporter: Option<Exporter>, working: impl Future<Output = T>) -> T {
    let exporting = exporter.map(Exporter::start);
    let worked = working.await;
    if let Some(exporting) = exporting {
        exporting.stop().await;
    }
    worked
}
