//! Events over HTTP: from the creation to the final standings, with matches that are played.

use std::collections::BTreeSet;

use mawe_play::events::Input;
use mawe_rules::{AnySetup, GameKind, Record};
use mawe_server::clock::unix_ms;
use mawe_server::http::export::MAX_EXPORTS;
use mawe_store::{Attribution, VoidMatches};
use mawe_wire::events::{EventGameResult, EventState};
use mawe_wire::grants::Grant;
use mawe_wire::ids::EventId;
use mawe_wire::{Code, NoticeKind, ServerMsg, SessionMsg};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::common::socket::Socket;
use crate::common::{Answer, PATIENCE, Person, TestServer, eventually};

const EVENTS: &str = "/api/v1/events";
const MINUTE_MS: i64 = 60 * 1_000;
pub(crate) const HOUR_MS: i64 = 60 * MINUTE_MS;

/// More than the pause between two rounds.
const PAUSE_MS: i64 = 20_000;

fn in_ms(ms: i64) -> String {
    let at = jiff::Timestamp::from_millisecond(unix_ms() + ms);
    at.expect("a time").to_string()
}

pub(crate) fn proposal(kind: &str) -> Value {
    let mut body = json!({
        "kind": kind, "name": "Friday evening", "game": "mawe",
        "time_control": { "kind": "realtime", "base_ms": 300_000, "increment_ms": 0 },
        "start_at": in_ms(HOUR_MS),
    });
    match kind {
        "arena" => body["duration_minutes"] = json!(30),
        "swiss" => body["rounds"] = json!(3),
        "series" => body["games"] = json!(3),
        _ => {}
    }
    body
}

pub(crate) fn with(mut body: Value, field: &str, value: Value) -> Value {
    match value {
        Value::Null => drop(body.as_object_mut().expect("an object").remove(field)),
        value => body[field] = value,
    }
    body
}

/// A proposal that begins when so many have come.
pub(crate) fn with_players(kind: &str, players: u32) -> Value {
    let body = with(proposal(kind), "start_at", Value::Null);
    with(body, "start_players", json!(players))
}

pub(crate) async fn create(person: &mut Person, body: &Value) -> String {
    let made = person.post(EVENTS, body).await;
    assert_eq!(made.status, 201, "{made:?}");
    made.text("/id")
}

fn at(id: &str, rest: &str) -> String {
    format!("{EVENTS}/{id}{rest}")
}

#[track_caller]
fn ok(answer: Answer) -> Value {
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

pub(crate) async fn join(person: &mut Person, id: &str) -> Value {
    ok(person.post(&at(id, "/join"), &json!({})).await)
}

async fn seen(person: &Person, id: &str) -> Value {
    ok(person.get(&at(id, "")).await)
}

pub(crate) async fn standings(person: &Person, id: &str) -> Vec<Value> {
    let page = ok(person.get(&at(id, "/standings?limit=100")).await);
    page["items"].as_array().expect("items").clone()
}

pub(crate) async fn games(person: &Person, id: &str) -> Vec<Value> {
    let page = ok(person.get(&at(id, "/games?limit=100")).await);
    page["items"].as_array().expect("items").clone()
}

/// Does what is due after this time.
pub(crate) async fn later(server: &TestServer, ms: i64) {
    server.app().lobby.advance_events(unix_ms() + ms).await;
}

/// The moves with which a rated match counts.
const PLIES: u32 = 4;

/// Each player moves twice, and then the first side resigns.
pub(crate) async fn first_resigns(people: &mut [Person], id: &str) {
    resigns(people, id, "first").await;
}

/// Each player moves twice, and then this side resigns.
async fn resigns(people: &mut [Person], id: &str, loser: &str) {
    let path = format!("/api/v1/matches/{id}");
    let commands = format!("{path}/commands");
    for ply in 0..=PLIES {
        let state = people[0].get(&path).await.json();
        let turn = match ply {
            PLIES => loser,
            _ => state["turn"].as_str().expect("a side"),
        };
        let name = state["seats"][turn]["player"]["name"].clone();
        let command = if ply < PLIES {
            json!({ "kind": "move", "ply": state["ply"], "move": state["legal"][0] })
        } else {
            json!({ "kind": "resign" })
        };
        let body =
            json!({ "client_id": format!("c-{ply}"), "seq": state["seq"], "command": command });
        for person in people.iter_mut() {
            if person.name().await == name {
                let done = person.post(&commands, &body).await;
                assert_eq!(done.status, 200, "{done:?}");
            }
        }
    }
}

/// Plays an event to its end: the first side resigns each game. Returns the number of games that were played.
async fn play_out(server: &TestServer, people: &mut [Person], id: &str, from_ms: i64) -> usize {
    let mut played = BTreeSet::new();
    let mut time = from_ms;
    for _ in 0..200 {
        later(server, time).await;
        time += PAUSE_MS;
        if seen(&people[0], id).await["state"] == "finished" {
            return played.len();
        }
        for game in games(&people[0], id).await {
            let Some(running) = game["match"]
                .as_str()
                .filter(|_| game["state"] == "playing")
            else {
                continue;
            };
            if played.insert(running.to_owned()) {
                first_resigns(people, running).await;
            }
        }
    }
    panic!("the event does not end: {:?}", games(&people[0], id).await);
}

pub(crate) async fn accounts<const N: usize>(server: &TestServer, names: [&str; N]) -> Vec<Person> {
    let mut people = Vec::new();
    for name in names {
        people.push(server.account(name).await);
    }
    people
}

#[tokio::test]
async fn a_round_robin_of_three_accounts_is_played_to_its_end() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati", "Chiku"]).await;
    let stranger = server.stranger();
    let mut body = with_players("round-robin", 3);
    body["description"] = json!("Every Friday");
    let id = create(&mut people[0], &body).await;
    let list = ok(stranger.get(EVENTS).await);
    assert_eq!(list["items"][0]["id"], json!(id));
    assert_eq!(list["items"][0]["start_players"], 3);
    assert_eq!(seen(&people[0], &id).await["me"], Value::Null);
    assert_eq!(seen(&people[0], &id).await["may_cancel"], true);
    let mut sockets = Vec::new();
    for person in &people {
        sockets.push((person.name().await, Socket::open(person).await));
    }
    for person in &mut people {
        // From two tabs.
        for _ in 0..2 {
            assert_eq!(join(person, &id).await["me"]["state"], "in");
        }
    }
    assert_eq!(seen(&stranger, &id).await["players"], 3);
    later(&server, 0).await;
    // One of the three has a bye.
    let game = games(&stranger, &id).await.remove(0);
    let (_, at_first) = sockets
        .iter_mut()
        .find(|(name, _)| game["first"]["name"] == *name)
        .expect("a player");
    let paired = at_first.until(|message| match message {
        ServerMsg::EventPaired { event, .. } => Some(event),
        _ => None,
    });
    assert_eq!(paired.await.id.to_string(), id);
    at_first.notice(NoticeKind::EventMatchBegun).await;
    let view = seen(&stranger, &id).await;
    assert_eq!(
        (&view["state"], &view["round"]),
        (&json!("running"), &json!(1))
    );
    assert!(view["featured"].is_string(), "{view}");
    let mut late = server.account("Dalili").await;
    late.post(&at(&id, "/join"), &json!({}))
        .await
        .problem(409, "event-closed");
    assert_eq!(play_out(&server, &mut people, &id, PAUSE_MS).await, 3);
    let rows = standings(&stranger, &id).await;
    assert_eq!(rows.len(), 3);
    let points: f64 = rows
        .iter()
        .map(|row| row["points"].as_f64().expect("points"))
        .sum();
    assert!((points - 3.0).abs() < 0.01, "{rows:?}");
    assert_eq!(rows[0]["games"].as_array().expect("games").len(), 2);
    for game in games(&stranger, &id).await {
        assert_eq!(
            (&game["state"], &game["result"]),
            (&json!("ended"), &json!("second"))
        );
    }
    let view = seen(&people[0], &id).await;
    assert!(view["finished_at"].is_string() && view["me"]["place"].is_number());
    let past = ok(stranger.get(&format!("{EVENTS}?state=finished")).await);
    assert_eq!(past["items"][0]["id"], json!(id));
    let table = stranger.get(&at(&id, "/results.csv")).await;
    assert_eq!(table.status, 200, "{table:?}");
    assert!(table.header("content-type").starts_with("text/csv"));
    let report = stranger.get(&at(&id, "/results.trf")).await;
    assert_eq!(report.status, 200, "{report:?}");
    let export = stranger.get(&at(&id, "/export")).await;
    let text = String::from_utf8_lossy(&export.body).into_owned();
    assert_eq!(text.lines().count(), 3, "a record of each match: {text}");
    // After the end.
    for rest in ["/join", "/withdraw", "/pause"] {
        people[0]
            .post(&at(&id, rest), &json!({}))
            .await
            .problem(409, "event-over");
    }
    server.stop().await;
}

