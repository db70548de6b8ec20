//! Reports, the moderators' queue, notices to players, and the operator's banner: the effects and the refusals of each route.

use crate::common::play::Pair;
use crate::common::socket::Socket;
use crate::common::{Answer, PASSWORD, Person, TestServer, eventually};
use mawe_server::page::banner::Banner;
use mawe_server::page::picture::Picture;
use mawe_store::{AccountChange, PairFilter, Player};
use mawe_wire::grants::Grant;
use mawe_wire::{Command, MatchMsg, NoticeKind, Phrase, ServerMsg, SessionMsg, ToMatch};
use reqwest::Method;
use serde_json::{Value, json};

/// An id that no report has.
const NOBODYS: &str = "AAAAAAAAAAAA";

const QUEUE: &str = "/api/v1/moderation/reports";

const AUDIT: &str = "/api/v1/moderation/audit";

const PAIRS: &str = "/api/v1/moderation/pairs";

fn told() -> Value {
    json!({ "reason": "stalling", "text": "he let the clock run" })
}

fn decision(action: &str) -> Value {
    json!({ "action": action, "why": "because" })
}

fn reports_of(name: &str) -> String {
    format!("/api/v1/players/{name}/reports")
}

pub(crate) async fn granted(server: &TestServer, name: &str, grant: Grant) -> Person {
    let person = server.account(name).await;
    server
        .change_account(name, AccountChange::Grant(grant))
        .await;
    person
}

/// Reports `name`, and makes the moderator take the report; returns its path.
pub(crate) async fn taken(by: &mut Person, moderator: &mut Person, name: &str) -> String {
    let made = by.post(&reports_of(name), &told()).await;
    assert_eq!(made.status, 201, "{made:?}");
    let path = format!("{QUEUE}/{}", made.text("/id"));
    let took = moderator.post(&format!("{path}/take"), &json!({})).await;
    assert_eq!(took.status, 200, "{took:?}");
    path
}

pub(crate) async fn resolve(moderator: &mut Person, path: &str, decision: &Value) -> Answer {
    moderator.post(&format!("{path}/resolve"), decision).await
}

// --- reporting ---

#[tokio::test]
async fn an_account_reports_a_player_once() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let mut zofia = server.account("Zofia").await;
    let played = amina.play_with(&mut zofia, "first", false).await;
    let moderator = granted(&server, "Mwalimu", Grant::Moderator).await;

    let mut full = told();
    full["match"] = json!(played);
    let made = amina.post(&reports_of("zofia"), &full).await;
    assert_eq!(made.status, 201, "{made:?}");
    let again = amina.post(&reports_of("Zofia"), &told()).await;
    again.problem(409, "reported-already");
    // The opposite direction is another report.
    let back = zofia
        .post(&reports_of("Amina"), &json!({ "reason": "name" }))
        .await;
    assert_eq!(back.status, 201, "{back:?}");

    let queue = moderator.get(QUEUE).await.json();
    let items = queue["items"].as_array().expect("items");
    assert_eq!(items.len(), 2, "{queue}");
    assert_eq!(items[0]["id"], made.json()["id"]);
    assert_eq!(items[0]["reported"]["name"], "Zofia");
    assert_eq!(items[0]["reporter"]["name"], "Amina");
    assert_eq!(items[0]["reason"], "stalling");
    assert_eq!(items[0]["text"], "he let the clock run");
    assert_eq!(items[0]["match"], json!(played));
    assert_eq!(items[0]["open_about"], 1);
    assert_eq!(items[0]["taken_by"], Value::Null);
    assert_eq!(items[1]["text"], "");
    let about = moderator.get(&format!("{QUEUE}?about=amina&limit=1")).await;
    assert_eq!(about.json()["items"][0]["id"], back.json()["id"]);
    assert_eq!(about.json()["next"], Value::Null);
    let page = moderator.get(&format!("{QUEUE}?limit=1")).await;
    let next = moderator
        .get(&format!("{QUEUE}?limit=1&cursor={}", page.text("/next")))
        .await;
    assert_eq!(next.json()["items"][0]["id"], back.json()["id"]);
    server.stop().await;
}

