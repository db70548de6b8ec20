//! The REST interface of a running server: every route, and what each refuses.

use std::collections::BTreeSet;

use crate::common::play::Pair;
use crate::common::{Answer, PASSWORD, Person, TestServer, eventually};
use mawe_server::protocol::Command;
use reqwest::Method;
use serde_json::{Value, json};

/// An id that nobody has.
const NOBODYS: &str = "AAAAAAAAAAAA";

fn blitz() -> Value {
    json!({ "kind": "realtime", "base_ms": 300_000, "increment_ms": 3_000 })
}

fn bot_match() -> Value {
    json!({ "game": "mawe", "level": 1, "side": "first", "time_control": blitz() })
}

fn offer() -> Value {
    json!({ "game": "mawe", "side": "first", "time_control": blitz() })
}

/// `body` with one field changed; null takes it away.
fn with(mut body: Value, field: &str, value: Value) -> Value {
    let fields = body.as_object_mut().expect("a body is an object");
    if value.is_null() {
        fields.remove(field);
    } else {
        fields.insert(field.to_owned(), value);
    }
    body
}

fn credentials(name: &str, password: &str) -> Value {
    json!({ "name": name, "password": password })
}

async fn raw(person: &Person, path: &str, content_type: Option<&str>, body: String) -> Answer {
    let mut request = person.request(Method::POST, path).body(body);
    if let Some(content_type) = content_type {
        request = request.header("content-type", content_type);
    }
    Answer::of(request).await
}

// --- who one is ---

#[tokio::test]
async fn a_guest_is_somebody_and_stays_so() {
    let server = TestServer::start().await;
    let mut person = server.stranger();
    assert_eq!(
        person.get("/api/v1/me").await.json(),
        json!({ "player": null, "moderator": false, "language": null })
    );
    let created = person.post("/api/v1/guests", &json!({})).await;
    assert_eq!(created.status, 201);
    let cookie = created.header("set-cookie");
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    assert!(
        !cookie.contains("Secure"),
        "this server has no TLS: {cookie}"
    );
    let me = person.get("/api/v1/me").await.json();
    assert_eq!(me, created.json());
    assert_eq!(me["player"]["kind"], "guest");
    assert!(person.name().await.starts_with("Guest-"));
    // Coming again changes nothing.
    let again = person.post("/api/v1/guests", &json!({})).await;
    assert_eq!(again.status, 200);
    assert_eq!(again.json(), me);
    assert!(again.headers.get("set-cookie").is_none());
    // Two guests are two.
    assert_ne!(server.guest().await.name().await, person.name().await);
    server.stop().await;
}

#[tokio::test]
async fn behind_tls_the_cookie_is_secure() {
    let server = TestServer::start_with(|config| {
        config.origin = Some("https://play.example".to_owned());
    })
    .await;
    let mut person = server.stranger();
    let request = person
        .request(Method::POST, "/api/v1/guests")
        .header("origin", "https://play.example")
        .json(&json!({}));
    let created = person.send(request).await;
    assert_eq!(created.status, 201);
    assert!(created.header("set-cookie").contains("; Secure"));
    server.stop().await;
}

#[tokio::test]
async fn a_token_that_nobody_was_given_is_nobodys() {
    let server = TestServer::start().await;
    let mut person = server.stranger();
    person.token = Some("x".repeat(43));
    assert_eq!(
        person.get("/api/v1/me").await.json(),
        json!({ "player": null, "moderator": false, "language": null })
    );
    let refused = person.post("/api/v1/matches", &bot_match()).await;
    refused.problem(401, "sign-in-first");
    server.stop().await;
}

