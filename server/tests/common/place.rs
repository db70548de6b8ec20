//! The two databases that the stories of the store are told on.

#![allow(dead_code, reason = "each story uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::PathBuf;

use mawe_server::ids::MatchId;
use sqlx::AssertSqlSafe;

use super::postgres::Postgres;

/// Where databases can be had, and what a crash does to them.
pub(crate) trait Place {
    /// The address of a new, empty database.
    async fn fresh(&self) -> String;

    /// The address where, after a crash of everything, the data of `url` is.
    async fn crash(&self, url: &str) -> String;

    /// The numbers in the first column of what a query finds.
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
        // What a killed server leaves behind is what the files hold now; it never gets to close them.
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
