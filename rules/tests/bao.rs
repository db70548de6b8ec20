//! Bao: the vectors of RULES-bao.md (`vectors/coming/bao.json` and `bao.playouts.json`), the steps
//! of a ply, the reasons for refusals, and its parsers on arbitrary text.
//!
//! The format of the vectors is that of RULES.md section 8.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use mawe_rules::games::bao::{
    BaoEnd, BaoMove, BaoPosition, BaoSetup, BaoStep, Direction, Form, MAX_SOWN, Owner, Pit, PlyEnd,
    PlyKind, Refusal, Source, Stage,
};
use mawe_rules::games::options::SetupOptions;
use mawe_rules::{OCCURRENCES_TO_END, PositionError, PositionFault, SetupError, Side};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const SEEDS: u32 = 64;

#[test]
fn every_vector_holds() {
    for (key, value) in entries(&read("bao.json")) {
        match key.as_str() {
            "game" => assert_eq!(value, "bao"),
            "set" => (),
            "start" => check_start(Form::Kiswahili, value),
            "start_kujifunza" => check_start(Form::Kujifunza, value),
            "perft_start" => check_perft(&start(Form::Kiswahili), value),
            "perft_start_kujifunza" => check_perft(&start(Form::Kujifunza), value),
            "positions" | "samples" => list(value).iter().for_each(check_position),
            "sequences" => list(value).iter().for_each(check_game),
            "bad_positions" => {
                for bad in list(value).iter().map(text) {
                    assert!(bad.parse::<BaoPosition>().is_err(), "{bad} was accepted");
                }
            }
            "bad_moves_at_start" => {
                let start = start(Form::Kiswahili);
                list(value)
                    .iter()
                    .for_each(|bad| refuses(&start, text(bad)));
            }
            unknown => panic!("nothing checks `{unknown}`"),
        }
    }
}

#[test]
fn every_playout_and_trace_holds() {
    for (key, value) in entries(&read("bao.playouts.json")) {
        match key.as_str() {
            "game" => assert_eq!(value, "bao"),
            "set" => (),
            "start" => check_start(Form::Kiswahili, value),
            "playouts" | "traces" => list(value).iter().for_each(check_game),
            unknown => panic!("nothing checks `{unknown}`"),
        }
    }
}

fn check_start(form: Form, expected: &Value) {
    assert_eq!(start(form).to_string(), text(expected));
    assert_eq!(position(text(expected)), start(form));
}

fn check_perft(pos: &BaoPosition, counts: &Value) {
    for (depth, nodes) in (1..).zip(list(counts)) {
        assert_eq!(
            Some(pos.perft(depth)),
            nodes.as_u64(),
            "perft {depth} of {pos}"
        );
    }
}

/// Checks an entry of `positions` or `samples`, without history.
fn check_position(case: &Value) {
    check_keys(
        case,
        &[
            "name", "note", "pos", "legal", "after", "ends", "result", "illegal", "perft",
        ],
    );
    let name = text(&case["name"]);
    let pos = position(text(&case["pos"]));
    let legal: Vec<&str> = list(&case["legal"]).iter().map(text).collect();
    assert_eq!(legal_texts(&pos), legal, "{name}");
    assert_eq!(result(pos.end()), case["result"], "{name}");
    for m in &legal {
        let mut after = pos.clone();
        after.play(parse(m)).expect("a legal move");
        assert_eq!(after.to_string(), text(&case["after"][m]), "{name} {m}");
        assert_eq!(result(after.end()), case["ends"][m], "{name} {m}");
    }
    assert_eq!(
        case["after"].as_object().map_or(0, |after| after.len()),
        legal.len()
    );
    for m in case["illegal"].as_array().map_or(&[][..], Vec::as_slice) {
        refuses(&pos, text(m));
    }
    check_perft(&pos, &case["perft"]);
}

