//! Jobs of all nodes, over NATS: a free worker reports that it is free, and NATS gives it one job from any node.
//!
//! The node that offered a job judges the result, and gives a job without a result to another worker. [`crate::cluster`] is the side of the
//! nodes.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Subject;
use mawe_wire::ids::WorkerId;
use parking_lot::Mutex;

use crate::bots::job::{Job, JobResult, ResultView, VERSION, Word};
use crate::bots::{Bots, WorkerKind};
use crate::cluster::bus::{Bus, BusError, BusOptions, Delivery, Demand};
use crate::worker::Jobs;
use crate::worker::heartbeat::Heartbeat;
use crate::worker::shift::{Rejected, Shift};
use crate::worker::think::Think;

/// Time that a node's thread waits for a job of its own node before it accepts one from others, so that most jobs cause no traffic on NATS.
const OWN_FIRST: Duration = Duration::from_millis(50);

/// Pause after NATS refused the request for a job.
const AGAIN: Duration = Duration::from_secs(1);

/// Interval at which a worker asks whether a node of its version runs.
const ASK_VERSIONS_EVERY: Duration = Duration::from_secs(30);

/// The interval when no node has answered.
const ASK_VERSIONS_AGAIN: Duration = Duration::from_secs(3);

/// Pause of a worker that has declined a job it failed before; meanwhile NATS gives the job to another worker, if there is one.
const LEAVE_FOR: Duration = Duration::from_millis(150);

/// Access to the jobs of other nodes.
#[derive(Debug)]
pub(crate) struct NatsJobs {
    bus: Bus,
    /// Id of this process, shared by all its threads: a job that makes one fail may make the others fail.
    me: WorkerId,
    /// Time until which it asks for no job.
    pause: Mutex<Option<Instant>>,
    /// Subject for the answer, by worker; a worker has one job at a time.
    loans: Mutex<HashMap<WorkerId, Subject>>,
}

impl NatsJobs {
    pub(crate) fn new(bus: Bus) -> NatsJobs {
        NatsJobs {
            bus,
            me: WorkerId::random(),
            pause: Mutex::default(),
            loans: Mutex::default(),
        }
    }

    /// Sends the result of a job of another node; returns the result if the job is not from another node.
    async fn bring(&self, worker: &WorkerId, result: JobResult) -> Option<JobResult> {
        let answer = self.loans.lock().remove(worker);
        match answer {
            Some(answer) => {
                let word = Word::Done(ResultView::from(&result));
                self.bus.answer(answer, &word).await;
                None
            }
            None => Some(result),
        }
    }

