//! Listing and counting of moves, RULES-draughts.md sections 3 and 7.2.

use std::marker::PhantomData;

use super::board::{ALL, DOWN, Geometry, UP};
use super::line::{along, squares};
use super::moves::DraughtsMove;
use super::position::DraughtsPosition;
use super::square::Square;
use super::variant::{Crowning, Variant};
use crate::vocab::Side;

/// The parts of a position that a generator needs, for one side to move. Its men move down the board if `IS_DOWN`: each colour is compiled
/// with constant directions.
#[derive(Clone, Copy)]
pub(super) struct Board<V, const IS_DOWN: bool> {
    pub(super) own: u64,
    /// The kings of the side to move.
    pub(super) kings: u64,
    pub(super) opponent: u64,
    pub(super) empty: u64,
    variant: PhantomData<V>,
}

/// Evaluates one expression with the board of a side, in an arm for each side.
macro_rules! with_board {
    ($position:expr, $side:expr, $board:ident => $body:expr) => {{
        use crate::games::draughts::generator::Board;
        use crate::games::draughts::variant::Colour;
        use crate::vocab::Side;
        match ($side, V::BEGINS) {
            (Side::First, Colour::Black) => {
                let $board = Board::<V, true>::of($position, Side::First);
                $body
            }
            (Side::First, Colour::White) => {
                let $board = Board::<V, false>::of($position, Side::First);
                $body
            }
            (Side::Second, Colour::Black) => {
                let $board = Board::<V, false>::of($position, Side::Second);
                $body
            }
            (Side::Second, Colour::White) => {
                let $board = Board::<V, true>::of($position, Side::Second);
                $body
            }
        }
    }};
}

pub(super) use with_board;

/// The union of a set for each direction.
#[inline(always)]
fn union(set: impl Fn(usize) -> u64) -> u64 {
    let [a, b, c, d] = ALL;
    set(a) | set(b) | set(c) | set(d)
}

