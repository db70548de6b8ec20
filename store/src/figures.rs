//! Numbers about a store for its operator: connections, waits, errors, sizes.
//!
//! Waits and errors are counted for the whole process, since errors are made where no store is at hand; a server has one store.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The present numbers of a store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoreFigures {
    /// The kind of the database: `sqlite` or `postgres`; empty if it is unknown.
    pub backend: &'static str,
    /// The connections, by their use.
    pub pools: Vec<PoolFigures>,
    /// The number of writes that wait for their turn; 0 where writes take no turns.
    pub writers_waiting: u64,
    /// The waits of writes since the start.
    pub waits: WaitFigures,
    /// The errors since the start.
    pub errors: ErrorFigures,
    /// The size of the embedded database's file in bytes.
    pub database_bytes: Option<u64>,
    /// The size of its write-ahead log in bytes.
    pub wal_bytes: Option<u64>,
    /// The disk of the embedded database.
    pub disk: Option<DiskFigures>,
}

/// The connections of one use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolFigures {
    /// The use.
    pub name: &'static str,
    /// The number of open connections.
    pub open: u64,
    /// The number of those that are not in use.
    pub idle: u64,
    /// The greatest number of connections.
    pub most: u64,
}

/// The waits of writes before they could begin: for their turn, or for a connection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WaitFigures {
    /// The number of writes that waited, for however short a time.
    pub writes: u64,
    /// The sum of their waits.
    pub waited: Duration,
}

/// The numbers of errors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ErrorFigures {
    /// The database did not answer, or refused.
    pub unavailable: u64,
    /// The connection broke during a commit.
    pub outcome_unknown: u64,
    /// A stored value could not be read.
    pub damaged: u64,
}

/// The disk of a database, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskFigures {
    /// Its size.
    pub size: u64,
    /// Its free space.
    pub free: u64,
}

static WRITES: AtomicU64 = AtomicU64::new(0);
static WAITED_US: AtomicU64 = AtomicU64::new(0);
static UNAVAILABLE: AtomicU64 = AtomicU64::new(0);
static OUTCOME_UNKNOWN: AtomicU64 = AtomicU64::new(0);
static DAMAGED: AtomicU64 = AtomicU64::new(0);

/// A kind of error that is counted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fault {
    Unavailable,
    OutcomeUnknown,
    Damaged,
}

/// Counts an error.
pub(crate) fn count_error(fault: Fault) {
    let count = match fault {
        Fault::Unavailable => &UNAVAILABLE,
        Fault::OutcomeUnknown => &OUTCOME_UNKNOWN,
        Fault::Damaged => &DAMAGED,
    };
    count.fetch_add(1, Ordering::Relaxed);
}

/// Counts the wait of a write.
pub(crate) fn count_wait(waited: Duration) {
    let micros = u64::try_from(waited.as_micros()).unwrap_or(u64::MAX);
    WRITES.fetch_add(1, Ordering::Relaxed);
    WAITED_US.fetch_add(micros, Ordering::Relaxed);
}

/// Returns the waits since the start.
pub(crate) fn waits() -> WaitFigures {
    WaitFigures {
        writes: WRITES.load(Ordering::Relaxed),
        waited: Duration::from_micros(WAITED_US.load(Ordering::Relaxed)),
    }
}

/// Returns the errors since the start.
pub(crate) fn errors() -> ErrorFigures {
    ErrorFigures {
        unavailable: UNAVAILABLE.load(Ordering::Relaxed),
        outcome_unknown: OUTCOME_UNKNOWN.load(Ordering::Relaxed),
        damaged: DAMAGED.load(Ordering::Relaxed),
    }
}
