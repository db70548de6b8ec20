//! Nodes, claims of matches, and wishes for an opponent.

use mawe_wire::ids::{MatchId, PlayerId};

use crate::ClaimedMatch;

/// The result of claiming a match where several nodes share the matches.
#[derive(Debug, Clone, PartialEq)]
pub enum Claim {
    /// This node owns the match now.
    Taken(Box<ClaimedMatch>),
    /// Another live node owns it.
    Owned {
        /// The owner's name.
        by: String,
    },
}

/// A node to register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewNode {
    /// The id, as given by the operator.
    pub id: String,
    /// The name of this process.
    pub name: String,
    /// The address on which the node listens.
    pub address: String,
}

/// The state of a player's wish for an opponent at one time. A match is made with the state that was read before; this fails if the wish
/// was granted or renewed since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wished {
    /// The player.
    pub player: PlayerId,
    /// `None` without a wish; `Some(None)` while the wish is open; otherwise the match that it was granted last.
    pub got: Option<Option<MatchId>>,
}
