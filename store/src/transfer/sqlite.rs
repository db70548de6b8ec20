//! An SQLite file at one end of a copy.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::TryStreamExt;
use sqlx::sqlite::{SqliteArguments, SqliteConnection, SqliteRow};
use sqlx::{Arguments, AssertSqlSafe, ConnectOptions, Connection, Row as _};
use tokio::sync::mpsc;

use super::end::{Batches, End};
use super::table::{Column, Described, Kind, Row, Table, Value, quoted};
use crate::copy_mark::MARK;
use crate::limits::StoreLimits;
use crate::sqlite::Prepared;
use crate::{OpenError, Store};

/// The most values of a statement; SQLite permits 32,766.
const VALUES: usize = 8_192;

/// The columns of Postgres that this database has not, with the expressions for their values.
const COMPUTED: &[(&str, &str, Kind, &str)] = &[(
    "matches",
    "head",
    Kind::Integer,
    "(SELECT coalesce(max(seq), 0) FROM entries WHERE match_id = matches.id)",
)];

pub(super) struct SqliteEnd {
    prepared: Prepared,
    connection: SqliteConnection,
}

impl SqliteEnd {
    pub(super) async fn open(path: &Path, is_source: bool) -> Result<SqliteEnd, OpenError> {
        let shown = path.display();
        if is_source && !path.is_file() {
            return Err(OpenError(format!("there is no database {shown}")));
        }
        let prepared = Prepared::open(path).await?;
        if is_source {
            prepared.refuse_unfinished().await?;
        }
        let options = prepared.options.clone().foreign_keys(false);
        let connection = options.connect().await;
        let connection = connection
            .map_err(|error| OpenError(format!("cannot open the database {shown}: {error}")))?;
        Ok(SqliteEnd {
            prepared,
            connection,
        })
    }

    /// Executes several statements without parameters.
    async fn raw(&mut self, sql: &'static str) -> Result<(), sqlx::Error> {
        let done = sqlx::raw_sql(sql).execute(&mut self.connection).await;
        done.map(drop)
    }
}

#[async_trait]
impl End for SqliteEnd {
    async fn tables(&mut self) -> Result<Vec<Table>, sqlx::Error> {
        let columns: Vec<(String, String, String, i64)> = sqlx::query_as(
            r"SELECT t.name, c.name, c.type, c.pk FROM sqlite_schema t, pragma_table_info(t.name) c
            WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\' AND t.name <> '_sqlx_migrations'",
        )
        .fetch_all(&mut self.connection)
        .await?;
        let stored = columns.into_iter().map(|(table, name, kind, in_key)| {
            let kind = match kind.as_str() {
                "TEXT" => Kind::Text,
                "INTEGER" | "BIGINT" => Kind::Integer,
                "REAL" => Kind::Real,
                "BLOB" => Kind::Blob,
                other => return Err(unknown_type(&table, &name, other)),
            };
            let column = Column {
                name,
                kind,
                computed: None,
            };
            Ok((table, column, (in_key > 0).then_some(in_key)))
        });
        let mut columns: Vec<Described> = stored.collect::<Result<_, _>>()?;
        columns.extend(COMPUTED.iter().map(|(table, name, kind, expression)| {
            let column = Column {
                name: (*name).to_owned(),
                kind: *kind,
                computed: Some(expression),
            };
            ((*table).to_owned(), column, None)
        }));
        Ok(Table::of(columns))
    }

    async fn servers(&mut self) -> Result<i64, sqlx::Error> {
        // The lock of the file keeps them away.
        Ok(0)
    }

    async fn begin_to_read(&mut self) -> Result<(), sqlx::Error> {
        // The lock of the file keeps servers away; the transaction keeps the moment, also beside a shell of the database.
        self.raw("PRAGMA query_only = 1; BEGIN").await
    }

    async fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<u64, sqlx::Error> {
        let arguments = arguments(parameters.iter().cloned())?;
        let done = sqlx::query_with(AssertSqlSafe(sql), arguments)
            .execute(&mut self.connection)
            .await?;
        Ok(done.rows_affected())
    }

