//! Pallanguzhi: rounds and rubbish holes (RULES-pallanguzhi.md sections 4 and 5). `vectors.rs` checks the plies.

use mawe_rules::games::options::SetupOptions;
use mawe_rules::games::pallanguzhi::{
    Form, PallanguzhiMove, PallanguzhiPosition, PallanguzhiSetup, TOTAL,
};
use mawe_rules::games::rounds::Next;
use mawe_rules::{
    AnySetup, BySide, GameKind, PlayError, Position, PositionFault, Record, SetupError, Side,
};
use proptest::prelude::*;
use serde_json::Value;

fn setup(text: &str) -> PallanguzhiSetup {
    text.parse().unwrap_or_else(|why| panic!("{text}: {why}"))
}

fn start(text: &str) -> String {
    let start = PallanguzhiPosition::from_setup(&setup(text));
    start.expect("a start").to_string()
}

#[test]
fn the_next_round_has_rubbish_holes() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/vectors/pallanguzhi.json"
    );
    let vectors = std::fs::read_to_string(path).expect("vectors");
    let vectors: Value = serde_json::from_str(&vectors).expect("JSON");
    let rounds = vectors["match_rounds"].as_array().expect("a list");
    assert!(rounds.len() > 5);
    for round in rounds {
        let seeds = |side: &str| round[side].as_u64().expect("seeds") as u16;
        let owned = BySide::new(seeds("south"), seeds("north"));
        // The last starter tells the parity of the round before: South begins the odd ones.
        let before = match round["last_starter"].as_str() {
            Some("s") => setup("rounds=20"),
            _ => setup("rounds=20,round=2,owned=42-42"),
        };
        let next = match before.next_round(owned) {
            Some(Next::Round(next)) => {
                assert_eq!(next.to_string().parse(), Ok(next));
                let start = PallanguzhiPosition::from_setup(&next);
                Some(start.expect("a start").to_string())
            }
            Some(Next::Over(over)) => {
                assert_eq!(over, owned);
                None
            }
            None => panic!("{owned:?} are not all seeds"),
        };
        assert_eq!(next.as_deref(), round["next"].as_str(), "{owned:?}");
    }
    for (south, north) in [(42, 41), (TOTAL, TOTAL), (u16::MAX, u16::MAX), (0, 0)] {
        let owned = BySide::new(south, north);
        assert_eq!(setup("rounds=3").next_round(owned), None);
    }
    assert_eq!(setup("").next_round(BySide::new(42, 42)), None);
}

#[test]
fn setups_name_the_round() {
    assert_eq!(start(""), "6,6,6,6,6,6,6,0/6,6,6,6,6,6,6,0 s");
    assert_eq!(start("form=pair"), start(""));
    assert_eq!(
        start("form=pair,round=2,owned=84-0"),
        "6,6,6,6,6,6,6,0/6,6,6,6,6,6,6,0 n"
    );
    assert_eq!(
        start("rounds=3,round=2,owned=60-24"),
        "6,6,6,6,6,6,6,18/6,6,6,6,x,x,x,0 n"
    );
    assert_eq!(
        start("rounds=3,round=3,owned=6-78"),
        "6,x,x,x,x,x,x,0/6,6,6,6,6,6,6,36 s"
    );
    for (text, same) in [
        ("form=single", ""),
        ("form=single,rounds=2", "rounds=2"),
        ("rounds=2,round=1", "rounds=2"),
        (
            "owned=50-34,round=2,form=pair",
            "form=pair,round=2,owned=50-34",
        ),
    ] {
        assert_eq!(setup(text).to_string(), same);
    }
    for (text, why) in [
        ("form=triple", SetupError::BadValue),
        ("form=pair,rounds=2", SetupError::Contradiction),
        ("rounds=0", SetupError::BadValue),
        ("rounds=21", SetupError::BadValue),
        ("rounds=03", SetupError::BadValue),
        ("rounds=3,round=2", SetupError::Contradiction),
        ("rounds=3,owned=42-42", SetupError::Contradiction),
        ("rounds=3,round=4,owned=42-42", SetupError::BadValue),
        ("rounds=3,round=0,owned=42-42", SetupError::BadValue),
        ("rounds=3,round=2,owned=42-43", SetupError::BadValue),
        ("rounds=3,round=2,owned=79-5", SetupError::BadValue),
        ("rounds=3,round=2,owned=65535-1", SetupError::BadValue),
        ("form=pair,round=3,owned=42-42", SetupError::BadValue),
        ("round=2,owned=42-42", SetupError::BadValue),
        ("seeds=5", SetupError::UnknownOption),
    ] {
        assert_eq!(text.parse::<PallanguzhiSetup>(), Err(why), "{text}");
    }
    assert_eq!(
        PallanguzhiSetup::new(Form::Match(0)),
        Err(SetupError::BadValue)
    );
}

/// Plays a match of random moves; returns it with the scores of its rounds.
fn random_match(text: &str, seed: u64) -> (Record, Vec<BySide<u16>>) {
    let setup = AnySetup::parse(GameKind::Pallanguzhi, text).expect("a setup");
    let mut record = Record::new(GameKind::Pallanguzhi, &setup).expect("a start");
    let mut dice = seed;
    while record.outcome().is_none() {
        let moves = record.legal_moves();
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let m = &moves[(dice >> 33) as usize % moves.len()];
        record.play(m).expect("a legal move");
        assert!(record.ply() < 10_000, "a match ends");
    }
    let rounds = record.rounds().expect("a match").iter();
    let scores = rounds.map(|round| round.score).collect();
    (record, scores)
}