#[tokio::test]
async fn a_report_that_says_nothing_useful_is_refused() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let mut zofia = server.account("Zofia").await;
    server.account("Halima").await;
    let others = amina.play_with(&mut zofia, "first", false).await;
    let zofias = reports_of("Zofia");

    amina
        .post(&reports_of("Amina"), &told())
        .await
        .problem(409, "own-report");
    for nobody in ["Nobody", "%00", "%FF", "..%2f", &"a".repeat(500)] {
        let refused = amina.post(&reports_of(nobody), &told()).await;
        refused.problem(404, "not-found");
    }
    let computer = amina.get("/api/v1/leaderboards/mawe").await;
    assert_eq!(computer.status, 200);
    amina
        .post(&reports_of("mawe-Kokoto"), &told())
        .await
        .bad_field("computer-opponent", "");
    for (body, code, field) in [
        (json!({}), "bad-field", "reason"),
        (json!({ "reason": "ugly" }), "bad-field", "reason"),
        (json!({ "reason": 7 }), "bad-field", "reason"),
        (json!({ "reason": "other" }), "bad-text", "text"),
        (
            json!({ "reason": "other", "text": "  " }),
            "bad-text",
            "text",
        ),
        (
            json!({ "reason": "name", "text": null }),
            "bad-field",
            "text",
        ),
        (
            json!({ "reason": "name", "text": "a\u{0}b" }),
            "bad-text",
            "text",
        ),
        (
            json!({ "reason": "name", "text": "a\u{1b}[31m" }),
            "bad-text",
            "text",
        ),
        (
            json!({ "reason": "name", "text": "ż".repeat(1_001) }),
            "bad-text",
            "text",
        ),
        (
            json!({ "reason": "name", "match": "x" }),
            "bad-field",
            "match",
        ),
        (
            json!({ "reason": "name", "match": NOBODYS }),
            "bad-match",
            "match",
        ),
        (
            json!({ "reason": "name", "extra": 1 }),
            "bad-field",
            "extra",
        ),
    ] {
        let refused = amina.post(&zofias, &body).await;
        refused.bad_field(code, field);
    }
    // A match that the reported player has not played.
    let body = json!({ "reason": "name", "match": others });
    amina
        .post(&reports_of("Halima"), &body)
        .await
        .bad_field("bad-match", "match");
    let raw = |body: Vec<u8>| {
        let request = amina.request(Method::POST, &zofias).body(body);
        Answer::of(request.header("content-type", "application/json"))
    };
    raw(b"{\"reason\":\"name\",\"text\":\"\xff\xfe\"}".to_vec())
        .await
        .bad_field("bad-field", "text");
    let huge = json!({ "reason": "name", "text": "a".repeat(20_000) }).to_string();
    raw(huge.into_bytes()).await.problem(413, "too-large");
    // The longest permitted text, in any script.
    let longest = json!({ "reason": "other", "text": "മ".repeat(1_000) });
    assert_eq!(amina.post(&zofias, &longest).await.status, 201);
    server.stop().await;
}

#[tokio::test]
async fn only_accounts_report_and_not_without_end() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    server.account("Zofia").await;
    let path = reports_of("Zofia");
    let mut stranger = server.stranger();
    stranger
        .post(&path, &told())
        .await
        .problem(401, "sign-in-first");
    let mut guest = server.guest().await;
    guest
        .post(&path, &told())
        .await
        .problem(403, "account-needed");
    let mut bot = server.account("Robot").await;
    assert_eq!(bot.post("/api/v1/me/bot", &json!({})).await.status, 200);
    bot.post(&path, &told()).await.problem(403, "no-bots");
    let mut program = amina.program(&["read", "play", "challenge", "bot"]).await;
    program
        .post(&path, &told())
        .await
        .problem(403, "session-needed");

    let mut answers = Vec::new();
    for number in 0..6 {
        let name = format!("Player{number}");
        server.account(&name).await;
        answers.push(amina.post(&reports_of(&name), &told()).await);
    }
    assert!(answers[..5].iter().all(|answer| answer.status == 201));
    answers[5].problem(429, "too-many-requests");
    assert!(answers[5].headers.contains_key("retry-after"));
    server.stop().await;
}

// --- moderating ---

#[tokio::test]
async fn only_moderators_judge() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let zofia = server.account("Zofia").await;
    let mut moderator = granted(&server, "Mwalimu", Grant::Moderator).await;
    let premium = granted(&server, "Tajiri", Grant::Premium).await;
    let path = taken(&mut amina, &mut moderator, "Zofia").await;
    let mut bot = server.account("Robot").await;
    assert_eq!(bot.post("/api/v1/me/bot", &json!({})).await.status, 200);
    let program = moderator
        .program(&["read", "play", "challenge", "bot"])
        .await;

    for (person, status, code) in [
        (server.stranger(), 401, "sign-in-first"),
        (server.guest().await, 403, "moderators-only"),
        (amina.clone(), 403, "moderators-only"),
        (zofia, 403, "moderators-only"),
        (premium, 403, "moderators-only"),
        (bot, 403, "moderators-only"),
        (program.clone(), 403, "session-needed"),
    ] {
        let mut person = person;
        for path in [QUEUE, AUDIT, &path] {
            person.get(path).await.problem(status, code);
        }
        let take = person.post(&format!("{path}/take"), &json!({})).await;
        take.problem(status, code);
        let resolve = resolve(&mut person, &path, &decision("disable")).await;
        resolve.problem(status, code);
    }
    // The refused requests had no effect.
    assert_eq!(moderator.get(&path).await.json()["resolved"], Value::Null);
    // A moderator's session shows the right, a token does not.
    assert_eq!(moderator.get("/api/v1/me").await.json()["moderator"], true);
    for person in [&amina, &program] {
        assert_eq!(person.get("/api/v1/me").await.json()["moderator"], false);
    }
    let login = json!({ "name": "Mwalimu", "password": PASSWORD });
    let logged_in = server.stranger().post("/api/v1/sessions", &login).await;
    assert_eq!(logged_in.json()["moderator"], true);
    // A revoked grant has no effect from that moment on.
    server
        .change_account("Mwalimu", AccountChange::Revoke(Grant::Moderator))
        .await;
    assert_eq!(moderator.get("/api/v1/me").await.json()["moderator"], false);
    moderator.get(QUEUE).await.problem(403, "moderators-only");
    server.stop().await;
}

