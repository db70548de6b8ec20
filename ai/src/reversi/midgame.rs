//! The midgame search of Reversi: principal variation search over bit sets with an evaluation at the horizon, in
//! hundredths of a disc.

use super::board::{Board, CORNERS, PASS, odd_quarters, squares};
use super::node::Node;
use super::patterns::{MOST, Patterns};
use super::probcut;
use super::solver::{MAX_MOVES, Solver};
use crate::table::{Bound, Entry};

/// Separates evaluated entries in the table from exact ones.
const SALT: u64 = 0x4a75_6467_6564_0000;
/// The least depth of a node that uses the table.
const TABLE_FROM: u32 = 3;
/// The weight of each reply left to the other side in the order of moves, in hundredths of a disc.
const REPLY: i32 = 50;
/// The squares diagonally beside the corners, which are tried last.
const BESIDE_CORNERS: u64 = 0x0042_0000_0000_4200;

/// The bounds of a node at a depth from the table.
struct Judged {
    lower: i32,
    upper: i32,
    best: Option<u32>,
}

impl Judged {
    const UNKNOWN: Judged = Judged {
        lower: -MOST,
        upper: MOST,
        best: None,
    };
}

impl Solver<'_> {
    fn judged(&self, key: u64, depth: u32) -> Judged {
        let known = self.table.get(key);
        let best = known.and_then(|entry| entry.best).map(u32::from);
        match known.filter(|entry| u32::from(entry.depth) >= depth) {
            Some(entry) => Judged {
                lower: i32::from(entry.score as i16),
                upper: entry.score >> 16,
                best,
            },
            None => Judged {
                best,
                ..Judged::UNKNOWN
            },
        }
    }

    fn note_judged(&self, key: u64, depth: u32, judged: &Judged) {
        let entry = Entry {
            score: (judged.lower & 0xffff) | judged.upper << 16,
            depth: depth as u8,
            // With this bound the table keeps an earlier entry of greater depth.
            bound: Bound::Lower,
            best: judged.best.map(|square| square as u16),
        };
        self.table.put(key, entry);
    }

    /// The best move of a search of `depth` plies, and its score.
    pub(super) fn best_move(
        &mut self,
        patterns: &Patterns,
        node: &Node,
        depth: u32,
    ) -> Option<(u32, i32)> {
        let mut best = None;
        let mut low = -MOST - 1;
        for square in squares(node.board.placements()) {
            let child = node.play(patterns, square);
            let score = -self.pvs(patterns, &child, depth.max(1) - 1, -MOST - 1, -low);
            if self.stopped {
                break;
            }
            if score > low {
                (best, low) = (Some((square, score)), score);
            }
        }
        best
    }

    /// The expected line of a search of this depth, as far as it is in the table.
    pub(super) fn judged_line(&self, board: Board, square: u32, depth: u32) -> Vec<u32> {
        let mut line = vec![square];
        let mut board = board.play(square, board.flips(square));
        while line.len() < depth as usize {
            let moves = board.placements();
            if moves == 0 {
                if board.pass().placements() == 0 {
                    break;
                }
                line.push(PASS);
                board = board.pass();
                continue;
            }
            let best = self.judged(board.key(SALT), 1).best;
            let Some(square) = best.filter(|square| moves >> (square & 63) & 1 == 1) else {
                break;
            };
            line.push(square);
            board = board.play(square, board.flips(square));
        }
        line
    }

    /// The error of this player's evaluation.
    #[inline(always)]
    pub(super) fn error(&self, board: Board) -> i32 {
        self.sight.map_or(0, |sight| sight.error(board.key(SALT)))
    }

    /// The score of a search of `depth` plies, within the window.
    pub(super) fn pvs(
        &mut self,
        patterns: &Patterns,
        node: &Node,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        if !self.count_node() {
            return 0;
        }
        let board = node.board;
        let empties = board.empties();
        if depth == 0 {
            return patterns.judge(&node.ways, empties) + self.error(board);
        }
        let moves = board.placements();
        if moves == 0 {
            return match board.pass().placements() {
                0 => 100 * board.margin::<false>(),
                _ => -self.pvs(patterns, &node.pass(patterns), depth, -beta, -alpha),
            };
        }
        if depth >= empties {
            return self.end_within(board, alpha, beta);
        }
        let key = board.key(SALT);
        let mut judged = Judged::UNKNOWN;
        if depth >= TABLE_FROM {
            judged = self.judged(key, depth);
            if judged.lower >= beta {
                return judged.lower;
            }
            if judged.upper <= alpha {
                return judged.upper;
            }
            if judged.lower == judged.upper {
                return judged.lower;
            }
        }
        if beta - alpha == 1
            && self.probcut
            && let Some(score) = probcut::cut(self, patterns, node, depth, alpha)
        {
            return score;
        }
        if self.stopped {
            return 0;
        }
        if depth < TABLE_FROM {
            return self.pvs_near(patterns, node, depth, moves, alpha, beta);
        }

        // The best move of the last visit comes first; the others are ranked only if it does not cut off.
        let first = judged.best.filter(|square| moves >> (square & 63) & 1 == 1);
        let rest = moves & !first.map_or(0, |square| 1 << square);
        let mut list = [(0, 0); MAX_MOVES];
        let mut count = 0;
        let mut best = -MOST - 1;
        let mut low = alpha;
        for i in 0..moves.count_ones() as usize {
            let square = match first.filter(|_| i == 0) {
                Some(first) => first,
                None => {
                    if count == 0 {
                        count = Self::order(patterns, node, rest, &mut list);
                    }
                    // Moves are picked one by one, because most nodes need few.
                    let left = (0..count).max_by_key(|at| (list[*at].0, std::cmp::Reverse(*at)));
                    let next = left.unwrap_or(0);
                    count -= 1;
                    list.swap(next, count);
                    list[count].1
                }
            };
            let child = node.play(patterns, square);
            let mut score = low;
            let scouts = i > 0 && beta - low > 1;
            if scouts {
                score = -self.pvs(patterns, &child, depth - 1, -low - 1, -low);
            }
            if !scouts || (score > low && score < beta) {
                score = -self.pvs(patterns, &child, depth - 1, -beta, -low);
            }
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                judged.best = Some(square);
                low = low.max(best);
            }
            if best >= beta {
                break;
            }
        }
        if best > alpha {
            judged.lower = judged.lower.max(best);
        }
        if best < beta {
            judged.upper = judged.upper.min(best);
        }
        self.note_judged(key, depth, &judged);
        best
    }

    /// Searches a ply or two: corners first, squares beside empty corners last.
    fn pvs_near(
        &mut self,
        patterns: &Patterns,
        node: &Node,
        depth: u32,
        moves: u64,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let odd = odd_quarters(node.board.empty());
        let plain = moves & !CORNERS & !BESIDE_CORNERS;
        let mut best = -MOST - 1;
        for set in [
            moves & CORNERS,
            plain & odd,
            plain & !odd,
            moves & BESIDE_CORNERS,
        ] {
            for square in squares(set) {
                let child = node.play(patterns, square);
                let low = alpha.max(best);
                let score = -self.pvs(patterns, &child, depth - 1, -beta, -low);
                if self.stopped {
                    return 0;
                }
                best = best.max(score);
                if best >= beta {
                    return best;
                }
            }
        }
        best
    }

    /// Ranks moves by the evaluation of the board after them and by the number of replies they leave; returns the
    /// number of moves. A deeper search for the ranks costs more than it saves, at every depth.
    fn order(
        patterns: &Patterns,
        node: &Node,
        moves: u64,
        list: &mut [(i32, u32); MAX_MOVES],
    ) -> usize {
        let mut count = 0;
        for (slot, square) in list.iter_mut().zip(squares(moves)) {
            let child = node.play(patterns, square);
            let worth = -patterns.judge(&child.ways, child.board.empties());
            let replies = child.board.placements().count_ones() as i32;
            *slot = (worth - REPLY * replies, square);
            count += 1;
        }
        count
    }

    /// The score at the end of the game, within the window.
    fn end_within(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        let (mut low, mut high) = (-64, 64);
        // Null windows from one end of the window to the other, in the worst case a disc at a time.
        let mut bound = alpha.div_euclid(100);
        loop {
            let score = self.above::<false>(board, bound);
            if self.stopped {
                return 0;
            }
            if score > bound {
                low = score;
                bound = score;
            } else {
                high = score;
                bound = score - 1;
            }
            if low >= high || 100 * low >= beta {
                return 100 * low;
            }
            if 100 * high <= alpha {
                return 100 * high;
            }
        }
    }
}
