//! The reason why a move is illegal, checked in the order in which a person would notice it.

use super::board::{ALL, Geometry};
use super::captures::captured;
use super::generator::{Board, with_board};
use super::line::{Line, squares};
use super::moves::{DraughtsMove, Written};
use super::position::DraughtsPosition;
use super::square::Square;
use super::variant::{Crowning, Variant};
use crate::error::PlayError;

/// A piece in the middle of a capture.
struct Way<V, const IS_DOWN: bool> {
    /// The square of origin counts as empty; pieces already taken stay until the end.
    board: Board<V, IS_DOWN>,
    at: u64,
    is_king: bool,
    /// Whether the move ended where the man was crowned.
    has_ended: bool,
    /// The opponent's pieces that are not taken yet.
    left: u64,
    /// Whether another landing of the last jump leads on, and the one chosen does not.
    could_go_on: bool,
}

impl<V: Variant> DraughtsPosition<V> {
    pub(super) fn explain(&self, text: &str) -> PlayError {
        if self.end().is_some() {
            return PlayError::GameOver;
        }
        let Some(written) = Written::<V>::read(text) else {
            return PlayError::MalformedMove;
        };
        let from = written.from.bit();
        if (self.pieces.first | self.pieces.second) & from == 0 {
            PlayError::EmptySquare
        } else if self.pieces[self.turn] & from == 0 {
            PlayError::NotYourPiece
        } else {
            with_board!(self, self.turn, board => self.explain_move(board, &written))
        }
    }

    fn explain_move<const IS_DOWN: bool>(
        &self,
        board: Board<V, IS_DOWN>,
        written: &Written<'_, V>,
    ) -> PlayError {
        let mut landings = written.landings();
        match (written.is_capture, landings.next()) {
            (true, Some(first)) => {
                let landings = std::iter::once(first).chain(landings);
                self.explain_capture(Way::of(board, written.from), landings)
            }
            (false, Some(to)) => explain_step(board, written.from, to),
            (_, None) => PlayError::MalformedMove,
        }
    }

    fn explain_capture<const IS_DOWN: bool>(
        &self,
        mut way: Way<V, IS_DOWN>,
        landings: impl Iterator<Item = Square<V>>,
    ) -> PlayError {
        let mut jumps = 0;
        for landing in landings {
            if let Some(error) = way.jump(landing.bit()) {
                return error;
            }
            jumps += 1;
        }
        if way.could_go_on || way.can_go_on() {
            PlayError::CaptureMustContinue
        } else if V::MAJORITY && jumps < self.most_jumps() {
            PlayError::TakeTheMost
        } else {
            PlayError::NoSuchMove
        }
    }

    /// The listed move from and to the same squares that takes the same pieces, for a move with another legal path; `None` otherwise.
    pub(super) fn canonical(&self, m: DraughtsMove<V>) -> Option<DraughtsMove<V>> {
        // A path without a fault, complete and with enough pieces, is refused only for the listed one.
        if !m.is_capture() || self.explain(&m.to_string()) != PlayError::NoSuchMove {
            return None;
        }
        let opponent = self.pieces[self.turn.other()];
        let what = |m: DraughtsMove<V>| (m.from(), m.to(), captured(opponent, m));
        let mut legal = Vec::new();
        self.list_moves(&mut legal);
        legal.into_iter().find(|listed| what(*listed) == what(m))
    }

    /// The number of pieces that the first legal move takes; under the majority rule all take as many.
    fn most_jumps(&self) -> u32 {
        let mut legal = Vec::new();
        self.list_moves(&mut legal);
        legal.first().map_or(0, |first| first.jumps())
    }
}

