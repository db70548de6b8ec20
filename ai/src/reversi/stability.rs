//! Discs that can never be turned over again. They bound the margin at the end of a game.

use std::sync::LazyLock;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = 0x8080_8080_8080_8080;
const GATHER: u64 = 0x0102_0408_1020_4080;
const INNER: u64 = 0x007e_7e7e_7e7e_7e00;

/// For all pairs of disjoint sets on an edge of eight squares, the stable discs of the first set.
struct Edges(Vec<u8>);

static EDGES: LazyLock<Edges> = LazyLock::new(Edges::new);

impl Edges {
    fn new() -> Self {
        let mut edges = vec![0; 1 << 16];
        // From full edges to empty ones: each edge depends only on edges with one disc more.
        let mut pairs: Vec<(u8, u8)> = (0..=255)
            .flat_map(|own| (0..=255).map(move |other| (own, other)))
            .filter(|(own, other)| own & other == 0)
            .collect();
        pairs.sort_by_key(|(own, other)| std::cmp::Reverse((own | other).count_ones()));
        for (own, other) in pairs {
            let mut stable = own;
            for square in 0..8 {
                let bit = 1_u8 << square;
                if (own | other) & bit == 0 {
                    // Either side may place a disc there, even if it turns over nothing on this
                    // edge, because it may do so elsewhere.
                    let flips = edge_flips(own, other, square);
                    stable &= edges[at(own | flips | bit, other & !flips)];
                    let flips = edge_flips(other, own, square);
                    stable &= edges[at(own & !flips, other | flips | bit)];
                }
            }
            edges[at(own, other)] = stable;
        }
        Self(edges)
    }

    #[inline(always)]
    fn stable(&self, own: u64, other: u64) -> u64 {
        u64::from(self.0[at(own as u8, other as u8)])
    }
}

#[inline(always)]
fn at(own: u8, other: u8) -> usize {
    usize::from(own) << 8 | usize::from(other)
}

/// The discs that a disc of `own` on a square of an edge turns over along the edge.
fn edge_flips(own: u8, other: u8, square: u32) -> u8 {
    let mut flips = 0;
    for step in [1_i32, -1] {
        let mut line = 0;
        let mut i = square as i32 + step;
        while (0..8).contains(&i) && other >> i & 1 == 1 {
            line |= 1 << i;
            i += step;
        }
        if (0..8).contains(&i) && own >> i & 1 == 1 {
            flips |= line;
        }
    }
    flips
}

/// A lower bound of the number of discs of `own` that cannot be turned over any more: on the edges
/// from a table; inside, discs for which every line is full or leads to an adjacent stable disc.
#[inline]
pub(super) fn stable_discs(own: u64, other: u64) -> u32 {
    let edges = &*EDGES;
    let mut stable = stable_edges(edges, own, other);
    let occupied = own | other;
    let full = Full::of(occupied);
    let inner = own & INNER;
    stable |= inner & full.rows & full.columns & full.rising & full.falling;
    if stable == 0 {
        return 0;
    }
    loop {
        let row = (stable >> 1) | (stable << 1) | full.rows;
        let column = (stable >> 8) | (stable << 8) | full.columns;
        let rising = (stable >> 9) | (stable << 9) | full.rising;
        let falling = (stable >> 7) | (stable << 7) | full.falling;
        let more = row & column & rising & falling & inner & !stable;
        if more == 0 {
            return stable.count_ones();
        }
        stable |= more;
    }
}

fn stable_edges(edges: &Edges, own: u64, other: u64) -> u64 {
    let file = |set: u64, file: u32| ((set >> file) & FILE_A).wrapping_mul(GATHER) >> 56;
    let by_file = |at| edges.stable(file(own, at), file(other, at));
    edges.stable(own, other)
        | edges.stable(own >> 56, other >> 56) << 56
        | unfold(by_file(0))
        | unfold(by_file(7)) << 7
}

/// Maps the eight squares of a row to those of file a.
#[inline(always)]
fn unfold(row: u64) -> u64 {
    ((row & 127).wrapping_mul(0x0002_0408_1020_4081) & FILE_A) | (row >> 7) << 56
}

/// The squares whose row, column or diagonal has no empty square.
struct Full {
    rows: u64,
    columns: u64,
    rising: u64,
    falling: u64,
}