#[tokio::test]
async fn an_arena_pairs_who_is_free_and_ends_at_its_time() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati", "Chiku", "Dalili"]).await;
    let stranger = server.stranger();
    let id = create(&mut people[0], &proposal("arena")).await;
    for person in &mut people {
        join(person, &id).await;
    }
    let paused = people[3].post(&at(&id, "/pause"), &json!({})).await;
    assert_eq!(ok(paused)["me"]["state"], "paused");
    // Begun and paired, and then some time for the pairing of who is free.
    for ms in [0, 1_000, 30_000] {
        later(&server, HOUR_MS + ms).await;
    }
    let first = games(&stranger, &id).await;
    assert_eq!(first.len(), 1, "one waits, one pauses: {first:?}");
    let running = first[0]["match"].as_str().expect("a match").to_owned();
    first_resigns(&mut people, &running).await;
    let resumed = people[3].post(&at(&id, "/resume"), &json!({})).await;
    assert_eq!(ok(resumed)["me"]["state"], "in");
    eventually("another game", async || {
        later(&server, HOUR_MS + 2 * MINUTE_MS).await;
        (games(&stranger, &id).await.len() > 1).then_some(())
    })
    .await;
    play_out(&server, &mut people, &id, 2 * HOUR_MS).await;
    let rows = standings(&stranger, &id).await;
    assert_eq!(rows.len(), 4);
    assert!(rows[0]["points"].as_f64().expect("points") >= 2.0);
    server.stop().await;
}

/// Plays an event of four accounts to its end; returns the number of games.
async fn of_four(kind: &str) -> usize {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati", "Chiku", "Dalili"]).await;
    let id = create(&mut people[0], &with_players(kind, 4)).await;
    for person in &mut people {
        join(person, &id).await;
    }
    let played = play_out(&server, &mut people, &id, 0).await;
    assert_eq!(standings(&people[0], &id).await.len(), 4);
    server.stop().await;
    played
}

#[tokio::test]
async fn a_knockout_is_played_to_its_end() {
    // Three mini-matches of two games at least.
    assert!(of_four("knockout").await >= 6);
}

#[tokio::test]
async fn a_simul_is_played_to_its_end() {
    assert_eq!(of_four("simul").await, 3);
}

/// Creates a series of two accounts, and lets them join.
async fn series(people: &mut [Person], games: u32, best_of: bool) -> String {
    let body = with(with_players("series", 2), "games", json!(games));
    let body = with(body, "best_of", json!(best_of));
    let id = create(&mut people[0], &body).await;
    for person in &mut people[..2] {
        join(person, &id).await;
    }
    id
}

/// Waits for the next game of a series; returns the match, and the side of a player in it.
async fn next_game(server: &TestServer, person: &Person, id: &str) -> (String, String) {
    let name = person.name().await;
    eventually("the next game", async || {
        later(server, 0).await;
        let game = games(person, id).await.pop()?;
        let running = game["match"].as_str()?.to_owned();
        let side = if game["first"]["name"] == name {
            "first"
        } else {
            "second"
        };
        (game["state"] == "playing").then(|| (running, side.to_owned()))
    })
    .await
}

