//! NATS protected as in docs/scaling.md: its configuration as written, on a live server with TLS, a user for nodes and one for workers with
//! no more rights than their work needs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use async_nats::{Client, ConnectOptions};
use futures_util::StreamExt;
use mawe_server::bots::job::VERSION;
use serde_json::json;
use tokio::time::timeout;

use super::jobs::{against, play};
use super::place::Place;
use super::{Board, SEED, TO_THE_END, addresses};
use crate::common::PATIENCE;
use crate::common::nats::Nats;
use crate::common::play::Seat;
use crate::common::postgres::Postgres;
use crate::common::process::{mawe, run};

const PASSWORD: &str = "korosho";
const WORKERS_PASSWORD: &str = "embe";

fn tls(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/common/tls")
        .join(file)
}

/// Returns the configuration in the document, with the certificates of the tests in place of the operator's.
fn documented() -> String {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scaling.md");
    let document = std::fs::read_to_string(document).expect("the document is in the repository");
    let (_, after) = document.split_once("```conf\n").expect("a configuration");
    let (lines, _) = after.split_once("```").expect("its end");
    let mut lines = lines.to_owned();
    for file in ["server.pem", "server.key"] {
        let named = format!("/etc/nats/{file}");
        assert!(lines.contains(&named), "{lines}");
        lines = lines.replace(&named, tls(file).to_str().expect("a plain path"));
    }
    lines
}

async fn connect(nats: &Nats, user: &str, password: &str) -> Client {
    ConnectOptions::with_user_and_password(user.to_owned(), password.to_owned())
        .add_root_certificates(tls("ca.pem"))
        .require_tls(true)
        .connect(format!("tls://127.0.0.1:{}", nats.port))
        .await
        .expect("it lets in whom the document names")
}

/// Publishes under a forbidden subject, and then under a permitted one; returns the subject of the first message that the subscriber
/// receives.
async fn said(by: &Client, to: &Client, forbidden: &str, allowed: &str) -> String {
    let mut heard = to.subscribe("mawe.>").await.expect("the line lasts");
    to.flush().await.expect("the line lasts");
    let say = async |subject: &str| {
        let said = by.publish(subject.to_owned(), "forged".into()).await;
        said.expect("the line lasts");
        by.flush().await.expect("the line lasts");
    };
    say(forbidden).await;
    let hearing = async {
        loop {
            // Repeated, because a client that was refused may have to connect again.
            say(allowed).await;
            while let Ok(message) = timeout(Duration::from_millis(200), heard.next()).await {
                let message = message.expect("the line lasts");
                // The nodes publish, too.
                if &message.payload[..] == b"forged" {
                    return message.subject.to_string();
                }
            }
        }
    };
    let told = timeout(PATIENCE, hearing).await;
    told.unwrap_or_else(|_| panic!("neither {forbidden} nor {allowed} is heard"))
}

#[tokio::test]
async fn nats_guarded_as_the_document_says_lets_nodes_play_and_workers_only_work() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("nats.conf");
    std::fs::write(&file, documented()).expect("it can be written");
    let mut nats = Nats::with(
        &["-c", file.to_str().expect("a plain path")],
        &[
            ("MAWE_NATS_PASSWORD", PASSWORD),
            ("MAWE_WORKER_PASSWORD", WORKERS_PASSWORD),
        ],
    );
    let url =
        |user: &str, password: &str| format!("tls://{user}:{password}@127.0.0.1:{}", nats.port);
    let (nodes, workers) = (url("mawe", PASSWORD), url("worker", WORKERS_PASSWORD));
    let (wrong, plain) = (
        url("mawe", "wrong"),
        format!("nats://127.0.0.1:{}", nats.port),
    );
    nats.url.clone_from(&nodes);
    let ca = tls("ca.pem");
    let ca = ca.to_str().expect("a plain path").to_owned();
    let mut place = Place::with(0, Postgres::start(), nats, None).await;
    place.more = vec!["--nats-ca".to_owned(), ca.clone()];
    for _ in 0..3 {
        place.add().await;
    }

    // The nodes reach each other.
    let addresses = addresses(&place);
    let mut rng = fastrand::Rng::with_seed(SEED);
    let mut board = Board::set_up(&place, &addresses, "kalah", [0, 1, 2]).await;
    board.until(TO_THE_END, &mut rng).await;
    board.check(&place).await;

    // A worker can work.
    let mut worker = mawe([
        "worker",
        "--threads",
        "1",
        "--nats",
        &workers,
        "--nats-ca",
        &ca,
    ]);
    let _worker = worker
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the binary is there");
    let (person, id) = against(&place, 0, "kalah", 5).await;
    let mut seat = Seat::take_in_cluster(&person, &id, mawe_rules::Side::Second).await;
    play(&mut seat, 6).await;

    // Other clients are refused.
    let mut out = vec![vec!["worker", "--nats", &wrong, "--nats-ca", &ca]];
    // Without the authority the certificate is unknown; without TLS or a user name the connection is refused.
    out.push(vec!["worker", "--nats", &workers]);
    out.push(vec!["worker", "--nats", &plain]);
    for arguments in out {
        let mut command = mawe(&arguments);
        command.env("RUST_LOG", "error");
        let complaint = run(command).await.complaint(1);
        assert!(
            complaint.contains("127.0.0.1") && !complaint.contains("wrong"),
            "{complaint}"
        );
    }

    // A worker cannot give orders, nor read messages between nodes.
    let as_node = connect(&place.nats, "mawe", PASSWORD).await;
    let as_worker = connect(&place.nats, "worker", WORKERS_PASSWORD).await;
    let free = format!("mawe.free.{VERSION}");
    for order in [
        "mawe.all".to_owned(),
        format!("mawe.node.{}", place.name_of("node-0").await),
        format!("mawe.jobs.{VERSION}"),
    ] {
        let heard = said(&as_worker, &as_node, &order, &free).await;
        assert_eq!(heard, free, "{order} of a worker");
        let heard = said(&as_node, &as_node, &order, &free).await;
        assert_eq!(heard, order, "a node may");
    }
    let mut all = as_worker.subscribe("mawe.all").await.expect("it is asked");
    let mut own = as_worker
        .subscribe("mawe.worker.test")
        .await
        .expect("it is asked");
    as_worker.flush().await.expect("the line lasts");
    let end = json!({ "t": "gone", "node": "nobody" }).to_string();
    // Repeated, because a sent subscription may not yet have reached the server.
    let hearing = async {
        loop {
            for subject in ["mawe.all", "mawe.worker.test"] {
                let said = as_node.publish(subject, end.clone().into()).await;
                said.expect("the line lasts");
            }
            if let Ok(heard) = timeout(Duration::from_millis(200), own.next()).await {
                return heard;
            }
        }
    };
    let heard = timeout(PATIENCE, hearing).await;
    heard.expect("it hears what is for workers");
    let heard = timeout(Duration::from_millis(300), all.next()).await;
    assert!(!matches!(heard, Ok(Some(_))), "{heard:?}");
}