#[test]
fn the_seeds_of_a_pair_are_added() {
    let mut other_winner = 0;
    for seed in 0..60 {
        let (record, scores) = random_match("form=pair", seed);
        assert_eq!(scores.len(), 2);
        let sum = BySide::from_fn(|side| scores[0][side] + scores[1][side]);
        let outcome = record.outcome().expect("the end");
        assert_eq!(outcome.score, Some(sum));
        assert_eq!(sum.first + sum.second, 2 * TOTAL);
        let ahead = |seeds: BySide<u16>| {
            Side::ALL
                .into_iter()
                .find(|side| seeds[*side] > seeds[side.other()])
        };
        assert_eq!(outcome.winner, ahead(sum));
        other_winner += u32::from(ahead(scores[1]) != ahead(sum));
        assert_eq!(record.round_start().turn(), Side::Second);
    }
    assert!(other_winner > 0, "the last round alone does not decide");
}

#[test]
fn a_match_ends_after_its_rounds_or_when_a_side_cannot_fill_a_pit() {
    let (mut at_limit, mut without_seeds) = (0, 0);
    for seed in 0..60 {
        let limit = [3, 20][seed as usize % 2];
        let (record, scores) = random_match(&format!("rounds={limit}"), seed);
        let owned = *scores.last().expect("a round");
        assert_eq!(
            record.outcome().and_then(|outcome| outcome.score),
            Some(owned)
        );
        match scores.len() == limit {
            true => at_limit += 1,
            false => {
                assert!(owned.first < 6 || owned.second < 6, "{owned:?}");
                without_seeds += 1;
            }
        }
    }
    assert!(
        at_limit > 5 && without_seeds > 5,
        "{at_limit} {without_seeds}"
    );
}

#[test]
fn a_refusal_names_the_rubbish_hole() {
    let text = "6,6,6,6,x,x,x,0/6,6,6,6,6,6,6,18 s";
    let position: PallanguzhiPosition = text.parse().expect("a position");
    for (m, why) in [
        ("5", PlayError::RubbishHole),
        ("n5", PlayError::NotYourHouse),
        ("8", PlayError::NoSuchHouse),
        ("pass", PlayError::NoPassInThisGame),
        ("store", PlayError::StoreIsNotPlayed),
    ] {
        assert_eq!(position.explain_illegal(m), why, "{m}");
    }
    let text = "0,6,6,6,x,x,x,0/6,6,6,6,6,6,6,24 s";
    let position: PallanguzhiPosition = text.parse().expect("a position");
    assert_eq!(position.explain_illegal("1"), PlayError::EmptyHouse);
    // A ply of more than a thousand seeds.
    let text = "1200,1,0,0,0,0,0,0/1,0,0,0,0,0,0,0 s";
    let position: PallanguzhiPosition = text.parse().expect("a position");
    assert_eq!(position.explain_illegal("1"), PlayError::SowingTooLong);
    assert_eq!(
        position.legal_moves(),
        [PallanguzhiMove::new(2).expect("a pit")]
    );
}

#[test]
fn rubbish_holes_are_the_highest_pits_and_never_all() {
    for text in [
        "6,x,x,x,x,x,x,0/6,6,6,6,6,6,6,36 n",
        "6,6,6,6,6,6,x,6/6,x,x,x,x,x,x,0 s",
    ] {
        let position: PallanguzhiPosition = text.parse().expect("a position");
        assert_eq!(position.to_string(), text);
    }
    for (text, at) in [
        ("x,6,6,6,6,6,6,0/6,6,6,6,6,6,6,0 s", 0),
        ("6,6,x,6,6,6,6,0/6,6,6,6,6,6,6,0 s", 6),
        ("6,6,6,6,6,6,6,0/x,x,x,x,x,x,x,0 s", 16),
    ] {
        let refused = text.parse::<PallanguzhiPosition>().expect_err(text);
        assert_eq!(
            (refused.at, refused.why),
            (at, PositionFault::MisplacedRubbishHole)
        );
    }
}

proptest! {
    /// What is read prints so that it reads as the same, and every pit of it can be played without a panic.
    #[test]
    fn any_text_is_refused_or_read(
        text in prop_oneof![
            any::<String>(),
            "[0-9x]{1,2}(,[0-9x]{1,2}){6},[0-9]{1,4}/[0-9x]{1,2}(,[0-9x]{1,2}){6},[0-9]{1,4} [sn]",
            "[0-9]{1,3},([0-9]{1,3},){6}[0-9]{1,4}/([0-9]{1,3},){4}x,x,x,[0-9]{1,4} [sn]",
        ],
    ) {
        let Ok(position) = text.parse::<PallanguzhiPosition>() else {
            return Ok(());
        };
        prop_assert_eq!(position.to_string().parse(), Ok(position.clone()));
        let seeds = |position: &PallanguzhiPosition| {
            let text = position.to_string();
            let numbers = text.split(|c: char| !c.is_ascii_digit());
            numbers.filter_map(|number| number.parse::<u32>().ok()).sum::<u32>()
        };
        for house in 1..=7 {
            let mut after = position.clone();
            let m = PallanguzhiMove::new(house).expect("a pit");
            after.play_unchecked(m);
            if position.legal_moves().contains(&m) {
                prop_assert_eq!(seeds(&after), seeds(&position));
            }
        }
    }
}
