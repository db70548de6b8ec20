//! The embedded store: one SQLite file, one server.
//!
//! There is one connection for writing, and a few for reading. An exclusive lock on a file beside the database keeps out a second server,
//! since both would act as the only owner of the running matches.

use std::collections::HashSet;
use std::fs::{File, TryLockError};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mawe_play::room::entry::StoredEntry;
use mawe_play::room::io::Finish;
use serde::Serialize;
use sqlx::migrate::MigrateError;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection};

use super::copies;
use super::migrate::{MigrationTable, Upgrade};
use super::rows::Stored;
use super::space::{MinFreeSpace, SpaceGuard};
use super::{Append, OpenError, StoreError};
use crate::copy_mark::{self, unfinished_copy};
use crate::detached::detached;
use crate::figures::{self, PoolFigures, StoreFigures};
use crate::limits::StoreLimits;
use crate::private;
use SqliteStore as Backend;
use group::{TURN_LIMIT, Tx, Writer, begin, begin_alone, commit, run};
use sqlx::Sqlite as Db;

/// The time of the database, in milliseconds since the Unix epoch.
macro_rules! now_ms {
    () => {
        "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
    };
}

/// Nothing: a writing transaction locks the whole database.
macro_rules! for_update {
    () => {
        ""
    };
}

/// The head of the match `m`: the seq of its last entry.
macro_rules! head {
    () => {
        "(SELECT coalesce(max(seq), 0) FROM entries WHERE match_id = m.id)"
    };
}

/// The content that a readiness check writes: as much as a large commit. It is random because an unchanged page is not written.
macro_rules! probe_filling {
    () => {
        "randomblob(32768)"
    };
}

/// The appends of a batch that are not fenced: `i`, a row of [`head()`], joined to its match `m`.
macro_rules! unfenced {
    ($heads:literal) => {
        concat!(
            "json_each(",
            $heads,
            ") AS i JOIN matches AS m ON m.id = i.value ->> 0
            WHERE m.epoch = i.value ->> 2 AND m.finished_ms IS NULL AND ",
            head!(),
            " = i.value ->> 1"
        )
    };
}

/// Inserts the entries of `$1`.
macro_rules! insert_entries {
    ($($rest:expr),*) => {
        concat!(
            "INSERT INTO entries (match_id, seq, epoch, kind, payload, client_id, at_ms)
            SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
            FROM json_each($1)",
            $($rest),*
        )
    };
}

mod group;

#[path = "sql/mod.rs"]
#[expect(
    clippy::duplicate_mod,
    reason = "the same SQL, compiled once for each database"
)]
mod sql;

static MIGRATIONS: MigrationTable = include!(concat!(env!("OUT_DIR"), "/migrations_sqlite.rs"));

/// Earlier versions can corrupt a database in WAL mode with several connections.
const OLDEST_SQLITE: [u32; 3] = [3, 51, 3];

/// The time to wait while another process that has the file open (a backup, or an operator's shell) holds a lock. It is less than
/// `LINE_LIMIT`, so that a write fails by itself, with the certainty that nothing was written.
const BUSY: Duration = Duration::from_secs(3);

/// The page cache of a reader in KiB, as a negative number.
const READER_CACHE: &str = "-4096";

/// The page cache of the writer in KiB, as a negative number. It holds all pages of a large batch; otherwise they would be written before
/// the commit and again with it.
const WRITER_CACHE: &str = "-32768";

/// The size of a page in bytes. A commit writes whole pages, and a move changes a few hundred bytes of two (`docs/performance.md`). A
/// database of an earlier version keeps its 4 KiB until it is restored from a backup.
const PAGE_BYTES: u32 = 1024;

/// The size of the write-ahead log in bytes that starts a checkpoint. A page changed by many commits is copied once per checkpoint.
const CHECKPOINT_BYTES: u32 = 32 * 1024 * 1024;

/// The store in one SQLite file.
pub(super) struct SqliteStore {
    writer: Writer,
    readers: SqlitePool,
    most_readers: u32,
    /// The options of a new connection.
    options: SqliteConnectOptions,
    path: PathBuf,
    /// Checks the free space on the disk of the file.
    space: SpaceGuard,
    // Held for the lifetime of the store; the system releases it even after a crash. A snapshot has none.
    lock: Option<File>,
}

