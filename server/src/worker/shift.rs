//! What the threads of one `mawe worker` share, wherever its jobs come from: whether they go on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::bots::job::Job;
use crate::worker::think::Think;
use crate::worker::{Jobs, hire, send_home};

/// Why a worker cannot work for a server: one line.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct Dismissed(pub(super) String);

/// From the start of a worker to its end.
#[derive(Debug)]
pub(super) struct Shift {
    stopping: watch::Sender<bool>,
    /// What to set when it ends: the flags of the jobs that are being thought about.
    thinking: Mutex<Vec<Weak<AtomicBool>>>,
    dismissed: OnceLock<Dismissed>,
}

impl Shift {
    pub(super) fn new() -> Shift {
        Shift {
            stopping: watch::Sender::new(false),
            thinking: Mutex::default(),
            dismissed: OnceLock::new(),
        }
    }

    /// Works with `count` threads until `stop` comes or nobody wants it.
    ///
    /// # Errors
    /// [`Dismissed`].
    pub(super) async fn work<J: Jobs>(
        &self,
        jobs: &Arc<J>,
        count: usize,
        think: &Think,
        stop: impl Future<Output = ()>,
    ) -> Result<(), Dismissed> {
        let hands = (1..=count)
            .map(|number| hire(jobs, think, &Handle::current(), number))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| Dismissed(format!("cannot start threads: {error}")))?;
        let mut stopped = self.stopping.subscribe();
        tokio::select! {
            () = stop => self.stop(),
            // By a thread that was sent away.
            _ = stopped.wait_for(|stopped| *stopped) => {}
        }
        let home = tokio::task::spawn_blocking(move || send_home(hands));
        if home.await.is_err() {
            tracing::error!("what waits for the threads panicked");
        }
        self.dismissed.get().cloned().map_or(Ok(()), Err)
    }

    /// Ends: nothing more is asked for, and what is being thought about is answered with the best so far.
    fn stop(&self) {
        // Nobody may be waiting.
        self.stopping.send_replace(true);
        let mut thinking = self.thinking.lock().unwrap_or_else(PoisonError::into_inner);
        for stop in thinking.drain(..).filter_map(|stop| stop.upgrade()) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Ends because nobody wants it.
    pub(super) fn dismiss(&self, why: String) {
        // The first reason is the one that is told.
        let _ = self.dismissed.set(Dismissed(why));
        self.stop();
    }

    pub(super) fn is_dismissed(&self) -> bool {
        self.dismissed.get().is_some()
    }

    /// Whether it ends, and to hear of it.
    pub(super) fn stopped(&self) -> watch::Receiver<bool> {
        self.stopping.subscribe()
    }

    /// Notes a job that begins; says whether it may.
    pub(super) fn begin(&self, job: &Job) {
        let mut thinking = self.thinking.lock().unwrap_or_else(PoisonError::into_inner);
        thinking.retain(|stop| stop.strong_count() > 0);
        thinking.push(Arc::downgrade(&job.stop));
        drop(thinking);
        if *self.stopping.borrow() {
            job.stop.store(true, Ordering::Relaxed);
        }
    }
}
