//! An engine that keeps what it has learnt from one search to the next.

use std::sync::Arc;

use mawe_rules::Record;

use crate::error::{NoMemory, ThinkError};
use crate::knowledge::Knowledge;
use crate::limits::Limits;
use crate::search::{Aim, Features, Manner};
use crate::table::Table;
use crate::think::{Thought, think_as};

/// How an [`Engine`] is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineOptions {
    /// Megabytes of the transposition table.
    pub megabytes: usize,
    /// Threads that search together. Only one always gives the same answer under a node limit.
    pub threads: usize,
    /// What the search makes use of.
    pub features: Features,
    /// What a finished game is worth.
    pub aim: Aim,
    /// Whether it plays rather than judges: then it would rather not draw, in games where that pays. What it says of a
    /// position then depends on whose move it is.
    pub contempt: bool,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            megabytes: 16,
            threads: 1,
            features: Features::ALL,
            aim: Aim::Win,
            contempt: false,
        }
    }
}

/// A player with all its strength.
pub struct Engine {
    options: EngineOptions,
    table: Table,
    knowledge: Arc<Knowledge>,
}

impl Engine {
    /// An engine that knows what comes with the program.
    ///
    /// # Errors
    ///
    /// [`NoMemory`] if there is none for the table.
    pub fn new(options: EngineOptions) -> Result<Self, NoMemory> {
        Self::knowing(Arc::clone(Knowledge::built_in()), options)
    }

    /// An engine that knows this.
    ///
    /// # Errors
    ///
    /// As [`Engine::new`].
    pub fn knowing(knowledge: Arc<Knowledge>, options: EngineOptions) -> Result<Self, NoMemory> {
        let bytes = options.megabytes.checked_mul(1 << 20).ok_or(NoMemory)?;
        Ok(Self {
            options,
            table: Table::new(bytes).ok_or(NoMemory)?,
            knowledge,
        })
    }

    /// How it was made.
    pub fn options(&self) -> EngineOptions {
        self.options
    }

    /// Forgets all earlier searches, so that the next is as if it were the first.
    pub fn forget(&self) {
        self.table.clear();
    }

    /// Finds the best move in the last position of a game. What has occurred in the game before is
    /// known to occur again. `report` is told of every iteration.
    ///
    /// # Errors
    ///
    /// [`ThinkError::GameOver`] if there is no move to find.
    pub fn think(
        &self,
        game: &Record,
        limits: &Limits,
        report: &mut dyn FnMut(&Thought),
    ) -> Result<Thought, ThinkError> {
        self.table.grow_older();
        let EngineOptions {
            threads,
            features,
            aim,
            contempt,
            ..
        } = self.options;
        let manner = Manner {
            threads,
            features,
            aim,
            contempt,
            ..Manner::plain(limits)
        };
        think_as(game, manner, &self.table, &self.knowledge, report)
    }
}
