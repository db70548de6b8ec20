//! The pairs of one bracket: the players with the same points, and those who have floated down to them.

use std::collections::BTreeSet;

use super::field::Field;
use super::matching;
use super::player::{Float, Player, Strength};
use super::weights::{
    Digit, Front, Sparse, Weights, digit, flag, numbers_of_digits, numbers_of_flags,
};
use crate::events::entry::Points;

/// A bracket, and the players below it. All lists are in the order of the ranks.
pub(super) struct Bracket<'a> {
    pub(super) field: &'a Field<'a>,
    /// The players who have floated down.
    pub(super) moved: &'a [usize],
    pub(super) residents: &'a [usize],
    pub(super) below: &'a [usize],
}

/// The players who take part in the matching of a bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Those of the bracket.
    Alone,
    /// Those of the next bracket, too.
    Next,
    /// All, and the bye: every player must find a partner.
    All,
}

/// Nothing behind the front of a weight.
const NOTHING: Sparse = [(u32::MAX, 0); 2];

/// The vertices of a matching: the members of the bracket, those of the next one, the others, the bye.
struct Graph<'a> {
    field: &'a Field<'a>,
    reach: Reach,
    players: Vec<usize>,
    moved: usize,
    members: usize,
    /// The number of vertices before those below the next bracket.
    next: usize,
    /// The points of members, and of members and players of the next bracket, from the top.
    scores: Vec<Points>,
    next_scores: Vec<Points>,
    has_bye: bool,
    /// Whether the only floater of the bracket gets the bye, so that the criterion of the bye is one of the bracket.
    decides_bye: bool,
}

impl Bracket<'_> {
    /// All players of the bracket.
    pub(super) fn members(&self) -> impl Iterator<Item = usize> {
        self.moved.iter().chain(self.residents).copied()
    }

    /// The pairs that the rules try first, if no criterion could be kept better: the upper half against the lower half.
    pub(super) fn natural_pairs(&self) -> Option<Vec<(usize, usize)>> {
        if !self.moved.is_empty() || self.residents.len() % 2 == 1 {
            return None;
        }
        let (upper, lower) = self.residents.split_at(self.residents.len() / 2);
        let pairs: Vec<(usize, usize)> = upper.iter().copied().zip(lower.iter().copied()).collect();
        let players = self.field.players;
        let is_best = pairs.iter().all(|(a, b)| {
            self.field.may_meet(*a, *b) && do_not_clash(&players[*a], &players[*b], Strength::Mild)
        });
        is_best.then_some(pairs)
    }

    /// The best pairs within the bracket by all criteria, and all players for whom they have a partner in mind, also in the next bracket.
    pub(super) fn solve(&self, reach: Reach) -> (Vec<(usize, usize)>, BTreeSet<usize>) {
        let mut graph = Graph::new(self, reach);
        let mut first = graph.match_moved();
        if graph.has_bye && graph.only_bye_floats(&first) {
            graph.decides_bye = true;
            first = graph.match_moved();
        }
        // The players who have floated down keep their partners; the others are paired as a bracket of their own.
        let fixed: Vec<Option<usize>> = (0..graph.moved)
            .map(|place| first[place].filter(|partner| *partner < graph.members))
            .collect();
        let taken: BTreeSet<usize> = fixed.iter().flatten().copied().collect();
        let remainder: Vec<usize> = (graph.moved..graph.members)
            .filter(|place| !taken.contains(place))
            .collect();
        let is_paired = |place: &&usize| first[**place].is_some_and(|it| it < graph.members);
        let pairs = remainder.iter().filter(is_paired).count() / 2;
        let last = if pairs == 0 {
            first
        } else {
            graph.match_remainder(&fixed, &remainder, pairs)
        };
        let partners = last.iter().take(graph.members).enumerate();
        let within = partners.filter_map(|(place, partner)| {
            let partner = partner.filter(|it| place < *it && *it < graph.members)?;
            Some((graph.players[place], graph.players[partner]))
        });
        let matched = last.iter().zip(&graph.players);
        let matched = matched.filter_map(|(partner, player)| partner.map(|_| *player));
        (within.collect(), matched.collect())
    }
}

