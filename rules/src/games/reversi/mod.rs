//! Reversi (Othello rules and start), RULES.md section 2.
//!
//! A disc is placed so that it brackets lines of opposing discs, which are turned over. A side that
//! cannot place a disc passes; the game is over when neither side can.

pub mod board;
mod moves;
mod notation;

use std::hash::{Hash, Hasher};

pub use moves::ReversiMove;

use super::opening::PlyText;
use super::opening_setup::opening_setup;
use super::options::SetupOptions;
use crate::error::{MoveParseError, PlayError, SetupError};
use crate::kind::GameKind;
use crate::position::Position;
use crate::square::Square;
use crate::vocab::{BySide, Outcome, Reason, Side};
use crate::zobrist;

/// d5 and e4.
const BLACK_START: u64 = 0x0000_0008_1000_0000;
/// d4 and e5.
const WHITE_START: u64 = 0x0000_0010_0800_0000;

const DISC_KEYS: BySide<[u64; 64]> = BySide::new(
    zobrist::keys(0x7265_7600_0000_0001),
    zobrist::keys(0x7265_7600_0000_0002),
);
/// The change of the hash when the disc on a square is turned over, in either direction.
static TURNED_KEYS: [u64; 64] = turned_keys();
const SECOND_TO_MOVE_KEY: u64 = zobrist::keys::<1>(0x7265_7600_0000_0003)[0];

opening_setup!(
    /// A setup of Reversi.
    ReversiSetup,
    ReversiPosition,
    PlyText::Squares
);

/// A position of Reversi: the discs and the side to move.
///
/// [`Side::First`] is Black. Boards are bit sets over 64 squares, a1 the lowest bit, b1 the next,
/// a2 the ninth. Any number of discs may lie anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReversiPosition {
    discs: BySide<u64>,
    turn: Side,
    /// A function of the fields above, updated with every ply.
    hash: u64,
}

impl ReversiPosition {
    /// The position with these discs. A square in both sets is Black's.
    pub(crate) fn new(discs: BySide<u64>, turn: Side) -> Self {
        let discs = BySide::new(discs.first, discs.second & !discs.first);
        Self {
            discs,
            turn,
            hash: hash_of(discs, turn),
        }
    }

    /// The squares of a side's discs, as a bit set.
    #[inline]
    pub fn discs(&self, side: Side) -> u64 {
        self.discs[side]
    }

    /// The squares on which a side can place a disc, or could if it were to move, as a bit set.
    #[inline]
    pub fn placements(&self, side: Side) -> u64 {
        board::placements(self.discs[side], self.discs[side.other()])
    }

    /// The points of each side if the game ended here: its discs.
    #[inline]
    pub fn points(&self) -> BySide<u16> {
        // The count is at most 64.
        self.discs.map(|discs| discs.count_ones() as u16)
    }

    /// The discs that the legal move `m` turns over, as a bit set.
    #[inline]
    pub fn turned_by(&self, m: ReversiMove) -> u64 {
        match m {
            ReversiMove::Place(square) => self.flips(square),
            ReversiMove::Pass => 0,
        }
    }

    /// The discs that the side to move would turn over from this square, which is empty.
    #[inline]
    fn flips(&self, square: Square) -> u64 {
        let (own, opponent) = (self.discs[self.turn], self.discs[self.turn.other()]);
        board::flips(own, opponent, square.index())
    }

    fn has_to_pass(&self) -> bool {
        self.placements(self.turn) == 0 && self.placements(self.turn.other()) != 0
    }
}

impl Position for ReversiPosition {
    type Move = ReversiMove;
    type Setup = ReversiSetup;
    const KIND: GameKind = GameKind::Reversi;

    fn from_setup(setup: &ReversiSetup) -> Result<Self, SetupError> {
        let discs = BySide::new(BLACK_START, WHITE_START);
        let start = Self::new(discs, Side::First);
        setup.opening().after(start, PlyText::Squares)
    }

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn legal_moves_into(&self, moves: &mut Vec<ReversiMove>) {
        let mut squares = self.placements(self.turn);
        if squares == 0 {
            moves.extend(self.forced_pass());
        }
        while squares != 0 {
            // The index is at most 63.
            let square = Square::from_index(squares.trailing_zeros() as u8);
            moves.push(ReversiMove::Place(square));
            squares &= squares - 1;
        }
    }

    #[inline]
    fn play_unchecked(&mut self, m: ReversiMove) {
        let side = self.turn;
        if let ReversiMove::Place(square) = m {
            let flips = self.flips(square);
            self.discs[side] |= flips | square.bit();
            self.discs[side.other()] &= !(flips | square.bit());
            self.hash ^= DISC_KEYS[side][square.index()];
            let mut turned = flips;
            while turned != 0 {
                self.hash ^= TURNED_KEYS[turned.trailing_zeros() as usize & 63];
                turned &= turned - 1;
            }
        }
        self.turn = side.other();
        self.hash ^= SECOND_TO_MOVE_KEY;
    }

    fn outcome(&self) -> Option<Outcome> {
        let over = Side::ALL.into_iter().all(|side| self.placements(side) == 0);
        over.then(|| Outcome::by_score(self.points(), Reason::NoMoves))
    }

    #[inline]
    fn zobrist(&self) -> u64 {
        self.hash
    }

    fn explain_illegal(&self, text: &str) -> PlayError {
        if self.outcome().is_some() {
            return PlayError::GameOver;
        }
        let taken = self.discs.first | self.discs.second;
        match text.parse() {
            Err(MoveParseError) => PlayError::MalformedMove,
            Ok(ReversiMove::Pass) if self.has_to_pass() => PlayError::NoSuchMove,
            Ok(ReversiMove::Pass) => PlayError::CannotPass,
            Ok(ReversiMove::Place(square)) if taken & square.bit() != 0 => PlayError::Occupied,
            Ok(ReversiMove::Place(_)) if self.has_to_pass() => PlayError::MustPass,
            Ok(ReversiMove::Place(square)) if self.flips(square) == 0 => PlayError::FlipsNothing,
            Ok(ReversiMove::Place(_)) => PlayError::NoSuchMove,
        }
    }

    #[inline]
    fn count_legal(&self) -> usize {
        match self.placements(self.turn).count_ones() {
            0 => usize::from(self.placements(self.turn.other()) != 0),
            squares => squares as usize,
        }
    }

    #[inline]
    fn forced_pass(&self) -> Option<ReversiMove> {
        self.has_to_pass().then_some(ReversiMove::Pass)
    }
}

// Equal positions have equal hashes, and the Zobrist hash is already well mixed.
impl Hash for ReversiPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

fn hash_of(discs: BySide<u64>, turn: Side) -> u64 {
    let mut hash = match turn {
        Side::First => 0,
        Side::Second => SECOND_TO_MOVE_KEY,
    };
    for square in Square::all() {
        for side in Side::ALL {
            if discs[side] & square.bit() != 0 {
                hash ^= DISC_KEYS[side][square.index()];
            }
        }
    }
    hash
}

const fn turned_keys() -> [u64; 64] {
    let mut keys = [0; 64];
    let mut i = 0;
    while i < 64 {
        keys[i] = DISC_KEYS.first[i] ^ DISC_KEYS.second[i];
        i += 1;
    }
    keys
}
