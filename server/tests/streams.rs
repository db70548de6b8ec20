//! Streams: the messages of a WebSocket as lines and as server-sent events.

use std::time::Duration;

use mawe_wire::{Command, ServerMsg};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::common::play::Pair;
use crate::common::socket::Socket;
use crate::common::{Answer, PATIENCE, Person, TestServer, eventually};

const LINES: &str = "application/x-ndjson";
const EVENTS: &str = "text/event-stream";

/// A reader of a stream.
struct Reader {
    response: reqwest::Response,
    read: Vec<u8>,
    is_events: bool,
    /// The last `id` of a server-sent event.
    last_id: Option<String>,
}

impl Reader {
    async fn open(person: &Person, path: &str, accept: &str, last_id: Option<&str>) -> Reader {
        let mut request = person.request(Method::GET, path).header("accept", accept);
        if let Some(id) = last_id {
            request = request.header("last-event-id", id);
        }
        let response = request.send().await.expect("the server answers");
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], accept);
        let mut reader = Reader {
            response,
            read: Vec::new(),
            is_events: accept == EVENTS,
            last_id: last_id.map(str::to_owned),
        };
        let hello = reader.next().await.expect("a first message");
        assert_eq!(hello["t"], "hello");
        reader
    }

    /// Returns the next line without its end; `None` at the end of the stream.
    async fn line(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.read.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.read.drain(..=end).collect();
                return Some(String::from_utf8(line[..end].to_vec()).expect("text"));
            }
            let chunk = timeout(PATIENCE, self.response.chunk()).await;
            let chunk = chunk
                .expect("something comes")
                .expect("the line is whole")?;
            self.read.extend_from_slice(&chunk);
        }
    }

    /// Returns the next message; `None` at the end of the stream.
    async fn next(&mut self) -> Option<Value> {
        loop {
            let line = self.line().await?;
            let message = if !self.is_events {
                line.as_str()
            } else if let Some(id) = line.strip_prefix("id: ") {
                self.last_id = Some(id.to_owned());
                continue;
            } else {
                line.strip_prefix("data: ").unwrap_or_default()
            };
            if !message.is_empty() {
                let message: Value = serde_json::from_str(message).expect("JSON");
                let typed = serde_json::from_value::<ServerMsg>(message.clone());
                typed.unwrap_or_else(|error| panic!("{error}: {message}"));
                return Some(message);
            }
        }
    }

    /// Returns the next message of these kinds.
    async fn next_of(&mut self, kinds: &[&str]) -> Value {
        loop {
            let message = self.next().await.expect("the stream goes on");
            if kinds.iter().any(|kind| message["t"] == *kind) {
                return message;
            }
        }
    }

    /// Reads the events up to `seq`; `joined` and snapshots are skipped.
    async fn events_to(&mut self, seq: u64, into: &mut Vec<Value>) {
        while into.last().is_none_or(|event| event["seq"] != seq) {
            let event = self.next_of(&["event"]).await;
            into.push(event);
        }
    }
}

async fn refused(person: &Person, path: &str, status: u16, code: &str) {
    let answer = Answer::of(person.request(Method::GET, path)).await;
    answer.problem(status, code);
}

