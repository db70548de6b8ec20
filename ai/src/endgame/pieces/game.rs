//! Games with endgame databases by men and kings.

use mawe_rules::games::draughts::{
    self, Clock, Colour, DraughtsMove, DraughtsPosition, Listed, Variant,
};
use mawe_rules::{BySide, Position, Side};

/// The effect of a legal move on the material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The material remains.
    Step,
    /// A man becomes a king, without a capture.
    Crowning,
    /// The other side loses pieces. Only captures are legal where there is one.
    Capture,
}

/// A game of men and kings on the 32 dark squares of a board. In its bit sets the square with the number
/// `n` has the bit `n - 1 + (n - 1) / 8`.
pub trait MenAndKings: Position {
    /// The most pieces of a database; 0 if the game has none, as on a larger board.
    const MOST_PIECES: u8;
    /// Whether a king moves any number of squares; otherwise it moves one.
    const KINGS_FLY: bool;
    /// The side that plays down the board, to higher numbers.
    const DOWN: Side;
    /// The limits for endings.
    const CLOCKS: &'static [Clock] = &[];

    /// The position with these pieces. No square is in two sets, and no man stands on its far row.
    fn with_pieces(pieces: BySide<u64>, kings: u64, turn: Side) -> Self;

    /// The squares of the men and kings of a side.
    fn pieces_of(&self, side: Side) -> u64;

    /// The squares of all kings.
    fn all_kings(&self) -> u64;

    /// The effect of the legal move `m`.
    fn effect(&self, m: Self::Move) -> Effect;

    /// The material for the conditions of the clocks; `None` in a game without clocks.
    fn clock_material(&self) -> Option<draughts::Material> {
        None
    }
}

impl<V: Listed> MenAndKings for DraughtsPosition<V> {
    const MOST_PIECES: u8 = match (V::KINGS_FLY, V::ROW) {
        (false, _) => 6,
        // Five pieces would be 151 MB a game.
        (true, 4) => 4,
        (true, _) => 0,
    };
    const KINGS_FLY: bool = <V as Variant>::KINGS_FLY;
    const DOWN: Side = match V::BEGINS {
        Colour::Black => Side::First,
        Colour::White => Side::Second,
    };
    const CLOCKS: &'static [Clock] = <V as Variant>::CLOCKS;

    fn with_pieces(pieces: BySide<u64>, kings: u64, turn: Side) -> Self {
        Self::new(pieces, kings, turn)
    }

    #[inline]
    fn pieces_of(&self, side: Side) -> u64 {
        self.pieces(side)
    }

    #[inline]
    fn all_kings(&self) -> u64 {
        self.kings()
    }

    fn effect(&self, m: DraughtsMove<V>) -> Effect {
        let is_man = self.kings() & m.from().bit() == 0;
        match () {
            () if m.is_capture() => Effect::Capture,
            () if is_man && m.to().bit() & V::far_row(self.turn()) != 0 => Effect::Crowning,
            () => Effect::Step,
        }
    }

    fn clock_material(&self) -> Option<draughts::Material> {
        Some(DraughtsPosition::material(self))
    }
}
