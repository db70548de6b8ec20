//! The queue of bot jobs: a bot's turn is a job with a deadline; workers pull jobs and answer them (`docs/decisions/0007-bots.md`). The
//! workers are in [`crate::worker`].
//!
//! [`Bots::exchange`] takes the result of a worker's last job and returns the next. The rules judge each result before it is used. A job
//! whose worker dies, is late or gives an invalid answer goes to another worker; after several failures it goes to the fallback, which
//! always answers, so that no bot loses on time through a fault of the server. An answer is still only a proposal: the room judges it like
//! a player's command. Workers that no bot needs evaluate positions (`evaluations.rs`); a bot's question interrupts them.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use mawe_ai::Level;
use mawe_play::room::io::{BotQuestion, Wanted};
use mawe_rules::{Record, Side};
use mawe_wire::ids::{MatchId, WorkerId};
use parking_lot::{Condvar, Mutex};
use tokio::sync::{Notify, mpsc};

use crate::bots::evaluations::{Evaluated, Evaluations, NotEvaluated, Settled};
use crate::bots::job::{
    BotTask, Job, JobId, JobResult, LEVELS, Outcome, Reply, THINK_AT_MOST, Task,
};
use crate::bots::workers::{HEAD_START, SLACK, WorkerKind};
use crate::meters::Counter;
use crate::trace::{Trace, TraceContext};

/// Number of times a job is given to workers before the fallback does it.
const ATTEMPTS: u32 = 3;

/// Time that a failed job waits for another worker before the fallback does it.
const SECOND_WITHIN: Duration = Duration::from_secs(1);

/// Time that a job waits without a worker before the players are told that the computer is away.
const AWAY_AFTER: Duration = Duration::from_secs(5);

/// Interval at which the fallback looks for jobs.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Earliest time of an answer by level, level 1 first: people like to see that the bot is thinking, and a beginner takes more time.
const PACE_MS: [u64; Level::COUNT] = [900, 800, 700, 600, 450, 450, 450, 450, 450, 450];

/// A bot spends at most one part in this many of its clock, beyond [`PACE_LEAVES`], on its pace.
const PACE_OF_CLOCK: u32 = 40;

/// The rest of a bot's clock that is not spent on pace: it covers delays that the bot does not control, such as the commit and the network.
const PACE_LEAVES: Duration = Duration::from_secs(10);

/// A bot thinks for at most one part in this many of its clock: a twentieth keeps any bot from losing on time.
const THOUGHT_OF_CLOCK: u32 = 20;

/// A message from the queue to a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BotNews {
    /// An answer.
    Answer(BotAnswer),
    /// No worker has taken this bot's job for some time.
    Away {
        /// The match.
        match_id: MatchId,
        /// The bot's seat.
        side: Side,
    },
}

/// A reply on its way to its room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotAnswer {
    /// The match.
    pub match_id: MatchId,
    /// The bot's seat.
    pub side: Side,
    /// The ply that it answers.
    pub ply: u32,
    /// The head of the journal when the question was asked.
    pub seq: u64,
    /// The reply.
    pub reply: Reply,
    /// Earliest time to deliver it. A timer waits for it, not a worker.
    pub not_before: Instant,
    /// The place of the job in its trace.
    pub trace: TraceContext,
}

/// Counters of the queue since the server started.
#[derive(Debug, Default)]
pub struct QueueCounters {
    /// Jobs answered.
    pub answered: AtomicU64,
    /// Jobs answered by the fallback, also counted in `answered`.
    pub by_fallback: AtomicU64,
    /// Jobs taken from a worker that was dead, late or gave an invalid answer.
    pub taken_away: AtomicU64,
    /// Results ignored, because their worker did not have the job: late, sent twice, or for another worker's job.
    pub ignored: AtomicU64,
    /// The same by level, level 1 first.
    levels: [LevelCounters; Level::COUNT],
    /// Evaluations that have ended with a result.
    pub evaluated: Counter,
    /// Evaluations that a worker has failed, or not finished in time.
    pub not_evaluated: Counter,
    /// Evaluations that a second search has refuted.
    pub refuted: Counter,
}

