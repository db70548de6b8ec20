//! The move that led to a position.

use mawe_rules::{AnyMove, Side};

/// The move that led to a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LastMove {
    pub(crate) side: Side,
    pub(crate) played: AnyMove,
}
