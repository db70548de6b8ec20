//! Does the work of bots: threads of their own that pull jobs, think, and answer. Search never runs on an async thread.
//!
//! A worker is the same wherever it is: it knows its jobs by the trait [`Jobs`] only, which is the queue of this node, one that is reached
//! over HTTP ([`remote`]), or what all nodes have to do, over NATS ([`market`]).

pub mod market;
pub mod remote;
mod shift;
pub mod think;

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;

pub use self::shift::Dismissed;
use crate::bots::job::{Job, JobResult, Outcome};
use crate::bots::{Bots, SLACK};
use crate::ids::WorkerId;
use crate::worker::think::{Think, at_once};

/// A thread that has not come back so long after its job was taken away is lost: another takes its place.
const LOST_AFTER: Duration = Duration::from_secs(5);

/// How many threads are replaced at most: one that is lost still takes its part of the machine.
const MAX_LOST: usize = 16;

/// How often it is looked whether a thread is lost.
const ROLL_CALL_EVERY: Duration = Duration::from_secs(1);

/// How long is waited for threads when the server stops; they stop thinking within milliseconds.
const GO_HOME: Duration = Duration::from_secs(2);

/// How nice a thread is that thinks: whoever serves people comes first, and an idle machine thinks at full speed all the same. Nicer, it would
/// starve where other programs use the machine as well.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// Where a worker gets its jobs.
pub trait Jobs: Send + Sync + 'static {
    /// Brings what came of the last job and takes the next; waits for one. `None`: the worker goes home.
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

/// A thread that works.
#[derive(Debug)]
struct Hand {
    thread: JoinHandle<()>,
    /// By when it must be back from the job that it has.
    back_by: Arc<Mutex<Option<Instant>>>,
    /// Another has taken its place.
    dismissed: Arc<AtomicBool>,
}

impl Hand {
    fn is_lost(&self, now: Instant) -> bool {
        let back_by = *self.back_by.lock().unwrap_or_else(PoisonError::into_inner);
        self.thread.is_finished() || back_by.is_some_and(|by| by <= now)
    }
}

/// Starts a thread that works until it is sent home.
///
/// # Errors
/// When the system gives no thread.
fn hire<J: Jobs>(
    jobs: &Arc<J>,
    think: &Think,
    runtime: &Handle,
    number: usize,
) -> std::io::Result<Hand> {
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
    Ok(Hand {
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
    let set = |by| *back_by.lock().unwrap_or_else(PoisonError::into_inner) = by;
    let mut result = None;
    while let Some(job) = runtime.block_on(jobs.exchange(&me, result.take())) {
        set(Some(Instant::now() + job.think_for + SLACK + LOST_AFTER));
        let outcome = match catch_unwind(AssertUnwindSafe(|| think(&job))) {
            Ok(Ok(reply)) => Outcome::Answer(reply),
            Ok(Err(error)) => {
                tracing::error!(bot.job = %job.id, %error, "a bot has no answer");
                Outcome::Failed
            }
            Err(_) => {
                tracing::error!(bot.job = %job.id, bot.position = %job.game.position(), "a bot panicked while thinking");
                Outcome::Failed
            }
        };
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

/// Lowers the priority of this thread below that of everything that serves people. On Linux alone a thread has one of its own; elsewhere
/// the system shares the cores out by itself, and an operator who wants more runs `mawe worker` as a process of lower priority.
fn give_way() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        tracing::warn!(%error, "a thread that thinks could not be given a lower priority");
    }
}

/// The threads of a node, and the one that looks after them and does what they could not.
#[derive(Debug)]
pub struct Crew {
    bots: Arc<Bots>,
    hands: Arc<Mutex<Vec<Hand>>>,
    minder: JoinHandle<()>,
}

impl Crew {
    /// Starts `count` threads that think like this, and the one that looks after them. They end when the queue is closed. To be called
    /// in a runtime, which must outlive them.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(bots: &Arc<Bots>, count: usize, think: &Think) -> std::io::Result<Crew> {
        Crew::start_with(bots, bots, count, think)
    }

    /// The same with threads that take their jobs there.
    pub(crate) fn start_with<J: Jobs>(
        bots: &Arc<Bots>,
        jobs: &Arc<J>,
        count: usize,
        think: &Think,
    ) -> std::io::Result<Crew> {
        let runtime = Handle::current();
        let hands: Vec<Hand> = (1..=count)
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
        Ok(Crew {
            bots: Arc::clone(bots),
            hands,
            minder,
        })
    }

    /// Closes the queue and waits for the threads; not for one that is lost.
    pub fn stop(self) {
        self.bots.close();
        if self.minder.join().is_err() {
            tracing::error!("what looks after the bots' threads panicked");
        }
        let hands = std::mem::take(&mut *self.hands.lock().unwrap_or_else(PoisonError::into_inner));
        send_home(hands);
    }
}

/// Waits for threads that have been told to end.
fn send_home(hands: Vec<Hand>) {
    let until = Instant::now() + GO_HOME;
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

/// Does what no worker could, and replaces threads that are lost, until the queue is closed.
fn mind<J: Jobs>(
    bots: &Bots,
    jobs: &Arc<J>,
    hands: &Mutex<Vec<Hand>>,
    think: &Think,
    runtime: &Handle,
) {
    let me = WorkerId::random();
    let mut lost = 0;
    while let Some(strays) = bots.strays(&me, ROLL_CALL_EVERY) {
        for job in strays {
            let outcome = at_once(&job).map_or(Outcome::Failed, Outcome::Answer);
            let id = job.id;
            bots.settle_stray(&me, JobResult { id, outcome });
        }
        let mut hands = hands.lock().unwrap_or_else(PoisonError::into_inner);
        for (number, hand) in (1..).zip(hands.iter_mut()) {
            if lost < MAX_LOST && hand.is_lost(Instant::now()) {
                lost += 1;
                replace(hand, jobs, think, runtime, number);
            }
        }
    }
}

fn replace<J: Jobs>(
    hand: &mut Hand,
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
            // Should it ever come back, it ends by itself.
            *hand = new;
        }
        Err(error) => tracing::error!(%error, "the system gives no thread for it"),
    }
}
