//! Passkeys: registered by the password, used without a name, and each fault of an answer refused.

use std::num::NonZeroU32;

use mawe_store::AccountChange;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::credentials;
use crate::common::authenticator::Authenticator;
use crate::common::{Answer, PASSWORD, Person, TestServer};

const MINE: &str = "/api/v1/me/passkeys";
const MY_CHALLENGE: &str = "/api/v1/me/passkeys/challenge";
const CHALLENGE: &str = "/api/v1/sessions/passkey/challenge";
const LOGIN: &str = "/api/v1/sessions/passkey";
const NEW: &str = "korosho na machungwa";

/// The origin of a test server's page on `localhost`.
fn origin(server: &TestServer) -> String {
    format!("http://localhost:{}", server.address.port())
}

fn device(server: &TestServer) -> Authenticator {
    Authenticator::new(&origin(server))
}

/// A request to the server under its name `localhost`.
fn on_localhost(person: &Person, method: Method, path: &str) -> RequestBuilder {
    let host = format!("localhost:{}", person.address.port());
    person.request(method, path).header("host", host)
}

async fn post(person: &mut Person, path: &str, body: &Value) -> Answer {
    let request = on_localhost(person, Method::POST, path).json(body);
    person.send(request).await
}

async fn begin(person: &mut Person) -> Value {
    let begun = post(person, MY_CHALLENGE, &json!({ "password": PASSWORD })).await;
    assert_eq!(begun.status, 200, "{begun:?}");
    begun.json()
}

/// Sends a device's answer to the challenge of a registration.
async fn finish(person: &mut Person, begun: &Value, name: &str, credential: &Value) -> Answer {
    let body = json!({ "challenge": begun["challenge"], "name": name, "credential": credential });
    post(person, MINE, &body).await
}

async fn register(person: &mut Person, device: &mut Authenticator, name: &str) -> String {
    let begun = begin(person).await;
    let credential = device.register(&begun["options"]);
    let made = finish(person, &begun, name, &credential).await;
    assert_eq!(made.status, 201, "{made:?}");
    made.text("/id")
}

async fn begin_login(person: &mut Person) -> Value {
    let begun = post(person, CHALLENGE, &json!({})).await;
    assert_eq!(begun.status, 200, "{begun:?}");
    begun.json()
}

async fn finish_login(person: &mut Person, begun: &Value, credential: &Value) -> Answer {
    let body = json!({ "challenge": begun["challenge"], "credential": credential });
    post(person, LOGIN, &body).await
}

async fn log_in(person: &mut Person, device: &mut Authenticator) -> Answer {
    let begun = begin_login(person).await;
    let credential = device.log_in(&begun["options"]);
    finish_login(person, &begun, &credential).await
}

async fn list(person: &Person) -> Value {
    let listed = Answer::of(on_localhost(person, Method::GET, MINE)).await;
    assert_eq!(listed.status, 200, "{listed:?}");
    listed.json()
}

async fn rename(person: &mut Person, id: &str, name: &str) -> Answer {
    let request = person.request(Method::PATCH, &format!("{MINE}/{id}"));
    person.send(request.json(&json!({ "name": name }))).await
}

async fn delete(person: &mut Person, id: &str, password: &str) -> Answer {
    let request = person.request(Method::DELETE, &format!("{MINE}/{id}"));
    person
        .send(request.json(&json!({ "password": password })))
        .await
}

