//! The delay of events for the spectators of a rated match, so that they cannot help a player.
//!
//! Players get events without delay. A new spectator sees the match with the same delay as the others.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The queue of delayed events, each in its encoded form `F`.
#[derive(Debug)]
pub struct SpectatorDelay<F> {
    delay: Duration,
    hidden: VecDeque<Hidden<F>>,
}

#[derive(Debug)]
struct Hidden<F> {
    due: Instant,
    seq: u64,
    frame: F,
}

impl<F> SpectatorDelay<F> {
    /// Creates a queue that delays every event by `delay`; zero for no delay.
    #[must_use]
    pub fn new(delay: Duration) -> SpectatorDelay<F> {
        SpectatorDelay {
            delay,
            hidden: VecDeque::new(),
        }
    }

    /// Whether it delays events.
    #[must_use]
    pub fn delays(&self) -> bool {
        !self.delay.is_zero()
    }

    /// Queues an event; returns the frame if there is no delay.
    #[must_use]
    pub fn push(&mut self, now: Instant, seq: u64, frame: F) -> Option<F> {
        if !self.delays() {
            return Some(frame);
        }
        let due = now + self.delay;
        self.hidden.push_back(Hidden { due, seq, frame });
        None
    }

    /// Returns when the next event is due.
    #[must_use]
    pub fn due(&self) -> Option<Instant> {
        self.hidden.front().map(|hidden| hidden.due)
    }

    /// Removes and returns the events that are due, in order.
    pub fn due_frames(&mut self, now: Instant) -> Vec<F> {
        let due = self.hidden.iter().take_while(|hidden| hidden.due <= now);
        let count = due.count();
        self.hidden
            .drain(..count)
            .map(|hidden| hidden.frame)
            .collect()
    }

    /// Returns the last seq that spectators have been sent, of a journal with this head.
    #[must_use]
    pub fn visible_head(&self, head: u64) -> u64 {
        self.hidden.front().map_or(head, |hidden| hidden.seq - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_shown_in_order_when_it_is_due() {
        let mut queue = SpectatorDelay::<String>::new(Duration::from_secs(3));
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(queue.visible_head(4), 4);
        assert!(queue.push(at(0), 5, "five".into()).is_none());
        assert!(queue.push(at(1), 6, "six".into()).is_none());
        assert_eq!((queue.visible_head(6), queue.due()), (4, Some(at(3))));
        assert!(queue.due_frames(at(2)).is_empty());
        assert_eq!(queue.due_frames(at(3)), ["five"]);
        assert_eq!(queue.visible_head(6), 5);
        assert_eq!(queue.due_frames(at(9)), ["six"]);
        assert_eq!((queue.visible_head(6), queue.due()), (6, None));
    }

    #[test]
    fn no_delay_hides_nothing() {
        let mut queue = SpectatorDelay::<String>::new(Duration::ZERO);
        assert!(queue.push(Instant::now(), 1, "one".into()).is_some());
        assert_eq!(queue.visible_head(1), 1);
    }
}
