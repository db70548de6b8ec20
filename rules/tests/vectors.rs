//! The conformance vectors of RULES.md section 8, for every game: `vectors/GAME.json` and
//! `vectors/GAME.playouts.json` are copies of the rule book's vectors.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use mawe_rules::{AnyPosition, AnySetup, GameKind, Outcome, Record};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The vectors hold no perft counts beyond this many leaves, so this run needs none either.
const MAX_LEAVES: u64 = 300_000_000;

#[test]
fn every_vector_holds() {
    for kind in GameKind::ALL.iter().copied() {
        for (key, value) in entries(&read(kind, ".json")) {
            check_entry(kind, key, value);
        }
    }
}

#[test]
fn every_playout_and_trace_holds() {
    for kind in GameKind::ALL.iter().copied() {
        for (key, value) in entries(&read(kind, ".playouts.json")) {
            match key.as_str() {
                "game" => assert_eq!(text(value), kind.id()),
                "set" => (),
                "start" => check_start(kind, text(value)),
                "playouts" | "playouts_limited" | "traces" | "traces_limited" => {
                    list(value).iter().for_each(|game| check_game(kind, game));
                }
                unknown => panic!("{kind}: nothing checks `{unknown}`"),
            }
        }
    }
}

/// Checks one entry; an unknown key fails, so that no entry is skipped.
fn check_entry(kind: GameKind, key: &str, value: &Value) {
    match key {
        "game" => assert_eq!(text(value), kind.id()),
        "set" => (),
        "start" => check_start(kind, text(value)),
        "start_limited" => drop(position(kind, text(value))),
        "perft_start" => check_perft(&standard_start(kind), value),
        "start_kujifunza" => assert_eq!(kujifunza().to_string(), text(value)),
        "perft_start_kujifunza" => check_perft(&kujifunza(), value),
        "perft_start_limited" => {
            let vectors = read(kind, ".json");
            check_perft(&position(kind, text(&vectors["start_limited"])), value);
        }
        "perft_start_options" => {
            for option in list(value) {
                let setup = format!("seeds={}", option["seeds"]);
                let setup = AnySetup::parse(kind, &setup).expect("a setup");
                let start = AnyPosition::start(kind, &setup).expect("a start");
                assert_eq!(start.to_string(), text(&option["pos"]));
                check_perft(&start, &option["perft"]);
            }
        }
        "positions" | "positions_limited" | "samples" => {
            list(value)
                .iter()
                .for_each(|case| check_position(kind, case));
        }
        "sequences" => list(value).iter().for_each(|game| check_game(kind, game)),
        // The start of a later round. The tests of the match check how a round leads to it.
        "match_rounds" => {
            for next in list(value)
                .iter()
                .filter_map(|round| round["next"].as_str())
            {
                position(kind, next);
            }
        }
        "bad_positions" => {
            for bad in list(value) {
                let refused = AnyPosition::parse(kind, text(bad));
                assert!(refused.is_err(), "{kind}: {bad} was accepted");
            }
        }
        "bad_moves_at_start" => {
            for bad in list(value) {
                refuses(&Record::from_position(standard_start(kind)), text(bad));
            }
        }
        unknown => panic!("{kind}: nothing checks `{unknown}`"),
    }
}

fn check_start(kind: GameKind, start: &str) {
    assert_eq!(standard_start(kind).to_string(), start);
    assert_eq!(position(kind, start), standard_start(kind));
}

fn check_perft(pos: &AnyPosition, counts: &Value) {
    for (depth, nodes) in (1..).zip(list(counts)) {
        let nodes = nodes.as_u64().expect("a count");
        if nodes <= MAX_LEAVES {
            assert_eq!(pos.perft(depth, 2), nodes, "perft {depth} of {pos}");
        }
    }
}

/// Checks an entry of `positions` or `samples`, without history.
fn check_position(kind: GameKind, case: &Value) {
    let name = text(&case["name"]);
    let record = Record::from_position(position(kind, text(&case["pos"])));
    let legal: Vec<&str> = list_or_empty(&case["legal"]).iter().map(text).collect();
    assert_eq!(record.legal_moves(), legal, "{kind} {name}");
    same_result(record.outcome(), &case["result"], kind, name);

    for m in &legal {
        let mut after = record.clone();
        let played = after.play(m).expect("a legal move");
        assert_eq!(played.to_string(), *m);
        assert_eq!(
            after.position().to_string(),
            text(&case["after"][m]),
            "{kind} {name} {m}"
        );
        same_result(after.outcome(), &case["ends"][m], kind, name);
    }
    for m in list_or_empty(&case["illegal"]) {
        refuses(&record, text(m));
    }
    if let Some(counts) = case.get("perft") {
        check_perft(record.position(), counts);
    }
}

