//! Exact results of Reversi endgames: null-window searches that test whether the margin is above a bound and store their
//! results in a table.

use std::hint::black_box;

use super::board::{Board, CORNERS, around, odd_quarters, squares};
use super::node::Node;
use super::patterns::{MOST as MOST_JUDGED, Patterns};
use super::stability::stable_discs;
use crate::limits::Share;
use crate::sight::Sight;
use crate::table::{Bound, Entry, Table};

/// The greatest number of empty squares at which the search uses no table and orders moves by parity alone.
const SHALLOW: u32 = 6;
/// The number of empty squares from which on moves are ordered by a shallow search.
const LOOK_FROM: u32 = 13;
/// The weight of each reply left to the other side in that order, in hundredths of a disc.
const REPLY: i32 = 200;
/// The number of empty squares from which on the table is probed for every child before any is searched.
const ASK_CHILDREN: u32 = 9;
/// A size above the greatest number of legal moves in a position.
pub(super) const MAX_MOVES: usize = 34;
/// The greatest absolute margin.
const MOST: i32 = 64;

/// The least `alpha` for which counting stable discs pays off, by the number of empty squares.
#[rustfmt::skip]
static STABILITY_FROM: [i8; 64] = [
    99, 99, 99, 99,  8, 10, 12, 14, 14, 16, 16, 18, 20, 22, 24, 26,
    28, 30, 32, 34, 36, 38, 40, 40, 42, 42, 44, 44, 46, 46, 48, 48,
    48, 50, 50, 50, 50, 52, 52, 52, 52, 54, 54, 54, 54, 56, 56, 56,
    56, 58, 58, 58, 58, 60, 60, 60, 60, 62, 62, 62, 62, 99, 99, 99,
];

/// Separates the entries of both ways of counting from each other and from those of the engine's own search.
const SALT: [u64; 2] = [0x536f_6c76_6500_0000, 0x536f_6c76_6546_6666];

/// The proven bounds of a position's margin for the side to move, in discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
    /// A move that reaches `lower`, or else the last best move.
    pub(super) best: Option<u32>,
}

impl Bounds {
    pub(super) const UNKNOWN: Bounds = Bounds {
        lower: -MOST,
        upper: MOST,
        best: None,
    };
}

/// A move in the list of a node.
#[derive(Clone, Copy, Default)]
struct Candidate {
    child: Board,
    /// The key of the child in the table, if it is probed.
    place: u64,
    square: u32,
    rank: i32,
}

/// A search in progress.
pub(super) struct Solver<'a> {
    pub(super) share: Share<'a>,
    pub(super) table: &'a Table,
    /// The weights of the patterns; without them moves are ordered by the replies that they leave.
    pub(super) patterns: Option<&'a Patterns>,
    /// Whether nodes are cut by ProbCut.
    pub(super) probcut: bool,
    /// The errors of the player, if it has any.
    pub(super) sight: Option<Sight>,
    /// Whether a limit ended the search; all results are meaningless from then on.
    pub(super) stopped: bool,
}

impl<'a> Solver<'a> {
    pub(super) fn new(table: &'a Table, patterns: Option<&'a Patterns>, share: Share<'a>) -> Self {
        Self {
            share,
            table,
            patterns,
            probcut: true,
            sight: None,
            stopped: false,
        }
    }

    /// Counts a node; returns `false` if the search must end.
    #[inline(always)]
    pub(super) fn count_node(&mut self) -> bool {
        if self.share.count_node() {
            return true;
        }
        self.stopped = true;
        false
    }

    /// The bounds of a board in the table.
    #[inline(always)]
    pub(super) fn known<const FILL: bool>(&self, board: Board) -> Bounds {
        self.probe(board.key(SALT[usize::from(FILL)]))
    }

    #[inline(always)]
    fn probe(&self, key: u64) -> Bounds {
        match self.table.get(key) {
            Some(entry) => Bounds {
                lower: i32::from(entry.score as i8),
                upper: i32::from((entry.score >> 8) as i8),
                best: entry.best.map(u32::from),
            },
            None => Bounds::UNKNOWN,
        }
    }

