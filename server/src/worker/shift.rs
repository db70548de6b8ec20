//! State that the threads of one `mawe worker` share, for any source of jobs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::bots::job::Job;
use crate::worker::heartbeat::Heartbeat;
use crate::worker::think::Think;
use crate::worker::threads::{Jobs, hire, send_home};

/// A worker cannot work for a server. The message is one line.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct Rejected(pub(super) String);

/// The shared state of the threads, from the start of a worker to its end.
#[derive(Debug)]
pub(super) struct Shift {
    stopping: watch::Sender<bool>,
    /// Stop flags of the jobs in progress, to be set when the worker ends.
    thinking: Mutex<Vec<Weak<AtomicBool>>>,
    dismissed: OnceLock<Rejected>,
    heartbeat: Option<Heartbeat>,
}

impl Shift {
    pub(super) fn new(heartbeat: Option<Heartbeat>) -> Shift {
        Shift {
            stopping: watch::Sender::new(false),
            thinking: Mutex::default(),
            dismissed: OnceLock::new(),
            heartbeat,
        }
    }

    /// Works with `count` threads until `stop` completes or the worker is dismissed.
    ///
    /// # Errors
    /// [`Rejected`].
    pub(super) async fn work<J: Jobs>(
        &self,
        jobs: &Arc<J>,
        count: usize,
        think: &Think,
        stop: impl Future<Output = ()>,
    ) -> Result<(), Rejected> {
        let hands = (1..=count)
            .map(|number| hire(jobs, think, &Handle::current(), number))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| Rejected(format!("cannot start threads: {error}")))?;
        let mut stopped = self.stopping.subscribe();
        tokio::select! {
            () = stop => self.stop(),
            // A thread has dismissed the worker.
            _ = stopped.wait_for(|stopped| *stopped) => {}
        }
        let home = tokio::task::spawn_blocking(move || send_home(hands));
        if home.await.is_err() {
            tracing::error!("what waits for the threads panicked");
        }
        self.dismissed.get().cloned().map_or(Ok(()), Err)
    }

    /// Ends the worker: no further job is requested, and jobs in progress are answered with the best move so far.
    fn stop(&self) {
        // There may be no receiver.
        self.stopping.send_replace(true);
        let mut thinking = self.thinking.lock();
        for stop in thinking.drain(..).filter_map(|stop| stop.upgrade()) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Ends the worker for this reason, which [`Shift::work`] returns.
    pub(super) fn dismiss(&self, why: String) {
        // Only the first reason is kept.
        let _ = self.dismissed.set(Rejected(why));
        self.stop();
    }

    /// The server or NATS has answered.
    pub(super) fn beat(&self) {
        if let Some(heartbeat) = &self.heartbeat {
            heartbeat.beat();
        }
    }

    pub(super) fn is_dismissed(&self) -> bool {
        self.dismissed.get().is_some()
    }

    /// Returns a receiver that becomes true when the worker ends.
    pub(super) fn stopped(&self) -> watch::Receiver<bool> {
        self.stopping.subscribe()
    }

    /// Registers a job that begins; sets its stop flag at once if the worker is ending.
    pub(super) fn begin(&self, job: &Job) {
        let mut thinking = self.thinking.lock();
        thinking.retain(|stop| stop.strong_count() > 0);
        thinking.push(Arc::downgrade(&job.stop));
        drop(thinking);
        if *self.stopping.borrow() {
            job.stop.store(true, Ordering::Relaxed);
        }
    }
}
