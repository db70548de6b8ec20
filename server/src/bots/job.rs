//! Jobs and their results, in memory and on the wire.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mawe_ai::search::{MAX_DEPTH, WIN};
use mawe_ai::{Level, Thought};
use mawe_rules::{AnySetup, GameKind, Record, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use mawe_play::room::io::Wanted;
use mawe_wire::ids::WorkerId;

use crate::trace::TraceContext;

/// The version that a worker must have to work for this server: the same, so that a level plays equally well on every worker.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Maximum thinking time for one move; less when the bot's clock is short.
pub const THINK_AT_MOST: Duration = Duration::from_secs(3);

/// The positions that the search of an evaluation visits, fixed so that its result is the same on every worker of a version.
pub const EVALUATION_NODES: u64 = 300_000;

/// Maximum time of an evaluation: some thirty times the time of the slowest game on a machine of today.
pub const EVALUATE_AT_MOST: Duration = Duration::from_secs(30);

/// The plies of a principal variation that are sent and stored.
pub const MAX_PV: usize = 12;

/// The range of levels.
pub const LEVELS: RangeInclusive<u8> = Level::MIN.get()..=Level::MAX.get();

/// The number of a job on its node. A job that is given out again gets a new number, so that a late answer cannot be taken for the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JobId(pub u64);

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One question, as a worker receives it. It does not identify the match or its players.
#[derive(Debug, Clone)]
pub struct Job {
    /// The number of the job.
    pub id: JobId,
    /// Number of times the job has been given out, including this one.
    pub attempt: u32,
    /// Kind of the question.
    pub task: Task,
    /// The game so far, with the history that repetition depends on.
    pub game: Arc<Record>,
    /// Maximum thinking time.
    pub think_for: Duration,
    /// Set when the answer is no longer wanted.
    pub stop: Arc<AtomicBool>,
    /// The place of the job's span in its trace.
    pub trace: TraceContext,
}

/// Kind of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// The answer of a bot.
    Bot(BotTask),
    /// The evaluation of the position: a search of [`EVALUATION_NODES`] with the knowledge that every worker has.
    Evaluation,
}

/// A question to a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BotTask {
    /// Kind of the answer wanted.
    pub wanted: Wanted,
    /// The bot's seat.
    pub side: Side,
    /// The bot's level, 1 to 10.
    pub level: u8,
    /// Seed of the level's deliberate errors.
    pub seed: u64,
}

impl Task {
    /// The thinking time that no job of this kind exceeds.
    #[must_use]
    pub fn most_time(self) -> Duration {
        match self {
            Task::Bot(_) => THINK_AT_MOST,
            Task::Evaluation => EVALUATE_AT_MOST,
        }
    }
}

/// A worker's result for a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobResult {
    /// The number of the job.
    pub id: JobId,
    /// The outcome.
    pub outcome: Outcome,
}

/// Outcome of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// An answer of a bot.
    Answer(Reply),
    /// The evaluation of a position.
    Evaluation(Evaluation),
    /// No answer: the worker could not do the job.
    Failed,
}

/// An answer of a bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// A move.
    Move {
        /// The move, in the notation of the game.
        text: String,
        /// Whether the bot offers a draw with it.
        offers_draw: bool,
    },
    /// The bot resigns, in place of a move.
    Resign,
    /// Whether the draw is accepted.
    Draw(bool),
}

/// The result of the search of a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Evaluation {
    /// The best move, in the notation of the game.
    pub best: String,
    /// The score in hundredths of the game's unit, from the view of the side to move; for a win ten million less the number of plies to it,
    /// the negative of that for a loss.
    pub score: i32,
    /// Whether the score is the exact result.
    pub proven: bool,
    /// The deepest finished iteration, in plies.
    pub depth: u32,
    /// The number of positions visited.
    pub nodes: u64,
    /// The principal variation, beginning with the best move: 12 plies at most.
    pub pv: Vec<String>,
}

