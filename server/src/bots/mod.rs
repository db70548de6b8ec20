//! Gives work to bots: a bot's turn is a job with a deadline; workers pull jobs and answer them
//! (`docs/decisions/0007-bots.md`). The workers are in [`crate::worker`].
//!
//! There is one way to a job, whoever works and wherever: [`Bots::exchange`] takes what came of the last job and gives the next. What
//! comes back is judged by the rules before anybody sees it. A job whose worker dies, is late or talks nonsense goes to another; one that
//! nobody can do goes to the fallback, which always answers, so that no bot loses on time by our fault. An answer is still only a
//! proposal: the room judges it like anybody's command.

pub mod job;

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mawe_ai::Level;
use mawe_rules::Side;
use tokio::sync::{Notify, mpsc};

use crate::bots::job::{Job, JobId, JobResult, LEVELS, Outcome, Reply, THINK_AT_MOST};
use crate::ids::{MatchId, WorkerId};
use crate::room::words::{BotQuestion, Wanted};

/// What a worker may take beyond its thinking time, also to be heard over a slow line, before the job goes to another.
pub const SLACK: Duration = Duration::from_secs(2);

/// How often a job is given to workers before the fallback does it.
const ATTEMPTS: u32 = 3;

/// How long a job that a worker has failed waits for another worker before the fallback does it.
const SECOND_WITHIN: Duration = Duration::from_secs(1);

/// A job that nobody has taken for so long: the players are told that the computer is away.
const AWAY_AFTER: Duration = Duration::from_secs(5);

/// How long a job is left to the workers of this node before those of others are asked: nothing beside any pace, and enough for one that
/// has nothing to do.
const HEAD_START: Duration = Duration::from_millis(20);

/// How soon the fallback notices what has come to it.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How soon a level answers at the earliest, level 1 first: people like to see that it is thinking, and a beginner takes more time.
const PACE_MS: [u64; Level::COUNT] = [900, 800, 700, 600, 450, 450, 450, 450, 450, 450];

/// The part of its clock, beyond what it keeps, that a bot spends at most on its pace.
const PACE_OF_CLOCK: u32 = 40;

/// What a bot keeps on its clock for what is nobody's choice, the commit and the line: it is not spent on pace.
const PACE_LEAVES: Duration = Duration::from_secs(10);

/// The part of its clock that a bot thinks: a twentieth keeps any bot from losing on time.
const THOUGHT_OF_CLOCK: u32 = 20;

/// What the queue has to tell rooms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BotNews {
    /// An answer.
    Answer(BotAnswer),
    /// Nobody does this bot's jobs just now.
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
    /// The ply it answers.
    pub ply: u32,
    /// The head of the journal when it was asked.
    pub seq: u64,
    /// What it says.
    pub reply: Reply,
    /// Not before then: a timer waits, no worker.
    pub not_before: Instant,
}

/// How the queue has fared since the server started.
#[derive(Debug, Default)]
pub struct Tally {
    /// Jobs that were answered.
    pub answered: AtomicU64,
    /// Of these, by the fallback.
    pub by_fallback: AtomicU64,
    /// How often a job was taken from a worker: dead, late or talking nonsense.
    pub taken_away: AtomicU64,
    /// Results that were for no job of their worker's: too late, twice, or another's.
    pub ignored: AtomicU64,
}

/// The queue of jobs of this node.
#[derive(Debug)]
pub struct Bots {
    queue: Mutex<Queue>,
    /// There may be something to take.
    work: Notify,
    /// The same for who asks the workers of other nodes.
    spare: Notify,
    /// It is closed.
    shut: Notify,
    /// There is something to look after.
    duty: Condvar,
    news: mpsc::UnboundedSender<BotNews>,
    /// How it has fared.
    pub tally: Tally,
}

#[derive(Debug, Default)]
struct Queue {
    next_id: u64,
    /// By when they are due: a level 1 that answers in a blink does not wait behind one that thinks for seconds.
    waiting: BTreeMap<(Instant, JobId), Asked>,
    taken: HashMap<JobId, Lease>,
    /// Where the latest question of its sort in a match waits: a new one takes its place.
    standing: HashMap<(MatchId, Wanted), (Instant, JobId)>,
    closed: bool,
}

