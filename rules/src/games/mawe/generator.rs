//! Listing and counting of moves.

use super::board::Direction;
use super::{MaweMove, MawePosition};
use crate::square::Square;
use crate::vocab::Side;

/// The two diagonals along which a side moves.
const fn forward(side: Side) -> [Direction; 2] {
    match side {
        Side::First => [Direction::UpLeft, Direction::UpRight],
        Side::Second => [Direction::DownLeft, Direction::DownRight],
    }
}

const SIDEWAYS: [Direction; 2] = [Direction::Left, Direction::Right];

/// The parts of a position that a move generator needs, for one side to move.
struct Board {
    /// Unpinned own stones.
    movers: u64,
    /// Unpinned opponents and pinned allies.
    jumpable: u64,
    empty: u64,
}

impl Board {
    /// The landing squares of jumps over the stone next to `reached`, a set of the movers
    /// themselves or of squares to which they could have slid.
    #[inline(always)]
    fn landings(&self, reached: u64, direction: Direction) -> u64 {
        direction.step(direction.step(reached) & self.jumpable) & self.empty
    }

    /// The empty squares that the movers reach by sliding. Each lies behind one mover only, the
    /// first stone in the opposite direction, so the number of squares is the number of slides.
    #[inline(always)]
    fn slides(&self, direction: Direction) -> u64 {
        // Seven steps at most, by doubling: squares 1 away, then 2, then 4 more.
        let mut all = self.movers;
        let mut open = self.empty;
        let twice = |squares| direction.step(direction.step(squares));
        all |= open & direction.step(all);
        open &= direction.step(open);
        all |= open & twice(all);
        open &= twice(open);
        all |= open & twice(twice(all));
        all & !self.movers
    }

    #[inline(always)]
    fn count(&self, forward: [Direction; 2]) -> u32 {
        let mut moves = 0;
        for direction in forward {
            let slides = self.slides(direction);
            moves += slides.count_ones();
            moves += self.landings(slides | self.movers, direction).count_ones();
        }
        for direction in SIDEWAYS {
            moves += self.landings(self.movers, direction).count_ones();
        }
        moves
    }

    #[inline(always)]
    fn list(&self, forward: [Direction; 2], moves: &mut Vec<MaweMove>) {
        for direction in forward {
            // All movers advance together, so that after `n` steps each target is `n` squares away
            // from its origin.
            let mut reached = self.movers;
            let mut steps = 1;
            while reached != 0 {
                push_all(
                    moves,
                    self.landings(reached, direction),
                    direction,
                    steps + 1,
                );
                reached = direction.step(reached) & self.empty;
                push_all(moves, reached, direction, steps);
                steps += 1;
            }
        }
        for direction in SIDEWAYS {
            push_all(moves, self.landings(self.movers, direction), direction, 2);
        }
    }
}

/// Lists the moves to `targets` that are `steps` long.
#[inline(always)]
fn push_all(moves: &mut Vec<MaweMove>, mut targets: u64, direction: Direction, steps: i8) {
    while targets != 0 {
        // The index is at most 63.
        let to = targets.trailing_zeros() as i8;
        let from = to - direction.offset() * steps;
        moves.push(MaweMove::new(
            Square::from_index(from as u8),
            Square::from_index(to as u8),
        ));
        targets &= targets - 1;
    }
}

impl MawePosition {
    fn board(&self, side: Side) -> Board {
        let (own, opponent) = (self.stones[side], self.stones[side.other()]);
        Board {
            movers: own & !self.pinned,
            jumpable: (opponent & !self.pinned) | (own & self.pinned),
            empty: !(own | opponent),
        }
    }

    /// The number of moves of a side here, or of the side if it were to move.
    #[inline]
    pub fn count_moves(&self, side: Side) -> u32 {
        // One arm a side, so that each is compiled with constant directions.
        match side {
            Side::First => self.board(side).count(forward(Side::First)),
            Side::Second => self.board(side).count(forward(Side::Second)),
        }
    }

    #[inline]
    pub(super) fn list_moves(&self, moves: &mut Vec<MaweMove>) {
        match self.turn {
            Side::First => self.board(self.turn).list(forward(Side::First), moves),
            Side::Second => self.board(self.turn).list(forward(Side::Second), moves),
        }
    }

    /// The square of the stone that the legal move `m` jumps over, if it is a jump.
    #[inline]
    pub fn jumped_by(&self, m: MaweMove) -> Option<Square> {
        let files = m.to().file() - m.from().file();
        let ranks = m.to().rank() - m.from().rank();
        // The last square before the target; in a slide it is empty, or the origin itself.
        let before = m.to().index() as i8 - ranks.signum() * 8 - files.signum();
        let before = Square::from_index(before as u8);
        let stones = (self.stones.first | self.stones.second) & !m.from().bit();
        (stones & before.bit() != 0).then_some(before)
    }
}