#[tokio::test]
async fn a_guest_who_registers_keeps_their_match_and_gets_a_new_session() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    let id = person
        .post("/api/v1/matches", &bot_match())
        .await
        .text("/id");
    let old = person.clone();
    let registered = person
        .post("/api/v1/accounts", &credentials("Neema", PASSWORD))
        .await;
    assert_eq!(registered.status, 201);
    assert_eq!(
        registered.json()["player"],
        json!({ "name": "Neema", "kind": "account" })
    );
    assert_ne!(old.token, person.token);
    // The guest's token has no rights any more: it may have been stolen while it had few.
    assert_eq!(
        old.get("/api/v1/me").await.json(),
        json!({ "player": null, "moderator": false, "language": null })
    );
    let half = json!({ "kind": "realtime", "base_ms": 60_000 });
    person
        .post("/api/v1/matches", &with(bot_match(), "time_control", half))
        .await
        .bad_field("bad-field", "time_control.increment_ms");
    let running = person.get("/api/v1/me/matches").await.json();
    assert_eq!(running["items"][0]["id"], id.as_str());
    assert_eq!(
        running["items"][0]["seats"]["first"]["player"]["name"],
        "Neema"
    );
    // Registering once is enough.
    let again = person
        .post("/api/v1/accounts", &credentials("Neema2", PASSWORD))
        .await;
    again.problem(409, "has-account");
    server.stop().await;
}

#[tokio::test]
async fn a_name_belongs_to_one_in_any_case() {
    let server = TestServer::start().await;
    server.account("Baraka").await;
    for name in ["Baraka", "baraka", "BARAKA"] {
        let taken = server
            .stranger()
            .post("/api/v1/accounts", &credentials(name, PASSWORD))
            .await;
        taken.problem(409, "name-taken");
        let mut guest = server.guest().await;
        let taken = guest
            .post("/api/v1/accounts", &credentials(name, PASSWORD))
            .await;
        taken.problem(409, "name-taken");
        assert!(guest.name().await.starts_with("Guest-"));
    }
    server.stop().await;
}

#[tokio::test]
async fn bad_names_and_weak_passwords_are_refused_with_advice() {
    let server = TestServer::start().await;
    let mut person = server.stranger();
    for name in [
        "",
        "a",
        "1abc",
        "a b",
        "żółw",
        "Guest-abc",
        "mawe-Bot",
        "Admin",
    ] {
        let refused = person
            .post("/api/v1/accounts", &credentials(name, PASSWORD))
            .await;
        refused.bad_field("bad-name", "name");
    }
    for password in ["", "short", "password", "xxxxxxxxxx", "tatu-imani-tatu"] {
        let refused = person
            .post("/api/v1/accounts", &credentials("Imani", password))
            .await;
        refused.bad_field("weak-password", "password");
    }
    assert_eq!(person.token, None);
    server.get_missing_player("Imani").await;
    server.stop().await;
}

impl TestServer {
    async fn get_missing_player(&self, name: &str) {
        let answer = self
            .stranger()
            .get(&format!("/api/v1/players/{name}"))
            .await;
        answer.problem(404, "not-found");
    }
}

#[tokio::test]
async fn a_wrong_name_and_a_wrong_password_get_the_same_answer() {
    let server = TestServer::start().await;
    server.account("Tumaini").await;
    let guest = server.guest().await.name().await;
    let mut person = server.stranger();
    let mut answers = Vec::new();
    for (name, password) in [
        ("Tumaini", "not the password"),
        ("Nobody", PASSWORD),
        (guest.as_str(), PASSWORD),
        ("mawe-Kete", PASSWORD),
    ] {
        let refused = person
            .post("/api/v1/sessions", &credentials(name, password))
            .await;
        refused.problem(401, "wrong-credentials");
        let mut headers: Vec<(String, String)> = refused
            .headers
            .iter()
            .filter(|(name, _)| name.as_str() != "date")
            .map(|(name, value)| (name.to_string(), format!("{value:?}")))
            .collect();
        headers.sort();
        answers.push((refused.body, headers));
    }
    for answer in &answers[1..] {
        assert_eq!(answer, &answers[0]);
    }
    server.stop().await;
}

#[tokio::test]
async fn logging_in_opens_a_session_and_logging_out_ends_it() {
    let server = TestServer::start().await;
    let mut here = server.account("Furaha").await;
    let mut there = server.stranger();
    let entered = there
        .post("/api/v1/sessions", &credentials("FURAHA", PASSWORD))
        .await;
    assert_eq!(entered.status, 200);
    assert_eq!(entered.text("/player/name"), "Furaha");
    assert_ne!(here.token, there.token);
    let old = here.clone();
    let out = here.delete("/api/v1/sessions/current").await;
    assert_eq!(out.status, 204);
    assert_eq!(here.token, None, "the cookie is taken back");
    assert_eq!(
        old.get("/api/v1/me").await.json(),
        json!({ "player": null, "moderator": false, "language": null })
    );
    assert_eq!(there.name().await, "Furaha", "the other session goes on");
    // Nobody can be logged out without harm.
    assert_eq!(
        server
            .stranger()
            .delete("/api/v1/sessions/current")
            .await
            .status,
        204
    );
    server.stop().await;
}

