//! Bao as a game of the crate.

use std::hash::{Hash, Hasher};

use super::board::{Board, Half, Stage};
use super::moves::BaoMove;
use super::position::BaoPosition;
use super::ring::{Pit, Ring};
use super::setup::{BaoSetup, Form};
use super::{explain, legal, ply};
use crate::error::{PlayError, SetupError};
use crate::kind::GameKind;
use crate::position::Position;
use crate::vocab::{Outcome, Reason, Side};

/// The seeds in each store before the first ply of Kiswahili.
const FULL_STORE: u8 = 22;

impl Position for BaoPosition {
    type Move = BaoMove;
    type Setup = BaoSetup;

    const KIND: GameKind = GameKind::Bao;

    fn from_setup(setup: &BaoSetup) -> Result<Self, SetupError> {
        let half = match setup.form() {
            Form::Kiswahili => kiswahili(),
            Form::Kujifunza => kujifunza(),
        };
        let board = Board {
            mover: half,
            opponent: half,
            takasia: None,
        };
        Ok(Self {
            board,
            turn: Side::First,
        })
    }

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    /// Sorted by text.
    #[inline]
    fn legal_moves_into(&self, moves: &mut Vec<BaoMove>) {
        legal::for_each(&self.board, |m| moves.push(m));
    }

    #[inline]
    fn count_legal(&self) -> usize {
        let mut count = 0;
        legal::for_each(&self.board, |_| count += 1);
        count
    }

    #[inline]
    fn play_unchecked(&mut self, m: BaoMove) {
        ply::play(&mut self.board, m, |_| ());
        self.turn = self.turn.other();
    }

    fn outcome(&self) -> Option<Outcome> {
        let (mover, opponent) = (self.turn, self.turn.other());
        let (winner, reason) = if self.board.mover.ring.is_front_empty() {
            (opponent, Reason::FrontEmpty)
        } else if self.board.opponent.ring.is_front_empty() {
            (mover, Reason::FrontEmpty)
        } else if !legal::is_any(&self.board) {
            (opponent, Reason::NoMoves)
        } else {
            return None;
        };
        Some(Outcome {
            winner: Some(winner),
            reason,
            score: None,
        })
    }

    /// A move is not quiet if a seed leaves a store or a house is lost.
    fn is_quiet(&self, m: BaoMove) -> bool {
        let houses = |board: &Board| [board.mover.owns_house, board.opponent.owns_house];
        let before = houses(&self.board);
        if self.stage() == Stage::Namua {
            return false;
        }
        if before == [false, false] {
            return true;
        }
        let mut after = self.board;
        ply::play(&mut after, m, |_| ());
        houses(&after.turned()) == before
    }

    fn explain_illegal(&self, text: &str) -> PlayError {
        // A game that is over takes no move, however it is spelled.
        if self.outcome().is_some() {
            return PlayError::GameOver;
        }
        match text.parse() {
            Ok(m) => explain::explain(&self.board, m),
            Err(error) => PlayError::from(error),
        }
    }

    /// Source of the mixing: Wang Yi's wyhash (public domain), a product of two words folded.
    #[inline]
    fn zobrist(&self) -> u64 {
        const KEYS: [u64; 6] = crate::zobrist::keys(0x6261_6f00_0000_0001);
        let fold = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        };
        let half = |half: &Half, keys: [u64; 2]| {
            let [front, back] = half.ring.words();
            fold(front ^ keys[0], back ^ keys[1])
        };
        let mover = half(&self.board.mover, [KEYS[0], KEYS[1]]);
        let opponent = half(&self.board.opponent, [KEYS[2], KEYS[3]]);
        let rest = fold(self.rest() ^ KEYS[4], KEYS[5]);
        fold(mover ^ rest, opponent.rotate_left(32) ^ KEYS[4])
    }
}

// Equal positions have equal hashes, and the Zobrist hash is already well mixed.
impl Hash for BaoPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.zobrist());
    }
}

fn kiswahili() -> Half {
    let mut ring = Ring::default();
    for (number, seeds) in [(5, 6), (6, 2), (7, 2)] {
        ring.put(Pit::front(number), seeds);
    }
    Half {
        ring,
        store: FULL_STORE,
        owns_house: true,
    }
}

fn kujifunza() -> Half {
    let mut ring = Ring::default();
    Pit::ALL.into_iter().for_each(|pit| ring.put(pit, 2));
    Half {
        ring,
        store: 0,
        owns_house: false,
    }
}
