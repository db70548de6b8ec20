//! Two nodes and their leases: each a row that ends by the database's time, and what the node itself believes of it, which ends no later.
//! A node that is cut off renews nothing, and writes on all the same.

use fastrand::Rng;

/// How long a renewal holds, how much earlier a node itself thinks that it has ended, and how often it renews: as the server has it.
const LEASE_MS: u64 = 2_000;
const DRIFT_MS: u64 = 100;
pub(crate) const RENEW_EVERY_MS: u64 = 400;

/// How often a node looks for matches that no living node owns.
pub(crate) const TAKE_UP_EVERY_MS: u64 = 500;

#[derive(Debug, Default, Clone, Copy)]
struct Node {
    /// The row.
    until: u64,
    /// What the node believes.
    believed: u64,
    /// How often its lease has ended.
    generation: u64,
    /// Until then it reaches no database to renew anything.
    cut_until: u64,
}

/// Both, and which of them owns the match.
#[derive(Debug)]
pub(crate) struct Nodes {
    nodes: [Node; 2],
    owner: usize,
}

/// What came of a renewal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Renewal {
    Renewed,
    /// It had ended: whatever was opened under it may be another's.
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

    /// A node asks for a renewal, which takes its time on the way there.
    pub(crate) fn renew(&mut self, number: usize, now: u64, rng: &mut Rng) -> Renewal {
        let node = &mut self.nodes[number];
        if now < node.cut_until {
            return Renewal::Cut;
        }
        if rng.u32(0..40) == 0 {
            node.cut_until = now + rng.u64(300..9_000);
        }
        let (written, lapsed) = (now + rng.u64(0..60), node.until <= now);
        // The database is asked at `now` at the earliest, and the node counts from then.
        node.until = written + LEASE_MS;
        node.believed = now + LEASE_MS - DRIFT_MS;
        if lapsed {
            node.generation += 1;
            return Renewal::Lapsed;
        }
        Renewal::Renewed
    }

    /// Who opens the match when it is first needed: its owner while that lives, else the other; nobody while neither may.
    pub(crate) fn opener(&self, now: u64) -> Option<usize> {
        [self.owner, 1 - self.owner]
            .into_iter()
            .find(|number| self.may_claim(*number, now))
    }

    /// Whether a node that believes in its lease may take the match.
    pub(crate) fn may_claim(&self, number: usize, now: u64) -> bool {
        let is_free = self.owner == number || self.nodes[self.owner].until <= now;
        is_free && now < self.nodes[number].believed
    }

    /// The match is this node's now; its generation.
    pub(crate) fn claim(&mut self, number: usize) -> u64 {
        self.owner = number;
        self.nodes[number].generation
    }

    /// Whether what was opened then may still be spoken for.
    pub(crate) fn speaks(&self, (number, generation): (usize, u64), now: u64) -> bool {
        let node = &self.nodes[number];
        node.generation == generation && now < node.believed
    }

    /// Whether what was opened then is certainly lost.
    pub(crate) fn is_over(&self, (number, generation): (usize, u64)) -> bool {
        self.nodes[number].generation != generation
    }
}
