//! The reason why a move is illegal, checked in the order in which a person would notice it.

use super::board::Geometry;
use super::generator::{Hunt, Line, captured, of_men};
use super::moves::DraughtsMove;
use super::position::DraughtsPosition;
use super::variant::{Crowning, Variant};
use crate::error::PlayError;

/// A piece in the middle of a capture.
struct Way<'a, V> {
    position: &'a DraughtsPosition<V>,
    hunt: Hunt<V>,
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
        let Ok(m) = text.parse::<DraughtsMove<V>>() else {
            return PlayError::MalformedMove;
        };
        let from = Geometry::<V>::bit(u32::from(m.from()));
        if (self.pieces.first | self.pieces.second) & from == 0 {
            PlayError::EmptySquare
        } else if self.pieces[self.turn] & from == 0 {
            PlayError::NotYourPiece
        } else if m.is_capture() {
            self.explain_capture(from, m)
        } else {
            self.explain_step(from, Geometry::<V>::bit(u32::from(m.to())))
        }
    }

    fn explain_step(&self, from: u64, to: u64) -> PlayError {
        let is_king = self.kings & from != 0;
        let Some(line) = Line::of::<V>(from, to) else {
            return not_diagonal(is_king);
        };
        let all = self.pieces.first | self.pieces.second;
        let jumps = line.between & all != 0 && self.way(from).jump(to).is_none();
        let is_short = is_king || line.length() == 1;
        if jumps {
            PlayError::StepNotCapture
        } else if !is_short {
            PlayError::NotDiagonal
        } else if !is_king && !self.is_forward(line.direction) {
            PlayError::MenMoveForward
        } else if all & line.between != 0 {
            PlayError::Blocked
        } else if all & to != 0 {
            PlayError::Occupied
        } else if self.must_capture() {
            PlayError::CaptureCompulsory
        } else {
            PlayError::NoSuchMove
        }
    }

    fn explain_capture(&self, from: u64, m: DraughtsMove<V>) -> PlayError {
        let mut way = self.way(from);
        for landing in m.landings() {
            if let Some(error) = way.jump(Geometry::<V>::bit(u32::from(landing))) {
                return error;
            }
        }
        if way.could_go_on || way.can_go_on() {
            PlayError::CaptureMustContinue
        } else if V::MAJORITY && m.jumps() < self.most_jumps() {
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
        let what = |m: DraughtsMove<V>| (m.from(), m.to(), captured(self, m));
        let mut legal = Vec::new();
        self.list_moves(&mut legal);
        legal.into_iter().find(|listed| what(*listed) == what(m))
    }

    /// The number of pieces that the first legal move takes; under the majority rule all take as many.
    fn most_jumps(&self) -> u8 {
        let mut legal = Vec::new();
        self.list_moves(&mut legal);
        legal.first().map_or(0, |first| first.jumps())
    }

    /// A piece on `from`, before its first jump.
    fn way(&self, from: u64) -> Way<'_, V> {
        Way {
            position: self,
            hunt: Hunt::of(self, from),
            at: from,
            is_king: self.kings & from != 0,
            has_ended: false,
            left: self.pieces[self.turn.other()],
            could_go_on: false,
        }
    }
}

impl<V: Variant> Way<'_, V> {
    /// Makes a jump; returns its fault, if it has one.
    fn jump(&mut self, to: u64) -> Option<PlayError> {
        if self.has_ended {
            return Some(PlayError::CrowningEndsMove);
        }
        let Some(line) = Line::of::<V>(self.at, to) else {
            return Some(not_diagonal(self.is_king));
        };
        let side = self.position.turn;
        let own = self.position.pieces[side] & self.hunt.occupied;
        let over = line.between & self.hunt.occupied;
        let error = match () {
            () if !self.is_king && line.length() == 1 => Some(PlayError::StepNotCapture),
            () if !self.is_king && line.length() > 2 => Some(PlayError::NotDiagonal),
            () if !self.is_king && !of_men::<V>(side).contains(&line.direction) => {
                Some(PlayError::MenMoveForward)
            }
            () if over == 0 => Some(PlayError::NothingToJump),
            () if over & own != 0 => Some(PlayError::CannotJumpOwnPiece),
            () if over & !self.left != 0 => Some(PlayError::JumpedTwice),
            () if over.count_ones() > 1 => Some(PlayError::JumpsOverOne),
            () if to & self.hunt.occupied != 0 => Some(PlayError::Occupied),
            () => None,
        };
        if error.is_some() {
            return error;
        }
        self.left &= !over;
        self.could_go_on = self.is_king
            && !self.hunt.king_can_capture(to, self.left)
            && self.another_landing_goes_on(line.direction, over);
        self.at = to;
        if !self.is_king && V::far_row(side) & to != 0 {
            self.has_ended = V::CROWNING == Crowning::Stops;
            self.is_king = V::CROWNING == Crowning::GoesOn;
        }
        None
    }

    /// Whether a king that has jumped over a piece can go on from one of the squares behind it.
    fn another_landing_goes_on(&self, direction: usize, over: u64) -> bool {
        let mut landing = Geometry::<V>::step(over, direction) & !self.hunt.occupied;
        while landing != 0 {
            if self.hunt.king_can_capture(landing, self.left) {
                return true;
            }
            landing = Geometry::<V>::step(landing, direction) & !self.hunt.occupied;
        }
        false
    }

    /// Whether the piece can make a further jump.
    fn can_go_on(&self) -> bool {
        if self.has_ended {
            return false;
        }
        if self.is_king {
            return self.hunt.king_can_capture(self.at, self.left);
        }
        of_men::<V>(self.position.turn).iter().any(|direction| {
            let over = Geometry::<V>::step(self.at, *direction) & self.left;
            Geometry::<V>::step(over, *direction) & !self.hunt.occupied != 0
        })
    }
}

/// The reason for a target that lies on no diagonal of the piece.
const fn not_diagonal(is_king: bool) -> PlayError {
    match is_king {
        true => PlayError::KingNotDiagonal,
        false => PlayError::NotDiagonal,
    }
}
