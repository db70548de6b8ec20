//! The common options of `mawe duel` and `mawe arena`: the game, its openings, and the players as text.

use std::str::FromStr;

use clap::Args;
use mawe_lab::arena::{BadSpec, Openings, Spec, Tally, Verdict, opening_of, setup_of};
use mawe_play::openings::openings_of;
use mawe_rules::{AnySetup, GameKind, Record};

use crate::bots::endgames;
use crate::cli::output::Failure;
use crate::config::DataOptions;

/// The terms of all games.
#[derive(Debug, Args)]
pub(super) struct MatchOptions {
    /// The game kind: mawe, reversi, checkers, …
    #[arg(value_name = "GAME")]
    game: String,
    /// The number that selects the openings, and the player of a level
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Openings of PLIES random plies (4-6 by default) that a search of NODES evaluates within LEAD hundredths of even; or `drawn`: the
    /// even openings from which matches of Kalah, Congkak, checkers and Reversi draw, in order from number SEED
    #[arg(long, value_name = "NODES,LEAD[,PLIES]", default_value = "4000,250")]
    openings: Beginnings,
    /// Options of the game, as key=value joined by commas (default: those of rated play)
    #[arg(long, value_name = "OPTIONS")]
    setup: Option<String>,
    #[command(flatten)]
    data: DataOptions,
}

/// The openings as an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beginnings {
    /// Random plies.
    Random(Openings),
    /// The even openings of the list.
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

/// The game of a match and its openings.
pub(super) struct MatchTerms {
    pub(super) kind: GameKind,
    openings: OpeningSource,
    seed: u64,
}

enum OpeningSource {
    Random(AnySetup, Openings),
    Drawn(Vec<Record>),
}

impl MatchOptions {
    /// Checks the options, and loads the endgame databases.
    pub(super) fn terms(&self) -> Result<MatchTerms, Failure> {
        let kind = super::rules::kind(&self.game)?;
        let setup = setup(kind, self.setup.as_deref())?;
        endgames::install(&self.data.data_dir, |line| eprintln!("mawe: {line}"));
        let openings = match self.openings {
            Beginnings::Random(openings) => OpeningSource::Random(setup, openings),
            Beginnings::Drawn => {
                let begin = |opening| Record::new(kind, opening);
                let drawn: Result<Vec<Record>, _> = openings_of(&setup).iter().map(begin).collect();
                let drawn = drawn.map_err(|error| Failure::Failed(error.to_string()))?;
                if drawn.is_empty() {
                    let line = format!("--openings: there are no drawn openings of {kind} {setup}");
                    return Err(Failure::BadInput(line));
                }
                OpeningSource::Drawn(drawn)
            }
        };
        Ok(MatchTerms {
            kind,
            openings,
            seed: self.seed,
        })
    }
}

impl MatchTerms {
    /// Returns the opening of both games of a pair.
    pub(super) fn opening(&self, number: u64) -> Record {
        match &self.openings {
            OpeningSource::Random(setup, openings) => {
                opening_of(setup, *openings, self.seed, number)
            }
            OpeningSource::Drawn(drawn) => {
                let index = self.seed.wrapping_add(number) % drawn.len() as u64;
                drawn[index as usize].clone()
            }
        }
    }
}

fn setup(kind: GameKind, text: Option<&str>) -> Result<AnySetup, Failure> {
    match text {
        None => Ok(setup_of(kind)),
        Some(text) => AnySetup::parse(kind, text)
            .map_err(|error| Failure::BadInput(format!("setup {text:?}: {error}"))),
    }
}

/// Parses a player; `place` names it in the message about a fault.
pub(super) fn player(place: &str, text: &str) -> Result<Spec, Failure> {
    read_player(place, text.parse())
}

/// Returns a player that was read; `place` names it in the message about a fault.
pub(super) fn read_player(place: &str, spec: Result<Spec, BadSpec>) -> Result<Spec, Failure> {
    spec.map_err(|error| Failure::BadInput(format!("{place}: {error}")))
}

/// Parses two numbers of Elo, of which the first must be smaller.
pub(super) fn bounds(text: &str) -> Result<(f64, f64), String> {
    let numbers = text.split_once(',').and_then(|(null, claim)| {
        let number = |text: &str| text.parse::<f64>().ok().filter(|elo| elo.abs() <= 1000.0);
        Some((number(null)?, number(claim)?))
    });
    numbers
        .filter(|(null, claim)| null < claim)
        .ok_or_else(|| "two numbers like 0,10 are wanted, the smaller one first".to_owned())
}

/// Returns the result of a sequential test as a word.
pub(super) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "accepted",
        Verdict::Refused => "refused",
        Verdict::Open => "open",
    }
}

/// Returns the state of a sequential test as text.
pub(super) fn test_state(tally: &Tally, (null, claim): (f64, f64)) -> String {
    let likelihood = tally.likelihood(null, claim);
    format!("llr {likelihood:+.2} {}", word(tally.verdict(null, claim)))
}
