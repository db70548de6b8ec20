//! The copy of all tables of one database into another, empty one, of the same kind or of the other.
//!
//! The target is marked from the first row to the last: no program opens it until the copy is finished. Rows are copied in the order of their keys, a
//! batch with its progress in one transaction, so that a copy that was interrupted goes on where it was. References between tables are set
//! aside meanwhile; at the end all tables of both databases are read and compared, and only then the references are checked and the mark is
//! taken away.
//!
//! Tables and columns come from the catalogues of the databases, so that none can be forgotten.

mod end;
mod postgres;
mod sqlite;
mod table;

use tokio::sync::mpsc;

use self::end::End;
use self::postgres::PostgresEnd;
use self::sqlite::SqliteEnd;
use self::table::{Kind, Row, Table, TableDigest, Value, quoted};
use crate::OpenError;
use crate::address::{is_postgres, unknown_kind};
use crate::copy_mark::{MARK, REFERENCES};
use crate::recount::{self, Recount, RecountError};

/// The number of batches that are read ahead.
const AHEAD: usize = 2;

/// A step of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// The copy begins, or goes on: the rows of all tables, and those copied before.
    Begun {
        /// The number of rows of all tables.
        rows: u64,
        /// The number of those that were copied before.
        copied: u64,
    },
    /// This number of rows was copied or compared.
    Rows(u64),
    /// A table is copied.
    Copied {
        /// Its name.
        table: &'a str,
        /// The number of its rows.
        rows: u64,
    },
    /// All rows are copied; as many are compared now.
    Comparing,
    /// The copy is finished: a server may open the target. Its ratings are checked now.
    Finished,
}

/// The reason why a copy failed: one line with its remedy.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// A database cannot be opened, or a server uses it.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The target has rows.
    #[error("the target is not empty: there are rows in its table {0}; choose a new database")]
    NotEmpty(String),
    /// The schemas differ.
    #[error(
        "the schemas of the two databases differ in {0}; this is a fault of the program, report it"
    )]
    Schemas(String),
    /// The source is not the one from which the copy was begun.
    #[error(
        "the source has changed since this copy was begun, or is another one ({0}); empty the target and begin anew"
    )]
    Changed(String),
    /// Another process writes to the target.
    #[error("another `mawe copy` writes to the target; let one of them end")]
    Meddled,
    /// The rows of a table differ after the copy.
    #[error(
        "the table {0} differs in source and target: one of them was written to meanwhile; empty the target and begin anew"
    )]
    Differs(String),
    /// Rows refer to others that are not there.
    #[error(
        "rows of {0} refer to others that are not there; restore a backup of the source and copy that"
    )]
    Dangling(String),
    /// A database failed.
    #[error(
        "the {end} failed at {what}: {error}; mend it and say the same command again, the copy goes on where it was"
    )]
    Failed {
        /// The source or the target.
        end: &'static str,
        /// The table or the step.
        what: String,
        /// The cause.
        error: sqlx::Error,
    },
    /// The ratings could not be checked; the copy is finished.
    #[error("the copy is finished, but its ratings could not be checked: {0}")]
    Ratings(#[from] RecountError),
}

/// Opens a database at one end of a copy, and brings its schema up to date.
async fn open(url: &str, is_source: bool) -> Result<Box<dyn End>, OpenError> {
    match url.strip_prefix("sqlite:") {
        Some(path) => Ok(Box::new(SqliteEnd::open(path.as_ref(), is_source).await?)),
        None if is_postgres(url) => Ok(Box::new(PostgresEnd::open(url, is_source).await?)),
        None => Err(unknown_kind()),
    }
}

