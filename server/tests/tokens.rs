//! Sessions device by device, the password, and tokens for programs: the effects and the refusals of each route.

use crate::common::socket::{Heard, Socket, handshake};
use crate::common::{Answer, PASSWORD, Person, TestServer, nobody};
use mawe_server::identity::sessions;
use mawe_server::identity::tokens;
use mawe_store::NewToken;
use mawe_wire::scope::Scope;
use mawe_wire::{Command, SUBPROTOCOL, ServerMsg};
use reqwest::Method;
use serde_json::{Value, json};

/// An id that no session or token has.
const NOBODYS: &str = "AAAAAAAAAAAA";

fn bot_match() -> Value {
    let time_control = json!({ "kind": "realtime", "base_ms": 300_000, "increment_ms": 0 });
    json!({ "game": "mawe", "level": 1, "side": "first", "time_control": time_control })
}

fn challenge() -> Value {
    let time_control = json!({ "kind": "realtime", "base_ms": 300_000, "increment_ms": 0 });
    json!({ "game": "mawe", "time_control": time_control })
}

async fn log_in(person: &Person, password: &str) -> (Person, Answer) {
    let mut device = Person::at(person.address);
    let credentials = json!({ "name": person.name().await, "password": password });
    let answer = device.post("/api/v1/sessions", &credentials).await;
    (device, answer)
}

/// Logs the same person in on another device.
async fn another_device(person: &Person) -> Person {
    let (device, answer) = log_in(person, PASSWORD).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    device
}

async fn sessions_of(person: &Person) -> Vec<Value> {
    let list = person.get("/api/v1/me/sessions").await.json();
    list["items"].as_array().expect("items").clone()
}

/// Checks that the socket gets the message that its session has ended, and is closed.
async fn is_logged_out(socket: &mut Socket) {
    let reason = loop {
        match socket.next().await {
            ServerMsg::Closing { reason, .. } => break reason,
            _ => continue,
        }
    };
    assert_eq!(reason.as_str(), "logged-out");
    assert!(matches!(socket.hear().await, Heard::Closed(Some(1000))));
}

// --- sessions ---

#[tokio::test]
async fn each_device_is_listed_and_can_be_logged_out() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let mut other = Person::at(server.address);
    let log_in = other
        .request(Method::POST, "/api/v1/sessions")
        .header(
            "user-agent",
            "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        )
        .json(&json!({ "name": "amina", "password": PASSWORD }));
    assert_eq!(other.send(log_in).await.status, 200);
    let list = sessions_of(&person).await;
    assert_eq!(list.len(), 2);
    let mine: Vec<&Value> = list.iter().filter(|one| one["current"] == true).collect();
    assert_eq!(mine.len(), 1);
    let theirs = list.iter().find(|one| one["current"] == false);
    let theirs = theirs.expect("the other device");
    assert_eq!(theirs["label"], "Firefox, Linux");
    for field in ["created_at", "last_used_at", "expires_at"] {
        assert!(theirs[field].is_string(), "{theirs}");
    }
    // Nothing in the list can be used to log in.
    let token = other.token.clone().expect("a cookie");
    assert!(!json!(list).to_string().contains(&token));

    let mut socket = Socket::open(&other).await;
    let mut own = Socket::open(&person).await;
    let id = theirs["id"].as_str().expect("an id").to_owned();
    let path = format!("/api/v1/me/sessions/{id}");
    assert_eq!(person.delete(&path).await.status, 204);
    is_logged_out(&mut socket).await;
    assert_eq!(other.get("/api/v1/me").await.json(), nobody());
    assert_eq!(sessions_of(&person).await.len(), 1);
    own.send_text(r#"{"t":"ping"}"#).await;
    assert!(matches!(own.next().await, ServerMsg::Pong));
    // A second call finds nothing; and ending one's own session deletes the cookie.
    person.delete(&path).await.problem(404, "not-found");
    let id = sessions_of(&person).await[0]["id"].clone();
    let path = format!("/api/v1/me/sessions/{}", id.as_str().expect("an id"));
    let gone = person.delete(&path).await;
    assert_eq!(gone.status, 204);
    assert_eq!(person.token, None);
    is_logged_out(&mut own).await;
    server.stop().await;
}

#[tokio::test]
async fn nobody_ends_a_session_of_somebody_else() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let other = server.account("Zofia").await;
    let id = sessions_of(&other).await[0]["id"].clone();
    let id = id.as_str().expect("an id");
    for id in [id, NOBODYS, "x", "..", "%00"] {
        let refused = person.delete(&format!("/api/v1/me/sessions/{id}")).await;
        refused.problem(404, "not-found");
    }
    assert_eq!(other.name().await, "Zofia");
    let mut stranger = server.stranger();
    for (method, path) in [
        (Method::GET, "/api/v1/me/sessions"),
        (Method::DELETE, "/api/v1/me/sessions"),
        (Method::DELETE, "/api/v1/me/sessions/AAAAAAAAAAAA"),
    ] {
        let request = stranger.request(method, path);
        let refused = stranger.send(request).await;
        refused.problem(401, "sign-in-first");
    }
    server.stop().await;
}