#[tokio::test]
async fn a_match_is_the_same_by_socket_by_lines_and_by_events_cut_and_resumed_anywhere() {
    let server = TestServer::start().await;
    for seed in 0..3 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut pair = Pair::of_guests(&server).await;
        let stranger = server.stranger();
        let path = format!("/api/v1/matches/{}/stream", pair.id);
        let mut socket = Socket::open(&stranger).await;
        socket.joined(&pair.id).await;
        let mut by_socket: Vec<Value> = Vec::new();
        let mut readers = [
            Some(Reader::open(&stranger, &path, LINES, None).await),
            Some(Reader::open(&stranger, &path, EVENTS, None).await),
            // A player's own stream has the same events.
            Some(Reader::open(&pair.people[0], &path, LINES, None).await),
        ];
        for reader in readers.iter_mut().flatten() {
            reader.next_of(&["snapshot"]).await;
        }
        let mut heard: [Vec<Value>; 3] = Default::default();
        let mut cuts = 0;
        while !pair.is_over() && by_socket.len() < 60 {
            for _ in 0..random.u32(1..5) {
                if !pair.is_over() {
                    pair.ply().await;
                }
            }
            let head = pair.seats[0].mirror.seq;
            while by_socket.last().is_none_or(|event| event["seq"] != head) {
                let event = ServerMsg::Event(Box::new(socket.event().await));
                by_socket.push(serde_json::to_value(event).expect("JSON"));
            }
            for (n, reader) in readers.iter_mut().enumerate() {
                match reader {
                    Some(open) if random.bool() => {
                        open.events_to(head, &mut heard[n]).await;
                        if random.u8(..3) == 0 {
                            *reader = None;
                            cuts += 1;
                        }
                    }
                    // It reads later, or misses the events until then.
                    Some(_) if random.u8(..4) == 0 => {
                        *reader = None;
                        cuts += 1;
                    }
                    Some(_) => {}
                    None => {
                        let last = heard[n]
                            .last()
                            .map_or(0, |event| event["seq"].as_u64().expect("a seq"));
                        let person = if n == 2 { &pair.people[0] } else { &stranger };
                        let open = if n == 1 {
                            // The header takes precedence over the query, which a browser does not change.
                            let last = last.to_string();
                            let path = format!("{path}?since=0");
                            Reader::open(person, &path, EVENTS, Some(&last)).await
                        } else {
                            let path = format!("{path}?since={last}");
                            Reader::open(person, &path, LINES, None).await
                        };
                        *reader = Some(open);
                    }
                }
            }
        }
        let head = pair.seats[0].mirror.seq;
        for (n, reader) in readers.iter_mut().enumerate() {
            let last = heard[n]
                .last()
                .map_or(0, |event| event["seq"].as_u64().expect("a seq"));
            if last < head {
                let accept = if n == 1 { EVENTS } else { LINES };
                let path = format!("{path}?since={last}");
                let mut open = match reader.take() {
                    Some(open) => open,
                    None => Reader::open(&stranger, &path, accept, None).await,
                };
                open.events_to(head, &mut heard[n]).await;
                if n == 1 {
                    assert_eq!(open.last_id, Some(head.to_string()), "seed {seed}");
                }
            }
            assert_eq!(heard[n], by_socket, "seed {seed}, reader {n}");
        }
        assert!(cuts > 0, "seed {seed}");
    }
}

#[tokio::test]
async fn who_comes_late_to_a_rated_match_sees_what_spectators_see() {
    let server =
        TestServer::start_with(|config| config.live.spectator_delay = Duration::from_secs(3600))
            .await;
    let people = [server.account("Amina").await, server.account("Zofia").await];
    let mut pair = Pair::of(people, true).await;
    pair.plies(3).await;
    let path = format!("/api/v1/matches/{}/stream", pair.id);
    let mut stranger = Reader::open(&server.stranger(), &path, LINES, None).await;
    let shown = stranger.next_of(&["snapshot"]).await;
    assert_eq!(shown["match"]["seq"], 0);
    let mut player = Reader::open(&pair.people[0], &path, LINES, None).await;
    let shown = player.next_of(&["snapshot"]).await;
    assert_eq!(
        (&shown["match"]["seq"], &shown["you"]),
        (&json!(3), &json!("first"))
    );
}

