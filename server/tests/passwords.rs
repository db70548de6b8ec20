//! What passwords cost the server that checks them: memory, counted of a process of its own.
#![cfg(target_os = "linux")]

use futures_util::future::join_all;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::common::process::Process;
use crate::common::{PASSWORD, Person};

/// How much more a server may hold after its logins than before, in KiB: two hashes' 38 MiB, and what else a request leaves.
const MAY_KEEP_KIB: u64 = 60 * 1024;

/// Who logs in, all at once: fewer than may wait.
const ACCOUNTS: usize = 50;

/// How often each of them does.
const TIMES: usize = 10;

/// What a process holds of the machine's memory, in KiB.
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

/// That a server keeps two hashes' memory, whatever number of passwords it has checked: 40 registrations left 627 MiB with it.
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
