//! Matches: creation, refusals, lists, single matches.

use std::collections::BTreeSet;

use mawe_wire::Command;
use reqwest::Method;
use serde_json::{Value, json};

use super::{NOBODYS, bot_match, offer, raw, with};
use crate::common::play::Pair;
use crate::common::{Answer, Person, TestServer, eventually};

#[tokio::test]
async fn a_match_against_the_computer_is_created_and_read() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    let name = person.name().await;
    let created = person
        .post("/api/v1/matches", &with(bot_match(), "level", json!(3)))
        .await;
    assert_eq!(created.status, 201);
    let view = person
        .get(&format!("/api/v1/matches/{}", created.text("/id")))
        .await;
    assert_eq!(view.status, 200);
    assert_eq!(view.header("cache-control"), "no-store");
    let view = view.json();
    assert_eq!(view["game"], "mawe");
    assert_eq!(view["rated"], false);
    assert_eq!(view["speed"], "blitz");
    assert_eq!(view["seq"], 0);
    assert_eq!(view["start"], "BBBBBBBB/8/8/8/8/8/8/WWWWWWWW w");
    assert_eq!(view["position"], view["start"]);
    assert_eq!(view["legal"].as_array().map(Vec::len), Some(54));
    assert_eq!(view["seats"]["first"]["player"]["name"], name.as_str());
    assert_eq!(
        view["seats"]["second"]["player"],
        json!({ "name": "mawe-Komwe", "kind": "bot", "level": 3 })
    );
    assert_eq!(view["result"], Value::Null);
    server.stop().await;
}

#[tokio::test]
async fn a_match_that_cannot_be_is_refused_and_the_field_is_named() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    for (field, value, code, named) in [
        ("level", json!(0), "bad-level", "level"),
        ("level", json!(11), "bad-level", "level"),
        ("level", json!("high"), "bad-field", "level"),
        ("level", json!(300), "bad-field", "level"),
        ("setup", json!("seeds=4"), "bad-setup", "setup"),
        ("setup", json!("nonsense"), "bad-setup", "setup"),
        ("game", json!("chess"), "bad-field", "game"),
        ("side", json!("third"), "bad-field", "side"),
        ("colour", json!("red"), "bad-field", "colour"),
        (
            "time_control",
            json!({ "kind": "realtime", "base_ms": 9_999, "increment_ms": 0 }),
            "bad-time-control",
            "time_control",
        ),
        (
            "time_control",
            json!({ "kind": "realtime", "base_ms": 60_000, "increment_ms": 180_001 }),
            "bad-time-control",
            "time_control",
        ),
    ] {
        for (path, body) in [
            ("/api/v1/matches", bot_match()),
            ("/api/v1/challenges", offer()),
        ] {
            if field == "level" && path.ends_with("challenges") {
                continue;
            }
            let refused = person.post(path, &with(body, field, value.clone())).await;
            refused.bad_field(code, named);
        }
    }
    for field in ["game", "level", "time_control"] {
        let refused = person
            .post("/api/v1/matches", &with(bot_match(), field, Value::Null))
            .await;
        refused.bad_field("bad-field", field);
    }
    let running = person.get("/api/v1/me/matches").await.json();
    assert_eq!(running, json!({ "items": [], "next": null }));
    server.stop().await;
}

#[tokio::test]
async fn a_body_that_is_no_json_is_refused_by_what_is_wrong_with_it() {
    let server = TestServer::start().await;
    let person = server.guest().await;
    let path = "/api/v1/matches";
    let json_type = Some("application/json");
    for text in ["", "{", "hello", &format!("{} {{}}", bot_match())] {
        let refused = raw(&person, path, json_type, text.to_owned()).await;
        refused.problem(400, "bad-request");
    }
    for content_type in [
        None,
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
    ] {
        let refused = raw(&person, path, content_type, bot_match().to_string()).await;
        refused.problem(415, "not-json");
    }
    let huge = with(bot_match(), "setup", json!("x".repeat(17_000))).to_string();
    raw(&person, path, json_type, huge)
        .await
        .problem(413, "too-large");
    let created = raw(
        &person,
        path,
        Some("application/json; charset=utf-8"),
        bot_match().to_string(),
    )
    .await;
    assert_eq!(created.status, 201);
    server.stop().await;
}

