//! Matching of players over all pools at once, so that no player is matched twice, however many pools they wait in.
//!
//! First greedily, the pair of least cost first: each player gets the best opponent of those still free, and is the best for that opponent
//! too. Then pairs are exchanged for players who have waited for some time and are left over: a pair is split when both its players find
//! other opponents. Last, two players who met in their latest match may be paired again if no other opponent is there.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use mawe_wire::pool::PoolKey;

use super::sides::{SideHistory, clash};
use super::widening::{Millis, Widening};

/// Maximum number of acceptable opponents above a player that are considered. More make longer lists, not better pairs.
const NEIGHBOURS: usize = 16;

/// Maximum number of candidates that are examined to find them.
const SCAN: usize = 64;

/// Weight of a second of waiting, in rating points: of two equally close pairs, the one that has waited longer is made first.
const POINTS_PER_SECOND: f64 = 1.0;

/// Waiting time in seconds beyond which urgency no longer grows.
const URGENT_AFTER_S: f64 = 120.0;

/// Weight of a match in excess on the same side, in rating points, and the number of such matches that count.
const POINTS_PER_CLASH: f64 = 8.0;
const MOST_CLASHES: i32 = 4;

/// Waiting time after which pairs are split for a player who is left over.
const EXCHANGE_AFTER: Millis = 8_000;

/// Waiting time of both players before they may be paired again: another opponent may come.
const AGAIN_AFTER: Millis = 10_000;

/// Waiting time before a repeat when another player is there whom one of them does not accept yet, but will.
const AGAIN_ANYWAY_AFTER: Millis = 60_000;

/// A ticket as the matching sees it. `person` is the index of its owner.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) person: usize,
    pub(super) rating: f64,
    /// The largest rating difference that this person accepts by now.
    pub(super) within: f64,
    pub(super) waited: Millis,
    pub(super) sides: SideHistory,
    /// The last opponent.
    pub(super) last: Option<usize>,
}

/// A pair to be seated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Matched {
    pub(super) pool: PoolKey,
    pub(super) a: usize,
    pub(super) b: usize,
}

/// Pairs of persons between whom no match can be made.
#[derive(Debug, Default)]
pub(super) struct Apart(BTreeSet<(usize, usize)>);

impl Apart {
    pub(super) fn add(&mut self, a: usize, b: usize) {
        self.0.insert((a.min(b), a.max(b)));
    }

    fn has(&self, a: &Candidate, b: &Candidate) -> bool {
        let (a, b) = (a.person, b.person);
        self.0.contains(&(a.min(b), a.max(b)))
    }
}

/// Whether these two accept each other.
fn accept(a: &Candidate, b: &Candidate) -> bool {
    (a.rating - b.rating).abs() <= a.within.min(b.within)
}

/// Whether one of these was the other's last opponent.
fn played_last(a: &Candidate, b: &Candidate) -> bool {
    a.last == Some(b.person) || b.last == Some(a.person)
}

#[derive(Debug, Clone, Copy)]
struct Edge {
    pair: Matched,
    cost: f64,
    again: bool,
}

impl Edge {
    fn between(pool: PoolKey, a: &Candidate, b: &Candidate) -> Edge {
        let waited_s = |candidate: &Candidate| seconds(candidate.waited).min(URGENT_AFTER_S);
        let clashes = f64::from(clash(a.sides, b.sides).min(MOST_CLASHES));
        Edge {
            pair: Matched {
                pool,
                a: a.person,
                b: b.person,
            },
            cost: (a.rating - b.rating).abs() + POINTS_PER_CLASH * clashes
                - POINTS_PER_SECOND * (waited_s(a) + waited_s(b)),
            again: played_last(a, b),
        }
    }

    /// Returns the person at the other end.
    fn from(&self, person: usize) -> usize {
        if self.pair.a == person {
            self.pair.b
        } else {
            self.pair.a
        }
    }
}

