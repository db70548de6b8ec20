//! Classes over HTTP: pupils, login cards, rules.

use std::num::NonZeroU32;

use mawe_store::{AccountChange, Attribution};
use mawe_wire::grants::Grant;
use reqwest::Method;
use serde_json::{Value, json};

use crate::common::socket::Socket;
use crate::common::{Answer, PASSWORD, Person, TestServer};

const CLASS: &str = "/api/v1/clubs/class-4b";
const NEW_PASSWORD: &str = "korosho na maembe";

async fn granted(server: &TestServer, name: &str, grant: Grant) -> Person {
    let person = server.account(name).await;
    let store = &server.app().store;
    let found = store.find_player_by_name(name).await;
    let id = found.expect("it answers").expect("an account").id;
    let by = Attribution {
        by: None,
        why: String::new(),
        at_ms: 1,
    };
    let change = AccountChange::Grant(grant);
    let changed = store.change_account(&id, &change, &by);
    changed.await.expect("it can be granted");
    person
}

/// Founds the class of a new teacher.
async fn class(server: &TestServer) -> Person {
    let mut teacher = granted(server, "Mwalimu", Grant::Teacher).await;
    let new = json!({ "handle": "class-4b", "name": "Class 4b", "kind": "class" });
    let founded = teacher.post("/api/v1/clubs", &new).await;
    assert_eq!(founded.status, 201, "{founded:?}");
    let founded = founded.json();
    assert_eq!(
        (&founded["kind"], &founded["joining"]),
        (&json!("class"), &json!("invitation"))
    );
    let none =
        json!({ "outsiders": false, "phrases": false, "spectators": false, "profiles": false });
    assert_eq!(founded["class"]["rules"], none);
    teacher
}

/// Makes pupils of these account names; returns the codes of their cards.
async fn pupils(teacher: &mut Person, names: &[&str]) -> Vec<String> {
    let wishes: Vec<Value> = names
        .iter()
        .map(|name| json!({ "real_name": format!("Real {name}"), "name": name }))
        .collect();
    let made = teacher
        .post(&format!("{CLASS}/pupils"), &json!({ "pupils": wishes }))
        .await;
    codes(&made)
}

#[track_caller]
fn codes(made: &Answer) -> Vec<String> {
    assert_eq!(made.status, 201, "{made:?}");
    let cards = made.json();
    let cards = cards["cards"].as_array().expect("cards").iter();
    let code = |card: &Value| card["code"].as_str().expect("a code").to_owned();
    cards.map(code).collect()
}

async fn use_card(person: &mut Person, code: &str) -> Answer {
    let given = json!({ "code": code, "new_password": NEW_PASSWORD });
    person.post("/api/v1/login-cards", &given).await
}

/// Logs a new browser in by a card.
async fn log_in(server: &TestServer, code: &str) -> Person {
    let mut person = server.stranger();
    let used = use_card(&mut person, code).await;
    assert_eq!(used.status, 200, "{used:?}");
    person
}

async fn with(person: &mut Person, method: Method, path: &str, body: &Value) -> Answer {
    let request = person.request(method, path).json(body);
    person.send(request).await
}

