//! Tournaments on the command line: `mawe arena`, and outside engines in `mawe duel`.

use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use tokio::process::Command;
use tokio::time::timeout;

use crate::common::PATIENCE;
use crate::common::process::{mawe, run, run_with};

/// A player that is `mawe engine` as another program.
pub(crate) fn our_engine(game: &str) -> String {
    format!(
        "name=outside,nodes=50,option.Hash=1,cmd:ugi:'{}' engine {game}",
        env!("CARGO_BIN_EXE_mawe")
    )
}

/// A player whose program greets, and does this when it is asked for a move.
pub(crate) fn shell_engine(then: &str) -> String {
    format!(
        "name=broken,movetime=1,cmd:ugi:sh -c 'while read -r word rest; do \
         case $word in ugi) echo ugiok;; isready) echo readyok;; go) {then};; esac; done'"
    )
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the file was written")
}

fn rows(table: &str) -> Vec<Vec<&str>> {
    let rows = table.lines().skip(1).map(|row| row.split_whitespace());
    rows.map(Iterator::collect).collect()
}

#[tokio::test]
async fn a_tournament_ends_with_a_table_and_records_of_all_games() {
    let place = tempfile::tempdir().expect("a directory");
    let (pdn, json) = (
        place.path().join("games.pdn"),
        place.path().join("games.json"),
    );
    let outside = our_engine("checkers");
    let arguments = [
        "arena",
        "checkers",
        "1",
        "name=nodes,nodes=30,hash=1",
        &outside,
        "--games",
        "2",
        "--concurrency",
        "2",
        "--pdn",
        pdn.to_str().expect("text"),
        "--json",
        json.to_str().expect("text"),
    ];
    let table = run(mawe(arguments)).await.result();
    assert!(table.starts_with("checkers: 6 games\n"), "{table}");
    let rows = rows(&table);
    assert_eq!(rows.len(), 4, "{table}");
    let names: Vec<&str> = rows[1..].iter().map(|row| row[1]).collect();
    for name in ["1", "nodes", "outside"] {
        assert!(names.contains(&name), "{table}");
    }
    for (rank, row) in (1..).zip(&rows[1..]) {
        assert_eq!(
            (row[0], row[4]),
            (rank.to_string().as_str(), "4"),
            "{table}"
        );
        assert_eq!(row[8 + rank], "·", "{table}");
    }
    let sum = |column: usize| -> f64 {
        let numbers = rows[1..].iter().map(|row| row[column].parse::<f64>());
        numbers.map(|number| number.expect("a number")).sum()
    };
    assert!((sum(5) - 6.0).abs() < 1e-9, "a game is one point: {table}");

    let lines = text(&json);
    let records: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object"))
        .collect();
    assert_eq!(records.len(), 6);
    for record in &records {
        assert_eq!(record["game"], "checkers");
        assert_ne!(record["players"]["first"], record["players"]["second"]);
        assert!(record["opening_plies"].as_u64() >= Some(4), "{record}");
    }
    let judged = run_with(mawe(["replay", "checkers"]), &lines)
        .await
        .result();
    for (line, record) in judged.lines().zip(&records) {
        let played: Value = serde_json::from_str(line).expect("an object");
        // A game of 600 plies is a draw that the rules do not know.
        if record["result"]["reason"] != "ply-limit" {
            assert_eq!(played["result"], record["result"], "{record}");
        }
    }
    let file = text(&pdn);
    assert_eq!(file.matches("[Event \"mawe arena\"]").count(), 6);
    assert_eq!(file.matches("\"outside\"]").count(), 4);
    let replay = mawe(["replay", "checkers", "--format", "pdn"]);
    assert_eq!(run_with(replay, &file).await.result().lines().count(), 6);
}

