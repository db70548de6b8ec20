//! The operator's commands of `mawe admin`, with a running server and without one.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::common::play::{Pair, Seat};
use crate::common::postgres::Postgres;
use crate::common::process::{Ended, Process, mawe, run, run_with};
use crate::common::socket::{Heard, Socket};
use crate::common::{Answer, PASSWORD, Person, eventually};
use mawe_rules::Side;
use mawe_wire::{Event, ServerMsg};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

/// An operator of a data directory.
struct Operator {
    arguments: Vec<String>,
}

impl Operator {
    fn at(directory: &Path) -> Operator {
        let directory = directory.to_str().expect("a temporary path is plain text");
        Operator {
            arguments: vec!["--data-dir".to_owned(), directory.to_owned()],
        }
    }

    fn with_database(mut self, url: &str) -> Operator {
        self.arguments
            .extend(["--database".to_owned(), url.to_owned()]);
        self
    }

    fn command(&self, arguments: &[&str]) -> tokio::process::Command {
        let mut command = mawe(["admin"]);
        command.args(arguments).args(&self.arguments);
        command
    }

    async fn asks(&self, arguments: &[&str]) -> Ended {
        run(self.command(arguments)).await
    }

    /// Runs a command that must succeed; returns its output.
    async fn does(&self, arguments: &[&str]) -> String {
        self.asks(arguments).await.result()
    }

    /// Runs a command with `--json`; returns the objects of its output.
    async fn told(&self, arguments: &[&str]) -> Vec<Value> {
        let text = self.does(&[arguments, &["--json"]].concat()).await;
        text.lines()
            .map(|line| serde_json::from_str(line).expect("one JSON object a line"))
            .collect()
    }

    /// Returns the lines of the log, newest first: action, player, details, reason.
    async fn log(&self) -> Vec<(String, String)> {
        let lines = self.told(&["audit"]).await;
        let words = |line: &Value| {
            let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
            (text("action"), text("why"))
        };
        lines.iter().map(words).collect()
    }
}

async fn account(server: &Process, name: &str) -> Person {
    let mut person = Person::at(server.address);
    let answer = log_in(&mut person, "/api/v1/accounts", name, PASSWORD).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
    person
}

async fn log_in(person: &mut Person, path: &str, name: &str, password: &str) -> Answer {
    let body = json!({ "name": name, "password": password });
    person.post(path, &body).await
}

async fn logs_in(server: &Process, name: &str, password: &str) -> Answer {
    let mut person = Person::at(server.address);
    log_in(&mut person, "/api/v1/sessions", name, password).await
}

/// Checks that the socket is closed because its session was ended.
async fn is_logged_out(socket: &mut Socket) {
    let (said, code) = socket.rest().await;
    assert_eq!(code, Some(1000));
    let closing = said.iter().any(
        |message| matches!(message, ServerMsg::Closing { reason, .. } if reason.as_str() == "logged-out"),
    );
    assert!(closing, "{said:?}");
}

