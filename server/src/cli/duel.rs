//! `mawe duel`: a match between two engine players, to find the stronger one.

use std::str::FromStr;

use clap::Args;
use mawe_lab::arena::{
    Openings, Pair, Player, Spec, Tally, Verdict, opening_of, play_both, setup_of,
};
use mawe_play::openings::openings_of;
use mawe_rules::{AnySetup, GameKind, Record, Side};
use serde::Serialize;

use crate::bots::endgames;
use crate::cli::output::{Failure, print};
use crate::config::DataOptions;

/// The greatest number of games.
const MAX_GAMES: i64 = 1_000_000;

/// `mawe duel`.
#[derive(Debug, Args)]
pub(super) struct DuelOptions {
    /// The game kind: mawe, reversi, checkers, …
    #[arg(value_name = "GAME")]
    game: String,
    /// A player: a level (5), or nodes=N, depth=N, movetime=MS for the engine; with threads=N, hash=MB, without=FEATURE+…, hand (no learned
    /// weights), weights=FILE joined by commas; or mcts=N, a Monte Carlo tree search of N playouts
    #[arg(long, value_name = "SPEC")]
    a: String,
    /// The other player
    #[arg(long, value_name = "SPEC")]
    b: String,
    /// End as soon as it is clear whether A is stronger than B by at least CLAIM rather than by NULL Elo at most, as NULL,CLAIM (wrong one
    /// time in twenty)
    #[arg(long, value_name = "NULL,CLAIM", value_parser = bounds)]
    sprt: Option<(f64, f64)>,
    /// The greatest number of games: pairs with the same opening and exchanged sides, so one more for an odd number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_GAMES))]
    games: u32,
    /// The number that selects the openings, and the player of a level
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Openings of PLIES random plies (4-6 by default) that a search of NODES evaluates within LEAD hundredths of even; or `drawn`: the
    /// openings of rated matches of Kalah and Congkak, in order from number SEED
    #[arg(long, value_name = "NODES,LEAD[,PLIES]", default_value = "4000,250")]
    openings: Beginnings,
    /// Options of the game, as key=value joined by commas (default: those of rated play)
    #[arg(long, value_name = "OPTIONS")]
    setup: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: DataOptions,
}

/// The openings of a duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beginnings {
    /// Random plies.
    Random(Openings),
    /// The openings of rated matches.
    Drawn,
}

impl FromStr for Beginnings {
    type Err = <Openings as FromStr>::Err;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "drawn" => Ok(Beginnings::Drawn),
            text => text.parse().map(Beginnings::Random),
        }
    }
}

impl Beginnings {
    /// Returns the opening of both games of a pair; fails if a game has no drawn openings.
    fn begin(self, setup: &AnySetup, seed: u64, number: u64) -> Result<Record, Failure> {
        match self {
            Beginnings::Random(openings) => Ok(opening_of(setup, openings, seed, number)),
            Beginnings::Drawn => {
                let openings = openings_of(setup);
                let index = seed.wrapping_add(number) % openings.len() as u64;
                Record::new(setup.kind(), &openings[index as usize])
                    .map_err(|error| Failure::Failed(error.to_string()))
            }
        }
    }
}

/// Wins by side, regardless of the player.
#[derive(Clone, Copy, Debug, Default)]
struct Sides {
    first_won: u32,
    second_won: u32,
}

impl Sides {
    fn count(&mut self, winner: Option<Side>) {
        match winner {
            Some(Side::First) => self.first_won += 1,
            Some(Side::Second) => self.second_won += 1,
            None => {}
        }
    }
}

/// The result, as JSON, from the view of player A.
#[derive(Serialize)]
struct DuelResult {
    games: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    /// Points a game.
    score: f64,
    elo: f64,
    /// The margin of error in both directions, with a confidence of 95 %.
    elo_error: f64,
    /// Games won by the side that moves first, regardless of the player.
    first_won: u32,
    /// Games won by the other side.
    second_won: u32,
    /// The result of the sequential test, if requested: `accepted`, `refused` or `open`.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
}

pub(super) fn duel(options: &DuelOptions) -> Result<(), Failure> {
    let kind = super::rules::kind(&options.game)?;
    let setup = setup(kind, options.setup.as_deref())?;
    endgames::install(&options.data.data_dir, |line| eprintln!("mawe: {line}"));
    let player = |option, text| player(kind, option, text);
    let (a, b) = (player("--a", &options.a)?, player("--b", &options.b)?);
    if options.openings == Beginnings::Drawn && openings_of(&setup).is_empty() {
        let line = format!("--openings: there are no drawn openings of {kind} {setup}");
        return Err(Failure::BadInput(line));
    }
    let mut tally = Tally::default();
    let mut sides = Sides::default();
    for number in 0..u64::from(options.games.div_ceil(2)) {
        let opening = options.openings.begin(&setup, options.seed, number)?;
        let winners = play_both(&opening, [&a, &b], options.seed, number);
        tally.add(Pair::of(winners));
        for side in Side::ALL {
            sides.count(winners[side]);
        }
        eprintln!("{}", line(&tally, sides, options.sprt));
        if let Some((null, claim)) = options.sprt
            && tally.verdict(null, claim) != Verdict::Open
        {
            break;
        }
    }
    if !options.json {
        return print(&format!("{}\n", line(&tally, sides, options.sprt)));
    }
    let elo = tally.elo();
    let answer = DuelResult {
        games: tally.games(),
        won: tally.won,
        drawn: tally.drawn,
        lost: tally.lost,
        score: tally.score(),
        elo: elo.difference,
        elo_error: elo.error,
        first_won: sides.first_won,
        second_won: sides.second_won,
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

/// Parses two numbers of Elo, of which the first must be smaller.
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

fn line(tally: &Tally, sides: Sides, sprt: Option<(f64, f64)>) -> String {
    let elo = tally.elo();
    let (games, score) = (tally.games(), tally.score() * 100.0);
    let Tally {
        won, drawn, lost, ..
    } = tally;
    let test = sprt.map_or_else(String::new, |(null, claim)| {
        let likelihood = tally.likelihood(null, claim);
        format!(" llr {likelihood:+.2} {}", word(tally.verdict(null, claim)))
    });
    let Sides {
        first_won,
        second_won,
    } = sides;
    format!(
        "games {games} won {won} drawn {drawn} lost {lost} score {score:.1} % elo {:+.0} ± {:.0} \
         first side won {first_won} second {second_won}{test}",
        elo.difference, elo.error
    )
}
