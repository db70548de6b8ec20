//! Gives work to bots: a bot's turn is a job with a deadline; workers pull jobs and answer them (DESIGN.md D7). See
//! [`crate::worker`] for who does them.
//!
//! A job that is not answered by its deadline goes to another worker; whatever answer comes first counts, a later one is ignored.
//! An answer is only a proposal: the room has it judged by the rules like anybody's command.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mawe_rules::{AnyPosition, Side};
use tokio::sync::mpsc;

use crate::ids::MatchId;
use crate::room::words::{BotQuestion, Wanted};

/// How long a worker may think about one move at most; less when the bot's clock is short.
const THINK_AT_MOST: Duration = Duration::from_secs(3);

/// What a worker may take beyond its thinking time before the job goes to another.
const SLACK: Duration = Duration::from_secs(2);

/// How often a job is given out before it is given up: the bot's flag will fall.
const ATTEMPTS: u32 = 4;

/// A bot does not answer faster than this: people like to see that it is thinking.
pub const HUMAN_PACE: Duration = Duration::from_millis(450);

/// One question to one bot.
#[derive(Debug, Clone)]
pub struct Job {
    /// Its number on this node.
    pub id: u64,
    /// The match.
    pub match_id: MatchId,
    /// The bot's seat.
    pub side: Side,
    /// Its level, 1 to 8.
    pub level: u8,
    /// The ply at stake.
    pub ply: u32,
    /// The head of the journal when it was asked.
    pub seq: u64,
    /// What is wanted.
    pub wanted: Wanted,
    /// The position.
    pub position: AnyPosition,
    /// How long to think.
    pub think_for: Duration,
    /// Set when the answer is no longer wanted.
    pub stop: Arc<AtomicBool>,
    attempt: u32,
    asked_at: Instant,
}

/// What a worker says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// This move.
    Move(String),
    /// Whether the draw is accepted.
    Draw(bool),
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
    /// When the room asked: the room is answered at a human pace from then on.
    pub asked_at: Instant,
}

/// The queue of jobs of this node.
#[derive(Debug)]
pub struct Bots {
    queue: Mutex<Queue>,
    work: Condvar,
    answers: mpsc::UnboundedSender<BotAnswer>,
}

#[derive(Debug, Default)]
struct Queue {
    next_id: u64,
    waiting: VecDeque<Job>,
    taken: HashMap<u64, Taken>,
    closed: bool,
}

#[derive(Debug)]
struct Taken {
    job: Job,
    deadline: Instant,
}

impl Bots {
    /// An empty queue, and where its answers come out. The number of answers under way is bounded by the number of jobs: two a match.
    #[must_use]
    pub fn new() -> (Arc<Bots>, mpsc::UnboundedReceiver<BotAnswer>) {
        let (answers, receiver) = mpsc::unbounded_channel();
        (
            Arc::new(Bots {
                queue: Mutex::default(),
                work: Condvar::new(),
                answers,
            }),
            receiver,
        )
    }

    /// Queues a question.
    pub fn ask(&self, match_id: &MatchId, question: BotQuestion) {
        let mut queue = self.lock();
        queue.next_id += 1;
        let job = Job {
            id: queue.next_id,
            match_id: match_id.clone(),
            side: question.side,
            level: question.level,
            ply: question.ply,
            seq: question.seq,
            wanted: question.wanted,
            position: question.position,
            // A twentieth of the clock a move keeps any bot from losing on time.
            think_for: THINK_AT_MOST.min(Duration::from_millis(question.clock_ms / 20)),
            stop: Arc::default(),
            attempt: 1,
            asked_at: Instant::now(),
        };
        queue.waiting.push_back(job);
        drop(queue);
        self.work.notify_one();
    }

