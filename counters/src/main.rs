//! The work that is counted, in a process of its own so that nothing else is counted with it:
//!
//! - `mawe-counters instructions DIRECTORY`, under callgrind: prints a line for each call of [`counted`], the name of the counter and the
//!   number of moves (events, batches, …) in the call. The tests divide callgrind's count of the call by it.
//! - `mawe-counters allocations` and `mawe-counters bytes DIRECTORY` print the name of each counter and its figure.
//! - `mawe-counters prepare DIRECTORY` makes the database that the others append to.

use std::alloc::System;
use std::path::Path;
use std::process::ExitCode;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

mod room;
mod search;
mod storage;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["instructions", directory] => {
            room::instructions();
            search::instructions();
            storage::instructions(Path::new(directory));
        }
        ["allocations"] => room::allocations(),
        ["bytes", directory] => {
            room::bytes();
            storage::bytes(Path::new(directory));
        }
        ["prepare", directory] => storage::prepare(Path::new(directory)),
        _ => {
            eprintln!(
                "usage: mawe-counters instructions|bytes|prepare DIRECTORY, or mawe-counters allocations"
            );
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Runs `work`. Callgrind sets its counts to zero when this function is entered, and writes them when it is left.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
}

/// Runs `work` as [`counted`], and prints its line.
fn count_instructions(name: &str, times: usize, mut work: impl FnMut()) {
    counted(&mut work);
    println!("{name} {times}");
}

/// Returns the number of allocations during `work`.
fn count_allocations(work: impl FnOnce()) -> usize {
    let count = || {
        let stats = ALLOCATOR.stats();
        stats.allocations + stats.reallocations
    };
    let before = count();
    work();
    count() - before
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn print_figure(name: &str, count: usize, times: usize) {
    println!("{name} {}", count as f64 / times as f64);
}
