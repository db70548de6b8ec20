//! The compression of responses: how much of it is in progress, and how much was done.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The number of larger responses that are compressed at a time, on blocking threads. Others are sent uncompressed meanwhile.
const MAX_OFFLOADED: usize = 2;

/// The state of compression on a node.
#[derive(Debug)]
pub struct Compression {
    inline_bytes: AtomicU64,
    places: Arc<Semaphore>,
}

impl Default for Compression {
    fn default() -> Compression {
        Compression {
            inline_bytes: AtomicU64::new(0),
            places: Arc::new(Semaphore::new(MAX_OFFLOADED)),
        }
    }
}

impl Compression {
    /// Returns the number of bytes compressed on async threads since the start.
    #[must_use]
    pub fn inline_bytes(&self) -> u64 {
        self.inline_bytes.load(Ordering::Relaxed)
    }

    /// Reserves one of the places for compression off the serving threads; `None` while all are taken.
    pub(crate) fn try_offload(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }

    /// Counts a content that is compressed on a serving thread.
    pub(crate) fn count(&self, content: &[u8]) {
        let bytes = u64::try_from(content.len()).unwrap_or(u64::MAX);
        self.inline_bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}
