//! The database as a whole.

use std::path::Path;

use async_trait::async_trait;

use super::backend::{Backend, Db, begin, commit};
use crate::detached::{LINE_LIMIT, detached_within};
use crate::{Database, StoreError, StoreFigures};

#[async_trait]
impl Database for Backend {
    /// A minimal commit. Its content does not matter, so an unknown outcome counts as failure.
    async fn ping(&self) -> Result<(), StoreError> {
        let writer = self.writer().clone();
        let written = detached_within(LINE_LIMIT, async move {
            let mut tx = begin(&writer).await?;
            sqlx::query::<Db>(concat!(
                "INSERT INTO probe (one, at_ms, filling) VALUES (1, ",
                now_ms!(),
                ", ",
                probe_filling!(),
                ") ON CONFLICT (one) DO UPDATE SET at_ms = excluded.at_ms, filling = excluded.filling"
            ))
            .execute(&mut *tx)
            .await?;
            commit(tx).await
        });
        match written.await {
            Err(StoreError::OutcomeUnknown(cause)) => Err(StoreError::Unavailable(cause)),
            outcome => outcome,
        }
    }

    fn check_space(&self) -> Result<(), StoreError> {
        self.has_space()
    }

    fn figures(&self) -> StoreFigures {
        self.figures()
    }

    async fn database_bytes(&self) -> Result<u64, StoreError> {
        self.database_bytes().await
    }

    async fn copy_into(&self, file: &Path) -> Result<bool, StoreError> {
        self.copy_into(file).await
    }

    async fn close(&self) {
        self.shut().await;
    }
}
