//! Recovery codes: made with the account and by its password, and used once for a new one.

use mawe_store::AccountChange;
use serde_json::{Value, json};

use super::credentials;
use crate::common::socket::Socket;
use crate::common::{Answer, PASSWORD, Person, TestServer};

const MINE: &str = "/api/v1/me/recovery-codes";
const NEW: &str = "korosho na machungwa";

/// Registers an account; returns its codes.
async fn register(person: &mut Person, name: &str) -> Vec<String> {
    let made = person
        .post("/api/v1/accounts", &credentials(name, PASSWORD))
        .await;
    assert_eq!(made.status, 201, "{made:?}");
    codes(&made)
}

fn codes(made: &Answer) -> Vec<String> {
    let codes = made.json()["recovery_codes"].clone();
    serde_json::from_value(codes).expect("a list of codes")
}

async fn recover(person: &mut Person, name: &str, code: &str, new_password: &str) -> Answer {
    let body = json!({ "name": name, "code": code, "new_password": new_password });
    person.post("/api/v1/recoveries", &body).await
}

async fn left(person: &Person) -> Value {
    person.get(MINE).await.json()["left"].clone()
}

#[tokio::test]
async fn who_forgets_the_password_sets_a_new_one_by_a_code_once() {
    let server = TestServer::start().await;
    let mut person = server.stranger();
    let codes = register(&mut person, "Amina").await;
    assert_eq!(codes.len(), 8);
    let seen = person.get(MINE).await.json();
    assert_eq!(seen["left"], 8);
    assert!(seen["created_at"].is_string(), "{seen}");
    let mut socket = Socket::open(&person).await;

    let mut elsewhere = server.stranger();
    let typed = codes[3].to_lowercase().replace('-', " ");
    let entered = recover(&mut elsewhere, "amina", &typed, NEW).await;
    assert_eq!(entered.status, 200, "{entered:?}");
    assert_eq!(entered.json()["player"]["name"], "Amina");
    assert_eq!(entered.json()["recovery_codes"], Value::Null);
    assert_eq!(elsewhere.name().await, "Amina");
    assert_eq!(left(&elsewhere).await, 7);
    // The other session ends, with its socket.
    assert_eq!(person.get("/api/v1/me").await.json()["player"], Value::Null);
    let (_, code) = socket.rest().await;
    assert_eq!(code, Some(1000));
    let log_in = async |password: &str| {
        let body = credentials("Amina", password);
        server.stranger().post("/api/v1/sessions", &body).await
    };
    log_in(PASSWORD).await.problem(401, "wrong-credentials");
    assert_eq!(log_in(NEW).await.status, 200);
    // The code is used up, and another one is not.
    let mut again = server.stranger();
    let used = recover(&mut again, "Amina", &codes[3], PASSWORD).await;
    used.problem(401, "wrong-credentials");
    let entered = recover(&mut again, "Amina", &codes[7], PASSWORD).await;
    assert_eq!(entered.status, 200, "{entered:?}");
    server.stop().await;
}

#[tokio::test]
async fn a_guest_who_registers_gets_codes_too_and_no_other_answer_has_them() {
    let server = TestServer::start().await;
    let mut person = server.stranger();
    let guest = person.post("/api/v1/guests", &json!({})).await;
    assert_eq!(guest.json().get("recovery_codes"), None);
    let refused = person.get(MINE).await;
    refused.problem(403, "account-needed");
    let codes = register(&mut person, "Amina").await;
    assert_eq!(codes.len(), 8);
    assert_eq!(left(&person).await, 8);
    let entered = person
        .post("/api/v1/sessions", &credentials("Amina", PASSWORD))
        .await;
    assert_eq!(entered.json().get("recovery_codes"), None);
    let me = person.get("/api/v1/me").await.json();
    assert_eq!(me.get("recovery_codes"), None);
    let entered = recover(&mut server.stranger(), "Amina", &codes[0], NEW).await;
    assert_eq!(entered.status, 200, "{entered:?}");
    server.stop().await;
}

#[tokio::test]
async fn new_codes_want_the_password_and_end_the_old_ones() {
    let server = TestServer::start().await;
    let mut person = server.stranger();
    let old = register(&mut person, "Amina").await;
    let wrong = json!({ "password": "not the password" });
    let refused = person.post(MINE, &wrong).await;
    refused.problem(401, "wrong-credentials");
    assert_eq!(left(&person).await, 8);
    let right = json!({ "password": PASSWORD });
    let made = person.post(MINE, &right).await;
    assert_eq!(made.status, 201, "{made:?}");
    let new = codes(&made);
    assert_eq!(new.len(), 8);
    assert!(new.iter().all(|code| !old.contains(code)), "{new:?}");
    let mut stranger = server.stranger();
    let refused = recover(&mut stranger, "Amina", &old[0], NEW).await;
    refused.problem(401, "wrong-credentials");
    let entered = recover(&mut stranger, "Amina", &new[0], NEW).await;
    assert_eq!(entered.status, 200, "{entered:?}");
    // A stolen session does not find the password here.
    let refused = async |person: &mut Person| person.post(MINE, &wrong).await;
    for _ in 0..5 {
        let answer = refused(&mut stranger).await;
        answer.problem(401, "wrong-credentials");
    }
    let answer = refused(&mut stranger).await;
    answer.problem(429, "too-many-requests");
    server.stop().await;
}

