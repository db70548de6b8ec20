//! Work on all positions of a slice, divided among threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The number of positions in a thread's unit of work.
const CHUNK: usize = 1 << 14;

/// Calls `work` with the parts of `0..length` in chunks, on `threads` threads.
pub(super) fn in_chunks(
    length: usize,
    threads: usize,
    told: &mut dyn FnMut(usize),
    work: &(impl Fn(Range<usize>) + Sync),
) {
    let next = AtomicUsize::new(0);
    let next_chunk = || {
        let from = next.fetch_add(CHUNK, Ordering::Relaxed);
        (from < length).then(|| from..(from + CHUNK).min(length))
    };
    let all = || {
        while let Some(chunk) = next_chunk() {
            work(chunk);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Without this thread the work only takes longer.
            if thread::Builder::new().spawn_scoped(scope, all).is_err() {
                break;
            }
        }
        while let Some(chunk) = next_chunk() {
            told(chunk.start);
            work(chunk);
        }
    });
    told(length);
}
