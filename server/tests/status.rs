//! `mawe status` and `mawe health`: an operator's look at a server, and the check of a container.

use std::path::Path;

use serde_json::Value;
use tokio::net::TcpListener;

use crate::common::play::Pair;
use crate::common::process::{Ended, Process, mawe, run};
use crate::common::{Person, TestServer, eventually};

async fn status(directory: &Path, more: &[&str]) -> Ended {
    let mut command = mawe(["status", "--data-dir"]);
    command.arg(directory).args(more);
    run(command).await
}

async fn status_json(directory: &Path) -> Value {
    let told = status(directory, &["--json"]).await.result();
    assert_eq!(told.lines().count(), 1, "{told}");
    serde_json::from_str(&told).expect("JSON")
}

#[tokio::test]
async fn the_status_of_a_running_server_shows_people_matches_and_sizes() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let server = Process::start(directory.path()).await;
    let before = status_json(directory.path()).await;
    assert_eq!(before["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(before["database"], "sqlite");
    assert_eq!(before["ready"], true);
    assert_eq!(before["players"], 0);
    assert_eq!(before["matches"]["open"], 0);
    assert_eq!(before["last_backup_at"], Value::Null);
    assert!(
        before["sizes"]["database"]
            .as_u64()
            .is_some_and(|size| size > 500)
    );
    assert!(before["sizes"]["disk_free"].as_u64().is_some());

    let people = [
        Person::guest_at(server.address).await,
        Person::guest_at(server.address).await,
    ];
    let mut pair = Pair::of(people, false).await;
    pair.plies(2).await;
    let file = directory.path().join("a.backup");
    let mut backup = mawe(["backup", "--data-dir"]);
    backup.arg(directory.path()).arg(&file);
    run(backup).await.result();

    // The counts of matches are kept for some seconds.
    let after = eventually("the match is counted", async || {
        let status = status_json(directory.path()).await;
        (status["matches"]["running"] == 1).then_some(status)
    })
    .await;
    assert_eq!(after["players"], 2);
    assert_eq!(after["guests"], 2);
    assert_eq!(after["sockets"], 2);
    assert_eq!(after["matches"]["open"], 1);
    assert_eq!(after["matches"]["realtime"], 1);
    assert!(after["last_backup_at"].is_string(), "{after}");
    assert!(
        after["sizes"]["wal"]
            .as_u64()
            .is_some_and(|size| size > 1_000)
    );

    let text = status(directory.path(), &[]).await.result();
    let first_words: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(
        first_words,
        [
            "server", "people", "sockets", "matches", "queues", "sizes", "nodes", "backup"
        ]
    );
    assert!(
        text.contains("2 players online") && text.contains("ready"),
        "{text}"
    );

    assert_eq!(server.stop("TERM").await, Some(0));
    let complaint = status(directory.path(), &[]).await.complaint(1);
    assert!(complaint.contains("no server answers at"), "{complaint}");
}

async fn health(arguments: &[&str]) -> Ended {
    run(mawe([&["health"][..], arguments].concat())).await
}

#[tokio::test]
async fn a_ready_server_is_healthy_and_a_stopped_one_is_not() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let server = Process::start(directory.path()).await;
    let address = server.address.to_string();
    let url = format!("http://{address}");
    let everywhere = format!("0.0.0.0:{}", server.address.port());
    let config = directory.path().join("mawe.toml");
    std::fs::write(&config, format!("listen = \"{everywhere}\"\n")).expect("it is written");
    let config = config.to_str().expect("a plain path");
    for arguments in [
        ["--url", &url],
        ["--listen", &address],
        ["--listen", &everywhere],
        ["--config", config],
    ] {
        // A machine whose cores are all busy may need more than the time of one check.
        eventually("the server is healthy", async || {
            let ended = health(&arguments).await;
            (ended.code == Some(0)).then(|| assert_eq!(ended.result(), "ready\n"))
        })
        .await;
    }
    let mut command = mawe(["health"]);
    command.env("MAWE_LISTEN", &address);
    let ended = run(command).await;
    assert!(
        ended.code == Some(0) || ended.stderr.contains("in time"),
        "{ended:?}"
    );

    assert_eq!(server.stop("TERM").await, Some(0));
    for arguments in [["--url", &url], ["--listen", &address]] {
        let complaint = health(&arguments).await.complaint(1);
        assert!(complaint.contains("no server answers at"), "{complaint}");
    }
    let complaint = health(&["--listen", "127.0.0.1:0"]).await.complaint(2);
    assert!(complaint.contains("--url"), "{complaint}");
}

#[tokio::test]
async fn a_server_that_is_not_ready_is_not_healthy() {
    let server = TestServer::start().await;
    let url = format!("http://{}", server.address);
    // The rooms end before the listener does.
    server.app().rooms.stop().await;
    let complaint = eventually("the server answers in time", async || {
        let ended = health(&["--url", &url]).await;
        let is_told = !ended.stderr.contains("in time");
        is_told.then(|| ended.complaint(1))
    })
    .await;
    assert!(
        complaint.contains("not ready: storage-unavailable"),
        "{complaint}"
    );
    server.stop().await;
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_not_healthy() {
    let silent = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = silent.local_addr().expect("it is bound").to_string();
    let complaint = health(&["--listen", &address]).await.complaint(1);
    assert!(complaint.contains("does not answer in time"), "{complaint}");
}
