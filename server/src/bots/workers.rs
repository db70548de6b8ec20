//! The kinds of workers, and the times that the queue grants them.

use std::time::Duration;

/// Time that a worker may take beyond its thinking time, including a slow connection, before the job goes to another.
pub const SLACK: Duration = Duration::from_secs(2);

/// Time that a job is reserved for the workers of this node before those of other nodes are asked: short beside any pace, and long enough
/// for an idle worker.
pub(super) const HEAD_START: Duration = Duration::from_millis(20);

/// The place of the worker that answers a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkerKind {
    /// A thread of this process.
    Thread,
    /// A remote worker over HTTP.
    Http,
    /// A worker or another node over NATS.
    Nats,
    /// The thread that answers when no worker does.
    Fallback,
}

impl WorkerKind {
    /// Every kind.
    pub const ALL: [WorkerKind; 4] = [
        WorkerKind::Thread,
        WorkerKind::Http,
        WorkerKind::Nats,
        WorkerKind::Fallback,
    ];

    /// Returns the name in metrics.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            WorkerKind::Thread => "thread",
            WorkerKind::Http => "http",
            WorkerKind::Nats => "nats",
            WorkerKind::Fallback => "fallback",
        }
    }
}