/// A job and what the queue knows of it.
#[derive(Debug, Clone)]
struct Asked {
    job: Job,
    match_id: MatchId,
    seq: u64,
    asked_at: Instant,
    /// From then on workers of other nodes may have it, too.
    for_all_at: Instant,
    not_before: Instant,
    due: Instant,
    /// From then on the fallback does it: with half of the bot's clock gone, or a while after a worker has failed it.
    last_call: Option<Instant>,
    failed_by: Vec<WorkerId>,
    is_told: bool,
}

#[derive(Debug)]
struct Lease {
    asked: Asked,
    worker: WorkerId,
    /// Who does it, where the worker is only who has lent it to others.
    done_by: Option<WorkerId>,
    until: Instant,
}

impl Lease {
    /// Whose failure it is when nothing comes of it.
    fn doer(&self) -> &WorkerId {
        self.done_by.as_ref().unwrap_or(&self.worker)
    }
}

/// What a look into the queue has found.
enum Look {
    Found(Job),
    Nothing,
    Closed,
}

impl Bots {
    /// An empty queue, and where its news come out. The number of news under way is bounded by the number of jobs: two a match.
    #[must_use]
    pub fn new() -> (Arc<Bots>, mpsc::UnboundedReceiver<BotNews>) {
        let (news, receiver) = mpsc::unbounded_channel();
        let bots = Bots {
            queue: Mutex::default(),
            work: Notify::new(),
            spare: Notify::new(),
            shut: Notify::new(),
            duty: Condvar::new(),
            news,
            tally: Tally::default(),
        };
        (Arc::new(bots), receiver)
    }

    /// Queues a question.
    pub fn ask(&self, match_id: &MatchId, question: BotQuestion) {
        // Rooms only ask for levels that exist.
        let level = question.level.clamp(*LEVELS.start(), *LEVELS.end());
        let now = Instant::now();
        let clock = question.clock_ms.map(Duration::from_millis);
        let pace = pace(level, clock);
        let think_for = clock.map_or(THINK_AT_MOST, |left| {
            THINK_AT_MOST.min(left / THOUGHT_OF_CLOCK)
        });
        // Weak levels are done in a blink, strong ones think for as long as they may.
        let thinks = if level < *LEVELS.end() {
            Duration::ZERO
        } else {
            think_for
        };
        let mut queue = self.lock();
        if queue.closed {
            return;
        }
        let asked = Asked {
            job: Job {
                id: queue.new_id(),
                attempt: 1,
                wanted: question.wanted,
                side: question.side,
                level,
                think_for,
                seed: seed(match_id, question.game.ply()),
                game: Arc::new(question.game),
                stop: Arc::default(),
            },
            match_id: match_id.clone(),
            seq: question.seq,
            asked_at: now,
            for_all_at: now + HEAD_START,
            not_before: now + pace,
            due: now + pace + thinks,
            last_call: clock.map(|left| now + left / 2),
            failed_by: Vec::new(),
            is_told: false,
        };
        let standing = (match_id.clone(), question.wanted);
        if let Some(older) = queue.standing.remove(&standing) {
            queue.waiting.remove(&older);
        }
        queue.push(asked);
        drop(queue);
        self.work.notify_one();
        self.spare.notify_one();
        self.duty.notify_one();
    }

    /// Takes what came of a worker's last job, and gives it the next; waits for one. `None` when the queue is closed: the worker goes home.
    pub async fn exchange(&self, worker: &WorkerId, result: Option<JobResult>) -> Option<Job> {
        if let Some(result) = result {
            self.settle(worker, result);
        }
        self.next(worker).await
    }

    /// The next job for this worker; waits for one. Given up while it waits, it takes nothing.
    pub async fn next(&self, worker: &WorkerId) -> Option<Job> {
        loop {
            let woken = self.work.notified();
            // The lock is not held while it waits.
            let look = self.lock().take(worker, Instant::now());
            match look {
                Look::Found(job) => return Some(job),
                Look::Closed => return None,
                Look::Nothing => woken.await,
            }
        }
    }

