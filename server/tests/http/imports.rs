//! Imports of games over the API.

use std::num::NonZeroU32;

use reqwest::Method;
use serde_json::{Value, json};

use crate::common::{Answer, Person, TestServer};

async fn import(person: &mut Person, game: &str, text: &str) -> Answer {
    let body = json!({ "game": game, "text": text });
    person.post("/api/v1/imports", &body).await
}

/// Returns the games of an import.
async fn games(person: &mut Person, game: &str, text: &str) -> Vec<Value> {
    let answer = import(person, game, text).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let games = answer.json()["games"].as_array().expect("games").clone();
    assert!(!games.is_empty());
    games
}

#[tokio::test]
async fn every_notation_is_read_and_judged() {
    let server = TestServer::start().await;
    let mut stranger = server.stranger();
    for (game, text, notation, moves) in [
        (
            "checkers",
            "[White \"Zofia\"]\n1. 11-15 23-19 1-0",
            "pdn",
            ["11-15", "23-19"],
        ),
        (
            "reversi",
            "2 (;GM[Othello]PW[Zofia]RE[+3.00]B[F5//1]W[d6];)",
            "ggf",
            ["f5", "d6"],
        ),
        ("reversi", "F5 d6\nc4", "transcript", ["f5", "d6"]),
        ("kalah", "3 1\n", "moves", ["3", "1"]),
        (
            "oware",
            "{\"game\":\"oware\",\"moves\":\"1 6\"}",
            "json",
            ["1", "6"],
        ),
    ] {
        let answer = import(&mut stranger, game, text).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let answer = answer.json();
        assert_eq!(answer["notation"], notation, "{answer}");
        assert_eq!(answer["more"], false, "{answer}");
        let first = &answer["games"][0];
        assert_eq!(first["moves"], json!(moves), "{answer}");
        assert!(
            first["fault"].is_null() && first["outcome"].is_null(),
            "{answer}"
        );
        // The position is that of the moves.
        let moves = moves.join("+");
        let asked = stranger
            .get(&format!("/api/v1/positions/{game}?moves={moves}"))
            .await;
        assert_eq!(first["position"], asked.json()["position"], "{answer}");
        let analysis = format!("/analysis#game={game}&moves={moves}");
        assert_eq!(first["analysis"], analysis, "{answer}");
    }
    let pdn = games(
        &mut stranger,
        "checkers",
        "[White \"Zofia\"]\n1. 11-15 23-19 1-0",
    )
    .await;
    assert_eq!(
        pdn[0]["tags"],
        json!([{ "name": "White", "value": "Zofia" }])
    );
    assert_eq!(pdn[0]["written"], "1-0");
    let ggf = games(&mut stranger, "reversi", "(;PW[Zofia]RE[+3.00:r];)").await;
    assert_eq!(ggf[0]["written"], "+3.00:r");
    let start = "B:WK32:BK1";
    let record = json!({ "game": "checkers", "start": start, "moves": "1-5 32-28" });
    let json = games(&mut stranger, "checkers", &record.to_string()).await;
    assert_eq!(json[0]["start"], start);
    let analysis = json[0]["analysis"].as_str().expect("a path");
    assert!(analysis.contains("start=B%3AWK32%3ABK1"), "{analysis}");
}

#[tokio::test]
async fn a_fault_has_its_place_and_the_other_games_are_read() {
    let server = TestServer::start().await;
    let mut stranger = server.stranger();
    let fault = |game: &Value| {
        let fault = &game["fault"];
        (
            fault["code"].as_str().unwrap_or_default().to_owned(),
            fault["line"].as_u64(),
            fault["column"].as_u64(),
            fault["ply"].as_u64(),
        )
    };
    let read = games(&mut stranger, "reversi", "f5\n\nf5f5\nc4").await;
    assert_eq!(fault(&read[0]), (String::new(), None, None, None));
    assert_eq!(
        fault(&read[1]),
        ("occupied".to_owned(), Some(3), Some(3), None)
    );
    assert_eq!(read[2]["moves"], json!(["c4"]));
    let read = games(&mut stranger, "mawe", "a1\nx").await;
    assert_eq!(fault(&read[1]).1, Some(2));
    assert_eq!(fault(&read[1]).3, Some(1));
    let read = games(&mut stranger, "oware", "1 6 x 1").await;
    // The plies before the fault are told.
    assert_eq!(read[0]["moves"], json!(["1", "6"]));
    assert_eq!(fault(&read[0]).3, Some(3));
    let other = "{\"game\":\"kalah\",\"moves\":\"\"}\n{\n{\"game\":\"oware\",\"start\":\"1001,1,1,1,1,1,0/1,1,1,1,1,1,0 s\",\"moves\":\"\"}";
    let read = games(&mut stranger, "oware", other).await;
    let codes: Vec<String> = read.iter().map(|game| fault(game).0).collect();
    assert_eq!(codes, ["other-game", "bad-json", "too-many-seeds"]);
}

#[tokio::test]
async fn an_import_is_bounded() {
    let server = TestServer::start_with(|config| {
        config.network.behind_proxy = true;
        // Two imports a minute.
        config.rates.requests_per_minute = NonZeroU32::new(100).expect("not zero");
    })
    .await;
    let from = |address: &'static str, text: String| {
        let request = server.stranger().request(Method::POST, "/api/v1/imports");
        let request = request.header("x-forwarded-for", address);
        Answer::of(request.json(&json!({ "game": "reversi", "text": text })))
    };
    for text in [String::new(), " \n ".to_owned()] {
        let refused = from("203.0.113.1", text).await;
        refused.bad_field("bad-field", "text");
    }
    let refused = from("203.0.113.2", "x".repeat(12_001)).await;
    refused.bad_field("bad-field", "text");
    let many = from("203.0.113.2", "f5\n".repeat(60)).await.json();
    assert_eq!(many["games"].as_array().map(Vec::len), Some(50));
    assert_eq!(many["more"], true);
    // Refusals by the length cost nothing; the others are counted.
    let last = from("203.0.113.2", "f5".to_owned()).await;
    assert_eq!(last.status, 200);
    let refused = from("203.0.113.2", "f5".to_owned()).await;
    refused.problem(429, "too-many-requests");
    let elsewhere = from("203.0.113.3", "f5".to_owned()).await;
    assert_eq!(elsewhere.status, 200);
}