impl Evaluation {
    /// Returns the evaluation of a search of the game's position.
    #[must_use]
    pub fn from_thought(thought: &Thought, game: &Record) -> Evaluation {
        let mut line = game.clone();
        let pv = thought.pv.iter().take(MAX_PV).map(ToString::to_string);
        Evaluation {
            best: thought.best.to_string(),
            score: thought.score,
            proven: thought.proven,
            depth: thought.depth,
            nodes: thought.nodes,
            // The game may end sooner than the search knows, by repetition.
            pv: pv.take_while(|text| line.play(text).is_ok()).collect(),
        }
    }

    /// Whether this can be the evaluation of the game's position.
    #[must_use]
    pub fn fits(&self, game: &Record) -> bool {
        let mut line = game.clone();
        (-WIN..=WIN).contains(&self.score)
            && self.depth <= MAX_DEPTH
            && self.nodes <= 2 * EVALUATION_NODES
            && (1..=MAX_PV).contains(&self.pv.len())
            && self.pv[0] == self.best
            && self.pv.iter().all(|text| line.play(text).is_ok())
    }
}

impl Job {
    /// Whether the reply is of the kind that was asked for and, if a move, legal.
    #[must_use]
    pub fn is_answered_by(&self, reply: &Reply) -> bool {
        let Task::Bot(BotTask { wanted, .. }) = self.task else {
            return false;
        };
        match (wanted, reply) {
            (Wanted::Move, Reply::Move { text, .. }) => {
                Record::clone(&self.game).play(text).is_ok()
            }
            (Wanted::Move, Reply::Resign) | (Wanted::DrawAnswer, Reply::Draw(_)) => true,
            (Wanted::Move, Reply::Draw(_))
            | (Wanted::DrawAnswer, Reply::Move { .. } | Reply::Resign) => false,
        }
    }

    /// Returns the job in its wire format.
    #[must_use]
    pub fn to_view(&self) -> JobView {
        let (wanted, side, level, seed) = match self.task {
            Task::Bot(task) => {
                let wanted = match task.wanted {
                    Wanted::Move => WantedView::Move,
                    Wanted::DrawAnswer => WantedView::DrawAnswer,
                };
                (wanted, task.side, task.level, task.seed)
            }
            Task::Evaluation => (WantedView::Evaluation, self.game.turn(), *LEVELS.end(), 0),
        };
        JobView {
            id: self.id.0,
            attempt: self.attempt,
            wanted,
            side,
            level,
            game: self.game.kind(),
            setup: self.game.setup().to_string(),
            moves: self.game.moves().iter().map(ToString::to_string).collect(),
            think_ms: u64::try_from(self.think_for.as_millis()).unwrap_or(u64::MAX),
            seed: seed.to_string(),
            traceparent: self.trace.traceparent(),
        }
    }
}

/// A worker's request for a job, with the result of the previous one.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JobRequest {
    /// The version of the worker, which must be that of the server.
    #[schema(example = "0.1.0")]
    pub version: String,
    /// The worker's id, 12 letters and digits, drawn at random at its start. Only the worker that received a job can answer it.
    #[schema(example = "0aBcDeFgHiJk")]
    pub worker: WorkerId,
    /// The result of the previous job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultView>,
    /// Whether the worker wants another job: false for a worker that ends.
    #[serde(default = "yes")]
    pub more: bool,
}

fn yes() -> bool {
    true
}

/// The result of a job: one of `move`, `resign`, `draw` and `evaluation`, or none of them if there is no answer.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResultView {
    /// The number of the job.
    pub id: u64,
    /// The move.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Whether the bot offers a draw with the move.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub offers_draw: bool,
    /// Whether the bot resigns, in place of a move.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub resign: bool,
    /// Whether the draw is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<bool>,
    /// The evaluation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<Evaluation>,
}

impl From<&JobResult> for ResultView {
    fn from(result: &JobResult) -> ResultView {
        let none = ResultView {
            id: result.id.0,
            text: None,
            offers_draw: false,
            resign: false,
            draw: None,
            evaluation: None,
        };
        match &result.outcome {
            Outcome::Answer(Reply::Move { text, offers_draw }) => ResultView {
                text: Some(text.clone()),
                offers_draw: *offers_draw,
                ..none
            },
            Outcome::Answer(Reply::Resign) => ResultView {
                resign: true,
                ..none
            },
            Outcome::Answer(Reply::Draw(accepts)) => ResultView {
                draw: Some(*accepts),
                ..none
            },
            Outcome::Evaluation(evaluation) => ResultView {
                evaluation: Some(evaluation.clone()),
                ..none
            },
            Outcome::Failed => none,
        }
    }
}

