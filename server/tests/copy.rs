//! `mawe copy`: all tables from one database to the other and back, also through interruptions and faults.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};
use std::process::Stdio;

use mawe_store::transfer::{self, Step, TransferError};
use mawe_store::{Attribution, NewAudit};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{AssertSqlSafe, PgPool, SqlitePool};
use tempfile::TempDir;
use tokio::process::Command;

use crate::common::Person;
use crate::common::faults::{Fault, FaultyDisk};
use crate::common::play::Pair;
use crate::common::postgres::Postgres;
use crate::common::process::{Ended, Process, mawe, run};
use crate::common::wire::{Loss, Wire};
use crate::{recount, store};

/// More rows than a batch has, many times.
const MANY_ROWS: u32 = 60_000;

struct Home(TempDir);

impl Home {
    fn new() -> Home {
        Home(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name).join("mawe.sqlite")
    }

    fn url(&self, name: &str) -> String {
        format!("sqlite:{}", self.file(name).display())
    }
}

async fn pool(file: &Path) -> SqlitePool {
    let options = SqliteConnectOptions::new().filename(file);
    let pool = SqlitePoolOptions::new().max_connections(1);
    pool.connect_with(options).await.unwrap()
}

async fn change(file: &Path, sql: &str) {
    let pool = pool(file).await;
    sqlx::raw_sql(AssertSqlSafe(sql))
        .execute(&pool)
        .await
        .unwrap();
    pool.close().await;
}

/// Returns all rows of all tables of an embedded database, by table.
async fn dump(file: &Path) -> Vec<(String, Vec<String>)> {
    let pool = pool(file).await;
    let tables: Vec<String> = sqlx::query_scalar(
        r"SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name <> '_sqlx_migrations' ORDER BY name",
    )
    .fetch_all(&pool)
    .await
    .unwrap();
    let mut all = Vec::new();
    for table in tables {
        let columns: String = sqlx::query_scalar(
            "SELECT group_concat('quote(\"' || name || '\")', ' || '','' || ') FROM pragma_table_info($1)",
        )
        .bind(&table)
        .fetch_one(&pool)
        .await
        .unwrap();
        let sql = format!("SELECT {columns} FROM \"{table}\" ORDER BY 1");
        let rows = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&pool);
        all.push((table, rows.await.unwrap()));
    }
    pool.close().await;
    all
}

async fn copy(from: &str, to: &str) -> Ended {
    run(mawe(["copy", "--from", from, "--to", to])).await
}

