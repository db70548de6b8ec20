//! Lines on the 8x8 board: the squares for a disc, and the discs that it turns over.

/// All files but a and h: a horizontal or diagonal line brackets no disc on an edge file.
const INNER_FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The empty squares on which a disc of `own` brackets discs of `opponent`.
#[inline]
pub fn placements(own: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER_FILES;
    let reached = brackets(own, inner, 1)
        | brackets(own, inner, 7)
        | brackets(own, opponent, 8)
        | brackets(own, inner, 9);
    reached & !(own | opponent)
}

/// The squares just beyond the lines of `between` that start next to `own`, in both directions of
/// one line.
#[inline(always)]
fn brackets(own: u64, between: u64, step: u32) -> u64 {
    // Six discs at most, by doubling: 1, 2, then 2 more twice.
    let mut up = between & (own << step);
    let mut down = between & (own >> step);
    up |= between & (up << step);
    down |= between & (down >> step);
    let pairs_up = between & (between << step);
    let pairs_down = pairs_up >> step;
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    (up << step) | (down >> step)
}

/// The discs of `opponent` that a disc of `own` on the square with this index turns over; the
/// square itself is empty.
#[inline]
pub fn flips(own: u64, opponent: u64, square: usize) -> u64 {
    let lines = &LINES[square & 63];
    let mut flips = 0;
    for line in lines {
        let others = line.up & !opponent;
        // The first square without a disc of the opponent; the discs before it are bracketed if it
        // holds an own disc.
        let anchor = others & others.wrapping_neg() & own;
        flips |= line.up & anchor.wrapping_sub(u64::from(anchor != 0));

        let others = line.down & !opponent;
        let anchor = (TOP >> (others | 1).leading_zeros()) & others & own;
        flips |= line.down & (anchor.wrapping_neg() << 1);
    }
    flips
}

const TOP: u64 = 1 << 63;

/// The squares along one line from a square: those with higher indices, and those with lower ones.
#[derive(Clone, Copy)]
struct Line {
    up: u64,
    down: u64,
}

/// The lines of each square: its rank, its file and both diagonals.
static LINES: [[Line; 4]; 64] = lines();

const fn lines() -> [[Line; 4]; 64] {
    let mut lines = [[Line { up: 0, down: 0 }; 4]; 64];
    let directions = [(1, 0), (0, 1), (1, 1), (-1, 1)];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < 4 {
            let (file, rank) = directions[i];
            lines[square as usize][i] = Line {
                up: ray(square, file, rank),
                down: ray(square, -file, -rank),
            };
            i += 1;
        }
        square += 1;
    }
    lines
}

/// The squares from `square`, exclusive, to the border.
const fn ray(square: i32, file_step: i32, rank_step: i32) -> u64 {
    let mut ray = 0;
    let (mut file, mut rank) = (square % 8 + file_step, square / 8 + rank_step);
    while 0 <= file && file < 8 && 0 <= rank && rank < 8 {
        ray |= 1 << (rank * 8 + file);
        file += file_step;
        rank += rank_step;
    }
    ray
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rule as the rule book states it: follows each line until it is bracketed or broken.
    fn walked_flips(own: u64, opponent: u64, square: i32) -> u64 {
        let mut flips = 0;
        for file_step in -1..=1 {
            for rank_step in -1..=1 {
                let (mut file, mut rank) = (square % 8 + file_step, square / 8 + rank_step);
                let mut line = 0;
                while (0..8).contains(&file)
                    && (0..8).contains(&rank)
                    && (file_step, rank_step) != (0, 0)
                {
                    let bit = 1u64 << (rank * 8 + file);
                    if own & bit != 0 {
                        flips |= line;
                    }
                    if opponent & bit == 0 {
                        break;
                    }
                    line |= bit;
                    (file, rank) = (file + file_step, rank + rank_step);
                }
            }
        }
        flips
    }

    #[test]
    fn flips_and_placements_agree_with_a_walk_along_every_line() {
        let mut state = 1_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            state ^ (state >> 29)
        };
        for round in 0..20_000 {
            // Boards of three densities in turn.
            let (a, b) = (next(), next());
            let (own, opponent) = match round % 3 {
                0 => (a & next(), b & !a),
                1 => (a & next() & next(), b | next()),
                _ => (a & next(), b & next()),
            };
            let own = own & !opponent;
            let mut reached = 0;
            for square in 0..64 {
                let bit = 1u64 << square;
                if (own | opponent) & bit == 0 {
                    let expected = walked_flips(own, opponent, square);
                    assert_eq!(flips(own, opponent, square as usize), expected);
                    reached |= if expected == 0 { 0 } else { bit };
                }
            }
            assert_eq!(placements(own, opponent), reached);
        }
    }
}
