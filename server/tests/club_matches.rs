//! Club matches over HTTP: from the proposal to the final score, with matches that are played.

use mawe_server::clock::unix_ms;
use mawe_store::{AccountChange, ClubMatchStep};
use mawe_wire::NoticeKind;
use mawe_wire::grants::Grant;
use serde_json::{Value, json};

use crate::common::socket::Socket;
use crate::common::{Answer, Person, TestServer, eventually};

const CLUBS: &str = "/api/v1/clubs";
const HOUR_MS: i64 = 60 * 60 * 1_000;

async fn found(person: &mut Person, handle: &str, joining: &str) {
    let name = format!("Club {handle}");
    let body = json!({ "handle": handle, "name": name, "joining": joining });
    let made = person.post(CLUBS, &body).await;
    assert_eq!(made.status, 201, "{made:?}");
}

async fn join(person: &mut Person, handle: &str) {
    let joined = person
        .post(&format!("{CLUBS}/{handle}/members"), &json!({}))
        .await;
    assert_eq!(joined.text("/standing"), "member", "{joined:?}");
}

fn in_ms(ms: i64) -> String {
    let at = jiff::Timestamp::from_millisecond(unix_ms() + ms);
    at.expect("a time").to_string()
}

fn proposal(against: &str) -> Value {
    json!({
        "against": against, "game": "mawe", "boards": 5, "start_at": in_ms(HOUR_MS),
        "time_control": { "kind": "realtime", "base_ms": 300_000, "increment_ms": 0 },
    })
}

fn with(mut body: Value, field: &str, value: Value) -> Value {
    body[field] = value;
    body
}

async fn propose(person: &mut Person, handle: &str, body: &Value) -> Answer {
    let path = format!("{CLUBS}/{handle}/club-matches");
    person.post(&path, body).await
}

fn at(id: &str, rest: &str) -> String {
    format!("/api/v1/club-matches/{id}{rest}")
}

#[track_caller]
fn done(answer: &Answer) {
    assert_eq!(answer.status, 204, "{answer:?}");
}

async fn sign_up(person: &mut Person, id: &str) {
    done(&person.post(&at(id, "/players"), &json!({})).await);
}

async fn list(person: &Person, handle: &str, list: &str) -> Value {
    let path = format!("{CLUBS}/{handle}/club-matches?list={list}");
    let answer = person.get(&path).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["items"].clone()
}

/// Does what is due an hour later.
async fn later(server: &TestServer) {
    let lobby = &server.app().lobby;
    lobby
        .advance_club_matches(unix_ms() + HOUR_MS + 1_000)
        .await;
}

