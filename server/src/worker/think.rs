//! Answers to jobs: the one place where the server calls the engine.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use mawe_ai::{
    Intent, Knowledge, Level, Limits, Strength, ThinkError, accepts_draw, choose_as, intent,
};
use mawe_play::room::io::Wanted;

use crate::bots::evaluations::evaluate;
use crate::bots::job::{BotTask, Job, Outcome, Reply, Task};

/// Maximum depth of the fallback's search, which takes about a millisecond.
const FALLBACK_DEPTH: u32 = 4;

/// Maximum number of nodes of the fallback's search.
const FALLBACK_NODES: u64 = 2_000;

/// Maximum thinking time of the fallback, for slow machines.
const FALLBACK_TIME: Duration = Duration::from_millis(20);

/// There is no answer to a job.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NoAnswer(String);

impl From<ThinkError> for NoAnswer {
    fn from(error: ThinkError) -> NoAnswer {
        NoAnswer(error.to_string())
    }
}

/// The function that answers jobs.
pub type Think = Arc<dyn Fn(&Job) -> Result<Outcome, NoAnswer> + Send + Sync>;

/// Answers with the engine.
#[must_use]
pub fn by_engine() -> Think {
    Arc::new(consider)
}

fn level(task: BotTask) -> Level {
    Level::try_from(task.level).unwrap_or(Level::MAX)
}

fn strength(job: &Job, task: BotTask) -> Strength {
    level(task).strength(job.game.kind())
}

fn consider(job: &Job) -> Result<Outcome, NoAnswer> {
    match job.task {
        Task::Bot(task) => answer(job, task).map(Outcome::Answer),
        Task::Evaluation => evaluate(&job.game, &job.stop)
            .map(Outcome::Evaluation)
            .ok_or_else(|| NoAnswer("the search of a position has no result".to_owned())),
    }
}

fn answer(job: &Job, task: BotTask) -> Result<Reply, NoAnswer> {
    match task.wanted {
        Wanted::Move => {
            let stop = Arc::clone(&job.stop);
            let thought = choose_as(
                &job.game,
                strength(job, task),
                &Knowledge::built_in(),
                task.seed,
                stop,
                job.think_for,
            )?;
            let plays = |offers_draw| Reply::Move {
                text: thought.best.to_string(),
                offers_draw,
            };
            Ok(match intent(&job.game, level(task), &thought) {
                Intent::Plays => plays(false),
                Intent::OffersDraw => plays(true),
                Intent::Resigns => Reply::Resign,
            })
        }
        Wanted::DrawAnswer => {
            let limits = Limits {
                stop: Some(Arc::clone(&job.stop)),
                ..Limits::movetime(job.think_for)
            };
            let accepts =
                accepts_draw(&job.game, task.side, strength(job, task), task.seed, limits)?;
            Ok(Reply::Draw(accepts))
        }
    }
}

/// Answers at once: with a short search of the same level, or with the first legal move if even that fails. It neither resigns nor offers a
/// draw, because a short search is not the level's own judgement.
#[must_use]
pub(super) fn at_once(job: &Job) -> Option<Reply> {
    let Task::Bot(task) = job.task else {
        return None;
    };
    if task.wanted == Wanted::DrawAnswer {
        return Some(Reply::Draw(false));
    }
    let full = strength(job, task);
    let glance = Strength {
        depth: full.depth.min(FALLBACK_DEPTH),
        nodes: full.nodes.min(FALLBACK_NODES),
        ..full
    };
    let thought = catch_unwind(AssertUnwindSafe(|| {
        choose_as(
            &job.game,
            glance,
            &Knowledge::built_in(),
            task.seed,
            Arc::default(),
            FALLBACK_TIME,
        )
    }));
    let text = match thought {
        Ok(Ok(thought)) => thought.best.to_string(),
        Ok(Err(_)) | Err(_) => job.game.legal_moves().into_iter().next()?,
    };
    Some(Reply::Move {
        text,
        offers_draw: false,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use mawe_rules::{AnySetup, GameKind, Record};

    use super::*;
    use crate::bots::job::JobId;
    use crate::trace::TraceContext;

    #[test]
    fn an_evaluation_is_of_a_kind_that_the_queue_takes_and_the_same_again() {
        for &kind in GameKind::ALL {
            let mut game = Record::new(kind, &AnySetup::standard(kind)).expect("every game starts");
            // The last plies of a game are short searches.
            while game.outcome().is_none() && game.ply() < 24 {
                let moves = game.legal_moves();
                let text = moves[game.ply() as usize % moves.len()].clone();
                game.play(&text).expect("it is legal");
            }
            if game.outcome().is_some() {
                game.retreat(1);
            }
            let job = Job {
                id: JobId(1),
                attempt: 1,
                task: Task::Evaluation,
                game: Arc::new(game),
                think_for: Duration::ZERO,
                stop: Arc::default(),
                trace: TraceContext::default(),
            };
            let [one, two] = [(); 2].map(|()| consider(&job).expect("an evaluation"));
            let Outcome::Evaluation(evaluation) = &one else {
                panic!("{kind}: {one:?}")
            };
            assert!(evaluation.fits(&job.game), "{kind} {evaluation:?}");
            assert_eq!(one, two, "{kind}");
            job.stop.store(true, Ordering::Relaxed);
            assert!(
                consider(&job).is_err(),
                "{kind}: an interrupted search has no result"
            );
        }
    }

    #[test]
    fn the_fallback_answers_for_every_level_of_every_game_to_the_end() {
        for &kind in GameKind::ALL {
            for level in [Level::MIN, Level::MAX] {
                let mut game =
                    Record::new(kind, &AnySetup::standard(kind)).expect("every game starts");
                for ply in 0..60 {
                    if game.outcome().is_some() {
                        break;
                    }
                    let job = Job {
                        id: JobId(1),
                        attempt: 4,
                        task: Task::Bot(BotTask {
                            wanted: Wanted::Move,
                            side: game.turn(),
                            level: level.get(),
                            seed: ply,
                        }),
                        game: Arc::new(game.clone()),
                        think_for: Duration::ZERO,
                        stop: Arc::default(),
                        trace: TraceContext::default(),
                    };
                    let reply = at_once(&job).expect("there is a move");
                    assert!(job.is_answered_by(&reply), "{kind} {level} {reply:?}");
                    let Reply::Move {
                        text,
                        offers_draw: false,
                    } = reply
                    else {
                        panic!("only a move was asked")
                    };
                    game.play(&text).expect("it is legal");
                }
            }
        }
    }
}