/// Counters of a level since the server started.
#[derive(Debug, Default)]
struct LevelCounters {
    /// Jobs answered, in the order of [`WorkerKind::ALL`].
    answered: [Counter; WorkerKind::ALL.len()],
    late: Counter,
    failed: Counter,
}

/// The jobs of a level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LevelFigures {
    /// The level.
    pub level: u8,
    /// Jobs that wait for a worker.
    pub waiting: usize,
    /// Jobs that a worker has.
    pub running: usize,
    /// Jobs answered since the start, in the order of [`WorkerKind::ALL`].
    pub answered: [u64; WorkerKind::ALL.len()],
    /// Jobs taken from a worker since the start, because their time was over.
    pub late: u64,
    /// Jobs with no answer or an illegal one from a worker, since the start.
    pub failed: u64,
}

/// The jobs of the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotFigures {
    /// The jobs by level, level 1 first.
    pub levels: Vec<LevelFigures>,
    /// The longest wait for a worker at present.
    pub longest_wait: Duration,
    /// The evaluations.
    pub evaluations: EvaluationFigures,
}

/// The evaluations of the queue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EvaluationFigures {
    /// Evaluations that wait for a worker.
    pub waiting: usize,
    /// Evaluations that a worker has.
    pub running: usize,
    /// Evaluations with a result since the start.
    pub done: u64,
    /// Failures of workers since the start.
    pub failed: u64,
    /// Results that a second search has refuted, since the start.
    pub refuted: u64,
}

impl QueueCounters {
    fn level(&self, level: u8) -> &LevelCounters {
        &self.levels[level_place(level)]
    }
}

/// The place of a level in lists. Jobs have valid levels only.
fn level_place(level: u8) -> usize {
    usize::from(level - LEVELS.start())
}

/// The queue of jobs of this node.
#[derive(Debug)]
pub struct Bots {
    queue: Mutex<Queue>,
    /// Notified when a job may be available.
    local_work: Notify,
    /// As `local_work`, for the task that offers jobs to other nodes.
    shareable_work: Notify,
    /// Notified when the queue is closed.
    closed: Notify,
    /// Wakes the fallback thread when a job arrives or the queue is closed.
    supervision: Condvar,
    /// Number of threads of this process that wait for a job.
    idle: AtomicUsize,
    news: mpsc::UnboundedSender<BotNews>,
    /// Counters since the server started.
    pub tally: QueueCounters,
}

#[derive(Debug, Default)]
struct Queue {
    next_id: u64,
    /// Ordered by due time: a level 1 job, which is answered at once, does not wait behind one that takes seconds.
    waiting: BTreeMap<(Instant, JobId), Asked>,
    taken: HashMap<JobId, Assignment>,
    /// The waiting place of the latest question of each kind in a match; a new question replaces it.
    standing: HashMap<(MatchId, Wanted), (Instant, JobId)>,
    evaluations: Evaluations,
    closed: bool,
}

/// A job and the queue's data about it.
#[derive(Debug, Clone)]
struct Asked {
    job: Job,
    /// The same as in the job.
    task: BotTask,
    match_id: MatchId,
    seq: u64,
    asked_at: Instant,
    /// Time from which workers of other nodes may have it, too.
    for_all_at: Instant,
    not_before: Instant,
    due: Instant,
    /// Time from which the fallback does it: when half of the bot's clock is gone, or soon after a worker has failed it.
    last_call: Option<Instant>,
    failed_by: Vec<WorkerId>,
    is_told: bool,
    trace: Trace,
}

#[derive(Debug)]
struct Assignment {
    asked: Asked,
    worker: WorkerId,
    /// The worker on another node that does the job, if `worker` has only lent it.
    done_by: Option<WorkerId>,
    until: Instant,
}

impl Assignment {
    /// The worker that is charged with a failure.
    fn doer(&self) -> &WorkerId {
        self.done_by.as_ref().unwrap_or(&self.worker)
    }
}

/// Result of a search for a job.
enum Look {
    Found(Job),
    Nothing,
    Closed,
}

/// A thread that waits for a job, as long as this value exists.
struct Idle<'a>(&'a AtomicUsize);

impl Idle<'_> {
    fn enter(idle: &AtomicUsize) -> Idle<'_> {
        idle.fetch_add(1, Ordering::Relaxed);
        Idle(idle)
    }
}