async fn seen(person: &Person, id: &str) -> Value {
    let answer = person.get(&at(id, "")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

/// Each player moves once, and then this person resigns.
async fn resign_after_moves(person: &mut Person, other: &mut Person, id: &str) {
    let path = format!("/api/v1/matches/{id}");
    let commands = format!("{path}/commands");
    let me = person.name().await;
    for _ in 0..2 {
        let state = person.get(&path).await.json();
        let turn = state["turn"].as_str().expect("a side");
        let is_mine = state["seats"][turn]["player"]["name"] == me;
        let mover = if is_mine { &mut *person } else { &mut *other };
        let command = json!({ "kind": "move", "ply": state["ply"], "move": state["legal"][0] });
        let body = json!({ "client_id": format!("move-{}", state["ply"]), "seq": state["seq"], "command": command });
        let moved = mover.post(&commands, &body).await;
        assert_eq!(moved.status, 200, "{moved:?}");
    }
    let seq = person.get(&path).await.json()["seq"].clone();
    let body = json!({ "client_id": "end", "seq": seq, "command": { "kind": "resign" } });
    let ended = person.post(&commands, &body).await;
    assert_eq!(ended.status, 200, "{ended:?}");
}

/// The ids of the matches that run at the boards.
fn running(view: &Value) -> Vec<String> {
    let boards = view["board_list"].as_array().expect("boards").iter();
    let games = boards.flat_map(|board| board["games"].as_array().expect("games"));
    let playing = games.filter(|game| game["state"] == "playing");
    playing
        .map(|game| game["match"].as_str().expect("an id").to_owned())
        .collect()
}

#[tokio::test]
async fn a_club_match_goes_from_the_proposal_to_the_final_score() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    let stranger = server.stranger();
    found(&mut asha, "home", "open").await;
    found(&mut bahati, "away", "open").await;
    let mut at_bahati = Socket::open(&bahati).await;
    let body = with(proposal("AWAY"), "games_per_board", json!(2));
    let made = propose(&mut asha, "home", &body).await;
    assert_eq!(made.status, 201, "{made:?}");
    let id = made.text("/id");
    let (notice, _) = at_bahati.notice(NoticeKind::ClubMatchProposed).await;
    assert_eq!(notice.about.club_match.expect("it").to_string(), id);
    assert_eq!(list(&asha, "home", "proposed").await[0]["id"], json!(id));
    assert_eq!(list(&bahati, "away", "proposed").await[0]["id"], json!(id));
    stranger.get(&at(&id, "")).await.problem(404, "not-found");
    let path = format!("{CLUBS}/home/club-matches?list=proposed");
    stranger.get(&path).await.problem(403, "officers-only");
    let accepted = bahati.post(&at(&id, "/accept"), &json!({})).await;
    assert_eq!(accepted.text("/state"), "accepted", "{accepted:?}");
    let mut at_asha = Socket::open(&asha).await;
    sign_up(&mut asha, &id).await;
    sign_up(&mut bahati, &id).await;
    let view = seen(&asha, &id).await;
    assert_eq!(
        (
            &view["home_players"],
            &view["away_players"],
            &view["signed_up"]
        ),
        (&json!(1), &json!(1), &json!("home"))
    );
    let coming = list(&stranger, "away", "coming").await;
    assert_eq!(coming[0]["home"]["club"]["handle"], "home");
    let players = stranger.get(&at(&id, "/players?side=away")).await.json();
    assert_eq!(players["items"][0]["player"]["name"], "Bahati");

    later(&server).await;
    let view = seen(&stranger, &id).await;
    assert_eq!(view["state"], "running");
    let board = &view["board_list"][0];
    assert_eq!(board["home"]["player"]["name"], "Asha");
    assert_eq!(board["games"][0]["first"], "home");
    assert_eq!(board["games"][1]["state"], "waiting");
    let (notice, _) = at_asha.notice(NoticeKind::ClubMatchBegun).await;
    let game = running(&view);
    assert_eq!(game, [notice.about.match_id.expect("it").to_string()]);
    resign_after_moves(&mut bahati, &mut asha, &game[0]).await;
    eventually("the second match of the board", async || {
        later(&server).await;
        let view = seen(&stranger, &id).await;
        assert_ne!(view["state"], "finished");
        (running(&view).len() == 1 && running(&view) != game).then_some(())
    })
    .await;
    let view = seen(&stranger, &id).await;
    assert_eq!(
        (&view["home"]["score"], &view["away"]["score"]),
        (&json!(1.0), &json!(0.0))
    );
    assert_eq!(view["board_list"][0]["games"][1]["first"], "away");
    // The second one is called off, and counts for nobody.
    let second = &running(&view)[0];
    let body = json!({ "client_id": "end", "seq": 0, "command": { "kind": "abort" } });
    let ended = asha
        .post(&format!("/api/v1/matches/{second}/commands"), &body)
        .await;
    assert_eq!(ended.status, 200, "{ended:?}");
    eventually("the end", async || {
        later(&server).await;
        (seen(&stranger, &id).await["state"] == "finished").then_some(())
    })
    .await;
    let past = list(&stranger, "home", "past").await;
    assert_eq!(
        (&past[0]["home"]["score"], &past[0]["away"]["score"]),
        (&json!(1.0), &json!(0.0))
    );
    assert!(past[0]["finished_at"].is_string());
    assert_eq!(
        seen(&stranger, &id).await["board_list"][0]["games"][1]["result"],
        "called-off"
    );
    server.stop().await;
}

#[tokio::test]
async fn a_restart_between_the_pairing_and_the_seating_loses_nothing() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    found(&mut asha, "home", "open").await;
    found(&mut bahati, "away", "open").await;
    let body = with(
        proposal("away"),
        "time_control",
        json!({ "kind": "correspondence", "days": 2 }),
    );
    let id = propose(&mut asha, "home", &body).await.text("/id");
    bahati.post(&at(&id, "/accept"), &json!({})).await;
    sign_up(&mut asha, &id).await;
    sign_up(&mut bahati, &id).await;
    let key = id.parse().expect("an id");
    let start = unix_ms() + HOUR_MS;
    let begun = server.app().store.step_club_match(&key, start).await;
    assert_eq!(begun.expect("the store answers"), ClubMatchStep::Taken);
    let server = server.restart().await;
    let stranger = server.stranger();
    // By the server itself, without a call of the test.
    let game = eventually("the match", async || {
        let view = seen(&stranger, &id).await;
        running(&view).pop()
    })
    .await;
    let seats = stranger
        .get(&format!("/api/v1/matches/{game}"))
        .await
        .json();
    assert_eq!(seats["seats"]["first"]["player"]["name"], "Asha");
    later(&server).await;
    assert_eq!(running(&seen(&stranger, &id).await), [game]);
    server.stop().await;
}