impl Full {
    #[inline(always)]
    fn of(occupied: u64) -> Self {
        let mut rows = occupied & (occupied >> 1);
        rows &= rows >> 2;
        rows &= rows >> 4;
        let mut columns = occupied & occupied.rotate_right(8);
        columns &= columns.rotate_right(16);
        columns &= columns.rotate_right(32);
        let empty = !occupied;
        Self {
            rows: (rows & FILE_A).wrapping_mul(255),
            columns,
            rising: !spread(empty, 9, !FILE_A, !FILE_H),
            falling: !spread(empty, 7, !FILE_H, !FILE_A),
        }
    }
}

/// All squares on the diagonals through a set; the masks keep each step on the board.
#[inline(always)]
fn spread(set: u64, step: u32, up_mask: u64, down_mask: u64) -> u64 {
    let (mut up, mut down) = (set, set);
    let (mut up_mask, mut down_mask) = (up_mask, down_mask);
    for distance in [step, 2 * step, 4 * step] {
        up |= (up << distance) & up_mask;
        down |= (down >> distance) & down_mask;
        // The squares to which a step of twice the distance stays on the board.
        up_mask &= up_mask << distance;
        down_mask &= down_mask >> distance;
    }
    up | down
}

#[cfg(test)]
mod tests {
    use super::super::board::{Board, CORNERS};
    use super::*;
    use crate::sight::mix;

    #[test]
    fn a_full_board_is_stable_and_an_empty_one_is_not() {
        assert_eq!(stable_discs(u64::MAX, 0), 64);
        assert_eq!(stable_discs(0, u64::MAX), 0);
        assert_eq!(stable_discs(1 << 27, 1 << 28), 0);
        assert_eq!(stable_discs(CORNERS, 0), 4);
        assert_eq!(stable_discs(0b111, 0), 3);
        // Beside an empty corner no disc is stable.
        assert_eq!(stable_discs(0b110, 0b1000), 0);
        assert_eq!(stable_discs(FILE_A | FILE_H, 0), 16);
    }

    #[test]
    fn full_lines_are_those_that_a_walk_finds() {
        for seed in 0..2_000 {
            let occupied = mix(seed) | mix(seed + 77_777) | mix(seed + 999_999);
            let full = Full::of(occupied);
            for square in 0..64_i32 {
                let walk = |files: i32, ranks: i32| {
                    (-7..8).all(|i| {
                        let (file, rank) = (square % 8 + i * files, square / 8 + i * ranks);
                        let on = (0..8).contains(&file) && (0..8).contains(&rank);
                        !on || occupied >> (rank * 8 + file) & 1 == 1
                    })
                };
                let bit = |set: u64| set >> square & 1 == 1;
                assert_eq!(bit(full.rows), walk(1, 0));
                assert_eq!(bit(full.columns), walk(0, 1));
                assert_eq!(bit(full.rising), walk(1, 1));
                assert_eq!(bit(full.falling), walk(-1, 1));
            }
        }
    }

    #[test]
    fn what_is_stable_is_never_turned_over_in_random_games() {
        for seed in 0..400_u64 {
            let mut board = Board {
                own: 0x0000_0008_1000_0000,
                other: 0x0000_0010_0800_0000,
            };
            // The stable discs of each side before the ply.
            let mut stable = [0, 0];
            for ply in 0..120 {
                let mine = ply % 2;
                for (side, own, other) in [
                    (mine, board.own, board.other),
                    (1 - mine, board.other, board.own),
                ] {
                    let now = stable_discs(own, other);
                    assert!(now >= stable[side], "a stable disc was lost: {board:?}");
                    stable[side] = now;
                }
                let moves = board.placements();
                if moves == 0 && board.pass().placements() == 0 {
                    for (side, own) in [(mine, board.own), (1 - mine, board.other)] {
                        assert!(stable[side] <= own.count_ones());
                    }
                    break;
                }
                if moves == 0 {
                    board = board.pass();
                    continue;
                }
                let nth = mix(seed * 128 + ply as u64) % u64::from(moves.count_ones());
                let square = super::super::board::squares(moves)
                    .nth(nth as usize)
                    .expect("that many");
                board = board.play(square, board.flips(square));
            }
        }
    }
}
