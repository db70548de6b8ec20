//! The digest of a game (RULES.md section 8). With it, two implementations of the rules can check
//! that they agree on every position and every legal move.

use std::fmt::Write;

use sha2::{Digest as _, Sha256};

use crate::any::AnyPosition;

/// An incremental digest, to be fed with every position from the start to the end.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    hash: Sha256,
}

impl Digest {
    /// A digest without positions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next position and its legal moves, sorted; none when the game is over:
    /// [`Record::legal_moves`](crate::Record::legal_moves).
    pub fn tell(&mut self, position: &AnyPosition, legal: &[String]) {
        let line = format!("{position}|{}\n", legal.join(","));
        self.hash.update(line.as_bytes());
    }

    /// The first 16 hexadecimal digits of the hash.
    pub fn finish(self) -> String {
        let mut digits = String::new();
        for byte in &self.hash.finalize()[..8] {
            write!(digits, "{byte:02x}").expect("a string takes all that is written");
        }
        digits
    }
}
