//! The levels: all make legal moves, and the strong beat the weak.

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use common::{Dice, random_position};
use mawe_ai::arena::{Openings, Player, Tally, play_pair, setup_of};
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

/// The points of a player against another, 0 to 1, in games of many openings with sides exchanged.
fn score(kind: GameKind, one: &str, other: &str, pairs: u64) -> f64 {
    tally(kind, one, other, pairs).score()
}

/// The results of games of many openings with sides exchanged, from the first player's view.
fn tally(kind: GameKind, one: &str, other: &str, pairs: u64) -> Tally {
    let player = |text: &str| Player::new(text.parse().expect("a player"), kind).expect("memory");
    let (one, other) = (player(one), player(other));
    let mut tally = Tally::default();
    (0..pairs).for_each(|i| {
        tally.add(play_pair(
            &setup_of(kind),
            Openings::default(),
            [&one, &other],
            1,
            i,
        ))
    });
    tally
}

#[test]
fn two_levels_make_a_difference() {
    // Two levels differ by at least 300 Elo, which a dozen games distinguish from a score of 0.5.
    for kind in GameKind::ALL.iter().copied() {
        for number in 1..=4 {
            let (strong, weak) = ((number + 2).to_string(), number.to_string());
            let score = score(kind, &strong, &weak, 6);
            assert!(score > 0.5, "{kind}: {strong} against {weak}: {score}");
        }
    }
}

#[test]
fn a_beginner_holds_out_against_the_first_level_and_not_the_sixth() {
    for kind in GameKind::ALL.iter().copied() {
        let (first, sixth) = (
            score(kind, "beginner", "1", 20),
            // Fifty games, because ten games at a fifth of the points are too few for a result.
            score(kind, "beginner", "6", 25),
        );
        // Level 1 resolves captures in checkers, because otherwise it would lose to random moves; so a beginner scores less than half
        // there.
        assert!(first > 0.35, "{kind}: {first} against level 1");
        assert!(sixth < 0.3, "{kind}: {sixth} against level 6");
    }
}

/// Level 1 must beat random moves to be an opponent, and must lose to a search of one ply to suit a beginner.
#[test]
fn the_first_level_beats_random_moves_and_loses_to_a_ply_ahead() {
    const PAIRS: u64 = 300;
    for kind in GameKind::ALL.iter().copied() {
        let games = f64::from(2 * PAIRS as u32);
        let random = tally(kind, "1", "random", PAIRS);
        let ply = tally(kind, "1", "depth=1", PAIRS);
        assert!(
            f64::from(random.won) >= 0.75 * games,
            "{kind}: won {} of {games} against random moves",
            random.won
        );
        assert!(
            f64::from(ply.lost) >= 0.75 * games,
            "{kind}: lost {} of {games} against one ply",
            ply.lost
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
