//! Records of matches in the formats of other programs.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mawe_rules::notation::json::JsonRecord;
use mawe_rules::notation::pdn::{self, GameResult};
use mawe_rules::notation::transcript;
use mawe_rules::{GameKind, Side};
use reqwest::Method;
use serde_json::{Value, json};

use crate::common::play::Pair;
use crate::common::process::{Process, mawe, run};
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
    let game = pdn::games(&running.body, None)
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
    let game = pdn::games(&answer.body, None)
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
async fn a_match_of_the_draughts_family_has_its_own_usage_of_pdn() {
    let server = TestServer::start().await;
    for (kind, game_type, white) in [
        ("russian", "[GameType \"25,W,8,8,A0,0\"]", 0),
        ("pool", "[GameType \"23,B,8,8,N1,0\"]", 1),
    ] {
        let mut pair = pair_at(&server, two(&server).await, kind).await;
        pair.plies(7).await;
        // Black wins.
        pair.act(white, mawe_wire::Command::Resign).await;
        let answer = export(&pair.people[0], &pair.id, "*/*", "").await;
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(text.contains(game_type), "{text}");
        assert!(text.trim_end().ends_with("0-1"), "{text}");
        let name = pair.people[white].name().await;
        assert!(text.contains(&format!("[White \"{name}\"]")), "{text}");
        let game = pdn::games(&answer.body, Some(kind.parse().expect("a game"))).next();
        let game = game.expect("a game").expect("it is PDN");
        assert_eq!(moves(&game.record), played(&pair));
        let black = [Side::Second, Side::First][white];
        assert_eq!(game.result, GameResult::Won(black));
    }
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

/// Returns the records that `mawe export` writes about this data directory.
async fn records(directory: &std::path::Path) -> Vec<Value> {
    let mut export = mawe(["export", "--data-dir"]);
    export.arg(directory);
    let text = run(export).await.result();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn matches_are_exported_while_the_server_runs_and_people_play() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let server = Process::start(directory.path()).await;
    let pair = async || {
        let people = [
            Person::guest_at(server.address).await,
            Person::guest_at(server.address).await,
        ];
        Pair::of(people, false).await
    };
    let mut finished = pair().await;
    finished.play_out().await;
    let stop = Arc::new(AtomicBool::new(false));
    let mut busy = pair().await;
    let playing = tokio::spawn({
        let stop = Arc::clone(&stop);
        async move {
            let mut plies = 0;
            while !stop.load(Ordering::Relaxed) {
                match busy.is_over() {
                    false => drop(busy.ply().await),
                    true => busy = Pair::of(busy.people, false).await,
                }
                plies += 1;
            }
            plies
        }
    });
    let exported = records(directory.path()).await;
    let record = exported
        .iter()
        .find(|record| record["id"] == finished.id.as_str());
    let record: JsonRecord =
        serde_json::from_value(record.expect("it is over").clone()).expect("a record");
    let played = record.replay().expect("it is by the rules");
    assert_eq!(moves(&played), self::played(&finished));
    stop.store(true, Ordering::Relaxed);
    assert!(playing.await.expect("they play") > 0);
    // Afterwards one more is there, also without the server.
    let before = records(directory.path()).await.len();
    let mut another = pair().await;
    another.play_out().await;
    assert_eq!(records(directory.path()).await.len(), before + 1);
    assert_eq!(server.stop("TERM").await, Some(0));
    assert_eq!(records(directory.path()).await.len(), before + 1);
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
