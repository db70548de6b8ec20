//! In which order moves are tried: the best of an earlier visit, then what the game says looks good,
//! then what cut off at the same ply elsewhere (killers), then what has cut off often anywhere
//! (history).

use std::hash::Hash;

use mawe_rules::Side;

use crate::sight::slot_of;

const HISTORY_BITS: u32 = 12;
/// No count of history is beyond this, either way.
const MAX_HISTORY: i32 = 1 << 16;
const RANK_BEST: i32 = i32::MAX;
/// Above all history, below what the game promises.
const RANK_KILLER: i32 = 1 << 17;
/// One step of what the game promises is above all killers.
const RANK_PROMISE: i32 = 1 << 19;
/// The most steps a game can promise, either way.
const MAX_PROMISE: i32 = 2_000;

pub(crate) struct MoveOrder<M> {
    /// The last two moves that cut off at each ply.
    killers: Vec<[Option<M>; 2]>,
    /// How much a move has cut off, by side and a small hash of the move.
    history: [Vec<i32>; 2],
    /// A stack of the queues of all plies of the present line: rank, and the move's index.
    ranked: Vec<(i32, u16)>,
    use_killers: bool,
    use_history: bool,
}

/// One node's moves still to be tried: a piece of the stack.
#[derive(Clone, Copy)]
pub(crate) struct Queue {
    start: usize,
    next: usize,
    end: usize,
    /// So many are picked by rank, the others taken as they come.
    picks: usize,
}

impl Queue {
    pub(crate) fn is_empty(&self) -> bool {
        self.next == self.end
    }
}

impl<M: Copy + Eq + Hash> MoveOrder<M> {
    /// For lines of up to `plies` plies.
    pub(crate) fn new(plies: usize, use_killers: bool, use_history: bool) -> Self {
        let history = || vec![0; 1 << HISTORY_BITS];
        Self {
            killers: vec![[None; 2]; plies],
            history: [history(), history()],
            ranked: Vec::with_capacity(4096),
            use_killers,
            use_history,
        }
    }

    /// Makes what was learnt so far count half.
    pub(crate) fn age(&mut self) {
        for counts in &mut self.history {
            counts.iter_mut().for_each(|count| *count /= 2);
        }
    }

    /// A queue on top of the stack, the first `picks` moves of which come by rank. Only the topmost
    /// may be pushed to.
    pub(crate) fn open_queue(&mut self, picks: usize) -> Queue {
        let start = self.ranked.len();
        Queue {
            start,
            next: start,
            end: start,
            picks,
        }
    }

    /// Takes a queue, and those above it, off the stack.
    pub(crate) fn drop_queue(&mut self, queue: Queue) {
        self.ranked.truncate(queue.start);
    }

    /// Queues a move under its index, before all others.
    #[inline]
    pub(crate) fn push_best(&mut self, queue: &mut Queue, index: u16) {
        self.ranked.push((RANK_BEST, index));
        queue.end = self.ranked.len();
    }

    /// Queues a move under its index.
    #[inline]
    pub(crate) fn push(
        &mut self,
        queue: &mut Queue,
        index: u16,
        m: M,
        promise: i32,
        side: Side,
        ply: u32,
    ) {
        let killers = self.killers.get(ply as usize);
        let learnt =
            if self.use_killers && killers.is_some_and(|killers| killers.contains(&Some(m))) {
                RANK_KILLER
            } else if self.use_history {
                self.history[index_of(side)][slot_of(&m, HISTORY_BITS)]
            } else {
                0
            };
        let rank = promise.clamp(-MAX_PROMISE, MAX_PROMISE) * RANK_PROMISE + learnt;
        self.ranked.push((rank, index));
        queue.end = self.ranked.len();
    }

