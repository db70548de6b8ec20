//! The engine on the command line: `mawe engine` by sessions in files, `mawe analyse`, `mawe duel`.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::common::PATIENCE;
use crate::common::process::{mawe, run};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::time::timeout;

const GAMES: [&str; 6] = ["mawe", "reversi", "checkers", "kalah", "oware", "congkak"];

struct Session {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Session {
    fn start(game: &str) -> Self {
        let mut command = mawe(["engine", game]);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary is there");
        Self {
            input: child.stdin.take().expect("it is piped"),
            output: BufReader::new(child.stdout.take().expect("it is piped")),
            child,
        }
    }

    async fn say(&mut self, bytes: &[u8]) {
        self.input.write_all(bytes).await.expect("it listens");
        self.input.flush().await.expect("it listens");
    }

    async fn line(&mut self) -> String {
        let mut line = String::new();
        let read = timeout(PATIENCE, self.output.read_line(&mut line)).await;
        read.expect("it answers").expect("it speaks");
        line.trim_end().to_owned()
    }

    async fn line_beginning(&mut self, with: &str) -> String {
        loop {
            let line = self.line().await;
            assert!(!line.is_empty(), "it has ended");
            if line.starts_with(with) {
                return line;
            }
        }
    }

    /// Ends the input; returns the rest of the output, and the exit code.
    async fn end(mut self) -> (String, Option<i32>) {
        drop(self.input);
        let mut rest = String::new();
        let read = timeout(PATIENCE, self.output.read_to_string(&mut rest)).await;
        read.expect("it ends").expect("it speaks");
        let status = timeout(PATIENCE, self.child.wait()).await;
        (rest, status.expect("it ends").expect("a status").code())
    }
}

/// Returns the line without the values that differ from run to run.
fn redacted(line: &str) -> String {
    let mut redact = false;
    let words = line.split(' ').map(|word| {
        let shown = if redact { "N" } else { word };
        redact = matches!(word, "nodes" | "nps" | "time" | "hashfull") && line.starts_with("info");
        shown
    });
    let line = words.collect::<Vec<&str>>().join(" ");
    line.replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

#[tokio::test]
async fn sessions_go_as_the_files_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engine");
    for name in ["session.txt", "errors.txt"] {
        let text = std::fs::read_to_string(folder.join(name)).expect("the file is there");
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let game = lines.next().and_then(|line| line.strip_prefix("game "));
        let mut session = Session::start(game.expect("the game comes first"));
        for line in lines {
            if let Some(said) = line.strip_prefix('>') {
                session.say(format!("{}\n", said.trim()).as_bytes()).await;
            } else {
                let expected = line.strip_prefix("< ").expect("a line of either side");
                let answer = redacted(&session.line().await);
                assert_eq!(answer, expected, "{name}");
            }
        }
        assert_eq!(session.end().await, (String::new(), Some(0)), "{name}");
    }
}

#[tokio::test]
async fn a_search_without_end_is_stopped_and_answers() {
    for game in GAMES {
        let mut session = Session::start(game);
        // The traditional form of Congkak is a win from the initial position, and proven at once.
        if game == "congkak" {
            session
                .say(b"setoption name Setup value form=limited\n")
                .await;
        }
        session.say(b"position startpos\ngo infinite\n").await;
        session.line_beginning("info depth 2 ").await;
        session.say(b"isready\n").await;
        session.line_beginning("readyok").await;
        session.say(b"position startpos\n").await;
        session.line_beginning("error a search goes on").await;
        session.say(b"stop\n").await;
        session.line_beginning("bestmove ").await;
        // The end of the input ends the next search too.
        session.say(b"go infinite\n").await;
        let (rest, code) = session.end().await;
        assert_eq!(code, Some(0), "{game}");
        assert!(
            rest.lines()
                .last()
                .is_some_and(|line| line.starts_with("bestmove "))
        );
    }
}

#[tokio::test]
async fn a_search_with_an_end_is_waited_for_when_the_input_ends() {
    let mut session = Session::start("oware");
    session
        .say(b"go p1time 60000 p2time 60000 p1inc 100 p2inc 100 depth 9")
        .await;
    let (rest, code) = session.end().await;
    assert_eq!(code, Some(0));
    assert!(
        rest.contains("info depth 9 ") && rest.contains("\nbestmove "),
        "{rest}"
    );
}

#[tokio::test]
async fn garbage_is_answered_and_survived() {
    let mut session = Session::start("mawe");
    let mut dice = fastrand::Rng::with_seed(6);
    for _ in 0..200 {
        let length = dice.usize(1..200);
        let mut line: Vec<u8> = (0..length).map(|_| dice.u8(..)).collect();
        line.retain(|byte| *byte != b'\n');
        line.push(b'\n');
        session.say(&line).await;
    }
    session.say(&[b'x'; 3 << 20]).await;
    session.say(b"\nisready\n").await;
    session.line_beginning("error a line is longer").await;
    session.line_beginning("readyok").await;
    assert_eq!(session.end().await, (String::new(), Some(0)));
}

#[tokio::test]
async fn quit_ends_it_in_mid_search() {
    let mut session = Session::start("checkers");
    session.say(b"go infinite\nquit\n").await;
    let status = timeout(Duration::from_secs(60), session.child.wait()).await;
    assert_eq!(status.expect("it ends").expect("a status").code(), Some(0));
}

async fn analysis(arguments: &[&str]) -> Value {
    let arguments = ["analyse"].iter().chain(arguments).chain(&["--json"]);
    let result = run(mawe(arguments)).await.result();
    serde_json::from_str(&result).expect("one JSON object")
}

#[tokio::test]
async fn an_analysis_says_what_the_design_asks_for() {
    for game in GAMES {
        let answer = analysis(&[game, "--depth", "5"]).await;
        for key in ["best", "score", "proven", "depth", "nodes", "nps", "pv"] {
            assert!(!answer[key].is_null(), "{game} {key}");
        }
        assert_eq!(answer["pv"][0], answer["best"], "{game}");
        let by_level = analysis(&[game, "--level", "2"]).await;
        assert_eq!(by_level["proven"], false, "{game}");
    }
}

#[tokio::test]
async fn an_exact_result_is_that_of_the_points() {
    // South takes the last five seeds: 29 to 19.
    let position = "0,0,0,0,0,1,23/0,0,0,0,0,5,19 s";
    let answer = analysis(&["kalah", "--position", position, "--exact"]).await;
    assert_eq!(
        (&answer["score"], &answer["proven"]),
        (&(0.into()), &true.into())
    );
    assert_eq!(answer["result"], "draw");
    let text = run(mawe([
        "analyse",
        "kalah",
        "--position",
        position,
        "--exact",
    ]))
    .await;
    let text = text.result();
    assert!(text.starts_with("best 6\nscore 0 proven draw\n"), "{text}");
}

#[tokio::test]
async fn an_analysis_looks_at_a_game_as_far_as_it_was_played() {
    // No position of Kalah repeats: the moves before it change nothing.
    let limit = ["--nodes", "5000"];
    let played = analysis(&[&["kalah", "--moves", "3 6 1"][..], &limit].concat()).await;
    let position = "4,4,0,5,5,0,2/0,6,6,6,5,5,0 s";
    let alone = analysis(&[&["kalah", "--position", position][..], &limit].concat()).await;
    for key in ["best", "score", "depth", "nodes", "pv"] {
        assert_eq!(played[key], alone[key], "{key}");
    }
    // One king against two can only draw by a third repetition, which the engine must find.
    let there = ["checkers", "--position", "W:WK1:BK18,K28", "--depth", "3"];
    let lost = analysis(&there).await;
    assert!(lost["score"].as_i64() < Some(-50), "{lost}");
    let moves = "28-32 5-1 32-28 1-5 28-32 5-1 32-28";
    let start = ["checkers", "--position", "B:WK5:BK18,K28", "--depth", "3"];
    let saved = analysis(&[&start[..], &["--moves", moves]].concat()).await;
    assert_eq!(
        (&saved["best"], &saved["score"]),
        (&"1-5".into(), &0.into()),
        "{saved}"
    );
}

#[tokio::test]
async fn what_cannot_be_analysed_is_refused_in_one_line() {
    for (arguments, code) in [
        (
            &["analyse", "mawe", "--position", "8/8/8/8/8/8/8/w6b w"][..],
            2,
        ),
        (&["analyse", "mawe", "--position", "9/8/8/8/8/8/8/w6b w"], 2),
        (&["analyse", "mawe", "--moves", "c1d2 c1d2"], 2),
        (&["analyse", "chess"], 2),
        (&["analyse", "mawe", "--movetime", "0"], 2),
        (&["analyse", "mawe", "--depth", "0"], 2),
        (&["analyse", "mawe", "--depth", "4000000000"], 2),
        (&["analyse", "mawe", "--level", "11"], 2),
        (&["analyse", "mawe", "--level", "3", "--depth", "3"], 2),
        (&["analyse", "mawe", "--threads", "0"], 2),
        (&["engine", "go"], 2),
        (
            &["duel", "mawe", "--a", "1", "--b", "12", "--games", "2"],
            2,
        ),
        (&["duel", "mawe", "--a", "1", "--b", "2", "--games", "0"], 2),
        (
            &[
                "duel", "mawe", "--a", "1", "--b", "2", "--games", "2", "--setup", "x=1",
            ],
            2,
        ),
    ] {
        run(mawe(arguments)).await.complaint(code);
    }
}

#[tokio::test]
async fn a_result_that_is_not_proven_in_time_is_a_failure() {
    let ended = run(mawe(["analyse", "mawe", "--exact", "--depth", "2"])).await;
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("not proven"), "{}", ended.stderr);
}

