//! The cost of a move in counts, which are the same on a slow machine: instructions, allocations, and bytes written.
//!
//! The program of this package does the work and is counted from outside, because callgrind and the system count whole processes;
//! `tests/counters.rs` starts it and compares the counts with `bounds.toml`. The page `docs/performance.md` says how to run them.

pub mod bounds;
pub mod games;
