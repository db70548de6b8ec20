//! Listing and counting of moves.

use super::board::{BOARD, BOTTOM_ROW, Direction, TOP_ROW};
use super::{CheckersMove, CheckersPosition};
use crate::vocab::Side;

/// The parts of a position that a move generator needs, for one side to move.
#[derive(Clone, Copy)]
pub(super) struct Board {
    pub(super) own: u64,
    /// The kings of the side to move.
    pub(super) kings: u64,
    pub(super) opponent: u64,
    pub(super) empty: u64,
    /// The two directions of men.
    forward: [Direction; 2],
    /// The two directions in which only kings move.
    backward: [Direction; 2],
    /// The row where men are crowned.
    far_row: u64,
}

const DOWN: [Direction; 2] = [Direction::DownLeft, Direction::DownRight];
const UP: [Direction; 2] = [Direction::UpLeft, Direction::UpRight];

impl Board {
    /// The squares that `movers` reach by one step.
    #[inline(always)]
    fn steps(&self, movers: u64, direction: Direction) -> u64 {
        direction.step(movers) & self.empty
    }

    /// The squares on which `movers` land by one jump.
    #[inline(always)]
    fn jumps(&self, movers: u64, direction: Direction) -> u64 {
        direction.step(direction.step(movers) & self.opponent) & self.empty
    }

    /// The landing squares of all jumps that can begin a capture.
    #[inline(always)]
    fn first_jumps(&self) -> u64 {
        let [left, right] = self.forward;
        let [back_left, back_right] = self.backward;
        self.jumps(self.own, left)
            | self.jumps(self.own, right)
            | self.jumps(self.kings, back_left)
            | self.jumps(self.kings, back_right)
    }

    #[inline(always)]
    pub(super) fn must_capture(&self) -> bool {
        self.first_jumps() != 0
    }

    #[inline(always)]
    fn has_moves(&self) -> bool {
        let [left, right] = self.forward;
        let [back_left, back_right] = self.backward;
        let steps = self.steps(self.own, left)
            | self.steps(self.own, right)
            | self.steps(self.kings, back_left)
            | self.steps(self.kings, back_right);
        steps != 0 || self.must_capture()
    }

    #[inline(always)]
    fn count(&self) -> u32 {
        if self.must_capture() {
            return self.count_captures();
        }
        let [left, right] = self.forward;
        let mut moves = self.steps(self.own, left).count_ones();
        moves += self.steps(self.own, right).count_ones();
        if self.kings != 0 {
            let [left, right] = self.backward;
            moves += self.steps(self.kings, left).count_ones();
            moves += self.steps(self.kings, right).count_ones();
        }
        moves
    }

    #[inline(always)]
    fn count_captures(&self) -> u32 {
        if let Some([left, right]) = self.single_jumps() {
            return left.count_ones() + right.count_ones();
        }
        let mut moves = 0;
        self.for_captures(|_| moves += 1);
        moves
    }

    /// The landing squares of the captures in each forward direction, if every capture is a single
    /// jump of a man; `None` if some are longer, or if this test cannot decide it.
    #[inline(always)]
    fn single_jumps(&self) -> Option<[u64; 2]> {
        if self.kings != 0 {
            return None;
        }
        // Men move forward, so that no piece can be jumped twice. A man that lands where it can
        // jump no further has made a whole move.
        let [left, right] = self.forward;
        let (by_left, by_right) = (self.jumps(self.own, left), self.jumps(self.own, right));
        let going_on = (by_left | by_right) & !self.far_row;
        let is_single = self.jumps(going_on, left) | self.jumps(going_on, right) == 0;
        is_single.then_some([by_left, by_right])
    }

    /// The pieces that can jump.
    #[inline(always)]
    fn jumpers(&self) -> u64 {
        let back = |movers, direction: Direction| {
            let back = direction.opposite();
            back.step(back.step(self.jumps(movers, direction)))
        };
        let [left, right] = self.forward;
        let jumpers = back(self.own, left) | back(self.own, right);
        if self.kings == 0 {
            return jumpers;
        }
        let [left, right] = self.backward;
        jumpers | back(self.kings, left) | back(self.kings, right)
    }

    #[inline(always)]
    fn list(&self, moves: &mut Vec<CheckersMove>) {
        if self.must_capture() {
            match self.single_jumps() {
                Some(landings) => {
                    for (landings, direction) in landings.into_iter().zip(self.forward) {
                        push_jumps(moves, landings, direction);
                    }
                }
                None => self.for_captures(|m| moves.push(m)),
            }
            return;
        }
        for direction in self.forward {
            push_steps(moves, self.steps(self.own, direction), direction);
        }
        if self.kings != 0 {
            for direction in self.backward {
                push_steps(moves, self.steps(self.kings, direction), direction);
            }
        }
    }

