//! Nodes of a cluster.

use std::time::Duration;

use async_trait::async_trait;
use mawe_wire::ids::MatchId;

use crate::StoreError;

/// The nodes of a cluster, their leases, and the matches that they own.
#[async_trait]
pub trait Nodes: Send + Sync {
    /// Registers a node for the duration of `lease`. Returns `false`, and writes nothing, while another live process is registered under
    /// the same id.
    async fn join_nodes(&self, node: &NewNode, lease: Duration) -> Result<bool, StoreError>;

    /// Extends a node's lease to `lease` from now, and returns the names of all live nodes. `None` when its lease had already ended: other
    /// nodes may have taken its matches.
    async fn renew_lease(
        &self,
        node: &str,
        lease: Duration,
    ) -> Result<Option<Vec<String>>, StoreError>;

    /// Removes a node: releases its matches and its id, in one transaction.
    async fn leave_nodes(&self, node: &str) -> Result<(), StoreError>;

    /// Returns the names of the live nodes.
    async fn living_nodes(&self) -> Result<Vec<String>, StoreError>;

    /// Returns running realtime matches without a live owner, oldest first. A match that never had an owner is included only 2 s after its
    /// creation, to leave it to the node that created it.
    async fn orphaned_matches(&self, limit: u32) -> Result<Vec<MatchId>, StoreError>;

    /// Returns the running realtime matches that this node owns.
    async fn matches_owned_by(&self, node: &str) -> Result<Vec<MatchId>, StoreError>;
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
