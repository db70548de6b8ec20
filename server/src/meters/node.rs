//! The numbers of a node that belong to none of its parts, and those that are kept between two readings.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mawe_store::StoreFigures;
use tokio::sync::{Mutex, Semaphore};

use super::Counter;
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
    /// The backups.
    pub backups: BackupMeters,
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
            backups: BackupMeters::default(),
            slow: Mutex::new(None),
            readings: Semaphore::new(READINGS_AT_ONCE),
        }
    }
}

/// The numbers of backups.
#[derive(Debug, Default)]
pub struct BackupMeters {
    /// The time of the last backup in milliseconds since the Unix epoch; 0 if none is known.
    last_ms: AtomicI64,
    /// The interval of the timetable in milliseconds; 0 without one.
    every_ms: AtomicU64,
    /// The backups on the timetable that failed.
    failed: Counter,
}

/// A reading of [`BackupMeters`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BackupFigures {
    /// The time of the last backup in milliseconds since the Unix epoch, if one is known.
    pub last_ms: Option<i64>,
    /// The interval of the timetable, if there is one.
    pub every: Option<Duration>,
    /// The backups on the timetable that failed since the start.
    pub failed: u64,
}

impl BackupMeters {
    /// Notes the time of a backup that is there.
    pub fn note(&self, at_ms: i64) {
        self.last_ms.fetch_max(at_ms, Ordering::Relaxed);
    }

    /// Notes that a backup on the timetable failed.
    pub fn note_failure(&self) {
        self.failed.count();
    }

    /// Notes the interval of the timetable.
    pub fn note_timetable(&self, every: Duration) {
        let every_ms = u64::try_from(every.as_millis()).unwrap_or(u64::MAX);
        self.every_ms.store(every_ms, Ordering::Relaxed);
    }

    /// Reads the numbers.
    #[must_use]
    pub fn figures(&self) -> BackupFigures {
        let every_ms = self.every_ms.load(Ordering::Relaxed);
        BackupFigures {
            last_ms: Some(self.last_ms.load(Ordering::Relaxed)).filter(|at_ms| *at_ms > 0),
            every: (every_ms > 0).then(|| Duration::from_millis(every_ms)),
            failed: self.failed.get(),
        }
    }
}