#[tokio::test]
async fn a_duel_tells_its_progress_and_the_difference() {
    let arguments = [
        "duel", "reversi", "--a", "4", "--b", "nodes=20", "--games", "4",
    ];
    let ended = run(mawe(arguments.iter().chain(&["--json"]))).await;
    assert_eq!((ended.code, ended.stderr.lines().count()), (Some(0), 2));
    let answer: Value = serde_json::from_str(&ended.stdout).expect("one JSON object");
    assert_eq!(answer["games"], 4);
    let (won, drawn, lost) = (&answer["won"], &answer["drawn"], &answer["lost"]);
    let games = [won, drawn, lost].map(|games| games.as_u64().expect("a number"));
    assert_eq!(games.iter().sum::<u64>(), 4);
    assert!(answer["elo"].is_f64() && answer["elo_error"].is_f64());
    let again = run(mawe(arguments.iter().chain(&["--json"]))).await;
    assert_eq!(
        again.stdout, ended.stdout,
        "the same seed plays the same games"
    );
    let sides = ["first_won", "second_won"].map(|key| answer[key].as_u64().expect("a number"));
    assert_eq!(sides.iter().sum::<u64>() + games[1], 4);
    let text = run(mawe(arguments)).await.stdout;
    assert!(
        text.starts_with("games 4 won ") && text.contains(" elo "),
        "{text}"
    );
}