#[tokio::test]
async fn all_other_devices_are_logged_out_at_once() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let bystander = server.account("Zofia").await;
    let others = [another_device(&person).await, another_device(&person).await];
    let mut socket = Socket::open(&others[1]).await;
    assert_eq!(person.delete("/api/v1/me/sessions").await.status, 204);
    is_logged_out(&mut socket).await;
    for other in others {
        let me = other.get("/api/v1/me").await.json();
        assert_eq!(me, nobody());
    }
    assert_eq!(person.name().await, "Amina");
    assert_eq!(bystander.name().await, "Zofia");
    // Also if there are none.
    assert_eq!(person.delete("/api/v1/me/sessions").await.status, 204);
    assert_eq!(sessions_of(&person).await.len(), 1);
    server.stop().await;
}

#[tokio::test]
async fn a_guest_has_a_session_too() {
    let server = TestServer::start().await;
    let guest = server.guest().await;
    assert_eq!(sessions_of(&guest).await.len(), 1);
    server.stop().await;
}

#[tokio::test]
async fn a_new_password_ends_all_other_sessions() {
    const NEW: &str = "ndizi na korosho";
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let thief = another_device(&person).await;
    let mut socket = Socket::open(&thief).await;
    let program = person.program(&["read"]).await;
    let change = |old: &str, new: &str| json!({ "old": old, "new": new });
    let path = "/api/v1/me/password";
    let refused = person.post(path, &change("not the old one", NEW)).await;
    refused.problem(401, "wrong-credentials");
    let refused = person.post(path, &change(PASSWORD, "12345678")).await;
    refused.bad_field("weak-password", "new");
    let refused = person.post(path, &change(PASSWORD, "amina-amina")).await;
    refused.bad_field("weak-password", "new");
    let refused = person.post(path, &json!({ "new": NEW })).await;
    refused.bad_field("bad-field", "old");
    assert_eq!(thief.name().await, "Amina", "nothing has changed so far");

    let changed = person.post(path, &change(PASSWORD, NEW)).await;
    assert_eq!(changed.status, 204, "{changed:?}");
    is_logged_out(&mut socket).await;
    let me = thief.get("/api/v1/me").await.json();
    assert_eq!(me, nobody());
    assert_eq!(person.name().await, "Amina", "still signed in");
    assert_eq!(
        program.name().await,
        "Amina",
        "a token is revoked by itself"
    );
    log_in(&person, PASSWORD)
        .await
        .1
        .problem(401, "wrong-credentials");
    assert_eq!(log_in(&person, NEW).await.1.status, 200);
    // On request tokens end too, and their sockets are closed.
    let end_all = |old: &str, new: &str| json!({ "old": old, "new": new, "end_tokens": true });
    let mut socket = Socket::open(&program).await;
    let refused = person
        .post(path, &end_all("not the old one", PASSWORD))
        .await;
    refused.problem(401, "wrong-credentials");
    assert_eq!(program.name().await, "Amina", "nothing has ended by that");
    let ended = person.post(path, &end_all(NEW, PASSWORD)).await;
    assert_eq!(ended.status, 204, "{ended:?}");
    is_logged_out(&mut socket).await;
    program.get("/api/v1/me").await.problem(401, "bad-token");
    let back = person.post(path, &change(PASSWORD, NEW)).await;
    assert_eq!(back.status, 204, "{back:?}");
    // A second time fails: the password has changed.
    let again = person.post(path, &change(PASSWORD, NEW)).await;
    again.problem(401, "wrong-credentials");

    let mut guest = server.guest().await;
    let refused = guest.post(path, &change(PASSWORD, NEW)).await;
    refused.problem(403, "account-needed");
    let refused = server.stranger().post(path, &change(PASSWORD, NEW)).await;
    refused.problem(401, "sign-in-first");
    server.stop().await;
}

