//! A text interface of the engine for a web worker: an [`Engine`] keeps its table from search to search.
//!
//! All arguments and results are text as in RULES.md, numbers or nothing; the result of a search is one JSON object. An error is thrown as
//! an `Error` whose message is the stable code. A search cannot be stopped early, except by ending its worker.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use js_sys::Function;
use mawe_ai::{EngineOptions, Knowledge, Level, Limits, Thought, choose_as, intent};
use mawe_rules::{AnyPosition, AnySetup, GameKind, Record, Side};
use wasm_bindgen::prelude::*;

/// An engine whose table lasts from one search to the next.
#[wasm_bindgen]
pub struct Engine {
    engine: mawe_ai::Engine,
}

#[wasm_bindgen]
impl Engine {
    /// An engine with an empty table of `megabytes`.
    ///
    /// # Errors
    ///
    /// `no-memory` if the table cannot be allocated.
    #[wasm_bindgen(constructor)]
    pub fn new(megabytes: u32) -> Result<Engine, JsError> {
        let options = EngineOptions {
            megabytes: megabytes as usize,
            ..EngineOptions::default()
        };
        let engine = mawe_ai::Engine::new(options).map_err(|_| JsError::new("no-memory"))?;
        Ok(Engine { engine })
    }

    /// Clears the results of all earlier searches, so that the next search is as if it were the first.
    pub fn forget(&self) {
        self.engine.forget();
    }

    /// Finds the best move of a game within the given limits. Calls `report` with the result of every iteration.
    ///
    /// # Errors
    ///
    /// The code of the error in the game, `game-over`, or `no-limit` if no limit is given.
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
                // If the callback throws, the search continues, and the page still gets its result.
                let _ = report.call1(&JsValue::NULL, &write_thought(thought).into());
            }
        };
        let found = self.engine.think(&game.record, &limits, &mut tell);
        found
            .map(|thought| write_thought(&thought))
            .map_err(|_| JsError::new("game-over"))
    }
}

/// The move of a player of this level and its intent, `plays`, `offers-draw` or `resigns`, as JSON; the same `seed` makes the same mistakes.
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
        &Knowledge::built_in(),
        seed.into(),
        Arc::default(),
        deadline,
    );
    let thought = found.map_err(|_| JsError::new("game-over"))?;
    // Moves are ASCII without quotation marks or backslashes.
    Ok(format!(
        r#"{{"move":"{}","intent":"{}"}}"#,
        thought.best,
        intent(&game.record, level, &thought).as_str()
    ))
}

/// Whether a computer player of this level on a side, `first` or `second`, accepts a draw; the same `seed` makes the same mistakes.
///
/// # Errors
///
/// `unknown-side`, `unknown-level` or `game-over`.
#[wasm_bindgen(js_name = acceptsDraw)]
pub fn accepts_draw(game: &Game, side: &str, level: u8, seed: u32) -> Result<bool, JsError> {
    let side = match side {
        "first" => Side::First,
        "second" => Side::Second,
        _ => return Err(JsError::new("unknown-side")),
    };
    let level = Level::try_from(level).map_err(|_| JsError::new("unknown-level"))?;
    let strength = level.strength(game.record.kind());
    mawe_ai::accepts_draw(&game.record, side, strength, seed.into(), Limits::default())
        .map_err(|_| JsError::new("game-over"))
}

/// A game for the engine to analyse. Positions that have occurred in it count for repetition.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Game {
    record: Record,
}

#[wasm_bindgen]
impl Game {
    /// A game of a kind, from its setup or, if `position` is not empty, from that position; then `moves`, separated by blanks.
    ///
    /// # Errors
    ///
    /// The code of the error in kind, setup, position or moves.
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

/// The JSON of `mawe analyse --json`, without the time.
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