#[tokio::test]
async fn invitations_are_made_listed_and_revoked_by_the_operator() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let operator = Operator::at(directory.path());
    // Without a server, too.
    let text = operator
        .does(&[
            "invite", "create", "--uses", "3", "--days", "7", "--note", "class 4b",
        ])
        .await;
    assert!(text.contains("link      /register?invite="), "{text}");
    assert!(text.contains("accounts  3"), "{text}");
    assert!(text.contains("--registration invite"), "{text}");

    let mut command = mawe(["serve", "--listen", "127.0.0.1:0", "--bots", "1"]);
    command.arg("--data-dir").arg(directory.path());
    command.args([
        "--registration",
        "invite",
        "--origin",
        "https://house.example",
    ]);
    let server = Process::of(command).await;
    let made = operator.told(&["invite", "create"]).await;
    let code = made[0]["code"].as_str().expect("a code");
    let link = format!("https://house.example/register?invite={code}");
    assert_eq!(
        (&made[0]["link"], &made[0]["uses"]),
        (&json!(link), &json!(1))
    );
    let mut person = Person::at(server.address);
    let body = json!({ "name": "Asha", "password": PASSWORD, "invitation": code });
    let registered = person.post("/api/v1/accounts", &body).await;
    assert_eq!(registered.status, StatusCode::CREATED, "{registered:?}");

    let list = operator.told(&["invite", "list"]).await;
    let row = |row: &Value| {
        (
            row["note"].clone(),
            row["used"].clone(),
            row["open"].clone(),
        )
    };
    assert_eq!(
        list.iter().map(row).collect::<Vec<_>>(),
        [
            (json!(""), json!(1), json!(false)),
            (json!("class 4b"), json!(0), json!(true))
        ]
    );
    assert!(!operator.does(&["invite", "list"]).await.contains(code));
    let id = list[1]["id"].as_str().expect("an id");
    let first = list[0]["id"].as_str().expect("an id");
    let later = operator.told(&["invite", "list", "--before", first]).await;
    assert_eq!(later.len(), 1);
    let revoked = operator
        .told(&["invite", "revoke", id, "--why", "all are in"])
        .await;
    assert_eq!(revoked[0]["open"], false);
    let log = operator.log().await;
    assert_eq!(
        log[0],
        ("revoke-invitation".to_owned(), "all are in".to_owned())
    );

    for (arguments, words) in [
        (["invite", "create", "--uses", "0"], "1 to 500"),
        (["invite", "create", "--uses", "501"], "1 to 500"),
        (["invite", "create", "--days", "366"], "1 to 365"),
        (["invite", "revoke", "nonsense", "--why=x"], "no invitation"),
        (["invite", "list", "--before", "nonsense"], "no invitation"),
    ] {
        let complaint = operator.asks(&arguments).await.complaint(2);
        assert!(complaint.contains(words), "{arguments:?}: {complaint}");
    }
    server.stop("TERM").await;
}

#[tokio::test]
async fn an_account_is_made_and_its_password_set_by_the_operator() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let server = Process::start(directory.path()).await;
    let operator = Operator::at(directory.path());

    let typed = operator.command(&["create", "Amina", "--grant", "premium", "--json"]);
    let made = run_with(typed, &format!("{PASSWORD}\n")).await.result();
    let made: Value = serde_json::from_str(&made).expect("JSON");
    assert_eq!(
        (&made["name"], &made["kind"]),
        (&json!("Amina"), &json!("account"))
    );
    assert_eq!(made["grants"], json!(["premium"]));
    assert_eq!(
        made.get("password"),
        None,
        "only a password that was drawn is shown"
    );
    assert_eq!(
        logs_in(&server, "amina", PASSWORD).await.status,
        StatusCode::OK
    );

    // A name that suggests staff is given by the operator only.
    let mut stranger = Person::at(server.address);
    let credentials = json!({ "name": "Supp0rt_1", "password": PASSWORD });
    let refused = stranger.post("/api/v1/accounts", &credentials).await;
    refused.bad_field("bad-name", "name");
    operator.told(&["create", "Supp0rt_1", "--generate"]).await;

    let drawn = &operator.told(&["create", "Zofia", "--generate"]).await[0]["password"];
    let drawn = drawn.as_str().expect("it is shown once");
    assert_eq!(
        logs_in(&server, "Zofia", drawn).await.status,
        StatusCode::OK
    );

    // A new password ends the sessions begun with the old one.
    let mut amina = Person::at(server.address);
    log_in(&mut amina, "/api/v1/sessions", "Amina", PASSWORD).await;
    let mut socket = Socket::open(&amina).await;
    let set = operator.command(&["set-password", "Amina", "--why", "she asked"]);
    run_with(set, "ndizi na nazi\n").await.result();
    is_logged_out(&mut socket).await;
    assert_eq!(amina.get("/api/v1/me").await.json()["player"], Value::Null);
    logs_in(&server, "Amina", PASSWORD)
        .await
        .problem(401, "wrong-credentials");
    assert_eq!(
        logs_in(&server, "Amina", "ndizi na nazi").await.status,
        StatusCode::OK
    );
    assert_eq!(
        operator.log().await[0],
        ("set-password".to_owned(), "she asked".to_owned())
    );
}

