//! Rules and refusals of the sowing games, and the rounds of a Congkak match.

use std::fs;
use std::path::Path;

use mawe_rules::games::congkak::{CongkakPosition, CongkakSetup, Form, Round};
use mawe_rules::games::opening::{MAX_OPENING_PLIES, Opening};
use mawe_rules::games::options::SetupOptions;
use mawe_rules::games::rounds::Next;
use mawe_rules::{
    AnyPosition, AnySetup, BySide, GameKind, Outcome, PlayError, Position, Record, SetupError, Side,
};
use proptest::prelude::*;

const SOWING: [GameKind; 3] = [GameKind::Kalah, GameKind::Oware, GameKind::Congkak];

fn houses(kind: GameKind) -> usize {
    match kind {
        GameKind::Congkak => 7,
        _ => 6,
    }
}

/// Any board, with few seeds in most houses and many in some; for Congkak with burnt houses and both
/// forms.
fn any_position() -> impl Strategy<Value = (GameKind, String)> {
    let house = prop_oneof![4 => 0_u16..4, 3 => 4_u16..20, 1 => 20_u16..300];
    let row = (
        prop::collection::vec(house, 7),
        0_u16..60,
        prop_oneof![3 => Just(0_usize), 1 => 0_usize..7],
    );
    (
        prop::sample::select(SOWING.to_vec()),
        [row.clone(), row],
        prop::sample::select(vec!["s", "n"]),
        prop::sample::select(vec!["", "0", "1"]),
    )
        .prop_map(|(kind, rows, side, extra)| {
            let rows = rows.map(|(seeds, store, burnt)| {
                let house = |i: usize| match i < burnt && kind == GameKind::Congkak {
                    true => "x".to_owned(),
                    false => seeds[i].to_string(),
                };
                let row: Vec<String> = (0..houses(kind)).map(house).collect();
                format!("{},{store}", row.join(","))
            });
            let extra = if kind == GameKind::Congkak { extra } else { "" };
            (kind, format!("{} {side}{extra}", rows.join("/")))
        })
}

/// The board rotated by half a turn: South's row is North's.
fn turned(text: &str) -> String {
    let (rows, side) = text.split_once(' ').expect("a side");
    let (south, north) = rows.split_once('/').expect("two rows");
    let side = match side.split_at(1) {
        ("s", extra) => format!("n{extra}"),
        (_, extra) => format!("s{extra}"),
    };
    format!("{north}/{south} {side}")
}

fn exchanged(outcome: Outcome) -> Outcome {
    Outcome {
        winner: outcome.winner.map(Side::other),
        score: outcome
            .score
            .map(|score| BySide::new(score.second, score.first)),
        ..outcome
    }
}

/// The observable properties of a position: each move with the position after it, and the outcome.
fn seen(kind: GameKind, text: &str) -> (Vec<(String, String)>, Option<Outcome>) {
    let pos = AnyPosition::parse(kind, text).expect("a position");
    let follow = |m: String| {
        let mut after = pos.clone();
        after.play(&m).expect("a legal move");
        (m, after.to_string())
    };
    let moves = pos.legal_moves();
    (
        moves.iter().map(|m| follow(m.to_string())).collect(),
        pos.outcome(),
    )
}

/// The number of seeds in a position, including the stores.
fn seeds(text: &str) -> u32 {
    let (rows, _) = text.split_once(' ').expect("a side");
    rows.split([',', '/'])
        .filter_map(|number| number.parse::<u32>().ok())
        .sum()
}

