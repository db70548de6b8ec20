//! Alpha-beta search with principal variation windows, generic over a game.
//!
//! Sides change by who is to move next, not by the ply, so games with several plies in a row are
//! searched alike. Nothing is pruned that could change the score: at the same depth the score is
//! that of plain minimax.

use mawe_rules::{Outcome, Side};

use crate::error::ThinkError;
use crate::eval::{Evaluate, MAX_EVALUATION};
use crate::limits::{Budget, Limits};
use crate::order::{MoveOrder, Queue};
use crate::sight::Sight;
use crate::table::{Bound, Entry, SOLVED, Table};

/// The score of a game won now; one won `n` plies from here scores `WIN - n`.
pub const WIN: i32 = 1_000_000;

/// Scores from here on are won, and from its negative down lost, whatever else is played.
pub const WIN_BOUND: i32 = WIN - 10_000;

/// The deepest iteration, in plies. It bounds the recursion, hence the stack.
pub const MAX_DEPTH: u32 = 200;

/// Beyond every score.
const INFINITE: i32 = WIN + 1;

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<M> {
    /// The best move.
    pub best: M,
    /// Its score in hundredths from the view of the side to move; beyond [`WIN_BOUND`] either way
    /// it is a win or a loss.
    pub score: i32,
    /// Whether the score is the exact result: no evaluation had a part in it.
    pub proven: bool,
    /// The deepest iteration that was finished, in plies; 0 if there was no time for any.
    pub depth: u32,
    /// The number of positions visited.
    pub nodes: u64,
    /// The line expected, `best` first.
    pub pv: Vec<M>,
}

/// Searches deeper and deeper until a limit is reached or the result is proven.
///
/// # Errors
///
/// [`ThinkError::GameOver`] if there is no move to find.
pub fn search<P: Evaluate>(pos: &P, limits: &Limits) -> Result<Found<P::Move>, ThinkError> {
    search_seeing(pos, limits, None)
}

/// As [`search`], with eyes that overlook moves; nothing is then proven.
pub(crate) fn search_seeing<P: Evaluate>(
    pos: &P,
    limits: &Limits,
    sight: Option<Sight>,
) -> Result<Found<P::Move>, ThinkError> {
    let mut searcher = Searcher::new(limits, sight);
    let mut found = searcher.glance(pos).ok_or(ThinkError::GameOver)?;
    let deepest = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    for depth in 1..=deepest {
        let value = searcher.iterate(pos, depth, found.best);
        let pv = searcher.pv.first().filter(|pv| !pv.is_empty());
        if let Some((pv, best)) = pv.and_then(|pv| Some((pv, *pv.first()?))) {
            // Also of an iteration cut short: its first move is the last iteration's best, so what
            // has replaced that one is better.
            (found.best, found.pv) = (best, pv.clone());
            found.score = searcher.root_score;
        }
        if searcher.stopped {
            found.proven &= found.score.abs() >= WIN_BOUND;
            break;
        }
        found.depth = depth;
        // A win may be known before the nearest one is; within the depth, the nearest is known.
        let decided = (WIN - value.score.abs()) <= depth as i32;
        found.proven = sight.is_none() && (value.solved || value.score.abs() >= WIN_BOUND);
        if value.solved || decided {
            break;
        }
    }
    found.nodes = searcher.nodes;
    Ok(found)
}

/// A score and whether it holds at every depth.
#[derive(Clone, Copy)]
struct Value {
    score: i32,
    solved: bool,
}

impl Value {
    /// The same value, if need be from the other side's view.
    fn seen_by(self, same_side: bool) -> Self {
        Self {
            score: if same_side { self.score } else { -self.score },
            ..self
        }
    }
}

/// What is asked of a node.
#[derive(Clone, Copy)]
struct Window {
    /// Plies still to search.
    depth: u32,
    /// Plies from the root.
    ply: u32,
    /// Scores up to this are of no interest, another move is as good;
    alpha: i32,
    /// scores from this on neither, the opponent would not let it come to this.
    beta: i32,
}

struct Searcher<'a, P: Evaluate> {
    budget: Budget<'a>,
    sight: Option<Sight>,
    table: Table,
    nodes: u64,
    stopped: bool,
    /// The best move and score of the root so far.
    root_best: Option<P::Move>,
    root_score: i32,
    /// The best line from each ply on.
    pv: Vec<Vec<P::Move>>,
    order: MoveOrder<P::Move>,
    /// A stack of the move lists of all plies of the present line.
    moves: Vec<P::Move>,
}

impl<'a, P: Evaluate> Searcher<'a, P> {
    fn new(limits: &'a Limits, sight: Option<Sight>) -> Self {
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
    fn glance(&self, pos: &P) -> Option<Found<P::Move>> {
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
    fn iterate(&mut self, pos: &P, depth: u32, first: P::Move) -> Value {
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
        let best_possible = WIN - (ply as i32 + 1);
        let (alpha, beta) = (alpha.max(-best_possible), beta.min(best_possible));
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

        let bound = if best.score >= beta {
            Bound::Lower
        } else if best.score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // What cut off decides alone; otherwise every move has a part in the score.
        let solved = if bound == Bound::Lower {
            best.solved
        } else {
            all_solved
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

/// The score of a finished game from the view of a side, `ply` plies after the root.
fn result(outcome: Outcome, side: Side, ply: u32) -> Value {
    let win = WIN - ply as i32;
    let score = match outcome.winner {
        Some(winner) if winner == side => win,
        Some(_) => -win,
        None => 0,
    };
    Value {
        score,
        solved: true,
    }
}

/// What an entry says of a node, if that is enough to leave it.
fn usable(entry: Entry, window: Window) -> Option<Value> {
    let Window {
        depth,
        ply,
        alpha,
        beta,
    } = window;
    let solved = entry.depth == SOLVED;
    // Within an open window the line is wanted as well as the score, so only the final word counts.
    if !solved && (u32::from(entry.depth) < depth || beta - alpha > 1) {
        return None;
    }
    let score = to_root(entry.score, ply);
    let decides = match entry.bound {
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
        Bound::Exact => true,
    };
    decides.then_some(Value { score, solved })
}

/// Wins and losses are counted from the root in the search, but from the node in the table, where
/// the same position may be met at another ply.
fn from_node(score: i32, ply: u32) -> i32 {
    shift_win(score, ply as i32)
}

fn to_root(score: i32, ply: u32) -> i32 {
    shift_win(score, -(ply as i32))
}

fn shift_win(score: i32, plies: i32) -> i32 {
    if score >= WIN_BOUND {
        score + plies
    } else if score <= -WIN_BOUND {
        score - plies
    } else {
        score
    }
}