#[tokio::test]
async fn what_is_wrong_is_said_in_one_line() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let server = Process::start(directory.path()).await;
    let operator = Operator::at(directory.path());
    account(&server, "Amina").await;
    let guest_name = Person::guest_at(server.address).await.name().await;
    for (code, arguments, words) in [
        (2, &["show", "Nobody"][..], "Nobody"),
        (2, &["show", "mawe-Jiwe"], "computer"),
        (2, &["create", "mawe-Support", "--generate"], "reserved"),
        (2, &["create", "deleted-x1", "--generate"], "reserved"),
        (2, &["create", "a b", "--generate"], "a b"),
        (2, &["create", "Zofia"], "standard input"),
        (1, &["create", "AMINA", "--generate"], "taken"),
        (2, &["rename", "Amina", "x"], "2 to 20"),
        (2, &["grant", "Amina", "king"], "king"),
        (1, &["grant", &guest_name, "moderator"], "guest"),
        (2, &["sessions", "Amina", "--end", "nope"], "nope"),
        (2, &["delete", "Amina"], "--yes"),
        (2, &["disable", "Amina"], "WHY"),
        (2, &["close-match", "abc", "why"], "abc"),
        (2, &["close-match", "aaaaaaaaaaaa", "why"], "aaaaaaaaaaaa"),
        (
            2,
            &["close-match", "aaaaaaaaaaaa", "why", "--loser", "third"],
            "first or second",
        ),
        (2, &["audit", "--about", "Nobody"], "Nobody"),
        (2, &["list", "--limit", "many"], "many"),
        (2, &["fly"], "fly"),
    ] {
        let line = operator.asks(arguments).await.complaint(code);
        assert!(line.contains(words), "{arguments:?}: {line}");
    }
    let typed = operator.command(&["create", "Zofia"]);
    let line = run_with(typed, "short\n").await.complaint(2);
    assert!(line.contains("8 to 200"), "{line}");
    assert!(operator.log().await.is_empty(), "nothing was changed");
}

#[tokio::test]
async fn a_disabled_account_is_out_at_once_and_its_seat_stays() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let server = Process::start(directory.path()).await;
    let operator = Operator::at(directory.path());
    let (amina, zofia) = (
        account(&server, "Amina").await,
        account(&server, "Zofia").await,
    );
    let mut pair = Pair::of([amina.clone(), zofia], false).await;
    pair.plies(3).await;
    let program = amina.clone().program(&["read"]).await;
    assert_eq!(
        program.get("/api/v1/me/matches").await.status,
        StatusCode::OK
    );

    operator
        .does(&["disable", "amina", "insults in her name"])
        .await;
    is_logged_out(&mut pair.seats[0].socket).await;
    assert_eq!(amina.get("/api/v1/me").await.json()["player"], Value::Null);
    amina
        .get("/api/v1/me/matches")
        .await
        .problem(401, "sign-in-first");
    program
        .get("/api/v1/me/matches")
        .await
        .problem(401, "bad-token");
    let refused = logs_in(&server, "Amina", PASSWORD)
        .await
        .problem(403, "account-disabled");
    let detail = refused["detail"].as_str().expect("words");
    assert!(detail.contains("insults in her name"), "{detail}");
    // A caller without the password does not learn the reason.
    logs_in(&server, "Amina", "not the password")
        .await
        .problem(401, "wrong-credentials");
    // The match continues, with her clock running.
    let view = pair.people[1]
        .get(&format!("/api/v1/matches/{}", pair.id))
        .await
        .json();
    assert_eq!(view["result"], Value::Null);
    assert_eq!(operator.told(&["list", "--disabled"]).await.len(), 1);

    operator.does(&["enable", "Amina"]).await;
    assert_eq!(
        logs_in(&server, "Amina", PASSWORD).await.status,
        StatusCode::OK
    );
    let log = operator.log().await;
    assert_eq!(log[0].0, "enable");
    assert_eq!(
        log[1],
        ("disable".to_owned(), "insults in her name".to_owned())
    );
}