#[tokio::test]
async fn sign_ups_and_guesses_have_limits() {
    let server = TestServer::start_with(|config| {
        config.sign_ups_per_minute = std::num::NonZeroU32::new(3).expect("not zero");
    })
    .await;
    for _ in 0..3 {
        server.guest().await;
    }
    let mut person = server.stranger();
    for (path, body) in [
        ("/api/v1/guests", json!({})),
        ("/api/v1/accounts", credentials("Zawadi", PASSWORD)),
    ] {
        let refused = person.post(path, &body).await;
        refused.problem(429, "too-many-requests");
        let wait: u64 = refused
            .header("retry-after")
            .parse()
            .expect("whole seconds");
        assert!((1..=60).contains(&wait), "{wait}");
    }
    // Logins are counted apart, and as many.
    let mut statuses = Vec::new();
    for _ in 0..4 {
        let answer = person
            .post("/api/v1/sessions", &credentials("Nobody", PASSWORD))
            .await;
        statuses.push(answer.status.as_u16());
    }
    assert_eq!(statuses, [401, 401, 401, 429]);
    server.stop().await;
}

#[tokio::test]
async fn one_name_cannot_be_guessed_at_for_long() {
    let server = TestServer::start().await;
    let mut person = server.stranger();
    let mut last = person
        .post("/api/v1/sessions", &credentials("Amani", "a guess at it"))
        .await;
    for _ in 0..14 {
        last = person
            .post("/api/v1/sessions", &credentials("aMANI", "a guess at it"))
            .await;
    }
    last.problem(429, "too-many-requests");
    assert!(!last.header("retry-after").is_empty());
    // Others log in as ever.
    let other = person
        .post("/api/v1/sessions", &credentials("Other", "a guess at it"))
        .await;
    other.problem(401, "wrong-credentials");
    server.stop().await;
}

#[tokio::test]
async fn behind_a_proxy_the_named_address_is_limited() {
    let server = TestServer::start_with(|config| {
        config.behind_proxy = true;
        config.sign_ups_per_minute = std::num::NonZeroU32::MIN;
    })
    .await;
    let from = async |address: &str| {
        let request = server
            .stranger()
            .request(Method::POST, "/api/v1/guests")
            .header("x-forwarded-for", address)
            .json(&json!({}));
        Answer::of(request).await.status.as_u16()
    };
    assert_eq!(from("203.0.113.7").await, 201);
    assert_eq!(from("203.0.113.7").await, 429);
    // Only what the proxy itself added counts: the rest is the client's to invent.
    assert_eq!(from("198.51.100.1, 203.0.113.7").await, 429);
    assert_eq!(from("203.0.113.8").await, 201);
    server.stop().await;
}

// --- matches ---

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
        ("level", json!(9), "bad-level", "level"),
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
    assert_eq!(running, json!({ "items": [] }));
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
    let other = Pair::of_guests(&server).await;
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
    assert_eq!(ids("/api/v1/matches").await, both);
    assert_eq!(ids("/api/v1/matches?game=mawe").await, both);
    pair.act(0, Command::Resign).await;
    assert_eq!(
        ids("/api/v1/matches").await,
        BTreeSet::from([other.id.clone()])
    );
    for (query, field) in [("game=chess", "game"), ("colour=red", "colour")] {
        let refused = stranger.get(&format!("/api/v1/matches?{query}")).await;
        refused.bad_field("bad-filter", field);
    }
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
    // As a cache or a proxy may ask.
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

// --- challenges ---