impl<'a> Graph<'a> {
    fn new(bracket: &Bracket<'a>, reach: Reach) -> Graph<'a> {
        let field = bracket.field;
        let points = |one: &usize| field.players[*one].points;
        let mut players: Vec<usize> = bracket.members().collect();
        let members = players.len();
        let first_below = bracket.below.first().map(points);
        let group = bracket
            .below
            .iter()
            .take_while(|one| Some(points(one)) == first_below);
        let group = group.count();
        match reach {
            Reach::Alone => {}
            Reach::Next => players.extend(&bracket.below[..group]),
            Reach::All => players.extend(bracket.below),
        }
        let next = players.len().min(members + group);
        let distinct = |players: &[usize]| {
            let mut scores: Vec<Points> = players.iter().map(points).collect();
            scores.dedup();
            scores
        };
        Graph {
            field,
            reach,
            moved: bracket.moved.len(),
            members,
            next,
            scores: distinct(&players[..members]),
            next_scores: distinct(&players[..next]),
            has_bye: reach == Reach::All && players.len() % 2 == 1,
            decides_bye: false,
            players,
        }
    }

    fn only_bye_floats(&self, partners: &[Option<usize>]) -> bool {
        let floats = |partner: &&Option<usize>| partner.is_none_or(|it| it >= self.members);
        let mut floaters = partners[..self.members].iter().filter(floats);
        floaters.next() == Some(&Some(self.players.len())) && floaters.next().is_none()
    }

    fn vertices(&self) -> usize {
        self.players.len() + usize::from(self.has_bye)
    }

    fn player(&self, vertex: usize) -> &Player {
        &self.field.players[self.players[vertex]]
    }

    /// Whether there is an edge between two vertices, the higher ranked first. Players who have floated down together could not be paired
    /// above, and are not paired here.
    fn has_edge(&self, u: usize, v: usize) -> bool {
        match self.players.get(v) {
            None => self.field.may_have_bye(self.players[u]),
            Some(b) => v >= self.moved && self.field.may_meet(self.players[u], *b),
        }
    }

    /// The quality criteria of an edge.
    fn front(&self, u: usize, v: usize) -> Front {
        let mut front = Front::default();
        if self.reach == Reach::All {
            front.push(1);
        }
        let here = v < self.members;
        let points = self.player(u).points;
        let by_score = |front: &mut Front, scores: &[Points], score: Option<Points>| {
            for one in scores {
                front.push(i64::from(score == Some(*one)));
            }
        };
        // 3.6, 3.7: the most pairs, and the smallest differences of points of floaters.
        front.push(i64::from(here));
        by_score(&mut front, &self.scores, here.then_some(points));
        if self.reach != Reach::Alone {
            // 3.8: the same in the next bracket.
            let there = (self.members..self.next).contains(&v);
            front.push(i64::from(there));
            by_score(&mut front, &self.next_scores, there.then_some(points));
        }
        if self.has_bye {
            // 3.9: the bye goes to a player who has played much.
            let is_bye = self.decides_bye && v == self.players.len();
            front.push(if is_bye {
                -i64::from(self.player(u).unplayed)
            } else {
                0
            });
        }
        if here {
            self.push_sides_and_floats(&mut front, u, v);
        } else {
            for _ in 0..6 + 4 * self.scores.len() {
                front.push(0);
            }
        }
        front
    }

    /// The criteria of a pair within the bracket for which the number of pairs is equal.
    fn push_sides_and_floats(&self, front: &mut Front, u: usize, v: usize) {
        let (high, low) = (self.player(u), self.player(v));
        // 3.12, 3.13: preferences for sides, then strong ones.
        front.push(i64::from(do_not_clash(high, low, Strength::Mild)));
        front.push(i64::from(do_not_clash(high, low, Strength::Strong)));
        let floats = high.points > low.points;
        // 3.14 to 3.17: floats as in the round before, then as in the one before that. A member who is not paired here floats down.
        for back in 0..2 {
            let down = |player: &Player| i64::from(player.floats[back] == Float::Down);
            front.push(down(low) + if floats { 0 } else { down(high) });
            front.push(i64::from(!(floats && low.floats[back] == Float::Up)));
        }
        // 3.18 to 3.21: the points of the players whose repeated float cannot be avoided.
        for back in 0..2 {
            let down = |player: &Player, score: Points| {
                i64::from(player.floats[back] == Float::Down && player.points == score)
            };
            for score in &self.scores {
                front.push(down(low, *score) + down(high, *score));
            }
            let again = floats && low.floats[back] == Float::Up;
            for score in &self.scores {
                front.push(i64::from(!again && high.points == *score));
            }
        }
    }

    /// Matches all; of equal matchings, the one with the best partners for the players who have floated down.
    fn match_moved(&self) -> Vec<Option<usize>> {
        let flags = numbers_of_flags(self.moved);
        let behind = flags + numbers_of_digits(self.moved);
        self.matched(behind, |u, v, front| {
            if u >= self.moved || v >= self.members {
                return Some((front, NOTHING));
            }
            // Players of the top are paired before others, and with the highest ranked residents.
            let partner = number(v - self.moved);
            let (place, value) = digit(Digit(u), -partner);
            let sparse = [flag(Digit(u), 1), (place + count(flags), value)];
            Some((front, sparse))
        })
    }

    /// Matches all again, with the partners of the players who have floated down; of equal matchings, the one with the first exchange and
    /// the first transposition.
    fn match_remainder(
        &self,
        fixed: &[Option<usize>],
        remainder: &[usize],
        pairs: usize,
    ) -> Vec<Option<usize>> {
        let mut rank = vec![None; self.vertices()];
        for (place, vertex) in remainder.iter().enumerate() {
            rank[*vertex] = Some(place);
        }
        let flags = numbers_of_flags(remainder.len());
        let behind = flags + numbers_of_digits(remainder.len());
        self.matched(behind, |u, v, mut front| {
            let within = (rank[u], rank[v]);
            let is_fixed = fixed.get(u).is_some_and(|partner| *partner == Some(v));
            if v < self.members && !is_fixed && within.0.is_none() {
                return None;
            }
            let (Some(high), Some(low)) = within else {
                front.push(0);
                front.push_number(0);
                return Some((front, NOTHING));
            };
            // The upper half is the first `pairs` players; a player of it who has no partner below is exchanged. Few exchanges are tried
            // first, then those near to the middle.
            front.push(i64::from(high < pairs));
            front.push_number(-number(high));
            let exchange = if high < pairs {
                flag(Digit(pairs - 1 - high), -1)
            } else {
                flag(Digit(high), 1)
            };
            let (place, value) = digit(Digit(high), -number(low));
            Some((front, [exchange, (place + count(flags), value)]))
        })
    }

    /// A matching of maximum weight; `weigh` completes the weight of an edge, or leaves the edge out.
    fn matched(
        &self,
        behind: usize,
        weigh: impl Fn(usize, usize, Front) -> Option<(Front, Sparse)>,
    ) -> Vec<Option<usize>> {
        let mut weights: Option<Weights> = None;
        for u in 0..self.players.len() {
            for v in u + 1..self.vertices() {
                if !self.has_edge(u, v) {
                    continue;
                }
                let Some((front, sparse)) = weigh(u, v, self.front(u, v)) else {
                    continue;
                };
                let numbers = front.numbers();
                let make = || Weights::new(self.vertices(), numbers.len(), behind);
                weights.get_or_insert_with(make).set(u, v, numbers, sparse);
            }
        }
        weights.map_or_else(
            || vec![None; self.vertices()],
            |weights| matching::maximum(&weights),
        )
    }
}

/// Whether the two do not prefer the same side, both at least so strongly.
fn do_not_clash(a: &Player, b: &Player, strength: Strength) -> bool {
    let (one, other) = (a.preference(), b.preference());
    one.is_none() || one != other || a.strength() < strength || b.strength() < strength
}

fn number(place: usize) -> i64 {
    i64::try_from(place).unwrap_or(i64::MAX)
}

fn count(numbers: usize) -> u32 {
    u32::try_from(numbers).unwrap_or(u32::MAX)
}
