//! Nodes are upgraded one after the other on one Postgres, so the program of before goes on after each migration: nothing that it reads is
//! gone, and whatever it writes is still permitted. Held against the schema after each migration.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sqlx::{AssertSqlSafe, PgPool};

use crate::common::postgres::Postgres;

/// The breaks of the rule that are there on purpose, each with its reason.
const ALLOWED: &[(&str, &str)] = &[];

/// The columns: table, name, type, whether it may be left out of an insert.
const COLUMNS: &str = "SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod),
        NOT a.attnotnull OR a.atthasdef OR a.attidentity <> '', NOT a.attnotnull
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::text::regnamespace";

/// What refuses a row: unique indexes, references and checks, with their tables and columns.
const REFUSALS: &str = "SELECT c.relname::text, x.relname::text, ARRAY(
            SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ANY (i.indkey::int2[]))
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid
    WHERE i.indisunique AND c.relkind = 'r' AND c.relnamespace = current_schema()::text::regnamespace
    UNION ALL
    SELECT c.relname::text, k.conname::text, ARRAY(
            SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ANY (k.conkey))
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    WHERE k.contype IN ('f', 'c', 'x') AND c.relnamespace = current_schema()::text::regnamespace";

#[derive(Debug, Clone, PartialEq, Eq)]
struct Column {
    kind: String,
    may_be_left_out: bool,
    may_be_null: bool,
}

/// A schema, as far as a program depends on it.
#[derive(Debug, Clone, Default)]
struct Schema {
    columns: BTreeMap<(String, String), Column>,
    /// Table and name, with the columns.
    refusals: BTreeMap<(String, String), BTreeSet<String>>,
}

impl Schema {
    async fn read(pool: &PgPool) -> Schema {
        let columns: Vec<(String, String, String, bool, bool)> =
            sqlx::query_as(COLUMNS).fetch_all(pool).await.unwrap();
        let columns =
            columns
                .into_iter()
                .map(|(table, name, kind, may_be_left_out, may_be_null)| {
                    let column = Column {
                        kind,
                        may_be_left_out,
                        may_be_null,
                    };
                    ((table, name), column)
                });
        let refusals: Vec<(String, String, Vec<String>)> =
            sqlx::query_as(REFUSALS).fetch_all(pool).await.unwrap();
        let refusals = refusals
            .into_iter()
            .map(|(table, name, columns)| ((table, name), columns.into_iter().collect()));
        Schema {
            columns: columns.collect(),
            refusals: refusals.collect(),
        }
    }

    /// Returns the operations of a program for `self` that `next` refuses.
    fn breaks(&self, next: &Schema) -> Vec<String> {
        let mut found = Vec::new();
        let tables: BTreeSet<&String> = self.columns.keys().map(|(table, _)| table).collect();
        for ((table, name), column) in &self.columns {
            let key = (table.clone(), name.clone());
            match next.columns.get(&key) {
                None => found.push(format!("{table}.{name} is gone")),
                Some(now) if now.kind != column.kind => {
                    found.push(format!("{table}.{name} is {} now", now.kind));
                }
                Some(now) if column.may_be_null && !now.may_be_null => {
                    found.push(format!("{table}.{name} may no longer be null"));
                }
                Some(now) if column.may_be_left_out && !now.may_be_left_out => {
                    found.push(format!("{table}.{name} may no longer be left out"));
                }
                Some(_) => {}
            }
        }
        for ((table, name), column) in &next.columns {
            let is_new = !self.columns.contains_key(&(table.clone(), name.clone()));
            if is_new && tables.contains(table) && !column.may_be_left_out {
                found.push(format!("{table}.{name} is new and may not be left out"));
            }
        }
        for ((table, name), columns) in &next.refusals {
            let is_new = !self.refusals.contains_key(&(table.clone(), name.clone()));
            // A program of before leaves a new column out.
            let of_old = columns
                .iter()
                .all(|column| self.columns.contains_key(&(table.clone(), column.clone())));
            if is_new && tables.contains(table) && of_old {
                found.push(format!(
                    "{name} of {table} refuses rows that were permitted"
                ));
            }
        }
        found
    }
}

async fn execute(pool: &PgPool, sql: &str) {
    sqlx::raw_sql(AssertSqlSafe(sql))
        .execute(pool)
        .await
        .unwrap();
}

#[tokio::test]
async fn the_program_of_before_goes_on_after_each_migration() {
    let postgres = Postgres::start();
    let database = postgres.whole_database().await;
    let pool = PgPool::connect(&database).await.unwrap();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations/postgres");
    let files = std::fs::read_dir(directory).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    let mut found = Vec::new();
    let mut before = Schema::default();
    for file in &files {
        execute(&pool, &std::fs::read_to_string(file).unwrap()).await;
        let after = Schema::read(&pool).await;
        let name = file.file_stem().unwrap().to_string_lossy();
        let breaks = before.breaks(&after).into_iter();
        found.extend(breaks.map(|it| format!("{name}: {it}")));
        before = after;
    }
    assert!(before.columns.len() > 150 && before.refusals.len() > 50);
    let allowed: Vec<&str> = ALLOWED.iter().map(|(allowed, _)| *allowed).collect();
    assert_eq!(found, allowed);

    // Each way to break the rule is found.
    let before = Schema::read(&pool).await;
    execute(
        &pool,
        "ALTER TABLE nodes DROP COLUMN address; ALTER TABLE entries ALTER COLUMN at_ms TYPE text;
        ALTER TABLE players ALTER COLUMN language SET NOT NULL; ALTER TABLE matches ALTER COLUMN takebacks DROP DEFAULT;
        ALTER TABLE wishes ADD COLUMN planted bigint NOT NULL",
    )
    .await;
    execute(
        &pool,
        "CREATE UNIQUE INDEX planted_once ON sessions (label); ALTER TABLE tokens ADD CHECK (name <> '');
        ALTER TABLE reports ADD COLUMN planted text; CREATE UNIQUE INDEX permitted ON reports (planted, id)",
    )
    .await;
    let after = Schema::read(&pool).await;
    pool.close().await;
    assert_eq!(
        before.breaks(&after),
        [
            "entries.at_ms is text now",
            "matches.takebacks may no longer be left out",
            "nodes.address is gone",
            "players.language may no longer be null",
            "wishes.planted is new and may not be left out",
            "planted_once of sessions refuses rows that were permitted",
            "tokens_name_check of tokens refuses rows that were permitted",
        ]
    );
}
