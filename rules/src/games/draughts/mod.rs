//! The draughts family with flying kings, RULES-draughts.md: one board and one generator, whose rules are the constants of a [`Variant`].
//!
//! ```
//! use mawe_rules::games::draughts::{DraughtsPosition, Russian};
//!
//! // A man that reaches the far row in a capture goes on as a king.
//! let position: DraughtsPosition<Russian> = "W:W12:B8,14".parse()?;
//! let moves = position.legal_moves();
//! let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
//! assert_eq!(texts, ["12x3x17", "12x3x21"]);
//! # Ok::<(), mawe_rules::PositionError>(())
//! ```

mod board;
mod clocks;
mod generator;
mod moves;
mod notation;
mod variant;

pub use clocks::{Clock, Counts, EndgameClocks, Material, Resets};
pub use moves::DraughtsMove;
pub use variant::{
    Brazilian, Colour, Crowning, Drafti, International, KingLanding, Pool, Russian, Variant,
};

use std::marker::PhantomData;

use crate::vocab::{BySide, Side};
use board::Geometry;

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

/// A position of one game of the family.
///
/// [`Side::First`] has the colour that begins. Any number of pieces may stand anywhere, but a piece of a side on that side's far row is a king.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DraughtsPosition<V> {
    pieces: BySide<u64>,
    /// The squares of kings, a subset of all pieces.
    kings: u64,
    turn: Side,
    variant: PhantomData<V>,
}

impl<V: Variant> DraughtsPosition<V> {
    /// The position before the first ply.
    pub fn start() -> Self {
        let rows = V::ROW * V::MEN_ROWS;
        let squares = 2 * V::ROW * V::ROW;
        let men = |numbers: std::ops::RangeInclusive<u32>| {
            numbers.fold(0, |set, number| set | Geometry::<V>::bit(number))
        };
        let (black, white) = (men(1..=rows), men(squares - rows + 1..=squares));
        let pieces = match V::BEGINS {
            Colour::White => BySide::new(white, black),
            Colour::Black => BySide::new(black, white),
        };
        Self::new(pieces, 0, Side::First)
    }

    /// The position with these pieces; no square is in two sets, and no man stands on its far row.
    fn new(pieces: BySide<u64>, kings: u64, turn: Side) -> Self {
        Self {
            pieces,
            kings,
            turn,
            variant: PhantomData,
        }
    }

    /// The side to move. In a finished game, the side that would be next.
    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// The number of a side's men.
    pub fn men(&self, side: Side) -> u32 {
        (self.pieces[side] & !self.kings).count_ones()
    }

    /// The number of a side's kings.
    pub fn kings(&self, side: Side) -> u32 {
        (self.pieces[side] & self.kings).count_ones()
    }

    /// The legal moves, each once under its canonical path, in the order of their squares; none when the game is over.
    pub fn legal_moves(&self) -> Vec<DraughtsMove> {
        let mut moves = Vec::with_capacity(32);
        self.legal_moves_into(&mut moves);
        moves
    }

    /// Appends the legal moves to a list.
    pub fn legal_moves_into(&self, moves: &mut Vec<DraughtsMove>) {
        let captures = generator::captures(self, moves);
        if !captures && !self.is_king_against_king() {
            generator::steps(self, moves);
        }
    }

    /// Plays a legal move; returns what it did. The result of another move is unspecified, but no panic.
    pub fn play_unchecked(&mut self, m: DraughtsMove) -> Ply {
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
        self.kings &= !(captured | origin);
        if is_king || becomes_king {
            self.kings |= target;
        }
        self.turn = side.other();
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

    /// Whether kings alone, one on each side, are a draw here unless there is a capture.
    fn is_king_against_king(&self) -> bool {
        let single = |side: Side| self.men(side) == 0 && self.kings(side) == 1;
        V::KING_AGAINST_KING_IS_DRAWN && Side::ALL.into_iter().all(single)
    }

    /// The number of move sequences of this length.
    pub fn perft(&self, depth: u32) -> u64 {
        let moves = self.legal_moves();
        if depth <= 1 {
            return if depth == 0 { 1 } else { moves.len() as u64 };
        }
        let after = |m: DraughtsMove| {
            let mut next = self.clone();
            next.play_unchecked(m);
            next.perft(depth - 1)
        };
        moves.into_iter().map(after).sum()
    }
}

/// What a ply did, for the rules that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The side that made it.
    pub side: Side,
    /// Whether it took a piece.
    pub captures: bool,
    /// Whether a man made it.
    pub is_of_man: bool,
    /// Whether the man was crowned.
    pub crowns: bool,
}

impl Ply {
    /// Whether it makes no progress: no capture, and no move of a man.
    pub const fn is_quiet(self) -> bool {
        !self.captures && !self.is_of_man
    }
}