proptest! {
    #[test]
    fn the_sides_are_alike((kind, text) in any_position()) {
        let (moves, outcome) = seen(kind, &text);
        let expected = moves.into_iter().map(|(m, after)| (m, turned(&after))).collect();
        prop_assert_eq!(seen(kind, &turned(&text)), (expected, outcome.map(exchanged)));
    }

    #[test]
    fn seeds_are_neither_lost_nor_made((kind, text) in any_position()) {
        let (moves, outcome) = seen(kind, &text);
        for (m, after) in &moves {
            prop_assert_eq!(seeds(after), seeds(&text), "{} {}", m, after);
        }
        if let (Some(outcome), true) = (outcome, kind != GameKind::Oware) {
            let score = outcome.score.expect("points");
            prop_assert_eq!(u32::from(score.first) + u32::from(score.second), seeds(&text));
        }
    }

    #[test]
    fn every_board_round_trips_and_counts_what_it_lists((kind, text) in any_position()) {
        let pos = AnyPosition::parse(kind, &text).expect("a position");
        prop_assert_eq!(pos.to_string(), text.as_str());
        prop_assert_eq!(pos.perft(1, 1), pos.legal_moves().len() as u64);
        prop_assert_eq!(pos.outcome().is_some(), pos.legal_moves().is_empty());
    }

    #[test]
    fn every_illegal_attempt_has_a_reason((kind, text) in any_position()) {
        let mut pos = AnyPosition::parse(kind, &text).expect("a position");
        let before = pos.clone();
        let legal: Vec<String> = pos.legal_moves().iter().map(ToString::to_string).collect();
        for house in 0..10 {
            let house = house.to_string();
            if legal.contains(&house) {
                continue;
            }
            let why = pos.play(&house).expect_err("an illegal move");
            prop_assert!(why != PlayError::MalformedMove && why != PlayError::NoSuchMove);
            prop_assert_eq!(&pos, &before);
        }
    }
}

#[test]
fn a_refusal_says_why() {
    use GameKind::{Congkak, Kalah, Oware};
    let cases = [
        (
            Kalah,
            "4,0,4,4,4,4,0/4,4,4,4,4,4,0 s",
            "2",
            PlayError::EmptyHouse,
        ),
        (
            Kalah,
            "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s",
            "n2",
            PlayError::NotYourHouse,
        ),
        (
            Kalah,
            "4,4,4,4,4,4,0/4,4,4,4,4,4,0 n",
            "s2",
            PlayError::NotYourHouse,
        ),
        (
            Kalah,
            "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s",
            "s2",
            PlayError::MalformedMove,
        ),
        (
            Kalah,
            "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s",
            "7",
            PlayError::NoSuchHouse,
        ),
        (
            Kalah,
            "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s",
            "0",
            PlayError::NoSuchHouse,
        ),
        (
            Kalah,
            "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s",
            "01",
            PlayError::MalformedMove,
        ),
        (
            Kalah,
            "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s",
            "pass",
            PlayError::NoPassInThisGame,
        ),
        (
            Kalah,
            "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s",
            "store",
            PlayError::StoreIsNotPlayed,
        ),
        (
            Kalah,
            "0,0,0,0,0,0,24/0,0,0,0,0,0,24 s",
            "1",
            PlayError::GameOver,
        ),
        (
            Oware,
            "1,0,0,0,1,1,22/0,0,0,0,0,0,23 s",
            "1",
            PlayError::MustFeedOpponent,
        ),
        (
            Oware,
            "1,0,0,0,1,1,22/0,0,0,0,0,0,23 s",
            "2",
            PlayError::EmptyHouse,
        ),
        (
            Oware,
            "0,0,0,1,0,0,25/0,0,0,0,0,1,21 s",
            "4",
            PlayError::GameOver,
        ),
        (
            Congkak,
            "x,x,7,7,7,7,7,3/7,7,7,7,7,7,7,11 s",
            "2",
            PlayError::BurntHouse,
        ),
        (
            Congkak,
            "x,x,7,7,7,7,7,3/7,7,7,7,7,7,7,11 n",
            "n8",
            PlayError::NoSuchHouse,
        ),
        (
            Congkak,
            "x,x,0,7,7,7,7,3/7,7,7,7,7,7,7,18 s1",
            "3",
            PlayError::EmptyHouse,
        ),
    ];
    for (kind, text, m, why) in cases {
        let mut pos = AnyPosition::parse(kind, text).expect("a position");
        assert_eq!(pos.play(m), Err(why), "{kind} {m} in {text}");
    }
}

