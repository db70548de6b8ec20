//! Solves the FFO test positions of Reversi and compares the results with the published ones.
//!
//!     cargo run --release -p mawe-ai --example ffo -- 40-49
//!
//! Arguments: numbers or ranges of numbers (1-19 and 40), `--hash MB` (256), `--weights FILE` for the order of moves. Prints a line a
//! position: number, empty squares, margin, move, nodes, seconds, million nodes a second; then the sums. Fails if a result differs from the
//! published one.

use std::error::Error;
use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mawe_ai::reversi::board::Board;
use mawe_ai::reversi::{Counting, Ending};
use mawe_ai::{Knowledge, Limits};
use mawe_rules::games::reversi::ReversiPosition;
use mawe_rules::{GameKind, Square};

fn main() -> Result<(), Box<dyn Error>> {
    let mut wanted = Vec::new();
    let mut megabytes = 256;
    let mut knowledge = Arc::clone(Knowledge::built_in());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--hash" {
            let value = arguments.next().ok_or("--hash wants a number")?;
            megabytes = value.parse()?;
            continue;
        }
        if argument == "--weights" {
            let file = fs::read(arguments.next().ok_or("--weights wants a file")?)?;
            knowledge = Arc::new(Knowledge::built_in_with(GameKind::Reversi, &file)?);
            continue;
        }
        let (first, last) = argument.split_once('-').unwrap_or((&argument, &argument));
        wanted.extend(first.parse::<u32>()?..=last.parse()?);
    }
    if wanted.is_empty() {
        wanted.extend((1..=19).chain([40]));
    }
    let ending = Ending::new(megabytes)?.knowing(knowledge);
    let mut wrong = 0;
    let (mut all_nodes, mut all_time) = (0, Duration::ZERO);
    println!("number empties margin move        nodes  seconds  Mnodes/s");
    for line in include_str!("../tests/reversi/ffo.txt").lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let [number, discs, turn, margin, moves] = fields[..] else {
            continue;
        };
        if !number.parse().is_ok_and(|number| wanted.contains(&number)) {
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
            && low == margin.parse()?
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