#[tokio::test]
async fn a_list_of_pupils_is_made_whole_or_its_faults_are_told() {
    let server = TestServer::start().await;
    let mut player = server.account("Asha").await;
    let new = json!({ "handle": "mine", "name": "My class", "kind": "class" });
    let refused = player.post("/api/v1/clubs", &new).await;
    refused.problem(403, "teachers-only");
    let mut teacher = class(&server).await;

    let long = "a".repeat(61);
    let lines = json!([
        { "real_name": "Neema" },
        { "real_name": "  " },
        { "real_name": "NEEMA" },
        { "real_name": long },
        { "real_name": "Juma\nMwinyi" },
        { "real_name": "Baraka", "name": "-" },
        { "real_name": "Chiku", "name": "asha" },
    ]);
    let path = format!("{CLASS}/pupils");
    let answer = teacher.post(&path, &json!({ "pupils": lines })).await;
    answer.problem(422, "bad-pupils");
    let told = json!([
        { "line": 2, "fault": "empty" },
        { "line": 3, "fault": "twice" },
        { "line": 4, "fault": "too-long" },
        { "line": 5, "fault": "bad-text" },
        { "line": 6, "fault": "bad-name", "name": "-" },
    ]);
    assert_eq!(answer.json()["lines"], told);
    let taken =
        json!({ "pupils": [{ "real_name": "Neema" }, { "real_name": "Chiku", "name": "asha" }] });
    let answer = teacher.post(&path, &taken).await;
    answer.problem(422, "bad-pupils");
    let told = json!([{ "line": 2, "fault": "name-taken", "name": "asha" }]);
    assert_eq!(answer.json()["lines"], told);
    assert_eq!(teacher.get(CLASS).await.json()["class"]["pupils"], 0);

    // Names that a reader takes for the same.
    let twins = json!({ "pupils": [{ "real_name": "Jan Weiß" }, { "real_name": "JAN WEISS" }] });
    let answer = teacher.post(&path, &twins).await;
    answer.problem(422, "bad-pupils");
    assert_eq!(
        answer.json()["lines"],
        json!([{ "line": 2, "fault": "twice" }])
    );

    // A whole school of the longest names, and account names that say nothing about the children.
    let long = "\u{d05}".repeat(50);
    let names: Vec<Value> = (0..500)
        .map(|number| json!({ "real_name": format!("Child {number:03} {long}") }))
        .collect();
    // With an empty line and a child that stands there twice, nothing of it is made.
    let mut faulty = names.clone();
    faulty[250] = json!({ "real_name": "" });
    faulty[499] = names[3].clone();
    let answer = teacher.post(&path, &json!({ "pupils": faulty })).await;
    answer.problem(422, "bad-pupils");
    let told = json!([{ "line": 251, "fault": "empty" }, { "line": 500, "fault": "twice" }]);
    assert_eq!(answer.json()["lines"], told);
    assert_eq!(teacher.get(CLASS).await.json()["class"]["pupils"], 0);
    let huge = json!({ "pupils": [{ "real_name": "a".repeat(300 * 1024) }] });
    teacher.post(&path, &huge).await.problem(413, "too-large");
    player
        .post(&path, &huge)
        .await
        .problem(403, "officers-only");
    let made = teacher.post(&path, &json!({ "pupils": names })).await;
    assert_eq!(codes(&made).len(), 500);
    let card = &made.json()["cards"][0];
    let name = card["player"]["name"].as_str().expect("a name");
    assert!(!name.to_lowercase().contains("child"), "{name}");
    let again = json!({ "pupils": [{ "real_name": "One more" }] });
    let refused = teacher.post(&path, &again).await;
    refused.problem(409, "class-full");
    for wrong in [
        json!({ "pupils": [] }),
        json!({ "pupils": again["pupils"], "days": 91 }),
    ] {
        teacher.post(&path, &wrong).await.problem(422, "bad-range");
    }

    let (mut cursor, mut read) = (String::new(), Vec::new());
    loop {
        let page = teacher.get(&format!("{path}?limit=100{cursor}")).await;
        let page = page.json();
        for pupil in page["items"].as_array().expect("a list") {
            read.push(pupil["real_name"].as_str().expect("a name").to_owned());
        }
        let Some(next) = page["next"].as_str() else {
            break;
        };
        assert!(!next.to_lowercase().contains("child"), "{next}");
        cursor = format!("&cursor={next}");
    }
    assert!(read.is_sorted() && read.len() == 500, "{}", read.len());
    for wrong in ["AAAAAAAAAAAA", "child", "%00"] {
        let page = teacher.get(&format!("{path}?cursor={wrong}")).await;
        page.problem(422, "bad-filter");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_card_logs_in_once_and_each_other_use_has_its_answer() {
    let server = TestServer::start().await;
    let mut teacher = class(&server).await;
    let cards = pupils(&mut teacher, &["asha", "baraka"]).await;
    let mut stranger = server.stranger();
    for wrong in ["", "0000-0000-0000-0000", "\0"] {
        let answer = use_card(&mut stranger, wrong).await;
        answer.problem(401, "wrong-credentials");
    }
    let weak = json!({ "code": cards[0], "new_password": "asha" });
    let answer = stranger.post("/api/v1/login-cards", &weak).await;
    answer.problem(422, "weak-password");

    let typed = cards[0].replace('-', " ").to_lowercase();
    let mut asha = log_in(&server, &typed).await;
    assert_eq!(
        asha.get("/api/v1/me").await.json()["player"]["name"],
        "asha"
    );
    use_card(&mut stranger, &cards[0])
        .await
        .problem(410, "card-used");
    use_card(&mut asha, &cards[1])
        .await
        .problem(409, "log-out-first");
    let seen = teacher.get(&format!("{CLASS}/pupils")).await.json();
    assert_eq!(seen["items"][0]["card"], "used");
    assert!(seen["items"][0]["last_login_at"].is_string());
    assert_eq!(seen["items"][1]["card"], "open");

    // A new card ends the session, the password and the card before it.
    let renew = json!({ "pupils": ["ASHA", "asha", "baraka"] });
    let renewed = codes(&teacher.post(&format!("{CLASS}/cards"), &renew).await);
    assert_eq!(renewed.len(), 2);
    assert_eq!(asha.get("/api/v1/me").await.json()["player"], Value::Null);
    let login = json!({ "name": "asha", "password": NEW_PASSWORD });
    let answer = stranger.post("/api/v1/sessions", &login).await;
    answer.problem(401, "wrong-credentials");
    use_card(&mut stranger, &cards[1])
        .await
        .problem(410, "card-replaced");
    let baraka = log_in(&server, &renewed[1]).await;
    drop(baraka);
    let unknown = json!({ "pupils": ["baraka", "Mwalimu"] });
    let answer = teacher.post(&format!("{CLASS}/cards"), &unknown).await;
    answer.problem(404, "not-found");
    server.stop().await;
}

#[tokio::test]
async fn of_two_teachers_who_reset_a_pupil_at_once_one_card_is_good() {
    let server = TestServer::start().await;
    let mut teacher = class(&server).await;
    let mut second = granted(&server, "Mwalimu-b", Grant::Teacher).await;
    let named = json!({ "player": "Mwalimu-b" });
    let (invitations, officers) = (format!("{CLASS}/invitations"), format!("{CLASS}/officers"));
    let invited = teacher.post(&invitations, &named).await;
    assert!(invited.status.is_success(), "{invited:?}");
    let joined = second.post(&format!("{CLASS}/members"), &json!({})).await;
    assert!(joined.status.is_success(), "{joined:?}");
    let appointed = teacher.post(&officers, &named).await;
    assert!(appointed.status.is_success(), "{appointed:?}");
    pupils(&mut teacher, &["asha"]).await;
    let path = format!("{CLASS}/cards");
    let renew = json!({ "pupils": ["asha"] });
    for _ in 0..3 {
        let (one, other) = tokio::join!(teacher.post(&path, &renew), second.post(&path, &renew));
        let cards = [codes(&one).remove(0), codes(&other).remove(0)];
        let mut entered = Vec::new();
        for card in &cards {
            let answer = use_card(&mut server.stranger(), card).await;
            entered.push(answer.status.as_u16());
        }
        entered.sort_unstable();
        assert_eq!(entered, [200, 410]);
    }
    server.stop().await;
}

#[tokio::test]
async fn nobody_but_a_teacher_learns_a_real_name() {
    let server = TestServer::start().await;
    let mut teacher = class(&server).await;
    let cards = pupils(&mut teacher, &["asha", "baraka"]).await;
    let mut asha = log_in(&server, &cards[0]).await;
    let mut outsider = server.account("Zofia").await;
    for path in [
        CLASS.to_owned(),
        format!("{CLASS}/members"),
        format!("{CLASS}/log"),
        format!("{CLASS}/pupils"),
        format!("{CLASS}/export"),
        format!("{CLASS}/export/matches"),
        "/api/v1/players/baraka".to_owned(),
        "/api/v1/players/baraka/clubs".to_owned(),
        "/api/v1/players?name=bar".to_owned(),
        "/player/baraka".to_owned(),
    ] {
        for reader in [&mut asha, &mut outsider] {
            let answer = reader.get(&path).await;
            let text = String::from_utf8_lossy(&answer.body).into_owned();
            assert!(!text.contains("Real "), "{path}: {text}");
        }
    }
    let own = asha.get("/api/v1/me/export").await.json();
    assert_eq!(own["class"][0]["real_name"], "Real asha");
    let export = teacher.get(&format!("{CLASS}/export")).await.json();
    assert_eq!(export["pupils"][1]["real_name"], "Real baraka");

    // The profile is for the class.
    for path in ["", "/matches", "/clubs", "/matches/export", "/against/asha"] {
        let path = format!("/api/v1/players/baraka{path}");
        outsider.get(&path).await.problem(404, "not-found");
        assert_eq!(asha.get(&path).await.status, 200, "{path}");
        assert_eq!(teacher.get(&path).await.status, 200, "{path}");
    }
    let followed = json!({ "player": "asha" });
    let refused = outsider.post("/api/v1/me/follows", &followed).await;
    refused.problem(404, "not-found");
    let open = json!({ "rules": { "profiles": true } });
    let changed = with(&mut teacher, Method::PATCH, CLASS, &open).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    assert_eq!(outsider.get("/api/v1/players/baraka").await.status, 200);
    // A follower of that time sees no presence from the next change on.
    let done = outsider.post("/api/v1/me/follows", &followed).await;
    assert_eq!(done.status, 204, "{done:?}");
    let shut = json!({ "rules": { "profiles": false } });
    with(&mut teacher, Method::PATCH, CLASS, &shut).await;
    let _socket = Socket::open(&asha).await;
    let follows = outsider.get("/api/v1/me/follows").await.json();
    assert_eq!(follows["items"][0]["online"], false, "{follows}");
    let done = teacher.post("/api/v1/me/follows", &followed).await;
    assert_eq!(done.status, 204, "{done:?}");
    let follows = teacher.get("/api/v1/me/follows").await.json();
    assert_eq!(follows["items"][0]["online"], true, "{follows}");
    server.stop().await;
}

#[tokio::test]
async fn pupils_play_among_themselves_and_unseen_until_the_teacher_permits_more() {
    let server = TestServer::start().await;
    let mut teacher = class(&server).await;
    let cards = pupils(&mut teacher, &["asha", "baraka"]).await;
    let mut asha = log_in(&server, &cards[0]).await;
    let mut baraka = log_in(&server, &cards[1]).await;
    let mut outsider = server.account("Zofia").await;
    let id = asha.play_with(&mut baraka, "first", false).await;
    let seen = asha.get(&format!("/api/v1/matches/{id}")).await.json();
    assert_eq!(seen["options"]["phrases"], false, "{seen}");
    assert_eq!(seen["private"], true, "{seen}");
    let listed = teacher.get("/api/v1/players/asha/matches").await.json();
    assert_eq!(listed["items"][0]["id"], *id, "{listed}");

    let challenge = json!({ "game": "mawe", "time_control": { "kind": "unlimited" }, "rated": false, "to": "asha" });
    let refused = outsider.post("/api/v1/challenges", &challenge).await;
    refused.problem(403, "class-only");
    let challenge =
        json!({ "game": "mawe", "time_control": { "kind": "unlimited" }, "rated": false });
    let link = outsider.post("/api/v1/challenges", &challenge).await;
    let accept = format!("/api/v1/challenges/{}/accept", link.text("/id"));
    let refused = asha.post(&accept, &json!({})).await;
    refused.problem(403, "class-only");

    let open = json!({ "rules": { "outsiders": true, "spectators": true } });
    let changed = with(&mut teacher, Method::PATCH, CLASS, &open).await;
    let rules =
        json!({ "outsiders": true, "phrases": false, "spectators": true, "profiles": false });
    assert_eq!(changed.json()["class"]["rules"], rules);
    let accepted = asha.post(&accept, &json!({})).await;
    assert_eq!(accepted.status, 200, "{accepted:?}");
    let match_path = format!("/api/v1/matches/{}", accepted.text("/id"));
    assert_eq!(asha.get(&match_path).await.json()["private"], false);
    server.stop().await;
}

#[tokio::test]
async fn pupils_are_released_and_deleted_and_the_class_with_them() {
    let server = TestServer::start().await;
    let mut teacher = class(&server).await;
    let cards = pupils(&mut teacher, &["asha", "baraka", "chiku"]).await;
    let mut asha = log_in(&server, &cards[0]).await;
    let mut baraka = log_in(&server, &cards[1]).await;
    let path = |name: &str| format!("{CLASS}/pupils/{name}");
    asha.post(&format!("{}/release", path("asha")), &json!({}))
        .await
        .problem(403, "officers-only");
    let leave = asha.delete(&format!("{CLASS}/members/asha")).await;
    leave.problem(409, "pupil-account");
    let renamed = json!({ "real_name": "Real Baraka" });
    let twice = with(&mut teacher, Method::PATCH, &path("asha"), &renamed).await;
    twice.problem(422, "bad-pupils");
    let renamed = json!({ "real_name": "Asha Juma" });
    let done = with(&mut teacher, Method::PATCH, &path("asha"), &renamed).await;
    assert_eq!(done.status, 204, "{done:?}");

    let own = json!({ "password": PASSWORD });
    with(&mut teacher, Method::DELETE, "/api/v1/me", &own)
        .await
        .problem(409, "only-teacher");
    let release = format!("{}/release", path("asha"));
    let released = teacher.post(&release, &json!({})).await;
    assert_eq!(released.status, 204);
    assert_eq!(
        asha.get("/api/v1/me").await.json()["player"]["name"],
        "asha"
    );

    // Nothing is deleted while one plays.
    let against_bot = json!({ "game": "mawe", "time_control": { "kind": "unlimited" }, "level": 1, "side": "first" });
    let id = baraka.post("/api/v1/matches", &against_bot).await;
    assert_eq!(id.status, 201, "{id:?}");
    let wrong = json!({ "password": "not the password" });
    with(&mut teacher, Method::DELETE, CLASS, &wrong)
        .await
        .problem(401, "wrong-credentials");
    for at in [CLASS.to_owned(), path("baraka")] {
        let refused = with(&mut teacher, Method::DELETE, &at, &own).await;
        refused.problem(409, "matches-running");
    }
    assert_eq!(teacher.get(CLASS).await.json()["class"]["pupils"], 2);
    let deleted = with(&mut teacher, Method::DELETE, &path("chiku"), &own).await;
    assert_eq!(deleted.status, 204, "{deleted:?}");
    let abort = json!({ "client_id": "a", "seq": 0, "command": { "kind": "abort" } });
    let path = format!("/api/v1/matches/{}/commands", id.text("/id"));
    let aborted = baraka.post(&path, &abort).await;
    assert_eq!(aborted.status, 200, "{aborted:?}");
    let closed = with(&mut teacher, Method::DELETE, CLASS, &own).await;
    assert_eq!(closed.status, 204, "{closed:?}");
    assert_eq!(baraka.get("/api/v1/me").await.json()["player"], Value::Null);
    assert_eq!(teacher.get(CLASS).await.status, 404);
    server.stop().await;
}

#[tokio::test]
async fn guesses_of_codes_and_lists_of_pupils_are_bounded() {
    let server = TestServer::start_with(|config| {
        config.rates.sign_ups_per_minute = NonZeroU32::new(5).expect("not zero");
    })
    .await;
    let mut teacher = class(&server).await;
    let path = format!("{CLASS}/pupils");
    let mut made = 0;
    loop {
        let list = json!({ "pupils": [{ "real_name": format!("Child {made}") }] });
        let answer = teacher.post(&path, &list).await;
        if answer.status == 429 {
            answer.problem(429, "too-many-requests");
            break;
        }
        assert_eq!(answer.status, 201, "{answer:?}");
        made += 1;
        assert!(made < 50, "{made} lists were made");
    }
    let mut guesser = server.stranger();
    let mut tried = 0;
    loop {
        let answer = use_card(&mut guesser, "0000-0000-0000-0000").await;
        if answer.status == 429 {
            answer.problem(429, "too-many-requests");
            break;
        }
        answer.problem(401, "wrong-credentials");
        tried += 1;
        assert!(tried < 50, "{tried} codes were tried");
    }
    server.stop().await;
}