#[tokio::test]
async fn nobody_judges_themselves_nor_a_moderator_an_admin() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let mut moderator = granted(&server, "Mwalimu", Grant::Moderator).await;
    let admin = granted(&server, "Mkuu", Grant::Admin).await;
    let mut other = granted(&server, "Msaidizi", Grant::Admin).await;
    let mut paths = Vec::new();
    for name in ["Mwalimu", "Mkuu"] {
        let made = amina.post(&reports_of(name), &told()).await;
        paths.push(format!("{QUEUE}/{}", made.text("/id")));
    }
    for (judge, path, code) in [
        (&moderator, &paths[0], "own-case"),
        (&admin, &paths[1], "own-case"),
        (&moderator, &paths[1], "admins-only"),
    ] {
        let mut judge = judge.clone();
        for action in ["dismiss", "warn", "mute", "disable"] {
            let refused = resolve(&mut judge, path, &decision(action)).await;
            refused.problem(403, code);
        }
        let take = judge.post(&format!("{path}/take"), &json!({})).await;
        take.problem(403, code);
    }
    // Another admin may take either.
    for path in &paths {
        let take = other.post(&format!("{path}/take"), &json!({})).await;
        assert_eq!(take.status, 200, "{take:?}");
        let done = resolve(&mut other, path, &decision("warn")).await;
        assert_eq!(done.status, 200, "{done:?}");
    }
    // A player who became an admin after the report was taken is not subject to a moderator either.
    server.account("Juu").await;
    let path = taken(&mut amina, &mut moderator, "Juu").await;
    server
        .change_account("Juu", AccountChange::Grant(Grant::Admin))
        .await;
    let refused = resolve(&mut moderator, &path, &decision("disable")).await;
    refused.problem(403, "admins-only");
    server.stop().await;
}

#[tokio::test]
async fn a_report_is_one_moderator_s_at_a_time_and_resolved_once() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    server.account("Zofia").await;
    let mut one = granted(&server, "Mwalimu", Grant::Moderator).await;
    let mut other = granted(&server, "Msaidizi", Grant::Moderator).await;
    let made = amina.post(&reports_of("Zofia"), &told()).await;
    let path = format!("{QUEUE}/{}", made.text("/id"));

    let early = resolve(&mut one, &path, &decision("dismiss")).await;
    early.problem(409, "take-first");
    let take = format!("{path}/take");
    assert_eq!(
        one.post(&take, &json!({})).await.text("/taken_by"),
        "Mwalimu"
    );
    assert_eq!(one.post(&take, &json!({})).await.status, 200);
    let refused = other.post(&take, &json!({})).await;
    refused.problem(409, "report-taken");
    let refused = resolve(&mut other, &path, &decision("dismiss")).await;
    refused.problem(409, "report-taken");

    for (change, code, field) in [
        (json!({ "why": "  " }), "bad-text", "why"),
        (json!({ "why": "x".repeat(501) }), "bad-text", "why"),
        (json!({ "why": "a\u{0}" }), "bad-text", "why"),
        (json!({ "action": "burn" }), "bad-field", "action"),
        (json!({ "days": 3 }), "bad-days", "days"),
        (json!({ "action": "mute", "days": 0 }), "bad-days", "days"),
        (json!({ "action": "mute", "days": 367 }), "bad-days", "days"),
        (json!({ "action": "mute", "days": -1 }), "bad-field", "days"),
        (json!({ "name": "Better" }), "bad-name", "name"),
        (json!({ "action": "rename" }), "bad-name", "name"),
        (
            json!({ "action": "rename", "name": "x" }),
            "bad-name",
            "name",
        ),
        (
            json!({ "action": "rename", "name": "mawe-King" }),
            "bad-name",
            "name",
        ),
    ] {
        let mut body = decision("dismiss");
        for (key, value) in change.as_object().expect("an object") {
            body[key] = value.clone();
        }
        resolve(&mut one, &path, &body).await.bad_field(code, field);
    }
    let body = json!({ "action": "rename", "name": "AMINA", "why": "because" });
    let refused = resolve(&mut one, &path, &body).await;
    refused.problem(409, "name-taken");
    assert_eq!(one.get(&path).await.json()["resolved"], Value::Null);

    let done = resolve(&mut one, &path, &decision("dismiss")).await;
    assert_eq!(done.json()["resolved"]["by"], "Mwalimu");
    assert_eq!(done.json()["resolved"]["action"], "dismiss");
    assert_eq!(done.json()["resolved"]["why"], "because");
    let again = resolve(&mut one, &path, &decision("disable")).await;
    again.problem(409, "report-taken");
    one.post(&take, &json!({}))
        .await
        .problem(409, "report-taken");
    assert_eq!(one.get(QUEUE).await.json()["items"], json!([]));
    let resolved = one.get(&format!("{QUEUE}?state=resolved")).await.json();
    assert_eq!(resolved["items"][0]["id"], made.json()["id"]);
    // A dismissal sends no notice, and another report may follow.
    assert_eq!(amina.post(&reports_of("Zofia"), &told()).await.status, 201);

    for nobodys in [NOBODYS, "x", "%00", "%FF"] {
        let path = format!("{QUEUE}/{nobodys}");
        one.get(&path).await.problem(404, "not-found");
        let take = one.post(&format!("{path}/take"), &json!({})).await;
        take.problem(404, "not-found");
        let refused = resolve(&mut one, &path, &decision("dismiss")).await;
        refused.problem(404, "not-found");
    }
    for (query, field) in [
        ("state=closed", "state"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("cursor=x", "cursor"),
        ("cursor=5.x", "cursor"),
        ("about=Nobody", "about"),
        ("order=up", "order"),
    ] {
        let refused = one.get(&format!("{QUEUE}?{query}")).await;
        refused.bad_field("bad-filter", field);
    }
    server.stop().await;
}

