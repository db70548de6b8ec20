//! Alpha-beta with principal variation windows: one iteration, node by node.

use super::score::{INFINITE, Value, Window, fastest_win, from_node, result, usable};
use super::{Found, MAX_DEPTH};
use crate::eval::{Evaluate, MAX_EVALUATION};
use crate::limits::{Budget, Limits};
use crate::order::{MoveOrder, Queue};
use crate::sight::Sight;
use crate::table::{Bound, Entry, SOLVED, Table};

/// A search under way.
pub(crate) struct Searcher<'a, P: Evaluate> {
    budget: Budget<'a>,
    sight: Option<Sight>,
    table: Table,
    pub(crate) nodes: u64,
    pub(crate) stopped: bool,
    /// The best move and score of the root so far.
    root_best: Option<P::Move>,
    pub(crate) root_score: i32,
    /// The best line from each ply on.
    pub(crate) pv: Vec<Vec<P::Move>>,
    order: MoveOrder<P::Move>,
    /// A stack of the move lists of all plies of the present line.
    moves: Vec<P::Move>,
}

impl<'a, P: Evaluate> Searcher<'a, P> {
    pub(crate) fn new(limits: &'a Limits, sight: Option<Sight>) -> Self {
        let depth = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH) as usize;
        // A shallow search visits few nodes, and a small table is quicker to make.
        let nodes = match depth {
            1..4 => 1 << 12,
            _ => limits.nodes.unwrap_or(u64::MAX),
        };
        Self {
            budget: Budget::start(limits),
            sight,
            table: Table::for_nodes(nodes),
            nodes: 0,
            stopped: false,
            root_best: None,
            root_score: 0,
            pv: vec![Vec::new(); depth + 2],
            order: MoveOrder::new(depth + 1),
            moves: Vec::new(),
        }
    }

    /// The move that looks best at once: what is played if there is no time to search.
    pub(crate) fn glance(&self, pos: &P) -> Option<Found<P::Move>> {
        if pos.outcome().is_some() {
            return None;
        }
        let judged = pos.legal_moves().into_iter().map(|m| {
            let mut child = pos.clone();
            child.play_unchecked(m);
            let value = match child.outcome() {
                Some(outcome) => result(outcome, child.turn(), 1),
                None => self.judge(&child),
            };
            let score = value.seen_by(child.turn() == pos.turn()).score;
            (score, m)
        });
        let (score, best) =
            judged.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
        Some(Found {
            best,
            score,
            proven: false,
            depth: 0,
            nodes: 0,
            pv: vec![best],
        })
    }

    /// One search to a fixed depth, `first` tried first.
    pub(crate) fn iterate(&mut self, pos: &P, depth: u32, first: P::Move) -> Value {
        self.root_best = Some(first);
        self.order.age();
        for line in &mut self.pv {
            line.clear();
        }
        self.node(pos, depth, 0, -INFINITE, INFINITE)
    }

    fn judge(&self, pos: &P) -> Value {
        let error = self.sight.map_or(0, |sight| sight.error(pos.zobrist()));
        let score = pos.evaluate().saturating_add(error);
        Value {
            score: score.clamp(-MAX_EVALUATION, MAX_EVALUATION),
            solved: false,
        }
    }

    fn node(&mut self, pos: &P, depth: u32, ply: u32, alpha: i32, beta: i32) -> Value {
        if self.budget.is_spent(self.nodes) {
            self.stopped = true;
            return Value {
                score: 0,
                solved: false,
            };
        }
        self.nodes += 1;
        if let Some(line) = self.pv.get_mut(ply as usize) {
            line.clear();
        }
        if let Some(outcome) = pos.outcome() {
            return result(outcome, pos.turn(), ply);
        }
        if depth == 0 {
            return self.judge(pos);
        }

        // No result is better than a win with this ply, none worse than a loss with it.
        let (alpha, beta) = (alpha.max(-fastest_win(ply)), beta.min(fastest_win(ply)));
        if alpha >= beta {
            return Value {
                score: alpha,
                solved: true,
            };
        }

        let window = Window {
            depth,
            ply,
            alpha,
            beta,
        };
        let known = self.table.get(pos.zobrist());
        if let Some(value) = known
            .filter(|_| ply > 0)
            .and_then(|entry| usable(entry, window))
        {
            return value;
        }

        let first = self.moves.len();
        pos.legal_moves_into(&mut self.moves);
        let queue = self.arrange(pos, first, ply, known.and_then(|entry| entry.best));
        let value = self.try_moves(pos, first, queue, window);
        self.order.drop_queue(queue);
        self.moves.truncate(first);
        value
    }

    /// Plays the moves that lie on the stack from `first` on, in the order of `queue`.
    fn try_moves(&mut self, pos: &P, first: usize, mut queue: Queue, window: Window) -> Value {
        let Window {
            depth,
            ply,
            alpha,
            beta,
        } = window;
        let mut best = Value {
            score: -INFINITE,
            solved: true,
        };
        let mut best_index = None;
        let mut all_solved = true;
        let mut low = alpha;
        while let Some(index) = self.order.next(&mut queue) {
            let m = self.moves[first + usize::from(index)];
            let mut child = pos.clone();
            child.play_unchecked(m);
            let same_side = child.turn() == pos.turn();

            let mut value = Value {
                score: low,
                solved: true,
            };
            let scout = best_index.is_some();
            if scout {
                value = self.child(&child, same_side, depth, ply, low, low + 1);
            }
            if !scout || (low < value.score && value.score < beta && low + 1 < beta) {
                value = self.child(&child, same_side, depth, ply, low, beta);
            }
            if self.stopped {
                return Value {
                    score: 0,
                    solved: false,
                };
            }

            all_solved &= value.solved;
            if value.score > best.score {
                best = value;
                best_index = Some(index);
                if ply == 0 {
                    self.root_score = value.score;
                }
                if value.score > low || ply == 0 {
                    self.extend_pv(ply, m);
                }
                low = low.max(value.score);
                if low >= beta {
                    self.order.reward(pos.turn(), m, depth, ply);
                    break;
                }
            }
        }

        // What cut off decides alone; otherwise every move has a part in the score.
        let cut_off = best.score >= beta;
        let solved = if cut_off { best.solved } else { all_solved };
        let bound = if cut_off && best.score < fastest_win(ply) {
            Bound::Lower
        } else if best.score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.table.put(
            pos.zobrist(),
            Entry {
                score: from_node(best.score, ply),
                depth: if solved { SOLVED } else { depth as u8 },
                bound,
                best: best_index,
            },
        );
        Value {
            score: best.score,
            solved,
        }
    }

    /// The value of a position one ply below, from the view of the side that moved there.
    fn child(&mut self, child: &P, same: bool, depth: u32, ply: u32, low: i32, high: i32) -> Value {
        let (alpha, beta) = if same { (low, high) } else { (-high, -low) };
        self.node(child, depth - 1, ply + 1, alpha, beta)
            .seen_by(same)
    }

    /// Queues the moves on the stack from `first` on, all but what is overlooked.
    fn arrange(&mut self, pos: &P, first: usize, ply: u32, known: Option<u16>) -> Queue {
        let mut queue = self.order.open_queue();
        let root_best = self.root_best.filter(|_| ply == 0);
        for (i, m) in self.moves[first..].iter().enumerate() {
            if self
                .sight
                .is_some_and(|s| s.overlooks(pos.zobrist(), m, pos.effort(*m), ply))
            {
                continue;
            }
            let index = i as u16;
            let is_best = match root_best {
                Some(best) => best == *m,
                None => known == Some(index),
            };
            self.order
                .push(&mut queue, index, *m, is_best, pos.turn(), ply);
        }
        if queue.is_empty() {
            // Somebody who must move sees at least the plainest move.
            let moves = self.moves[first..].iter().enumerate();
            if let Some((i, m)) = moves.min_by_key(|(_, m)| pos.effort(**m)) {
                self.order
                    .push(&mut queue, i as u16, *m, true, pos.turn(), ply);
            }
        }
        queue
    }

    /// Goes on from the end of a line with what the table knows for certain. A solved position cuts
    /// a line short, for its score needs no search.
    pub(crate) fn lengthen(&self, pos: &P, line: &mut Vec<P::Move>) {
        let mut end = pos.clone();
        for m in line.iter() {
            end.play_unchecked(*m);
        }
        while line.len() < MAX_DEPTH as usize {
            let known = self.table.get(end.zobrist());
            let solved = known.filter(|e| e.depth == SOLVED && e.bound == Bound::Exact);
            let index = solved.and_then(|entry| entry.best).map(usize::from);
            let Some(m) = index.and_then(|i| end.legal_moves().get(i).copied()) else {
                break;
            };
            line.push(m);
            end.play_unchecked(m);
        }
    }

    /// Makes `m` and the best line below it the best line of this ply.
    fn extend_pv(&mut self, ply: u32, m: P::Move) {
        let ply = ply as usize;
        // The line below is not needed again before it is written again.
        let mut below = self
            .pv
            .get_mut(ply + 1)
            .map(std::mem::take)
            .unwrap_or_default();
        if let Some(line) = self.pv.get_mut(ply) {
            line.clear();
            line.push(m);
            line.append(&mut below);
        }
        if let Some(slot) = self.pv.get_mut(ply + 1) {
            *slot = below;
        }
    }
}