#[tokio::test]
async fn a_challenge_is_accepted_once_by_somebody_else() {
    let server = TestServer::start().await;
    let (mut challenger, mut friend) = (server.guest().await, server.guest().await);
    let created = challenger.post("/api/v1/challenges", &offer()).await;
    assert_eq!(created.status, 201);
    assert_eq!(created.text("/status"), "open");
    assert_eq!(created.text("/challenger/name"), challenger.name().await);
    let path = format!("/api/v1/challenges/{}", created.text("/id"));
    assert_eq!(friend.get(&path).await.json(), created.json());
    let accept = format!("{path}/accept");
    challenger
        .post(&accept, &json!({}))
        .await
        .problem(409, "own-challenge");
    let accepted = friend.post(&accept, &json!({})).await;
    assert_eq!(accepted.status, 200);
    let seen = friend.get(&path).await;
    assert_eq!(seen.text("/status"), "accepted");
    assert_eq!(seen.text("/match"), accepted.text("/id"));
    let view = friend
        .get(&format!("/api/v1/matches/{}", accepted.text("/id")))
        .await;
    assert_eq!(
        view.text("/seats/first/player/name"),
        challenger.name().await
    );
    assert_eq!(view.text("/seats/second/player/name"), friend.name().await);
    let mut third = server.guest().await;
    for person in [&mut friend, &mut third] {
        person
            .post(&accept, &json!({}))
            .await
            .problem(409, "challenge-closed");
    }
    challenger
        .delete(&path)
        .await
        .problem(409, "challenge-closed");
    server.stop().await;
}

#[tokio::test]
async fn a_crowd_that_accepts_at_once_makes_one_match() {
    let server = TestServer::start().await;
    let mut challenger = server.guest().await;
    let challenge = challenger.post("/api/v1/challenges", &offer()).await;
    let path = format!("/api/v1/challenges/{}/accept", challenge.text("/id"));
    let mut crowd = Vec::new();
    for _ in 0..8 {
        crowd.push(server.guest().await);
    }
    let accepts = crowd.iter_mut().map(async |person| {
        let answer = person.post(&path, &json!({})).await;
        answer.status.as_u16()
    });
    let mut statuses = futures_util::future::join_all(accepts).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
    let running = challenger.get("/api/v1/me/matches").await.json();
    assert_eq!(running["items"].as_array().map(Vec::len), Some(1));
    server.stop().await;
}

#[tokio::test]
async fn a_challenge_can_be_taken_back_by_its_challenger_only() {
    let server = TestServer::start().await;
    let (mut challenger, mut other) = (server.guest().await, server.guest().await);
    let created = challenger.post("/api/v1/challenges", &offer()).await;
    let path = format!("/api/v1/challenges/{}", created.text("/id"));
    other.delete(&path).await.problem(404, "not-found");
    assert_eq!(other.get(&path).await.text("/status"), "open");
    assert_eq!(challenger.delete(&path).await.status, 204);
    assert_eq!(other.get(&path).await.text("/status"), "cancelled");
    other
        .post(&format!("{path}/accept"), &json!({}))
        .await
        .problem(409, "challenge-closed");
    server.stop().await;
}

#[tokio::test]
async fn rated_matches_are_for_accounts() {
    let server = TestServer::start().await;
    let mut guest = server.guest().await;
    let mut account = server.account("Pendo").await;
    let rated = with(offer(), "rated", json!(true));
    guest
        .post("/api/v1/challenges", &rated)
        .await
        .problem(403, "account-needed");
    let challenge = account.post("/api/v1/challenges", &rated).await;
    assert_eq!(challenge.status, 201);
    assert_eq!(challenge.json()["rated"], true);
    let accept = format!("/api/v1/challenges/{}/accept", challenge.text("/id"));
    guest
        .post(&accept, &json!({}))
        .await
        .problem(403, "account-needed");
    // Registering is what is asked for.
    guest
        .post("/api/v1/accounts", &credentials("Mosi", PASSWORD))
        .await;
    assert_eq!(guest.post(&accept, &json!({})).await.status, 200);
    server.stop().await;
}

// --- players ---

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
    // What a guest has chosen the account keeps.
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
    // A program plays, and leaves the page of its owner alone.
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
    // Past the end is an empty page.
    let past = person.get("/api/v1/leaderboards/mawe?cursor=9000").await;
    assert_eq!(past.json(), json!({ "items": [], "next": null }));
    server.stop().await;
}