/// Waits for the end of an event; returns the name and the points of each row.
async fn score(server: &TestServer, person: &Person, id: &str) -> Vec<(Value, Value, Value)> {
    eventually("the end", async || {
        later(server, 0).await;
        (seen(person, id).await["state"] == "finished").then_some(())
    })
    .await;
    let rows = standings(person, id).await.into_iter();
    rows.map(|row| {
        let name = row["player"]["name"].clone();
        (row["place"].clone(), name, row["points"].clone())
    })
    .collect()
}

#[tokio::test]
async fn a_best_of_three_is_over_after_two_wins_and_a_correction_changes_its_score() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati", "Chiku"]).await;
    let [asha, bahati] = [people[0].name().await, people[1].name().await];
    let id = series(&mut people, 3, true).await;
    let view = seen(&people[2], &id).await;
    assert_eq!(
        [&view["games"], &view["best_of"], &view["max_players"]],
        [&json!(3), &json!(true), &json!(2)]
    );
    let third = people[2].post(&at(&id, "/join"), &json!({})).await;
    third.problem(409, "event-full");
    let mut sides = Vec::new();
    for _ in 0..2 {
        let (running, side) = next_game(&server, &people[0], &id).await;
        resigns(&mut people, &running, &side).await;
        sides.push(side);
    }
    assert_ne!(sides[0], sides[1], "the sides are exchanged");
    let rows = score(&server, &people[2], &id).await;
    assert_eq!(
        rows,
        [
            (json!(1), json!(bahati), json!(2.0)),
            (json!(2), json!(asha), json!(0.0))
        ]
    );
    assert_eq!(games(&people[2], &id).await.len(), 2);
    let report = people[2].get(&at(&id, "/results.trf")).await;
    assert_eq!(report.status, 404, "{report:?}");
    let table = people[2].get(&at(&id, "/results.csv")).await;
    assert_eq!(table.status, 200, "{table:?}");
    let key = id.parse().expect("an id");
    let void = Input::Correct {
        game: 1,
        result: EventGameResult::CalledOff,
    };
    let lobby = &server.app().lobby;
    let corrected = lobby.change_event(&key, unix_ms(), &void).await;
    corrected.expect("the store answers");
    later(&server, HOUR_MS).await;
    let rows = score(&server, &people[2], &id).await;
    assert_eq!(rows[0], (json!(1), json!(bahati), json!(1.0)));
    assert_eq!(games(&people[2], &id).await.len(), 2);
    server.stop().await;
}

#[tokio::test]
async fn a_player_who_withdraws_from_a_series_loses_it() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati"]).await;
    let [asha, bahati] = [people[0].name().await, people[1].name().await];
    let id = series(&mut people, 4, false).await;
    let (running, side) = next_game(&server, &people[1], &id).await;
    resigns(&mut people, &running, &side).await;
    next_game(&server, &people[1], &id).await;
    let withdrawn = people[0].post(&at(&id, "/withdraw"), &json!({})).await;
    assert_eq!(ok(withdrawn)["me"]["state"], "withdrawn");
    let (running, side) = next_game(&server, &people[1], &id).await;
    resigns(&mut people, &running, &side).await;
    let rows = score(&server, &people[1], &id).await;
    assert_eq!(
        rows,
        [
            (json!(1), json!(bahati), json!(0.0)),
            (json!(2), json!(asha), json!(2.0))
        ]
    );
    assert_eq!(games(&people[1], &id).await.len(), 2);
    server.stop().await;
}

/// Plays the first legal moves of a match to its end; returns its result.
async fn plays_out(people: &mut [Person], id: &str) -> Value {
    let path = format!("/api/v1/matches/{id}");
    let commands = format!("{path}/commands");
    loop {
        let state = people[0].get(&path).await.json();
        if !state["result"].is_null() {
            return state["result"].clone();
        }
        let turn = state["turn"].as_str().expect("a side");
        let name = state["seats"][turn]["player"]["name"].clone();
        let command = json!({ "kind": "move", "ply": state["ply"], "move": state["legal"][0] });
        let body = json!({
            "client_id": format!("c-{}", state["seq"]), "seq": state["seq"], "command": command,
        });
        for person in people.iter_mut() {
            if person.name().await == name {
                let done = person.post(&commands, &body).await;
                assert_eq!(done.status, 200, "{done:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_series_of_one_game_is_a_match_of_rounds_with_burnt_houses() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati"]).await;
    let body = with(with_players("series", 2), "games", json!(1));
    let body = with(body, "game", json!("congkak"));
    let id = create(&mut people[0], &with(body, "setup", json!("rounds=2"))).await;
    for person in &mut people {
        join(person, &id).await;
    }
    let (running, side) = next_game(&server, &people[0], &id).await;
    let result = plays_out(&mut people, &running).await;
    let view = people[0]
        .get(&format!("/api/v1/matches/{running}"))
        .await
        .json();
    let setup = AnySetup::parse(GameKind::Congkak, "rounds=2").expect("a setup");
    let mut record = Record::new(GameKind::Congkak, &setup).expect("a start");
    for ply in view["plies"].as_array().expect("plies") {
        let text = ply["move"].as_str().expect("a move");
        record.play(text).expect("a legal move");
    }
    let rounds = record.rounds().expect("rounds");
    assert_eq!(rounds.len(), 2, "{rounds:?}");
    let points = match &result["winner"] {
        Value::Null => json!(0.5),
        winner => json!(if *winner == side { 1.0 } else { 0.0 }),
    };
    let rows = score(&server, &people[0], &id).await;
    let name = people[0].name().await;
    let row = rows
        .iter()
        .find(|(_, player, _)| *player == name)
        .expect("a row");
    assert_eq!(row.2, points, "{rows:?}");
    // The rounds are one game of the event, and one match of the history.
    assert_eq!(games(&people[0], &id).await.len(), 1);
    let history = people[0]
        .get(&format!("/api/v1/players/{name}/matches"))
        .await;
    assert_eq!(history.json()["items"].as_array().map(Vec::len), Some(1));
    server.stop().await;
}

#[tokio::test]
async fn bad_series_have_one_clear_answer_and_days_are_allowed() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    for (field, value) in [
        ("games", json!(0)),
        ("games", json!(21)),
        ("games", Value::Null),
        ("max_players", json!(3)),
        ("start_players", json!(3)),
        ("rounds", json!(3)),
        ("berserk", json!(true)),
    ] {
        let body = with(with_players("series", 2), field, value);
        let refused = asha.post(EVENTS, &body).await;
        refused.bad_field("bad-terms", field);
    }
    let days = json!({ "kind": "correspondence", "days": 3 });
    let id = create(&mut asha, &with(proposal("series"), "time_control", days)).await;
    assert_eq!(seen(&asha, &id).await["games"], 3);
    server.stop().await;
}

#[tokio::test]
async fn a_swiss_tournament_is_played_to_its_end() {
    assert_eq!(of_four("swiss").await, 6);
}

#[tokio::test]
async fn a_restart_between_the_pairing_and_the_seating_loses_nothing_of_an_event() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati"]).await;
    let body = with(
        with_players("round-robin", 2),
        "time_control",
        json!({ "kind": "correspondence", "days": 2 }),
    );
    let id = create(&mut people[0], &body).await;
    for person in &mut people {
        join(person, &id).await;
    }
    let key = id.parse().expect("an id");
    let lobby = &server.app().lobby;
    let paired = lobby.change_event(&key, unix_ms(), &Input::Tick).await;
    paired.expect("the store answers");
    let server = server.restart().await;
    let stranger = server.stranger();
    // By the server itself, without a call of the test.
    let game = eventually("the match", async || {
        let mut games = games(&stranger, &id).await;
        games.pop().filter(|game| game["match"].is_string())
    })
    .await;
    later(&server, 0).await;
    let after = games(&stranger, &id).await;
    assert_eq!(after, [game], "one match, seated once");
    server.stop().await;
}