    /// The index of the highest ranked move left, the first queued among equals; once enough have
    /// been picked, of any move left. Most nodes need few of their moves, so they are picked one by
    /// one rather than sorted, and a node that needs all of them does not care in which order.
    #[inline]
    pub(crate) fn next(&mut self, queue: &mut Queue) -> Option<u16> {
        let rest = self.ranked.get_mut(queue.next..queue.end)?;
        let mut best = 0;
        if queue.picks > 0 {
            queue.picks -= 1;
            let mut key = *rest.first()?;
            for (i, candidate) in rest.iter().enumerate().skip(1) {
                // By index among equals, for picking disturbs the order.
                if candidate.0 > key.0 || (candidate.0 == key.0 && candidate.1 < key.1) {
                    (best, key) = (i, *candidate);
                }
            }
        }
        let index = rest.get(best)?.1;
        rest.swap(0, best);
        queue.next += 1;
        Some(index)
    }

    /// As [`next`](MoveOrder::next), of a copy of the queue as it was opened: what has come already,
    /// in the same order.
    pub(crate) fn tried(&self, queue: &mut Queue) -> Option<u16> {
        let (_, index) = self.ranked.get(queue.next..queue.end)?.first()?;
        queue.next += 1;
        Some(*index)
    }

    /// Notes that `m` cut off, `depth` plies before the horizon.
    pub(crate) fn reward(&mut self, side: Side, m: M, depth: u32, ply: u32) {
        self.count(side, m, bonus(depth));
        if let Some([newest, older]) = self.killers.get_mut(ply as usize)
            && *newest != Some(m)
        {
            *older = newest.replace(m);
        }
    }

    /// Notes that `m` was tried before what cut off.
    pub(crate) fn blame(&mut self, side: Side, m: M, depth: u32) {
        self.count(side, m, -bonus(depth));
    }

    /// The nearer a count is to its limit, the less it still moves.
    fn count(&mut self, side: Side, m: M, bonus: i32) {
        let count = &mut self.history[index_of(side)][slot_of(&m, HISTORY_BITS)];
        *count += bonus - *count / 64 * bonus.abs() / (MAX_HISTORY / 64);
    }
}

/// At most a quarter of [`MAX_HISTORY`], so that counts stay within it.
fn bonus(depth: u32) -> i32 {
    let depth = depth.min(32) as i32;
    depth * depth * 16
}

fn index_of(side: Side) -> usize {
    match side {
        Side::First => 0,
        Side::Second => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_comes_first_then_promises_then_killers_then_history() {
        let mut order: MoveOrder<char> = MoveOrder::new(4, true, true);
        order.reward(Side::First, 'k', 1, 2);
        order.reward(Side::First, 'h', 3, 1);
        order.blame(Side::First, 'b', 3);
        let mut queue = order.open_queue(9);
        for (index, m) in "abhkpz".chars().enumerate() {
            if m == 'z' {
                order.push_best(&mut queue, index as u16);
            } else {
                let promise = i32::from(m == 'p');
                order.push(&mut queue, index as u16, m, promise, Side::First, 2);
            }
        }
        let tried: Vec<u16> = std::iter::from_fn(|| order.next(&mut queue)).collect();
        assert_eq!(tried, [5, 4, 3, 2, 0, 1]);
        order.drop_queue(queue);
        assert!(order.ranked.is_empty());
    }

    #[test]
    fn after_the_picks_every_move_still_comes_once() {
        let mut order: MoveOrder<char> = MoveOrder::new(1, true, true);
        let mut queue = order.open_queue(1);
        for (index, m) in "abcde".chars().enumerate() {
            order.push(
                &mut queue,
                index as u16,
                m,
                i32::from(m == 'd'),
                Side::First,
                0,
            );
        }
        let mut tried: Vec<u16> = std::iter::from_fn(|| order.next(&mut queue)).collect();
        assert_eq!(tried[0], 3);
        tried.sort_unstable();
        assert_eq!(tried, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn history_stays_within_its_limits() {
        let mut order: MoveOrder<char> = MoveOrder::new(1, true, true);
        for _ in 0..10_000 {
            order.reward(Side::First, 'a', 200, 0);
            order.blame(Side::Second, 'a', 200);
        }
        let slot = slot_of(&'a', HISTORY_BITS);
        assert!((1..=MAX_HISTORY).contains(&order.history[0][slot]));
        assert!((-MAX_HISTORY..0).contains(&order.history[1][slot]));
    }
}
