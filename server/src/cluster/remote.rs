//! The other nodes as the rooms of this node reach them.

use std::sync::Arc;

use async_trait::async_trait;
use mawe_wire::ids::MatchId;

use super::message::ToAll;
use super::node::Cluster;
use super::relay;
use crate::live::message::Mailbox;
use crate::live::remote::RemoteMatches;

#[async_trait]
impl RemoteMatches for Cluster {
    fn node(&self) -> &str {
        &self.name
    }

    fn generation(&self) -> u64 {
        self.lease.generation()
    }

    fn lasts(&self, generation: u64) -> bool {
        self.lease.lasts(generation)
    }

    async fn settled(&self, generation: u64) -> bool {
        self.lease.settled(generation).await
    }

    fn note_living(&self, node: &str) {
        self.living
            .send_if_modified(|living| living.insert(node.to_owned()));
    }

    async fn relay(self: Arc<Self>, id: &MatchId, owner: String, mailbox: &mut Mailbox) {
        relay::run(&self, id, owner, mailbox).await;
    }

    async fn tell_refresh(&self, id: &MatchId) {
        let match_id = id.clone();
        self.bus.tell_all(&ToAll::Refresh { match_id }).await;
    }

    async fn tell_counted(&self, id: &MatchId) {
        let match_id = id.clone();
        self.bus.tell_all(&ToAll::Counted { match_id }).await;
    }
}
