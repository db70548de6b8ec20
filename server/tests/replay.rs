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

fn answers(output: &Output) -> Vec<Value> {
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
        let answers = answers(&output);
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
    let answers = answers(&output);
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