    #[inline(always)]
    fn note(&self, key: u64, bounds: Bounds, empties: u32) {
        let entry = Entry {
            score: (bounds.lower & 255) | (bounds.upper & 255) << 8,
            depth: empties as u8,
            bound: Bound::Exact,
            best: bounds.best.map(|square| square as u16),
        };
        self.table.put(key, entry);
    }

    /// Tests whether the margin is above `alpha`. The result is a lower bound of the margin if it is above `alpha`,
    /// otherwise an upper bound.
    pub(super) fn above<const FILL: bool>(&mut self, board: Board, alpha: i32) -> i32 {
        let empties = board.empties();
        match empties {
            0 => board.margin::<FILL>(),
            1..=3 => self.few::<FILL>(board, alpha),
            4 => self.last_4::<FILL>(board, alpha),
            5..=SHALLOW => self.shallow::<FILL>(board, alpha, empties),
            _ => self.deep::<FILL>(board, alpha, empties),
        }
    }

    /// Searches one to three empty squares, for a search that begins with so few.
    fn few<const FILL: bool>(&mut self, board: Board, alpha: i32) -> i32 {
        if !self.count_node() {
            return 0;
        }
        let moves = board.placements();
        if moves == 0 {
            return match board.pass().placements() {
                0 => board.margin::<FILL>(),
                _ => -self.few::<FILL>(board.pass(), -alpha - 1),
            };
        }
        let mut best = -MOST;
        for square in squares(moves) {
            let child = board.play(square, board.flips(square));
            best = best.max(-self.above::<FILL>(child, -alpha - 1));
        }
        best
    }

    /// The greatest margin that the side to move can still reach, if it is at most `alpha`.
    #[inline(always)]
    fn cannot_exceed(board: Board, alpha: i32, empties: u32) -> Option<i32> {
        if alpha < i32::from(STABILITY_FROM[empties as usize & 63]) {
            return None;
        }
        let most = MOST - 2 * stable_discs(board.other, board.own) as i32;
        (most <= alpha).then_some(most)
    }

    /// Searches few empty squares: squares of odd quarters first, without a table.
    fn shallow<const FILL: bool>(&mut self, board: Board, alpha: i32, empties: u32) -> i32 {
        if !self.count_node() {
            return 0;
        }
        if let Some(most) = Self::cannot_exceed(board, alpha, empties) {
            return most;
        }
        let moves = board.placements();
        if moves == 0 {
            return match board.pass().placements() {
                0 => board.margin::<FILL>(),
                _ => -self.shallow::<FILL>(board.pass(), -alpha - 1, empties),
            };
        }
        let odd = odd_quarters(board.empty());
        let mut best = -MOST;
        for set in [moves & odd, moves & !odd] {
            for square in squares(set) {
                let child = board.play(square, board.flips(square));
                let score = match empties {
                    5 => -self.last_4::<FILL>(child, -alpha - 1),
                    _ => -self.shallow::<FILL>(child, -alpha - 1, empties - 1),
                };
                if self.stopped {
                    return 0;
                }
                best = best.max(score);
                if best > alpha {
                    return best;
                }
            }
        }
        best
    }

