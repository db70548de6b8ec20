//! The lines between an engine and its dialogue, with their limits of time and number.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mawe_rules::Side;

use super::fault::Fault;
use super::limits::MoveLimits;
use super::process::{NoLine, Process};

/// The most lines without an answer.
const MAX_LINES: usize = 100_000;
/// The interval at which the caller's flag is looked at.
const STOP_CHECK: Duration = Duration::from_millis(50);
/// The time for the answer of a search that was asked to stop.
const STOP_WITHIN: Duration = Duration::from_secs(2);

/// A running engine with the limits of its answers.
pub(super) struct Connection {
    process: Process,
    ready_within: Duration,
    grace: Duration,
    stop: Arc<AtomicBool>,
    is_searching: bool,
}

impl Connection {
    /// The connection to a process that has `ready_within` for each preparation, and `grace` beyond the time of a move.
    pub(super) fn new(process: Process, ready_within: Duration, grace: Duration) -> Self {
        Self {
            process,
            ready_within,
            grace,
            stop: Arc::default(),
            is_searching: false,
        }
    }

    /// Sets the flag that ends every wait from now on.
    pub(super) fn stop_by(&mut self, stop: &Arc<AtomicBool>) {
        self.stop = Arc::clone(stop);
    }

    /// Whether a question of [`ask`](Self::ask) has no answer yet.
    pub(super) fn is_searching(&self) -> bool {
        self.is_searching
    }

    pub(super) fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    /// Sends a line.
    ///
    /// # Errors
    ///
    /// [`Fault::Unread`].
    pub(super) fn send(&self, line: impl Into<String>) -> Result<(), Fault> {
        self.process.send(line.into())
    }

    /// Reads lines until `find` has found something in one, within the time of a preparation.
    ///
    /// # Errors
    ///
    /// The error of `find`; otherwise the reason why the line does not come.
    pub(super) fn await_ready<T>(
        &mut self,
        awaited: &'static str,
        find: impl FnMut(&str) -> Result<Option<T>, Fault>,
    ) -> Result<T, Fault> {
        let stop = Arc::clone(&self.stop);
        self.read_until(awaited, self.ready_within, &stop, find)
    }

    /// As [`await_ready`](Self::await_ready), for the line that is one of these words.
    pub(super) fn await_word(&mut self, word: &'static str) -> Result<(), Fault> {
        self.await_ready(word, |line| Ok((line == word).then_some(())))
    }

    /// Asks for a move of this side; returns the result of `find`, and the time until it came.
    ///
    /// # Errors
    ///
    /// As [`await_ready`](Self::await_ready).
    pub(super) fn ask<T>(
        &mut self,
        question: &str,
        limits: &MoveLimits,
        side: Side,
        find: impl FnMut(&str) -> Result<Option<T>, Fault>,
    ) -> Result<(T, Duration), Fault> {
        let due = limits.due(side).saturating_add(self.grace);
        let stop = Arc::clone(&self.stop);
        let began = Instant::now();
        self.send(question)?;
        self.is_searching = true;
        let found = self.read_until("move", due, &stop, find)?;
        self.is_searching = false;
        Ok((found, began.elapsed()))
    }

    /// Ends a search by this line, and waits for the line that begins with `word`.
    ///
    /// # Errors
    ///
    /// As [`await_ready`](Self::await_ready).
    pub(super) fn interrupt(&mut self, line: &str, word: &str) -> Result<(), Fault> {
        self.send(line)?;
        let never = Arc::default();
        let find = |line: &str| Ok(line.starts_with(word).then_some(()));
        self.read_until("move", STOP_WITHIN, &never, find)?;
        self.is_searching = false;
        Ok(())
    }

    fn read_until<T>(
        &mut self,
        awaited: &'static str,
        limit: Duration,
        stop: &Arc<AtomicBool>,
        mut find: impl FnMut(&str) -> Result<Option<T>, Fault>,
    ) -> Result<T, Fault> {
        // A limit that no clock can express is as good as none.
        let until = Instant::now().checked_add(limit);
        for _ in 0..MAX_LINES {
            let line = self.line(awaited, limit, until, stop)?;
            if let Some(found) = find(&line)? {
                return Ok(found);
            }
        }
        let lines = MAX_LINES;
        Err(Fault::ManyLines { awaited, lines })
    }

    fn line(
        &mut self,
        awaited: &'static str,
        limit: Duration,
        until: Option<Instant>,
        stop: &Arc<AtomicBool>,
    ) -> Result<String, Fault> {
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(Fault::Stopped);
            }
            let left = until.map_or(STOP_CHECK, |until| {
                until.saturating_duration_since(Instant::now())
            });
            // A line that has come is taken even when its time is over: on a busy machine the wait itself may last longer.
            match self.process.line(left.min(STOP_CHECK)) {
                Ok(line) => return Ok(line),
                Err(NoLine::TooLong) => return Err(Process::long_line()),
                Err(NoLine::Ended) => {
                    let status = self.process.status();
                    return Err(Fault::Ended { awaited, status });
                }
                Err(NoLine::Waiting) if left.is_zero() => {
                    return Err(Fault::Late { awaited, limit });
                }
                Err(NoLine::Waiting) => (),
            }
        }
    }
}
