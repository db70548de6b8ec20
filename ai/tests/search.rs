//! The search on real games: equal to plain minimax, deterministic, bounded.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use common::{Dice, random_position, start};
use mawe_ai::search::{Features, WIN, WIN_BOUND, search, search_with, settled};
use mawe_ai::{Engine, EngineOptions, Evaluate, Limits, ThinkError, think};
use mawe_rules::games::bao::BaoPosition;
use mawe_rules::games::checkers::CheckersPosition;
use mawe_rules::games::congkak::CongkakPosition;
use mawe_rules::games::draughts::{
    BrazilianPosition, DraftiPosition, InternationalPosition, PoolPosition, RussianPosition,
};
use mawe_rules::games::kalah::KalahPosition;
use mawe_rules::games::mawe::MawePosition;
use mawe_rules::games::oware::OwarePosition;
use mawe_rules::games::pallanguzhi::PallanguzhiPosition;
use mawe_rules::games::reversi::ReversiPosition;
use mawe_rules::{AnyPosition, AnySetup, GameKind, Record};

/// Plain minimax: no window, no table, no order of moves.
fn minimax<P: Evaluate>(pos: &P, depth: u32, ply: i32) -> i32 {
    if let Some(winner) = settled(pos).filter(|_| ply > 0) {
        return match winner {
            Some(winner) if winner == pos.turn() => WIN - ply,
            Some(_) => ply - WIN,
            None => 0,
        };
    }
    if depth == 0 {
        return pos.evaluate(&P::Known::default());
    }
    let scores = pos.legal_moves().into_iter().map(|m| {
        let mut child = pos.clone();
        child.play_unchecked(m);
        let score = minimax(&child, depth - 1, ply + 1);
        if child.turn() == pos.turn() {
            score
        } else {
            -score
        }
    });
    scores.max().expect("a move, for the game is not over")
}

fn agrees_with_minimax<P: Evaluate>(pos: &P, depth: u32) {
    if settled(pos).is_some() {
        // A side with a majority plays on for points.
        return;
    }
    let limits = Limits::depth(depth);
    let found = search_with(pos, &limits, Features::EXACT).expect("not over");
    let expected = minimax(pos, depth, 0);
    assert_eq!(found.score, expected, "depth {depth} of {pos}");
    assert_eq!(found.pv.first(), Some(&found.best));

    // The move has the score of the search, and the line is legal.
    let mut child = pos.clone();
    child.play(found.best).expect("a legal move");
    let score = minimax(&child, found.depth - 1, 1);
    assert_eq!(
        if child.turn() == pos.turn() {
            score
        } else {
            -score
        },
        expected
    );
    let mut line = pos.clone();
    for m in found.pv {
        line.play(m).expect("a legal line");
    }

    // A result that the full search proves, maybe beyond this depth, agrees with minimax.
    let full = search(pos, &limits).expect("not over");
    if full.proven {
        let solver = search_with(pos, &Limits::nodes(1_000_000), Features::EXACT);
        let solved = solver.expect("not over");
        assert!(
            !solved.proven || result(solved.score) == result(full.score),
            "{pos}"
        );
    }
    if found.score.abs() >= WIN_BOUND {
        assert_eq!(result(full.score), result(found.score), "{pos}");
    }
}

/// The result by the score: 1 for a win, -1 for a loss, otherwise 0.
fn result(score: i32) -> i32 {
    score.signum() * i32::from(score.abs() >= WIN_BOUND)
}

