//! The memory of password hashes, measured on a separate server process.
#![cfg(target_os = "linux")]

use futures_util::future::join_all;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::common::process::Process;
use crate::common::{PASSWORD, Person};

/// The greatest growth of a server's memory over its logins, in KiB: two hashes with 38 MiB, and other remains of requests.
const MAY_KEEP_KIB: u64 = 60 * 1024;

/// The number of accounts that log in at once: fewer than the queue holds.
const ACCOUNTS: usize = 50;

/// The number of logins of each account.
const TIMES: usize = 10;

/// Returns the resident memory of a process, in KiB.
fn resident_kib(process: u32) -> u64 {
    let path = format!("/proc/{process}/status");
    let status = std::fs::read_to_string(path).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|rest| rest.trim().strip_suffix(" kB"));
    kib.and_then(|kib| kib.parse().ok())
        .expect("the kernel says how much")
}

fn credentials(number: usize) -> Value {
    json!({ "name": format!("Pili{number}"), "password": PASSWORD })
}

/// Checks that a server keeps the memory of two hashes, however many it has computed: 40 registrations once left 627 MiB.
#[tokio::test]
async fn five_hundred_logins_leave_little_memory_behind() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let server = Process::start(directory.path()).await;
    let before = resident_kib(server.id());
    let address = server.address;
    let all = |path: &'static str, expected: StatusCode| {
        join_all((0..ACCOUNTS).map(move |number| async move {
            let mut person = Person::at(address);
            let answer = person.post(path, &credentials(number)).await;
            assert_eq!(answer.status, expected, "{answer:?}");
        }))
    };
    all("/api/v1/accounts", StatusCode::CREATED).await;
    for _ in 0..TIMES {
        all("/api/v1/sessions", StatusCode::OK).await;
    }
    let after = resident_kib(server.id());
    assert!(
        after <= before + MAY_KEEP_KIB,
        "{before} KiB before, {after} KiB after"
    );
    assert_eq!(server.stop("TERM").await, Some(0));
}
