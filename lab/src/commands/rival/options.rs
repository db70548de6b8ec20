//! The options of a match against another program.

use std::path::PathBuf;

use clap::Args;
use mawe_lab::arena::{Openings, Spec};
use mawe_lab::outside::Protocol;
use mawe_rules::GameKind;

/// `lab rival`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The game: mawe, reversi, checkers, …
    #[arg(value_name = "GAME")]
    pub(super) kind: GameKind,
    /// The protocol of the other program
    #[arg(value_name = "PROTOCOL")]
    pub(super) protocol: Protocol,
    /// The command that starts it, split into words as a shell does
    #[arg(value_name = "COMMAND")]
    pub(super) command: String,
    /// The directory to start it in
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(super) directory: PathBuf,
    /// A line to send at the beginning; may be given several times
    #[arg(long, value_name = "LINE")]
    pub(super) init: Vec<String>,
    /// Our player, as `mawe duel` takes it
    #[arg(long, value_name = "SPEC", default_value = "movetime=100")]
    pub(super) player: Spec,
    /// The milliseconds a move of the rival, if the protocol can set them
    #[arg(long, value_name = "MS", default_value_t = 100)]
    pub(super) movetime: u64,
    /// The number of games
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(super) games: u64,
    /// The number that selects the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Openings of PLIES random plies that a search of NODES evaluates within LEAD hundredths of even
    #[arg(
        long,
        value_name = "NODES,LEAD[,PLIES]",
        default_value = "100000,100,8-12"
    )]
    pub(super) openings: Openings,
    /// Make a database of up to N pieces or seeds for our player first
    #[arg(long, value_name = "N")]
    pub(super) endgames: Option<u8>,
    /// In Reversi: print the solver's results of the positions with N empty squares
    #[arg(long, value_name = "N")]
    pub(super) look_back: Option<u32>,
    /// End the match when a sequential test has decided between two differences in Elo
    #[arg(long, value_name = "NULL,CLAIM", value_parser = bounds)]
    pub(super) sprt: Option<(f64, f64)>,
    /// A file with a line for every game: the pair, our side, the result and the moves. Games in it are not played again
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

/// Parses two numbers of Elo.
fn bounds(text: &str) -> Result<(f64, f64), String> {
    let numbers = text.split_once(',');
    numbers
        .and_then(|(null, claim)| Some((null.parse().ok()?, claim.parse().ok()?)))
        .ok_or_else(|| "two numbers like 0,10 are wanted".to_owned())
}
