//! Listing and counting of captures, RULES-draughts.md sections 3 and 7.2.

use super::board::{ALL, DOWN, Geometry};
use super::generator::{Board, push_jumps, square};
use super::line::{Line, squares};
use super::moves::DraughtsMove;
use super::variant::{Crowning, KingLanding, Variant};

impl<V: Variant, const IS_DOWN: bool> Board<V, IS_DOWN> {
    /// The number of captures, each counted once.
    #[inline(always)]
    pub(super) fn count_captures(&self) -> u32 {
        if let Some(landings) = self.single_jumps() {
            return landings.into_iter().map(u64::count_ones).sum();
        }
        if V::EVERY_PATH_IS_A_MOVE {
            let mut moves = 0;
            self.for_captures(&mut |_| moves += 1);
            return moves;
        }
        let mut moves = Vec::new();
        self.list_captures(&mut moves);
        // Fewer than 2^32.
        moves.len() as u32
    }

    /// Appends the captures. Where paths do not make moves differ, each has its canonical path, and they are in the order of their squares.
    #[inline(always)]
    pub(super) fn list_captures(&self, moves: &mut Vec<DraughtsMove<V>>) {
        let begin = moves.len();
        if let Some(landings) = self.single_jumps() {
            for direction in ALL {
                push_jumps(moves, landings[direction], direction);
            }
            if !V::EVERY_PATH_IS_A_MOVE {
                moves[begin..].sort_unstable();
            }
        } else if V::EVERY_PATH_IS_A_MOVE {
            self.for_captures(&mut |m| moves.push(m));
        } else {
            self.list_different_captures(moves, begin);
        }
    }

    /// Appends the captures under their canonical paths; under the majority rule only the largest.
    fn list_different_captures(&self, moves: &mut Vec<DraughtsMove<V>>, begin: usize) {
        self.for_captures(&mut |m| {
            if V::MAJORITY {
                let most = moves.get(begin).map_or(0, |first| first.jumps());
                if m.jumps() < most {
                    return;
                }
                if m.jumps() > most {
                    moves.truncate(begin);
                }
            }
            moves.push(m);
        });
        keep_canonical(self.opponent, moves, begin);
    }

    /// Lists the complete captures.
    fn for_captures(&self, found: &mut impl FnMut(DraughtsMove<V>)) {
        for from in squares(self.jumpers()) {
            let board = self.without(from);
            let m = DraughtsMove::capture(square(from));
            if self.kings & from == 0 {
                board.near_captures::<false>(from, self.opponent, m, found);
            } else if V::KINGS_FLY {
                board.far_captures(from, self.opponent, m, found);
            } else {
                board.near_captures::<true>(from, self.opponent, m, found);
            }
        }
    }

    /// Lists the continuations of `m`, a capture by a man or a short-range king that is now on `at`. `left` are the opponent's pieces
    /// without those already jumped. The others stay on their squares until the end.
    fn near_captures<const IS_KING: bool>(
        &self,
        at: u64,
        left: u64,
        m: DraughtsMove<V>,
        found: &mut impl FnMut(DraughtsMove<V>),
    ) {
        // In the order of the directions, each of which is compiled with its constant.
        let goes_on = self.near_jump::<IS_KING>(0, at, left, m, found)
            | self.near_jump::<IS_KING>(1, at, left, m, found)
            | self.near_jump::<IS_KING>(2, at, left, m, found)
            | self.near_jump::<IS_KING>(3, at, left, m, found);
        if !goes_on && m.is_capture() {
            found(m);
        }
    }

    /// Lists the continuations by a jump in this direction. Returns false if there is no such jump.
    #[inline(always)]
    fn near_jump<const IS_KING: bool>(
        &self,
        direction: usize,
        at: u64,
        left: u64,
        m: DraughtsMove<V>,
        found: &mut impl FnMut(DraughtsMove<V>),
    ) -> bool {
        let captures_backwards = IS_KING || V::MEN_CAPTURE_BACKWARDS;
        if !captures_backwards && !Self::is_forward(direction) {
            return false;
        }
        let landing = self.jumps(at, direction, left);
        if landing == 0 {
            return false;
        }
        let m = m.and_jump(square(landing), direction);
        // Pieces behind a man that captures forward alone are out of its reach, so they need not be taken off.
        let left = match captures_backwards {
            true => left & !Geometry::<V>::shift(at, direction),
            false => left,
        };
        match V::CROWNING {
            _ if IS_KING || landing & Self::FAR_ROW == 0 => {
                self.near_captures::<IS_KING>(landing, left, m, found);
            }
            Crowning::Passes => self.near_captures::<IS_KING>(landing, left, m, found),
            Crowning::Stops => found(m),
            Crowning::GoesOn if V::KINGS_FLY => self.far_captures(landing, left, m, found),
            Crowning::GoesOn => self.near_captures::<true>(landing, left, m, found),
        }
        true
    }

