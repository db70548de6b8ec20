//! The exchange of results and jobs with remote workers: its address, its waiting time and its key.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use clap::Args;
use subtle::ConstantTimeEq;

/// The path at which workers pull jobs.
pub const PATH: &str = "/api/v1/jobs";

/// The time for which a request waits for a job: shorter than the usual timeout of a proxy in between.
pub const POLL: Duration = Duration::from_secs(25);

/// The shortest key, in characters: long enough that it cannot be guessed.
const MIN_KEY_CHARS: usize = 16;

/// The name of the optional file in the data directory with the key of remote workers.
const KEY_FILE: &str = "worker-key";

/// The key of remote workers. Its `Debug` form does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct WorkerKey(String);

impl WorkerKey {
    /// Returns the key if it is long enough and valid in a header.
    ///
    /// # Errors
    /// A description of the valid keys.
    pub fn new(text: &str) -> Result<WorkerKey, String> {
        let can_be_sent = text.bytes().all(|byte| byte.is_ascii_graphic());
        if text.len() >= MIN_KEY_CHARS && can_be_sent {
            Ok(WorkerKey(text.to_owned()))
        } else {
            Err(format!(
                "it must have at least {MIN_KEY_CHARS} letters, digits or signs, and no spaces"
            ))
        }
    }

    /// Returns the text of the key.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.0
    }

    /// Compares in constant time, so that the duration reveals nothing about the key.
    pub(crate) fn is(&self, shown: &str) -> bool {
        self.0.as_bytes().ct_eq(shown.as_bytes()).into()
    }
}

impl fmt::Debug for WorkerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WorkerKey")
    }
}

/// The option of the key.
#[derive(Debug, Clone, Args)]
pub struct WorkerKeyOptions {
    /// The key with which a remote `mawe worker` may think for this server, 16 characters or more; also as the file worker-key in the data
    /// directory [default: no remote workers]
    #[arg(
        long,
        env = "MAWE_WORKER_KEY",
        value_name = "KEY",
        hide_env_values = true
    )]
    worker_key: Option<String>,
}

impl WorkerKeyOptions {
    /// Returns the key from the option, or else from the data directory.
    ///
    /// # Errors
    /// A line for the operator with the fault. It does not contain the key.
    pub(crate) fn resolve(self, data_dir: &Path) -> Result<Option<WorkerKey>, String> {
        let (place, text) = match self.worker_key {
            Some(text) => ("worker-key".to_owned(), text),
            None => {
                let path = data_dir.join(KEY_FILE);
                let shown = path.display();
                match std::fs::read_to_string(&path) {
                    Ok(text) => (shown.to_string(), text),
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
                    Err(error) => {
                        return Err(format!(
                            "the worker's key in {shown} cannot be read: {error}"
                        ));
                    }
                }
            }
        };
        let key = WorkerKey::new(text.trim());
        key.map(Some)
            .map_err(|error| format!("the key in {place} is none: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_long_fits_into_a_header_and_is_not_printed() {
        let key = WorkerKey::new("0123456789abcdef").expect("long enough");
        assert!(key.is("0123456789abcdef"));
        for wrong in [
            "",
            "0123456789abcde",
            "0123456789abcdeF",
            "0123456789abcdef0",
        ] {
            assert!(!key.is(wrong), "{wrong}");
        }
        assert!(!format!("{key:?}").contains("0123"));
        for bad in [
            "",
            "short",
            "has a space in it here",
            "malayalam-അആഇഈഉഊ-key",
        ] {
            assert!(WorkerKey::new(bad).is_err(), "{bad}");
        }
    }
}
