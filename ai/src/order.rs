//! In which order moves are tried: the best of an earlier visit, then what cut off at the same ply
//! elsewhere (killers), then what has cut off often anywhere (history).

use std::hash::Hash;

use mawe_rules::Side;

use crate::sight::slot_of;

const HISTORY_BITS: u32 = 12;
const MAX_HISTORY: i32 = 1 << 24;
const RANK_BEST: i32 = i32::MAX;
const RANK_KILLER: i32 = i32::MAX - 1;

pub(crate) struct MoveOrder<M> {
    /// The last two moves that cut off at each ply.
    killers: Vec<[Option<M>; 2]>,
    /// How much a move has cut off, by side and a small hash of the move.
    history: [Vec<i32>; 2],
    /// A stack of the queues of all plies of the present line: rank, and the move's index.
    ranked: Vec<(i32, u16)>,
}

/// One node's moves still to be tried: a piece of the stack.
#[derive(Clone, Copy)]
pub(crate) struct Queue {
    start: usize,
    next: usize,
    end: usize,
}

impl Queue {
    pub(crate) fn is_empty(&self) -> bool {
        self.next == self.end
    }
}

impl<M: Copy + Eq + Hash> MoveOrder<M> {
    /// For lines of up to `plies` plies.
    pub(crate) fn new(plies: usize) -> Self {
        let history = || vec![0; 1 << HISTORY_BITS];
        Self {
            killers: vec![[None; 2]; plies],
            history: [history(), history()],
            ranked: Vec::new(),
        }
    }

    /// Makes what was learnt so far count half.
    pub(crate) fn age(&mut self) {
        for counts in &mut self.history {
            counts.iter_mut().for_each(|count| *count /= 2);
        }
    }

    /// A queue on top of the stack. Only the topmost may be pushed to.
    pub(crate) fn open_queue(&mut self) -> Queue {
        let start = self.ranked.len();
        Queue {
            start,
            next: start,
            end: start,
        }
    }

    /// Takes a queue, and those above it, off the stack.
    pub(crate) fn drop_queue(&mut self, queue: Queue) {
        self.ranked.truncate(queue.start);
    }

    /// Queues a move under its index.
    #[inline]
    pub(crate) fn push(
        &mut self,
        queue: &mut Queue,
        index: u16,
        m: M,
        is_best: bool,
        side: Side,
        ply: u32,
    ) {
        let killers = self.killers.get(ply as usize);
        let rank = if is_best {
            RANK_BEST
        } else if killers.is_some_and(|killers| killers.contains(&Some(m))) {
            RANK_KILLER
        } else {
            self.history[index_of(side)][slot_of(&m, HISTORY_BITS)]
        };
        self.ranked.push((rank, index));
        queue.end = self.ranked.len();
    }

    /// The index of the highest ranked move left, the first queued among equals. Most nodes need
    /// few of their moves, so they are picked one by one rather than sorted.
    #[inline]
    pub(crate) fn next(&mut self, queue: &mut Queue) -> Option<u16> {
        let rest = self.ranked.get_mut(queue.next..queue.end)?;
        let mut best = 0;
        for (i, candidate) in rest.iter().enumerate() {
            // By index among equals, for picking disturbs the order.
            let key = |(rank, index): (i32, u16)| (rank, std::cmp::Reverse(index));
            if key(*candidate) > key(rest[best]) {
                best = i;
            }
        }
        let index = rest.get(best)?.1;
        rest.swap(0, best);
        queue.next += 1;
        Some(index)
    }

    /// Notes that `m` cut off.
    pub(crate) fn reward(&mut self, side: Side, m: M, depth: u32, ply: u32) {
        let count = &mut self.history[index_of(side)][slot_of(&m, HISTORY_BITS)];
        *count = (*count + (depth * depth) as i32).min(MAX_HISTORY);
        if let Some([newest, older]) = self.killers.get_mut(ply as usize)
            && *newest != Some(m)
        {
            *older = newest.replace(m);
        }
    }
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
    fn the_best_comes_first_then_killers_then_history() {
        let mut order: MoveOrder<char> = MoveOrder::new(4);
        order.reward(Side::First, 'k', 1, 2);
        order.reward(Side::First, 'h', 3, 1);
        let mut queue = order.open_queue();
        for (index, m) in "abhkz".chars().enumerate() {
            order.push(&mut queue, index as u16, m, m == 'z', Side::First, 2);
        }
        let tried: Vec<u16> = std::iter::from_fn(|| order.next(&mut queue)).collect();
        assert_eq!(tried, [4, 3, 2, 0, 1]);
        order.drop_queue(queue);
        assert!(order.ranked.is_empty());
    }
}