/// The yardstick of the lists: the same player at both sides, from the openings of the list.
#[tokio::test]
async fn a_duel_may_begin_with_the_drawn_openings() {
    let arguments = |game| {
        let players = ["--a", "1", "--b", "1", "--games", "6"];
        let openings = ["--openings", "drawn", "--json"];
        ["duel", game].into_iter().chain(players).chain(openings)
    };
    for game in ["kalah", "congkak", "checkers", "reversi"] {
        let ended = run(mawe(arguments(game))).await;
        assert_eq!((ended.code, ended.stderr.lines().count()), (Some(0), 3));
        let answer: Value = serde_json::from_str(&ended.stdout).expect("one JSON object");
        assert_eq!(answer["games"], 6);
    }
    let line = run(mawe(arguments("mawe"))).await.complaint(2);
    assert!(line.contains("no drawn openings"), "{line}");
}

// --- mawe solve ---

#[tokio::test]
async fn endgames_are_made_once_kept_and_used() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().to_str().expect("a name of letters");
    let solve =
        |seeds: &'static str| mawe(["solve", "kalah", "--seeds", seeds, "--data-dir", data]);

    let made = run(solve("2")).await.result();
    let lines: Vec<&str> = made.lines().collect();
    assert_eq!(lines.len(), 4, "{made}");
    assert!(lines[1].starts_with("kalah, 1 seeds: 12 positions, 6 won, 0 drawn, 6 lost, "));
    assert!(lines[3].starts_with("in all: 91 positions, "), "{made}");
    // As after an interruption at two seeds: existing slices are kept, the others are made.
    let more = run(solve("4")).await.result();
    let kept: Vec<bool> = more.lines().map(|line| line.ends_with("kept")).collect();
    assert_eq!(kept, [true, true, true, false, false, false]);

    let analyse = || {
        let place = [
            "analyse",
            "kalah",
            "--position",
            "0,0,1,0,1,0,22/0,0,0,1,0,1,22 s",
        ];
        let mut command = mawe(place);
        command.args(["--json", "--data-dir", data]);
        command
    };
    let ended = run(analyse()).await;
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    assert!(
        ended
            .stderr
            .contains("endgames of kalah: 5 slices, 1820 positions")
    );
    let known: Value = serde_json::from_str(&ended.stdout).expect("an object");
    assert_eq!(known["proven"], true);

    // A damaged file is reported in one line, not used, and made again.
    let path = directory.path().join("endgame/kalah-04.slice");
    let mut bytes = std::fs::read(&path).expect("it was made");
    bytes[50] ^= 0x55;
    std::fs::write(&path, bytes).expect("it can be written");
    let ended = run(analyse()).await;
    assert_eq!(ended.stderr.lines().count(), 2, "{}", ended.stderr);
    assert!(
        ended
            .stderr
            .contains("kalah-04.slice is not used: its checksum is wrong")
    );
    let unknown: Value = serde_json::from_str(&ended.stdout).expect("an object");
    assert_eq!(unknown["result"], known["result"]);
    let again = run(solve("4")).await;
    assert!(again.stderr.contains("checksum"), "{}", again.stderr);
    assert_eq!(again.stdout.matches("kept").count(), 4);
    assert_eq!(run(solve("4")).await.result().matches("kept").count(), 5);
}

