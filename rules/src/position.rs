//! The trait that every game implements.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use crate::endgame_clocks::EndgameClocks;
use crate::error::{MoveParseError, PlayError, PositionError, SetupError};
use crate::kind::GameKind;
use crate::vocab::{Outcome, Reason, Side};

/// A position of one game: the state that legality depends on, and no more.
///
/// Equality and hash mean *the same position for repetition*: the pieces, their known properties
/// and the side to move, but not the moves that led there. Rules that depend on those moves
/// (repetition, the quiet limit) are in [`Record`](crate::Record).
///
/// `Display` and `FromStr` are the position string of RULES.md; a position has exactly one
/// spelling.
pub trait Position:
    Clone + Eq + Hash + Debug + Display + FromStr<Err = PositionError> + Send + Sync + 'static
{
    /// A move. Its text is its notation, which parses without a position.
    type Move: Copy
        + Eq
        + Hash
        + Debug
        + Display
        + FromStr<Err = MoveParseError>
        + Send
        + Sync
        + 'static;

    /// Size, variant, handicap; the default is the standard game, and its text is empty.
    type Setup: Clone + Default + Eq + Debug + Display + FromStr<Err = SetupError> + Send + Sync;

    /// The game that this type implements.
    const KIND: GameKind;

    /// The number of consecutive quiet plies that ends the game as a draw; `None` without such a
    /// rule.
    const QUIET_LIMIT: Option<u32> = None;

    /// The position before the first ply.
    ///
    /// # Errors
    ///
    /// A [`SetupError`] if options that are valid one by one contradict each other.
    fn from_setup(setup: &Self::Setup) -> Result<Self, SetupError>;

    /// The side to move. In a finished game, the side that would be next.
    fn turn(&self) -> Side;

    /// Appends every legal move to `moves`, in an order that is the same for equal positions; none
    /// when the game is over. Earlier contents of the list remain, so that one list can serve a
    /// recursion.
    fn legal_moves_into(&self, moves: &mut Vec<Self::Move>);

    /// Plays a move. `m` must be legal here; otherwise the new position is unspecified, but the
    /// method does not panic.
    fn play_unchecked(&mut self, m: Self::Move);

    /// The result if the game is over by its own rules. House draws are decided by
    /// [`Record`](crate::Record).
    fn outcome(&self) -> Option<Outcome>;

    /// A hash of everything that equality compares. Equal positions have equal hashes on every
    /// machine and in every run.
    fn zobrist(&self) -> u64;

    /// The reason why the move written as `text` is refused here. Called only for a move that is
    /// not legal; for a legal move the value has no meaning.
    fn explain_illegal(&self, text: &str) -> PlayError;

    /// The legal move that `m`, which is not listed, writes with another path; only the draughts family has such moves
    /// (RULES-draughts.md section 7.2).
    fn listed_path(&self, _m: Self::Move) -> Option<Self::Move> {
        None
    }

    /// The number of legal moves. A game overrides this if it can count without a list.
    fn count_legal(&self) -> usize {
        self.legal_moves().len()
    }

    /// The pass, if it is the only legal ply here. Only some games have passes.
    fn forced_pass(&self) -> Option<Self::Move> {
        None
    }

    /// Whether the legal move `m` makes no progress. After a move that is not quiet, no earlier
    /// position can occur again, and the count of quiet plies restarts. A game without repetition
    /// has no quiet moves.
    fn is_quiet(&self, _m: Self::Move) -> bool {
        false
    }

    /// The clocks of the limits of endings before the first ply of a game from here.
    fn endgame_clocks(&self) -> EndgameClocks {
        EndgameClocks::default()
    }

    /// As [`play_unchecked`](Position::play_unchecked), and notes the ply on the clocks; returns whether
    /// one of them has reached its limit, which draws the game.
    fn play_with_clocks(&mut self, m: Self::Move, _clocks: &mut EndgameClocks) -> bool {
        self.play_unchecked(m);
        false
    }

    /// Ends the game on the third occurrence of this position. Changes the board if the rules
    /// require it (in Oware each side takes the seeds of its row).
    fn third_occurrence(&mut self) -> Outcome {
        Outcome::draw(Reason::Repetition)
    }

    /// The legal moves as a new list. Never overridden.
    fn legal_moves(&self) -> Vec<Self::Move> {
        // Enough for most positions of all games, so that the list does not grow step by step.
        let mut moves = Vec::with_capacity(32);
        self.legal_moves_into(&mut moves);
        moves
    }

    /// Whether `m` is legal here. Never overridden.
    fn is_legal(&self, m: Self::Move) -> bool {
        self.legal_moves().contains(&m)
    }

    /// Plays a move that may be illegal. Never overridden.
    ///
    /// # Errors
    ///
    /// The reason why the move is illegal; the position is then unchanged.
    fn play(&mut self, m: Self::Move) -> Result<(), PlayError> {
        if self.is_legal(m) {
            self.play_unchecked(m);
            Ok(())
        } else {
            Err(self.explain_illegal(&m.to_string()))
        }
    }
}