#[test]
fn more_seeds_than_a_board_can_hold_are_refused_and_the_most_are_sown() {
    for kind in SOWING {
        let row = |first: u32| format!("{first}{}", ",0".repeat(houses(kind)));
        let text = format!("{}/{} s", row(65_534), row(1));
        let mut pos = AnyPosition::parse(kind, &text).expect("a position");
        pos.play("1").expect("a legal move");
        assert_eq!(seeds(&pos.to_string()), 65_535);
        let text = format!("{}/{} s", row(65_535), row(1));
        let refused = AnyPosition::parse(kind, &text).expect_err("too many");
        assert_eq!(refused.code(), "too-many-seeds");
    }
    // Around burnt houses seeds are sown one by one; even the longest relay must end soon.
    let text = "x,x,x,x,x,x,65000,0/x,x,x,x,x,9,9,0 s";
    let mut pos: CongkakPosition = text.parse().expect("a position");
    pos.play_unchecked("7".parse().expect("a house"));
    assert_eq!(seeds(&pos.to_string()), 65_018);
}

#[test]
fn what_is_sown_around_burnt_houses_is_what_is_sown_without_them() {
    // A burnt house that is never reached changes nothing else.
    let plain = "0,0,0,0,1,2,0,40/0,2,0,0,0,0,3,48 s";
    let burnt = "x,0,0,0,1,2,0,40/0,2,0,0,0,0,3,48 s";
    let after = |text: &str| {
        let mut pos: CongkakPosition = text.parse().expect("a position");
        pos.play_unchecked("5".parse().expect("a house"));
        pos.to_string()
    };
    assert_eq!(after(burnt).replace('x', "0"), after(plain));
}

#[test]
fn congkak_burns_the_lowest_houses_and_never_all() {
    for (text, at) in [
        ("7,x,7,7,7,7,7,9/7,7,7,7,7,7,7,7 s", 2),
        ("7,7,7,7,7,7,x,9/7,7,7,7,7,7,7,7 s1", 12),
        ("7,7,7,7,7,7,7,11/x,x,7,x,7,7,7,3 n", 23),
        ("x,x,x,x,x,x,x,3/7,7,7,7,7,7,7,46 n", 12),
    ] {
        let refused = AnyPosition::parse(GameKind::Congkak, text).expect_err("misplaced");
        assert_eq!((refused.code(), refused.at), ("misplaced-burnt-house", at));
    }
    for text in [
        "x,x,x,x,x,x,7,2/7,7,7,7,7,7,7,40 s",
        "x,x,0,0,7,7,7,3/x,7,7,7,7,7,7,24 n0",
    ] {
        let pos = AnyPosition::parse(GameKind::Congkak, text).expect("a position");
        assert_eq!(pos.to_string(), text);
    }
}

#[test]
fn oware_ends_by_repetition_with_each_side_taking_its_row() {
    let start = AnyPosition::parse(GameKind::Oware, "0,0,0,0,0,1,23/0,0,0,0,0,1,23 s");
    let mut record = Record::from_position(start.expect("a position"));
    // Each side has one seed; the two seeds follow each other around the board.
    let mut plies = 0;
    while record.outcome().is_none() && plies < 200 {
        let m = record.legal_moves().remove(0);
        record.play(&m).expect("a legal move");
        plies += 1;
    }
    let outcome = record.outcome().expect("a third occurrence");
    assert_eq!(outcome.reason.as_str(), "repetition");
    assert_eq!(outcome.score, Some(BySide::new(24, 24)));
    assert_eq!(seeds(&record.position().to_string()), 48);
    assert!(record.legal_moves().is_empty());
    let ended = record.clone();
    record.retreat(1);
    assert_eq!(record.outcome(), None);
    let last = ended.moves().last().expect("a move").to_string();
    record.play(&last).expect("a legal move");
    assert_eq!(record, ended);
}

