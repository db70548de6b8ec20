//! Solves the FFO test positions of Reversi and compares the results with the published ones.

use std::fs;
use std::num::ParseIntError;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use mawe_ai::reversi::board::Board;
use mawe_ai::reversi::{Counting, Ending};
use mawe_ai::{Knowledge, Limits};
use mawe_rules::games::reversi::ReversiPosition;
use mawe_rules::{GameKind, Square};

use super::failure::Failure;

/// The positions with their published results.
const POSITIONS: &str = include_str!("../../../ai/tests/reversi/ffo.txt");

/// `lab ffo`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The numbers of positions, or ranges of numbers
    #[arg(value_name = "N|N-N", default_values = ["1-19", "40"])]
    wanted: Vec<Numbers>,
    /// The size of the table, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 256)]
    hash: usize,
    /// The weights for the order of moves (default: those built in)
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

/// A range of numbers.
#[derive(Clone, Debug)]
struct Numbers(RangeInclusive<u32>);

impl FromStr for Numbers {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        Ok(Self(first.parse()?..=last.parse()?))
    }
}

/// Prints a line for each position: number, empty squares, margin, move, nodes, seconds, million nodes a second; then the sums.
/// Fails if a result differs from the published one.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let knowledge = match &options.weights {
        Some(path) => {
            let file = fs::read(path)?;
            Arc::new(Knowledge::built_in_with(GameKind::Reversi, &file)?)
        }
        None => Knowledge::built_in(),
    };
    let wanted = &options.wanted;
    let ending = Ending::new(options.hash)?.knowing(knowledge);
    let mut wrong = 0;
    let (mut all_nodes, mut all_time) = (0, Duration::ZERO);
    println!("number empties margin move        nodes  seconds  Mnodes/s");
    for line in POSITIONS.lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let [number, discs, turn, margin, moves] = fields[..] else {
            continue;
        };
        if !number
            .parse()
            .is_ok_and(|number| wanted.iter().any(|range| range.0.contains(&number)))
        {
            continue;
        }
        let pos: ReversiPosition = format!("{discs} {turn}").parse()?;
        let board = Board::of(&pos);
        ending.forget();
        let began = Instant::now();
        let limits = Limits::default();
        let solution = ending.solve(board, Counting::WinnerTakesEmpty, &limits);
        let time = began.elapsed();
        let best = solution
            .line
            .first()
            .map(|square| Square::from_index(*square as u8));
        let best = best.map_or("-".to_owned(), |square| square.to_string());
        let (low, high) = solution.margin;
        let is_right = low == high
            && low == margin.parse::<i32>()?
            && moves.split(',').any(|published| published == best);
        let rate = solution.nodes as f64 / time.as_secs_f64() / 1e6;
        println!(
            "{number:>6} {:>7} {low:>6} {best:>4} {:>12} {:>8.3} {rate:>9.1}{}",
            board.empties(),
            solution.nodes,
            time.as_secs_f64(),
            if is_right { "" } else { "  WRONG" },
        );
        wrong += u32::from(!is_right);
        all_nodes += solution.nodes;
        all_time += time;
    }
    let rate = all_nodes as f64 / all_time.as_secs_f64().max(1e-9) / 1e6;
    println!(
        "   all                     {all_nodes:>12} {:>8.3} {rate:>9.1}",
        all_time.as_secs_f64()
    );
    match wrong {
        0 => Ok(()),
        _ => Err(format!("{wrong} are not as published").into()),
    }
}