/// Checks a scripted or random game, with the draw by repetition, against all data of its vector.
fn check_game(game: &Value) {
    check_keys(
        game,
        &[
            "id", "name", "note", "start", "moves", "plies", "final", "result", "counts", "digest",
            "trace",
        ],
    );
    let name = game.get("id").or(game.get("name")).expect("a name");
    let mut pos = game
        .get("start")
        .map_or_else(|| start(Form::Kiswahili), |start| position(text(start)));
    let mut history = History::new(&pos);
    let (mut counts, mut told) = (Vec::new(), String::new());
    let moves: Vec<&str> = text(&game["moves"]).split_whitespace().collect();
    for (ply, m) in moves.iter().enumerate() {
        let legal = legal_texts(&pos);
        assert_eq!(
            history.result(&pos),
            Value::Null,
            "{name}: over at ply {ply}"
        );
        if let Some(step) = game.get("trace").map(|trace| &trace[ply]) {
            check_keys(step, &["pos", "legal", "move"]);
            assert_eq!(pos.to_string(), text(&step["pos"]));
            assert_eq!(json!(legal), step["legal"], "{name} at ply {ply}");
            assert_eq!(*m, text(&step["move"]));
        }
        tell(&mut told, &pos);
        counts.push(legal.len().to_string());
        let m = parse(m);
        check_steps(&pos, m);
        let is_quiet = pos.is_quiet(m);
        pos.play(m).expect("a legal move");
        history.add(&pos, is_quiet);
    }
    tell(&mut told, &pos);

    assert_eq!(Some(moves.len() as u64), game["plies"].as_u64(), "{name}");
    assert_eq!(pos.to_string(), text(&game["final"]), "{name}");
    assert_eq!(history.result(&pos), game["result"], "{name}");
    if let Some(expected) = game.get("counts") {
        assert_eq!(counts.join(" "), text(expected), "{name}");
    }
    if let Some(expected) = game.get("digest") {
        assert_eq!(digest(&told), text(expected), "{name}");
    }
}

/// Fails for a key that nothing checks.
fn check_keys(case: &Value, known: &[&str]) {
    for (key, _) in entries(case) {
        assert!(known.contains(&key.as_str()), "nothing checks `{key}`");
    }
}

/// The positions of a game: all of them, and those that can occur again by
/// [`BaoPosition::is_quiet`].
struct History {
    all: HashMap<String, u32>,
    since_progress: HashMap<String, u32>,
}

impl History {
    fn new(start: &BaoPosition) -> Self {
        let first = HashMap::from([(start.to_string(), 1)]);
        Self {
            all: first.clone(),
            since_progress: first,
        }
    }

    fn add(&mut self, pos: &BaoPosition, is_quiet: bool) {
        if !is_quiet {
            self.since_progress.clear();
        }
        let text = pos.to_string();
        *self.all.entry(text.clone()).or_default() += 1;
        *self.since_progress.entry(text).or_default() += 1;
    }

    /// The result with the house rule of repetition.
    fn result(&self, pos: &BaoPosition) -> Value {
        let occurrences = self.all[&pos.to_string()];
        assert_eq!(occurrences, self.since_progress[&pos.to_string()]);
        match pos.end() {
            None if occurrences >= OCCURRENCES_TO_END => {
                json!({"winner": "draw", "reason": "repetition"})
            }
            end => result(end),
        }
    }
}

