//! Records of matches in the formats of other programs.

use std::io::Write;
use std::process::{Command, Stdio};

use mawe_rules::notation::json::JsonRecord;
use mawe_rules::notation::pdn::{self, GameResult};
use mawe_rules::notation::transcript;
use mawe_rules::{GameKind, Side};
use reqwest::Method;
use serde_json::{Value, json};

use crate::common::play::Pair;
use crate::common::{Answer, Person, TestServer};

async fn pair_at(server: &TestServer, mut people: [Person; 2], game: &str) -> Pair {
    let [first, second] = &mut people;
    let offer = json!({
        "game": game,
        "side": "first",
        "time_control": { "kind": "realtime", "base_ms": 600_000, "increment_ms": 0 },
    });
    let challenge = first.post("/api/v1/challenges", &offer).await;
    let path = format!("/api/v1/challenges/{}/accept", challenge.text("/id"));
    let id = second.post(&path, &json!({})).await.text("/id");
    let _ = server;
    Pair::at(people, id).await
}

async fn two(server: &TestServer) -> [Person; 2] {
    [server.guest().await, server.guest().await]
}

async fn export(person: &Person, id: &str, accept: &str, query: &str) -> Answer {
    let path = format!("/api/v1/matches/{id}/export{query}");
    Answer::of(person.request(Method::GET, &path).header("accept", accept)).await
}

fn moves(record: &mawe_rules::Record) -> Vec<String> {
    record.moves().iter().map(ToString::to_string).collect()
}

fn played(pair: &Pair) -> Vec<String> {
    let plies = pair.seats[0].mirror.plies.iter();
    plies.map(|ply| ply.text.clone()).collect()
}

#[tokio::test]
async fn a_match_of_checkers_is_portable_draughts_notation() {
    let server = TestServer::start().await;
    let mut pair = pair_at(&server, two(&server).await, "checkers").await;
    pair.plies(11).await;
    let running = export(&pair.people[0], &pair.id, "*/*", "").await;
    assert_eq!(running.header("cache-control"), "no-store");
    let game = pdn::games(&running.body)
        .next()
        .expect("a game")
        .expect("it is PDN");
    assert_eq!(
        (game.result, moves(&game.record)),
        (GameResult::Open, played(&pair))
    );

    pair.act(0, mawe_wire::Command::Resign).await;
    let answer = export(&pair.people[0], &pair.id, "*/*", "").await;
    assert_eq!(
        answer.header("content-type"),
        "application/x-draughts-pdn; charset=utf-8"
    );
    let game = pdn::games(&answer.body)
        .next()
        .expect("a game")
        .expect("it is PDN");
    assert_eq!(game.result, GameResult::Won(Side::Second));
    assert_eq!(moves(&game.record), played(&pair));
    let black = pair.people[0].name().await;
    assert!(
        game.tags.contains(&("Black".to_owned(), black)),
        "{:?}",
        game.tags
    );

    let tag = answer.header("etag");
    let path = format!("/api/v1/matches/{}/export", pair.id);
    let again = pair.people[0].request(Method::GET, &path);
    let again = Answer::of(again.header("if-none-match", tag)).await;
    assert_eq!(again.status, 304);

    let as_json = export(&pair.people[0], &pair.id, "application/json", "")
        .await
        .json();
    assert_eq!(
        as_json["result"],
        json!({ "winner": "W", "winning_side": "second", "reason": "resign" })
    );
    assert_eq!(as_json["moves"], played(&pair).join(" "));
    let wrong = export(&pair.people[0], &pair.id, "*/*", "?format=transcript").await;
    wrong.bad_field("bad-filter", "format");
    let unknown = export(&pair.people[0], &pair.id, "*/*", "?format=sgf").await;
    unknown.bad_field("bad-filter", "format");
    let nowhere = export(&pair.people[0], "AAAAAAAAAAAA", "*/*", "").await;
    nowhere.problem(404, "not-found");
}

#[tokio::test]
async fn a_match_of_reversi_is_a_transcript() {
    let server = TestServer::start().await;
    let mut pair = pair_at(&server, two(&server).await, "reversi").await;
    pair.plies(20).await;
    let answer = export(&pair.people[0], &pair.id, "*/*", "").await;
    assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
    let record = transcript::read(&answer.body).expect("a transcript");
    assert_eq!(moves(&record), played(&pair));
}

#[tokio::test]
async fn all_matches_are_lines_that_replay_reads() {
    let server = TestServer::start().await;
    let people = two(&server).await;
    let name = people[0].name().await;
    let mut ids = Vec::new();
    for game in GameKind::ALL {
        let mut pair = pair_at(&server, people.clone(), game.id()).await;
        pair.plies(9).await;
        if !pair.is_over() {
            pair.act(1, mawe_wire::Command::Resign).await;
        }
        ids.push(pair.id);
    }
    let running = pair_at(&server, people.clone(), "mawe").await;
    let path = format!("/api/v1/players/{name}/matches/export");
    let answer = people[0].get(&path).await;
    assert_eq!(answer.header("content-type"), "application/x-ndjson");
    let text = String::from_utf8(answer.body).expect("text");
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect();
    let listed: Vec<&str> = lines
        .iter()
        .rev()
        .filter_map(|line| line["id"].as_str())
        .collect();
    assert_eq!(
        listed, ids,
        "finished ones, newest first, and not {}",
        running.id
    );
    for line in &lines {
        let record: JsonRecord = serde_json::from_value(line.clone()).expect("a record");
        assert!(record.replay().expect("it is by the rules").ply() > 0);
    }
    let won = people[0].get(&format!("{path}?game=mawe&result=won")).await;
    assert_eq!(won.body.iter().filter(|byte| **byte == b'\n').count(), 1);
    people[0]
        .get(&format!("{path}?limit=3"))
        .await
        .bad_field("bad-filter", "limit");
    people[0]
        .get("/api/v1/players/Nobody/matches/export")
        .await
        .problem(404, "not-found");

    drop(running);
    let directory = server.stop().await;
    for game in GameKind::ALL {
        let exported = Command::new(env!("CARGO_BIN_EXE_mawe"))
            .args(["export", "--game", game.id(), "--data-dir"])
            .arg(directory.path())
            .output()
            .expect("the program runs");
        assert!(exported.status.success(), "{exported:?}");
        let mut replay = Command::new(env!("CARGO_BIN_EXE_mawe"))
            .args(["replay", game.id()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = replay.stdin.take().expect("a pipe");
        input.write_all(&exported.stdout).expect("it reads");
        drop(input);
        let output = replay.wait_with_output().expect("it ends");
        let answers = String::from_utf8(output.stdout).expect("text");
        let answers: Vec<Value> = answers
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(answers.len(), 1, "{game}");
        assert!(
            answers[0]["plies"].as_u64().is_some_and(|plies| plies > 0),
            "{answers:?}"
        );
    }
}