#[allow(clippy::cast_precision_loss)] // a wait is far below 2^52 ms
fn seconds(ms: Millis) -> f64 {
    ms as f64 / 1_000.0
}

/// Matches the candidates of each pool, except pairs that are to be kept apart. `people` is one above the largest `person`. Sorts the
/// candidates, and may remove those of pairs.
pub(super) fn matching(
    pools: &mut [(PoolKey, Vec<Candidate>)],
    people: usize,
    apart: &Apart,
) -> Vec<Matched> {
    if people < 2 {
        return Vec::new();
    }
    let (mut pairs, mut may_go_on) = match_neighbours(pools, people, apart);
    while may_go_on {
        let mut is_free = vec![true; people];
        for pair in &pairs {
            is_free[pair.a] = false;
            is_free[pair.b] = false;
        }
        for (_, there) in pools.iter_mut() {
            there.retain(|candidate| is_free[candidate.person]);
        }
        let (more, may_find_more) = match_neighbours(pools, people, apart);
        may_go_on = may_find_more && !more.is_empty();
        pairs.extend(more);
    }
    pairs
}

/// The facts of a person in a matching.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    /// The longest wait of the person's tickets.
    waited: Millis,
    /// Whether there are more acceptable opponents above the person than are considered.
    has_more: bool,
}

/// Matches the candidates of each pool with the nearest ones. Returns also whether a person is left over with more acceptable opponents
/// further away: one of them may be left over, too.
fn match_neighbours(
    pools: &mut [(PoolKey, Vec<Candidate>)],
    people: usize,
    apart: &Apart,
) -> (Vec<Matched>, bool) {
    let mut known = vec![Known::default(); people];
    let mut edges = Vec::new();
    for (pool, candidates) in pools.iter_mut() {
        candidates.sort_by(|a, b| {
            let by_rating = a.rating.total_cmp(&b.rating);
            by_rating.then_with(|| a.person.cmp(&b.person))
        });
        for candidate in candidates.iter() {
            let waited = &mut known[candidate.person].waited;
            *waited = candidate.waited.max(*waited);
        }
        collect_edges(*pool, candidates, apart, &mut edges, &mut known);
    }
    edges.sort_by(by_cost);
    let mut matched = Matching::new(&edges, people);
    for (number, edge) in edges.iter().enumerate() {
        if !edge.again {
            matched.take_if_free(number);
        }
    }
    let mut left: Vec<usize> = (0..people)
        .filter(|person| known[*person].waited >= EXCHANGE_AFTER && matched.is_free(*person))
        .collect();
    left.sort_by_key(|person| (std::cmp::Reverse(known[*person].waited), *person));
    for person in left {
        matched.exchange_for(person);
    }
    for (number, edge) in edges.iter().enumerate().filter(|(_, edge)| edge.again) {
        let [a, b] = [edge.pair.a, edge.pair.b].map(|person| known[person].waited);
        let least = a.min(b);
        let alone = || {
            let pool = pools.iter().find(|(pool, _)| *pool == edge.pair.pool);
            pool.is_none_or(|(pool, there)| matched.has_nobody_else(edge.pair, *pool, there, apart))
        };
        if least >= AGAIN_ANYWAY_AFTER || (least >= AGAIN_AFTER && alone()) {
            matched.take_if_free(number);
        }
    }
    let mut people = known.iter().enumerate();
    let may_go_on = people.any(|(person, it)| it.has_more && matched.is_free(person));
    (matched.pairs(), may_go_on)
}

fn by_cost(a: &Edge, b: &Edge) -> Ordering {
    let key = |edge: &Edge| (edge.pair.pool, edge.pair.a, edge.pair.b);
    let by_cost = a.cost.total_cmp(&b.cost);
    by_cost.then_with(|| key(a).cmp(&key(b)))
}

