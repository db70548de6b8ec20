//! OAuth 2 with PKCE: a person allows a program an access, and the program gets a token by a code.

use std::num::NonZeroU32;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use mawe_server::clock::unix_ms;
use mawe_store::{MAX_OAUTH_CODES, OAUTH_CODE_MS, OauthCode, Stale};
use mawe_wire::ServerMsg;
use mawe_wire::scope::Scope;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use url::Url;

use super::{bot_match, raw, with};
use crate::common::socket::Socket;
use crate::common::{Answer, Person, TestServer};

const VERIFIER: &str = "a-verifier-that-only-the-program-knows-0123456789";
const CLIENT: &str = "a-board";
const ADDRESS: &str = "https://app.example/done?theme=dark";
const ELSEWHERE: &str = "https://app.example";
const FORM: &str = "application/x-www-form-urlencoded";

/// The wish of a program.
fn wish() -> Value {
    json!({
        "response_type": "code",
        "client_id": CLIENT,
        "redirect_uri": ADDRESS,
        "scope": "read play",
        "code_challenge": BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER)),
        "code_challenge_method": "S256",
        "state": "x&y",
    })
}

/// The exchange of a code.
fn exchange(code: &str) -> Value {
    json!({
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": ADDRESS,
        "client_id": CLIENT,
        "code_verifier": VERIFIER,
    })
}

/// Writes an object in the encoding of forms.
fn form(fields: &Value) -> String {
    let fields = fields.as_object().expect("an object").iter();
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(fields.map(|(name, value)| (name, value.as_str().expect("a text"))));
    form.finish()
}

async fn send(person: &Person, path: &str, fields: &Value) -> Answer {
    raw(person, path, Some(FORM), form(fields)).await
}

/// Reads a wish as the page does.
async fn read(person: &Person, wish: &Value) -> Answer {
    let path = format!("/api/v1/oauth/request?{}", form(wish));
    person.get(&path).await
}

/// The parameter of an address.
fn parameter(address: &str, name: &str) -> Option<String> {
    let address = Url::parse(address).expect("an address");
    let found = address.query_pairs().find(|(one, _)| one == name);
    found.map(|(_, value)| value.into_owned())
}

/// Allows the access; returns the code.
async fn allow(person: &mut Person) -> String {
    let made = person.post("/api/v1/oauth/codes", &wish()).await;
    assert_eq!(made.status, 201, "{made:?}");
    parameter(&made.text("/address"), "code").expect("a code")
}

/// Checks that an answer is an error of the protocol.
#[track_caller]
fn refuses(answer: &Answer, error: &str) {
    assert_eq!(answer.status, 400, "{answer:?}");
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("cache-control"), "no-store");
    let body = answer.json();
    assert_eq!(body["error"], error, "{body}");
    let description = body["error_description"].as_str();
    assert!(description.is_some_and(|text| !text.is_empty()), "{body}");
}

/// Checks that the socket hears that its token has ended, and is closed.
async fn is_logged_out(socket: &mut Socket) {
    let (said, code) = socket.rest().await;
    let is_told = |message: &ServerMsg| matches!(message, ServerMsg::Closing { reason, .. } if reason.as_str() == "logged-out");
    assert!(said.iter().any(is_told), "{said:?}");
    assert_eq!(code, Some(1000));
}

