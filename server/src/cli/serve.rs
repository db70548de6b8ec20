//! `mawe serve`: the server until it is told to stop.

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

/// The signals that end a server: SIGTERM from whoever runs it, SIGINT from the keyboard.
struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    fn new() -> std::io::Result<Signals> {
        Ok(Signals {
            #[cfg(unix)]
            terminate: tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?,
        })
    }

    async fn stop(&mut self) {
        #[cfg(unix)]
        let terminate = self.terminate.recv();
        #[cfg(not(unix))]
        let terminate = std::future::pending::<Option<()>>();
        tokio::select! {
            _ = terminate => {}
            // Without a keyboard handler the process dies on SIGINT: that is a stop too.
            _ = tokio::signal::ctrl_c() => {}
        }
    }
}
