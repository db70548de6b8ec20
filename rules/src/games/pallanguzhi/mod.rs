//! Pallanguzhi, RULES-pallanguzhi.md.
//!
//! Seeds are sown round both rows; the pit after the last seed is lifted and sown on. A pit that becomes four belongs to the player who sows, and
//! so do the seeds behind an empty pit. [`Side::First`] is South. The game has no [`GameKind`](crate::GameKind) yet; the methods have the names
//! and the meaning of those of [`Position`](crate::Position).

mod ply;
mod size;

pub use size::HOUSES;

use std::fmt;
use std::str::FromStr;

use super::sowing::{self, Board, HALF, LeftOut, Reader, house_move};
use crate::error::PositionError;
use crate::vocab::{BySide, Outcome, Reason, Side};

/// The seeds that fill a pit.
const SEEDS: u16 = 6;

/// The number of seeds in the game.
pub const TOTAL: u16 = 2 * HOUSES as u16 * SEEDS;

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
    /// The start of a single round.
    pub fn start() -> Self {
        Self {
            board: Board::filled(SEEDS),
            holes: 0,
            turn: Side::First,
        }
    }

    /// The start of the round after one that `began` began and that left the sides with these seeds (RULES-pallanguzhi.md section 5); `None` if a
    /// side cannot fill a pit, or these are not all seeds.
    pub fn next_round(owned: BySide<u16>, began: Side) -> Option<Self> {
        let is_whole = owned.first.checked_add(owned.second) == Some(TOTAL);
        if !is_whole || owned.first < SEEDS || owned.second < SEEDS {
            return None;
        }
        let turn = began.other();
        let filled = |side: Side| usize::from(owned[side] / SEEDS).min(HOUSES);
        let half = |side: Side| {
            let mut houses = [0; HOUSES];
            houses[..filled(side)].fill(SEEDS);
            (houses, owned[side] - SEEDS * filled(side) as u16)
        };
        let all = (1 << HOUSES) - 1;
        let holes = |side: Side| all & !((1 << filled(side)) - 1);
        Some(Self {
            board: Board::new(half(turn), half(turn.other()))?,
            holes: holes(turn) | holes(turn.other()) << HALF,
            turn,
        })
    }

    /// The side to move. In a finished round, the side that would be next.
    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// The won seeds.
    pub fn stores(&self) -> BySide<u16> {
        let board = &self.board;
        sowing::by_side(self.turn, board.mover_store(), board.opponent_store())
    }

    /// The legal moves; none when the round is over.
    pub fn legal_moves(&self) -> Vec<PallanguzhiMove> {
        if self.board.is_mover_empty() || self.board.is_opponent_empty() {
            return Vec::new();
        }
        let houses = (0..HOUSES as u8).map(PallanguzhiMove);
        houses
            .filter(|m| self.board.get(m.lane()) > 0)
            .filter(|m| ply::play(&mut self.board.clone(), m.lane(), self.holes).is_ok())
            .collect()
    }

    /// Plays a legal move. After another one the position is unspecified, but nothing panics.
    pub fn play_unchecked(&mut self, m: PallanguzhiMove) {
        // A ply that is too long is not legal.
        let _ = ply::play(&mut self.board, m.lane(), self.holes);
        self.board = self.board.turned();
        self.holes = self.holes.rotate_left(HALF as u32);
        self.turn = self.turn.other();
        if self.legal_moves().is_empty() {
            self.board.sweep();
        }
    }

    /// The result if the round is over by its own rules.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.legal_moves().is_empty() {
            return None;
        }
        // Seeds are left to sweep here only in a position that was read from a text.
        let mut end = self.clone();
        end.board.sweep();
        Some(Outcome::by_score(end.stores(), Reason::RowEmpty))
    }

    /// Ends the round on the third occurrence of this position: each side takes the seeds of its row.
    pub fn third_occurrence(&mut self) -> Outcome {
        self.board.sweep();
        Outcome::by_score(self.stores(), Reason::Repetition)
    }

    /// Whether no seeds are won by a legal move: won seeds do not return, so after others no earlier position can occur again.
    pub fn is_quiet(&self, m: PallanguzhiMove) -> bool {
        let mut after = self.clone();
        after.play_unchecked(m);
        after.stores() == self.stores()
    }

    /// The number of move sequences of this length.
    pub fn perft(&self, depth: u32) -> u64 {
        let moves = self.legal_moves();
        if depth <= 1 {
            return if depth == 0 { 1 } else { moves.len() as u64 };
        }
        let after = |m: PallanguzhiMove| {
            let mut next = self.clone();
            next.play_unchecked(m);
            next.perft(depth - 1)
        };
        moves.into_iter().map(after).sum()
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
