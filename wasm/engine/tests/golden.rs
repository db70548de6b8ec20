//! The native results of the engine, in a file with which the page's tests compare the WebAssembly engine.
//!
//! `MAWE_GOLDEN=write cargo test -p engine-wasm` writes the file again after a change of the engine.

use std::fs;
use std::path::Path;

use mawe_ai::{Engine, EngineOptions, Knowledge, Level, Limits, Thought, choose_as};
use mawe_rules::{AnyPosition, AnySetup, GameKind, Record};
use serde_json::{Value, json};

/// Enough for several iterations and for a table whose slots are replaced.
const NODES: u32 = 20_000;
/// The tested levels are below this one; stronger levels search too long for a test.
const LEVELS: usize = 7;
/// Playouts of each game, and the number of plies taken from each.
const PLACES: [(usize, usize); 5] = [(0, 0), (1, 4), (2, 9), (3, 15), (4, 22)];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn the_file_says_what_the_engine_answers() {
    let mut questions = Vec::new();
    for kind in GameKind::ALL.iter().copied() {
        let path = root().join(format!("rules/tests/vectors/{kind}.playouts.json"));
        let playouts: Value =
            serde_json::from_str(&fs::read_to_string(path).expect("the vectors")).expect("JSON");
        let playouts = playouts["playouts"].as_array().expect("playouts");
        // One engine for all searches, with a table of the page's size: entries of earlier searches must have the same effect in
        // the page.
        let options = EngineOptions {
            megabytes: 16,
            ..EngineOptions::default()
        };
        let engine = Engine::new(options).expect("a few megabytes");
        for (number, plies) in PLACES {
            let moves = playouts[number]["moves"].as_str().expect("moves");
            let moves: Vec<&str> = moves.split(' ').take(plies).collect();
            let start = playouts[number]["start"].as_str().unwrap_or_default();
            let mut game = match start {
                "" => Record::new(kind, &AnySetup::standard(kind)).expect("the standard game"),
                start => {
                    Record::from_position(AnyPosition::parse(kind, start).expect("a position"))
                }
            };
            for text in &moves {
                game.play(text).expect("a move of the vectors");
            }
            let Ok(found) = engine.think(&game, &Limits::nodes(NODES.into()), &mut |_| ()) else {
                continue;
            };
            let chosen = Level::all().map(|level| {
                let strength = level.strength(kind);
                let found = choose_as(
                    &game,
                    strength,
                    &Knowledge::built_in(),
                    number as u64,
                    Default::default(),
                    std::time::Duration::MAX,
                );
                found.expect("the game is not over").best.to_string()
            });
            questions.push(json!({
                "game": kind.to_string(), "position": start, "moves": moves.join(" "), "nodes": NODES,
                "answer": write(&found), "seed": number, "levels": chosen.take(LEVELS).collect::<Vec<_>>(),
            }));
        }
    }
    assert!(questions.len() > 20, "{}", questions.len());
    let path = root().join("static/tests/engine.golden.json");
    let lines: Vec<String> = questions.iter().map(Value::to_string).collect();
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    if std::env::var_os("MAWE_GOLDEN").is_some_and(|task| task == "write") {
        return fs::write(path, text).expect("the file can be written");
    }
    let said = fs::read_to_string(path).expect("the file is there");
    assert!(
        said == text,
        "the engine answers something else: MAWE_GOLDEN=write cargo test -p engine-wasm"
    );
}

fn write(thought: &Thought) -> Value {
    let pv: Vec<String> = thought.pv.iter().map(ToString::to_string).collect();
    json!({
        "best": thought.best.to_string(), "score": thought.score, "proven": thought.proven,
        "depth": thought.depth, "nodes": thought.nodes, "pv": pv,
    })
}
