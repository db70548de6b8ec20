//! The order of moves: the best move of an earlier visit first, then moves with an order score
//! of the game, then moves that caused a cutoff at the same ply elsewhere (killers), then moves with
//! frequent cutoffs anywhere (history).

use std::hash::Hash;

use mawe_rules::Side;

use crate::sight::slot_of;

const HISTORY_BITS: u32 = 12;
/// The greatest absolute count of history.
const MAX_HISTORY: i32 = 1 << 16;
const RANK_BEST: i32 = i32::MAX;
/// Greater than all history, less than an order score of the game.
const RANK_KILLER: i32 = 1 << 17;
/// The rank of one step of an order score, greater than the rank of killers.
const RANK_ORDER_SCORE: i32 = 1 << 19;
/// The greatest absolute number of steps of an order score.
const MAX_ORDER_SCORE: i32 = 2_000;

pub(crate) struct MoveOrder<M> {
    /// The last two moves that caused a cutoff at each ply.
    killers: Vec<[Option<M>; 2]>,
    /// The cutoffs of each move, by side and a small hash of the move.
    history: [Vec<i32>; 2],
    /// A stack of the queues of all plies of the current line: rank, and the move's index.
    ranked: Vec<(i32, u16)>,
    use_killers: bool,
    use_history: bool,
}

/// The remaining moves of one node: a slice of the stack.
#[derive(Clone, Copy)]
pub(crate) struct Queue {
    start: usize,
    next: usize,
    end: usize,
    /// The number of moves still picked by rank; later ones come in any order.
    picks: usize,
}

impl Queue {
    pub(crate) fn is_empty(&self) -> bool {
        self.next == self.end
    }
}

impl<M: Copy + Eq + Hash> MoveOrder<M> {
    /// The order of moves for lines of up to `plies` plies.
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

    /// Halves the counts of history.
    pub(crate) fn age(&mut self) {
        for counts in &mut self.history {
            counts.iter_mut().for_each(|count| *count /= 2);
        }
    }

    /// Opens a queue on top of the stack, whose first `picks` moves come by rank. Only the topmost
    /// queue accepts moves.
    pub(crate) fn open_queue(&mut self, picks: usize) -> Queue {
        let start = self.ranked.len();
        Queue {
            start,
            next: start,
            end: start,
            picks,
        }
    }

    /// Removes a queue, and those above it, from the stack.
    pub(crate) fn drop_queue(&mut self, queue: Queue) {
        self.ranked.truncate(queue.start);
    }

    /// Queues a move by its index, before all others.
    #[inline]
    pub(crate) fn push_best(&mut self, queue: &mut Queue, index: u16) {
        self.ranked.push((RANK_BEST, index));
        queue.end = self.ranked.len();
    }

    /// Queues a move by its index.
    #[inline]
    pub(crate) fn push(
        &mut self,
        queue: &mut Queue,
        index: u16,
        m: M,
        order_score: i32,
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
        let rank = order_score.clamp(-MAX_ORDER_SCORE, MAX_ORDER_SCORE) * RANK_ORDER_SCORE + learnt;
        self.ranked.push((rank, index));
        queue.end = self.ranked.len();
    }

    /// The index of the highest ranked remaining move, the first queued among equals; after `picks`
    /// moves, of any remaining one. Most nodes need few of their moves, so moves are picked one by
    /// one instead of sorted, and a node that needs all moves does not depend on their order.
    #[inline]
    pub(crate) fn next(&mut self, queue: &mut Queue) -> Option<u16> {
        let rest = self.ranked.get_mut(queue.next..queue.end)?;
        let mut best = 0;
        if queue.picks > 0 {
            queue.picks -= 1;
            let mut key = *rest.first()?;
            for (i, candidate) in rest.iter().enumerate().skip(1) {
                // The index breaks ties, because picking changes the order.
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

    /// As [`next`](MoveOrder::next), on a copy of the queue from when it was opened: returns the
    /// moves already tried, in the same order.
    pub(crate) fn tried(&self, queue: &mut Queue) -> Option<u16> {
        let (_, index) = self.ranked.get(queue.next..queue.end)?.first()?;
        queue.next += 1;
        Some(*index)
    }

    /// Records that `m` caused a cutoff, `depth` plies before the horizon.
    pub(crate) fn reward(&mut self, side: Side, m: M, depth: u32, ply: u32) {
        self.count(side, m, bonus(depth));
        if let Some([newest, older]) = self.killers.get_mut(ply as usize)
            && *newest != Some(m)
        {
            *older = newest.replace(m);
        }
    }

    /// Records that `m` was tried before the move that caused a cutoff.
    pub(crate) fn blame(&mut self, side: Side, m: M, depth: u32) {
        self.count(side, m, -bonus(depth));
    }

    /// Changes a count of history; the change becomes smaller as the count approaches its limit.
    fn count(&mut self, side: Side, m: M, bonus: i32) {
        let count = &mut self.history[index_of(side)][slot_of(&m, HISTORY_BITS)];
        *count += bonus - *count / 64 * bonus.abs() / (MAX_HISTORY / 64);
    }
}

/// The change of a count: at most a quarter of [`MAX_HISTORY`], so that counts stay within it.
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
    fn the_best_comes_first_then_order_scores_then_killers_then_history() {
        let mut order: MoveOrder<char> = MoveOrder::new(4, true, true);
        order.reward(Side::First, 'k', 1, 2);
        order.reward(Side::First, 'h', 3, 1);
        order.blame(Side::First, 'b', 3);
        let mut queue = order.open_queue(9);
        for (index, m) in "abhkpz".chars().enumerate() {
            if m == 'z' {
                order.push_best(&mut queue, index as u16);
            } else {
                let order_score = i32::from(m == 'p');
                order.push(&mut queue, index as u16, m, order_score, Side::First, 2);
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