/// A database file with the schema of this program, locked for this process.
pub(super) struct Prepared {
    pub(super) path: PathBuf,
    /// The options of a new connection.
    pub(super) options: SqliteConnectOptions,
    lock: File,
    /// The connection that has brought the schema up to date.
    migrator: SqlitePool,
}

impl Prepared {
    /// Opens the file, and brings its schema up to date; creates it and its directory if they do not exist.
    pub(super) async fn open(path: &Path) -> Result<Self, OpenError> {
        if let Some(directory) = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
        {
            private::make_directory(directory).map_err(|error| {
                let directory = directory.display();
                OpenError(format!(
                    "cannot make the directory {directory} for the database: {error}; choose another one or make it writable"
                ))
            })?;
        }
        let lock = lock(path)?;
        refuse_empty(path)?;
        // Must run before SQLite creates the file: SQLite gives its files beside the database the same permissions.
        private::open_file(path).map_err(|error| {
            let path = path.display();
            OpenError(format!(
                "cannot write the database {path} ({error}); make it and its directory writable or choose another one"
            ))
        })?;
        private::tighten_database(path);

        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .page_size(PAGE_BYTES)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY)
            .pragma("cache_size", WRITER_CACHE);
        let migrator = pool(1)
            .connect_with(options.clone())
            .await
            .map_err(|error| unopened(path, &error))?;
        let version: String = sqlx::query_scalar("SELECT sqlite_version()")
            .fetch_one(&migrator)
            .await
            .map_err(|error| unopened(path, &error))?;
        if !is_new_enough(&version) {
            let [major, minor, patch] = OLDEST_SQLITE;
            return Err(OpenError(format!(
                "this program was built with SQLite {version}, which can corrupt a database; build it with {major}.{minor}.{patch} or later"
            )));
        }
        let upgrade = Upgrade::of(MIGRATIONS, &migrator)
            .await
            .map_err(|error| unmigrated(path, &error))?;
        if let Some(number) = upgrade.first_change() {
            copies::begin_upgrade(path, number, &migrator).await?;
        }
        upgrade
            .apply(&migrator)
            .await
            .map_err(|error| unmigrated(path, &error))?;
        copies::end_upgrade(path);
        Ok(Self {
            path: path.to_owned(),
            options,
            lock,
            migrator,
        })
    }

    /// Refuses a database that `mawe copy` has not finished.
    pub(super) async fn refuse_unfinished(&self) -> Result<(), OpenError> {
        let marks: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_schema WHERE name = $1")
            .bind(copy_mark::MARK)
            .fetch_one(&self.migrator)
            .await
            .map_err(|error| unopened(&self.path, &error))?;
        match marks {
            0 => Ok(()),
            _ => Err(unfinished_copy(&self.path.display().to_string())),
        }
    }

    /// Opens the store.
    pub(super) async fn into_store(self, limits: StoreLimits) -> Result<SqliteStore, OpenError> {
        self.refuse_unfinished().await?;
        let Prepared {
            path,
            options,
            lock,
            migrator,
        } = self;
        let page_bytes: u32 = sqlx::query_scalar("SELECT page_size FROM pragma_page_size")
            .fetch_one(&migrator)
            .await
            .map_err(|error| unopened(&path, &error))?;
        let checkpoint_pages = (CHECKPOINT_BYTES / page_bytes).to_string();
        let writer = pool(1)
            .after_release(|connection, _| Box::pin(is_clean(connection)))
            // A statement of many rows keeps the old pages until its end. In memory that costs no writes; a batch bounds its size. Only the
            // writer: the sorts of a migration or of a reader have no such bound.
            .connect_with(
                options
                    .clone()
                    .pragma("temp_store", "MEMORY")
                    .pragma("wal_autocheckpoint", checkpoint_pages),
            )
            .await
            .map_err(|error| unopened(&path, &error))?;
        migrator.close().await;
        // One reader is opened at once. While a connection is open, the write-ahead log's files stay, and a writer that reconnects on a
        // full disk need not create them.
        let readers = pool(limits.sqlite_readers)
            .min_connections(1)
            .connect_with(
                options
                    .clone()
                    .pragma("query_only", "1")
                    .pragma("cache_size", READER_CACHE),
            )
            .await
            .map_err(|error| unopened(&path, &error))?;
        Ok(SqliteStore {
            writer: Writer::new(writer),
            readers,
            most_readers: limits.sqlite_readers,
            options,
            space: SpaceGuard::new(&path, limits.min_free),
            path,
            lock: Some(lock),
        })
    }
}

