//! Mawe! (original English name: Stones!), RULES.md section 1.
//!
//! Eight stones a side slide and jump towards the far rank. A jump pins an opponent or frees a
//! pinned ally; no stone is captured. When the side to move cannot move, each side scores its
//! unpinned stones on its far rank. In the decisive form (section 1.1) equal points are no draw.

mod board;
mod explain;
mod generator;
mod moves;
mod notation;
mod setup;

use std::hash::{Hash, Hasher};

pub use moves::MaweMove;
pub use setup::{Form, MaweSetup};

use crate::error::{PlayError, SetupError};
use crate::kind::GameKind;
use crate::position::Position;
use crate::square::Square;
use crate::vocab::{BySide, Outcome, Reason, Side};
use crate::zobrist;
use board::{RANK_1, RANK_8};

const STONE_KEYS: BySide<[u64; 64]> = BySide::new(
    zobrist::keys(0x6d61_7765_0000_0001),
    zobrist::keys(0x6d61_7765_0000_0002),
);
/// One key a square suffices: a pin always belongs to the stone on its square.
const PIN_KEYS: [u64; 64] = zobrist::keys(0x6d61_7765_0000_0003);
const SECOND_TO_MOVE_KEY: u64 = zobrist::keys::<1>(0x6d61_7765_0000_0004)[0];
const DECISIVE_KEY: u64 = zobrist::keys::<1>(0x6d61_7765_0000_0005)[0];

/// A position of Mawe!: the stones, which of them are pinned, the side to move, and the form of the game.
///
/// [`Side::First`] is White. Boards are bit sets over 64 squares, a1 the lowest bit, b1 the next,
/// a2 the ninth. Any number of stones may stand anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MawePosition {
    stones: BySide<u64>,
    /// The squares of pinned stones, a subset of all stones.
    pinned: u64,
    turn: Side,
    form: Form,
    /// A function of the fields above, updated with every ply.
    hash: u64,
}

impl MawePosition {
    /// The position with these stones. A square in both sets is White's; pins without a stone are
    /// dropped.
    pub(crate) fn new(stones: BySide<u64>, pinned: u64, turn: Side, form: Form) -> Self {
        let stones = BySide::new(stones.first, stones.second & !stones.first);
        let pinned = pinned & (stones.first | stones.second);
        Self {
            stones,
            pinned,
            turn,
            form,
            hash: hash_of(stones, pinned, turn, form),
        }
    }

    /// The squares of a side's stones, pinned or not, as a bit set.
    #[inline]
    pub fn stones(&self, side: Side) -> u64 {
        self.stones[side]
    }

    /// The squares of all pinned stones, as a bit set.
    #[inline]
    pub fn pinned(&self) -> u64 {
        self.pinned
    }

    /// The form of the game.
    #[inline]
    pub fn form(&self) -> Form {
        self.form
    }

    /// The squares of a side's far rank, the opponent's home rank, as a bit set.
    #[inline]
    pub const fn far_rank(side: Side) -> u64 {
        match side {
            Side::First => RANK_8,
            Side::Second => RANK_1,
        }
    }

    /// The points of each side if the game ended here: its unpinned stones on its far rank.
    #[inline]
    pub fn points(&self) -> BySide<u16> {
        BySide::from_fn(|side| {
            let home = self.stones[side] & !self.pinned & Self::far_rank(side);
            // At most eight squares.
            home.count_ones() as u16
        })
    }
}

impl Position for MawePosition {
    type Move = MaweMove;
    type Setup = MaweSetup;
    const KIND: GameKind = GameKind::Mawe;

    fn from_setup(setup: &MaweSetup) -> Result<Self, SetupError> {
        let stones = BySide::new(RANK_1, RANK_8);
        Ok(Self::new(stones, 0, Side::First, setup.form()))
    }

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    fn legal_moves_into(&self, moves: &mut Vec<MaweMove>) {
        self.list_moves(moves);
    }

    #[inline]
    fn play_unchecked(&mut self, m: MaweMove) {
        let side = self.turn;
        let (from, to) = (m.from(), m.to());
        let jumped = self.jumped_by(m);
        self.stones[side] ^= from.bit() ^ to.bit();
        self.hash ^= STONE_KEYS[side][from.index()] ^ STONE_KEYS[side][to.index()];
        if let Some(jumped) = jumped {
            // An unpinned opponent becomes pinned, a pinned ally unpinned.
            self.pinned ^= jumped.bit();
            self.hash ^= PIN_KEYS[jumped.index()];
        }
        self.turn = side.other();
        self.hash ^= SECOND_TO_MOVE_KEY;
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.count_moves(self.turn) > 0 {
            return None;
        }
        let by_points = Outcome::by_score(self.points(), Reason::NoMoves);
        match (by_points.winner, self.form) {
            (None, Form::Decisive) => Some(Outcome {
                winner: Some(self.turn.other()),
                reason: Reason::LastMove,
                ..by_points
            }),
            (Some(_), _) | (None, Form::Standard) => Some(by_points),
        }
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
}

// Equal positions have equal hashes, and the Zobrist hash is already well mixed.
impl Hash for MawePosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

fn hash_of(stones: BySide<u64>, pinned: u64, turn: Side, form: Form) -> u64 {
    let mut hash = match turn {
        Side::First => 0,
        Side::Second => SECOND_TO_MOVE_KEY,
    };
    hash ^= match form {
        Form::Standard => 0,
        Form::Decisive => DECISIVE_KEY,
    };
    for square in Square::all() {
        for side in Side::ALL {
            if stones[side] & square.bit() != 0 {
                hash ^= STONE_KEYS[side][square.index()];
            }
        }
        if pinned & square.bit() != 0 {
            hash ^= PIN_KEYS[square.index()];
        }
    }
    hash
}
