//! The bytes that appends write to SQLite's write-ahead log: a counter that falls back when a move touches another page.

use std::path::Path;

use mawe_store::{Append, Appended};

use super::story::{matches, one};
use crate::common::place::{Place, SqlitePlace};

/// The number of matches, and so of appends, of each commit.
const MATCHES: usize = 100;

/// The number of counted commits. The log must not reach its checkpoint, after which it begins again.
const COMMITS: u64 = 20;

/// The most bytes of an entry; 632 in each run. It writes a page of the table, of its key and, for every other one, of the index of commands,
/// which entries of other matches share in a small database.
const MAX_BYTES: u64 = 700;

#[tokio::test]
async fn an_entry_writes_few_bytes() {
    let place = SqlitePlace::new();
    let url = place.fresh().await;
    let store = mawe_store::open(&url).await.unwrap();
    let mut ids = Vec::new();
    while ids.len() < MATCHES {
        // Each time of two other players: one may have 50 running matches.
        ids.extend(matches(&store, 50).await);
    }
    let log = format!("{}-wal", &url["sqlite:".len()..]);
    let written = || Path::new(&log).metadata().unwrap().len();

    let mut before = 0;
    for head in 0..=COMMITS {
        if head == 1 {
            before = written();
        }
        let batch: Vec<Append> = ids.iter().map(|id| one(id, head, 0)).collect();
        let done = store.append(&batch).await.unwrap();
        assert!(done.iter().all(|answer| *answer == Appended::Done));
    }
    let each = (written() - before) / (COMMITS * MATCHES as u64);
    assert!(each <= MAX_BYTES, "{each} bytes an entry");
}
