//! Setups that are positions: games that start from any position.

use mawe_rules::games::opening::Opening;
use mawe_rules::{AnyPosition, AnySetup, GameKind, Record, SetupError};

fn standard(kind: GameKind) -> Record {
    Record::new(kind, &AnySetup::standard(kind)).expect("a start")
}

#[test]
fn the_position_of_every_ply_is_the_start_of_a_game() {
    for &kind in GameKind::ALL {
        let mut game = standard(kind);
        for ply in 0..60_usize {
            let position = game.position().clone();
            let setup = AnySetup::from_position(position.clone());
            let text = setup.to_string();
            assert_eq!(AnySetup::parse(kind, &text), Ok(setup.clone()), "{text}");
            assert_eq!(setup.kind(), kind);
            let begun = Record::new(kind, &setup).expect("a start");
            assert_eq!(begun, Record::from_position(position.clone()), "{text}");
            assert_eq!(begun.start(), &position);
            assert!(begun.rounds().is_none(), "{text}: it is one round");
            if ply > 0 {
                assert_eq!(text, format!("position={position}"));
                assert!(!setup.may_be_rated(), "{text}");
                assert_eq!(setup.opening(), Opening::None);
                assert!(setup.opening_plies().is_empty());
                assert_eq!(setup.with_opening(Opening::None), Ok(setup.clone()));
                let drawn = setup.with_opening(Opening::Drawn);
                assert_eq!(drawn, Err(SetupError::UnknownOption), "{text}");
            }
            let legal = game.legal_moves();
            let Some(m) = legal.get(ply * 7 % legal.len().max(1)) else {
                break;
            };
            game.play(m).expect("a legal move");
        }
    }
}

#[test]
fn the_start_of_the_standard_game_is_the_standard_setup() {
    for &kind in GameKind::ALL {
        let standard = AnySetup::standard(kind);
        let start = AnyPosition::start(kind, &standard).expect("a start");
        let setup = AnySetup::parse(kind, &format!("position={start}")).expect("a setup");
        assert_eq!(setup, standard, "{kind}");
        assert_eq!(setup.to_string(), "");
    }
}

#[test]
fn what_is_no_position_of_the_game_is_refused_with_the_place_of_the_fault() {
    for (kind, text) in [
        (GameKind::Kalah, "position="),
        (GameKind::Kalah, "position=4,4,4,4,4,4,0/4,4,4,4,4,4,0"),
        (
            GameKind::Kalah,
            "position=4,4,4,4,4,4,0/4,4,4,4,4,4,0 s,seeds=3",
        ),
        (GameKind::Kalah, "position=W:W21:B12"),
        (GameKind::Checkers, "position=B:WK33:BK1"),
        (GameKind::Reversi, "position=position=X"),
    ] {
        let why = AnySetup::parse(kind, text).expect_err("it is refused");
        assert!(matches!(why, SetupError::Position(_)), "{text}: {why}");
        assert!(why.to_string().starts_with("position: "), "{why}");
        assert!(!why.code().is_empty());
    }
    for (text, why) in [
        (
            "seeds=3,position=4,4,4,4,4,4,0/4,4,4,4,4,4,0 s",
            SetupError::Malformed,
        ),
        (
            "Position=4,4,4,4,4,4,0/4,4,4,4,4,4,0 s",
            SetupError::Malformed,
        ),
        ("position", SetupError::Malformed),
    ] {
        assert_eq!(AnySetup::parse(GameKind::Kalah, text), Err(why), "{text}");
    }
    let other = AnySetup::parse(GameKind::Checkers, "position=B:WK32:BK1").expect("a setup");
    let start = AnyPosition::start(GameKind::Russian, &other);
    assert_eq!(start, Err(SetupError::UnknownOption), "another game's");
}
