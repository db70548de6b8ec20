//! The reason why a move is illegal, checked in the order in which a person would notice it.

use super::{MaweMove, MawePosition};
use crate::error::PlayError;
use crate::position::Position;
use crate::square::Square;
use crate::vocab::Side;

impl MawePosition {
    pub(super) fn explain(&self, text: &str) -> PlayError {
        if self.outcome().is_some() {
            return PlayError::GameOver;
        }
        let Ok(m) = text.parse::<MaweMove>() else {
            return PlayError::MalformedMove;
        };
        let from = m.from().bit();
        if (self.stones.first | self.stones.second) & from == 0 {
            PlayError::EmptySquare
        } else if self.stones[self.turn] & from == 0 {
            PlayError::NotYourStone
        } else if self.pinned & from != 0 {
            PlayError::Pinned
        } else {
            self.explain_line(m)
        }
    }

    /// The reason for a stone that may move, but not along this path.
    fn explain_line(&self, m: MaweMove) -> PlayError {
        let files = m.to().file() - m.from().file();
        let ranks = match self.turn {
            Side::First => m.to().rank() - m.from().rank(),
            Side::Second => m.from().rank() - m.to().rank(),
        };
        if ranks == 0 {
            self.explain_sideways(m, files)
        } else if ranks < 0 {
            PlayError::NotForward
        } else if ranks != files.abs() {
            PlayError::NotOnALine
        } else {
            self.explain_diagonal(m)
        }
    }

    fn explain_sideways(&self, m: MaweMove, files: i8) -> PlayError {
        if files.abs() != 2 {
            return PlayError::SidewaysNeedsJump;
        }
        match self.squares_before_target(m).last() {
            Some(over) if self.is_stone(over) => self.explain_jump(over, m.to()),
            Some(_) | None => PlayError::NothingToJump,
        }
    }

    fn explain_diagonal(&self, m: MaweMove) -> PlayError {
        let squares: Vec<Square> = self.squares_before_target(m).collect();
        match squares.iter().position(|square| self.is_stone(*square)) {
            None => PlayError::Occupied,
            Some(i) if i + 1 == squares.len() => self.explain_jump(squares[i], m.to()),
            Some(i) if self.is_jumpable(squares[i]) && !self.is_stone(squares[i + 1]) => {
                PlayError::JumpGoesNoFurther
            }
            Some(_) => PlayError::Blocked,
        }
    }

    /// The reason for a jump over the stone on `over`, the first stone on the path.
    fn explain_jump(&self, over: Square, landing: Square) -> PlayError {
        if !self.is_jumpable(over) {
            match self.stones[self.turn] & over.bit() {
                0 => PlayError::CannotJumpPinnedOpponent,
                _ => PlayError::CannotJumpUnpinnedAlly,
            }
        } else if self.is_stone(landing) {
            PlayError::Occupied
        } else {
            PlayError::NoSuchMove
        }
    }

    fn is_stone(&self, square: Square) -> bool {
        (self.stones.first | self.stones.second) & square.bit() != 0
    }

    fn is_jumpable(&self, square: Square) -> bool {
        let own = self.stones[self.turn] & square.bit() != 0;
        let pinned = self.pinned & square.bit() != 0;
        self.is_stone(square) && own == pinned
    }

    /// The squares between origin and target of a move along a rank or a diagonal.
    fn squares_before_target(&self, m: MaweMove) -> impl Iterator<Item = Square> + use<> {
        let (from, to) = (m.from(), m.to());
        let file = (to.file() - from.file()).signum();
        let rank = (to.rank() - from.rank()).signum();
        (1..m.distance() as i8)
            .filter_map(move |n| Square::at(from.file() + n * file, from.rank() + n * rank))
    }
}
