//! What the store is told and tells of nodes.

use crate::ids::{MatchId, PlayerId};
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

/// What somebody's wish for an opponent had come to at some time. Whoever seats them shows it, and is refused if they got a match, or
/// wished anew, since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wished {
    /// Who.
    pub player: PlayerId,
    /// `None`: they never wished; `Some(None)`: they wait; else the match that they got last.
    pub got: Option<Option<MatchId>>,
}