#[tokio::test]
async fn a_passkey_logs_in_without_a_name_until_it_is_deleted() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    assert_eq!(
        list(&amina).await,
        json!({ "available": true, "items": [] })
    );
    let mut phone = device(&server);
    let id = register(&mut amina, &mut phone, "  the phone ").await;
    let item = list(&amina).await["items"][0].clone();
    assert_eq!(item["id"], id.as_str());
    assert_eq!(item["name"], "the phone");
    assert_eq!(item["last_used_at"], Value::Null);

    let mut elsewhere = server.stranger();
    let entered = log_in(&mut elsewhere, &mut phone).await;
    assert_eq!(entered.status, 200, "{entered:?}");
    assert_eq!(entered.json()["player"]["name"], "Amina");
    assert_eq!(elsewhere.name().await, "Amina");
    // All that a login by the password does.
    assert!(elsewhere.device.is_some(), "the browser is known now");
    let sessions = elsewhere.get("/api/v1/me/sessions").await.json();
    assert_eq!(sessions["items"].as_array().map(Vec::len), Some(2));
    assert!(list(&elsewhere).await["items"][0]["last_used_at"].is_string());

    assert_eq!(rename(&mut elsewhere, &id, "old phone").await.status, 204);
    assert_eq!(list(&amina).await["items"][0]["name"], "old phone");
    let wrong = delete(&mut elsewhere, &id, "not the password").await;
    wrong.problem(401, "wrong-credentials");
    assert_eq!(delete(&mut elsewhere, &id, PASSWORD).await.status, 204);
    assert_eq!(list(&amina).await["items"], json!([]));
    delete(&mut elsewhere, &id, PASSWORD)
        .await
        .problem(404, "not-found");
    // The session goes on; another login does not begin.
    assert_eq!(elsewhere.name().await, "Amina");
    let refused = log_in(&mut server.stranger(), &mut phone).await;
    refused.problem(401, "wrong-credentials");
    server.stop().await;
}

#[tokio::test]
async fn an_answer_counts_once_in_its_own_browser() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let mut phone = device(&server);
    let begun = begin(&mut amina).await;
    let made = phone.register(&begun["options"]);
    // Another session of the same account, and another account.
    let mut second = server.stranger();
    let by_password = credentials("Amina", PASSWORD);
    second.post("/api/v1/sessions", &by_password).await;
    let mut zofia = server.account("Zofia").await;
    for other in [&mut second, &mut zofia] {
        let refused = finish(other, &begun, "a phone", &made).await;
        refused.problem(409, "passkey-expired");
    }
    let stored = finish(&mut amina, &begun, "a phone", &made).await;
    assert_eq!(stored.status, 201, "{stored:?}");
    let again = finish(&mut amina, &begun, "a phone", &made).await;
    again.problem(409, "passkey-expired");
    assert_eq!(
        delete(&mut amina, &stored.text("/id"), PASSWORD)
            .await
            .status,
        204
    );
    let again = finish(&mut amina, &begun, "a phone", &made).await;
    again.problem(409, "passkey-expired");

    // A copy of the credential for another account.
    let mut laptop = device(&server);
    register(&mut amina, &mut laptop, "a laptop").await;
    let begun = begin(&mut zofia).await;
    let copied = laptop.clone().register(&begun["options"]);
    let refused = finish(&mut zofia, &begun, "a laptop", &copied).await;
    refused.problem(409, "passkey-taken");

    let (mut here, mut there) = (server.stranger(), server.stranger());
    let begun = begin_login(&mut here).await;
    let answer = laptop.log_in(&begun["options"]);
    finish_login(&mut there, &begun, &answer)
        .await
        .problem(409, "passkey-expired");
    begin_login(&mut there).await;
    finish_login(&mut there, &begun, &answer)
        .await
        .problem(409, "passkey-expired");
    // A second tab of the browser does not end the challenge of the first.
    begin_login(&mut here).await;
    let entered = finish_login(&mut here, &begun, &answer).await;
    assert_eq!(entered.status, 200, "{entered:?}");
    let replayed = finish_login(&mut here, &begun, &answer).await;
    replayed.problem(401, "wrong-credentials");
    server.stop().await;
}

#[tokio::test]
async fn a_device_without_a_counter_answers_a_challenge_once() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let mut key = device(&server);
    key.counts = false;
    register(&mut amina, &mut key, "a key").await;
    let mut browser = server.stranger();
    let begun = begin_login(&mut browser).await;
    let answer = key.log_in(&begun["options"]);
    let uses = futures_util::future::join_all((0..6).map(|_| {
        let (mut browser, begun, answer) = (browser.clone(), begun.clone(), answer.clone());
        async move { finish_login(&mut browser, &begun, &answer).await }
    }));
    let uses = uses.await;
    let entered = uses.iter().filter(|one| one.status == 200).count();
    assert_eq!(entered, 1, "{uses:?}");
    for refused in uses.iter().filter(|one| one.status != 200) {
        refused.problem(409, "passkey-expired");
    }
    finish_login(&mut browser, &begun, &answer)
        .await
        .problem(409, "passkey-expired");
    server.stop().await;
}

