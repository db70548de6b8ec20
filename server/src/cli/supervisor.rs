//! Messages to systemd, if it has started this program (`sd_notify(3)`): ready, alive, stopping.

use sd_notify::NotifyState;
use tokio::task::JoinHandle;

/// The connection to systemd of a running server. Without systemd it does nothing.
pub(super) struct Supervisor {
    watchdog: Option<JoinHandle<()>>,
}

impl Supervisor {
    /// Says that the server is ready. Where the unit has a watchdog, sends a sign of life twice in its interval, from a task of the runtime.
    pub(super) fn ready() -> Self {
        say(&[NotifyState::Ready]);
        let watchdog = sd_notify::watchdog_enabled().map(|time| {
            tokio::spawn(async move {
                let mut ticks = tokio::time::interval(time / 2);
                loop {
                    ticks.tick().await;
                    say(&[NotifyState::Watchdog]);
                }
            })
        });
        Supervisor { watchdog }
    }

    /// Says that the server stops, and says no longer that it is alive: a stop that hangs is ended by the unit's own limit.
    pub(super) fn stopping(self) {
        if let Some(watchdog) = self.watchdog {
            watchdog.abort();
        }
        say(&[NotifyState::Stopping]);
    }
}

fn say(state: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(state) {
        tracing::warn!("systemd does not listen: {error}");
    }
}