#[tokio::test]
async fn a_stolen_session_does_not_guess_the_password() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let change = json!({ "old": "a guess or two", "new": "ndizi na korosho" });
    let mut refused = 0;
    let answer = loop {
        let answer = person.post("/api/v1/me/password", &change).await;
        if answer.status == 429 {
            break answer;
        }
        answer.problem(401, "wrong-credentials");
        refused += 1;
        assert!(refused <= 20, "no end of guesses");
    };
    answer.problem(429, "too-many-requests");
    server.stop().await;
}

// --- tokens ---

#[tokio::test]
async fn a_token_is_shown_once_and_speaks_for_its_owner() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let wanted = json!({ "name": "  my program ", "scopes": ["play", "read", "play"], "expires_in_days": 7 });
    let made = person.post("/api/v1/me/tokens", &wanted).await;
    assert_eq!(made.status, 201, "{made:?}");
    assert_eq!(made.header("cache-control"), "no-store");
    let token = made.text("/token");
    assert!(tokens::is_well_formed(&token), "{token}");
    let mut shown = made.json();
    shown.as_object_mut().expect("an object").remove("token");
    assert_eq!(shown["name"], "my program");
    assert_eq!(shown["scopes"], json!(["read", "play"]));
    assert_eq!(shown["last_used_at"], Value::Null);
    let time = |field: &str| -> jiff::Timestamp {
        let text = shown[field].as_str().expect("a time");
        text.parse().expect("RFC 3339")
    };
    let days = time("expires_at").duration_since(time("created_at"));
    assert_eq!(days.as_hours(), 7 * 24);
    // The list shows the same fields, without the secret.
    let list = person.get("/api/v1/me/tokens").await;
    assert_eq!(list.json(), json!({ "items": [shown] }));

    let program = person.with_token(&token);
    assert_eq!(program.name().await, "Amina");
    let list = person.get("/api/v1/me/tokens").await.json();
    assert!(list["items"][0]["last_used_at"].is_string(), "{list}");
    // Only its hash is stored.
    let kept = server
        .app()
        .store
        .token(&sessions::hash(&token), 0)
        .await
        .expect("the store answers");
    assert!(kept.is_some());
    server.stop().await;
}

#[tokio::test]
async fn a_token_outlives_a_restart_and_its_last_use_is_remembered() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let program = person.program(&["read"]).await;
    assert_eq!(program.name().await, "Amina");
    let server = server.restart().await;
    let program = program.moved_to(server.address);
    let person = person.moved_to(server.address);
    let list = person.get("/api/v1/me/tokens").await.json();
    assert!(list["items"][0]["last_used_at"].is_string(), "{list}");
    assert_eq!(program.name().await, "Amina");
    server.stop().await;
}

