//! `mawe bot`: outside engines that play as bot accounts.

use std::process::Stdio;

use mawe_rules::Side;
use mawe_wire::ServerMsg;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use crate::arena::{our_engine, shell_engine};
use crate::bots::{LONG, bot_of};
use crate::common::play::Seat;
use crate::common::process::{mawe, run, send_signal};
use crate::common::socket::Socket;
use crate::common::{Person, TestServer, eventually};

/// `mawe bot` of this program's account.
fn bot(program: &Person, options: &[&str]) -> Command {
    let server = format!("http://{}", program.address);
    let mut command = mawe(["bot", "--server", &server]);
    command
        .args(options)
        .env("MAWE_TOKEN", program.bearer.as_deref().expect("a token"));
    command
}

/// A bot that runs.
struct Running {
    child: Child,
    lines: tokio::io::Lines<BufReader<ChildStdout>>,
}

impl Running {
    fn start(mut command: Command) -> Running {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary is there");
        let stdout = child.stdout.take().expect("it is piped");
        Running {
            child,
            lines: BufReader::new(stdout).lines(),
        }
    }

    /// The line of the next match that is over.
    async fn result(&mut self) -> Value {
        let line = timeout(LONG, self.lines.next_line()).await;
        let line = line.expect("a match ends").expect("text");
        serde_json::from_str(&line.expect("it runs")).expect("an object")
    }

    async fn signal(&self, signal: &str) {
        send_signal(self.child.id().expect("it runs"), signal).await;
    }

    /// Waits for its end; returns its exit code and its log.
    async fn end(self) -> (Option<i32>, String) {
        let output = timeout(LONG, self.child.wait_with_output()).await;
        let output = output.expect("it ends").expect("it can be waited for");
        let log = String::from_utf8(output.stderr).expect("text");
        (output.status.code(), log)
    }
}

fn challenge(to: &str, changes: Value) -> Value {
    let mut offer = json!({
        "to": to, "game": "oware", "rated": false, "side": "first",
        "time_control": { "kind": "realtime", "base_ms": 300_000, "increment_ms": 0 }
    });
    let changes = changes.as_object().expect("fields").clone();
    offer.as_object_mut().expect("fields").extend(changes);
    offer
}

/// Waits until the bot has accepted a challenge; returns the match.
async fn accepted(person: &mut Person, socket: &mut Socket, offer: &Value) -> String {
    let sent = person.post("/api/v1/challenges", offer).await;
    assert_eq!(sent.status, 201, "{sent:?}");
    loop {
        if let ServerMsg::ChallengeAccepted { match_id, .. } = socket.next().await {
            return match_id.to_string();
        }
    }
}

/// Plays a move, and waits for the bot's answer.
async fn reply(seat: &mut Seat) {
    let text = seat.mirror.state.legal[0].clone();
    let command = seat.a_move(&text);
    seat.send(command).await;
    for _ in 0..2 {
        seat.event().await;
    }
    assert_eq!(seat.mirror.state.turn, Side::First);
}

/// Waits until the bot declines a challenge; returns the reason.
async fn declined(person: &mut Person, socket: &mut Socket, changes: Value) -> String {
    let sent = person
        .post("/api/v1/challenges", &challenge("Chatu", changes))
        .await;
    assert_eq!(sent.status, 201, "{sent:?}");
    loop {
        if let ServerMsg::ChallengeGone { reason, .. } = socket.next().await {
            let reason = serde_json::to_value(reason).expect("a code");
            break reason.as_str().expect("there is a reason").to_owned();
        }
    }
}

#[tokio::test]
async fn an_outside_engine_plays_rated_matches() {
    let server = TestServer::start().await;
    let (_owner, chatu) = bot_of(server.account("Chatu").await).await;
    let (_other, kaa) = bot_of(server.account("Kaa").await).await;
    let engine = format!("checkers={}", our_engine("checkers"));
    let mut waits = Running::start(bot(&chatu, &["--engine", &engine, "--matches", "2"]));
    let challenges = bot(
        &kaa,
        &[
            "--engine",
            "checkers=random",
            "--challenge",
            "chatu",
            "--matches",
            "2",
        ],
    );
    let mut challenges = Running::start(challenges);
    for _ in 0..2 {
        let (mut mine, other) = (waits.result().await, challenges.result().await);
        assert_eq!(mine["match"], other["match"]);
        assert_eq!(
            (&mine["opponent"], &other["opponent"]),
            (&json!("Kaa"), &json!("Chatu"))
        );
        assert_ne!(mine["side"], other["side"]);
        assert_eq!(
            (&mine["rated"], &mine["game"]),
            (&json!(true), &json!("checkers"))
        );
        // A random player loses to any engine; a rare draw by repetition is one, too.
        let outcomes = [mine["result"].take(), other["result"].clone()];
        assert!(
            [["won", "lost"], ["drawn", "drawn"]]
                .iter()
                .any(|pair| outcomes == pair.map(Value::from)),
            "{outcomes:?}"
        );
        let reason = mine["reason"].as_str().expect("it is over");
        assert!(!["time", "resign", "abandoned"].contains(&reason), "{mine}");
        let id = mine["match"].as_str().expect("an id");
        let path = format!("/api/v1/matches/{id}");
        let view = server.stranger().get(&path).await.json();
        let plies = view["plies"].as_array().expect("plies").len();
        assert_eq!(mine["plies"], plies);
    }
    for bot in [waits, challenges] {
        let (code, log) = bot.end().await;
        assert_eq!(code, Some(0), "{log}");
    }
    let counted = async || {
        let profile = server.stranger().get("/api/v1/players/Chatu").await.json();
        (profile["ratings"][0]["games"] == 2).then_some(())
    };
    eventually("the ratings", counted).await;
    server.stop().await;
}

