//! The check whether the database can be written.

use super::backend::{Backend, Db, begin};
use crate::StoreError;
use crate::carried::{LINE_LIMIT, carried_within};

/// A minimal commit. Its content does not matter, so an unknown outcome counts as failure.
pub(super) async fn ping(store: &Backend) -> Result<(), StoreError> {
    let writer = store.writer().clone();
    let written = carried_within(LINE_LIMIT, async move {
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
        tx.commit().await?;
        Ok(())
    });
    match written.await {
        Err(StoreError::OutcomeUnknown(cause)) => Err(StoreError::Unavailable(cause)),
        outcome => outcome,
    }
}
