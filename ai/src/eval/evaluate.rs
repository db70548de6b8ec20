//! The interface of the evaluations of all games.

use mawe_rules::{EndgameClocks, Position, Side};

use crate::endgame::PiecesValue;

/// The greatest absolute evaluation, in hundredths; scores of wins and losses are greater.
pub const MAX_EVALUATION: i32 = 9_000_000;

/// Whether a position can be evaluated without a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quietness {
    /// The position can be evaluated.
    Quiet,
    /// The side to move may have a move that changes the evaluation: its noisy moves are searched.
    Noisy,
    /// The position cannot be evaluated: every move is searched.
    Forced,
}

/// A certain result of a position, from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// The side to move wins in this many plies.
    Win(u32),
    /// Neither side wins.
    Draw,
    /// The side to move loses in this many plies.
    Loss(u32),
    /// The points by which the side to move wins at the end; negative for a loss.
    Points(i32),
    /// Bounds on these points, if no majority ends the game early: the winner is certain, the margin is not.
    Lead(i32, i32),
}

impl From<PiecesValue> for Truth {
    fn from(value: PiecesValue) -> Self {
        match value {
            PiecesValue::Win(plies) => Truth::Win(plies),
            PiecesValue::Draw => Truth::Draw,
            PiecesValue::Loss(plies) => Truth::Loss(plies),
        }
    }
}

/// A position that can be evaluated.
pub trait Evaluate: Position {
    /// The number of plies after the horizon in which noisy moves are searched.
    const QUIESCENCE: u32 = 0;
    /// The expected difference between the scores of consecutive iterations, in hundredths.
    const ASPIRATION: i32 = 60;
    /// The reduction of the depth of late moves, in sixteenths; 0 disables it.
    const REDUCTION: u32 = 0;
    /// The greatest change by one ply, in hundredths, that is assumed when a position is pruned by its evaluation; 0
    /// disables this.
    const MARGIN: i32 = 0;
    /// Whether a reply costs no depth if it is the only legal one.
    const ONLY_REPLY_IS_FREE: bool = false;
    /// Whether a further move of the same side costs no depth.
    const EXTRA_IS_FREE: bool = false;
    /// The penalty of a draw in hundredths for the side that searches, if it plays rather than analyses: against most
    /// opponents an open position is worth more. Draws by house rules have no penalty.
    const CONTEMPT: i32 = 0;
    /// Whether a position can occur again.
    const MAY_REPEAT: bool = false;

    /// The knowledge of the game besides its rules: learned weights and endgame databases.
    type Known: Default + Send + Sync + 'static;

    /// The expected result in hundredths of the game's unit (a stone home, a disc, a man, a seed), from the view of the
    /// side to move. Called only while the game is not over. The search clamps it to [`MAX_EVALUATION`].
    fn evaluate(&self, known: &Self::Known) -> i32;

    /// The certain result of the position, if a database has it; house draws are not considered. Called only while the
    /// game is not over.
    #[inline(always)]
    fn probe(&self, _known: &Self::Known) -> Option<Truth> {
        None
    }

    /// Whether a limit for endings may draw the game before it is won, in this many plies from here by a
    /// [probe](Evaluate::probe). `clocks` are those of a position `since` plies before.
    #[inline(always)]
    fn may_be_limited(
        &self,
        _known: &Self::Known,
        _plies: u32,
        _clocks: &EndgameClocks,
        _since: u32,
    ) -> bool {
        false
    }

    /// The cost for a person to see the legal move `m`: 0 for the simplest, about 100 for the longest. Weak levels
    /// overlook moves by it.
    fn visibility_cost(&self, _m: Self::Move) -> u32 {
        0
    }

    /// The apparent value of the legal move `m`, 0 for most moves; the order of moves follows it.
    #[inline(always)]
    fn order_score(&self, _m: Self::Move) -> i32 {
        0
    }

    /// Whether the search has to continue after the horizon.
    #[inline(always)]
    fn quietness(&self) -> Quietness {
        Quietness::Quiet
    }

    /// Whether the legal move `m` must be searched before a noisy position can be evaluated.
    #[inline(always)]
    fn is_noisy(&self, _m: Self::Move) -> bool {
        false
    }

    /// The total of the points of both sides at the end, constant during the game; 0 in games that a majority does not
    /// decide.
    fn total_points(&self) -> u32 {
        0
    }

    /// The side that has won already because it has more than half of `total_points`, even if the game continues.
    #[inline(always)]
    fn majority(&self, _stakes: u32) -> Option<Side> {
        None
    }

    /// Whether the position before `m` could occur again after it; see [`Position::is_quiet`].
    #[inline(always)]
    fn is_reversible(&self, m: Self::Move, _child: &Self) -> bool {
        self.is_quiet(m)
    }
}