impl SqliteStore {
    /// Opens the file; creates it and its directory if they do not exist.
    pub(super) async fn open(path: &Path, limits: StoreLimits) -> Result<Self, OpenError> {
        Prepared::open(path).await?.into_store(limits).await
    }

    /// Opens a file to read it as it is now, whether a server uses it or not.
    pub(super) async fn open_snapshot(path: &Path) -> Result<Self, OpenError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .read_only(true)
            .busy_timeout(BUSY)
            .pragma("query_only", "1")
            .pragma("cache_size", READER_CACHE);
        let one = pool(1)
            .after_connect(|connection, _| {
                Box::pin(async move {
                    // The first read chooses the moment, and the transaction keeps it.
                    let begin =
                        "BEGIN; SELECT count(*) FROM (SELECT 1 FROM _sqlx_migrations LIMIT 1)";
                    sqlx::raw_sql(begin).execute(connection).await.map(drop)
                })
            })
            .connect_with(options.clone())
            .await
            .map_err(|error| unopened(path, &error))?;
        let applied: Vec<i64> =
            sqlx::query_scalar("SELECT version FROM _sqlx_migrations ORDER BY version")
                .fetch_all(&one)
                .await
                .map_err(|error| unopened(path, &error))?;
        let known: Vec<i64> = MIGRATIONS.iter().map(|(number, _, _)| *number).collect();
        if applied != known {
            return Err(OpenError(format!(
                "the database {} is in use by a server of another version; use the program of that version",
                path.display()
            )));
        }
        // It is never used: nothing is written through a snapshot.
        let writer = pool(1).connect_lazy_with(options.clone());
        Ok(Self {
            writer: Writer::new(writer),
            readers: one,
            most_readers: 1,
            options,
            path: path.to_owned(),
            space: SpaceGuard::new(path, MinFreeSpace::Off),
            lock: None,
        })
    }

    fn reader(&self) -> &SqlitePool {
        &self.readers
    }

    /// The readers, also for slow queries.
    fn slow_reader(&self) -> &SqlitePool {
        &self.readers
    }

    fn writer(&self) -> &Writer {
        &self.writer
    }

    /// Checks whether matches and players may be added; the rest of the disk is for the running matches.
    fn has_space(&self) -> Result<(), StoreError> {
        self.space.check()
    }

    /// The writer, also for the lease of this node.
    fn reserved(&self) -> &Writer {
        &self.writer
    }

    fn reserved_reader(&self) -> &SqlitePool {
        &self.readers
    }

    /// Uses a connection of its own, and so a thread of its own. It reads one state of the database, and blocks nobody.
    async fn copy_into(&self, file: &Path) -> Result<bool, StoreError> {
        let mut connection = self.options.connect().await?;
        sqlx::query("VACUUM INTO $1")
            .bind(file.display().to_string())
            .execute(&mut connection)
            .await?;
        connection.close().await?;
        Ok(true)
    }

    /// The numbers of this store. Asks the system for the sizes of its files, and for the space on their disk.
    fn figures(&self) -> StoreFigures {
        let pool = |name, pool: &SqlitePool, most: u32| PoolFigures {
            name,
            open: pool.size().into(),
            idle: pool.num_idle() as u64,
            most: most.into(),
        };
        let size = |path: &Path| Some(path.metadata().ok()?.len());
        let wal = PathBuf::from(format!("{}-wal", self.path.display()));
        StoreFigures {
            backend: "sqlite",
            pools: vec![
                pool("read", &self.readers, self.most_readers),
                pool("write", self.writer.pool(), 1),
            ],
            writers_waiting: self.writer.waiting() as u64,
            waits: figures::waits(),
            errors: figures::errors(),
            database_bytes: size(&self.path),
            wal_bytes: Some(size(&wal).unwrap_or_default()),
            disk: self.space.disk(),
        }
    }

    /// Returns the size of the database in bytes, without its write-ahead log.
    #[expect(
        clippy::unused_async,
        reason = "the other database has something to wait for"
    )]
    async fn database_bytes(&self) -> Result<u64, StoreError> {
        Ok(self.figures().database_bytes.unwrap_or_default())
    }

    async fn shut(&self) {
        self.readers.close().await;
        self.writer.close().await;
        // Nobody can write through this store any more, so the file is free. An error is harmless: the lock is released when the store is
        // dropped.
        let _ = self.lock.as_ref().map(File::unlock);
    }

    /// Commits the appends that are not fenced, and returns the ids of their matches.
    ///
    /// The number of statements does not depend on the number of appends: each statement gets its rows as one JSON array. None returns
    /// rows, which would cost more than writing them.
    async fn commit_appends(&self, appends: &[&Append]) -> Result<HashSet<String>, StoreError> {
        let (writer, batch) = (self.writer.clone(), Batch::of(appends));
        detached(async move {
            if batch.is_entries_alone() && commit_whole(&writer, &batch).await? {
                return Ok(batch.ids.into_iter().collect());
            }
            let mut tx = begin(&writer).await?;
            // Nobody else writes until the commit, so the result of this check stays valid.
            let unfenced: String = sqlx::query_scalar(concat!(
                "SELECT json_group_array(i.key) FROM ",
                unfenced!("$1")
            ))
            .bind(array(&batch.heads))
            .fetch_one(&mut *tx)
            .await?;
            let unfenced: Vec<usize> = serde_json::from_str(&unfenced)
                .map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
            let batch = batch.only(&unfenced);

            // A statement that sets an indexed column writes to the index, even if the value is unchanged.
            for (sql, rows) in [
                (
                    "UPDATE matches SET due_ms = i.value ->> 1 FROM json_each($1) AS i
                    WHERE matches.id = i.value ->> 0",
                    &batch.dues,
                ),
                (insert_entries!(), &batch.entries),
                (
                    "UPDATE matches SET finished_ms = i.value ->> 1, winner = i.value ->> 2, reason = i.value ->> 3,
                        score_first = i.value ->> 4, score_second = i.value ->> 5, plies = i.value ->> 6, left_by = i.value ->> 8
                    FROM json_each($1) AS i WHERE matches.id = i.value ->> 0",
                    &batch.finishes,
                ),
                (
                    "INSERT INTO outbox (match_id, effect, created_ms)
                    SELECT value ->> 0, 'count', value ->> 1 FROM json_each($1) WHERE value ->> 7",
                    &batch.finishes,
                ),
            ] {
                if rows.iter().any(|rows| !rows.is_empty()) {
                    sqlx::query(sql).bind(array(rows)).execute(&mut *tx).await?;
                }
            }
            commit(tx).await?;
            Ok(batch.ids.into_iter().collect())
        })
        .await
    }
}

