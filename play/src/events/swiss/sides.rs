//! The sides of a pair (article 5 of the rules of the Dutch system).

use mawe_rules::{BySide, Side};

use super::player::Player;
use crate::events::entry::Seat;

/// Seats two players, the higher ranked one first in the arguments. `top` is the side of the strongest player in the first round.
pub(super) fn seated(high: &Player, low: &Player, top: Side) -> BySide<Seat> {
    match side_of_high(high, low, top) {
        Side::First => BySide::new(high.seat, low.seat),
        Side::Second => BySide::new(low.seat, high.seat),
    }
}

fn side_of_high(high: &Player, low: &Player, top: Side) -> Side {
    let (mine, other) = match (high.preference(), low.preference()) {
        // Neither has played: the sides alternate by the numbers.
        (None, None) if high.number % 2 == 1 => return top,
        (None, None) => return top.other(),
        (Some(mine), None) => return mine,
        (None, Some(other)) => return other.other(),
        (Some(mine), Some(other)) => (mine, other),
    };
    if mine != other {
        return mine;
    }
    let weight = |player: &Player| (player.strength(), player.difference().abs());
    match weight(high).cmp(&weight(low)) {
        std::cmp::Ordering::Greater => mine,
        std::cmp::Ordering::Less => other.other(),
        // They alternate from the latest round in which their sides differed.
        std::cmp::Ordering::Equal => {
            let mut latest = high.sides.iter().rev().zip(low.sides.iter().rev());
            let differed = latest.find(|(high, low)| high != low);
            differed.map_or(mine, |(high, _)| high.other())
        }
    }
}
