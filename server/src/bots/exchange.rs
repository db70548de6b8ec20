//! The exchange of results and jobs with remote workers: its address, its waiting time and its key.

use std::path::Path;
use std::time::Duration;

use clap::Args;

use crate::identity::shared_key::SharedKey;

/// The path at which workers pull jobs.
pub const PATH: &str = "/api/v1/jobs";

/// The time for which a request waits for a job: shorter than the usual timeout of a proxy in between.
pub const POLL: Duration = Duration::from_secs(25);

/// The name of the optional file in the data directory with the key of remote workers.
const KEY_FILE: &str = "worker-key";

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
    pub(crate) fn resolve(self, data_dir: &Path) -> Result<Option<SharedKey>, String> {
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
        let key = SharedKey::new(text.trim());
        key.map(Some)
            .map_err(|error| format!("the key in {place} is none: {error}"))
    }
}
