//! Engines with endgame databases: known results are proven at once, and won positions are won.

#[allow(dead_code, reason = "its dice are all that is wanted")]
mod common;

use std::sync::{Arc, LazyLock};

use common::Dice;
use mawe_ai::endgame::{
    CheckersDatabase, Database, DraughtsDatabase, KalahDatabase, OwareDatabase, PiecesValue,
};
use mawe_ai::search::Objective;
use mawe_ai::{Endgames, Engine, EngineOptions, Knowledge, Limits, Thought};
use mawe_rules::games::checkers::CheckersPosition;
use mawe_rules::games::oware::OwarePosition;
use mawe_rules::{AnyPosition, GameKind, Record, Side};

static ENDGAMES: LazyLock<Endgames> = LazyLock::new(|| Endgames {
    checkers: Arc::new(CheckersDatabase::solved(3, 1)),
    drafti: Arc::new(DraughtsDatabase::solved(3, 1)),
    brazilian: Arc::new(DraughtsDatabase::solved(3, 1)),
    russian: Arc::new(DraughtsDatabase::solved(3, 1)),
    pool: Arc::new(DraughtsDatabase::solved(3, 1)),
    kalah: Arc::new(KalahDatabase::solved(8, 1)),
    oware: Arc::new(OwareDatabase::solved(8, 1)),
});

fn knowing() -> Engine {
    let knowledge = Arc::new(Knowledge::default().with(&ENDGAMES));
    Engine::knowing(knowledge, EngineOptions::default()).expect("there is memory")
}

fn game(kind: GameKind, text: &str) -> Record {
    Record::from_position(AnyPosition::parse(kind, text).expect("a position"))
}

fn think(engine: &Engine, game: &Record, nodes: u64) -> Thought {
    let thought = engine.think(game, &Limits::nodes(nodes), &mut |_| ());
    thought.expect("the game goes on")
}

/// Two kings against one in the double corner: longer than the horizon, won in the number of plies
/// of the database.
#[test]
fn a_known_win_of_checkers_is_won_in_just_so_many_plies() {
    let mut dice = Dice(7);
    let mut won = 0;
    while won < 20 {
        let mut squares: Vec<usize> = Vec::new();
        while squares.len() < 3 {
            let square = dice.below(32) + 1;
            if !squares.contains(&square) {
                squares.push(square);
            }
        }
        squares[1..].sort_unstable();
        let text = format!("B:WK{}:BK{},K{}", squares[0], squares[1], squares[2]);
        let pos: CheckersPosition = text.parse().expect("a position");
        let Some(PiecesValue::Win(plies)) = ENDGAMES.checkers.value(&pos) else {
            continue;
        };
        let engine = knowing();
        let mut game = game(GameKind::Checkers, &text);
        let mut left = i32::try_from(plies).expect("few");
        while game.outcome().is_none() {
            let thought = think(&engine, &game, 2_000);
            let sign = if game.turn() == Side::First { 1 } else { -1 };
            assert_eq!(thought.wins_in(), Some(sign * left), "{}", game.position());
            assert!(thought.proven);
            game.play(&thought.best.to_string()).expect("a legal move");
            left -= 1;
        }
        let winner = game.outcome().and_then(|outcome| outcome.winner);
        assert_eq!((winner, left), (Some(Side::First), 0), "{text}");
        won += 1;
    }
}

/// A win that the quiet limit may prevent is not proven.
#[test]
fn a_win_that_the_quiet_limit_forestalls_is_not_proven() {
    const PLAYED: u32 = 60;
    const LIMIT: u32 = 80;
    let engine = knowing();
    let mut dice = Dice(3);
    let (mut too_late, mut in_time) = (0, 0);
    for _ in 0..300 {
        let mut game = game(GameKind::Checkers, "B:WK32:BK1,K2");
        while game.ply() < PLAYED && game.outcome().is_none() {
            let moves = game.legal_moves();
            let m = moves[dice.below(moves.len())].clone();
            game.play(&m).expect("a legal move");
        }
        let AnyPosition::Checkers(pos) = game.position() else {
            panic!("it is checkers");
        };
        let is_whole = pos.to_string().matches('K').count() == 3;
        let value = ENDGAMES.checkers.value(pos);
        if let Some(PiecesValue::Win(plies) | PiecesValue::Loss(plies)) = value
            && is_whole
            && game.outcome().is_none()
        {
            let thought = think(&engine, &game, 2_000);
            if PLAYED + plies > LIMIT {
                assert!(!thought.proven, "{} {thought:?}", game.position());
                too_late += 1;
            } else {
                in_time += 1;
            }
        }
    }
    assert!(
        too_late > 5 && in_time > 5,
        "{too_late} too late, {in_time} in time"
    );
}

#[test]
fn kalah_is_known_as_soon_as_few_seeds_are_left() {
    let engine = knowing();
    for (text, seeds) in [
        ("0,1,0,2,0,1,20/0,1,1,0,2,0,20 s", 8),
        ("1,0,1,0,1,1,21/0,1,0,1,0,1,20 n", 7),
    ] {
        let game = game(GameKind::Kalah, text);
        let AnyPosition::Kalah(pos) = game.position() else {
            panic!("it is Kalah");
        };
        let value = ENDGAMES.kalah.value(pos).expect("few seeds");
        let thought = think(&engine, &game, 2_000);
        assert!(
            thought.proven && thought.nodes < 100,
            "{seeds}: {thought:?}"
        );
        assert_eq!(thought.score.signum(), value.signum(), "{text}");
    }
}

