//! Matches of other nodes, as the rooms of this node reach them.

use std::sync::Arc;

use async_trait::async_trait;
use mawe_wire::ids::MatchId;

use crate::live::message::Mailbox;

/// The other nodes of a cluster, and this node's lease among them.
#[async_trait]
pub trait RemoteMatches: Send + Sync + 'static {
    /// Returns the name of this node.
    fn node(&self) -> &str;

    /// Returns the number of this node's lease. A room that was opened under an earlier lease may have been taken over.
    fn generation(&self) -> u64;

    /// Whether the lease with this number certainly lasts.
    fn lasts(&self, generation: u64) -> bool;

    /// Waits until it is certain whether the lease with this number lasts, and returns whether it does.
    async fn settled(&self, generation: u64) -> bool;

    /// Notes that a node is live, as read from the store.
    fn note_living(&self, node: &str);

    /// Relays the messages of sockets here to the owner of a match, and its answers back, until nobody needs it or the link breaks.
    async fn relay(self: Arc<Self>, id: &MatchId, owner: String, mailbox: &mut Mailbox);

    /// Tells the other nodes that the row of a match has changed.
    async fn tell_refresh(&self, id: &MatchId);

    /// Tells the other nodes that a match was counted.
    async fn tell_counted(&self, id: &MatchId);
}
