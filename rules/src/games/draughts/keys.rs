//! The keys of the hash of a position.

use std::marker::PhantomData;

use super::variant::Variant;
use crate::vocab::{BySide, Side};
use crate::zobrist;

/// The keys of a variant, by the positions of the squares' bits.
pub(super) struct Keys<V>(PhantomData<V>);

impl<V: Variant> Keys<V> {
    const PIECES: &'static BySide<[u64; 64]> = &BySide::new(
        zobrist::keys(V::KEY_SEED | 1),
        zobrist::keys(V::KEY_SEED | 2),
    );
    /// One key a square suffices: a crown always belongs to the piece on its square.
    const CROWNS: &'static [u64; 64] = &zobrist::keys(V::KEY_SEED | 3);
    /// The key of the second side to move.
    pub(super) const SECOND_TO_MOVE: u64 = zobrist::keys::<1>(V::KEY_SEED | 4)[0];

    /// The key of a side's piece on a square.
    #[inline(always)]
    pub(super) fn of_piece(side: Side, square: u64) -> u64 {
        Self::PIECES[side][square.trailing_zeros() as usize & 63]
    }

    /// The key of a crown on a square.
    #[inline(always)]
    pub(super) fn of_crown(square: u64) -> u64 {
        Self::CROWNS[square.trailing_zeros() as usize & 63]
    }

    /// The hash of a position.
    pub(super) fn hash_of(pieces: BySide<u64>, kings: u64, turn: Side) -> u64 {
        let mut hash = match turn {
            Side::First => 0,
            Side::Second => Self::SECOND_TO_MOVE,
        };
        for side in Side::ALL {
            hash ^= Self::of_set(pieces[side], |square| Self::of_piece(side, square));
        }
        hash ^ Self::of_set(kings, Self::of_crown)
    }

    /// The keys of all squares of a set.
    #[inline(always)]
    fn of_set(mut set: u64, key: impl Fn(u64) -> u64) -> u64 {
        let mut keys = 0;
        while set != 0 {
            keys ^= key(set);
            set &= set - 1;
        }
        keys
    }
}
