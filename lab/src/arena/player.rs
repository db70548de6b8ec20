//! The players of matches.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mawe_ai::{Engine, Knowledge, Limits, NoMemory, Strength, choose_as, mix, think};
use mawe_rules::{AnyMove, GameKind, Record};

use super::mcts;
use super::spec::{BadSpec, Judges, Spec, Who};

/// A player of one game.
pub struct Player {
    spec: Spec,
    engine: Option<Engine>,
    knowledge: Arc<Knowledge>,
}

impl Player {
    /// The player of this description, for this game.
    ///
    /// # Errors
    ///
    /// A [`BadSpec`] if the table cannot be allocated or the weights cannot be used.
    pub fn new(spec: Spec, kind: GameKind) -> Result<Self, BadSpec> {
        let knowledge = match &spec.judges {
            Judges::BuiltIn => Arc::clone(Knowledge::built_in()),
            Judges::ByHand => Arc::clone(Knowledge::by_hand()),
            Judges::Weights(path) => {
                let bad = |error: &dyn fmt::Display| BadSpec(format!("weights {path}: {error}"));
                let file = std::fs::read(path).map_err(|error| bad(&error))?;
                let knowledge = Knowledge::built_in_with(kind, &file);
                Arc::new(knowledge.map_err(|error| bad(&error))?)
            }
        };
        let engine = match spec.who {
            Who::Engine => {
                let engine = Engine::knowing(Arc::clone(&knowledge), spec.options);
                Some(engine.map_err(|NoMemory| BadSpec(NoMemory.to_string()))?)
            }
            Who::Level(_) | Who::Strength(_) | Who::Beginner | Who::Random | Who::Playouts(_) => {
                None
            }
        };
        Ok(Self {
            spec,
            engine,
            knowledge,
        })
    }

    /// The player's move; the game must not be over.
    pub fn choose(&self, game: &Record, seed: u64) -> AnyMove {
        let spec = &self.spec;
        let limits = Limits {
            depth: spec.depth,
            nodes: spec.nodes,
            movetime: spec.movetime,
            ..Limits::default()
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
                Arc::default(),
                patience,
            )
        };
        let thought = match (spec.who, &self.engine) {
            (Who::Level(level), _) => with_errors(level.strength(game.kind())),
            (Who::Strength(strength), _) => with_errors(strength),
            (Who::Engine, Some(engine)) => engine.think(game, &limits, &mut |_| ()),
            (Who::Engine, None) => think(game.position(), &limits),
            (Who::Beginner, _) => return beginner(game, seed),
            (Who::Random, _) => return random(game, seed),
            (Who::Playouts(playouts), _) => return mcts::choose(game.position(), playouts, seed),
        };
        thought.expect("the game is not over").best
    }

    /// Clears the results of the previous game.
    pub fn forget(&self) {
        if let Some(engine) = &self.engine {
            engine.forget();
        }
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