    /// Reports that a worker is free; repeats this until NATS accepts it.
    async fn credit(&self) -> Demand {
        loop {
            let pause = *self.pause.lock();
            if let Some(until) = pause.filter(|until| *until > Instant::now()) {
                tokio::time::sleep_until(until.into()).await;
            }
            if let Some(credit) = self.bus.ask_for_job().await {
                return credit;
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Accepts a job of another node.
    async fn begin(&self, worker: &WorkerId, loan: Option<Delivery>) -> Option<Job> {
        let Delivery { offer, answer } = loan?;
        if offer.failed_by.contains(&self.me) {
            *self.pause.lock() = Some(Instant::now() + LEAVE_FOR);
            self.bus.answer(answer, &Word::Busy).await;
            return None;
        }
        match Job::try_from(offer.job) {
            Ok(mut job) => {
                // No sender on NATS can keep a thread for longer.
                job.think_for = job.think_for.min(job.task.most_time());
                let by = Some(self.me.clone());
                self.bus.answer(answer.clone(), &Word::Taken { by }).await;
                self.loans.lock().insert(worker.clone(), answer);
                Some(job)
            }
            Err(error) => {
                tracing::warn!(%error, "a job on NATS makes no sense");
                None
            }
        }
    }
}

/// Jobs of this node, and of others when this one has none.
#[derive(Debug)]
pub(crate) struct OwnThenNats {
    pub(crate) bots: Arc<Bots>,
    pub(crate) market: NatsJobs,
}

impl Jobs for OwnThenNats {
    async fn exchange(&self, worker: &WorkerId, result: Option<JobResult>) -> Option<Job> {
        if let Some(result) = result
            && let Some(own) = self.market.bring(worker, result).await
        {
            self.bots.settle(WorkerKind::Thread, worker, own);
        }
        if let Ok(job) =
            tokio::time::timeout(OWN_FIRST, self.bots.next(WorkerKind::Thread, worker)).await
        {
            return job;
        }
        loop {
            let mut credit = tokio::select! {
                job = self.bots.next(WorkerKind::Thread, worker) => return job,
                credit = self.market.credit() => credit,
            };
            tokio::select! {
                biased;
                loan = credit.job() => {
                    if let Some(job) = self.market.begin(worker, loan).await {
                        return Some(job);
                    }
                }
                job = self.bots.next(WorkerKind::Thread, worker) => {
                    credit.give_up().await;
                    return job;
                }
            }
        }
    }
}

/// The source of jobs of `mawe worker --nats`, which has no queue of its own.
#[derive(Debug)]
pub struct Elsewhere {
    market: NatsJobs,
    place: String,
    shift: Shift,
}

impl Elsewhere {
    /// Connects to NATS; `heartbeat` is the file that shows the answers of nodes.
    ///
    /// # Errors
    /// [`BusError`].
    pub async fn reach(
        options: &BusOptions,
        heartbeat: Option<Heartbeat>,
    ) -> Result<Arc<Elsewhere>, BusError> {
        Ok(Arc::new(Elsewhere {
            market: NatsJobs::new(Bus::connect_worker(options).await?),
            place: options.place(),
            shift: Shift::new(heartbeat),
        }))
    }

    /// Works with `count` threads until `stop` completes, or until nodes answer and none has this version.
    ///
    /// # Errors
    /// [`Rejected`].
    pub async fn work(
        self: Arc<Self>,
        count: usize,
        think: &Think,
        stop: impl Future<Output = ()>,
    ) -> Result<(), Rejected> {
        let working = self.shift.work(&self, count, think, stop);
        tokio::pin!(working);
        tokio::select! {
            worked = &mut working => return worked,
            () = self.mind_version() => {}
        }
        // The threads are ending.
        working.await
    }

    /// Returns after dismissing the worker, when nodes answer and none has this version.
    async fn mind_version(&self) {
        loop {
            let versions = self.market.bus.versions(VERSION).await;
            let pause = match versions.first() {
                None => {
                    tracing::warn!("no node answers by NATS at {}; waiting", self.place);
                    ASK_VERSIONS_AGAIN
                }
                Some(_) if versions.iter().any(|version| version == VERSION) => {
                    self.shift.beat();
                    ASK_VERSIONS_EVERY
                }
                Some(other) => {
                    self.shift.dismiss(format!(
                        "the nodes at NATS {} are of version {other}, and this worker is of {VERSION}; install the same version",
                        self.place
                    ));
                    return;
                }
            };
            tokio::time::sleep(pause).await;
        }
    }
}

impl Jobs for Elsewhere {
    async fn exchange(&self, worker: &WorkerId, result: Option<JobResult>) -> Option<Job> {
        if let Some(result) = result {
            self.market.bring(worker, result).await;
        }
        let mut stopped = self.shift.stopped();
        loop {
            if *stopped.borrow_and_update() {
                // The last answer must be sent before the process ends.
                self.market.bus.flush().await;
                return None;
            }
            let mut credit = tokio::select! {
                credit = self.market.credit() => credit,
                _ = stopped.changed() => continue,
            };
            tokio::select! {
                biased;
                loan = credit.job() => {
                    if let Some(job) = self.market.begin(worker, loan).await {
                        self.shift.begin(&job);
                        return Some(job);
                    }
                }
                _ = stopped.changed() => credit.give_up().await,
            }
        }
    }
}
