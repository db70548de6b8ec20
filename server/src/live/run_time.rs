//! The running time of this node: the monotonic clock without the time in which the process was stopped, or could not run because the
//! machine was too busy. The clocks of matches use it, so that such time is charged to no player.
//!
//! A task of the server ticks. If a tick is overdue, the time since the last one is a stall. The first caller notices it: a timer that
//! fires before the late tick finds the stall too. After a stall, running time stands still a little longer, so that messages that players
//! sent meanwhile are read from the sockets before any clock runs out.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mawe_play::room::io::{Millis, Now};
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use crate::clock::unix_ms;

/// The interval of the server's ticks.
const TICK: Duration = Duration::from_millis(100);

/// The longest time between two ticks that counts as running: a busy scheduler delays a tick by tens of milliseconds, and half a second of
/// charged time loses no match. Of a longer gap this much is charged.
pub const LONGEST_GAP: Duration = Duration::from_millis(500);

/// The time for which running time stands still after a stall: the work of several ticks, enough to read thousands of sockets. If reading them takes
/// longer, the ticks are late again, which is a stall too.
pub const SETTLE: Duration = Duration::from_secs(1);

/// A stall, or a sleep of the machine, of at least this length is an outage for correspondence clocks: a turn that ended in it gets an
/// extension, as after a restart.
const OUTAGE_MS: i64 = 60_000;

/// The number of stalls that are stored individually. A time is converted within seconds; a minute holds fewer stalls than this, because
/// each takes more than a second together with its [`SETTLE`] time.
const KEPT: usize = 64;

/// The running time of a node.
#[derive(Debug)]
pub struct RunTime {
    began: Instant,
    line: Mutex<TimeLine>,
}

/// The stalls of a node, on a time line whose zero is the node's start.
#[derive(Debug)]
pub struct TimeLine {
    /// The last tick; `None` without a ticking task, when no gap is a stall.
    last: Option<Tick>,
    stalls: VecDeque<Stall>,
    up_since_ms: i64,
}

#[derive(Debug, Clone, Copy)]
struct Tick {
    at: Duration,
    unix_ms: i64,
}

/// A period that does not count as running time.
#[derive(Debug, Clone, Copy)]
struct Stall {
    from: Duration,
    until: Duration,
    /// The total length of earlier periods that do not count.
    lost_before: Duration,
}

impl RunTime {
    /// Starts at the present time; no gap is a stall before the first tick.
    #[must_use]
    pub fn start() -> RunTime {
        RunTime {
            began: Instant::now(),
            line: Mutex::new(TimeLine::new(unix_ms())),
        }
    }

    /// Converts a time for the match core.
    #[must_use]
    pub fn now(&self, at: Instant) -> Now {
        let unix_ms = unix_ms();
        let mut line = self.line.lock();
        line.notice(self.began.elapsed(), unix_ms);
        Now {
            mono: millis(line.run_at(self.since_began(at))),
            unix_ms,
            up_since_ms: line.up_since_ms,
        }
    }

    /// Returns the time at which this running time will be reached, unless there is another stall.
    #[must_use]
    pub fn instant(&self, run_ms: Millis) -> Instant {
        self.began + self.line.lock().reached(Duration::from_millis(run_ms))
    }

    /// Returns the running time between two times.
    #[must_use]
    pub fn between(&self, from: Instant, to: Instant) -> Duration {
        let mut line = self.line.lock();
        line.notice(self.began.elapsed(), unix_ms());
        let (from, to) = (self.since_began(from), self.since_began(to));
        line.run_at(to).saturating_sub(line.run_at(from))
    }

    /// Ticks until the server stops.
    pub async fn watch(self: Arc<Self>, mut stopped: watch::Receiver<bool>) {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                // An error means that the server is gone, which is a stop too.
                _ = stopped.wait_for(|stopped| *stopped) => break,
                _ = ticks.tick() => {
                    let now = self.began.elapsed();
                    if let Some(stalled) = self.line.lock().tick(now, unix_ms()) {
                        tracing::warn!(
                            stall.ms = millis(stalled),
                            "the server did not run for a while; the time is charged to nobody"
                        );
                    }
                }
            }
        }
        self.line.lock().end_watch();
    }

    fn since_began(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.began)
    }
}

impl TimeLine {
    /// Creates a time line without stalls, of a node that is up since this time of day.
    #[must_use]
    pub fn new(up_since_ms: i64) -> TimeLine {
        TimeLine {
            last: None,
            stalls: VecDeque::new(),
            up_since_ms,
        }
    }

    /// Notes that the node runs now; returns the length of the stall before it, if there was one.
    pub fn tick(&mut self, now: Duration, unix_ms: i64) -> Option<Duration> {
        let stalled = self.notice(now, unix_ms);
        self.last = Some(Tick { at: now, unix_ms });
        stalled
    }

    /// Ends the watch: no later gap is a stall.
    pub fn end_watch(&mut self) {
        self.last = None;
    }

    /// Notes a stall if a tick is overdue; returns its length.
    pub fn notice(&mut self, now: Duration, unix_ms: i64) -> Option<Duration> {
        let last = self.last?;
        // The monotonic clock may stand still while the machine sleeps; the time of day does not.
        if unix_ms.saturating_sub(last.unix_ms) >= OUTAGE_MS {
            self.up_since_ms = unix_ms;
            self.last = Some(Tick { unix_ms, ..last });
        }
        let gap = now.saturating_sub(last.at);
        if gap <= LONGEST_GAP {
            return None;
        }
        self.add(last.at + LONGEST_GAP, now + SETTLE);
        self.last = Some(Tick { at: now, unix_ms });
        Some(gap)
    }