#[tokio::test]
async fn challenges_are_answered_by_the_terms() {
    let server = TestServer::start().await;
    let (_owner, program) = bot_of(server.account("Chatu").await).await;
    let mut person = server.account("Amina").await;
    let mut socket = Socket::open(&person).await;
    let options = [
        "--engine",
        "oware=1",
        "--modes",
        "casual",
        "--speeds",
        "blitz,rapid",
        "--block",
        "Juma",
    ];
    let bot = Running::start(bot(&program, &options));
    let clock = |base_ms: u64| json!({ "kind": "realtime", "base_ms": base_ms, "increment_ms": 0 });
    let cases = [
        (json!({ "game": "kalah" }), "game"),
        (json!({ "rated": true }), "casual"),
        (json!({ "time_control": clock(30_000) }), "too-fast"),
        (
            json!({ "time_control": { "kind": "unlimited" } }),
            "too-slow",
        ),
    ];
    for (changes, reason) in cases {
        let said = declined(&mut person, &mut socket, changes.clone()).await;
        assert_eq!(said, reason, "{changes}");
    }
    // One match at a time.
    accepted(&mut person, &mut socket, &challenge("Chatu", json!({}))).await;
    let said = declined(&mut person, &mut socket, json!({})).await;
    assert_eq!(said, "later");
    bot.signal("KILL").await;
    server.stop().await;
}

#[tokio::test]
async fn a_bot_that_is_killed_comes_back_to_its_match_and_ends_after_it() {
    let server = TestServer::start().await;
    let (_owner, program) = bot_of(server.account("Chatu").await).await;
    let mut person = server.account("Amina").await;
    let mut socket = Socket::open(&person).await;
    let engine = format!("oware={}", our_engine("oware"));
    let options = ["--engine", &engine];
    let bot_process = Running::start(bot(&program, &options));
    let id = accepted(&mut person, &mut socket, &challenge("Chatu", json!({}))).await;
    bot_process.signal("KILL").await;
    assert_eq!(bot_process.end().await.0, None);

    let mut again = Running::start(bot(&program, &options));
    let mut seat = Seat::take(&person, &id, Side::First).await;
    // The second process answers.
    for _ in 0..2 {
        reply(&mut seat).await;
    }
    // It ends after the match, and takes no further one.
    again.signal("TERM").await;
    seat.send(mawe_wire::Command::Resign).await;
    let result = again.result().await;
    assert_eq!(
        (&result["match"], &result["result"], &result["reason"]),
        (&json!(id), &json!("won"), &json!("resign"))
    );
    let (code, log) = again.end().await;
    assert_eq!(code, Some(0), "{log}");
    server.stop().await;
}

#[tokio::test]
async fn a_rematch_is_accepted() {
    let server = TestServer::start().await;
    let (_owner, program) = bot_of(server.account("Chatu").await).await;
    let mut person = server.account("Amina").await;
    let mut socket = Socket::open(&person).await;
    let options = ["--engine", "oware=1", "--matches", "2"];
    let mut bot = Running::start(bot(&program, &options));
    let first = accepted(&mut person, &mut socket, &challenge("Chatu", json!({}))).await;
    let mut seat = Seat::take(&person, &first, Side::First).await;
    reply(&mut seat).await;
    reply(&mut seat).await;
    seat.send(mawe_wire::Command::Resign).await;
    assert_eq!(bot.result().await["match"], first.as_str());
    seat.socket.rematch(&first).await;
    let next = loop {
        if let ServerMsg::Rematch { rematch, .. } = seat.socket.next().await
            && let Some(next) = rematch.next
        {
            break next.to_string();
        }
    };
    // The sides are exchanged: the bot begins.
    let mut seat = Seat::take(&person, &next, Side::Second).await;
    if seat.mirror.plies.is_empty() {
        seat.event().await;
    }
    seat.send(mawe_wire::Command::Resign).await;
    let result = bot.result().await;
    assert_eq!(
        (result["match"].as_str(), &result["side"]),
        (Some(&*next), &json!("first"))
    );
    let (code, log) = bot.end().await;
    assert_eq!(code, Some(0), "{log}");
    server.stop().await;
}

