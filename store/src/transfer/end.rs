//! A database at one end of a copy, and the batches of rows between two of them.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::mpsc;

use super::table::{Kind, Row, Table, Value};
use crate::{OpenError, Store};

/// The most rows in a transaction.
const BATCH_ROWS: usize = 2_000;

/// The size of the values in memory that ends a transaction.
const BATCH_BYTES: usize = 2 * 1024 * 1024;

/// A database at one end of a copy. Its statements are in SQL that both databases understand, with the parameters `$1`, `$2`, ….
#[async_trait]
pub(super) trait End: Send {
    /// Returns the tables of the schema, in the order of their names.
    async fn tables(&mut self) -> Result<Vec<Table>, sqlx::Error>;

    /// Returns the number of connections of servers and of other commands, which could write meanwhile.
    async fn servers(&mut self) -> Result<i64, sqlx::Error>;

    /// Begins a transaction that reads one moment of the database and writes nothing.
    async fn begin_to_read(&mut self) -> Result<(), sqlx::Error>;

    /// Executes a statement, and returns the number of rows that it changed.
    async fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<u64, sqlx::Error>;

    /// Sends the rows of a query in batches; ends early once the receiver is dropped.
    async fn read(
        &mut self,
        sql: &str,
        parameters: &[Value],
        kinds: &[Kind],
        to: mpsc::Sender<Vec<Row>>,
    ) -> Result<(), sqlx::Error>;

    /// Inserts rows.
    async fn insert(&mut self, table: &Table, rows: Vec<Row>) -> Result<(), sqlx::Error>;

    /// Sets the references between tables aside. Part of the transaction that sets the mark.
    async fn set_references_aside(&mut self) -> Result<(), sqlx::Error>;

    /// Checks the references, restores them, sets the counters of ids, and takes the mark away: all of it or nothing. Returns the table with
    /// a reference to nothing, if there is one.
    async fn finish(&mut self) -> Result<Option<String>, sqlx::Error>;

    /// Opens the database as a store.
    async fn into_store(self: Box<Self>) -> Result<Arc<dyn Store>, OpenError>;
}

/// Puts rows together to batches.
pub(super) struct Batches {
    to: mpsc::Sender<Vec<Row>>,
    rows: Vec<Row>,
    bytes: usize,
}

impl Batches {
    pub(super) fn new(to: mpsc::Sender<Vec<Row>>) -> Batches {
        Batches {
            to,
            rows: Vec::new(),
            bytes: 0,
        }
    }

    /// Adds a row; returns `false` once the receiver is dropped.
    pub(super) async fn add(&mut self, row: Row) -> bool {
        self.bytes += row.iter().map(Value::bytes).sum::<usize>();
        self.rows.push(row);
        let is_full = self.rows.len() >= BATCH_ROWS || self.bytes >= BATCH_BYTES;
        !is_full || self.send().await
    }

    pub(super) async fn send(&mut self) -> bool {
        self.bytes = 0;
        let rows = std::mem::take(&mut self.rows);
        rows.is_empty() || self.to.send(rows).await.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn batches_are_bounded_by_rows_and_bytes_and_wait_for_their_receiver() {
        const WIDE: usize = 3;
        let rows = 5 * BATCH_ROWS;
        let (to, mut from) = mpsc::channel(1);
        let reading = async move {
            let mut batches = Batches::new(to);
            for _ in 0..rows {
                assert!(batches.add(vec![Value::Integer(1)]).await);
            }
            for _ in 0..WIDE {
                assert!(batches.add(vec![Value::Blob(vec![0; BATCH_BYTES])]).await);
            }
            batches.send().await
        };
        let mut reading = std::pin::pin!(reading);
        tokio::select! {
            biased;
            _ = &mut reading => panic!("all of it was read though nobody received it"),
            () = std::future::ready(()) => {}
        }
        let writing = async {
            let mut sizes = Vec::new();
            while sizes.iter().sum::<usize>() < rows + WIDE {
                sizes.push(from.recv().await.expect("more rows").len());
            }
            sizes
        };
        let (sent, sizes) = tokio::join!(reading, writing);
        assert!(sent);
        assert_eq!(sizes, [[BATCH_ROWS; 5].as_slice(), &[1; WIDE]].concat());
    }

    #[tokio::test]
    async fn a_reader_ends_when_nobody_receives() {
        let (to, from) = mpsc::channel(1);
        drop(from);
        let mut batches = Batches::new(to);
        for row in 1..=BATCH_ROWS {
            let goes_on = batches.add(vec![Value::Null]).await;
            assert_eq!(goes_on, row < BATCH_ROWS);
        }
    }
}
