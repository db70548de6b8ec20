//! Evaluations of positions, done by the same workers as the jobs of bots and after all of these. An evaluation has no deadline of its own;
//! its caller waits for it, and a caller that is gone takes it out of the queue.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use mawe_ai::{Engine, EngineOptions, Knowledge, Limits};
use mawe_rules::Record;
use mawe_wire::ids::WorkerId;
use tokio::sync::oneshot;

use crate::bots::job::{EVALUATE_AT_MOST, EVALUATION_NODES, Evaluation, Job, JobId, Outcome, Task};
use crate::bots::workers::{HEAD_START, SLACK, WorkerKind};
use crate::trace::TraceContext;

/// Number of times an evaluation is given to workers.
const ATTEMPTS: u32 = 3;

/// The positions that the search for an exact value visits: about a millisecond.
const SOLVE_NODES: u64 = 2_000;

/// The size of the table of that search.
const SOLVE_MEGABYTES: usize = 1;

/// Number of workers that are known to be distrusted.
const MAX_DISTRUSTED: usize = 64;

/// An evaluation, and the worker that has made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluated {
    /// The result.
    pub evaluation: Evaluation,
    /// Kind of the worker.
    pub kind: WorkerKind,
    /// The worker.
    pub by: WorkerId,
}

/// Workers have failed to evaluate a position, or the server is stopping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no worker has evaluated the position")]
pub struct NotEvaluated;

/// The evaluations of a queue.
#[derive(Debug, Default)]
pub(super) struct Evaluations {
    waiting: VecDeque<Asked>,
    taken: HashMap<JobId, Assignment>,
    /// Workers that get no evaluation any more, because a result of theirs was refuted; the latest of them.
    distrusted: VecDeque<WorkerId>,
}

#[derive(Debug)]
struct Asked {
    job: Job,
    /// Time from which workers of other nodes may have it, too.
    for_all_at: Instant,
    reply: oneshot::Sender<Evaluated>,
}

#[derive(Debug)]
struct Assignment {
    asked: Asked,
    worker: WorkerId,
    /// The worker on another node that does the job, if `worker` has only lent it.
    done_by: Option<WorkerId>,
    kind: WorkerKind,
    until: Instant,
}

/// Evaluates the position of a game; `None` if it was interrupted, or the game is over. Endgame databases are not asked: a worker may lack
/// some, and the result must be the same on each.
#[must_use]
pub fn evaluate(game: &Record, stop: &Arc<AtomicBool>) -> Option<Evaluation> {
    let engine = Engine::knowing(Knowledge::embedded(), EngineOptions::default()).ok()?;
    let limits = Limits {
        stop: Some(Arc::clone(stop)),
        ..Limits::nodes(EVALUATION_NODES)
    };
    let thought = engine.think(game, &limits, &mut |_| {}).ok()?;
    (!stop.load(Ordering::Relaxed)).then(|| Evaluation::from_thought(&thought, game))
}

/// Finds the exact value of the position of a game where the solvers and the installed endgame databases reach it at once.
#[must_use]
pub fn solve(game: &Record) -> Option<Evaluation> {
    let options = EngineOptions {
        megabytes: SOLVE_MEGABYTES,
        ..EngineOptions::default()
    };
    let engine = Engine::new(options).ok()?;
    let thought = engine
        .think(game, &Limits::nodes(SOLVE_NODES), &mut |_| {})
        .ok()?;
    thought
        .proven
        .then(|| Evaluation::from_thought(&thought, game))
}

/// The fate of a job after its result.
pub(super) enum Settled {
    /// The caller has the evaluation.
    Answered,
    /// The search was interrupted for a bot: the job waits again.
    Interrupted,
    /// The job waits for another attempt, or its caller is told.
    Failed,
}

impl Evaluations {
    /// Queues the position of a game that is not over.
    pub(super) fn push(
        &mut self,
        id: JobId,
        game: Arc<Record>,
        now: Instant,
    ) -> oneshot::Receiver<Evaluated> {
        let (reply, receiver) = oneshot::channel();
        self.waiting.push_back(Asked {
            job: Job {
                id,
                attempt: 1,
                task: Task::Evaluation,
                game,
                think_for: EVALUATE_AT_MOST,
                stop: Arc::default(),
                trace: TraceContext::default(),
            },
            for_all_at: now + HEAD_START,
            reply,
        });
        receiver
    }

    /// Takes the oldest job for this kind of worker. Jobs without a caller are dropped.
    pub(super) fn next_job(
        &mut self,
        worker: &WorkerId,
        kind: WorkerKind,
        now: Instant,
    ) -> Option<Job> {
        self.waiting.retain(|asked| !asked.reply.is_closed());
        if kind == WorkerKind::Fallback || self.distrusted.contains(worker) {
            return None;
        }
        let may = |asked: &Asked| kind != WorkerKind::Nats || asked.for_all_at <= now;
        let place = self.waiting.iter().position(may)?;
        let asked = self.waiting.remove(place)?;
        let job = asked.job.clone();
        let assignment = Assignment {
            asked,
            worker: worker.clone(),
            done_by: None,
            kind,
            until: now + job.think_for + SLACK,
        };
        self.taken.insert(job.id, assignment);
        Some(job)
    }

