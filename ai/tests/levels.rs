//! The moves of the levels. `lab/tests/levels.rs` lets them play each other.

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use common::{Dice, random_position};
use mawe_ai::{Level, ThinkError, choose};
use mawe_rules::{AnyMove, AnyPosition, GameKind};

fn level(number: u8) -> Level {
    Level::try_from(number).expect("a level")
}

fn move_of(pos: &AnyPosition, level: Level, seed: u64) -> AnyMove {
    let stop = Arc::new(AtomicBool::new(false));
    choose(pos, level, seed, stop, Duration::MAX)
        .expect("not over")
        .best
}

#[test]
fn every_level_moves_legally_and_the_same_for_the_same_seed() {
    let mut dice = Dice(7);
    for kind in GameKind::ALL.iter().copied() {
        for level in Level::all() {
            for seed in 0..12 {
                let pos = random_position(kind, &mut dice, 60);
                // The strongest levels search long; a stop after a while keeps the test short, but then the result depends on the machine.
                let patience = match level.get() {
                    1..=7 => Duration::MAX,
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
    // One step brings the stone home, and Black cannot move afterwards.
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
