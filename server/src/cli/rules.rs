//! `mawe perft`, `legal`, `apply`: the rules of every game on the command line.

use std::fmt::Write;

use clap::Args;
use mawe_rules::perft::Table;
use mawe_rules::{AnyPosition, AnySetup, GameKind, Record, Side};

use crate::cli::output::{Failure, print};

/// The greatest depth of perft: no deeper count would ever end.
const MAX_DEPTH: u32 = 64;

/// A game and one of its positions.
#[derive(Debug, Args)]
pub(super) struct Place {
    /// The game kind: mawe, reversi, checkers, …
    #[arg(value_name = "GAME")]
    game: String,
    /// A position in the notation of the game, instead of its start
    // A row of Reversi begins with a hyphen if its first square is empty.
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,
}

/// `mawe perft`.
#[derive(Debug, Args)]
pub(super) struct PerftOptions {
    #[command(flatten)]
    place: Place,
    /// The number of plies
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DEPTH)))]
    depth: u32,
    /// Print the count after each move first
    #[arg(long)]
    divide: bool,
    /// The number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Keep counts in a table of this many megabytes
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: Option<u32>,
}

/// `mawe legal`.
#[derive(Debug, Args)]
pub(super) struct LegalOptions {
    #[command(flatten)]
    place: Place,
}

/// `mawe apply`.
#[derive(Debug, Args)]
pub(super) struct ApplyOptions {
    #[command(flatten)]
    place: Place,
    /// The moves, in order
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
}

impl Place {
    pub(super) fn position(&self) -> Result<AnyPosition, Failure> {
        let kind = kind(&self.game)?;
        let parsed = match &self.position {
            Some(text) => AnyPosition::parse(kind, text)
                .map_err(|error| format!("position {text:?}: {error}")),
            None => AnyPosition::start(kind, &AnySetup::standard(kind))
                .map_err(|error| error.to_string()),
        };
        parsed.map_err(Failure::BadInput)
    }
}

/// Returns the game kind with this name.
pub(super) fn kind(name: &str) -> Result<GameKind, Failure> {
    let unknown = |_| {
        let known: Vec<&str> = GameKind::ALL.iter().map(|kind| kind.id()).collect();
        let known = known.join(", ");
        Failure::BadInput(format!(
            "game {name:?}: there is no such game; there are {known}"
        ))
    };
    name.parse().map_err(unknown)
}

pub(super) fn perft(options: &PerftOptions) -> Result<(), Failure> {
    let position = options.place.position()?;
    let threads = usize::from(options.threads);
    let table = match options.hash {
        Some(megabytes) => Some(table(megabytes)?),
        None => None,
    };
    if !options.divide || options.depth == 0 {
        let nodes = match &table {
            Some(table) => position.perft_hashed(options.depth, threads, table),
            None => position.perft(options.depth, threads),
        };
        return print(&format!("nodes {nodes}\n"));
    }
    let counts = match &table {
        Some(table) => position.divide_hashed(options.depth, threads, table),
        None => position.divide(options.depth, threads),
    };
    let nodes: u64 = counts.iter().map(|(_, count)| count).sum();
    let mut text = String::new();
    for (played, count) in counts {
        writeln!(text, "{played} {count}").expect("a string takes all that is written");
    }
    print(&format!("{text}nodes {nodes}\n"))
}

fn table(megabytes: u32) -> Result<Table, Failure> {
    let table = usize::try_from(megabytes).ok().and_then(Table::new);
    table.ok_or_else(|| Failure::Failed(format!("no memory for a table of {megabytes} megabytes")))
}

pub(super) fn legal(options: &LegalOptions) -> Result<(), Failure> {
    let record = Record::from_position(options.place.position()?);
    print(
        &record
            .legal_moves()
            .iter()
            .map(|text| format!("{text}\n"))
            .collect::<String>(),
    )
}

pub(super) fn apply(options: &ApplyOptions) -> Result<(), Failure> {
    let mut record = Record::from_position(options.place.position()?);
    for (number, text) in (1..).zip(&options.moves) {
        record
            .play(text)
            .map_err(|error| Failure::BadInput(format!("move {number}, {text:?}: {error}")))?;
    }
    let mut text = format!("{}\n", record.position());
    if let Some(outcome) = record.outcome() {
        let winner = record.kind().winner_code(outcome.winner);
        let score = outcome
            .score
            .map(|score| format!(" {}-{}", score[Side::First], score[Side::Second]));
        writeln!(
            text,
            "outcome {winner} {}{}",
            outcome.reason,
            score.unwrap_or_default()
        )
        .expect("a string takes all that is written");
    }
    print(&text)
}
