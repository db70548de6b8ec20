//! Games as JSON and their digests, for every kind of game.

use mawe_rules::notation::digest::Digest;
use mawe_rules::notation::json::{JsonRecord, JsonRecordError};
use mawe_rules::{AnyPosition, AnySetup, GameKind, PlayError, Record};

fn start(kind: GameKind) -> Record {
    Record::new(kind, &AnySetup::standard(kind)).expect("a start")
}

/// Plays up to `plies` further plies, chosen from the legal moves by a fixed sequence.
fn play_on(mut record: Record, plies: u32, seed: usize) -> Record {
    for ply in 0..plies as usize {
        let legal = record.legal_moves();
        let Some(m) = legal.get((seed + ply * 7) % legal.len().max(1)) else {
            break;
        };
        record.play(m).expect("a legal move");
    }
    record
}

#[test]
fn every_game_survives_its_json() {
    for kind in GameKind::ALL.iter().copied() {
        for seed in 0..20 {
            for plies in [0, 1, 10, 1_000] {
                let record = play_on(start(kind), plies, seed);
                let later = Record::from_position(record.position().clone());
                for record in [record, play_on(later, plies, seed)] {
                    let json = serde_json::to_string(&JsonRecord::from(&record)).expect("JSON");
                    let read: JsonRecord = serde_json::from_str(&json).expect("a record");
                    assert_eq!(read.replay(), Ok(record), "{json}");
                }
            }
        }
    }
}

#[test]
fn json_has_the_keys_it_documents() {
    let mut record = start(GameKind::Reversi);
    record.play("d3").expect("a legal move");
    let json = serde_json::to_string(&JsonRecord::from(&record)).expect("JSON");
    assert_eq!(json, r#"{"game":"reversi","moves":"d3"}"#);

    let json = r#"{"game":"checkers","start":"B:W10:BK7","moves":"","result":{"winner":"B","reason":"resigned"},"by":"hand"}"#;
    let read: JsonRecord = serde_json::from_str(json).expect("a record");
    assert_eq!(read.replay().expect("a game").ply(), 0);

    let json = r#"{"game":"checkers","start":"B:W:BK7","moves":"7-10","result":{"winner":"B","reason":"no-pieces"}}"#;
    let mut read: JsonRecord = serde_json::from_str(json).expect("a record");
    assert_eq!(
        read.replay()
            .expect("a game")
            .outcome()
            .map(|end| end.winner),
        Some(Some(mawe_rules::Side::First))
    );
    read.result.as_mut().expect("a result").winner = "W".to_owned();
    assert_eq!(read.replay(), Err(JsonRecordError::OtherResult));
}

#[test]
fn a_refusal_says_what_and_where() {
    let cases = [
        (
            r#"{"game":"reversi","moves":"d3 d3"}"#,
            "ply 2: the target square is occupied",
        ),
        (
            r#"{"game":"reversi","setup":"size=10","moves":""}"#,
            "setup: the game has no such option",
        ),
        (
            r#"{"game":"reversi","start":"X","moves":""}"#,
            "start: the position ends too early at character 2",
        ),
    ];
    for (json, message) in cases {
        let read: JsonRecord = serde_json::from_str(json).expect("a record");
        let error = read.replay().expect_err("an error");
        assert_eq!(error.to_string(), message);
        assert!(!error.code().is_empty());
    }
    for json in [
        r#"{"game":"chess","moves":""}"#,
        r#"{"game":"mawe"}"#,
        "[]",
        "",
    ] {
        assert!(serde_json::from_str::<JsonRecord>(json).is_err());
    }
    let mut record = start(GameKind::Checkers);
    assert_eq!(record.play("9-18"), Err(PlayError::NotDiagonal));
}

#[test]
fn a_digest_is_that_of_the_rule_book() {
    // The shortest game of Reversi; its digest was computed from the text of section 8 with another
    // tool.
    let record: JsonRecord =
        serde_json::from_str(r#"{"game":"reversi","moves":"e6 f4 e3 f6 g5 d6 e7 f5 c5"}"#)
            .expect("a record");
    let mut now = record.begin().expect("a start");
    let mut digest = Digest::new();
    for m in record.plies() {
        digest.tell(now.position(), &now.legal_moves());
        now.play(m).expect("a legal move");
    }
    digest.tell(now.position(), &now.legal_moves());
    assert_eq!(digest.finish(), "b91f2fffd4fd993b");

    let empty = AnyPosition::parse(GameKind::Checkers, "B:W:B").expect("a position");
    let mut digest = Digest::new();
    digest.tell(&empty, &[]);
    // `printf 'B:W:B|\n' | sha256sum`
    assert_eq!(digest.finish(), "125d432947ef02a8");
}

#[test]
fn a_record_begins_after_the_opening_of_its_setup() {
    for (game, setup, moves) in [
        (GameKind::Checkers, "opening=11-15.23-19.8-11", "22-17 9-13"),
        (GameKind::Reversi, "opening=f5d6c3d3", "c4 f4"),
    ] {
        let record = JsonRecord {
            game,
            setup: setup.to_owned(),
            start: None,
            moves: moves.to_owned(),
            result: None,
        };
        let text = serde_json::to_string(&record).expect("plain JSON");
        let read: JsonRecord = serde_json::from_str(&text).expect("a record");
        let replayed = read.replay().expect("it is by the rules");
        assert_eq!(replayed.setup().to_string(), setup);
        assert_eq!(replayed.ply(), 2);
        let start = AnyPosition::start(game, replayed.setup()).expect("a start");
        assert_eq!(replayed.start(), &start);
    }
}