/// Checks a scripted or random game, with house draws, against all data of its vector.
fn check_game(kind: GameKind, game: &Value) {
    let name = game
        .get("id")
        .or(game.get("name"))
        .expect("a name")
        .to_string();
    let mut record = match game.get("start") {
        // The start of a scripted game may list its squares in another order than the printed
        // string.
        Some(start) => {
            let start = AnyPosition::parse(kind, text(start)).expect("a position");
            Record::from_position(start)
        }
        None => Record::new(kind, &AnySetup::standard(kind)).expect("a start"),
    };
    let (mut counts, mut told) = (Vec::new(), String::new());
    for (ply, m) in text(&game["moves"]).split_whitespace().enumerate() {
        let legal = record.legal_moves();
        assert_eq!(record.outcome(), None, "{kind} {name}: over at ply {ply}");
        if let Some(step) = game.get("trace").map(|trace| &trace[ply]) {
            assert_eq!(record.position().to_string(), text(&step["pos"]));
            let traced: Vec<&str> = list(&step["legal"]).iter().map(text).collect();
            assert_eq!(legal, traced, "{kind} {name} at ply {ply}");
            assert_eq!(m, text(&step["move"]));
        }
        tell(&mut told, &record, &legal);
        counts.push(legal.len().to_string());
        record.play(m).expect("a legal move");
    }
    tell(&mut told, &record, &record.legal_moves());

    assert_eq!(
        Some(u64::from(record.ply())),
        game["plies"].as_u64(),
        "{kind} {name}"
    );
    assert_eq!(
        record.position().to_string(),
        text(&game["final"]),
        "{kind} {name}"
    );
    same_result(record.outcome(), &game["result"], kind, &name);
    if let Some(expected) = game.get("counts") {
        assert_eq!(counts.join(" "), text(expected), "{kind} {name}");
    }
    if let Some(expected) = game.get("digest") {
        assert_eq!(digest(&told), text(expected), "{kind} {name}");
    }
}

fn tell(told: &mut String, record: &Record, legal: &[String]) {
    writeln!(told, "{}|{}", record.position(), legal.join(",")).expect("a string takes all text");
}

fn digest(told: &str) -> String {
    let hash = Sha256::digest(told.as_bytes());
    hash[..8]
        .iter()
        .fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"))
}

/// Checks that the move is refused with a reason, and that the record does not change.
fn refuses(record: &Record, m: &str) {
    let mut after = record.clone();
    let error = after.play(m).expect_err("an illegal move");
    assert!(!error.code().is_empty() && !error.to_string().is_empty());
    assert_eq!(after, *record, "{m} changed the record");
}

fn same_result(outcome: Option<Outcome>, expected: &Value, kind: GameKind, name: &str) {
    let actual = outcome.map_or(Value::Null, |outcome| {
        let mut result = serde_json::json!({
            "winner": kind.winner_code(outcome.winner),
            "reason": outcome.reason.as_str(),
        });
        if let Some(score) = outcome.score {
            result["score"] = serde_json::json!([score.first, score.second]);
        }
        result
    });
    assert_eq!(actual, *expected, "{kind} {name}");
}

fn standard_start(kind: GameKind) -> AnyPosition {
    AnyPosition::start(kind, &AnySetup::standard(kind)).expect("a start")
}

/// The start of Bao la kujifunza.
fn kujifunza() -> AnyPosition {
    let setup = AnySetup::parse(GameKind::Bao, "form=kujifunza").expect("a setup");
    AnyPosition::start(GameKind::Bao, &setup).expect("a start")
}

/// Reads a position, which must print as the same text.
fn position(kind: GameKind, text: &str) -> AnyPosition {
    let pos = AnyPosition::parse(kind, text).expect("a position");
    assert_eq!(pos.to_string(), text);
    pos
}

fn read(kind: GameKind, ending: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let path = folder.join(format!("{kind}{ending}"));
    let json = fs::read_to_string(&path).expect("every game has its vectors");
    serde_json::from_str(&json).expect("vectors are JSON")
}

fn entries(file: &Value) -> &serde_json::Map<String, Value> {
    file.as_object().expect("a vector file is an object")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// The list of a key that may be left out.
fn list_or_empty(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
