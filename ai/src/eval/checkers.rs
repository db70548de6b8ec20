//! Evaluation of American checkers. By hand: men and kings, the advance of men, and the home row. Learned: a sum of
//! weights over these and more features, and a small network over the pieces on their squares.

use mawe_rules::Side;
use mawe_rules::games::checkers::{CheckersMove, CheckersPosition, Square};

use super::evaluate::{Evaluate, Quietness, Truth};
use super::learned::{Learn, Learned};
use super::net::Shape;
use crate::endgame::CheckersDatabase;
use crate::weights::Weights;

/// The value of a man.
const MAN: i32 = 100;
const KING: i32 = 145;
/// The bonus for each row that a man has advanced.
const ROW: i32 = 3;
/// The bonus for a man kept on the home row, where it prevents crowning.
const HOME_ROW: i32 = 6;
/// The bonus for a piece on one of the eight middle squares.
const MIDDLE: i32 = 4;
/// The bonus for each legal step or capture.
const MOVE: i32 = 2;
/// A lead counts more with fewer pieces: this much for each man of lead, divided by the number of pieces of both sides.
const TRADE: i32 = 240;
/// The advantage of being the side to move.
const TURN: i32 = 3;
/// The bonus for a man whose way to the crown no opposing piece can block.
const RUNNER: i32 = 20;
/// A king on the border has only half the moves.
const KING_ON_BORDER: i32 = -6;

/// The visibility cost of a step of a king, and each jump of a capture after the first.
const COST_OF_KING: u32 = 10;
const COST_PER_JUMP: u32 = 25;

const MIDDLE_SQUARES: u64 = squares(&[10, 11, 14, 15, 18, 19, 22, 23]);
const BORDER_SQUARES: u64 = squares(&[1, 2, 3, 4, 5, 12, 13, 20, 21, 28, 29, 30, 31, 32]);
const ROWS: [u64; 8] = rows();

impl Evaluate for CheckersPosition {
    type Known = Learned<CheckersDatabase>;
    const QUIESCENCE: u32 = 32;
    const ASPIRATION: i32 = 30;
    const REDUCTION: u32 = 20;
    const MAY_REPEAT: bool = true;

    #[inline]
    fn evaluate(&self, known: &Self::Known) -> i32 {
        known.judge(self).unwrap_or_else(|| by_hand(self))
    }

    #[inline]
    fn probe(&self, known: &Self::Known) -> Option<Truth> {
        known.endgame.value(self).map(Truth::from)
    }

    /// Captures are compulsory, so a position with one is never quiet.
    #[inline]
    fn quietness(&self) -> Quietness {
        match self.must_capture() {
            true => Quietness::Forced,
            false => Quietness::Quiet,
        }
    }

    #[inline]
    fn order_score(&self, m: CheckersMove) -> i32 {
        m.jumps() as i32
    }

    fn visibility_cost(&self, m: CheckersMove) -> u32 {
        match m.jumps() {
            0 if self.kings() & m.from().bit() != 0 => COST_OF_KING,
            0 => 0,
            jumps => (jumps - 1) * COST_PER_JUMP,
        }
    }
}

/// The greatest number of pieces in each phase; each phase has its own weights.
const PHASES: [i32; 4] = [6, 10, 16, i32::MAX];
/// The bits of the board, of which three are no squares.
const PLACES: usize = 35;
/// The offsets of the features in a phase: men and kings by square, the own before the other side's; the men on the home
/// rows; then counts.
const HOME_AT: usize = 4 * PLACES;
const COUNTS_AT: usize = HOME_AT + 32;
const COUNTS: usize = 9;
const IN_PHASE: usize = COUNTS_AT + COUNTS;

impl Learn for CheckersPosition {
    const FEATURES: usize = PHASES.len() * IN_PHASE;
    const NET: Option<Shape> = Some(Shape {
        phases: PHASES.len(),
        in_phase: IN_PHASE,
        inputs: HOME_AT,
        at_once: 32,
    });

