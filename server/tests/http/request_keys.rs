//! The header `Idempotency-Key`: a request that is sent twice creates one thing.

use reqwest::Method;
use serde_json::{Value, json};

use super::{bot_match, offer, with};
use crate::common::{Answer, Person, TestServer};

async fn send(person: &Person, path: &str, key: &str, body: &Value) -> Answer {
    let request = person.request(Method::POST, path).json(body);
    Answer::of(request.header("idempotency-key", key)).await
}

fn pass_and_play() -> Value {
    json!({ "game": "kalah", "time_control": { "kind": "unlimited" } })
}

#[tokio::test]
async fn a_request_that_is_sent_again_gets_the_same_thing() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let other = server.guest().await;
    server.account("Zofia").await;
    let (by_link, by_name) = (offer(), with(offer(), "to", json!("zofia")));
    for (number, (path, body)) in [
        ("/api/v1/matches", bot_match()),
        ("/api/v1/matches/pass-and-play", pass_and_play()),
        ("/api/v1/challenges", by_link),
        ("/api/v1/challenges", by_name),
    ]
    .into_iter()
    .enumerate()
    {
        let key = format!("key {number}");
        let first = send(&person, path, &key, &body).await;
        assert_eq!(first.status, 201, "{first:?}");
        assert!(!first.has_header("idempotency-replayed"));
        let again = send(&person, path, &key, &body).await;
        assert_eq!(again.status, 201, "{again:?}");
        assert_eq!(again.header("idempotency-replayed"), "true");
        assert_eq!(again.json(), first.json(), "{path}");
        // Another body, and another route, are another request.
        let changed = send(
            &person,
            path,
            &key,
            &with(body.clone(), "game", json!("oware")),
        )
        .await;
        changed.bad_field("bad-field", "Idempotency-Key");
        let elsewhere = match path {
            "/api/v1/matches" => "/api/v1/challenges",
            _ => "/api/v1/matches",
        };
        let body_there = match path {
            "/api/v1/matches" => offer(),
            _ => bot_match(),
        };
        send(&person, elsewhere, &key, &body_there)
            .await
            .bad_field("bad-field", "Idempotency-Key");
        // Keys are each caller's own.
        let theirs = send(&other, path, &key, &body).await;
        assert_eq!(theirs.status, 201, "{theirs:?}");
        assert_ne!(theirs.json()["id"], first.json()["id"]);
    }
    let matches = person.get("/api/v1/me/matches").await.json();
    assert_eq!(matches["items"].as_array().map(Vec::len), Some(2));
    let challenges = person.get("/api/v1/me/challenges").await.json();
    assert_eq!(challenges["outgoing"].as_array().map(Vec::len), Some(2));
    // Without a key each request makes one.
    for _ in 0..2 {
        let made = person.post("/api/v1/challenges", &offer()).await;
        assert_eq!(made.status, 201);
    }
    let challenges = person.get("/api/v1/me/challenges").await.json();
    assert_eq!(challenges["outgoing"].as_array().map(Vec::len), Some(4));
    server.stop().await;
}

#[tokio::test]
async fn requests_with_one_key_at_the_same_time_make_one_thing() {
    let server = TestServer::start().await;
    let person = server.account("Amina").await;
    let computer = server.app().bots[0].name.clone();
    for (number, (path, body)) in [
        ("/api/v1/challenges", offer()),
        ("/api/v1/challenges", with(offer(), "to", json!(computer))),
        ("/api/v1/matches", bot_match()),
    ]
    .into_iter()
    .enumerate()
    {
        let mut requests = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let (person, body) = (person.clone(), body.clone());
            let key = format!("at once {number}");
            requests.spawn(async move { send(&person, path, &key, &body).await });
        }
        let mut ids = Vec::new();
        for answer in requests.join_all().await {
            assert_eq!(answer.status, 201, "{answer:?}");
            ids.push(answer.text("/id"));
        }
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 1, "{path}");
    }
    let challenges = person.get("/api/v1/me/challenges").await.json();
    assert_eq!(challenges["outgoing"].as_array().map(Vec::len), Some(1));
    let matches = person.get("/api/v1/me/matches").await.json();
    assert_eq!(matches["items"].as_array().map(Vec::len), Some(2));
    server.stop().await;
}

#[tokio::test]
async fn a_refused_request_may_be_sent_again_under_its_key() {
    let server = TestServer::start().await;
    let person = server.account("Amina").await;
    let wish = with(offer(), "to", json!("Zofia"));
    let refused = send(&person, "/api/v1/challenges", "k", &wish).await;
    refused.bad_field("unknown-player", "to");
    server.account("Zofia").await;
    let made = send(&person, "/api/v1/challenges", "k", &wish).await;
    assert_eq!(made.status, 201, "{made:?}");
    let again = send(&person, "/api/v1/challenges", "k", &wish).await;
    assert_eq!(again.json()["id"], made.json()["id"]);
    server.stop().await;
}

#[tokio::test]
async fn a_challenge_with_a_fault_leaves_its_key_free_for_the_mended_one() {
    let server = TestServer::start().await;
    let amina = server.account("Amina").await;
    let guest = server.guest().await;
    let whole = with(offer(), "rated", json!(false));
    for (person, field, fault, code) in [
        (&amina, "to", json!("nobody"), "unknown-player"),
        (&amina, "to", json!("Amina"), "yourself"),
        (&amina, "setup", json!("no setup"), "bad-setup"),
        (&guest, "rated", json!(true), "account-needed"),
    ] {
        let wrong = with(whole.clone(), field, fault);
        let refused = send(person, "/api/v1/challenges", code, &wrong).await;
        assert_eq!(refused.json()["code"], code, "{refused:?}");
        let made = send(person, "/api/v1/challenges", code, &whole).await;
        assert_eq!(made.status, 201, "{code}: {made:?}");
        // From then on the key is taken, also for a body with a fault.
        let again = send(person, "/api/v1/challenges", code, &whole).await;
        assert_eq!(again.json()["id"], made.json()["id"]);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_key_is_short_and_visible() {
    let server = TestServer::start().await;
    let person = server.guest().await;
    for key in [
        String::new(),
        " ".to_owned(),
        "k".repeat(129),
        "ż".to_owned(),
    ] {
        let answer = send(&person, "/api/v1/matches", &key, &bot_match()).await;
        answer.bad_field("bad-field", "Idempotency-Key");
    }
    let made = send(&person, "/api/v1/matches", &"k".repeat(128), &bot_match()).await;
    assert_eq!(made.status, 201);
    server.stop().await;
}