/// Fills a new database with rows of every table, with matches of all games that were counted, and with those of a world for faults.
async fn filled(home: &Home, name: &str) {
    let store = mawe_store::open(&home.url(name)).await.unwrap();
    store::faults::fill(&store).await;
    recount::fill(&store).await;
    store.ping().await.unwrap();
    store.close().await;
    let keys = "INSERT INTO push_key VALUES (1, randomblob(32)); INSERT INTO device_key VALUES (1, randomblob(32))";
    change(&home.file(name), keys).await;
    let request = "INSERT INTO request_keys SELECT id, 'a key', randomblob(32), 'a match', 1 FROM players LIMIT 1";
    change(&home.file(name), request).await;
    let club = "
        INSERT INTO clubs SELECT 'AAAAAAAAAAAB', 'copied', 'copied', 'club', 'Copied', 'copied', 'copied', 'request', '{}', '', 1, 1, min(id), 1 FROM players;
        INSERT INTO club_members SELECT id, founder_id, 1, 1 FROM clubs WHERE handle = 'copied';
        INSERT INTO club_requests SELECT id, founder_id, 'a line', 1 FROM clubs WHERE handle = 'copied';
        INSERT INTO club_invitations SELECT id, founder_id, founder_id, 0, 1 FROM clubs WHERE handle = 'copied';
        INSERT INTO club_removals SELECT id, founder_id, 1 FROM clubs WHERE handle = 'copied';
        INSERT INTO club_log SELECT id, 1, 1, founder_id, 'invited', NULL, '' FROM clubs WHERE handle = 'copied'";
    change(&home.file(name), club).await;
    let club_match = "
        INSERT INTO club_matches SELECT 'AAAAAAAAAAAC', id, 'Copied', NULL, 'Closed', 1, 'mawe', 'realtime', 1, 1, NULL, 1, 1, 1, 'running', 1, 1, 1, NULL
            FROM clubs WHERE handle = 'copied';
        INSERT INTO club_match_players SELECT 'AAAAAAAAAAAC', 1, founder_id, 1 FROM clubs WHERE handle = 'copied';
        INSERT INTO club_match_boards SELECT 'AAAAAAAAAAAC', 1, founder_id, founder_id, 1500.5, NULL FROM clubs WHERE handle = 'copied';
        INSERT INTO club_match_games SELECT 'AAAAAAAAAAAC', 1, 1, 'first', 'playing', NULL, min(id) FROM matches
            WHERE id NOT IN (SELECT match_id FROM club_match_games WHERE match_id IS NOT NULL)";
    change(&home.file(name), club_match).await;
    let event = "
        INSERT INTO event_timetables SELECT 'AAAAAAAAAAAE', 'weekly', 'friday', 1, 'UTC', '{}', '$hash', id, founder_id, 1, 1 FROM clubs WHERE handle = 'copied';
        INSERT INTO events SELECT 'AAAAAAAAAAAD', 'swiss', 'Copied', 'A text', 'mawe', '', 'realtime', 1, 1, NULL, 1, 1, 4, 1, 5, 1, 16, 1, 2000, 1,
            id, 1, '$hash', founder_id, 1, 'running', 1, 1, 1, 1, 1, 1, 1, 1, 8, 3, 1, randomblob(32), 'AAAAAAAAAAAE', 1, 60000, 3, 1 FROM clubs WHERE handle = 'copied';
        INSERT INTO event_entries VALUES ('AAAAAAAAAAAD', 1, 1, '{}');
        INSERT INTO event_players SELECT 'AAAAAAAAAAAD', 0, founder_id, 1, 'in' FROM clubs WHERE handle = 'copied';
        INSERT INTO event_games SELECT 'AAAAAAAAAAAD', 1, 1, 0, 1, 'realtime', 1, 1, NULL, 'playing', 'first', 'busy', min(id), 1 FROM matches";
    change(&home.file(name), event).await;
    for (table, rows) in dump(&home.file(name)).await {
        assert!(
            !rows.is_empty(),
            "no row of {table} would be copied: write one here"
        );
    }
}

fn same(one: &[(String, Vec<String>)], other: &[(String, Vec<String>)]) {
    let names = |dump: &[(String, Vec<String>)]| -> Vec<String> {
        dump.iter().map(|(table, _)| table.clone()).collect()
    };
    assert_eq!(names(one), names(other));
    for ((table, rows), (_, others)) in one.iter().zip(other) {
        assert!(rows == others, "{table}:\n{rows:#?}\n{others:#?}");
    }
}

fn silent(_: Step<'_>) {}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_row_of_every_table_is_copied_to_postgres_and_back() {
    let (home, postgres) = (Home::new(), Postgres::start());
    filled(&home, "first").await;
    let before = dump(&home.file("first")).await;
    let database = postgres.whole_database().await;
    transfer::run(&home.url("first"), &database, &silent)
        .await
        .unwrap();

    // The head of a match is a column there, and rows of the log are numbered on.
    let pool = PgPool::connect(&database).await.unwrap();
    let heads: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM matches m WHERE head <> (SELECT coalesce(max(seq), 0) FROM entries WHERE match_id = m.id)",
    )
    .fetch_one(&pool)
    .await
    .unwrap();
    assert_eq!(heads, 0);
    let references = "SELECT count(*) FROM pg_constraint WHERE contype = 'f'";
    let references: i64 = sqlx::query_scalar(references)
        .fetch_one(&pool)
        .await
        .unwrap();
    assert!(references > 20, "{references} references are there again");
    pool.close().await;

    transfer::run(&database, &home.url("second"), &silent)
        .await
        .unwrap();
    same(&before, &dump(&home.file("second")).await);
    // Between two of the same kind, too.
    transfer::run(&home.url("second"), &home.url("third"), &silent)
        .await
        .unwrap();
    same(&before, &dump(&home.file("third")).await);

    for url in [database, home.url("third")] {
        let store = mawe_store::open(&url).await.unwrap();
        let new = NewAudit {
            attribution: Attribution {
                by: None,
                why: "after the copy".to_owned(),
                at_ms: 1,
            },
            action: "grant",
            about: None,
            match_id: None,
            detail: String::new(),
        };
        store.write_audit(&new).await.unwrap();
        let newest = &store.audit(&Default::default(), None, 1).await.unwrap()[0];
        assert_eq!(newest.why, "after the copy");
        store.close().await;
    }
}

