//! Cancelled calls, and unavailable databases.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Waker};
use std::time::Duration;

use mawe_store::{Appended, Store, StoreError};
use mawe_wire::ids::MatchId;
use sqlx::Connection;

use crate::common::eventually;
use crate::common::place::{Place, SqlitePlace};
use crate::common::postgres::Postgres;

use super::story::{a_player, append, matches, new_match, one};

/// Runs each test on a database of its own.
pub(super) async fn every_promise(place: &impl Place) {
    let open = async || mawe_store::open(&place.fresh().await).await.unwrap();
    what_was_begun_is_finished_though_nobody_waits(open().await).await;
}

async fn what_was_begun_is_finished_though_nobody_waits(store: Arc<dyn Store>) {
    let ids = matches(&store, 40).await;
    let (one_player, other) = (a_player(&store).await, a_player(&store).await);
    let mut left = [0; 3];
    for id in &ids {
        let new = new_match(&one_player, &other);
        left[0] += poll_once_and_drop(store.append(&[one(id, 0, 0)]));
        left[1] += poll_once_and_drop(store.create_match(&new));
        left[2] += poll_once_and_drop(store.ensure_bot(1, "Level 1", 0));
        // Before the next ones: of too many writes at the same time a store refuses some on a busy machine, and nobody would be told.
        eventually("the end of what was begun", async || {
            let is_made = store.find_match(&new.id).await.unwrap().is_some();
            let is_written = store.entries(id, 0).await.unwrap().len() == 1;
            (is_made && is_written).then_some(())
        })
        .await;
        assert_eq!(append(&store, one(id, 1, 0)).await, Appended::Done);
    }
    assert!(
        left.iter().all(|left| *left > 0),
        "{left:?} of 40 were left"
    );
}

/// Returns 1 if the call was left before its end. On a busy machine the database may be faster than the end of the first poll.
fn poll_once_and_drop(future: impl Future) -> u32 {
    let mut context = Context::from_waker(Waker::noop());
    pin!(future).poll(&mut context).is_pending().into()
}

