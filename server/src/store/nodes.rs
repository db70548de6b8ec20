//! What the store is told and tells of nodes.

use crate::store::ClaimedMatch;

/// What became of a claim where several nodes share the matches.
#[derive(Debug, Clone, PartialEq)]
pub enum Claim {
    /// It is ours now.
    Taken(Box<ClaimedMatch>),
    /// Another node that lives has it.
    Owned {
        /// Its name.
        by: String,
    },
}

/// A node that begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewNode {
    /// As its operator calls it.
    pub id: String,
    /// Of this one process.
    pub name: String,
    /// Where it listens.
    pub address: String,
}