#[tokio::test]
async fn a_program_gets_a_token_by_a_code_and_acts_with_it() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let seen = read(&person, &wish()).await.json();
    assert_eq!(seen["client_id"], CLIENT);
    assert_eq!(seen["host"], "app.example");
    assert_eq!(seen["scopes"], json!(["read", "play"]));
    assert_eq!(seen["error"], Value::Null);
    let refusal = seen["refusal"].as_str().expect("an address");
    assert!(
        refusal.starts_with("https://app.example/done?theme=dark&"),
        "{refusal}"
    );
    assert_eq!(
        parameter(refusal, "error").as_deref(),
        Some("access_denied")
    );
    assert_eq!(parameter(refusal, "state").as_deref(), Some("x&y"));

    let made = person.post("/api/v1/oauth/codes", &wish()).await;
    assert_eq!(made.status, 201, "{made:?}");
    assert_eq!(made.header("cache-control"), "no-store");
    let address = made.text("/address");
    assert!(
        address.starts_with("https://app.example/done?theme=dark&code="),
        "{address}"
    );
    assert_eq!(parameter(&address, "state").as_deref(), Some("x&y"));
    let issuer = format!("http://{}", server.address);
    assert_eq!(parameter(&address, "iss"), Some(issuer));
    let code = parameter(&address, "code").expect("a code");

    let stranger = server.stranger();
    let given = send(&stranger, "/oauth/token", &exchange(&code)).await;
    assert_eq!(given.status, 200, "{given:?}");
    assert_eq!(given.header("cache-control"), "no-store");
    let body = given.json();
    assert_eq!(body["token_type"], "Bearer");
    assert_eq!(body["expires_in"], 90 * 24 * 60 * 60);
    assert_eq!(body["scope"], "read play");
    let mut program = stranger.with_token(body["access_token"].as_str().expect("a token"));
    assert_eq!(program.name().await, "Amina");
    assert_eq!(
        program.post("/api/v1/matches", &bot_match()).await.status,
        201
    );
    let refused = program.post("/api/v1/challenges", &super::offer()).await;
    refused.problem(403, "scope-needed");

    // It is a token as others are: its owner sees it with its last use, and revokes it.
    let list = person.get("/api/v1/me/tokens").await.json();
    let [token] = list["items"].as_array().expect("items").as_slice() else {
        panic!("{list}");
    };
    assert_eq!(token["name"], "app.example");
    assert_eq!(token["scopes"], json!(["read", "play"]));
    assert!(token["last_used_at"].is_string(), "{token}");
    let path = format!("/api/v1/me/tokens/{}", token["id"].as_str().expect("an id"));
    assert_eq!(person.delete(&path).await.status, 204);
    program.get("/api/v1/me").await.problem(401, "bad-token");
    server.stop().await;
}

#[tokio::test]
async fn every_fault_of_a_wish_is_told_to_the_right_one() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    // Without a client nobody can be told: the page shows the fault, and leads nowhere.
    for (field, value) in [
        ("client_id", Value::Null),
        ("client_id", json!("a b")),
        ("redirect_uri", Value::Null),
        ("redirect_uri", json!("http://app.example/done")),
        ("redirect_uri", json!("javascript:alert(1)")),
        ("redirect_uri", json!("https://app.example/#done")),
    ] {
        let bad = with(wish(), field, value);
        read(&person, &bad).await.bad_field("bad-field", field);
        let refused = person.post("/api/v1/oauth/codes", &bad).await;
        refused.bad_field("bad-field", field);
    }
    // The client is told by its address.
    for (field, value, error) in [
        ("response_type", json!("token"), "unsupported_response_type"),
        ("response_type", Value::Null, "invalid_request"),
        ("scope", Value::Null, "invalid_scope"),
        ("scope", json!("read everything"), "invalid_scope"),
        ("scope", json!("bot"), "invalid_scope"),
        ("code_challenge", Value::Null, "invalid_request"),
        ("code_challenge", json!("abc"), "invalid_request"),
        ("code_challenge_method", Value::Null, "invalid_request"),
        ("code_challenge_method", json!("plain"), "invalid_request"),
        ("state", json!("x".repeat(501)), "invalid_request"),
    ] {
        let bad = with(wish(), field, value);
        let seen = read(&person, &bad).await.json();
        assert_eq!(seen["error"], error, "{bad}");
        assert_eq!(seen["scopes"], json!([]), "{bad}");
        let refusal = seen["refusal"].as_str().expect("an address");
        assert_eq!(parameter(refusal, "error").as_deref(), Some(error));
        let description = parameter(refusal, "error_description").expect("a description");
        assert!(description.contains(field), "{description}");
        let state = (field != "state").then_some("x&y");
        assert_eq!(parameter(refusal, "state").as_deref(), state);
        let refused = person.post("/api/v1/oauth/codes", &bad).await;
        refused.bad_field("bad-field", field);
    }
    // A parameter that comes twice is refused, and an unknown one is ignored.
    let twice = format!("/api/v1/oauth/request?{}&scope=challenge", form(&wish()));
    assert_eq!(person.get(&twice).await.json()["error"], "invalid_request");
    let more = with(wish(), "prompt", json!("login"));
    assert_eq!(read(&person, &more).await.json()["error"], Value::Null);
    assert_eq!(person.post("/api/v1/oauth/codes", &more).await.status, 201);
    server.stop().await;
}