#[test]
fn setups_start_where_they_say() {
    use GameKind::{Congkak, Kalah, Oware};
    let cases = [
        (Kalah, "seeds=6", "6,6,6,6,6,6,0/6,6,6,6,6,6,0 s"),
        (Oware, "seeds=3", "3,3,3,3,3,3,0/3,3,3,3,3,3,0 s"),
        (Congkak, "", "7,7,7,7,7,7,7,0/7,7,7,7,7,7,7,0 s"),
        (
            Congkak,
            "form=limited",
            "7,7,7,7,7,7,7,0/7,7,7,7,7,7,7,0 s1",
        ),
        // South's 3 ends in its store, then its 1; then North plays 1.
        (Kalah, "opening=311", "0,5,1,6,6,5,1/0,5,5,5,5,4,0 s"),
        (Congkak, "rounds=3", "7,7,7,7,7,7,7,0/7,7,7,7,7,7,7,0 s"),
        (
            Congkak,
            "rounds=3,round=2,owned=49-49,begins=n",
            "7,7,7,7,7,7,7,0/7,7,7,7,7,7,7,0 n",
        ),
        (
            Congkak,
            "form=limited,rounds=3,round=2,owned=38-60",
            "x,x,7,7,7,7,7,3/7,7,7,7,7,7,7,11 s1",
        ),
    ];
    for (kind, text, start) in cases {
        let setup = AnySetup::parse(kind, text).expect("a setup");
        assert_eq!(setup.to_string(), text);
        let pos = AnyPosition::start(kind, &setup).expect("a start");
        assert_eq!(pos.to_string(), start);
        // A record keeps its setup, so that it can be replayed from text alone.
        let record = Record::new(kind, &setup).expect("a start");
        assert_eq!(record.setup().to_string(), text);
    }
    for (text, same) in [
        ("form=traditional", ""),
        ("round=1,rounds=2", "rounds=2"),
        ("rounds=2,round=1,owned=49-49,begins=s", "rounds=2"),
        (
            "rounds=2,round=2,owned=60-38,begins=n",
            "rounds=2,round=2,owned=60-38",
        ),
    ] {
        let setup: CongkakSetup = text.parse().expect("a setup");
        assert_eq!(setup.to_string(), same);
    }
}

#[test]
fn what_may_be_rated_is_the_usual_start_and_of_congkak_the_limited_form() {
    for kind in GameKind::ALL {
        let is_rated = AnySetup::usual(*kind).may_be_rated();
        assert_eq!(is_rated, *kind != GameKind::Pallanguzhi, "{kind}");
    }
    for (text, may) in [
        ("", false),
        ("form=limited", true),
        ("form=limited,opening=drawn", true),
        ("form=limited,rounds=3", false),
        ("form=limited,rounds=3,round=2,owned=60-38", false),
    ] {
        let setup = AnySetup::parse(GameKind::Congkak, text).expect("a setup");
        assert_eq!(setup.may_be_rated(), may, "{text}");
    }
    for (text, may) in [
        ("", true),
        ("opening=drawn", true),
        ("opening=311", false),
        ("seeds=3", false),
    ] {
        let setup = AnySetup::parse(GameKind::Kalah, text).expect("a setup");
        assert_eq!(setup.may_be_rated(), may, "{text}");
    }
}

#[test]
fn an_opening_is_played_by_the_rules_and_ends_with_the_turn_of_the_first_side() {
    use SetupError::{BadValue, Contradiction, UndrawnOpening, UnknownOption};
    let drawn = AnySetup::parse(GameKind::Kalah, "seeds=5,opening=drawn").expect("a wish");
    assert_eq!(drawn.to_string(), "seeds=5,opening=drawn");
    assert_eq!(
        AnyPosition::start(GameKind::Kalah, &drawn),
        Err(UndrawnOpening)
    );
    let longest = "1".repeat(MAX_OPENING_PLIES + 1);
    for (kind, text, why) in [
        (GameKind::Kalah, "opening=0", BadValue),
        (GameKind::Kalah, "opening=7", BadValue),
        (GameKind::Kalah, "opening=-1", BadValue),
        // A move of an empty house, and an opening after which North is to move.
        (GameKind::Kalah, "opening=33", BadValue),
        (GameKind::Kalah, "opening=1", BadValue),
        (GameKind::Kalah, &format!("opening={longest}"), BadValue),
        (GameKind::Oware, "opening=drawn", UnknownOption),
        (GameKind::Congkak, "opening=drawn", Contradiction),
        (
            GameKind::Congkak,
            "form=limited,rounds=3,opening=drawn",
            Contradiction,
        ),
    ] {
        assert_eq!(AnySetup::parse(kind, text), Err(why), "{kind} {text}");
    }
    // The opening of a setup gives the same position as the same plies of the players.
    let setup = AnySetup::parse(GameKind::Kalah, "opening=311").expect("a setup");
    let start = AnyPosition::start(GameKind::Kalah, &setup).expect("a start");
    let standard = AnySetup::standard(GameKind::Kalah);
    let mut played = AnyPosition::start(GameKind::Kalah, &standard).expect("a start");
    for m in ["3", "1", "1"] {
        played.play(m).expect("a legal move");
    }
    assert_eq!(start, played);
    let without = setup.with_opening(Opening::None);
    assert_eq!(without, Ok(standard));
}

