//! Copies of an embedded database: one before each upgrade, and the check of any.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqlitePool};

use super::OpenError;
use super::directory::{directory_of, sync_directory};

/// The text between the name of a database and the number of a migration in the name of the copy before it. `mawe restore` sets databases aside
/// as `.before-TIME`: these are not copies of upgrades, which are removed.
const BEFORE: &str = ".before-migration-";

/// The end of the name of a copy whose upgrade is not finished.
const UPGRADING: &str = ".upgrading";

/// Copies a database beside it before migration `number` changes it. A copy from before an upgrade that stopped half-way is kept instead:
/// since then no older program has opened the database.
///
/// # Errors
/// A line with the fault and its remedy; the database is as it was.
pub(super) async fn begin_upgrade(
    database: &Path,
    number: i64,
    pool: &SqlitePool,
) -> Result<(), OpenError> {
    let failed = |error: &dyn std::fmt::Display| {
        OpenError(format!(
            "cannot copy the database {} before its upgrade: {error}; make room for a second one beside it, or make its directory writable",
            database.display()
        ))
    };
    let copies = copies_of(database, UPGRADING).map_err(|error| failed(&error))?;
    if copies.iter().any(|(earlier, _)| *earlier < number) {
        return Ok(());
    }
    // All of it into one file. The lock file keeps other servers from writing to it in between.
    let (is_busy, _, _): (i64, i64, i64) = sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)")
        .fetch_one(pool)
        .await
        .map_err(|error| failed(&error))?;
    if is_busy != 0 {
        return Err(failed(&"another program reads it"));
    }
    let (from, copy) = (database.to_owned(), copy_of(database, number, UPGRADING));
    let copied = tokio::task::spawn_blocking(move || copy_whole(&from, &copy));
    copied
        .await
        .map_err(|error| failed(&error))?
        .map_err(|error| failed(&error))
}

/// Gives the copy of an upgrade that has succeeded its lasting name, and removes the copies of earlier ones. Failures are logged: the
/// database itself is up to date.
pub(super) fn end_upgrade(database: &Path) {
    let ended = || {
        let copies = copies_of(database, UPGRADING)?;
        let Some((number, copy)) = copies.into_iter().min() else {
            return Ok(());
        };
        let lasting = copy_of(database, number, "");
        std::fs::rename(copy, &lasting)?;
        let older = copies_of(database, "")?.into_iter();
        for (_, file) in older.filter(|(_, file)| *file != lasting) {
            std::fs::remove_file(file)?;
        }
        tracing::info!(
            "the database as it was before the upgrade is in {}",
            lasting.display()
        );
        io::Result::Ok(())
    };
    if let Err(error) = ended() {
        tracing::warn!(%error, "the copies of the database from before upgrades could not be put in order");
    }
}

/// Returns the path of a copy.
fn copy_of(database: &Path, number: i64, end: &str) -> PathBuf {
    PathBuf::from(format!("{}{BEFORE}{number}{end}", database.display()))
}