impl From<ResultView> for JobResult {
    fn from(view: ResultView) -> JobResult {
        let ResultView {
            id,
            text,
            offers_draw,
            resign,
            draw,
            evaluation,
        } = view;
        let reply = match (text, offers_draw, resign, draw) {
            (Some(text), offers_draw, false, None) => Some(Reply::Move { text, offers_draw }),
            (None, false, true, None) => Some(Reply::Resign),
            (None, false, false, Some(accepts)) => Some(Reply::Draw(accepts)),
            (None, ..) | (Some(_), _, true, _) | (Some(_), _, _, Some(_)) => None,
        };
        let says_more = offers_draw || resign || draw.is_some();
        let outcome = match (reply, evaluation) {
            (Some(reply), None) => Outcome::Answer(reply),
            (None, Some(evaluation)) if !says_more => Outcome::Evaluation(evaluation),
            // No answer, or several together, which are not a valid one.
            (Some(_) | None, Some(_)) | (None, None) => Outcome::Failed,
        };
        JobResult {
            id: JobId(id),
            outcome,
        }
    }
}

/// A job as it is sent to a worker.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct JobView {
    /// The number of the job, which the result repeats.
    pub id: u64,
    /// Number of times the job has been given out, including this one.
    pub attempt: u32,
    /// Kind of the answer wanted.
    pub wanted: WantedView,
    /// The bot's seat; for an evaluation the side to move.
    #[schema(example = "second")]
    pub side: Side,
    /// The bot's level, 1 to 10; 10 for an evaluation.
    pub level: u8,
    /// The game kind.
    #[schema(example = "mawe")]
    pub game: GameKind,
    /// The setup; empty for the standard game.
    pub setup: String,
    /// The plies so far, in the notation of the game.
    pub moves: Vec<String>,
    /// Maximum thinking time, in milliseconds.
    pub think_ms: u64,
    /// Seed of the level's deliberate errors, 0 for an evaluation: a number below 2⁶⁴, as text because JavaScript has no integers of this size.
    pub seed: String,
    /// The place of the job in its trace, if it is traced, as the `traceparent` of the W3C. A worker that sends no spans ignores it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")]
    pub traceparent: Option<String>,
}

/// A job as it is offered to the workers of all nodes.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct JobOffer {
    #[serde(flatten)]
    pub(crate) job: JobView,
    /// Workers that have failed the job; they decline it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) failed_by: Vec<WorkerId>,
}

/// A message about an offered job, from the worker that received it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub(crate) enum Word {
    /// The worker has begun.
    Taken {
        /// Id of the worker: one for all threads of a process.
        #[serde(default)]
        by: Option<WorkerId>,
    },
    /// The result of the job.
    Done(ResultView),
    /// The worker is busy, or has failed this job before: another one may do it.
    Busy,
}

/// Kind of the answer wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WantedView {
    /// A move.
    Move,
    /// Whether the bot accepts a draw.
    DrawAnswer,
    /// The evaluation of the position.
    Evaluation,
}

/// A job that is not valid, from a faulty server.
#[derive(Debug, thiserror::Error)]
#[error("the server sent a job that cannot be understood: {0}")]
pub struct BadJob(String);

impl TryFrom<JobView> for Job {
    type Error = BadJob;

