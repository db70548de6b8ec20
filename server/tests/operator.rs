//! The operator's page over HTTP. Its rights are in the table of `roles.rs`.

use futures_util::future::join_all;
use mawe_server::clock::unix_ms;
use mawe_server::identity::sessions;
use mawe_store::NewSession;
use mawe_wire::grants::Grant;
use serde_json::{Value, json};

use crate::common::play::Pair;
use crate::common::process::{Process, mawe, run};
use crate::common::{PASSWORD, Person, TestServer, eventually};
use crate::moderation::granted;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Creates an account, and grants it `operator` by the command line, as an operator does.
async fn operator(address: std::net::SocketAddr, data: &std::path::Path) -> Person {
    let mut person = Person::at(address);
    let account = json!({ "name": "Mjuzi", "password": PASSWORD });
    let made = person.post("/api/v1/accounts", &account).await;
    assert_eq!(made.status, 201, "{made:?}");
    let mut command = mawe(["admin", "--data-dir"]);
    command
        .arg(data)
        .args(["grant", "Mjuzi", "operator", "--why", "it is me"]);
    run(command).await.result();
    person
}

async fn start(data: &std::path::Path, options: &[&str]) -> Process {
    let mut command = mawe(["--listen", "127.0.0.1:0", "--bots", "1"]);
    command.args(options).arg("--data-dir").arg(data);
    Process::of(command).await
}

#[tokio::test]
async fn the_operator_sees_the_state_the_options_and_the_log_and_no_secret() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let secret = "a-token-that-nobody-sees";
    let options = [
        "--operator-page",
        "--metrics",
        "same",
        "--metrics-token",
        secret,
    ];
    let process = start(directory.path(), &options).await;
    let person = operator(process.address, directory.path()).await;
    let me = person.get("/api/v1/me").await.json();
    assert_eq!(
        (&me["operator"], &me["moderator"]),
        (&json!(true), &json!(false))
    );

    let status = person.get("/api/v1/operator/status").await.json();
    let mut command = mawe(["status", "--json", "--data-dir"]);
    command.arg(directory.path());
    let printed: Value = serde_json::from_str(&run(command).await.result()).expect("JSON");
    for name in ["version", "database", "ready", "connections_limit", "nodes"] {
        assert_eq!(
            status[name], printed[name],
            "{name} is that of `mawe status`"
        );
    }

    let settings = person.get("/api/v1/operator/settings").await;
    let text = String::from_utf8(settings.body.clone()).expect("text");
    assert!(!text.contains(secret), "{text}");
    let settings = settings.json();
    let setting = |name: &str| {
        let items = settings["items"].as_array().expect("items");
        let found = items.iter().find(|item| item["name"] == name);
        found.unwrap_or_else(|| panic!("no {name}")).clone()
    };
    let expected = |value: Value, source: &str, is_secret: bool| json!({ "value": value, "source": source, "is_secret": is_secret });
    for (name, expected) in [
        ("metrics", expected(json!("same"), "command-line", false)),
        ("metrics-token", expected(Value::Null, "command-line", true)),
        (
            "operator-page",
            expected(json!("true"), "command-line", false),
        ),
        (
            "sign-ups-per-minute",
            expected(
                setting("sign-ups-per-minute")["value"].clone(),
                "default",
                false,
            ),
        ),
        ("worker-key", expected(Value::Null, "default", true)),
    ] {
        let mut found = setting(name);
        found.as_object_mut().expect("an object").remove("name");
        assert_eq!(found, expected, "{name}");
    }

    let audit = person.get("/api/v1/operator/audit").await.json();
    assert_eq!(audit["items"][0]["action"], "grant", "{audit}");
    assert_eq!(audit["items"][0]["why"], "it is me", "{audit}");
    let accounts = "/api/v1/operator/accounts";
    let found = person
        .get(&format!("{accounts}?grant=operator&search=MJU"))
        .await
        .json();
    assert_eq!(found["items"][0]["name"], "Mjuzi", "{found}");
    assert_eq!(found["items"][0]["grants"], json!(["operator"]), "{found}");
    for (query, field) in [("grant=king", "grant"), ("limit=0", "limit")] {
        let refused = person.get(&format!("{accounts}?{query}")).await;
        refused.bad_field("bad-filter", field);
    }
    let long = "x".repeat(200);
    person
        .get(&format!("{accounts}?search={long}"))
        .await
        .bad_field("bad-filter", "search");
    let jobs = person.get("/api/v1/operator/jobs").await.json();
    assert_eq!(jobs["levels"].as_array().map(Vec::len), Some(10), "{jobs}");

    // The page changes nothing, and the grant gives no right of a moderator.
    let refused = person.get("/api/v1/moderation/reports").await;
    refused.problem(403, "moderators-only");
    for path in ["status", "pulse", "accounts", "jobs", "settings", "audit"] {
        let mut person = person.clone();
        let path = format!("/api/v1/operator/{path}");
        let refused = person.post(&path, &json!({})).await;
        refused.problem(405, "method-not-allowed");
    }
    assert_eq!(process.stop("TERM").await, Some(0));
}

