//! Worker threads: their start, their supervision and their end.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mawe_wire::ids::WorkerId;
use parking_lot::Mutex;
use tokio::runtime::Handle;

use crate::bots::job::{Job, JobResult, Outcome};
use crate::bots::priority::give_way;
use crate::bots::{Bots, SLACK};
use crate::worker::think::{Think, at_once};

/// Time after the end of a job's lease at which its thread counts as lost and is replaced.
const LOST_AFTER: Duration = Duration::from_secs(5);

/// Maximum number of replaced threads: a lost thread still uses its share of the processor.
const MAX_LOST: usize = 16;

/// Interval of the check for lost threads.
const CHECK_THREADS_EVERY: Duration = Duration::from_secs(1);

/// Time to wait for threads when the server stops; they stop thinking within milliseconds.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// A source of jobs.
pub trait Jobs: Send + Sync + 'static {
    /// Delivers the result of the last job and waits for the next; `None` tells the worker to end.
    fn exchange(
        &self,
        worker: &WorkerId,
        result: Option<JobResult>,
    ) -> impl Future<Output = Option<Job>> + Send;
}

impl Jobs for Bots {
    async fn exchange(&self, worker: &WorkerId, result: Option<JobResult>) -> Option<Job> {
        Bots::exchange(self, worker, result).await
    }
}

/// A worker thread.
#[derive(Debug)]
pub(super) struct WorkerThread {
    thread: JoinHandle<()>,
    /// Time by which it must have finished its present job.
    back_by: Arc<Mutex<Option<Instant>>>,
    /// Set when the thread has been replaced.
    dismissed: Arc<AtomicBool>,
}

impl WorkerThread {
    fn is_lost(&self, now: Instant) -> bool {
        let back_by = *self.back_by.lock();
        self.thread.is_finished() || back_by.is_some_and(|by| by <= now)
    }
}

/// Starts a worker thread, which works until its source of jobs ends or it is replaced.
///
/// # Errors
/// The system cannot start a thread.
pub(super) fn hire<J: Jobs>(
    jobs: &Arc<J>,
    think: &Think,
    runtime: &Handle,
    number: usize,
) -> std::io::Result<WorkerThread> {
    let (jobs, think, runtime) = (Arc::clone(jobs), Arc::clone(think), runtime.clone());
    let back_by: Arc<Mutex<Option<Instant>>> = Arc::default();
    let dismissed: Arc<AtomicBool> = Arc::default();
    let (busy, done) = (Arc::clone(&back_by), Arc::clone(&dismissed));
    let thread = std::thread::Builder::new()
        .name(format!("bot-{number}"))
        .spawn(move || {
            give_way();
            work(jobs.as_ref(), &think, &runtime, &busy, &done);
        })?;
    Ok(WorkerThread {
        thread,
        back_by,
        dismissed,
    })
}

fn work<J: Jobs>(
    jobs: &J,
    think: &Think,
    runtime: &Handle,
    back_by: &Mutex<Option<Instant>>,
    dismissed: &AtomicBool,
) {
    let me = WorkerId::random();
    let set = |by| *back_by.lock() = by;
    let mut result = None;
    while let Some(job) = runtime.block_on(jobs.exchange(&me, result.take())) {
        set(Some(Instant::now() + job.think_for + SLACK + LOST_AFTER));
        let search = job.trace.search(job.game.ply(), job.attempt);
        let outcome = match catch_unwind(AssertUnwindSafe(|| think(&job))) {
            Ok(Ok(outcome)) => outcome,
            // Interrupted, it is given out again.
            Ok(Err(_)) if job.stop.load(Ordering::Relaxed) => Outcome::Failed,
            Ok(Err(error)) => {
                tracing::error!(bot.job = %job.id, %error, "a job has no answer");
                Outcome::Failed
            }
            Err(_) => {
                tracing::error!(bot.job = %job.id, bot.position = %job.game.position(), "a bot panicked while thinking");
                Outcome::Failed
            }
        };
        drop(search);
        set(None);
        if dismissed.load(Ordering::Relaxed) {
            return;
        }
        result = Some(JobResult {
            id: job.id,
            outcome,
        });
    }
}