#[test]
fn setups_that_cannot_be_are_refused() {
    use SetupError::{BadValue, Contradiction, RepeatedOption, UnknownOption};
    for (text, why) in [
        ("form=free", BadValue),
        ("form=limited,form=limited", RepeatedOption),
        ("seeds=7", UnknownOption),
        ("rounds=0", BadValue),
        ("rounds=21", BadValue),
        ("rounds=300", BadValue),
        ("rounds=+3", BadValue),
        ("rounds=03", BadValue),
        ("round=2", Contradiction),
        ("owned=49-49", Contradiction),
        ("begins=n", Contradiction),
        ("rounds=3,round=0", BadValue),
        ("rounds=3,round=4,owned=49-49", BadValue),
        ("rounds=3,round=2", Contradiction),
        ("rounds=3,begins=n", Contradiction),
        ("rounds=3,owned=60-38", Contradiction),
        ("rounds=3,round=2,owned=60-39", BadValue),
        ("rounds=3,round=2,owned=92-6", BadValue),
        ("rounds=3,round=2,owned=60", BadValue),
        ("rounds=3,round=2,owned=-60-38", BadValue),
        ("rounds=3,round=2,owned=65535-99", BadValue),
        ("rounds=3,round=2,owned=60-38,begins=s", Contradiction),
        ("rounds=3,round=2,owned=60-38,begins=x", BadValue),
    ] {
        assert_eq!(text.parse::<CongkakSetup>(), Err(why), "{text}");
    }
}

#[test]
fn every_round_of_the_vectors_leads_to_the_next() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/congkak.json");
    let json = fs::read_to_string(path).expect("the vectors");
    let vectors: serde_json::Value = serde_json::from_str(&json).expect("vectors are JSON");
    let rounds = vectors["match_rounds"].as_array().expect("a list");
    assert!(!rounds.is_empty());
    for case in rounds {
        let seeds = |key: &str| u16::try_from(case[key].as_u64().expect("seeds")).expect("few");
        let owned = BySide::new(seeds("south"), seeds("north"));
        let began = match case["last_starter"].as_str() {
            Some("s") => Side::First,
            Some("n") => Side::Second,
            other => panic!("{other:?} began"),
        };
        for form in [Form::Traditional, Form::Limited] {
            let next = Round::after(owned, began).map(|round| {
                let setup = CongkakSetup::of_match(form, 20, 2, round).expect("a second round");
                assert_eq!(setup.to_string().parse(), Ok(setup));
                CongkakPosition::from_setup(&setup)
                    .expect("a start")
                    .to_string()
            });
            let extra = if form == Form::Limited { "1" } else { "" };
            let expected = case["next"].as_str().map(|next| format!("{next}{extra}"));
            assert_eq!(next, expected, "{case}");
        }
    }
}

/// A match of random moves, played round by round: the start of each round, its moves and its score; and the seeds with which it ended.
struct RandomMatch {
    rounds: Vec<(AnyPosition, Vec<String>, BySide<u16>)>,
    owned: BySide<u16>,
}

fn random_match(form: Form, limit: u8, seed: u64) -> RandomMatch {
    let mut rounds = Vec::new();
    let mut dice = seed;
    let mut setup = CongkakSetup::of_match(form, limit, 1, Round::FIRST).expect("a match");
    loop {
        let text = setup.to_string();
        assert_eq!(text.parse(), Ok(setup));
        let start =
            AnyPosition::start(GameKind::Congkak, &AnySetup::Congkak(setup)).expect("a start");
        // A record of a single round, from its position and without a match.
        let mut round = Record::from_position(start.clone());
        while round.outcome().is_none() {
            let moves = round.legal_moves();
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let m = &moves[(dice >> 33) as usize % moves.len()];
            round.play(m).expect("a legal move");
        }
        let moves = round.moves().iter().map(ToString::to_string).collect();
        let score = round.outcome().and_then(|outcome| outcome.score);
        let score = score.expect("points");
        rounds.push((start, moves, score));
        match setup.next_round(score).expect("all seeds") {
            Next::Round(next) => setup = next,
            Next::Over(owned) => return RandomMatch { rounds, owned },
        }
    }
}

