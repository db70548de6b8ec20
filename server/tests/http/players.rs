//! Players, and the histories of their matches.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{bot_match, credentials};
use crate::common::{PASSWORD, TestServer};

#[tokio::test]
async fn a_player_is_found_in_any_case() {
    let server = TestServer::start().await;
    server.account("Subira").await;
    let stranger = server.stranger();
    let profile = stranger.get("/api/v1/players/sUBIRA").await;
    assert_eq!(profile.status, 200);
    assert_eq!(profile.text("/player/name"), "Subira");
    assert_eq!(profile.json()["ratings"], json!([]));
    assert_eq!(profile.json()["played"], 0);
    let history = stranger.get("/api/v1/players/SUBIRA/matches").await.json();
    assert_eq!(history, json!({ "items": [], "next": null }));
    let bot = stranger.get("/api/v1/players/MAWE-KETE").await;
    assert_eq!(bot.json()["player"]["level"], 4);
    server.stop().await;
}

#[tokio::test]
async fn players_are_found_by_the_first_letters_of_their_names() {
    let server = TestServer::start().await;
    for name in ["Halima", "halina", "Zofia"] {
        server.account(name).await;
    }
    let guest = server.guest().await.name().await;
    let stranger = server.stranger();
    let found = async |query: &str| {
        let path = format!("/api/v1/players?search={query}");
        let list = stranger.get(&path).await.json();
        let items = list["items"].as_array().expect("a list").clone();
        let names = items.iter().map(|item| item["name"].clone());
        names.collect::<Vec<_>>()
    };
    assert_eq!(found("HAL").await, ["Halima", "halina"]);
    assert_eq!(found("%20hal%20").await, ["Halima", "halina"]);
    assert_eq!(found("hal&limit=1").await, ["Halima"]);
    assert_eq!(found("alima").await, Vec::<Value>::new());
    assert_eq!(found(&guest).await, Vec::<Value>::new());
    assert_eq!(found("%00").await, Vec::<Value>::new());
    assert_eq!(found("mawe-kete").await, ["mawe-Kete"]);
    let list = "/api/v1/players";
    for (query, field) in [
        ("", "search"),
        ("?search=", "search"),
        ("?search=%20", "search"),
        ("?search=a&limit=101", "limit"),
        ("?search=a&name=b", "name"),
    ] {
        let refused = stranger.get(&format!("{list}{query}")).await;
        refused.bad_field("bad-filter", field);
    }
    let long = "a".repeat(41);
    let refused = stranger.get(&format!("{list}?search={long}")).await;
    refused.bad_field("bad-filter", "search");
    server.stop().await;
}

#[tokio::test]
async fn a_language_goes_where_its_reader_logs_in() {
    const PATH: &str = "/api/v1/me/language";
    let server = TestServer::start().await;
    let mut here = server.stranger();
    let polish = json!({ "language": "pl" });
    here.post(PATH, &polish).await.problem(401, "sign-in-first");
    // The account keeps the choice of the guest.
    here = server.guest().await;
    assert_eq!(here.post(PATH, &polish).await.status, 204);
    let name = credentials("Zofia", PASSWORD);
    let registered = here.post("/api/v1/accounts", &name).await;
    assert_eq!(registered.json()["language"], "pl");
    let mut there = server.stranger();
    let entered = there.post("/api/v1/sessions", &name).await;
    assert_eq!(entered.json()["language"], "pl");
    let malayalam = json!({ "language": "ml" });
    assert_eq!(there.post(PATH, &malayalam).await.status, 204);
    let me = here.get("/api/v1/me").await.json();
    assert_eq!(me["language"], "ml");
    for wrong in [json!({ "language": "tlh" }), json!({ "language": 1 })] {
        let refused = here.post(PATH, &wrong).await;
        refused.bad_field("bad-field", "language");
    }
    // A program plays, but cannot change the settings of its owner's page.
    let mut program = here.program(&["read", "play"]).await;
    let refused = program.post(PATH, &polish).await;
    refused.problem(403, "session-needed");
    assert_eq!(here.get("/api/v1/me").await.json()["language"], "ml");
    server.stop().await;
}

#[tokio::test]
async fn a_history_is_read_page_by_page_and_each_match_once() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    let mut created = Vec::new();
    for _ in 0..7 {
        created.push(
            person
                .post("/api/v1/matches", &bot_match())
                .await
                .text("/id"),
        );
    }
    let path = format!("/api/v1/players/{}/matches", person.name().await);
    let mut read = Vec::new();
    let mut sizes = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = person.get(&format!("{path}?limit=3{cursor}")).await.json();
        let items = page["items"].as_array().expect("a page has items").clone();
        sizes.push(items.len());
        read.extend(
            items
                .iter()
                .map(|item| item["id"].as_str().map(str::to_owned)),
        );
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(sizes, [3, 3, 1]);
    let read: Vec<String> = read.into_iter().flatten().collect();
    assert_eq!(read.len(), 7, "each comes once");
    assert_eq!(
        read.iter().collect::<BTreeSet<_>>(),
        created.iter().collect()
    );
    let whole = person.get(&path).await.json();
    assert_eq!(whole["items"].as_array().map(Vec::len), Some(7));
    assert_eq!(whole["next"], Value::Null);
    let created_at: Vec<jiff::Timestamp> = whole["items"]
        .as_array()
        .expect("items")
        .iter()
        .filter_map(|item| item["created_at"].as_str()?.parse().ok())
        .collect();
    assert_eq!(created_at.len(), 7);
    assert!(created_at.is_sorted_by(|a, b| a >= b), "newest first");
    server.stop().await;
}

#[tokio::test]
async fn bad_filters_are_named() {
    let server = TestServer::start().await;
    let person = server.account("Dalia").await;
    for (path, field) in [
        ("/api/v1/players/Dalia/matches?limit=0", "limit"),
        ("/api/v1/players/Dalia/matches?limit=101", "limit"),
        ("/api/v1/players/Dalia/matches?limit=many", "limit"),
        ("/api/v1/players/Dalia/matches?cursor=nonsense", "cursor"),
        ("/api/v1/players/Dalia/matches?cursor=1.2", "cursor"),
        ("/api/v1/players/Dalia/matches?opponent=Nobody", "opponent"),
        ("/api/v1/players/Dalia/matches?result=better", "result"),
        ("/api/v1/players/Dalia/matches?rated=perhaps", "rated"),
        ("/api/v1/players/Dalia/matches?since=yesterday", "since"),
        ("/api/v1/players/Dalia/matches?page=2", "page"),
        ("/api/v1/leaderboards/mawe?speed=warp", "speed"),
        ("/api/v1/leaderboards/mawe?limit=-1", "limit"),
        ("/api/v1/leaderboards/mawe?cursor=-1", "cursor"),
        ("/api/v1/leaderboards/mawe?cursor=99999999999", "cursor"),
        ("/api/v1/leaderboards/mawe?order=up", "order"),
    ] {
        let refused = person.get(path).await;
        refused.bad_field("bad-filter", field);
    }
    // A cursor past the end gives an empty page.
    let past = person.get("/api/v1/leaderboards/mawe?cursor=9000").await;
    assert_eq!(past.json(), json!({ "items": [], "next": null }));
    server.stop().await;
}
