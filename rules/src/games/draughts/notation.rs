//! The position string.

use std::fmt;
use std::str::FromStr;

use super::board::Geometry;
use super::position::DraughtsPosition;
use super::text::{Board, Contents};
use super::variant::{Colour, Variant};
use crate::error::PositionError;
use crate::vocab::{BySide, Side};

/// The board of a variant.
fn board<V: Variant>() -> Board {
    Board {
        // At most 50.
        squares: (2 * V::ROW * V::ROW) as u8,
        bit: |number| Geometry::<V>::bit(u32::from(number)),
        white: match V::BEGINS {
            Colour::White => Side::First,
            Colour::Black => Side::Second,
        },
        far_rows: BySide::new(V::far_row(Side::First), V::far_row(Side::Second)),
    }
}

impl<V: Variant> fmt::Display for DraughtsPosition<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let contents = Contents {
            pieces: self.pieces,
            kings: self.kings,
            turn: self.turn,
        };
        board::<V>().write(&contents, f)
    }
}

impl<V: Variant> FromStr for DraughtsPosition<V> {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let Contents {
            pieces,
            kings,
            turn,
        } = board::<V>().read(text)?;
        Ok(Self::new(pieces, kings, turn))
    }
}
