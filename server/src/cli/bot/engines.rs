//! The engines of a bot: a player for each game, started when a match needs one.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mawe_lab::arena::{Player, Spec, TimeControl};
use mawe_lab::outside::{Answer, Clocks, EngineError};
use mawe_rules::{GameKind, Record};
use parking_lot::Mutex;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::cli::output::Failure;
use crate::cli::{match_options, rules};

/// The clock by which an engine without a limit plays in a match without a clock, full at each turn: some seconds a move.
const WITHOUT_CLOCK: TimeControl = TimeControl {
    base: Duration::from_secs(120),
    increment: Duration::from_secs(2),
};

/// The engines of a bot.
pub(super) struct Engines {
    players: BTreeMap<GameKind, Spec>,
    first: GameKind,
    /// The engines that run, and play no match.
    idle: Mutex<Vec<Engine>>,
}

/// An engine that runs.
pub(super) struct Engine {
    player: Player,
    kind: GameKind,
    stop: Arc<AtomicBool>,
    /// Whether its last answer was an error: the process may be gone.
    has_failed: bool,
}

/// A search on a thread of its own.
pub(super) struct Search {
    stop: Arc<AtomicBool>,
    task: JoinHandle<(Engine, Result<Answer, EngineError>)>,
}

impl Engines {
    /// Reads `GAME=PLAYER` for each game.
    pub(super) fn read(texts: &[String]) -> Result<Self, Failure> {
        let mut players = BTreeMap::new();
        let mut first = None;
        for text in texts {
            let Some((game, player)) = text.split_once('=') else {
                let line = format!("--engine {text:?}: GAME=PLAYER is wanted, like oware=5");
                return Err(Failure::BadInput(line));
            };
            let kind = rules::kind(game)?;
            let spec = Spec::of_clocked_matches(player, WITHOUT_CLOCK);
            let spec = match_options::read_player(&format!("--engine {game}"), spec)?;
            if players.insert(kind, spec).is_some() {
                let line = format!("--engine {game}: there are two for this game");
                return Err(Failure::BadInput(line));
            }
            first.get_or_insert(kind);
        }
        let first = first.ok_or_else(|| Failure::BadInput("an --engine is wanted".to_owned()))?;
        Ok(Self {
            players,
            first,
            idle: Mutex::default(),
        })
    }

    /// The game that was named first.
    pub(super) fn first(&self) -> GameKind {
        self.first
    }

    /// The games that have an engine.
    pub(super) fn games(&self) -> impl Iterator<Item = GameKind> {
        self.players.keys().copied()
    }

    /// Starts an engine for each game, so that each match finds one that runs.
    pub(super) async fn start_all(&self) -> Result<(), Failure> {
        for kind in self.games() {
            let engine = self.engine(kind).await;
            let engine =
                engine.map_err(|why| Failure::BadInput(format!("--engine {kind}: {why}")))?;
            self.release(engine);
        }
        Ok(())
    }

    /// Returns an engine that is ready for a new game of this kind.
    pub(super) async fn engine(&self, kind: GameKind) -> Result<Engine, String> {
        let idle = {
            let mut idle = self.idle.lock();
            let place = idle.iter().position(|engine| engine.kind == kind);
            place.map(|place| idle.swap_remove(place))
        };
        let spec = self.players.get(&kind).cloned();
        let spec = spec.ok_or_else(|| format!("there is no engine for {kind}"))?;
        let started = spawn_blocking(move || {
            let was_idle = idle.is_some();
            let engine = match idle {
                Some(engine) => engine,
                None => Engine::start(spec, kind)?,
            };
            // Its last search may have been stopped.
            engine.stop.store(false, Ordering::Relaxed);
            let ready = match engine.player.begin_game() {
                // The process has ended since its last match: this starts another.
                Err(_) if was_idle => engine.player.begin_game(),
                ready => ready,
            };
            ready.map_err(|error| error.to_string())?;
            Ok(Engine {
                has_failed: false,
                ..engine
            })
        });
        started.await.map_err(|error| error.to_string())?
    }

    /// Takes back the engine of a match that is over.
    pub(super) fn release(&self, engine: Engine) {
        self.idle.lock().push(engine);
    }
}

impl Engine {
    fn start(spec: Spec, kind: GameKind) -> Result<Self, String> {
        let stop = Arc::new(AtomicBool::new(false));
        let player = Player::stopped_by(spec, kind, Arc::clone(&stop));
        Ok(Self {
            player: player.map_err(|error| error.to_string())?,
            kind,
            stop,
            has_failed: false,
        })
    }

    /// Begins a search. After an error the engine is first made ready again.
    pub(super) fn search(self, game: Record, clocks: Option<Clocks>, seed: u64) -> Search {
        let stop = Arc::clone(&self.stop);
        stop.store(false, Ordering::Relaxed);
        let task = spawn_blocking(move || {
            let ready = match self.has_failed {
                true => self.player.begin_game(),
                false => Ok(()),
            };
            let answer = ready.and_then(|()| self.player.choose(&game, clocks, seed));
            let has_failed = answer.is_err();
            (Engine { has_failed, ..self }, answer)
        });
        Search { stop, task }
    }
}

impl Search {
    /// Waits for the answer. Nothing is lost where the future is dropped.
    ///
    /// # Errors
    ///
    /// The message of a panic of the engine, which is gone then.
    pub(super) async fn answer(&mut self) -> Result<(Engine, Result<Answer, EngineError>), String> {
        let answered = (&mut self.task).await;
        answered.map_err(|error| error.to_string())
    }

    /// Ends the search, and returns the engine.
    pub(super) async fn stop(mut self) -> Option<Engine> {
        self.stop.store(true, Ordering::Relaxed);
        self.answer().await.ok().map(|(engine, _)| engine)
    }
}

impl Drop for Search {
    /// Nobody waits for the answer any more.
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
