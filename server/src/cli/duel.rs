//! `mawe duel`: a match between two engine players, to find the stronger one.

use clap::Args;
use mawe_lab::arena::{Pair, Player, Tally, Verdict, play_both};
use mawe_rules::{BySide, GameKind, Side};
use serde::Serialize;

use crate::cli::match_options::{self, MatchOptions, bounds, test_state, word};
use crate::cli::output::{Failure, print};
use crate::cli::progress;

/// The greatest number of games.
const MAX_GAMES: i64 = 1_000_000;

const BAR: &str = "{wide_bar} {human_pos} of {human_len} games, {eta} left";

/// `mawe duel`.
#[derive(Debug, Args)]
pub(super) struct DuelOptions {
    #[command(flatten)]
    terms: MatchOptions,
    /// A player: a level (5), or nodes=N, depth=N, movetime=MS, clock=BASE+INC (seconds) for the engine; with threads=N, hash=MB,
    /// without=FEATURE+…, hand (no learned weights), weights=FILE joined by commas; or mcts=N, a Monte Carlo tree search of N playouts; or such
    /// limits and cmd:PROTOCOL:COMMAND, another engine that speaks ugi, hub, gtp or nboard
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
    /// Print one JSON object
    #[arg(long)]
    json: bool,
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
    /// The games that A lost because its engine failed.
    #[serde(skip_serializing_if = "is_zero")]
    failures_a: u32,
    /// The same of B.
    #[serde(skip_serializing_if = "is_zero")]
    failures_b: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

pub(super) fn duel(options: &DuelOptions) -> Result<(), Failure> {
    let terms = options.terms.terms()?;
    let player = |option, text| player(terms.kind, option, text);
    let (a, b) = (player("--a", &options.a)?, player("--b", &options.b)?);
    let mut tally = Tally::default();
    let mut sides = Sides::default();
    let mut failures = [0, 0];
    let bar = progress::bar(u64::from(options.games.next_multiple_of(2)), BAR);
    for number in 0..u64::from(options.games.div_ceil(2)) {
        let opening = terms.opening(number);
        let games = play_both(&opening, [&a, &b], options.terms.seed, number);
        let winners = BySide::from_fn(|side| games[side].winner());
        tally.add(Pair::of(winners));
        for (side, game) in games.iter() {
            sides.count(winners[side]);
            if let Some((loser, error)) = game.failure() {
                let index = usize::from(loser != side);
                failures[index] += 1;
                let name = ["A", "B"][index];
                bar.suspend(|| eprintln!("mawe: {name} loses a game: {error}"));
            }
        }
        bar.suspend(|| eprintln!("{}", line(&tally, sides, failures, options.sprt)));
        bar.inc(2);
        if let Some((null, claim)) = options.sprt
            && tally.verdict(null, claim) != Verdict::Open
        {
            break;
        }
    }
    bar.finish_and_clear();
    if !options.json {
        return print(&format!(
            "{}\n",
            line(&tally, sides, failures, options.sprt)
        ));
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
        failures_a: failures[0],
        failures_b: failures[1],
    };
    let text =
        serde_json::to_string(&answer).map_err(|error| Failure::Failed(error.to_string()))?;
    print(&format!("{text}\n"))
}

fn player(kind: GameKind, option: &str, text: &str) -> Result<Player, Failure> {
    let spec = match_options::player(option, text)?;
    Player::new(spec, kind).map_err(|error| Failure::BadInput(format!("{option}: {error}")))
}

fn line(tally: &Tally, sides: Sides, failures: [u32; 2], sprt: Option<(f64, f64)>) -> String {
    let elo = tally.elo();
    let (games, score) = (tally.games(), tally.score() * 100.0);
    let Tally {
        won, drawn, lost, ..
    } = tally;
    let test = sprt.map_or_else(String::new, |sprt| format!(" {}", test_state(tally, sprt)));
    let failed = match failures {
        [0, 0] => String::new(),
        [a, b] => format!(" failures of A {a} of B {b}"),
    };
    let Sides {
        first_won,
        second_won,
    } = sides;
    format!(
        "games {games} won {won} drawn {drawn} lost {lost} score {score:.1} % elo {:+.0} ± {:.0} \
         first side won {first_won} second {second_won}{failed}{test}",
        elo.difference, elo.error
    )
}
