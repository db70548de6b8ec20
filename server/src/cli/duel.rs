//! `mawe duel`: two players against each other, and which is the stronger.

use clap::Args;
use mawe_ai::arena::{Player, Spec, Tally, play_pair, setup_of};
use mawe_rules::{AnySetup, GameKind};
use serde::Serialize;

use crate::cli::{Failure, print};

/// Nobody waits for more games than this.
const MAX_GAMES: i64 = 1_000_000;

/// `mawe duel`.
#[derive(Debug, Args)]
pub(super) struct DuelOptions {
    /// The game kind: mawe, reversi, checkers, …
    #[arg(value_name = "GAME")]
    game: String,
    /// A player: a level (5), or nodes=N, depth=N, movetime=MS for the engine; with threads=N,
    /// hash=MB, without=FEATURE+… joined by commas
    #[arg(long, value_name = "SPEC")]
    a: String,
    /// The other player
    #[arg(long, value_name = "SPEC")]
    b: String,
    /// How many games: pairs with the same opening and the sides exchanged, so one more if it is odd
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_GAMES))]
    games: u32,
    /// Which openings, and which of many players of a level
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Options of the game, as key=value joined with commas (those of rated play)
    #[arg(long, value_name = "OPTIONS")]
    setup: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What came of it, as JSON, from the view of player A.
#[derive(Serialize)]
struct Answer {
    games: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    /// Points a game.
    score: f64,
    elo: f64,
    /// Either way, with a confidence of 95 %.
    elo_error: f64,
}

pub(super) fn duel(options: &DuelOptions) -> Result<(), Failure> {
    let kind = super::rules::kind(&options.game)?;
    let setup = setup(kind, options.setup.as_deref())?;
    let (a, b) = (player("--a", &options.a)?, player("--b", &options.b)?);
    let mut tally = Tally::default();
    for number in 0..u64::from(options.games.div_ceil(2)) {
        tally.add(play_pair(&setup, &a, &b, options.seed, number));
        eprintln!("{}", line(&tally));
    }
    if !options.json {
        return print(&format!("{}\n", line(&tally)));
    }
    let elo = tally.elo();
    let answer = Answer {
        games: tally.games(),
        won: tally.won,
        drawn: tally.drawn,
        lost: tally.lost,
        score: tally.score(),
        elo: elo.difference,
        elo_error: elo.error,
    };
    let text =
        serde_json::to_string(&answer).map_err(|error| Failure::Failed(error.to_string()))?;
    print(&format!("{text}\n"))
}

fn setup(kind: GameKind, text: Option<&str>) -> Result<AnySetup, Failure> {
    match text {
        None => Ok(setup_of(kind)),
        Some(text) => AnySetup::parse(kind, text)
            .map_err(|error| Failure::BadInput(format!("setup {text:?}: {error}"))),
    }
}

fn player(option: &str, text: &str) -> Result<Player, Failure> {
    let spec: Spec = text
        .parse()
        .map_err(|error| Failure::BadInput(format!("{option}: {error}")))?;
    Player::new(spec).map_err(|error| Failure::Failed(format!("{option}: {error}")))
}

fn line(tally: &Tally) -> String {
    let elo = tally.elo();
    let (games, score) = (tally.games(), tally.score() * 100.0);
    let Tally {
        won, drawn, lost, ..
    } = tally;
    format!(
        "games {games} won {won} drawn {drawn} lost {lost} score {score:.1} % elo {:+.0} ± {:.0}",
        elo.difference, elo.error
    )
}