#[tokio::test]
async fn a_rated_match_changes_both_ratings_exactly_once() {
    let server = TestServer::start().await;
    let people = [server.account("Asha").await, server.account("Bahati").await];
    let mut pair = Pair::of(people, true).await;
    pair.plies(2).await;
    pair.act(1, Command::Resign).await;
    let stranger = server.stranger();
    let rating = async |person: &Person, name: &str| -> Option<Value> {
        let profile = person.get(&format!("/api/v1/players/{name}")).await.json();
        profile["ratings"].get(0).cloned()
    };
    let winner = eventually("the rating", || rating(&stranger, "Asha")).await;
    let loser = rating(&stranger, "Bahati").await.expect("both at once");
    assert_eq!(winner["speed"], "rapid");
    let points = |rating: &Value| rating["rating"].as_f64().expect("a number");
    assert!(points(&winner) > 1500.0 && points(&loser) < 1500.0);
    for (rating, won, lost) in [(&winner, 1, 0), (&loser, 0, 1)] {
        assert_eq!(rating["games"], 1);
        assert_eq!(rating["won"], won);
        assert_eq!(rating["lost"], lost);
        assert_eq!(rating["provisional"], true);
    }
    // The history says what it changed, and the match too.
    let whole = |rating: &Value| (points(rating).round() - 1500.0) as i64;
    let history = stranger.get("/api/v1/players/Asha/matches").await.json();
    let seats = &history["items"][0]["seats"];
    assert_eq!(seats["first"]["rating_change"], whole(&winner));
    assert_eq!(seats["second"]["rating_change"], whole(&loser));
    let view = stranger
        .get(&format!("/api/v1/matches/{}", pair.id))
        .await
        .json();
    assert_eq!(view["seats"]["first"]["rating_change"], whole(&winner));
    // A provisional rating is not ranked.
    let board = stranger
        .get("/api/v1/leaderboards/mawe?speed=rapid")
        .await
        .json();
    assert_eq!(board["items"], json!([]));
    // Neither saying it again nor a restart counts it again.
    let id = pair.id.clone();
    let seq = pair.seats[1].mirror.seq;
    pair.seats[1]
        .socket
        .command(&id, "c-2", seq, Command::Resign)
        .await;
    pair.seats[1].socket.event().await;
    let server = server.restart().await;
    let after = stranger.moved_to(server.address);
    assert_eq!(rating(&after, "Asha").await, Some(winner));
    assert_eq!(rating(&after, "Bahati").await, Some(loser));
    server.stop().await;
}

#[tokio::test]
async fn a_match_called_off_changes_no_rating() {
    let server = TestServer::start().await;
    let people = [server.account("Asha").await, server.account("Bahati").await];
    let mut pair = Pair::of(people.clone(), true).await;
    pair.act(0, Command::Abort).await;
    // A match that counts comes after it: once that is counted, the other would have been.
    let mut pair = Pair::of(people, true).await;
    pair.act(0, Command::Resign).await;
    let stranger = server.stranger();
    let profile = eventually("the rating", async || {
        let profile = stranger.get("/api/v1/players/Bahati").await.json();
        profile["ratings"].get(0).is_some().then_some(profile)
    })
    .await;
    assert_eq!(profile["ratings"][0]["games"], 1);
    assert_eq!(profile["played"], 1);
    server.stop().await;
}

