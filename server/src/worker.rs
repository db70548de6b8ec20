//! Does the work of bots: threads of their own that pull jobs, think, and answer. Search never runs on an async thread.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use mawe_ai::{Level, Limits, ThinkError, choose, think};

use crate::bots::{Bots, Job, Reply};
use crate::room::words::Wanted;

/// How long a bot looks at the position before it answers a draw offer.
const DRAW_THOUGHT: Duration = Duration::from_millis(200);

/// Before this ply a bot plays on, whatever it is offered.
const DRAW_FROM_PLY: u32 = 20;

/// Starts `count` workers. They end when the queue is closed.
///
/// # Errors
/// When the system gives no thread.
pub fn start(bots: &Arc<Bots>, count: usize) -> std::io::Result<Vec<JoinHandle<()>>> {
    let worker = |number| {
        let bots = Arc::clone(bots);
        std::thread::Builder::new()
            .name(format!("bot-{number}"))
            .spawn(move || work(&bots))
    };
    (1..=count).map(worker).collect()
}

fn work(bots: &Bots) {
    while let Some(job) = bots.take() {
        match catch_unwind(AssertUnwindSafe(|| consider(&job))) {
            Ok(Ok(reply)) => bots.answer(job.id, reply),
            Ok(Err(error)) => {
                tracing::error!(bot.job = job.id, %error, "a bot has no answer");
                bots.fail(job.id);
            }
            Err(_) => {
                tracing::error!(bot.job = job.id, bot.position = %job.position, "a bot panicked while thinking");
                bots.fail(job.id);
            }
        }
    }
}

fn consider(job: &Job) -> Result<Reply, ThinkError> {
    match job.wanted {
        Wanted::Move => {
            // Rooms only ask for levels that exist.
            let level = job.level.to_string().parse().unwrap_or(Level::MAX);
            let thought = choose(
                &job.position,
                level,
                seed(job),
                Arc::clone(&job.stop),
                job.think_for,
            )?;
            Ok(Reply::Move(thought.best.to_string()))
        }
        Wanted::DrawAnswer => {
            let limits = Limits {
                stop: Some(Arc::clone(&job.stop)),
                ..Limits::movetime(DRAW_THOUGHT)
            };
            let thought = think(&job.position, &limits)?;
            // The score is that of the side to move, which may be the one who offers.
            let for_bot = if job.position.turn() == job.side {
                thought.score
            } else {
                -thought.score
            };
            Ok(Reply::Draw(job.ply >= DRAW_FROM_PLY && for_bot <= 0))
        }
    }
}

/// The same question has the same answer, also after a restart; different matches differ.
fn seed(job: &Job) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&job.match_id, job.ply).hash(&mut hasher);
    hasher.finish()
}