#[tokio::test]
async fn a_wrong_answer_does_not_log_in() {
    type Fault = fn(&mut Authenticator);
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let mut zofia = server.account("Zofia").await;
    let (mut phone, mut other) = (device(&server), device(&server));
    register(&mut amina, &mut phone, "a phone").await;
    register(&mut zofia, &mut other, "a phone").await;
    let mut browser = server.stranger();
    assert_eq!(log_in(&mut browser, &mut phone).await.status, 200);
    let faults: [(&str, Fault); 6] = [
        ("a page of another origin", |phone| {
            phone.origin = "https://evil.example".into()
        }),
        ("a page on another port", |phone| {
            phone.origin = "http://localhost:1".into()
        }),
        ("a passkey of another site", |phone| {
            phone.domain = "evil.example".into()
        }),
        ("a user who was not verified", |phone| {
            phone.verifies = false
        }),
        ("a counter that went back", |phone| phone.counter = 0),
        ("an unknown passkey", |phone| {
            phone.credential_id = vec![9; 20]
        }),
    ];
    for (what, fault) in faults {
        let mut faulty = phone.clone();
        fault(&mut faulty);
        let refused = log_in(&mut browser, &mut faulty).await;
        assert_eq!(refused.status, 401, "{what}: {refused:?}");
        refused.problem(401, "wrong-credentials");
    }
    // The handle, and then the id, of another account's passkey.
    let mut faulty = phone.clone();
    faulty.handle.clone_from(&other.handle);
    log_in(&mut browser, &mut faulty)
        .await
        .problem(401, "wrong-credentials");
    let mut faulty = phone.clone();
    faulty.credential_id.clone_from(&other.credential_id);
    log_in(&mut browser, &mut faulty)
        .await
        .problem(401, "wrong-credentials");
    // The answer to another challenge.
    let (one, two) = (
        begin_login(&mut browser).await,
        begin_login(&mut browser).await,
    );
    let answer = phone.log_in(&one["options"]);
    finish_login(&mut browser, &two, &answer)
        .await
        .problem(401, "wrong-credentials");
    // A challenge for a registration.
    let begun = begin(&mut amina).await;
    let answer = phone.log_in(&begun["options"]);
    finish_login(&mut amina, &begun, &answer)
        .await
        .problem(409, "passkey-expired");
    // After all that the passkey is as good as before.
    assert_eq!(log_in(&mut browser, &mut phone).await.status, 200);
    server.stop().await;
}

#[tokio::test]
async fn a_registration_wants_the_password_and_a_true_answer() {
    type Fault = fn(&mut Authenticator);
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let wrong = post(&mut amina, MY_CHALLENGE, &json!({ "password": "not it" })).await;
    wrong.problem(401, "wrong-credentials");
    let faults: [(&str, Fault); 4] = [
        ("a page of another origin", |phone| {
            phone.origin = "https://evil.example".into()
        }),
        ("a passkey of another site", |phone| {
            phone.domain = "evil.example".into()
        }),
        ("a user who was not verified", |phone| {
            phone.verifies = false
        }),
        ("an id that is too short", |phone| {
            phone.credential_id = vec![1]
        }),
    ];
    for (what, fault) in faults {
        let mut phone = device(&server);
        fault(&mut phone);
        let begun = begin(&mut amina).await;
        let answer = phone.register(&begun["options"]);
        let refused = finish(&mut amina, &begun, what, &answer).await;
        refused.bad_field("bad-passkey", "credential");
    }
    let (one, two) = (begin(&mut amina).await, begin(&mut amina).await);
    let answer = device(&server).register(&one["options"]);
    let refused = finish(&mut amina, &two, "a phone", &answer).await;
    refused.bad_field("bad-passkey", "credential");
    for name in ["", "  ", "two\nlines", &"a".repeat(41)] {
        let refused = finish(&mut amina, &one, name, &answer).await;
        refused.bad_field("bad-passkey-name", "name");
    }
    // Nothing of that has used up the challenge.
    let stored = finish(&mut amina, &one, &"മ".repeat(40), &answer).await;
    assert_eq!(stored.status, 201, "{stored:?}");
    let id = stored.text("/id");
    rename(&mut amina, &id, "")
        .await
        .bad_field("bad-passkey-name", "name");
    // Somebody else's.
    let mut zofia = server.account("Zofia").await;
    rename(&mut zofia, &id, "mine")
        .await
        .problem(404, "not-found");
    delete(&mut zofia, &id, PASSWORD)
        .await
        .problem(404, "not-found");
    // The browser is told which passkeys there are.
    let begun = begin(&mut amina).await;
    let excluded = &begun["options"]["excludeCredentials"];
    assert_eq!(excluded[0]["id"], answer["id"], "{excluded}");
    server.stop().await;
}

