//! Who plays whom: a matching over all pools at once, so that nobody is matched twice however many pools they wait in.
//!
//! Greedy, the best pair first: whoever is matched is matched with the best of those who were left, and is the best of those left for
//! them. Then, for whoever has waited for some time and is left over, others are exchanged where that helps: a pair is opened when both
//! of it find somebody else. Last, where nobody else is there, two may play who played each other just before.

use std::cmp::Ordering;

use super::sides::{SideHistory, clash};
use super::{Millis, PoolKey, Widening};

/// How many acceptable opponents above oneself are looked at. More do not make better pairs, only longer lists.
const NEIGHBOURS: usize = 16;

/// How many are looked at to find them.
const SCAN: usize = 64;

/// What a second of waiting is worth in points of difference: of two pairs as close, the one that has waited longer goes first.
const POINTS_PER_SECOND: f64 = 1.0;

/// Waiting longer than this makes nobody more urgent.
const URGENT_AFTER_S: f64 = 120.0;

/// What a match in excess on the same side is worth in points of difference, and how many count.
const POINTS_PER_CLASH: f64 = 8.0;
const MOST_CLASHES: i32 = 4;

/// For whoever has waited so long, pairs are opened that are made already.
const EXCHANGE_AFTER: Millis = 8_000;

/// So long both wait before they play each other again: somebody else may come.
const AGAIN_AFTER: Millis = 10_000;

/// So long they wait when somebody else is there whom one of them does not accept yet, but will.
const AGAIN_ANYWAY_AFTER: Millis = 60_000;

/// A ticket as the matching sees it. `person` numbers whose it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) person: usize,
    pub(super) rating: f64,
    /// The largest difference that this person accepts by now.
    pub(super) within: f64,
    pub(super) waited: Millis,
    pub(super) sides: SideHistory,
    /// Whom they played last.
    pub(super) last: Option<usize>,
}

/// Two who play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Matched {
    pub(super) pool: PoolKey,
    pub(super) a: usize,
    pub(super) b: usize,
}

/// Whether these two accept each other.
fn accept(a: &Candidate, b: &Candidate) -> bool {
    (a.rating - b.rating).abs() <= a.within.min(b.within)
}

/// Whether these two played each other just before.
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
    fn of(pool: PoolKey, a: &Candidate, b: &Candidate) -> Edge {
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

    /// The person at the other end.
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

/// Matches the candidates of each pool; `people` is one above the largest number of a person. Sorts the candidates.
pub(super) fn matching(pools: &mut [(PoolKey, Vec<Candidate>)], people: usize) -> Vec<Matched> {
    let mut waited = vec![0; people];
    let mut edges = Vec::new();
    for (pool, candidates) in pools.iter_mut() {
        candidates.sort_by(|a, b| {
            let by_rating = a.rating.total_cmp(&b.rating);
            by_rating.then_with(|| a.person.cmp(&b.person))
        });
        for candidate in candidates.iter() {
            waited[candidate.person] = candidate.waited.max(waited[candidate.person]);
        }
        collect_edges(*pool, candidates, &mut edges);
    }
    edges.sort_by(by_cost);
    let mut matched = Matching::new(&edges, people);
    for (number, edge) in edges.iter().enumerate() {
        if !edge.again {
            matched.take_if_free(number);
        }
    }
    let mut left: Vec<usize> = (0..people)
        .filter(|person| waited[*person] >= EXCHANGE_AFTER && matched.is_free(*person))
        .collect();
    left.sort_by_key(|person| (std::cmp::Reverse(waited[*person]), *person));
    for person in left {
        matched.exchange_for(person);
    }
    for (number, edge) in edges.iter().enumerate().filter(|(_, edge)| edge.again) {
        let least = waited[edge.pair.a].min(waited[edge.pair.b]);
        let alone = || {
            let pool = pools.iter().find(|(pool, _)| *pool == edge.pair.pool);
            pool.is_none_or(|(pool, there)| matched.has_nobody_else(edge.pair, *pool, there))
        };
        if least >= AGAIN_ANYWAY_AFTER || (least >= AGAIN_AFTER && alone()) {
            matched.take_if_free(number);
        }
    }
    matched.pairs()
}

fn by_cost(a: &Edge, b: &Edge) -> Ordering {
    let key = |edge: &Edge| (edge.pair.pool, edge.pair.a, edge.pair.b);
    let by_cost = a.cost.total_cmp(&b.cost);
    by_cost.then_with(|| key(a).cmp(&key(b)))
}

fn collect_edges(pool: PoolKey, candidates: &[Candidate], edges: &mut Vec<Edge>) {
    for (place, a) in candidates.iter().enumerate() {
        let above = candidates[place + 1..].iter().take(SCAN);
        // Sorted by rating: beyond the first that is too far away for this one, all are.
        let near = above.take_while(|b| b.rating - a.rating <= a.within);
        let acceptable = near.filter(|b| accept(a, b)).take(NEIGHBOURS);
        edges.extend(acceptable.map(|b| Edge::of(pool, a, b)));
    }
}

struct Matching<'a> {
    edges: &'a [Edge],
    /// The edges at each person, best first.
    at: Vec<Vec<usize>>,
    /// By which edge a person is matched.
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
            self.take(edge);
        }
    }

    fn take(&mut self, edge: usize) {
        let Matched { a, b, .. } = self.edges[edge].pair;
        self.by[a] = Some(edge);
        self.by[b] = Some(edge);
    }

    /// Opens the pair whose opening serves best: one of it plays this person, the other somebody who was left over too.
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
            self.take(mine);
            self.take(theirs);
        }
    }

    /// Whether nobody is left in the pool whom one of the pair could play instead, now or after waiting.
    fn has_nobody_else(&self, pair: Matched, pool: PoolKey, there: &[Candidate]) -> bool {
        let most = Widening::of(pool).most;
        let two = there
            .iter()
            .filter(|one| [pair.a, pair.b].contains(&one.person));
        let mut others = two.flat_map(|one| {
            there.iter().filter(move |other| {
                ![pair.a, pair.b].contains(&other.person)
                    && !played_last(one, other)
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
