//! Display names: set with an account, refused with a reason, seen beside the name in addresses wherever a player is named.

use mawe_server::clock::unix_ms;
use mawe_server::identity::refused_names::RefusedNames;
use mawe_store::DISPLAY_NAME_PERIOD_MS;
use mawe_wire::grants::Grant;
use reqwest::Method;
use serde_json::{Value, json};

use crate::common::socket::Socket;
use crate::common::{Answer, PASSWORD, Person, TestServer};
use crate::moderation::{granted, resolve, taken};
use crate::push::daily;

const PATH: &str = "/api/v1/me/display-name";

async fn set(person: &mut Person, name: &str) -> Answer {
    let request = person.request(Method::PUT, PATH);
    let body = json!({ "display_name": name });
    person.send(request.json(&body)).await
}

/// Sets a name that can be set.
async fn named(person: &mut Person, name: &str) {
    let set = set(person, name).await;
    assert_eq!(set.status, 200, "{set:?}");
    assert_eq!(set.json()["player"]["display_name"], name);
}

/// Checks that a name is refused with this reason and this advice.
async fn refused(person: &mut Person, name: &str, why: &str, advice: &str) {
    let answer = set(person, name).await;
    answer.bad_field("bad-name", "display_name");
    let problem = answer.json();
    assert_eq!(problem["why"], why, "{name:?}: {problem}");
    let detail = problem["detail"].as_str().expect("a text");
    assert!(detail.contains(advice), "{name:?}: {detail}");
}

