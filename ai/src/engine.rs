//! An engine that keeps its transposition table from one search to the next.

use std::sync::Arc;

use mawe_rules::Record;

use crate::error::{NoMemory, ThinkError};
use crate::knowledge::Knowledge;
use crate::limits::Limits;
use crate::search::{Features, Objective, SearchOptions};
use crate::table::Table;
use crate::think::{Thought, think_as};

/// The options of an [`Engine`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineOptions {
    /// The size of the transposition table, in megabytes.
    pub megabytes: usize,
    /// The number of threads of a search. Only a single thread always gives the same answer under a node limit.
    pub threads: usize,
    /// The enabled features of the search.
    pub features: Features,
    /// The values of finished games.
    pub objective: Objective,
    /// Whether the engine avoids draws in games where that pays, which is for play rather than analysis. The score of
    /// a position then depends on the side for which the engine plays.
    pub contempt: bool,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            megabytes: 16,
            threads: 1,
            features: Features::ALL,
            objective: Objective::Win,
            contempt: false,
        }
    }
}

/// A player of full strength.
pub struct Engine {
    options: EngineOptions,
    table: Table,
    knowledge: Arc<Knowledge>,
}

impl Engine {
    /// An engine with the built-in knowledge.
    ///
    /// # Errors
    ///
    /// [`NoMemory`] if the table cannot be allocated.
    pub fn new(options: EngineOptions) -> Result<Self, NoMemory> {
        Self::knowing(Knowledge::built_in(), options)
    }

    /// An engine with the given knowledge.
    ///
    /// # Errors
    ///
    /// The errors of [`Engine::new`].
    pub fn knowing(knowledge: Arc<Knowledge>, options: EngineOptions) -> Result<Self, NoMemory> {
        let bytes = options.megabytes.checked_mul(1 << 20).ok_or(NoMemory)?;
        Ok(Self {
            options,
            table: Table::new(bytes).ok_or(NoMemory)?,
            knowledge,
        })
    }

    /// The options of the engine.
    pub fn options(&self) -> EngineOptions {
        self.options
    }

    /// Clears the results of all earlier searches, so that the next search is as if it were the first.
    pub fn forget(&self) {
        self.table.clear();
    }

    /// Finds the best move in the current position of a game. Earlier positions of the game count for repetition.
    /// Calls `report` after every iteration.
    ///
    /// # Errors
    ///
    /// [`ThinkError::GameOver`] if the game is over.
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
            objective,
            contempt,
            ..
        } = self.options;
        let options = SearchOptions {
            threads,
            features,
            objective,
            contempt,
            ..SearchOptions::plain(limits)
        };
        think_as(game, options, &self.table, &self.knowledge, report)
    }
}