    /// Returns the earliest time at which a waiting job is for the workers of other nodes.
    pub(super) fn next_for_all(&self) -> Option<Instant> {
        self.waiting.iter().map(|asked| asked.for_all_at).min()
    }

    /// Records the worker on another node that has taken a lent job.
    pub(super) fn note_doer(&mut self, lender: &WorkerId, id: JobId, doer: WorkerId) {
        let theirs = self.taken.get_mut(&id);
        if let Some(assignment) = theirs.filter(|assignment| assignment.worker == *lender) {
            assignment.done_by = Some(doer);
        }
    }

    /// Gives this worker no evaluation any more.
    pub(super) fn distrust(&mut self, worker: WorkerId) {
        if self.distrusted.len() == MAX_DISTRUSTED {
            self.distrusted.pop_front();
        }
        self.distrusted.push_back(worker);
    }

    /// Returns the workers that get no evaluation any more.
    pub(super) fn distrusted(&self) -> Vec<WorkerId> {
        self.distrusted.iter().cloned().collect()
    }

    /// Accepts a result; `None` if this worker does not have the job.
    pub(super) fn settle(
        &mut self,
        worker: &WorkerId,
        id: JobId,
        outcome: &Outcome,
        again: JobId,
    ) -> Option<Settled> {
        let Assignment {
            asked,
            kind,
            done_by,
            ..
        } = self.end_assignment(worker, id)?;
        match outcome {
            Outcome::Evaluation(evaluation) if evaluation.fits(&asked.job.game) => {
                // The caller may be gone.
                let _ = asked.reply.send(Evaluated {
                    evaluation: evaluation.clone(),
                    kind,
                    by: done_by.unwrap_or_else(|| worker.clone()),
                });
                Some(Settled::Answered)
            }
            Outcome::Failed if asked.job.stop.load(Ordering::Relaxed) => {
                self.put_back(asked, again);
                Some(Settled::Interrupted)
            }
            Outcome::Evaluation(_) | Outcome::Answer(_) | Outcome::Failed => {
                self.give_again(asked, again);
                Some(Settled::Failed)
            }
        }
    }

    /// Puts a job back that no worker has begun; `false` if this worker does not have it.
    pub(super) fn return_job(&mut self, worker: &WorkerId, id: JobId, again: JobId) -> bool {
        let Some(assignment) = self.end_assignment(worker, id) else {
            return false;
        };
        self.put_back(assignment.asked, again);
        true
    }

    /// Takes jobs away from late workers; returns their number. `new_id` numbers them anew.
    pub(super) fn expire(&mut self, now: Instant, mut new_id: impl FnMut() -> JobId) -> usize {
        let over =
            |(id, assignment): (&JobId, &Assignment)| (assignment.until <= now).then_some(*id);
        let late: Vec<JobId> = self.taken.iter().filter_map(over).collect();
        for id in &late {
            if let Some(Assignment { asked, .. }) = self.taken.remove(id) {
                asked.job.stop.store(true, Ordering::Relaxed);
                self.give_again(asked, new_id());
            }
        }
        late.len()
    }

    /// Interrupts one search of a thread of this process, which is wanted for a bot.
    pub(super) fn interrupt_one(&self) {
        let here = self
            .taken
            .values()
            .filter(|assignment| assignment.kind == WorkerKind::Thread);
        let mut running = here.map(|assignment| &assignment.asked.job.stop);
        if let Some(stop) = running.find(|stop| !stop.load(Ordering::Relaxed)) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Interrupts all searches, and tells all callers.
    pub(super) fn close(&mut self) {
        self.waiting.clear();
        for (_, assignment) in self.taken.drain() {
            assignment.asked.job.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Returns the number of waiting jobs, and of those that workers have.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.waiting.len(), self.taken.len())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.counts() == (0, 0)
    }

    fn end_assignment(&mut self, worker: &WorkerId, id: JobId) -> Option<Assignment> {
        let is_theirs = |assignment: &&Assignment| assignment.worker == *worker;
        self.taken.get(&id).filter(is_theirs)?;
        self.taken.remove(&id)
    }

    /// Queues a failed job again, unless it has failed too often: then its caller is told.
    fn give_again(&mut self, mut asked: Asked, id: JobId) {
        if asked.job.attempt < ATTEMPTS {
            asked.job.attempt += 1;
            self.put_back(asked, id);
        }
    }

    /// Queues a job again before the others, under a new number.
    fn put_back(&mut self, mut asked: Asked, id: JobId) {
        asked.job.id = id;
        asked.job.stop = Arc::default();
        self.waiting.push_front(asked);
    }
}