#[tokio::test]
async fn who_has_played_enough_is_ranked() {
    let server = TestServer::start().await;
    let mut people = [server.account("Asha").await, server.account("Bahati").await];
    let stranger = server.stranger();
    let mut games = 0;
    let board = loop {
        // Asha wins two of three.
        let mut pair = Pair::of(people, true).await;
        pair.act(usize::from(games % 3 != 2), Command::Resign).await;
        people = pair.people;
        games += 1;
        eventually("the rating", async || {
            let profile = stranger.get("/api/v1/players/Asha").await.json();
            (profile["ratings"][0]["games"] == games).then_some(())
        })
        .await;
        let board = stranger
            .get("/api/v1/leaderboards/mawe?speed=rapid")
            .await
            .json();
        if board["items"].as_array().map(Vec::len) == Some(2) {
            break board;
        }
        assert!(games < 60, "still provisional after {games} games");
    };
    assert!(games > 3, "a rating is not settled by {games} games");
    assert_eq!(board["items"][0]["player"]["name"], "Asha");
    assert_eq!(board["items"][0]["rank"], 1);
    assert_eq!(board["items"][0]["games"], games);
    assert_eq!(board["items"][0]["rating"]["provisional"], false);
    assert_eq!(board["items"][1]["player"]["name"], "Bahati");
    assert_eq!(board["items"][1]["rank"], 2);
    // By page; and other speeds have boards of their own.
    let first = stranger
        .get("/api/v1/leaderboards/mawe?speed=rapid&limit=1")
        .await
        .json();
    assert_eq!(first["items"][0], board["items"][0]);
    let next = first["next"].as_str().expect("there is a second page");
    let second = stranger
        .get(&format!(
            "/api/v1/leaderboards/mawe?speed=rapid&limit=1&cursor={next}"
        ))
        .await
        .json();
    assert_eq!(second["items"][0], board["items"][1]);
    assert_eq!(second["next"], Value::Null);
    let blitz = stranger.get("/api/v1/leaderboards/mawe").await.json();
    assert_eq!(blitz["items"], json!([]));
    server.stop().await;
}

// --- the house ---

#[tokio::test]
async fn a_page_of_another_origin_may_read_and_not_act() {
    let server = TestServer::start().await;
    let mut person = server.account("Rafiki").await;
    let own = format!("http://{}", server.address);
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1"] {
        for (method, path) in [
            (Method::POST, "/api/v1/guests"),
            (Method::POST, "/api/v1/matches"),
            (Method::DELETE, "/api/v1/sessions/current"),
        ] {
            let request = person
                .request(method, path)
                .header("origin", origin)
                .json(&bot_match());
            Answer::of(request).await.problem(403, "foreign-origin");
        }
        let read = person
            .request(Method::GET, "/api/v1/me")
            .header("origin", origin);
        let read = Answer::of(read).await;
        assert_eq!(read.status, 200);
        assert!(
            read.headers.get("access-control-allow-origin").is_none(),
            "the page does not get to see it"
        );
    }
    assert_eq!(person.name().await, "Rafiki", "still signed in");
    let request = person
        .request(Method::DELETE, "/api/v1/sessions/current")
        .header("origin", own);
    assert_eq!(person.send(request).await.status, 204);
    server.stop().await;
}

#[tokio::test]
async fn every_answer_carries_the_security_headers() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    for path in ["/", "/match/x", "/api/v1/me", "/api/v1/nothing", "/healthz"] {
        let answer = stranger.get(path).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("default-src 'self'"), "{path}: {policy}");
        // The page's own scripts and the rules as WebAssembly, nothing else: no text is ever run.
        let scripts = policy
            .split("; ")
            .find(|part| part.starts_with("script-src "));
        assert_eq!(
            scripts,
            Some("script-src 'self' 'wasm-unsafe-eval'"),
            "{path}: {policy}"
        );
        assert!(
            policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "same-origin", "{path}");
        assert_eq!(
            answer.header("cross-origin-opener-policy"),
            "same-origin",
            "{path}"
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn the_page_s_files_are_packed_for_those_who_can_unpack_them() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let asked = |path: &str, accepted: &str| {
        let request = stranger.request(Method::GET, path);
        Answer::of(request.header("accept-encoding", accepted))
    };
    for path in [
        "/",
        "/app.js",
        "/css/base.css",
        "/i18n/ml.json",
        "/icon.svg",
    ] {
        let plain = asked(path, "identity").await;
        assert!(!plain.headers.contains_key("content-encoding"), "{path}");
        for accepted in ["gzip, deflate, br, zstd", "gzip;q=0.5,BR;q=0.9"] {
            let packed = asked(path, accepted).await;
            assert_eq!(packed.header("content-encoding"), "br", "{path}");
            assert!(packed.header("vary").contains("accept-encoding"), "{path}");
            assert_eq!(packed.header("content-type"), plain.header("content-type"));
            assert!(packed.body.len() * 4 < plain.body.len() * 3, "{path}");
            let mut unpacked = Vec::new();
            brotli::BrotliDecompress(&mut packed.body.as_slice(), &mut unpacked).expect("Brotli");
            assert_eq!(unpacked, plain.body, "{path}");
        }
        let refused = asked(path, "br;q=0, gzip").await;
        assert_eq!(refused.header("content-encoding"), "gzip", "{path}");
    }
    // A font is packed already, however it is asked for.
    let font = asked("/fonts/noto-sans-malayalam-400.woff2", "br").await;
    assert_eq!(font.status, 200);
    server.stop().await;
}