#[tokio::test]
async fn endgames_of_draughts_are_made_and_used() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = directory.path().to_str().expect("a name of letters");
    let solve = mawe(["solve", "russian", "--pieces", "2", "--data-dir", data]);
    let made = run(solve).await.result();
    assert!(made.contains("in all: 3488 positions, "), "{made}");

    let mut analyse = mawe(["analyse", "russian", "--position", "W:W29:BK4", "--json"]);
    analyse.args(["--data-dir", data]);
    let ended = run(analyse).await;
    let line = "endgames of russian: 4 slices, 3512 positions";
    assert!(ended.stderr.contains(line), "{}", ended.stderr);
    let known: Value = serde_json::from_str(&ended.stdout).expect("an object");
    assert_eq!(known["proven"], true, "{known}");
}

#[tokio::test]
async fn what_cannot_be_solved_is_refused_in_one_line() {
    for arguments in [
        &["solve", "mawe"][..],
        &["solve", "chess"],
        &["solve", "kalah", "--pieces", "3"],
        &["solve", "checkers", "--seeds", "3"],
        &["solve", "checkers", "--pieces", "7"],
        &["solve", "checkers", "--pieces", "1"],
        &["solve", "russian", "--pieces", "5"],
        &["solve", "russian", "--seeds", "3"],
        &["solve", "international"],
        &["solve", "oware", "--seeds", "18"],
    ] {
        run(mawe(arguments)).await.complaint(2);
    }
    let file = tempfile::NamedTempFile::new().expect("a file");
    let data = file.path().to_str().expect("a name of letters");
    let ended = run(mawe(["solve", "kalah", "--seeds", "1", "--data-dir", data])).await;
    assert_eq!(ended.code, Some(1), "no folder can be made in a file");
}

#[tokio::test]
async fn small_starts_of_kalah_are_solved() {
    // The first result is from an evaluation of all positions, the other from two methods of search.
    for (seeds, points) in [(1, 200), (2, 600)] {
        let row = vec![seeds.to_string(); 6].join(",");
        let position = format!("{row},0/{row},0 s");
        let result = run(mawe([
            "analyse",
            "kalah",
            "--position",
            &position,
            "--exact",
            "--json",
        ]));
        let answer: Value = serde_json::from_str(&result.await.result()).expect("an object");
        assert_eq!(
            (answer["score"].as_i64(), &answer["proven"]),
            (Some(points), &true.into())
        );
    }
}
