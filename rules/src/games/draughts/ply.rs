//! What a ply does.

use crate::vocab::Side;

/// What a ply did, for the rules that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The side that made it.
    pub side: Side,
    /// Whether it took a piece.
    pub captures: bool,
    /// Whether a man made it.
    pub is_of_man: bool,
    /// Whether the man was crowned.
    pub crowns: bool,
}

impl Ply {
    /// Whether it makes no progress: no capture, and no move of a man.
    pub const fn is_quiet(self) -> bool {
        !self.captures && !self.is_of_man
    }
}
