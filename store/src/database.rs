//! The database as a whole.

use std::path::Path;

use async_trait::async_trait;

use crate::{StoreError, StoreFigures};

/// The database as a whole.
#[async_trait]
pub trait Database: Send + Sync {
    /// Checks with a small commit whether the database can be written.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]; see [`StoreError::is_disk_full`].
    async fn ping(&self) -> Result<(), StoreError>;

    /// Checks whether the disk has room for more matches and players. The writes that add one check it themselves.
    ///
    /// # Errors
    /// [`StoreError::LowSpace`].
    fn check_space(&self) -> Result<(), StoreError>;

    /// Returns the present numbers of the store. May ask the system for the sizes of files, so it is not for an async thread.
    fn figures(&self) -> StoreFigures;

    /// Returns the size of the database in bytes.
    async fn database_bytes(&self) -> Result<u64, StoreError>;

    /// Copies the whole database, as of one moment during the call, into an empty file, while it stays in use. Returns `false`, and writes
    /// nothing, for a database that has its own tools for copies.
    async fn copy_into(&self, file: &Path) -> Result<bool, StoreError>;

    /// Closes the store; every acknowledged write is on disk.
    async fn close(&self);
}