    async fn read(
        &mut self,
        sql: &str,
        parameters: &[Value],
        kinds: &[Kind],
        to: mpsc::Sender<Vec<Row>>,
    ) -> Result<(), sqlx::Error> {
        let arguments = arguments(parameters.iter().cloned())?;
        let mut batches = Batches::new(to);
        let mut rows = sqlx::query_with(AssertSqlSafe(sql), arguments).fetch(&mut self.connection);
        while let Some(row) = rows.try_next().await? {
            let values = kinds.iter().enumerate();
            let values = values.map(|(place, kind)| value(&row, place, *kind));
            if !batches.add(values.collect::<Result<_, _>>()?).await {
                return Ok(());
            }
        }
        batches.send().await;
        Ok(())
    }

    async fn insert(&mut self, table: &Table, mut rows: Vec<Row>) -> Result<(), sqlx::Error> {
        let places: Vec<usize> = table.stored().map(|(place, _)| place).collect();
        let at_once = (VALUES / places.len()).max(1);
        let (name, columns) = (quoted(&table.name), table.stored_names());
        let one = format!("({})", vec!["?"; places.len()].join(", "));
        while !rows.is_empty() {
            let rest = rows.split_off(at_once.min(rows.len()));
            let each = vec![one.as_str(); rows.len()].join(", ");
            let sql = format!("INSERT INTO {name} ({columns}) VALUES {each}");
            let values = rows.iter_mut().flat_map(|row| {
                let places = places.iter();
                places.map(|place| std::mem::replace(&mut row[*place], Value::Null))
            });
            sqlx::query_with(AssertSqlSafe(sql), arguments(values)?)
                .execute(&mut self.connection)
                .await?;
            rows = rest;
        }
        Ok(())
    }

    async fn set_references_aside(&mut self) -> Result<(), sqlx::Error> {
        // The connection does not check them.
        Ok(())
    }

    async fn finish(&mut self) -> Result<Option<String>, sqlx::Error> {
        let dangling: Option<String> =
            sqlx::query_scalar(r#"SELECT "table" FROM pragma_foreign_key_check LIMIT 1"#)
                .fetch_optional(&mut self.connection)
                .await?;
        if dangling.is_none() {
            self.execute(&format!("DROP TABLE {MARK}"), &[]).await?;
            // The copy is finished. After a failure here the log is applied later.
            let _ = self.raw("PRAGMA wal_checkpoint(TRUNCATE)").await;
        }
        Ok(dangling)
    }

    async fn into_store(self: Box<Self>) -> Result<Arc<dyn Store>, OpenError> {
        let SqliteEnd {
            prepared,
            connection,
        } = *self;
        // An error is harmless: everything is committed.
        let _ = connection.close().await;
        let store = prepared.into_store(StoreLimits::default()).await?;
        Ok(Arc::new(store))
    }
}

fn unknown_type(table: &str, column: &str, found: &str) -> sqlx::Error {
    sqlx::Error::Protocol(format!(
        "{table}.{column} has the type {found}, which is not copied"
    ))
}

fn arguments(values: impl Iterator<Item = Value>) -> Result<SqliteArguments, sqlx::Error> {
    let mut arguments = SqliteArguments::default();
    for value in values {
        match value {
            Value::Null => arguments.add(None::<i64>),
            Value::Text(text) => arguments.add(text),
            Value::Integer(number) => arguments.add(number),
            Value::Real(number) => arguments.add(number),
            Value::Blob(bytes) => arguments.add(bytes),
        }
        .map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}

/// Reads a value. The tables are strict, so it has the type of its column.
fn value(row: &SqliteRow, place: usize, kind: Kind) -> Result<Value, sqlx::Error> {
    let value = match kind {
        Kind::Text => row
            .try_get_unchecked::<Option<String>, _>(place)?
            .map(Value::Text),
        Kind::Integer | Kind::Boolean => row
            .try_get_unchecked::<Option<i64>, _>(place)?
            .map(Value::Integer),
        Kind::Real => row
            .try_get_unchecked::<Option<f64>, _>(place)?
            .map(Value::Real),
        Kind::Blob => row
            .try_get_unchecked::<Option<Vec<u8>>, _>(place)?
            .map(Value::Blob),
    };
    Ok(value.unwrap_or(Value::Null))
}