#[tokio::test]
async fn who_is_warned_hears_of_it_at_once_and_until_it_is_read() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let mut zofia = server.account("Zofia").await;
    let mut moderator = granted(&server, "Mwalimu", Grant::Moderator).await;
    let mut socket = Socket::open(&zofia).await;
    let path = taken(&mut amina, &mut moderator, "Zofia").await;
    let body = json!({ "action": "warn", "why": "finish your games, please" });
    assert_eq!(resolve(&mut moderator, &path, &body).await.status, 200);

    let heard = socket
        .until(|message| match message {
            ServerMsg::Notice { notice, .. } => Some(notice),
            _ => None,
        })
        .await;
    assert_eq!(heard.kind, NoticeKind::Warning);
    assert_eq!(heard.text, "finish your games, please");
    assert_eq!(heard.until, None);
    let list = zofia.get("/api/v1/me/notices").await.json();
    assert_eq!(list["items"], json!([heard]));
    // Other players do not see the notice.
    let theirs = amina.get("/api/v1/me/notices?of_moderators=true").await;
    assert_eq!(theirs.json()["items"], json!([]));
    // The one who reported learns that there was a decision, not which.
    let theirs = amina.get("/api/v1/me/notices").await.json();
    assert_eq!(theirs["items"][0]["kind"], "report");
    assert_eq!(theirs["items"][0]["upheld"], true);
    assert_eq!(theirs["items"][0]["text"], "");
    let path = format!("/api/v1/me/notices/{}", heard.id);
    amina.delete(&path).await.problem(404, "not-found");
    server
        .stranger()
        .get("/api/v1/me/notices")
        .await
        .problem(401, "sign-in-first");
    assert_eq!(zofia.delete(&path).await.status, 204);
    zofia.delete(&path).await.problem(404, "not-found");
    assert_eq!(
        zofia.get("/api/v1/me/notices").await.json()["items"],
        json!([])
    );
    server.stop().await;
}

#[tokio::test]
async fn who_is_muted_says_no_phrases_from_then_on() {
    let server = TestServer::start().await;
    let mut pair = Pair::of_guests(&server).await;
    let name = pair.people[0].name().await;
    let mut moderator = granted(&server, "Mwalimu", Grant::Moderator).await;
    let mut amina = server.account("Halima").await;
    let path = taken(&mut amina, &mut moderator, &name).await;
    let say = ToMatch {
        match_id: pair.id.parse().expect("an id"),
        message: MatchMsg::Phrase {
            phrase: Phrase::GoodLuck,
        },
    };
    let seat = &mut pair.seats[0];
    seat.socket.send(&say).await;
    let is_phrase = |message| matches!(message, ServerMsg::Phrase { .. }).then_some(());
    seat.socket.until(is_phrase).await;

    let body = json!({ "action": "mute", "days": 7, "why": "that was too much" });
    assert_eq!(resolve(&mut moderator, &path, &body).await.status, 200);
    let notice = |message| match message {
        ServerMsg::Notice { notice, .. } => Some(notice),
        _ => None,
    };
    let heard = seat.socket.until(notice).await;
    assert_eq!(heard.kind, NoticeKind::Muted);
    let days = heard.until.expect("it ends").as_second() - heard.at.as_second();
    assert_eq!(days, 7 * 24 * 60 * 60);
    seat.socket.send(&say).await;
    assert_eq!(seat.socket.error().await.code.as_str(), "muted");
    server.stop().await;
}

