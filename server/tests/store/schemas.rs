//! The schemas of both databases, read after all migrations and held against each other.

use std::collections::BTreeSet;

use sqlx::AssertSqlSafe;

use crate::common::place::{Place, SqlitePlace};
use crate::common::postgres::Postgres;

/// The differences that are there on purpose, each with its reason.
const ALLOWED: &[(&str, &str)] = &[
    (
        "only SQLite: reference entries.match_id to matches",
        "Postgres would check it for each entry, and its only statement that writes entries joins them to their match",
    ),
    (
        "only Postgres: column matches.head integer not null",
        "several nodes write there, and the row that an append updates is its lock; SQLite has one writer, and reads the head off the entries",
    ),
];

/// The facts of an SQLite schema, a line each. A `bigint` and a `boolean` of Postgres are an `INTEGER` here.
const SQLITE_FACTS: &str = r#"
    WITH tables AS (
        SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name <> '_sqlx_migrations'
    )
    SELECT 'migration ' || version || ' ' || description FROM _sqlx_migrations
    UNION ALL
    SELECT 'column ' || t.name || '.' || c.name || ' ' || lower(c.type)
        || iif(c."notnull" OR c.pk AND c.type = 'INTEGER', ' not null', '')
    FROM tables t, pragma_table_info(t.name) c
    UNION ALL
    SELECT 'primary key of ' || t.name || ' (' || group_concat(c.name, ', ' ORDER BY c.pk) || ')'
    FROM tables t, pragma_table_info(t.name) c WHERE c.pk > 0 GROUP BY t.name
    UNION ALL
    SELECT iif(i.origin = 'u', 'unique', iif(i."unique", 'unique ', '') || 'index ' || i.name) || ' of ' || t.name
        || ' (' || (
            SELECT group_concat(coalesce(x.name, 'expression') || iif(x."desc", ' desc', ''), ', ' ORDER BY x.seqno)
            FROM pragma_index_xinfo(i.name) x WHERE x.key
        ) || ')' || iif(i.partial, ' partial', '')
    FROM tables t, pragma_index_list(t.name) i WHERE i.origin <> 'pk'
    UNION ALL
    SELECT 'reference ' || t.name || '.' || f."from" || ' to ' || f."table"
    FROM tables t, pragma_foreign_key_list(t.name) f"#;

/// The same facts of a Postgres schema, in the same words.
const POSTGRES_FACTS: &str = "
    WITH tables AS (
        SELECT oid, relname AS name FROM pg_class
        WHERE relkind = 'r' AND relnamespace = current_schema()::text::regnamespace AND relname <> '_sqlx_migrations'
    )
    SELECT 'migration ' || version || ' ' || description FROM _sqlx_migrations
    UNION ALL
    SELECT 'column ' || t.name || '.' || a.attname || ' '
        || CASE format_type(a.atttypid, a.atttypmod)
            WHEN 'bigint' THEN 'integer' WHEN 'boolean' THEN 'integer' WHEN 'double precision' THEN 'real'
            WHEN 'bytea' THEN 'blob' ELSE format_type(a.atttypid, a.atttypmod)
        END || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
    FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid WHERE a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT CASE WHEN i.indisprimary THEN 'primary key' WHEN k.oid IS NOT NULL THEN 'unique'
            ELSE CASE WHEN i.indisunique THEN 'unique ' ELSE '' END || 'index ' || x.relname
        END || ' of ' || t.name || ' (' || (
            SELECT string_agg(
                CASE WHEN i.indkey[n - 1] = 0 THEN 'expression' ELSE pg_get_indexdef(i.indexrelid, n, true) END
                    || CASE WHEN i.indoption[n - 1] & 1 = 1 THEN ' desc' ELSE '' END, ', ' ORDER BY n)
            FROM generate_series(1, i.indnkeyatts::int) n
        ) || ')' || CASE WHEN i.indpred IS NOT NULL THEN ' partial' ELSE '' END
    FROM tables t JOIN pg_index i ON i.indrelid = t.oid JOIN pg_class x ON x.oid = i.indexrelid
        LEFT JOIN pg_constraint k ON k.conindid = i.indexrelid AND k.contype = 'u'
    UNION ALL
    SELECT 'reference ' || t.name || '.' || a.attname || ' to ' || f.relname
    FROM tables t JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f'
        JOIN pg_class f ON f.oid = k.confrelid
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY (k.conkey)";