#[tokio::test]
async fn grants_names_and_sessions_change_while_people_play() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let server = Process::start(directory.path()).await;
    let operator = Operator::at(directory.path());
    let (mut amina, zofia) = (
        account(&server, "Amina").await,
        account(&server, "Zofia").await,
    );

    // An account becomes a bot account before it has played.
    operator.does(&["grant", "Amina", "bot"]).await;
    assert_eq!(
        amina.get("/api/v1/me").await.json()["player"]["kind"],
        "bot"
    );
    operator.does(&["revoke", "Amina", "bot"]).await;
    let mut pair = Pair::of([amina.clone(), zofia], false).await;
    let late = operator.asks(&["grant", "Amina", "bot"]).await.complaint(1);
    assert!(late.contains("has played"), "{late}");
    for grant in ["moderator", "premium"] {
        operator.does(&["grant", "Amina", grant]).await;
    }
    operator.does(&["revoke", "Amina", "premium"]).await;
    let shown = &operator.told(&["show", "Amina"]).await[0];
    assert_eq!(shown["grants"], json!(["moderator"]));
    let moderators = operator.told(&["list", "--grant", "moderator"]).await;
    assert_eq!(moderators.len(), 1);

    // The opponent sees the new name at once.
    operator.does(&["rename", "Amina", "Amani"]).await;
    let shown = pair.seats[1].socket.snapshot().await;
    assert_eq!(shown.view.seats.first.player.name, "Amani");
    assert_eq!(
        pair.people[1].get("/api/v1/players/Amina").await.status,
        StatusCode::NOT_FOUND
    );

    // One of her sessions is ended, the others stay; then all are ended, with her token.
    let mut other = Person::at(server.address);
    log_in(&mut other, "/api/v1/sessions", "Amani", PASSWORD).await;
    let program = amina.program(&["read"]).await;
    let sessions = operator.told(&["sessions", "Amani"]).await;
    let kinds: Vec<&str> = sessions
        .iter()
        .map(|way| way["kind"].as_str().expect("a kind"))
        .collect();
    assert_eq!(kinds, ["session", "session", "token"]);
    let mine = other.get("/api/v1/me/sessions").await.json();
    let mine = mine["items"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|session| session["current"] == true);
    let id = mine.expect("the one that asks")["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    operator.does(&["sessions", "Amani", "--end", &id]).await;
    assert_eq!(other.get("/api/v1/me").await.json()["player"], Value::Null);
    assert_eq!(amina.name().await, "Amani");
    operator.does(&["sessions", "Amani", "--end-all"]).await;
    is_logged_out(&mut pair.seats[0].socket).await;
    program.get("/api/v1/me").await.problem(401, "bad-token");
    assert!(operator.told(&["sessions", "Amani"]).await.is_empty());
}