#[tokio::test]
async fn a_wrong_name_and_a_wrong_code_get_the_same_answer() {
    let server = TestServer::start().await;
    let codes = register(&mut server.stranger(), "Amina").await;
    register(&mut server.stranger(), "Baraka").await;
    let guest = server.guest().await.name().await;
    let mut answers = Vec::new();
    for (name, code) in [
        ("Amina", "0000-0000-0000-0000"),
        ("Amina", "no code"),
        ("Amina", ""),
        ("Nobody", &codes[0]),
        ("Baraka", &codes[0]),
        (&guest, &codes[0]),
        ("mawe-Kete", &codes[0]),
        ("null\0", &codes[0]),
    ] {
        let mut stranger = server.stranger();
        let refused = recover(&mut stranger, name, code, NEW).await;
        let mut problem = refused.problem(401, "wrong-credentials");
        problem["request_id"] = Value::Null;
        answers.push(problem);
        assert!(!refused.has_header("set-cookie"), "{refused:?}");
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    let mut stranger = server.stranger();
    let weak = recover(&mut stranger, "Amina", &codes[0], "password").await;
    weak.bad_field("weak-password", "new_password");
    // None of these has used the code up.
    let entered = recover(&mut stranger, "Amina", &codes[0], NEW).await;
    assert_eq!(entered.status, 200, "{entered:?}");
    server.stop().await;
}

#[tokio::test]
async fn codes_are_guessed_no_faster_than_passwords() {
    let server = TestServer::start().await;
    let codes = register(&mut server.stranger(), "Amina").await;
    let mut stranger = server.stranger();
    let mut tried = 0;
    for _ in 0..1_000 {
        let answer = recover(&mut stranger, "Amina", "0000-0000-0000-0000", NEW).await;
        if answer.status == 429 {
            answer.problem(429, "too-many-requests");
            continue;
        }
        answer.problem(401, "wrong-credentials");
        tried += 1;
    }
    assert!((1..10).contains(&tried), "{tried} codes were tried");
    // The wait is that of the guesser: neither the right code nor the right password gets in before its end.
    let right = recover(&mut stranger, "Amina", &codes[0], NEW).await;
    right.problem(429, "too-many-requests");
    let body = credentials("Amina", PASSWORD);
    let log_in = stranger.post("/api/v1/sessions", &body).await;
    log_in.problem(429, "too-many-requests");
    server.stop().await;
}

#[tokio::test]
async fn of_two_requests_with_one_code_one_is_let_in() {
    let server = TestServer::start().await;
    let codes = register(&mut server.stranger(), "Amina").await;
    let uses = (0..4).map(|number| {
        let (mut stranger, code) = (server.stranger(), codes[0].clone());
        async move {
            let password = format!("{NEW} {number}");
            let answer = recover(&mut stranger, "Amina", &code, &password).await;
            (answer.status == 200).then_some(password)
        }
    });
    let used = futures_util::future::join_all(uses).await;
    let used: Vec<String> = used.into_iter().flatten().collect();
    let [password] = used.as_slice() else {
        panic!("{used:?}");
    };
    let body = credentials("Amina", password);
    let mut stranger = server.stranger();
    let entered = stranger.post("/api/v1/sessions", &body).await;
    assert_eq!(entered.status, 200, "{entered:?}");
    assert_eq!(left(&stranger).await, 7);
    server.stop().await;
}

#[tokio::test]
async fn a_disabled_account_and_a_bot_are_not_let_in_and_keep_their_codes() {
    let server = TestServer::start().await;
    let codes = register(&mut server.stranger(), "Amina").await;
    server.change_account("Amina", AccountChange::Disable).await;
    let refused = recover(&mut server.stranger(), "Amina", &codes[0], NEW).await;
    let problem = refused.problem(403, "account-disabled");
    let detail = problem["detail"].as_str().expect("a text");
    assert!(detail.contains("because"), "{detail}");
    // The reason is for the owner alone.
    let refused = recover(&mut server.stranger(), "Amina", "none", NEW).await;
    refused.problem(401, "wrong-credentials");
    server.change_account("Amina", AccountChange::Enable).await;
    let entered = recover(&mut server.stranger(), "Amina", &codes[0], NEW).await;
    assert_eq!(entered.status, 200, "{entered:?}");

    let mut bot = server.stranger();
    let codes = register(&mut bot, "Mtambo").await;
    assert_eq!(bot.post("/api/v1/me/bot", &json!({})).await.status, 200);
    let refused = recover(&mut server.stranger(), "Mtambo", &codes[0], NEW).await;
    refused.problem(403, "account-needed");
    bot.get(MINE).await.problem(403, "account-needed");
    let right = json!({ "password": PASSWORD });
    let refused = bot.post(MINE, &right).await;
    refused.problem(403, "account-needed");
    server.stop().await;
}

#[tokio::test]
async fn a_password_that_the_operator_sets_ends_the_codes() {
    let server = TestServer::start().await;
    let mut person = server.stranger();
    let codes = register(&mut person, "Amina").await;
    // By a new password of the owner's they stay.
    let body = json!({ "old": PASSWORD, "new": NEW });
    assert_eq!(person.post("/api/v1/me/password", &body).await.status, 204);
    assert_eq!(left(&person).await, 8);
    let stored = server.app().store.credentials("Amina").await;
    let (_, hash) = stored.expect("the store answers").expect("the account");
    server
        .change_account("Amina", AccountChange::SetPassword(hash))
        .await;
    let mut stranger = server.stranger();
    let refused = recover(&mut stranger, "Amina", &codes[0], PASSWORD).await;
    refused.problem(401, "wrong-credentials");
    let entered = stranger
        .post("/api/v1/sessions", &credentials("Amina", NEW))
        .await;
    assert_eq!(entered.status, 200);
    let seen = stranger.get(MINE).await.json();
    assert_eq!(seen, json!({ "left": 0, "created_at": null }));
    server.stop().await;
}
