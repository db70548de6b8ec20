//! The conformance vectors of games that have no [`mawe_rules::GameKind`] yet, with the format of RULES.md section 8.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Greater counts take more than some seconds.
const MAX_LEAVES: u64 = 25_000_000;

/// A game with its history.
pub(crate) trait Game: Sized {
    /// A game from the usual start.
    fn start() -> Self;
    /// A game from a position; `None` for a text that is none.
    fn from_position(text: &str) -> Option<Self>;
    /// The text of the position.
    fn position(&self) -> String;
    /// The texts of the legal moves, sorted; none when the game is over.
    fn legal(&self) -> Vec<String>;
    /// Plays a legal move.
    fn play(&mut self, m: &str);
    /// The result, null while the game goes on.
    fn result(&self) -> Value;
    /// The number of move sequences of this length.
    fn perft(&self, depth: u32) -> u64;
}

/// Reads a file of vectors.
pub(crate) fn read(game: &str, ending: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/coming");
    let json = std::fs::read_to_string(folder.join(format!("{game}{ending}")));
    serde_json::from_str(&json.expect("vectors")).expect("vectors are JSON")
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn texts(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .map_or(Vec::new(), |all| all.iter().map(text).collect())
}

/// Reads a position, which must print as the same text.
fn position<G: Game>(text: &str) -> G {
    let game = G::from_position(text).expect("a position");
    assert_eq!(game.position(), text);
    game
}

fn check_perft<G: Game>(game: &G, counts: &Value) {
    for (depth, nodes) in (1..).zip(list(counts)) {
        let nodes = nodes.as_u64().expect("a count");
        if nodes <= MAX_LEAVES {
            let counted = game.perft(depth);
            assert_eq!(counted, nodes, "perft {depth} of {}", game.position());
        }
    }
}

/// Checks a position, without history.
fn check_position<G: Game>(case: &Value) {
    let name = text(&case["name"]);
    let pos = text(&case["pos"]);
    let game = position::<G>(pos);
    assert_eq!(game.legal(), texts(&case["legal"]), "{name}");
    assert_eq!(game.result(), case["result"], "{name}");
    for m in texts(&case["legal"]) {
        let mut after = position::<G>(pos);
        after.play(m);
        assert_eq!(after.position(), text(&case["after"][m]), "{name} {m}");
        assert_eq!(after.result(), case["ends"][m], "{name} {m}");
    }
    for m in texts(&case["illegal"]) {
        assert!(!game.legal().contains(&m.to_owned()), "{name} {m}");
    }
    if let Some(counts) = case.get("perft") {
        check_perft(&game, counts);
    }
}

/// Checks a scripted or random game against all data of its vector.
fn check_game<G: Game>(vector: &Value) {
    let name = vector.get("id").or(vector.get("name")).expect("a name");
    let mut game = vector.get("start").map_or_else(G::start, |start| {
        G::from_position(text(start)).expect("a position")
    });
    let (mut counts, mut told, mut plies) = (Vec::new(), String::new(), 0_u64);
    for m in text(&vector["moves"]).split_whitespace() {
        let legal = game.legal();
        let pos = game.position();
        assert!(
            legal.contains(&m.to_owned()),
            "{name}: {m} at ply {plies}, {pos}"
        );
        if let Some(step) = vector.get("trace").map(|trace| &trace[plies as usize]) {
            assert_eq!(pos, text(&step["pos"]));
            assert_eq!(legal, texts(&step["legal"]), "{name} at ply {plies}");
        }
        writeln!(told, "{pos}|{}", legal.join(",")).expect("a string takes all text");
        counts.push(legal.len().to_string());
        game.play(m);
        plies += 1;
    }
    writeln!(told, "{}|{}", game.position(), game.legal().join(",")).expect("a string");
    assert_eq!(Some(plies), vector["plies"].as_u64(), "{name}");
    assert_eq!(game.position(), text(&vector["final"]), "{name}");
    assert_eq!(game.result(), vector["result"], "{name}");
    if let Some(expected) = vector.get("counts") {
        assert_eq!(counts.join(" "), text(expected), "{name}");
    }
    if let Some(expected) = vector.get("digest") {
        let hash = Sha256::digest(told.as_bytes());
        let digest = hash[..8]
            .iter()
            .fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
        assert_eq!(digest, text(expected), "{name}");
    }
}

/// Checks all vectors of a game; a key that neither this function nor the caller knows fails, so that no entry is skipped.
pub(crate) fn check_all<G: Game>(name: &str, known: &[&str]) {
    let (vectors, playouts) = (read(name, ".json"), read(name, ".playouts.json"));
    let entries = [&vectors, &playouts].map(|file| file.as_object().expect("an object"));
    for (key, value) in entries.into_iter().flatten() {
        match key.as_str() {
            "game" => assert_eq!(text(value), name),
            "set" => (),
            "start" => assert_eq!(position::<G>(text(value)).position(), G::start().position()),
            "perft_start" => check_perft(&G::start(), value),
            "positions" | "samples" => list(value).iter().for_each(check_position::<G>),
            "sequences" | "playouts" | "traces" => list(value).iter().for_each(check_game::<G>),
            "bad_positions" => {
                for bad in texts(value) {
                    assert!(G::from_position(bad).is_none(), "{name}: {bad}");
                }
            }
            "bad_moves_at_start" => {
                let legal = G::start().legal();
                for bad in texts(value) {
                    assert!(!legal.contains(&bad.to_owned()), "{name}: {bad}");
                }
            }
            key => assert!(known.contains(&key), "{name}: nothing checks `{key}`"),
        }
    }
    let count = |key: &str| list(&playouts[key]).len();
    assert!(count("playouts") >= 100 && count("traces") > 0);
}
