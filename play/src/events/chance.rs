//! Draws: numbers, sides and orders by chance, which is an argument of each decision.

use mawe_rules::{BySide, Side};

use super::entry::Seat;

/// A number below the argument, each with the same chance; 0 for 0.
pub type Chance<'a> = &'a mut dyn FnMut(u32) -> u32;

/// Draws a side.
pub(super) fn drawn_side(chance: Chance) -> Side {
    Side::ALL[(chance(2) % 2) as usize]
}

/// Seats two players by chance.
pub(super) fn drawn_seats(a: Seat, b: Seat, chance: Chance) -> BySide<Seat> {
    match drawn_side(chance) {
        Side::First => BySide::new(a, b),
        Side::Second => BySide::new(b, a),
    }
}

/// Shuffles the seats.
pub(super) fn shuffle(seats: &mut [Seat], chance: Chance) {
    for place in (1..seats.len()).rev() {
        let below = u32::try_from(place + 1).unwrap_or(u32::MAX);
        let other = (chance(below) as usize).min(place);
        seats.swap(place, other);
    }
}