fn collect_edges(
    pool: PoolKey,
    candidates: &[Candidate],
    apart: &Apart,
    edges: &mut Vec<Edge>,
    known: &mut [Known],
) {
    for (place, a) in candidates.iter().enumerate() {
        let before = edges.len();
        let above = candidates[place + 1..].iter().take(SCAN);
        // The candidates are sorted by rating, so all beyond the first that is too far are too far.
        let near = above.take_while(|b| b.rating - a.rating <= a.within);
        let acceptable = near.filter(|b| accept(a, b) && !apart.has(a, b));
        let acceptable = acceptable.take(NEIGHBOURS);
        edges.extend(acceptable.map(|b| Edge::between(pool, a, b)));
        known[a.person].has_more |= edges.len() - before == NEIGHBOURS;
    }
}

struct Matching<'a> {
    edges: &'a [Edge],
    /// The edges of each person, in the order of their cost.
    at: Vec<Vec<usize>>,
    /// The edge by which a person is matched.
    by: Vec<Option<usize>>,
}

impl<'a> Matching<'a> {
    fn new(edges: &'a [Edge], people: usize) -> Matching<'a> {
        let mut at = vec![Vec::new(); people];
        for (number, edge) in edges.iter().enumerate() {
            at[edge.pair.a].push(number);
            at[edge.pair.b].push(number);
        }
        Matching {
            edges,
            at,
            by: vec![None; people],
        }
    }

    fn is_free(&self, person: usize) -> bool {
        self.by[person].is_none()
    }

    fn take_if_free(&mut self, edge: usize) {
        let Matched { a, b, .. } = self.edges[edge].pair;
        if self.is_free(a) && self.is_free(b) {
            self.choose(edge);
        }
    }

    fn choose(&mut self, edge: usize) {
        let Matched { a, b, .. } = self.edges[edge].pair;
        self.by[a] = Some(edge);
        self.by[b] = Some(edge);
    }

    /// Splits the pair with the least cost of the two new pairs: one of its players gets this person, the other another free one.
    fn exchange_for(&mut self, person: usize) {
        if !self.is_free(person) {
            return;
        }
        let fresh = |edge: &&usize| !self.edges[**edge].again;
        let mut best: Option<(f64, usize, usize)> = None;
        for mine in self.at[person].iter().filter(fresh) {
            let partner = self.edges[*mine].from(person);
            let Some(made) = self.by[partner] else {
                continue;
            };
            let left = self.edges[made].from(partner);
            let theirs = self.at[left].iter().filter(fresh).find(|edge| {
                let other = self.edges[**edge].from(left);
                other != person && self.is_free(other)
            });
            if let Some(theirs) = theirs {
                let cost = self.edges[*mine].cost + self.edges[*theirs].cost;
                if best.is_none_or(|(least, _, _)| cost < least) {
                    best = Some((cost, *mine, *theirs));
                }
            }
        }
        if let Some((_, mine, theirs)) = best {
            self.choose(mine);
            self.choose(theirs);
        }
    }

    /// Whether no free candidate in the pool could play one of the pair instead, now or after more waiting.
    fn has_nobody_else(
        &self,
        pair: Matched,
        pool: PoolKey,
        there: &[Candidate],
        apart: &Apart,
    ) -> bool {
        let most = Widening::of_pool(pool).most;
        let two = there
            .iter()
            .filter(|one| [pair.a, pair.b].contains(&one.person));
        let mut others = two.flat_map(|one| {
            there.iter().filter(move |other| {
                ![pair.a, pair.b].contains(&other.person)
                    && !played_last(one, other)
                    && !apart.has(one, other)
                    && (one.rating - other.rating).abs() <= most
            })
        });
        !others.any(|other| self.is_free(other.person))
    }

    fn pairs(&self) -> Vec<Matched> {
        let mut taken: Vec<usize> = self.by.iter().flatten().copied().collect();
        taken.sort_unstable();
        taken.dedup();
        taken.iter().map(|edge| self.edges[*edge].pair).collect()
    }
}
