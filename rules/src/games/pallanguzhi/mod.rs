//! Pallanguzhi, RULES-pallanguzhi.md.
//!
//! Seeds are sown round both rows; the pit after the last seed is lifted and sown on. A pit that becomes four belongs to the player who sows, and
//! so do the seeds behind an empty pit. [`Side::First`] is South.

mod ply;
mod setup;
mod size;

pub use setup::{Form, PallanguzhiSetup};
pub use size::{HOUSES, TOTAL};

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use self::size::SEEDS;
use super::sowing::{self, Board, HALF, LeftOut, Reader, house_move};
use crate::error::{PlayError, PositionError, SetupError};
use crate::kind::GameKind;
use crate::position::Position;
use crate::vocab::{BySide, Outcome, Reason, Side};

house_move!(
    /// A move of Pallanguzhi: the number of an own pit, 1 to 7.
    PallanguzhiMove,
    7
);

/// A position of Pallanguzhi: the seeds, in pits and won, the rubbish holes, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PallanguzhiPosition {
    /// The seeds, from the view of the side to move.
    board: Board<HOUSES>,
    /// The rubbish holes, from the same view: a bit a lane.
    holes: u16,
    turn: Side,
}

impl PallanguzhiPosition {
    /// The start of a round: each side fills its pits from the first on, as far as its seeds suffice; the others are rubbish holes
    /// (RULES-pallanguzhi.md section 5).
    fn round_start(owned: BySide<u16>, turn: Side) -> Self {
        let mut board = Board::filled(0);
        let mut holes = 0;
        for (half, owned) in [(0, owned[turn]), (HALF, owned[turn.other()])] {
            let filled = usize::from(owned / SEEDS).min(HOUSES);
            for pit in 0..filled {
                board.put(half + pit, SEEDS);
            }
            for hole in filled..HOUSES {
                holes |= 1 << (half + hole);
            }
            // At most seven times six seeds, and not more than the side owns.
            board.put(half + HOUSES, owned - filled as u16 * SEEDS);
        }
        Self { board, holes, turn }
    }

    /// The seeds in a side's pits, pit 1 first; `None` for a rubbish hole.
    pub fn houses(&self, side: Side) -> [Option<u16>; HOUSES] {
        let half = if side == self.turn { 0 } else { HALF };
        let pit = |lane| (!self.is_hole(lane)).then(|| self.board.get(lane));
        std::array::from_fn(|i| pit(half + i))
    }

    /// The won seeds.
    pub fn stores(&self) -> BySide<u16> {
        let board = &self.board;
        sowing::by_side(self.turn, board.mover_store(), board.opponent_store())
    }

    /// The same position with more seeds won; `None` if it would hold more than [`MAX_SEEDS`](sowing::MAX_SEEDS).
    pub fn with_won(&self, more: BySide<u16>) -> Option<Self> {
        let half = |start: usize, side: Side| {
            let pits = std::array::from_fn(|pit| self.board.get(start + pit));
            let store = self.stores()[side].checked_add(more[side])?;
            Some((pits, store))
        };
        let mover = half(0, self.turn)?;
        let opponent = half(HALF, self.turn.other())?;
        Some(Self {
            board: Board::new(mover, opponent)?,
            ..self.clone()
        })
    }

    /// The seeds that the side to move wins with the legal move `m`, without those that the end of the round gives it.
    pub fn wins(&self, m: PallanguzhiMove) -> u16 {
        let mut board = self.board;
        // A ply that is too long is not legal.
        let _ = ply::play(&mut board, m.lane(), self.holes);
        board.mover_store() - self.board.mover_store()
    }

    /// The number of seeds that are sown in the ply of the legal move `m`, those sown several times counted each time.
    pub fn sown(&self, m: PallanguzhiMove) -> u16 {
        ply::play(&mut self.board.clone(), m.lane(), self.holes).unwrap_or(ply::MAX_SOWN)
    }

    fn is_hole(&self, lane: usize) -> bool {
        self.holes >> lane & 1 != 0
    }

    /// Whether the ply from a pit that holds seeds ends within the limit.
    fn ends(&self, lane: usize) -> bool {
        ply::play(&mut self.board.clone(), lane, self.holes).is_ok()
    }

    /// The lanes that can be played.
    fn playable(&self) -> impl Iterator<Item = usize> {
        let is_over = self.board.is_mover_empty() || self.board.is_opponent_empty();
        let lanes = if is_over { 0 } else { HOUSES };
        (0..lanes).filter(|lane| self.board.get(*lane) > 0 && self.ends(*lane))
    }

    fn is_over(&self) -> bool {
        self.playable().next().is_none()
    }
}

impl Position for PallanguzhiPosition {
    type Move = PallanguzhiMove;
    type Setup = PallanguzhiSetup;
    const KIND: GameKind = GameKind::Pallanguzhi;

    fn from_setup(setup: &PallanguzhiSetup) -> Result<Self, SetupError> {
        Ok(Self::round_start(setup.filled_with(), setup.begins()))
    }

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    fn legal_moves_into(&self, moves: &mut Vec<PallanguzhiMove>) {
        moves.extend(self.playable().map(|lane| PallanguzhiMove(lane as u8)));
    }

    fn play_unchecked(&mut self, m: PallanguzhiMove) {
        // A ply that is too long is not legal.
        let _ = ply::play(&mut self.board, m.lane(), self.holes);
        self.board = self.board.turned();
        self.holes = self.holes.rotate_left(HALF as u32);
        self.turn = self.turn.other();
        if self.is_over() {
            self.board.sweep();
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        if !self.is_over() {
            return None;
        }
        // Seeds are left to sweep here only in a position that was read from a text.
        let mut end = self.clone();
        end.board.sweep();
        Some(Outcome::by_score(end.stores(), Reason::RowEmpty))
    }

    #[inline]
    fn zobrist(&self) -> u64 {
        let rest = u64::from(self.holes) << 1 | self.turn as u64;
        self.board.hash(rest)
    }

    fn explain_illegal(&self, text: &str) -> PlayError {
        if self.outcome().is_some() {
            return PlayError::GameOver;
        }
        match sowing::attempted_house(text, HOUSES, self.turn) {
            Err(why) => why,
            Ok(lane) if self.is_hole(lane) => PlayError::RubbishHole,
            Ok(lane) if self.board.get(lane) == 0 => PlayError::EmptyHouse,
            Ok(lane) if !self.ends(lane) => PlayError::SowingTooLong,
            // The pit can be played, but the text is not the notation of that move.
            Ok(_) => PlayError::MalformedMove,
        }
    }

    /// Won seeds do not return, so after a move that wins some no earlier position can occur again.
    fn is_quiet(&self, m: PallanguzhiMove) -> bool {
        self.wins(m) == 0
    }

    /// Each side takes the seeds of its row.
    fn third_occurrence(&mut self) -> Outcome {
        self.board.sweep();
        Outcome::by_score(self.stores(), Reason::Repetition)
    }
}

// Equal positions have equal hashes, and the Zobrist hash is already well mixed.
impl Hash for PallanguzhiPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.zobrist());
    }
}

impl fmt::Display for PallanguzhiPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&sowing::write(&self.board, self.holes, self.turn))
    }
}

impl FromStr for PallanguzhiPosition {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let mut reader = Reader::new(text);
        let read = reader.position(LeftOut::FromHighest)?;
        reader.end()?;
        Ok(Self {
            board: read.board,
            holes: read.burnt,
            turn: read.turn,
        })
    }
}