/// Checks that the steps of a ply, applied one by one, lead to the position after it.
fn check_steps(pos: &BaoPosition, m: BaoMove) {
    let mover = pos.turn();
    let mut pits = [pos.pits(mover), pos.pits(mover.other())];
    let mut owns = [pos.owns_house(mover), pos.owns_house(mover.other())];
    let (mut store, mut hand, mut sown, mut takasia) = (pos.store(mover), 0, 0, None);
    let steps = pos.steps(m);
    assert!(matches!(steps[0], BaoStep::Begin { stage, .. } if stage == pos.stage()));
    for (i, step) in steps.into_iter().enumerate() {
        match step {
            BaoStep::Begin { .. } => assert_eq!(i, 0),
            BaoStep::Put { pit } => {
                store -= 1;
                pits[0][index(pit)] += 1;
            }
            BaoStep::Capture { at, from, seeds } => {
                assert_eq!(from, at.facing());
                hand += std::mem::take(&mut pits[1][index(from)]);
                assert_eq!(hand, seeds);
            }
            BaoStep::Safari => assert!(m.plays_house() && owns[0]),
            BaoStep::Sow {
                source,
                first,
                direction,
                seeds,
                last,
                ..
            } => {
                if let Source::Pit(pit) = source {
                    pits[0][index(pit)] -= seeds;
                    hand += seeds;
                }
                assert_eq!(std::mem::take(&mut hand), seeds);
                sown += u16::from(seeds);
                let ring: Vec<usize> = (0..8).chain((8..16).rev()).collect();
                let place = ring
                    .iter()
                    .position(|at| *at == index(first))
                    .expect("a pit");
                let mut at = place;
                for i in 0..usize::from(seeds) {
                    at = match direction {
                        Direction::Clockwise => (place + i) % 16,
                        Direction::AntiClockwise => (place + 64 - i) % 16,
                    };
                    pits[0][ring[at]] += 1;
                }
                assert_eq!(ring[at], index(last));
            }
            BaoStep::LoseHouse { owner } => match owner {
                Owner::Mover => assert!(std::mem::take(&mut owns[0])),
                Owner::Opponent => assert!(std::mem::take(&mut owns[1])),
            },
            BaoStep::End { .. } => assert_eq!(hand, 0),
            BaoStep::Takasia { pit } => takasia = Some(pit),
        }
    }
    let mut after = pos.clone();
    after.play_unchecked(m);
    assert_eq!(pits, [after.pits(mover), after.pits(mover.other())]);
    assert_eq!(
        owns,
        [after.owns_house(mover), after.owns_house(mover.other())]
    );
    assert_eq!((store, takasia), (after.store(mover), after.takasia()));
    assert!(sown <= MAX_SOWN);
}

fn index(pit: Pit) -> usize {
    Pit::ALL
        .iter()
        .position(|other| *other == pit)
        .expect("a pit")
}

#[test]
fn the_steps_of_a_played_house_say_safari() {
    let pos =
        position("2,1,0,0,12h,0,0,0,0,0,0,0,0,0,0,0,14/0,0,4,4,10h,2,1,0,0,0,0,0,0,0,0,0,14 s");
    let stop = pos.steps(parse("A5R"));
    assert_eq!(
        stop[0],
        BaoStep::Begin {
            stage: Stage::Namua,
            kind: PlyKind::Capture
        }
    );
    assert!(matches!(stop[1], BaoStep::Put { pit } if pit == Pit::HOUSE));
    assert!(matches!(
        stop.last(),
        Some(BaoStep::End { at, why: PlyEnd::House }) if *at == Pit::HOUSE
    ));
    let played = pos.steps(parse("A5R>"));
    let at = stop.len() - 1;
    assert_eq!(stop[..at], played[..at]);
    let lost = BaoStep::LoseHouse {
        owner: Owner::Mover,
    };
    assert_eq!(played[at..at + 2], [BaoStep::Safari, lost]);
}

#[test]
fn a_tax_sows_two_seeds_and_keeps_the_house() {
    let pos = position("0,0,0,0,9h,0,0,0,0,0,0,0,0,0,0,0,20/0,0,2,0,9h,2,1,0,0,0,0,0,0,0,0,0,20 s");
    let steps = pos.steps(parse("A5L"));
    assert_eq!(
        steps[0],
        BaoStep::Begin {
            stage: Stage::Namua,
            kind: PlyKind::Takata
        }
    );
    assert!(matches!(
        steps[2],
        BaoStep::Sow {
            seeds: 2,
            lap: 1,
            ..
        }
    ));
    assert!(
        !steps
            .iter()
            .any(|step| matches!(step, BaoStep::LoseHouse { .. }))
    );
}