#[tokio::test]
async fn bad_proposals_and_sign_ups_have_one_clear_answer() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    let mut both = server.account("Both").await;
    found(&mut asha, "home", "open").await;
    found(&mut bahati, "away", "open").await;
    for handle in ["home", "away"] {
        join(&mut both, handle).await;
    }
    let good = proposal("away");
    for (field, value, code) in [
        ("against", json!("home"), "bad-terms"),
        ("against", json!("nowhere"), "unknown-club"),
        ("boards", json!(0), "bad-terms"),
        ("boards", json!(51), "bad-terms"),
        ("games_per_board", json!(3), "bad-terms"),
        ("start_at", json!(in_ms(60_000)), "bad-terms"),
        ("start_at", json!(in_ms(31 * 24 * HOUR_MS)), "bad-terms"),
        (
            "time_control",
            json!({ "kind": "unlimited" }),
            "bad-time-control",
        ),
        (
            "time_control",
            json!({ "kind": "realtime", "base_ms": 1, "increment_ms": 0 }),
            "bad-time-control",
        ),
    ] {
        let body = with(good.clone(), field, value);
        propose(&mut asha, "home", &body)
            .await
            .bad_field(code, field);
    }
    // No form of this game is rated.
    let casual = with(good.clone(), "game", json!("pallanguzhi"));
    propose(&mut asha, "home", &with(casual, "rated", json!(true)))
        .await
        .bad_field("bad-terms", "rated");
    for (field, value) in [
        ("game", json!("chess")),
        ("boards", json!(-1)),
        ("start_at", json!("soon")),
    ] {
        let body = with(good.clone(), field, value);
        let answer = propose(&mut asha, "home", &body).await;
        assert!((400..500).contains(&answer.status.as_u16()), "{answer:?}");
    }
    propose(&mut both, "home", &good)
        .await
        .problem(403, "officers-only");
    propose(&mut asha, "nowhere", &good)
        .await
        .problem(404, "not-found");
    let id = propose(&mut asha, "home", &good).await.text("/id");
    asha.post(&at(&id, "/accept"), &json!({}))
        .await
        .problem(403, "officers-only");
    asha.post(&at(&id, "/players"), &json!({}))
        .await
        .problem(409, "club-match-closed");
    bahati
        .delete(&at(&id, ""))
        .await
        .problem(403, "officers-only");
    bahati.post(&at(&id, "/accept"), &json!({})).await;
    bahati
        .post(&at(&id, "/accept"), &json!({}))
        .await
        .problem(409, "club-match-closed");
    both.post(&at(&id, "/players"), &json!({}))
        .await
        .bad_field("bad-terms", "side");
    for side in ["home", "away"] {
        done(
            &both
                .post(&at(&id, "/players"), &json!({ "side": side }))
                .await,
        );
        assert_eq!(seen(&both, &id).await["signed_up"], side);
    }
    let view = seen(&both, &id).await;
    assert_eq!(
        (&view["home_players"], &view["away_players"]),
        (&json!(0), &json!(1))
    );
    done(&both.delete(&at(&id, "/players")).await);
    let mut stranger = server.account("Stranger").await;
    stranger
        .post(&at(&id, "/players"), &json!({}))
        .await
        .problem(409, "not-a-member");
    done(&bahati.delete(&at(&id, "")).await);
    asha.delete(&at(&id, ""))
        .await
        .problem(409, "club-match-closed");

    // One that is joined by invitation: its matches are for its members and those of the other club.
    found(&mut bahati, "secret", "invitation").await;
    let id = propose(&mut asha, "home", &proposal("secret"))
        .await
        .text("/id");
    bahati.post(&at(&id, "/accept"), &json!({})).await;
    assert_eq!(
        list(&both, "home", "coming").await[0]["away"]["name"],
        "Club secret"
    );
    stranger.get(&at(&id, "")).await.problem(404, "not-found");
    assert_eq!(list(&stranger, "home", "coming").await, json!([]));

    // A class that plays among itself.
    let teacher = AccountChange::Grant(Grant::Teacher);
    server.change_account("Bahati", teacher).await;
    let class = json!({ "handle": "class-four", "name": "Class four", "kind": "class" });
    assert_eq!(bahati.post(CLUBS, &class).await.status, 201);
    propose(&mut asha, "home", &proposal("class-four"))
        .await
        .problem(403, "class-only");
    propose(&mut bahati, "class-four", &proposal("home"))
        .await
        .problem(403, "class-only");
    server.stop().await;
}

#[tokio::test]
async fn a_flood_of_proposals_and_sign_ups_is_bounded() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    found(&mut asha, "home", "open").await;
    found(&mut bahati, "away", "open").await;
    let mut ids = Vec::new();
    for _ in 0..10 {
        let made = propose(&mut asha, "home", &proposal("away")).await;
        assert_eq!(made.status, 201, "{made:?}");
        ids.push(made.text("/id"));
    }
    propose(&mut asha, "home", &proposal("away"))
        .await
        .problem(429, "too-many-requests");
    // Another officer has a limit of their own; that of the club holds.
    let officer = json!({ "player": "Bahati" });
    join(&mut bahati, "home").await;
    done(&asha.post(&format!("{CLUBS}/home/officers"), &officer).await);
    propose(&mut bahati, "home", &proposal("away"))
        .await
        .problem(422, "too-many-club-matches");
    bahati.post(&at(&ids[0], "/accept"), &json!({})).await;
    let mut refused = 0;
    for _ in 0..100 {
        let signed = asha
            .post(&at(&ids[0], "/players"), &json!({ "side": "home" }))
            .await;
        refused += u32::from(signed.status == 429);
    }
    assert!(refused > 0, "changes by one account are limited");
    assert_eq!(seen(&asha, &ids[0]).await["home_players"], 1);
    server.stop().await;
}
