//! The limit on open files, and so on connections, of this process.

/// The highest limit that is requested. The system's own maximum is no higher by default, and a finite limit bounds the cost of counting.
const MOST: u64 = 1_048_576;

/// The limit assumed on systems without such a query.
#[cfg(not(unix))]
const USUAL: u64 = 1_024;

/// The limit of open files.
#[derive(Debug)]
pub struct OpenFiles {
    /// The number of files that this process may have open.
    pub limit: u64,
    /// The result of the attempt to raise the limit.
    raise: Raise,
}

#[derive(Debug)]
enum Raise {
    Needless,
    #[cfg(unix)]
    Done {
        before: u64,
    },
    #[cfg(unix)]
    Refused {
        wanted: u64,
        error: rustix::io::Errno,
    },
}

impl OpenFiles {
    /// Raises the soft limit to the hard limit, but not above `MOST`.
    #[cfg(unix)]
    #[must_use]
    pub fn raise_limit() -> OpenFiles {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let soft = limit.current.unwrap_or(MOST);
        let wanted = limit.maximum.unwrap_or(MOST).min(MOST);
        if soft >= wanted {
            return OpenFiles {
                limit: soft,
                raise: Raise::Needless,
            };
        }
        let raised = Rlimit {
            current: Some(wanted),
            ..limit
        };
        match setrlimit(Resource::Nofile, raised) {
            Ok(()) => OpenFiles {
                limit: wanted,
                raise: Raise::Done { before: soft },
            },
            Err(error) => OpenFiles {
                limit: soft,
                raise: Raise::Refused { wanted, error },
            },
        }
    }

    /// Returns `USUAL`: this system has no such limit to query.
    #[cfg(not(unix))]
    #[must_use]
    pub fn raise_limit() -> OpenFiles {
        OpenFiles {
            limit: USUAL,
            raise: Raise::Needless,
        }
    }

    /// Logs the limit and the result of raising it.
    pub fn log(&self) {
        let limit = self.limit;
        match &self.raise {
            Raise::Needless => tracing::info!("this process may have {limit} files open"),
            #[cfg(unix)]
            Raise::Done { before } => {
                tracing::info!("this process may have {limit} files open; it was {before}");
            }
            #[cfg(unix)]
            Raise::Refused { wanted, error } => tracing::warn!(
                %error,
                "this process may have {limit} files open, and the system does not let it have {wanted}; raise the limit with `ulimit -n`"
            ),
        }
    }
}
