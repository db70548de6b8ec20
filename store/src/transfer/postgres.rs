//! A Postgres database at one end of a copy.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::TryStreamExt;
use sqlx::postgres::{PgArguments, PgConnection, PgRow};
use sqlx::{Arguments, AssertSqlSafe, ConnectOptions, Connection, Row as _};
use tokio::sync::mpsc;

use super::end::{Batches, End};
use super::table::{Column, Described, Kind, Row, Table, Value, quoted};
use crate::copy_mark::{MARK, REFERENCES};
use crate::limits::StoreLimits;
use crate::postgres::Prepared;
use crate::{OpenError, Store};

/// The name of the connections of a copy, which tells them from those of a server.
const APPLICATION: &str = "mawe copy";

/// The database may end connections that wait or work for long; a copy does both.
const SESSION: &str = "SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0";

/// The number of looks for a server, and the pause between them: a server that has just stopped is still seen for a moment.
const LOOKS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(100);

pub(super) struct PostgresEnd {
    prepared: Prepared,
    connection: PgConnection,
}

impl PostgresEnd {
    pub(super) async fn open(url: &str, is_source: bool) -> Result<PostgresEnd, OpenError> {
        let prepared = Prepared::open(url, APPLICATION).await?;
        if is_source {
            prepared.refuse_unfinished().await?;
        }
        let place = prepared.place.clone();
        let failed = |error| OpenError(format!("cannot use Postgres at {place}: {error}"));
        let mut connection = prepared.options.connect().await.map_err(failed)?;
        let begun = sqlx::raw_sql(SESSION).execute(&mut connection).await;
        begun.map_err(failed)?;
        let mut end = PostgresEnd {
            prepared,
            connection,
        };
        for look in 1..=LOOKS {
            if end.servers().await.map_err(failed)? == 0 {
                return Ok(end);
            }
            if look < LOOKS {
                tokio::time::sleep(PAUSE).await;
            }
        }
        Err(OpenError(format!(
            "the database at {place} is in use by a server; stop all of its nodes"
        )))
    }

    async fn raw(&mut self, sql: String) -> Result<(), sqlx::Error> {
        let statement = sqlx::raw_sql(AssertSqlSafe(sql));
        let done = statement.execute(&mut self.connection).await;
        done.map(drop)
    }
}

#[async_trait]
impl End for PostgresEnd {
    async fn tables(&mut self) -> Result<Vec<Table>, sqlx::Error> {
        let columns: Vec<(String, String, String, Option<i64>)> = sqlx::query_as(
            "SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod),
                array_position(i.indkey::int2[], a.attnum)::bigint
            FROM pg_class c
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
            WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::text::regnamespace
                AND c.relname <> '_sqlx_migrations'",
        )
        .fetch_all(&mut self.connection)
        .await?;
        let columns = columns.into_iter().map(|(table, name, kind, in_key)| {
            let kind = match kind.as_str() {
                "text" => Kind::Text,
                "bigint" => Kind::Integer,
                "double precision" => Kind::Real,
                "bytea" => Kind::Blob,
                "boolean" => Kind::Boolean,
                other => {
                    return Err(sqlx::Error::Protocol(format!(
                        "{table}.{name} has the type {other}, which is not copied"
                    )));
                }
            };
            let column = Column {
                name,
                kind,
                computed: None,
            };
            Ok((table, column, in_key))
        });
        Ok(Table::of(columns.collect::<Result<Vec<Described>, _>>()?))
    }

    async fn servers(&mut self) -> Result<i64, sqlx::Error> {
        sqlx::query_scalar(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'mawe'",
        )
        .fetch_one(&mut self.connection)
        .await
    }

    async fn begin_to_read(&mut self) -> Result<(), sqlx::Error> {
        let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
        self.raw(begin.to_owned()).await
    }

    async fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<u64, sqlx::Error> {
        let done = sqlx::query_with(AssertSqlSafe(sql), arguments(parameters)?)
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
        let mut batches = Batches::new(to);
        let statement = sqlx::query_with(AssertSqlSafe(sql), arguments(parameters)?);
        let mut rows = statement.fetch(&mut self.connection);
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

    async fn insert(&mut self, table: &Table, rows: Vec<Row>) -> Result<(), sqlx::Error> {
        let columns: Vec<(usize, Kind)> = table
            .stored()
            .map(|(place, column)| (place, column.kind))
            .collect();
        let mut text = String::new();
        for row in &rows {
            write_line(&mut text, row, &columns);
        }
        let (name, names) = (quoted(&table.name), table.stored_names());
        let statement = format!("COPY {name} ({names}) FROM STDIN");
        let mut copy = self.connection.copy_in_raw(&statement).await?;
        let sent = copy.send(text.into_bytes()).await.map(drop);
        // Always, also after an error: otherwise the connection would still wait for rows.
        let done = copy.finish().await;
        sent.and(done.map(drop))
    }

    async fn set_references_aside(&mut self) -> Result<(), sqlx::Error> {
        self.raw(format!(
            "CREATE TABLE {REFERENCES} AS
            SELECT conrelid::regclass::text AS relation, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
            FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::text::regnamespace"
        ))
        .await?;
        let drops: Vec<String> = sqlx::query_scalar(AssertSqlSafe(format!(
            "SELECT 'ALTER TABLE ' || relation || ' DROP CONSTRAINT ' || name FROM {REFERENCES}"
        )))
        .fetch_all(&mut self.connection)
        .await?;
        self.raw(drops.join("; ")).await
    }

    async fn finish(&mut self) -> Result<Option<String>, sqlx::Error> {
        let references: Vec<(String, String)> = sqlx::query_as(AssertSqlSafe(format!(
            "SELECT relation, 'ALTER TABLE ' || relation || ' ADD CONSTRAINT ' || name || ' ' || definition FROM {REFERENCES}
            ORDER BY relation, name"
        )))
        .fetch_all(&mut self.connection)
        .await?;
        self.raw("BEGIN".to_owned()).await?;
        for (table, add) in references {
            match self.raw(add).await {
                Ok(()) => {}
                Err(sqlx::Error::Database(refusal)) if refusal.is_foreign_key_violation() => {
                    self.raw("ROLLBACK".to_owned()).await?;
                    return Ok(Some(table));
                }
                Err(error) => return Err(error),
            }
        }
        // The columns that number rows by themselves go on after the greatest number.
        let counters: Vec<String> = sqlx::query_scalar(
            "SELECT format('SELECT setval(pg_get_serial_sequence(%L, %L), coalesce(max(%I), 0) + 1, false) FROM %s',
                a.attrelid::regclass::text, a.attname, a.attname, a.attrelid::regclass::text)
            FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
            WHERE a.attidentity <> '' AND c.relkind = 'r' AND c.relnamespace = current_schema()::text::regnamespace",
        )
        .fetch_all(&mut self.connection)
        .await?;
        for counter in counters {
            self.raw(counter).await?;
        }
        self.raw(format!("DROP TABLE {MARK}, {REFERENCES}; COMMIT"))
            .await?;
        // So that the first queries know the tables. The copy is finished: after an error the database does it by itself, a while later.
        let _ = self.raw("ANALYZE".to_owned()).await;
        Ok(None)
    }