#[tokio::test]
async fn the_page_is_served_at_each_of_its_addresses() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let page = stranger.get("/index.html").await;
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    // The same document everywhere, with the first words of each page in it, and all that it says.
    let text = |answer: &Answer| String::from_utf8(answer.body.clone()).expect("text");
    let document = text(&page);
    let parts = |document: &str| {
        let document =
            document.replace("<html lang=\"en\">", "<html lang=\"en\" data-words=\"en\">");
        let (start, rest) = document.split_once("<!--first-->").expect("a place");
        let (middle, end) = rest.split_once("<!--words-->").expect("a place");
        [start, middle, end].map(str::to_owned)
    };
    let usual = parts(&document);
    // Its modules are what a match needs at once, and all others later.
    let of_match = parts(&document.replace(" fetchpriority=\"low\"", ""));
    assert_ne!(usual, of_match);
    for path in [
        "/",
        "/match/abc",
        "/device/abc",
        "/challenge/abc",
        "/player/Amina",
        "/players/mawe",
        "/watch",
        "/settings",
        "/about",
        "/rules/mawe",
        "/login",
        "/register",
    ] {
        let answer = stranger.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.header("content-type"), page.header("content-type"));
        assert!(answer.header("vary").contains("accept-language"));
        let shown = text(&answer);
        let [start, middle, end] = if path.starts_with("/match/") {
            &of_match
        } else {
            &usual
        };
        assert!(shown.starts_with(start) && shown.ends_with(end), "{path}");
        assert!(shown.contains(middle), "{path}");
        assert!(shown.contains(">Watch</a>"), "{path}");
        assert!(shown.contains("\"menu.watch\": \"Watch\""), "{path}");
        let link = answer
            .headers
            .get("link")
            .map(|link| link.to_str().expect("ASCII"));
        let of_its_own = "</api/v1/matches/abc>; rel=preload; as=fetch; crossorigin=anonymous";
        assert_eq!(link, (path == "/match/abc").then_some(of_its_own), "{path}");
        let again = stranger
            .request(Method::GET, path)
            .header("if-none-match", answer.header("etag"));
        assert_eq!(Answer::of(again).await.status, 304, "{path}");
        let polish = stranger
            .request(Method::GET, path)
            .header("accept-language", "de,pl;q=0.9,en;q=0.8");
        let polish = Answer::of(polish).await;
        assert!(
            text(&polish).contains("<html lang=\"pl\" data-words=\"pl\">"),
            "{path}"
        );
        assert_ne!(polish.header("etag"), answer.header("etag"), "{path}");
    }
    let rules = text(&stranger.get("/rules/mawe").await);
    assert!(
        rules.contains("<a class=\"button\" href=\"/rules/mawe\" aria-current=\"page\">Mawe!</a>")
    );
    for path in [
        "/nothing",
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/tests/x",
    ] {
        stranger.get(path).await.problem(404, "not-found");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_service_worker_knows_every_file_of_the_page_by_its_tag() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let worker = stranger.get("/sw.js").await;
    assert!(worker.header("content-type").contains("javascript"));
    let script = String::from_utf8_lossy(worker.body.as_ref()).into_owned();
    let (first, source) = script.split_once('\n').expect("two lines");
    let shell = first
        .strip_prefix("self.SHELL = ")
        .and_then(|rest| rest.strip_suffix(';'))
        .expect("the list");
    let shell: Value = serde_json::from_str(shell).expect("JSON");
    assert!(source.contains("skipWaiting"));
    let files = shell["files"].as_object().expect("files");
    for path in ["/index.html", "/app.js", "/wasm/rules_bg.wasm"] {
        assert!(files.contains_key(path), "{path}");
    }
    for (path, tag) in files {
        assert!(!path.starts_with("/tests/") && path != "/sw.js", "{path}");
        let answer = stranger.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(
            answer.header("etag"),
            tag.as_str().expect("a tag"),
            "{path}"
        );
    }
    for page in shell["pages"].as_array().expect("pages") {
        let path = format!("/{}/x", page.as_str().expect("a word"));
        if path != "//x" {
            assert_eq!(stranger.get(&path).await.status, 200, "{path}");
        }
    }
    let again = stranger
        .request(Method::GET, "/sw.js")
        .header("if-none-match", worker.header("etag"));
    assert_eq!(Answer::of(again).await.status, 304);
    server.stop().await;
}

