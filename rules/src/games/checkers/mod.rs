//! American checkers (English draughts), RULES.md section 3.
//!
//! Men move diagonally forward, kings one square in any direction; captures jump, are compulsory
//! and continue as long as possible. A side that cannot move loses.

mod board;
mod explain;
mod generator;
mod moves;
mod notation;

use std::hash::{Hash, Hasher};

pub use board::Square;
pub use moves::CheckersMove;

use super::opening::PlyText;
use super::opening_setup::opening_setup;
use super::options::SetupOptions;
use crate::error::{PlayError, SetupError};
use crate::kind::GameKind;
use crate::position::Position;
use crate::vocab::{BySide, Outcome, Reason, Side};
use crate::zobrist;
use board::{BLACK_START, BOARD, WHITE_START};

/// 40 moves by each side, in plies.
const QUIET_LIMIT: u32 = 80;

const PIECE_KEYS: BySide<[u64; 64]> = BySide::new(
    zobrist::keys(0x6368_6563_0000_0001),
    zobrist::keys(0x6368_6563_0000_0002),
);
/// One key a square suffices: a crown always belongs to the piece on its square.
const CROWN_KEYS: [u64; 64] = zobrist::keys(0x6368_6563_0000_0003);
const SECOND_TO_MOVE_KEY: u64 = zobrist::keys::<1>(0x6368_6563_0000_0004)[0];

opening_setup!(
    /// A setup of American checkers.
    CheckersSetup,
    CheckersPosition,
    PlyText::Moves
);

/// A position of American checkers: the pieces, which of them are kings, and the side to move.
///
/// [`Side::First`] is Black. Sets of squares are bit sets made of [`Square::bit`]. Any number of
/// pieces may stand anywhere, but a piece of a side on that side's far row is a king.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckersPosition {
    pieces: BySide<u64>,
    /// The squares of kings, a subset of all pieces.
    kings: u64,
    turn: Side,
    /// A function of the fields above, updated with every ply.
    hash: u64,
}

impl CheckersPosition {
    /// The position with these pieces. A square in both sets is Black's; crowns without a piece are
    /// dropped, men on their far row are crowned.
    pub fn new(pieces: BySide<u64>, kings: u64, turn: Side) -> Self {
        let black = pieces.first & BOARD;
        let pieces = BySide::new(black, pieces.second & BOARD & !black);
        let crowned = (pieces.first & Self::far_row(Side::First))
            | (pieces.second & Self::far_row(Side::Second));
        let kings = (kings & (pieces.first | pieces.second)) | crowned;
        Self {
            pieces,
            kings,
            turn,
            hash: hash_of(pieces, kings, turn),
        }
    }

    /// The squares of a side's men and kings, as a bit set.
    #[inline]
    pub fn pieces(&self, side: Side) -> u64 {
        self.pieces[side]
    }

    /// The squares of all kings, as a bit set.
    #[inline]
    pub fn kings(&self) -> u64 {
        self.kings
    }
}

impl Position for CheckersPosition {
    type Move = CheckersMove;
    type Setup = CheckersSetup;
    const KIND: GameKind = GameKind::Checkers;
    const QUIET_LIMIT: Option<u32> = Some(QUIET_LIMIT);

    fn from_setup(setup: &CheckersSetup) -> Result<Self, SetupError> {
        let pieces = BySide::new(BLACK_START, WHITE_START);
        let start = Self::new(pieces, 0, Side::First);
        setup.opening().after(start, PlyText::Moves)
    }

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn legal_moves_into(&self, moves: &mut Vec<CheckersMove>) {
        self.list_moves(moves);
    }

    #[inline]
    fn play_unchecked(&mut self, m: CheckersMove) {
        let side = self.turn;
        let origin = m.from();
        let mut at = origin.bit();
        if m.is_capture() {
            let mut captured = 0;
            for direction in m.directions() {
                captured |= direction.step(at);
                at = direction.step(direction.step(at));
            }
            self.capture(captured);
        } else {
            for direction in m.directions() {
                at = direction.step(at);
            }
        }
        let to = at.trailing_zeros() as usize & 63;
        self.pieces[side] = (self.pieces[side] & !origin.bit()) | at;
        self.hash ^= PIECE_KEYS[side][origin.index()] ^ PIECE_KEYS[side][to];
        if self.kings & origin.bit() != 0 {
            self.kings = (self.kings & !origin.bit()) | at;
            self.hash ^= CROWN_KEYS[origin.index()] ^ CROWN_KEYS[to];
        } else if at & Self::far_row(side) != 0 {
            self.kings |= at;
            self.hash ^= CROWN_KEYS[to];
        }
        self.turn = side.other();
        self.hash ^= SECOND_TO_MOVE_KEY;
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.can_move() {
            return None;
        }
        Some(Outcome {
            winner: Some(self.turn.other()),
            reason: match self.pieces[self.turn] {
                0 => Reason::NoPieces,
                _ => Reason::Blocked,
            },
            score: None,
        })
    }

    #[inline]
    fn zobrist(&self) -> u64 {
        self.hash
    }

    fn explain_illegal(&self, text: &str) -> PlayError {
        self.explain(text)
    }

    #[inline]
    fn count_legal(&self) -> usize {
        self.count_moves(self.turn) as usize
    }

    #[inline]
    fn is_quiet(&self, m: CheckersMove) -> bool {
        !m.is_capture() && self.kings & m.from().bit() != 0
    }
}

impl CheckersPosition {
    /// Takes these pieces of the opponent off the board.
    #[inline]
    fn capture(&mut self, captured: u64) {
        let opponent = self.turn.other();
        let mut rest = captured;
        while rest != 0 {
            let index = rest.trailing_zeros() as usize & 63;
            self.hash ^= PIECE_KEYS[opponent][index];
            if self.kings & (1 << index) != 0 {
                self.hash ^= CROWN_KEYS[index];
            }
            rest &= rest - 1;
        }
        self.pieces[opponent] &= !captured;
        self.kings &= !captured;
    }
}

// Equal positions have equal hashes, and the Zobrist hash is already well mixed.
impl Hash for CheckersPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

fn hash_of(pieces: BySide<u64>, kings: u64, turn: Side) -> u64 {
    let mut hash = match turn {
        Side::First => 0,
        Side::Second => SECOND_TO_MOVE_KEY,
    };
    for square in Square::all() {
        for side in Side::ALL {
            if pieces[side] & square.bit() != 0 {
                hash ^= PIECE_KEYS[side][square.index()];
            }
        }
        if kings & square.bit() != 0 {
            hash ^= CROWN_KEYS[square.index()];
        }
    }
    hash
}
