//! The pairs of a round by the Dutch system (FIDE Handbook C.04.3, as it applies from 2026), without the exceptions for top scorers in the
//! last round: the absolute criteria always hold.
//!
//! Score group by score group from the top, a matching of maximum weight finds the pairs of a bracket. Its weights have the quality criteria
//! in their order, and behind them the order in which the rules try exchanges and transpositions, so that it is the pairing that the rules
//! would find first. The players below take part as far as the criteria ask for them.

use std::collections::BTreeSet;

use super::bracket::{Bracket, Reach};
use super::field::Field;
use super::player::Player;

/// The pairs of a round, as indexes of the players, the higher ranked first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pairing {
    pub(super) pairs: Vec<(usize, usize)>,
    pub(super) bye: Option<usize>,
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
        // The first round of hundreds of players is one bracket, for which a matching takes seconds.
        if self.below.is_empty()
            && let Some(natural) = self.natural_pairs()
        {
            return Some(natural);
        }
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