/// Commits a batch of entries alone, if none of its appends is fenced; returns whether that is so. Otherwise nothing is written.
///
/// It is one statement and one transaction: each statement costs two changes of thread, which at a few moves a commit is most of its cost.
async fn commit_whole(writer: &Writer, batch: &Batch) -> Result<bool, StoreError> {
    const COMMIT: &str =
        insert_entries!(" WHERE (SELECT count(*) FROM ", unfenced!("$2"), ") = $3");
    let count = i64::try_from(batch.ids.len()).expect("a batch is small");
    let statement = sqlx::query(COMMIT)
        .bind(array(&batch.entries))
        .bind(array(&batch.heads))
        .bind(count);
    let done = run(writer, statement).await?;
    Ok(done.rows_affected() > 0)
}

/// A batch as JSON, with one text per append, in the order of match ids, so that neighbours in an index are written together. A text has
/// the append's rows separated by commas; it is empty if there are none.
struct Batch {
    ids: Vec<String>,
    heads: Vec<String>,
    dues: Vec<String>,
    entries: Vec<String>,
    finishes: Vec<String>,
}

impl Batch {
    fn of(appends: &[&Append]) -> Self {
        let mut sorted = appends.to_vec();
        sorted.sort_unstable_by_key(|append| &append.match_id);
        Self {
            ids: sorted
                .iter()
                .map(|append| append.match_id.to_string())
                .collect(),
            heads: sorted.iter().map(|append| head(append)).collect(),
            dues: sorted.iter().map(|append| due(append)).collect(),
            entries: sorted.iter().map(|append| entries(append)).collect(),
            finishes: sorted.iter().map(|append| finish(append)).collect(),
        }
    }

