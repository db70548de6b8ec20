//! The players of a round with the absolute criteria: the pairs that may meet, and the players that may have the bye.

use super::matching;
use super::player::{Player, Strength};
use super::weights::{Front, Weights};
use crate::events::entry::Points;

/// The players of a round, by rank, with what is absolute.
pub(super) struct Field<'a> {
    pub(super) players: &'a [Player],
    may_meet: Vec<bool>,
    /// The points of the player who gets the bye.
    pub(super) bye_points: Option<Points>,
}

impl<'a> Field<'a> {
    pub(super) fn new(
        players: &'a [Player],
        apart: impl Fn(&Player, &Player) -> bool,
    ) -> Field<'a> {
        let mut may_meet = vec![false; players.len() * players.len()];
        for (a, one) in players.iter().enumerate() {
            for (b, other) in players.iter().enumerate() {
                let absolute = [one, other].map(|player| player.strength() == Strength::Absolute);
                let clash = absolute == [true; 2] && one.preference() == other.preference();
                let met = one.met.contains(&other.seat) || apart(one, other);
                may_meet[a * players.len() + b] = a != b && !met && !clash;
            }
        }
        Field {
            players,
            may_meet,
            bye_points: None,
        }
    }

    /// Whether the absolute criteria allow the pair.
    pub(super) fn may_meet(&self, a: usize, b: usize) -> bool {
        self.may_meet[a * self.players.len() + b]
    }

    /// Whether the bye may go to the player: the absolute criterion, and the fewest points for which the others can be paired.
    pub(super) fn may_have_bye(&self, a: usize) -> bool {
        let player = &self.players[a];
        player.may_have_bye && self.bye_points.is_none_or(|points| points == player.points)
    }

    /// The partners of these players in a pairing of all of them, one more than the last index for the bye; `None` if there is none. Of
    /// several, the bye goes to a player with few points.
    pub(super) fn complete(&self, left: &[usize]) -> Option<Vec<usize>> {
        let vertices = left.len() + left.len() % 2;
        let mut weights = Weights::new(vertices, 1, 0);
        let mut put = |u: usize, v: usize, points: u32| {
            let mut front = Front::default();
            front.push(1);
            front.push(-i64::from(points));
            weights.set(u, v, front.numbers(), [(u32::MAX, 0); 2]);
        };
        for (u, a) in left.iter().enumerate() {
            for (v, b) in left.iter().enumerate().skip(u + 1) {
                if self.may_meet(*a, *b) {
                    put(u, v, 0);
                }
            }
            if vertices > left.len() && self.may_have_bye(*a) {
                put(u, left.len(), self.players[*a].points.halves());
            }
        }
        matching::maximum(&weights).into_iter().collect()
    }

    /// Whether all of these players can be paired.
    pub(super) fn can_complete(&self, left: &[usize]) -> bool {
        self.complete(left).is_some()
    }
}
