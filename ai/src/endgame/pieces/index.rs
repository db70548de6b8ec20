//! Numbers of the positions of a material: men and kings of either side as combinations of squares.
//!
//! Own men stand on the squares 1 to 28, the other side's on 5 to 32, kings on the squares without
//! men. So a number belongs to no position only if two men stand on one square.

use mawe_rules::{BySide, GameKind};

use super::super::slice::Slice;
use super::game::MenAndKings;

/// The most pieces of a database of any game.
pub(super) const MOST: usize = 6;

/// The number of squares on which a side's men can stand.
const MEN_SQUARES: usize = 28;
const SQUARES: usize = 32;

/// Binomial coefficients: `[k][n]` is the number of combinations of `k` squares out of `n`.
const CHOICES: [[usize; SQUARES + 1]; MOST + 1] = choices();

const fn choices() -> [[usize; SQUARES + 1]; MOST + 1] {
    let mut table = [[0; SQUARES + 1]; MOST + 1];
    let mut n = 0;
    while n <= SQUARES {
        table[0][n] = 1;
        let mut k = 1;
        while n > 0 && k <= MOST {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
}

/// The pieces of a position from the view of the side to move, which plays down the board: bit 0 is
/// square 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) own_men: u32,
    pub(super) own_kings: u32,
    pub(super) other_men: u32,
    pub(super) other_kings: u32,
}

impl Board {
    #[inline]
    pub(super) fn of<P: MenAndKings>(pos: &P) -> Self {
        let side = pos.turn();
        let squares = |set: u64| match side == P::DOWN {
            true => packed(set),
            false => packed(set).reverse_bits(),
        };
        let (own, other) = (pos.pieces_of(side), pos.pieces_of(side.other()));
        let kings = pos.all_kings();
        Self {
            own_men: squares(own & !kings),
            own_kings: squares(own & kings),
            other_men: squares(other & !kings),
            other_kings: squares(other & kings),
        }
    }

    /// The position in which the side to move plays down the board.
    pub(super) fn position<P: MenAndKings>(&self) -> P {
        let own = spread(self.own_men | self.own_kings);
        let other = spread(self.other_men | self.other_kings);
        let kings = spread(self.own_kings | self.other_kings);
        let pieces = BySide::from_fn(|side| if side == P::DOWN { own } else { other });
        P::with_pieces(pieces, kings, P::DOWN)
    }

    /// The same position with the other side to move, which plays up the board.
    #[cfg(test)]
    pub(super) fn position_upwards<P: MenAndKings>(&self) -> P {
        let turned = self.turned();
        let own = spread(turned.other_men | turned.other_kings);
        let other = spread(turned.own_men | turned.own_kings);
        let kings = spread(turned.own_kings | turned.other_kings);
        let pieces = BySide::from_fn(|side| if side == P::DOWN { other } else { own });
        P::with_pieces(pieces, kings, P::DOWN.other())
    }

    /// The board from the view of the other side.
    #[inline]
    pub(super) fn turned(&self) -> Self {
        Self {
            own_men: self.other_men.reverse_bits(),
            own_kings: self.other_kings.reverse_bits(),
            other_men: self.own_men.reverse_bits(),
            other_kings: self.own_kings.reverse_bits(),
        }
    }

    #[inline]
    pub(super) fn all(&self) -> u32 {
        self.own_men | self.own_kings | self.other_men | self.other_kings
    }

    /// The material of a board of at most [`MOST`] pieces.
    #[inline]
    pub(super) fn material(&self) -> Material {
        let count = |set: u32| set.count_ones() as u8;
        Material([
            count(self.own_men),
            count(self.own_kings),
            count(self.other_men),
            count(self.other_kings),
        ])
    }
}

/// The numbers of men and kings of the side to move, then of the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Material(pub(super) [u8; 4]);

impl Material {
    pub(super) fn slice(self, kind: GameKind) -> Slice {
        Slice {
            kind,
            parts: self.0,
        }
    }

    pub(super) fn turned(self) -> Self {
        let [men, kings, other_men, other_kings] = self.0;
        Self([other_men, other_kings, men, kings])
    }

    /// Whether captures and crownings can lead from this material to the other, with either side to move.
    pub(super) fn leads_to(self, other: Self) -> bool {
        let [men, kings, other_men, other_kings] = self.0;
        let [to_men, to_kings, to_other_men, to_other_kings] = other.0;
        to_men <= men
            && to_men + to_kings <= men + kings
            && to_other_men <= other_men
            && to_other_men + to_other_kings <= other_men + other_kings
    }

    /// Whether a database of up to `most` pieces, at most [`MOST`], can hold it: both sides have a piece.
    pub(super) fn is_kept(self, most: u8) -> bool {
        let all: u32 = self.0.iter().map(|count| u32::from(*count)).sum();
        let others = u32::from(self.0[2]) + u32::from(self.0[3]);
        all <= u32::from(most) && others > 0 && others < all
    }

    /// The index in a database of at most [`MOST`] pieces.
    #[inline]
    pub(super) fn place(self) -> usize {
        self.0
            .iter()
            .fold(0, |place, count| place * (MOST + 1) + usize::from(*count))
    }

    /// The number of position numbers; 0 if a database of up to `most` pieces cannot hold the material.
    pub(super) fn length(self, most: u8) -> usize {
        if !self.is_kept(most) {
            return 0;
        }
        let [own_men, other_men, own_kings, other_kings] = self.choices();
        own_men * other_men * own_kings * other_kings
    }

    /// The number of combinations of each kind of piece, given the pieces before it.
    #[inline]
    fn choices(self) -> [usize; 4] {
        let [men, kings, other_men, other_kings] = self.0.map(usize::from);
        let free = SQUARES - men - other_men;
        [
            CHOICES[men][MEN_SQUARES],
            CHOICES[other_men][MEN_SQUARES],
            CHOICES[kings][free],
            CHOICES[other_kings][free - kings],
        ]
    }

    /// The number of a position with this material.
    #[inline]
    pub(super) fn rank(self, board: &Board) -> usize {
        let [_, other_men, own_kings, other_kings] = self.choices();
        let men = board.own_men | board.other_men;
        let mut rank = rank(board.own_men, 0);
        rank = rank * other_men + self::rank(board.other_men.reverse_bits(), 0);
        rank = rank * own_kings + self::rank(board.own_kings, men);
        rank * other_kings + self::rank(board.other_kings, men | board.own_kings)
    }

    /// The position with this number; `None` if two of its men stand on one square.
    #[inline]
    pub(super) fn unrank(self, number: usize) -> Option<Board> {
        let [men, kings, other_men, other_kings] = self.0.map(usize::from);
        let [_, of_other_men, of_own_kings, of_other_kings] = self.choices();
        let (rest, other_kings_number) = (number / of_other_kings, number % of_other_kings);
        let (rest, kings_number) = (rest / of_own_kings, rest % of_own_kings);
        let (men_number, other_men_number) = (rest / of_other_men, rest % of_other_men);
        let own_men = unrank(men_number, men, 0);
        let other_men = unrank(other_men_number, other_men, 0).reverse_bits();
        if own_men & other_men != 0 {
            return None;
        }
        let men = own_men | other_men;
        let own_kings = unrank(kings_number, kings, men);
        Some(Board {
            own_men,
            own_kings,
            other_men,
            other_kings: unrank(other_kings_number, other_kings, men | own_kings),
        })
    }
}

/// The number of a set of squares among all sets of its size without a square of `taken`.
#[inline]
fn rank(mut set: u32, taken: u32) -> usize {
    let (mut rank, mut k) = (0, 1);
    while set != 0 {
        let square = set.trailing_zeros();
        let before = taken & ((1 << square) - 1);
        rank += CHOICES[k][(square - before.count_ones()) as usize];
        set &= set - 1;
        k += 1;
    }
    rank
}

/// The set of `count` squares with this number, without a square of `taken`.
#[inline]
fn unrank(mut number: usize, count: usize, taken: u32) -> u32 {
    let mut set = 0;
    for k in (1..=count).rev() {
        let mut place = k - 1;
        while CHOICES[k][place + 1] <= number {
            place += 1;
        }
        number -= CHOICES[k][place];
        set |= free_square(taken, place);
    }
    set
}

/// The free square with `place` free squares before it.
#[inline]
fn free_square(taken: u32, place: usize) -> u32 {
    let mut free = !taken;
    for _ in 0..place {
        free &= free.wrapping_sub(1);
    }
    free & free.wrapping_neg()
}

/// The squares of a bit set of the rules, without the gaps between them.
#[inline]
fn packed(set: u64) -> u32 {
    (set & 0xff | set >> 1 & 0xff00 | set >> 2 & 0xff_0000 | set >> 3 & 0xff00_0000) as u32
}

/// The inverse of [`packed`].
#[inline]
fn spread(set: u32) -> u64 {
    let set = u64::from(set);
    set & 0xff | (set & 0xff00) << 1 | (set & 0xff_0000) << 2 | (set & 0xff00_0000) << 3
}

/// The diagonal neighbours of each square, below it to the left and right and above it to the left and
/// right; 0 where there is none.
pub(super) struct Neighbours {
    pub(super) below: [[u32; SQUARES]; 2],
    pub(super) above: [[u32; SQUARES]; 2],
}

impl Neighbours {
    pub(super) const fn new() -> Self {
        let mut neighbours = Self {
            below: [[0; SQUARES]; 2],
            above: [[0; SQUARES]; 2],
        };
        let mut a = 0;
        while a < SQUARES {
            let mut b = 0;
            while b < SQUARES {
                let (row_a, row_b) = (a / 4, b / 4);
                // Even rows, counted from 0, are shifted one column to the right.
                let column_a = 2 * (a % 4) + 1 - row_a % 2;
                let column_b = 2 * (b % 4) + 1 - row_b % 2;
                if row_b == row_a + 1 && column_a.abs_diff(column_b) == 1 {
                    let right = (column_b > column_a) as usize;
                    neighbours.below[right][a] = 1 << b;
                    neighbours.above[1 - right][b] = 1 << a;
                }
                b += 1;
            }
            a += 1;
        }
        neighbours
    }
}

#[cfg(test)]
mod tests {
    use mawe_rules::games::checkers::{CheckersPosition, Square};
    use mawe_rules::games::draughts::{PoolPosition, RussianPosition};

    use super::*;

    #[test]
    fn squares_are_the_rules_squares() {
        for number in 1..=32 {
            let square = Square::new(number).expect("a square");
            assert_eq!(packed(square.bit()), 1 << (number - 1));
            assert_eq!(spread(1 << (number - 1)), square.bit());
            assert_eq!(RussianPosition::square(u32::from(number)), square.bit());
        }
    }

    #[test]
    fn every_position_has_its_number() {
        has_its_number::<CheckersPosition>();
        // White and Black begin.
        has_its_number::<RussianPosition>();
        has_its_number::<PoolPosition>();
    }

    fn has_its_number<P: MenAndKings>() {
        for parts in [[1, 0, 0, 1], [0, 2, 1, 0], [2, 0, 1, 1], [1, 1, 1, 1]] {
            let material = Material(parts);
            for number in (0..material.length(P::MOST_PIECES)).step_by(13) {
                let Some(board) = material.unrank(number) else {
                    continue;
                };
                assert_eq!(board.material(), material);
                assert_eq!(material.rank(&board), number);
                assert_eq!(Board::of(&board.position::<P>()), board);
                assert_eq!(Board::of(&board.position_upwards::<P>()), board);
                assert_eq!(board.turned().turned(), board);
            }
        }
    }
}