async fn register(server: &TestServer, name: &str) -> Answer {
    let body = json!({ "name": name, "password": PASSWORD });
    server.stranger().post("/api/v1/accounts", &body).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_display_name_is_set_and_removed_and_seen_wherever_the_player_is_named() {
    let server = TestServer::start().await;
    let (mut ammu, mut baraka) = (server.account("ammu").await, server.account("Baraka").await);
    let mut moderator = granted(&server, "Mwalimu", Grant::Moderator).await;
    let none = json!({ "display_name": null, "not_before": null, "available": true });
    assert_eq!(ammu.get(PATH).await.json(), none);
    let id = daily(&mut ammu, &mut baraka).await;
    let mut watcher = Socket::open(&server.stranger()).await;
    let before = watcher.joined(&id).await;
    assert_eq!(before.view.seats.first.player.look.display_name, None);

    let trimmed = set(&mut ammu, "  അമ്മു ").await;
    assert_eq!(
        trimmed.json()["player"]["display_name"],
        "അമ്മു",
        "{trimmed:?}"
    );
    let own = ammu.get(PATH).await.json();
    assert_eq!(own["display_name"], "അമ്മു");
    // A running match has it at once.
    let after = watcher.snapshot().await;
    assert_eq!(
        after.view.seats.first.player.look.display_name.as_deref(),
        Some("അമ്മു")
    );
    let shown = json!({ "name": "ammu", "kind": "account", "display_name": "അമ്മു" });
    let followed = baraka
        .post("/api/v1/me/follows", &json!({ "player": "ammu" }))
        .await;
    assert!(followed.status.is_success(), "{followed:?}");
    let club = json!({ "handle": "club-1", "name": "Kilabu", "joining": "open" });
    assert_eq!(ammu.post("/api/v1/clubs", &club).await.status, 201);
    let control = json!({ "kind": "correspondence", "days": 3 });
    let offer = json!({ "game": "oware", "to": "Baraka", "time_control": control });
    let offered = ammu.post("/api/v1/challenges", &offer).await;
    assert_eq!(offered.status, 201, "{offered:?}");
    taken(&mut baraka, &mut moderator, "ammu").await;
    for (person, path, pointer) in [
        (&ammu, "/api/v1/me", "/player"),
        (&baraka, "/api/v1/players/ammu", "/player"),
        (&baraka, "/api/v1/players?search=അമ്", "/items/0"),
        (&baraka, "/api/v1/players?search=amm", "/items/0"),
        (&baraka, "/api/v1/me/matches", "/items/0/seats/first/player"),
        (&baraka, "/api/v1/me/follows", "/items/0/player"),
        (&baraka, "/api/v1/me/challenges", "/incoming/0/challenger"),
        (&baraka, "/api/v1/me/notices", "/items/0/by"),
        (&baraka, "/api/v1/clubs/club-1", "/founder"),
        (&baraka, "/api/v1/clubs/club-1/members", "/items/0/player"),
        (
            &moderator,
            "/api/v1/moderation/reports",
            "/items/0/reported",
        ),
        (
            &moderator,
            "/api/v1/moderation/audit?about=ammu",
            "/items/0/about",
        ),
    ] {
        let answer = person.get(path).await.json();
        assert_eq!(answer.pointer(pointer), Some(&shown), "{path}: {answer}");
    }
    // The record of a match has the name in addresses, which programs know.
    let record = baraka.get(&format!("/api/v1/matches/{id}/export")).await;
    let text = String::from_utf8_lossy(&record.body).into_owned();
    assert!(text.contains("ammu"), "{text}");

    let removed = ammu.delete(PATH).await;
    assert_eq!(removed.status, 200, "{removed:?}");
    let plain = json!({ "name": "ammu", "kind": "account" });
    assert_eq!(removed.json()["player"], plain);
    assert_eq!(ammu.delete(PATH).await.json()["player"], plain);
    assert_eq!(ammu.get(PATH).await.json(), none);
    let seen = baraka.get(&format!("/api/v1/matches/{id}")).await;
    assert_eq!(seen.json()["seats"]["first"]["player"], plain);
    let mut guest = server.guest().await;
    set(&mut guest, "Mgeni")
        .await
        .problem(403, "account-needed");
    guest.delete(PATH).await.problem(403, "account-needed");
    server.stop().await;
}

#[tokio::test]
async fn each_fault_of_a_display_name_has_its_answer() {
    let list = RefusedNames::parse("klops\nകഴുത\n").expect("a list");
    let server = TestServer::start_with(|config| config.refused_names = list).await;
    let mut person = server.account("Amina").await;
    for (name, why, advice) in [
        ("", "length", "1 to 24"),
        ("   ", "length", "1 to 24"),
        (&*"ż".repeat(25), "length", "1 to 24"),
        (&*"\u{301}".repeat(8_000 / 2), "length", "1 to 24"),
        ("zero\u{200B}width", "character", "U+200B"),
        ("joi\u{200D}ned", "character", "U+200D"),
        ("abc\u{202E}cba", "character", "U+202E"),
        ("abc\u{200F}", "character", "U+200F"),
        ("iso\u{2067}late", "character", "U+2067"),
        ("soft\u{AD}hyphen", "character", "U+00AD"),
        ("nul\0", "character", "U+0000"),
        ("line\nbreak", "character", "U+000A"),
        ("<b>bold</b>", "character", "U+003C"),
        ("crown \u{1F451}", "character", "U+1F451"),
        ("a\u{301}\u{302}\u{303}\u{304}\u{305}bc", "marks", "marks"),
        ("two  spaces", "spaces", "one space"),
        ("12345", "no-letter", "a letter"),
        ("P\u{430}blo", "scripts", "one script"),
        ("Ammu അമ്മു", "scripts", "one script"),
        ("\u{430}dmin", "scripts", "one script"),
        ("admin", "reserved", "reserved"),
        ("The Moderator", "reserved", "reserved"),
        ("Właściciel", "reserved", "reserved"),
        ("അഡ്മിൻ", "reserved", "reserved"),
        ("Guest 7", "reserved", "reserved"),
        ("Klops", "refused", "operator"),
        ("K1ops 7", "refused", "operator"),
        ("കഴുത", "refused", "operator"),
    ] {
        refused(&mut person, name, why, advice).await;
    }
    let request = person.request(Method::PUT, PATH);
    let wrong = person
        .send(request.json(&json!({ "display_name": "x", "name": "y" })))
        .await;
    wrong.problem(422, "bad-field");
    let request = person.request(Method::PUT, PATH);
    let wrong = person
        .send(request.json(&json!({ "display_name": 3 })))
        .await;
    wrong.problem(422, "bad-field");
    assert_eq!(person.get(PATH).await.json()["display_name"], Value::Null);
    // The list holds for the names of accounts and clubs as well.
    register(&server, "K1ops")
        .await
        .bad_field("bad-name", "name");
    let rename = person
        .post("/api/v1/me/name", &json!({ "name": "klops-7" }))
        .await;
    rename.bad_field("bad-name", "name");
    for (handle, name, field) in [("klops", "Kilabu", "handle"), ("kilabu", "Klops!", "name")] {
        let club = json!({ "handle": handle, "name": name });
        person
            .post("/api/v1/clubs", &club)
            .await
            .bad_field("bad-name", field);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_name_that_looks_like_another_is_refused() {
    let server = TestServer::start().await;
    let (mut amina, mut zofia) = (server.account("Amina").await, server.account("Zofia").await);
    let mut other = server.account("Other").await;
    named(&mut zofia, "Łukasz").await;
    for name in [
        "Amina",
        "Arnina",
        "A m i n a",
        "Am1na",
        "\u{141}UKASZ",
        "zofia",
    ] {
        let refused = set(&mut other, name).await;
        refused.problem(409, "name-looks-alike");
    }
    // All of it Cyrillic.
    named(&mut zofia, "\u{440}\u{430}\u{441}\u{435}").await;
    set(&mut other, "pace")
        .await
        .problem(409, "name-looks-alike");
    register(&server, "Pace")
        .await
        .problem(409, "name-looks-alike");
    let rename = amina
        .post("/api/v1/me/name", &json!({ "name": "PACE" }))
        .await;
    rename.problem(409, "name-looks-alike");
    // Names in addresses that look alike.
    for name in ["Arnina", "Am1na", "A-mina", "z0fia"] {
        register(&server, name)
            .await
            .problem(409, "name-looks-alike");
    }
    register(&server, "AMINA").await.problem(409, "name-taken");
    // One that was just given up is held for its owner.
    zofia.delete(PATH).await;
    set(&mut other, "Pace")
        .await
        .problem(409, "name-looks-alike");
    register(&server, "pace")
        .await
        .problem(409, "name-looks-alike");
    server.stop().await;
}

#[tokio::test]
async fn a_display_name_is_set_three_times_in_a_month() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    for name in ["One", "Two", "Three"] {
        named(&mut person, name).await;
    }
    let problem = set(&mut person, "Four")
        .await
        .problem(409, "renamed-lately");
    let own = person.get(PATH).await.json();
    let from: jiff::Timestamp = own["not_before"]
        .as_str()
        .expect("a time")
        .parse()
        .expect("one");
    let detail = problem["detail"].as_str().expect("a text");
    assert!(detail.contains(&format!("{from:.0}")), "{detail} {from}");
    let wait_ms = from.as_millisecond() - unix_ms();
    let bounds = DISPLAY_NAME_PERIOD_MS - 600_000..=DISPLAY_NAME_PERIOD_MS;
    assert!(bounds.contains(&wait_ms), "{wait_ms}");
    assert_eq!(person.delete(PATH).await.status, 200);
    server.stop().await;
}

#[tokio::test]
async fn a_moderator_removes_a_display_name_and_its_owner_is_told() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let mut zofia = server.account("Zofia").await;
    let mut moderator = granted(&server, "Mwalimu", Grant::Moderator).await;
    let path = taken(&mut amina, &mut moderator, "Zofia").await;
    let body = json!({ "action": "remove-display-name", "why": "it misleads" });
    // There is none.
    resolve(&mut moderator, &path, &body)
        .await
        .problem(409, "cannot-change");
    named(&mut zofia, "Klops").await;
    let wrong = json!({ "action": "remove-display-name", "why": "x", "name": "Y" });
    resolve(&mut moderator, &path, &wrong)
        .await
        .bad_field("bad-name", "name");
    let done = resolve(&mut moderator, &path, &body).await;
    assert_eq!(done.status, 200, "{done:?}");
    let report = done.json();
    assert_eq!(
        report["reported"],
        json!({ "name": "Zofia", "kind": "account" })
    );
    assert_eq!(report["resolved"]["action"], "remove-display-name");
    let own = zofia.get(PATH).await.json();
    assert_eq!(own["display_name"], Value::Null);
    assert!(own["not_before"].is_string(), "{own}");
    set(&mut zofia, "Klops")
        .await
        .problem(409, "renamed-lately");
    let notices = zofia.get("/api/v1/me/notices").await.json();
    assert_eq!(notices["items"][0]["kind"], "display-name-removed");
    assert_eq!(notices["items"][0]["text"], "it misleads");
    let decisions = zofia.get("/api/v1/me/decisions").await.json();
    assert_eq!(decisions["items"][0]["action"], "remove-display-name");
    let log = moderator
        .get("/api/v1/moderation/audit?about=zofia")
        .await
        .json();
    let lines: Vec<&str> = log["items"]
        .as_array()
        .expect("items")
        .iter()
        .filter_map(|line| line["action"].as_str())
        .collect();
    assert_eq!(
        lines,
        [
            "remove-display-name",
            "uphold-report",
            "set-display-name",
            "take-report"
        ]
    );
    // The appeal is right: the owner may set one again.
    let id = report["id"].as_str().expect("an id");
    let appeal = json!({ "text": "it is a dish" });
    let made = zofia
        .post(&format!("/api/v1/me/decisions/{id}/appeal"), &appeal)
        .await;
    assert!(made.status.is_success(), "{made:?}");
    let mut second = granted(&server, "Bwana", Grant::Moderator).await;
    let decided = second
        .post(
            &format!("/api/v1/moderation/reports/{id}/appeal"),
            &json!({ "accept": true, "note": "so it is" }),
        )
        .await;
    assert_eq!(decided.status, 200, "{decided:?}");
    named(&mut zofia, "Klops").await;
    server.stop().await;
}

#[tokio::test]
async fn pupils_of_a_class_have_no_display_names_and_bot_accounts_may() {
    let server = TestServer::start().await;
    let mut teacher = granted(&server, "Mwalimu", Grant::Teacher).await;
    let class = json!({ "handle": "class-4b", "name": "Class 4b", "kind": "class" });
    assert_eq!(teacher.post("/api/v1/clubs", &class).await.status, 201);
    let pupils = json!({ "pupils": [{ "real_name": "Juma", "name": "Simba7" }] });
    let made = teacher.post("/api/v1/clubs/class-4b/pupils", &pupils).await;
    assert_eq!(made.status, 201, "{made:?}");
    let code = made.text("/cards/0/code");
    let mut pupil = server.stranger();
    let begun = pupil
        .post(
            "/api/v1/login-cards",
            &json!({ "code": code, "new_password": PASSWORD }),
        )
        .await;
    assert!(begun.status.is_success(), "{begun:?}");
    assert_eq!(pupil.get(PATH).await.json()["available"], false);
    set(&mut pupil, "Juma").await.problem(409, "pupil-account");
    assert_eq!(pupil.get(PATH).await.json()["display_name"], Value::Null);
    // A name of a pupil that looks like another is a fault of its line.
    let pupils = json!({ "pupils": [{ "real_name": "Asha", "name": "S1mba7" }] });
    let fault = teacher.post("/api/v1/clubs/class-4b/pupils", &pupils).await;
    let fault = fault.problem(422, "bad-pupils");
    assert_eq!(fault["lines"][0]["fault"], "name-taken", "{fault}");

    let mut program = granted(&server, "program", Grant::Bot).await;
    named(&mut program, "Programu Yangu").await;
    server.stop().await;
}
