//! The addresses of databases.

use crate::error::OpenError;

/// Whether an address is one of Postgres.
pub(super) fn is_postgres(url: &str) -> bool {
    url.starts_with("postgres://") || url.starts_with("postgresql://")
}

/// Returns the error of an address of neither database.
pub(super) fn unknown_kind() -> OpenError {
    OpenError("the database must be postgres://… or sqlite:PATH".to_owned())
}