impl Drop for Idle<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Bots {
    /// Creates an empty queue, and the receiver of its messages. The number of messages under way is bounded by the number of jobs: two for
    /// each match.
    #[must_use]
    pub fn new() -> (Arc<Bots>, mpsc::UnboundedReceiver<BotNews>) {
        let (news, receiver) = mpsc::unbounded_channel();
        let bots = Bots {
            queue: Mutex::default(),
            local_work: Notify::new(),
            shareable_work: Notify::new(),
            closed: Notify::new(),
            supervision: Condvar::new(),
            idle: AtomicUsize::new(0),
            news,
            tally: QueueCounters::default(),
        };
        (Arc::new(bots), receiver)
    }

    /// Returns the jobs at present, and the counters by level.
    #[must_use]
    pub fn figures(&self) -> BotFigures {
        let counted = LEVELS.zip(&self.tally.levels).map(|(level, counters)| {
            let answered = counters.answered.each_ref().map(Counter::get);
            LevelFigures {
                level,
                answered,
                late: counters.late.get(),
                failed: counters.failed.get(),
                ..LevelFigures::default()
            }
        });
        let mut levels: Vec<LevelFigures> = counted.collect();
        let now = Instant::now();
        let mut longest_wait = Duration::ZERO;
        let queue = self.queue.lock();
        for asked in queue.waiting.values() {
            levels[level_place(asked.task.level)].waiting += 1;
            longest_wait = longest_wait.max(now.saturating_duration_since(asked.asked_at));
        }
        for assignment in queue.taken.values() {
            levels[level_place(assignment.asked.task.level)].running += 1;
        }
        let (waiting, running) = queue.evaluations.counts();
        drop(queue);
        BotFigures {
            levels,
            longest_wait,
            evaluations: EvaluationFigures {
                waiting,
                running,
                done: self.tally.evaluated.get(),
                failed: self.tally.not_evaluated.get(),
                refuted: self.tally.refuted.get(),
            },
        }
    }

    /// Queues a question. The span of the job is below that of `trace`.
    pub fn ask(&self, match_id: &MatchId, question: BotQuestion, trace: &Trace) {
        // Rooms only ask for valid levels.
        let level = question.level.clamp(*LEVELS.start(), *LEVELS.end());
        let now = Instant::now();
        let clock = question.clock_ms.map(Duration::from_millis);
        let pace = pace(level, clock);
        let think_for = clock.map_or(THINK_AT_MOST, |left| {
            THINK_AT_MOST.min(left / THOUGHT_OF_CLOCK)
        });
        // Weak levels answer at once, strong ones use their whole thinking time.
        let thinks = if level < *LEVELS.end() {
            Duration::ZERO
        } else {
            think_for
        };
        let trace = trace.job(question.game.kind(), level);
        let mut queue = self.queue.lock();
        if queue.closed {
            return;
        }
        let task = BotTask {
            wanted: question.wanted,
            side: question.side,
            level,
            seed: seed(match_id, question.game.ply()),
        };
        let asked = Asked {
            job: Job {
                id: queue.new_id(),
                attempt: 1,
                task: Task::Bot(task),
                think_for,
                game: Arc::new(question.game),
                stop: Arc::default(),
                trace: trace.context(),
            },
            task,
            match_id: match_id.clone(),
            seq: question.seq,
            asked_at: now,
            for_all_at: now + HEAD_START,
            not_before: now + pace,
            due: now + pace + thinks,
            last_call: clock.map(|left| now + left / 2),
            failed_by: Vec::new(),
            is_told: false,
            trace,
        };
        let standing = (match_id.clone(), question.wanted);
        if let Some(older) = queue.standing.remove(&standing) {
            queue.waiting.remove(&older);
        }
        queue.push(asked);
        if self.idle.load(Ordering::Relaxed) == 0 {
            queue.evaluations.interrupt_one();
        }
        drop(queue);
        self.local_work.notify_one();
        self.shareable_work.notify_one();
        self.supervision.notify_one();
    }