    /// As [`near_captures`](Board::near_captures), for a flying king.
    fn far_captures(
        &self,
        at: u64,
        left: u64,
        m: DraughtsMove<V>,
        found: &mut impl FnMut(DraughtsMove<V>),
    ) {
        let mut ends_here = m.is_capture();
        for direction in ALL {
            let jump = Geometry::<V>::far_jump(at, direction, left, self.empty);
            let Some((over, landings)) = jump else {
                continue;
            };
            ends_here = false;
            let left = left & !over;
            let going_on = squares(landings)
                .filter(|landing| Geometry::<V>::has_far_jump(*landing, left, self.empty))
                .fold(0, |set, landing| set | landing);
            for landing in squares(allowed::<V>(landings, going_on, direction)) {
                let m = m.and_jump(square(landing), direction);
                if landing & going_on != 0 {
                    self.far_captures(landing, left, m, found);
                } else {
                    found(m);
                }
            }
        }
        if ends_here {
            found(m);
        }
    }
}

/// The squares among `landings` on which a king may land that can go on from those of `going_on`.
fn allowed<V: Variant>(landings: u64, going_on: u64, direction: usize) -> u64 {
    if going_on == 0 {
        return landings;
    }
    match V::KING_LANDING {
        KingLanding::WhereItGoesOn => going_on,
        // Down the board the bits grow.
        KingLanding::UpToGoingOn if DOWN.contains(&direction) => {
            let first = going_on & going_on.wrapping_neg();
            landings & (first | (first - 1))
        }
        KingLanding::UpToGoingOn => {
            let first = 1 << (63 - going_on.leading_zeros());
            landings & !(first - 1)
        }
    }
}

/// Keeps, of the captures from `begin` on that differ in their paths alone, the one with the smallest path; sorts the captures.
fn keep_canonical<V: Variant>(opponent: u64, moves: &mut Vec<DraughtsMove<V>>, begin: usize) {
    moves[begin..].sort_unstable();
    let ends = |m: &DraughtsMove<V>| (m.from(), m.to());
    let rest = &moves[begin..];
    // Two paths of one jump between the same squares are equal.
    if rest.iter().all(|m| m.jumps() == 1) {
        return;
    }
    let is_repeated =
        |(at, m): (usize, &DraughtsMove<V>)| rest[..at].iter().any(|o| ends(o) == ends(m));
    if !rest.iter().enumerate().any(is_repeated) {
        return;
    }
    let mut known = std::collections::HashSet::new();
    let mut at = 0;
    moves.retain(|m| {
        at += 1;
        at <= begin || known.insert((ends(m), captured(opponent, *m)))
    });
}

/// The pieces among the opponent's that a legal move takes: one between each two landing squares.
pub(super) fn captured<V: Variant>(opponent: u64, m: DraughtsMove<V>) -> u64 {
    match m.is_capture() {
        true => target_and_captured(opponent, m).1,
        false => 0,
    }
}

/// The last square of a legal capture, and the pieces among the opponent's that it takes.
#[inline(always)]
pub(super) fn target_and_captured<V: Variant>(opponent: u64, m: DraughtsMove<V>) -> (u64, u64) {
    let (mut at, mut captured) = (m.from(), 0);
    for landing in m.landings() {
        captured |= match V::KINGS_FLY {
            true => {
                let line = Line::of::<V>(at.bit(), landing.bit());
                line.map_or(0, |line| line.between) & opponent
            }
            // The positions of bits grow evenly along a diagonal.
            false => 1 << (((at.index() + landing.index()) / 2) & 63),
        };
        at = landing;
    }
    (at.bit(), captured)
}
