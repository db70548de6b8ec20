//! Counters of the rules and the engine alone.

use std::hint::black_box;

use mawe_ai::{Engine, EngineOptions, Limits};
use mawe_rules::{AnyPosition, AnySetup, Family, GameKind, Record};

use crate::count_instructions;

/// The nodes of a search.
const NODES: u64 = 5_000;

/// The plies before a search: positions of mid-game, where a move has many answers.
const PLIES_BEFORE: usize = 12;

/// The depth of a perft of about a second under callgrind.
fn depth(kind: GameKind) -> u32 {
    match kind.family() {
        Family::Mawe => 3,
        Family::Reversi | Family::Checkers => 6,
        Family::Draughts if kind == GameKind::International => 5,
        Family::Draughts => 6,
        Family::Kalah | Family::Oware | Family::Bao => 5,
        Family::Congkak | Family::Pallanguzhi => 4,
    }
}

/// Counts a perft and a search of each game.
pub(crate) fn instructions() {
    for kind in GameKind::ALL.iter().copied() {
        let start = AnyPosition::start(kind, &AnySetup::standard(kind)).expect("a start");
        count_instructions(&format!("perft/{}", kind.id()), 1, || {
            black_box(black_box(&start).perft(depth(kind), 1));
        });

        let engine = Engine::new(EngineOptions {
            threads: 1,
            ..EngineOptions::default()
        })
        .expect("memory");
        let mut game = Record::new(kind, &AnySetup::standard(kind)).expect("every game starts");
        for text in mawe_counters::games::game(kind, 1)
            .iter()
            .take(PLIES_BEFORE)
        {
            game.play(text).expect("the game is legal");
        }
        let limits = Limits::nodes(NODES);
        count_instructions(&format!("search/{}", kind.id()), 1, || {
            let answer = engine.think(black_box(&game), &limits, &mut |_| ());
            black_box(answer.expect("the game goes on"));
        });
    }
}
