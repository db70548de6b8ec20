//! Patterns that evaluate a position: each configuration of discs on a pattern has a weight, and the evaluation of a
//! position is the sum of its weights.
//!
//! The patterns are corners, edges, lines and diagonals (as in M. Buro, "Improving heuristic mini-max search by
//! supervised learning", Artificial Intelligence 134, 2002). A configuration is a number in base three, and all 46
//! numbers of a position are updated together, four to a word.

use std::sync::LazyLock;

use super::board::{Board, squares};

/// The patterns at the corner a1; their rotations and reflections cover the board.
const SHAPES: [&[u8]; 11] = [
    // A corner, three squares by three.
    &[0, 1, 2, 8, 9, 10, 16, 17, 18],
    // A corner, two by five.
    &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12],
    // An edge and the squares diagonally beside its corners.
    &[0, 1, 2, 3, 4, 5, 6, 7, 9, 14],
    // The inner lines.
    &[8, 9, 10, 11, 12, 13, 14, 15],
    &[16, 17, 18, 19, 20, 21, 22, 23],
    &[24, 25, 26, 27, 28, 29, 30, 31],
    // Diagonals.
    &[0, 9, 18, 27, 36, 45, 54, 63],
    &[1, 10, 19, 28, 37, 46, 55],
    &[2, 11, 20, 29, 38, 47],
    &[3, 12, 21, 30, 39],
    &[4, 13, 22, 31],
];
/// The number of placements of each pattern on the board.
const TIMES: [usize; SHAPES.len()] = [4, 8, 4, 4, 4, 4, 2, 4, 4, 4, 4];
/// The number of placements of all patterns.
pub(super) const PLACES: usize = 46;
const WORDS: usize = 12;
/// The offset of each placement's pattern in a table of all configurations of all patterns. A constant, so that a
/// lookup is one instruction.
const BEGINS: [usize; PLACES] = begins();
/// A size greater than the number of configurations, and than the offset of the last pattern plus any number of
/// sixteen bits, so that no index needs a check.
const TABLE: usize = 1 << 18;
/// Positions of the same stage share weights; a stage has this many numbers of empty squares.
pub(super) const STAGE: u32 = 4;
pub(super) const STAGES: usize = 16;
/// The stages whose weights are kept in a file; those between are interpolated.
pub(super) const ANCHORS: [u32; 4] = [2, 5, 8, 12];

/// The placements of the patterns, and the classes of equivalent configurations.
pub(super) struct Layout {
    /// The amounts that each square adds to the numbers of all placements.
    adds: [[u64; WORDS]; 64],
    /// The greatest numbers of all placements.
    most: [u64; WORDS],
    /// The class of each configuration: mirror images share a class and its weight.
    class_of: Vec<u32>,
    pub(super) classes: usize,
}

const fn begins() -> [usize; PLACES] {
    let mut begins = [0; PLACES];
    let (mut shape, mut place, mut begin) = (0, 0, 0);
    while shape < SHAPES.len() {
        let end = place + TIMES[shape];
        while place < end {
            begins[place] = begin;
            place += 1;
        }
        begin += 3_usize.pow(SHAPES[shape].len() as u32);
        shape += 1;
    }
    begins
}

/// The image of a square under one of the eight symmetries of the board.
fn turned(square: u8, symmetry: u8) -> u8 {
    let (mut file, mut rank) = (square & 7, square >> 3);
    if symmetry & 1 != 0 {
        file = 7 - file;
    }
    if symmetry & 2 != 0 {
        rank = 7 - rank;
    }
    match symmetry & 4 {
        0 => rank * 8 + file,
        _ => file * 8 + rank,
    }
}

fn set_of(squares: &[u8]) -> u64 {
    squares.iter().fold(0, |set, square| set | 1 << square)
}

impl Layout {
    fn new() -> Self {
        let mut layout = Self {
            adds: [[0; WORDS]; 64],
            most: [0; WORDS],
            class_of: Vec::new(),
            classes: 0,
        };
        let mut place = 0;
        for squares in SHAPES {
            let mut seen = Vec::new();
            for symmetry in 0..8 {
                let there: Vec<u8> = squares.iter().map(|at| turned(*at, symmetry)).collect();
                if seen.contains(&set_of(&there)) {
                    continue;
                }
                seen.push(set_of(&there));
                let mut power = 1_u64;
                for square in there {
                    let lane = power << (16 * (place % 4));
                    layout.adds[usize::from(square)][place / 4] += lane;
                    layout.most[place / 4] += 2 * lane;
                    power *= 3;
                }
                assert_eq!(layout.class_of.len(), BEGINS[place], "where it was thought");
                place += 1;
            }
            layout.number_classes(squares);
        }
        assert_eq!(place, PLACES, "as many places as are counted");
        layout
    }