#[tokio::test]
async fn a_match_made_void_after_the_next_round_was_paired_counts_no_more() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati", "Chiku", "Dalili"]).await;
    let body = with(with_players("round-robin", 4), "rated", json!(true));
    let id = create(&mut people[0], &body).await;
    for person in &mut people {
        join(person, &id).await;
    }
    later(&server, 0).await;
    let first = games(&people[0], &id).await;
    assert_eq!(first.len(), 2);
    for game in &first {
        let running = game["match"].as_str().expect("a match").to_owned();
        first_resigns(&mut people, &running).await;
    }
    let mut time = 0;
    while seen(&people[0], &id).await["round"] != 2 {
        time += PAUSE_MS;
        later(&server, time).await;
        assert!(time < HOUR_MS, "the next round is not paired");
    }
    let loser = first[0]["first"]["name"].as_str().expect("a name");
    let store = &server.app().store;
    let void = VoidMatches {
        player: server.player_id(loser).await,
        opponent: None,
        since_ms: None,
        until_ms: None,
    };
    let moderator = Attribution {
        by: None,
        why: "because".to_owned(),
        at_ms: unix_ms(),
    };
    let voided = store.void_matches(&void, &moderator).await;
    assert_eq!(voided.expect("the store answers"), 1);
    later(&server, time).await;
    let now = games(&people[0], &id).await;
    assert_eq!(now[0]["result"], "called-off");
    assert_eq!(now[1]["result"], "second");
    let rows = standings(&people[0], &id).await;
    let points: f64 = rows
        .iter()
        .map(|row| row["points"].as_f64().expect("points"))
        .sum();
    assert!((points - 1.0).abs() < 0.01, "{rows:?}");
    server.stop().await;
}

#[tokio::test]
async fn an_event_to_which_nobody_comes_and_one_that_all_leave_end() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati"]).await;
    let lonely = create(&mut people[0], &proposal("swiss")).await;
    join(&mut people[0], &lonely).await;
    later(&server, HOUR_MS + MINUTE_MS).await;
    assert_eq!(seen(&people[0], &lonely).await["state"], "cancelled");
    let left = create(&mut people[0], &with_players("round-robin", 2)).await;
    for person in &mut people {
        join(person, &left).await;
    }
    later(&server, 0).await;
    for person in &mut people {
        let withdrawn = person.post(&at(&left, "/withdraw"), &json!({})).await;
        assert_eq!(ok(withdrawn)["me"]["state"], "withdrawn");
        person
            .post(&at(&left, "/withdraw"), &json!({}))
            .await
            .problem(409, "not-in-event");
    }
    let game = games(&people[0], &left).await.remove(0);
    let running = game["match"].as_str().expect("a match").to_owned();
    first_resigns(&mut people, &running).await;
    let mut time = 0;
    while seen(&people[0], &left).await["state"] == "running" {
        time += PAUSE_MS;
        later(&server, time).await;
        assert!(time < HOUR_MS, "it does not end");
    }
    server.stop().await;
}

