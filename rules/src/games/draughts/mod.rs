//! The draughts family: American checkers, RULES.md section 3, and the games with flying kings, RULES-draughts.md. One board and one generator;
//! a [`Variant`] holds the rules as constants.
//!
//! ```
//! use mawe_rules::games::draughts::{DraughtsPosition, Russian};
//!
//! // A man that reaches the far row in a capture goes on as a king.
//! let position: DraughtsPosition<Russian> = "W:W12:B8,14".parse()?;
//! let mut moves = Vec::new();
//! position.list_moves(&mut moves);
//! let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
//! assert_eq!(texts, ["12x3x17", "12x3x21"]);
//! # Ok::<(), mawe_rules::PositionError>(())
//! ```

mod board;
mod captures;
mod clocks;
mod explain;
mod game;
mod generator;
mod keys;
mod limits;
mod line;
mod mobility;
mod moves;
mod notation;
mod path;
mod play;
mod ply;
mod position;
mod square;
mod text;
mod variant;

pub use board::Width;
pub use game::{
    BrazilianMove, BrazilianPosition, DraftiMove, DraftiPosition, InternationalMove,
    InternationalPosition, Listed, PoolMove, PoolPosition, RussianMove, RussianPosition,
};
pub use limits::{Clock, Counts, Material, Resets};
pub use moves::DraughtsMove;
pub use path::{Directions, Path, Squares};
pub use play::PositionEnd;
pub use ply::Ply;
pub use position::DraughtsPosition;
pub use square::Square;
pub use variant::{
    American, Brazilian, Colour, Crowning, Drafti, International, KingLanding, Pool, Russian,
    Variant,
};
