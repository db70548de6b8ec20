//! The values of positions, as bytes.

use std::marker::PhantomData;

use mawe_rules::Side;

use super::game::MenAndKings;
use super::index::Board;

// A byte is 0 for a draw, 255 if no position has this number, and otherwise one more than the plies to
// the end: a win if they are odd, a loss if even.
pub(super) const DRAW: u8 = 0;
pub(super) const NO_POSITION: u8 = u8::MAX;

/// The outcome of a position with best play by both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PiecesValue {
    /// The side to move wins in this many plies.
    Win(u32),
    /// Neither side wins.
    Draw,
    /// The side to move loses in this many plies.
    Loss(u32),
}

impl PiecesValue {
    /// The plies to the end; `None` for a draw.
    pub(super) fn plies(self) -> Option<u32> {
        match self {
            Self::Win(plies) | Self::Loss(plies) => Some(plies),
            Self::Draw => None,
        }
    }

    /// The value of a byte; `None` if no position has this number.
    pub(super) fn from_byte(byte: u8) -> Option<Self> {
        match (byte, u32::from(byte)) {
            (NO_POSITION, _) => None,
            (DRAW, _) => Some(Self::Draw),
            (_, byte) if byte % 2 == 0 => Some(Self::Win(byte - 1)),
            (_, byte) => Some(Self::Loss(byte - 1)),
        }
    }
}

/// The most plies to the end of a won or lost position in which a clock holds, for each clock of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Longest {
    /// In the positions of a material.
    pub(super) here: Option<Vec<u32>>,
    /// In all positions to which moves lead from there; `None` if slices are missing.
    pub(super) later: Option<Vec<u32>>,
}

/// The values of all positions of a game with few pieces.
#[derive(Clone)]
pub struct PiecesDatabase<P> {
    /// The values, by material and number of the position.
    pub(super) slices: Vec<Option<Vec<u8>>>,
    /// The longest wins within reach of the limits for endings, by material; empty in a game without clocks.
    pub(super) longest: Vec<Longest>,
    game: PhantomData<fn() -> P>,
}

impl<P> Default for PiecesDatabase<P> {
    fn default() -> Self {
        Self {
            slices: Vec::new(),
            longest: Vec::new(),
            game: PhantomData,
        }
    }
}

impl<P: MenAndKings> PiecesDatabase<P> {
    /// The value of a position, if the database has it. It has no position in which only the other
    /// side has no pieces, because such a game ended a ply before.
    #[inline]
    pub fn value(&self, pos: &P) -> Option<PiecesValue> {
        let own = pos.pieces_of(pos.turn());
        if own == 0 {
            return Some(PiecesValue::Loss(0));
        }
        match self.slices.is_empty() {
            true => None,
            false => self.stored(pos),
        }
    }

    /// As [`value`](PiecesDatabase::value), if there are slices. A call, so that a search without a database
    /// computes nothing of it.
    #[inline(never)]
    fn stored(&self, pos: &P) -> Option<PiecesValue> {
        let all = pos.pieces_of(Side::First) | pos.pieces_of(Side::Second);
        if all.count_ones() > u32::from(P::MOST_PIECES) {
            return None;
        }
        let board = Board::of(pos);
        let material = board.material();
        let slice = self.slices.get(material.place())?.as_ref()?;
        PiecesValue::from_byte(*slice.get(material.rank(&board))?)
    }
}