#[tokio::test]
async fn who_is_disabled_is_out_at_once_and_told_at_the_login() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let mut zofia = server.account("Zofia").await;
    let mut program = zofia.program(&["read"]).await;
    let mut moderator = granted(&server, "Mwalimu", Grant::Moderator).await;
    let mut sockets = [Socket::open(&zofia).await, Socket::open(&program).await];
    let path = taken(&mut amina, &mut moderator, "Zofia").await;
    let body = json!({ "action": "disable", "days": 30, "why": "you cheat" });
    assert_eq!(resolve(&mut moderator, &path, &body).await.status, 200);

    for socket in &mut sockets {
        let reason = socket
            .until(|message| match message {
                ServerMsg::Closing { reason, .. } => Some(reason),
                _ => None,
            })
            .await;
        assert_eq!(reason.as_str(), "logged-out");
    }
    assert_eq!(zofia.get("/api/v1/me").await.json()["player"], Value::Null);
    program
        .post("/api/v1/challenges", &json!({}))
        .await
        .problem(401, "bad-token");
    let credentials = json!({ "name": "Zofia", "password": PASSWORD });
    let refused = zofia.post("/api/v1/sessions", &credentials).await;
    let problem = refused.problem(403, "account-disabled");
    let detail = problem["detail"].as_str().expect("a text");
    assert!(
        detail.contains("you cheat") && detail.contains(" until 20"),
        "{detail}"
    );
    // A login with a wrong password does not show the reason.
    let wrong = json!({ "name": "Zofia", "password": "not her password" });
    let refused = zofia.post("/api/v1/sessions", &wrong).await;
    refused.problem(401, "wrong-credentials");
    server.stop().await;
}

#[tokio::test]
async fn who_is_renamed_is_called_so_everywhere() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let zofia = server.account("Zofia").await;
    let mut moderator = granted(&server, "Mwalimu", Grant::Moderator).await;
    let path = taken(&mut amina, &mut moderator, "Zofia").await;
    let body = json!({ "action": "rename", "name": "Zosia", "why": "the name misleads" });
    let done = resolve(&mut moderator, &path, &body).await;
    assert_eq!(done.json()["reported"]["name"], "Zosia");
    assert_eq!(zofia.name().await, "Zosia");
    let notices = zofia.get("/api/v1/me/notices").await.json();
    assert_eq!(notices["items"][0]["kind"], "renamed");
    amina
        .get("/api/v1/players/Zofia")
        .await
        .problem(404, "not-found");
    server.stop().await;
}

#[tokio::test]
async fn the_log_says_who_did_what_to_whom_and_why() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    server.account("Zofia").await;
    let mut moderator = granted(&server, "Mwalimu", Grant::Moderator).await;
    let path = taken(&mut amina, &mut moderator, "Zofia").await;
    assert_eq!(
        resolve(&mut moderator, &path, &decision("mute"))
            .await
            .status,
        200
    );

    let log = moderator.get(&format!("{AUDIT}?about=zofia")).await.json();
    let lines: Vec<(&str, &str, &str)> = log["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|line| {
            let text = |pointer| {
                line.pointer(pointer)
                    .and_then(Value::as_str)
                    .expect("a text")
            };
            (text("/actor/name"), text("/action"), text("/why"))
        })
        .collect();
    let by = "Mwalimu";
    assert_eq!(
        lines,
        [
            (by, "mute", "because"),
            (by, "uphold-report", "because"),
            (by, "take-report", "")
        ]
    );
    assert_eq!(log["items"][0]["detail"], "for good");
    let by_console = moderator
        .get(&format!("{AUDIT}?about=Mwalimu"))
        .await
        .json();
    assert_eq!(by_console["items"][0]["actor"], Value::Null);
    assert_eq!(by_console["items"][0]["action"], "grant");
    // Page by page.
    let mut cursor = String::new();
    let mut actions = Vec::new();
    loop {
        let page = moderator
            .get(&format!("{AUDIT}?actor=mwalimu&limit=1{cursor}"))
            .await
            .json();
        actions.extend(
            page["items"]
                .as_array()
                .expect("items")
                .iter()
                .map(|line| line["action"].clone()),
        );
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(actions, ["mute", "uphold-report", "take-report"]);
    for (query, field) in [
        ("cursor=x", "cursor"),
        ("cursor=-1", "cursor"),
        ("limit=0", "limit"),
        ("about=Nobody", "about"),
        ("actor=%00", "actor"),
    ] {
        let refused = moderator.get(&format!("{AUDIT}?{query}")).await;
        refused.bad_field("bad-filter", field);
    }
    server.stop().await;
}

