//! `mawe serve`: the server until it is told to stop.

use crate::cli::signals::Signals;
use crate::cli::{Failure, log, print, runtime};
use crate::config::ServeOptions;
use crate::server::Server;

pub(super) fn run(options: ServeOptions) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
    let config = options.resolve().map_err(|error| failed(&error))?;
    log();
    runtime()?.block_on(async {
        let mut signals = Signals::new().map_err(|error| failed(&error))?;
        let server = Server::start(config)
            .await
            .map_err(|error| failed(&error))?;
        print(&format!("Mawe! is at http://{}\n", server.address))?;
        signals.stop().await;
        tracing::info!("stopping");
        server.stop().await;
        Ok(())
    })
}