    /// Has a worker evaluate the position of a game that is not over, when no bot needs it. Cancel safe: a call that is dropped takes the
    /// position out of the queue.
    ///
    /// # Errors
    /// [`NotEvaluated`].
    pub async fn evaluate(&self, game: Arc<Record>) -> Result<Evaluated, NotEvaluated> {
        let receiver = {
            let mut queue = self.queue.lock();
            if queue.closed {
                return Err(NotEvaluated);
            }
            let id = queue.new_id();
            queue.evaluations.push(id, game, Instant::now())
        };
        self.local_work.notify_one();
        self.shareable_work.notify_one();
        self.supervision.notify_one();
        receiver.await.map_err(|_| NotEvaluated)
    }

    /// Accepts the result of a worker's last job, waits for the next and returns it; `None` when the queue is closed and the worker should
    /// end.
    pub async fn exchange(&self, worker: &WorkerId, result: Option<JobResult>) -> Option<Job> {
        if let Some(result) = result {
            self.settle(WorkerKind::Thread, worker, result);
        }
        self.next(WorkerKind::Thread, worker).await
    }

    /// Waits for the next job for this worker. Cancel safe: a call that is dropped while waiting takes no job.
    pub async fn next(&self, kind: WorkerKind, worker: &WorkerId) -> Option<Job> {
        let _idle = (kind == WorkerKind::Thread).then(|| Idle::enter(&self.idle));
        loop {
            let woken = self.local_work.notified();
            // The lock is not held while it waits.
            let look = self.queue.lock().next_job(kind, worker, Instant::now());
            match look {
                Look::Found(job) => return Some(job),
                Look::Closed => return None,
                Look::Nothing => woken.await,
            }
        }
    }

