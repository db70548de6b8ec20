//! Exact values of positions, for clients of the API: a short search with the endgame databases and solvers of the engine. It is over after a
//! fixed number of positions, so that its answer is the same on every machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mawe_ai::search::Objective;
use mawe_ai::{Engine, EngineOptions, Limits};
use mawe_rules::Record;
use tokio::sync::Semaphore;

/// The number of searches at a time.
const MAX_RUNNING: usize = 1;

/// The number of requests that may wait for one; more are refused.
pub const MAX_WAITING: usize = 16;

/// The positions that one search visits at most: some 50 ms of a thread.
const MAX_NODES: u64 = 60_000;

/// The time of a search at most: a sowing board with many seeds takes several times as long for a position.
const MAX_TIME: Duration = Duration::from_millis(250);

/// The size of the table of a search.
const TABLE_MEGABYTES: usize = 2;

/// The scores of the engine are in hundredths of a point.
const POINT: i32 = 100;

/// The greatest difference in points of any game. The score of a proven win in a game that counts none is far above it.
const MOST_POINTS: i32 = 400;

/// The exact value of a position, from the view of the side to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExactValue {
    /// The sign of the value: a win is positive.
    pub sign: i32,
    /// The plies to the end of a won or lost game, if they are known.
    pub plies: Option<u32>,
    /// The difference of the scores at the end of a game that counts points, if it is known.
    pub points: Option<i32>,
    /// The best move.
    pub best: String,
}

/// Too many requests wait for a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Busy;

/// The searches of a node.
#[derive(Debug)]
pub struct ExactValues {
    running: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

impl Default for ExactValues {
    fn default() -> ExactValues {
        ExactValues {
            running: Arc::new(Semaphore::new(MAX_RUNNING)),
            waiting: Arc::new(Semaphore::new(MAX_RUNNING + MAX_WAITING)),
        }
    }
}

/// Ends a search when its request ends.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl ExactValues {
    /// Finds the value of the position of a game that is not over, on a blocking thread; `None` if the search does not prove one.
    ///
    /// # Errors
    /// [`Busy`].
    pub async fn find(&self, game: Record) -> Result<Option<ExactValue>, Busy> {
        let waiting = Arc::clone(&self.waiting).try_acquire_owned();
        let waiting = waiting.map_err(|_| Busy)?;
        let turn = Arc::clone(&self.running).acquire_owned().await;
        let turn = turn.map_err(|_| Busy)?;
        let stop = StopOnDrop(Arc::default());
        let limits = Limits {
            nodes: Some(MAX_NODES),
            movetime: Some(MAX_TIME),
            stop: Some(Arc::clone(&stop.0)),
            ..Limits::default()
        };
        let searching = tokio::task::spawn_blocking(move || {
            let _places = (waiting, turn);
            search(&game, &limits)
        });
        Ok(searching.await.ok().flatten())
    }
}

fn search(game: &Record, limits: &Limits) -> Option<ExactValue> {
    let options = EngineOptions {
        megabytes: TABLE_MEGABYTES,
        objective: Objective::Points,
        ..EngineOptions::default()
    };
    let engine = Engine::new(options).ok()?;
    let thought = engine.think(game, limits, &mut |_| ()).ok()?;
    if !thought.proven {
        return None;
    }
    let score = thought.score;
    let is_margin = score != 0 && score.abs() <= MOST_POINTS * POINT;
    Some(ExactValue {
        sign: score.signum(),
        plies: thought.wins_in().map(i32::unsigned_abs),
        points: is_margin.then_some(score / POINT),
        best: thought.best.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use mawe_rules::{AnyPosition, GameKind};

    use super::*;

    fn game(kind: GameKind, position: &str) -> Record {
        Record::from_position(AnyPosition::parse(kind, position).expect("a position"))
    }

    #[tokio::test]
    async fn few_wait_for_a_value_and_their_places_are_given_back() {
        let values = Arc::new(ExactValues::default());
        let mut searches = tokio::task::JoinSet::new();
        for _ in 0..3 * MAX_WAITING {
            let values = Arc::clone(&values);
            let last_jump = game(GameKind::Checkers, "B:W6:B1");
            searches.spawn(async move { values.find(last_jump).await });
        }
        let answers = searches.join_all().await;
        let refused = answers.iter().filter(|one| one.is_err()).count();
        assert!(refused >= MAX_WAITING - MAX_RUNNING, "{refused}");
        let found: Vec<_> = answers.into_iter().flatten().flatten().collect();
        assert!(!found.is_empty());
        assert!(found.iter().all(|value| value.plies == Some(1)));
        let places = values.waiting.available_permits();
        assert_eq!(places, MAX_RUNNING + MAX_WAITING);
    }

    #[test]
    fn a_search_that_is_stopped_or_too_short_has_no_value() {
        let start = Record::new(
            GameKind::Mawe,
            &mawe_rules::AnySetup::standard(GameKind::Mawe),
        );
        let start = start.expect("it is standard");
        let limits = Limits {
            stop: Some(Arc::new(AtomicBool::new(true))),
            ..Limits::nodes(MAX_NODES)
        };
        assert_eq!(search(&start, &limits), None);
        assert_eq!(search(&start, &Limits::nodes(100)), None);
    }
}