impl<V: Variant, const IS_DOWN: bool> Board<V, IS_DOWN> {
    /// The two directions of men.
    pub(super) const FORWARD: [usize; 2] = if IS_DOWN { DOWN } else { UP };
    /// The two directions in which men do not step.
    const BACKWARD: [usize; 2] = if IS_DOWN { UP } else { DOWN };
    /// The directions in which men capture.
    pub(super) const OF_MEN: &'static [usize] = match (V::MEN_CAPTURE_BACKWARDS, IS_DOWN) {
        (true, _) => &ALL,
        (false, true) => &DOWN,
        (false, false) => &UP,
    };
    /// The row where men are crowned.
    pub(super) const FAR_ROW: u64 = if IS_DOWN {
        Geometry::<V>::BOTTOM_ROW
    } else {
        Geometry::<V>::TOP_ROW
    };

    #[inline(always)]
    pub(super) fn of(position: &DraughtsPosition<V>, side: Side) -> Self {
        let (own, opponent) = (position.pieces[side], position.pieces[side.other()]);
        Self {
            own,
            kings: own & position.kings,
            opponent,
            empty: Geometry::<V>::BOARD & !(own | opponent),
            variant: PhantomData,
        }
    }

    /// The board during a capture by the piece on `from`, which leaves its square, so that this counts as empty.
    #[inline(always)]
    pub(super) fn without(self, from: u64) -> Self {
        Self {
            empty: self.empty | from,
            ..self
        }
    }

    #[inline(always)]
    pub(super) const fn is_forward(direction: usize) -> bool {
        direction == Self::FORWARD[0] || direction == Self::FORWARD[1]
    }

    /// The squares that `movers` reach by one step.
    #[inline(always)]
    fn steps(&self, movers: u64, direction: usize) -> u64 {
        Geometry::<V>::shift(movers, direction) & self.empty
    }

    /// The squares on which `movers` land by one jump over a neighbour among `left`.
    #[inline(always)]
    pub(super) fn jumps(&self, movers: u64, direction: usize, left: u64) -> u64 {
        let over = Geometry::<V>::shift(movers, direction) & left;
        Geometry::<V>::shift(over, direction) & self.empty
    }

    /// The pieces that jump over a neighbour to the square behind it in a direction: all but flying kings. Forward, they are also those that
    /// step.
    #[inline(always)]
    fn near_movers(&self, direction: usize) -> u64 {
        let of_men = Self::is_forward(direction) || V::MEN_CAPTURE_BACKWARDS;
        match (of_men, V::KINGS_FLY) {
            (true, false) => self.own,
            (true, true) => self.own & !self.kings,
            (false, false) => self.kings,
            (false, true) => 0,
        }
    }

    /// The landing squares of their jumps that can begin a capture.
    #[inline(always)]
    fn near_jumps(&self, direction: usize) -> u64 {
        self.jumps(self.near_movers(direction), direction, self.opponent)
    }

    /// The flying kings that can capture.
    #[inline(always)]
    fn far_jumpers(&self) -> u64 {
        let mut jumpers = 0;
        if V::KINGS_FLY {
            for king in squares(self.kings) {
                if Geometry::<V>::has_far_jump(king, self.opponent, self.empty) {
                    jumpers |= king;
                }
            }
        }
        jumpers
    }

    #[inline(always)]
    pub(super) fn must_capture(&self) -> bool {
        union(|direction| self.near_jumps(direction)) != 0 || self.far_jumpers() != 0
    }

    #[inline(always)]
    pub(super) fn has_moves(&self) -> bool {
        let [left, right] = Self::FORWARD;
        let [back_left, back_right] = Self::BACKWARD;
        let steps = self.steps(self.own, left)
            | self.steps(self.own, right)
            | self.steps(self.kings, back_left)
            | self.steps(self.kings, back_right);
        steps != 0 || self.must_capture()
    }

    /// The men with an empty square in front of them.
    #[inline(always)]
    pub(super) fn steppers(&self) -> u64 {
        let men = self.own & !self.kings;
        let [left, right] = Self::FORWARD;
        // The directions are in opposite pairs.
        let back = |direction| Geometry::<V>::shift(self.steps(men, direction), 3 - direction);
        back(left) | back(right)
    }

    /// The number of moves without capture.
    #[inline(always)]
    pub(super) fn count_steps(&self) -> u32 {
        let [left, right] = Self::FORWARD;
        let mut moves = self.steps(self.near_movers(left), left).count_ones();
        moves += self.steps(self.near_movers(right), right).count_ones();
        if self.kings == 0 {
            return moves;
        }
        if V::KINGS_FLY {
            for king in squares(self.kings) {
                let reach = |direction| Geometry::<V>::reach(king, direction, self.empty);
                moves += union(reach).count_ones();
            }
            return moves;
        }
        let [left, right] = Self::BACKWARD;
        moves += self.steps(self.kings, left).count_ones();
        moves + self.steps(self.kings, right).count_ones()
    }

    /// Appends the moves without capture.
    #[inline(always)]
    pub(super) fn list_steps(&self, moves: &mut Vec<DraughtsMove<V>>) {
        if V::KINGS_FLY {
            return self.list_steps_by_piece(moves);
        }
        for direction in Self::FORWARD {
            push_steps(moves, self.steps(self.own, direction), direction);
        }
        if self.kings != 0 {
            for direction in Self::BACKWARD {
                push_steps(moves, self.steps(self.kings, direction), direction);
            }
        }
    }

    /// Appends the moves without capture in the order of their squares of origin, as captures are listed where kings fly.
    #[inline(always)]
    fn list_steps_by_piece(&self, moves: &mut Vec<DraughtsMove<V>>) {
        for from in squares(self.steppers() | self.kings) {
            let mut push = |to: u64, direction| {
                moves.push(DraughtsMove::step(square(from), square(to), direction));
            };
            if self.kings & from == 0 {
                for direction in Self::FORWARD {
                    let to = self.steps(from, direction);
                    if to != 0 {
                        push(to, direction);
                    }
                }
            } else {
                for direction in ALL {
                    let reach = Geometry::<V>::reach(from, direction, self.empty);
                    along(reach, direction).for_each(|to| push(to, direction));
                }
            }
        }
    }

    /// The landing squares of the captures in each direction, if every capture is a single jump of a man; `None` if some are longer, or if
    /// this test cannot decide it.
    #[inline(always)]
    pub(super) fn single_jumps(&self) -> Option<[u64; 4]> {
        if self.kings != 0 {
            return None;
        }
        let of_men =
            |movers, direction| match Self::is_forward(direction) || V::MEN_CAPTURE_BACKWARDS {
                true => self.jumps(movers, direction, self.opponent),
                false => 0,
            };
        // A man that lands where it can jump no further has made a whole move. It cannot jump back over the same piece, because its square of
        // origin counts as occupied here.
        let landings = ALL.map(|direction| of_men(self.own, direction));
        let all = union(|direction| landings[direction]);
        let going_on = match V::CROWNING {
            Crowning::Stops => all & !Self::FAR_ROW,
            Crowning::Passes => all,
            Crowning::GoesOn if all & Self::FAR_ROW != 0 => return None,
            Crowning::GoesOn => all,
        };
        let is_single = union(|direction| of_men(going_on, direction)) == 0;
        is_single.then_some(landings)
    }

    /// The pieces that can capture.
    #[inline(always)]
    pub(super) fn jumpers(&self) -> u64 {
        let near = union(|direction| {
            // The directions are in opposite pairs.
            let back = 3 - direction;
            let over = Geometry::<V>::shift(self.near_jumps(direction), back);
            Geometry::<V>::shift(over, back)
        });
        near | self.far_jumpers()
    }
}

/// The square of a bit.
#[inline(always)]
pub(super) const fn square<V: Variant>(bit: u64) -> Square<V> {
    // Below 64.
    Square::from_index(bit.trailing_zeros() as u8)
}

/// Lists the steps to `targets`.
#[inline(always)]
fn push_steps<V: Variant>(moves: &mut Vec<DraughtsMove<V>>, mut targets: u64, direction: usize) {
    while targets != 0 {
        let to = square::<V>(targets);
        let from = to
            .index()
            .wrapping_add_signed(-Geometry::<V>::offset(direction));
        moves.push(DraughtsMove::step(Square::from_index(from), to, direction));
        targets &= targets - 1;
    }
}

/// Lists the single jumps to `landings`.
#[inline(always)]
pub(super) fn push_jumps<V: Variant>(
    moves: &mut Vec<DraughtsMove<V>>,
    mut landings: u64,
    direction: usize,
) {
    while landings != 0 {
        let to = square::<V>(landings);
        let offset = 2 * Geometry::<V>::offset(direction);
        let from = Square::from_index(to.index().wrapping_add_signed(-offset));
        moves.push(DraughtsMove::capture(from).and_jump(to, direction));
        landings &= landings - 1;
    }
}
