//! The memory of the allocator, where it is jemalloc.

/// The memory of the allocator in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AllocatorFigures {
    /// The memory that the program has asked for and not given back.
    pub allocated: u64,
    /// The memory that the allocator holds in pages of the system.
    pub resident: u64,
}

/// Reads the present numbers.
#[cfg(not(target_env = "msvc"))]
pub(super) fn read() -> Option<AllocatorFigures> {
    use tikv_jemalloc_ctl::{epoch, stats};
    // The numbers are those of the last advance.
    epoch::advance().ok()?;
    Some(AllocatorFigures {
        allocated: stats::allocated::read().ok()? as u64,
        resident: stats::resident::read().ok()? as u64,
    })
}

/// The allocator of the system tells nothing.
#[cfg(target_env = "msvc")]
pub(super) fn read() -> Option<AllocatorFigures> {
    None
}
