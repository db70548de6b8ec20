//! The signals that stop a long-running program: SIGTERM from its supervisor, SIGINT from the keyboard.

/// Listeners for the signals.
pub(super) struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
}

impl Signals {
    /// Listens from now on: a signal during the start is not lost, and does not kill the program halfway.
    pub(super) fn new() -> std::io::Result<Signals> {
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
    pub(super) async fn stop(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    #[cfg(not(unix))]
    pub(super) async fn stop(&mut self) {
        // If no handler can be installed, an interrupt kills the process, which is a stop too.
        let _ = tokio::signal::ctrl_c().await;
    }
}