    /// Returns the Unix time in milliseconds since which the node has been up without an outage.
    #[must_use]
    pub fn up_since_ms(&self) -> i64 {
        self.up_since_ms
    }

    /// Returns the running time at a time.
    #[must_use]
    pub fn run_at(&self, at: Duration) -> Duration {
        match self.stalls.iter().rev().find(|stall| stall.from <= at) {
            Some(stall) => at.min(stall.from) + at.saturating_sub(stall.until) - stall.lost_before,
            // The time is before all stored stalls.
            None => at.saturating_sub(
                self.stalls
                    .front()
                    .map_or(Duration::ZERO, |s| s.lost_before),
            ),
        }
    }

    /// Returns the time at which this running time is reached.
    #[must_use]
    pub fn reached(&self, run: Duration) -> Duration {
        run + self.lost()
    }

    fn lost(&self) -> Duration {
        self.stalls.back().map_or(Duration::ZERO, |stall| {
            stall.lost_before + (stall.until - stall.from)
        })
    }

    fn add(&mut self, from: Duration, until: Duration) {
        if let Some(last) = self.stalls.back_mut()
            && from <= last.until
        {
            last.until = last.until.max(until);
            return;
        }
        let lost_before = self.lost();
        self.stalls.push_back(Stall {
            from,
            until,
            lost_before,
        });
        if self.stalls.len() > KEPT {
            self.stalls.pop_front();
        }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Returns a time line with ticks at these times, in milliseconds; the time of day begins at zero.
    fn ticking(ticks: impl IntoIterator<Item = u64>) -> TimeLine {
        let mut line = TimeLine::new(0);
        for ms in ticks {
            line.tick(at(ms), i64::try_from(ms).expect("minutes"));
        }
        line
    }

    #[test]
    fn without_stalls_all_time_counts() {
        let line = ticking((0..100).map(|tick| tick * 500));
        assert_eq!(line.run_at(at(49_000)), at(49_000));
        assert_eq!(line.reached(at(70_000)), at(70_000));
    }

    #[test]
    fn before_the_first_tick_and_after_the_last_no_gap_is_a_stall() {
        let mut line = TimeLine::new(0);
        assert_eq!(line.notice(at(9_000), 9_000), None);
        line.tick(at(9_000), 9_000);
        line.end_watch();
        assert_eq!(line.notice(at(90_000), 9_100), None);
        assert_eq!(line.run_at(at(90_000)), at(90_000));
    }

    #[test]
    fn a_stall_counts_for_half_a_second_and_time_stands_until_the_sockets_are_read() {
        let mut line = ticking([0, 100]);
        // A timer that fires before the late tick must find the stall.
        assert_eq!(line.notice(at(40_100), 40_100), Some(at(40_000)));
        assert_eq!(line.run_at(at(100)), at(100));
        assert_eq!(line.run_at(at(30_000)), at(600));
        assert_eq!(line.run_at(at(40_100)), at(600));
        assert_eq!(line.run_at(at(41_100)), at(600));
        assert_eq!(line.run_at(at(41_350)), at(850));
        assert_eq!(line.reached(at(850)), at(41_350));
        assert_eq!(line.tick(at(40_110), 40_110), None, "it is noted once");
    }

    #[test]
    fn stalls_one_after_another_never_turn_time_back() {
        let mut line = ticking([0]);
        let mut now = 0;
        let mut run = Duration::ZERO;
        for step in (0..4_000_u64).map(|i| i * i * 7 % 1_900) {
            now += step;
            line.notice(at(now), 0);
            assert!(line.run_at(at(now)) >= run, "at {now}");
            run = line.run_at(at(now));
            let later = run + at(123);
            assert_eq!(line.run_at(line.reached(later)), later);
            line.tick(at(now), 0);
        }
        assert!(line.stalls.len() <= KEPT);
        assert!(run < at(now), "there were stalls: {run:?} of {now} ms");
    }

    #[test]
    fn a_frame_that_was_read_before_a_stall_has_the_time_of_its_reading() {
        let mut line = ticking([0, 100, 200]);
        line.notice(at(60_000), 60_000);
        line.tick(at(60_000), 60_000);
        line.notice(at(70_000), 70_000);
        assert_eq!(line.run_at(at(150)), at(150));
        assert_eq!(line.run_at(at(700)), at(700), "the last moment before");
        assert_eq!(
            line.run_at(at(61_100)),
            at(700),
            "it stands still after one stall until the next"
        );
    }

    #[test]
    fn only_a_long_stall_or_a_sleep_is_an_outage_by_the_day() {
        let mut line = ticking([0, 100]);
        line.tick(at(5_000), 5_000);
        assert_eq!(line.up_since_ms(), 0);
        line.tick(at(80_000), 80_000);
        assert_eq!(line.up_since_ms(), 80_000);
        // The machine slept, and its monotonic clock with it.
        line.notice(at(80_100), 9_000_000);
        assert_eq!(line.up_since_ms(), 9_000_000);
    }
}
