//! The progress of commands: drawn on a terminal, and no part of any output elsewhere.

use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;

use crate::common::PATIENCE;
use crate::common::Person;
use crate::common::play::Pair;
use crate::common::process::{Ended, Process, mawe, run, run_with};
use tokio::time::timeout;

/// Games of draughts.
const PDN: &str = "[Event \"one\"]\n1. 11-15 23-19 *\n\n[Event \"two\"]\n1. 11-15 22-17 *\n";

/// Checks that nothing moved the cursor or was written over.
#[track_caller]
fn check_plain(ended: &Ended) {
    assert_eq!(ended.code, Some(0), "{ended:?}");
    for text in [&ended.stdout, &ended.stderr] {
        assert!(!text.contains(['\r', '\u{1b}']), "{ended:?}");
    }
}

/// Checks that a command told nothing but its result.
#[track_caller]
fn check_silent(ended: &Ended) {
    check_plain(ended);
    assert_eq!(ended.stderr, "");
}

#[tokio::test]
async fn nothing_of_a_bar_is_in_output_that_is_no_terminal() {
    let home = tempfile::tempdir().expect("a temporary directory");
    let path = |name: &str| home.path().join(name);
    let data = path("data");
    let server = Process::start(&data).await;
    let people = [
        Person::guest_at(server.address).await,
        Person::guest_at(server.address).await,
    ];
    Pair::of(people, false).await.play_out().await;
    assert_eq!(server.stop("TERM").await, Some(0));

    let with_data = |arguments: &[&str]| {
        let mut command = mawe(arguments.iter().copied());
        command.arg("--data-dir").arg(&data);
        command
    };
    let exported = run(with_data(&["export"])).await;
    check_silent(&exported);
    assert_eq!(exported.stdout.lines().count(), 1);
    let mut backup = with_data(&["backup"]);
    backup.arg(path("backup"));
    check_silent(&run(backup).await);
    check_silent(&run(with_data(&["admin", "ratings", "check"])).await);
    let mut restore = mawe(["restore"]);
    restore.arg(path("backup"));
    restore.arg("--data-dir").arg(path("restored"));
    check_silent(&run(restore).await);
    check_silent(&run(with_data(&["solve", "oware", "--seeds", "4"])).await);
    let url = |name: &str| format!("sqlite:{}", path(name).join("mawe.sqlite").display());
    let copied = run(mawe(["copy", "--from", &url("data"), "--to", &url("copy")]));
    check_silent(&copied.await);

    let replayed = run_with(mawe(["replay", "checkers", "--format", "pdn"]), PDN).await;
    check_silent(&replayed);
    assert_eq!(replayed.stdout.lines().count(), 2);
    check_silent(&run_with(mawe(["replay", "mawe"]), "{\"moves\":\"\"}\n").await);
    check_silent(&run(mawe(["arena", "oware", "1", "2", "--games", "2"])).await);
    // One line for each pair of games, as ever.
    let duel = ["duel", "oware", "--a", "1", "--b", "2", "--games", "4"];
    let duel = run(mawe(duel)).await;
    check_plain(&duel);
    assert_eq!(duel.stderr.lines().count(), 2);
}

/// Runs a line of the shell on a terminal of its own; returns all that is drawn there.
async fn on_a_terminal(directory: &Path, line: &str) -> String {
    let mut command = Command::new("script");
    command
        .args(["-qec", line, "/dev/null"])
        .current_dir(directory)
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let ended = timeout(PATIENCE, command.output()).await;
    let ended = ended.expect("it ends").expect("script is there");
    assert!(ended.status.success(), "{ended:?}");
    String::from_utf8_lossy(&ended.stdout).into_owned()
}

#[tokio::test]
async fn a_terminal_shows_the_progress_beside_results_that_go_elsewhere() {
    let home = tempfile::tempdir().expect("a temporary directory");
    let program = env!("CARGO_BIN_EXE_mawe");
    std::fs::write(home.path().join("games.pdn"), PDN).expect("it can be written");
    for (line, drawn) in [
        (
            "replay checkers --format pdn <games.pdn >results",
            "of 2 games",
        ),
        ("duel oware --a 1 --b 2 --games 4 >results", "of 4 games"),
        ("arena oware 1 2 --games 2 >results", "of 2 games"),
        (
            "solve oware --seeds 9 --data-dir data >results",
            "left in this round",
        ),
    ] {
        let seen = on_a_terminal(home.path(), &format!("{program} {line}")).await;
        assert!(seen.contains(drawn), "{line}: {seen:?}");
        let results = std::fs::read_to_string(home.path().join("results"));
        let results = results.expect("they were written");
        assert!(!results.is_empty(), "{line}");
        assert!(!results.contains(['\r', '\u{1b}']), "{line}: {results:?}");
    }
    // Results that are printed on the terminal show by themselves how far the command is.
    let line = format!("{program} replay checkers --format pdn <games.pdn");
    let seen = on_a_terminal(home.path(), &line).await;
    assert!(!seen.contains("of 2 games"), "{seen:?}");
    assert_eq!(seen.lines().count(), 2, "{seen:?}");
}
