//! The disk of the embedded database: full, broken, nearly full, and readable by others.

use std::path::Path;

use mawe_store::MinFreeSpace;
use mawe_wire::ServerMsg;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::common::faults::{Fault, FaultyDisk};
use crate::common::play::{Mirror, Pair};
use crate::common::process::{Process, mawe, run};
use crate::common::socket::Socket;
use crate::common::{Answer, Person, TestServer, eventually};

async fn start_on(disk: &FaultyDisk) -> Process {
    let mut command = mawe(["--listen", "127.0.0.1:0", "--bots", "1"]);
    command
        .args(["--sign-ups-per-minute", "10000", "--min-free-space", "0"])
        .args(["--requests-per-minute", "1000000", "--data-dir"])
        .arg(disk.directory())
        .envs(disk.variables());
    Process::of(command).await
}

/// Returns the next message about the match itself.
async fn told(socket: &mut Socket) -> ServerMsg {
    socket
        .until(|message| match message {
            ServerMsg::Presence { .. } => None,
            other => Some(other),
        })
        .await
}

async fn told_that_the_store_is_away(socket: &mut Socket) {
    match told(socket).await {
        ServerMsg::Error(error) => assert_eq!(error.code.as_str(), "storage-unavailable"),
        other => panic!("not told: {other:?}"),
    }
}