#[tokio::test]
async fn what_makes_no_token_is_named() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let path = "/api/v1/me/tokens";
    let wanted = |name: &str, scopes: Value, days: Value| json!({ "name": name, "scopes": scopes, "expires_in_days": days });
    for (body, code, field) in [
        (
            wanted("", json!(["read"]), Value::Null),
            "bad-token-name",
            "name",
        ),
        (
            wanted("  ", json!(["read"]), Value::Null),
            "bad-token-name",
            "name",
        ),
        (
            wanted("a\u{7}", json!(["read"]), Value::Null),
            "bad-token-name",
            "name",
        ),
        (
            wanted(&"x".repeat(41), json!(["read"]), Value::Null),
            "bad-token-name",
            "name",
        ),
        (wanted("x", json!([]), Value::Null), "bad-scopes", "scopes"),
        (
            wanted("x", json!(["admin"]), Value::Null),
            "bad-field",
            "scopes[0]",
        ),
        (
            wanted("x", json!("read"), Value::Null),
            "bad-field",
            "scopes",
        ),
        (
            wanted("x", json!(["read"]), json!(0)),
            "bad-expiry",
            "expires_in_days",
        ),
        (
            wanted("x", json!(["read"]), json!(367)),
            "bad-expiry",
            "expires_in_days",
        ),
        (
            wanted("x", json!(["read"]), json!(-1)),
            "bad-field",
            "expires_in_days",
        ),
        (
            wanted("x", json!(["read"]), json!(1.5)),
            "bad-field",
            "expires_in_days",
        ),
        (json!({ "name": "x" }), "bad-field", "scopes"),
    ] {
        let refused = person.post(path, &body).await;
        refused.bad_field(code, field);
    }
    let mut guest = server.guest().await;
    let good = wanted("x", json!(["read"]), Value::Null);
    guest.post(path, &good).await.problem(403, "account-needed");
    let mut stranger = server.stranger();
    stranger
        .post(path, &good)
        .await
        .problem(401, "sign-in-first");
    stranger.get(path).await.problem(401, "sign-in-first");
    let nobodys = format!("{path}/{NOBODYS}");
    stranger
        .delete(&nobodys)
        .await
        .problem(401, "sign-in-first");
    // The number of tokens is limited.
    for _ in 0..20 {
        assert_eq!(person.post(path, &good).await.status, 201);
    }
    person
        .post(path, &good)
        .await
        .bad_field("too-many-tokens", "");
    server.stop().await;
}

#[tokio::test]
async fn a_revoked_token_is_worth_nothing_and_its_sockets_are_closed() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let mut other = server.account("Zofia").await;
    let program = person.program(&["read"]).await;
    let second = person.program(&["read"]).await;
    let mut socket = Socket::open(&program).await;
    let list = person.get("/api/v1/me/tokens").await.json();
    assert_eq!(list["items"].as_array().map(Vec::len), Some(2));
    let id = list["items"][1]["id"].as_str().expect("an id");
    let path = format!("/api/v1/me/tokens/{id}");
    other.delete(&path).await.problem(404, "not-found");
    assert_eq!(program.name().await, "Amina");
    assert_eq!(person.delete(&path).await.status, 204);
    person.delete(&path).await.problem(404, "not-found");
    is_logged_out(&mut socket).await;
    let refused = program.get("/api/v1/me").await;
    refused.problem(401, "bad-token");
    let how = refused.header("www-authenticate");
    assert_eq!(how, "Bearer error=\"invalid_token\"");
    assert_eq!(second.name().await, "Amina");
    server.stop().await;
}

