//! Evaluation of Mawe!: stones on the far rank, stones on their way, and the moves left.
//!
//! The advance of a stone has no value: the side that advances fast runs out of moves first. The main weights come from
//! matches of fixed nodes against neighbouring values (160 games each; a bonus of 4 a rank lost 41 to 59, a penalty of 2 lost
//! 42 to 58). Learned: a sum of weights over these and more features, and a small network over the stones on their squares.

use mawe_rules::games::mawe::{MaweMove, MawePosition};
use mawe_rules::{Position, Side};

use super::evaluate::Evaluate;
use super::learned::{Learn, Learned};
use super::net::Shape;
use crate::weights::Weights;

/// The value of an unpinned stone on the far rank.
const HOME: i32 = 100;
/// A pinned stone on the far rank, which an adjacent ally may still free.
const HOME_PINNED: i32 = 25;
/// An unpinned stone with a way to the far rank that no pinned stone blocks.
const ON_ITS_WAY: i32 = 50;
/// Any other unpinned stone.
const CUT_OFF: i32 = 15;
/// A pinned stone elsewhere.
const PINNED: i32 = 5;
/// The bonus for a legal move: a side without moves brings no more stones home.
const MOVE: i32 = 2;
/// The advantage of being the side to move.
const TURN: i32 = 5;

/// The visibility cost of a move, for each square of a slide after the first and for each jump.
const COST_PER_SQUARE: u32 = 10;
const COST_PER_JUMP: u32 = 15;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = 0x8080_8080_8080_8080;

impl Evaluate for MawePosition {
    type Known = Learned;
    const ASPIRATION: i32 = 60;
    const MARGIN: i32 = 60;
    const REDUCTION: u32 = 16;

    #[inline]
    fn evaluate(&self, known: &Learned) -> i32 {
        known.judge(self).unwrap_or_else(|| by_hand(self))
    }

    fn visibility_cost(&self, m: MaweMove) -> u32 {
        let squares = u32::from(m.distance()).saturating_sub(1);
        let jump = match self.jumped_by(m) {
            Some(_) => COST_PER_JUMP,
            None => 0,
        };
        squares * COST_PER_SQUARE + jump
    }
}

/// The greatest number of moves of both sides in each phase; each phase has its own weights.
const PHASES: [u32; 5] = [6, 14, 26, 42, u32::MAX];
/// The number of squares.
const PLACES: usize = 64;
/// The limit of the counted moves of a side.
const MANY_MOVES: u32 = 31;
/// The offsets of the features in a phase: stones by square (own, pinned own, the other side's, its pinned ones), the moves of
/// both sides, and then counts.
const MOVES_AT: usize = 4 * PLACES;
const COUNTS_AT: usize = MOVES_AT + 64;
const COUNTS: usize = 7;
const IN_PHASE: usize = COUNTS_AT + COUNTS;

impl Learn for MawePosition {
    const FEATURES: usize = PHASES.len() * IN_PHASE;
    const NET: Option<Shape> = Some(Shape {
        phases: PHASES.len(),
        in_phase: IN_PHASE,
        inputs: MOVES_AT,
        at_once: 32,
    });

    #[inline(always)]
    fn features(&self, mut found: impl FnMut(usize, usize, i32)) {
        let side = self.turn();
        let moves = [side, side.other()].map(|side| self.count_moves(side));
        let all = moves[0] + moves[1];
        let phase = PHASES.iter().position(|most| all <= *most).unwrap_or(0);
        let base = phase * IN_PHASE;
        for (i, moves) in moves.into_iter().enumerate() {
            found(base, MOVES_AT + i * 32 + moves.min(MANY_MOVES) as usize, 1);
        }
        // The board as if the side to move were White, which moves up.
        let seen = |squares: u64| match side {
            Side::First => squares,
            Side::Second => squares.swap_bytes(),
        };
        let pinned = seen(self.pinned());
        let stones = [side, side.other()].map(|side| seen(self.stones(side)));
        let sets = [
            stones[0] & !pinned,
            stones[0] & pinned,
            stones[1] & !pinned,
            stones[1] & pinned,
        ];
        for (i, set) in sets.into_iter().enumerate() {
            let mut set = set;
            while set != 0 {
                let square = set.trailing_zeros() as usize;
                found(base, i * PLACES + square, 1);
                set &= set - 1;
            }
        }
        let empty = !(stones[0] | stones[1]);
        let open = [side, side.other()].map(|side| seen(way_home(self, side)));
        let far = [0xff << 56, 0xff_u64];
        let counts: [u64; COUNTS] = [
            1,
            sets[0] & !far[0] & open[0],
            sets[2] & !far[1] & open[1],
            jumps(sets[0], sets[2], empty, Side::First),
            jumps(sets[2], sets[0], empty, Side::Second),
            jumps(sets[0], sets[1], empty, Side::First),
            jumps(sets[2], sets[3], empty, Side::Second),
        ];
        for (i, set) in counts.into_iter().enumerate() {
            found(base, COUNTS_AT + i, count(set));
        }
    }