    #[inline(always)]
    fn features(&self, mut found: impl FnMut(usize, usize, i32)) {
        let side = self.turn();
        // The board as if the side to move were Black, which moves down; the last of the 35 bits becomes the first.
        let seen = |squares: u64| match side {
            Side::First => squares,
            Side::Second => squares.reverse_bits() >> (64 - PLACES),
        };
        let kings = seen(self.kings());
        let pieces = [side, side.other()].map(|side| seen(self.pieces(side)));
        let all = count(pieces[0] | pieces[1]);
        let phase = PHASES.iter().position(|most| all <= *most).unwrap_or(0);
        let base = phase * IN_PHASE;
        let sets = [
            pieces[0] & !kings,
            pieces[0] & kings,
            pieces[1] & !kings,
            pieces[1] & kings,
        ];
        for (i, set) in sets.into_iter().enumerate() {
            let mut set = set;
            while set != 0 {
                let place = i * PLACES + set.trailing_zeros() as usize % PLACES;
                found(base, place, 1);
                set &= set - 1;
            }
        }
        let (own_home, other_home) = (sets[0] & 15, sets[2] >> (PLACES - 4) & 15);
        found(base, HOME_AT + own_home as usize, 1);
        found(base, HOME_AT + 16 + other_home as usize, 1);
        let worth = |men: u64, kings: u64| 2 * count(men) + 3 * count(kings);
        let lead = worth(sets[0], sets[1]) - worth(sets[2], sets[3]);
        let [own, other] = [side, side.other()];
        let counts: [i32; COUNTS] = [
            1,
            self.count_moves(own) as i32,
            self.count_moves(other) as i32,
            // A lead counts more with fewer pieces.
            24 * lead / all.max(1),
            count(sets[0] & beyond(pieces[1], Side::First)),
            count(sets[2] & beyond(pieces[0], Side::Second)),
            i32::from(sets[1] != 0),
            i32::from(sets[3] != 0),
            // The side that makes the last move when both run out of moves, by the parity of the rows left to the men.
            (rows_to_go(sets[0], Side::First) + rows_to_go(sets[2], Side::Second)) & 1,
        ];
        for (i, times) in counts.into_iter().enumerate() {
            found(base, COUNTS_AT + i, times);
        }
    }

    fn knowing(weights: Weights) -> Self::Known {
        Learned::of::<Self>(weights)
    }
}

/// The number of rows from the crown, summed over the men of a side.
fn rows_to_go(men: u64, side: Side) -> i32 {
    let rows = ROWS.into_iter().enumerate().map(|(row, squares)| {
        let left = match side {
            Side::First => 7 - row as i32,
            Side::Second => row as i32,
        };
        left * count(men & squares)
    });
    rows.sum()
}

/// The evaluation by rules of thumb.
#[inline]
fn by_hand(pos: &CheckersPosition) -> i32 {
    let side = pos.turn();
    let own = value(pos, side);
    let opponent = value(pos, side.other());
    // At most 64 pieces. The side to move has at least one, so the divisor is not 0.
    let all = count(pos.pieces(side) | pos.pieces(side.other())).max(1);
    let lead = (own.material - opponent.material) * TRADE / (MAN * all);
    TURN + own.material + own.place - opponent.material - opponent.place + lead
}

struct Value {
    material: i32,
    place: i32,
}

fn value(pos: &CheckersPosition, side: Side) -> Value {
    let pieces = pos.pieces(side);
    let men = pieces & !pos.kings();
    let material = MAN * count(men) + KING * count(pieces & pos.kings());
    let mut place = MIDDLE * count(pieces & MIDDLE_SQUARES) + MOVE * pos.count_moves(side) as i32;
    place += KING_ON_BORDER * count(pieces & pos.kings() & BORDER_SQUARES);
    place += RUNNER * count(men & beyond(pos.pieces(side.other()), side));
    for (row, squares) in ROWS.into_iter().enumerate() {
        let come = match side {
            Side::First => row as i32,
            Side::Second => 7 - row as i32,
        };
        let here = count(men & squares);
        place += here * if come == 0 { HOME_ROW } else { come * ROW };
    }
    Value { material, place }
}

/// The squares that all pieces of the other side have passed, from the view of a man of `side`.
fn beyond(others: u64, side: Side) -> u64 {
    match side {
        Side::First => u64::MAX
            .checked_shl(64 - others.leading_zeros())
            .unwrap_or(0),
        Side::Second => others.wrapping_sub(1) & !others,
    }
}

const fn squares(numbers: &[u8]) -> u64 {
    let (mut set, mut i) = (0, 0);
    while i < numbers.len() {
        if let Some(square) = Square::new(numbers[i]) {
            set |= square.bit();
        }
        i += 1;
    }
    set
}

const fn rows() -> [u64; 8] {
    let mut rows = [0; 8];
    let mut number = 1;
    while let Some(square) = Square::new(number) {
        rows[square.row() as usize] |= square.bit();
        number += 1;
    }
    rows
}

/// The number of squares, at most 32.
fn count(squares: u64) -> i32 {
    squares.count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(text: &str) -> i32 {
        text.parse::<CheckersPosition>()
            .expect("a position")
            .evaluate(&Learned::default())
    }

    #[test]
    fn more_is_better_and_a_king_more_than_a_man() {
        assert!(evaluate("B:W21:B1,2") > evaluate("B:W21:B1"));
        assert!(evaluate("B:W21:BK1") > evaluate("B:W21:B1"));
        assert!(evaluate("B:W21,22:B1,2") > evaluate("B:W21,22,23:B1,2"));
        // The same lead is worth more with fewer pieces.
        let crowded = "B:W28,29,30,31,32:B1,2,3,4,5,6";
        let bare = "B:W28:B1,2";
        assert!(evaluate(bare) > evaluate(crowded));
    }

    #[test]
    fn the_sides_are_judged_alike() {
        let start = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
        assert_eq!(evaluate(start), TURN);
        assert_eq!(evaluate("B:W30,K15:B2,9"), evaluate("W:W31,24:B3,K18"));
    }
}