    fn number_classes(&mut self, squares: &[u8]) {
        let ways = 3_usize.pow(squares.len() as u32);
        // The permutation of the squares by the reflection that maps the pattern to itself.
        let set = set_of(squares);
        let places = (1..8).find_map(|symmetry| {
            let there: Vec<u8> = squares.iter().map(|at| turned(*at, symmetry)).collect();
            let moves = there != *squares && set_of(&there) == set;
            moves.then(|| {
                let place = |at: &u8| squares.iter().position(|square| square == at);
                there.iter().filter_map(place).collect::<Vec<usize>>()
            })
        });
        let begin = self.class_of.len();
        for way in 0..ways {
            let mut image = way;
            if let Some(places) = &places {
                let mut rest = way;
                image = 0;
                for place in places {
                    image += rest % 3 * 3_usize.pow(*place as u32);
                    rest /= 3;
                }
            }
            let class = match image < way {
                true => self.class_of[begin + image],
                false => {
                    self.classes += 1;
                    self.classes as u32 - 1
                }
            };
            self.class_of.push(class);
        }
    }

    /// The classes of a position, one for each placement.
    pub(super) fn classes(&self, ways: &Ways) -> [u32; PLACES] {
        std::array::from_fn(|place| self.class_of[BEGINS[place] + ways.at(place)])
    }

    /// The numbers of all placements on a board.
    pub(super) fn ways(&self, board: Board) -> Ways {
        let mut words = [0; WORDS];
        let digits = [(board.empty(), 1), (board.other, 2)];
        for (set, digit) in digits {
            for square in squares(set) {
                for (word, add) in words.iter_mut().zip(&self.adds[square as usize & 63]) {
                    *word += digit * add;
                }
            }
        }
        Ways(words)
    }
}

pub(super) static LAYOUT: LazyLock<Layout> = LazyLock::new(Layout::new);

/// The numbers of all placements, from the view of the side to move: own discs are 0, empty squares 1, the other
/// side's discs 2. So the other side's numbers are the greatest numbers less these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ways([u64; WORDS]);

impl Ways {
    #[inline(always)]
    fn at(&self, place: usize) -> usize {
        (self.0[place / 4] >> (16 * (place % 4)) & 0xffff) as usize
    }
}

/// The stage of a position with this many empty squares.
pub(super) fn stage(empties: u32) -> usize {
    ((empties / STAGE) as usize).min(STAGES - 1)
}

/// The two anchors around a stage, and the share of the second one.
pub(super) fn between(stage: usize) -> (usize, usize, f32) {
    let stage = stage as u32;
    let above = ANCHORS.iter().position(|anchor| *anchor >= stage);
    match above {
        None => (ANCHORS.len() - 1, ANCHORS.len() - 1, 0.0),
        Some(0) => (0, 0, 0.0),
        Some(above) => {
            let (low, high) = (ANCHORS[above - 1], ANCHORS[above]);
            let share = (stage - low) as f32 / (high - low) as f32;
            (above - 1, above, share)
        }
    }
}

/// The weights of the patterns in tables for fast lookup.
#[derive(PartialEq)]
pub struct Patterns {
    adds: [[u64; WORDS]; 64],
    most: [u64; WORDS],
    /// For each stage the weights of all configurations of all patterns, in hundredths of a disc.
    stages: Vec<Box<[i16; TABLE]>>,
}

impl Patterns {
    /// The patterns with these weights, in hundredths of a disc: anchor after anchor, with a weight for each class.
    pub(super) fn new(weights: &[f32]) -> Self {
        let layout = &*LAYOUT;
        let table = |stage| {
            let (low, high, share) = between(stage);
            let mut table = vec![0_i16; TABLE];
            for (slot, class) in table.iter_mut().zip(&layout.class_of) {
                let at = |anchor: usize| weights[anchor * layout.classes + *class as usize];
                let weight = at(low) * (1.0 - share) + at(high) * share;
                *slot = weight.round() as i16;
            }
            table.try_into().expect("as long as it was made")
        };
        Self {
            adds: layout.adds,
            most: layout.most,
            stages: (0..STAGES).map(table).collect(),
        }
    }

