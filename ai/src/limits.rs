//! The limits of a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use web_time::Instant;

/// The limits of a search. The first one reached ends it; without any, the search continues until the
/// result is proven or [`MAX_DEPTH`](crate::search::MAX_DEPTH) is reached.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Deepest iteration, in plies (0 counts as 1).
    pub depth: Option<u32>,
    /// The number of positions visited by all threads together.
    pub nodes: Option<u64>,
    /// Time from the call of the search.
    pub movetime: Option<Duration>,
    /// The clock of the side to move, a share of which the search may use.
    pub clock: Option<Clock>,
    /// A flag that another thread sets to end the search at once.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// Only a limit of depth, in plies.
    pub fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// Only a limit of positions visited.
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// Only a limit of time.
    pub fn movetime(movetime: Duration) -> Self {
        Self {
            movetime: Some(movetime),
            ..Self::default()
        }
    }
}

/// The time of the side to move, for this ply and later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// The time that every ply adds.
    pub increment: Duration,
    /// The plies until the clock gets more time, including this one; `None` if it never does.
    pub moves_to_go: Option<u32>,
}

/// The time reserved for receiving a move and sending the answer.
const OVERHEAD: Duration = Duration::from_millis(30);
/// The assumed number of further plies of the side, without `moves_to_go`.
const PLIES_TO_GO: u32 = 22;
/// The factor by which a ply may exceed its planned time to finish an iteration.
const STRETCH: u32 = 3;

impl Clock {
    /// The time after which no new iteration begins, and the time after which the search is aborted. Both
    /// leave some time on the clock, even if little is left.
    fn plan(self) -> (Duration, Duration) {
        let usable = self.left.saturating_sub(OVERHEAD).max(self.left / 10);
        let plies = self.moves_to_go.unwrap_or(PLIES_TO_GO).clamp(1, 200);
        // The increment is added after the ply, so it must not be spent before.
        let share = usable / plies + self.increment * 3 / 4;
        let most = usable * 4 / 5;
        // An iteration takes longer than all earlier ones together, so a late one would not finish.
        ((share / 2).min(most), (share * STRETCH).min(most))
    }
}

/// The number of nodes between two checks of the stop flag and the clock: a fraction of a millisecond.
const NODES_BETWEEN_CHECKS: u64 = 256;

/// The limits of a running search, shared by all its threads.
pub(crate) struct Budget<'a> {
    nodes: u64,
    stop: Option<&'a AtomicBool>,
    began: Option<Instant>,
    /// The time after which no iteration begins.
    soft_end: Option<Instant>,
    end: Option<Instant>,
    /// The number of nodes of all threads, updated in portions.
    visited: AtomicU64,
    /// Set when the first thread has finished.
    over: AtomicBool,
}

impl<'a> Budget<'a> {
    /// Starts the clock, if there is a time limit.
    pub(crate) fn start(limits: &'a Limits) -> Self {
        let timed = limits.movetime.is_some() || limits.clock.is_some();
        let began = timed.then(Instant::now);
        // A time that the clock cannot represent is no limit.
        let after = |time: Option<Duration>| began?.checked_add(time?);
        let plan = limits.clock.map(Clock::plan);
        let (movetime, hard) = (
            after(limits.movetime),
            after(plan.map(|(_, longest)| longest)),
        );
        Self {
            nodes: limits.nodes.unwrap_or(u64::MAX),
            stop: limits.stop.as_deref(),
            began,
            soft_end: after(plan.map(|(planned, _)| planned)),
            end: match (movetime, hard) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            },
            visited: AtomicU64::new(0),
            over: AtomicBool::new(false),
        }
    }

    /// A counter of one thread against these limits.
    pub(crate) fn share(&self) -> Share<'_> {
        Share {
            budget: self,
            nodes: 0,
            next_check: 0,
            told: 0,
        }
    }

    /// Whether another iteration may begin.
    pub(crate) fn is_worth_going_on(&self) -> bool {
        self.soft_end.is_none_or(|end| Instant::now() < end)
    }

    /// The estimated number of nodes that can still be visited after `nodes`, if they take as long as the
    /// earlier ones; `None` without a limit.
    pub(crate) fn nodes_left(&self, nodes: u64) -> Option<u64> {
        let by_count = (self.nodes < u64::MAX).then(|| self.nodes.saturating_sub(nodes));
        // An iteration that begins before the soft end may finish a while after it.
        let end = match (self.soft_end, self.end) {
            (Some(soft), Some(hard)) => Some((soft + (hard - soft) / 4).min(hard)),
            (_, end) => end,
        };
        let by_time = self.began.zip(end).map(|(began, end)| {
            let now = Instant::now();
            let (used, left) = (now - began, end.saturating_duration_since(now));
            let rate = nodes as f64 / used.as_secs_f64().max(1e-4);
            (rate * left.as_secs_f64()) as u64
        });
        match (by_count, by_time) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }

    /// Ends the search for all threads.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    fn is_called_off(&self) -> bool {
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        is_set(&self.over)
            || self.stop.is_some_and(is_set)
            || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

