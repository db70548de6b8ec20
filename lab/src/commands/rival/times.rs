//! Thinking times.

use std::time::Duration;

/// The thinking times of a player.
#[derive(Default)]
pub(super) struct Times {
    plies: u32,
    sum: Duration,
    longest: Duration,
}

impl Times {
    pub(super) fn add(&mut self, time: Duration) {
        self.plies += 1;
        self.sum += time;
        self.longest = self.longest.max(time);
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mean = self.sum.as_secs_f64() * 1e3 / f64::from(self.plies.max(1));
        let longest = self.longest.as_secs_f64() * 1e3;
        write!(f, "{mean:.1} ms ({longest:.0} ms at most)")
    }
}
