//! Bao: the steps of a ply, the reasons for refusals, and its parsers on arbitrary text. `vectors.rs` has the vectors of RULES-bao.md.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use mawe_rules::games::bao::{
    BaoMove, BaoPosition, BaoSetup, BaoStep, Direction, Form, MAX_SOWN, Owner, Pit, PlyEnd,
    PlyKind, Source, Stage,
};
use mawe_rules::games::options::SetupOptions;
use mawe_rules::{PlayError, Position, PositionError, PositionFault, SetupError, Side};
use serde_json::Value;

const SEEDS: u32 = 64;

#[test]
fn the_steps_of_every_ply_of_the_vectors_lead_to_its_end() {
    let mut plies = 0;
    for file in ["bao.json", "bao.playouts.json"] {
        let file = read(file);
        for game in ["sequences", "playouts", "traces"] {
            for game in file[game].as_array().into_iter().flatten() {
                let mut pos = game
                    .get("start")
                    .map_or_else(|| start(Form::Kiswahili), |start| position(text(start)));
                for m in text(&game["moves"]).split_whitespace().map(parse) {
                    check_steps(&pos, m);
                    pos.play_unchecked(m);
                    plies += 1;
                }
            }
        }
    }
    assert!(plies > 5_000, "only {plies} plies");
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
        (namua, "A5L", PlayError::HouseIsKept),
        (namua, "A3L", PlayError::EmptyPit),
        (namua, "A6L*", PlayError::MalformedMove),
        (house, "A1", PlayError::CaptureCompulsory),
        (house, "A2>", PlayError::NoHouseToPlay),
        (house, "A2L", PlayError::KichwaIsForced),
        (lost, "A1L", PlayError::Singleton),
        (lost, "A1", PlayError::DirectionMissing),
        (kichwa, "A1L", PlayError::FrontRowEmptied),
        (kichwa, "B3L", PlayError::SeedGoesInFront),
        (back, "B2L", PlayError::FrontRowFirst),
        (takasia, "A4L", PlayError::Takasia),
        (endless, "A7R", PlayError::SowingTooLong),
        (over, "A1L", PlayError::GameOver),
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
    assert_eq!("form=kiswahili".parse(), Ok(BaoSetup::default()));
    for (text, error) in [
        ("form=decisive", SetupError::BadValue),
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
    assert_eq!(pos.outcome().is_some(), legal.is_empty());
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

fn start(form: Form) -> BaoPosition {
    BaoPosition::from_setup(&BaoSetup::new(form)).expect("a start")
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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let json = fs::read_to_string(folder.join(name)).expect("the vectors of Bao");
    serde_json::from_str(&json).expect("vectors are JSON")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}
