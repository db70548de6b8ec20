//! The check of a copy of an embedded database.

use std::path::Path;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use super::OpenError;

/// Reads the whole file without changing it, and checks that it is an intact database of this program.
///
/// # Errors
/// A line with the fault.
pub async fn check_copy(file: &Path) -> Result<(), OpenError> {
    let shown = file.display();
    let damaged = |detail: &dyn std::fmt::Display| {
        OpenError(format!(
            "{shown} is damaged or no database of this program: {detail}"
        ))
    };
    if !file.is_file() {
        return Err(OpenError(format!("there is no file {shown}")));
    }
    let options = SqliteConnectOptions::new()
        .filename(file)
        .read_only(true)
        // Nobody writes to the file: SQLite needs no lock, and creates no file beside it.
        .immutable(true);
    let mut connection = options.connect().await.map_err(|error| damaged(&error))?;
    let found: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check(1)")
        .fetch_all(&mut connection)
        .await
        .map_err(|error| damaged(&error))?;
    if found != ["ok"] {
        return Err(damaged(&found.join(" ").replace('\n', " ")));
    }
    let tables: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('matches', 'entries', '_sqlx_migrations')",
    )
    .fetch_one(&mut connection)
    .await
    .map_err(|error| damaged(&error))?;
    if tables != 3 {
        return Err(damaged(&"its tables are not there"));
    }
    // An error is harmless: the file was only read.
    let _ = connection.close().await;
    Ok(())
}