// --- the operator's banner ---

const BANNER: &str = "/api/v1/banner";

fn notice() -> Banner {
    Banner {
        text: "The cup begins on Friday <b>".into(),
        link: Some("https://example.org/cup".into()),
        picture: Some(Picture {
            bytes: b"\x89PNG\r\n\x1a\nrest".as_slice().into(),
            kind: "image/png",
        }),
    }
}

#[tokio::test]
async fn there_is_no_banner_unless_the_operator_sets_one() {
    let server = TestServer::start().await;
    let answer = server.stranger().get(BANNER).await;
    assert_eq!(
        answer.json(),
        json!({ "banner": null, "configured": false })
    );
    let picture = server.stranger().get("/api/v1/banner/picture").await;
    picture.problem(404, "not-found");
    server.stop().await;
}

#[tokio::test]
async fn a_banner_is_for_all_but_premium_and_no_cache_keeps_it() {
    let server = TestServer::start_with(|config| config.banner = Some(notice())).await;
    let mut premium = granted(&server, "Tajiri", Grant::Premium).await;
    let program = premium.program(&["read"]).await;
    let people = [
        (server.stranger(), true),
        (server.guest().await, true),
        (server.account("Amina").await, true),
        (granted(&server, "Mwalimu", Grant::Moderator).await, true),
        (premium.clone(), false),
        (program, false),
    ];
    for (person, sees) in &people {
        let answer = person.get(BANNER).await;
        assert_eq!(answer.header("cache-control"), "private, no-store");
        assert!(!answer.headers.contains_key("etag"));
        let expected = json!({
            "text": "The cup begins on Friday <b>",
            "link": "https://example.org/cup",
            "picture": "/api/v1/banner/picture",
        });
        let expected = if *sees { expected } else { Value::Null };
        // The existence of a banner is no secret, even if it is not shown.
        assert_eq!(
            answer.json(),
            json!({ "banner": expected, "configured": true })
        );
        let me = person.get("/api/v1/me").await.json();
        assert_eq!(me["premium"], !*sees, "{me}");
        let picture = person.get("/api/v1/banner/picture").await;
        if *sees {
            assert_eq!(picture.status, 200);
            assert_eq!(picture.header("content-type"), "image/png");
            assert_eq!(picture.header("cache-control"), "private, no-store");
            assert_eq!(picture.body, b"\x89PNG\r\n\x1a\nrest");
        } else {
            picture.problem(404, "not-found");
        }
    }
    // The grant holds until it is revoked.
    server
        .change_account("Tajiri", AccountChange::Revoke(Grant::Premium))
        .await;
    assert!(premium.get(BANNER).await.json()["banner"].is_object());
    assert_eq!(premium.get("/api/v1/me").await.json()["premium"], false);
    server.stop().await;
}

#[tokio::test]
async fn nothing_of_a_banner_comes_any_other_way() {
    let server = TestServer::start_with(|config| config.banner = Some(notice())).await;
    let mut premium = granted(&server, "Tajiri", Grant::Premium).await;
    let mut other = server.account("Amina").await;
    let id = premium.play_with(&mut other, "first", false).await;
    let mut socket = Socket::open(&premium).await;
    socket.join(&id).await;
    socket.send(&SessionMsg::WatchLobby).await;
    socket.send(&SessionMsg::Ping).await;
    let mut heard = Vec::new();
    loop {
        let message = socket.next().await;
        let is_last = matches!(message, ServerMsg::Pong);
        heard.push(serde_json::to_string(&message).expect("it is JSON"));
        if is_last {
            break;
        }
    }
    assert!(heard.len() >= 3, "{heard:?}");
    for path in [
        "/",
        "/app.js",
        "/api/v1/me",
        "/api/v1/me/matches",
        "/api/v1/tv",
        "/api/v1/players/Tajiri",
    ] {
        let answer = premium.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        heard.push(String::from_utf8_lossy(&answer.body).into_owned());
    }
    let said = heard
        .iter()
        .find(|text| text.contains("cup begins") || text.contains("example.org/cup"));
    assert_eq!(said, None);
    server.stop().await;
}

// --- pairs and void matches ---

