//! The weights of a graph, as lists of numbers that are compared from the front.
//!
//! The criteria of the Dutch system are ordered: one never gives way to a later one. A weight has a digit for each criterion, several of which
//! share a number. The order of otherwise equal pairings needs a digit for each player, of which an edge has two at most: they are stored
//! apart.

use std::cmp::Ordering;

/// The digits in a number of a weight. Sums along the paths of the matching stay far below the limit of a number.
const DIGITS: usize = 4;

/// The bits of a digit: it counts players, of whom there are at most 300.
const DIGIT_BITS: u32 = 10;

/// The yes-or-no digits in a number.
const FLAGS: usize = 40;

/// The numbers of a weight behind the front, of which an edge has few: position and value.
pub(super) type Sparse = [(u32, i64); 2];

/// The place of a digit in a weight, counted in digits from the first of its part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Digit(pub(super) usize);

/// Writes the digits of the front part of a weight.
#[derive(Debug, Default)]
pub(super) struct Front {
    numbers: Vec<i64>,
    digits: usize,
}

impl Front {
    /// Adds a digit behind the others.
    pub(super) fn push(&mut self, value: i64) {
        let place = self.digits % DIGITS;
        if place == 0 {
            self.numbers.push(0);
        }
        if let Some(last) = self.numbers.last_mut() {
            *last += value << (DIGIT_BITS * shift(DIGITS - 1 - place));
        }
        self.digits += 1;
    }

    /// Adds a number of its own, for values too large for a digit.
    pub(super) fn push_number(&mut self, value: i64) {
        self.numbers.push(value);
        self.digits = self.digits.next_multiple_of(DIGITS) + DIGITS;
    }

    pub(super) fn numbers(&self) -> &[i64] {
        &self.numbers
    }
}

fn shift(digits: usize) -> u32 {
    u32::try_from(digits).unwrap_or(0)
}

/// A digit behind the front, as a number of the sparse part.
pub(super) fn digit(Digit(place): Digit, value: i64) -> (u32, i64) {
    let bits = DIGIT_BITS * shift(DIGITS - 1 - place % DIGITS);
    (shift(place / DIGITS), value << bits)
}

/// The count of numbers that hold this many digits.
pub(super) fn numbers_of_digits(digits: usize) -> usize {
    digits.div_ceil(DIGITS)
}

/// A yes-or-no digit behind the front.
pub(super) fn flag(Digit(place): Digit, value: i64) -> (u32, i64) {
    (shift(place / FLAGS), value << (FLAGS - 1 - place % FLAGS))
}

/// The count of numbers that hold this many yes-or-no digits.
pub(super) fn numbers_of_flags(flags: usize) -> usize {
    flags.div_ceil(FLAGS)
}

/// The weighted edges of a graph.
#[derive(Debug)]
pub(super) struct Weights {
    vertices: usize,
    front: usize,
    /// The count of numbers of a weight.
    length: usize,
    values: Vec<i64>,
    sparse: Vec<Sparse>,
    has_edge: Vec<bool>,
}

impl Weights {
    /// Makes a graph without edges.
    pub(super) fn new(vertices: usize, front: usize, behind: usize) -> Weights {
        let edges = vertices * vertices;
        Weights {
            vertices,
            front,
            length: front + behind,
            values: vec![0; edges * front],
            sparse: vec![[(u32::MAX, 0); 2]; edges],
            has_edge: vec![false; edges],
        }
    }

    /// Adds an edge. The positions of the sparse numbers count from the first behind the front.
    pub(super) fn set(&mut self, u: usize, v: usize, front: &[i64], sparse: Sparse) {
        for (u, v) in [(u, v), (v, u)] {
            let edge = u * self.vertices + v;
            self.has_edge[edge] = true;
            self.sparse[edge] = sparse;
            let start = edge * self.front;
            self.values[start..start + front.len()].copy_from_slice(front);
        }
    }

    pub(super) fn vertices(&self) -> usize {
        self.vertices
    }

    pub(super) fn length(&self) -> usize {
        self.length
    }

    pub(super) fn has_edge(&self, u: usize, v: usize) -> bool {
        self.has_edge[u * self.vertices + v]
    }

    /// The number at a position of the weight of an edge.
    pub(super) fn get(&self, u: usize, v: usize, position: usize) -> i64 {
        let edge = u * self.vertices + v;
        if position < self.front {
            return self.values[edge * self.front + position];
        }
        let behind = position - self.front;
        let found = self.sparse[edge]
            .iter()
            .filter(|(place, _)| *place as usize == behind);
        found.map(|(_, value)| value).sum()
    }

    /// The greatest weight; no numbers without an edge.
    pub(super) fn greatest(&self) -> Vec<i64> {
        let mut best: Option<(usize, usize)> = None;
        for u in 0..self.vertices {
            for v in u + 1..self.vertices {
                let greater = |(a, b)| self.compare((u, v), (a, b)) == Ordering::Greater;
                if self.has_edge(u, v) && best.is_none_or(greater) {
                    best = Some((u, v));
                }
            }
        }
        let Some((u, v)) = best else {
            return Vec::new();
        };
        (0..self.length)
            .map(|position| self.get(u, v, position))
            .collect()
    }

    fn compare(&self, (a, b): (usize, usize), (c, d): (usize, usize)) -> Ordering {
        let positions = 0..self.length;
        let mut orders = positions.map(|at| self.get(a, b, at).cmp(&self.get(c, d, at)));
        orders
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}