#[test]
fn the_search_finds_what_minimax_finds() {
    let mut dice = Dice(1);
    for kind in GameKind::ALL.iter().copied() {
        for depth in [1, 2, 3, 4] {
            for _ in 0..60 / depth {
                let plies = if depth == 4 { 60 } else { 40 };
                match random_position(kind, &mut dice, plies) {
                    // A full tree of four plies from the opening has millions of positions.
                    pos if depth == 4 && pos.perft(4, 1) > 300_000 => (),
                    AnyPosition::Mawe(pos) => agrees_with_minimax::<MawePosition>(&pos, depth),
                    AnyPosition::Reversi(pos) => {
                        agrees_with_minimax::<ReversiPosition>(&pos, depth)
                    }
                    AnyPosition::Checkers(pos) => {
                        agrees_with_minimax::<CheckersPosition>(&pos, depth)
                    }
                    AnyPosition::Drafti(pos) => agrees_with_minimax::<DraftiPosition>(&pos, depth),
                    AnyPosition::Brazilian(pos) => {
                        agrees_with_minimax::<BrazilianPosition>(&pos, depth);
                    }
                    AnyPosition::Russian(pos) => {
                        agrees_with_minimax::<RussianPosition>(&pos, depth);
                    }
                    AnyPosition::International(pos) => {
                        agrees_with_minimax::<InternationalPosition>(&pos, depth);
                    }
                    AnyPosition::Pool(pos) => agrees_with_minimax::<PoolPosition>(&pos, depth),
                    AnyPosition::Kalah(pos) => agrees_with_minimax::<KalahPosition>(&pos, depth),
                    AnyPosition::Oware(pos) => agrees_with_minimax::<OwarePosition>(&pos, depth),
                    AnyPosition::Congkak(pos) => {
                        agrees_with_minimax::<CongkakPosition>(&pos, depth);
                    }
                    AnyPosition::Bao(pos) => agrees_with_minimax::<BaoPosition>(&pos, depth),
                    AnyPosition::Pallanguzhi(pos) => {
                        agrees_with_minimax::<PallanguzhiPosition>(&pos, depth);
                    }
                }
            }
        }
    }
}

#[test]
fn a_bounded_search_always_says_the_same() {
    for kind in GameKind::ALL.iter().copied() {
        for limits in [Limits::depth(4), Limits::nodes(30_000)] {
            let first = think(&start(kind), &limits).expect("not over");
            assert_eq!(think(&start(kind), &limits), Ok(first.clone()));
            assert!(first.nodes <= limits.nodes.unwrap_or(u64::MAX));
        }
    }
}

#[test]
fn a_later_round_of_a_match_is_thought_about_like_a_position_of_its_own() {
    let setup = AnySetup::parse(GameKind::Congkak, "rounds=20").expect("a setup");
    let mut game = Record::new(GameKind::Congkak, &setup).expect("a start");
    // Plays into the second round.
    while game.round_moves().len() == game.moves().len() || game.round_moves().len() < 3 {
        let legal = game.legal_moves();
        let m = &legal[(game.ply() as usize * 7 + 3) % legal.len()];
        game.play(m).expect("a legal move");
    }
    let options = EngineOptions {
        megabytes: 1,
        ..EngineOptions::default()
    };
    let engine = Engine::new(options).expect("memory");
    let limits = Limits::depth(4);
    let thought = engine.think(&game, &limits, &mut |_| ()).expect("not over");
    let alone = think(game.position(), &limits).expect("not over");
    assert_eq!((thought.best, thought.score), (alone.best, alone.score));
    game.play(&thought.best.to_string()).expect("a legal move");
}

#[test]
fn the_second_round_of_a_pair_is_played_for_the_seeds_of_both() {
    let engine = Engine::new(EngineOptions {
        megabytes: 1,
        ..EngineOptions::default()
    });
    let engine = engine.expect("memory");
    let think = |owned: &str| {
        let setup = format!("form=pair,round=2,owned={owned}");
        let setup = AnySetup::parse(GameKind::Pallanguzhi, &setup).expect("a setup");
        let mut game = Record::new(GameKind::Pallanguzhi, &setup).expect("a start");
        for m in "6 4 4 7".split(' ') {
            game.play(m).expect("a legal move");
        }
        let limits = Limits::nodes(300_000);
        let thought = engine.think(&game, &limits, &mut |_| ());
        let thought = thought.expect("not over");
        while game.outcome().is_none() {
            let next = engine.think(&game, &limits, &mut |_| ());
            let best = next.expect("not over").best.to_string();
            game.play(&best).expect("a legal move");
        }
        let total = game.outcome().and_then(|outcome| outcome.score);
        (thought.score, total.expect("seeds"))
    };
    // North wins the round by up to eight seeds.
    for (owned, wins, lead) in [
        ("42-42", 1, 1..=8),
        ("44-40", 1, 1..=4),
        ("46-38", 0, 0..=0),
        ("47-37", -1, -2..=-2),
    ] {
        let (score, total) = think(owned);
        let (south, north) = (i32::from(total.first), i32::from(total.second));
        assert_eq!(score.signum(), wins, "{owned}: {score}");
        assert!(lead.contains(&(north - south)), "{owned}: {total:?}");
    }
}

