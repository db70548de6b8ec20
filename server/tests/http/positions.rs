//! Positions over the API: the rule book's vectors, exact values, refusals, and floods.

use std::num::NonZeroU32;

use mawe_rules::GameKind;
use reqwest::Method;
use serde_json::{Value, json};

use crate::common::{Answer, Person, TestServer};

/// The vectors of a game, as the rule book has them.
fn vectors(game: GameKind) -> Value {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../rules/tests/vectors/");
    let text = std::fs::read_to_string(format!("{folder}{game}.json")).expect("a file");
    serde_json::from_str(&text).expect("JSON")
}

async fn position(person: &Person, game: GameKind, query: &[(&str, &str)]) -> Answer {
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(query)
        .finish();
    person
        .get(&format!("/api/v1/positions/{game}?{query}"))
        .await
}

fn list<'a>(vectors: &'a Value, name: &str) -> &'a [Value] {
    vectors[name].as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// Checks the result of a vector against that of an answer.
fn same_result(answer: &Value, expected: &Value) {
    let outcome = &answer["outcome"];
    if expected.is_null() {
        assert!(outcome.is_null(), "{answer}");
        return;
    }
    assert_eq!(outcome["letter"], expected["winner"], "{answer}");
    assert_eq!(outcome["reason"], expected["reason"], "{answer}");
    let winner = &outcome["winner"];
    assert_eq!(winner.is_null(), outcome["letter"] == "draw", "{answer}");
    if let Some(score) = expected["score"].as_array() {
        let told = [&outcome["score"]["first"], &outcome["score"]["second"]];
        assert_eq!(told, [&score[0], &score[1]], "{answer}");
    }
}

#[tokio::test]
async fn every_position_of_the_rule_book_has_its_moves() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    for game in GameKind::ALL.iter().copied() {
        let vectors = vectors(game);
        let start = position(&stranger, game, &[]).await.json();
        assert_eq!(start["position"], vectors["start"], "{game}");
        let mut number = 0;
        for case in list(&vectors, "positions")
            .iter()
            .chain(list(&vectors, "positions_limited"))
            .chain(list(&vectors, "samples").iter().take(10))
        {
            number += 1;
            let answer = position(&stranger, game, &[("position", text(&case["pos"]))]).await;
            assert_eq!(answer.status, 200, "{answer:?}");
            assert!(answer.header("cache-control").starts_with("public"));
            let answer = answer.json();
            let legal: Vec<&Value> = list(&answer, "legal").iter().map(|m| &m["move"]).collect();
            let expected: Vec<&Value> = list(case, "legal").iter().collect();
            assert_eq!(legal, expected, "{game} {}", case["name"]);
            for m in list(&answer, "legal") {
                let after = &case["after"][text(&m["move"])];
                assert_eq!(&m["position"], after, "{game} {}", case["name"]);
            }
            same_result(&answer, &case["result"]);
            for illegal in list(case, "illegal") {
                let query = [("position", text(&case["pos"])), ("moves", text(illegal))];
                let refused = position(&stranger, game, &query).await;
                refused.bad_field("bad-filter", "moves");
            }
        }
        assert!(number > 5, "{game}");
        for case in list(&vectors, "sequences") {
            let query = [
                ("position", text(&case["start"])),
                ("moves", text(&case["moves"])),
            ];
            let answer = position(&stranger, game, &query).await;
            assert_eq!(answer.status, 200, "{answer:?}");
            let answer = answer.json();
            assert_eq!(answer["position"], case["final"], "{game} {}", case["name"]);
            assert_eq!(answer["ply"], case["plies"], "{game} {}", case["name"]);
            same_result(&answer, &case["result"]);
        }
        // A board of the rules that would take a second for a move.
        if game == GameKind::Kalah {
            let crowded = [("position", "1000,1,4,4,4,4,0/4,4,4,4,4,4,0 s")];
            let refused = position(&stranger, game, &crowded).await;
            refused.bad_field("bad-filter", "position");
        }
        for bad in list(&vectors, "bad_positions") {
            let refused = position(&stranger, game, &[("position", text(bad))]).await;
            refused.bad_field("bad-filter", "position");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn the_state_of_draws_is_told() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let query = [("position", "B:WK32:BK1"), ("moves", "1-5 32-28 5-1 28-32")];
    let answer = position(&stranger, GameKind::Checkers, &query).await.json();
    assert_eq!(
        answer["draw"],
        json!({ "occurrences": 2, "occurrences_to_end": 3, "quiet_plies": 4, "quiet_limit": 80 })
    );
    let answer = position(&stranger, GameKind::Kalah, &[("moves", "3 4")]).await;
    assert_eq!(answer.json()["draw"]["quiet_limit"], Value::Null);
    server.stop().await;
}

#[tokio::test]
async fn a_value_is_exact_or_absent() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    for (game, place, expected) in [
        // A jump that takes the last piece.
        (
            GameKind::Checkers,
            "B:W6:B1",
            json!({ "result": "win", "plies": 1, "points": null, "best": "1x10" }),
        ),
        // North keeps the seeds of the own row when South has none left.
        (
            GameKind::Kalah,
            "0,0,0,0,0,1,20/0,0,0,0,2,0,25 s",
            json!({ "result": "loss", "plies": null, "points": -6, "best": "6" }),
        ),
    ] {
        let query = [("position", place), ("value", "true")];
        let answer = position(&stranger, game, &query).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.json()["value"], expected, "{game}");
        let unasked = position(&stranger, game, &query[..1]).await.json();
        assert_eq!(unasked["value"], Value::Null, "{game}");
    }
    // Nobody knows the value of the first position of Mawe!.
    let start = position(&stranger, GameKind::Mawe, &[("value", "true")]).await;
    assert_eq!(start.json()["value"], Value::Null);
    // Of a game that is over there is none to search.
    let over = [("position", "B:WK32:B"), ("value", "true")];
    let over = position(&stranger, GameKind::Checkers, &over).await.json();
    assert_eq!(over["value"], Value::Null);
    assert_eq!(over["outcome"]["winner"], "second");
    assert_eq!(over["legal"], json!([]));
    server.stop().await;
}

