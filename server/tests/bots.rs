//! Bot accounts: their rights, the operations reserved for people, and the example bots, which play rated matches.

#[path = "../../examples/bot-rs/src/main.rs"]
#[allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    reason = "a program of its own, here for its `Bot`"
)]
#[rustfmt::skip]
mod example;

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crate::common::play::Pair;
use crate::common::socket::Socket;
use crate::common::{PASSWORD, Person, TestServer, eventually};
use mawe_wire::ServerMsg;
use serde_json::{Value, json};
use tokio::process::Command;
use tokio::time::timeout;

/// Returns the example in Rust, which challenges `opponent`.
pub(crate) fn example_rs(
    program: &Person,
    opponent: &str,
    game: &str,
    matches: usize,
) -> example::Bot {
    example::Bot {
        url: format!("http://{}", program.address),
        token: program.bearer.clone().expect("a token"),
        opponent: Some(opponent.to_owned()),
        game: game.to_owned(),
        matches,
    }
}

/// The time limit for a few matches between two bots and the creation of a Python environment, on a busy machine.
pub(crate) const LONG: Duration = Duration::from_secs(180);

fn clock() -> Value {
    json!({ "kind": "realtime", "base_ms": 300_000, "increment_ms": 0 })
}

fn offer(to: &str) -> Value {
    json!({ "to": to, "game": "mawe", "side": "first", "rated": true, "time_control": clock() })
}

fn seek() -> Value {
    json!({ "game": "mawe", "time_control": clock() })
}

/// Creates a bot account; returns its owner and its program.
async fn bot(server: &TestServer, name: &str) -> (Person, Person) {
    bot_of(server.account(name).await).await
}

/// Makes the owner's account a bot account; returns the owner and the program.
pub(crate) async fn bot_of(mut owner: Person) -> (Person, Person) {
    let mut program = owner.program(&["bot"]).await;
    let made = program.post("/api/v1/me/bot", &json!({})).await;
    assert_eq!(made.status, 200, "{made:?}");
    (owner, program)
}

#[tokio::test]
async fn an_account_becomes_a_bot_before_it_has_played() {
    let server = TestServer::start().await;
    let path = "/api/v1/me/bot";
    let mut owner = server.account("Chatu").await;
    let mut stranger = server.stranger();
    stranger
        .post(path, &json!({}))
        .await
        .problem(401, "sign-in-first");
    let mut guest = server.guest().await;
    guest
        .post(path, &json!({}))
        .await
        .problem(403, "account-needed");
    let mut player = owner.program(&["read", "play", "challenge"]).await;
    let refused = player.post(path, &json!({})).await;
    assert_eq!(refused.problem(403, "scope-needed")["scope"], "bot");

    let expected = json!({ "player": { "name": "Chatu", "kind": "bot" }, "moderator": false, "operator": false, "inviter": false, "premium": false, "teacher": false, "language": null, "unread": 0, "site": null });
    let made = owner.post(path, &json!({})).await;
    assert_eq!((made.status.as_u16(), made.json()), (200, expected.clone()));
    // The second request changes nothing.
    let again = owner.post(path, &json!({})).await;
    assert_eq!((again.status.as_u16(), again.json()), (200, expected));
    let profile = server.stranger().get("/api/v1/players/chatu").await.json();
    assert_eq!(profile["player"], json!({ "name": "Chatu", "kind": "bot" }));
    // The owner can log in as before.
    let credentials = json!({ "name": "Chatu", "password": PASSWORD });
    let login = server
        .stranger()
        .post("/api/v1/sessions", &credentials)
        .await;
    assert_eq!(login.status, 200);

    let mut played = server.account("Amina").await;
    let new = json!({ "game": "mawe", "level": 1, "time_control": clock() });
    let begun = played.post("/api/v1/matches", &new).await;
    assert_eq!(begun.status, 201);
    played
        .post(path, &json!({}))
        .await
        .problem(409, "has-played");
    // The server starts with bots among the players.
    let server = server.restart().await;
    server.stop().await;
}