    fn knowing(weights: Weights) -> Learned {
        Learned::of::<Self>(weights)
    }
}

/// The landing squares of jumps of `movers` over adjacent stones; `side` determines the forward direction.
fn jumps(movers: u64, over: u64, empty: u64, side: Side) -> u64 {
    let left = |squares: u64| (squares & !FILE_A) >> 1;
    let right = |squares: u64| (squares & !FILE_H) << 1;
    let ahead = |squares: u64| match side {
        Side::First => squares << 8,
        Side::Second => squares >> 8,
    };
    let leap = |step: &dyn Fn(u64) -> u64| step(step(movers) & over) & empty;
    leap(&left)
        | leap(&right)
        | leap(&|squares| left(ahead(squares)))
        | leap(&|squares| right(ahead(squares)))
}

/// The evaluation by rules of thumb.
#[inline]
fn by_hand(pos: &MawePosition) -> i32 {
    let side = pos.turn();
    TURN + value(pos, side) - value(pos, side.other())
}

/// The value of a side's stones.
fn value(pos: &MawePosition, side: Side) -> i32 {
    let far = MawePosition::far_rank(side);
    let free = pos.stones(side) & !pos.pinned();
    let pinned = pos.stones(side) & pos.pinned();
    let open = way_home(pos, side);
    HOME * count(free & far)
        + HOME_PINNED * count(pinned & far)
        + ON_ITS_WAY * count(free & !far & open)
        + CUT_OFF * count(free & !far & !open)
        + PINNED * count(pinned & !far)
        + MOVE * pos.count_moves(side) as i32
}

/// The squares from which diagonal steps lead to the far rank without crossing a pinned stone. Unpinned stones are ignored:
/// they move on, or can be jumped.
fn way_home(pos: &MawePosition, side: Side) -> u64 {
    let passable = !pos.pinned();
    let mut way = MawePosition::far_rank(side) & passable;
    for _ in 0..7 {
        let back = match side {
            Side::First => ((way & !FILE_A) >> 9) | ((way & !FILE_H) >> 7),
            Side::Second => ((way & !FILE_A) << 7) | ((way & !FILE_H) << 9),
        };
        // The square of a stone is passable, because the stone may start from there.
        way |= back & passable;
    }
    way
}

/// The number of squares, at most 64.
fn count(squares: u64) -> i32 {
    squares.count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(text: &str) -> i32 {
        text.parse::<MawePosition>()
            .expect("a position")
            .evaluate(&Learned::default())
    }

    #[test]
    fn home_is_worth_more_than_away_and_free_more_than_pinned() {
        assert!(evaluate("W7/8/8/8/8/8/8/W7 w") > evaluate("8/W7/8/8/8/8/8/W7 w"));
        assert!(evaluate("8/8/8/W7/8/8/8/W7 w") > evaluate("8/8/8/w7/8/8/8/W7 w"));
        assert!(evaluate("8/8/1W6/8/8/8/8/W7 w") > evaluate("8/b1b5/1W6/8/8/8/8/W7 w"));
    }

    #[test]
    fn the_sides_are_judged_alike() {
        assert_eq!(evaluate("BBBBBBBB/8/8/8/8/8/8/WWWWWWWW w"), TURN);
        assert_eq!(
            evaluate("2B5/8/3w4/8/8/1W6/8/8 w"),
            evaluate("8/8/1B6/8/8/3b4/8/2W5 b"),
        );
    }
}
