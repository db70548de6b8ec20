//! The seeds and the house of each side, from the view of the side to move.

use super::ring::{Pit, Ring};

/// The stage of a ply (RULES-bao.md section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The mover has seeds in the store, and brings one onto the board.
    Namua,
    /// The mover's store is empty.
    Mtaji,
}

/// The number of seeds that give a house its powers (RULES-bao.md sections 4 and 5.2).
pub(super) const HOUSE_POWER: u8 = 6;

/// What one side has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Half {
    pub(super) ring: Ring,
    pub(super) store: u8,
    /// Only while the house holds seeds.
    pub(super) owns_house: bool,
}

impl Half {
    #[inline(always)]
    pub(super) const fn get(&self, pit: Pit) -> u8 {
        self.ring.get(pit)
    }

    /// Whether the house is owned and holds enough seeds for its powers.
    #[inline(always)]
    pub(super) const fn has_strong_house(&self) -> bool {
        self.owns_house && self.get(Pit::HOUSE) >= HOUSE_POWER
    }
}

/// What both sides have, from the view of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) mover: Half,
    pub(super) opponent: Half,
    /// The mover's front pit that is takasia-ed.
    pub(super) takasia: Option<Pit>,
}

impl Board {
    #[inline(always)]
    pub(super) const fn stage(&self) -> Stage {
        match self.mover.store {
            0 => Stage::Mtaji,
            _ => Stage::Namua,
        }
    }

    /// Whether a front row is empty, which ends the game.
    #[inline(always)]
    pub(super) const fn has_empty_front(&self) -> bool {
        self.mover.ring.is_front_empty() || self.opponent.ring.is_front_empty()
    }

    #[inline(always)]
    pub(super) const fn has_empty_stores(&self) -> bool {
        self.mover.store == 0 && self.opponent.store == 0
    }

    /// The seeds that a capture at a front pit of the mover would take.
    #[inline(always)]
    pub(super) const fn facing(&self, pit: Pit) -> u8 {
        self.opponent.get(pit.facing())
    }

    /// The board from the view of the other side. A mark of takasia does not outlast the ply.
    #[inline(always)]
    pub(super) const fn turned(&self) -> Self {
        Self {
            mover: self.opponent,
            opponent: self.mover,
            takasia: None,
        }
    }
}