#[test]
fn a_refusal_says_why() {
    let namua = "0,0,0,0,6h,2,2,0,0,0,0,0,0,0,0,0,22/0,0,0,0,6h,2,2,0,0,0,0,0,0,0,0,0,22 s";
    let house = "2,1,0,0,12h,0,0,0,0,0,0,0,0,0,0,0,14/0,0,4,4,10h,2,1,0,0,0,0,0,0,0,0,0,14 s";
    let lost = "1,0,0,0,5,0,2,0,0,0,0,0,0,0,0,0,10/0,0,3,0,0,0,0,0,0,0,0,0,0,0,0,0,10 s";
    let kichwa = "3,0,0,0,0,0,0,0,0,0,2,0,0,0,0,0,10/0,0,0,0,0,0,3,0,0,0,0,0,0,0,0,0,10 s";
    let back = "2,0,0,1,0,0,0,0,0,5,0,0,2,0,0,0,0/3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 s";
    let takasia = "0,3,0,0,4,1,0,0,0,7,0,0,0,0,0,0,0/0,0,6,5t,0,0,0,0,0,0,0,0,0,0,0,0,0 n";
    let endless = "1,0,2,1,0,1,2,1,2,0,1,2,0,1,2,0,13/0,0,0,3,0,0,2,0,3,0,4,2,3,2,1,2,13 s";
    let over = "1,0,1,0,1,0,0,1,0,1,0,0,1,0,0,0,0/0,0,0,0,0,3,0,0,0,0,0,0,0,0,0,0,0 s";
    for (pos, m, why) in [
        (namua, "A5L", Refusal::HouseIsKept),
        (namua, "A3L", Refusal::EmptyPit),
        (namua, "A6L*", Refusal::MalformedMove),
        (house, "A1", Refusal::CaptureCompulsory),
        (house, "A2>", Refusal::NoHouseToPlay),
        (house, "A2L", Refusal::KichwaIsForced),
        (lost, "A1L", Refusal::Singleton),
        (lost, "A1", Refusal::DirectionMissing),
        (kichwa, "A1L", Refusal::FrontRowEmptied),
        (kichwa, "B3L", Refusal::SeedGoesInFront),
        (back, "B2L", Refusal::FrontRowFirst),
        (takasia, "A4L", Refusal::Takasia),
        (endless, "A7R", Refusal::TooLong),
        (over, "A1L", Refusal::GameOver),
    ] {
        assert_eq!(position(pos).explain_illegal(m), why, "{m} in {pos}");
        refuses(&position(pos), m);
    }
}

#[test]
fn a_bad_position_says_what_and_where() {
    use PositionFault::*;
    const ROW: &str = "0,0,0,0,0,0,0,0";
    for (text, at, why) in [
        ("0,0,0,0h,0,2,2,0,B,0/A,B,0 s", 7, MisplacedHouseMark),
        ("0,0,0,0,0h,2,2,0,B,0/A,B,0 s", 9, MisplacedHouseMark),
        ("0,0,0,0,6ht,2,2,0,B,0/A,B,0 s", 10, UnexpectedSymbol),
        ("0,0,0,0,0,2t,2,0,B,0/A,B,0 n", 11, MisplacedTakasiaMark),
        ("0,0,0,0,0,2t,2,0,B,1/A,B,1 s", 11, MisplacedTakasiaMark),
        ("0,0,0,0,0,2t,2t,0,B,0/A,B,0 s", 14, MisplacedTakasiaMark),
        ("0,0,0,0,0t,2,2,0,B,0/A,B,0 s", 9, MisplacedTakasiaMark),
        ("A,2t,0,0,0,0,0,0,0,0/A,B,0 s", 17, MisplacedTakasiaMark),
        ("A,B,1/A,B,2 s", 68, UnfitStores),
        ("A,B,1/A,B,1 n", 68, UnfitStores),
        ("A,B,23/A,B,23 s", 32, TooManySeeds),
        ("A,B,20/A,65,0,0,0,0,0,0,0,20 s", 51, TooManySeeds),
        ("A,B,20/A,25,0,0,0,0,0,0,0,20 s", 68, TooManySeeds),
        ("A,B,99999/A,B,0 s", 32, TooManySeeds),
        ("A,B,00/A,B,0 s", 32, LeadingZero),
        ("A,B,0,0/A,B,0 s", 33, RowTooLong),
        ("A,B/A,B,0 s", 31, RowTooShort),
        ("A,B,0/A,B,0 x", 68, UnknownSide),
        ("A,B,0/A,B,0 s ", 69, TrailingText),
        ("A,B,0/A,B,0", 67, EndsEarly),
    ] {
        let text = text.replace(['A', 'B'], ROW);
        let error = text.parse::<BaoPosition>().expect_err("a bad position");
        assert_eq!(error, PositionError { at, why }, "{text}");
    }
}