async fn readyz(person: &Person, wanted: impl Fn(&Answer) -> bool) {
    eventually("the readiness", async || {
        let answer = person.get("/readyz").await;
        wanted(&answer).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn matches_stand_still_on_a_full_disk_and_go_on_when_it_has_room() {
    survives(Fault::Full, "storage-full").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn matches_stand_still_on_a_broken_disk_and_go_on_when_it_is_mended() {
    survives(Fault::Broken, "storage-unavailable").await;
}

async fn survives(fault: Fault, code: &str) {
    let home = tempfile::tempdir().expect("a temporary directory");
    let data = home.path().join("data");
    std::fs::create_dir(&data).expect("it can be made");
    let disk = FaultyDisk::new(home.path(), &data);
    let process = start_on(&disk).await;
    let people = [
        Person::guest_at(process.address).await,
        Person::guest_at(process.address).await,
    ];
    let stranger = Person::at(process.address);
    let mut pair = Pair::of(people, false).await;
    pair.plies(3).await;
    let path = format!("/api/v1/matches/{}", pair.id);

    // Three rounds, so that a later failure meets the state left by an earlier one.
    for round in 0..3 {
        disk.fail(fault);
        let turn = pair.turn();
        let text = pair.seats[turn].mirror.state.legal[0].clone();
        let command = pair.seats[turn].a_move(&text);
        pair.seats[turn].send(command).await;
        for seat in &mut pair.seats {
            told_that_the_store_is_away(&mut seat.socket).await;
        }
        // Reads and spectators continue, and see the durable state.
        let seq = pair.seats[0].mirror.seq;
        let view = stranger.get(&path).await;
        assert_eq!(view.status, StatusCode::OK, "{view:?}");
        assert_eq!(view.json()["seq"], seq);
        let mut spectator = Socket::open(&stranger).await;
        let mut mirror = Mirror::of(&spectator.joined(&pair.id).await.view);
        assert_eq!(mirror.seq, seq);
        told_that_the_store_is_away(&mut spectator).await;
        // Writes are refused with the reason, which `/readyz` reports too.
        let refused = Person::at(process.address)
            .post("/api/v1/guests", &json!({}))
            .await;
        refused.problem(503, code);
        readyz(&stranger, |answer| {
            answer.status == StatusCode::SERVICE_UNAVAILABLE && answer.json()["code"] == code
        })
        .await;

        disk.heal();
        // The move is stored without being sent again, and each client got at most one message that it waits.
        let event = pair.seats[turn].event().await;
        assert_eq!(event.seq, seq + 1, "round {round}");
        assert_eq!(pair.seats[1 - turn].event().await, event);
        let ServerMsg::Event(seen) = told(&mut spectator).await else {
            panic!("a spectator sees it too");
        };
        mirror.take(&seen);
        readyz(&stranger, |answer| answer.status == StatusCode::OK).await;
        Person::guest_at(process.address).await;
        pair.plies(2).await;
    }

    // Acknowledged moves are on the disk.
    let plies = pair.seats[0].mirror.plies.clone();
    process.kill().await;
    disk.heal();
    let process = start_on(&disk).await;
    let view = Person::at(process.address).get(&path).await.json();
    assert_eq!(view["plies"], serde_json::to_value(&plies).expect("plain"));
    assert_eq!(process.stop("TERM").await, Some(0));
}

#[tokio::test]
async fn a_nearly_full_disk_takes_no_new_matches_and_players_and_lets_the_running_ones_end() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    let mut challenger = pair.people[0].clone();
    let offer = json!({
        "game": "mawe",
        "time_control": { "kind": "realtime", "base_ms": 600_000, "increment_ms": 0 },
    });
    let open = challenger.post("/api/v1/challenges", &offer).await;
    let people = pair.people.clone();
    let id = pair.id.clone();
    drop(pair);
    let directory = server.stop().await;
    // No disk has this much free space.
    let server = TestServer::start_on_as(directory, |config| {
        config.min_free_space = MinFreeSpace::Bytes(u64::MAX);
    })
    .await;
    let people = people.map(|person| person.moved_to(server.address));
    pair = Pair::at(people, id).await;

    let mut stranger = server.stranger();
    let guest = stranger.post("/api/v1/guests", &json!({})).await;
    guest.problem(503, "storage-low");
    let account = json!({ "name": "Zuri", "password": "korosho na maembe" });
    let account = stranger.post("/api/v1/accounts", &account).await;
    account.problem(503, "storage-low");
    let against_bot = json!({
        "game": "mawe", "level": 1, "time_control": { "kind": "unlimited" },
    });
    let made = pair.people[0].post("/api/v1/matches", &against_bot).await;
    made.problem(503, "storage-low");
    let accept = format!("/api/v1/challenges/{}/accept", open.text("/id"));
    let accepted = pair.people[1].post(&accept, &json!({})).await;
    accepted.problem(503, "storage-low");
    let mut socket = Socket::open(&pair.people[0]).await;
    socket
        .send_text(r#"{"t":"join-pool","game":"mawe","pool":"5+0","rated":false}"#)
        .await;
    assert_eq!(socket.error().await.code.as_str(), "storage-low");

    // The server is ready: the reserved space is for running matches.
    readyz(&server.stranger(), |answer| answer.status == StatusCode::OK).await;
    pair.play_out().await;
}

#[cfg(unix)]
mod modes {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        let found = std::fs::metadata(path);
        let found = found.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        found.permissions().mode() & 0o777
    }

    const FILES: [&str; 5] = [
        "mawe.sqlite",
        "mawe.sqlite-wal",
        "mawe.sqlite-shm",
        "mawe.sqlite.lock",
        "admin.sock",
    ];

    #[tokio::test]
    async fn the_data_directory_is_private_from_the_first_start_and_made_so_at_later_ones() {
        let home = tempfile::tempdir().expect("a temporary directory");
        let data = home.path().join("data");
        let process = Process::start(&data).await;
        assert_eq!(mode(&data), 0o700);
        for name in FILES {
            assert_eq!(mode(&data.join(name)), 0o600, "{name}");
        }
        process.kill().await;

        // Permissions as an earlier version or an operator may have left them.
        std::fs::write(data.join("worker-key"), "a-key-of-sixteen-signs")
            .expect("it can be written");
        let set = |path: &Path, mode: u32| {
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(path, permissions).expect("it is ours");
        };
        set(&data, 0o755);
        for name in FILES.iter().chain(&["worker-key"]) {
            set(&data.join(name), 0o644);
        }
        let process = Process::start(&data).await;
        assert_eq!(mode(&data), 0o700);
        for name in FILES.iter().chain(&["worker-key"]) {
            assert_eq!(mode(&data.join(name)), 0o600, "{name}");
        }
        let backup = home.path().join("mawe.backup");
        let mut command = mawe(["backup"]);
        command.arg(&backup).arg("--data-dir").arg(&data);
        run(command).await.result();
        assert_eq!(mode(&backup), 0o600);
        assert_eq!(process.stop("TERM").await, Some(0));
    }
}

async fn refused_start(data: &Path) -> String {
    let mut command = mawe(["--listen", "127.0.0.1:0", "--bots", "1", "--data-dir"]);
    command.arg(data);
    run(command).await.complaint(1)
}

#[tokio::test]
async fn an_empty_database_beside_its_log_or_a_backup_is_refused_and_left_alone() {
    let home = tempfile::tempdir().expect("a temporary directory");
    let data = home.path().join("data");
    let process = Process::start(&data).await;
    let person = Person::guest_at(process.address).await;
    let backup = data.join("monday.backup");
    let mut command = mawe(["backup"]);
    command.arg(&backup).arg("--data-dir").arg(&data);
    run(command).await.result();
    process.kill().await;

    let (database, log) = (data.join("mawe.sqlite"), data.join("mawe.sqlite-wal"));
    let size = |path: &Path| std::fs::metadata(path).expect("it is there").len();
    let log_size = size(&log);
    assert!(log_size > 0, "the killed server has left its log");
    std::fs::write(&database, "").expect("it can be written");
    let line = refused_start(&data).await;
    assert!(
        line.contains("mawe.sqlite-wal") && line.contains("mawe restore"),
        "{line}"
    );
    std::fs::remove_file(&database).expect("it is ours");
    let line = refused_start(&data).await;
    assert!(line.contains("missing"), "{line}");
    assert_eq!(size(&log), log_size);

    std::fs::remove_file(&log).expect("it is ours");
    std::fs::write(&database, "").expect("it can be written");
    let line = refused_start(&data).await;
    assert!(line.contains("monday.backup"), "{line}");
    assert_eq!(size(&database), 0);

    // The command is that of the printed line.
    let mut command = mawe(["restore"]);
    command
        .arg(&backup)
        .args(["--replace", "--data-dir"])
        .arg(&data);
    run(command).await;
    let process = Process::start(&data).await;
    let me: Value = person
        .moved_to(process.address)
        .get("/api/v1/me")
        .await
        .json();
    assert!(me["player"].is_object(), "{me}");
    process.kill().await;
}
