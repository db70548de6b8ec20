//! The 16 pits of one side as a ring, and the sowing of a handful into them (RULES-bao.md sections
//! 1 and 4).

use std::fmt;

/// The number of pits of one side.
pub const PITS: usize = 16;

/// The number of pits of one row.
const ROW: u8 = 8;

/// One seed in every pit.
const ONES: u128 = u128::from_ne_bytes([1; PITS]);

/// A direction round the ring, as its owner sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// A1, A2 ... A8, B8, B7 ... B1, A1.
    Clockwise,
    /// The reverse.
    AntiClockwise,
}

/// A pit, named by its owner. Its text form is `A1` to `A8` in the front row, `B1` to `B8` in the
/// back row.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pit(
    /// Counted clockwise from A1, always less than [`PITS`].
    u8,
);

impl Pit {
    /// The house (*nyumba*), A5.
    pub const HOUSE: Pit = Pit(4);

    /// The left kichwa, A1.
    pub(super) const LEFT_KICHWA: Pit = Pit(0);
    /// The right kichwa, A8.
    pub(super) const RIGHT_KICHWA: Pit = Pit(ROW - 1);

    /// All pits in the order of position strings: A1 to A8, then B1 to B8.
    pub const ALL: [Pit; PITS] = {
        let mut all = [Pit(0); PITS];
        let mut number = 1;
        while number <= ROW {
            all[number as usize - 1] = Self::front(number);
            all[(ROW + number) as usize - 1] = Self::back(number);
            number += 1;
        }
        all
    };

    /// The front pit of this number, 1 to 8.
    pub(super) const fn front(number: u8) -> Self {
        Self((number - 1) % ROW)
    }

    /// The back pit of this number, 1 to 8.
    pub(super) const fn back(number: u8) -> Self {
        Self(2 * ROW - 1 - (number - 1) % ROW)
    }

    /// The front row, A1 first.
    pub(super) fn front_row() -> impl Iterator<Item = Pit> {
        (0..ROW).map(Pit)
    }

    /// The number in the row, 1 to 8 from the owner's left.
    pub const fn number(self) -> u8 {
        if self.is_front() {
            self.0 + 1
        } else {
            2 * ROW - self.0
        }
    }

    /// Whether the pit belongs to the front row.
    #[inline]
    pub const fn is_front(self) -> bool {
        self.0 < ROW
    }

    /// The opponent's pit that a front pit faces. Has no meaning for a back pit.
    #[inline]
    #[must_use]
    pub const fn facing(self) -> Pit {
        Pit((ROW - 1).wrapping_sub(self.0) % PITS as u8)
    }

    /// The kichwa at which a capture here has to be sown, if there is no choice; `None` at A3 to
    /// A6.
    #[inline]
    pub(super) const fn forced_kichwa(self) -> Option<Pit> {
        match self.0 {
            0 | 1 => Some(Self::LEFT_KICHWA),
            6 | 7 => Some(Self::RIGHT_KICHWA),
            _ => None,
        }
    }

    /// The pit that many steps further on.
    #[inline]
    #[must_use]
    pub(super) const fn after(self, steps: u8, direction: Direction) -> Pit {
        let index = match direction {
            Direction::Clockwise => self.0.wrapping_add(steps),
            Direction::AntiClockwise => self.0.wrapping_sub(steps),
        };
        // 16 divides 256, so wrapping does not disturb the remainder.
        Pit(index % PITS as u8)
    }

    const fn shift(self) -> u32 {
        8 * self.0 as u32
    }

    const fn index(self) -> usize {
        self.0 as usize % PITS
    }
}

impl fmt::Display for Pit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = if self.is_front() { 'A' } else { 'B' };
        write!(f, "{row}{}", self.number())
    }
}

impl fmt::Debug for Pit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The seeds in the pits of one side, a byte a pit, A1 lowest. No pit holds more than the 64 seeds
/// of the game, so that bytes never carry into each other. Bytes rather than a word: a position of any
/// game is as large as the largest one, and a word would align it to 16 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ring([u8; PITS]);

impl Ring {
    #[inline(always)]
    pub(super) const fn get(self, pit: Pit) -> u8 {
        self.0[pit.index()]
    }

    /// Adds seeds to one pit.
    #[inline(always)]
    pub(super) const fn put(&mut self, pit: Pit, seeds: u8) {
        let at = pit.index();
        self.0[at] = self.0[at].wrapping_add(seeds);
    }

    /// Removes seeds from a pit that holds as many.
    #[inline(always)]
    pub(super) const fn remove(&mut self, pit: Pit, seeds: u8) {
        let at = pit.index();
        self.0[at] = self.0[at].wrapping_sub(seeds);
    }

    #[inline(always)]
    pub(super) const fn is_front_empty(self) -> bool {
        self.words()[0] == 0
    }

    /// Sows seeds, at least one, beginning with the pit `first`; returns the pit of the last seed.
    ///
    /// All pits are changed at once: one seed for each whole lap, and one more for each of the pits
    /// that the rest reaches.
    #[inline(always)]
    pub(super) const fn sow(&mut self, first: Pit, seeds: u8, direction: Direction) -> Pit {
        let last = first.after(seeds.wrapping_sub(1), direction);
        let (laps, rest) = (seeds as u32 / PITS as u32, seeds as u32 % PITS as u32);
        let reached = ONES & ((1 << (8 * rest)) - 1);
        let lowest = match direction {
            Direction::Clockwise => first,
            Direction::AntiClockwise => first
                .after(rest as u8, direction)
                .after(1, Direction::Clockwise),
        };
        let once = reached.rotate_left(lowest.shift());
        let sum = u128::from_le_bytes(self.0).wrapping_add(ONES * laps as u128 + once);
        self.0 = sum.to_le_bytes();
        last
    }

    /// The pits as two words, for hashing.
    pub(super) const fn words(self) -> [u64; 2] {
        let all = u128::from_le_bytes(self.0);
        [all as u64, (all >> 64) as u64]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pits_are_named_from_the_owners_left() {
        let names: Vec<String> = Pit::ALL.iter().map(Pit::to_string).collect();
        let row = |row| (1..=ROW).map(move |number| format!("{row}{number}"));
        assert_eq!(names, row('A').chain(row('B')).collect::<Vec<_>>());
        assert!(Pit::front_row().eq(Pit::ALL[..8].iter().copied()));
        for pit in Pit::front_row() {
            assert_eq!(pit.facing().number(), 9 - pit.number());
        }
        assert_eq!(Pit::HOUSE.to_string(), "A5");
    }

    #[test]
    fn a_handful_is_sown_as_if_seed_by_seed() {
        for first in Pit::ALL {
            for seeds in 1..=64 {
                for direction in [Direction::Clockwise, Direction::AntiClockwise] {
                    let (mut at_once, mut one_by_one) = (Ring::default(), Ring::default());
                    let last = at_once.sow(first, seeds, direction);
                    (0..seeds).for_each(|i| one_by_one.put(first.after(i, direction), 1));
                    assert_eq!(at_once, one_by_one, "{seeds} from {first} {direction:?}");
                    assert_eq!(last, first.after(seeds - 1, direction));
                }
            }
        }
    }
}
