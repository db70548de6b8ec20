//! How long a search may go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What bounds a search. The first limit that is reached ends it; without any it goes on until the
/// result is proven or [`MAX_DEPTH`](crate::search::MAX_DEPTH) is reached.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Deepest iteration, in plies (0 counts as 1).
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Time from the call of the search. Only this limit makes the search read the clock.
    pub movetime: Option<Duration>,
    /// Set from outside to end the search at once.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// A limit of depth alone, in plies.
    pub fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// A limit of positions visited alone.
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// A limit of time alone.
    pub fn movetime(movetime: Duration) -> Self {
        Self {
            movetime: Some(movetime),
            ..Self::default()
        }
    }
}

/// Nodes between two looks at the stop flag and the clock: a fraction of a millisecond.
const NODES_BETWEEN_LOOKS: u64 = 512;

/// The limits of a search that has begun.
pub(crate) struct Budget<'a> {
    nodes: u64,
    stop: Option<&'a AtomicBool>,
    end: Option<Instant>,
}

impl<'a> Budget<'a> {
    /// Starts the clock, if there is a limit in time.
    pub(crate) fn start(limits: &'a Limits) -> Self {
        Self {
            nodes: limits.nodes.unwrap_or(u64::MAX),
            stop: limits.stop.as_deref(),
            // A time beyond what the clock can express is no limit.
            end: limits
                .movetime
                .and_then(|time| Instant::now().checked_add(time)),
        }
    }

    /// Whether the search must end before it visits node number `nodes`, counted from 0.
    pub(crate) fn is_spent(&self, nodes: u64) -> bool {
        nodes >= self.nodes || (nodes.is_multiple_of(NODES_BETWEEN_LOOKS) && self.is_called_off())
    }

    fn is_called_off(&self) -> bool {
        let stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        stopped || self.end.is_some_and(|end| Instant::now() >= end)
    }
}
