//! Games of the engine against itself.

use std::fmt::Write;
use std::sync::Arc;

use mawe_ai::search::WIN_BOUND;
use mawe_ai::{Engine, EngineOptions, Knowledge, Limits, NoMemory, mix};
use mawe_rules::{AnySetup, Record, Side};

/// A longer game is a draw.
const MAX_PLIES: u32 = 400;
/// The fewest random plies at the beginning.
const FEWEST_RANDOM: u64 = 3;

/// The parameters of the games.
#[derive(Clone, Debug)]
pub struct PlayOptions {
    /// The nodes of a search for a ply.
    pub nodes: u64,
    /// The most random plies at the beginning.
    pub random: u64,
    /// The seed of the games.
    pub seed: u64,
}

/// Plays game `number` of a seed. The result is a line with the number, the result (`1`, `0`, `-1` for the
/// first side), and the moves; a move of the engine is followed by a colon and its score from the view of the
/// side to move. A game ends as soon as the engine has proven a win or a draw.
///
/// # Errors
///
/// [`NoMemory`] if the table cannot be allocated.
pub fn play(
    setup: &AnySetup,
    knowledge: &Arc<Knowledge>,
    options: &PlayOptions,
    number: u64,
) -> Result<String, NoMemory> {
    let engine = Engine::knowing(
        Arc::clone(knowledge),
        EngineOptions {
            megabytes: 1,
            ..EngineOptions::default()
        },
    )?;
    let limits = Limits::nodes(options.nodes);
    let mut dice = mix(options.seed ^ mix(number));
    let spread = options.random.saturating_sub(FEWEST_RANDOM) + 1;
    let random = (FEWEST_RANDOM + dice % spread).min(options.random);
    let mut game = Record::new(setup.kind(), setup).expect("the setup was accepted before");
    let mut moves = String::new();
    let mut winner = None;
    while game.ply() < MAX_PLIES {
        if let Some(outcome) = game.outcome() {
            winner = outcome.winner;
            break;
        }
        let text = if u64::from(game.ply()) < random {
            let legal = game.position().legal_moves();
            dice = mix(dice);
            let text = legal[dice as usize % legal.len()].to_string();
            let _ = write!(moves, " {text}");
            text
        } else {
            let thought = engine.think(&game, &limits, &mut |_| ());
            let thought = thought.expect("the game is not over");
            if thought.proven && thought.score == 0 {
                break;
            }
            if thought.score.abs() >= WIN_BOUND {
                let side = game.turn();
                winner = Some(if thought.score > 0 {
                    side
                } else {
                    side.other()
                });
                break;
            }
            let text = thought.best.to_string();
            let _ = write!(moves, " {text}:{}", thought.score);
            text
        };
        game.play(&text).expect("a legal move");
    }
    let result = match winner {
        Some(Side::First) => 1,
        Some(Side::Second) => -1,
        None => 0,
    };
    Ok(format!("{number} {result}{moves}\n"))
}
