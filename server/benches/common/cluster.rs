//! Some nodes on one Postgres and one NATS, as processes of the program.

#![allow(dead_code, reason = "each bench uses a part of it")]

use super::common::eventually;
use super::common::nats::Nats;
use super::common::postgres::Postgres;
use super::common::process::{Process, mawe};

/// A running cluster; it stops when it is dropped.
pub(crate) struct Cluster {
    pub(crate) nodes: Vec<Process>,
    pub(crate) postgres: Postgres,
    pub(crate) nats: Nats,
    /// The address of the database.
    pub(crate) database: String,
    _directory: tempfile::TempDir,
}

impl Cluster {
    /// Starts nodes with further options, and without limits for an address. Postgres waits for its disk.
    pub(crate) async fn start(count: usize, options: &[&str]) -> Cluster {
        let postgres = Postgres::durable();
        let (database, nats) = (postgres.fresh_database().await, Nats::start());
        let directory = tempfile::tempdir().expect("a temporary directory");
        eventually("NATS", async || {
            tokio::net::TcpStream::connect(nats.place()).await.ok()
        })
        .await;
        let mut nodes = Vec::new();
        for number in 0..count {
            let mut command = mawe(["--listen", "127.0.0.1:0", "--bots", "0"]);
            command
                .args(["--sign-ups-per-minute", "100000"])
                .args(["--requests-per-minute", "1000000"])
                .args(["--connections-per-address", "1000000"])
                .args(["--sockets-per-address", "1000000"])
                .args(["--nats", &nats.url, "--database", &database])
                .args(options)
                .arg("--data-dir")
                .arg(directory.path().join(number.to_string()));
            nodes.push(Process::of(command).await);
        }
        Cluster {
            nodes,
            postgres,
            nats,
            database,
            _directory: directory,
        }
    }
}