#[tokio::test]
async fn an_expired_token_and_one_that_never_was_are_worth_nothing() {
    let server = TestServer::start().await;
    let person = server.account("Amina").await;
    let app = server.app();
    let player = app.store.find_player_by_name("amina").await;
    let player = player.expect("the store answers").expect("she is there");
    let (token, hash) = tokens::draw();
    let expired = NewToken {
        id: NOBODYS.parse().expect("an id"),
        hash,
        player: player.id,
        name: "old".into(),
        scopes: Scope::ALL.into_iter().collect(),
        created_ms: 1,
        expires_ms: 2,
    };
    let made = app.store.create_token(&expired, 20).await;
    assert!(made.expect("the store answers"));
    let (never_given, _) = tokens::draw();
    let long = "x".repeat(5_000);
    for text in [&token, &never_given, "mawe_", "", "x", &long, "mawe_é"] {
        for path in ["/api/v1/me", "/api/v1/me/matches", "/api/v1/me/tokens"] {
            let request = server.stranger().request(Method::GET, path);
            let request = request.header("authorization", format!("Bearer {text}").into_bytes());
            Answer::of(request).await.problem(401, "bad-token");
        }
    }
    // A valid cookie does not make up for an invalid token.
    let mut both = person.clone();
    both.bearer = Some(token);
    both.get("/api/v1/me").await.problem(401, "bad-token");
    // The authentication scheme of a proxy is ignored.
    let request = person
        .request(Method::GET, "/api/v1/me")
        .basic_auth("proxy", Some("secret"));
    assert_eq!(Answer::of(request).await.text("/player/name"), "Amina");
    let list = person.get("/api/v1/me/tokens").await.json();
    assert_eq!(list, json!({ "items": [] }));
    server.stop().await;
}

#[tokio::test]
async fn no_token_makes_tokens_or_touches_sessions() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let mut program = person.program(&["read", "play", "challenge", "bot"]).await;
    let wanted = json!({ "name": "another", "scopes": ["read"] });
    let change = json!({ "old": PASSWORD, "new": "ndizi na korosho" });
    let register = json!({ "name": "Juma", "password": PASSWORD });
    for (method, path, body) in [
        (Method::POST, "/api/v1/me/tokens", wanted),
        (Method::GET, "/api/v1/me/tokens", Value::Null),
        (
            Method::DELETE,
            "/api/v1/me/tokens/AAAAAAAAAAAA",
            Value::Null,
        ),
        (Method::GET, "/api/v1/me/sessions", Value::Null),
        (Method::DELETE, "/api/v1/me/sessions", Value::Null),
        (
            Method::DELETE,
            "/api/v1/me/sessions/AAAAAAAAAAAA",
            Value::Null,
        ),
        (Method::POST, "/api/v1/me/password", change),
        (Method::DELETE, "/api/v1/sessions/current", Value::Null),
        (Method::POST, "/api/v1/guests", json!({})),
        (Method::POST, "/api/v1/accounts", register),
    ] {
        let request = program.request(method, path).json(&body);
        let refused = program.send(request).await;
        refused.problem(403, "session-needed");
    }
    assert_eq!(person.name().await, "Amina");
    server.stop().await;
}

