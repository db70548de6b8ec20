//! The pages of SQLite's file.

use mawe_store::Appended;
use sqlx::{Connection, SqliteConnection};

use super::story::{append, matches, one};
use crate::common::place::{Place, SqlitePlace};

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
