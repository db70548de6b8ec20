//! Random positions for tests, the same in every run.

use mawe_rules::{AnyPosition, AnySetup, GameKind};

/// A small reproducible generator (splitmix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// The standard start.
pub(crate) fn start(kind: GameKind) -> AnyPosition {
    AnyPosition::start(kind, &AnySetup::standard(kind)).expect("a start")
}

/// A position that is not over, at most `plies` random plies from the start.
pub(crate) fn random_position(kind: GameKind, dice: &mut Dice, plies: usize) -> AnyPosition {
    let mut pos = start(kind);
    for _ in 0..dice.below(plies + 1) {
        let before = pos.clone();
        let moves = pos.legal_moves();
        let m = moves[dice.below(moves.len())];
        pos.play(&m.to_string()).expect("a legal move");
        if pos.outcome().is_some() {
            return before;
        }
    }
    pos
}