    /// Calls `found` with every capture.
    fn for_captures(&self, mut found: impl FnMut(CheckersMove)) {
        let mut pieces = self.jumpers();
        while pieces != 0 {
            let from = pieces & pieces.wrapping_neg();
            // The moving piece leaves its square of origin, which so counts as empty.
            let board = Self {
                empty: self.empty | from,
                ..*self
            };
            let m = CheckersMove::capture(from.trailing_zeros());
            if self.kings & from != 0 {
                board.captures_of_king(from, m, &mut found);
            } else {
                board.captures_of_man(from, m, &mut found);
            }
            pieces &= pieces - 1;
        }
    }

    /// Calls `found` with every complete capture of the man that stands on `at` after the jumps of
    /// `m`. Pieces behind it are out of reach, so they need not be taken off.
    fn captures_of_man(&self, at: u64, m: CheckersMove, found: &mut impl FnMut(CheckersMove)) {
        let mut ends_here = m.is_capture();
        if at & self.far_row == 0 {
            for direction in self.forward {
                let landing = self.jumps(at, direction);
                if landing != 0 {
                    ends_here = false;
                    self.captures_of_man(landing, m.and_jump(direction), found);
                }
            }
        }
        if ends_here {
            found(m);
        }
    }

    /// As [`captures_of_man`](Board::captures_of_man), for a king. A jumped piece no longer counts
    /// as an opponent. Its square stays occupied, but the king never lands there, because a jump
    /// changes row and column by two.
    fn captures_of_king(&self, at: u64, m: CheckersMove, found: &mut impl FnMut(CheckersMove)) {
        let mut ends_here = m.is_capture();
        for direction in Direction::ALL {
            let landing = self.jumps(at, direction);
            if landing != 0 {
                ends_here = false;
                let rest = Self {
                    opponent: self.opponent & !direction.step(at),
                    ..*self
                };
                rest.captures_of_king(landing, m.and_jump(direction), found);
            }
        }
        if ends_here {
            found(m);
        }
    }
}

/// Lists the steps to `targets`.
#[inline(always)]
fn push_steps(moves: &mut Vec<CheckersMove>, mut targets: u64, direction: Direction) {
    while targets != 0 {
        // The bit index of a target is at most 34, and that of the origin is a square's.
        let from = targets.trailing_zeros() as i32 - i32::from(direction.offset());
        moves.push(CheckersMove::step(from as u32, direction));
        targets &= targets - 1;
    }
}

/// Lists the single jumps to `landings`.
#[inline(always)]
fn push_jumps(moves: &mut Vec<CheckersMove>, mut landings: u64, direction: Direction) {
    while landings != 0 {
        let from = landings.trailing_zeros() as i32 - 2 * i32::from(direction.offset());
        moves.push(CheckersMove::capture(from as u32).and_jump(direction));
        landings &= landings - 1;
    }
}

impl CheckersPosition {
    /// The squares where a side's men are crowned, as a bit set.
    #[inline]
    pub const fn far_row(side: Side) -> u64 {
        match side {
            Side::First => BOTTOM_ROW,
            Side::Second => TOP_ROW,
        }
    }

    #[inline(always)]
    pub(super) fn board(&self, side: Side) -> Board {
        let (own, opponent) = (self.pieces[side], self.pieces[side.other()]);
        let (forward, backward) = match side {
            Side::First => (DOWN, UP),
            Side::Second => (UP, DOWN),
        };
        Board {
            own,
            kings: own & self.kings,
            opponent,
            empty: BOARD & !(own | opponent),
            forward,
            backward,
            far_row: Self::far_row(side),
        }
    }

    /// The number of moves of a side here, or of the side if it were to move.
    #[inline]
    pub fn count_moves(&self, side: Side) -> u32 {
        // One arm a side, so that each is compiled with constant directions.
        match side {
            Side::First => self.board(Side::First).count(),
            Side::Second => self.board(Side::Second).count(),
        }
    }

    #[inline]
    pub(super) fn list_moves(&self, moves: &mut Vec<CheckersMove>) {
        match self.turn {
            Side::First => self.board(Side::First).list(moves),
            Side::Second => self.board(Side::Second).list(moves),
        }
    }

    /// Whether the side to move has a legal move.
    #[inline]
    pub(super) fn can_move(&self) -> bool {
        match self.turn {
            Side::First => self.board(Side::First).has_moves(),
            Side::Second => self.board(Side::Second).has_moves(),
        }
    }

    /// Whether the side to move must capture.
    #[inline]
    pub fn must_capture(&self) -> bool {
        self.board(self.turn).must_capture()
    }
}
