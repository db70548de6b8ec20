//! The solver of Reversi's endgames: equal to plain minimax and to published results.

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use common::{Dice, random_position, start};
use mawe_ai::reversi::board::Board;
use mawe_ai::reversi::{Counting, Ending, PASS};
use mawe_ai::search::{Features, Objective};
use mawe_ai::{Engine, EngineOptions, Limits};
use mawe_rules::games::reversi::ReversiPosition;
use mawe_rules::{AnyPosition, GameKind, Position, Record, Square};

/// Plain minimax: the margin with best play, with or without the empty squares for the winner.
fn minimax(board: Board, counting: Counting) -> i32 {
    let moves: Vec<u32> = (0..64)
        .filter(|at| board.placements() >> at & 1 == 1)
        .collect();
    if moves.is_empty() {
        let passed = board.pass();
        if passed.placements() != 0 {
            return -minimax(passed, counting);
        }
        let (own, other) = (
            board.own.count_ones() as i32,
            board.other.count_ones() as i32,
        );
        let left = match counting {
            Counting::Discs => 0,
            Counting::WinnerTakesEmpty => 64 - own - other,
        };
        return own - other + (own - other).signum() * left;
    }
    let play = |at: u32| board.play(at, board.flips(at));
    let margins = moves.into_iter().map(|at| -minimax(play(at), counting));
    margins.max().expect("there are moves")
}

/// A position of a random game with this many empty squares, if the game lasts that long.
fn random_end(dice: &mut Dice, empties: u32) -> Option<Board> {
    let AnyPosition::Reversi(mut pos) = start(GameKind::Reversi) else {
        unreachable!("it was asked for");
    };
    while Board::of(&pos).empties() > empties {
        let moves = pos.legal_moves();
        if moves.is_empty() {
            return None;
        }
        pos.play_unchecked(moves[dice.below(moves.len())]);
    }
    Some(Board::of(&pos))
}

/// Any discs on any squares, including boards with many passes and boards with one side almost gone.
fn random_discs(dice: &mut Dice, empties: u32) -> Board {
    let mut squares: Vec<u32> = (0..64).collect();
    let mut board = Board::default();
    let share = 1 + dice.below(30);
    for _ in 0..64 - empties {
        let at = squares.swap_remove(dice.below(squares.len()));
        match dice.below(share + 1) {
            0 => board.own |= 1 << at,
            _ => board.other |= 1 << at,
        }
    }
    if dice.below(2) == 0 {
        board.pass()
    } else {
        board
    }
}

fn margin(ending: &Ending, board: Board, counting: Counting) -> i32 {
    let solution = ending.solve(board, counting, &Limits::default());
    let (low, high) = solution.margin;
    assert_eq!(low, high, "not solved: {board:?}");
    // The line is legal and ends with that margin.
    let mut end = board;
    let mut is_turned = false;
    for at in solution.line {
        if at == PASS {
            assert_eq!(end.placements(), 0, "{board:?}");
            end = end.pass();
        } else {
            assert_eq!(end.placements() >> at & 1, 1, "{board:?}");
            end = end.play(at, end.flips(at));
        }
        is_turned = !is_turned;
    }
    assert_eq!((end.placements(), end.pass().placements()), (0, 0));
    let reached = minimax(end, counting);
    assert_eq!(if is_turned { -reached } else { reached }, low, "{board:?}");
    low
}

#[test]
fn the_solver_finds_what_minimax_finds() {
    let ending = Ending::new(1).expect("a megabyte");
    let mut dice = Dice(5);
    for counting in [Counting::Discs, Counting::WinnerTakesEmpty] {
        for empties in 0..=8 {
            for _ in 0..(if empties == 8 { 8 } else { 100 }) {
                let boards = [
                    random_end(&mut dice, empties),
                    Some(random_discs(&mut dice, empties)),
                ];
                for board in boards.into_iter().flatten() {
                    let found = margin(&ending, board, counting);
                    assert_eq!(found, minimax(board, counting), "{board:?}");
                }
            }
        }
    }
}

#[test]
fn published_results_are_found() {
    let ending = Ending::new(16).expect("sixteen megabytes");
    let mut solved = 0;
    for line in include_str!("reversi/ffo.txt").lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let [number, discs, turn, margin, moves] = fields[..] else {
            continue;
        };
        if !number.parse().is_ok_and(|number: u32| number <= 19) {
            continue;
        }
        let pos: ReversiPosition = format!("{discs} {turn}").parse().expect("a position");
        let limits = Limits::default();
        let solution = ending.solve(Board::of(&pos), Counting::WinnerTakesEmpty, &limits);
        let published = margin.parse().expect("a number");
        assert_eq!(solution.margin, (published, published), "FFO {number}");
        let best = Square::from_index(solution.line[0] as u8).to_string();
        assert!(moves.split(',').any(|m| m == best), "FFO {number}: {best}");
        solved += 1;
    }
    assert_eq!(solved, 19);
}

