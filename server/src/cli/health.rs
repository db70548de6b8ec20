//! `mawe health`: whether a server is ready, or a worker in touch with one, for the checks of containers, which need no other program then.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::http::Request;
use clap::Args;
use http_body_util::{BodyExt, Limited};
use serde::Deserialize;

use crate::cli::output::{Failure, print, runtime};
use crate::outbound::{HttpClient, Reach};
use crate::worker::heartbeat;

/// The time limit of the check: longer than the server's own of its store, and shorter than the three seconds of the checks of containers.
const WITHIN: Duration = Duration::from_millis(2_500);

/// The longest answer that is read.
const MAX_ANSWER_BYTES: usize = 16 * 1024;

/// `mawe health`.
#[derive(Debug, Args)]
pub(super) struct HealthOptions {
    /// The server to ask, like `http://127.0.0.1:8080` [default: the address of --listen on this machine]
    #[arg(long, env = "MAWE_URL", value_name = "URL")]
    url: Option<String>,
    /// The address and port on which the server listens
    #[arg(
        long,
        env = "MAWE_LISTEN",
        value_name = "ADDRESS:PORT",
        default_value = "127.0.0.1:8080"
    )]
    listen: SocketAddr,
    /// The --heartbeat file of a worker, which is then looked at instead of a server
    #[arg(long, env = "MAWE_HEARTBEAT", value_name = "FILE")]
    heartbeat: Option<PathBuf>,
    /// The TOML file with the options of the server
    #[arg(long, env = "MAWE_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

/// The part of a problem that is shown.
#[derive(Deserialize)]
struct Problem {
    code: String,
    detail: String,
}

pub(super) fn run(options: HealthOptions) -> Result<(), Failure> {
    if let Some(path) = &options.heartbeat {
        worker(path)?;
        return print("ready\n");
    }
    let url = match options.url {
        Some(url) => url,
        None => url_of(options.listen)?,
    };
    let answer = runtime()?.block_on(async {
        tokio::time::timeout(WITHIN, ask(&url))
            .await
            .unwrap_or_else(|_| Err(Failure::Failed(format!("{url} does not answer in time"))))
    });
    answer?;
    print("ready\n")
}

/// Checks that the worker of this file has been in touch with its server or with NATS.
fn worker(path: &Path) -> Result<(), Failure> {
    let place = path.display();
    let age = heartbeat::age(path).map_err(|error| Failure::Failed(format!("{place}: {error}")))?;
    match age {
        Some(age) if age < heartbeat::STALE => Ok(()),
        Some(age) => Err(Failure::Failed(format!(
            "the worker of {place} has had no answer for {} s",
            age.as_secs()
        ))),
        None => Err(Failure::Failed(format!(
            "the worker of {place} has had no answer yet"
        ))),
    }
}

/// Returns the address for callers on the same machine.
fn url_of(listen: SocketAddr) -> Result<String, Failure> {
    if listen.port() == 0 {
        return Err(Failure::BadInput(
            "port 0 of --listen says not where the server is; name it with --url".to_owned(),
        ));
    }
    let ip = match listen.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    };
    Ok(format!("http://{}", SocketAddr::new(ip, listen.port())))
}

async fn ask(url: &str) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(format!("{url}: {error}"));
    let address = format!("{}/readyz", url.trim_end_matches('/'));
    let request = Request::get(&address)
        .body(Vec::new())
        .map_err(|error| Failure::BadInput(format!("{url} is no address: {error}")))?;
    let client = HttpClient::new(Reach::Everywhere, 0).map_err(|error| failed(&error))?;
    let response = client.send(request).await;
    let response = response.map_err(|_| Failure::Failed(format!("no server answers at {url}")))?;
    let status = response.status();
    if status.is_success() {
        return Ok(());
    }
    let body = Limited::new(response.into_body(), MAX_ANSWER_BYTES);
    let body = body.collect().await.map_err(|error| failed(&error))?;
    let problem = serde_json::from_slice(&body.to_bytes());
    Err(Failure::Failed(match problem {
        Ok(Problem { code, detail }) => format!("not ready: {code}: {detail}"),
        Err(_) => format!("not ready: {url} answers {status}"),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_is_well_while_its_file_is_young() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("heartbeat");
        let said = || match worker(&path) {
            Ok(()) => String::new(),
            Err(Failure::Failed(line) | Failure::BadInput(line)) => line,
        };
        assert!(said().ends_with("has had no answer yet"), "{}", said());
        std::fs::write(&path, "").expect("it can be written");
        assert_eq!(said(), "");
        let file = std::fs::File::options().write(true).open(&path);
        let old = std::time::SystemTime::now() - heartbeat::STALE;
        let file = file.expect("it is there");
        file.set_modified(old).expect("the time can be set");
        assert!(said().contains("has had no answer for"), "{}", said());
    }

    #[test]
    fn a_server_on_all_addresses_is_asked_on_this_machine() {
        for (listen, url) in [
            ("0.0.0.0:8080", "http://127.0.0.1:8080"),
            ("[::]:8080", "http://[::1]:8080"),
            ("10.0.0.7:80", "http://10.0.0.7:80"),
        ] {
            let listen = listen.parse().expect("an address");
            assert_eq!(url_of(listen).expect("a port"), url);
        }
        assert!(url_of(([127, 0, 0, 1], 0).into()).is_err());
    }
}
