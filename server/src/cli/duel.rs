//! `mawe duel`: two players against each other, and which is the stronger.

use clap::Args;
use mawe_ai::arena::{Openings, Player, Spec, Tally, Verdict, play_pair, setup_of};
use mawe_rules::{AnySetup, GameKind};
use serde::Serialize;

use crate::cli::{Failure, print};
use crate::config::DataOptions;
use crate::endgames;

/// Nobody waits for more games than this.
const MAX_GAMES: i64 = 1_000_000;

/// `mawe duel`.
#[derive(Debug, Args)]
pub(super) struct DuelOptions {
    /// The game kind: mawe, reversi, checkers, …
    #[arg(value_name = "GAME")]
    game: String,
    /// A player: a level (5), or nodes=N, depth=N, movetime=MS for the engine; with threads=N,
    /// hash=MB, without=FEATURE+…, hand (no learned weights), weights=FILE joined by commas; or mcts=N, a
    /// Monte Carlo tree search of N playouts
    #[arg(long, value_name = "SPEC")]
    a: String,
    /// The other player
    #[arg(long, value_name = "SPEC")]
    b: String,
    /// End as soon as it is clear whether A is stronger than B by at least CLAIM rather than by NULL Elo at most, as
    /// NULL,CLAIM (wrong one time in twenty)
    #[arg(long, value_name = "NULL,CLAIM", value_parser = bounds)]
    sprt: Option<(f64, f64)>,
    /// How many games at most: pairs with the same opening and the sides exchanged, so one more if it is odd
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_GAMES))]
    games: u32,
    /// Which openings, and which of many players of a level
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Openings of so many random plies (without PLIES 4-6) that a search of NODES judges no more uneven than LEAD hundredths
    #[arg(long, value_name = "NODES,LEAD[,PLIES]", default_value = "4000,250")]
    openings: Openings,
    /// Options of the game, as key=value joined with commas (those of rated play)
    #[arg(long, value_name = "OPTIONS")]
    setup: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: DataOptions,
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
    /// Of the sequential test, if one was asked for: `accepted`, `refused` or `open`.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
}

pub(super) fn duel(options: &DuelOptions) -> Result<(), Failure> {
    let kind = super::rules::kind(&options.game)?;
    let setup = setup(kind, options.setup.as_deref())?;
    endgames::install(options.data.directory(), |line| eprintln!("mawe: {line}"));
    let player = |option, text| player(kind, option, text);
    let (a, b) = (player("--a", &options.a)?, player("--b", &options.b)?);
    let mut tally = Tally::default();
    for number in 0..u64::from(options.games.div_ceil(2)) {
        tally.add(play_pair(
            &setup,
            options.openings,
            [&a, &b],
            options.seed,
            number,
        ));
        eprintln!("{}", line(&tally, options.sprt));
        if let Some((null, claim)) = options.sprt
            && tally.verdict(null, claim) != Verdict::Open
        {
            break;
        }
    }
    if !options.json {
        return print(&format!("{}\n", line(&tally, options.sprt)));
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
        verdict: options
            .sprt
            .map(|(null, claim)| word(tally.verdict(null, claim))),
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

fn player(kind: GameKind, option: &str, text: &str) -> Result<Player, Failure> {
    let bad = |error| Failure::BadInput(format!("{option}: {error}"));
    let spec: Spec = text.parse().map_err(bad)?;
    Player::new(spec, kind).map_err(bad)
}

/// Two numbers of Elo, the first the smaller.
fn bounds(text: &str) -> Result<(f64, f64), String> {
    let numbers = text.split_once(',').and_then(|(null, claim)| {
        let number = |text: &str| text.parse::<f64>().ok().filter(|elo| elo.abs() <= 1000.0);
        Some((number(null)?, number(claim)?))
    });
    numbers
        .filter(|(null, claim)| null < claim)
        .ok_or_else(|| "two numbers like 0,10 are wanted, the smaller one first".to_owned())
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "accepted",
        Verdict::Refused => "refused",
        Verdict::Open => "open",
    }
}

fn line(tally: &Tally, sprt: Option<(f64, f64)>) -> String {
    let elo = tally.elo();
    let (games, score) = (tally.games(), tally.score() * 100.0);
    let Tally {
        won, drawn, lost, ..
    } = tally;
    let test = sprt.map_or_else(String::new, |(null, claim)| {
        let likelihood = tally.likelihood(null, claim);
        format!(" llr {likelihood:+.2} {}", word(tally.verdict(null, claim)))
    });
    format!(
        "games {games} won {won} drawn {drawn} lost {lost} score {score:.1} % elo {:+.0} ± {:.0}{test}",
        elo.difference, elo.error
    )
}
