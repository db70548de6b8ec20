//! The sign of life of a worker, which listens nowhere: a file that it writes whenever its server or NATS has answered.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::bots::exchange::POLL;
use crate::bots::job::THINK_AT_MOST;

/// The shortest time between two writes.
const EVERY: Duration = Duration::from_secs(5);

/// The age from which a file shows that the worker is out of touch: several polls, each with a job in between.
pub(crate) const STALE: Duration = POLL.saturating_add(THINK_AT_MOST).saturating_mul(3);

/// The file of a worker.
#[derive(Debug)]
pub struct Heartbeat {
    path: PathBuf,
    written: Mutex<Option<Instant>>,
}

impl Heartbeat {
    /// A file to be written at this path. The empty file of an earlier worker is removed.
    ///
    /// # Errors
    /// The path cannot be written to, or the file there has content and so is something else.
    pub fn new(path: PathBuf) -> io::Result<Heartbeat> {
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)?;
        if file.metadata()?.len() > 0 {
            let why = "the file there has content, and is no heartbeat of a worker";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
        }
        std::fs::remove_file(&path)?;
        Ok(Heartbeat {
            path,
            written: Mutex::default(),
        })
    }

    /// The server or NATS has answered.
    pub(super) fn beat(&self) {
        let mut written = self.written.lock();
        if written.is_some_and(|written| written.elapsed() < EVERY) {
            return;
        }
        *written = Some(Instant::now());
        // An unwritten file grows old, as that of a worker without a server does.
        if let Err(error) = std::fs::write(&self.path, "") {
            tracing::warn!("{} cannot be written: {error}", self.path.display());
        }
    }
}

/// Returns the time since the worker of this file was last in touch; `None` if it has not been.
///
/// # Errors
/// The file cannot be looked at.
pub(crate) fn age(path: &Path) -> io::Result<Option<Duration>> {
    match std::fs::metadata(path) {
        // A clock that was set back makes no worker ill.
        Ok(file) => Ok(Some(file.modified()?.elapsed().unwrap_or_default())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_as_old_as_the_last_answer() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("heartbeat");
        // Of an earlier worker.
        std::fs::write(&path, "").expect("it can be written");
        let heartbeat = Heartbeat::new(path.clone()).expect("it can be written");
        assert_eq!(age(&path).expect("it can be looked at"), None);
        heartbeat.beat();
        let young = age(&path).expect("it can be looked at");
        assert!(young.expect("it was written") < STALE);
        // The next answers come soon after, and are not written.
        std::fs::remove_file(&path).expect("it is there");
        heartbeat.beat();
        assert_eq!(age(&path).expect("it can be looked at"), None);
    }

    #[test]
    fn a_path_that_cannot_be_written_is_refused() {
        let directory = tempfile::tempdir().expect("a directory");
        assert!(Heartbeat::new(directory.path().join("missing/heartbeat")).is_err());
        assert!(Heartbeat::new(directory.path().into()).is_err());
        let precious = directory.path().join("mawe.sqlite");
        std::fs::write(&precious, "a database").expect("it can be written");
        assert!(Heartbeat::new(precious.clone()).is_err());
        let content = std::fs::read_to_string(&precious).expect("it is there");
        assert_eq!(content, "a database");
    }
}
