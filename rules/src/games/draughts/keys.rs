//! The keys of the hash of a position.

use crate::vocab::{BySide, Side};
use crate::zobrist;

const PIECES: BySide<[u64; 64]> = BySide::new(
    zobrist::keys(0x6472_6175_0000_0001),
    zobrist::keys(0x6472_6175_0000_0002),
);
/// One key a square suffices: a crown always belongs to the piece on its square.
const CROWNS: [u64; 64] = zobrist::keys(0x6472_6175_0000_0003);
/// The key of the second side to move.
pub(super) const SECOND_TO_MOVE: u64 = zobrist::keys::<1>(0x6472_6175_0000_0004)[0];

/// The keys of a set of squares in a table.
#[inline]
fn of_set(table: &[u64; 64], mut set: u64) -> u64 {
    let mut keys = 0;
    while set != 0 {
        keys ^= table[set.trailing_zeros() as usize & 63];
        set &= set - 1;
    }
    keys
}

/// The keys of a side's pieces on these squares.
#[inline]
pub(super) fn of_pieces(side: Side, squares: u64) -> u64 {
    of_set(&PIECES[side], squares)
}

/// The keys of crowns on these squares.
#[inline]
pub(super) fn of_crowns(squares: u64) -> u64 {
    of_set(&CROWNS, squares)
}

/// The hash of a position.
pub(super) fn hash_of(pieces: BySide<u64>, kings: u64, turn: Side) -> u64 {
    let turn = match turn {
        Side::First => 0,
        Side::Second => SECOND_TO_MOVE,
    };
    let pieces = of_pieces(Side::First, pieces.first) ^ of_pieces(Side::Second, pieces.second);
    turn ^ pieces ^ of_crowns(kings)
}