#[test]
fn a_setup_is_one_of_the_two_forms() {
    for form in [Form::Kiswahili, Form::Kujifunza] {
        let setup = BaoSetup::new(form);
        assert_eq!(setup.to_string().parse(), Ok(setup));
        assert_eq!(setup.may_be_rated(), form == Form::Kiswahili);
    }
    for (text, error) in [
        ("form=kiswahili", SetupError::BadValue),
        ("form=", SetupError::Malformed),
        ("seeds=4", SetupError::UnknownOption),
        ("form=kujifunza,form=kujifunza", SetupError::RepeatedOption),
    ] {
        assert_eq!(text.parse::<BaoSetup>(), Err(error), "{text}");
    }
}

#[test]
fn equal_positions_have_equal_hashes_and_others_do_not() {
    let mut rng = Rng(1);
    let mut texts: HashMap<u64, String> = HashMap::new();
    for _ in 0..200 {
        let mut pos = start(Form::Kiswahili);
        while let Some(m) = rng.pick(&pos.legal_moves()) {
            pos.play_unchecked(m);
            let text = pos.to_string();
            assert_eq!(position(&text).zobrist(), pos.zobrist());
            let same = texts.entry(pos.zobrist()).or_insert(text.clone());
            assert_eq!(*same, text);
        }
    }
}

#[test]
fn damaged_text_is_refused_or_round_trips() {
    let mut rng = Rng(2);
    let file = read("bao.json");
    let whole: Vec<&str> = list(&file["positions"])
        .iter()
        .map(|case| text(&case["pos"]))
        .collect();
    let mut accepted = 0;
    for _ in 0..40_000 {
        let mut text: Vec<char> = rng.pick(&whole).expect("positions").chars().collect();
        for _ in 0..rng.below(4) {
            damage(&mut text, &mut rng);
        }
        accepted += u32::from(check_any_position(&String::from_iter(text), &mut rng));
    }
    assert!(accepted > 5_000, "only {accepted} texts were positions");
}

#[test]
fn any_text_is_refused_or_round_trips() {
    let mut rng = Rng(3);
    for _ in 0..40_000 {
        let mut text = Vec::new();
        for _ in 0..rng.below(60) {
            damage(&mut text, &mut rng);
        }
        let text = String::from_iter(text);
        check_any_position(&text, &mut rng);
        if let Ok(m) = text.parse::<BaoMove>() {
            assert_eq!(m.to_string(), text);
        }
        if let Ok(setup) = text.parse::<BaoSetup>() {
            assert_eq!(setup.to_string(), text);
        }
    }
    for _ in 0..40_000 {
        let length = rng.below(5);
        let text: String = (0..length).map(|_| rng.letter()).collect();
        if let Ok(m) = text.parse::<BaoMove>() {
            assert_eq!(m.to_string(), text);
        }
    }
}

/// Checks a text that may be a position, and all moves in it, legal or not. Returns whether it is
/// one.
fn check_any_position(text: &str, rng: &mut Rng) -> bool {
    let pos = match text.parse::<BaoPosition>() {
        Ok(pos) => pos,
        Err(error) => {
            assert!(text.get(..error.at).is_some_and(str::is_ascii), "{text:?}");
            return false;
        }
    };
    assert_eq!(pos.to_string(), text);
    let legal = pos.legal_moves();
    assert_eq!(pos.end().is_some(), legal.is_empty());
    assert_eq!(pos.count_legal(), legal.len());
    for m in every_move() {
        let mut after = pos.clone();
        after.play_unchecked(m);
        // A move that is not legal can be broken off with seeds in the hand.
        assert!(total(&after) <= total(&pos), "{m} in {pos}");
        if legal.contains(&m) {
            assert_eq!(total(&after), total(&pos), "{m} in {pos}");
            check_steps(&pos, m);
            assert_eq!(after, position(&after.to_string()));
        } else {
            refuses(&pos, &m.to_string());
        }
    }
    if let Some(m) = rng.pick(&legal) {
        let mut next = pos;
        next.play_unchecked(m);
        assert!(next.takasia().is_none_or(|pit| pit.is_front()));
    }
    true
}