    /// The numbers of a board, computed from its squares.
    pub(super) fn ways(&self, board: Board) -> Ways {
        LAYOUT.ways(board)
    }

    /// The numbers after a disc on `square`, from the view of the other side.
    #[inline]
    pub(super) fn after(&self, ways: &Ways, square: u32, flips: u64) -> Ways {
        let mut turned = [0; WORDS];
        for square in squares(flips) {
            let adds = &self.adds[square as usize & 63];
            for (word, add) in turned.iter_mut().zip(adds) {
                *word += add;
            }
        }
        let placed = &self.adds[square as usize & 63];
        let mut after = self.most;
        for i in 0..WORDS {
            after[i] = after[i] - ways.0[i] + placed[i] + 2 * turned[i];
        }
        Ways(after)
    }

    /// The numbers after a pass.
    #[inline]
    pub(super) fn passed(&self, ways: &Ways) -> Ways {
        let mut after = self.most;
        for (word, own) in after.iter_mut().zip(&ways.0) {
            *word -= own;
        }
        Ways(after)
    }

    /// The evaluation from the view of the side to move, in hundredths of a disc.
    #[inline]
    pub(super) fn judge(&self, ways: &Ways, empties: u32) -> i32 {
        let Some(table) = self.stages.get(stage(empties)) else {
            return 0;
        };
        let words = &ways.0;
        let sum = four::<0>(table, words)
            + four::<1>(table, words)
            + four::<2>(table, words)
            + four::<3>(table, words)
            + four::<4>(table, words)
            + four::<5>(table, words)
            + four::<6>(table, words)
            + four::<7>(table, words)
            + four::<8>(table, words)
            + four::<9>(table, words)
            + four::<10>(table, words)
            + four::<11>(table, words);
        sum.clamp(-MOST, MOST)
    }
}

/// The sum of the weights of the four placements of a word. The word is a constant parameter; a loop would look up and
/// check constants in every evaluation.
#[inline(always)]
fn four<const WORD: usize>(table: &[i16; TABLE], words: &[u64; WORDS]) -> i32 {
    let at = |lane: usize| {
        let way = (words[WORD] >> (16 * lane) & 0xffff) as usize;
        match 4 * WORD + lane {
            place if place < PLACES => i32::from(table[BEGINS[place] + way]),
            _ => 0,
        }
    };
    at(0) + at(1) + at(2) + at(3)
}

/// The greatest absolute evaluation: a whole board.
pub(super) const MOST: i32 = 6_400;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sight::mix;

    fn some_weights() -> Patterns {
        let weights = (0..ANCHORS.len() as u64).flat_map(|anchor| {
            let weight = move |class| (mix(class ^ (anchor << 32)) % 61) as f32 - 30.0;
            (0..LAYOUT.classes as u64).map(weight)
        });
        Patterns::new(&weights.collect::<Vec<f32>>())
    }

    fn some_board(seed: u64) -> Board {
        let (own, taken) = (mix(seed), mix(seed + 12_345));
        Board {
            own: own & taken,
            other: !own & taken,
        }
    }

    #[test]
    fn ways_kept_up_to_date_are_those_worked_out_afresh() {
        let patterns = some_weights();
        for seed in 0..500 {
            let board = some_board(seed);
            let ways = patterns.ways(board);
            assert_eq!(patterns.passed(&ways), patterns.ways(board.pass()));
            for square in squares(board.placements()) {
                let flips = board.flips(square);
                let after = patterns.after(&ways, square, flips);
                assert_eq!(after, patterns.ways(board.play(square, flips)));
            }
        }
    }

    #[test]
    fn turned_and_mirrored_boards_are_worth_the_same() {
        let patterns = some_weights();
        let worth = |board: Board| patterns.judge(&patterns.ways(board), board.empties());
        let image = |set: u64, symmetry| {
            let there = |at: u32| 1_u64 << turned(at as u8, symmetry);
            squares(set).map(there).sum()
        };
        for seed in 0..200 {
            let board = some_board(seed);
            for symmetry in 1..8 {
                let there = Board {
                    own: image(board.own, symmetry),
                    other: image(board.other, symmetry),
                };
                assert_eq!(worth(board), worth(there), "{board:?}");
            }
        }
    }
}