async fn guests_at(server: &Process) -> Pair {
    let people = [
        Person::guest_at(server.address).await,
        Person::guest_at(server.address).await,
    ];
    Pair::of(people, false).await
}

async fn moved_to(pair: Pair, server: &Process) -> Pair {
    let people = pair.people.map(|person| person.moved_to(server.address));
    Pair::at(people, pair.id).await
}

async fn start(url: &str, directory: &Path) -> Process {
    let mut command = mawe(["--listen", "127.0.0.1:0", "--bots", "1", "--database", url]);
    command.arg("--data-dir").arg(directory);
    Process::of(command).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_of_the_laptop_is_played_on_on_postgres_and_ends_on_the_laptop() {
    let (home, postgres) = (Home::new(), Postgres::start());
    let directory = |name: &str| home.0.path().join(name);
    let (laptop, back) = (home.url("laptop"), home.url("back"));
    let database = postgres.whole_database().await;
    let server = start(&laptop, &directory("laptop")).await;
    let (mut long, mut short) = (guests_at(&server).await, guests_at(&server).await);
    long.plies(5).await;
    short.play_out().await;

    // A server that is in use is not copied, and not copied to.
    let refused = copy(&laptop, &database).await.complaint(1);
    assert!(refused.contains("in use"), "{refused}");
    assert_eq!(server.stop("TERM").await, Some(0));

    let done = copy(&laptop, &database).await.result();
    assert!(
        done.contains("\nentries: ") && done.contains("\nthe ratings agree"),
        "{done}"
    );
    let server = start(&database, &directory("postgres")).await;
    let known = long.seats[0].mirror.plies.clone();
    let mut long = moved_to(long, &server).await;
    assert_eq!(long.seats[0].mirror.plies, known);
    long.plies(4).await;
    let mut another = guests_at(&server).await;
    another.plies(2).await;
    let refused = copy(&database, &back).await.complaint(1);
    assert!(refused.contains("in use by a server"), "{refused}");
    assert_eq!(server.stop("TERM").await, Some(0));

    let refused = copy(&laptop, &database).await.complaint(1);
    assert!(refused.contains("not empty"), "{refused}");
    copy(&database, &back).await.result();
    let server = start(&back, &directory("back")).await;
    let mut long = moved_to(long, &server).await;
    assert_eq!(long.seats[0].mirror.plies.len(), 9);
    long.play_out().await;
    moved_to(another, &server).await.play_out().await;
    assert_eq!(server.stop("TERM").await, Some(0));
    let mut check = mawe(["admin", "ratings", "check", "--database", &back]);
    check.arg("--data-dir").arg(directory("back"));
    run(check).await.result();
}

/// Adds many entries to the running match of a filled database.
async fn lengthen(file: &Path) {
    let sql = format!(
        "WITH RECURSIVE numbers (n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000 + {MANY_ROWS})
        INSERT INTO entries (match_id, seq, epoch, kind, payload, at_ms)
        SELECT (SELECT match_id FROM conditional_moves), n, 0, 'move', '{{\"n\":' || n || '}}', n FROM numbers"
    );
    change(file, &sql).await;
}

/// Returns the number of copied entries in the mark of an unfinished copy.
async fn copied(url: &str) -> Option<i64> {
    let sql = "SELECT copied FROM unfinished_copy WHERE name = 'entries'";
    match url.strip_prefix("sqlite:") {
        Some(file) => {
            let options = SqliteConnectOptions::new().filename(file).read_only(true);
            let pool = SqlitePoolOptions::new().connect_with(options).await.ok()?;
            sqlx::query_scalar(sql).fetch_one(&pool).await.ok()
        }
        None => {
            let pool = PgPool::connect(url).await.ok()?;
            let copied = sqlx::query_scalar(sql).fetch_one(&pool).await.ok();
            pool.close().await;
            copied
        }
    }
}

/// Returns whether a copy was finished; it fails none the less if its ratings differ from its journals, as some of [`filled`] do.
fn is_finished(ended: &Ended) -> bool {
    ended.stdout.contains("the copy is finished")
}

/// Kills copies at places of a whole copy, nearer and nearer to each other, until one is half-way through the entries; returns its database.
async fn half_copied(places: u32, mut killed_at: impl AsyncFnMut(u32) -> String) -> String {
    let (mut before, mut behind) = (0, places);
    while behind - before > 1 {
        let place = before.midpoint(behind);
        let to = killed_at(place).await;
        match copied(&to).await.unwrap_or(0) {
            0 => before = place,
            rows if rows >= i64::from(MANY_ROWS) => behind = place,
            _ => return to,
        }
    }
    panic!("no copy was killed among the entries");
}

/// Checks that no server starts on the half of a copy that was killed, and that it goes on.
async fn check_half(home: &Home, from: &str, to: &str) {
    let mut server = mawe(["--listen", "127.0.0.1:0", "--database", to]);
    server.arg("--data-dir").arg(home.0.path().join("server"));
    let refused = run(server).await.complaint(1);
    assert!(refused.contains("unfinished copy"), "{refused}");
    if from == home.url("first") {
        // A source that has changed would give a mixture.
        let file = home.file("first");
        let add = "INSERT INTO counters (name, value) VALUES ('planted', 1)";
        change(&file, add).await;
        let refused = copy(from, to).await.complaint(1);
        assert!(
            refused.contains("has changed") && refused.contains("counters"),
            "{refused}"
        );
        change(&file, "DELETE FROM counters WHERE name = 'planted'").await;
    }
    let ended = copy(from, to).await;
    assert!(ended.stdout.starts_with("the copy goes on: "), "{ended:?}");
    assert!(is_finished(&ended), "{ended:?}");
    assert!(copied(to).await.is_none(), "the mark is gone");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_that_was_killed_goes_on_and_no_server_starts_on_its_half() {
    let (home, postgres) = (Home::new(), Postgres::start());
    filled(&home, "first").await;
    lengthen(&home.file("first")).await;
    let before = dump(&home.file("first")).await;

    // To Postgres: some of the statements of a whole copy.
    let measured = postgres.whole_database().await;
    let wire = Wire::start(&measured).await;
    let whole = copy(&home.url("first"), &wire.to(&measured)).await;
    assert!(is_finished(&whole), "{whole:?}");
    let database = half_copied(wire.steps(), async |step| {
        let database = postgres.whole_database().await;
        wire.arm(Loss::Held, step);
        let mut child = mawe([
            "copy",
            "--from",
            &home.url("first"),
            "--to",
            &wire.to(&database),
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
        wire.struck().await;
        child.kill().await.unwrap();
        database
    })
    .await;
    check_half(&home, &home.url("first"), &database).await;

    // And back: some of the writes of a whole copy.
    let disk = disk(&home);
    let whole = copy_on(&disk, &database, &home.url("disk/measured")).await;
    assert!(is_finished(&whole), "{whole:?}");
    let mut name = String::new();
    let second = half_copied(disk.operations(), async |write| {
        name = format!("disk/killed-{write}");
        let second = home.url(&name);
        disk.fail_once_after(Fault::Killed, write);
        let killed = copy_on(&disk, &database, &second).await;
        assert_eq!(killed.code, None, "{killed:?}");
        second
    })
    .await;
    check_half(&home, &database, &second).await;
    same(&before, &dump(&home.file(&name)).await);
}

/// Returns a disk for the databases below `disk/`.
fn disk(home: &Home) -> FaultyDisk {
    let directory = home.0.path().join("disk");
    std::fs::create_dir(&directory).unwrap();
    FaultyDisk::new(home.0.path(), &directory)
}

async fn copy_on(disk: &FaultyDisk, from: &str, to: &str) -> Ended {
    let mut command = mawe(["copy", "--from", from, "--to", to]);
    command.envs(disk.variables());
    run(command).await
}

/// The number of places at which the disk fails.
const PLACES: u32 = 8;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_to_a_disk_that_is_full_or_broken_goes_on_to_the_same_end() {
    let home = Home::new();
    filled(&home, "first").await;
    let before = dump(&home.file("first")).await;
    let disk = disk(&home);
    let from = home.url("first");
    let whole = copy_on(&disk, &from, &home.url("disk/measured")).await;
    assert!(is_finished(&whole), "{whole:?}");
    let operations = disk.operations();
    let mut refusals = 0;
    for place in 0..PLACES {
        // A full disk stays full, and a broken one fails once.
        for fault in [Fault::Full, Fault::Broken] {
            let name = format!("disk/{fault:?}-{place}");
            let after = operations * place / PLACES;
            match fault {
                Fault::Full => disk.fail_after(fault, after),
                Fault::Broken | Fault::Killed => disk.fail_once_after(fault, after),
            }
            let failed = copy_on(&disk, &from, &home.url(&name)).await;
            disk.heal();
            if !is_finished(&failed) {
                refusals += 1;
                assert_eq!(failed.code, Some(1), "{name}: {failed:?}");
                assert_eq!(failed.stderr.lines().count(), 1, "{name}: {failed:?}");
                let again = copy(&from, &home.url(&name)).await;
                assert!(is_finished(&again), "{name}: {again:?}");
            }
            same(&before, &dump(&home.file(&name)).await);
        }
    }
    // A fault while the database is closed does no harm.
    assert!(refusals >= PLACES, "{refusals}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_whose_database_fails_at_any_step_goes_on_to_the_same_end() {
    let (home, postgres) = (Home::new(), Postgres::start());
    filled(&home, "first").await;
    let before = dump(&home.file("first")).await;
    let mut database = postgres.whole_database().await;
    let wire = Wire::start(&database).await;
    for to_postgres in [true, false] {
        let mut file = 0;
        let mut faults = 0;
        // Each attempt fails a little later than the one before, counted from its beginning, and the next one goes on.
        for attempt in 0.. {
            let losses = [
                Loss::Before,
                Loss::After,
                Loss::Refused("53100"),
                Loss::Refused("57P01"),
            ];
            wire.arm(
                losses[attempt % losses.len()],
                u32::try_from(attempt * 17).unwrap(),
            );
            let (through, second) = (wire.to(&database), home.url(&format!("second-{file}")));
            let done = match to_postgres {
                true => transfer::run(&home.url("first"), &through, &silent).await,
                false => transfer::run(&through, &second, &silent).await,
            };
            let has_failed = wire.disarm();
            match done {
                Ok(_) if !has_failed => break,
                // It is finished: a pool has opened another connection, or the fault came after the end.
                Ok(_) | Err(TransferError::Ratings(_) | TransferError::NotEmpty(_)) => {
                    file += 1;
                    if to_postgres {
                        database = postgres.whole_database().await;
                    }
                }
                Err(error) => {
                    faults += 1;
                    assert!(has_failed, "attempt {attempt}: {error}");
                    assert_eq!(error.to_string().lines().count(), 1, "{error}");
                }
            }
        }
        assert!(faults > 5, "{faults}");
        if !to_postgres {
            same(&before, &dump(&home.file(&format!("second-{file}"))).await);
        }
    }
}

#[tokio::test]
async fn what_cannot_be_copied_is_named_in_one_line() {
    let (home, postgres) = (Home::new(), Postgres::start());
    filled(&home, "first").await;
    let (first, nothing) = (home.url("first"), home.url("nothing"));
    let database = postgres.whole_database().await;
    for (from, to, word) in [
        (&first, &first, "are the same"),
        (&nothing, &database, "there is no database"),
        (&first, &"mysql://x/y".to_owned(), "must be postgres://"),
        (&database, &first, "there is nothing in the source"),
    ] {
        let refused = copy(from, to).await.complaint(1);
        assert!(refused.contains(word), "{refused}");
    }
    assert!(!home.file("nothing").exists());
    let without: Command = mawe(["copy", "--from", &first]);
    let refused = run(without).await.complaint(2);
    assert!(refused.contains("--to"), "{refused}");

    // A row that refers to another which is not there.
    let dangling = "PRAGMA foreign_keys = 0; INSERT INTO wishes (player_id) VALUES ('nobody')";
    change(&home.file("first"), dangling).await;
    for to in [database, home.url("second")] {
        let refused = copy(&first, &to).await;
        assert_eq!(refused.code, Some(1));
        assert!(
            refused.stderr.contains("rows of wishes refer"),
            "{refused:?}"
        );
    }
}