#[tokio::test]
async fn only_the_session_of_an_account_allows_an_access() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let path = "/api/v1/oauth/codes";
    let nobody = server.stranger().post(path, &wish()).await;
    nobody.problem(401, "sign-in-first");
    let guest = server.guest().await.post(path, &wish()).await;
    guest.problem(403, "account-needed");
    // A token must not make another one.
    let mut program = person.program(&["read", "play", "challenge", "bot"]).await;
    let by_token = program.post(path, &wish()).await;
    by_token.problem(403, "session-needed");
    for request in [
        person.request(Method::POST, path),
        program.request(Method::POST, path),
    ] {
        let request = request.header("origin", ELSEWHERE).json(&wish());
        Answer::of(request).await.problem(403, "foreign-origin");
    }
    let stale = server.app().store.count_stale(Stale::OauthCodes, i64::MAX);
    assert_eq!(stale.await.expect("the store answers"), 0);
    server.stop().await;
}

#[tokio::test]
async fn every_fault_of_an_exchange_has_the_form_of_the_protocol() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let stranger = server.stranger();
    let code = allow(&mut person).await;
    for (field, value, error) in [
        ("grant_type", Value::Null, "invalid_request"),
        ("grant_type", json!("password"), "unsupported_grant_type"),
        ("code", Value::Null, "invalid_request"),
        ("code", json!("short"), "invalid_grant"),
        ("code", json!("A".repeat(40)), "invalid_grant"),
        ("redirect_uri", Value::Null, "invalid_request"),
        (
            "redirect_uri",
            json!("http://app.example/"),
            "invalid_request",
        ),
        ("client_id", Value::Null, "invalid_request"),
        ("client_id", json!("a b"), "invalid_request"),
        ("code_verifier", Value::Null, "invalid_request"),
        ("code_verifier", json!("short"), "invalid_request"),
        ("code_verifier", json!("x".repeat(129)), "invalid_request"),
    ] {
        let bad = with(exchange(&code), field, value);
        refuses(&send(&stranger, "/oauth/token", &bad).await, error);
    }
    let twice = format!("{}&code={code}", form(&exchange(&code)));
    refuses(
        &raw(&stranger, "/oauth/token", Some(FORM), twice).await,
        "invalid_request",
    );
    let as_json = stranger
        .request(Method::POST, "/oauth/token")
        .json(&exchange(&code));
    refuses(&Answer::of(as_json).await, "invalid_request");
    let long = raw(&stranger, "/oauth/token", Some(FORM), "x".repeat(17 * 1024)).await;
    long.problem(413, "too-large");
    let read = stranger.get("/oauth/token").await;
    read.problem(405, "method-not-allowed");
    // None of these has used the code up.
    let given = send(&stranger, "/oauth/token", &exchange(&code)).await;
    assert_eq!(given.status, 200, "{given:?}");
    // A code for another client is used up by the attempt.
    for (field, value) in [
        ("redirect_uri", "https://app.example/done"),
        ("client_id", "another"),
        ("code_verifier", &"x".repeat(43)),
    ] {
        let code = allow(&mut person).await;
        let bad = with(exchange(&code), field, json!(value));
        refuses(
            &send(&stranger, "/oauth/token", &bad).await,
            "invalid_grant",
        );
        let again = send(&stranger, "/oauth/token", &exchange(&code)).await;
        refuses(&again, "invalid_grant");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_code_that_comes_twice_ends_the_token_and_its_sockets() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let stranger = server.stranger();
    let code = allow(&mut person).await;
    let given = send(&stranger, "/oauth/token", &exchange(&code)).await;
    let program = stranger.with_token(&given.text("/access_token"));
    let mut socket = Socket::open(&program).await;
    refuses(
        &send(&stranger, "/oauth/token", &exchange(&code)).await,
        "invalid_grant",
    );
    program.get("/api/v1/me").await.problem(401, "bad-token");
    is_logged_out(&mut socket).await;
    server.stop().await;
}