pub(super) async fn a_killed_database_is_unavailable_and_comes_back_whole(postgres: &Postgres) {
    let store = mawe_store::open(&postgres.fresh_database().await)
        .await
        .unwrap();
    let ids = matches(&store, 16).await;
    let revived = Arc::new(AtomicBool::new(false));
    let appenders: Vec<_> = ids
        .iter()
        .map(|id| {
            let (store, id, revived) = (store.clone(), id.clone(), revived.clone());
            tokio::spawn(async move { append_through_trouble(store, id, &revived).await })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(300)).await;
    postgres.kill().await;
    assert!(matches!(
        store.ping().await,
        Err(StoreError::Unavailable(_))
    ));
    let id = &ids[0];
    assert!(matches!(
        store.claim_match(id, "x").await,
        Err(StoreError::Unavailable(_))
    ));
    postgres.revive().await;
    revived.store(true, Ordering::Relaxed);
    let mut troubled = 0;
    for appender in appenders {
        troubled += usize::from(appender.await.unwrap());
    }
    // Calls that waited for a connection got one after the restart; calls that had one lost it.
    assert!(troubled > 0);
}

/// Appends as a room does, until some entries are written after the restart, and then compares. Returns whether it met an error.
async fn append_through_trouble(store: Arc<dyn Store>, id: MatchId, revived: &AtomicBool) -> bool {
    let mut head = 0;
    let mut after_trouble = 0;
    let mut troubled = false;
    let mut unsure = false;
    while after_trouble < 3 {
        let back = revived.load(Ordering::Relaxed);
        match store.append(&[one(&id, head, 0)]).await {
            // A statement whose connection was lost may still run while the journal is read, and be committed later: then the next append
            // is fenced, and a room starts again from its journal.
            Ok(answers) if unsure && answers == [Appended::Fenced] => {
                head = store.entries(&id, 0).await.unwrap().len() as u64;
                unsure = false;
            }
            Ok(answers) => {
                assert_eq!(answers, [Appended::Done]);
                unsure = false;
                head += 1;
                after_trouble += u32::from(back);
            }
            Err(StoreError::Unavailable(_)) => {
                troubled = true;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Err(StoreError::OutcomeUnknown(_)) => {
                troubled = true;
                unsure = true;
                head = loop {
                    match store.entries(&id, 0).await {
                        Ok(entries) => break entries.len() as u64,
                        Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
                    }
                };
            }
            Err(other) => panic!("{other:?}"),
        }
    }
    let entries = store.entries(&id, 0).await.unwrap();
    assert!(entries.iter().map(|entry| entry.seq).eq(1..=head));
    troubled
}

pub(super) async fn several_servers_may_start_on_an_empty_database_at_once(postgres: &Postgres) {
    let url = postgres.fresh_database().await;
    let starting: Vec<_> = (0..4)
        .map(|_| {
            let url = url.clone();
            tokio::spawn(async move { mawe_store::open(&url).await.map(drop) })
        })
        .collect();
    for starting in starting {
        starting.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_database_that_cannot_be_reached_is_named_without_its_password() {
    // A port that was free a moment ago, without a listener.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let message = refusal(&format!("postgres://mawe:sesame@127.0.0.1:{port}/mawe")).await;
    assert!(message.contains(&format!("127.0.0.1:{port}")), "{message}");
    for url in [
        &format!("postgres://mawe:sesame@127.0.0.1:{port}/mawe"),
        "postgres://mawe:sesame@:x/mawe",
        "postgres://mawe:ses/ame@127.0.0.1/mawe",
        "mysql://mawe:sesame@127.0.0.1/mawe",
    ] {
        let message = refusal(url).await;
        assert!(
            !message.contains("ses") && !message.contains('\n'),
            "{message}"
        );
    }
}

#[tokio::test]
async fn a_second_server_on_one_file_is_refused() {
    let place = SqlitePlace::new();
    let url = place.fresh().await;
    let store = mawe_store::open(&url).await.unwrap();
    let message = refusal(&url).await;
    assert!(message.contains("in use by another server"), "{message}");
    store.close().await;
    mawe_store::open(&url).await.unwrap();
}

#[tokio::test]
async fn a_database_that_another_process_holds_is_unavailable_until_it_lets_go() {
    let place = SqlitePlace::new();
    let url = place.fresh().await;
    let store = mawe_store::open(&url).await.unwrap();
    let mut other = sqlx::SqliteConnection::connect(&url).await.unwrap();
    let held = other.begin_with("BEGIN IMMEDIATE").await.unwrap();
    let id = MatchId::random();
    for refused in [
        store.ping().await,
        store.claim_match(&id, "owner").await.map(drop),
    ] {
        assert!(
            matches!(refused, Err(StoreError::Unavailable(_))),
            "{refused:?}"
        );
    }
    assert!(store.find_match(&id).await.unwrap().is_none(), "it is read");
    held.rollback().await.unwrap();
    store.ping().await.unwrap();
    assert!(store.claim_match(&id, "owner").await.unwrap().is_none());
}

#[tokio::test]
async fn a_file_that_is_no_database_is_named() {
    let place = SqlitePlace::new();
    let file = place.file();
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    for garbage in [
        "these are not the bytes that you are looking for ".repeat(100),
        {
            // The correct header, followed by garbage.
            format!(
                "SQLite format 3\0\u{10}\0\u{1}\u{1}\0@  {}",
                "x".repeat(5000)
            )
        },
    ] {
        std::fs::write(&file, garbage).unwrap();
        let message = refusal(&format!("sqlite:{}", file.display())).await;
        assert!(message.contains(file.to_str().unwrap()), "{message}");
        assert!(message.contains("damaged"), "{message}");
    }
}

#[tokio::test]
async fn a_directory_that_cannot_be_made_is_named() {
    let place = SqlitePlace::new();
    // A file in place of a directory stops root, too, who is not bound by permissions.
    let in_the_way = place.0.path().join("in-the-way");
    std::fs::write(&in_the_way, "").unwrap();
    let message = refusal(&format!("sqlite:{}/mawe.sqlite", in_the_way.display())).await;
    assert!(message.contains(in_the_way.to_str().unwrap()), "{message}");
    // A directory in place of the file.
    let message = refusal(&format!("sqlite:{}", place.0.path().display())).await;
    assert!(
        message.contains(place.0.path().to_str().unwrap()),
        "{message}"
    );
}

async fn refusal(url: &str) -> String {
    match mawe_store::open(url).await {
        Ok(_) => panic!("it was opened"),
        Err(error) => error.to_string(),
    }
}