#[tokio::test]
async fn an_account_has_ten_passkeys_at_most() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    for number in 1..=9 {
        register(&mut amina, &mut device(&server), &format!("key {number}")).await;
    }
    // Two are begun while there is room for one.
    let (one, two) = (begin(&mut amina).await, begin(&mut amina).await);
    let first = device(&server).register(&one["options"]);
    let second = device(&server).register(&two["options"]);
    let (mut here, mut there) = (amina.clone(), amina.clone());
    let (a, b) = tokio::join!(
        finish(&mut here, &one, "tenth", &first),
        finish(&mut there, &two, "tenth", &second)
    );
    let mut statuses = [a.status.as_u16(), b.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 422], "{a:?} {b:?}");
    assert_eq!(
        list(&amina).await["items"].as_array().map(Vec::len),
        Some(10)
    );
    let refused = post(&mut amina, MY_CHALLENGE, &json!({ "password": PASSWORD })).await;
    refused.problem(422, "too-many-passkeys");
    server.stop().await;
}

#[tokio::test]
async fn passkeys_outlive_a_new_password_of_the_owner_and_not_one_of_the_operator() {
    let server = TestServer::start().await;
    let mut amina = server.stranger();
    let made = amina
        .post("/api/v1/accounts", &credentials("Amina", PASSWORD))
        .await;
    let code = made.text("/recovery_codes/0");
    let mut phone = device(&server);
    register(&mut amina, &mut phone, "a phone").await;

    let new = json!({ "old": PASSWORD, "new": NEW });
    assert_eq!(amina.post("/api/v1/me/password", &new).await.status, 204);
    let mut second = server.stranger();
    assert_eq!(log_in(&mut second, &mut phone).await.status, 200);
    let everywhere = second.delete("/api/v1/me/sessions").await;
    assert_eq!(everywhere.status, 204);
    assert_eq!(log_in(&mut server.stranger(), &mut phone).await.status, 200);
    let recovery = json!({ "name": "Amina", "code": code, "new_password": PASSWORD });
    let recovered = amina.post("/api/v1/recoveries", &recovery).await;
    assert_eq!(recovered.status, 200, "{recovered:?}");
    // The owner sees it then, and can delete it.
    assert_eq!(list(&amina).await["items"][0]["name"], "a phone");
    assert_eq!(log_in(&mut server.stranger(), &mut phone).await.status, 200);

    server.change_account("Amina", AccountChange::Disable).await;
    let refused = log_in(&mut server.stranger(), &mut phone).await;
    let detail = refused.problem(403, "account-disabled")["detail"].clone();
    assert_eq!(detail, "this account was disabled: because");
    server.change_account("Amina", AccountChange::Enable).await;
    let mut third = server.stranger();
    assert_eq!(log_in(&mut third, &mut phone).await.status, 200);
    let hash = server
        .app()
        .passwords
        .hash(NEW.to_owned())
        .await
        .expect("a hash");
    server
        .change_account("Amina", AccountChange::SetPassword(hash))
        .await;
    let refused = log_in(&mut server.stranger(), &mut phone).await;
    refused.problem(401, "wrong-credentials");
    server.stop().await;
}

#[tokio::test]
async fn a_deleted_account_takes_its_passkeys_along() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let mut phone = device(&server);
    register(&mut amina, &mut phone, "a phone").await;
    let request = amina.request(Method::DELETE, "/api/v1/me");
    let deleted = amina
        .send(request.json(&json!({ "password": PASSWORD })))
        .await;
    assert_eq!(deleted.status, 204, "{deleted:?}");
    let refused = log_in(&mut server.stranger(), &mut phone).await;
    refused.problem(401, "wrong-credentials");
    server.stop().await;
}

