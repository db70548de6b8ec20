//! Evaluation of Reversi by hand: mobility and corners first, discs only towards the end.
//!
//! In the opening and the middle game the side with fewer discs is usually better, because it has
//! more squares to choose from; so discs count only as the board fills up. The weights are a first
//! estimate by hand; in matches of 200 nodes a ply counting discs from 10 empty squares on, rather
//! than 20, gained some 80 Elo, and the bonus for anchored discs some 30.

use mawe_rules::Position;
use mawe_rules::games::reversi::{ReversiMove, ReversiPosition};

use super::evaluate::Evaluate;
use crate::reversi::Known;

/// The value of a disc of the final lead.
const DISC: i32 = 100;
/// The bonus for a square on which a disc can be placed.
const MOBILITY: i32 = 75;
/// The bonus for an empty square beside discs of the other side, where a move may become possible.
const POTENTIAL: i32 = 15;
/// The value of a disc in a corner, which is never turned over.
const CORNER: i32 = 800;
/// The value of a disc diagonally beside an empty corner, which opens the corner to the other side.
const BESIDE_CORNER: i32 = -525;
/// The value of a disc on the edge beside an empty corner.
const EDGE_BESIDE_CORNER: i32 = -100;
/// The value of a disc on an edge that an unbroken line of own discs joins to an own corner: it
/// cannot be turned over.
const ANCHORED: i32 = 80;
/// The advantage of being the side to move; it is greater with an odd number of empty squares.
const TURN: i32 = 30;
const ODD: i32 = 60;
/// The number of empty squares from which on discs count.
const LATE: i32 = 10;

/// The visibility cost of a move that turns over a single disc, and its decrease for each further disc.
const COST: u32 = 40;
const COST_LESS_PER_DISC: u32 = 8;

const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The squares diagonally beside the corners.
const BESIDE_CORNERS: u64 = 0x0042_0000_0000_4200;
const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = 0x8080_8080_8080_8080;
const FILES_A_H: u64 = FILE_A | FILE_H;
const RANKS_1_8: u64 = 0xff00_0000_0000_00ff;

impl Evaluate for ReversiPosition {
    type Known = Known;
    const ASPIRATION: i32 = 150;
    const MARGIN: i32 = 250;
    const ONLY_REPLY_IS_FREE: bool = true;
    const REDUCTION: u32 = 12;

    #[inline]
    fn evaluate(&self, _known: &Known) -> i32 {
        let side = self.turn();
        let opponent = side.other();
        let (own, other) = (self.discs(side), self.discs(opponent));
        let empty = !(own | other);

        let mut place =
            MOBILITY * (count(self.placements(side)) - count(self.placements(opponent)));
        place += POTENTIAL * (count(around(other) & empty) - count(around(own) & empty));
        place += squares(own, empty) - squares(other, empty);
        place += ANCHORED * (count(anchored(own)) - count(anchored(other)));
        place += if count(empty) % 2 == 1 { ODD } else { TURN };
        let discs = DISC * (count(own) - count(other));
        let early = count(empty).min(LATE);
        (place * early + discs * (LATE - early)) / LATE
    }

    #[inline]
    fn order_score(&self, m: ReversiMove) -> i32 {
        match m {
            ReversiMove::Place(square) if square.bit() & CORNERS != 0 => 1,
            ReversiMove::Place(square) if square.bit() & BESIDE_CORNERS != 0 => -1,
            ReversiMove::Place(_) | ReversiMove::Pass => 0,
        }
    }

    fn visibility_cost(&self, m: ReversiMove) -> u32 {
        let turned = self.turned_by(m).count_ones();
        match m {
            ReversiMove::Pass => 0,
            ReversiMove::Place(_) => {
                COST.saturating_sub(turned.saturating_sub(1) * COST_LESS_PER_DISC)
            }
        }
    }
}

/// The value of the discs in and beside the corners.
fn squares(discs: u64, empty: u64) -> i32 {
    let open = CORNERS & empty;
    let beside = sideways(open) | (open << 8) | (open >> 8);
    let diagonal = sideways((open << 8) | (open >> 8));
    CORNER * count(discs & CORNERS)
        + EDGE_BESIDE_CORNER * count(discs & beside)
        + BESIDE_CORNER * count(discs & diagonal)
}

/// The discs of one side on the edges, except the corners, that an unbroken line joins to a corner of
/// that side.
fn anchored(discs: u64) -> u64 {
    let mut joined = discs & CORNERS;
    if joined == 0 {
        return 0;
    }
    let (ranks, files) = (discs & RANKS_1_8, discs & FILES_A_H);
    for _ in 0..6 {
        joined |= sideways(joined) & ranks | (joined << 8 | joined >> 8) & files;
    }
    joined & !CORNERS
}

fn sideways(squares: u64) -> u64 {
    ((squares & !FILE_A) >> 1) | ((squares & !FILE_H) << 1)
}

/// The squares and their neighbours in all eight directions.
fn around(squares: u64) -> u64 {
    let row = squares | sideways(squares);
    row | (row << 8) | (row >> 8)
}

/// The number of squares, at most 64.
fn count(squares: u64) -> i32 {
    squares.count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(text: &str) -> i32 {
        text.parse::<ReversiPosition>()
            .expect("a position")
            .evaluate(&Known::default())
    }

    #[test]
    fn a_corner_is_good_and_the_way_to_it_is_bad() {
        let with = |at: usize, disc: &str| {
            let mut text =
                String::from("---------------------------OX------XO--------------------------- X");
            text.replace_range(at..=at, disc);
            evaluate(&text)
        };
        assert!(with(0, "X") > with(2, "X"));
        assert!(with(0, "O") < with(2, "O"));
        assert!(with(9, "X") < with(2, "X"));
    }

    #[test]
    fn the_sides_are_judged_alike_and_a_full_board_by_discs() {
        let black = "----------------------X----XXO-----XOO---X-O-------------------- X";
        let white = "----------------------O----OOX-----OXX---O-X-------------------- O";
        assert_eq!(evaluate(black), evaluate(white));
        let full = format!("{}{} X", "X".repeat(40), "O".repeat(24));
        assert_eq!(evaluate(&full), 16 * DISC);
    }

    #[test]
    fn neighbours_do_not_wrap() {
        assert_eq!(around(1 << 7), 0xc0c0);
        assert_eq!(around(1 << 56), 0x0303 << 48);
    }
}