    /// Whether there is nothing to write but entries.
    fn is_entries_alone(&self) -> bool {
        let none = |rows: &[String]| rows.iter().all(String::is_empty);
        !self.ids.is_empty() && none(&self.dues) && none(&self.finishes)
    }

    fn only(mut self, places: &[usize]) -> Self {
        for column in [
            &mut self.ids,
            &mut self.heads,
            &mut self.dues,
            &mut self.entries,
            &mut self.finishes,
        ] {
            *column = places
                .iter()
                .map(|place| std::mem::take(&mut column[*place]))
                .collect();
        }
        self
    }
}

fn head(append: &Append) -> String {
    json(&(append.match_id.as_str(), append.head, append.epoch))
}

fn due(append: &Append) -> String {
    let row = |due_ms| json(&(append.match_id.as_str(), due_ms));
    append.due_ms.map(row).unwrap_or_default()
}

fn entries(append: &Append) -> String {
    let row = |entry: &StoredEntry| {
        json(&(
            append.match_id.as_str(),
            entry.seq,
            entry.epoch,
            &entry.kind,
            &entry.payload,
            &entry.client_id,
            entry.at_ms,
        ))
    };
    append.entries.iter().map(row).collect::<Vec<_>>().join(",")
}

fn finish(append: &Append) -> String {
    let row = |finish: &Finish| {
        json(&(
            append.match_id.as_str(),
            finish.at_ms,
            finish.winner.map(Stored::text),
            &finish.reason,
            finish.score.map(|score| score.first),
            finish.score.map(|score| score.second),
            finish.plies,
            finish.uncounted,
            finish.left_by.map(Stored::text),
        ))
    };
    append.finish.as_ref().map(row).unwrap_or_default()
}

fn json(row: &impl Serialize) -> String {
    serde_json::to_string(row).expect("a tuple of texts and numbers is plain JSON")
}

/// Joins rows to one JSON array.
fn array(rows: &[String]) -> String {
    let rows: Vec<&str> = rows
        .iter()
        .map(String::as_str)
        .filter(|rows| !rows.is_empty())
        .collect();
    format!("[{}]", rows.join(","))
}

/// Whether no other transaction writes beside one, so that none needs locks.
const RUNS_ALONE: bool = true;

/// Does nothing: a writing transaction is alone already.
async fn serialise(_: &mut Tx, _: &str) -> Result<(), StoreError> {
    Ok(())
}

/// Whether a writer's connection may be used again. SQLite ends a transaction by itself when the disk is full or broken; the client library
/// still counts it as open, and would never begin another one. Such a connection is closed, and the next write opens a new one.
///
/// Called after every write of this store, whether committed, refused, or dropped before its end.
async fn is_clean(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    if connection.is_in_transaction() {
        // The connection answers only after the rollback that a dropped transaction has requested.
        connection.ping().await?;
    }
    let is_clean = !connection.is_in_transaction();
    if !is_clean {
        tracing::warn!("a transaction ended badly; its connection to the database is replaced");
    }
    Ok(is_clean)
}

fn pool(size: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(size)
        .acquire_timeout(TURN_LIMIT)
        // A connection to a file does not go stale.
        .test_before_acquire(false)
        .idle_timeout(None)
        .max_lifetime(None)
}

