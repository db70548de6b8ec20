//! Opening a store.

use std::path::Path;
use std::sync::Arc;

use super::error::OpenError;
use super::interface::Store;
use super::space::MinFreeSpace;
use super::{postgres, sqlite};

/// Opens a store and brings its schema up to date.
///
/// `url` is `postgres://…` (or `postgresql://…`), or `sqlite:PATH` with the path of a file, which is created if it does not exist.
///
/// # Errors
/// A line for the operator with the fault and its remedy.
pub async fn open(url: &str) -> Result<Arc<dyn Store>, OpenError> {
    open_with(url, MinFreeSpace::Off).await
}

/// Like [`open`], for a server: an embedded store refuses new matches and players when its disk has less room than `min_free`, so that the
/// running matches can end.
///
/// # Errors
/// As [`open`].
pub async fn open_with(url: &str, min_free: MinFreeSpace) -> Result<Arc<dyn Store>, OpenError> {
    if let Some(path) = url.strip_prefix("sqlite:") {
        let store = sqlite::SqliteStore::open(path.as_ref(), min_free).await?;
        Ok(Arc::new(store))
    } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        Ok(Arc::new(postgres::PostgresStore::open(url).await?))
    } else {
        Err(OpenError(
            "the database must be postgres://… or sqlite:PATH".to_owned(),
        ))
    }
}

/// Takes the lock that marks an embedded database as used by a server. It is held until the returned file is dropped.
///
/// # Errors
/// A line for the operator: a server is using the database.
pub fn lock(database: &Path) -> Result<std::fs::File, OpenError> {
    sqlite::lock(database)
}