#[test]
fn a_record_of_a_match_goes_from_round_to_round_until_its_end() {
    let mut most = 0;
    for (seed, form) in (0..40).map(|seed| (seed, [Form::Traditional, Form::Limited][seed % 2])) {
        let limit = [1, 3, 5, 20][seed % 4];
        let RandomMatch { rounds, owned } = random_match(form, limit, seed as u64);
        most = most.max(rounds.len());
        assert_eq!(
            rounds.len(),
            usize::from(limit),
            "no side runs out of seeds"
        );
        let setup = CongkakSetup::of_match(form, limit, 1, Round::FIRST).expect("a match");
        let setup = AnySetup::Congkak(setup);
        let mut record = Record::new(GameKind::Congkak, &setup).expect("a start");
        let mut before = 0;
        for (start, moves, _) in &rounds {
            assert_eq!((record.position(), record.outcome()), (start, None));
            assert_eq!(record.round_start(), start);
            assert!(record.round_moves().is_empty());
            for (ply, m) in moves.iter().enumerate() {
                assert_eq!(record.round_moves().len(), ply);
                record.play(m).expect("a move of the round");
            }
            before += moves.len();
            assert_eq!(record.ply() as usize, before);
        }
        let outcome = record.outcome().expect("the match is over");
        let more = Side::ALL
            .into_iter()
            .find(|side| owned[*side] > owned[side.other()]);
        assert_eq!((outcome.winner, outcome.score), (more, Some(owned)));
        assert!(record.legal_moves().is_empty());
        let played = record.rounds().expect("rounds").iter();
        let scores: Vec<_> = played.map(|round| round.score).collect();
        assert_eq!(
            scores,
            rounds.iter().map(|round| round.2).collect::<Vec<_>>()
        );

        // Retreats into the round before, and replays the plies.
        let (_, last, _) = rounds.last().expect("a round");
        let mut again = record.clone();
        again.retreat(u32::try_from(last.len()).expect("few") + 1);
        let left = again.moves().len();
        assert!(left < before);
        for m in &record.moves()[left..] {
            again.play(&m.to_string()).expect("it was legal");
        }
        assert_eq!(again, record);
    }
    assert!(most > 3, "some matches are long");
}

#[test]
fn a_match_is_over_when_a_side_cannot_fill_a_house() {
    let setup =
        AnySetup::parse(GameKind::Congkak, "rounds=20,round=2,owned=91-7").expect("a setup");
    // North has one house, and South's store holds most seeds.
    let mut record = Record::new(GameKind::Congkak, &setup).expect("a start");
    while record.outcome().is_none() {
        let moves = record.legal_moves();
        record.play(&moves[0]).expect("a legal move");
        assert!(record.ply() < 4_000, "a match ends");
    }
    let owned = record
        .outcome()
        .and_then(|outcome| outcome.score)
        .expect("points");
    let rounds = record.rounds().expect("a match").len();
    assert!(
        owned.first < 7 || owned.second < 7 || rounds == 19,
        "{owned:?} after {rounds}"
    );
}

#[test]
fn what_follows_a_round_is_told_by_its_seeds() {
    let next = |text: &str, south, north| {
        let setup: CongkakSetup = text.parse().expect("a setup");
        setup.next_round(BySide::new(south, north))
    };
    let round = |text: &str| Some(Next::Round(text.parse::<CongkakSetup>().expect("a setup")));
    assert_eq!(
        next("rounds=3", 60, 38),
        round("rounds=3,round=2,owned=60-38")
    );
    assert_eq!(
        next("form=limited,rounds=3", 49, 49),
        round("form=limited,rounds=3,round=2,owned=49-49,begins=n")
    );
    let over = |south, north| Some(Next::Over(BySide::new(south, north)));
    assert_eq!(next("rounds=3,round=2,owned=60-38", 92, 6), over(92, 6));
    assert_eq!(next("rounds=3,round=3,owned=60-38", 60, 38), over(60, 38));
    // Not all seeds, and a round that belongs to no match.
    assert_eq!(next("rounds=3", 60, 39), None);
    assert_eq!(next("rounds=3", u16::MAX, u16::MAX), None);
    assert_eq!(next("", 60, 38), None);
}