#[tokio::test]
async fn an_expired_code_gives_nothing() {
    let server = TestServer::start().await;
    let person = server.account("Amina").await;
    let store = &server.app().store;
    let found = store.find_player_by_name("Amina").await;
    let player = found.expect("the store answers").expect("an account").id;
    let stranger = server.stranger();
    for (letter, age_ms, status) in [("a", OAUTH_CODE_MS + 1, 400), ("b", OAUTH_CODE_MS / 2, 200)] {
        let code = letter.repeat(40);
        let made = OauthCode {
            hash: Sha256::digest(&code).into(),
            player: player.clone(),
            client_id: CLIENT.to_owned(),
            redirect_uri: ADDRESS.to_owned(),
            challenge: Sha256::digest(VERIFIER).into(),
            scopes: [Scope::Read].into_iter().collect(),
            created_ms: unix_ms() - age_ms,
        };
        let created = store.create_oauth_code(&made, 20).await;
        assert!(created.expect("the store answers"));
        let answer = send(&stranger, "/oauth/token", &exchange(&code)).await;
        assert_eq!(answer.status, status, "{answer:?}");
    }
    assert_eq!(person.name().await, "Amina");
    server.stop().await;
}

#[tokio::test]
async fn with_as_many_tokens_as_possible_the_person_is_told_before_the_program() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let stranger = server.stranger();
    let code = allow(&mut person).await;
    let mut last = String::new();
    for _ in 0..20 {
        let wanted = json!({ "name": "x", "scopes": ["read"] });
        let made = person.post("/api/v1/me/tokens", &wanted).await;
        assert_eq!(made.status, 201, "{made:?}");
        last = made.text("/id");
    }
    let refused = person.post("/api/v1/oauth/codes", &wish()).await;
    refused.problem(422, "too-many-tokens");
    let refused = send(&stranger, "/oauth/token", &exchange(&code)).await;
    refuses(&refused, "invalid_grant");
    assert!(
        refused.text("/error_description").contains("20 tokens"),
        "{refused:?}"
    );
    // The code has not been used up.
    let revoked = person.delete(&format!("/api/v1/me/tokens/{last}")).await;
    assert_eq!(revoked.status, 204);
    let given = send(&stranger, "/oauth/token", &exchange(&code)).await;
    assert_eq!(given.status, 200, "{given:?}");
    server.stop().await;
}

#[tokio::test]
async fn the_holder_of_a_token_gives_it_back() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let stranger = server.stranger();
    let code = allow(&mut person).await;
    let given = send(&stranger, "/oauth/token", &exchange(&code)).await;
    let token = given.text("/access_token");
    let program = stranger.with_token(&token);
    let mut socket = Socket::open(&program).await;
    let other = person.program(&["read"]).await;
    let back = json!({ "token": token, "token_type_hint": "access_token", "client_id": CLIENT });
    // The second time there is none any more: the wish of the caller is fulfilled.
    for _ in 0..2 {
        let answer = send(&stranger, "/oauth/revoke", &back).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    program.get("/api/v1/me").await.problem(401, "bad-token");
    is_logged_out(&mut socket).await;
    assert_eq!(other.name().await, "Amina");
    for unknown in ["nonsense", &token.replace("mawe_", "mawe-")] {
        let answer = send(&stranger, "/oauth/revoke", &json!({ "token": unknown })).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    refuses(
        &send(&stranger, "/oauth/revoke", &json!({ "client_id": CLIENT })).await,
        "invalid_request",
    );
    server.stop().await;
}

#[tokio::test]
async fn pages_of_other_origins_exchange_codes_without_cookies() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    for path in ["/oauth/token", "/oauth/revoke"] {
        let request = person
            .request(Method::OPTIONS, path)
            .header("origin", ELSEWHERE)
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "content-type");
        let preflight = Answer::of(request).await;
        assert_eq!(preflight.status, 200, "{preflight:?}");
        assert_eq!(preflight.header("access-control-allow-origin"), "*");
        assert!(!preflight.has_header("access-control-allow-credentials"));
    }
    let code = allow(&mut person).await;
    // As from the browser of the person, with its cookie.
    let from_there = |path: &str, fields: &Value| {
        let request = person.request(Method::POST, path);
        request
            .header("origin", ELSEWHERE)
            .header("content-type", FORM)
            .body(form(fields))
    };
    let given = Answer::of(from_there("/oauth/token", &exchange(&code))).await;
    assert_eq!(given.status, 200, "{given:?}");
    assert_eq!(given.header("access-control-allow-origin"), "*");
    assert!(!given.has_header("access-control-allow-credentials"));
    let refused = Answer::of(from_there("/oauth/token", &exchange(&code))).await;
    refuses(&refused, "invalid_grant");
    assert_eq!(refused.header("access-control-allow-origin"), "*");
    let back = json!({ "token": given.text("/access_token") });
    let revoked = Answer::of(from_there("/oauth/revoke", &back)).await;
    assert_eq!(revoked.status, 200, "{revoked:?}");
    let metadata = person.request(Method::GET, "/.well-known/oauth-authorization-server");
    let metadata = Answer::of(metadata.header("origin", ELSEWHERE)).await;
    assert_eq!(metadata.header("access-control-allow-origin"), "*");
    // The page itself is not for other pages.
    let page = person.request(Method::GET, &format!("/oauth/authorize?{}", form(&wish())));
    let page = Answer::of(page.header("origin", ELSEWHERE)).await;
    assert_eq!(page.status, 200);
    assert!(!page.has_header("access-control-allow-origin"));
    server.stop().await;
}

