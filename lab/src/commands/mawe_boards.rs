//! Solves Mawe! on small boards.

use std::time::Instant;

use clap::Args;

use super::failure::Failure;
use crate::small_mawe::{Goal, Solved, solve};

/// `lab mawe-boards`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The squares of a side of the board, 3 to 6
    #[arg(value_name = "N", value_parser = clap::value_parser!(u8).range(3..=6))]
    size: u8,
    /// The positions of the table, as a power of two; each takes 32 bytes
    #[arg(long, value_name = "BITS", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=32))]
    bits: u32,
    /// Solve the decisive form, in which equal points are a win of the side that moved last
    #[arg(long)]
    decisive: bool,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let &Options {
        size,
        bits,
        decisive,
    } = options;
    let goal = match decisive {
        true => Goal::DecisiveWin,
        false => Goal::Points,
    };
    let began = Instant::now();
    let Solved { value, nodes } = match size {
        3 => solve::<3>(bits, goal),
        4 => solve::<4>(bits, goal),
        5 => solve::<5>(bits, goal),
        _ => solve::<6>(bits, goal),
    };
    let winner = match value {
        0 => "a draw",
        1.. => "the first side wins",
        _ => "the second side wins",
    };
    let points = match value.abs() {
        0 => String::new(),
        _ if decisive => String::new(),
        lead => format!(" by {lead}"),
    };
    println!(
        "{size}×{size}: {winner}{points}; {nodes} positions, {:.1} s",
        began.elapsed().as_secs_f64()
    );
    Ok(())
}
