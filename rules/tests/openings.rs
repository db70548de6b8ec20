//! The openings of checkers and Reversi; those of the sowing games are in `sowing.rs`.

use mawe_rules::games::opening::{MAX_OPENING_PLIES, Opening};
use mawe_rules::notation::pdn::{self, GameResult};
use mawe_rules::notation::{ggf, transcript};
use mawe_rules::{AnyPosition, AnySetup, GameKind, Record, SetupError, Side};

/// A setup with an opening, its plies, and the side to move after them.
const OPENINGS: [(GameKind, &str, &[&str], Side); 4] = [
    (
        GameKind::Checkers,
        "opening=11-15.23-19.8-11",
        &["11-15", "23-19", "8-11"],
        Side::Second,
    ),
    // The third ply must capture.
    (
        GameKind::Checkers,
        "opening=9-14.23-18.14x23",
        &["9-14", "23-18", "14x23"],
        Side::Second,
    ),
    (
        GameKind::Reversi,
        "opening=f5d6c3d3c4f4f6f3",
        &["f5", "d6", "c3", "d3", "c4", "f4", "f6", "f3"],
        Side::First,
    ),
    (GameKind::Reversi, "opening=f5", &["f5"], Side::Second),
];

#[test]
fn a_setup_with_an_opening_begins_after_its_plies() {
    for (kind, text, plies, turn) in OPENINGS {
        let setup = AnySetup::parse(kind, text).expect("a setup");
        assert_eq!(setup.to_string(), text);
        assert_eq!(setup.opening_plies(), plies);
        assert!(!setup.may_be_rated(), "{text}: players do not choose it");
        let standard = AnySetup::standard(kind);
        assert_eq!(setup.with_opening(Opening::None), Ok(standard.clone()));
        let plies: Vec<String> = plies.iter().map(|ply| (*ply).to_owned()).collect();
        assert_eq!(standard.with_opening_plies(&plies), Ok(setup.clone()));

        let mut played = AnyPosition::start(kind, &standard).expect("a start");
        for ply in &plies {
            played.play(ply).expect("a legal move");
        }
        let start = AnyPosition::start(kind, &setup).expect("a start");
        assert_eq!(start, played);
        assert_eq!(start.turn(), turn);
    }
}

#[test]
fn a_wish_for_an_opening_starts_no_game() {
    for kind in [GameKind::Checkers, GameKind::Reversi] {
        let wish = AnySetup::parse(kind, "opening=drawn").expect("a wish");
        assert_eq!(wish.to_string(), "opening=drawn");
        assert!(wish.may_be_rated());
        assert!(wish.opening_plies().is_empty());
        let start = AnyPosition::start(kind, &wish);
        assert_eq!(start, Err(SetupError::UndrawnOpening));
    }
}

#[test]
fn what_is_no_opening_is_refused() {
    use SetupError::{BadValue, Malformed, RepeatedOption, UnknownOption};
    let long = format!("opening={}", ["9-14"; MAX_OPENING_PLIES].join("."));
    let check = |kind, text, why| {
        assert_eq!(AnySetup::parse(kind, text), Err(why), "{kind} {text}");
    };
    for (text, why) in [
        ("opening=", Malformed),
        ("opening=drawn,opening=drawn", RepeatedOption),
        ("seeds=4", UnknownOption),
        ("opening=11-15.", BadValue),
        ("opening=.11-15", BadValue),
        ("opening=11-15 23-19", BadValue),
        ("opening=11-1523-19", BadValue),
        // White's move, a step where a capture is compulsory, and another way of writing a move.
        ("opening=23-19", BadValue),
        ("opening=9-14.23-18.11-15", BadValue),
        ("opening=9-14.23-18.14X23", BadValue),
        ("opening=011-15", BadValue),
        ("opening=f5", BadValue),
        ("opening=é", BadValue),
        (long.as_str(), BadValue),
    ] {
        check(GameKind::Checkers, text, why);
    }
    for (text, why) in [
        ("opening=f5d", BadValue),
        ("opening=F5", BadValue),
        ("opening=f5.d6", BadValue),
        // A move that turns nothing over, and a pass.
        ("opening=a1", BadValue),
        ("opening=f5pass", BadValue),
        ("opening=--", BadValue),
        // The shortest game: the last ply takes the last white disc.
        ("opening=e6f4e3f6g5d6e7f5c5", BadValue),
        ("opening=11-15", BadValue),
    ] {
        check(GameKind::Reversi, text, why);
    }
    let rest = "opening=e6f4e3f6g5d6e7f5";
    assert!(AnySetup::parse(GameKind::Reversi, rest).is_ok());
    check(GameKind::Mawe, "opening=drawn", UnknownOption);
    let plies = ["a1c3".to_owned()];
    let mawe = AnySetup::standard(GameKind::Mawe);
    assert_eq!(mawe.with_opening_plies(&plies), Err(UnknownOption));
    let reversi = AnySetup::standard(GameKind::Reversi);
    assert_eq!(reversi.with_opening_plies(&[]), Err(BadValue));
    let many = vec!["f5".to_owned(); 1_000];
    assert_eq!(reversi.with_opening_plies(&many), Err(BadValue));
}

/// A game of some plies from a setup.
fn a_game(kind: GameKind, setup: &str) -> Record {
    let setup = AnySetup::parse(kind, setup).expect("a setup");
    let mut game = Record::new(kind, &setup).expect("a start");
    for _ in 0..10 {
        let m = game.legal_moves().swap_remove(0);
        game.play(&m).expect("a legal move");
    }
    game
}

#[test]
fn formats_of_other_programs_have_the_opening_as_the_first_plies() {
    for (kind, text, opening, _) in OPENINGS {
        let game = a_game(kind, text);
        let read = match kind {
            GameKind::Checkers => {
                let written = pdn::write(&pdn::Game {
                    tags: Vec::new(),
                    record: game.clone(),
                    result: GameResult::Open,
                });
                let written = written.expect("checkers");
                assert!(!written.contains("FEN"), "{written}");
                let mut games = pdn::games(written.as_bytes(), None);
                games.next().expect("a game").expect("PDN").record
            }
            _ => {
                let written = transcript::write(&game).expect("Reversi");
                transcript::read(written.as_bytes()).expect("a transcript")
            }
        };
        let moves: Vec<String> = read.moves().iter().map(ToString::to_string).collect();
        let played = game.moves().iter().map(ToString::to_string);
        let whole: Vec<String> = opening.iter().map(|ply| (*ply).to_owned()).collect();
        assert_eq!(moves, whole.into_iter().chain(played).collect::<Vec<_>>());
        assert_eq!(read.position(), game.position());
    }
    // GGF has the board of the start.
    let game = a_game(GameKind::Reversi, "opening=f5d6c3d3");
    let written = ggf::write(&ggf::Game {
        tags: Vec::new(),
        record: game.clone(),
        result: None,
    });
    let written = written.expect("Reversi");
    let mut games = ggf::games(written.as_bytes());
    let read = games.next().expect("a game").expect("GGF").record;
    assert_eq!((read.start(), read.moves()), (game.start(), game.moves()));
}