fn explain_step<V: Variant, const IS_DOWN: bool>(
    board: Board<V, IS_DOWN>,
    from: Square<V>,
    to: Square<V>,
) -> PlayError {
    let is_king = board.kings & from.bit() != 0;
    let Some(line) = Line::of::<V>(from.bit(), to.bit()) else {
        return not_diagonal::<V>(is_king);
    };
    let taken = !board.empty;
    let jumps = line.between & taken != 0 && Way::of(board, from).jump(to.bit()).is_none();
    let is_short = (is_king && V::KINGS_FLY) || line.length() == 1;
    let is_forward = Board::<V, IS_DOWN>::FORWARD.contains(&line.direction);
    if jumps {
        PlayError::StepNotCapture
    } else if !is_short {
        PlayError::NotDiagonal
    } else if !is_king && !is_forward {
        PlayError::MenMoveForward
    } else if taken & line.between != 0 {
        PlayError::Blocked
    } else if taken & to.bit() != 0 {
        PlayError::Occupied
    } else if board.must_capture() {
        PlayError::CaptureCompulsory
    } else {
        PlayError::NoSuchMove
    }
}

impl<V: Variant, const IS_DOWN: bool> Way<V, IS_DOWN> {
    /// A piece on `from`, before its first jump.
    fn of(board: Board<V, IS_DOWN>, from: Square<V>) -> Self {
        let from = from.bit();
        Self {
            board: board.without(from),
            at: from,
            is_king: board.kings & from != 0,
            has_ended: false,
            left: board.opponent,
            could_go_on: false,
        }
    }

    /// Whether the piece jumps over any number of squares.
    const fn flies(&self) -> bool {
        self.is_king && V::KINGS_FLY
    }

    /// The directions in which a piece captures that does not fly.
    const fn directions(&self) -> &'static [usize] {
        match self.is_king {
            true => &ALL,
            false => Board::<V, IS_DOWN>::OF_MEN,
        }
    }

    /// Makes a jump; returns its fault, if it has one.
    fn jump(&mut self, to: u64) -> Option<PlayError> {
        if self.has_ended {
            return Some(PlayError::CrowningEndsMove);
        }
        let Some(line) = Line::of::<V>(self.at, to) else {
            return Some(not_diagonal::<V>(self.is_king));
        };
        let over = line.between & !self.board.empty;
        let error = match () {
            () if !self.flies() && line.length() == 1 => Some(PlayError::StepNotCapture),
            () if !self.flies() && line.length() > 2 => Some(PlayError::NotDiagonal),
            () if !self.directions().contains(&line.direction) => Some(PlayError::MenMoveForward),
            () if over == 0 => Some(PlayError::NothingToJump),
            () if over & self.board.own != 0 => Some(PlayError::CannotJumpOwnPiece),
            () if over & !self.left != 0 => Some(PlayError::JumpedTwice),
            () if over.count_ones() > 1 => Some(PlayError::JumpsOverOne),
            () if to & !self.board.empty != 0 => Some(PlayError::Occupied),
            () => None,
        };
        if error.is_some() {
            return error;
        }
        self.left &= !over;
        self.could_go_on = self.flies()
            && !self.goes_on_from(to)
            && squares(Geometry::<V>::reach(over, line.direction, self.board.empty))
                .any(|landing| self.goes_on_from(landing));
        self.at = to;
        if !self.is_king && Board::<V, IS_DOWN>::FAR_ROW & to != 0 {
            self.has_ended = V::CROWNING == Crowning::Stops;
            self.is_king = V::CROWNING == Crowning::GoesOn;
        }
        None
    }

    /// Whether a flying king can make a further jump from a square.
    fn goes_on_from(&self, at: u64) -> bool {
        Geometry::<V>::has_far_jump(at, self.left, self.board.empty)
    }

    /// Whether the piece can make a further jump.
    fn can_go_on(&self) -> bool {
        if self.has_ended {
            return false;
        }
        if self.flies() {
            return self.goes_on_from(self.at);
        }
        let jumps = |direction: &usize| self.board.jumps(self.at, *direction, self.left) != 0;
        self.directions().iter().any(jumps)
    }
}

/// The reason for a target that lies on no diagonal of the piece.
const fn not_diagonal<V: Variant>(is_king: bool) -> PlayError {
    match is_king && V::KINGS_FLY {
        true => PlayError::KingNotDiagonal,
        false => PlayError::NotDiagonal,
    }
}
