//! Plays games as a duel does and prints where they were decided: from the end of each game backwards, every position is
//! searched until its result is proven or its time is over.
//!
//!     cargo run --release -p mawe-ai --example decided -- congkak nodes=500000 mcts=10000 --pairs 15 --seed 51
//!
//! Arguments: the game, two players, and `--pairs N` (10), `--seed N` (1), `--openings NODES,LEAD[,PLIES]` (1000000,100),
//! `--seconds X` a position (15). Prints a line for each game: the pair, the first player's side, its result, and a letter for
//! each ply from the opening on, the value of the position before the ply for the first player (`W`, `D`, `L`, or `?` with the
//! score in hundredths if it was not proven). A point precedes the letters of the other player's plies.

use std::error::Error;
use std::time::Duration;

use mawe_ai::arena::{Openings, Player, opening_of, setup_of};
use mawe_ai::{Engine, EngineOptions, Limits};
use mawe_rules::{GameKind, Record, Side};

/// The size of the table of the proving search, in megabytes.
const TABLE: usize = 2048;
/// Within this many plies of the end, an unproven position does not stop the analysis of a game.
const NEAR: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |what: &str| arguments.next().ok_or_else(|| format!("{what} is wanted"));
    let kind: GameKind = next("a game")?.parse()?;
    let one = Player::new(next("a player")?.parse()?, kind)?;
    let other = Player::new(next("another player")?.parse()?, kind)?;
    let (mut pairs, mut seed, mut seconds) = (10, 1, 15.0);
    let mut openings: Openings = "1000000,100".parse()?;
    while let Ok(name) = next("") {
        let value = next("a value")?;
        match name.as_str() {
            "--pairs" => pairs = value.parse()?,
            "--seed" => seed = value.parse()?,
            "--openings" => openings = value.parse()?,
            "--seconds" => seconds = value.parse()?,
            _ => return Err(format!("{name}: there is no such option").into()),
        }
    }
    let engine = Engine::new(EngineOptions {
        megabytes: TABLE,
        ..EngineOptions::default()
    })
    .map_err(|_| "no memory for the table")?;
    let limits = Limits::movetime(Duration::from_secs_f64(seconds));
    for number in 0..pairs {
        let opening = opening_of(&setup_of(kind), openings, seed, number);
        for side in Side::ALL {
            engine.forget();
            let mut game = opening.clone();
            while game.outcome().is_none() {
                let player = if game.turn() == side { &one } else { &other };
                let m = player.choose(&game, seed ^ number << 8 ^ u64::from(game.ply()));
                game.play(&m.to_string())?;
            }
            let winner = game.outcome().and_then(|outcome| outcome.winner);
            let result = winner.map_or("drawn", |winner| match winner == side {
                true => "won",
                false => "lost",
            });
            let worth = worth(&game, opening.ply() as usize, side, &engine, &limits)?;
            println!("{number} {side:?} {result}: {worth}");
        }
    }
    Ok(())
}

/// The values of the positions of a game for a side, after the first `from` plies.
fn worth(
    game: &Record,
    from: usize,
    side: Side,
    engine: &Engine,
    limits: &Limits,
) -> Result<String, Box<dyn Error>> {
    let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    let mut letters = Vec::new();
    for ply in (from..moves.len()).rev() {
        let mut before = Record::new(game.kind(), &setup_of(game.kind()))?;
        for m in &moves[..ply] {
            before.play(m)?;
        }
        if mawe_ai::is_settled(before.position()) {
            // The position is decided by a majority: the rest of the game is played for points.
            continue;
        }
        let thought = engine.think(&before, limits, &mut |_| ())?;
        let is_own = before.turn() == side;
        let score = if is_own {
            thought.score
        } else {
            -thought.score
        };
        let letter = match (thought.proven, score.signum()) {
            (false, _) => format!("?({score})"),
            (true, 1) => "W".to_owned(),
            (true, 0) => "D".to_owned(),
            (true, _) => "L".to_owned(),
        };
        letters.push(if is_own { letter } else { format!(".{letter}") });
        if !thought.proven && ply + NEAR < moves.len() {
            break;
        }
    }
    letters.reverse();
    Ok(letters.join(" "))
}