/// The node counter of one thread.
pub(crate) struct Share<'a> {
    budget: &'a Budget<'a>,
    pub(crate) nodes: u64,
    /// The node at which the flag, the clock and the total are checked next.
    next_check: u64,
    /// The part of `nodes` that is included in the shared total.
    told: u64,
}

impl Share<'_> {
    /// Counts one more node; returns `false` if the search must end before it.
    #[inline(always)]
    pub(crate) fn count_node(&mut self) -> bool {
        if self.nodes >= self.next_check && !self.check() {
            return false;
        }
        self.nodes += 1;
        true
    }

    /// Sets the next check, so near that a single thread never exceeds the node limit.
    #[cold]
    fn check(&mut self) -> bool {
        let all = self.tell();
        let left = self.budget.nodes.saturating_sub(all);
        self.next_check = self.nodes + left.min(NODES_BETWEEN_CHECKS);
        left > 0 && !self.budget.is_called_off()
    }

    /// Adds the new nodes to the shared total and returns it.
    pub(crate) fn tell(&mut self) -> u64 {
        let new = self.nodes - self.told;
        self.told = self.nodes;
        self.budget.visited.fetch_add(new, Ordering::Relaxed) + new
    }

    /// The number of nodes of all threads, as far as they have been added.
    pub(crate) fn all(&self) -> u64 {
        self.budget.visited.load(Ordering::Relaxed) + (self.nodes - self.told)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_limit_is_kept_to_the_node() {
        for nodes in [0, 1, 255, 256, 257, 5000] {
            let limits = Limits::nodes(nodes);
            let budget = Budget::start(&limits);
            let mut share = budget.share();
            let mut taken = 0;
            while share.count_node() {
                taken += 1;
            }
            assert_eq!((taken, share.nodes), (nodes, nodes));
        }
    }

    #[test]
    fn a_stop_is_seen_within_a_few_nodes_whenever_it_comes() {
        // Tests both the flag, which any thread can set, and the clock.
        for nodes_before in [0, 1, 255, 256, 257, 10_000] {
            let stop = Arc::new(AtomicBool::new(false));
            let limits = Limits {
                stop: Some(Arc::clone(&stop)),
                ..Limits::default()
            };
            let budget = Budget::start(&limits);
            let mut share = budget.share();
            for _ in 0..nodes_before {
                assert!(share.count_node());
            }
            stop.store(true, Ordering::Relaxed);
            let after = (0..).take_while(|_| share.count_node()).count() as u64;
            assert!(after < NODES_BETWEEN_CHECKS, "{after} nodes after the stop");
        }
        let limits = Limits::movetime(Duration::ZERO);
        let budget = Budget::start(&limits);
        assert!(
            !budget.share().count_node(),
            "the time is up before the first node"
        );
    }

    #[test]
    fn a_clock_is_never_used_up() {
        let times = [0, 1, 5, 40, 1_000, 60_000, 10_000_000].map(Duration::from_millis);
        for left in times {
            for increment in times {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let clock = Clock {
                        left,
                        increment,
                        moves_to_go,
                    };
                    let (planned, longest) = clock.plan();
                    assert!(planned <= longest && longest <= left, "{clock:?}");
                    assert!(longest < left || left.is_zero(), "{clock:?}");
                }
            }
        }
    }
}
