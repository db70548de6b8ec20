//! The bytes that appends write to SQLite's write-ahead log: a counter that falls back when a move touches another page.

use std::path::Path;

use mawe_store::{Append, Appended};
use sqlx::{Connection, SqliteConnection};

use super::story::{append, matches, one};
use crate::common::place::{Place, SqlitePlace};

/// The number of matches, and so of appends, of each commit.
const MATCHES: usize = 100;

/// The number of counted commits. The log must not reach its checkpoint, after which it begins again.
const COMMITS: u64 = 20;

/// The most bytes of an entry; 404 in each run. It writes a page of the table and one of its key, which entries of other matches share in a
/// small database.
const MAX_BYTES: u64 = 420;

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

#[tokio::test]
async fn a_backup_of_a_file_with_large_pages_has_small_ones() {
    let place = SqlitePlace::new();
    let url = place.fresh().await;
    let store = mawe_store::open(&url).await.unwrap();
    assert_eq!(page_bytes(&url).await, 1024, "of a new file");
    store.close().await;

    let mut connection = SqliteConnection::connect(&url).await.unwrap();
    sqlx::raw_sql("PRAGMA journal_mode = DELETE; PRAGMA page_size = 4096; VACUUM")
        .execute(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();
    assert_eq!(page_bytes(&url).await, 4096, "of an older file");

    let store = mawe_store::open(&url).await.unwrap();
    let ids = matches(&store, 1).await;
    assert_eq!(append(&store, one(&ids[0], 0, 0)).await, Appended::Done);
    let copy = tempfile::tempdir().unwrap();
    let copy = copy.path().join("copy.sqlite");
    mawe_store::backup::write(store.as_ref(), &copy, false)
        .await
        .unwrap();
    assert_eq!(page_bytes(&url).await, 4096, "of the older file in use");
    let copied = format!("sqlite:{}", copy.display());
    assert_eq!(page_bytes(&copied).await, 1024, "of its backup");
    let entries = store.entries(&ids[0], 0).await.unwrap();
    let restored = mawe_store::open(&copied).await.unwrap();
    assert_eq!(restored.entries(&ids[0], 0).await.unwrap(), entries);
}

/// Returns the size of a page of the database.
async fn page_bytes(url: &str) -> i64 {
    let mut connection = SqliteConnection::connect(url).await.unwrap();
    sqlx::query_scalar("PRAGMA page_size")
        .fetch_one(&mut connection)
        .await
        .unwrap()
}