#[tokio::test]
async fn a_method_that_an_address_does_not_take_is_refused() {
    let server = TestServer::start().await;
    let mut stranger = server.stranger();
    for (method, path) in [
        (Method::DELETE, "/api/v1/me"),
        (Method::PUT, "/api/v1/guests"),
        (Method::GET, "/api/v1/guests"),
        (Method::PATCH, "/api/v1/matches"),
        (Method::POST, "/api/openapi.json"),
        (Method::POST, "/"),
        (Method::DELETE, "/login"),
    ] {
        let request = stranger.request(method.clone(), path).json(&json!({}));
        let answer = stranger.send(request).await;
        answer.problem(405, "method-not-allowed");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_openapi_document_describes_routes_that_are_there() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let answer = stranger.get("/api/openapi.json").await;
    assert_eq!(answer.header("content-type"), "application/json");
    let document = answer.json();
    let version = document["openapi"].as_str().expect("a version");
    assert!(version.starts_with("3.1."), "{version}");
    let printed: Value =
        serde_json::from_str(&mawe_server::http::openapi_json()).expect("plain JSON");
    assert_eq!(document, printed, "`mawe openapi` prints the same");
    let paths = document["paths"].as_object().expect("there are paths");
    assert!(paths.len() > 10);
    for (path, item) in paths {
        for (method, operation) in item.as_object().expect("operations") {
            let method: Method = method.to_uppercase().parse().expect("a method");
            let concrete = path
                .replace("{id}", NOBODYS)
                .replace("{name}", "mawe-Kete")
                .replace("{game}", "mawe");
            let request = stranger.request(method.clone(), &concrete);
            if path.ends_with("/stream") {
                // It has no end; `streams.rs` reads it.
                let answer = request.send().await.expect("an answer");
                let status = answer.status().as_u16().to_string();
                assert!(
                    !operation["responses"][&status].is_null(),
                    "{path} answers {status}"
                );
                continue;
            }
            let answer = Answer::of(request).await;
            let status = answer.status.as_u16();
            assert_ne!(status, 405, "{method} {path}");
            assert!(status < 500, "{method} {path}: {answer:?}");
            if status == 404 {
                let detail = answer.text("/detail");
                assert_ne!(detail, "there is no such address", "{method} {path}");
                assert!(
                    detail.starts_with("there is no such"),
                    "{method} {path}: {detail}"
                );
            }
            // What it answers is what it is said to answer; refusals of the body come with every route.
            let said = operation["responses"].as_object().expect("responses");
            assert!(
                said.contains_key(&status.to_string()) || [400, 413, 415, 422].contains(&status),
                "{method} {path} answers {status}, of which the document knows nothing"
            );
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn the_openapi_document_has_a_page_of_our_own() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let page = stranger.get("/api/docs").await;
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert!(
        !page
            .header("content-security-policy")
            .contains("unsafe-inline")
    );
    let text = String::from_utf8(page.body).expect("text");
    let linked = text.split('"').filter(|part| part.starts_with('/'));
    let mut found = 0;
    for path in linked {
        let answer = stranger.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        found += 1;
    }
    assert!(found >= 5, "{text}");
    assert!(!text.contains("://"), "nothing comes from another host");
    server.stop().await;
}

#[tokio::test]
async fn the_server_says_that_it_lives_and_is_ready() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    for (path, text) in [("/healthz", "ok\n"), ("/readyz", "ready\n")] {
        let answer = stranger.get(path).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.body, text.as_bytes());
    }
    server.stop().await;
}