#[tokio::test]
async fn of_a_deleted_account_only_its_matches_stay() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let server = Process::start(directory.path()).await;
    let operator = Operator::at(directory.path());
    let (amina, zofia) = (
        account(&server, "Amina").await,
        account(&server, "Zofia").await,
    );
    let mut played = Pair::of([amina.clone(), zofia.clone()], true).await;
    played.plies(4).await;
    let begun = Pair::of([zofia.clone(), amina.clone()], false).await;
    let mut fresh = Seat::take(&zofia, &begun.id, Side::First).await;
    let challenge = json!({ "game": "mawe", "rated": false, "to": "Zofia",
        "time_control": { "kind": "realtime", "base_ms": 600_000, "increment_ms": 0 } });
    let asked = amina.clone().post("/api/v1/challenges", &challenge).await;
    assert_eq!(asked.status, StatusCode::CREATED, "{asked:?}");

    let gone = &operator
        .told(&["delete", "Amina", "--yes", "--why", "she asked"])
        .await[0];
    let name = gone["name"].as_str().expect("a name").to_owned();
    assert!(name.starts_with("deleted-"), "{name}");
    is_logged_out(&mut played.seats[0].socket).await;
    // The running match is resigned, the one that has hardly begun is called off.
    let event = played.seats[1].event().await;
    assert_eq!(event.event, Event::Resign { side: Side::First });
    let event = fresh.event().await;
    assert_eq!(
        event.event,
        Event::Abort {
            side: Some(Side::Second)
        }
    );
    let view = zofia
        .get(&format!("/api/v1/matches/{}", played.id))
        .await
        .json();
    assert_eq!(view["seats"]["first"]["player"]["name"], name.as_str());
    assert_eq!(view["result"]["winner"], "second");
    let list = zofia.get("/api/v1/me/challenges").await.json();
    assert_eq!(list["incoming"], json!([]));
    // The name Amina is gone from her matches and from the log, and is free for others.
    let history = zofia.get("/api/v1/players/Zofia/matches").await;
    assert!(!String::from_utf8_lossy(&history.body).contains("Amina"));
    assert!(!operator.does(&["audit", "--json"]).await.contains("Amina"));
    logs_in(&server, "Amina", PASSWORD)
        .await
        .problem(401, "wrong-credentials");
    logs_in(&server, &name, PASSWORD)
        .await
        .problem(401, "wrong-credentials");
    account(&server, "Amina").await;
    let again = operator
        .asks(&["delete", &name, "--yes"])
        .await
        .complaint(1);
    assert!(again.contains("deleted already"), "{again}");
    let change = operator.asks(&["enable", &name]).await.complaint(1);
    assert!(change.contains("nothing of it is left"), "{change}");
    // The remaining player's rating agrees with the journals, and the deleted one is on no leaderboard.
    eventually("the resigned match is counted", async || {
        let profile = zofia.get("/api/v1/players/Zofia").await.json();
        profile["ratings"]
            .as_array()
            .is_some_and(|ratings| !ratings.is_empty())
            .then_some(())
    })
    .await;
    operator.does(&["ratings", "check"]).await;
}

#[tokio::test]
async fn a_closed_match_ends_for_all_who_are_there() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let server = Process::start(directory.path()).await;
    let operator = Operator::at(directory.path());
    let people =
        async |one: &str, other: &str| [account(&server, one).await, account(&server, other).await];
    let mut called_off = Pair::of(people("Amina", "Zofia").await, true).await;
    called_off.plies(5).await;
    let mut lost = Pair::of(people("Asha", "Ewa").await, true).await;
    lost.plies(5).await;

    let told = operator
        .does(&["close-match", &called_off.id, "both cheat"])
        .await;
    assert_eq!(
        told,
        format!("match {} is called off (closed)\n", called_off.id)
    );
    for seat in &mut called_off.seats {
        let event = seat.event().await;
        assert_eq!(event.event, Event::Abort { side: None });
        let result = event.state.result.expect("it is over");
        assert_eq!((result.winner, result.reason.as_str()), (None, "closed"));
    }
    let view = called_off.people[0]
        .get(&format!("/api/v1/matches/{}", called_off.id))
        .await
        .json();
    assert_eq!(view["result"]["reason"], "closed");
    // It is not a draw, neither in an export nor in the history.
    let asked = |query: &str| format!("/api/v1/players/Amina/matches?{query}");
    let person = &called_off.people[0];
    let export = format!("/api/v1/matches/{}/export", called_off.id);
    let record = person.get(&export).await.json();
    assert_eq!(record["result"]["winner"], "none");
    let drawn = person.get(&asked("result=drawn")).await.json();
    assert_eq!(drawn["items"], json!([]));
    let all = person.get(&asked("limit=10")).await.json();
    assert_eq!(all["items"][0]["id"], json!(called_off.id));
    let again = operator
        .asks(&["close-match", &called_off.id, "once more"])
        .await
        .complaint(1);
    assert!(again.contains("over already"), "{again}");

    let told = &operator
        .told(&["close-match", &lost.id, "an engine", "--loser", "second"])
        .await[0];
    assert_eq!(
        (&told["winner"], &told["reason"]),
        (&json!("first"), &json!("resign"))
    );
    assert_eq!(
        lost.seats[0].event().await.event,
        Event::Resign { side: Side::Second }
    );
    // One of the matches counts, the other does not.
    let ratings = async |person: &Person, name: &str| {
        let profile = person.get(&format!("/api/v1/players/{name}")).await.json();
        profile["ratings"].as_array().expect("a list").len()
    };
    eventually("the lost match is counted", async || {
        (ratings(&lost.people[0], "Asha").await == 1).then_some(())
    })
    .await;
    assert_eq!(ratings(&lost.people[0], "Amina").await, 0);
    let checked = operator.does(&["ratings", "check"]).await;
    assert_eq!(
        checked,
        "1 matches counted, 1 of them rated; 0 are yet to be counted\n"
    );
    let log = operator.told(&["audit"]).await;
    assert_eq!(log[0]["about"], "Ewa");
    assert_eq!(
        (&log[1]["match_id"], &log[1]["why"]),
        (&json!(called_off.id), &json!("both cheat"))
    );
}