#[tokio::test]
async fn a_pair_that_plays_nobody_else_is_listed_and_its_matches_are_made_void() {
    const VOIDS: &str = "/api/v1/moderation/voids";
    let server = TestServer::start().await;
    let mut moderator = granted(&server, "Mwalimu", Grant::Moderator).await;
    let mut people = [server.account("Asha").await, server.account("Bahati").await];
    let zofia = server.account("Zofia").await;
    let mut ids = Vec::new();
    for _ in 0..6 {
        ids.push(rated_match(&server, &mut people).await);
    }
    // An honest match, which must remain.
    let [asha, mut bahati] = people;
    rated_match(&server, &mut [asha.clone(), zofia]).await;

    let listed = moderator.get(PAIRS).await.json();
    let items = listed["items"].as_array().expect("a list");
    assert_eq!(items.len(), 1, "{listed}");
    let pair = &items[0];
    let place = usize::from(pair["players"][0]["name"] != "Asha");
    assert_eq!(pair["players"][1 - place]["name"], "Bahati");
    assert_eq!(pair["matches"], 6);
    assert_eq!(
        (&pair["only_each_other"], &pair["share_device"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(
        (&pair["won"][place], &pair["won"][1 - place]),
        (&json!(6), &json!(0))
    );
    assert_eq!(
        (&pair["of"][place], &pair["of"][1 - place]),
        (&json!(7), &json!(6))
    );

    let why = "they play each other only";
    let wanted = json!({ "player": "Asha", "opponent": "bahati", "why": why });
    for path in [PAIRS, VOIDS] {
        let refused = match path {
            PAIRS => bahati.get(path).await,
            _ => bahati.post(path, &wanted).await,
        };
        refused.problem(403, "moderators-only");
    }
    for (body, code, field) in [
        (
            json!({ "player": "Nobody", "why": why }),
            "unknown-player",
            "player",
        ),
        (
            json!({ "player": "Asha", "opponent": "Nobody", "why": why }),
            "unknown-player",
            "opponent",
        ),
        (json!({ "player": "Asha", "why": " " }), "bad-text", "why"),
    ] {
        moderator.post(VOIDS, &body).await.bad_field(code, field);
    }
    let own = json!({ "player": "Mwalimu", "why": why });
    moderator.post(VOIDS, &own).await.problem(403, "own-case");

    let done = moderator.post(VOIDS, &wanted).await;
    assert_eq!(
        (done.status.as_u16(), done.json()),
        (200, json!({ "matches": 6 }))
    );
    let again = moderator.post(VOIDS, &wanted).await;
    assert_eq!(
        again.json(),
        json!({ "matches": 0 }),
        "none is made void twice"
    );
    // The rating from the voided matches is gone, and the honest match counts in full, as the first.
    let stranger = server.stranger();
    let ratings = async |name: &str| {
        let profile = stranger
            .get(&format!("/api/v1/players/{name}"))
            .await
            .json();
        (profile["ratings"].clone(), profile["played"].clone())
    };
    let (asha_has, played) = eventually("everything is counted again", async || {
        let (rows, played) = ratings("Asha").await;
        (rows[0]["games"] == 1).then_some((rows, played))
    })
    .await;
    assert_eq!((&asha_has[0]["opponents"], played), (&json!(1), json!(1)));
    assert_eq!(ratings("Bahati").await, (json!([]), json!(0)));
    let store = &server.app().store;
    let found = mawe_store::recount::recount(store.as_ref())
        .await
        .expect("it is quiet");
    assert!(found.agrees() && found.rated == 1, "{found:?}");
    eventually("no void is pending", async || {
        let pending = store.pending_voids().await.expect("it answers");
        pending.is_empty().then_some(())
    })
    .await;
    // The matches stay in the history, marked.
    // All on one page, among them those that were called off because of the drawn side.
    let history = "/api/v1/players/Bahati/matches?limit=100";
    let history = stranger.get(history).await.json();
    let items = history["items"].as_array().expect("a list");
    let voided = items.iter().filter(|item| item["voided"] == true);
    assert_eq!(voided.count(), 6);
    let view = stranger
        .get(&format!("/api/v1/matches/{}", ids[0]))
        .await
        .json();
    assert_eq!(view["voided"], true);
    assert_eq!(view["seats"]["first"]["rating_change"], Value::Null);
    let log = moderator.get(AUDIT).await.json();
    let line = log["items"].as_array().expect("a list").iter();
    let mut line = line.filter(|line| line["action"] == "void-matches");
    let line = line.next().expect("it is in the log");
    assert_eq!(line["detail"], "6 matches against Bahati");
    assert_eq!(
        (&line["why"], &line["actor"]["name"]),
        (&json!(why), &json!("Mwalimu"))
    );
    assert_eq!(moderator.get(PAIRS).await.json(), json!({ "items": [] }));
    server.stop().await;
}

#[tokio::test]
async fn a_pair_that_shares_a_device_is_listed() {
    let server = TestServer::start().await;
    let moderator = granted(&server, "Mwalimu", Grant::Moderator).await;
    let asha = server.account("Asha").await;
    let bahati = register(&server, "Bahati", asha.device.clone()).await;
    let mut family = [asha, bahati];
    let mut friends = [server.account("Zofia").await, server.account("Juma").await];
    for people in [&mut family, &mut friends] {
        for _ in 0..2 {
            rated_match(&server, people).await;
        }
    }
    let names = async || {
        let listed = moderator.get(PAIRS).await.json();
        let items = listed["items"].as_array().expect("a list").clone();
        for item in &items {
            assert_eq!(
                (&item["only_each_other"], &item["share_device"]),
                (&json!(false), &json!(true)),
                "{listed}"
            );
            assert_eq!(item["matches"], 2);
        }
        let mut names: Vec<String> = items.iter().map(names_of).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(names().await, ["Asha, Bahati"]);

    // One of the others logs in on the other's device: first with a wrong password, which has no effect.
    let mut there = server.stranger();
    there.device.clone_from(&friends[0].device);
    for (password, status, expected) in [
        ("a guess at it", 401, vec!["Asha, Bahati"]),
        (PASSWORD, 200, vec!["Asha, Bahati", "Juma, Zofia"]),
    ] {
        let login = json!({ "name": "Juma", "password": password });
        let answer = there.post("/api/v1/sessions", &login).await;
        assert_eq!(answer.status, status, "{answer:?}");
        assert_eq!(names().await, expected);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_guest_who_registers_shares_the_device_and_a_forged_or_foreign_mark_is_none() {
    let elsewhere = TestServer::start().await;
    let foreign = elsewhere.account("Asha").await.device;
    elsewhere.stop().await;

    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let old = asha.device.clone();
    let new = "ndizi na korosho";
    let change = json!({ "old": PASSWORD, "new": new });
    let changed = asha.post("/api/v1/me/password", &change).await;
    assert_eq!(changed.status, 204, "{changed:?}");
    let good = asha.device.clone().expect("it is known");
    // The signature is the last part of a mark.
    let forged: String = {
        let changed = good.len() - 12;
        let letters = good.chars().enumerate();
        let letters = letters.map(|(place, letter)| match letter {
            'A' if place == changed => 'B',
            _ if place == changed => 'A',
            letter => letter,
        });
        letters.collect()
    };
    assert_ne!(forged, good);
    let mut guest = server.guest().await;
    guest.device = Some(good);
    let registered = json!({ "name": "Mgeni", "password": PASSWORD });
    let answer = guest.post("/api/v1/accounts", &registered).await;
    assert_eq!(answer.status, 201, "{answer:?}");

    let mut people = [asha, guest];
    for (name, device) in [
        ("Forged", Some(forged)),
        ("Foreign", foreign),
        ("Outdated", old),
        ("Unknown", None),
    ] {
        rated_match(&server, &mut people).await;
        people[1] = register(&server, name, device).await;
    }
    rated_match(&server, &mut people).await;
    let filter = PairFilter {
        since_ms: 0,
        min_matches: 99,
        min_matches_on_device: 1,
    };
    let found = server.app().store.pairs_to_review(&filter, 99).await;
    let found = found.expect("it answers");
    assert_eq!(found.len(), 1, "{found:?}");
    let is_guest = |player: &Player| player.name == "Mgeni";
    assert!(found[0].players.iter().any(is_guest), "{found:?}");
    server.stop().await;
}

#[tokio::test]
async fn who_comes_in_is_let_in_although_it_cannot_be_noted_that_they_share_a_device() {
    let server = TestServer::start().await;
    let asha = server.account("Asha").await;
    let directory = server.stop().await;
    let file = directory.path().join("mawe.sqlite");
    let url = format!("sqlite:{}", file.display());
    let database = sqlx::SqlitePool::connect(&url).await;
    let database = database.expect("the database");
    sqlx::query("DROP TABLE shared_devices")
        .execute(&database)
        .await
        .expect("it is there");
    database.close().await;
    let server = TestServer::start_on(directory).await;
    let mut bahati = register(&server, "Bahati", asha.device.clone()).await;
    let login = json!({ "name": "Bahati", "password": PASSWORD });
    let answer = bahati.post("/api/v1/sessions", &login).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    server.stop().await;
}

/// Registers an account from a browser with this cookie.
async fn register(server: &TestServer, name: &str, device: Option<String>) -> Person {
    let mut person = server.stranger();
    person.device = device;
    let registered = json!({ "name": name, "password": PASSWORD });
    let answer = person.post("/api/v1/accounts", &registered).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    person
}

/// Plays a rated match that the first player wins, and waits until it is counted; returns its id.
async fn rated_match(server: &TestServer, people: &mut [Person; 2]) -> String {
    let mut pair = Pair::of(people.clone(), true).await;
    pair.plies(4).await;
    pair.act(1, Command::Resign).await;
    eventually("the match is counted", async || {
        let view = view_of(server, &pair.id).await;
        view.get("rating_weight").is_some().then_some(())
    })
    .await;
    pair.id
}

/// Returns the two names of a pair in the list.
fn names_of(pair: &Value) -> String {
    let names = [0, 1].map(|place| pair["players"][place]["name"].as_str().expect("a name"));
    let [one, other] = names;
    format!("{}, {}", one.min(other), one.max(other))
}

async fn view_of(server: &TestServer, id: &str) -> Value {
    let path = format!("/api/v1/matches/{id}");
    server.stranger().get(&path).await.json()
}
