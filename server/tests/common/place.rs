//! The two databases on which the store's tests run.

#![allow(dead_code, reason = "each story uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::PathBuf;

use mawe_wire::ids::MatchId;
use sqlx::AssertSqlSafe;

use super::postgres::Postgres;

/// A source of databases that can simulate a crash.
pub(crate) trait Place {
    /// Returns the address of a new, empty database.
    async fn fresh(&self) -> String;

    /// Simulates a crash of everything; returns the address of the data of `url` after it.
    async fn crash(&self, url: &str) -> String;

    /// Returns the numbers in the first column of a query's result.
    async fn look(&self, url: &str, sql: &str) -> Vec<f64>;
}

pub(crate) struct SqlitePlace(pub(crate) tempfile::TempDir);

impl SqlitePlace {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary directory"))
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.0
            .path()
            .join(MatchId::random().as_str())
            .join("mawe.sqlite")
    }
}

impl Place for SqlitePlace {
    async fn fresh(&self) -> String {
        format!("sqlite:{}", self.file().display())
    }

    async fn crash(&self, url: &str) -> String {
        // A killed server never closes its files: they stay with their present contents.
        let (old, new) = (PathBuf::from(&url["sqlite:".len()..]), self.file());
        std::fs::create_dir_all(new.parent().unwrap()).unwrap();
        for end in ["", "-wal"] {
            let path = |file: &PathBuf| format!("{}{end}", file.display());
            std::fs::copy(path(&old), path(&new)).unwrap();
        }
        format!("sqlite:{}", new.display())
    }

    async fn look(&self, url: &str, sql: &str) -> Vec<f64> {
        let pool = sqlx::SqlitePool::connect(url).await.unwrap();
        sqlx::query_scalar(AssertSqlSafe(sql))
            .fetch_all(&pool)
            .await
            .unwrap()
    }
}

impl Place for Postgres {
    async fn fresh(&self) -> String {
        self.fresh_database().await
    }

    async fn crash(&self, url: &str) -> String {
        self.kill().await;
        self.revive().await;
        url.to_owned()
    }

    async fn look(&self, url: &str, sql: &str) -> Vec<f64> {
        let pool = sqlx::PgPool::connect(url).await.unwrap();
        sqlx::query_scalar(AssertSqlSafe(sql))
            .fetch_all(&pool)
            .await
            .unwrap()
    }
}
