//! The numbers of a node that belong to none of its parts, and those that are kept between two readings.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

use mawe_store::StoreFigures;
use tokio::sync::{Mutex, Semaphore};

use super::requests::RequestMeters;

/// The number of readings in progress: one of a collector, and one of an operator.
const READINGS_AT_ONCE: usize = 2;

/// The numbers of a node.
#[derive(Debug)]
pub struct NodeMeters {
    /// The start of the node.
    pub began: Instant,
    /// The same in milliseconds since the Unix epoch.
    pub began_ms: i64,
    /// The requests since the start.
    pub requests: RequestMeters,
    /// The end of the last backup in milliseconds since the Unix epoch; 0 if there was none since the start.
    last_backup_ms: AtomicI64,
    /// The last of the readings that cost a query or a call of the system.
    pub slow: Mutex<Option<(Instant, SlowFigures)>>,
    /// The places for readings.
    pub readings: Semaphore,
}

/// The numbers that cost a query or a call of the system.
#[derive(Debug, Clone, Default)]
pub struct SlowFigures {
    /// The store.
    pub store: StoreFigures,
    /// The running matches; `None` if the store did not answer.
    pub running: Option<u32>,
    /// Those of them that are realtime.
    pub realtime: Option<u32>,
    /// The size of the database in bytes.
    pub database_bytes: Option<u64>,
    /// The process.
    pub process: ProcessFigures,
}

/// The use of the machine by this process; `None` where the system does not tell.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ProcessFigures {
    /// The processor time in seconds.
    pub cpu_seconds: Option<f64>,
    /// The memory in use in bytes.
    pub resident_bytes: Option<u64>,
    /// The number of open files.
    pub open_files: Option<u64>,
    /// The greatest number of open files.
    pub most_files: Option<u64>,
}

impl NodeMeters {
    /// Creates the numbers of a node that begins now.
    #[must_use]
    pub fn new(began_ms: i64, requests: RequestMeters) -> NodeMeters {
        NodeMeters {
            began: Instant::now(),
            began_ms,
            requests,
            last_backup_ms: AtomicI64::new(0),
            slow: Mutex::new(None),
            readings: Semaphore::new(READINGS_AT_ONCE),
        }
    }

    /// Notes that a backup has been written.
    pub fn note_backup(&self, at_ms: i64) {
        self.last_backup_ms.store(at_ms, Ordering::Relaxed);
    }

    /// Returns the end of the last backup since the start, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn last_backup_ms(&self) -> Option<i64> {
        Some(self.last_backup_ms.load(Ordering::Relaxed)).filter(|at_ms| *at_ms > 0)
    }
}
