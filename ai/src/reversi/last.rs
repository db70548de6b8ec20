//! The last four empty squares: without lists and tables, each square is a parameter.
//!
//! All functions are null-window searches, which test whether the margin of the side to move is above
//! `alpha`. The result is a bound of the margin on the correct side of `alpha`.

use super::board::{Board, around, odd_quarters, squares};
use super::solver::Solver;

/// The neighbours of each square: a disc can only be placed beside one of the other side.
static BESIDE: [u64; 64] = {
    let mut beside = [0; 64];
    let mut square = 0;
    while square < 64 {
        beside[square] = around(1 << square) & !(1 << square);
        square += 1;
    }
    beside
};

/// The number of discs that a disc on the `n`-th square turns over along a line, if all squares that
/// are not in the pattern hold discs of the other side.
static TURNED: [[u8; 256]; 8] = {
    let mut turned = [[0; 256]; 8];
    let mut at = 0;
    while at < 8 {
        let mut pattern = 0;
        while pattern < 256 {
            let mut count = 0;
            let mut i = at + 1;
            while i < 8 && pattern >> i & 1 == 0 {
                i += 1;
            }
            if i < 8 {
                count += i - at - 1;
            }
            let mut i = at;
            while i > 0 && pattern >> (i - 1) & 1 == 0 {
                i -= 1;
            }
            if i > 0 {
                count += at - i;
            }
            turned[at][pattern] = count as u8;
            pattern += 1;
        }
        at += 1;
    }
    turned
};

const FILE_A: u64 = 0x0101_0101_0101_0101;
/// A factor that gathers a file into the highest byte, rank 1 in its lowest bit.
const GATHER: u64 = 0x0102_0408_1020_4080;

/// The two diagonals through each square.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut diagonals = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut at = 0;
        while at < 64 {
            let (file, rank) = (at % 8, at / 8);
            let (files, ranks) = (file - square as i32 % 8, rank - square as i32 / 8);
            if files == ranks {
                diagonals[square][0] |= 1 << at;
            }
            if files == -ranks {
                diagonals[square][1] |= 1 << at;
            }
            at += 1;
        }
        square += 1;
    }
    diagonals
};

/// The number of discs that a disc of `own` on the last empty square turns over.
#[inline(always)]
fn turned_by_last(own: u64, square: u32) -> i32 {
    let (file, rank) = (square & 7, (square >> 3) & 7);
    let [rising, falling] = DIAGONALS[square as usize & 63];
    let by_file = &TURNED[file as usize];
    let row = (own >> (rank * 8)) & 255;
    let column = ((own >> file) & FILE_A).wrapping_mul(GATHER) >> 56;
    let rising = (own & rising).wrapping_mul(FILE_A) >> 56;
    let falling = (own & falling).wrapping_mul(FILE_A) >> 56;
    i32::from(by_file[row as usize & 255])
        + i32::from(TURNED[rank as usize][column as usize & 255])
        + i32::from(by_file[rising as usize & 255])
        + i32::from(by_file[falling as usize & 255])
}

/// The margin with one empty square.
#[inline(always)]
fn last_1<const FILL: bool>(own: u64, square: u32) -> i32 {
    let discs = own.count_ones() as i32;
    let turned = turned_by_last(own, square);
    if turned > 0 {
        return 2 * (discs + turned) - 62;
    }
    let other = !own & !(1 << (square & 63));
    let turned = turned_by_last(other, square);
    if turned > 0 {
        return 2 * (discs - turned) - 64;
    }
    let lead = 2 * discs - 63;
    match FILL {
        true => lead + lead.signum(),
        false => lead,
    }
}