#[tokio::test]
async fn strangers_have_to_come_in_first() {
    let server = TestServer::start().await;
    let mut stranger = server.stranger();
    for (path, body) in [
        ("/api/v1/matches", bot_match()),
        ("/api/v1/challenges", offer()),
        (&format!("/api/v1/challenges/{NOBODYS}/accept"), json!({})),
    ] {
        stranger
            .post(path, &body)
            .await
            .problem(401, "sign-in-first");
    }
    stranger
        .delete(&format!("/api/v1/challenges/{NOBODYS}"))
        .await
        .problem(401, "sign-in-first");
    stranger
        .get("/api/v1/me/matches")
        .await
        .problem(401, "sign-in-first");
    server.stop().await;
}

#[tokio::test]
async fn of_a_hundred_and_ten_matches_asked_for_at_once_fifty_are_made() {
    let server = TestServer::start().await;
    let person = server.guest().await;
    let asking = (0..110).map(|_| {
        let mut person = person.clone();
        async move { person.post("/api/v1/matches", &bot_match()).await }
    });
    let answers = futures_util::future::join_all(asking).await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(made, 50);
    for refused in answers.iter().filter(|answer| answer.status != 201) {
        refused.problem(422, "too-many-matches");
    }
    server.stop().await;
}

#[tokio::test]
async fn one_player_leaves_fifty_matches_lying_and_no_more() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    for _ in 0..50 {
        let created = person.post("/api/v1/matches", &bot_match()).await;
        assert_eq!(created.status, 201);
    }
    for (path, body) in [
        ("/api/v1/matches", bot_match()),
        ("/api/v1/challenges", offer()),
    ] {
        person
            .post(path, &body)
            .await
            .problem(422, "too-many-matches");
    }
    server.stop().await;
}

#[tokio::test]
async fn running_matches_are_listed_and_finished_ones_are_not() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    let mut other = Pair::of_guests(&server).await;
    let mut left = Pair::of_guests(&server).await;
    // Neither a match before its first ply nor one without a player present is listed.
    let untouched = Pair::of_guests(&server).await;
    for begun in [&mut pair, &mut other, &mut left] {
        begun.ply().await;
    }
    drop(left);
    let stranger = server.stranger();
    let ids = async |path: &str| -> BTreeSet<String> {
        let list = stranger.get(path).await.json();
        let items = list["items"].as_array().expect("a list").clone();
        items
            .iter()
            .map(|item| item["id"].as_str().expect("an id").to_owned())
            .collect()
    };
    let both = BTreeSet::from([pair.id.clone(), other.id.clone()]);
    eventually("the players' absence", async || {
        (ids("/api/v1/matches").await == both).then_some(())
    })
    .await;
    assert_eq!(ids("/api/v1/matches?game=mawe").await, both);
    pair.act(0, Command::Resign).await;
    assert_eq!(
        ids("/api/v1/matches").await,
        BTreeSet::from([other.id.clone()])
    );
    drop(untouched);
    for (query, field) in [("game=chess", "game"), ("colour=red", "colour")] {
        let refused = stranger.get(&format!("/api/v1/matches?{query}")).await;
        refused.bad_field("bad-filter", field);
    }
    server.stop().await;
}

#[tokio::test]
async fn the_own_list_has_the_side_to_move() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    let turn = async |person: &Person| {
        let list = person.get("/api/v1/me/matches").await.json();
        list["items"][0]["turn"].clone()
    };
    for side in ["first", "second", "first"] {
        for person in &pair.people {
            assert_eq!(turn(person).await, side);
        }
        pair.ply().await;
    }
    // Spectators see some matches late, so the public list does not have it.
    let listed = pair.people[0].get("/api/v1/matches").await.json();
    assert_eq!(listed["items"][0]["id"], pair.id);
    assert!(listed["items"][0].get("turn").is_none());
    server.stop().await;
}

