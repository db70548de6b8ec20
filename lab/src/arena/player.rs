//! The players of matches.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mawe_ai::{Clock, Engine, Knowledge, Limits, NoMemory, Strength, choose_as, mix, think};
use mawe_rules::{AnyMove, BySide, GameKind, Record};

use super::mcts;
use super::spec::{BadSpec, Judges, Spec, TimeControl, Who};
use crate::outside::{Answer, Clocks, EngineError, MoveLimits, OutsideEngine, Play};

/// A player of one game.
pub struct Player {
    spec: Spec,
    mind: Mind,
    knowledge: Arc<Knowledge>,
    stop: Arc<AtomicBool>,
}

/// The state of a player from move to move.
enum Mind {
    Engine(Box<Engine>),
    Outside(Box<Mutex<OutsideEngine>>),
    None,
}

impl Player {
    /// The player of this description, for this game.
    ///
    /// # Errors
    ///
    /// A [`BadSpec`] if the table cannot be allocated, the weights cannot be used, or an outside engine does not start.
    pub fn new(spec: Spec, kind: GameKind) -> Result<Self, BadSpec> {
        Self::stopped_by(spec, kind, Arc::default())
    }

    /// As [`new`](Self::new); once another thread has set the flag, the player ends its search, and its answer is worth nothing.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn stopped_by(spec: Spec, kind: GameKind, stop: Arc<AtomicBool>) -> Result<Self, BadSpec> {
        let knowledge = match &spec.judges {
            Judges::BuiltIn => Knowledge::built_in(),
            Judges::ByHand => Arc::clone(Knowledge::by_hand()),
            Judges::Weights(path) => {
                let bad = |error: &dyn fmt::Display| BadSpec(format!("weights {path}: {error}"));
                let file = std::fs::read(path).map_err(|error| bad(&error))?;
                let knowledge = Knowledge::built_in_with(kind, &file);
                Arc::new(knowledge.map_err(|error| bad(&error))?)
            }
        };
        let mind = match &spec.who {
            Who::Engine => {
                let engine = Engine::knowing(Arc::clone(&knowledge), spec.options);
                let engine = engine.map_err(|NoMemory| BadSpec(NoMemory.to_string()))?;
                Mind::Engine(Box::new(engine))
            }
            Who::Outside(command) => {
                let engine = OutsideEngine::start(command.as_ref().clone(), kind, &stop);
                let engine = engine.map_err(|error| BadSpec(error.to_string()))?;
                Mind::Outside(Box::new(Mutex::new(engine)))
            }
            Who::Level(_) | Who::Strength(_) | Who::Beginner | Who::Random | Who::Playouts(_) => {
                Mind::None
            }
        };
        Ok(Self {
            spec,
            mind,
            knowledge,
            stop,
        })
    }

    /// The clock with which the player plays, if it has one.
    pub(super) fn time_control(&self) -> Option<TimeControl> {
        self.spec.clock
    }

    /// Whether the player was stopped.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The player's answer; the game must not be over. Without `clocks`, a player that has a clock plays as if it were full.
    ///
    /// # Errors
    ///
    /// The errors of an outside engine.
    pub fn choose(
        &self,
        game: &Record,
        clocks: Option<Clocks>,
        seed: u64,
    ) -> Result<Answer, EngineError> {
        let spec = &self.spec;
        let full = spec.clock.map(|control| Clocks {
            base: control.base,
            increment: control.increment,
            left: BySide::new(control.base, control.base),
        });
        let clocks = clocks.or(full);
        if let Mind::Outside(engine) = &self.mind {
            let limits = MoveLimits {
                clocks,
                movetime: spec.movetime,
                depth: spec.depth,
                nodes: spec.nodes,
            };
            let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
            return engine.choose(game, &limits, &self.stop);
        }
        let began = Instant::now();
        let (m, score) = self.think(game, clocks, seed);
        Ok(Answer {
            play: Play::Move(m),
            score,
            time: began.elapsed(),
        })
    }

    /// The move of a player of our own, and its score.
    fn think(&self, game: &Record, clocks: Option<Clocks>, seed: u64) -> (AnyMove, Option<i32>) {
        let spec = &self.spec;
        let limits = Limits {
            depth: spec.depth,
            nodes: spec.nodes,
            movetime: spec.movetime,
            clock: clocks.map(|clocks| Clock {
                left: clocks.left[game.turn()],
                increment: clocks.increment,
                moves_to_go: None,
            }),
            stop: Some(Arc::clone(&self.stop)),
        };
        let with_errors = |strength: Strength| {
            let strength = Strength {
                depth: spec
                    .depth
                    .map_or(strength.depth, |cap| cap.min(strength.depth)),
                nodes: spec
                    .nodes
                    .map_or(strength.nodes, |cap| cap.min(strength.nodes)),
                ..strength
            };
            let patience = spec.movetime.unwrap_or(Duration::MAX);
            choose_as(
                game,
                strength,
                &self.knowledge,
                seed,
                Arc::clone(&self.stop),
                patience,
            )
        };
        let thought = match (&spec.who, &self.mind) {
            (Who::Level(level), _) => with_errors(level.strength(game.kind())),
            (Who::Strength(strength), _) => with_errors(*strength),
            (Who::Beginner, _) => return (beginner(game, seed), None),
            (Who::Random, _) => return (random(game, seed), None),
            (Who::Playouts(playouts), _) => {
                let m = mcts::choose(game.position(), *playouts, seed, &self.stop);
                return (m, None);
            }
            (_, Mind::Engine(engine)) => engine.think(game, &limits, &mut |_| ()),
            (Who::Engine | Who::Outside(_), _) => think(game.position(), &limits),
        };
        let thought = thought.expect("the game is not over");
        (thought.best, Some(thought.score))
    }

    /// Prepares for a new game: clears the results of the previous one.
    ///
    /// # Errors
    ///
    /// The errors of an outside engine.
    pub fn begin_game(&self) -> Result<(), EngineError> {
        match &self.mind {
            Mind::Engine(engine) => engine.forget(),
            Mind::Outside(engine) => {
                let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
                engine.new_game(&self.stop)?;
            }
            Mind::None => (),
        }
        Ok(())
    }
}

/// The move of a beginner: one time in three a random move, otherwise the best move of a search of one ply with its quiescence. A winning
/// move is always taken.
fn beginner(game: &Record, seed: u64) -> AnyMove {
    let dice = mix(seed ^ mix(game.position().zobrist()));
    let moves = game.position().legal_moves();
    let thought = think(game.position(), &Limits::depth(1)).expect("the game is not over");
    match dice % 3 {
        0 if thought.wins_in() != Some(1) => moves[(dice / 3) as usize % moves.len()],
        _ => thought.best,
    }
}

/// A random legal move.
fn random(game: &Record, seed: u64) -> AnyMove {
    let moves = game.position().legal_moves();
    let dice = mix(seed ^ mix(game.position().zobrist()));
    moves[dice as usize % moves.len()]
}