impl Solver<'_> {
    /// The margin with two empty squares.
    #[inline]
    fn last_2<const FILL: bool>(&mut self, board: Board, alpha: i32, at: [u32; 2]) -> i32 {
        if !self.count_node() {
            return 0;
        }
        let score = two::<FILL>(board, alpha, at);
        if score > NONE {
            return score;
        }
        // A side that cannot place a disc passes, unless the other side cannot either.
        match two::<FILL>(board.pass(), -alpha - 1, at) {
            NONE => board.margin::<FILL>(),
            score => -score,
        }
    }

    /// The margin with three empty squares, in the order in which they are tried.
    #[inline]
    fn last_3<const FILL: bool>(&mut self, board: Board, alpha: i32, at: [u32; 3]) -> i32 {
        if !self.count_node() {
            return 0;
        }
        // The only empty square of a quarter comes first.
        let [a, b, c] = at;
        let same = |one: u32, two: u32| (one ^ two) & 0b10_0100 == 0;
        let at = match (same(a, b), same(a, c), same(b, c)) {
            (true, false, false) => [c, a, b],
            (false, true, false) => [b, a, c],
            (_, _, _) => at,
        };
        let score = self.three::<FILL>(board, alpha, at);
        if score > NONE {
            return score;
        }
        match self.three::<FILL>(board.pass(), -alpha - 1, at) {
            NONE => board.margin::<FILL>(),
            score => -score,
        }
    }

    #[inline(always)]
    fn three<const FILL: bool>(&mut self, board: Board, alpha: i32, at: [u32; 3]) -> i32 {
        let [a, b, c] = at;
        let mut best = NONE;
        for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            let flips = turned(board, square);
            if flips != 0 {
                let child = board.play(square, flips);
                best = best.max(-self.last_2::<FILL>(child, -alpha - 1, rest));
                if best > alpha {
                    break;
                }
            }
        }
        best
    }

    /// The margin with four empty squares.
    #[inline]
    pub(super) fn last_4<const FILL: bool>(&mut self, board: Board, alpha: i32) -> i32 {
        if !self.count_node() {
            return 0;
        }
        let empty = board.empty();
        let odd = odd_quarters(empty);
        let mut at = [0; 4];
        let in_order = squares(empty & odd).chain(squares(empty & !odd));
        for (slot, square) in at.iter_mut().zip(in_order) {
            *slot = square;
        }
        let score = self.four::<FILL>(board, alpha, at);
        if score > NONE {
            return score;
        }
        match self.four::<FILL>(board.pass(), -alpha - 1, at) {
            NONE => board.margin::<FILL>(),
            score => -score,
        }
    }

    #[inline(always)]
    fn four<const FILL: bool>(&mut self, board: Board, alpha: i32, at: [u32; 4]) -> i32 {
        let [a, b, c, d] = at;
        let mut best = NONE;
        for (square, rest) in [
            (a, [b, c, d]),
            (b, [a, c, d]),
            (c, [a, b, d]),
            (d, [a, b, c]),
        ] {
            let flips = turned(board, square);
            if flips != 0 {
                let child = board.play(square, flips);
                best = best.max(-self.last_3::<FILL>(child, -alpha - 1, rest));
                if best > alpha {
                    break;
                }
            }
        }
        best
    }
}

/// Less than every margin: no disc can be placed.
const NONE: i32 = -100;

#[inline(always)]
fn turned(board: Board, square: u32) -> u64 {
    match board.other & BESIDE[square as usize & 63] {
        0 => 0,
        _ => board.flips(square),
    }
}

#[inline(always)]
fn two<const FILL: bool>(board: Board, alpha: i32, [a, b]: [u32; 2]) -> i32 {
    let mut best = NONE;
    let flips = turned(board, a);
    if flips != 0 {
        best = -last_1::<FILL>(board.play(a, flips).own, b);
        if best > alpha {
            return best;
        }
    }
    let flips = turned(board, b);
    if flips != 0 {
        best = best.max(-last_1::<FILL>(board.play(b, flips).own, a));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sight::mix;

    #[test]
    fn the_last_disc_turns_over_what_the_rules_say() {
        for seed in 0..50_000_u64 {
            let square = (mix(seed) & 63) as u32;
            let own = mix(seed + 1_000_000) & !(1 << square);
            let board = Board {
                own,
                other: !own & !(1 << square),
            };
            let turned = turned_by_last(own, square) as u32;
            assert_eq!(turned, board.flips(square).count_ones(), "{board:?}");
        }
    }
}
