//! A position of Bao.

use std::hash::{Hash, Hasher};

use super::board::{Board, Half, Stage};
use super::end::{BaoEnd, EndReason};
use super::moves::BaoMove;
use super::refusal::Refusal;
use super::ring::{PITS, Pit, Ring};
use super::setup::{BaoSetup, Form};
use super::step::BaoStep;
use super::{explain, legal, ply};
use crate::vocab::Side;

/// The seeds in each store before the first ply of Kiswahili.
const FULL_STORE: u8 = 22;

/// A position of Bao: the seeds, the owned houses, the takasia-ed pit and the side to move.
///
/// Its text form is the position string of RULES-bao.md section 12.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaoPosition {
    /// The board from the view of the side to move.
    pub(super) board: Board,
    pub(super) turn: Side,
}

impl BaoPosition {
    /// The position before the first ply.
    pub fn from_setup(setup: &BaoSetup) -> Self {
        let half = match setup.form() {
            Form::Kiswahili => kiswahili(),
            Form::Kujifunza => kujifunza(),
        };
        let board = Board {
            mover: half,
            opponent: half,
            takasia: None,
        };
        Self {
            board,
            turn: Side::First,
        }
    }

    /// The side to move. In a finished game, the side that would be next.
    #[inline]
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// The stage of the next ply.
    #[inline]
    pub fn stage(&self) -> Stage {
        self.board.stage()
    }

    /// The seeds in a side's pits, in the order of [`Pit::ALL`].
    pub fn pits(&self, side: Side) -> [u8; PITS] {
        let half = self.half(side);
        Pit::ALL.map(|pit| half.get(pit))
    }

    /// The seeds in a side's store (*ghala*).
    pub fn store(&self, side: Side) -> u8 {
        self.half(side).store
    }

    /// Whether a side still owns its house.
    pub fn owns_house(&self, side: Side) -> bool {
        self.half(side).owns_house
    }

    /// The front pit of the side to move that is takasia-ed (RULES-bao.md section 9).
    pub fn takasia(&self) -> Option<Pit> {
        self.board.takasia
    }

    /// Appends every legal move to `moves`, sorted by text; none when the game is over.
    #[inline]
    pub fn legal_moves_into(&self, moves: &mut Vec<BaoMove>) {
        legal::for_each(&self.board, |m| moves.push(m));
    }

    /// The legal moves as a new list.
    pub fn legal_moves(&self) -> Vec<BaoMove> {
        let mut moves = Vec::with_capacity(32);
        self.legal_moves_into(&mut moves);
        moves
    }

    /// The number of legal moves.
    #[inline]
    pub fn count_legal(&self) -> usize {
        let mut count = 0;
        legal::for_each(&self.board, |_| count += 1);
        count
    }

    /// Whether `m` is legal here.
    pub fn is_legal(&self, m: BaoMove) -> bool {
        let mut found = false;
        legal::for_each(&self.board, |legal| found |= legal == m);
        found
    }

    /// Plays a move. `m` must be legal here; otherwise the new position is unspecified, but the
    /// method does not panic.
    #[inline]
    pub fn play_unchecked(&mut self, m: BaoMove) {
        ply::play(&mut self.board, m, |_| ());
        self.turn = self.turn.other();
    }

    /// Plays a move that may be illegal.
    ///
    /// # Errors
    ///
    /// The reason why the move is illegal; the position is then unchanged.
    pub fn play(&mut self, m: BaoMove) -> Result<(), Refusal> {
        if self.is_legal(m) {
            self.play_unchecked(m);
            Ok(())
        } else {
            Err(self.explain(m))
        }
    }

    /// What happens in a ply, in order. `m` must be legal here; otherwise the steps are
    /// unspecified, but the method does not panic.
    pub fn steps(&self, m: BaoMove) -> Vec<BaoStep> {
        let mut steps = Vec::new();
        ply::play(&mut self.board.clone(), m, |step| steps.push(step));
        steps
    }

    /// The result if the game is over by its own rules. A third occurrence of the position, which
    /// is a draw, depends on earlier moves and is left to the caller.
    pub fn end(&self) -> Option<BaoEnd> {
        let (mover, opponent) = (self.turn, self.turn.other());
        let (winner, reason) = if self.board.mover.ring.is_front_empty() {
            (opponent, EndReason::FrontEmpty)
        } else if self.board.opponent.ring.is_front_empty() {
            (mover, EndReason::FrontEmpty)
        } else if self.count_legal() == 0 {
            (opponent, EndReason::NoMoves)
        } else {
            return None;
        };
        Some(BaoEnd { winner, reason })
    }

    /// Whether the legal move `m` makes no progress. After a move that is not quiet, no earlier
    /// position can occur again: a seed has left a store, or a house is lost.
    pub fn is_quiet(&self, m: BaoMove) -> bool {
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

    /// The reason why the move written as `text` is refused here. Called only for a move that is
    /// not legal; for a legal move the value has no meaning.
    pub fn explain_illegal(&self, text: &str) -> Refusal {
        match text.parse() {
            Ok(m) => self.explain(m),
            // A game that is over takes no move, however it is spelled.
            Err(_) if self.end().is_some() => Refusal::GameOver,
            Err(error) => Refusal::from(error),
        }
    }

    /// A hash of everything that equality compares. Equal positions have equal hashes on every
    /// machine and in every run.
    ///
    /// Source of the mixing: Wang Yi's wyhash (public domain), a product of two words folded.
    #[inline]
    pub fn zobrist(&self) -> u64 {
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

    /// All but the seeds on the board, as one word.
    fn rest(&self) -> u64 {
        let (mover, opponent) = (&self.board.mover, &self.board.opponent);
        let takasia = self.board.takasia.map_or(0, Pit::number);
        u64::from_le_bytes([
            self.turn as u8,
            mover.store,
            opponent.store,
            u8::from(mover.owns_house),
            u8::from(opponent.owns_house),
            takasia,
            0,
            0,
        ])
    }

    fn explain(&self, m: BaoMove) -> Refusal {
        match self.end() {
            Some(_) => Refusal::GameOver,
            None => explain::explain(&self.board, m),
        }
    }

    pub(super) fn half(&self, side: Side) -> &Half {
        if side == self.turn {
            &self.board.mover
        } else {
            &self.board.opponent
        }
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