    fn try_from(view: JobView) -> Result<Job, BadJob> {
        fn bad(error: impl fmt::Display) -> BadJob {
            BadJob(error.to_string())
        }
        let setup = AnySetup::parse(view.game, &view.setup).map_err(bad)?;
        let mut game = Record::new(view.game, &setup).map_err(bad)?;
        for text in &view.moves {
            game.play(text).map_err(bad)?;
        }
        let bot = |wanted| {
            Ok(Task::Bot(BotTask {
                wanted,
                side: view.side,
                level: Some(view.level)
                    .filter(|level| LEVELS.contains(level))
                    .ok_or_else(|| bad(format!("level {}", view.level)))?,
                seed: u64::from_str(&view.seed).map_err(bad)?,
            }))
        };
        Ok(Job {
            id: JobId(view.id),
            attempt: view.attempt,
            task: match view.wanted {
                WantedView::Move => bot(Wanted::Move)?,
                WantedView::DrawAnswer => bot(Wanted::DrawAnswer)?,
                WantedView::Evaluation => Task::Evaluation,
            },
            game: Arc::new(game),
            think_for: Duration::from_millis(view.think_ms),
            stop: Arc::default(),
            trace: TraceContext::from_node(view.traceparent.as_deref()),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_job_is_the_same_after_the_wire() {
        for &kind in GameKind::ALL {
            let mut game = Record::new(kind, &AnySetup::standard(kind)).expect("every game starts");
            for _ in 0..6 {
                let moves = game.legal_moves();
                game.play(&moves[moves.len() / 2]).expect("it is legal");
            }
            let mut from_there = Record::from_position(game.position().clone());
            let first = from_there.legal_moves()[0].clone();
            from_there.play(&first).expect("it is legal");
            let bot = Task::Bot(BotTask {
                wanted: Wanted::DrawAnswer,
                side: Side::Second,
                level: 10,
                seed: u64::MAX,
            });
            for (game, task) in [(game, bot), (from_there, Task::Evaluation)] {
                let job = Job {
                    id: JobId(7),
                    attempt: 2,
                    task,
                    game: Arc::new(game),
                    think_for: Duration::from_millis(1_250),
                    stop: Arc::default(),
                    trace: TraceContext::default(),
                };
                let text = serde_json::to_string(&job.to_view()).expect("it is plain JSON");
                let view: JobView = serde_json::from_str(&text).expect("it reads back");
                let back = Job::try_from(view).expect("it makes sense");
                assert_eq!(back.game, job.game, "{kind}");
                assert_eq!((back.id, back.attempt), (job.id, job.attempt));
                assert_eq!((back.task, back.think_for), (job.task, job.think_for));
            }
        }
    }

    #[test]
    fn the_trace_of_a_job_is_a_field_that_may_be_missing() {
        let old = serde_json::json!({
            "id": 7, "attempt": 1, "wanted": "move", "side": "first", "level": 1, "game": "mawe",
            "setup": "", "moves": [], "think_ms": 100, "seed": "0",
        });
        let view: JobView = serde_json::from_value(old.clone()).expect("it reads");
        let job = Job::try_from(view).expect("it makes sense");
        // A job without a trace has no such field.
        let sent = serde_json::to_value(job.to_view()).expect("it is plain JSON");
        assert_eq!(sent, old);
        // A faulty one costs the trace, and not the job.
        let mut faulty = old;
        faulty["traceparent"] = "00-none".into();
        let view: JobView = serde_json::from_value(faulty).expect("it reads");
        let job = Job::try_from(view).expect("it makes sense");
        assert_eq!(job.trace.traceparent(), None);
    }

    #[test]
    fn an_answer_must_be_what_was_asked_and_legal() {
        let kind = GameKind::ALL[0];
        let game = Record::new(kind, &AnySetup::standard(kind)).expect("every game starts");
        let legal = game.legal_moves()[0].clone();
        let bot = |wanted| {
            Task::Bot(BotTask {
                wanted,
                side: Side::First,
                level: 1,
                seed: 0,
            })
        };
        let mut job = Job {
            id: JobId(1),
            attempt: 1,
            task: bot(Wanted::Move),
            game: Arc::new(game),
            think_for: Duration::ZERO,
            stop: Arc::default(),
            trace: TraceContext::default(),
        };
        let plays = |text: &str, offers_draw| Reply::Move {
            text: text.to_owned(),
            offers_draw,
        };
        for offers_draw in [false, true] {
            assert!(job.is_answered_by(&plays(&legal, offers_draw)));
            for nonsense in ["", "a1a1", "\u{0}", "resign", &"9".repeat(10_000)] {
                assert!(!job.is_answered_by(&plays(nonsense, offers_draw)));
            }
        }
        assert!(job.is_answered_by(&Reply::Resign));
        assert!(!job.is_answered_by(&Reply::Draw(true)));
        job.task = bot(Wanted::DrawAnswer);
        assert!(job.is_answered_by(&Reply::Draw(true)));
        assert!(!job.is_answered_by(&plays(&legal, true)));
        assert!(!job.is_answered_by(&Reply::Resign));
        job.task = Task::Evaluation;
        for other in [plays(&legal, false), Reply::Resign, Reply::Draw(true)] {
            assert!(!job.is_answered_by(&other));
        }
    }

    #[test]
    fn an_evaluation_must_fit_its_position() {
        let kind = GameKind::ALL[0];
        let game = Record::new(kind, &AnySetup::standard(kind)).expect("every game starts");
        let whole = evaluation(&game.legal_moves()[0]);
        assert!(whole.fits(&game));
        let damages: [fn(&mut Evaluation); 7] = [
            |it| it.best = "z9".to_owned(),
            |it| it.pv.clear(),
            |it| it.pv[0] = "z9".to_owned(),
            |it| it.pv.push("z9".to_owned()),
            |it| it.score = i32::MIN,
            |it| it.depth = u32::MAX,
            |it| it.nodes = u64::MAX,
        ];
        for damage in damages {
            let mut damaged = whole.clone();
            damage(&mut damaged);
            assert!(!damaged.fits(&game), "{damaged:?}");
        }
    }

    fn evaluation(best: &str) -> Evaluation {
        Evaluation {
            best: best.to_owned(),
            score: -35,
            proven: false,
            depth: 9,
            nodes: EVALUATION_NODES,
            pv: vec![best.to_owned()],
        }
    }

    #[test]
    fn a_result_is_the_same_after_the_wire_and_says_one_thing() {
        let answers = [
            (
                Outcome::Answer(Reply::Move {
                    text: "a1b2".to_owned(),
                    offers_draw: false,
                }),
                // As workers before resignations and offers have sent it.
                json!({ "id": 7, "move": "a1b2" }),
            ),
            (
                Outcome::Answer(Reply::Move {
                    text: "a1b2".to_owned(),
                    offers_draw: true,
                }),
                json!({ "id": 7, "move": "a1b2", "offers_draw": true }),
            ),
            (
                Outcome::Answer(Reply::Resign),
                json!({ "id": 7, "resign": true }),
            ),
            (
                Outcome::Answer(Reply::Draw(false)),
                json!({ "id": 7, "draw": false }),
            ),
            (
                Outcome::Evaluation(evaluation("a1b2")),
                json!({ "id": 7, "evaluation": {
                    "best": "a1b2", "score": -35, "proven": false, "depth": 9, "nodes": EVALUATION_NODES, "pv": ["a1b2"],
                } }),
            ),
            (Outcome::Failed, json!({ "id": 7 })),
        ];
        let read = |text: Value| {
            let view: ResultView = serde_json::from_value(text).expect("it reads");
            JobResult::from(view)
        };
        for (outcome, text) in answers {
            let id = JobId(7);
            let result = JobResult { id, outcome };
            let view = ResultView::from(&result);
            assert_eq!(serde_json::to_value(view).expect("plain JSON"), text);
            assert_eq!(read(text), result);
        }
        for contradiction in [
            json!({ "id": 7, "move": "a1b2", "resign": true }),
            json!({ "id": 7, "move": "a1b2", "draw": true }),
            json!({ "id": 7, "move": "a1b2", "resign": true, "draw": true }),
            json!({ "id": 7, "resign": true, "draw": false }),
            json!({ "id": 7, "offers_draw": true, "resign": true }),
            json!({ "id": 7, "offers_draw": true, "draw": true }),
            json!({ "id": 7, "offers_draw": true }),
            json!({ "id": 7, "offers_draw": true, "evaluation": evaluation("a1b2") }),
            json!({ "id": 7, "draw": true, "evaluation": evaluation("a1b2") }),
        ] {
            assert_eq!(read(contradiction).outcome, Outcome::Failed);
        }
    }
}
