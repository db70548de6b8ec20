//! Tactics files, one a game (`tactics/GAME.txt`): positions whose best move is known.

use std::fs;
use std::path::Path;

use mawe_ai::search::WIN_BOUND;
use mawe_ai::{Limits, think};
use mawe_rules::{AnyPosition, GameKind};

#[test]
fn every_tactic_is_found_and_proven() {
    for kind in GameKind::ALL.iter().copied() {
        let cases = read(kind);
        assert!(!cases.is_empty(), "{kind} has no tactics");
        for case in &cases {
            // Late moves are searched less deep, so a proof may need more depth than its length.
            let thought = think(&case.pos, &Limits::depth(2 * case.depth)).expect("not over");
            let best = thought.best.to_string();
            assert!(case.best.contains(&best), "{kind} {}: {best}", case.id);
            assert_eq!(result(thought.score), case.result, "{kind} {}", case.id);
            assert!(thought.proven, "{kind} {} is not proven", case.id);
        }
    }
}

#[test]
fn a_proven_line_can_be_played_to_its_result() {
    for kind in GameKind::ALL.iter().copied() {
        for case in read(kind) {
            let thought = think(&case.pos, &Limits::depth(2 * case.depth)).expect("not over");
            let mut end = case.pos.clone();
            for m in &thought.pv {
                end.play(&m.to_string()).expect("a legal line");
            }
            // The line may be shorter than the game, but must agree with its result.
            if let Some(outcome) = end.outcome() {
                let winner = match case.result.as_str() {
                    "win" => Some(case.pos.turn()),
                    "loss" => Some(case.pos.turn().other()),
                    _ => None,
                };
                assert_eq!(outcome.winner, winner, "{kind} {}", case.id);
            }
        }
    }
}

fn result(score: i32) -> &'static str {
    match score {
        WIN_BOUND.. => "win",
        0 => "draw",
        score if score <= -WIN_BOUND => "loss",
        _ => "open",
    }
}

struct Case {
    id: String,
    pos: AnyPosition,
    best: Vec<String>,
    depth: u32,
    result: String,
}

fn read(kind: GameKind) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tactics");
    let path = folder.join(format!("{kind}.txt"));
    let file = fs::read_to_string(path).expect("every game has tactics");
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    let text: Vec<&str> = lines.collect();
    let blocks = text
        .split(|line| line.is_empty())
        .filter(|block| !block.is_empty());
    blocks.map(|block| case(kind, block)).collect()
}

fn case(kind: GameKind, block: &[&str]) -> Case {
    let value = |key: &str| {
        let line = block
            .iter()
            .find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("no {key} in {block:?}"))
    };
    Case {
        id: value("id").to_owned(),
        pos: AnyPosition::parse(kind, value("pos")).expect("a position"),
        best: value("best").split(' ').map(str::to_owned).collect(),
        depth: value("depth").parse().expect("a depth"),
        result: value("result").to_owned(),
    }
}