/// Returns the ids of the processes that a process has started.
fn children(of: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").expect("this is Linux");
    let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let is_child = |id: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        status.lines().any(|line| line == format!("PPid:\t{of}"))
    };
    ids.filter(is_child).collect()
}

#[tokio::test]
async fn an_engine_that_ended_between_two_matches_is_started_again() {
    let server = TestServer::start().await;
    let (_owner, program) = bot_of(server.account("Chatu").await).await;
    let mut person = server.account("Amina").await;
    let mut socket = Socket::open(&person).await;
    let engine = format!("oware={}", our_engine("oware"));
    let mut bot = Running::start(bot(&program, &["--engine", &engine, "--matches", "2"]));
    for number in 0..2 {
        let offer = challenge("Chatu", json!({}));
        let id = accepted(&mut person, &mut socket, &offer).await;
        let mut seat = Seat::take(&person, &id, Side::First).await;
        reply(&mut seat).await;
        seat.send(mawe_wire::Command::Resign).await;
        assert_eq!(bot.result().await["result"], "won");
        if number == 0 {
            let engines = children(bot.child.id().expect("it runs"));
            assert_eq!(engines.len(), 1);
            send_signal(engines[0], "KILL").await;
        }
    }
    let (code, log) = bot.end().await;
    assert_eq!(code, Some(0), "{log}");
    server.stop().await;
}

#[tokio::test]
async fn a_match_is_given_up_when_its_engine_fails_again_and_again() {
    let server = TestServer::start().await;
    let (_owner, program) = bot_of(server.account("Chatu").await).await;
    let mut person = server.account("Amina").await;
    let mut socket = Socket::open(&person).await;
    let engine = format!("oware={}", shell_engine("echo bestmove 99"));
    let mut bot = Running::start(bot(&program, &["--engine", &engine, "--matches", "1"]));
    let id = accepted(&mut person, &mut socket, &challenge("Chatu", json!({}))).await;
    let mut seat = Seat::take(&person, &id, Side::First).await;
    let text = seat.mirror.state.legal[0].clone();
    let command = seat.a_move(&text);
    seat.send(command).await;
    let result = bot.result().await;
    assert_eq!(
        (&result["result"], &result["reason"]),
        (&json!("called-off"), &json!("aborted"))
    );
    let (code, log) = bot.end().await;
    assert_eq!(code, Some(0), "{log}");
    assert_eq!(log.matches("bestmove 99").count(), 3, "{log}");
    server.stop().await;
}

#[tokio::test]
async fn what_is_wrong_with_a_bot_is_said_at_its_start() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let program = person.program(&["bot"]).await;
    let usual = ["--engine", "oware=1"];
    let cases: [(&[&str], i32, &str); 6] = [
        (&["--engine", "oware"], 2, "GAME=PLAYER is wanted"),
        (&["--engine", "chess=1"], 2, "there is no such game"),
        (
            &["--engine", "oware=1", "--engine", "oware=2"],
            2,
            "there are two for this game",
        ),
        (
            &["--engine", "oware=cmd:gtp:edax"],
            2,
            "gtp is a protocol of reversi",
        ),
        (
            &["--engine", "oware=cmd:ugi:/no/such/engine"],
            2,
            "cannot be started",
        ),
        (
            &usual,
            1,
            "Amina is not a bot account; --upgrade makes it one",
        ),
    ];
    for (options, code, said) in cases {
        let line = run(bot(&program, options)).await.complaint(code);
        assert!(line.contains(said), "{options:?}: {line}");
    }
    let mut stranger = bot(&program, &usual);
    stranger.env("MAWE_TOKEN", "mawe_nobody");
    let line = run(stranger).await.complaint(1);
    assert!(line.contains("bad-token"), "{line}");
    // The account becomes a bot account, once.
    let upgraded = Running::start(bot(&program, &["--engine", "oware=1", "--upgrade"]));
    let is_bot = async || {
        let profile = server.stranger().get("/api/v1/players/Amina").await.json();
        (profile["player"]["kind"] == "bot").then_some(())
    };
    eventually("the bot account", is_bot).await;
    upgraded.signal("TERM").await;
    let (code, log) = upgraded.end().await;
    assert_eq!(code, Some(0), "{log}");
    server.stop().await;
}