/// The facts of both schemas.
struct Schemas {
    sqlite: BTreeSet<String>,
    postgres: BTreeSet<String>,
}

impl Schemas {
    /// Migrates two new databases, changes them by `sqlite` and `postgres`, and reads their schemas.
    async fn changed(sqlite: &str, postgres: &str) -> Schemas {
        let (file, server) = (SqlitePlace::new(), Postgres::start());
        let (file, database) = (file.fresh().await, server.fresh().await);
        for url in [&file, &database] {
            mawe_store::open(url).await.unwrap().close().await;
        }
        let pool = sqlx::SqlitePool::connect(&file).await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(sqlite))
            .execute(&pool)
            .await
            .unwrap();
        let facts = sqlx::query_scalar(SQLITE_FACTS).fetch_all(&pool).await;
        let sqlite: Vec<String> = facts.unwrap();
        let pool = sqlx::PgPool::connect(&database).await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(postgres))
            .execute(&pool)
            .await
            .unwrap();
        let facts = sqlx::query_scalar(POSTGRES_FACTS).fetch_all(&pool).await;
        let postgres: Vec<String> = facts.unwrap();
        pool.close().await;
        Schemas {
            sqlite: sqlite.into_iter().collect(),
            postgres: postgres.into_iter().collect(),
        }
    }

    /// Returns the facts of one schema that the other lacks, without those of [`ALLOWED`], and the entries of that list that are no
    /// difference any more.
    fn differences(&self) -> Vec<String> {
        let only = |name: &'static str, one: &BTreeSet<String>, other: &BTreeSet<String>| {
            let facts = one.difference(other);
            facts
                .map(move |fact| format!("only {name}: {fact}"))
                .collect::<Vec<_>>()
        };
        let mut found = only("SQLite", &self.sqlite, &self.postgres);
        found.extend(only("Postgres", &self.postgres, &self.sqlite));
        let outdated = ALLOWED
            .iter()
            .filter(|(fact, _)| !found.iter().any(|it| it == fact));
        let outdated: Vec<String> = outdated
            .map(|(fact, _)| format!("allowed: {fact}"))
            .collect();
        found.retain(|fact| !ALLOWED.iter().any(|(allowed, _)| fact == allowed));
        found.extend(outdated);
        found
    }
}

#[tokio::test]
async fn both_databases_have_the_same_schema() {
    let schemas = Schemas::changed("", "").await;
    for kind in [
        "migration",
        "column",
        "primary key",
        "unique",
        "index",
        "reference",
    ] {
        let of_kind = |facts: &BTreeSet<String>| facts.iter().any(|fact| fact.starts_with(kind));
        assert!(
            of_kind(&schemas.sqlite) && of_kind(&schemas.postgres),
            "no {kind}"
        );
    }
    assert_eq!(schemas.differences(), Vec::<String>::new());
}

#[tokio::test]
async fn a_difference_between_the_schemas_is_found() {
    let schemas = Schemas::changed(
        "DROP INDEX matches_due; CREATE INDEX matches_due ON matches (due_ms DESC); ALTER TABLE players ADD COLUMN planted TEXT;
        CREATE TABLE planted (id INTEGER PRIMARY KEY) STRICT",
        "ALTER TABLE players ALTER COLUMN kind DROP NOT NULL; ALTER TABLE wishes DROP CONSTRAINT wishes_pkey;
        ALTER TABLE entries ALTER COLUMN at_ms TYPE text; CREATE UNIQUE INDEX planted_once ON sessions (label);
        ALTER TABLE entries ADD FOREIGN KEY (match_id) REFERENCES matches (id)",
    )
    .await;
    assert_eq!(
        schemas.differences(),
        [
            "only SQLite: column entries.at_ms integer not null",
            "only SQLite: column planted.id integer not null",
            "only SQLite: column players.kind text not null",
            "only SQLite: column players.planted text",
            "only SQLite: index matches_due of matches (due_ms desc)",
            "only SQLite: primary key of planted (id)",
            "only SQLite: primary key of wishes (player_id)",
            "only Postgres: column entries.at_ms text not null",
            "only Postgres: column players.kind text",
            "only Postgres: index matches_due of matches (due_ms) partial",
            "only Postgres: unique index planted_once of sessions (label)",
            "allowed: only SQLite: reference entries.match_id to matches",
        ]
    );
}
