//! The use of the machine by this process, from `/proc`.

use crate::meters::node::ProcessFigures;

/// The unit of processor times in `/proc`: a hundredth of a second on every kind of processor that Linux supports today.
#[cfg(target_os = "linux")]
const TICKS_PER_SECOND: f64 = 100.0;

/// Reads the present numbers. Counts the open files one by one, so it is not for an async thread.
#[cfg(target_os = "linux")]
pub(super) fn read() -> ProcessFigures {
    use rustix::process::{Resource, getrlimit};
    let text = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    // The directory itself is open while it is read.
    let files = std::fs::read_dir("/proc/self/fd").ok();
    let files = files.map(|files| (files.count() as u64).saturating_sub(1));
    ProcessFigures {
        cpu_seconds: cpu_seconds(&text("/proc/self/stat")),
        resident_bytes: resident_bytes(&text("/proc/self/status")),
        open_files: files,
        most_files: getrlimit(Resource::Nofile).current,
    }
}

/// Other systems are not asked.
#[cfg(not(target_os = "linux"))]
pub(super) fn read() -> ProcessFigures {
    ProcessFigures::default()
}

/// Reads the resident memory of another process in bytes.
pub(crate) fn resident_of(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"));
    resident_bytes(&status.ok()?)
}

/// The name of the program may contain spaces and parentheses; the fields after it are numbers.
#[cfg(target_os = "linux")]
#[expect(
    clippy::cast_precision_loss,
    reason = "exact for a hundred million days"
)]
fn cpu_seconds(stat: &str) -> Option<f64> {
    let (_, fields) = stat.rsplit_once(')')?;
    // Fields 14 and 15 of proc_pid_stat(5), counted from the third.
    let mut fields = fields.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    let (user, system) = (ticks()?, ticks()?);
    Some((user + system) as f64 / TICKS_PER_SECOND)
}

fn resident_bytes(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1_024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_fields_are_found_behind_a_name_with_spaces() {
        let stat = "7 (a b) c) S 1 7 7 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 9 0 100 1 1 1";
        assert_eq!(cpu_seconds(stat), Some(3.0));
        assert_eq!(cpu_seconds("7"), None);
        let status = "Name:\tmawe\nVmRSS:\t    2048 kB\nThreads:\t9\n";
        assert_eq!(resident_bytes(status), Some(2_097_152));
    }

    #[test]
    fn this_process_has_memory_and_open_files() {
        let figures = read();
        assert!(figures.resident_bytes.is_some_and(|bytes| bytes > 100_000));
        assert!(figures.cpu_seconds.is_some());
        let open = figures.open_files.expect("Linux tells");
        assert!(open >= 3 && figures.most_files.is_none_or(|most| open <= most));
    }
}