#[tokio::test]
async fn bad_events_and_entries_have_one_clear_answer() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati", "Chiku"]).await;
    let good = proposal("arena");
    for (field, value, code) in [
        ("name", json!("x"), "bad-text"),
        ("name", json!("two\nlines"), "bad-text"),
        ("description", json!("x".repeat(2_001)), "bad-text"),
        ("start_at", json!(in_ms(10)), "bad-terms"),
        ("start_at", json!(in_ms(91 * 24 * HOUR_MS)), "bad-terms"),
        ("start_at", Value::Null, "bad-terms"),
        ("duration_minutes", json!(4), "bad-terms"),
        ("duration_minutes", Value::Null, "bad-terms"),
        ("max_players", json!(1), "bad-terms"),
        ("max_players", json!(10_001), "bad-terms"),
        ("rounds", json!(5), "bad-terms"),
        ("cycles", json!(2), "bad-terms"),
        ("games", json!(2), "bad-terms"),
        ("best_of", json!(true), "bad-terms"),
        ("host_extra_minutes", json!(5), "bad-terms"),
        ("setup", json!("nonsense"), "bad-setup"),
        (
            "time_control",
            json!({ "kind": "unlimited" }),
            "bad-time-control",
        ),
        (
            "time_control",
            json!({ "kind": "correspondence", "days": 3 }),
            "bad-time-control",
        ),
    ] {
        let body = with(good.clone(), field, value);
        people[0].post(EVENTS, &body).await.bad_field(code, field);
    }
    for (entry, field, code) in [
        (
            json!({ "min_rating": 4_001 }),
            "entry.min_rating",
            "bad-range",
        ),
        (
            json!({ "min_rating": 9, "max_rating": 8 }),
            "entry.min_rating",
            "bad-range",
        ),
        (
            json!({ "min_matches": 1_001 }),
            "entry.min_matches",
            "bad-terms",
        ),
        (json!({ "password": "abc" }), "entry.password", "bad-terms"),
        (json!({ "club": "nowhere" }), "entry.club", "unknown-club"),
    ] {
        let body = with(good.clone(), "entry", entry);
        people[0].post(EVENTS, &body).await.bad_field(code, field);
    }
    let both = with(good.clone(), "start_players", json!(3));
    people[0]
        .post(EVENTS, &both)
        .await
        .bad_field("bad-terms", "start_at");
    let mut guest = server.guest().await;
    guest
        .post(EVENTS, &good)
        .await
        .problem(403, "account-needed");
    server
        .stranger()
        .post(EVENTS, &good)
        .await
        .problem(401, "sign-in-first");

    let body = with(good.clone(), "max_players", json!(2));
    let body = with(
        body,
        "entry",
        json!({ "password": "karibu", "max_rating": 1_500 }),
    );
    let id = create(&mut people[0], &body).await;
    assert_eq!(seen(&people[1], &id).await["entry"]["password"], true);
    guest
        .post(&at(&id, "/join"), &json!({}))
        .await
        .problem(403, "account-needed");
    for wrong in [json!({}), json!({ "password": "wrong" })] {
        people[0]
            .post(&at(&id, "/join"), &wrong)
            .await
            .problem(403, "event-password");
    }
    let right = json!({ "password": "karibu" });
    for person in &mut people[..2] {
        ok(person.post(&at(&id, "/join"), &right).await);
    }
    people[2]
        .post(&at(&id, "/join"), &right)
        .await
        .problem(409, "event-full");
    people[2]
        .post(&at(&id, "/pause"), &json!({}))
        .await
        .problem(409, "not-in-event");
    people[1]
        .post(&at(&id, "/bye"), &json!({ "round": 1 }))
        .await
        .problem(409, "event-closed");
    people[1]
        .delete(&at(&id, ""))
        .await
        .problem(403, "moderators-only");
    // One leaves, and another has room.
    ok(people[1].post(&at(&id, "/withdraw"), &json!({})).await);
    ok(people[2].post(&at(&id, "/join"), &right).await);
    let gone = people[0].delete(&at(&id, "")).await;
    assert_eq!(gone.status, 204, "{gone:?}");
    people[0]
        .delete(&at(&id, ""))
        .await
        .problem(403, "moderators-only");
    assert_eq!(seen(&people[0], &id).await["state"], "cancelled");
    let strong = with(good, "entry", json!({ "min_rating": 2_000 }));
    let id = create(&mut people[0], &strong).await;
    people[1]
        .post(&at(&id, "/join"), &json!({}))
        .await
        .problem(403, "event-conditions");
    server
        .stranger()
        .get(&at("000000000000", ""))
        .await
        .problem(404, "not-found");
    server.stop().await;
}

#[tokio::test]
async fn an_event_of_a_club_is_for_its_members_and_a_hidden_one_is_seen_by_them() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati"]).await;
    let club = json!({ "handle": "secret", "name": "Secret club", "joining": "invitation" });
    assert_eq!(people[0].post("/api/v1/clubs", &club).await.status, 201);
    let body = with(proposal("arena"), "entry", json!({ "club": "secret" }));
    people[1]
        .post(EVENTS, &body)
        .await
        .problem(403, "officers-only");
    let id = create(&mut people[0], &body).await;
    people[1].get(&at(&id, "")).await.problem(404, "not-found");
    people[1]
        .post(&at(&id, "/join"), &json!({}))
        .await
        .problem(404, "not-found");
    assert_eq!(ok(people[1].get(EVENTS).await)["items"], json!([]));
    assert_eq!(join(&mut people[0], &id).await["me"]["state"], "in");
    let open = json!({ "handle": "open-club", "name": "Open club", "joining": "open" });
    assert_eq!(people[0].post("/api/v1/clubs", &open).await.status, 201);
    let body = with(proposal("arena"), "entry", json!({ "club": "open-club" }));
    let id = create(&mut people[0], &body).await;
    people[1]
        .post(&at(&id, "/join"), &json!({}))
        .await
        .problem(409, "not-a-member");
    let joined = people[1]
        .post("/api/v1/clubs/open-club/members", &json!({}))
        .await;
    assert_eq!(joined.text("/standing"), "member");
    assert_eq!(join(&mut people[1], &id).await["me"]["state"], "in");
    server.stop().await;
}

#[tokio::test]
async fn a_moderator_cancels_an_event_that_runs_and_its_matches_go_on() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati", "Mlinzi"]).await;
    let grant = mawe_store::AccountChange::Grant(Grant::Moderator);
    server.change_account("Mlinzi", grant).await;
    let id = create(&mut people[0], &with_players("round-robin", 2)).await;
    for person in &mut people[..2] {
        join(person, &id).await;
    }
    later(&server, 0).await;
    people[0]
        .delete(&at(&id, ""))
        .await
        .problem(403, "moderators-only");
    let gone = people[2].delete(&at(&id, "")).await;
    assert_eq!(gone.status, 204, "{gone:?}");
    let log = people[2].get("/api/v1/moderation/audit").await.json();
    assert_eq!(log["items"][0]["action"], "cancel-event");
    assert_eq!(log["items"][0]["about"]["name"], "Asha");
    let game = games(&people[0], &id).await.remove(0);
    let running = game["match"].as_str().expect("a match").to_owned();
    first_resigns(&mut people, &running).await;
    later(&server, HOUR_MS).await;
    assert_eq!(seen(&people[0], &id).await["state"], "cancelled");
    server.stop().await;
}

