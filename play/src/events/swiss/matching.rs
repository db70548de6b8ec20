//! A matching of maximum weight in a general graph, by Edmonds' algorithm with duals (Galil, "Efficient Algorithms for Finding Maximum
//! Matching in Graphs", 1986), in O(n³) steps.
//!
//! Vertices count from 1 here; 0 is none. Numbers above those of the vertices are blossoms.

use std::cmp::Ordering;
use std::collections::VecDeque;

use super::weights::Weights;

/// The label of a vertex or blossom in the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Free,
    /// At an even distance from a root.
    Outer,
    /// At an odd distance.
    Inner,
}

/// Returns the partner of each vertex in a matching of maximum weight.
pub(super) fn maximum(weights: &Weights) -> Vec<Option<usize>> {
    let mut search = Search::new(weights);
    while !search.start.is_empty() && search.augment_once() {}
    let partners = search.partner[1..=search.n].iter();
    partners.map(|partner| partner.checked_sub(1)).collect()
}

struct Search<'a> {
    weights: &'a Weights,
    n: usize,
    /// The greatest number of a blossom in use.
    top: usize,
    start: Vec<i64>,
    /// The dual of each vertex and blossom, `length` numbers each.
    duals: Vec<i64>,
    length: usize,
    /// For each two vertices or blossoms the pair of vertices whose edge has the least slack; (0, 0) without an edge.
    edges: Vec<(u32, u32)>,
    width: usize,
    partner: Vec<usize>,
    /// The vertex by which the one with the least slack is reached.
    slack: Vec<usize>,
    /// The outermost blossom.
    root: Vec<usize>,
    parent: Vec<usize>,
    label: Vec<Label>,
    /// For a blossom and a vertex, the part of the blossom that holds the vertex; 0 for none.
    part: Vec<u32>,
    parts: Vec<Vec<usize>>,
    visited: Vec<u32>,
    visit: u32,
    queue: VecDeque<usize>,
}

