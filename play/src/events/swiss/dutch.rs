//! The pairs of a round by the Dutch system (FIDE Handbook C.04.3, as it applies from 2026), without the exceptions for top scorers in the
//! last round: the absolute criteria always hold.
//!
//! Score group by score group from the top, a matching of maximum weight finds the pairs of a bracket. Its weights have the quality criteria
//! in their order, and behind them the order in which the rules try exchanges and transpositions, so that it is the pairing that the rules
//! would find first. The players below take part as far as the criteria ask for them.

use std::collections::BTreeSet;

use super::bracket::{Bracket, Reach};
use super::matching;
use super::player::{Player, Strength};
use super::weights::{Front, Weights};
use crate::events::entry::Points;

/// The pairs of a round, as indexes of the players, the higher ranked first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pairing {
    pub(super) pairs: Vec<(usize, usize)>,
    pub(super) bye: Option<usize>,
}

/// The players of a round, by rank, with what is absolute.
pub(super) struct Field<'a> {
    pub(super) players: &'a [Player],
    may_meet: Vec<bool>,
    /// The points of the player who gets the bye.
    bye_points: Option<Points>,
}

impl<'a> Field<'a> {
    fn new(players: &'a [Player], apart: impl Fn(&Player, &Player) -> bool) -> Field<'a> {
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
    fn complete(&self, left: &[usize]) -> Option<Vec<usize>> {
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

/// Pairs the players, who are in the order of their ranks. `None` if the absolute criteria allow no pairing of all of them.
pub(super) fn pair(
    players: &[Player],
    apart: impl Fn(&Player, &Player) -> bool,
) -> Option<Pairing> {
    let mut field = Field::new(players, apart);
    let all: Vec<usize> = (0..players.len()).collect();
    let first = field.complete(&all)?;
    if players.len() % 2 == 1 {
        let bye = first.iter().position(|partner| *partner == players.len());
        field.bye_points = bye.map(|bye| players[bye].points);
    }
    let mut pairs = Vec::new();
    let mut floaters: Vec<usize> = Vec::new();
    let mut below: &[usize] = &all;
    while let Some(first) = below.first() {
        let points = players[*first].points;
        let group = below
            .iter()
            .take_while(|one| players[**one].points == points);
        let (residents, rest) = below.split_at(group.count());
        below = rest;
        let bracket = Bracket {
            field: &field,
            moved: &floaters,
            residents,
            below,
        };
        let made = bracket.pairs()?;
        let paired: BTreeSet<usize> = made.iter().flat_map(|(a, b)| [*a, *b]).collect();
        let players = floaters.iter().chain(residents).copied();
        floaters = players.filter(|one| !paired.contains(one)).collect();
        pairs.extend(made);
    }
    pairs.sort_unstable();
    match floaters[..] {
        [] => Some(Pairing { pairs, bye: None }),
        [bye] => Some(Pairing {
            pairs,
            bye: Some(bye),
        }),
        _ => None,
    }
}

impl Bracket<'_> {
    /// The pairs within the bracket. The players that are left float down, or the last of them gets the bye.
    fn pairs(&self) -> Option<Vec<(usize, usize)>> {
        let all: Vec<usize> = self.members().collect();
        let is_odd = (all.len() + self.below.len()) % 2 == 1;
        let bye_here = is_odd && all.iter().any(|one| self.field.may_have_bye(*one));
        if !self.below.is_empty() && !bye_here {
            // Without floaters the players below have no say, if they can be paired; with some, those of the next bracket do. Their pairs
            // count if the others can be paired then.
            let natural = self.natural_pairs();
            let alone = natural.or_else(|| {
                let is_even = all.len().is_multiple_of(2);
                let (made, _) = is_even.then(|| self.solve(Reach::Alone))?;
                (2 * made.len() == all.len()).then_some(made)
            });
            if let Some(made) = alone {
                if self.field.can_complete(self.below) {
                    return Some(made);
                }
            } else {
                let (made, matched) = self.solve(Reach::Next);
                let players = all.iter().chain(self.below).copied();
                let left: Vec<usize> = players.filter(|one| !matched.contains(one)).collect();
                if self.field.can_complete(&left) {
                    return Some(made);
                }
            }
        }
        Some(self.solve(Reach::All).0)
    }
}
