//! Kalah, RULES.md section 5.
//!
//! Seeds are sown around the board, including the own store. A ply that ends in the store gives
//! another ply; one that ends in an own empty house captures the seeds opposite. [`Side::First`] is
//! South.

mod read;
mod setup;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

pub use setup::KalahSetup;

use super::opening::PlyText;
use super::sowing::{self, Board, HALF, LeftOut, Reader, Seeds, house_move};
use crate::error::{PlayError, PositionError, SetupError};
use crate::kind::GameKind;
use crate::position::Position;
use crate::vocab::{BySide, Outcome, Reason, Side};

/// The number of houses a side.
pub const HOUSES: usize = 6;

house_move!(
    /// A move of Kalah: the number of an own house, 1 to 6.
    KalahMove,
    6
);

/// The lanes that are sown into, in order: the mover's houses and store, the opponent's houses.
const CYCLE: [usize; 13] = [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13];
const SPREADS: [[Seeds; CYCLE.len()]; HOUSES] = sowing::spreads(&CYCLE);
/// A whole lap: one seed for each lane of the cycle.
const LAP: Seeds = sowing::spreads::<1, { CYCLE.len() + 1 }>(&CYCLE)[0][CYCLE.len()];

/// A position of Kalah: the seeds and the side to move. No position occurs twice in a game, because
/// seeds sown past the mover's store feed it, and no seed leaves a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KalahPosition {
    /// The seeds, from the view of the side to move.
    board: Board<HOUSES>,
    turn: Side,
}

impl KalahPosition {
    /// The position with these houses, house 1 first, and stores; `None` if they hold too many
    /// seeds for a position.
    pub fn new(houses: BySide<[u16; HOUSES]>, stores: BySide<u16>, turn: Side) -> Option<Self> {
        let half = |side| (houses[side], stores[side]);
        let board = Board::new(half(turn), half(turn.other()))?;
        Some(Self { board, turn })
    }

    /// The seeds in a side's houses, house 1 first.
    pub fn houses(&self, side: Side) -> [u16; HOUSES] {
        let half = if side == self.turn { 0 } else { HALF };
        std::array::from_fn(|house| self.board.get(half + house))
    }

    /// The seeds in the stores.
    pub fn stores(&self) -> BySide<u16> {
        sowing::by_side(
            self.turn,
            self.board.mover_store(),
            self.board.opponent_store(),
        )
    }
}

impl Position for KalahPosition {
    type Move = KalahMove;
    type Setup = KalahSetup;
    const KIND: GameKind = GameKind::Kalah;

    fn from_setup(setup: &KalahSetup) -> Result<Self, SetupError> {
        let start = Self {
            board: Board::filled(u16::from(setup.seeds())),
            turn: Side::First,
        };
        setup.opening().after(start, PlyText::Houses)
    }

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn legal_moves_into(&self, moves: &mut Vec<KalahMove>) {
        if self.board.is_opponent_empty() {
            return;
        }
        for house in 0..HOUSES as u8 {
            if self.board.get(usize::from(house)) != 0 {
                moves.push(KalahMove(house));
            }
        }
    }

    #[inline]
    fn play_unchecked(&mut self, m: KalahMove) {
        let mut board = self.board;
        let seeds = board.take(m.lane());
        // Thirteen seeds make a lap and end in the house of origin.
        let (laps, rest) = (seeds / CYCLE.len() as u16, usize::from(seeds) % CYCLE.len());
        board.spread(&SPREADS[m.lane()][rest], 1);
        if laps > 0 {
            board.spread(&LAP, laps);
        }

        let last = (m.lane() + rest) % CYCLE.len();
        if last < HOUSES && board.get(last) == 1 && board.get(Board::<HOUSES>::facing(last)) > 0 {
            let captured = board.take(last) + board.take(Board::<HOUSES>::facing(last));
            board.put(Board::<HOUSES>::STORE, captured);
        }
        if board.is_mover_empty() || board.is_opponent_empty() {
            board.sweep();
        }
        if last == Board::<HOUSES>::STORE {
            self.board = board;
        } else {
            self.board = board.turned();
            self.turn = self.turn.other();
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        if !self.board.is_mover_empty() && !self.board.is_opponent_empty() {
            return None;
        }
        // Seeds can be left in a row here only in a position that was read from a string.
        let mut board = self.board;
        board.sweep();
        let score = sowing::by_side(self.turn, board.mover_store(), board.opponent_store());
        Some(Outcome::by_score(score, Reason::RowEmpty))
    }

    #[inline]
    fn zobrist(&self) -> u64 {
        self.board.hash(self.turn as u64)
    }

    fn explain_illegal(&self, text: &str) -> PlayError {
        if self.outcome().is_some() {
            return PlayError::GameOver;
        }
        match sowing::attempted_house(text, HOUSES, self.turn) {
            Err(why) => why,
            Ok(lane) if self.board.get(lane) == 0 => PlayError::EmptyHouse,
            // The house can be played, but the text is not the notation of that move.
            Ok(_) => PlayError::MalformedMove,
        }
    }

    #[inline]
    fn count_legal(&self) -> usize {
        match self.board.is_opponent_empty() {
            true => 0,
            false => self.board.count_houses(),
        }
    }
}

// Equal positions have equal hashes, and the Zobrist hash is already well mixed.
impl Hash for KalahPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.zobrist());
    }
}

impl fmt::Display for KalahPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&sowing::write(&self.board, 0, self.turn))
    }
}

impl FromStr for KalahPosition {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let mut reader = Reader::new(text);
        let read = reader.position(LeftOut::Nowhere)?;
        reader.end()?;
        Ok(Self {
            board: read.board,
            turn: read.turn,
        })
    }
}
