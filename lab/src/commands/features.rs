//! Counts the nodes to reach a depth, with each feature of the search left out in turn.
//!
//! The positions come from short searches of the engine itself and are always the same.

use mawe_ai::search::Features;
use mawe_ai::{Engine, EngineOptions, Limits};
use mawe_lab::arena::setup_of;
use mawe_rules::{Family, GameKind, Record};

/// The number of positions a game.
const POSITIONS: u32 = 8;
/// The limit of nodes of a search; a search that reaches it counts as "more".
const MOST: u64 = 20_000_000;

fn depth(kind: GameKind) -> u32 {
    match kind.family() {
        Family::Mawe | Family::Bao => 8,
        Family::Reversi | Family::Draughts => 10,
        Family::Checkers | Family::Congkak | Family::Pallanguzhi => 12,
        Family::Kalah => 13,
        Family::Oware => 14,
    }
}

pub(crate) fn run() {
    print!("| game | depth | all");
    for name in Features::NAMES {
        print!(" | {name}");
    }
    println!(" |\n|---|---|---{}|", "|---".repeat(Features::NAMES.len()));
    for kind in GameKind::ALL.iter().copied() {
        let games: Vec<Record> = (0..POSITIONS).filter_map(|i| mid_game(kind, i)).collect();
        let all = nodes(&games, kind, Features::ALL);
        print!("| {kind} | {} | {all}", depth(kind));
        for name in Features::NAMES {
            let without = Features::ALL.without(name).expect("a name of the list");
            let nodes = nodes(&games, kind, without);
            let more = if nodes >= MOST { "more than " } else { "" };
            print!(" | {more}{:.2}×", nodes as f64 / all as f64);
        }
        println!(" |");
    }
}

/// A game after a few plies that depend on `number`, and then some of the engine's.
fn mid_game(kind: GameKind, number: u32) -> Option<Record> {
    let mut game = Record::new(kind, &setup_of(kind)).ok()?;
    let engine = engine(Features::ALL);
    for ply in 0..12 {
        let moves = game.legal_moves();
        let m = match ply {
            0 | 1 => moves
                .get((number as usize * (ply + 3)) % moves.len())?
                .clone(),
            _ => {
                let limits = Limits::nodes(1_000);
                engine
                    .think(&game, &limits, &mut |_| ())
                    .ok()?
                    .best
                    .to_string()
            }
        };
        game.play(&m).ok()?;
    }
    game.outcome().is_none().then_some(game)
}

fn nodes(games: &[Record], kind: GameKind, features: Features) -> u64 {
    let engine = engine(features);
    let limits = Limits {
        depth: Some(depth(kind)),
        nodes: Some(MOST / games.len() as u64),
        ..Limits::default()
    };
    let count = |game| {
        engine.forget();
        engine
            .think(game, &limits, &mut |_| ())
            .map_or(0, |thought| thought.nodes)
    };
    games.iter().map(count).sum()
}

fn engine(features: Features) -> Engine {
    let options = EngineOptions {
        features,
        ..EngineOptions::default()
    };
    Engine::new(options).expect("16 megabytes")
}