#[tokio::test]
async fn without_https_and_localhost_there_are_none() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    // By its address the server is none that browsers have passkeys for; a name in `Host` proves nothing.
    assert_eq!(amina.get(MINE).await.json()["available"], false);
    let begun = amina
        .post(MY_CHALLENGE, &json!({ "password": PASSWORD }))
        .await;
    begun.problem(409, "passkeys-unavailable");
    amina
        .post(CHALLENGE, &json!({}))
        .await
        .problem(409, "passkeys-unavailable");
    let request = amina.request(Method::POST, CHALLENGE).json(&json!({}));
    let named = Answer::of(request.header("host", "play.example.org")).await;
    named.problem(409, "passkeys-unavailable");
    let login = json!({ "challenge": "", "credential": {} });
    amina
        .post(LOGIN, &login)
        .await
        .problem(409, "passkeys-unavailable");
    server.stop().await;
}

#[tokio::test]
async fn the_operators_origin_is_the_only_one() {
    let server = TestServer::start_with(|config| {
        config.network.origin = Some("https://play.example.org".to_owned());
        config.site.is_public = false;
    })
    .await;
    let mut browser = server.stranger();
    // The login passes the wall of a site for its accounts alone.
    let begun = browser.post(CHALLENGE, &json!({})).await;
    assert_eq!(begun.status, 200, "{begun:?}");
    assert_eq!(begun.json()["options"]["rpId"], "play.example.org");
    let cookie = begun.header("set-cookie");
    assert!(cookie.starts_with("__Host-mawe_passkey="), "{cookie}");
    assert!(
        cookie.contains("; Secure") && cookie.contains("HttpOnly"),
        "{cookie}"
    );
    let registered = server.app().store.find_player_by_name("Amina").await;
    assert!(registered.expect("the store answers").is_none());
    let mut amina = server.account("Amina").await;
    let begun = amina
        .post(MY_CHALLENGE, &json!({ "password": PASSWORD }))
        .await;
    assert_eq!(begun.status, 200, "{begun:?}");
    let begun = begun.json();
    // The origin of a page on localhost is another one with every `Host`.
    let answer = device(&server).register(&begun["options"]);
    finish(&mut amina, &begun, "a phone", &answer)
        .await
        .bad_field("bad-passkey", "credential");
    let mut phone = Authenticator::new("https://play.example.org");
    let answer = phone.register(&begun["options"]);
    let made = finish(&mut amina, &begun, "a phone", &answer).await;
    assert_eq!(made.status, 201, "{made:?}");
    let entered = log_in(&mut browser, &mut phone).await;
    assert_eq!(entered.status, 200, "{entered:?}");
    // A page of another origin may not even ask.
    let request = server
        .stranger()
        .request(Method::POST, CHALLENGE)
        .json(&json!({}));
    let foreign = Answer::of(request.header("origin", "https://evil.example")).await;
    foreign.problem(403, "foreign-origin");
    server.stop().await;
}

#[tokio::test]
async fn an_address_that_floods_is_told_to_wait() {
    let server = TestServer::start_with(|config| {
        config.network.behind_proxy = true;
        config.rates.requests_per_minute = NonZeroU32::new(80).expect("not zero");
        config.rates.sign_ups_per_minute = NonZeroU32::new(3).expect("not zero");
    })
    .await;
    let from = async |person: &mut Person, address: &str, path: &str, body: &Value| {
        let request = on_localhost(person, Method::POST, path).json(body);
        person
            .send(request.header("x-forwarded-for", address))
            .await
    };
    // Challenges: as many as changes of any kind.
    let mut flooder = server.stranger();
    let mut refused = 0;
    for _ in 0..60 {
        let begun = from(&mut flooder, "203.0.113.1", CHALLENGE, &json!({})).await;
        if begun.status == 429 {
            begun.problem(429, "too-many-requests");
            refused += 1;
        }
    }
    assert!(refused >= 20, "{refused}");
    // Logins: as many as by the password, and counted with them.
    let body = json!({ "challenge": "", "credential": {} });
    let mut guesser = server.stranger();
    let mut statuses = Vec::new();
    for _ in 0..4 {
        let answer = from(&mut guesser, "203.0.113.2", LOGIN, &body).await;
        statuses.push(answer.status.as_u16());
    }
    assert_eq!(statuses, [409, 409, 409, 429]);
    let by_password = credentials("Nobody", PASSWORD);
    let refused = from(
        &mut server.stranger(),
        "203.0.113.2",
        "/api/v1/sessions",
        &by_password,
    )
    .await;
    refused.problem(429, "too-many-requests");
    let other = from(&mut server.stranger(), "203.0.113.3", LOGIN, &body).await;
    other.problem(409, "passkey-expired");
    server.stop().await;
}

