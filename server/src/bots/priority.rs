//! The priority of threads that search.

/// Niceness of a thread that searches: threads that serve people come first, and an idle machine still searches at full speed. With a
/// larger value, search would starve on a machine shared with other programs.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// Lowers the priority of this thread below that of the threads that serve people. Only on Linux does a thread have its own priority;
/// elsewhere the system shares the cores by itself, and an operator who needs more runs `mawe worker` as a process of lower priority.
pub(crate) fn give_way() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        tracing::warn!(%error, "a thread that searches could not be given a lower priority");
    }
}