#[test]
fn a_finished_game_is_an_error() {
    let over = AnyPosition::parse(GameKind::Mawe, "8/8/8/8/8/8/8/w6b w").expect("a position");
    assert_eq!(think(&over, &Limits::default()), Err(ThinkError::GameOver));
}

#[test]
fn the_stop_flag_and_the_clock_end_a_search_without_other_limits() {
    for kind in GameKind::ALL.iter().copied() {
        let stop = Arc::new(AtomicBool::new(false));
        let limits = Limits {
            stop: Some(Arc::clone(&stop)),
            ..Limits::default()
        };
        let searcher = thread::spawn(move || think(&start(kind), &limits));
        stop.store(true, Ordering::Relaxed);
        let thought = searcher.join().expect("no panic").expect("not over");
        assert!(start(kind).legal_moves().contains(&thought.best));

        let began = Instant::now();
        let limits = Limits::movetime(Duration::from_millis(20));
        let thought = think(&start(kind), &limits).expect("not over");
        // Much more than the resolution of the clock, much less than the time to solve the game.
        assert!(began.elapsed() < Duration::from_secs(20));
        assert!(thought.depth > 0);
    }
}

#[test]
fn the_line_can_be_played_wherever_the_search_is_cut_off() {
    let options = EngineOptions {
        megabytes: 1,
        ..EngineOptions::default()
    };
    let engine = Engine::new(options).expect("memory");
    let mut dice = Dice(17);
    for kind in GameKind::ALL.iter().copied() {
        for _ in 0..150 {
            // The table is kept from ply to ply, so that lines also come from the table.
            engine.forget();
            let mut game = Record::from_position(random_position(kind, &mut dice, 20));
            while game.outcome().is_none() && game.ply() < 40 {
                let limits = Limits::nodes(1_000);
                let thought = engine.think(&game, &limits, &mut |_| ()).expect("not over");
                let mut end = game.position().clone();
                for m in &thought.pv {
                    end.play(&m.to_string()).unwrap_or_else(|_| {
                        panic!("{kind}: {m} of {:?} in {}", thought.pv, game.position())
                    });
                }
                game.play(&thought.best.to_string()).expect("a legal move");
            }
        }
    }
}

/// In Congkak an engine that plays avoids draws, but reports them with score 0. One engine plays both sides here;
/// its table entries for one side must not affect the other.
#[test]
fn who_plays_shuns_draws_and_calls_them_draws() {
    let engine = |contempt| {
        let options = EngineOptions {
            megabytes: 4,
            contempt,
            ..EngineOptions::default()
        };
        Engine::new(options).expect("memory")
    };
    let (player, judge) = (engine(true), engine(false));
    let (mut draws, mut shunned) = (0, 0);
    let mut dice = Dice(23);
    for _ in 0..60 {
        let mut game = Record::from_position(random_position(GameKind::Congkak, &mut dice, 8));
        player.forget();
        judge.forget();
        while game.outcome().is_none() {
            let limits = Limits::nodes(2_000);
            let think = |engine: &Engine| engine.think(&game, &limits, &mut |_| ());
            let played = think(&player).expect("not over");
            let judged = think(&judge).expect("not over");
            if played.proven && judged.proven {
                // The search may not find the nearest win, but the winner is the same.
                assert_eq!(played.score.signum(), judged.score.signum(), "{game:?}");
                draws += u32::from(judged.score == 0 && played.score == 0);
            }
            shunned += u32::from(judged.score == 0 && played.best != judged.best);
            game.play(&played.best.to_string()).expect("a legal move");
        }
    }
    assert!(draws > 0 && shunned > 0, "{draws} draws, {shunned} shunned");
}
