//! A position with at most twelve plies left must be proven exactly: the winner and the margin.

#[allow(dead_code, reason = "its dice are all that is wanted")]
mod common;

use std::collections::HashMap;

use common::Dice;
use mawe_ai::search::{Objective, WIN_BOUND, settled};
use mawe_ai::{Engine, EngineOptions, Evaluate, Limits, Thought};
use mawe_rules::games::congkak::CongkakPosition;
use mawe_rules::games::kalah::KalahPosition;
use mawe_rules::games::mawe::MawePosition;
use mawe_rules::games::pallanguzhi::PallanguzhiPosition;
use mawe_rules::{AnyPosition, AnySetup, GameKind, Record, Side};

/// The most plies left to the end.
const PLIES: u32 = 12;
/// The limit of positions visited to solve the end of a game.
const PATIENCE: usize = 300_000;
/// The longest line that is followed, in plies.
const LONGEST: u32 = 200;
/// The limit of nodes for the engine in a position: a few seconds at most.
const NODES: u64 = 20_000_000;

/// The result of a position with best play: the points of the first side less those of the second, and the
/// length in plies of the longest line to any end. Visits every position once. `None` if there are too many, or if a line of more than `plies`
/// plies, in which positions may repeat, leads from there.
fn solve<P: Evaluate>(
    pos: &P,
    plies: u32,
    known: &mut HashMap<u64, (i32, u32)>,
) -> Option<(i32, u32)> {
    if let Some(outcome) = pos.outcome() {
        let points = outcome.score.expect("the game counts points");
        return Some((i32::from(points.first) - i32::from(points.second), 0));
    }
    if let Some(found) = known.get(&pos.zobrist()) {
        return Some(*found);
    }
    if known.len() >= PATIENCE || plies == 0 {
        return None;
    }
    let mut best: Option<i32> = None;
    let mut longest = 0;
    for m in pos.legal_moves() {
        let mut child = pos.clone();
        child.play_unchecked(m);
        let (margin, left) = solve(&child, plies - 1, known)?;
        longest = longest.max(left + 1);
        best = Some(match (best, pos.turn()) {
            (None, _) => margin,
            (Some(best), Side::First) => best.max(margin),
            (Some(best), Side::Second) => best.min(margin),
        });
    }
    let found = (best.expect("a move, for the game is not over"), longest);
    known.insert(pos.zobrist(), found);
    Some(found)
}

fn think(objective: Objective, pos: &AnyPosition) -> Thought {
    let options = EngineOptions {
        objective,
        megabytes: 16,
        ..EngineOptions::default()
    };
    let engine = Engine::new(options).expect("there is memory");
    let game = Record::from_position(pos.clone());
    let thought = engine.think(&game, &Limits::nodes(NODES), &mut |_| ());
    thought.expect("the game goes on")
}

/// Plays random games and checks in each the earliest position with at most [`PLIES`] left. At least one of `share` must have ten plies
/// left or more, and half as many again no winner yet.
fn proves_ends<P: Evaluate + Into<AnyPosition>>(start: &P, games: usize, share: usize, seed: u64) {
    let mut dice = Dice(seed);
    let (mut seen, mut long, mut open) = (0, 0, 0);
    while seen < games {
        let mut game = vec![start.clone()];
        while let Some(pos) = game.last()
            && pos.outcome().is_none()
        {
            let moves = pos.legal_moves();
            let mut next = pos.clone();
            next.play_unchecked(moves[dice.below(moves.len())]);
            game.push(next);
        }
        let late = game.iter().rev().skip(1).take(PLIES as usize);
        let ends = late.map_while(|pos| {
            let found = solve(pos, LONGEST, &mut HashMap::new());
            found
                .filter(|(_, longest)| *longest <= PLIES)
                .map(|found| (pos, found))
        });
        let Some((pos, (margin, longest))) = ends.last() else {
            continue;
        };
        let margin = if pos.turn() == Side::First {
            margin
        } else {
            -margin
        };
        let any: AnyPosition = pos.clone().into();

        let exact = think(Objective::Points, &any);
        assert!(exact.proven, "{pos}, {longest} plies left: {exact:?}");
        assert_eq!(exact.score, margin * 100, "{pos}");

        // A side with a majority plays on for points.
        if settled(pos).is_none() {
            let who = think(Objective::Win, &any);
            assert!(who.proven, "{pos}, {longest} plies left: {who:?}");
            let result = who.score.signum() * i32::from(who.score.abs() >= WIN_BOUND);
            assert_eq!(result, margin.signum(), "{pos}");
            open += 1;
        }

        seen += 1;
        long += usize::from(longest + 2 >= PLIES);
    }
    assert!(
        long * share >= games && 2 * open * share >= 3 * games,
        "of {games}, {long} have ten plies left or more and {open} no winner yet"
    );
}

fn usual_start(kind: GameKind) -> AnyPosition {
    AnyPosition::start(kind, &AnySetup::usual(kind)).expect("a start")
}

#[test]
fn ends_of_mawe_are_proven() {
    match usual_start(GameKind::Mawe) {
        AnyPosition::Mawe(start) => proves_ends::<MawePosition>(&start, 40, 6, 1),
        other => panic!("{other}"),
    }
}

#[test]
fn ends_of_limited_congkak_are_proven() {
    match usual_start(GameKind::Congkak) {
        AnyPosition::Congkak(start) => proves_ends::<CongkakPosition>(&start, 40, 6, 2),
        other => panic!("{other}"),
    }
}

#[test]
fn ends_of_pallanguzhi_are_proven() {
    match usual_start(GameKind::Pallanguzhi) {
        AnyPosition::Pallanguzhi(start) => proves_ends::<PallanguzhiPosition>(&start, 120, 20, 1),
        other => panic!("{other}"),
    }
}

#[test]
fn ends_of_kalah_are_proven() {
    match usual_start(GameKind::Kalah) {
        AnyPosition::Kalah(start) => proves_ends::<KalahPosition>(&start, 40, 6, 3),
        other => panic!("{other}"),
    }
}
