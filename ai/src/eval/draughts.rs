//! Evaluation of the draughts family with flying kings, one for all its games: men and kings, the advance of men, the home row, the middle,
//! and endings that a lone king holds.

use mawe_rules::games::draughts::{
    Brazilian, Colour, Drafti, DraughtsMove, DraughtsPosition, International, Listed, Pool,
    Russian, Square, Variant,
};
use mawe_rules::{EndgameClocks, Side};

use super::evaluate::{Evaluate, Quietness, Truth};
use super::learned::{Learn, Learned};
use super::net::Shape;
use crate::endgame::DraughtsDatabase;
use crate::weights::Weights;

/// The value of a man.
const MAN: i32 = 100;
/// The value of a flying king, which is worth some three men.
const KING: i32 = 300;
/// The bonus for each row that a man has advanced.
const ROW: i32 = 3;
/// The bonus for a man kept on the home row, where it prevents crowning.
const HOME_ROW: i32 = 7;
/// The bonus for a piece in the middle of the board.
const MIDDLE: i32 = 4;
/// The bonus for a man that can step.
const STEP: i32 = 2;
/// The bonus for a king on the long diagonal, which it commands.
const ROAD: i32 = 30;
/// A lead counts more with fewer pieces: this much for each man of lead, divided by the number of pieces of both sides.
const TRADE: i32 = 240;
/// The advantage of being the side to move.
const TURN: i32 = 3;
/// The divisor of an evaluation in an ending that a lone king holds.
const HELD: i32 = 8;

/// The visibility cost of each square beyond the first of a king's step, and of each jump of a capture after the first.
const COST_PER_SQUARE: u32 = 8;
const COST_PER_JUMP: u32 = 25;

/// The greatest width of a board.
const MOST_ROWS: usize = 10;

/// The squares of a board that the evaluation tells apart, as bit sets.
struct Places {
    rows: [u64; MOST_ROWS],
    middle: u64,
    road: u64,
}

impl Places {
    const fn of<V: Variant>() -> Self {
        let width = 2 * V::ROW;
        let (mut rows, mut middle, mut road) = ([0; MOST_ROWS], 0, 0);
        let mut number = 1;
        while number <= width * V::ROW {
            let bit = DraughtsPosition::<V>::square(number);
            let row = (number - 1) / V::ROW;
            let column = 2 * ((number - 1) % V::ROW) + (row + 1) % 2;
            rows[row as usize] |= bit;
            if row >= 2 && row + 2 < width && column >= 2 && column + 2 < width {
                middle |= bit;
            }
            if row + column + 1 == width {
                road |= bit;
            }
            number += 1;
        }
        Self { rows, middle, road }
    }
}

/// A game with flying kings.
trait FlyingKings: Listed {
    /// The places of its board.
    const PLACES: Places = Places::of::<Self>();
    /// The greatest number of pieces in each phase but the last: a quarter, five twelfths and two thirds of those at the start.
    const PHASE_ENDS: [i32; PHASES - 1] = {
        let pieces = 2 * (Self::MEN_ROWS * Self::ROW) as i32;
        [pieces / 4, 5 * pieces / 12, 2 * pieces / 3]
    };
    /// The bits of the board, some of which are no squares.
    const BITS: usize = 64 - Self::LAST.leading_zeros() as usize;
    /// The last square, in the corner of White's home.
    const LAST: u64 = DraughtsPosition::<Self>::square(2 * Self::ROW * Self::ROW);
    /// The offset of the counts in a phase: men and kings by square stand before them, the own before the other side's.
    const COUNTS_AT: usize = 4 * Self::BITS;
    /// The number of features in a phase.
    const IN_PHASE: usize = Self::COUNTS_AT + COUNTS;
}

impl FlyingKings for Drafti {}
impl FlyingKings for Brazilian {}
impl FlyingKings for Russian {}
impl FlyingKings for International {}
impl FlyingKings for Pool {}

