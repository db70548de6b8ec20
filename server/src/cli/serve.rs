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
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
}

impl Signals {
    /// Listens from now on: a signal that comes while the server starts is not lost, and does not kill it half-way.
    fn new() -> std::io::Result<Signals> {
        #[cfg(unix)]
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            #[cfg(unix)]
            terminate: signal(SignalKind::terminate())?,
            #[cfg(unix)]
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    #[cfg(unix)]
    async fn stop(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    #[cfg(not(unix))]
    async fn stop(&mut self) {
        // Without a keyboard handler the process dies on an interrupt: that is a stop too.
        let _ = tokio::signal::ctrl_c().await;
    }
}
