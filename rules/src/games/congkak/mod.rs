//! Congkak, RULES.md section 7: one round, played in turns.
//!
//! Seeds are sown around the board, including the own store. A handful that ends in an occupied
//! house is lifted and sown on. [`Side::First`] is South.

mod read;
mod relay;
mod round;
mod setup;
mod size;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

pub use round::{Round, TOTAL};
pub use setup::{CongkakSetup, Form};
pub use size::{HOUSES, SEEDS};

use super::opening::PlyText;
use super::sowing::{self, Board, HALF, LeftOut, Reader, house_move};
use crate::error::{PlayError, PositionError, SetupError};
use crate::kind::GameKind;
use crate::position::Position;
use crate::vocab::{BySide, Outcome, Reason, Side};

house_move!(
    /// A move of Congkak: the number of an own house, 1 to 7.
    CongkakMove,
    7
);

/// The extra moves that the mover may still get in this turn (RULES.md section 7.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extra {
    /// The traditional form.
    Unlimited,
    /// The limited form, on the extra move.
    None,
    /// The limited form, at the beginning of a turn.
    One,
}

/// A position of Congkak: the seeds, the burnt houses, the side to move and, in the limited form,
/// its extra move. No position occurs twice in a game, because every ply adds seeds to a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CongkakPosition {
    /// The seeds, from the view of the side to move.
    board: Board<HOUSES>,
    /// A bit for each lane that is a burnt house. A burnt house holds no seeds.
    burnt: u16,
    extra: Extra,
    turn: Side,
}

impl CongkakPosition {
    /// The seeds in a side's houses, house 1 first; `None` for a burnt house.
    pub fn houses(&self, side: Side) -> [Option<u16>; HOUSES] {
        let half = if side == self.turn { 0 } else { HALF };
        let house = |lane| (!self.is_burnt(lane)).then(|| self.board.get(lane));
        std::array::from_fn(|i| house(half + i))
    }

    /// The seeds in the stores.
    pub fn stores(&self) -> BySide<u16> {
        sowing::by_side(
            self.turn,
            self.board.mover_store(),
            self.board.opponent_store(),
        )
    }

    /// The form of the game.
    pub fn form(&self) -> Form {
        match self.extra {
            Extra::Unlimited => Form::Traditional,
            Extra::None | Extra::One => Form::Limited,
        }
    }

    /// Whether a ply that ends in the store gives another ply.
    pub fn may_move_again(&self) -> bool {
        self.extra != Extra::None
    }

    /// The number of times that seeds are lifted in the ply that the legal move `m` begins.
    pub fn handfuls(&self, m: CongkakMove) -> u32 {
        relay::handfuls(self.board, m.lane(), self.burnt)
    }

    #[inline(always)]
    fn is_burnt(&self, lane: usize) -> bool {
        self.burnt >> lane & 1 != 0
    }

    /// The start of a round: the houses are filled from the one next to the store on, as far as the
    /// seeds suffice; the other houses are burnt.
    fn round_start(owned: BySide<u16>, turn: Side, form: Form) -> Self {
        let mut board = Board::filled(0);
        let mut burnt = 0;
        for (half, owned) in [(0, owned[turn]), (HALF, owned[turn.other()])] {
            let filled = usize::from(owned / SEEDS).min(HOUSES);
            for house in 0..HOUSES - filled {
                burnt |= 1 << (half + house);
            }
            for house in HOUSES - filled..HOUSES {
                board.put(half + house, SEEDS);
            }
            // At most seven times seven seeds, and not more than the side owns.
            board.put(half + HOUSES, owned - filled as u16 * SEEDS);
        }
        Self {
            board,
            burnt,
            extra: match form {
                Form::Traditional => Extra::Unlimited,
                Form::Limited => Extra::One,
            },
            turn,
        }
    }
}

impl Position for CongkakPosition {
    type Move = CongkakMove;
    type Setup = CongkakSetup;
    const KIND: GameKind = GameKind::Congkak;

    fn from_setup(setup: &CongkakSetup) -> Result<Self, SetupError> {
        let round = setup.round();
        let start = Self::round_start(round.owned, round.begins, setup.form());
        setup.opening().after(start, PlyText::Houses)
    }

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn legal_moves_into(&self, moves: &mut Vec<CongkakMove>) {
        if self.board.is_opponent_empty() {
            return;
        }
        for house in 0..HOUSES as u8 {
            if self.board.get(usize::from(house)) != 0 {
                moves.push(CongkakMove(house));
            }
        }
    }

    #[inline]
    fn play_unchecked(&mut self, m: CongkakMove) {
        let mut board = self.board;
        let ends_in_store = relay::sow(&mut board, m.lane(), self.burnt);
        if board.is_mover_empty() || board.is_opponent_empty() {
            board.sweep();
        }
        if ends_in_store && self.may_move_again() {
            self.board = board;
            if self.extra == Extra::One {
                self.extra = Extra::None;
            }
        } else {
            self.board = board.turned();
            self.burnt = self.burnt.rotate_left(HALF as u32);
            self.turn = self.turn.other();
            if self.extra == Extra::None {
                self.extra = Extra::One;
            }
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
        let rest = u64::from(self.burnt) << 3 | (self.extra as u64) << 1 | self.turn as u64;
        self.board.hash(rest)
    }

    fn explain_illegal(&self, text: &str) -> PlayError {
        if self.outcome().is_some() {
            return PlayError::GameOver;
        }
        match sowing::attempted_house(text, HOUSES, self.turn) {
            Err(why) => why,
            Ok(lane) if self.is_burnt(lane) => PlayError::BurntHouse,
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
impl Hash for CongkakPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.zobrist());
    }
}

impl fmt::Display for CongkakPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = sowing::write(&self.board, self.burnt, self.turn);
        let extra = match self.extra {
            Extra::Unlimited => "",
            Extra::None => "0",
            Extra::One => "1",
        };
        f.pad(&(text + extra))
    }
}

impl FromStr for CongkakPosition {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let mut reader = Reader::new(text);
        let read = reader.position(LeftOut::FromLowest)?;
        let extra = match reader.one_of(b"01") {
            None => Extra::Unlimited,
            Some(b'0') => Extra::None,
            Some(_) => Extra::One,
        };
        reader.end()?;
        Ok(Self {
            board: read.board,
            burnt: read.burnt,
            extra,
            turn: read.turn,
        })
    }
}
