//! Two nodes and their leases. A lease is a row that ends by the database's time, and the node's own estimate of it, which ends no later. A
//! node that is cut off cannot renew its lease, but continues to write.

use fastrand::Rng;

/// The length of a lease, the margin by which a node's estimate ends earlier, and the interval of renewals: the server's values.
const LEASE_MS: u64 = 2_000;
const DRIFT_MS: u64 = 100;
pub(crate) const RENEW_EVERY_MS: u64 = 400;

/// The interval at which a node looks for matches without a living owner.
pub(crate) const TAKE_UP_EVERY_MS: u64 = 500;

#[derive(Debug, Default, Clone, Copy)]
struct Node {
    /// The end of the lease in the row.
    until: u64,
    /// The end of the lease by the node's estimate.
    believed: u64,
    /// The number of times that its lease has ended.
    generation: u64,
    /// The time until which it cannot reach the database for a renewal.
    cut_until: u64,
}

/// Both nodes, and the owner of the match.
#[derive(Debug)]
pub(crate) struct Nodes {
    nodes: [Node; 2],
    owner: usize,
}

/// The result of a renewal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Renewal {
    Renewed,
    /// The lease had ended: matches opened under it may have another owner.
    Lapsed,
    Cut,
}

impl Nodes {
    pub(crate) fn at(now: u64) -> Nodes {
        let node = Node {
            until: now + LEASE_MS,
            believed: now + LEASE_MS - DRIFT_MS,
            ..Node::default()
        };
        Nodes {
            nodes: [node; 2],
            owner: 0,
        }
    }

    /// Renews a node's lease; the request takes some time to reach the database.
    pub(crate) fn renew(&mut self, number: usize, now: u64, rng: &mut Rng) -> Renewal {
        let node = &mut self.nodes[number];
        if now < node.cut_until {
            return Renewal::Cut;
        }
        if rng.u32(0..40) == 0 {
            node.cut_until = now + rng.u64(300..9_000);
        }
        let (written, lapsed) = (now + rng.u64(0..60), node.until <= now);
        // The database reads its clock at `now` at the earliest, and the node counts from then.
        node.until = written + LEASE_MS;
        node.believed = now + LEASE_MS - DRIFT_MS;
        if lapsed {
            node.generation += 1;
            return Renewal::Lapsed;
        }
        Renewal::Renewed
    }

    /// Returns the node that opens the match on first use: its owner while that lives, else the other; `None` while neither may.
    pub(crate) fn opener(&self, now: u64) -> Option<usize> {
        [self.owner, 1 - self.owner]
            .into_iter()
            .find(|number| self.may_claim(*number, now))
    }

    /// Returns whether a node may claim the match by its own estimate of its lease.
    pub(crate) fn may_claim(&self, number: usize, now: u64) -> bool {
        let is_free = self.owner == number || self.nodes[self.owner].until <= now;
        is_free && now < self.nodes[number].believed
    }

    /// Makes this node the owner of the match; returns its generation.
    pub(crate) fn claim(&mut self, number: usize) -> u64 {
        self.owner = number;
        self.nodes[number].generation
    }

    /// Returns whether a room opened in that generation may still send messages.
    pub(crate) fn speaks(&self, (number, generation): (usize, u64), now: u64) -> bool {
        let node = &self.nodes[number];
        node.generation == generation && now < node.believed
    }

    /// Returns whether a room opened in that generation has certainly lost its lease.
    pub(crate) fn is_over(&self, (number, generation): (usize, u64)) -> bool {
        self.nodes[number].generation != generation
    }
}