/// Takes the lock that marks this database as used by a server.
pub(super) fn lock(path: &Path) -> Result<File, OpenError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let name = PathBuf::from(name);
    let file = private::open_file(&name).map_err(|error| {
        let name = name.display();
        OpenError(format!("cannot write {name} beside the database: {error}; make its directory writable or choose another one"))
    })?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError(format!(
            "the database {} is in use by another server; stop that one or choose another database",
            path.display()
        ))),
        Err(TryLockError::Error(error)) => Err(OpenError(format!(
            "cannot lock {}: {error}; put the database on a local disk",
            name.display()
        ))),
    }
}

/// Whether a program holds the lock of this database.
pub(super) fn is_in_use(path: &Path) -> bool {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let file = File::open(PathBuf::from(name));
    file.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

/// Refuses an empty file that was a database before: SQLite would create a new database, and delete the write-ahead log beside it.
fn refuse_empty(path: &Path) -> Result<(), OpenError> {
    let size = |path: &Path| path.metadata().ok().map(|found| found.len());
    let own_size = size(path);
    if own_size.is_some_and(|size| size > 0) {
        return Ok(());
    }
    let log = PathBuf::from(format!("{}-wal", path.display()));
    let left = if size(&log).is_some_and(|size| size > 0) {
        Some(log)
    } else if own_size.is_some() {
        other_database(path)
    } else {
        None
    };
    let Some(left) = left else {
        return Ok(());
    };
    let (path, left, state) = (
        path.display(),
        left.display(),
        own_size.map_or("missing", |_| "empty"),
    );
    Err(OpenError(format!(
        "the database {path} is {state}, and {left} beside it says that it was not: put a backup back with `mawe restore FILE --replace`, or move both away to begin anew"
    )))
}

/// Returns another database in the same directory, such as a backup.
fn other_database(path: &Path) -> Option<PathBuf> {
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let entries = std::fs::read_dir(parent.unwrap_or(Path::new("."))).ok()?;
    let mut files = entries.filter_map(Result::ok).map(|entry| entry.path());
    files.find(|file| file.is_file() && begins_as_database(file))
}

fn begins_as_database(file: &Path) -> bool {
    const MAGIC: &[u8; 16] = b"SQLite format 3\0";
    let mut begin = [0; MAGIC.len()];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut begin));
    read.is_ok() && begin == *MAGIC
}

fn is_new_enough(version: &str) -> bool {
    let parts: Result<Vec<u32>, _> = version.split('.').map(str::parse).collect();
    parts.is_ok_and(|parts| parts.as_slice() >= OLDEST_SQLITE.as_slice())
}

fn unopened(path: &Path, error: &sqlx::Error) -> OpenError {
    // The primary result codes, see https://sqlite.org/rescode.html.
    const READ_ONLY: u32 = 8;
    const CORRUPT: u32 = 11;
    const FULL: u32 = 13;
    const CANNOT_OPEN: u32 = 14;
    const NOT_A_DATABASE: u32 = 26;

    let path = path.display();
    let code = error
        .as_database_error()
        .and_then(|refusal| refusal.code()?.parse::<u32>().ok());
    OpenError(match code.map(|code| code & 0xff) {
        Some(CORRUPT | NOT_A_DATABASE) => format!(
            "{path} is damaged or no database of this program ({error}); restore a backup, or move it away to begin anew"
        ),
        Some(CANNOT_OPEN | READ_ONLY) => {
            format!(
                "cannot write the database {path} ({error}); make it and its directory writable or choose another one"
            )
        }
        Some(FULL) => format!("no room on the disk for the database {path}; make some"),
        _ => format!("cannot open the database {path}: {error}"),
    })
}