impl<'a> Search<'a> {
    fn new(weights: &'a Weights) -> Search<'a> {
        let n = weights.vertices();
        // There are at most n / 2 blossoms at a time.
        let width = n + n / 2 + 2;
        let length = weights.length();
        let start = weights.greatest();
        let mut duals = vec![0; width * length];
        let mut edges = vec![(0, 0); width * width];
        let mut part = vec![0; width * (n + 1)];
        for u in 1..=n {
            if !start.is_empty() {
                duals[u * length..(u + 1) * length].copy_from_slice(&start);
            }
            part[u * (n + 1) + u] = number(u);
            for v in 1..=n {
                if u != v && weights.has_edge(u - 1, v - 1) {
                    edges[u * width + v] = (number(u), number(v));
                }
            }
        }
        Search {
            weights,
            n,
            top: n,
            start,
            duals,
            length,
            edges,
            width,
            partner: vec![0; width],
            slack: vec![0; width],
            root: (0..width).map(|x| if x <= n { x } else { 0 }).collect(),
            parent: vec![0; width],
            label: vec![Label::Free; width],
            part,
            parts: vec![Vec::new(); width],
            visited: vec![0; width],
            visit: 0,
            queue: VecDeque::new(),
        }
    }

    fn edge(&self, a: usize, b: usize) -> Option<(usize, usize)> {
        let (u, v) = self.edges[a * self.width + b];
        (u != 0).then_some((u as usize, v as usize))
    }

    /// The slack of an edge between two vertices, at a position: the sum of the duals less twice the weight.
    fn slack_at(&self, (u, v): (usize, usize), position: usize) -> i64 {
        let dual = |x: usize| self.duals[x * self.length + position];
        dual(u) + dual(v) - 2 * self.weights.get(u - 1, v - 1, position)
    }

    fn is_tight(&self, edge: (usize, usize)) -> bool {
        (0..self.length).all(|position| self.slack_at(edge, position) == 0)
    }

    fn compare(&self, a: (usize, usize), b: (usize, usize)) -> Ordering {
        let positions = 0..self.length;
        let mut orders = positions.map(|at| self.slack_at(a, at).cmp(&self.slack_at(b, at)));
        orders
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }

    fn improve_slack(&mut self, u: usize, x: usize) {
        let Some(edge) = self.edge(u, x) else { return };
        let is_less = match self.slack[x] {
            0 => true,
            old => self
                .edge(old, x)
                .is_none_or(|old| self.compare(edge, old).is_lt()),
        };
        if is_less {
            self.slack[x] = u;
        }
    }

    fn reset_slack(&mut self, x: usize) {
        self.slack[x] = 0;
        for u in 1..=self.n {
            let root = self.root[u];
            if root != x && self.label[root] == Label::Outer {
                self.improve_slack(u, x);
            }
        }
    }

    fn enqueue(&mut self, x: usize) {
        if x <= self.n {
            self.queue.push_back(x);
        } else {
            for part in self.parts[x].clone() {
                self.enqueue(part);
            }
        }
    }

    fn set_root(&mut self, x: usize, root: usize) {
        self.root[x] = root;
        if x > self.n {
            for part in self.parts[x].clone() {
                self.set_root(part, root);
            }
        }
    }

    fn part_of(&self, blossom: usize, vertex: usize) -> usize {
        self.part[blossom * (self.n + 1) + vertex] as usize
    }

    /// The even distance of a part from the base of its blossom; the blossom is turned round if the other way is the even one.
    fn even_place(&mut self, blossom: usize, part: usize) -> usize {
        let parts = &mut self.parts[blossom];
        let place = parts.iter().position(|one| *one == part).unwrap_or(0);
        if place % 2 == 1 {
            parts[1..].reverse();
            parts.len() - place
        } else {
            place
        }
    }

    fn set_partner(&mut self, x: usize, y: usize) {
        let Some((u, v)) = self.edge(x, y) else {
            return;
        };
        self.partner[x] = v;
        if x <= self.n {
            return;
        }
        let part = self.part_of(x, u);
        let place = self.even_place(x, part);
        for index in 0..place {
            let (a, b) = (self.parts[x][index], self.parts[x][index ^ 1]);
            self.set_partner(a, b);
        }
        self.set_partner(part, y);
        self.parts[x].rotate_left(place);
    }

    /// Exchanges the edges on the way from `u` to its root, beginning with its edge to `v`.
    fn augment(&mut self, mut u: usize, mut v: usize) {
        loop {
            let next = self.root[self.partner[u]];
            self.set_partner(u, v);
            if next == 0 {
                return;
            }
            let parent = self.root[self.parent[next]];
            self.set_partner(next, parent);
            (u, v) = (parent, next);
        }
    }

    fn common_ancestor(&mut self, mut u: usize, mut v: usize) -> Option<usize> {
        self.visit += 1;
        while u != 0 || v != 0 {
            if u != 0 {
                if self.visited[u] == self.visit {
                    return Some(u);
                }
                self.visited[u] = self.visit;
                u = self.root[self.partner[u]];
                if u != 0 {
                    u = self.root[self.parent[u]];
                }
            }
            std::mem::swap(&mut u, &mut v);
        }
        None
    }

    fn add_blossom(&mut self, u: usize, ancestor: usize, v: usize) {
        let free = (self.n + 1..=self.top).find(|b| self.root[*b] == 0);
        let blossom = free.unwrap_or(self.top + 1);
        self.top = self.top.max(blossom);
        self.duals[blossom * self.length..(blossom + 1) * self.length].fill(0);
        self.label[blossom] = Label::Outer;
        self.partner[blossom] = self.partner[ancestor];
        self.parts[blossom] = vec![ancestor];
        for (turn, end) in [u, v].into_iter().enumerate() {
            let mut x = end;
            while x != ancestor {
                let y = self.root[self.partner[x]];
                self.parts[blossom].extend([x, y]);
                self.enqueue(y);
                x = self.root[self.parent[y]];
            }
            if turn == 0 {
                self.parts[blossom][1..].reverse();
            }
        }
        self.set_root(blossom, blossom);
        for x in 1..=self.top {
            self.edges[blossom * self.width + x] = (0, 0);
            self.edges[x * self.width + blossom] = (0, 0);
        }
        self.part[blossom * (self.n + 1)..(blossom + 1) * (self.n + 1)].fill(0);
        for part in self.parts[blossom].clone() {
            for x in 1..=self.top {
                let Some(edge) = self.edge(part, x) else {
                    continue;
                };
                let old = self.edge(blossom, x);
                if old.is_none_or(|old| self.compare(edge, old).is_lt()) {
                    self.edges[blossom * self.width + x] = self.edges[part * self.width + x];
                    self.edges[x * self.width + blossom] = self.edges[x * self.width + part];
                }
            }
            for x in 1..=self.n {
                if self.part_of(part, x) != 0 {
                    self.part[blossom * (self.n + 1) + x] = number(part);
                }
            }
        }
        self.reset_slack(blossom);
    }

    fn expand_blossom(&mut self, blossom: usize) {
        for part in self.parts[blossom].clone() {
            self.set_root(part, part);
        }
        let parent = self.parent[blossom];
        let Some((u, _)) = self.edge(blossom, parent) else {
            return;
        };
        let entry = self.part_of(blossom, u);
        let place = self.even_place(blossom, entry);
        let parts = std::mem::take(&mut self.parts[blossom]);
        for pair in parts[..place].chunks(2) {
            let (inner, outer) = (pair[0], pair[1]);
            self.parent[inner] = self.edge(outer, inner).map_or(0, |(u, _)| u);
            self.label[inner] = Label::Inner;
            self.label[outer] = Label::Outer;
            self.slack[inner] = 0;
            self.reset_slack(outer);
            self.enqueue(outer);
        }
        self.label[entry] = Label::Inner;
        self.parent[entry] = parent;
        for part in &parts[place + 1..] {
            self.label[*part] = Label::Free;
            self.reset_slack(*part);
        }
        self.root[blossom] = 0;
    }

    /// Follows a tight edge; returns whether the matching has grown.
    fn follow(&mut self, (u, v): (usize, usize)) -> bool {
        let (a, b) = (self.root[u], self.root[v]);
        match self.label[b] {
            Label::Free => {
                self.parent[b] = u;
                self.label[b] = Label::Inner;
                let next = self.root[self.partner[b]];
                self.slack[b] = 0;
                self.slack[next] = 0;
                self.label[next] = Label::Outer;
                self.enqueue(next);
                false
            }
            Label::Outer => {
                if let Some(ancestor) = self.common_ancestor(a, b) {
                    self.add_blossom(a, ancestor, b);
                    return false;
                }
                self.augment(a, b);
                self.augment(b, a);
                true
            }
            Label::Inner => false,
        }
    }

    /// Grows the matching by an edge; returns whether it could.
    fn augment_once(&mut self) -> bool {
        self.label.fill(Label::Free);
        self.slack.fill(0);
        self.queue.clear();
        for x in 1..=self.top {
            if self.root[x] == x && self.partner[x] == 0 {
                self.parent[x] = 0;
                self.label[x] = Label::Outer;
                self.enqueue(x);
            }
        }
        if self.queue.is_empty() {
            return false;
        }
        loop {
            if self.scan() {
                return true;
            }
            let Some(step) = self.step() else {
                return false;
            };
            if !self.change_duals(&step) {
                return false;
            }
            self.queue.clear();
            for x in 1..=self.top {
                let u = self.slack[x];
                if self.root[x] != x || u == 0 || self.root[u] == x {
                    continue;
                }
                let tight = self.edge(u, x).filter(|edge| self.is_tight(*edge));
                if tight.is_some_and(|edge| self.follow(edge)) {
                    return true;
                }
            }
            for blossom in self.n + 1..=self.top {
                let dual = blossom * self.length..(blossom + 1) * self.length;
                let is_inner = self.root[blossom] == blossom && self.label[blossom] == Label::Inner;
                if is_inner && self.duals[dual].iter().all(|number| *number == 0) {
                    self.expand_blossom(blossom);
                }
            }
        }
    }

    /// Follows the tight edges of the vertices in the queue.
    fn scan(&mut self) -> bool {
        while let Some(u) = self.queue.pop_front() {
            if self.label[self.root[u]] == Label::Inner {
                continue;
            }
            for v in 1..=self.n {
                let Some(edge) = self.edge(u, v).filter(|_| self.root[u] != self.root[v]) else {
                    continue;
                };
                if !self.is_tight(edge) {
                    self.improve_slack(u, self.root[v]);
                } else if self.follow(edge) {
                    return true;
                }
            }
        }
        false
    }

    /// The change of the duals by which an edge becomes tight, or a blossom may be expanded.
    fn step(&self) -> Option<Vec<i64>> {
        let mut least: Option<Vec<i64>> = None;
        let mut offer = |numbers: Vec<i64>| {
            if least.as_ref().is_none_or(|old| numbers < *old) {
                least = Some(numbers);
            }
        };
        for blossom in self.n + 1..=self.top {
            if self.root[blossom] == blossom && self.label[blossom] == Label::Inner {
                let dual = &self.duals[blossom * self.length..(blossom + 1) * self.length];
                offer(dual.iter().map(|number| number / 2).collect());
            }
        }
        for x in 1..=self.top {
            if self.root[x] != x || self.slack[x] == 0 {
                continue;
            }
            let Some(edge) = self.edge(self.slack[x], x) else {
                continue;
            };
            // The slack between two outer ones is even in each number: their duals are equal but for even changes.
            let share = match self.label[x] {
                Label::Free => 1,
                Label::Outer => 2,
                Label::Inner => continue,
            };
            let numbers = (0..self.length).map(|position| self.slack_at(edge, position) / share);
            offer(numbers.collect());
        }
        least
    }

    /// Returns `false` if an unmatched vertex is better left so.
    fn change_duals(&mut self, step: &[i64]) -> bool {
        for u in 1..=self.n {
            let sign = match self.label[self.root[u]] {
                Label::Outer => -1,
                Label::Inner => 1,
                Label::Free => continue,
            };
            let dual = &mut self.duals[u * self.length..(u + 1) * self.length];
            if sign < 0 && *dual <= *step {
                return false;
            }
            for (number, step) in dual.iter_mut().zip(step) {
                *number += sign * step;
            }
        }
        for blossom in self.n + 1..=self.top {
            if self.root[blossom] != blossom {
                continue;
            }
            let sign = match self.label[blossom] {
                Label::Outer => 2,
                Label::Inner => -2,
                Label::Free => continue,
            };
            let dual = &mut self.duals[blossom * self.length..(blossom + 1) * self.length];
            for (number, step) in dual.iter_mut().zip(step) {
                *number += sign * step;
            }
        }
        true
    }
}

fn number(x: usize) -> u32 {
    u32::try_from(x).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The greatest weight of a matching, by trying all.
    fn best(weights: &Weights, used: u32) -> Vec<i64> {
        let n = weights.vertices();
        let Some(u) = (0..n).find(|u| used & (1 << u) == 0) else {
            return vec![0; weights.length()];
        };
        let mut greatest = best(weights, used | 1 << u);
        for v in u + 1..n {
            if used & (1 << v) == 0 && weights.has_edge(u, v) {
                let rest = best(weights, used | 1 << u | 1 << v);
                let sum: Vec<i64> = (0..weights.length())
                    .map(|at| rest[at] + weights.get(u, v, at))
                    .collect();
                greatest = greatest.max(sum);
            }
        }
        greatest
    }

    #[test]
    fn no_matching_weighs_more() {
        let mut rng = fastrand::Rng::with_seed(5);
        for case in 0..3_000 {
            let n = rng.usize(0..=9);
            let mut weights = Weights::new(n, 2, 2);
            for u in 0..n {
                for v in u + 1..n {
                    if rng.u32(0..10) < 7 {
                        let front = [rng.i64(1..3), rng.i64(-3..4)];
                        let sparse = [
                            (rng.u32(0..2), rng.i64(-5..6)),
                            (rng.u32(0..2), rng.i64(-5..6)),
                        ];
                        weights.set(u, v, &front, sparse);
                    }
                }
            }
            let partners = maximum(&weights);
            let mut sum = vec![0; weights.length()];
            for (u, partner) in partners.iter().enumerate() {
                let Some(v) = *partner else { continue };
                assert_eq!(partners[v], Some(u));
                assert!(weights.has_edge(u, v));
                for (at, sum) in sum.iter_mut().enumerate().filter(|_| u < v) {
                    *sum += weights.get(u, v, at);
                }
            }
            assert_eq!(sum, best(&weights, 0), "case {case}");
        }
    }
}
