//! Backups that are written during play, and restored servers on which play continues.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::common::play::Pair;
use crate::common::postgres::Postgres;
use crate::common::process::{Ended, Process, mawe, run};
use crate::common::{Person, TestServer, eventually};
use mawe_server::admin::timetable::Timetable;
use serde_json::{Value, json};
use tokio::process::Command;

/// The number of matches that are played while a backup is written.
const PAIRS: usize = 4;

async fn backup(directory: &Path, file: &Path, more: &[&str]) -> Ended {
    let mut command = mawe(["backup"]);
    command
        .arg(file)
        .arg("--data-dir")
        .arg(directory)
        .args(more);
    run(command).await
}

async fn restore(directory: &Path, file: &Path, more: &[&str]) -> Ended {
    let mut command = mawe(["restore"]);
    command
        .arg(file)
        .arg("--data-dir")
        .arg(directory)
        .args(more);
    run(command).await
}

async fn guests_at(server: &Process) -> Pair {
    let people = [
        Person::guest_at(server.address).await,
        Person::guest_at(server.address).await,
    ];
    Pair::of(people, false).await
}

/// Returns the same two players at the same match on another server.
async fn moved_to(pair: Pair, server: &Process) -> Pair {
    let people = pair.people.map(|person| person.moved_to(server.address));
    Pair::at(people, pair.id).await
}

