//! The engine through a text-only face, for a worker of a page: one [`Engine`] keeps its table from search to search.
//!
//! Everything that goes in or comes out is text as RULES.md writes it, a number or nothing. What was found is one JSON object. Whatever
//! is refused is thrown as an `Error` whose message is the stable code. A search is not left before its end: who wants to stop it ends
//! the worker that it runs in.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use js_sys::Function;
use mawe_ai::{EngineOptions, Knowledge, Level, Limits, Thought, choose_as};
use mawe_rules::{AnyPosition, AnySetup, GameKind, Record};
use wasm_bindgen::prelude::*;

/// An engine that keeps what it has learnt from one search to the next.
#[wasm_bindgen]
pub struct Engine {
    engine: mawe_ai::Engine,
}

#[wasm_bindgen]
impl Engine {
    /// An engine that knows nothing yet, with so many megabytes for its table.
    ///
    /// # Errors
    ///
    /// `no-memory`.
    #[wasm_bindgen(constructor)]
    pub fn new(megabytes: u32) -> Result<Engine, JsError> {
        let options = EngineOptions {
            megabytes: megabytes as usize,
            ..EngineOptions::default()
        };
        let engine = mawe_ai::Engine::new(options).map_err(|_| JsError::new("no-memory"))?;
        Ok(Engine { engine })
    }

    /// Forgets all earlier searches, so that the next is as if it were the first.
    pub fn forget(&self) {
        self.engine.forget();
    }

    /// Finds the best move of a game, within the limits that are named; `report` is called with what every iteration has found.
    ///
    /// # Errors
    ///
    /// The code of what is wrong with the game, `game-over`, or `no-limit`.
    pub fn think(
        &self,
        game: &Game,
        depth: Option<u32>,
        nodes: Option<u32>,
        movetime_ms: Option<u32>,
        report: Option<Function>,
    ) -> Result<String, JsError> {
        let limits = Limits {
            depth,
            nodes: nodes.map(u64::from),
            movetime: movetime_ms.map(|ms| Duration::from_millis(ms.into())),
            ..Limits::default()
        };
        if (depth, nodes, movetime_ms) == (None, None, None) {
            return Err(JsError::new("no-limit"));
        }
        let mut tell = |thought: &Thought| {
            if let Some(report) = &report {
                // A page whose callback throws hears no more of this iteration, and still gets the answer.
                let _ = report.call1(&JsValue::NULL, &write_thought(thought).into());
            }
        };
        let found = self.engine.think(&game.record, &limits, &mut tell);
        found
            .map(|thought| write_thought(&thought))
            .map_err(|_| JsError::new("game-over"))
    }
}

/// The move that a player of this level makes; the same `seed` makes the same mistakes.
///
/// # Errors
///
/// `unknown-level` or `game-over`.
#[wasm_bindgen]
pub fn choose(
    game: &Game,
    level: u8,
    seed: u32,
    movetime_ms: Option<u32>,
) -> Result<String, JsError> {
    let level = Level::try_from(level).map_err(|_| JsError::new("unknown-level"))?;
    let deadline = movetime_ms.map_or(Duration::MAX, |ms| Duration::from_millis(ms.into()));
    let strength = level.strength(game.record.kind());
    let found = choose_as(
        &game.record,
        strength,
        Knowledge::built_in(),
        seed.into(),
        Arc::default(),
        deadline,
    );
    found
        .map(|thought| thought.best.to_string())
        .map_err(|_| JsError::new("game-over"))
}

/// A game as far as it was played, which the engine looks at: what has occurred in it is known to occur again.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Game {
    record: Record,
}

#[wasm_bindgen]
impl Game {
    /// A game of a kind, by its setup or, if that is not empty, from a position; then moves that blanks separate.
    ///
    /// # Errors
    ///
    /// The code of what is wrong with kind, setup, position or a move.
    #[wasm_bindgen(constructor)]
    pub fn new(kind: &str, setup: &str, position: &str, moves: &str) -> Result<Game, JsError> {
        let record = record(kind, setup, position, moves).map_err(JsError::new)?;
        Ok(Game { record })
    }
}

fn record(kind: &str, setup: &str, position: &str, moves: &str) -> Result<Record, &'static str> {
    let kind: GameKind = kind
        .parse()
        .map_err(|error: mawe_rules::UnknownWord| error.code())?;
    let mut record = if position.is_empty() {
        let setup = AnySetup::parse(kind, setup).map_err(|error| error.code())?;
        Record::new(kind, &setup).map_err(|error| error.code())?
    } else {
        let position = AnyPosition::parse(kind, position).map_err(|error| error.code())?;
        Record::from_position(position)
    };
    for text in moves.split_ascii_whitespace() {
        record.play(text).map_err(|why| why.code())?;
    }
    Ok(record)
}

/// As `mawe analyse --json` has it, but for the time.
fn write_thought(thought: &Thought) -> String {
    // Moves are ASCII without quotation marks or backslashes.
    let mut text = format!(
        r#"{{"best":"{}","score":{},"proven":{},"depth":{},"nodes":{},"pv":["#,
        thought.best, thought.score, thought.proven, thought.depth, thought.nodes
    );
    for (index, m) in thought.pv.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        write!(text, r#"{comma}"{m}""#).expect("a string takes all text");
    }
    text.push_str("]}");
    text
}