    /// The next job that the workers of this node leave to others, and who has failed it; waits for one. For one task, which asks them.
    /// `None` when the queue is closed. Given up while it waits, it takes nothing.
    pub(crate) async fn next_to_spare(&self, lender: &WorkerId) -> Option<(Job, Vec<WorkerId>)> {
        loop {
            let woken = self.spare.notified();
            let now = Instant::now();
            // The lock is not held while it waits.
            let ready_at = {
                let mut queue = self.lock();
                if queue.closed {
                    return None;
                }
                match queue.take_spare(lender, now) {
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

    /// A worker elsewhere has taken this job, which was lent to others: should it fail, it is the one who has.
    pub(crate) fn note_doer(&self, lender: &WorkerId, id: JobId, doer: WorkerId) {
        let mut queue = self.lock();
        let theirs = queue.taken.get_mut(&id);
        if let Some(lease) = theirs.filter(|lease| lease.worker == *lender) {
            lease.done_by = Some(doer);
        }
    }

    /// Nobody has taken this job: it waits on, under a new number, and it is nobody's failure.
    pub(crate) fn put_back(&self, lender: &WorkerId, id: JobId) {
        let mut queue = self.lock();
        let Some(Lease { asked, .. }) = queue.end_lease(lender, id) else {
            return;
        };
        queue.put_back(asked);
        drop(queue);
        self.work.notify_one();
        self.spare.notify_one();
    }

    /// Takes what came of a job. What is not for a job that this worker has is ignored: it is late, comes twice, or is another's.
    pub fn settle(&self, worker: &WorkerId, result: JobResult) {
        let JobResult { id, outcome } = result;
        let lease = self.lock().end_lease(worker, id);
        let Some(lease) = lease else {
            self.tally.ignored.fetch_add(1, Ordering::Relaxed);
            tracing::debug!(bot.job = %id, bot.worker = %worker, "a worker answers a job that it does not have");
            return;
        };
        let doer = lease.doer().clone();
        let asked = lease.asked;
        match outcome {
            Outcome::Answer(reply) if asked.job.is_answered_by(&reply) => {
                self.deliver(asked, reply)
            }
            outcome => {
                tracing::warn!(
                    bot.job = %id, bot.worker = %doer, game.match_id = %asked.match_id, ?outcome,
                    "a worker has no answer to a bot's job, or one that makes no sense; it goes to another"
                );
                let mut queue = self.lock();
                queue.give_again(asked, doer, Instant::now());
                drop(queue);
                self.tally.taken_away.fetch_add(1, Ordering::Relaxed);
                self.wake_all();
            }
        }
    }

    /// Waits until there are jobs that only the fallback can still do, and takes them; at most for `patience` while there is work at all.
    /// Meanwhile it takes jobs away from workers that are late, and tells rooms for whose bots nobody works. `None` when the queue is
    /// closed. For one thread, which has the time to sleep.
    #[must_use]
    pub fn strays(&self, fallback: &WorkerId, patience: Duration) -> Option<Vec<Job>> {
        let until = Instant::now() + patience;
        let mut queue = self.lock();
        loop {
            if queue.closed {
                return None;
            }
            let now = Instant::now();
            let late = queue.expire(now);
            if late > 0 {
                self.tally.taken_away.fetch_add(late, Ordering::Relaxed);
                self.work.notify_waiters();
                self.spare.notify_one();
            }
            for (match_id, side) in queue.forsaken(now) {
                self.tell(BotNews::Away { match_id, side });
            }
            let strays = queue.take_strays(fallback, now);
            if !strays.is_empty() || now >= until {
                return Some(strays);
            }
            let is_idle = queue.waiting.is_empty() && queue.taken.is_empty();
            let wait = if is_idle { until - now } else { LOOK_EVERY };
            queue = self
                .duty
                .wait_timeout(queue, wait)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    /// An answer of the fallback's.
    pub fn settle_stray(&self, fallback: &WorkerId, result: JobResult) {
        self.tally.by_fallback.fetch_add(1, Ordering::Relaxed);
        self.settle(fallback, result);
    }

    /// Sends all workers home and tells those who think to stop.
    pub fn close(&self) {
        let mut queue = self.lock();
        queue.closed = true;
        for lease in queue.taken.values() {
            lease.asked.job.stop.store(true, Ordering::Relaxed);
        }
        drop(queue);
        self.wake_all();
        self.shut.notify_waiters();
        self.duty.notify_all();
    }

    /// Waits until the queue is closed.
    pub(crate) async fn closed(&self) {
        loop {
            let shut = self.shut.notified();
            if self.lock().closed {
                return;
            }
            shut.await;
        }
    }

    fn wake_all(&self) {
        self.spare.notify_one();
        self.work.notify_waiters();
        // Who is about to wait, and does not yet.
        self.work.notify_one();
    }

    fn deliver(&self, asked: Asked, reply: Reply) {
        self.tally.answered.fetch_add(1, Ordering::Relaxed);
        self.tell(BotNews::Answer(BotAnswer {
            match_id: asked.match_id,
            side: asked.job.side,
            ply: asked.job.game.ply(),
            seq: asked.seq,
            reply,
            not_before: asked.not_before,
        }));
    }

    fn tell(&self, news: BotNews) {
        // Nobody listens any more when the server is stopping.
        let _ = self.news.send(news);
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How soon this level answers at the earliest, with so much on its clock.
#[must_use]
pub fn pace(level: u8, clock: Option<Duration>) -> Duration {
    let pace = Duration::from_millis(PACE_MS[usize::from(level - LEVELS.start())]);
    clock.map_or(pace, |left| {
        pace.min(left.saturating_sub(PACE_LEAVES) / PACE_OF_CLOCK)
    })
}

/// The same question has the same answer, also after a restart; different matches differ.
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
        let standing = (asked.match_id.clone(), asked.job.wanted);
        self.standing.insert(standing, place);
        self.waiting.insert(place, asked);
    }

    fn pop(&mut self, place: (Instant, JobId)) -> Option<Asked> {
        let asked = self.waiting.remove(&place)?;
        self.standing
            .remove(&(asked.match_id.clone(), asked.job.wanted));
        Some(asked)
    }

    /// The job that is due first, of those that this worker has not failed.
    fn take(&mut self, worker: &WorkerId, now: Instant) -> Look {
        if self.closed {
            return Look::Closed;
        }
        let place = self
            .waiting
            .iter()
            .find(|(_, asked)| !asked.failed_by.contains(worker))
            .map(|(place, _)| *place);
        let Some(asked) = place.and_then(|place| self.pop(place)) else {
            return Look::Nothing;
        };
        Look::Found(self.lease(asked, worker, now))
    }

    /// The job that is due first, of those that this node's workers have left alone for a while; or when there is one, as far as is known.
    fn take_spare(
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
                Ok((self.lease(asked, lender, now), failed_by))
            }
            None => Err(self.waiting.values().map(|asked| asked.for_all_at).min()),
        }
    }

    /// Queues a job again that nobody has begun.
    fn put_back(&mut self, mut asked: Asked) {
        // A newer question has taken its place.
        if self
            .standing
            .contains_key(&(asked.match_id.clone(), asked.job.wanted))
        {
            return;
        }
        asked.job.id = self.new_id();
        self.push(asked);
    }

    fn lease(&mut self, asked: Asked, worker: &WorkerId, now: Instant) -> Job {
        let job = asked.job.clone();
        let lease = Lease {
            until: now + job.think_for + SLACK,
            asked,
            worker: worker.clone(),
            done_by: None,
        };
        self.taken.insert(job.id, lease);
        job
    }

    /// Takes a job back from this worker, if it has it.
    fn end_lease(&mut self, worker: &WorkerId, id: JobId) -> Option<Lease> {
        let is_theirs = |lease: &&Lease| lease.worker == *worker;
        self.taken.get(&id).filter(is_theirs)?;
        self.taken.remove(&id)
    }

    /// Takes jobs away from workers that are late; how many.
    fn expire(&mut self, now: Instant) -> u64 {
        let is_over = |lease: &Lease| {
            lease.until <= now || lease.asked.last_call.is_some_and(|last| last <= now)
        };
        let late: Vec<JobId> = self
            .taken
            .iter()
            .filter(|(_, lease)| is_over(lease))
            .map(|(id, _)| *id)
            .collect();
        for id in &late {
            if let Some(lease) = self.taken.remove(id) {
                let doer = lease.doer().clone();
                let asked = lease.asked;
                asked.job.stop.store(true, Ordering::Relaxed);
                tracing::warn!(
                    bot.job = %id, bot.worker = %doer, game.match_id = %asked.match_id,
                    "a bot's job was not answered in time; it goes to another worker"
                );
                self.give_again(asked, doer, now);
            }
        }
        late.len() as u64
    }

    /// Queues a job anew, under a new number.
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

    /// The waiting jobs that only the fallback can still do.
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
                // It is not asked for again while the fallback does it.
                asked.last_call = None;
                jobs.push(self.lease(asked, fallback, now));
            }
        }
        jobs
    }

    /// The bots whose moves nobody has begun to think about for a while, each once.
    fn forsaken(&mut self, now: Instant) -> Vec<(MatchId, Side)> {
        let mut found = Vec::new();
        for asked in self.waiting.values_mut() {
            let waits = asked.asked_at + AWAY_AFTER <= now && asked.job.wanted == Wanted::Move;
            if waits && !asked.is_told {
                asked.is_told = true;
                found.push((asked.match_id.clone(), asked.job.side));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests;