    /// Waits for the next job to offer to other nodes, and returns it with the workers that have failed it. For one task only. `None` when
    /// the queue is closed. Cancel safe: a call that is dropped while waiting takes no job.
    pub(crate) async fn next_to_spare(&self, lender: &WorkerId) -> Option<(Job, Vec<WorkerId>)> {
        loop {
            let woken = self.shareable_work.notified();
            let now = Instant::now();
            // The lock is not held while it waits.
            let ready_at = {
                let mut queue = self.queue.lock();
                if queue.closed {
                    return None;
                }
                match queue.next_shareable_job(lender, now) {
                    Ok(job) => return Some(job),
                    Err(ready_at) => ready_at,
                }
            };
            let ready = async {
                match ready_at {
                    Some(at) => tokio::time::sleep_until(at.into()).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = woken => {}
                () = ready => {}
            }
        }
    }

    /// Records the worker on another node that has taken a lent job, so that a failure is charged to it.
    pub(crate) fn note_doer(&self, lender: &WorkerId, id: JobId, doer: WorkerId) {
        let mut queue = self.queue.lock();
        let theirs = queue.taken.get_mut(&id);
        if let Some(assignment) = theirs.filter(|assignment| assignment.worker == *lender) {
            assignment.done_by = Some(doer);
        } else {
            queue.evaluations.note_doer(lender, id, doer);
        }
    }

    /// Gives a worker no evaluation any more, because a second search has refuted one of its results.
    pub fn distrust(&self, worker: WorkerId) {
        tracing::error!(
            bot.worker = %worker,
            "a second search has refuted the evaluation of a worker; it gets none any more"
        );
        self.tally.refuted.count();
        self.queue.lock().evaluations.distrust(worker);
    }

    /// Returns a lent job that no worker has taken: it waits again under a new number, and no failure is charged.
    pub(crate) fn put_back(&self, lender: &WorkerId, id: JobId) {
        let mut queue = self.queue.lock();
        if let Some(Assignment { asked, .. }) = queue.end_assignment(lender, id) {
            queue.put_back(asked);
        } else {
            let again = queue.new_id();
            if !queue.evaluations.return_job(lender, id, again) {
                return;
            }
        }
        drop(queue);
        self.local_work.notify_one();
        self.shareable_work.notify_one();
    }

    /// Accepts the result of a job. A result for a job that this worker does not have is ignored: it is late, sent twice, or another
    /// worker's.
    pub fn settle(&self, kind: WorkerKind, worker: &WorkerId, result: JobResult) {
        let JobResult { id, outcome } = result;
        let assignment = self.queue.lock().end_assignment(worker, id);
        let Some(assignment) = assignment else {
            if self.settle_evaluation(worker, id, &outcome) {
                return;
            }
            self.tally.ignored.fetch_add(1, Ordering::Relaxed);
            tracing::debug!(bot.job = %id, bot.worker = %worker, "a worker answers a job that it does not have");
            return;
        };
        let doer = assignment.doer().clone();
        let asked = assignment.asked;
        match outcome {
            Outcome::Answer(reply) if asked.job.is_answered_by(&reply) => {
                self.tally.level(asked.task.level).answered[kind as usize].count();
                asked.trace.note_worker(kind.name(), asked.job.attempt);
                self.deliver(asked, reply);
            }
            outcome => {
                tracing::warn!(
                    bot.job = %id, bot.worker = %doer, game.match_id = %asked.match_id, ?outcome,
                    "a worker has no answer to a bot's job, or one that makes no sense; it goes to another"
                );
                self.tally.level(asked.task.level).failed.count();
                let mut queue = self.queue.lock();
                queue.give_again(asked, doer, Instant::now());
                drop(queue);
                self.tally.taken_away.fetch_add(1, Ordering::Relaxed);
                self.wake_all();
            }
        }
    }

    /// Accepts the result of an evaluation; `false` if this worker does not have the job.
    fn settle_evaluation(&self, worker: &WorkerId, id: JobId, outcome: &Outcome) -> bool {
        let mut queue = self.queue.lock();
        let again = queue.new_id();
        let settled = queue.evaluations.settle(worker, id, outcome, again);
        drop(queue);
        match settled {
            None => return false,
            Some(Settled::Answered) => self.tally.evaluated.count(),
            Some(Settled::Interrupted) => self.wake_all(),
            Some(Settled::Failed) => {
                tracing::warn!(
                    bot.job = %id, bot.worker = %worker,
                    "a worker has not evaluated a position, or its result makes no sense"
                );
                self.tally.not_evaluated.count();
                self.wake_all();
            }
        }
        true
    }

    /// Waits until there are jobs that only the fallback can still do, and takes them; returns none after `patience`. Meanwhile it takes
    /// jobs away from late workers, and tells the rooms whose bots have no worker. `None` when the queue is closed. Blocks, so it needs a
    /// thread of its own.
    #[must_use]
    pub fn strays(&self, fallback: &WorkerId, patience: Duration) -> Option<Vec<Job>> {
        let until = Instant::now() + patience;
        let mut queue = self.queue.lock();
        loop {
            if queue.closed {
                return None;
            }
            let now = Instant::now();
            let late = queue.expire(now);
            if !late.is_empty() {
                let count = late.len() as u64;
                self.tally.taken_away.fetch_add(count, Ordering::Relaxed);
                for level in late {
                    self.tally.level(level).late.count();
                }
                self.local_work.notify_waiters();
                self.shareable_work.notify_one();
            }
            let late = queue.expire_evaluations(now);
            if late > 0 {
                (0..late).for_each(|_| self.tally.not_evaluated.count());
                self.local_work.notify_waiters();
                self.shareable_work.notify_one();
            }
            for (match_id, side) in queue.forsaken(now) {
                self.tell(BotNews::Away { match_id, side });
            }
            let strays = queue.take_strays(fallback, now);
            if !strays.is_empty() || now >= until {
                return Some(strays);
            }
            let is_idle =
                queue.waiting.is_empty() && queue.taken.is_empty() && queue.evaluations.is_empty();
            let wait = if is_idle { until - now } else { LOOK_EVERY };
            self.supervision.wait_for(&mut queue, wait);
        }
    }

    /// Accepts the result of a job from the fallback.
    pub fn settle_stray(&self, fallback: &WorkerId, result: JobResult) {
        self.tally.by_fallback.fetch_add(1, Ordering::Relaxed);
        self.settle(WorkerKind::Fallback, fallback, result);
    }

    /// Closes the queue: all workers end, and searches in progress are told to stop.
    pub fn close(&self) {
        let mut queue = self.queue.lock();
        queue.closed = true;
        for assignment in queue.taken.values() {
            assignment.asked.job.stop.store(true, Ordering::Relaxed);
        }
        queue.evaluations.close();
        drop(queue);
        self.wake_all();
        self.closed.notify_waiters();
        self.supervision.notify_all();
    }

    /// Whether the queue is closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.queue.lock().closed
    }