impl<V: FlyingKings> Evaluate for DraughtsPosition<V> {
    type Known = Learned<DraughtsDatabase<V>>;
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

    fn may_be_limited(
        &self,
        known: &Self::Known,
        plies: u32,
        clocks: &EndgameClocks,
        since: u32,
    ) -> bool {
        known.endgame.may_be_limited(self, plies, clocks, since)
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
    fn order_score(&self, m: DraughtsMove<V>) -> i32 {
        m.jumps() as i32
    }

    fn visibility_cost(&self, m: DraughtsMove<V>) -> u32 {
        match m.jumps() {
            0 => COST_PER_SQUARE * (rows_between(m.from(), m.to()) - 1),
            jumps => (jumps - 1) * COST_PER_JUMP,
        }
    }
}

/// The number of rows from one square to another.
fn rows_between<V: Variant>(from: Square<V>, to: Square<V>) -> u32 {
    u32::from(from.row().abs_diff(to.row()))
}

/// The number of phases, by the number of pieces. Each has its own weights.
const PHASES: usize = 4;
/// The number of counts of a phase, which stand after its pieces.
const COUNTS: usize = 8;

impl<V: FlyingKings> Learn for DraughtsPosition<V> {
    const FEATURES: usize = PHASES * V::IN_PHASE;
    const NET: Option<Shape> = Some(Shape {
        phases: PHASES,
        in_phase: V::IN_PHASE,
        inputs: V::COUNTS_AT,
        at_once: (2 * V::ROW * V::ROW) as usize,
    });

    #[inline(always)]
    fn features(&self, mut found: impl FnMut(usize, usize, i32)) {
        let side = self.turn();
        let all = count(self.pieces(side) | self.pieces(side.other()));
        let phase = V::PHASE_ENDS.iter().filter(|most| all > **most).count();
        let base = phase * V::IN_PHASE;
        let parts = [side, side.other()].map(|side| Part::of(self, side));
        for (i, part) in parts.iter().enumerate() {
            for (j, set) in [part.men, part.kings].into_iter().enumerate() {
                let mut set = seen::<V>(side, set);
                while set != 0 {
                    let place = set.trailing_zeros() as usize % V::BITS;
                    found(base, (2 * i + j) * V::BITS + place, 1);
                    set &= set - 1;
                }
            }
        }
        let [own, other] = parts;
        let lead = own.worth() - other.worth();
        let counts: [i32; COUNTS] = [
            1,
            count(own.steps),
            count(other.steps),
            // A lead counts more with fewer pieces.
            24 * lead / all.max(1),
            count(own.kings & V::PLACES.road),
            count(other.kings & V::PLACES.road),
            i32::from(own.kings != 0),
            i32::from(other.kings != 0),
        ];
        for (i, times) in counts.into_iter().enumerate() {
            found(base, V::COUNTS_AT + i, times);
        }
    }

    fn knowing(weights: Weights) -> Self::Known {
        Learned::of::<Self>(weights)
    }
}

/// A set of squares from the view of a side: turned by half a turn for Black, so that its men move up the board.
fn seen<V: FlyingKings>(side: Side, squares: u64) -> u64 {
    match V::colour(side) {
        Colour::White => squares,
        Colour::Black => squares.reverse_bits() >> V::LAST.leading_zeros(),
    }
}

/// The pieces of a side.
struct Part {
    men: u64,
    kings: u64,
    /// The men that can step, each once.
    steps: u64,
}

impl Part {
    fn of<V: Variant>(pos: &DraughtsPosition<V>, side: Side) -> Self {
        let pieces = pos.pieces(side);
        let men = pieces & !pos.kings();
        Self {
            men,
            kings: pieces & pos.kings(),
            steps: pos.can_step(side),
        }
    }