    async fn into_store(self: Box<Self>) -> Result<Arc<dyn Store>, OpenError> {
        let PostgresEnd {
            prepared,
            connection,
        } = *self;
        // An error is harmless: everything is committed.
        let _ = connection.close().await;
        let store = prepared.into_store(StoreLimits::default()).await?;
        Ok(Arc::new(store))
    }
}

/// Writes a row as the text format of COPY has it.
fn write_line(text: &mut String, row: &Row, columns: &[(usize, Kind)]) {
    use std::fmt::Write as _;
    const HEX: &[u8; 16] = b"0123456789abcdef";
    for (number, (place, kind)) in columns.iter().enumerate() {
        if number > 0 {
            text.push('\t');
        }
        match &row[*place] {
            Value::Null => text.push_str("\\N"),
            Value::Text(content) => {
                for character in content.chars() {
                    match character {
                        '\\' => text.push_str("\\\\"),
                        '\t' => text.push_str("\\t"),
                        '\n' => text.push_str("\\n"),
                        '\r' => text.push_str("\\r"),
                        other => text.push(other),
                    }
                }
            }
            Value::Integer(number) if *kind == Kind::Boolean => {
                text.push(if *number == 0 { 'f' } else { 't' });
            }
            // Writing to a text does not fail.
            Value::Integer(number) => {
                let _ = write!(text, "{number}");
            }
            Value::Real(number) => {
                // The shortest text that is read as the same number.
                let _ = write!(text, "{number:?}");
            }
            Value::Blob(bytes) => {
                text.push_str("\\\\x");
                for byte in bytes {
                    text.push(char::from(HEX[usize::from(byte >> 4)]));
                    text.push(char::from(HEX[usize::from(byte & 15)]));
                }
            }
        }
    }
    text.push('\n');
}

fn arguments(values: &[Value]) -> Result<PgArguments, sqlx::Error> {
    let mut arguments = PgArguments::default();
    for value in values {
        match value {
            Value::Null => arguments.add(None::<String>),
            Value::Text(text) => arguments.add(text.as_str()),
            Value::Integer(number) => arguments.add(*number),
            Value::Real(number) => arguments.add(*number),
            Value::Blob(bytes) => arguments.add(bytes.as_slice()),
        }
        .map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}

/// Reads a value. The types are those of the catalogue.
fn value(row: &PgRow, place: usize, kind: Kind) -> Result<Value, sqlx::Error> {
    let value = match kind {
        Kind::Text => row
            .try_get_unchecked::<Option<String>, _>(place)?
            .map(Value::Text),
        Kind::Integer => row
            .try_get_unchecked::<Option<i64>, _>(place)?
            .map(Value::Integer),
        Kind::Boolean => {
            let value = row.try_get_unchecked::<Option<bool>, _>(place)?;
            value.map(|value| Value::Integer(value.into()))
        }
        Kind::Real => row
            .try_get_unchecked::<Option<f64>, _>(place)?
            .map(Value::Real),
        Kind::Blob => row
            .try_get_unchecked::<Option<Vec<u8>>, _>(place)?
            .map(Value::Blob),
    };
    Ok(value.unwrap_or(Value::Null))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_copy_has_its_controls_escaped() {
        let row = vec![
            Value::Text("a\\b\tc\nd\re ż മ".to_owned()),
            Value::Null,
            Value::Integer(1),
            Value::Integer(-7),
            Value::Real(0.1),
            Value::Blob(vec![0, 0xab]),
        ];
        let columns = [
            (0, Kind::Text),
            (1, Kind::Text),
            (2, Kind::Boolean),
            (3, Kind::Integer),
            (4, Kind::Real),
            (5, Kind::Blob),
        ];
        let mut text = String::new();
        write_line(&mut text, &row, &columns);
        assert_eq!(text, "a\\\\b\\tc\\nd\\re ż മ\t\\N\tt\t-7\t0.1\t\\\\x00ab\n");
    }
}