    /// Takes the next job; waits for one. `None` when the queue is closed: the worker goes home.
    #[must_use]
    pub fn take(&self) -> Option<Job> {
        let mut queue = self.lock();
        loop {
            if queue.closed {
                return None;
            }
            if let Some(job) = queue.waiting.pop_front() {
                let deadline = Instant::now() + job.think_for + SLACK;
                queue.taken.insert(
                    job.id,
                    Taken {
                        job: job.clone(),
                        deadline,
                    },
                );
                return Some(job);
            }
            queue = self
                .work
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Answers a job. An answer to a job that was answered or taken away is ignored.
    pub fn answer(&self, id: u64, reply: Reply) {
        let Some(Taken { job, .. }) = self.lock().taken.remove(&id) else {
            return;
        };
        let answer = BotAnswer {
            match_id: job.match_id,
            side: job.side,
            ply: job.ply,
            seq: job.seq,
            reply,
            asked_at: job.asked_at,
        };
        // Nobody listens any more when the server is stopping.
        let _ = self.answers.send(answer);
    }

    /// Gives a job back that could not be done.
    pub fn fail(&self, id: u64) {
        let mut queue = self.lock();
        if let Some(taken) = queue.taken.remove(&id) {
            queue.give_again(taken.job);
            drop(queue);
            self.work.notify_one();
        }
    }

    /// Takes jobs away from workers that are past the deadline, and gives them out again. To be called a few times a second.
    pub fn expire(&self, now: Instant) {
        let mut queue = self.lock();
        let late: Vec<u64> = queue
            .taken
            .iter()
            .filter(|(_, taken)| taken.deadline <= now)
            .map(|(id, _)| *id)
            .collect();
        for id in late {
            if let Some(taken) = queue.taken.remove(&id) {
                taken.job.stop.store(true, Ordering::Relaxed);
                queue.give_again(taken.job);
            }
        }
        drop(queue);
        self.work.notify_all();
    }

    /// Sends all workers home and tells those who think to stop.
    pub fn close(&self) {
        let mut queue = self.lock();
        queue.closed = true;
        for taken in queue.taken.values() {
            taken.job.stop.store(true, Ordering::Relaxed);
        }
        drop(queue);
        self.work.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    /// Queues a job anew, under a new number, so that the old worker's answer is not mistaken for the new one's.
    fn give_again(&mut self, job: Job) {
        if job.attempt == ATTEMPTS {
            tracing::error!(bot.job = job.id, game.match_id = %job.match_id, "no worker answered a bot's job; it is given up");
            return;
        }
        tracing::warn!(bot.job = job.id, game.match_id = %job.match_id, "a bot's job was not answered in time; it goes to another worker");
        self.next_id += 1;
        self.waiting.push_front(Job {
            id: self.next_id,
            attempt: job.attempt + 1,
            stop: Arc::default(),
            ..job
        });
    }
}

#[cfg(test)]
mod tests {
    use mawe_rules::{AnyPosition, AnySetup, GameKind};

    use super::*;

    fn ask(bots: &Bots) {
        let kind = GameKind::ALL[0];
        let position =
            AnyPosition::start(kind, &AnySetup::standard(kind)).expect("every game starts");
        let question = BotQuestion {
            side: Side::First,
            level: 1,
            ply: 0,
            seq: 0,
            wanted: Wanted::Move,
            position,
            clock_ms: 60_000,
        };
        bots.ask(&MatchId::random(), question);
    }

    #[test]
    fn a_job_of_a_dead_worker_goes_to_another_and_is_answered_once() {
        let (bots, mut answers) = Bots::new();
        ask(&bots);
        let first = bots.take().expect("there is a job");
        bots.expire(Instant::now());
        assert!(!first.stop.load(Ordering::Relaxed), "it is not late yet");
        bots.expire(Instant::now() + Duration::from_secs(60));
        assert!(first.stop.load(Ordering::Relaxed));
        let second = bots.take().expect("it is given out again");
        assert_eq!(
            (second.match_id.clone(), second.ply),
            (first.match_id, first.ply)
        );
        bots.answer(first.id, Reply::Move("late".into()));
        bots.answer(second.id, Reply::Move("a1b2".into()));
        bots.answer(second.id, Reply::Move("twice".into()));
        assert_eq!(
            answers.try_recv().expect("one answer").reply,
            Reply::Move("a1b2".into())
        );
        assert!(answers.try_recv().is_err());
    }

    #[test]
    fn a_job_nobody_can_do_is_given_up() {
        let (bots, _answers) = Bots::new();
        ask(&bots);
        for _ in 0..ATTEMPTS {
            let job = bots.take().expect("it is given out");
            bots.fail(job.id);
        }
        bots.close();
        assert!(bots.lock().waiting.is_empty());
        assert!(bots.take().is_none());
    }
}
