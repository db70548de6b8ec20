//! A server of the bench's own: this program as another process, with empty data in a temporary directory.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use mawe_store::backup;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStdout, Command};

use crate::cli::output::Failure;
use crate::load::UNLIMITED;

/// The longest time of a start, on a busy machine.
const START_WITHIN: Duration = Duration::from_secs(60);

/// The bytes that a fast machine writes in a second of moves, at all rates together: 5,000 moves of 2 KiB, and three times in all.
const BYTES_A_SECOND: u64 = 32 << 20;

/// The variable of the database.
const DATABASE: &str = "MAWE_DATABASE";

/// The running server. It is killed and its data are deleted when this is dropped.
pub(super) struct Own {
    /// Its address.
    pub address: SocketAddr,
    child: Child,
    // Kept open, so that the server's next line there does not fail.
    _stdout: BufReader<ChildStdout>,
    // Deleted after the end of the process: fields are dropped in their order.
    _data: TempDir,
}

impl Own {
    /// Starts it with its data in `directory` or in an empty database of Postgres, for measurements of so many seconds. The disk may be that
    /// of a server with running matches.
    pub(super) async fn start(
        directory: &Path,
        database: Option<String>,
        seconds: u32,
    ) -> Result<Own, Failure> {
        let bytes = BYTES_A_SECOND * u64::from(seconds);
        if database.is_none() && !backup::has_room(directory, bytes) {
            return Err(Failure::Failed(format!(
                "the disk of {} has no room for the {} MB that a bench may write; name another --directory, or fewer --seconds",
                directory.display(),
                bytes >> 20
            )));
        }
        let failed = |error: &dyn std::fmt::Display| {
            Failure::Failed(format!("the server cannot be started: {error}"))
        };
        let mut data = tempfile::Builder::new();
        let data = data.prefix(".mawe-bench-").tempdir_in(directory);
        let data = data.map_err(|error| {
            let directory = directory.display();
            Failure::Failed(format!("no directory can be made in {directory}: {error}"))
        })?;
        let program = std::env::current_exe().map_err(|error| failed(&error))?;
        let mut command = Command::new(program);
        command
            .args(["serve", "--log=error", "--data-dir"])
            .arg(data.path())
            .args(UNLIMITED)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        // The options of the operator's server, such as its database, are not those of this one.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("MAWE_") {
                command.env_remove(name);
            }
        }
        // Not as an argument, which other users of the machine see: it may have a password.
        if let Some(database) = database {
            command.env(DATABASE, database);
        }
        let mut child = command.spawn().map_err(|error| failed(&error))?;
        let stdout = child.stdout.take().ok_or_else(|| failed(&"no output"))?;
        let mut stdout = BufReader::new(stdout);
        let mut line = String::new();
        let reading = stdout.read_line(&mut line);
        let read = tokio::time::timeout(START_WITHIN, reading).await;
        read.map_err(|error| failed(&error))?
            .map_err(|error| failed(&error))?;
        let address = line.trim_end().rsplit_once("http://");
        let address = address.and_then(|(_, address)| address.parse().ok());
        Ok(Own {
            address: address.ok_or_else(|| failed(&"it names no address"))?,
            child,
            _stdout: stdout,
            _data: data,
        })
    }

    /// Returns the resident memory of the server in bytes; `None` where the system does not tell.
    pub(super) fn memory(&self) -> Option<u64> {
        crate::metrics::process::resident_of(self.child.id()?)
    }

    /// Kills the server, and waits for its end.
    pub(super) async fn stop(mut self) {
        // The data are temporary: there is nothing to save.
        let _ = self.child.kill().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_bench_that_would_fill_the_disk_does_not_begin() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let refused = Own::start(directory.path(), None, u32::MAX).await.err();
        let Some(Failure::Failed(why)) = refused else {
            panic!("it begins");
        };
        assert!(why.contains("--directory"), "{why}");
        let mut entries = std::fs::read_dir(directory.path()).expect("it can be read");
        assert!(entries.next().is_none());
    }
}
