//! The free space on the disk of an embedded database.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::StoreError;
use crate::figures::DiskFigures;

/// The default limit: at 250 bytes per move, room for the rest of many thousand matches, and for a backup of a small server.
const USUAL_BYTES: u64 = 200_000_000;

/// The default limit on a small disk is this fraction of it; otherwise a disk of less than 200 MB could never be used.
const USUAL_SHARE: u64 = 10;

/// The time for which a reading of the free space is valid: many new matches cost one system call per second.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The free space that the disk must have for new matches and players.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MinFreeSpace {
    /// No limit.
    Off,
    /// 200 MB, or a tenth of a disk that is smaller than 2 GB.
    #[default]
    Usual,
    /// This number of bytes.
    Bytes(u64),
}

impl MinFreeSpace {
    /// Returns the limit in bytes, on a disk of this size.
    pub(crate) fn bytes(self, disk: u64) -> u64 {
        match self {
            MinFreeSpace::Off => 0,
            MinFreeSpace::Usual => USUAL_BYTES.min(disk / USUAL_SHARE),
            MinFreeSpace::Bytes(bytes) => bytes,
        }
    }
}

impl FromStr for MinFreeSpace {
    type Err = String;

    /// Parses megabytes of a million bytes; 0 for [`MinFreeSpace::Off`].
    fn from_str(text: &str) -> Result<Self, String> {
        let megabytes: u64 = text
            .parse()
            .map_err(|_| "give whole megabytes, such as 200; 0 switches it off".to_owned())?;
        Ok(MinFreeSpace::of_megabytes(megabytes))
    }
}

impl MinFreeSpace {
    /// Converts megabytes of a million bytes; 0 for [`MinFreeSpace::Off`].
    #[must_use]
    pub fn of_megabytes(megabytes: u64) -> Self {
        match megabytes {
            0 => MinFreeSpace::Off,
            megabytes => MinFreeSpace::Bytes(megabytes.saturating_mul(1_000_000)),
        }
    }
}

/// Checks the free space on the disk of one directory.
#[derive(Debug)]
pub(super) struct SpaceGuard {
    directory: PathBuf,
    min_free: MinFreeSpace,
    seen: Mutex<Option<Seen>>,
}

/// The last reading.
#[derive(Debug, Clone, Copy)]
struct Seen {
    at: Instant,
    is_low: bool,
}

/// The size and the free space of a disk, in bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Space {
    pub(crate) disk: u64,
    pub(crate) free: u64,
}

impl SpaceGuard {
    /// Creates a guard for the disk of a database.
    pub(super) fn new(database: &Path, min_free: MinFreeSpace) -> Self {
        let parent = database
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        Self {
            directory: parent.unwrap_or(Path::new(".")).to_owned(),
            min_free,
            seen: Mutex::new(None),
        }
    }

    /// Returns the size and the free space of the disk, if the system tells them.
    pub(super) fn disk(&self) -> Option<DiskFigures> {
        let Space { disk: size, free } = space_of(&self.directory)?;
        Some(DiskFigures { size, free })
    }

    /// Checks whether a match or a player may be added.
    ///
    /// # Errors
    /// [`StoreError::LowSpace`].
    pub(super) fn check(&self) -> Result<(), StoreError> {
        self.check_at(Instant::now(), || space_of(&self.directory))
    }

    fn check_at(
        &self,
        now: Instant,
        look: impl FnOnce() -> Option<Space>,
    ) -> Result<(), StoreError> {
        if self.min_free == MinFreeSpace::Off {
            return Ok(());
        }
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let before = *seen;
        let is_fresh = |seen: &Seen| now.saturating_duration_since(seen.at) < LOOK_EVERY;
        let is_low = match before.filter(is_fresh) {
            Some(seen) => seen.is_low,
            None => {
                let is_low = self.is_low(before.is_some_and(|seen| seen.is_low), look());
                *seen = Some(Seen { at: now, is_low });
                is_low
            }
        };
        if is_low {
            Err(StoreError::LowSpace)
        } else {
            Ok(())
        }
    }

    /// Compares the free space with the limit, and logs a change.
    fn is_low(&self, was_low: bool, space: Option<Space>) -> bool {
        // An unknown free space is no reason to refuse matches: the database itself notices a full disk.
        let Some(Space { disk, free }) = space else {
            return false;
        };
        let limit = self.min_free.bytes(disk);
        let is_low = free < limit;
        let (directory, megabytes) = (self.directory.display(), |bytes: u64| bytes / 1_000_000);
        if is_low && !was_low {
            tracing::error!(
                "the disk of {directory} has {} MB left, less than {} MB (--min-free-space): no new matches and players until there is room",
                megabytes(free),
                megabytes(limit)
            );
        } else if was_low && !is_low {
            tracing::info!(
                "the disk of {directory} has room again: new matches and players are taken"
            );
        }
        is_low
    }
}

/// Returns the size and the free space of the disk of a directory, if the system tells them.
#[cfg(unix)]
pub(crate) fn space_of(directory: &Path) -> Option<Space> {
    let found = rustix::fs::statvfs(directory).ok()?;
    Some(Space {
        disk: found.f_blocks.saturating_mul(found.f_frsize),
        free: found.f_bavail.saturating_mul(found.f_frsize),
    })
}

#[cfg(not(unix))]
pub(crate) fn space_of(_: &Path) -> Option<Space> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const GB: u64 = 1_000_000_000;

    fn guard(min_free: MinFreeSpace) -> SpaceGuard {
        SpaceGuard::new(Path::new("somewhere/mawe.sqlite"), min_free)
    }

    #[test]
    fn the_usual_limit_fits_the_disk() {
        let low = |disk, free| guard(MinFreeSpace::Usual).is_low(false, Some(Space { disk, free }));
        assert!(low(50 * GB, USUAL_BYTES - 1));
        assert!(!low(50 * GB, USUAL_BYTES));
        // A disk smaller than the fixed limit.
        assert!(!low(32_000_000, 10_000_000));
        assert!(low(32_000_000, 3_000_000));
    }

    #[test]
    fn megabytes_are_read_and_nought_switches_it_off() {
        assert_eq!("0".parse(), Ok(MinFreeSpace::Off));
        assert_eq!("500".parse(), Ok(MinFreeSpace::Bytes(500_000_000)));
        assert!("500 MB".parse::<MinFreeSpace>().is_err());
    }

    #[test]
    fn the_system_is_asked_once_a_second_however_many_want_to_add_something() {
        let guard = guard(MinFreeSpace::Bytes(GB));
        let full = || Some(Space { disk: GB, free: 0 });
        let (asked, began) = (std::cell::Cell::new(0), Instant::now());
        for flood in 0..1_000 {
            let at = began + Duration::from_millis(flood);
            let refused = guard.check_at(at, || {
                asked.set(asked.get() + 1);
                full()
            });
            assert!(matches!(refused, Err(StoreError::LowSpace)));
        }
        assert_eq!(asked.get(), 1);
        let room = || {
            Some(Space {
                disk: 9 * GB,
                free: 2 * GB,
            })
        };
        assert!(guard.check_at(began + LOOK_EVERY, room).is_ok());
    }

    #[test]
    fn a_real_disk_says_how_much_room_it_has() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let database = directory.path().join("mawe.sqlite");
        let checked = |min_free| SpaceGuard::new(&database, min_free).check();
        assert!(checked(MinFreeSpace::Bytes(1)).is_ok());
        #[cfg(unix)]
        assert!(matches!(
            checked(MinFreeSpace::Bytes(u64::MAX)),
            Err(StoreError::LowSpace)
        ));
    }
}