#[tokio::test]
async fn the_page_is_in_no_frame_and_in_no_index() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let page = stranger
        .get(&format!("/oauth/authorize?{}", form(&wish())))
        .await;
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy");
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    // The page's address has the state of the client, which the next page does not get.
    assert_eq!(page.header("referrer-policy"), "same-origin");
    let document = String::from_utf8(page.body).expect("text");
    assert!(document.contains("<meta name=\"robots\" content=\"noindex\">"));
    assert!(
        !document.contains("app.example"),
        "nothing of the query is in the document"
    );
    server.stop().await;
}

#[tokio::test]
async fn clients_find_everything_in_the_description_of_the_server() {
    let path = "/.well-known/oauth-authorization-server";
    let server = TestServer::start_with(|config| {
        config.network.origin = Some("https://mawe.example".to_owned());
    })
    .await;
    let metadata = server.stranger().get(path).await.json();
    let expected = json!({
        "issuer": "https://mawe.example",
        "authorization_endpoint": "https://mawe.example/oauth/authorize",
        "token_endpoint": "https://mawe.example/oauth/token",
        "revocation_endpoint": "https://mawe.example/oauth/revoke",
        "scopes_supported": ["read", "play", "challenge", "event"],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": true,
        "service_documentation": "https://mawe.example/api/docs",
    });
    assert_eq!(metadata, expected);
    server.stop().await;
    // Without a configured origin by the host that the client has named.
    let server = TestServer::start().await;
    let metadata = server.stranger().get(path).await;
    assert_eq!(
        metadata.text("/issuer"),
        format!("http://{}", server.address)
    );
    server.stop().await;
}

/// The number of codes in the store.
async fn stored(server: &TestServer) -> u64 {
    let count = server.app().store.count_stale(Stale::OauthCodes, i64::MAX);
    count.await.expect("the store answers")
}

#[tokio::test]
async fn a_flood_of_codes_and_guesses_keeps_a_bounded_number() {
    let server = TestServer::start_with(|config| {
        config.rates.requests_per_minute = NonZeroU32::new(1_000).expect("not zero");
    })
    .await;
    let mut person = server.account("Amina").await;
    let mut made = 0;
    let refused = loop {
        let answer = person.post("/api/v1/oauth/codes", &wish()).await;
        if answer.status == 429 {
            break answer;
        }
        assert_eq!(answer.status, 201, "{answer:?}");
        made += 1;
        assert!(made < 200, "no end of codes");
    };
    refused.problem(429, "too-many-requests");
    assert!(made > MAX_OAUTH_CODES, "{made}");
    assert_eq!(stored(&server).await, u64::from(MAX_OAUTH_CODES));
    // A guesser waits as well, and only it.
    let guesser = server.stranger().at_address([127, 0, 0, 2]);
    let mut guessed = 0;
    let refused = loop {
        let guess = exchange(&format!("{guessed:040}"));
        let answer = send(&guesser, "/oauth/token", &guess).await;
        if answer.status == 429 {
            break answer;
        }
        refuses(&answer, "invalid_grant");
        guessed += 1;
        assert!(guessed < 1_000, "no end of guesses");
    };
    refused.problem(429, "too-many-requests");
    assert_eq!(stored(&server).await, u64::from(MAX_OAUTH_CODES));
    let other = server.stranger().at_address([127, 0, 0, 3]);
    let answer = send(&other, "/oauth/token", &exchange(&"A".repeat(40))).await;
    refuses(&answer, "invalid_grant");
    server.stop().await;
}
