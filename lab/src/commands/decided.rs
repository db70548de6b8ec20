//! Plays games as a duel does and prints where they were decided: from the end of each game backwards, every position is
//! searched until its result is proven or its time is over.

use std::time::Duration;

use clap::Args;
use mawe_ai::{Engine, EngineOptions, Limits};
use mawe_lab::arena::{Openings, Player, Spec, opening_of, setup_of};
use mawe_lab::outside::Play;
use mawe_rules::{GameKind, Record, Side};

use super::failure::Failure;

/// The size of the table of the proving search, in megabytes.
const TABLE: usize = 2048;
/// Within this many plies of the end, an unproven position does not stop the analysis of a game.
const NEAR: usize = 3;

/// `lab decided`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The game: mawe, reversi, checkers, …
    #[arg(value_name = "GAME")]
    kind: GameKind,
    /// A player, as `mawe duel` takes it
    #[arg(value_name = "SPEC")]
    one: Spec,
    /// The other player
    #[arg(value_name = "SPEC")]
    other: Spec,
    /// The number of pairs of games
    #[arg(long, value_name = "N", default_value_t = 10)]
    pairs: u64,
    /// The number that selects the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Openings of PLIES random plies that a search of NODES evaluates within LEAD hundredths of even
    #[arg(long, value_name = "NODES,LEAD[,PLIES]", default_value = "1000000,100")]
    openings: Openings,
    /// The time for each position, in seconds
    #[arg(long, value_name = "X", default_value_t = 15.0)]
    seconds: f64,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let kind = options.kind;
    let one = Player::new(options.one.clone(), kind)?;
    let other = Player::new(options.other.clone(), kind)?;
    let engine = Engine::new(EngineOptions {
        megabytes: TABLE,
        ..EngineOptions::default()
    })
    .map_err(|_| "no memory for the table")?;
    let limits = Limits::movetime(Duration::try_from_secs_f64(options.seconds)?);
    for number in 0..options.pairs {
        let opening = opening_of(&setup_of(kind), options.openings, options.seed, number);
        for side in Side::ALL {
            engine.forget();
            let mut game = opening.clone();
            while game.outcome().is_none() {
                let player = if game.turn() == side { &one } else { &other };
                let seed = options.seed ^ number << 8 ^ u64::from(game.ply());
                match player.choose(&game, None, seed)?.play {
                    Play::Move(m) => game.play(&m.to_string())?,
                    Play::Resign => break,
                };
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
) -> Result<String, Failure> {
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
