//! `mawe serve`: runs the server until a signal stops it.

use crate::app::Setting;
use crate::bots::endgames;
use crate::cli::log;
use crate::cli::output::{Failure, print, runtime};
use crate::cli::signals::Signals;
use crate::config::ServeOptions;
use crate::server::Server;
use crate::trace;

pub(super) fn run(options: ServeOptions, in_force: Vec<Setting>) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
    let log = options.log.clone();
    let mut config = options.resolve().map_err(|error| failed(&error))?;
    config.in_force = in_force;
    let node = config.cluster.as_ref();
    let node = node.and_then(|cluster| cluster.node.as_deref());
    let traces = config.traces.as_ref();
    let traces = traces.map(|settings| trace::export::begin(settings, node));
    let (tracer, exporter) = traces.transpose().map_err(|error| failed(&error))?.unzip();
    log::start(&log, tracer);
    endgames::install(&config.data_dir, |line| tracing::info!("{line}"));
    runtime()?.block_on(async {
        let mut signals = Signals::new().map_err(|error| failed(&error))?;
        let exporting = exporter.map(trace::export::Exporter::start);
        let server = Server::start(config)
            .await
            .map_err(|error| failed(&error))?;
        print(&format!("Mawe! is at http://{}\n", server.address))?;
        let replaced = tokio::select! {
            () = signals.stop() => false,
            () = server.replaced() => true,
        };
        tracing::info!("stopping");
        server.stop().await;
        if let Some(exporting) = exporting {
            exporting.stop().await;
        }
        match replaced {
            true => Err(Failure::Failed(
                "another node with the name of this one has taken its place".to_owned(),
            )),
            false => Ok(()),
        }
    })
}