/// Won positions of the database are won against a random player and against an engine without the
/// database.
#[test]
fn a_known_win_of_oware_is_won() {
    let mut dice = Dice(11);
    let (mut won, mut quickly) = (0, 0);
    while won < 20 {
        let houses: Vec<usize> = (0..12).map(|_| dice.below(3) * dice.below(2)).collect();
        let seeds: usize = houses.iter().sum();
        if !(3..=8).contains(&seeds) {
            continue;
        }
        let row = |from: usize| {
            let house = |house: &usize| house.to_string();
            houses[from..from + 6]
                .iter()
                .map(house)
                .collect::<Vec<_>>()
                .join(",")
        };
        let stores = (20, 48 - 20 - seeds);
        let text = format!("{},{}/{},{} s", row(0), stores.0, row(6), stores.1);
        let pos: OwarePosition = text.parse().expect("a position");
        let mut game = game(GameKind::Oware, &text);
        let value = ENDGAMES.oware.value(&pos).expect("few seeds");
        if game.outcome().is_some() || value.low <= 0 {
            continue;
        }
        let (engine, opponent) = (knowing(), Engine::new(EngineOptions::default()));
        let opponent = opponent.expect("there is memory");
        while game.outcome().is_none() {
            let best = match game.turn() {
                Side::First => think(&engine, &game, 20_000).best.to_string(),
                Side::Second if won % 2 == 0 => think(&opponent, &game, 20_000).best.to_string(),
                Side::Second => {
                    let moves = game.legal_moves();
                    moves[dice.below(moves.len())].clone()
                }
            };
            game.play(&best).expect("a legal move");
        }
        let winner = game.outcome().and_then(|outcome| outcome.winner);
        assert_eq!(winner, Some(Side::First), "{text} {value:?}");
        won += 1;
        quickly += u32::from(game.ply() < 60);
    }
    assert!(quickly > 10, "{quickly} of {won}");
}

#[test]
fn levels_that_overlook_moves_know_nothing_of_it() {
    use mawe_ai::{Level, choose_as};
    let knowledge = Knowledge::default().with(&ENDGAMES);
    let game = game(GameKind::Checkers, "B:WK32:BK1,K2");
    for level in 1..=7 {
        let level = Level::try_from(level).expect("a level");
        let choose = |knowledge: &Knowledge| {
            let strength = level.strength(GameKind::Checkers);
            let patience = std::time::Duration::MAX;
            choose_as(&game, strength, knowledge, 5, Arc::default(), patience)
        };
        assert_eq!(choose(&knowledge), choose(Knowledge::by_hand()), "{level}");
    }
}

#[test]
fn the_exact_value_of_kalah_keeps_to_its_limits_also_where_they_are_too_narrow() {
    let options = EngineOptions {
        objective: Objective::Points,
        ..EngineOptions::default()
    };
    let engine = Engine::knowing(Arc::default(), options).expect("there is memory");
    let start = game(GameKind::Kalah, "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s");
    for nodes in [2, 1_000, 50_000] {
        let thought = think(&engine, &start, nodes);
        // The solver has used the other half of the nodes.
        assert!(!thought.proven && thought.nodes <= nodes / 2, "{thought:?}");
    }
    let small = game(GameKind::Kalah, "1,1,1,1,1,1,0/1,1,1,1,1,1,0 s");
    let thought = think(&engine, &small, 50_000);
    assert!(thought.proven && thought.score == 200, "{thought:?}");
}

/// Two kings or a king and a man against one: the game of each is won in just so many plies, or drawn.
#[test]
fn a_proven_win_of_draughts_comes_before_every_limit() {
    let mut dice = Dice(5);
    for kind in [
        GameKind::Drafti,
        GameKind::Brazilian,
        GameKind::Russian,
        GameKind::Pool,
    ] {
        let engine = knowing();
        let (mut proven, mut open) = (0, 0);
        while proven < 10 || open < 2 {
            let Some(mut game) = draughts_after_some_plies(kind, &mut dice) else {
                continue;
            };
            let thought = think(&engine, &game, 2_000);
            let Some(plies) = thought.wins_in().filter(|_| thought.proven) else {
                open += 1;
                continue;
            };
            let winner = match plies > 0 {
                true => game.turn(),
                false => game.turn().other(),
            };
            let start = game.position().to_string();
            let mut left = plies.abs();
            while game.outcome().is_none() {
                let thought = think(&engine, &game, 2_000);
                let sign = if game.turn() == winner { 1 } else { -1 };
                assert_eq!(thought.wins_in(), Some(sign * left), "{kind} {start}");
                game.play(&thought.best.to_string()).expect("a legal move");
                left -= 1;
            }
            let won_by = game.outcome().and_then(|outcome| outcome.winner);
            assert_eq!((won_by, left), (Some(winner), 0), "{kind} {start}");
            proven += 1;
        }
    }
}

/// A game from some position of three pieces, after some plies at random; `None` if it is over.
fn draughts_after_some_plies(kind: GameKind, dice: &mut Dice) -> Option<Record> {
    // Squares where a man may stand.
    let mut squares = [0; 3].map(|_| dice.below(24) + 5);
    squares[..2].sort_unstable();
    if squares[0] == squares[1] || squares[..2].contains(&squares[2]) {
        return None;
    }
    let crown = if dice.below(2) == 0 { "K" } else { "" };
    let [man, king, lone] = squares;
    let turn = if dice.below(2) == 0 { "W" } else { "B" };
    let mut game = game(kind, &format!("{turn}:W{crown}{man},K{king}:BK{lone}"));
    for _ in 0..dice.below(8) {
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        let m = moves[dice.below(moves.len())].clone();
        game.play(&m).expect("a legal move");
    }
    game.outcome().is_none().then_some(game)
}
