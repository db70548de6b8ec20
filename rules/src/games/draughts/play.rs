//! Legal moves, playing them, and the end by the position alone.

use super::board::Geometry;
use super::generator;
use super::keys;
use super::moves::DraughtsMove;
use super::ply::Ply;
use super::position::DraughtsPosition;
use super::variant::{Crowning, Variant};
use crate::vocab::Side;

/// Why a position ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionEnd {
    /// The side to move has no piece, and loses.
    NoPieces,
    /// The side to move has pieces and no move, and loses.
    Blocked,
    /// King against king without a capture: a draw.
    Material,
}

impl<V: Variant> DraughtsPosition<V> {
    /// Appends the legal moves to a list, each once under its canonical path, in the order of their squares; none when the game is over.
    pub fn list_moves(&self, moves: &mut Vec<DraughtsMove<V>>) {
        let captures = generator::captures(self, moves);
        if !captures && !self.is_king_against_king() {
            generator::steps(self, moves);
        }
    }

    /// Plays a legal move; returns what it did. The result of another move is unspecified, but no panic.
    pub fn play_ply(&mut self, m: DraughtsMove<V>) -> Ply {
        let side = self.turn;
        let origin = Geometry::<V>::bit(u32::from(m.from()));
        let target = Geometry::<V>::bit(u32::from(m.to()));
        let captured = generator::captured(self, m);
        let is_king = self.kings & origin != 0;
        let far_row = V::far_row(side);
        let touches = m
            .landings()
            .any(|square| Geometry::<V>::bit(u32::from(square)) & far_row != 0);
        let becomes_king = match V::CROWNING {
            Crowning::GoesOn => touches,
            Crowning::Stops | Crowning::Passes => target & far_row != 0,
        };
        self.pieces[side] = (self.pieces[side] & !origin) | target;
        self.pieces[side.other()] &= !captured;
        let before = self.kings;
        self.kings &= !(captured | origin);
        if is_king || becomes_king {
            self.kings |= target;
        }
        self.turn = side.other();
        self.hash ^= keys::of_pieces(side, origin) ^ keys::of_pieces(side, target);
        self.hash ^= keys::of_pieces(side.other(), captured) ^ keys::of_crowns(before ^ self.kings);
        self.hash ^= keys::SECOND_TO_MOVE;
        Ply {
            side,
            captures: captured != 0,
            is_of_man: !is_king,
            crowns: !is_king && becomes_king,
        }
    }

    /// How the position ends the game; `None` if it does not. Draws by repetition and by counting need the moves that led here.
    pub fn end(&self) -> Option<PositionEnd> {
        if self.pieces[self.turn] == 0 {
            return Some(PositionEnd::NoPieces);
        }
        let can_capture = generator::can_capture(self);
        if !can_capture && !generator::can_step(self) {
            return Some(PositionEnd::Blocked);
        }
        (!can_capture && self.is_king_against_king()).then_some(PositionEnd::Material)
    }

    /// The men of a side that can step, were no capture compulsory.
    pub fn can_step(&self, side: Side) -> u64 {
        generator::steppers(self, side)
    }

    /// Whether the side to move must capture.
    pub fn must_capture(&self) -> bool {
        generator::can_capture(self)
    }

    /// Whether the piece on a square is a king.
    pub fn is_king(&self, square: u8) -> bool {
        self.kings & Geometry::<V>::bit(u32::from(square)) != 0
    }

    /// Whether the men of the side to move move in this direction.
    pub(super) fn is_forward(&self, direction: usize) -> bool {
        generator::forward::<V>(self.turn).contains(&direction)
    }

    /// Whether kings alone, one on each side, are a draw here unless there is a capture.
    fn is_king_against_king(&self) -> bool {
        let single = |side: Side| self.men(side) == 0 && self.kings(side) == 1;
        V::KING_AGAINST_KING_IS_DRAWN && Side::ALL.into_iter().all(single)
    }
}
