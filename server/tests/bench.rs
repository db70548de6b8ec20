//! `mawe bench`.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use tokio::io::AsyncReadExt;

use crate::common::eventually;
use crate::common::postgres::Postgres;
use crate::common::process::{Process, mawe, run, send_signal};

/// A measurement of seconds.
const SMALL: [&str; 6] = [
    "bench",
    "--json",
    "--seconds=2",
    "--matches=4",
    "--sockets=9",
    "--directory",
];

fn is_empty(directory: &Path) -> bool {
    let mut entries = fs::read_dir(directory).expect("it can be read");
    entries.next().is_none()
}

/// Checks the figures of a report.
fn is_plausible(report: &Value) {
    let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{report}"));
    let all = report["rates"].as_array().expect("rates");
    assert_eq!(all.len(), 4, "{report}");
    for rate in all {
        assert!(number(&rate["moves_per_second"]) > 0.0, "{report}");
        assert!(
            number(&rate["p50_ms"]) <= number(&rate["p99_ms"]),
            "{report}"
        );
    }
    assert_eq!(report["sockets"]["number"], 10, "{report}");
    assert_eq!(report["spectators"]["number"], 9, "{report}");
    assert!(number(&report["spectators"]["last_ms"]) > 0.0, "{report}");
    assert!(report["verdict"]["players"].is_u64(), "{report}");
}

#[tokio::test]
async fn a_bench_measures_a_server_of_its_own_and_leaves_nothing() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut command = mawe(SMALL);
    // The options of the operator's server do not reach that of the bench.
    command
        .arg(directory.path())
        .env("MAWE_DATABASE", "postgres://nowhere.invalid/mawe");
    let report = run(command).await.result();
    let report: Value = serde_json::from_str(&report).expect("JSON");
    is_plausible(&report);
    assert!(
        report["throughput"]["moves_per_second"].is_number(),
        "{report}"
    );
    assert!(is_empty(directory.path()));
}

async fn databases(url: &str) -> Vec<String> {
    let pool = sqlx::PgPool::connect(url).await.expect("it answers");
    let names = sqlx::query_scalar("SELECT datname::text FROM pg_database ORDER BY datname");
    let names = names.fetch_all(&pool).await.expect("it answers");
    pool.close().await;
    names
}

async fn tables(url: &str) -> i64 {
    let pool = sqlx::PgPool::connect(url).await.expect("it answers");
    let count = "SELECT count(*) FROM pg_tables WHERE schemaname NOT LIKE 'pg_%' AND schemaname <> 'information_schema'";
    let count = sqlx::query_scalar(count).fetch_one(&pool).await;
    pool.close().await;
    count.expect("it answers")
}

#[tokio::test]
async fn a_bench_on_postgres_makes_a_database_and_removes_it_also_when_it_is_stopped() {
    let postgres = Postgres::start();
    let url = postgres.whole_database().await;
    let before = databases(&url).await;
    let small = &SMALL[..SMALL.len() - 1];
    let mut command = mawe(small.iter().copied());
    command.env("MAWE_BENCH_DATABASE", &url);
    let report = run(command).await.result();
    let report: Value = serde_json::from_str(&report).expect("JSON");
    is_plausible(&report);
    assert_eq!(databases(&url).await, before);

    let mut command = mawe(["bench", "--seconds=600", "--database", &url]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the binary is there");
    let made = eventually("the database of the bench", async || {
        let now = databases(&url).await;
        now.into_iter().find(|name| !before.contains(name))
    })
    .await;
    let (server, _) = url.rsplit_once('/').expect("an address");
    eventually("its server", async || {
        (tables(&format!("{server}/{made}")).await > 0).then_some(())
    })
    .await;
    send_signal(child.id().expect("it runs"), "INT").await;
    let status = child.wait().await.expect("it ends");
    assert_eq!(status.code(), Some(1));
    assert_eq!(databases(&url).await, before);
    // The database of the address is as it was.
    assert_eq!(tables(&url).await, 0);

    let refused = run(mawe([
        "bench",
        "--database",
        "postgres://a:secret@127.0.0.1:9/x",
    ]));
    let refused = refused.await.complaint(1);
    assert!(
        refused.contains("127.0.0.1:9") && !refused.contains("secret"),
        "{refused}"
    );
    let refused = run(mawe(["bench", "--database", "sqlite:x"])).await;
    assert!(refused.complaint(1).contains("postgres://"));
}

#[tokio::test]
async fn a_running_server_is_measured_within_its_limits() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let server = Process::start(directory.path()).await;
    let url = format!("http://{}", server.address);
    let options = [
        "bench",
        "--url",
        &url,
        "--seconds=2",
        "--matches=3",
        "--sockets=9",
    ];
    let text = run(mawe(options)).await.result();
    assert!(text.starts_with(&url), "{text}");
    assert!(
        text.lines()
            .last()
            .is_some_and(|line| line.starts_with("verdict: ")),
        "{text}"
    );
    let lines = |beginning: &str| {
        text.lines()
            .filter(|line| line.starts_with(beginning))
            .count()
    };
    assert_eq!(lines("durable moves at "), 4, "{text}");
    assert_eq!(lines("durable moves, as fast"), 0, "{text}");
    assert_eq!(lines("open sockets"), 1, "{text}");
}

#[tokio::test]
async fn a_stopped_bench_leaves_nothing() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut command = mawe(["bench", "--seconds=600", "--directory"]);
    command
        .arg(directory.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary is there");
    let database = || {
        let mut entries = fs::read_dir(directory.path()).expect("it can be read");
        let data = entries.next()?.expect("it can be read").path();
        let mut files = fs::read_dir(data).ok()?;
        Some(files.next().is_some())
    };
    eventually("the server of the bench", async || {
        database().unwrap_or_default().then_some(())
    })
    .await;
    send_signal(child.id().expect("it runs"), "INT").await;
    let mut complaint = String::new();
    let mut stderr = child.stderr.take().expect("it is piped");
    let read = stderr.read_to_string(&mut complaint).await;
    read.expect("it is text");
    let status = child.wait().await.expect("it ends");
    assert_eq!(status.code(), Some(1), "{complaint}");
    assert!(complaint.contains("stopped"), "{complaint}");
    assert!(is_empty(directory.path()));
}

#[tokio::test]
async fn a_bench_that_cannot_begin_says_why() {
    let refused = run(mawe(["bench", "--url", "https://mawe.example"])).await;
    assert!(refused.complaint(2).contains("--allow-remote"));
    let refused = run(mawe(["bench", "--url", "ftp://127.0.0.1"])).await;
    assert!(refused.complaint(2).contains("http://"));
    // The port is bound and not listened to, so that no other program answers there.
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
    let any = "127.0.0.1:0".parse().expect("an address");
    socket.bind(any).expect("a port");
    let url = format!("http://{}", socket.local_addr().expect("an address"));
    let away = run(mawe(["bench", "--url", &url])).await;
    assert!(away.complaint(1).contains(&url));
    let nowhere = run(mawe(["bench", "--directory", "/nowhere"])).await;
    assert!(nowhere.complaint(1).contains("/nowhere"));
}
