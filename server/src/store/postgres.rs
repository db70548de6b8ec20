//! The store for many nodes; not there yet.

use super::OpenError;
use super::sqlite::SqliteStore;

pub(super) struct PostgresStore;

impl PostgresStore {
    pub(super) async fn open(_url: &str) -> Result<SqliteStore, OpenError> {
        Err(OpenError("Postgres is not supported yet".to_owned()))
    }
}
