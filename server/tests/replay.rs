//! `mawe replay`: every playout of every game through the program itself.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use mawe_rules::GameKind;
use serde_json::Value;

fn mawe(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mawe"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    // On a separate thread, because the program answers while it reads.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the program ends");
    // The program may close its input early.
    let _ = writer.join().expect("writing does not panic");
    output
}

fn answers_in(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).expect("text");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect()
}

#[test]
fn replay_tells_of_every_playout_what_the_vectors_tell() {
    for kind in GameKind::ALL.iter().copied() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/tests/vectors");
        let vectors = fs::read_to_string(folder.join(format!("{kind}.playouts.json")));
        let vectors: Value = serde_json::from_str(&vectors.expect("vectors")).expect("JSON");
        let playouts = vectors["playouts"].as_array().expect("playouts");
        let input: String = playouts
            .iter()
            .map(|playout| format!("{playout}\n"))
            .collect();
        let output = mawe(&["replay", kind.id()], &input);
        assert!(output.status.success() && output.stderr.is_empty());
        let answers = answers_in(&output);
        assert_eq!(answers.len(), playouts.len());
        for (answer, playout) in answers.iter().zip(playouts) {
            for key in ["plies", "result", "final", "counts", "digest"] {
                assert_eq!(answer[key], playout[key], "{kind} {} {key}", playout["id"]);
            }
        }
    }
}

#[test]
fn replay_refuses_a_ply_and_goes_on_and_stops_at_what_is_no_record() {
    let input = "{\"moves\":\"d3 d3\"}\n\n{\"start\":\"X\",\"moves\":\"\"}\n{\"moves\":\"d3\"}\n{\n{\"moves\":\"\"}\n";
    let output = mawe(&["replay", "reversi"], input);
    let answers = answers_in(&output);
    assert_eq!(answers.len(), 3);
    assert_eq!(
        (&answers[0]["ply"], &answers[0]["code"]),
        (&2.into(), &"occupied".into())
    );
    assert_eq!(
        (&answers[1]["ply"], &answers[1]["code"]),
        (&Value::Null, &"ends-early".into())
    );
    assert_eq!(
        (&answers[2]["plies"], &answers[2]["result"]),
        (&1.into(), &Value::Null)
    );
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        complaint.starts_with("mawe: line 5: ") && complaint.lines().count() == 1,
        "{complaint}"
    );

    let output = mawe(&["replay", "chess"], "");
    assert_eq!(output.status.code(), Some(2));
    // An overlong line is not kept in memory.
    let output = mawe(&["replay", "reversi"], &" ".repeat(3 << 20));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn replay_reads_games_of_other_programs() {
    // Two games of a file, one of which was given up, with a fault between them.
    let file = "[Event \"Club\"]\n[Result \"0-1\"]\n1. 11-15 23-19 2. 8-11 {the Old Fourteenth} 22-17 0-1\n\n\
                [Event \"Club\"]\n1. 11-15 11-16 *\n\n[Event \"Club\"]\n1. 9-13 *\n";
    let output = mawe(&["replay", "checkers", "--format", "pdn"], file);
    assert!(output.status.success(), "{output:?}");
    let answers = answers_in(&output);
    assert_eq!(
        [&answers[0]["plies"], &answers[0]["written"]],
        [&Value::from(4), &Value::from("0-1")]
    );
    assert_eq!(answers[0]["result"], Value::Null);
    let complaint = answers[1]["error"].as_str().expect("a refusal");
    assert!(complaint.contains("line 6, column 10"), "{complaint}");
    assert_eq!(answers[2]["plies"], 1);
    let json = mawe(&["replay", "checkers"], "{\"moves\":\"9-13\"}");
    for key in ["final", "counts", "digest"] {
        assert_eq!(answers[2][key], answers_in(&json)[0][key], "{key}");
    }

    let output = mawe(
        &["replay", "reversi", "--format", "transcript"],
        "f5d6c3\nF5 F5\nf5\n",
    );
    assert!(output.status.success(), "{output:?}");
    let answers = answers_in(&output);
    assert_eq!(answers[0]["plies"], 3);
    assert!(answers[1]["error"].is_string() && answers[1].get("written").is_none());
    assert_eq!(answers[2]["plies"], 1);

    let output = mawe(
        &["replay", "reversi", "--format", "ggf"],
        "(;GM[Othello]RE[+2.00:r]TY[8]B[F5]W[d6];)\n(;B[a1];)\n(;B[f5];)",
    );
    assert!(output.status.success(), "{output:?}");
    let answers = answers_in(&output);
    assert_eq!(
        [&answers[0]["plies"], &answers[0]["written"]],
        [&Value::from(2), &Value::from("+2.00:r")]
    );
    assert!(
        answers[1]["error"]
            .as_str()
            .is_some_and(|error| error.contains("line 2, column 5"))
    );
    assert_eq!(answers[2]["plies"], 1);
    assert!(answers[2].get("written").is_none());

    for [game, format] in [
        ["kalah", "pdn"],
        ["checkers", "transcript"],
        ["checkers", "ggf"],
    ] {
        let output = mawe(&["replay", game, "--format", format], "");
        assert_eq!(output.status.code(), Some(2));
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(complaint.contains("--format json"), "{complaint}");
    }
}