#[tokio::test]
async fn a_moderator_judges_a_game_that_is_over() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati", "Mlinzi", "Mchezaji"]).await;
    for name in ["Mlinzi", "Mchezaji"] {
        let grant = mawe_store::AccountChange::Grant(Grant::Moderator);
        server.change_account(name, grant).await;
    }
    let id = create(&mut people[0], &with_players("round-robin", 3)).await;
    for player in [0, 1, 3] {
        join(&mut people[player], &id).await;
    }
    later(&server, 0).await;
    let path = |number: u32| format!("/api/v1/moderation/events/{id}/games/{number}");
    let judgement = json!({ "result": "drawn", "why": "they had agreed" });
    // A game that runs is not judged, and nobody judges games of an event of their own.
    let early = people[2].patch(&path(1), &judgement).await;
    early.problem(409, "event-closed");
    let own = people[3].patch(&path(1), &judgement).await;
    own.problem(403, "own-case");
    let unknown = people[2].patch(&path(99), &judgement).await;
    unknown.problem(404, "not-found");
    for bad in [
        json!({ "result": "drawn", "why": " " }),
        json!({ "result": "drawn", "why": "x".repeat(501) }),
    ] {
        let refused = people[2].patch(&path(1), &bad).await;
        refused.problem(422, "bad-text");
    }
    let mut time = 0;
    while seen(&people[0], &id).await["state"] != "finished" {
        for game in games(&people[0], &id).await {
            if game["state"] == "playing" {
                let running = game["match"].as_str().expect("a match").to_owned();
                first_resigns(&mut people, &running).await;
            }
        }
        time += PAUSE_MS;
        later(&server, time).await;
        assert!(time < HOUR_MS, "the event does not end");
    }
    let before = games(&people[0], &id).await.remove(0);
    assert_eq!(before["result"], "second");
    let judged = ok(people[2].patch(&path(1), &judgement).await);
    assert_eq!(judged["result"], "drawn");
    assert_eq!(games(&people[0], &id).await[0]["result"], "drawn");
    let points = |rows: &[Value], name: &Value| {
        let row = rows.iter().find(|row| row["player"]["name"] == *name);
        row.expect("a row")["points"].as_f64().expect("points")
    };
    let rows = standings(&people[0], &id).await;
    let all: f64 = rows.iter().filter_map(|row| row["points"].as_f64()).sum();
    assert!((all - 3.0).abs() < 0.01, "{rows:?}");
    assert!(points(&rows, &before["first"]["name"]) >= 0.5, "{rows:?}");
    // A second time changes nothing, and writes nothing into the log.
    ok(people[2].patch(&path(1), &judgement).await);
    let log = people[2].get("/api/v1/moderation/audit").await.json();
    let items = log["items"].as_array().expect("a list").iter();
    let lines: Vec<_> = items
        .filter(|line| line["action"] == "judge-game")
        .collect();
    let [line] = lines.as_slice() else {
        panic!("{lines:?}");
    };
    assert_eq!(line["why"], "they had agreed");
    assert_eq!(line["match"], before["match"]);
    let detail = format!("({id}), game 1: second → drawn");
    let logged = line["detail"].as_str().expect("a text");
    assert!(logged.ends_with(&detail), "{logged}");
    // Each judgement is an entry of the journal and of the log.
    let mut limited = 0;
    for _ in 0..60 {
        let judged = people[2].patch(&path(1), &judgement).await;
        limited += u32::from(judged.status == 429);
    }
    assert!(limited > 0, "judgements by one account are limited");
    server.stop().await;
}

#[tokio::test]
async fn a_flood_of_events_and_changes_is_bounded() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut ids = Vec::new();
    for _ in 0..10 {
        ids.push(create(&mut asha, &proposal("arena")).await);
    }
    asha.post(EVENTS, &proposal("arena"))
        .await
        .problem(429, "too-many-requests");
    let mut refused = 0;
    for number in 0..60 {
        let rest = if number % 2 == 0 {
            "/join"
        } else {
            "/withdraw"
        };
        let changed = asha.post(&at(&ids[0], rest), &json!({})).await;
        refused += u32::from(changed.status == 429);
    }
    assert!(refused > 0, "changes by one account are limited");
    server.stop().await;
}

#[tokio::test]
async fn watchers_of_an_event_get_each_state_and_the_stream_ends_with_it() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati"]).await;
    let stranger = server.stranger();
    let id = create(&mut people[0], &with_players("round-robin", 2)).await;
    let mut socket = Socket::open(&stranger).await;
    let event = id.parse().expect("an id");
    socket.send(&SessionMsg::WatchEvent { event }).await;
    let (seq, state, players) = next_state(&mut socket, |_| true).await;
    assert_eq!((state, players), (EventState::Coming, 0));
    let path = at(&id, "/stream");
    let streamed = stranger.request(reqwest::Method::GET, &path).send();
    let streamed = streamed.await.expect("the server answers");
    assert_eq!(streamed.status(), 200);
    for person in &mut people {
        join(person, &id).await;
    }
    let joined = next_state(&mut socket, |state| state.2 == 2).await;
    assert!(joined.0 > seq);
    play_out(&server, &mut people, &id, 0).await;
    let last = next_state(&mut socket, |state| state.1 == EventState::Finished).await;
    assert!(last.0 > joined.0);
    // It ends by itself, with the last state.
    let text = timeout(PATIENCE, streamed.text()).await;
    let text = text.expect("it ends").expect("the stream is whole");
    let states: Vec<ServerMsg> = text
        .lines()
        .filter(|line| line.contains("event-state"))
        .map(|line| serde_json::from_str(line).expect("a message"))
        .collect();
    let Some(ServerMsg::EventState {
        state, standings, ..
    }) = states.last()
    else {
        panic!("no state: {text}");
    };
    assert_eq!(*state, EventState::Finished);
    let page = ok(stranger.get(&at(&id, "/standings?limit=20")).await);
    assert_eq!(serde_json::to_value(standings).expect("JSON"), page);
    // One that is over is told once, and not watched.
    let event = id.parse().expect("an id");
    socket.send(&SessionMsg::WatchEvent { event }).await;
    assert_eq!(next_state(&mut socket, |_| true).await, last);
    server.stop().await;
}