#[tokio::test]
async fn a_token_does_what_its_scopes_allow_and_is_told_what_it_lacks() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let seek = challenge();
    // The scope that each route needs.
    let routes = [
        (Method::GET, "/api/v1/me/matches", Value::Null, "read"),
        (Method::GET, "/api/v1/me/challenges", Value::Null, "read"),
        (Method::POST, "/api/v1/matches", bot_match(), "play"),
        (Method::POST, "/api/v1/challenges", challenge(), "challenge"),
        (Method::POST, "/api/v1/seeks", seek, "challenge"),
        (
            Method::POST,
            "/api/v1/challenges/AAAAAAAAAAAA/accept",
            json!({}),
            "challenge",
        ),
        (
            Method::POST,
            "/api/v1/challenges/AAAAAAAAAAAA/decline",
            json!({}),
            "challenge",
        ),
        (
            Method::DELETE,
            "/api/v1/challenges/AAAAAAAAAAAA",
            Value::Null,
            "challenge",
        ),
        (
            Method::POST,
            "/api/v1/seeks/AAAAAAAAAAAA/accept",
            json!({}),
            "challenge",
        ),
    ];
    for scope in ["read", "play", "challenge", "bot"] {
        let mut program = person.program(&[scope]).await;
        assert_eq!(program.name().await, "Amina", "whose it is, any may ask");
        for (method, path, body, needed) in &routes {
            let request = program.request(method.clone(), path).json(body);
            let answer = program.send(request).await;
            if scope == *needed {
                let status = answer.status.as_u16();
                assert!([200, 201, 404].contains(&status), "{path}: {answer:?}");
            } else {
                let problem = answer.problem(403, "scope-needed");
                assert_eq!(problem["scope"], *needed, "{path}");
                let detail = problem["detail"].as_str().expect("words");
                assert!(detail.contains(needed), "{detail}");
                let how = answer.header("www-authenticate");
                assert!(how.contains(&format!("scope=\"{needed}\"")), "{how}");
            }
        }
        // Public routes need no scope.
        let public = program.get("/api/v1/players/Amina").await;
        assert_eq!(public.status, 200);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_token_needs_no_origin_and_a_cookie_beside_it_is_not_looked_at() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let mut zofia = server.account("Zofia").await;
    let program = zofia.program(&["play"]).await;
    let with = |person: &Person| {
        person
            .request(Method::POST, "/api/v1/matches")
            .header("origin", "https://elsewhere.example")
            .json(&bot_match())
    };
    Answer::of(with(&person))
        .await
        .problem(403, "foreign-origin");
    assert_eq!(Answer::of(with(&program)).await.status, 201);
    // The cookie is Amina's, the token Zofia's: the player is Zofia.
    person.bearer.clone_from(&program.bearer);
    assert_eq!(Answer::of(with(&person)).await.status, 201);
    person.bearer = None;
    let amina = person.get("/api/v1/me/matches").await.json();
    let zofia = zofia.get("/api/v1/me/matches").await.json();
    assert_eq!(amina["items"].as_array().map(Vec::len), Some(0));
    assert_eq!(zofia["items"].as_array().map(Vec::len), Some(2));
    server.stop().await;
}

// --- tokens and sockets ---

#[tokio::test]
async fn a_socket_is_opened_with_read_and_played_on_with_play() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let watcher = person.program(&["read"]).await;
    let player = person.program(&["read", "play"]).await;
    let blind = person.program(&["play", "challenge"]).await;
    let id = person
        .post("/api/v1/matches", &bot_match())
        .await
        .text("/id");

    let bearer = format!("Bearer {}", blind.bearer.as_deref().expect("a token"));
    let headers = [
        ("sec-websocket-protocol", SUBPROTOCOL),
        ("authorization", bearer.as_str()),
    ];
    let stream = tokio::net::TcpStream::connect(server.address).await;
    let stream = stream.expect("the server listens");
    let refused =
        tokio_tungstenite::client_async(handshake(server.address, &headers), stream).await;
    match refused {
        Err(tokio_tungstenite::tungstenite::Error::Http(answer)) => {
            assert_eq!(answer.status(), 403);
        }
        other => panic!("the handshake is refused, not {other:?}"),
    }

    let mut socket = Socket::open(&watcher).await;
    let seen = socket.joined(&id).await;
    assert_eq!(seen.you, Some(mawe_rules::Side::First));
    socket.command(&id, "a-1", 0, Command::Resign).await;
    let error = socket.error().await;
    assert_eq!(error.code.as_str(), "scope-needed");
    assert!(error.message.contains("play"), "{}", error.message);
    assert_eq!(error.client_id, "a-1".parse().ok());
    socket
        .send_text(r#"{"t":"join-pool","game":"mawe","pool":"5+0"}"#)
        .await;
    assert_eq!(socket.error().await.code.as_str(), "scope-needed");

    let mut socket = Socket::open(&player).await;
    let snapshot = socket.joined(&id).await;
    let command = Command::Move {
        ply: 0,
        text: snapshot.view.state.legal[0].clone(),
    };
    socket.command(&id, "a-2", 0, command).await;
    assert_eq!(socket.event().await.seq, 1);
    server.stop().await;
}

