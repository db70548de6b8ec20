//! How many files, and so connections, this process may have open.

/// Beyond this nothing is gained: the system's own bound is no larger by default, and it bounds what counting them costs.
const MOST: u64 = 1_048_576;

/// What is assumed where the system cannot be asked.
#[cfg(not(unix))]
const USUAL: u64 = 1_024;

/// Raises the soft limit to the hard one, as far as it makes sense; the limit that holds now.
#[cfg(unix)]
#[must_use]
pub fn raise_limit() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let soft = limit.current.unwrap_or(MOST);
    let wanted = limit.maximum.unwrap_or(MOST).min(MOST);
    if soft >= wanted {
        tracing::info!("this process may have {soft} files open");
        return soft;
    }
    let raised = Rlimit {
        current: Some(wanted),
        ..limit
    };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => {
            tracing::info!("this process may have {wanted} files open; it was {soft}");
            wanted
        }
        Err(error) => {
            tracing::warn!(
                %error,
                "this process may have {soft} files open, and the system does not let it have {wanted}; raise the limit with `ulimit -n`"
            );
            soft
        }
    }
}

/// As many as are usual: there is no such limit here that could be asked for.
#[cfg(not(unix))]
#[must_use]
pub fn raise_limit() -> u64 {
    USUAL
}
