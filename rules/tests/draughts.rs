//! The draughts family: the vectors of RULES-draughts.md, played by a game of its own that counts repetitions and quiet plies. The games have
//! no [`mawe_rules::GameKind`] yet.

use std::fmt::Write as _;
use std::path::Path;

use mawe_rules::Side;
use mawe_rules::games::draughts::{
    Brazilian, Clock, Colour, Crowning, Drafti, DraughtsMove, DraughtsPosition, EndgameClocks,
    International, KingLanding, Pool, PositionEnd, Russian, Variant,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Greater counts take more than a second.
const MAX_LEAVES: u64 = 25_000_000;

/// A game with its history.
struct Game<V> {
    position: DraughtsPosition<V>,
    /// The positions since the last ply with progress, the current one among them.
    since_progress: Vec<DraughtsPosition<V>>,
    clocks: EndgameClocks,
    result: Value,
}

impl<V: Variant> Game<V> {
    fn begin(position: DraughtsPosition<V>) -> Self {
        let mut game = Self {
            clocks: EndgameClocks::start(&position),
            since_progress: vec![position.clone()],
            position,
            result: Value::Null,
        };
        game.result = game.end();
        game
    }

    fn legal(&self) -> Vec<String> {
        if !self.result.is_null() {
            return Vec::new();
        }
        let moves = self.position.legal_moves();
        let mut texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
        texts.sort_unstable();
        texts
    }

    fn play(&mut self, text: &str) {
        let m: DraughtsMove = text.parse().expect("a move");
        let ply = self.position.play_unchecked(m);
        if !ply.is_quiet() {
            self.since_progress.clear();
        }
        self.since_progress.push(self.position.clone());
        let is_at_limit = self.clocks.note(ply, &self.position);
        let draw = |reason: &str| json!({ "winner": "draw", "reason": reason });
        let current = &self.position;
        let occurrences = self.since_progress.iter().filter(|p| *p == current);
        let quiet = self.since_progress.len() - 1;
        self.result = match self.end() {
            Value::Null if occurrences.count() >= 3 => draw("repetition"),
            Value::Null if quiet >= V::QUIET_LIMIT as usize => draw("quiet-limit"),
            Value::Null if is_at_limit => draw("endgame-limit"),
            end => end,
        };
    }

    /// The result by the position alone.
    fn end(&self) -> Value {
        let winner = match V::colour(self.position.turn().other()) {
            Colour::White => "W",
            Colour::Black => "B",
        };
        match self.position.end() {
            None => Value::Null,
            Some(PositionEnd::NoPieces) => json!({ "winner": winner, "reason": "no-pieces" }),
            Some(PositionEnd::Blocked) => json!({ "winner": winner, "reason": "blocked" }),
            Some(PositionEnd::Material) => json!({ "winner": "draw", "reason": "material" }),
        }
    }
}

fn read(game: &str, ending: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/coming");
    let json = std::fs::read_to_string(folder.join(format!("{game}{ending}")));
    serde_json::from_str(&json.expect("vectors")).expect("vectors are JSON")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn texts(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .map_or(Vec::new(), |all| all.iter().map(text).collect())
}

/// Reads a position, which must print as the same text.
fn position<V: Variant>(text: &str) -> DraughtsPosition<V> {
    let position: DraughtsPosition<V> = text.parse().expect("a position");
    assert_eq!(position.to_string(), text);
    position
}

fn check_perft<V: Variant>(position: &DraughtsPosition<V>, counts: &Value) {
    for (depth, nodes) in (1..).zip(list(counts)) {
        let nodes = nodes.as_u64().expect("a count");
        if nodes <= MAX_LEAVES {
            assert_eq!(position.perft(depth), nodes, "perft {depth} of {position}");
        }
    }
}

/// Checks a position, without history.
fn check_position<V: Variant>(case: &Value) {
    let name = text(&case["name"]);
    let position = position::<V>(text(&case["pos"]));
    let game = Game::begin(position.clone());
    assert_eq!(game.legal(), texts(&case["legal"]), "{name}");
    assert_eq!(game.result, case["result"], "{name}");
    for m in texts(&case["legal"]) {
        let mut after = Game::begin(position.clone());
        after.play(m);
        assert_eq!(
            after.position.to_string(),
            text(&case["after"][m]),
            "{name} {m}"
        );
        assert_eq!(after.result, case["ends"][m], "{name} {m}");
    }
    for m in texts(&case["illegal"]) {
        assert!(!game.legal().contains(&m.to_owned()), "{name} {m}");
    }
    if let Some(counts) = case.get("perft") {
        check_perft(&position, counts);
    }
}

/// Checks a scripted or random game against all data of its vector.
fn check_game<V: Variant>(vector: &Value) {
    let name = vector.get("id").or(vector.get("name")).expect("a name");
    let start = vector
        .get("start")
        .map_or_else(DraughtsPosition::start, |start| {
            text(start).parse().expect("a position")
        });
    let mut game = Game::<V>::begin(start);
    let (mut counts, mut told, mut plies) = (Vec::new(), String::new(), 0_u64);
    for m in text(&vector["moves"]).split_whitespace() {
        let legal = game.legal();
        assert!(
            legal.contains(&m.to_owned()),
            "{name}: {m} at ply {plies}, {}",
            game.position
        );
        if let Some(step) = vector.get("trace").map(|trace| &trace[plies as usize]) {
            assert_eq!(game.position.to_string(), text(&step["pos"]));
            assert_eq!(legal, texts(&step["legal"]), "{name} at ply {plies}");
        }
        writeln!(told, "{}|{}", game.position, legal.join(",")).expect("a string takes all text");
        counts.push(legal.len().to_string());
        game.play(m);
        plies += 1;
    }
    writeln!(told, "{}|{}", game.position, game.legal().join(",")).expect("a string");
    assert_eq!(Some(plies), vector["plies"].as_u64(), "{name}");
    assert_eq!(game.position.to_string(), text(&vector["final"]), "{name}");
    assert_eq!(game.result, vector["result"], "{name}");
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

/// Checks all vectors of a game; an unknown key fails, so that no entry is skipped.
fn check_all<V: Variant>(game: &str) {
    let (vectors, playouts) = (read(game, ".json"), read(game, ".playouts.json"));
    let entries = [&vectors, &playouts].map(|file| file.as_object().expect("an object"));
    for (key, value) in entries.into_iter().flatten() {
        match key.as_str() {
            "game" => assert_eq!(text(value), game),
            "set" => (),
            "start" => assert_eq!(position::<V>(text(value)), DraughtsPosition::start()),
            "perft_start" => check_perft(&DraughtsPosition::<V>::start(), value),
            "positions" | "samples" => list(value).iter().for_each(check_position::<V>),
            "sequences" | "playouts" | "traces" => list(value).iter().for_each(check_game::<V>),
            "bad_positions" => {
                for bad in texts(value) {
                    assert!(bad.parse::<DraughtsPosition<V>>().is_err(), "{game}: {bad}");
                }
            }
            "bad_moves_at_start" => {
                let legal = DraughtsPosition::<V>::start().legal_moves();
                for bad in texts(value) {
                    let read = bad.parse::<DraughtsMove>();
                    assert!(!read.is_ok_and(|m| legal.contains(&m)), "{game}: {bad}");
                }
            }
            unknown => panic!("{game}: nothing checks `{unknown}`"),
        }
    }
    let count = |key: &str| list(&playouts[key]).len();
    assert!(count("playouts") >= 100 && count("traces") > 0);
}

#[test]
fn vectors_of_drafti() {
    check_all::<Drafti>("drafti");
}

#[test]
fn vectors_of_brazilian_draughts() {
    check_all::<Brazilian>("brazilian");
}

#[test]
fn vectors_of_russian_draughts() {
    check_all::<Russian>("russian");
}

#[test]
fn vectors_of_international_draughts() {
    check_all::<International>("international");
}

#[test]
fn vectors_of_pool_checkers() {
    check_all::<Pool>("pool");
}

/// Drafti with the landing of kings that the server TzDraft has, RULES-draughts.md section 10.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct TzDraft;

impl Variant for TzDraft {
    const ROW: u32 = Drafti::ROW;
    const MEN_ROWS: u32 = Drafti::MEN_ROWS;
    const BEGINS: Colour = Drafti::BEGINS;
    const MEN_CAPTURE_BACKWARDS: bool = Drafti::MEN_CAPTURE_BACKWARDS;
    const MAJORITY: bool = Drafti::MAJORITY;
    const CROWNING: Crowning = Drafti::CROWNING;
    const KING_LANDING: KingLanding = KingLanding::UpToGoingOn;
    const KING_AGAINST_KING_IS_DRAWN: bool = Drafti::KING_AGAINST_KING_IS_DRAWN;
    const QUIET_LIMIT: u32 = Drafti::QUIET_LIMIT;
    const CLOCKS: &'static [Clock] = Drafti::CLOCKS;
}

#[test]
fn the_landing_of_a_king_is_one_constant() {
    let legal = |texts: Vec<DraughtsMove>| -> Vec<String> {
        texts.iter().map(ToString::to_string).collect()
    };
    let down = "W:WK1:B6,14,25";
    let here = position::<Drafti>(down).legal_moves();
    assert_eq!(legal(here), ["1x10x21x30", "1x15x29"]);
    let there = position::<TzDraft>(down).legal_moves();
    assert_eq!(legal(there), ["1x10x17", "1x10x21x30"]);
    // The same upwards: the board turned by half, with the colours exchanged.
    let up = position::<TzDraft>("B:W8,19,27:BK32").legal_moves();
    assert_eq!(legal(up), ["32x23x12x3", "32x23x16"]);
    assert_eq!(DraughtsPosition::<TzDraft>::start().perft(10), 18_372_660);
}

#[test]
fn a_side_is_the_colour_that_begins() {
    assert_eq!(Drafti::colour(Side::First), Colour::White);
    assert_eq!(Pool::colour(Side::First), Colour::Black);
    assert_eq!(Pool::colour(Side::Second), Colour::White);
}

/// Nothing that is read panics, and what is read prints so that it reads as the same; no move panics where it is not legal.
fn takes<V: Variant>(position: &str, m: &str) {
    let read = m.parse::<DraughtsMove>();
    if let Ok(m) = read {
        assert_eq!(m.to_string().parse(), Ok(m));
        let _ = DraughtsPosition::<V>::start().play_unchecked(m);
    }
    let Ok(position) = position.parse::<DraughtsPosition<V>>() else {
        return;
    };
    assert_eq!(position.to_string().parse(), Ok(position.clone()));
    for m in position.legal_moves() {
        let mut after = position.clone();
        let ply = after.play_unchecked(m);
        assert_eq!(ply.captures, m.is_capture());
        assert_eq!(after.to_string().parse(), Ok(after.clone()));
    }
    if let Ok(m) = read {
        let _ = position.clone().play_unchecked(m);
    }
}

/// A position string of random pieces, and of what is none.
fn any_position() -> impl Strategy<Value = String> {
    let piece = (any::<bool>(), 0_u8..56)
        .prop_map(|(is_king, number)| format!("{}{number}", if is_king { "K" } else { "" }));
    let pieces = || proptest::collection::vec(piece.clone(), 0..12).prop_map(|all| all.join(","));
    (pieces(), pieces(), any::<bool>()).prop_map(|(white, black, turn)| {
        format!("{}:W{white}:B{black}", if turn { "W" } else { "B" })
    })
}

proptest! {
    #[test]
    fn any_text_is_refused_or_read(
        position in prop_oneof!["[WB:K,0-9x-]{0,30}", any_position(), any::<String>()],
        m in prop_oneof!["[1-9][0-9]?([x-][1-9][0-9]?){1,34}", any::<String>()],
    ) {
        takes::<Drafti>(&position, &m);
        takes::<Brazilian>(&position, &m);
        takes::<Russian>(&position, &m);
        takes::<International>(&position, &m);
        takes::<Pool>(&position, &m);
    }
}
