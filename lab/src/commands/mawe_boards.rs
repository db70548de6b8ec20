//! Solves Mawe! on small boards.

use std::time::Instant;

use clap::Args;

use super::failure::Failure;
use crate::small_mawe::{Solved, solve};

/// `lab mawe-boards`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The squares of a side of the board, 3 to 6
    #[arg(value_name = "N", value_parser = clap::value_parser!(u8).range(3..=6))]
    size: u8,
    /// The positions of the table, as a power of two; each takes 32 bytes
    #[arg(long, value_name = "BITS", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=32))]
    bits: u32,
}

pub(crate) fn run(&Options { size, bits }: &Options) -> Result<(), Failure> {
    let began = Instant::now();
    let Solved { lead, nodes } = match size {
        3 => solve::<3>(bits),
        4 => solve::<4>(bits),
        5 => solve::<5>(bits),
        _ => solve::<6>(bits),
    };
    let result = match lead {
        0 => "a draw".to_owned(),
        1.. => format!("the first side wins by {lead}"),
        _ => format!("the second side wins by {}", -lead),
    };
    println!(
        "{size}×{size}: {result}; {nodes} positions, {:.1} s",
        began.elapsed().as_secs_f64()
    );
    Ok(())
}