    /// Searches many empty squares: with the table, and first the moves that leave the fewest replies.
    fn deep<const FILL: bool>(&mut self, board: Board, alpha: i32, empties: u32) -> i32 {
        if !self.count_node() {
            return 0;
        }
        if let Some(most) = Self::cannot_exceed(board, alpha, empties) {
            return most;
        }
        let key = board.key(SALT[usize::from(FILL)]);
        let mut bounds = self.probe(key);
        if bounds.lower > alpha {
            return bounds.lower;
        }
        if bounds.upper <= alpha {
            return bounds.upper;
        }
        let moves = board.placements();
        if moves == 0 {
            return match board.pass().placements() {
                0 => board.margin::<FILL>(),
                _ => -self.deep::<FILL>(board.pass(), -alpha - 1, empties),
            };
        }
        let mut list = [Candidate::default(); MAX_MOVES];
        let mut count = 0;
        let odd = odd_quarters(board.empty());
        for (slot, square) in list.iter_mut().zip(squares(moves)) {
            slot.child = board.play(square, board.flips(square));
            slot.place = slot.child.key(SALT[usize::from(FILL)]);
            slot.square = square;
            count += 1;
        }
        let list = &mut list[..count];
        if empties >= ASK_CHILDREN {
            // A separate short loop lets the processor fetch all slots at once. The fetched values are not used, so
            // without the black box the compiler would remove the loads.
            let places = list.iter().map(|candidate| candidate.place);
            black_box(places.fold(0, |all, place| all ^ self.table.touch(place)));
            for Candidate { place, square, .. } in &*list {
                let upper = self.probe(*place).upper;
                if -upper > alpha {
                    bounds.lower = bounds.lower.max(-upper);
                    bounds.best = Some(*square);
                    self.note(key, bounds, empties);
                    return -upper;
                }
            }
        }
        // The best move of the last visit comes first; the others are ranked only if it does not cut off.
        let first = list.iter().position(|at| bounds.best == Some(at.square));
        if let Some(first) = first {
            list.swap(0, first);
        }
        let mut best = -MOST;
        for i in 0..list.len() {
            if i == usize::from(first.is_some()) {
                let looked_at = self.patterns.filter(|_| empties >= LOOK_FROM);
                let node = looked_at.map(|patterns| (patterns, Node::of(patterns, board)));
                for candidate in &mut list[i..] {
                    candidate.rank = match &node {
                        Some((patterns, node)) => {
                            self.search_rank(patterns, node, candidate.square, empties)
                        }
                        None => rank(candidate.child, candidate.square, odd),
                    };
                }
                if self.stopped {
                    return 0;
                }
            }
            if i > 0 || first.is_none() {
                // Moves are picked one by one, because most nodes need few.
                let next =
                    (i..list.len()).max_by_key(|at| (list[*at].rank, std::cmp::Reverse(*at)));
                list.swap(i, next.unwrap_or(i));
            }
            let Candidate { child, square, .. } = list[i];
            let score = match empties - 1 {
                ..=SHALLOW => -self.shallow::<FILL>(child, -alpha - 1, empties - 1),
                _ => -self.deep::<FILL>(child, -alpha - 1, empties - 1),
            };
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                bounds.best = Some(square);
            }
            if best > alpha {
                break;
            }
        }
        match best > alpha {
            true => bounds.lower = bounds.lower.max(best),
            false => bounds.upper = bounds.upper.min(best),
        }
        self.note(key, bounds, empties);
        best
    }
}

impl Solver<'_> {
    /// The rank of a move by a search of a few plies; its depth grows with the number of empty squares.
    fn search_rank(&mut self, patterns: &Patterns, node: &Node, square: u32, empties: u32) -> i32 {
        let child = node.play(patterns, square);
        let ahead = ((empties - LOOK_FROM + 1) / 3).min(4);
        let worth = -self.pvs(patterns, &child, ahead, -MOST_JUDGED, MOST_JUDGED);
        let replies = child.board.placements();
        let mobility = replies.count_ones() + (replies & CORNERS).count_ones();
        worth - REPLY * mobility as i32
    }
}

/// The rank of a move by the replies that it leaves, most of all in corners, by potential replies, and by the parity of
/// its quarter.
#[inline(always)]
fn rank(child: Board, square: u32, odd: u64) -> i32 {
    let replies = child.placements();
    let mobility = replies.count_ones() + (replies & CORNERS).count_ones();
    let potential = (around(child.other) & child.empty()).count_ones();
    let bit = 1_u64 << (square & 63);
    let parity = i32::from(odd & bit != 0);
    let corner = i32::from(CORNERS & bit != 0);
    -16 * mobility as i32 - 2 * potential as i32 + 5 * parity + 12 * corner
}
