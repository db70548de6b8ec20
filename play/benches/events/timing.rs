//! Times of steps, and the lines of the table.

use std::time::{Duration, Instant};

/// The number of times that each step is measured.
const REPEATS: usize = 5;

/// The times of the steps of one kind.
#[derive(Default)]
pub(crate) struct Times {
    /// The least of several times of each step, since another program may have had the processor meanwhile.
    least: Vec<Duration>,
    /// The longest time of all.
    longest: Duration,
}

impl Times {
    /// The head of the table.
    pub(crate) const HEAD: &str =
        "| step | steps | median, ms | p99, ms | most, ms | most with other programs, ms |
|---|---|---|---|---|---|";

    /// Measures some work that changes nothing.
    pub(crate) fn add<T>(&mut self, work: impl Fn() -> T) {
        let mut least = Duration::MAX;
        for _ in 0..REPEATS {
            let begun = Instant::now();
            std::hint::black_box(work());
            let took = begun.elapsed();
            least = least.min(took);
            self.longest = self.longest.max(took);
        }
        self.least.push(least);
    }

    /// The time of each step, in the order of the steps.
    pub(crate) fn each_ms(&self) -> Vec<String> {
        let ms = |time: &Duration| format!("{:.1}", time.as_secs_f64() * 1_000.0);
        self.least.iter().map(ms).collect()
    }

    /// Prints the line of the table.
    pub(crate) fn print(mut self, step: &str) {
        self.least.sort_unstable();
        let steps = self.least.len();
        let ms = |time: Duration| time.as_secs_f64() * 1_000.0;
        let at = |percent: usize| ms(self.least[(steps - 1) * percent / 100]);
        let (half, p99, most) = (at(50), at(99), at(100));
        let longest = ms(self.longest);
        println!("| {step} | {steps} | {half:.2} | {p99:.2} | {most:.2} | {longest:.2} |");
    }
}