#[tokio::test]
async fn ratings_are_checked_and_rebuilt_while_the_server_runs() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let server = Process::start(directory.path()).await;
    let operator = Operator::at(directory.path());
    let (amina, zofia) = (
        account(&server, "Amina").await,
        account(&server, "Zofia").await,
    );
    let mut pair = Pair::of([amina, zofia], true).await;
    pair.plies(4).await;
    pair.act(0, mawe_wire::Command::Resign).await;
    eventually("the match is counted", async || {
        operator
            .does(&["ratings", "check"])
            .await
            .starts_with("1 matches")
            .then_some(())
    })
    .await;
    let chart = operator.does(&["ratings", "distribution"]).await;
    let lines: Vec<&str> = chart.lines().collect();
    assert!(
        lines[0].ends_with("2 players, 2 of them provisional, median 1338"),
        "{chart}"
    );
    assert!(lines[1].starts_with("1300 to 1399 █"), "{chart}");
    assert!(lines[4].ends_with("█ 1"), "{chart}");
    let told = operator
        .told(&["ratings", "distribution", "--game", "mawe"])
        .await;
    assert_eq!(told[0]["bands"][3]["players"], 1, "{told:?}");
    let other = ["ratings", "distribution", "--game", "oware"];
    assert_eq!(operator.does(&other).await, "");
    let unknown = operator
        .asks(&["ratings", "distribution", "--speed", "warp"])
        .await;
    unknown.complaint(2);
    meddle(
        directory.path(),
        "UPDATE ratings SET rating = rating + 100 WHERE won + drawn + lost > 0",
    )
    .await;
    let found = operator.asks(&["ratings", "check"]).await;
    assert_eq!(found.code, Some(1), "{found:?}");
    assert_eq!(
        found
            .stdout
            .lines()
            .filter(|line| line.contains("the journals say"))
            .count(),
        2
    );
    assert!(found.stderr.starts_with("mawe: 2 differences"), "{found:?}");
    let mended = operator
        .does(&["ratings", "rebuild", "--why", "somebody meddled"])
        .await;
    assert!(mended.ends_with("2 differences were mended\n"), "{mended}");
    operator.does(&["ratings", "check"]).await;
    assert_eq!(
        operator.log().await[0],
        ("rebuild-ratings".to_owned(), "somebody meddled".to_owned())
    );
}

async fn meddle(directory: &Path, sql: &str) {
    let url = format!("sqlite:{}", directory.join("mawe.sqlite").display());
    let pool = sqlx::SqlitePool::connect(&url).await.expect("a database");
    sqlx::query(AssertSqlSafe(sql))
        .execute(&pool)
        .await
        .expect("it can be written");
    pool.close().await;
}

