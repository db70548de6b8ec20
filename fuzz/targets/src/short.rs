//! Runs a target for a few seconds on any machine: a fixed number of inputs, the same in every run.
//!
//! `MAWE_FUZZ_NUMBER` selects other inputs (any whole number), `MAWE_FUZZ_TIMES` multiplies their number.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::str::FromStr;
use std::time::{Duration, Instant};

use crate::Target;
use crate::inputs::{Inputs, words};

/// The words that the readers know, also for libFuzzer.
const WORDS: &str = include_str!("../../words.dict");
/// The time limit of one input: a thousand times as long as any should take, as the machine may be busy.
const MAX_TIME: Duration = Duration::from_secs(5);
/// At least one of this many inputs must be accepted, or the seeds no longer match the readers.
const READ_OF: u64 = 50;

/// Runs a target on its inputs, made from these seeds.
///
/// # Panics
///
/// If a property does not hold, with the input.
pub fn run(target: &Target, seeds: Vec<Vec<u8>>) {
    let words = words(WORDS).expect("a dictionary of libFuzzer's form");
    let number = from_environment("MAWE_FUZZ_NUMBER", 1);
    let count = u64::from(target.inputs) * from_environment("MAWE_FUZZ_TIMES", 1);
    let mut inputs = Inputs::new(number, seeds, words);
    let mut read = 0;
    for i in 0..count {
        let input = inputs.make();
        if try_one(target, &input, number, i) {
            read += 1;
            inputs.keep(input);
        }
    }
    println!("{}: {count} inputs, {read} of them read", target.name);
    assert!(read * READ_OF >= count, "only {read} of {count} were read");
}

fn try_one(target: &Target, input: &[u8], number: u64, i: u64) -> bool {
    let begun = Instant::now();
    let ran = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    let took = begun.elapsed();
    match ran {
        Ok(is_read) if took < MAX_TIME => is_read,
        Ok(_) | Err(_) => panic!(
            "{}: input {i} of number {number}, after {took:?}: b\"{}\"",
            target.name,
            input.escape_ascii()
        ),
    }
}

fn from_environment<T: FromStr>(name: &str, usual: T) -> T {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name} is a whole number, not `{text}`")),
        Err(_) => usual,
    }
}
