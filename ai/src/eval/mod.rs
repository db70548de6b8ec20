//! What a position is worth before anything is searched: one file a game.

mod checkers;
mod congkak;
mod kalah;
mod learned;
mod mawe;
mod net;
mod oware;
mod reversi;
mod sowing;

use mawe_rules::{Position, Side};

use crate::level::{Level, Strength};
pub use learned::{Learn, Learned};
pub use net::{HIDDEN, LARGEST as LARGEST_OF_NET, PARTS as PARTS_OF_NET, Shape};

/// The largest evaluation either way, in hundredths; wins and losses lie beyond it.
pub const MAX_EVALUATION: i32 = 9_000_000;

/// Whether a position can be judged as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tension {
    /// Yes.
    Calm,
    /// The side to move may have something better than to be judged: its loud moves are looked at.
    Tense,
    /// No: every move is looked at.
    Forced,
}

/// What is certain of a position, from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It wins in so many plies.
    Win(u32),
    /// Nobody wins.
    Draw,
    /// It loses in so many plies.
    Loss(u32),
    /// The points by which it wins at the end.
    Points(i32),
    /// At least and at most so many points, if the game is not over by a majority before the last is
    /// shared out: who wins is certain, by how much is not.
    Lead(i32, i32),
}

/// A position that can be judged.
pub trait Evaluate: Position {
    /// How many plies beyond the horizon loud moves are looked at.
    const QUIESCENCE: u32 = 0;
    /// How far, in hundredths, the score of an iteration is expected from that of the last.
    const ASPIRATION: i32 = 60;
    /// How much less deep late moves are searched, in sixteenths; 0 is not at all.
    const REDUCTION: u32 = 0;
    /// What a ply can change, in hundredths, in a position that is left by its evaluation; 0: none
    /// is.
    const MARGIN: i32 = 0;
    /// Whether a reply that is the only one costs no depth.
    const ONLY_REPLY_IS_FREE: bool = false;
    /// Whether a further move of the same side costs no depth.
    const EXTRA_IS_FREE: bool = false;
    /// How many hundredths a draw is worth less than nothing to the side that searches, if it plays and does not judge:
    /// what is still open is worth more against most others. Draws that the house declares stay worth nothing.
    const CONTEMPT: i32 = 0;
    /// Whether a position can come back.
    const MAY_REPEAT: bool = false;

    /// What the engine knows of the game beside its rules: weights that were learned, and what was worked out before.
    type Known: Default + Send + Sync + 'static;

    /// What makes the levels of this game, the weakest first; from the ladder in `docs/engine.md`.
    const LEVELS: [Strength; Level::COUNT];
    /// By how much each level but the first was measured to be stronger than the one below, in Elo:
    /// the ladder in `docs/engine.md`. Whoever changes it raises [`LADDER`](crate::LADDER).
    const LADDER: [i32; Level::COUNT - 1];

    /// The expected result in hundredths of the game's unit (a stone home, a disc, a man, a seed),
    /// from the view of the side to move. Asked only while the game is not over. The search cuts
    /// it off at [`MAX_EVALUATION`].
    fn evaluate(&self, known: &Self::Known) -> i32;

    /// What is certain of the position, if it is among those that were worked out before; house draws
    /// have no part in it. Asked only while the game is not over.
    #[inline(always)]
    fn probe(&self, _known: &Self::Known) -> Option<Truth> {
        None
    }

    /// How hard the legal move `m` is to see for a person: 0 for the plainest, about 100 for the
    /// longest. Weak levels overlook by it.
    fn effort(&self, _m: Self::Move) -> u32 {
        0
    }

    /// How good the legal move `m` looks, 0 for most: it decides what is tried first.
    #[inline(always)]
    fn promise(&self, _m: Self::Move) -> i32 {
        0
    }

    /// Whether there may be something to look at beyond the horizon.
    #[inline(always)]
    fn tension(&self) -> Tension {
        Tension::Calm
    }

    /// Whether the legal move `m` must be looked at before a tense position can be judged.
    #[inline(always)]
    fn is_loud(&self, _m: Self::Move) -> bool {
        false
    }

    /// The points of both sides together at the end, the same all through the game; 0 in games that
    /// go on to the end whatever a side has.
    fn stakes(&self) -> u32 {
        0
    }

    /// The side that has won already, though the game may go on: it has more than half of the
    /// `stakes`.
    #[inline(always)]
    fn majority(&self, _stakes: u32) -> Option<Side> {
        None
    }

    /// Whether the position before `m` could come back after it; see [`Position::is_quiet`].
    #[inline(always)]
    fn is_reversible(&self, m: Self::Move, _child: &Self) -> bool {
        self.is_quiet(m)
    }
}