/// The next state that `fits`: its `seq`, its state, and the number of players.
async fn next_state(
    socket: &mut Socket,
    fits: impl Fn(&(u64, EventState, u32)) -> bool,
) -> (u64, EventState, u32) {
    let state = |message| match message {
        ServerMsg::EventState {
            seq,
            state,
            players,
            ..
        } => Some((seq, state, players)).filter(|state| fits(state)),
        _ => None,
    };
    socket.until(state).await
}

#[tokio::test]
async fn an_event_of_a_closed_club_is_watched_by_its_members() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati"]).await;
    let club = json!({ "handle": "ndani", "name": "Ndani", "joining": "invitation" });
    assert_eq!(people[0].post("/api/v1/clubs", &club).await.status, 201);
    let body = with(proposal("swiss"), "entry", json!({ "club": "ndani" }));
    let id = create(&mut people[0], &body).await;
    let mut inside = Socket::open(&people[0]).await;
    let mut outside = Socket::open(&people[1]).await;
    for socket in [&mut inside, &mut outside] {
        let event = id.parse().expect("an id");
        socket.send(&SessionMsg::WatchEvent { event }).await;
    }
    assert_eq!(next_state(&mut inside, |_| true).await.2, 0);
    let refused = |message| match message {
        ServerMsg::Error(error) => Some(error.code),
        _ => None,
    };
    assert_eq!(outside.until(refused).await, Code::NotFound);
    people[1]
        .get(&at(&id, "/stream"))
        .await
        .problem(404, "not-found");
    // A member who is removed gets no further state.
    let club = "/api/v1/clubs/ndani";
    let [invitations, members] = ["invitations", "members"].map(|part| format!("{club}/{part}"));
    let invited = json!({ "player": "Bahati" });
    let sent = people[0].post(&invitations, &invited).await;
    assert!(sent.status.is_success(), "{sent:?}");
    let joined = people[1].post(&members, &json!({})).await;
    assert!(joined.status.is_success(), "{joined:?}");
    let event: EventId = id.parse().expect("an id");
    let watch = SessionMsg::WatchEvent { event };
    outside.send(&watch).await;
    assert_eq!(next_state(&mut outside, |_| true).await.2, 0);
    let removed = people[0].delete(&format!("{members}/Bahati")).await;
    assert!(removed.status.is_success(), "{removed:?}");
    join(&mut people[0], &id).await;
    assert_eq!(next_state(&mut inside, |_| true).await.2, 1);
    outside.send(&watch).await;
    let next = |message| match message {
        ServerMsg::EventState { players, .. } => Some(Err(players)),
        ServerMsg::Error(error) => Some(Ok(error.code)),
        _ => None,
    };
    assert_eq!(outside.until(next).await, Ok(Code::NotFound));
    server.stop().await;
}

#[tokio::test]
async fn an_address_reads_so_many_results_at_a_time() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha"]).await;
    let id = create(&mut people[0], &proposal("swiss")).await;
    let stranger = server.stranger();
    let exports = &server.app().exports;
    let held: Vec<_> = (0..MAX_EXPORTS)
        .map(|_| exports.enter(server.address.ip()).expect("a place"))
        .collect();
    for file in ["/results.csv", "/results.trf", "/export"] {
        let refused = stranger.get(&at(&id, file)).await;
        refused.problem(429, "too-many-streams");
    }
    drop(held);
    for file in ["/results.csv", "/results.trf", "/export"] {
        assert_eq!(stranger.get(&at(&id, file)).await.status, 200, "{file}");
    }
    server.stop().await;
}

/// The path of a match, with the side of a person who plays it against a computer.
async fn against_a_computer(person: &Person, id: &str) -> Option<(String, String)> {
    let name = person.name().await;
    let game = games(person, id).await.into_iter().find(|game| {
        let of = |side: &str, field: &str| game[side][field].clone();
        let plays = of("first", "name") == name || of("second", "name") == name;
        let computer = of("first", "kind") == "bot" || of("second", "kind") == "bot";
        plays && computer && game["state"] == "playing"
    })?;
    let side = if game["first"]["name"] == name {
        "first"
    } else {
        "second"
    };
    let played = game["match"].as_str().expect("a match");
    Some((format!("/api/v1/matches/{played}"), side.to_owned()))
}

/// Moves once against a computer, which answers, and resigns.
async fn loses(person: &mut Person, (path, side): &(String, String)) {
    for command in ["move", "resign"] {
        let reader: &Person = person;
        let state = eventually("the turn of a person against a computer", async || {
            let state = reader.get(path).await.json();
            (state["turn"] == json!(side)).then_some(state)
        })
        .await;
        let command = match command {
            "move" => json!({ "kind": "move", "ply": state["ply"], "move": state["legal"][0] }),
            _ => json!({ "kind": "resign" }),
        };
        let body = json!({ "client_id": format!("c-{}", state["seq"]), "seq": state["seq"], "command": command });
        let done = person.post(&format!("{path}/commands"), &body).await;
        assert_eq!(done.status, 200, "{done:?}");
    }
}