fn unmigrated(path: &Path, error: &MigrateError) -> OpenError {
    match error {
        MigrateError::Execute(cause) | MigrateError::ExecuteMigration(cause, _) => {
            unopened(path, cause)
        }
        MigrateError::VersionMissing(_) => OpenError(format!(
            "the database {} was written by a later version of this program; run that one",
            path.display()
        )),
        other => OpenError(format!(
            "cannot bring the database {} up to date: {other}",
            path.display()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_copy;

    #[test]
    fn an_sqlite_that_corrupts_is_refused() {
        for version in ["3.51.3", "3.51.10", "3.52.0", "4.0.0"] {
            assert!(is_new_enough(version), "{version}");
        }
        for version in ["3.51.2", "3.9.99", "2.99.99", "nonsense"] {
            assert!(!is_new_enough(version), "{version}");
        }
    }

    #[tokio::test]
    async fn a_database_is_copied_before_a_migration_changes_it() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let file = directory.path().join("mawe.sqlite");
        let options = SqliteConnectOptions::new()
            .filename(&file)
            .create_if_missing(true);
        let older = pool(1).connect_with(options).await.expect("a database");
        let (last, known) = MIGRATIONS.split_last().expect("there are some");
        let upgrade = Upgrade::of(known, &older).await.expect("it answers");
        assert_eq!(upgrade.first_change(), None, "a new database needs no copy");
        upgrade.apply(&older).await.expect("the schema of before");
        older.close().await;
        let copy = directory
            .path()
            .join(format!("mawe.sqlite.before-migration-{}", last.0));
        for _ in 0..2 {
            // The second start finds nothing to do.
            let store = SqliteStore::open(&file, StoreLimits::default()).await;
            store.expect("it is brought up to date").shut().await;
            check_copy(&copy).await.expect("a whole database");
        }
        let options = SqliteConnectOptions::new().filename(&copy).read_only(true);
        let mut copied = options.connect().await.expect("a database");
        let newest: i64 = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations")
            .fetch_one(&mut copied)
            .await
            .expect("a row");
        assert_eq!(newest, last.0 - 1);
    }

    #[tokio::test]
    async fn no_more_readers_are_opened_than_the_operator_permits() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let limits = StoreLimits {
            sqlite_readers: 2,
            ..StoreLimits::default()
        };
        let store = SqliteStore::open(&directory.path().join("mawe.sqlite"), limits).await;
        let store = store.expect("a new store");
        let both = [
            store.reader().acquire().await,
            store.reader().acquire().await,
        ];
        assert!(both.iter().all(Result::is_ok) && store.reader().try_acquire().is_none());
        assert_eq!(store.figures().pools[0].most, 2);
    }

    /// The sorts of readers and migrations may be larger than the memory of a small machine.
    #[tokio::test]
    async fn only_the_writer_keeps_temporary_data_in_memory() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let file = directory.path().join("mawe.sqlite");
        let store = SqliteStore::open(&file, StoreLimits::default())
            .await
            .expect("a new store");
        const BY_DEFAULT: i64 = 0;
        const IN_MEMORY: i64 = 2;
        for (pool, expected) in [
            (store.writer().pool(), IN_MEMORY),
            (store.reader(), BY_DEFAULT),
        ] {
            let found: i64 = sqlx::query_scalar("PRAGMA temp_store")
                .fetch_one(pool)
                .await
                .expect("an answer");
            assert_eq!(found, expected);
        }
    }

    /// A filter that made the database read all matches, or sort those of a player, would slow down everybody.
    #[tokio::test]
    async fn every_page_of_a_history_walks_along_an_index() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let file = directory.path().join("mawe.sqlite");
        let store = SqliteStore::open(&file, StoreLimits::default())
            .await
            .expect("a new store");
        for query in sql::history::tests::every_query() {
            let plan: Vec<(i64, i64, i64, String)> =
                sqlx::query_as(sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {query}")))
                    .fetch_all(store.reader())
                    .await
                    .expect("a plan");
            let steps: Vec<&str> = plan.iter().map(|(_, _, _, step)| step.as_str()).collect();
            let walks = steps.iter().filter(|step| {
                step.starts_with("SEARCH matches USING")
                    && (step.contains("INDEX matches_history_")
                        || step.contains("INDEX matches_pair"))
            });
            assert_eq!(walks.count(), 2, "{query}\n{steps:#?}");
            // The page itself is sorted, which is cheap; each seat's part comes sorted from its index.
            let is_sorted = |pair: &[&str]| {
                pair[0].starts_with("SEARCH matches USING") && !pair[1].starts_with("SCAN at_")
            };
            assert!(!steps.windows(2).any(is_sorted), "{query}\n{steps:#?}");
            assert!(
                !steps.iter().any(|step| step.starts_with("SCAN matches")),
                "{query}\n{steps:#?}"
            );
        }
    }
}
