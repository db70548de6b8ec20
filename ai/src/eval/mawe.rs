//! Mawe!: stones home, stones on their way, and who has moves left.
//!
//! How far a stone has come is worth nothing: whoever hurries runs out of moves first. The main
//! weights are from matches of fixed nodes against their neighbours (160 games each; a bonus of 4 a rank
//! lost 41 to 59, a malus of 2 lost 42 to 58).

use mawe_rules::games::mawe::{MaweMove, MawePosition};
use mawe_rules::{Position, Side};

use super::Evaluate;
use crate::level::Strength;

/// An unpinned stone on the far rank: the unit.
const HOME: i32 = 100;
/// A pinned stone on the far rank, which an ally beside it may still free.
const HOME_PINNED: i32 = 25;
/// An unpinned stone with a way to the far rank that no pinned stone bars.
const ON_ITS_WAY: i32 = 50;
/// Any other unpinned stone.
const CUT_OFF: i32 = 15;
/// A pinned stone elsewhere.
const PINNED: i32 = 5;
/// A legal move: whoever runs out of moves cannot bring any more stones home.
const MOVE: i32 = 2;
/// It is a help to be the one to move.
const TURN: i32 = 5;

/// The effort to see a move, for each square of a slide beyond the first and for each jump.
const EFFORT_PER_SQUARE: u32 = 10;
const EFFORT_PER_JUMP: u32 = 15;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = 0x8080_8080_8080_8080;

impl Evaluate for MawePosition {
    const ASPIRATION: i32 = 60;
    const MARGIN: i32 = 60;
    const REDUCTION: u32 = 16;
    #[rustfmt::skip]
    const LEVELS: [Strength; 8] = [
        Strength { depth: 1, nodes: 200, blindness: 294, sure: 1, noise: 496, calms: false },
        Strength { depth: 1, nodes: 200, blindness: 184, sure: 1, noise: 265, calms: false },
        Strength { depth: 1, nodes: 200, blindness: 111, sure: 2, noise: 135, calms: false },
        Strength { depth: 2, nodes: 300, blindness: 84, sure: 8, noise: 93, calms: false },
        Strength { depth: 4, nodes: 300, blindness: 51, sure: 17, noise: 48, calms: true },
        Strength { depth: 6, nodes: 787, blindness: 33, sure: 22, noise: 27, calms: true },
        Strength { depth: 200, nodes: 3_348, blindness: 15, sure: 30, noise: 9, calms: true },
        Strength::FULL,
    ];
    const LADDER: [i32; 7] = [237, 224, 249, 194, 203, 264, 272];

    #[inline]
    fn evaluate(&self) -> i32 {
        let side = self.turn();
        TURN + value(self, side) - value(self, side.other())
    }

    fn effort(&self, m: MaweMove) -> u32 {
        let squares = u32::from(m.distance()).saturating_sub(1);
        let jump = match self.jumped_by(m) {
            Some(_) => EFFORT_PER_JUMP,
            None => 0,
        };
        squares * EFFORT_PER_SQUARE + jump
    }
}

/// What a side's stones are worth.
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

/// The squares from which diagonal steps lead to the far rank without crossing a pinned stone.
/// Unpinned stones are left out of account: they move on, or can be jumped.
fn way_home(pos: &MawePosition, side: Side) -> u64 {
    let passable = !pos.pinned();
    let mut way = MawePosition::far_rank(side) & passable;
    for _ in 0..7 {
        let back = match side {
            Side::First => ((way & !FILE_A) >> 9) | ((way & !FILE_H) >> 7),
            Side::Second => ((way & !FILE_A) << 7) | ((way & !FILE_H) << 9),
        };
        // A stone that already stands there may start from there, so its own square is passable.
        way |= back & passable;
    }
    way
}

/// At most 64.
fn count(squares: u64) -> i32 {
    squares.count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(text: &str) -> i32 {
        text.parse::<MawePosition>().expect("a position").evaluate()
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