/// Replaces, inserts or removes one character.
fn damage(text: &mut Vec<char>, rng: &mut Rng) {
    let at = rng.below(text.len() + 1);
    let letter = rng.letter();
    match rng.below(3) {
        0 if at < text.len() => drop(text.remove(at)),
        1 if at < text.len() => text[at] = letter,
        _ => text.insert(at, letter),
    }
}

/// Every move that can be spelled.
fn every_move() -> Vec<BaoMove> {
    let texts = Pit::ALL.iter().flat_map(|pit| {
        ["", "L", "R", ">", "L>", "R>"]
            .iter()
            .map(move |rest| format!("{pit}{rest}"))
    });
    texts.filter_map(|text| text.parse().ok()).collect()
}

fn total(pos: &BaoPosition) -> u32 {
    let total = Side::ALL
        .into_iter()
        .flat_map(|side| pos.pits(side).into_iter().chain([pos.store(side)]))
        .map(u32::from)
        .sum();
    assert!(total <= SEEDS);
    total
}

/// The splitmix64 generator, so that every run draws the same numbers.
struct Rng(u64);

impl Rng {
    /// A number below `end`, which is not 0.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }

    /// One of `values`; `None` if there is none.
    fn pick<T: Copy>(&mut self, values: &[T]) -> Option<T> {
        match values.len() {
            0 => None,
            length => Some(values[self.below(length)]),
        }
    }

    /// A character that texts of Bao have, or one that they do not.
    fn letter(&mut self) -> char {
        let letters: Vec<char> = "0123456789,,/ snhtABLR>=é".chars().collect();
        self.pick(&letters).expect("letters")
    }
}

fn legal_texts(pos: &BaoPosition) -> Vec<String> {
    let legal: Vec<String> = pos.legal_moves().iter().map(BaoMove::to_string).collect();
    assert!(legal.is_sorted(), "{legal:?}");
    legal
}

fn tell(told: &mut String, pos: &BaoPosition) {
    writeln!(told, "{pos}|{}", legal_texts(pos).join(",")).expect("a string takes all text");
}

fn digest(told: &str) -> String {
    let hash = Sha256::digest(told.as_bytes());
    hash[..8]
        .iter()
        .fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"))
}

/// Checks that the move is refused with a reason, and that the position does not change.
fn refuses(pos: &BaoPosition, m: &str) {
    let why = pos.explain_illegal(m);
    assert!(!why.code().is_empty() && !why.to_string().is_empty());
    if let Ok(m) = m.parse() {
        let mut after = pos.clone();
        assert_eq!(after.play(m), Err(why), "{m} in {pos}");
        assert_eq!(after, *pos, "{m} changed the position");
    }
}

fn result(end: Option<BaoEnd>) -> Value {
    end.map_or(Value::Null, |end| {
        let winner = match end.winner {
            Side::First => "s",
            Side::Second => "n",
        };
        json!({"winner": winner, "reason": end.reason.as_str()})
    })
}

fn start(form: Form) -> BaoPosition {
    BaoPosition::from_setup(&BaoSetup::new(form))
}

/// Reads a position, which must print as the same text.
fn position(text: &str) -> BaoPosition {
    let pos: BaoPosition = text.parse().expect("a position");
    assert_eq!(pos.to_string(), text);
    pos
}

fn parse(m: &str) -> BaoMove {
    m.parse().expect("a move")
}

fn read(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/coming");
    let json = fs::read_to_string(folder.join(name)).expect("the vectors of Bao");
    serde_json::from_str(&json).expect("vectors are JSON")
}

fn entries(value: &Value) -> &serde_json::Map<String, Value> {
    value.as_object().expect("an object")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}
