//! Computer opponents: the queue of their jobs (`queue.rs`), the exchange with workers, exact values for the API, and the opponents as players.

pub mod endgames;
pub mod evaluations;
pub mod exact;
pub mod exchange;
pub mod job;
pub mod ladder;
pub mod manner;
pub mod options;
pub(crate) mod priority;
mod queue;
mod workers;

pub use self::queue::*;
pub use self::workers::{SLACK, WorkerKind};