#[tokio::test]
async fn games_of_reversi_become_transcripts_and_the_same_seed_plays_the_same() {
    let place = tempfile::tempdir().expect("a directory");
    let arena = |file: &str, concurrency: &str| {
        let path = place.path().join(file);
        let path = path.to_str().expect("text").to_owned();
        let players = ["arena", "reversi", "random", "1", "2"];
        let options = [
            "--games",
            "4",
            "--seed",
            "9",
            "--concurrency",
            concurrency,
            "--transcripts",
            &path,
        ];
        run(mawe(players.iter().chain(&options)))
    };
    let table = arena("one", "1").await.result();
    assert_eq!(arena("two", "3").await.result(), table);
    let sorted = |file: &str| {
        let file = text(&place.path().join(file));
        let mut lines: Vec<String> = file.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(sorted("one").len(), 12);
    assert_eq!(sorted("one"), sorted("two"));
    let replay = mawe(["replay", "reversi", "--format", "transcript"]);
    let judged = run_with(replay, &text(&place.path().join("one")))
        .await
        .result();
    assert!(
        judged.lines().all(|line| line.contains("\"winner\"")),
        "{judged}"
    );
}

#[tokio::test]
async fn two_players_are_compared_until_it_is_clear() {
    let sprt = ["--sprt", "0,300", "--games", "1000"];
    let arguments = ["arena", "mawe", "random", "3"].into_iter().chain(sprt);
    let table = run(mawe(arguments)).await.result();
    assert!(table.contains("\nsprt 0,300: llr -"), "{table}");
    assert!(table.ends_with(" refused\n"), "{table}");
    let games = table.lines().next().and_then(|line| line.split(' ').nth(1));
    let games: u32 = games.expect("a number").parse().expect("a number");
    assert!((4..400).contains(&games), "{table}");
}

/// Each engine that fails loses its games, and the tournament goes on.
#[tokio::test]
async fn an_engine_that_fails_loses_its_games_and_the_table_says_so() {
    for (then, why) in [
        ("exit 5", "it ended before its move (exit status: 5)"),
        (
            "echo bestmove a1a1",
            "its move in \"bestmove a1a1\" is not legal",
        ),
        ("echo bestmove", "its answer \"bestmove\" cannot be read"),
        ("yes", "it wrote 100000 lines without its move"),
        (
            "echo error I am tired",
            "it refused \"go movetime 1\" with \"I am tired\"",
        ),
    ] {
        let broken = shell_engine(then);
        let arguments = ["arena", "mawe", "1", &broken, "--games", "2"];
        let ended = run(mawe(arguments)).await;
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let table = &ended.stdout;
        let rows = rows(table);
        let row = rows.iter().find(|row| row[1] == "broken").expect("a row");
        assert_eq!(row[4..9], ["2", "0", "0", "0", "2"], "{table}");
        let told = table.lines().last().expect("a line");
        assert!(
            told.starts_with("broken: lost 2 by a failure, the last one: "),
            "{table}"
        );
        assert!(told.contains(why), "{table}");
        // On standard error the first failure alone.
        assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
        assert!(
            ended.stderr.starts_with("mawe: broken loses a game: "),
            "{ended:?}"
        );
    }
}

#[tokio::test]
async fn a_lost_game_of_a_failed_engine_is_recorded_with_its_reason() {
    let place = tempfile::tempdir().expect("a directory");
    let json = place.path().join("games.json");
    let broken = shell_engine("exit 5");
    let path = json.to_str().expect("text");
    let arguments = [
        "arena", "oware", &broken, "1", "--games", "2", "--json", path,
    ];
    assert_eq!(run(mawe(arguments)).await.code, Some(0));
    for line in text(&json).lines() {
        let record: Value = serde_json::from_str(line).expect("an object");
        let broken_is_first = record["players"]["first"] == "broken";
        let winner = if broken_is_first { "n" } else { "s" };
        assert_eq!(record["result"]["winner"], winner, "{record}");
        assert_eq!(record["result"]["reason"], "failure");
        let failure = record["failure"].as_str().expect("it is told");
        assert!(failure.contains("exit status: 5"), "{failure}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn an_interrupt_ends_a_tournament_with_the_table_so_far() {
    let place = tempfile::tempdir().expect("a directory");
    let json = place.path().join("games.json");
    let outside = our_engine("mawe");
    let mut command = mawe([
        "arena", "mawe", "1", "2", &outside, "--games", "100000", "--json",
    ]);
    let child = command
        .arg(&json)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary is there");
    let games = || std::fs::read_to_string(&json).map_or(0, |text| text.lines().count());
    let played = async {
        while games() < 6 {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, played).await.expect("it plays");
    let id = child.id().expect("it runs").to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().await;
    assert!(sent.expect("a program").success());
    let ended = timeout(PATIENCE, child.wait_with_output()).await;
    let ended = ended.expect("it ends").expect("it can be waited for");
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    let table = String::from_utf8(ended.stdout).expect("text");
    let of_all = |table: &str| -> usize {
        let first = table.lines().next().expect("a line");
        let number = first.split(' ').nth(1).expect("a number");
        number.parse().expect("a number")
    };
    assert!(of_all(&table) >= 6, "{table}");
    assert_eq!(
        of_all(&table),
        games(),
        "no failure by the interrupt: {table}"
    );
    assert_eq!(table.lines().count(), 5, "{table}");
    let told = String::from_utf8(ended.stderr).expect("text");
    assert!(
        told.starts_with("mawe: interrupted: the table has "),
        "{told}"
    );
    assert_eq!(told.lines().count(), 1, "{told}");
}

#[tokio::test]
async fn a_duel_takes_engines_of_others_and_counts_their_failures() {
    let arguments = |b: &str| {
        let b = b.to_owned();
        let words = [
            "duel", "kalah", "--a", "1", "--b", &b, "--games", "2", "--json",
        ];
        words.map(str::to_owned)
    };
    let ended = run(mawe(arguments(&our_engine("kalah")))).await;
    assert_eq!((ended.code, ended.stderr.lines().count()), (Some(0), 1));
    let answer: Value = serde_json::from_str(&ended.stdout).expect("an object");
    assert_eq!(
        (&answer["games"], &answer["failures_b"]),
        (&2.into(), &Value::Null)
    );
    let ended = run(mawe(arguments(&shell_engine("exit 5")))).await;
    assert_eq!((ended.code, ended.stderr.lines().count()), (Some(0), 3));
    assert!(
        ended
            .stderr
            .starts_with("mawe: B loses a game: engine \"sh\": it ended")
    );
    assert!(
        ended.stderr.contains(" failures of A 0 of B 2"),
        "{}",
        ended.stderr
    );
    let answer: Value = serde_json::from_str(&ended.stdout).expect("an object");
    assert_eq!(
        (&answer["won"], &answer["failures_b"]),
        (&2.into(), &2.into())
    );
    assert_eq!(answer["failures_a"], Value::Null);
}

#[tokio::test]
async fn what_cannot_be_played_is_refused_in_one_line() {
    let missing = "movetime=5,cmd:ugi:/nowhere/engine";
    for (arguments, why) in [
        (&["arena", "mawe", "1"][..], "1 players: 2 to 64"),
        (&["arena", "chess", "1", "2"], "chess"),
        (&["arena", "mawe", "1", "12"], "player 2: "),
        (
            &["arena", "mawe", "1", "2", "3", "--sprt", "0,10"],
            "--sprt compares two",
        ),
        (&["arena", "mawe", "1", "2", "--sprt", "10,0"], "--sprt"),
        (&["arena", "mawe", "1", "2", "--games", "0"], "--games"),
        (
            &["arena", "mawe", "1", "2", "--concurrency", "0"],
            "--concurrency",
        ),
        (
            &["arena", "mawe", "1", "2", "--pdn", "x"],
            "--pdn has games of checkers",
        ),
        (
            &["arena", "mawe", "1", "2", "--transcripts", "x"],
            "--transcripts has games of reversi",
        ),
        (
            &["arena", "mawe", "1", missing],
            "player 2: engine \"/nowhere/engine\": it cannot be started",
        ),
        (
            &["arena", "mawe", "1", "movetime=5,cmd:gtp:true"],
            "gtp is a protocol of reversi",
        ),
        (&["arena", "mawe", "1", "cmd:ugi:true"], "clock= is wanted"),
        (
            &["arena", "mawe", "1", "2", "--openings", "drawn"],
            "no drawn openings",
        ),
    ] {
        let line = run(mawe(arguments)).await.complaint(2);
        assert!(line.contains(why), "{arguments:?}: {line}");
    }
    let place = tempfile::tempdir().expect("a directory");
    let folder = place.path().to_str().expect("text");
    let line = run(mawe(["arena", "mawe", "1", "2", "--json", folder]))
        .await
        .complaint(1);
    assert!(line.contains("cannot be written"), "{line}");
}
