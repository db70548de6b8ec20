//! The start of a round.

use super::size::{HOUSES, SEEDS};
use crate::error::SetupError;
use crate::vocab::{BySide, Side};

/// The number of seeds in the game.
pub const TOTAL: u16 = 2 * HOUSES as u16 * SEEDS;

/// The start of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Round {
    /// The seeds that each side owns: [`TOTAL`] together, and enough for each side to fill a house.
    pub(super) owned: BySide<u16>,
    /// The side that moves first.
    pub(super) begins: Side,
}

impl Round {
    /// The first round of a match, and every single round: South begins, all houses are full.
    pub const FIRST: Round = Round {
        owned: BySide::new(TOTAL / 2, TOTAL / 2),
        begins: Side::First,
    };

    /// A later round.
    ///
    /// # Errors
    ///
    /// [`SetupError::BadValue`] unless all seeds are there and each side can fill a house;
    /// [`SetupError::Contradiction`] if the side that owns more begins.
    pub fn new(owned: BySide<u16>, begins: Side) -> Result<Self, SetupError> {
        if !is_whole(owned) || !can_go_on(owned) {
            return Err(SetupError::BadValue);
        }
        match owned[begins] > owned[begins.other()] {
            true => Err(SetupError::Contradiction),
            false => Ok(Self { owned, begins }),
        }
    }

    /// The round after one that `began` began and that left the sides with these seeds, without a
    /// limit of rounds; `None` if the match is over, or these are not all seeds.
    pub fn after(owned: BySide<u16>, began: Side) -> Option<Self> {
        let begins = match owned.first == owned.second {
            true => began.other(),
            false => Self::usual_beginner(owned),
        };
        Self::new(owned, begins).ok()
    }

    /// The seeds that each side owns.
    pub const fn owned(&self) -> BySide<u16> {
        self.owned
    }

    /// The side that moves first.
    pub const fn begins(&self) -> Side {
        self.begins
    }

    /// The side that owns less; South if both own the same number.
    pub(super) fn usual_beginner(owned: BySide<u16>) -> Side {
        match owned.second < owned.first {
            true => Side::Second,
            false => Side::First,
        }
    }
}

/// Whether the sides own all seeds of the game together.
pub(super) fn is_whole(owned: BySide<u16>) -> bool {
    owned.first.checked_add(owned.second) == Some(TOTAL)
}

fn can_go_on(owned: BySide<u16>) -> bool {
    owned.first >= SEEDS && owned.second >= SEEDS
}