#[tokio::test]
async fn without_the_option_there_is_no_page_for_anybody() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let process = start(directory.path(), &[]).await;
    let person = operator(process.address, directory.path()).await;
    let me = person.get("/api/v1/me").await.json();
    assert_eq!(me["operator"], false);
    for path in ["status", "pulse", "accounts", "jobs", "settings", "audit"] {
        let hidden = person.get(&format!("/api/v1/operator/{path}")).await;
        hidden.problem(404, "not-found");
    }
    assert_eq!(process.stop("TERM").await, Some(0));
}

#[tokio::test]
async fn a_session_of_yesterday_has_to_log_in_again() {
    let server = TestServer::start_with(|config| config.operator_page = true).await;
    granted(&server, "Mjuzi", Grant::Operator).await;
    let store = &server.app().store;
    let found = store.find_player_by_name("Mjuzi").await;
    let player = found.expect("the store answers").expect("an account").id;
    for (age_ms, expected) in [
        (0, 200),
        (DAY_MS / 2 - 60_000, 200),
        (DAY_MS / 2 + 60_000, 403),
        (DAY_MS, 403),
    ] {
        let (token, hash) = sessions::draw();
        let created_ms = unix_ms() - age_ms;
        let session = NewSession {
            hash,
            player: player.clone(),
            label: String::new(),
            created_ms,
            expires_ms: created_ms + sessions::LIFETIME_DAYS * DAY_MS,
        };
        store
            .create_session(&session)
            .await
            .expect("the store answers");
        let mut person = server.stranger();
        person.token = Some(token);
        let answer = person.get("/api/v1/operator/jobs").await;
        assert_eq!(answer.status, expected, "{age_ms}: {answer:?}");
        if expected == 403 {
            answer.problem(403, "log-in-again");
            assert_eq!(
                person.get("/api/v1/me").await.status,
                200,
                "it is a session still"
            );
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn the_numbers_of_the_charts_rise_with_what_happens() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let process = start(directory.path(), &["--operator-page"]).await;
    let person = operator(process.address, directory.path()).await;
    let pulse = async || person.get("/api/v1/operator/pulse").await.json();
    let number = |pulse: &Value, name: &str| pulse[name].as_f64().expect("a number");
    let before = pulse().await;
    let people = [
        Person::guest_at(process.address).await,
        Person::guest_at(process.address).await,
    ];
    let mut pair = Pair::of(people, false).await;
    pair.plies(4).await;
    let after = pulse().await;
    assert!(
        number(&after, "moves") - number(&before, "moves") >= 4.0,
        "{after}"
    );
    assert!(
        number(&after, "requests") > number(&before, "requests"),
        "{after}"
    );
    assert!(
        number(&after, "commits") > number(&before, "commits"),
        "{after}"
    );
    assert!(number(&after, "commit_seconds") > 0.0, "{after}");
    assert!(
        number(&after, "sockets") >= 2.0 && number(&after, "rooms") >= 1.0,
        "{after}"
    );
    assert_eq!(after["started_at"], before["started_at"]);
    assert_eq!(after["node"], Value::Null);
    assert_eq!(process.stop("TERM").await, Some(0));
}

#[tokio::test]
async fn many_pages_at_once_share_the_readings_and_others_go_on() {
    let server = TestServer::start_with(|config| {
        config.operator_page = true;
        config.rates.requests_per_minute = 1_000_000.try_into().expect("not zero");
    })
    .await;
    let person = granted(&server, "Mjuzi", Grant::Operator).await;
    let asking = (0..200).map(|_| person.get("/api/v1/operator/pulse"));
    let other = server.stranger();
    let (answers, elsewhere) = tokio::join!(join_all(asking), other.get("/api/v1/games"));
    assert_eq!(elsewhere.status, 200, "{elsewhere:?}");
    assert!(
        answers.iter().any(|answer| answer.status == 200),
        "nobody was answered"
    );
    for answer in answers {
        // Two readings at a time; a caller that waits too long gets an error.
        let status = answer.status.as_u16();
        assert!([200, 429, 503].contains(&status), "{answer:?}");
    }
    // Nothing is left of the flood.
    eventually("a reading", async || {
        let answer = person.get("/api/v1/operator/pulse").await;
        (answer.status == 200).then_some(())
    })
    .await;
    server.stop().await;
}