#[tokio::test]
async fn what_is_for_people_is_not_for_bots() {
    let server = TestServer::start().await;
    let mut owner = server.account("Chatu").await;
    let mut person = server.account("Amina").await;
    // An ordinary account may seek; its seek ends when it becomes a bot account.
    let mut watching = Socket::open(&owner).await;
    let sought = owner.post("/api/v1/seeks", &seek()).await;
    assert_eq!(sought.status, 201, "{sought:?}");
    watching
        .send_text(r#"{"t":"join-pool","game":"mawe","pool":"5+0","rated":true}"#)
        .await;
    while !matches!(watching.next().await, ServerMsg::Pool { .. }) {}
    assert_eq!(owner.post("/api/v1/me/bot", &json!({})).await.status, 200);
    while !matches!(watching.next().await, ServerMsg::PoolLeft { .. }) {}
    let seeks = person.get("/api/v1/seeks").await.json();
    assert_eq!(seeks, json!({ "items": [] }));

    let mut program = owner.program(&["bot"]).await;
    let mut socket = Socket::open(&program).await;
    for rated in [true, false] {
        socket
            .send_text(format!(
                r#"{{"t":"join-pool","game":"mawe","pool":"5+0","rated":{rated}}}"#
            ))
            .await;
        assert_eq!(socket.error().await.code.as_str(), "no-bots");
    }
    program
        .post("/api/v1/seeks", &seek())
        .await
        .problem(403, "no-bots");
    let _here = Socket::open(&person).await;
    let sought = person.post("/api/v1/seeks", &seek()).await.text("/id");
    let path = format!("/api/v1/seeks/{sought}/accept");
    program
        .post(&path, &json!({}))
        .await
        .problem(403, "no-bots");
    server.stop().await;
}

#[tokio::test]
async fn a_bot_is_asked_and_awaited_as_a_person_is() {
    let server = TestServer::start().await;
    let (_owner, mut program) = bot(&server, "Chatu").await;
    let mut person = server.account("Amina").await;
    // The server does not accept for a bot account.
    let asked = person.post("/api/v1/challenges", &offer("Chatu")).await;
    assert_eq!(asked.status, 201, "{asked:?}");
    assert_eq!(asked.json()["status"], "open");
    assert_eq!(
        asked.json()["to"],
        json!({ "name": "Chatu", "kind": "bot" })
    );
    let waiting = program.get("/api/v1/me/challenges").await.json();
    assert_eq!(waiting["incoming"][0]["id"], asked.json()["id"]);
    let no = format!("/api/v1/challenges/{}/decline", asked.text("/id"));
    assert_eq!(program.post(&no, &json!({})).await.status, 204);

    let mut socket = Socket::open(&program).await;
    let id = loop {
        let asked = person.post("/api/v1/challenges", &offer("Chatu")).await;
        assert_eq!(asked.status, 201, "{asked:?}");
        while !matches!(socket.next().await, ServerMsg::Challenge { .. }) {}
        let yes = format!("/api/v1/challenges/{}/accept", asked.text("/id"));
        let accepted = program.post(&yes, &json!({})).await;
        assert_eq!(accepted.status, 200, "{accepted:?}");
        let id = accepted.text("/id");
        if person.keeps(&id, "first").await {
            break id;
        }
    };
    // The bot is present when its program is.
    let mut watching = Socket::open(&person).await;
    let snapshot = watching.joined(&id).await;
    assert_eq!(snapshot.view.seats.second.player.level, None);
    socket.join(&id).await;
    let here = loop {
        match watching.next().await {
            ServerMsg::Presence { presence, .. } if presence.second => break true,
            ServerMsg::Closing { .. } => break false,
            _ => continue,
        }
    };
    assert!(here);
    // A bot may challenge people, and rated matches count for both.
    let mut pair = Pair::at([person, program], id).await;
    pair.plies(4).await;
    pair.act(1, mawe_wire::Command::Resign).await;
    let [person, mut program] = pair.people;
    for name in ["Amina", "Chatu"] {
        let games = async || {
            let profile = person.get(&format!("/api/v1/players/{name}")).await.json();
            (profile["ratings"][0]["games"] == 1).then_some(())
        };
        eventually("the rating", games).await;
    }
    let back = program.post("/api/v1/challenges", &offer("Amina")).await;
    assert_eq!(back.status, 201, "{back:?}");
    server.stop().await;
}

// --- the examples ---

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

pub(crate) async fn ran(what: &str, command: &mut Command) {
    let output = timeout(
        LONG,
        command.stdin(Stdio::null()).kill_on_drop(true).output(),
    )
    .await;
    let output = output
        .unwrap_or_else(|_| panic!("{what} does not end"))
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{what}: {said}");
}

/// Returns a Python with the requirements of the example, in a virtual environment that is made once.
pub(crate) async fn python() -> PathBuf {
    let requirements = examples().join("requirements.txt");
    let wanted = std::fs::read_to_string(&requirements).expect("it is in the repository");
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("example-bot");
    let (python, stamp) = (place.join("bin/python"), place.join("requirements"));
    if std::fs::read_to_string(&stamp).ok() != Some(wanted.clone()) {
        let mut venv = Command::new("python3");
        ran(
            "python3 -m venv",
            venv.args(["-m", "venv", "--clear"]).arg(&place),
        )
        .await;
        let mut pip = Command::new(&python);
        let install = ["-m", "pip", "install", "--quiet", "--requirement"];
        ran("pip install", pip.args(install).arg(&requirements)).await;
        std::fs::write(&stamp, wanted).expect("the environment can be written");
    }
    python
}

pub(crate) fn example_py(python: &Path, program: &Person, arguments: &[&str]) -> Command {
    let mut command = Command::new(python);
    command
        .arg(examples().join("bot.py"))
        .arg(format!("http://{}", program.address))
        .args(arguments)
        .env("MAWE_TOKEN", program.bearer.as_deref().expect("a token"))
        .env("no_proxy", "127.0.0.1");
    command
}

#[tokio::test]
async fn the_example_bots_play_rated_matches_with_each_other() {
    let python = python().await;
    let server = TestServer::start().await;
    let (_, in_python) = bot(&server, "Chatu").await;
    let (_, in_rust) = bot(&server, "Kaa").await;
    let mut waits = example_py(&python, &in_python, &["--matches", "3"]);
    let challenges = example_rs(&in_rust, "Chatu", "kalah", 3);
    let (ended, ()) = tokio::join!(
        timeout(LONG, challenges.run()),
        ran("the bot in Python", &mut waits)
    );
    ended
        .expect("the bot in Rust ends")
        .expect("it plays to the end");
    for name in ["Chatu", "Kaa"] {
        let counted = async || {
            let profile = server
                .stranger()
                .get(&format!("/api/v1/players/{name}"))
                .await;
            let profile = profile.json();
            (profile["ratings"][0]["games"] == 3).then_some(profile)
        };
        let profile = eventually("the ratings", counted).await;
        assert_eq!(profile["player"]["kind"], "bot");
        assert_eq!(profile["ratings"][0]["game"], "kalah");
    }
    let history = server
        .stranger()
        .get("/api/v1/players/Kaa/matches")
        .await
        .json();
    for item in history["items"].as_array().expect("items") {
        assert_eq!(item["rated"], true);
        let reason = item["result"]["reason"].as_str().expect("it is over");
        assert!(
            !["time", "aborted", "abandoned", "no-show"].contains(&reason),
            "{item}"
        );
    }
    // One more match against a computer opponent, which accepts at once.
    let mut plays = example_py(
        &python,
        &in_python,
        &[
            "--challenge",
            "mawe-Kokoto",
            "--game",
            "reversi",
            "--matches",
            "1",
        ],
    );
    ran("the bot in Python", &mut plays).await;
    server.stop().await;
}

#[test]
fn the_examples_are_short() {
    for file in ["bot.py", "bot-rs/src/main.rs"] {
        let text = std::fs::read_to_string(examples().join(file)).expect("it is there");
        assert!(text.lines().count() < 200, "{file}");
    }
}