/// Copies a file for its owner alone. The copy is whole and durable, or not there.
fn copy_whole(from: &Path, to: &Path) -> io::Result<()> {
    let directory = directory_of(to);
    // Always the same name, so that a copy that was killed is replaced by the next. The lock of the database keeps others away.
    let part = format!("{}.part", to.file_name().unwrap_or_default().display());
    match std::fs::remove_file(directory.join(&part)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let mut copy = tempfile::Builder::new()
        .prefix(&part)
        .rand_bytes(0)
        .tempfile_in(directory)?;
    io::copy(&mut File::open(from)?, copy.as_file_mut())?;
    copy.as_file().sync_all()?;
    copy.persist(to).map_err(|error| error.error)?;
    sync_directory(directory)
}

/// Returns the copies beside a database whose names have this end, with the numbers of their migrations.
fn copies_of(database: &Path, end: &str) -> io::Result<Vec<(i64, PathBuf)>> {
    let start = format!(
        "{}{BEFORE}",
        database.file_name().unwrap_or_default().display()
    );
    let mut copies = Vec::new();
    for entry in std::fs::read_dir(directory_of(database))? {
        let entry = entry?;
        let name = entry.file_name();
        let number = name
            .to_str()
            .and_then(|name| name.strip_prefix(&start)?.strip_suffix(end));
        if let Some(Ok(number)) = number.map(str::parse) {
            copies.push((number, copy_of(database, number, end)));
        }
    }
    Ok(copies)
}

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

#[cfg(test)]
mod tests {
    use sqlx::sqlite::SqlitePoolOptions;

    use super::*;

    async fn database(directory: &Path) -> (PathBuf, SqlitePool) {
        let file = directory.join("mawe.sqlite");
        let options = SqliteConnectOptions::new()
            .filename(&file)
            .create_if_missing(true);
        let pool = SqlitePoolOptions::new().max_connections(1);
        let pool = pool.connect_with(options).await.expect("a database");
        sqlx::query("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
            .execute(&pool)
            .await
            .expect("a table");
        (file, pool)
    }

    fn names(directory: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(directory).expect("it is there");
        let names = entries.map(|entry| entry.expect("a file").file_name().display().to_string());
        let mut names: Vec<String> = names.filter(|name| name.contains(BEFORE)).collect();
        names.sort();
        names
    }

    #[tokio::test]
    async fn one_copy_is_kept_of_the_time_before_the_last_upgrade() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let (file, pool) = database(directory.path()).await;
        for number in [18, 22] {
            begin_upgrade(&file, number, &pool)
                .await
                .expect("room on the disk");
            assert!(
                names(directory.path())
                    .contains(&format!("mawe.sqlite.before-migration-{number}.upgrading"))
            );
            end_upgrade(&file);
            assert_eq!(
                names(directory.path()),
                [format!("mawe.sqlite.before-migration-{number}")]
            );
        }
        // A database that `mawe restore` has set aside is no copy of an upgrade, and stays.
        let aside = directory.path().join("mawe.sqlite.before-1764212400000");
        std::fs::write(&aside, "a database").expect("a file");
        begin_upgrade(&file, 22, &pool)
            .await
            .expect("room on the disk");
        end_upgrade(&file);
        assert!(aside.exists());
        // Without an upgrade nothing changes.
        end_upgrade(&file);
        let copy = directory.path().join("mawe.sqlite.before-migration-22");
        assert_eq!(
            std::fs::read(copy).expect("a file"),
            std::fs::read(&file).expect("a file")
        );
    }

    #[tokio::test]
    async fn the_copy_of_an_upgrade_that_stopped_is_kept_until_it_succeeds() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let (file, pool) = database(directory.path()).await;
        begin_upgrade(&file, 22, &pool)
            .await
            .expect("room on the disk");
        let before = std::fs::read(&file).expect("a file");
        // Migration 22 is applied, 23 fails; the next start begins with 23.
        sqlx::query("INSERT INTO t VALUES (2)")
            .execute(&pool)
            .await
            .expect("a row");
        begin_upgrade(&file, 23, &pool).await.expect("it is there");
        end_upgrade(&file);
        assert_eq!(names(directory.path()), ["mawe.sqlite.before-migration-22"]);
        let copy = directory.path().join("mawe.sqlite.before-migration-22");
        assert_eq!(std::fs::read(copy).expect("a file"), before);
    }

    #[tokio::test]
    async fn a_copy_that_cannot_be_made_leaves_nothing_behind() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let (file, pool) = database(directory.path()).await;
        // A directory of the copy's name is in the way, also of a superuser.
        let obstacle = directory
            .path()
            .join("mawe.sqlite.before-migration-22.upgrading");
        std::fs::create_dir_all(obstacle.join("x")).expect("a directory");
        let error = begin_upgrade(&file, 22, &pool)
            .await
            .expect_err("it is in the way");
        assert!(error.to_string().contains("make room"), "{error}");
        assert_eq!(
            names(directory.path()),
            ["mawe.sqlite.before-migration-22.upgrading"]
        );
    }
}