#[tokio::test]
async fn what_concerns_me_comes_until_i_log_out_or_the_server_stops() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let mut zofia = server.account("Zofia").await;
    refused(
        &server.stranger(),
        "/api/v1/me/stream",
        401,
        "sign-in-first",
    )
    .await;
    let mut aminas = Reader::open(&amina, "/api/v1/me/stream", LINES, None).await;
    let mut zofias = Reader::open(&zofia, "/api/v1/me/stream", EVENTS, None).await;
    let offer = json!({
        "game": "mawe", "to": "Zofia",
        "time_control": { "kind": "realtime", "base_ms": 600_000, "increment_ms": 0 },
    });
    let challenge = amina.post("/api/v1/challenges", &offer).await.text("/id");
    assert_eq!(
        zofias.next_of(&["challenge"]).await["challenge"]["id"],
        challenge
    );
    // The addressee receives the open challenge again after reconnecting; the challenger does not.
    drop(zofias);
    let mut zofias = Reader::open(&zofia, "/api/v1/me/stream", EVENTS, None).await;
    assert_eq!(
        zofias.next_of(&["challenge"]).await["challenge"]["id"],
        challenge
    );
    let path = format!("/api/v1/challenges/{challenge}/accept");
    let id = zofia.post(&path, &json!({})).await.text("/id");
    let accepted = aminas.next_of(&["challenge-accepted"]).await;
    assert_eq!(accepted["match"], id);
    drop(zofias);
    let mut zofias = Reader::open(&zofia, "/api/v1/me/stream", EVENTS, None).await;

    amina.delete("/api/v1/sessions/current").await;
    assert_eq!(aminas.next_of(&["closing"]).await["reason"], "logged-out");
    assert_eq!(aminas.next().await, None);
    let stop = tokio::spawn(server.stop());
    assert_eq!(zofias.next_of(&["closing"]).await["reason"], "restarting");
    assert_eq!(zofias.next().await, None);
    stop.await.expect("the server stops");
}

#[tokio::test]
async fn an_address_has_so_many_streams_and_no_more() {
    let server = TestServer::start().await;
    let pair = Pair::of_guests(&server).await;
    let path = format!("/api/v1/matches/{}/stream", pair.id);
    let mut open = Vec::new();
    for _ in 0..mawe_server::http::streams::MAX_STREAMS {
        open.push(Reader::open(&server.stranger(), &path, LINES, None).await);
    }
    refused(&server.stranger(), &path, 429, "too-many-streams").await;
    drop(open);
    let stranger = server.stranger();
    eventually("a place for another stream", async || {
        let answer = stranger.request(Method::GET, &path).send().await;
        (answer.expect("an answer").status() == 200).then_some(())
    })
    .await;
    refused(
        &stranger,
        "/api/v1/matches/AAAAAAAAAAAA/stream",
        404,
        "not-found",
    )
    .await;
    let bad = Answer::of(stranger.request(Method::GET, &format!("{path}?since=x"))).await;
    bad.bad_field("bad-filter", "since");
}

#[tokio::test]
async fn the_featured_match_is_followed_to_its_end_and_then_the_next() {
    let server = TestServer::start().await;
    let mut first = Pair::of_guests(&server).await;
    first.ply().await;
    let stranger = server.stranger();
    let mut reader = Reader::open(&stranger, "/api/v1/tv/mawe/stream", LINES, None).await;
    while reader.next_of(&["tv"]).await["match"] != first.id {}
    let snapshot = reader.next_of(&["snapshot"]).await;
    assert_eq!(snapshot["match"]["id"], first.id);
    let ply = first.ply().await;
    assert_eq!(reader.next_of(&["event"]).await["seq"], ply.seq);
    first.act(0, Command::Resign).await;
    assert_eq!(reader.next_of(&["event"]).await["event"]["kind"], "resign");
    let mut second = Pair::of_guests(&server).await;
    second.ply().await;
    while reader.next_of(&["tv"]).await["match"] != second.id {}
    let snapshot = reader.next_of(&["snapshot"]).await;
    assert_eq!(snapshot["match"]["id"], second.id);
    refused(&stranger, "/api/v1/tv/chess/stream", 404, "not-found").await;
}