#[test]
fn a_limit_ends_the_solver_and_what_it_says_then_is_true() {
    let ending = Ending::new(1).expect("a megabyte");
    let mut dice = Dice(9);
    for nodes in [0, 1, 100, 1_000, 10_000, 100_000] {
        let board = random_end(&mut dice, 14).expect("a long game");
        let (low, high) = ending
            .solve(board, Counting::Discs, &Limits::nodes(nodes))
            .margin;
        let stop = Some(Arc::new(AtomicBool::new(true)));
        let stopped = Limits {
            stop,
            ..Limits::default()
        };
        assert_eq!(ending.solve(board, Counting::Discs, &stopped).nodes, 0);
        let whole = ending.solve(board, Counting::Discs, &Limits::default());
        assert!(low <= whole.margin.0 && whole.margin.1 <= high, "{board:?}");
        let limited = Limits::nodes(nodes);
        assert!(ending.solve(board, Counting::Discs, &limited).nodes <= nodes);
    }
}

fn engine(features: Features, objective: Objective, threads: usize) -> Engine {
    Engine::new(EngineOptions {
        megabytes: 4,
        features,
        objective,
        threads,
        ..EngineOptions::default()
    })
    .expect("four megabytes")
}

fn game_of(board: Board) -> Record {
    let disc = |at: u32| match (board.own >> at & 1, board.other >> at & 1) {
        (1, _) => 'X',
        (_, 1) => 'O',
        _ => '-',
    };
    let text: String = (0..64).map(disc).chain(" X".chars()).collect();
    Record::from_position(AnyPosition::parse(GameKind::Reversi, &text).expect("a position"))
}

#[test]
fn the_engine_proves_ends_of_games_and_says_who_wins_by_how_much() {
    let (win, points) = (
        engine(Features::ALL, Objective::Win, 1),
        engine(Features::ALL, Objective::Points, 1),
    );
    let mut dice = Dice(77);
    for round in 0..40 {
        let board = match round % 2 {
            0 => random_end(&mut dice, 8),
            _ => Some(random_discs(&mut dice, 7)),
        };
        let Some(board) = board else {
            continue;
        };
        let game = game_of(board);
        if game.outcome().is_some() {
            continue;
        }
        let margin = minimax(board, Counting::Discs);
        let exact = points
            .think(&game, &Limits::default(), &mut |_| ())
            .expect("a move");
        assert!(exact.proven, "{board:?}");
        assert_eq!(exact.score, 100 * margin, "{board:?}");
        let result = win
            .think(&game, &Limits::default(), &mut |_| ())
            .expect("a move");
        assert!(result.proven, "{board:?}");
        let won = result.wins_in().map_or(0, i32::signum);
        assert_eq!(won, margin.signum(), "{board:?}");
        for thought in [exact, result] {
            // The line leads to the end of the game, with the same margin.
            let mut end = game.clone();
            for m in &thought.pv {
                end.play(&m.to_string()).expect("a legal line");
            }
            assert_eq!(thought.pv.first(), Some(&thought.best));
            let score = end
                .outcome()
                .expect("over")
                .score
                .expect("discs are counted");
            assert_eq!(i32::from(score.first) - i32::from(score.second), margin);
        }
    }
}

#[test]
fn the_engine_keeps_its_limits_and_says_the_same_again() {
    let mut dice = Dice(3);
    for _ in 0..8 {
        let game = Record::from_position(random_position(GameKind::Reversi, &mut dice, 58));
        for nodes in [0, 1, 300, 5_000, 60_000] {
            let limits = Limits::nodes(nodes);
            let engine = engine(Features::ALL, Objective::Win, 1);
            let first = engine.think(&game, &limits, &mut |_| ()).expect("a move");
            assert!(first.nodes <= nodes, "{} of {nodes} nodes", first.nodes);
            assert!(game.position().legal_moves().contains(&first.best));
            engine.forget();
            let again = engine.think(&game, &limits, &mut |_| ()).expect("a move");
            assert_eq!(first, again, "{game:?}, {nodes} nodes");
        }
        for depth in [1, 2, 5] {
            let engine = engine(Features::ALL, Objective::Win, 2);
            let limits = Limits::depth(depth);
            let thought = engine.think(&game, &limits, &mut |_| ()).expect("a move");
            assert!(thought.depth <= depth.max(1));
        }
    }
}

#[test]
fn without_probcut_and_solver_a_look_is_minimax_of_the_judgement() {
    // Windows, order of moves and table must not change the score: compares each search with those of its
    // children by the same engine.
    let features = Features::ALL
        .without("probcut")
        .and_then(|left| left.without("solver"));
    let features = features.expect("both are features");
    let mut dice = Dice(21);
    for _ in 0..20 {
        let Some(board) = random_end(&mut dice, 30) else {
            continue;
        };
        let game = game_of(board);
        let look = |game: &Record, depth| {
            let engine = engine(features, Objective::Win, 1);
            let thought = engine.think(game, &Limits::depth(depth), &mut |_| ());
            thought.expect("a move").score
        };
        let moves = game.position().legal_moves();
        if moves.iter().any(|m| m.to_string() == "pass") {
            continue;
        }
        let children = moves.iter().map(|m| {
            let mut child = game.clone();
            child.play(&m.to_string()).expect("a legal move");
            child
        });
        let children: Vec<Record> = children.collect();
        // A pass costs no depth.
        if children.iter().any(|child| {
            let moves = child.position().legal_moves();
            moves.is_empty() || moves[0].to_string() == "pass"
        }) {
            continue;
        }
        let best = children.iter().map(|child| -look(child, 4)).max();
        assert_eq!(Some(look(&game, 5)), best, "{board:?}");
    }
}
