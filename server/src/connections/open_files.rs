//! How many files, and so connections, this process may have open.

/// Beyond this nothing is gained: the system's own bound is no larger by default, and it bounds what counting them costs.
const MOST: u64 = 1_048_576;

/// What is assumed where the system cannot be asked.
#[cfg(not(unix))]
const USUAL: u64 = 1_024;

/// The limit of open files.
#[derive(Debug)]
pub struct OpenFiles {
    /// How many files this process may have open.
    pub limit: u64,
    /// What was tried to have more of them.
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
    /// Raises the soft limit to the hard one, as far as it makes sense.
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

    /// As many as are usual: there is no such limit here that could be asked for.
    #[cfg(not(unix))]
    #[must_use]
    pub fn raise_limit() -> OpenFiles {
        OpenFiles {
            limit: USUAL,
            raise: Raise::Needless,
        }
    }

    /// Tells the operator.
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
