//! The name and the end of an account, by its owner.

use mawe_server::clock::unix_ms;
use mawe_store::{AuditFilter, NAME_HELD_MS};
use serde_json::{Value, json};

use super::{bot_match, credentials};
use crate::common::socket::Socket;
use crate::common::{Answer, PASSWORD, Person, TestServer};

const ME: &str = "/api/v1/me";

async fn delete(person: &mut Person, password: &str) -> Answer {
    let request = person.request(reqwest::Method::DELETE, ME);
    person
        .send(request.json(&json!({ "password": password })))
        .await
}

async fn rename(person: &mut Person, name: &str) -> Answer {
    person
        .post("/api/v1/me/name", &json!({ "name": name }))
        .await
}

async fn register(server: &TestServer, name: &str) -> Answer {
    let body = credentials(name, PASSWORD);
    server.stranger().post("/api/v1/accounts", &body).await
}

#[tokio::test]
async fn an_owner_deletes_the_account_by_its_password() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let mut program = person.program(&["read", "play"]).await;
    let mut guest = server.guest().await;
    delete(&mut guest, PASSWORD)
        .await
        .problem(403, "account-needed");
    delete(&mut program, PASSWORD)
        .await
        .problem(403, "session-needed");
    let wrong = delete(&mut person, "not the password").await;
    wrong.problem(401, "wrong-credentials");
    let id = person
        .post("/api/v1/matches", &bot_match())
        .await
        .text("/id");
    // The opponent is owed the end of a match.
    let refused = delete(&mut person, PASSWORD).await;
    refused.problem(409, "matches-running");
    assert_eq!(person.name().await, "Amina");
    let path = format!("/api/v1/matches/{id}/commands");
    let command = |seq: u64, kind: &str| json!({ "client_id": kind, "seq": seq, "command": { "kind": kind } });
    let abort = person.post(&path, &command(0, "abort")).await;
    assert_eq!(abort.status, 200, "{abort:?}");

    let mut socket = Socket::open(&person).await;
    let gone = delete(&mut person, PASSWORD).await;
    assert_eq!(gone.status, 204, "{gone:?}");
    let cookie = gone.header("set-cookie");
    assert!(cookie.contains("mawe_session=;"), "{cookie}");
    let (_, code) = socket.rest().await;
    assert_eq!(code, Some(1000));
    program.get(ME).await.problem(401, "bad-token");
    let old = server.stranger().get("/api/v1/players/Amina").await;
    old.problem(404, "not-found");
    let body = credentials("Amina", PASSWORD);
    let log_in = server.stranger().post("/api/v1/sessions", &body).await;
    log_in.problem(401, "wrong-credentials");
    // Its match stays, without the name.
    let seen = server
        .stranger()
        .get(&format!("/api/v1/matches/{id}"))
        .await;
    let name = seen.text("/seats/first/player/name");
    assert!(name.starts_with("deleted-"), "{name}");
    // The log names the owner as the author.
    let all = AuditFilter::default();
    let log = server.app().store.audit(&all, None, 1).await;
    let log = log.expect("the store answers");
    assert_eq!(log[0].action, "delete");
    assert_eq!(log[0].actor, log[0].about);
    assert!(log[0].actor.is_some());
    assert_eq!(register(&server, "Amina").await.status, 201);
    server.stop().await;
}

#[tokio::test]
async fn an_account_in_a_rated_match_is_deleted_after_its_end() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let mut zofia = server.account("Zofia").await;
    let id = amina.play_with(&mut zofia, "first", true).await;
    let refused = delete(&mut amina, PASSWORD).await;
    refused.problem(409, "matches-running");
    assert_eq!(amina.name().await, "Amina", "nothing half done");
    let path = format!("/api/v1/matches/{id}");
    // From the second move of each on a match counts.
    for seq in 0..4 {
        let person = if seq % 2 == 0 { &mut amina } else { &mut zofia };
        let legal = person.get(&path).await.json()["legal"][0].clone();
        let command = json!({ "kind": "move", "ply": seq, "move": legal });
        let body = json!({ "client_id": format!("move-{seq}"), "seq": seq, "command": command });
        let moved = person.post(&format!("{path}/commands"), &body).await;
        assert_eq!(moved.status, 200, "{moved:?}");
    }
    let body = json!({ "client_id": "end", "seq": 4, "command": { "kind": "resign" } });
    let ended = amina.post(&format!("{path}/commands"), &body).await;
    assert_eq!(ended.status, 200, "{ended:?}");
    let gone = delete(&mut amina, PASSWORD).await;
    assert_eq!(gone.status, 204, "{gone:?}");
    let seen = zofia.get(&path).await;
    assert!(
        seen.text("/seats/first/player/name")
            .starts_with("deleted-")
    );
    assert_eq!(seen.text("/result/winner"), "second");
    server.stop().await;
}

