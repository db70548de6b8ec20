//! Legal moves, playing them, and the end by the position alone.

use super::captures::target_and_captured;
use super::generator::with_board;
use super::keys::Keys;
use super::moves::DraughtsMove;
use super::ply::Ply;
use super::position::DraughtsPosition;
use super::variant::{Crowning, Variant};

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
    /// Appends the legal moves to a list, none when the game is over. Where paths do not make moves differ, each is listed once under its
    /// canonical path, in the order of their squares.
    #[inline]
    pub fn list_moves(&self, moves: &mut Vec<DraughtsMove<V>>) {
        with_board!(self, self.turn, board => {
            if board.must_capture() {
                board.list_captures(moves);
            } else if !self.is_king_against_king() {
                board.list_steps(moves);
            }
        });
    }

    /// Plays a legal move; returns what it did. The result of another move is unspecified, but no panic.
    #[inline]
    pub fn play_ply(&mut self, m: DraughtsMove<V>) -> Ply {
        let side = self.turn;
        let origin = m.from().bit();
        let target = if m.is_capture() {
            let (target, captured) = target_and_captured(self.pieces[side.other()], m);
            self.take_off(captured);
            target
        } else {
            m.to().bit()
        };
        self.pieces[side] = (self.pieces[side] & !origin) | target;
        self.hash ^= Keys::<V>::of_piece(side, origin) ^ Keys::<V>::of_piece(side, target);
        let far_row = V::far_row(side);
        let is_king = self.kings & origin != 0;
        let becomes_king = match V::CROWNING {
            Crowning::GoesOn => m.landings().any(|square| square.bit() & far_row != 0),
            Crowning::Stops | Crowning::Passes => target & far_row != 0,
        };
        if is_king {
            self.kings = (self.kings & !origin) | target;
            self.hash ^= Keys::<V>::of_crown(origin) ^ Keys::<V>::of_crown(target);
        } else if becomes_king {
            self.kings |= target;
            self.hash ^= Keys::<V>::of_crown(target);
        }
        self.turn = side.other();
        self.hash ^= Keys::<V>::SECOND_TO_MOVE;
        Ply {
            side,
            captures: m.is_capture(),
            is_of_man: !is_king,
            crowns: !is_king && becomes_king,
        }
    }

    /// Takes these pieces of the opponent off the board.
    #[inline(always)]
    fn take_off(&mut self, captured: u64) {
        let opponent = self.turn.other();
        let mut rest = captured;
        while rest != 0 {
            let square = rest & rest.wrapping_neg();
            self.hash ^= Keys::<V>::of_piece(opponent, square);
            if self.kings & square != 0 {
                self.hash ^= Keys::<V>::of_crown(square);
            }
            rest &= rest - 1;
        }
        self.pieces[opponent] &= !captured;
        self.kings &= !captured;
    }

    /// How the position ends the game; `None` if it does not. Draws by repetition and by counting need the moves that led here.
    #[inline]
    pub fn end(&self) -> Option<PositionEnd> {
        if !with_board!(self, self.turn, board => board.has_moves()) {
            return Some(match self.pieces[self.turn] {
                0 => PositionEnd::NoPieces,
                _ => PositionEnd::Blocked,
            });
        }
        (self.is_king_against_king() && !self.must_capture()).then_some(PositionEnd::Material)
    }
}
