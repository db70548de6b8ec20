//! The use of a process, as Linux tells it.

#![allow(dead_code, reason = "each bench uses a part of it")]

use std::time::Duration;

/// The units of processor time in a second, on Linux.
const TICKS: f64 = 100.0;

/// Returns the processor time of a process so far, in seconds, and the id of its parent.
pub(crate) fn used_by(process: u32) -> Option<(f64, u32)> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name stands in brackets, and may contain brackets.
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some(((number(11)? + number(12)?) / TICKS, number(1)? as u32))
}

/// Returns the processor time of a process and of all its children, in seconds.
pub(crate) fn used_by_family(head: u32) -> f64 {
    let all = std::fs::read_dir("/proc").expect("Linux");
    let numbers = all.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    numbers
        .filter_map(|process| {
            let (used, parent) = used_by(process)?;
            (process == head || parent == head).then_some(used)
        })
        .sum()
}

/// Returns the processor time of this process.
pub(crate) fn used_here() -> Duration {
    let used = used_by(std::process::id()).map_or(0.0, |(used, _)| used);
    Duration::from_secs_f64(used)
}

/// Returns the resident memory of a process in KiB.
pub(crate) fn resident_kib(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("Linux tells");
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().nth(1));
    kib.and_then(|kib| kib.parse().ok()).expect("in KiB")
}

/// Returns the bytes that a process has handed to the system to write, to files and to sockets.
pub(crate) fn written_by(process: u32) -> u64 {
    let io = std::fs::read_to_string(format!("/proc/{process}/io")).expect("Linux tells");
    let line = io.lines().find_map(|line| line.strip_prefix("wchar: "));
    line.and_then(|bytes| bytes.parse().ok()).expect("in bytes")
}