#[tokio::test]
async fn without_a_server_the_same_is_done_in_the_store() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let server = Process::start(directory.path()).await;
    let operator = Operator::at(directory.path());
    let (amina, zofia) = (
        account(&server, "Amina").await,
        account(&server, "Zofia").await,
    );
    let mut pair = Pair::of([amina, zofia], true).await;
    pair.plies(6).await;
    assert_eq!(server.stop("TERM").await, Some(0));

    operator.does(&["create", "Asha", "--generate"]).await;
    operator.does(&["disable", "Zofia", "spam"]).await;
    operator.does(&["close-match", &pair.id, "an end"]).await;
    operator.does(&["rename", "Amina", "Amani"]).await;
    let names = operator.told(&["list"]).await;
    let names: Vec<&str> = names
        .iter()
        .map(|account| account["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["Amani", "Asha", "Zofia"]);
    operator.does(&["ratings", "check"]).await;

    let server = Process::start(directory.path()).await;
    let somebody = Person::at(server.address);
    let view = somebody
        .get(&format!("/api/v1/matches/{}", pair.id))
        .await
        .json();
    assert_eq!(view["result"]["reason"], "closed");
    assert_eq!(view["ply"], 6);
    assert_eq!(view["seats"]["first"]["player"]["name"], "Amani");
    logs_in(&server, "Zofia", PASSWORD)
        .await
        .problem(403, "account-disabled");
    let log = operator.log().await;
    let actions: Vec<&str> = log.iter().map(|(action, _)| action.as_str()).collect();
    assert_eq!(actions, ["rename", "close-match", "disable", "create"]);
}

#[tokio::test]
async fn the_socket_is_the_operators_alone() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("admin.sock");
    let server = Process::start(directory.path()).await;
    let mode = std::fs::metadata(&path)
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    // The interface is not reachable over the network.
    let mut somebody = Person::at(server.address);
    let asked = somebody.post("/admin", &json!({ "ask": "list" })).await;
    assert_eq!(asked.status, StatusCode::METHOD_NOT_ALLOWED);
    let page = Person::at(server.address).request(Method::POST, "/api/admin");
    assert_eq!(Answer::of(page).await.status, StatusCode::NOT_FOUND);

    // A killed server leaves the socket's file behind, and the next server can listen all the same.
    server.kill().await;
    assert!(path.exists());
    let operator = Operator::at(directory.path());
    assert!(
        operator.told(&["list"]).await.is_empty(),
        "no server answers"
    );
    let server = Process::start(directory.path()).await;
    account(&server, "Amina").await;
    assert_eq!(operator.told(&["list"]).await.len(), 1);
    assert_eq!(server.stop("TERM").await, Some(0));
    assert!(!path.exists());
}

#[tokio::test]
async fn on_postgres_a_running_node_is_asked_and_otherwise_the_database() {
    let postgres = Postgres::start();
    let url = postgres.fresh_database().await;
    let directory = tempfile::tempdir().expect("a temporary directory");
    let start = async || {
        let mut command = mawe(["--listen", "127.0.0.1:0", "--bots", "1", "--database", &url]);
        command.arg("--data-dir").arg(directory.path());
        Process::of(command).await
    };
    let server = start().await;
    let amina = account(&server, "Amina").await;
    let mut socket = Socket::open(&amina).await;
    // The socket alone is enough: a request names no database.
    Operator::at(directory.path())
        .with_database(&url)
        .does(&["disable", "Amina", "spam"])
        .await;
    is_logged_out(&mut socket).await;
    assert!(matches!(socket.hear().await, Heard::Closed(_)));
    assert_eq!(server.stop("TERM").await, Some(0));

    let elsewhere = tempfile::tempdir().expect("a temporary directory");
    let operator = Operator::at(elsewhere.path()).with_database(&url);
    operator.does(&["enable", "Amina"]).await;
    operator.does(&["ratings", "check"]).await;
    let server = start().await;
    assert_eq!(
        logs_in(&server, "Amina", PASSWORD).await.status,
        StatusCode::OK
    );
    let mut backup = mawe(["backup", "x.sqlite", "--database", &url]);
    backup.current_dir(elsewhere.path());
    let refused = run(backup).await.complaint(1);
    assert!(refused.contains("pg_dump"), "{refused}");
}