async fn view(person: &Person, id: &str) -> Value {
    person.get(&format!("/api/v1/matches/{id}")).await.json()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_that_ran_when_the_backup_was_written_plays_on_after_the_restore() {
    let home = tempfile::tempdir().expect("a temporary directory");
    let (data, file) = (
        home.path().join("data"),
        home.path().join("backups/mawe.sqlite"),
    );
    std::fs::create_dir(home.path().join("backups")).expect("a directory");
    let server = Process::start(&data).await;

    // Play continues while backups are written, and a backup holds every entry acknowledged before it began.
    let stop = Arc::new(AtomicBool::new(false));
    let mut playing = Vec::new();
    for _ in 0..PAIRS {
        let mut pair = guests_at(&server).await;
        let stop = Arc::clone(&stop);
        playing.push(tokio::spawn(async move {
            let mut plies = 0;
            while !stop.load(Ordering::Relaxed) && !pair.is_over() {
                pair.ply().await;
                plies += 1;
            }
            (pair, plies)
        }));
    }
    let mut quiet = guests_at(&server).await;
    quiet.plies(9).await;
    let known = quiet.seats[0].mirror.clone();
    let written = backup(&data, &file, &["--json"]).await.result();
    let written: Value = serde_json::from_str(&written).expect("JSON");
    assert_eq!(written["file"], json!(file));
    assert_eq!(
        written["size_bytes"],
        json!(std::fs::metadata(&file).expect("it is there").len())
    );
    // Later entries are not in the backup.
    quiet.plies(3).await;
    stop.store(true, Ordering::Relaxed);
    let mut others = Vec::new();
    for playing in playing {
        let (pair, plies) = playing.await.expect("they play");
        assert!(plies > 0, "nobody played meanwhile");
        others.push(pair);
    }
    assert_eq!(server.stop("TERM").await, Some(0));

    // An existing database is never overwritten.
    let refused = restore(&data, &file, &[]).await.complaint(1);
    assert!(refused.contains("--replace"), "{refused}");
    let done = restore(&data, &file, &["--replace"]).await.result();
    let aside = done.trim_end().rsplit(' ').next().expect("its name");
    assert!(Path::new(aside).exists(), "{done}");

    let server = Process::start(&data).await;
    let restored = view(&quiet.people[0].moved_to(server.address), &quiet.id).await;
    assert_eq!(
        restored["seq"], known.seq,
        "all up to the backup, and nothing after it"
    );
    let mut quiet = moved_to(quiet, &server).await;
    assert_eq!(quiet.seats[0].mirror.plies, known.plies);
    quiet.play_out().await;
    for pair in others {
        let known = pair.seats[0].mirror.clone();
        let mut pair = moved_to(pair, &server).await;
        let restored = &pair.seats[0].mirror;
        // Each match is in the state of one moment: a prefix of the plies that its players know.
        assert_eq!(restored.plies, known.plies[..restored.plies.len()]);
        pair.play_out().await;
    }
    assert_eq!(server.stop("TERM").await, Some(0));
    // The database set aside is complete, and can be restored itself.
    restore(&home.path().join("third"), Path::new(aside), &[])
        .await
        .result();
}

#[tokio::test]
async fn what_was_acknowledged_before_a_backup_is_in_it_however_fast_people_play() {
    let home = tempfile::tempdir().expect("a temporary directory");
    let data = home.path().join("data");
    let server = Process::start(&data).await;
    let mut pair = guests_at(&server).await;
    for number in 0..5 {
        pair.plies(7).await;
        let acknowledged = pair.seats[0].mirror.clone();
        let (file, copy) = (
            home.path().join(format!("{number}")),
            home.path().join(format!("copy-{number}")),
        );
        backup(&data, &file, &[]).await.result();
        restore(&copy, &file, &[]).await.result();
        let copied = Process::start(&copy).await;
        let found = view(&pair.people[0].moved_to(copied.address), &pair.id).await;
        assert_eq!(found["seq"], acknowledged.seq);
        copied.kill().await;
    }
}

#[tokio::test]
async fn nothing_is_overwritten_unasked_and_no_half_a_backup_is_left() {
    let home = tempfile::tempdir().expect("a temporary directory");
    let (data, file) = (home.path().join("data"), home.path().join("mawe.backup"));
    let server = Process::start(&data).await;
    std::fs::write(&file, "precious").expect("it can be written");
    let refused = backup(&data, &file, &[]).await.complaint(1);
    assert!(refused.contains("--force"), "{refused}");
    assert_eq!(std::fs::read(&file).expect("it is there"), b"precious");
    let nowhere = home.path().join("nowhere/mawe.backup");
    let refused = backup(&data, &nowhere, &[]).await.complaint(1);
    assert!(refused.contains("nowhere"), "{refused}");
    backup(&data, &file, &["--force"]).await.result();
    let left: Vec<String> = std::fs::read_dir(home.path())
        .expect("a directory")
        .map(|entry| {
            entry
                .expect("a name")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .filter(|name| name.starts_with('.'))
        .collect();
    assert_eq!(left, Vec::<String>::new());

    // A database in use by a server is not replaced.
    let refused = restore(&data, &file, &["--replace"]).await.complaint(1);
    assert!(refused.contains("in use by another server"), "{refused}");
    assert_eq!(server.stop("TERM").await, Some(0));
    // The same is possible without a server; a file that is no backup is refused.
    let second = home.path().join("second.backup");
    backup(&data, &second, &[]).await.result();
    let fresh = home.path().join("fresh");
    let mut damaged = std::fs::read(&second).expect("it is there");
    let middle = damaged.len() / 2;
    damaged.truncate(middle);
    for bytes in [&b""[..], b"precious", &damaged] {
        std::fs::write(&file, bytes).expect("it can be written");
        let refused = restore(&fresh, &file, &[]).await.complaint(1);
        assert!(refused.contains("damaged or no database"), "{refused}");
    }
    // The files of a killed server are no backup: a part of the data is in the log.
    let server = Process::start(&data).await;
    guests_at(&server).await;
    server.kill().await;
    let killed = data.join("mawe.sqlite");
    let refused = restore(&fresh, &killed, &[]).await.complaint(1);
    assert!(
        refused.contains("mawe.sqlite-wal lies beside it"),
        "{refused}"
    );
    let refused = restore(&fresh, &home.path().join("nothing"), &[])
        .await
        .complaint(1);
    assert!(refused.contains("there is no file"), "{refused}");
    assert!(!fresh.join("mawe.sqlite").exists());
    restore(&fresh, &second, &[]).await.result();
}

#[tokio::test]
async fn a_dump_of_postgres_taken_while_people_play_plays_on_in_another_database() {
    let postgres = Postgres::start();
    let (url, other) = (
        postgres.whole_database().await,
        postgres.whole_database().await,
    );
    let home = tempfile::tempdir().expect("a temporary directory");
    let start = async |url: &str, directory: &str| {
        let mut command = mawe(["--listen", "127.0.0.1:0", "--bots", "1", "--database", url]);
        command.arg("--data-dir").arg(home.path().join(directory));
        Process::of(command).await
    };
    let server = start(&url, "one").await;
    let mut pair = guests_at(&server).await;
    pair.plies(9).await;
    let known = pair.seats[0].mirror.clone();
    // The commands are those of docs/operating.md.
    let dump = home.path().join("mawe.dump");
    let tool = async |name: &str, arguments: &[&str]| {
        let mut command = Command::new(postgres.programs().join(name));
        command.args(arguments);
        run(command).await.result();
    };
    let file = dump.to_str().expect("a temporary path is plain text");
    tool("pg_dump", &["--format=custom", "--file", file, &url]).await;
    pair.plies(2).await;
    assert_eq!(server.stop("TERM").await, Some(0));

    tool("pg_restore", &["--no-owner", "--dbname", &other, file]).await;
    let server = start(&other, "two").await;
    let mut pair = moved_to(pair, &server).await;
    assert_eq!(pair.seats[0].mirror.plies, known.plies);
    pair.play_out().await;
    let over = view(&pair.people[0], &pair.id).await;
    assert!(!over["result"].is_null(), "{over}");
    assert!(over["seq"].as_u64() > Some(known.seq));
}

/// Returns the backups of a timetable in a directory, sorted by their times.
fn listed(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "backup"));
    files.sort();
    files
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backups_on_a_timetable_are_written_and_old_ones_removed() {
    let home = tempfile::tempdir().expect("a temporary directory");
    let directory = home.path().join("made/by the server");
    let timetable = Timetable {
        every: Duration::from_millis(20),
        keep: 2,
        directory: directory.clone(),
    };
    let server = TestServer::start_with(|config| config.backups = Some(timetable.clone())).await;
    let mut pair = Pair::of_guests(&server).await;
    pair.plies(3).await;
    let first = eventually("a backup is there", async || listed(&directory).pop()).await;
    let later = eventually("it is removed in favour of later ones", async || {
        (!first.exists())
            .then(|| listed(&directory).pop())
            .flatten()
    })
    .await;
    let known = eventually("another one follows", async || {
        let last = listed(&directory).pop()?;
        (last > later).then(|| server.app().meters.backups.figures())
    })
    .await;
    assert_eq!((known.every, known.failed), (Some(timetable.every), 0));
    assert!(known.last_ms.is_some());
    server.stop().await;
    let kept = listed(&directory);
    assert!((1..=3).contains(&kept.len()), "{kept:?}");
    for file in &kept {
        mawe_store::check_copy(file)
            .await
            .expect("a whole database");
    }
    let fresh = home.path().join("fresh");
    restore(&fresh, kept.last().expect("one"), &[])
        .await
        .result();

    // A server that starts anew knows the last one, and writes none before the next is due.
    let server = TestServer::start_with(|config| {
        config.backups = Some(Timetable {
            every: Duration::from_secs(100 * 24 * 60 * 60),
            ..timetable.clone()
        });
    })
    .await;
    eventually("the last one is known", async || {
        server.app().meters.backups.figures().last_ms
    })
    .await;
    server.stop().await;
    assert_eq!(listed(&directory), kept);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_on_the_timetable_that_fails_is_counted_and_tried_again() {
    let home = tempfile::tempdir().expect("a temporary directory");
    let directory = home.path().join("backups");
    // A file is in the place of the directory.
    std::fs::write(&directory, "x").expect("it can be written");
    let server = TestServer::start_with(|config| {
        config.backups = Some(Timetable {
            every: Duration::from_millis(20),
            keep: 1,
            directory: directory.clone(),
        });
    })
    .await;
    let figures = || server.app().meters.backups.figures();
    eventually("two fail", async || (figures().failed > 1).then_some(())).await;
    assert_eq!(figures().last_ms, None);
    std::fs::remove_file(&directory).expect("it is there");
    eventually("one succeeds", async || figures().last_ms).await;
    server.stop().await;
    assert_eq!(listed(&directory).len(), 1);
}

#[tokio::test]
async fn the_timetable_is_in_the_status_and_is_refused_for_postgres() {
    let home = tempfile::tempdir().expect("a temporary directory");
    let data = home.path().join("data");
    let mut command = mawe(["--listen", "127.0.0.1:0", "--bots", "1"]);
    command
        .args(["--backup-every", "24h", "--backup-keep", "3", "--data-dir"])
        .arg(&data);
    let server = Process::of(command).await;
    let file = eventually("the first backup is there", async || {
        listed(&data.join("backups")).pop()
    })
    .await;
    assert!(
        file.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("mawe-2"))
    );
    let status = eventually("it is known", async || {
        let mut command = mawe(["status", "--json", "--data-dir"]);
        command.arg(&data);
        let status: Value = serde_json::from_str(&run(command).await.result()).expect("JSON");
        status["last_backup_at"].is_string().then_some(status)
    })
    .await;
    assert_eq!(status["backup_every_s"], 86_400);
    assert_eq!(status["backups_failed"], 0);
    assert_eq!(server.stop("TERM").await, Some(0));

    let refused = mawe(["--backup-every", "24h", "--database", "postgres://a@b/c"]);
    let refused = run(refused).await.complaint(1);
    assert!(refused.contains("backup-every"), "{refused}");
    let refused = run(mawe(["--backup-every", "5s"])).await.complaint(2);
    assert!(refused.contains("such as 24h"), "{refused}");
}

/// Checks that one of two commands has written the backup, and that the other was refused in one line that names the reason; then that the
/// file is whole, and nothing unfinished lies beside it.
async fn check_one_of_two(ended: [Ended; 2], home: &Path, file: &Path) {
    let codes = ended.each_ref().map(|ended| ended.code);
    assert!(codes.contains(&Some(0)), "{ended:?}");
    let refused = ended.into_iter().find(|ended| ended.code != Some(0));
    let refused = refused.expect("one of them is refused").complaint(1);
    assert!(
        refused.contains("is there already") || refused.contains("in use"),
        "{refused}"
    );
    let directory = file.parent().expect("a directory");
    let left = std::fs::read_dir(directory).expect("it can be read");
    let left: Vec<_> = left.map(|entry| entry.expect("a file").path()).collect();
    assert_eq!(left, [file]);
    restore(&home.join("restored"), file, &[]).await.result();
}

#[tokio::test]
async fn of_two_backups_to_one_file_at_once_one_is_written_and_one_refused() {
    for runs in [true, false] {
        let home = tempfile::tempdir().expect("a temporary directory");
        let data = home.path().join("data");
        let server = Process::start(&data).await;
        guests_at(&server).await.plies(3).await;
        // By the server, which writes one after the other, and without one by two processes of which one has the database.
        if !runs {
            assert_eq!(server.stop("TERM").await, Some(0));
        }
        let backups = home.path().join("backups");
        std::fs::create_dir(&backups).expect("a directory");
        let file = backups.join("mawe.backup");
        let (one, other) = tokio::join!(backup(&data, &file, &[]), backup(&data, &file, &[]));
        check_one_of_two([one, other], home.path(), &file).await;
    }
}

#[tokio::test]
async fn of_two_backups_that_are_finished_at_once_one_has_the_name() {
    let home = tempfile::tempdir().expect("a temporary directory");
    let url = format!("sqlite:{}", home.path().join("mawe.sqlite").display());
    let store = mawe_store::open(&url).await.expect("it opens");
    let backups = home.path().join("backups");
    std::fs::create_dir(&backups).expect("a directory");
    let file = backups.join("mawe.backup");
    // Neither finds the other's file when it begins.
    let write = || mawe_store::backup::write(store.as_ref(), &file, false);
    let (one, other) = tokio::join!(write(), write());
    let refused = match (one, other) {
        (Ok(_), Err(error)) | (Err(error), Ok(_)) => error.to_string(),
        both => panic!("one of them is written: {both:?}"),
    };
    assert!(refused.contains("is there already"), "{refused}");
    let left = std::fs::read_dir(&backups).expect("it can be read");
    assert_eq!(left.count(), 1, "nothing unfinished is left");
    store.close().await;
}

#[tokio::test]
async fn a_backup_by_hand_and_one_on_the_timetable_are_both_whole() {
    let home = tempfile::tempdir().expect("a temporary directory");
    let data = home.path().join("data");
    let backups = home.path().join("backups");
    std::fs::create_dir(&backups).expect("a directory");
    let mut command = mawe(["--listen", "127.0.0.1:0", "--bots", "1"]);
    command
        .args(["--backup-every", "24h", "--backup-to"])
        .arg(&backups)
        .arg("--data-dir")
        .arg(&data);
    // The timetable writes its first one at the start.
    let server = Process::of(command).await;
    let by_hand = backups.join("by-hand");
    backup(&data, &by_hand, &[]).await.result();
    let files = eventually("both are there", async || {
        let found = std::fs::read_dir(&backups).expect("it can be read");
        let found: Vec<PathBuf> = found.map(|entry| entry.expect("a file").path()).collect();
        let is_unfinished = |file: &PathBuf| {
            let name = file.file_name().expect("a name").to_string_lossy();
            name.starts_with('.')
        };
        (found.len() == 2 && !found.iter().any(is_unfinished)).then_some(found)
    })
    .await;
    assert_eq!(server.stop("TERM").await, Some(0));
    for (number, file) in files.iter().enumerate() {
        let restored = home.path().join(format!("restored-{number}"));
        restore(&restored, file, &[]).await.result();
    }
}
