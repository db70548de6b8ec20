//! Oware (Abapa), RULES.md section 6.
//!
//! Seeds are sown around the twelve houses. A last seed that makes two or three in the opponent's
//! row captures them. [`Side::First`] is South.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

pub use super::sowing::SeedsSetup as OwareSetup;

use super::sowing::{self, Board, HALF, LeftOut, Reader, Seeds, house_move};
use crate::error::{PlayError, PositionError, SetupError};
use crate::games::options::SetupOptions;
use crate::kind::GameKind;
use crate::position::Position;
use crate::vocab::{BySide, Outcome, Reason, Side};

/// The number of houses a side.
pub const HOUSES: usize = 6;

house_move!(
    /// A move of Oware: the number of an own house, 1 to 6.
    OwareMove,
    6
);

/// The lanes that are sown into, in order: the mover's houses, the opponent's houses.
const CYCLE: [usize; 12] = [0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13];
/// The number of seeds in a lap: the house of origin gets none.
const LAP: usize = CYCLE.len() - 1;
const SPREADS: [[Seeds; LAP + 1]; HOUSES] = sowing::spreads(&CYCLE);

/// A position of Oware: the seeds, in houses and captured, and the side to move.
///
/// The captured seeds count for repetition (RULES.md section 6); as their number only grows, it
/// makes no difference within a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwarePosition {
    /// The seeds, from the view of the side to move.
    board: Board<HOUSES>,
    turn: Side,
}

impl OwarePosition {
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

    /// The captured seeds.
    pub fn stores(&self) -> BySide<u16> {
        sowing::by_side(
            self.turn,
            self.board.mover_store(),
            self.board.opponent_store(),
        )
    }

    /// Whether the seeds in a mover's house suffice to reach the opponent's row.
    #[inline(always)]
    fn reaches(&self, lane: usize) -> bool {
        usize::from(self.board.get(lane)) + lane >= HOUSES
    }

    /// Whether a side has captured more than half of the seeds, or each side half.
    fn is_decided(&self) -> bool {
        let board = &self.board;
        let (mover, opponent) = (board.mover_store(), board.opponent_store());
        let in_play = board.mover_row() + board.opponent_row();
        // A side has more than half exactly if its lead is greater than the number of seeds in
        // play.
        let lead = u32::from(mover.abs_diff(opponent));
        lead > u32::from(in_play) || in_play == 0
    }

    /// Captures backwards from the mover's last seed, unless that would capture all seeds of the
    /// opponent's row.
    #[inline(always)]
    fn capture(board: &mut Board<HOUSES>, last: usize) {
        let before = *board;
        let mut lane = last;
        while lane >= HALF && matches!(board.get(lane), 2 | 3) {
            let captured = board.take(lane);
            board.put(Board::<HOUSES>::STORE, captured);
            lane -= 1;
        }
        if board.is_opponent_empty() {
            *board = before;
        }
    }
}

impl SetupOptions for OwareSetup {}

impl Position for OwarePosition {
    type Move = OwareMove;
    type Setup = OwareSetup;
    const KIND: GameKind = GameKind::Oware;

    fn from_setup(setup: &OwareSetup) -> Result<Self, SetupError> {
        Ok(Self {
            board: Board::filled(u16::from(setup.seeds())),
            turn: Side::First,
        })
    }

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn legal_moves_into(&self, moves: &mut Vec<OwareMove>) {
        if self.is_decided() {
            return;
        }
        let must_feed = self.board.is_opponent_empty();
        for house in 0..HOUSES as u8 {
            let lane = usize::from(house);
            if self.board.get(lane) != 0 && (!must_feed || self.reaches(lane)) {
                moves.push(OwareMove(house));
            }
        }
    }

    #[inline]
    fn play_unchecked(&mut self, m: OwareMove) {
        let mut board = self.board;
        let seeds = board.take(m.lane());
        let (laps, rest) = (seeds / LAP as u16, usize::from(seeds) % LAP);
        board.spread(&SPREADS[m.lane()][rest], 1);
        let mut last = CYCLE[(m.lane() + rest) % CYCLE.len()];
        if laps > 0 {
            board.spread(&SPREADS[m.lane()][LAP], laps);
            if rest == 0 {
                last = CYCLE[(m.lane() + LAP) % CYCLE.len()];
            }
        }
        if last >= HALF && matches!(board.get(last), 2 | 3) {
            Self::capture(&mut board, last);
        }
        self.board = board.turned();
        self.turn = self.turn.other();
        if self.board.is_mover_empty() || self.board.is_opponent_empty() {
            self.end_without_moves();
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let is_empty = self.board.is_mover_empty() && self.board.is_opponent_empty();
        if self.is_decided() {
            let reason = match is_empty {
                true => Reason::BoardEmpty,
                false => Reason::Majority,
            };
            Some(Outcome::by_score(self.stores(), reason))
        } else if self.count_legal() == 0 {
            // Seeds are left to sweep here only in a position that was read from a string.
            let mut end = self.clone();
            end.board.sweep();
            Some(Outcome::by_score(end.stores(), Reason::BoardEmpty))
        } else {
            None
        }
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
            Ok(lane) if self.board.is_opponent_empty() && !self.reaches(lane) => {
                PlayError::MustFeedOpponent
            }
            // The house can be played, but the text is not the notation of that move.
            Ok(_) => PlayError::MalformedMove,
        }
    }

    #[inline]
    fn count_legal(&self) -> usize {
        if self.is_decided() {
            0
        } else if self.board.is_opponent_empty() {
            let feeds =
                (0..HOUSES).filter(|lane| self.board.get(*lane) != 0 && self.reaches(*lane));
            feeds.count()
        } else {
            self.board.count_houses()
        }
    }

    /// Only a capture is not quiet: captured seeds do not return, so no earlier position can occur
    /// again.
    fn is_quiet(&self, m: OwareMove) -> bool {
        let mut after = self.clone();
        after.play_unchecked(m);
        after.stores() == self.stores()
    }

    fn third_occurrence(&mut self) -> Outcome {
        self.board.sweep();
        Outcome::by_score(self.stores(), Reason::Repetition)
    }
}

impl OwarePosition {
    /// Ends a game whose side to move has no move, called when a row is empty; a majority has
    /// precedence.
    #[cold]
    fn end_without_moves(&mut self) {
        if !self.is_decided() && self.count_legal() == 0 {
            self.board.sweep();
        }
    }
}

// Equal positions have equal hashes, and the Zobrist hash is already well mixed.
impl Hash for OwarePosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.zobrist());
    }
}

impl fmt::Display for OwarePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&sowing::write(&self.board, 0, self.turn))
    }
}

impl FromStr for OwarePosition {
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