// --- rate limits ---

/// Returns the rest of a bucket from the header.
fn left(answer: &Answer, bucket: &str) -> u32 {
    let header = answer.header("ratelimit").to_owned();
    let item = header
        .split(", ")
        .find_map(|item| item.strip_prefix(&format!("\"{bucket}\";r=")));
    let item = item.unwrap_or_else(|| panic!("no {bucket} in {header}"));
    let number = item.split(';').next().expect("a number");
    number.parse().expect("a number")
}

#[tokio::test]
async fn every_answer_tells_what_is_left() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let program = person.program(&["read"]).await;
    let first = program.get("/api/v1/me/matches").await;
    assert_eq!(
        first.header("ratelimit-policy"),
        "\"address-read\";q=1000000;w=60, \"account-read\";q=1200;w=60, \"token-read\";q=600;w=60"
    );
    let second = program.get("/api/v1/me/matches").await;
    assert!(left(&second, "token-read") <= left(&first, "token-read"));
    // Writes and creations have separate buckets; so has each token, and a session has none.
    let made = person.post("/api/v1/challenges", &challenge()).await;
    assert_eq!(made.status, 201);
    assert!(left(&made, "account-create") < 120);
    assert!(!made.header("ratelimit").contains("token"));
    // Requests without an account count by address, refused ones too; requests outside the API do not count.
    let stranger = server.stranger();
    let public = stranger.get("/api/v1/pools").await;
    assert!(!public.header("ratelimit").contains("account"));
    let lost = stranger.get("/api/v1/nothing").await;
    lost.problem(404, "not-found");
    left(&lost, "address-read");
    let page = stranger.get("/").await;
    assert!(page.headers.get("ratelimit").is_none());
    server.stop().await;
}

#[tokio::test]
async fn who_asks_too_much_is_told_when_to_come_back() {
    let server = TestServer::start_with(|config| {
        config.rates.requests_per_minute = std::num::NonZeroU32::new(100).expect("not zero");
    })
    .await;
    // A twentieth of a hundred are creations.
    let mut guests = 0;
    let refused = loop {
        let answer = server.stranger().post("/api/v1/guests", &json!({})).await;
        if answer.status == 429 {
            break answer;
        }
        assert_eq!(answer.status, 201);
        guests += 1;
        assert!(guests < 20, "no end of guests");
    };
    assert!(guests >= 5);
    refused.problem(429, "too-many-requests");
    let wait: u64 = refused.header("retry-after").parse().expect("seconds");
    assert!((1..=13).contains(&wait), "{wait}");
    assert_eq!(left(&refused, "address-create"), 0);
    // Reading is still possible.
    let read = server.stranger().get("/api/v1/pools").await;
    assert_eq!(read.status, 200);
    server.stop().await;
}

#[tokio::test]
async fn a_program_that_runs_wild_does_not_lock_its_owner_out() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let mut program = person.program(&["challenge"]).await;
    let mut asked = 0;
    // All requests count, also those refused for another reason.
    let refused = loop {
        let answer = program.post("/api/v1/challenges", &json!({})).await;
        if answer.status == 429 {
            break answer;
        }
        asked += 1;
        assert!(asked < 100, "no end of requests");
    };
    assert!(asked >= 60);
    assert_eq!(left(&refused, "token-create"), 0);
    assert!(left(&refused, "account-create") > 40);
    let made = person.post("/api/v1/challenges", &challenge()).await;
    assert_eq!(made.status, 201, "{made:?}");
    let other = person
        .program(&["challenge"])
        .await
        .post("/api/v1/challenges", &challenge())
        .await;
    assert_eq!(other.status, 201, "{other:?}");
    server.stop().await;
}
