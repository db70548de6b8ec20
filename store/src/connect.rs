//! Opening a store.

use std::path::Path;
use std::sync::Arc;

use super::address::{is_postgres, unknown_kind};
use super::error::OpenError;
use super::interface::Store;
use super::limits::StoreLimits;
use super::{postgres, sqlite};

/// Opens a store and brings its schema up to date.
///
/// `url` is `postgres://…` (or `postgresql://…`), or `sqlite:PATH` with the path of a file, which is created if it does not exist.
///
/// # Errors
/// A line for the operator with the fault and its remedy.
pub async fn open(url: &str) -> Result<Arc<dyn Store>, OpenError> {
    open_with(url, StoreLimits::default()).await
}

/// Like [`open`], for a server, with its limits.
///
/// # Errors
/// As [`open`].
pub async fn open_with(url: &str, limits: StoreLimits) -> Result<Arc<dyn Store>, OpenError> {
    if let Some(path) = url.strip_prefix("sqlite:") {
        let store = sqlite::SqliteStore::open(path.as_ref(), limits).await?;
        Ok(Arc::new(store))
    } else if is_postgres(url) {
        let store = postgres::PostgresStore::open(url, limits).await?;
        Ok(Arc::new(store))
    } else {
        Err(unknown_kind())
    }
}

/// Opens a store for a command that only reads, also while a server uses it: an embedded database that is in use is read as of one moment. Every write
/// to such a store fails.
///
/// # Errors
/// As [`open`].
pub async fn open_to_read(url: &str) -> Result<Arc<dyn Store>, OpenError> {
    let Some(path) = url.strip_prefix("sqlite:").map(Path::new) else {
        return open(url).await;
    };
    if !sqlite::is_in_use(path) {
        return open(url).await;
    }
    let store = sqlite::SqliteStore::open_snapshot(path).await?;
    Ok(Arc::new(store))
}

/// Takes the lock that marks an embedded database as used by a server. It is held until the returned file is dropped.
///
/// # Errors
/// A line for the operator: a server is using the database.
pub fn lock(database: &Path) -> Result<std::fs::File, OpenError> {
    sqlite::lock(database)
}