    /// The value of the pieces, in half men.
    fn worth(&self) -> i32 {
        2 * count(self.men) + 6 * count(self.kings)
    }
}

/// The evaluation by rules of thumb.
fn by_hand<V: FlyingKings>(pos: &DraughtsPosition<V>) -> i32 {
    let side = pos.turn();
    let [own, other] = [side, side.other()].map(|side| Part::of(pos, side));
    let material = |part: &Part| MAN * count(part.men) + KING * count(part.kings);
    // The side to move has a piece, so the divisor is not 0.
    let all = count(pos.pieces(side) | pos.pieces(side.other())).max(1);
    let (mine, theirs) = (material(&own), material(&other));
    let lead = (mine - theirs) * TRADE / (MAN * all);
    let place = place::<V>(&own, side) - place::<V>(&other, side.other());
    let value = TURN + mine - theirs + lead + place;
    if is_held::<V>(&own, &other) || is_held::<V>(&other, &own) {
        return value / HELD;
    }
    value
}

fn place<V: FlyingKings>(part: &Part, side: Side) -> i32 {
    let places = &V::PLACES;
    let width = 2 * V::ROW as usize;
    let mut sum = MIDDLE * count((part.men | part.kings) & places.middle);
    sum += STEP * count(part.steps) + ROAD * count(part.kings & places.road);
    for (row, squares) in places.rows[..width].iter().enumerate() {
        let come = match V::colour(side) {
            Colour::Black => row,
            Colour::White => width - 1 - row,
        };
        // At most 9 rows.
        let bonus = if come == 0 {
            HOME_ROW
        } else {
            come as i32 * ROW
        };
        sum += bonus * count(part.men & squares);
    }
    sum
}

/// Whether `lone`, a single king, holds against `many`: against two pieces with a king, and on the long diagonal against three.
fn is_held<V: FlyingKings>(lone: &Part, many: &Part) -> bool {
    if lone.men != 0 || count(lone.kings) != 1 || many.kings == 0 {
        return false;
    }
    match count(many.men | many.kings) {
        0..=2 => true,
        3 => lone.kings & V::PLACES.road != 0,
        _ => false,
    }
}

/// The number of squares, at most 50.
fn count(squares: u64) -> i32 {
    squares.count_ones() as i32
}

#[cfg(test)]
mod tests {
    use mawe_rules::games::draughts::{BrazilianPosition, DraftiPosition};

    use super::*;

    fn evaluate<P: Evaluate>(text: &str) -> i32 {
        let pos: P = text.parse().expect("a position");
        pos.evaluate(&P::Known::default())
    }

    #[test]
    fn more_is_better_and_a_king_more_than_a_man() {
        let evaluate = evaluate::<BrazilianPosition>;
        assert!(evaluate("W:W21,22:B1") > evaluate("W:W21:B1"));
        assert!(evaluate("W:WK21:B1") > evaluate("W:W21:B1"));
        assert!(evaluate("W:W21,22:B1,2") > evaluate("W:W21,22:B1,2,3"));
    }

    #[test]
    fn the_sides_are_judged_alike() {
        let start = "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
        assert_eq!(evaluate::<DraftiPosition>(start), TURN);
        assert_eq!(
            evaluate::<DraftiPosition>("B:W30,K15:B2,9"),
            evaluate::<DraftiPosition>("W:W31,24:B3,K18")
        );
    }

    #[test]
    fn a_lone_king_on_the_long_diagonal_holds_against_three() {
        let evaluate = evaluate::<BrazilianPosition>;
        assert!(evaluate("W:WK1,K5,K30:BK18") < evaluate("W:WK1,K5,K30:BK20") / 4);
    }

    #[test]
    fn the_long_diagonal_leads_from_corner_to_corner() {
        let road = [4, 8, 11, 15, 18, 22, 25, 29].map(BrazilianPosition::square);
        let places = Places::of::<mawe_rules::games::draughts::Brazilian>();
        assert_eq!(places.road, road.iter().sum::<u64>());
        assert_eq!(count(places.middle), 8);
    }
}
