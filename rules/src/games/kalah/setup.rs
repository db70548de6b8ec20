//! The setup of Kalah: the seeds in each house, and the opening.

use std::fmt;

use crate::games::opening::Opening;
use crate::games::sowing::SeedsSetup;

/// A setup of Kalah. Its text form has each pair only where it is not the default, in this order:
///
/// - `seeds=N`: 3, 5 or 6 seeds in each house at the start, 4 otherwise;
/// - `opening=drawn`, or the plies of an opening, `opening=4411423`: see [`Opening`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KalahSetup {
    pub(super) seeds: SeedsSetup,
    pub(super) opening: Opening,
}

impl KalahSetup {
    /// The seeds in each house at the start.
    pub const fn seeds(self) -> u8 {
        self.seeds.seeds()
    }

    /// The opening.
    pub const fn opening(self) -> Opening {
        self.opening
    }
}

impl fmt::Display for KalahSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pairs = Vec::new();
        if self.seeds != SeedsSetup::default() {
            pairs.push(self.seeds.to_string());
        }
        if self.opening != Opening::None {
            pairs.push(format!("opening={}", self.opening));
        }
        f.pad(&pairs.join(","))
    }
}
