//! The errors that can occur before a search starts; a running search cannot fail.

use std::error::Error;
use std::fmt;

/// The reason why a position cannot be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ThinkError {
    /// The game has ended.
    GameOver,
}

impl ThinkError {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            ThinkError::GameOver => "game-over",
        }
    }
}

impl fmt::Display for ThinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ThinkError::GameOver => "the game is over",
        })
    }
}

impl Error for ThinkError {}

/// The memory of a table cannot be allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NoMemory;

impl fmt::Display for NoMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is not so much memory for the table")
    }
}

impl Error for NoMemory {}
