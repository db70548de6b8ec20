//! A node of a cluster: its lease, the set of living nodes, and the messages between them.
//!
//! Correctness rests on the database alone: the epoch of a match fences off an old owner, even when this module is wrong. The lease
//! decides which node may take a match over; NATS carries requests and frames. See docs/scaling.md.

pub mod bus;
mod host;
mod jobs;
mod lease;
pub mod link;
mod listen;
pub(crate) mod message;
mod node;
mod options;
mod relay;
mod remote;

pub(crate) use self::listen::{Pairing, Receivers};
pub use self::node::{Cluster, ClusterFigures, ClusterSettings, JoinError};
pub use self::options::ClusterOptions;