    /// Waits until the queue is closed.
    pub(crate) async fn closed(&self) {
        loop {
            let shut = self.closed.notified();
            if self.queue.lock().closed {
                return;
            }
            shut.await;
        }
    }

    fn wake_all(&self) {
        self.shareable_work.notify_one();
        self.local_work.notify_waiters();
        // This permit is for a worker that is about to wait, but does not yet.
        self.local_work.notify_one();
    }

    fn deliver(&self, asked: Asked, reply: Reply) {
        self.tally.answered.fetch_add(1, Ordering::Relaxed);
        self.tell(BotNews::Answer(BotAnswer {
            match_id: asked.match_id,
            side: asked.task.side,
            ply: asked.job.game.ply(),
            seq: asked.seq,
            reply,
            not_before: asked.not_before,
            trace: asked.trace.context(),
        }));
    }

    fn tell(&self, news: BotNews) {
        // The receiver is gone when the server is stopping.
        let _ = self.news.send(news);
    }
}

/// Earliest time of an answer of this level, with this much time on its clock.
#[must_use]
pub fn pace(level: u8, clock: Option<Duration>) -> Duration {
    let pace = Duration::from_millis(PACE_MS[level_place(level)]);
    clock.map_or(pace, |left| {
        pace.min(left.saturating_sub(PACE_LEAVES) / PACE_OF_CLOCK)
    })
}

/// Makes a seed from match and ply: the same question gets the same answer, also after a restart; different matches differ.
fn seed(match_id: &MatchId, ply: u32) -> u64 {
    let mut hasher = DefaultHasher::new();
    (match_id, ply).hash(&mut hasher);
    hasher.finish()
}

impl Queue {
    fn new_id(&mut self) -> JobId {
        self.next_id += 1;
        JobId(self.next_id)
    }

    fn push(&mut self, asked: Asked) {
        let place = (asked.due, asked.job.id);
        let standing = (asked.match_id.clone(), asked.task.wanted);
        self.standing.insert(standing, place);
        self.waiting.insert(place, asked);
    }

    fn pop(&mut self, place: (Instant, JobId)) -> Option<Asked> {
        let asked = self.waiting.remove(&place)?;
        self.standing
            .remove(&(asked.match_id.clone(), asked.task.wanted));
        Some(asked)
    }

    /// Takes the job that is due first, of those that this worker has not failed; without any, an evaluation.
    fn next_job(&mut self, kind: WorkerKind, worker: &WorkerId, now: Instant) -> Look {
        if self.closed {
            return Look::Closed;
        }
        let place = self
            .waiting
            .iter()
            .find(|(_, asked)| !asked.failed_by.contains(worker))
            .map(|(place, _)| *place);
        let Some(asked) = place.and_then(|place| self.pop(place)) else {
            return match self.evaluations.next_job(worker, kind, now) {
                Some(job) => Look::Found(job),
                None => Look::Nothing,
            };
        };
        Look::Found(self.assign(asked, worker, now))
    }

    /// Takes the job that is due first, of those whose head start for this node's workers has ended; otherwise returns the time when the
    /// next one ends.
    fn next_shareable_job(
        &mut self,
        lender: &WorkerId,
        now: Instant,
    ) -> Result<(Job, Vec<WorkerId>), Option<Instant>> {
        let place = self
            .waiting
            .iter()
            .find(|(_, asked)| asked.for_all_at <= now)
            .map(|(place, _)| *place);
        match place.and_then(|place| self.pop(place)) {
            Some(asked) => {
                let failed_by = asked.failed_by.clone();
                Ok((self.assign(asked, lender, now), failed_by))
            }
            None => match self.evaluations.next_job(lender, WorkerKind::Nats, now) {
                // They decline the job.
                Some(job) => Ok((job, self.evaluations.distrusted())),
                None => {
                    let bots = self.waiting.values().map(|asked| asked.for_all_at);
                    Err(bots.chain(self.evaluations.next_for_all()).min())
                }
            },
        }
    }