/// The worker threads of a node, and the thread that supervises them and runs the fallback.
#[derive(Debug)]
pub struct ThreadPool {
    bots: Arc<Bots>,
    hands: Arc<Mutex<Vec<WorkerThread>>>,
    minder: JoinHandle<()>,
}

impl ThreadPool {
    /// Starts `count` threads that answer with `think`, and the supervisor. They end when the queue is closed. Must be called within a
    /// runtime, which must outlive them.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn start(bots: &Arc<Bots>, count: usize, think: &Think) -> std::io::Result<ThreadPool> {
        ThreadPool::start_with(bots, bots, count, think)
    }

    /// As [`ThreadPool::start`], with another source of jobs for the threads.
    pub(crate) fn start_with<J: Jobs>(
        bots: &Arc<Bots>,
        jobs: &Arc<J>,
        count: usize,
        think: &Think,
    ) -> std::io::Result<ThreadPool> {
        let runtime = Handle::current();
        let hands: Vec<WorkerThread> = (1..=count)
            .map(|number| hire(jobs, think, &runtime, number))
            .collect::<Result<_, _>>()?;
        let hands = Arc::new(Mutex::new(hands));
        let minder = {
            let (bots, hands, think) = (Arc::clone(bots), Arc::clone(&hands), Arc::clone(think));
            let jobs = Arc::clone(jobs);
            std::thread::Builder::new()
                .name("bot-minder".to_owned())
                .spawn(move || mind(&bots, &jobs, &hands, &think, &runtime))?
        };
        Ok(ThreadPool {
            bots: Arc::clone(bots),
            hands,
            minder,
        })
    }

    /// Closes the queue and waits for the threads, except lost ones.
    pub fn stop(self) {
        self.bots.close();
        if self.minder.join().is_err() {
            tracing::error!("what looks after the bots' threads panicked");
        }
        let hands = std::mem::take(&mut *self.hands.lock());
        send_home(hands);
    }
}

/// Waits for threads that have been told to end, at most for [`SHUTDOWN_TIMEOUT`].
pub(super) fn send_home(hands: Vec<WorkerThread>) {
    let until = Instant::now() + SHUTDOWN_TIMEOUT;
    for hand in hands {
        while !hand.thread.is_finished() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
        if !hand.thread.is_finished() {
            tracing::error!("a bot's thread does not end; it is left behind");
        } else if hand.thread.join().is_err() {
            tracing::error!("a bot's thread panicked");
        }
    }
}

/// Runs the fallback and replaces lost threads until the queue is closed.
fn mind<J: Jobs>(
    bots: &Bots,
    jobs: &Arc<J>,
    hands: &Mutex<Vec<WorkerThread>>,
    think: &Think,
    runtime: &Handle,
) {
    let me = WorkerId::random();
    let mut lost = 0;
    while let Some(strays) = bots.strays(&me, CHECK_THREADS_EVERY) {
        for job in strays {
            let search = job.trace.search(job.game.ply(), job.attempt);
            let outcome = at_once(&job).map_or(Outcome::Failed, Outcome::Answer);
            drop(search);
            let id = job.id;
            bots.settle_stray(&me, JobResult { id, outcome });
        }
        let mut hands = hands.lock();
        for (number, hand) in (1..).zip(hands.iter_mut()) {
            if lost < MAX_LOST && hand.is_lost(Instant::now()) {
                lost += 1;
                replace(hand, jobs, think, runtime, number);
            }
        }
    }
}

fn replace<J: Jobs>(
    hand: &mut WorkerThread,
    jobs: &Arc<J>,
    think: &Think,
    runtime: &Handle,
    number: usize,
) {
    tracing::error!(
        bot.thread = number,
        "a bot's thread is lost; another takes its place"
    );
    match hire(jobs, think, runtime, number) {
        Ok(new) => {
            hand.dismissed.store(true, Ordering::Relaxed);
            // The old thread ends by itself if it ever finishes.
            *hand = new;
        }
        Err(error) => tracing::error!(%error, "the system gives no thread for it"),
    }
}
