//! The signals that end a program that runs on: SIGTERM from whoever runs it, SIGINT from the keyboard.

/// They are listened for.
pub(super) struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
}

impl Signals {
    /// Listens from now on: a signal that comes while the program starts is not lost, and does not kill it half-way.
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
        // Without a keyboard handler the process dies on an interrupt: that is a stop too.
        let _ = tokio::signal::ctrl_c().await;
    }
}