    /// Takes evaluations away from late workers; returns their number.
    fn expire_evaluations(&mut self, now: Instant) -> usize {
        let next_id = &mut self.next_id;
        self.evaluations.expire(now, || {
            *next_id += 1;
            JobId(*next_id)
        })
    }

    /// Queues a job again under a new number, unless a newer question has replaced it.
    fn put_back(&mut self, mut asked: Asked) {
        // A newer question waits already.
        if self
            .standing
            .contains_key(&(asked.match_id.clone(), asked.task.wanted))
        {
            return;
        }
        asked.job.id = self.new_id();
        self.push(asked);
    }

    fn assign(&mut self, asked: Asked, worker: &WorkerId, now: Instant) -> Job {
        let job = asked.job.clone();
        let assignment = Assignment {
            until: now + job.think_for + SLACK,
            asked,
            worker: worker.clone(),
            done_by: None,
        };
        self.taken.insert(job.id, assignment);
        job
    }

    /// Takes a job back from this worker; `None` if it does not have it.
    fn end_assignment(&mut self, worker: &WorkerId, id: JobId) -> Option<Assignment> {
        let is_theirs = |assignment: &&Assignment| assignment.worker == *worker;
        self.taken.get(&id).filter(is_theirs)?;
        self.taken.remove(&id)
    }

    /// Takes jobs away from late workers; returns the levels of these jobs.
    fn expire(&mut self, now: Instant) -> Vec<u8> {
        let is_over = |assignment: &Assignment| {
            assignment.until <= now || assignment.asked.last_call.is_some_and(|last| last <= now)
        };
        let late: Vec<JobId> = self
            .taken
            .iter()
            .filter(|(_, assignment)| is_over(assignment))
            .map(|(id, _)| *id)
            .collect();
        let mut levels = Vec::with_capacity(late.len());
        for id in &late {
            if let Some(assignment) = self.taken.remove(id) {
                levels.push(assignment.asked.task.level);
                let doer = assignment.doer().clone();
                let asked = assignment.asked;
                asked.job.stop.store(true, Ordering::Relaxed);
                tracing::warn!(
                    bot.job = %id, bot.worker = %doer, game.match_id = %asked.match_id,
                    "a bot's job was not answered in time; it goes to another worker"
                );
                self.give_again(asked, doer, now);
            }
        }
        levels
    }

    /// Queues a failed job again, under a new number.
    fn give_again(&mut self, mut asked: Asked, failed_by: WorkerId, now: Instant) {
        let wait = if asked.job.attempt < ATTEMPTS {
            SECOND_WITHIN
        } else {
            Duration::ZERO
        };
        let last_call = now + wait;
        asked.last_call = Some(
            asked
                .last_call
                .map_or(last_call, |last| last.min(last_call)),
        );
        asked.failed_by.push(failed_by);
        asked.job.attempt += 1;
        asked.job.stop = Arc::default();
        asked.for_all_at = now;
        self.put_back(asked);
    }

    /// Takes the waiting jobs that only the fallback can still do.
    fn take_strays(&mut self, fallback: &WorkerId, now: Instant) -> Vec<Job> {
        let strays: Vec<(Instant, JobId)> = self
            .waiting
            .iter()
            .filter(|(_, asked)| asked.last_call.is_some_and(|last| last <= now))
            .map(|(place, _)| *place)
            .collect();
        let mut jobs = Vec::with_capacity(strays.len());
        for place in strays {
            if let Some(mut asked) = self.pop(place) {
                // Otherwise the fallback's own job would expire at once.
                asked.last_call = None;
                jobs.push(self.assign(asked, fallback, now));
            }
        }
        jobs
    }

    /// The bots whose moves have waited too long for a worker; each job is reported once.
    fn forsaken(&mut self, now: Instant) -> Vec<(MatchId, Side)> {
        let mut found = Vec::new();
        for asked in self.waiting.values_mut() {
            let waits = asked.asked_at + AWAY_AFTER <= now && asked.task.wanted == Wanted::Move;
            if waits && !asked.is_told {
                asked.is_told = true;
                found.push((asked.match_id.clone(), asked.task.side));
            }
        }
        found
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
