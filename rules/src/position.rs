//! The one trait a game implements.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use crate::error::{MoveParseError, PlayError, PositionError, SetupError};
use crate::kind::GameKind;
use crate::vocab::{Outcome, Reason, Side};

/// A position of one game: what legality needs, and no more.
///
/// Equality and hash mean *the same position for repetition*: the pieces, what is known of them and
/// the side to move, never how the position came about. What depends on the way (repetition, the
/// quiet limit) lives in [`Record`](crate::Record).
///
/// `Display` and `FromStr` are the position string of RULES.md; printing a parsed position gives
/// its one spelling.
pub trait Position:
    Clone + Eq + Hash + Debug + Display + FromStr<Err = PositionError> + Send + Sync + 'static
{
    /// A move. Its text is its notation, self-contained, so that it parses without a position.
    type Move: Copy
        + Eq
        + Hash
        + Debug
        + Display
        + FromStr<Err = MoveParseError>
        + Send
        + Sync
        + 'static;

    /// Size, variant, handicap; the default is the standard game and prints as the empty text.
    type Setup: Clone + Default + Eq + Debug + Display + FromStr<Err = SetupError> + Send + Sync;

    /// The game.
    const KIND: GameKind;

    /// How many quiet plies in a row end the game as a draw; `None` where no such rule exists.
    const QUIET_LIMIT: Option<u32> = None;

    /// The position before the first ply.
    ///
    /// # Errors
    ///
    /// A [`SetupError`] where options that are fine one by one do not go together.
    fn from_setup(setup: &Self::Setup) -> Result<Self, SetupError>;

    /// The side to move. In a finished game, whoever would have been to move.
    fn turn(&self) -> Side;

    /// Appends every legal move to `moves`, in an order that is the same for equal positions; none
    /// when the game is over. What was in the list stays, so that one list can serve a recursion.
    fn legal_moves_into(&self, moves: &mut Vec<Self::Move>);

    /// Plays a move. `m` must be legal here; otherwise the position is some other position
    /// afterwards, but nothing panics.
    fn play_unchecked(&mut self, m: Self::Move);

    /// The result, once the game is over by its own rules (house draws are
    /// [`Record`](crate::Record)'s).
    fn outcome(&self) -> Option<Outcome>;

    /// A hash of everything that equality compares; equal positions have equal hashes on every
    /// machine and in every run.
    fn zobrist(&self) -> u64;

    /// Why the move written as `text` is refused here, for a person to read. Called once a move is
    /// known not to be legal; for a legal one the answer means nothing.
    fn explain_illegal(&self, text: &str) -> PlayError;

    /// The number of legal moves. A game that can count without listing says how.
    fn count_legal(&self) -> usize {
        self.legal_moves().len()
    }

    /// The pass that is the only legal ply here, in a game that has passes.
    fn forced_pass(&self) -> Option<Self::Move> {
        None
    }

    /// Whether the legal move `m` makes no progress: neither a position from before a move that is
    /// not quiet can ever come back, nor does the quiet count go on. A game in which nothing can
    /// repeat has no quiet moves.
    fn is_quiet(&self, _m: Self::Move) -> bool {
        false
    }

    /// Ends the game on the third occurrence of this position, changing the board where the rules
    /// say so (Oware's players take the seeds of their rows).
    fn third_occurrence(&mut self) -> Outcome {
        Outcome::draw(Reason::Repetition)
    }

    /// The legal moves as a list of their own. Never overridden.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
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
    /// Why the move is illegal; the position is then unchanged.
    fn play(&mut self, m: Self::Move) -> Result<(), PlayError> {
        if self.is_legal(m) {
            self.play_unchecked(m);
            Ok(())
        } else {
            Err(self.explain_illegal(&m.to_string()))
        }
    }
}
