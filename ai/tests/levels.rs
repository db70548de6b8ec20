//! The levels: all play by the rules, and the strong beat the weak.

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use common::{Dice, random_position};
use mawe_ai::{Level, ThinkError, choose};
use mawe_rules::{AnyMove, AnyPosition, AnySetup, GameKind, Record, Side};

fn level(number: u8) -> Level {
    Level::try_from(number).expect("a level")
}

fn move_of(pos: &AnyPosition, level: Level, seed: u64) -> AnyMove {
    let stop = Arc::new(AtomicBool::new(false));
    choose(pos, level, seed, stop, Duration::MAX)
        .expect("not over")
        .best
}

/// Plays one game; which side, if any, won.
fn winner(kind: GameKind, first: Level, second: Level, seed: u64) -> Option<Side> {
    let mut record = Record::new(kind, &AnySetup::standard(kind)).expect("a start");
    loop {
        if let Some(outcome) = record.outcome() {
            return outcome.winner;
        }
        let level = match record.turn() {
            Side::First => first,
            Side::Second => second,
        };
        let m = move_of(record.position(), level, seed);
        record.play(&m.to_string()).expect("a legal move");
    }
}

/// Games won by the stronger less games lost, sides taken in turn.
fn lead(kind: GameKind, strong: Level, weak: Level, games: u64) -> i32 {
    let result = |seed| {
        let (side, winner) = match seed % 2 {
            0 => (Side::First, winner(kind, strong, weak, seed)),
            _ => (Side::Second, winner(kind, weak, strong, seed)),
        };
        winner.map_or(0, |winner| if winner == side { 1 } else { -1 })
    };
    (0..games).map(result).sum()
}

#[test]
fn the_strong_beat_the_weak() {
    // Level 6 stands for the strong: the two above it only search longer.
    for kind in GameKind::ALL.iter().copied() {
        assert!(
            lead(kind, level(6), level(1), 6) >= 5,
            "{kind}: 6 against 1"
        );
        assert!(
            lead(kind, level(4), level(1), 10) >= 5,
            "{kind}: 4 against 1"
        );
        assert!(
            lead(kind, level(5), level(3), 10) >= 3,
            "{kind}: 5 against 3"
        );
    }
}

#[test]
fn every_level_moves_legally_and_the_same_for_the_same_seed() {
    let mut dice = Dice(7);
    for kind in GameKind::ALL.iter().copied() {
        for level in Level::all() {
            for seed in 0..12 {
                let pos = random_position(kind, &mut dice, 60);
                // The strongest are as deep as they are patient; a stop after a while keeps the
                // test short, but then the answer depends on the machine.
                let patience = match level.get() {
                    1..=6 => Duration::MAX,
                    _ => Duration::from_millis(5),
                };
                let choose = || choose(&pos, level, seed, Arc::default(), patience);
                let thought = choose().expect("not over");
                assert!(
                    pos.legal_moves().contains(&thought.best),
                    "{kind} {level} {pos}"
                );
                assert!(!thought.proven);
                if patience == Duration::MAX {
                    assert_eq!(choose(), Ok(thought), "{kind} {level} {pos}");
                }
            }
        }
    }
}

#[test]
fn weak_players_differ_from_one_another() {
    for kind in GameKind::ALL.iter().copied() {
        let moves = (0..20).map(|seed| move_of(&common::start(kind), level(1), seed).to_string());
        let mut moves: Vec<String> = moves.collect();
        moves.sort_unstable();
        moves.dedup();
        assert!(moves.len() > 3, "{kind}: {moves:?}");
    }
}

#[test]
fn a_win_at_hand_is_seen_by_everybody() {
    // One step brings the stone home, and Black cannot move after it.
    let pos = AnyPosition::parse(GameKind::Mawe, "8/3W4/8/8/8/8/W7/8 w").expect("a position");
    for level in Level::all() {
        for seed in 0..20 {
            let m = move_of(&pos, level, seed).to_string();
            assert!(
                ["d7c8", "d7e8"].contains(&m.as_str()),
                "level {level} seed {seed}: {m}"
            );
        }
    }
}

#[test]
fn a_call_to_stop_is_obeyed_at_once() {
    for kind in GameKind::ALL.iter().copied() {
        for level in Level::all() {
            let stop = Arc::new(AtomicBool::new(true));
            let pos = common::start(kind);
            let thought = choose(&pos, level, 1, stop, Duration::MAX).expect("not over");
            assert_eq!(thought.nodes, 0);
            assert!(pos.legal_moves().contains(&thought.best));
        }
    }
}

#[test]
fn nobody_moves_in_a_finished_game() {
    let over = AnyPosition::parse(GameKind::Mawe, "8/8/8/8/8/8/8/w6b w").expect("a position");
    for level in Level::all() {
        let answer = choose(&over, level, 1, Arc::default(), Duration::MAX);
        assert_eq!(answer, Err(ThinkError::GameOver));
    }
}
