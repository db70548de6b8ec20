//! What a position is worth before anything is searched: one file a game.

mod checkers;
mod congkak;
mod kalah;
mod mawe;
mod oware;
mod reversi;

use mawe_rules::Position;

/// The largest evaluation either way, in hundredths; wins and losses lie beyond it.
pub const MAX_EVALUATION: i32 = 100_000;

/// A position that can be judged.
pub trait Evaluate: Position {
    /// The expected result in hundredths of the game's unit (a stone home, a disc, a man, a seed),
    /// from the view of the side to move. Asked only while the game is not over. The search cuts
    /// it off at [`MAX_EVALUATION`].
    fn evaluate(&self) -> i32;

    /// How hard the legal move `m` is to see for a person: 0 for the plainest, about 100 for the
    /// longest. Weak levels overlook by it.
    fn effort(&self, _m: Self::Move) -> u32 {
        0
    }
}
