//! Checks that all files of every game are there. `docs/adding-a-game.md` has the same list for contributors.

use std::fs;
use std::path::{Path, PathBuf};

use mawe_rules::{AnyPosition, AnySetup, Family, GameKind};
use serde_json::Value;

/// The files of one game, except the page's, which `static/tests/whole.test.js` checks.
const FILES: [&str; 10] = [
    "rules/src/games/MODULE/mod.rs",
    "rules/tests/perft/GAME.perft",
    "rules/tests/vectors/GAME.json",
    "rules/tests/vectors/GAME.playouts.json",
    "docs/rules/GAME.md",
    "ai/src/eval/MODULE.rs",
    "ai/tests/tactics/GAME.txt",
    "fuzz/seeds/position/GAME-start",
    "fuzz/seeds/moves/GAME",
    "fuzz/seeds/json/GAME",
];

/// Files that must have a line about every game, and that line.
const LINES: [(&str, &str); 6] = [
    ("rules/src/games/mod.rs", "pub mod MODULE;"),
    ("ai/src/eval/mod.rs", "mod MODULE;"),
    ("docs/rules-verification.md", "\n| GAME |"),
    ("docs/rules/GAME.md", "**Why a move is refused:**"),
    ("rules/tests/perft/GAME.perft", "\n# Source:"),
    (
        "rules/tests/vectors/GAME.playouts.json",
        "\"game\": \"GAME\"",
    ),
];

/// The required number of playouts, recorded by other implementations: enough to make rare moves likely. Those of the draughts family, of Bao and of Pallanguzhi have
/// traces besides, with all that follows from each position.
const fn required_playouts(kind: GameKind) -> usize {
    match kind.family() {
        Family::Draughts => 100,
        Family::Bao | Family::Pallanguzhi => 150,
        _ => 200,
    }
}

#[test]
fn every_game_is_whole() {
    let missing: Vec<String> = GameKind::ALL.iter().copied().flat_map(missing).collect();
    assert!(
        missing.is_empty(),
        "see docs/adding-a-game.md:\n{}",
        missing.join("\n")
    );
}

#[test]
fn every_game_is_in_the_list_of_all() {
    // The compiler checks that every variant has an id, but not that the list holds every variant.
    let source = read("rules/src/kind.rs");
    let (_, rest) = source.split_once("fn id(self)").expect("`id`");
    let (body, _) = rest.split_once("\n    }\n").expect("its end");
    assert_eq!(body.matches("GameKind::").count(), GameKind::ALL.len());
}

#[test]
fn the_page_knows_which_games_are_not_rated() {
    let page = read("static/games/index.js");
    for kind in GameKind::ALL {
        let (_, entry) = page
            .split_once(&format!("id: \"{kind}\""))
            .unwrap_or_else(|| panic!("no entry of {kind}"));
        let entry = entry.split_once("id: \"").map_or(entry, |(entry, _)| entry);
        let is_casual = entry.contains("casual: true,");
        assert_eq!(is_casual, !AnySetup::usual(*kind).may_be_rated(), "{kind}");
    }
}

#[test]
fn the_list_for_people_names_every_file() {
    let guide = read("docs/adding-a-game.md");
    for path in FILES.into_iter().chain(LINES.map(|(path, _)| path)) {
        assert!(guide.contains(path), "docs/adding-a-game.md lacks {path}");
    }
}

fn missing(kind: GameKind) -> Vec<String> {
    let of = |text: &str| {
        text.replace("GAME", kind.id())
            .replace("MODULE", kind.family().module())
    };
    let mut missing = Vec::new();
    for path in FILES.map(of) {
        if !root().join(&path).is_file() {
            missing.push(format!("{kind}: there is no {path}"));
        }
    }
    for (path, line) in LINES.map(|(path, line)| (of(path), of(line))) {
        let text = fs::read_to_string(root().join(&path)).unwrap_or_default();
        // The first line of a file has no line break before it.
        if !format!("\n{text}").contains(&line) {
            missing.push(format!("{kind}: {path} lacks `{}`", line.trim()));
        }
    }
    let playouts = count_playouts(&root().join(of("rules/tests/vectors/GAME.playouts.json")));
    let required = required_playouts(kind);
    if playouts < required {
        missing.push(format!("{kind}: {playouts} playouts, not {required}"));
    }
    let start = AnyPosition::start(kind, &AnySetup::standard(kind)).map(|start| start.to_string());
    let seed = fs::read_to_string(root().join(of("fuzz/seeds/position/GAME-start")));
    if start.ok() != seed.ok() {
        missing.push(format!("{kind}: its seed for positions is not the start"));
    }
    missing
}

fn count_playouts(path: &Path) -> usize {
    let text = fs::read_to_string(path).unwrap_or_default();
    let vectors: Value = serde_json::from_str(&text).unwrap_or_default();
    vectors["playouts"].as_array().map_or(0, Vec::len)
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("the file is in the repository")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