#[tokio::test]
async fn the_activity_counts_players_and_matches_and_has_the_latest_results() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let activity = async || stranger.get("/api/v1/activity").await.json();
    let empty = json!({ "players": 0, "matches": 0, "results": [] });
    assert_eq!(activity().await, empty);
    let mut over = Pair::of_guests(&server).await;
    let running = Pair::of_guests(&server).await;
    let now = activity().await;
    assert_eq!((&now["players"], &now["matches"]), (&json!(4), &json!(2)));
    // A match that was called off is no result.
    let mut called_off = Pair::of_guests(&server).await;
    called_off.act(0, Command::Abort).await;
    for _ in 0..2 {
        over.ply().await;
    }
    over.act(1, Command::Resign).await;
    let now = activity().await;
    assert_eq!((&now["players"], &now["matches"]), (&json!(6), &json!(1)));
    assert_eq!(now["results"].as_array().map(Vec::len), Some(1));
    assert_eq!(now["results"][0]["id"], over.id);
    assert_eq!(now["results"][0]["result"]["winner"], "first");
    drop((over, running, called_off));
    eventually("everybody's absence", async || {
        (activity().await["players"] == 0).then_some(())
    })
    .await;
    server.stop().await;
}

#[tokio::test]
async fn a_finished_match_carries_an_etag_and_is_not_sent_twice() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    pair.plies(3).await;
    let path = format!("/api/v1/matches/{}", pair.id);
    let stranger = server.stranger();
    let running = stranger.get(&path).await;
    assert!(running.headers.get("etag").is_none());
    pair.act(0, Command::Resign).await;
    let finished = stranger.get(&path).await;
    let tag = finished.header("etag").to_owned();
    let view = finished.json();
    assert_eq!(view["plies"].as_array().map(Vec::len), Some(3));
    assert_eq!(view["result"]["reason"], "resign");
    assert!(view["finished_at"].is_string());
    let conditional = async |tag: &str| {
        let request = stranger
            .request(Method::GET, &path)
            .header("if-none-match", tag);
        Answer::of(request).await
    };
    let unchanged = conditional(&tag).await;
    assert_eq!(unchanged.status, 304);
    assert!(unchanged.body.is_empty());
    assert_eq!(unchanged.header("etag"), tag);
    // The forms that a cache or a proxy may send.
    for known in [format!("W/{tag}"), format!("\"other\", {tag}")] {
        assert_eq!(conditional(&known).await.status, 304, "{known}");
    }
    assert_eq!(conditional("\"other\"").await.status, 200);
    server.stop().await;
}

#[tokio::test]
async fn what_does_not_exist_is_not_found() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    for path in [
        format!("/api/v1/matches/{NOBODYS}"),
        "/api/v1/matches/no-id".to_owned(),
        format!("/api/v1/challenges/{NOBODYS}"),
        "/api/v1/challenges/%00".to_owned(),
        "/api/v1/players/Nobody".to_owned(),
        "/api/v1/players/Nobody/matches".to_owned(),
        "/api/v1/players/%F0%9F%98%80".to_owned(),
        "/api/v1/leaderboards/chess".to_owned(),
        "/api/v1/nothing".to_owned(),
        "/api/v2/me".to_owned(),
        "/api/".to_owned(),
    ] {
        person.get(&path).await.problem(404, "not-found");
    }
    person
        .post(&format!("/api/v1/challenges/{NOBODYS}/accept"), &json!({}))
        .await
        .problem(404, "not-found");
    person
        .delete(&format!("/api/v1/challenges/{NOBODYS}"))
        .await
        .problem(404, "not-found");
    server.stop().await;
}