#[tokio::test]
async fn a_stolen_session_does_not_guess_the_password_by_deleting() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    for _ in 0..5 {
        let wrong = delete(&mut person, "not the password").await;
        wrong.problem(401, "wrong-credentials");
    }
    let refused = delete(&mut person, PASSWORD).await;
    refused.problem(429, "too-many-requests");
    assert_eq!(person.name().await, "Amina");
    server.stop().await;
}

#[tokio::test]
async fn an_owner_renames_the_account_and_the_old_name_leads_to_the_new_one() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    server.account("Baraka").await;
    let own = person.get("/api/v1/me/name").await.json();
    assert_eq!(own, json!({ "name": "Amina", "not_before": Value::Null }));
    for bad in ["a", "mawe-Kete", "Admin"] {
        rename(&mut person, bad).await.bad_field("bad-name", "name");
    }
    rename(&mut person, "baraka")
        .await
        .problem(409, "name-taken");
    let id = person
        .post("/api/v1/matches", &bot_match())
        .await
        .text("/id");
    let renamed = rename(&mut person, "Bahati").await;
    assert_eq!(renamed.status, 200, "{renamed:?}");
    assert_eq!(renamed.json()["player"]["name"], "Bahati");
    assert_eq!(person.name().await, "Bahati");
    // A running match has the new name at once.
    let seen = server
        .stranger()
        .get(&format!("/api/v1/matches/{id}"))
        .await;
    assert_eq!(seen.text("/seats/first/player/name"), "Bahati");

    let early = rename(&mut person, "Chiku")
        .await
        .problem(409, "renamed-lately");
    let detail = early["detail"].as_str().expect("a text");
    let own = person.get("/api/v1/me/name").await.json();
    let from: jiff::Timestamp = own["not_before"]
        .as_str()
        .expect("a time")
        .parse()
        .expect("one");
    assert!(detail.contains(&format!("{from:.0}")), "{detail} {from}");
    let wait_ms = from.as_millisecond() - unix_ms();
    assert!(
        (NAME_HELD_MS - 600_000..=NAME_HELD_MS).contains(&wait_ms),
        "{wait_ms}"
    );

    for name in ["Amina", "AMINA"] {
        register(&server, name).await.problem(409, "name-taken");
        let mut guest = server.guest().await;
        let taken = guest
            .post("/api/v1/accounts", &credentials(name, PASSWORD))
            .await;
        taken.problem(409, "name-taken");
    }
    let mut other = server.account("Zofia").await;
    rename(&mut other, "Amina").await.problem(409, "name-taken");
    // Both addresses of the old name lead on, and no cache keeps that.
    let client = crate::common::http_client().redirect(reqwest::redirect::Policy::none());
    let client = client.build().expect("a client");
    for (path, to) in [
        ("/api/v1/players/amina", "/api/v1/players/Bahati"),
        ("/player/Amina?lang=pl", "/player/Bahati?lang=pl"),
        ("/player/Amina/report", "/player/Bahati/report"),
    ] {
        let url = format!("http://{}{path}", server.address);
        let moved = client.get(url).send().await.expect("an answer");
        assert_eq!(moved.status(), 308, "{path}");
        assert_eq!(moved.headers()["location"], to);
        assert_eq!(moved.headers()["cache-control"], "no-store");
    }
    let nobody = server.stranger().get("/api/v1/players/Nobody").await;
    nobody.problem(404, "not-found");
    // The login is by the new name.
    let body = credentials("Amina", PASSWORD);
    let log_in = server.stranger().post("/api/v1/sessions", &body).await;
    log_in.problem(401, "wrong-credentials");
    let body = credentials("Bahati", PASSWORD);
    let log_in = server.stranger().post("/api/v1/sessions", &body).await;
    assert_eq!(log_in.status, 200);
    server.stop().await;
}