#[tokio::test]
async fn what_is_no_position_is_refused() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let long = "1".repeat(3_001);
    let many = "1 ".repeat(401);
    for (field, value) in [
        ("position", ""),
        ("position", "x"),
        ("position", &long[..301]),
        ("moves", "x"),
        ("moves", &long),
        ("value", "maybe"),
        ("depth", "100"),
    ] {
        let answer = position(&stranger, GameKind::Oware, &[(field, value)]).await;
        answer.bad_field("bad-filter", field);
    }
    // The number of moves is bounded, too: this game repeats itself until the rules end it.
    let answer = position(&stranger, GameKind::Oware, &[("moves", &many)]).await;
    answer.bad_field("bad-filter", "moves");
    let answer = stranger.get("/api/v1/positions/chess").await;
    answer.problem(404, "not-found");
    server.stop().await;
}

#[tokio::test]
async fn a_flood_of_searches_is_refused_and_moves_are_still_told() {
    // Two values a minute.
    let server = TestServer::start_with(|config| {
        config.network.behind_proxy = true;
        config.rates.requests_per_minute = NonZeroU32::new(400).expect("not zero");
    })
    .await;
    let from = |address: String, query: &'static str| {
        let path = format!("/api/v1/positions/mawe{query}");
        let request = server.stranger().request(Method::GET, &path);
        Answer::of(request.header("x-forwarded-for", address))
    };
    for expected in [200, 200, 429, 429] {
        let answer = from("203.0.113.1".to_owned(), "?value=true").await;
        assert_eq!(answer.status, expected, "{answer:?}");
    }
    // Positions without a value, and other addresses, have limits of their own.
    assert_eq!(from("203.0.113.1".to_owned(), "").await.status, 200);
    assert_eq!(
        from("203.0.113.2".to_owned(), "?value=true").await.status,
        200
    );
    // From many addresses at once: few wait, the others are told to come back.
    let mut flood = tokio::task::JoinSet::new();
    for number in 0..100 {
        flood.spawn(from(format!("198.51.100.{number}"), "?value=true"));
    }
    let (mut answered, mut refused) = (0, 0);
    for answer in flood.join_all().await {
        match answer.status.as_u16() {
            200 => answered += 1,
            503 => {
                answer.problem(503, "busy");
                refused += 1;
            }
            _ => panic!("{answer:?}"),
        }
    }
    assert!(answered > 0 && answered + refused == 100, "{answered}");
    assert_eq!(from("203.0.113.3".to_owned(), "").await.status, 200);
    server.stop().await;
}
