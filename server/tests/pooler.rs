//! A pooler between the server and Postgres: one that keeps connections is used, one that changes them is refused at the start.

use crate::common::Person;
use crate::common::pgbouncer::PgBouncer;
use crate::common::play::Pair;
use crate::common::postgres::Postgres;
use crate::common::process::{Process, mawe, run};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_that_changes_connections_between_transactions_is_refused() {
    let postgres = Postgres::start();
    let database = postgres.whole_database().await;
    let home = tempfile::tempdir().expect("a temporary directory");
    // The server makes it private, without a warning.
    let data = home.path().join("data");
    for settings in [
        "pool_mode = transaction",
        "pool_mode = transaction\nserver_round_robin = 1\nmin_pool_size = 5",
        "pool_mode = statement",
    ] {
        let pooler = PgBouncer::start(&database, settings).await;
        let url = pooler.to(&database);
        for words in [
            &["--listen", "127.0.0.1:0", "--database"][..],
            &["migrate", "--database"],
        ] {
            let mut command = mawe(words);
            command.arg(&url).arg("--data-dir").arg(&data);
            let refused = run(command).await.complaint(1);
            assert!(
                refused.contains("set pool_mode = session"),
                "{settings}: {refused}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_play_through_a_pooler_that_keeps_connections() {
    let postgres = Postgres::start();
    let database = postgres.whole_database().await;
    let pooler = PgBouncer::start(&database, "pool_mode = session").await;
    let home = tempfile::tempdir().expect("a temporary directory");
    let mut command = mawe(["--listen", "127.0.0.1:0", "--bots", "1", "--database"]);
    command
        .arg(pooler.to(&database))
        .args(["--postgres-connections", "8", "--data-dir"])
        .arg(home.path());
    let server = Process::of(command).await;
    let people = [
        Person::guest_at(server.address).await,
        Person::guest_at(server.address).await,
    ];
    Pair::of(people, false).await.play_out().await;
    assert_eq!(server.stop("TERM").await, Some(0));
}
