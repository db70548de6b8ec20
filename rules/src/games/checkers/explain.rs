//! The reason why a move is illegal, checked in the order in which a person would notice it.

use super::CheckersPosition;
use super::board::{Direction, Square};
use super::moves::{Written, direction_of_jump, direction_of_step};
use crate::error::PlayError;
use crate::position::Position;
use crate::vocab::Side;

impl CheckersPosition {
    pub(super) fn explain(&self, text: &str) -> PlayError {
        if self.outcome().is_some() {
            return PlayError::GameOver;
        }
        let Some(written) = Written::read(text) else {
            return PlayError::MalformedMove;
        };
        if (self.pieces.first | self.pieces.second) & written.from.bit() == 0 {
            PlayError::EmptySquare
        } else if self.pieces[self.turn] & written.from.bit() == 0 {
            PlayError::NotYourPiece
        } else if written.is_capture {
            self.explain_capture(&written)
        } else {
            self.explain_step(&written)
        }
    }

    fn explain_step(&self, written: &Written) -> PlayError {
        let (from, Some(to)) = (written.from, written.landings.first().copied()) else {
            return PlayError::MalformedMove;
        };
        let Some(direction) = direction_of_step(from, to) else {
            let jump = direction_of_jump(from, to);
            return match jump.and_then(|jump| self.explain_jump(from, to, jump, &[])) {
                None if jump.is_some() => PlayError::StepNotCapture,
                Some(_) | None => PlayError::NotDiagonal,
            };
        };
        if !self.goes(from, direction) {
            PlayError::MenMoveForward
        } else if self.is_taken(to) {
            PlayError::Occupied
        } else if self.must_capture() {
            PlayError::CaptureCompulsory
        } else {
            PlayError::NoSuchMove
        }
    }

    fn explain_capture(&self, written: &Written) -> PlayError {
        let mut path = vec![written.from];
        let mut at = written.from;
        for to in &written.landings {
            if path.len() > 1 && self.is_crowned_on(written.from, at) {
                return PlayError::CrowningEndsMove;
            }
            let Some(direction) = direction_of_jump(at, *to) else {
                return match direction_of_step(at, *to) {
                    Some(_) => PlayError::StepNotCapture,
                    None => PlayError::NotDiagonal,
                };
            };
            if let Some(error) = self.explain_jump(at, *to, direction, &path) {
                return error;
            }
            path.push(*to);
            at = *to;
        }
        let can_go_on = Direction::ALL.into_iter().any(|direction| {
            let to = at.step(direction).and_then(|over| over.step(direction));
            to.is_some_and(|to| self.explain_jump(at, to, direction, &path).is_none())
        });
        if can_go_on && !self.is_crowned_on(written.from, at) {
            PlayError::CaptureMustContinue
        } else {
            PlayError::NoSuchMove
        }
    }

    /// The fault of one jump of the piece that moved along `path` and stands on `from`, its last
    /// square.
    fn explain_jump(
        &self,
        from: Square,
        to: Square,
        direction: Direction,
        path: &[Square],
    ) -> Option<PlayError> {
        let origin = path.first().copied().unwrap_or(from);
        let over = from.step(direction)?;
        let jumped = path.windows(2).any(|hop| {
            direction_of_jump(hop[0], hop[1]).and_then(|d| hop[0].step(d)) == Some(over)
        });
        if !self.goes(origin, direction) {
            Some(PlayError::MenMoveForward)
        } else if !self.is_taken(over) {
            Some(PlayError::NothingToJump)
        } else if self.pieces[self.turn] & over.bit() != 0 {
            Some(PlayError::CannotJumpOwnPiece)
        } else if jumped {
            Some(PlayError::JumpedTwice)
        } else if self.is_taken(to) && to != origin {
            Some(PlayError::Occupied)
        } else {
            None
        }
    }

    /// Whether the piece that started on `origin` may move in this direction.
    fn goes(&self, origin: Square, direction: Direction) -> bool {
        let forward = match direction {
            Direction::DownLeft | Direction::DownRight => Side::First,
            Direction::UpLeft | Direction::UpRight => Side::Second,
        };
        forward == self.turn || self.kings & origin.bit() != 0
    }

    /// Whether the piece that started on `origin` is crowned on `square`.
    fn is_crowned_on(&self, origin: Square, square: Square) -> bool {
        self.kings & origin.bit() == 0 && Self::far_row(self.turn) & square.bit() != 0
    }

    fn is_taken(&self, square: Square) -> bool {
        (self.pieces.first | self.pieces.second) & square.bit() != 0
    }
}