/// Copies all tables from one database to another, both with addresses as [`open`](crate::open) takes them, and checks the ratings of the
/// target. An interrupted copy goes on when it is called again. No server may use the source or the target.
///
/// # Errors
/// [`TransferError`].
pub async fn run(
    from: &str,
    to: &str,
    tell: &(dyn Fn(Step<'_>) + Sync),
) -> Result<Recount, TransferError> {
    if from == to {
        return Err(OpenError("the source and the target are the same".to_owned()).into());
    }
    let source = open(from, true).await?;
    let target = open(to, false).await?;
    let mut transfer = Transfer::begin(source, target).await?;
    let (rows, copied) = transfer.sums();
    tell(Step::Begun { rows, copied });
    for place in 0..transfer.tables.len() {
        transfer.copy(place, tell).await?;
    }
    tell(Step::Comparing);
    for place in 0..transfer.tables.len() {
        transfer.compare(place, tell).await?;
    }
    let Transfer {
        mut source,
        mut target,
        ..
    } = transfer;
    // Their writes would have come after the moment of the copy.
    let servers = source.servers().await;
    if servers.map_err(failed("source", "its end"))? > 0 {
        return Err(TransferError::Changed("a server uses it".to_owned()));
    }
    let finished = target.finish().await.map_err(failed("target", "its end"))?;
    if let Some(table) = finished {
        return Err(TransferError::Dangling(table));
    }
    tell(Step::Finished);
    let store = target.into_store().await?;
    let ratings = recount::recount(store.as_ref()).await;
    store.close().await;
    Ok(ratings?)
}

/// A copy in progress.
struct Transfer {
    source: Box<dyn End>,
    target: Box<dyn End>,
    tables: Vec<Part>,
}

/// A table in both databases, and the progress of its copy.
struct Part {
    source: Table,
    target: Table,
    rows: u64,
    copied: u64,
    /// The key of the last copied row.
    last: Option<Row>,
}

fn failed(end: &'static str, what: &str) -> impl FnOnce(sqlx::Error) -> TransferError {
    let what = what.to_owned();
    move |error| TransferError::Failed { end, what, error }
}

impl Transfer {
    /// Marks an empty target, or reads the progress of an interrupted copy.
    async fn begin(
        mut source: Box<dyn End>,
        mut target: Box<dyn End>,
    ) -> Result<Transfer, TransferError> {
        let of_source = failed("source", "its tables");
        source.begin_to_read().await.map_err(of_source)?;
        let tables = source.tables().await;
        let tables = tables.map_err(failed("source", "its tables"))?;
        let targets = target.tables().await;
        let mut targets = targets.map_err(failed("target", "its tables"))?;
        let is_marked = targets.iter().any(|table| table.name == MARK);
        targets.retain(|table| ![MARK, REFERENCES].contains(&table.name.as_str()));
        let mut parts = Vec::new();
        if tables.len() != targets.len() {
            return Err(TransferError::Schemas("their tables".to_owned()));
        }
        for (table, target) in tables.into_iter().zip(targets) {
            if !table.matches(&target) {
                return Err(TransferError::Schemas(table.name));
            }
            let rows = count(source.as_mut(), &table.name).await;
            parts.push(Part {
                rows: rows.map_err(failed("source", &table.name))?,
                source: table,
                target,
                copied: 0,
                last: None,
            });
        }
        let mut transfer = Transfer {
            source,
            target,
            tables: parts,
        };
        if is_marked {
            transfer.resume().await?;
        } else {
            transfer.check_empty().await?;
            let marked = transfer.mark().await;
            marked.map_err(failed("target", "its mark"))?;
        }
        Ok(transfer)
    }

    async fn check_empty(&mut self) -> Result<(), TransferError> {
        let mut tables = self.tables.iter();
        if tables.all(|part| part.rows == 0 || part.source.name == "counters") {
            return Err(OpenError("there is nothing in the source".to_owned()).into());
        }
        for part in &self.tables {
            let name = &part.target.name;
            // A new schema has its counters, all of them at 0.
            let rest = if name == "counters" {
                " WHERE value <> 0"
            } else {
                ""
            };
            let first = format!(
                "SELECT count(*) FROM (SELECT 1 FROM {}{rest} LIMIT 1) AS first",
                quoted(name)
            );
            let found = numbers(self.target.as_mut(), &first).await;
            let found = found.map_err(failed("target", name))?;
            if found != [0] {
                return Err(TransferError::NotEmpty(name.clone()));
            }
        }
        Ok(())
    }

    async fn mark(&mut self) -> Result<(), sqlx::Error> {
        let target = self.target.as_mut();
        target.execute("BEGIN", &[]).await?;
        let create = format!(
            "CREATE TABLE {MARK} (name TEXT NOT NULL PRIMARY KEY, row_count BIGINT NOT NULL, copied BIGINT NOT NULL, last_key TEXT)"
        );
        target.execute(&create, &[]).await?;
        for part in &self.tables {
            let insert = format!("INSERT INTO {MARK} (name, row_count, copied) VALUES ($1, $2, 0)");
            let name = Value::Text(part.target.name.clone());
            let values = [name, number(part.rows)];
            target.execute(&insert, &values).await?;
        }
        target.set_references_aside().await?;
        target.execute("DELETE FROM counters", &[]).await?;
        target.execute("COMMIT", &[]).await?;
        Ok(())
    }

    /// Reads the mark. Waits for the transaction of a process that was killed just now.
    async fn resume(&mut self) -> Result<(), TransferError> {
        let of_mark = || failed("target", "its mark");
        let target = self.target.as_mut();
        let locked = format!("UPDATE {MARK} SET copied = copied");
        target.execute(&locked, &[]).await.map_err(of_mark())?;
        let select = format!("SELECT name, row_count, copied, last_key FROM {MARK}");
        let kinds = [Kind::Text, Kind::Integer, Kind::Integer, Kind::Text];
        let rows = all(target, &select, &kinds).await.map_err(of_mark())?;
        for part in &mut self.tables {
            let name = &part.target.name;
            let changed = |what: &str| TransferError::Changed(format!("{what} {name}"));
            let row = rows
                .iter()
                .find(|row| row[0] == Value::Text(name.clone()))
                .ok_or_else(|| changed("it has a new table"))?;
            if row[1] != number(part.rows) {
                return Err(changed("the number of rows in"));
            }
            if let Value::Integer(copied) = row[2] {
                part.copied = copied.unsigned_abs();
            }
            if let Value::Text(last) = &row[3] {
                let last = serde_json::from_str(last);
                part.last = Some(last.map_err(|_unread| changed("the mark of"))?);
            }
        }
        Ok(())
    }

    fn sums(&self) -> (u64, u64) {
        let sum = |of: fn(&Part) -> u64| self.tables.iter().map(of).sum();
        (sum(|part| part.rows), sum(|part| part.copied))
    }

    /// Copies the rest of a table.
    async fn copy(
        &mut self,
        place: usize,
        tell: &(dyn Fn(Step<'_>) + Sync),
    ) -> Result<(), TransferError> {
        let Transfer {
            source,
            target,
            tables,
        } = self;
        let part = &mut tables[place];
        let name = part.source.name.clone();
        let select = part.source.select(part.last.is_some());
        let (after, kinds) = (part.last.clone().unwrap_or_default(), part.source.kinds());
        let (sender, batches) = mpsc::channel(AHEAD);
        let reading = source.read(&select, &after, &kinds, sender);
        let writing = async {
            // Dropped with this block, so that the reader ends too.
            let mut batches: mpsc::Receiver<Vec<Row>> = batches;
            while let Some(rows) = batches.recv().await {
                let count = rows.len() as u64;
                write(target.as_mut(), part, rows).await?;
                tell(Step::Rows(count));
            }
            Ok::<_, TransferError>(())
        };
        let (read, written) = tokio::join!(reading, writing);
        written?;
        read.map_err(failed("source", &name))?;
        let rows = part.copied;
        tell(Step::Copied { table: &name, rows });
        Ok(())
    }

    /// Compares a table of the source with that of the target.
    async fn compare(
        &mut self,
        place: usize,
        tell: &(dyn Fn(Step<'_>) + Sync),
    ) -> Result<(), TransferError> {
        let part = &self.tables[place];
        let (nothing, tell) = (|_: u64| {}, |rows| tell(Step::Rows(rows)));
        let (source, target) = tokio::join!(
            digest(self.source.as_mut(), &part.source, &nothing),
            digest(self.target.as_mut(), &part.target, &tell),
        );
        let source = source.map_err(failed("source", &part.source.name))?;
        let target = target.map_err(failed("target", &part.source.name))?;
        if source != target || source.rows != part.rows {
            return Err(TransferError::Differs(part.source.name.clone()));
        }
        Ok(())
    }
}

/// Writes a batch together with the progress.
async fn write(target: &mut dyn End, part: &mut Part, rows: Vec<Row>) -> Result<(), TransferError> {
    let of_table = || failed("target", &part.target.name);
    let copied = part.copied + rows.len() as u64;
    let last = part.target.key_of(rows.last().expect("a batch has a row"));
    let last_key = serde_json::to_string(&last).expect("a key is plain JSON");
    target.execute("BEGIN", &[]).await.map_err(of_table())?;
    let update =
        format!("UPDATE {MARK} SET copied = $1, last_key = $2 WHERE name = $3 AND copied = $4");
    let values = [
        number(copied),
        Value::Text(last_key),
        Value::Text(part.target.name.clone()),
        number(part.copied),
    ];
    let updated = target.execute(&update, &values).await;
    if updated.map_err(of_table())? != 1 {
        return Err(TransferError::Meddled);
    }
    let inserted = target.insert(&part.target, rows).await;
    inserted.map_err(of_table())?;
    target.execute("COMMIT", &[]).await.map_err(of_table())?;
    (part.copied, part.last) = (copied, Some(last));
    Ok(())
}

/// Returns the digest of a table; reports the number of rows of each batch.
async fn digest(
    end: &mut dyn End,
    table: &Table,
    tell: &(dyn Fn(u64) + Sync),
) -> Result<TableDigest, sqlx::Error> {
    let (select, kinds) = (table.select(false), table.kinds());
    let (sender, mut batches) = mpsc::channel::<Vec<Row>>(AHEAD);
    let reading = end.read(&select, &[], &kinds, sender);
    let digesting = async {
        let mut digest = TableDigest::default();
        while let Some(rows) = batches.recv().await {
            rows.iter().for_each(|row| digest.add(row));
            tell(rows.len() as u64);
        }
        digest
    };
    let (read, digest) = tokio::join!(reading, digesting);
    read.map(|()| digest)
}

/// Returns all rows of a query with few of them.
async fn all(end: &mut dyn End, sql: &str, kinds: &[Kind]) -> Result<Vec<Row>, sqlx::Error> {
    let (sender, mut batches) = mpsc::channel::<Vec<Row>>(AHEAD);
    let collecting = async {
        let mut all = Vec::new();
        while let Some(rows) = batches.recv().await {
            all.extend(rows);
        }
        all
    };
    let (read, all) = tokio::join!(end.read(sql, &[], kinds, sender), collecting);
    read.map(|()| all)
}

/// Returns the numbers in the first column of a query.
async fn numbers(end: &mut dyn End, sql: &str) -> Result<Vec<i64>, sqlx::Error> {
    let rows = all(end, sql, &[Kind::Integer]).await?;
    let numbers = rows.into_iter().filter_map(|row| match row[0] {
        Value::Integer(number) => Some(number),
        _ => None,
    });
    Ok(numbers.collect())
}

async fn count(end: &mut dyn End, table: &str) -> Result<u64, sqlx::Error> {
    let counts = numbers(end, &format!("SELECT count(*) FROM {}", quoted(table))).await?;
    Ok(counts.first().map_or(0, |count| count.unsigned_abs()))
}

fn number(number: u64) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}
