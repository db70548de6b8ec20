//! The engine: search, evaluation and levels, all generic over a game.
//!
//! [`think()`] takes an [`AnyPosition`](mawe_rules::AnyPosition) and branches once over its game;
//! everything below is compiled for that game. The crate draws no random numbers: under a depth or
//! node limit the same position always gives the same result. It reads the clock only for a time
//! limit.
//!
//! ```
//! use mawe_ai::{Limits, think};
//! use mawe_rules::{AnyPosition, GameKind};
//!
//! // A white stone is one step from home; Black, without stones, cannot move afterwards.
//! let pos = AnyPosition::parse(GameKind::Mawe, "8/3W4/8/8/8/8/8/8 w").expect("a position");
//! let thought = think(&pos, &Limits::depth(3)).expect("a move");
//! assert!(thought.proven && thought.score > 0);
//! ```

pub mod endgame;
pub mod eval;
pub mod reversi;
pub mod search;
pub mod verdict;

mod book;
mod choose;
mod draw;
mod engine;
mod error;
mod intent;
mod knowledge;
mod ladder;
mod level;
mod limits;
mod order;
mod sight;
mod strength;
mod table;
mod think;
mod weights;

pub use book::{BadBook, Book};
pub use choose::{choose, choose_as};
pub use draw::accepts_draw;
pub use engine::{Engine, EngineOptions};
pub use error::{NoMemory, ThinkError};
pub use eval::{Evaluate, Learn, Truth};
pub use intent::{INTENT_DEPTH, Intent, intent};
pub use knowledge::{Endgames, Knowledge};
pub use ladder::LADDER;
pub use level::{Level, UnknownLevel};
pub use limits::{Clock, Limits};
pub use sight::mix;
pub use strength::Strength;
pub use think::{Thought, is_settled, think};
pub use weights::{BadWeights, Weights};