#[tokio::test]
async fn computer_players_fill_in_and_are_marked_as_such() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati", "Chiku"]).await;
    let stranger = server.stranger();
    let fill_ins = json!({ "players": 3, "level": 2 });
    let body = with(proposal("swiss"), "fill_ins", fill_ins.clone());
    let id = create(&mut people[0], &body).await;
    assert_eq!(seen(&stranger, &id).await["fill_ins"], fill_ins);
    for person in &mut people {
        join(person, &id).await;
    }
    // The notices of the start go to people.
    later(&server, HOUR_MS - MINUTE_MS).await;
    later(&server, HOUR_MS).await;
    // One more than the terms say, so that nobody has a bye.
    let view = seen(&stranger, &id).await;
    assert_eq!(
        (&view["state"], &view["players"]),
        (&json!("running"), &json!(4))
    );
    let rows = standings(&stranger, &id).await;
    let computers: Vec<&Value> = rows
        .iter()
        .map(|row| &row["player"])
        .filter(|player| player["kind"] == "bot")
        .collect();
    assert_eq!(computers.len(), 1, "{rows:?}");
    assert_eq!(computers[0]["level"], 2);
    let paired = games(&stranger, &id).await;
    assert_eq!(paired.len(), 2);
    let mut found = None;
    for (index, person) in people.iter().enumerate() {
        if let Some(played) = against_a_computer(person, &id).await {
            found = Some((index, played));
        }
    }
    let (index, played) = found.expect("one of them plays the computer");
    let state = people[index].get(&played.0).await.json();
    assert_eq!(state["options"]["takebacks"], false, "{state}");
    loses(&mut people[index], &played).await;
    later(&server, HOUR_MS).await;
    let rows = standings(&stranger, &id).await;
    assert_eq!(rows[0]["player"]["kind"], "bot");
    let table = stranger.get(&at(&id, "/results.csv")).await;
    let table = String::from_utf8_lossy(&table.body).into_owned();
    let marks: Vec<_> = table
        .lines()
        .filter_map(|line| line.rsplit(',').next())
        .collect();
    assert_eq!(marks, ["computer", "yes", "no", "no", "no"], "{table}");
    assert!((rows[0]["points"].as_f64().expect("points") - 1.0).abs() < 0.01);
    // Nobody else comes by the clock alone.
    later(&server, HOUR_MS + PAUSE_MS).await;
    assert_eq!(seen(&stranger, &id).await["players"], 4);
    server.stop().await;
}

#[tokio::test]
async fn one_person_plays_an_arena_of_computer_players() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha"]).await;
    let fill_ins = json!({ "players": 4, "level": 10 });
    let body = with(proposal("arena"), "fill_ins", fill_ins);
    let id = create(&mut people[0], &body).await;
    join(&mut people[0], &id).await;
    for ms in [0, 3_000] {
        later(&server, HOUR_MS + ms).await;
    }
    let rows = standings(&people[0], &id).await;
    let mut levels: Vec<u64> = rows
        .iter()
        .filter_map(|row| row["player"]["level"].as_u64())
        .collect();
    levels.sort_unstable();
    assert_eq!(levels, [8, 9, 10]);
    let first = against_a_computer(&people[0], &id).await.expect("a match");
    loses(&mut people[0], &first).await;
    eventually("another one", async || {
        later(&server, HOUR_MS + MINUTE_MS).await;
        against_a_computer(&people[0], &id)
            .await
            .filter(|next| *next != first)
    })
    .await;
    assert_eq!(
        games(&people[0], &id).await.len(),
        2,
        "no two computers meet"
    );
    server.stop().await;
}

#[tokio::test]
async fn fill_ins_that_do_not_fit_are_refused() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let good = json!({ "players": 4, "level": 2 });
    for kind in ["round-robin", "knockout", "simul", "series"] {
        let body = with(proposal(kind), "fill_ins", good.clone());
        let refused = asha.post(EVENTS, &body).await;
        refused.bad_field("bad-terms", "fill_ins");
    }
    let small = with(proposal("swiss"), "max_players", json!(8));
    for (fill_ins, field, code) in [
        (
            json!({ "players": 1, "level": 2 }),
            "fill_ins.players",
            "bad-terms",
        ),
        (
            json!({ "players": 9, "level": 2 }),
            "fill_ins.players",
            "bad-terms",
        ),
        (
            json!({ "players": 4, "level": 0 }),
            "fill_ins.level",
            "bad-level",
        ),
        (
            json!({ "players": 4, "level": 11 }),
            "fill_ins.level",
            "bad-level",
        ),
        (
            json!({ "players": 4, "level": 256 }),
            "fill_ins.level",
            "bad-level",
        ),
    ] {
        let body = with(small.clone(), "fill_ins", fill_ins);
        asha.post(EVENTS, &body).await.bad_field(code, field);
    }
    server.stop().await;
}

#[tokio::test]
async fn players_of_one_address_are_kept_apart() {
    let server = TestServer::start().await;
    // All clients of a test have one address.
    let mut people = accounts(&server, ["Asha", "Bahati"]).await;
    for kind in ["round-robin", "knockout", "simul", "series"] {
        let body = with(proposal(kind), "apart_by_address", json!(true));
        let refused = people[0].post(EVENTS, &body).await;
        refused.bad_field("bad-terms", "apart_by_address");
    }
    let body = with(proposal("arena"), "apart_by_address", json!(true));
    let arena = create(&mut people[0], &body).await;
    let body = with(proposal("swiss"), "apart_by_address", json!(true));
    let swiss = create(&mut people[0], &body).await;
    for person in &mut people {
        for id in [&arena, &swiss] {
            assert_eq!(join(person, id).await["apart_by_address"], true);
        }
    }
    let key = async |id: &str| {
        let id = id.parse().expect("an id");
        let row = server.app().store.find_event(&id).await;
        row.expect("the store answers").expect("it").address_key
    };
    assert!(key(&swiss).await.is_some());
    for ms in [0, 30_000] {
        later(&server, HOUR_MS + ms).await;
    }
    assert_eq!(games(&people[0], &arena).await, Vec::<Value>::new());
    let skipped = games(&people[0], &swiss).await.remove(0);
    assert_eq!(skipped["skipped"], "apart", "{skipped}");
    later(&server, 3 * HOUR_MS).await;
    later(&server, 4 * HOUR_MS).await;
    for id in [&arena, &swiss] {
        assert_eq!(seen(&people[0], id).await["state"], "finished");
        assert_eq!(key(id).await, None, "the key ends with the event");
    }
    server.stop().await;
}