/// Returns an answer with something wrong in it, drawn by `random`.
fn mutated(answer: &Value, random: &mut fastrand::Rng) -> Value {
    let mut text = answer.to_string();
    match random.u8(0..5) {
        // A character of some text is another.
        0 | 1 => {
            let at = random.usize(0..text.len());
            let with = random.choice(b"AZaz09-_=\"{}[]:,\\ ".as_slice()).copied();
            let mut bytes = text.clone().into_bytes();
            bytes[at] = with.unwrap_or(b'A');
            text = String::from_utf8(bytes).unwrap_or_default();
        }
        // A part is cut out.
        2 => {
            let (one, two) = (random.usize(0..text.len()), random.usize(0..text.len()));
            text.replace_range(one.min(two)..one.max(two), "");
        }
        // A field is of another kind, or gone.
        kind => {
            let mut changed = answer.clone();
            let pointers = [
                "/id",
                "/rawId",
                "/type",
                "/response",
                "/response/clientDataJSON",
                "/response/authenticatorData",
                "/response/attestationObject",
                "/response/signature",
                "/response/userHandle",
                "/response/transports",
                "/clientExtensionResults",
                "/authenticatorAttachment",
            ];
            let values = [
                json!(null),
                json!(1),
                json!(""),
                json!([]),
                json!({}),
                json!("A".repeat(5_000)),
                json!(true),
                json!("\u{0}é"),
                json!({ "prf": { "enabled": true, "results": { "first": "AA" } } }),
            ];
            let field = changed.pointer_mut(pointers[random.usize(0..pointers.len())]);
            if let Some(field) = field {
                *field = values[random.usize(0..values.len())].clone();
            } else if kind == 4 {
                changed["more"] = json!(1);
            }
            return changed;
        }
    }
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

#[tokio::test]
async fn no_mutated_answer_is_taken_and_none_is_a_fault_of_the_server() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let mut phone = device(&server);
    register(&mut amina, &mut phone, "a phone").await;
    let mut browser = server.stranger();
    let seed = fastrand::u64(..);
    let mut random = fastrand::Rng::with_seed(seed);
    let login = begin_login(&mut browser).await;
    let good_login = phone.log_in(&login["options"]);
    let begun = begin(&mut amina).await;
    let good = device(&server).register(&begun["options"]);
    // The parts that decide a login; one of the two ids is enough, and the other fields say nothing.
    let signed = |answer: &Value| {
        [
            "clientDataJSON",
            "authenticatorData",
            "signature",
            "userHandle",
        ]
        .map(|part| answer["response"][part].clone())
    };
    for _ in 0..400 {
        let answer = mutated(&good_login, &mut random);
        // The other parts may differ: the answer is the same then.
        if signed(&answer) != signed(&good_login) {
            let refused = finish_login(&mut browser, &login, &answer).await;
            assert_eq!(refused.status, 401, "seed {seed}: {answer} {refused:?}");
        }
        let answer = mutated(&good, &mut random);
        let body =
            json!({ "challenge": begun["challenge"], "name": "a key", "credential": answer });
        let answered = post(&mut amina, MINE, &body).await;
        let status = answered.status.as_u16();
        assert!(
            matches!(status, 201 | 409 | 422),
            "seed {seed}: {answer} {answered:?}"
        );
    }
    assert_eq!(
        finish_login(&mut browser, &login, &good_login).await.status,
        200
    );
    server.stop().await;
}
