//! Challenges by name and by link, over REST and in live messages; and pass and play.

use crate::common::play::{Pair, Seat};
use crate::common::socket::Socket;
use crate::common::{Person, TestServer, eventually};
use crate::ws::next_match;
use mawe_rules::Side;
use mawe_wire::{ChallengeStatus, ChallengeView, Command, DeclineReason, ServerMsg, SessionMsg};
use serde_json::{Value, json};

fn offer(to: &str) -> Value {
    json!({
        "game": "kalah", "side": "second", "to": to,
        "time_control": { "kind": "realtime", "base_ms": 300_000, "increment_ms": 3_000 },
    })
}

fn by_link() -> Value {
    let mut offer = offer("");
    offer.as_object_mut().expect("an object").remove("to");
    offer
}

fn with(mut body: Value, field: &str, value: Value) -> Value {
    body[field] = value;
    body
}

fn at(id: &str, what: &str) -> String {
    format!("/api/v1/challenges/{id}{what}")
}

async fn challenge(person: &mut Person, offer: &Value) -> String {
    let made = person.post("/api/v1/challenges", offer).await;
    assert_eq!(made.status, 201, "{made:?}");
    made.text("/id")
}

async fn told_of(socket: &mut Socket) -> ChallengeView {
    match socket.next().await {
        ServerMsg::Challenge { challenge } => *challenge,
        other => panic!("no challenge: {other:?}"),
    }
}

async fn told_gone(socket: &mut Socket) -> (String, ChallengeStatus, Option<DeclineReason>) {
    match socket.next().await {
        ServerMsg::ChallengeGone {
            challenge,
            status,
            reason,
        } => (challenge.to_string(), status, reason),
        other => panic!("it is not gone: {other:?}"),
    }
}

/// Checks that no message waits on the socket.
async fn silent(socket: &mut Socket) {
    socket.send(&SessionMsg::Ping).await;
    assert_eq!(socket.next().await, ServerMsg::Pong);
}

async fn open(person: &Person) -> (usize, usize) {
    let mine = person.get("/api/v1/me/challenges").await.json();
    let count = |which: &str| mine[which].as_array().map(Vec::len);
    (
        count("incoming").expect("a list"),
        count("outgoing").expect("a list"),
    )
}

#[tokio::test]
async fn who_is_challenged_by_name_hears_of_it_and_alone_may_accept() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    let mut zofia = server.account("Zofia").await;
    let mut bahatis_tabs = [Socket::open(&bahati).await, Socket::open(&bahati).await];
    let (mut ashas_tab, mut zofias_tab) = (Socket::open(&asha).await, Socket::open(&zofia).await);

    let made = asha
        .post(
            "/api/v1/challenges",
            &with(offer("bAHATI"), "rated", json!(true)),
        )
        .await;
    assert_eq!(made.status, 201);
    let id = made.text("/id");
    let view = made.json();
    assert_eq!(view["to"], json!({ "name": "Bahati", "kind": "account" }));
    assert_eq!(
        (&view["status"], &view["declined"]),
        (&json!("open"), &Value::Null)
    );
    let time = |field: &str| -> jiff::Timestamp {
        let text = view[field].as_str().expect("a time");
        text.parse().expect("RFC 3339")
    };
    let open_for = time("expires_at").duration_since(time("created_at"));
    assert_eq!(open_for.as_hours(), 24);
    for tab in &mut bahatis_tabs {
        let told = told_of(tab).await;
        assert_eq!(serde_json::to_value(&told).expect("JSON"), view);
    }
    silent(&mut zofias_tab).await;
    silent(&mut ashas_tab).await;

    // Only the two players see it.
    assert_eq!((open(&asha).await, open(&bahati).await), ((0, 1), (1, 0)));
    for person in [&asha, &bahati] {
        assert_eq!(person.get(&at(&id, "")).await.json(), view);
    }
    for person in [&zofia, &server.stranger()] {
        person.get(&at(&id, "")).await.problem(404, "not-found");
    }
    let nothing = json!({});
    for what in ["/accept", "/decline"] {
        let refused = zofia.post(&at(&id, what), &nothing).await;
        refused.problem(404, "not-found");
        let refused = asha.post(&at(&id, what), &nothing).await;
        refused.problem(409, "own-challenge");
        let refused = server.stranger().post(&at(&id, what), &nothing).await;
        refused.problem(401, "sign-in-first");
    }
    for person in [&mut zofia, &mut bahati] {
        let refused = person.delete(&at(&id, "")).await;
        refused.problem(404, "not-found");
    }

    let accepted = bahati.post(&at(&id, "/accept"), &nothing).await;
    assert_eq!(accepted.status, 200, "{accepted:?}");
    let match_id = accepted.text("/id");
    match ashas_tab.next().await {
        ServerMsg::ChallengeAccepted {
            challenge,
            match_id: told,
        } => {
            assert_eq!(
                (challenge.to_string(), told.to_string()),
                (id.clone(), match_id.clone())
            );
        }
        other => panic!("not the notice: {other:?}"),
    }
    for tab in &mut bahatis_tabs {
        let gone = told_gone(tab).await;
        assert_eq!(gone, (id.clone(), ChallengeStatus::Accepted, None));
    }
    let view = asha
        .get(&format!("/api/v1/matches/{match_id}"))
        .await
        .json();
    // The sides are drawn by lot, regardless of the challenger's wish.
    let seat = |side: &str| view["seats"][side]["player"]["name"].clone();
    let seated = [seat("first"), seat("second")];
    assert!(seated.contains(&json!("Asha")) && seated.contains(&json!("Bahati")));
    assert_eq!(
        (&view["game"], &view["rated"]),
        (&json!("kalah"), &json!(true))
    );
    assert_eq!((open(&asha).await, open(&bahati).await), ((0, 0), (0, 0)));
    // A closed challenge cannot be answered again.
    for what in ["/accept", "/decline"] {
        let refused = bahati.post(&at(&id, what), &nothing).await;
        refused.problem(409, "challenge-closed");
    }
    let refused = asha.delete(&at(&id, "")).await;
    refused.problem(409, "challenge-closed");
    silent(&mut zofias_tab).await;
    server.stop().await;
}

#[tokio::test]
async fn a_challenge_is_declined_with_a_reason_and_once() {
    let server = TestServer::start().await;
    // Guests may challenge and be challenged.
    let (mut asha, mut bahati) = (server.guest().await, server.guest().await);
    let name = bahati.name().await;
    let (mut asks, mut asked) = (Socket::open(&asha).await, Socket::open(&bahati).await);
    let id = challenge(&mut asha, &offer(&name)).await;
    told_of(&mut asked).await;
    for (body, field) in [
        (json!({ "reason": "no-idea" }), "reason"),
        (json!({ "reason": 7 }), "reason"),
        (json!({ "why": "later" }), "why"),
    ] {
        let refused = bahati.post(&at(&id, "/decline"), &body).await;
        refused.bad_field("bad-field", field);
    }
    let no = bahati
        .post(&at(&id, "/decline"), &json!({ "reason": "too-fast" }))
        .await;
    assert_eq!(no.status, 204, "{no:?}");
    let gone = (
        id.clone(),
        ChallengeStatus::Declined,
        Some(DeclineReason::TooFast),
    );
    assert_eq!(told_gone(&mut asks).await, gone);
    assert_eq!(told_gone(&mut asked).await, gone);
    let view = asha.get(&at(&id, "")).await.json();
    assert_eq!(
        (&view["status"], &view["declined"]),
        (&json!("declined"), &json!("too-fast"))
    );
    for what in ["/decline", "/accept"] {
        let refused = bahati.post(&at(&id, what), &json!({})).await;
        refused.problem(409, "challenge-closed");
    }
    asha.delete(&at(&id, ""))
        .await
        .problem(409, "challenge-closed");
    assert_eq!((open(&asha).await, open(&bahati).await), ((0, 0), (0, 0)));

    // The default reason is `generic`. Another player challenges, as a declined one must wait.
    let mut zofia = server.guest().await;
    let id = challenge(&mut zofia, &offer(&name)).await;
    bahati.post(&at(&id, "/decline"), &json!({})).await;
    let view = bahati.get(&at(&id, "")).await.json();
    assert_eq!(view["declined"], "generic");

    // A challenge by link has no addressee who could decline.
    let id = challenge(&mut asha, &by_link()).await;
    let refused = bahati.post(&at(&id, "/decline"), &json!({})).await;
    refused.problem(404, "not-found");
    assert_eq!(
        server.stranger().get(&at(&id, "")).await.json()["to"],
        Value::Null
    );
    server.stop().await;
}

#[tokio::test]
async fn a_challenge_taken_back_is_gone_on_the_other_side_too() {
    let server = TestServer::start().await;
    let (mut asha, mut bahati) = (server.guest().await, server.guest().await);
    let mut asked = Socket::open(&bahati).await;
    let id = challenge(&mut asha, &offer(&bahati.name().await)).await;
    told_of(&mut asked).await;
    assert_eq!(asha.delete(&at(&id, "")).await.status, 204);
    let gone = (id.clone(), ChallengeStatus::Cancelled, None);
    assert_eq!(told_gone(&mut asked).await, gone);
    assert_eq!(open(&bahati).await, (0, 0));
    let refused = bahati.post(&at(&id, "/accept"), &json!({})).await;
    refused.problem(409, "challenge-closed");
    server.stop().await;
}

#[tokio::test]
async fn whom_one_cannot_challenge_is_said() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut guest = server.guest().await;
    let guests_name = guest.name().await;
    let path = "/api/v1/challenges";
    let refused = asha.post(path, &offer("Nobody")).await;
    refused.bad_field("unknown-player", "to");
    let refused = asha.post(path, &offer("")).await;
    refused.bad_field("unknown-player", "to");
    let refused = asha.post(path, &offer("aSHA")).await;
    refused.bad_field("yourself", "to");
    let refused = asha
        .post(path, &with(offer("Asha"), "to", json!(["Asha"])))
        .await;
    refused.bad_field("bad-field", "to");
    let rated = |to: &str| with(offer(to), "rated", json!(true));
    let refused = asha.post(path, &rated(&guests_name)).await;
    refused.bad_field("bad-terms", "rated");
    let refused = guest.post(path, &rated("Asha")).await;
    refused.problem(403, "account-needed");
    let refused = guest.post(path, &rated("mawe-Kete")).await;
    refused.problem(403, "account-needed");
    let refused = server.stranger().post(path, &offer("Asha")).await;
    refused.problem(401, "sign-in-first");
    assert_eq!((open(&asha).await, open(&guest).await), ((0, 0), (0, 0)));
    let refused = server.stranger().get("/api/v1/me/challenges").await;
    refused.problem(401, "sign-in-first");
    // Casual challenges are open to everybody.
    challenge(&mut guest, &offer("Asha")).await;
    server.stop().await;
}

#[tokio::test]
async fn one_player_has_twenty_challenges_open_and_three_to_one_other() {
    let server = TestServer::start().await;
    let mut asha = server.guest().await;
    server.account("Bahati").await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(challenge(&mut asha, &offer("Bahati")).await);
    }
    let path = "/api/v1/challenges";
    let refused = asha.post(path, &offer("Bahati")).await;
    refused.problem(429, "too-many-requests");
    // Links have a separate limit, which holds for concurrent requests too.
    let asking: Vec<_> = (0..40)
        .map(|_| {
            let mut asha = asha.clone();
            tokio::spawn(async move { asha.post(path, &by_link()).await.status.as_u16() })
        })
        .collect();
    let mut made = 0;
    for asking in asking {
        let status = asking.await.expect("it is answered");
        assert!(status == 201 || status == 422, "{status}");
        made += usize::from(status == 201);
    }
    assert_eq!(made, 17);
    assert_eq!(open(&asha).await, (0, 20));
    asha.delete(&at(&ids[0], "")).await;
    challenge(&mut asha, &by_link()).await;
    let refused = asha.post(path, &by_link()).await;
    refused.bad_field("too-many-challenges", "");
    server.stop().await;
}

#[tokio::test]
async fn challenges_by_name_cannot_be_rained_on_anybody() {
    let server = TestServer::start().await;
    let mut asha = server.guest().await;
    server.account("Bahati").await;
    let mut made = 0;
    let refused = loop {
        let answer = asha.post("/api/v1/challenges", &offer("Bahati")).await;
        if answer.status != 201 {
            break answer;
        }
        made += 1;
        assert!(made < 40, "nobody stops them");
        asha.delete(&at(&answer.text("/id"), "")).await;
    };
    refused.problem(429, "too-many-requests");
    assert!(refused.header("retry-after").parse::<u64>().is_ok());
    assert_eq!(
        made, 3,
        "they count when they are made, not while they are open"
    );
    // A challenge by link notifies nobody, and does not count for this limit.
    challenge(&mut asha, &by_link()).await;
    server.stop().await;
}

#[tokio::test]
async fn of_all_that_is_done_with_a_challenge_at_once_one_thing_happens() {
    let server = TestServer::start().await;
    let bahati = server.guest().await;
    let name = bahati.name().await;
    for _ in 0..5 {
        // Another challenger each time, as a declined one must wait.
        let mut asha = server.guest().await;
        let id = challenge(&mut asha, &offer(&name)).await;
        let doing: Vec<_> = (0..9)
            .map(|n| {
                let (mut asha, mut bahati, id) = (asha.clone(), bahati.clone(), id.clone());
                tokio::spawn(async move {
                    match n % 3 {
                        0 => bahati.post(&at(&id, "/accept"), &json!({})).await,
                        1 => bahati.post(&at(&id, "/decline"), &json!({})).await,
                        _ => asha.delete(&at(&id, "")).await,
                    }
                })
            })
            .collect();
        let mut done = 0;
        for doing in doing {
            let answer = doing.await.expect("it is answered");
            if answer.status.is_success() {
                done += 1;
            } else {
                answer.problem(409, "challenge-closed");
            }
        }
        assert_eq!(done, 1);
        let view = asha.get(&at(&id, "")).await.json();
        assert_ne!(view["status"], "open");
        assert_eq!(view["status"] == "accepted", view["match"].is_string());
    }
    server.stop().await;
}

#[tokio::test]
async fn a_computer_challenged_by_name_plays_at_once() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let rated = with(offer("mawe-Kete"), "rated", json!(true));
    let made = asha.post("/api/v1/challenges", &rated).await;
    assert_eq!(made.status, 201, "{made:?}");
    assert_eq!(made.json()["status"], "accepted");
    assert_eq!(
        made.json()["to"],
        json!({ "name": "mawe-Kete", "kind": "bot", "level": 4 })
    );
    let id = made.text("/match");
    let view = asha.get(&format!("/api/v1/matches/{id}")).await.json();
    let its = Side::ALL.into_iter().find(|side| {
        let side = side.as_str();
        view["seats"][side]["player"]["level"] == 4
    });
    let its = its.expect("it has a seat, by lot");
    assert_eq!(
        (&view["rated"], &view["options"]["takebacks"]),
        (&json!(true), &json!(false))
    );
    // The computer opponent moves.
    let mut seat = Seat::take(&asha, &id, its.other()).await;
    while seat.mirror.plies.iter().all(|ply| ply.side != its) {
        // A sowing that ends in the store gives another turn.
        if seat.mirror.state.turn != its {
            let command = seat.a_move(&seat.mirror.state.legal[0].clone());
            seat.send(command).await;
        }
        seat.event().await;
    }
    assert_eq!(open(&asha).await, (0, 0));
    server.stop().await;
}

// --- pass and play ---

#[tokio::test]
async fn pass_and_play_is_one_person_at_both_seats_and_counts_nowhere() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let path = "/api/v1/matches/pass-and-play";
    let body = json!({ "game": "congkak", "time_control": { "kind": "unlimited" } });
    let made = asha.post(path, &body).await;
    assert_eq!(made.status, 201, "{made:?}");
    let id = made.text("/id");
    let view = asha.get(&format!("/api/v1/matches/{id}")).await.json();
    assert_eq!(view["seats"]["first"], view["seats"]["second"]);
    assert_eq!(view["seats"]["first"]["player"]["name"], "Asha");
    assert_eq!(
        (&view["rated"], &view["private"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(view["options"]["takebacks"], true);
    let mine = asha.get("/api/v1/me/matches").await.json();
    assert_eq!(
        mine["items"].as_array().map(Vec::len),
        Some(1),
        "it is there once"
    );
    assert_eq!(asha.get("/api/v1/matches").await.json()["items"], json!([]));

    let mut seat = Seat::take(&asha, &id, Side::First).await;
    seat.send(Command::Resign).await;
    seat.event().await;
    // A rated match follows: once it is counted, the other would have been counted too.
    let against = with(offer("mawe-Kokoto"), "side", json!("first"));
    let id = asha
        .post("/api/v1/challenges", &against)
        .await
        .text("/match");
    let mut seat = Seat::take(&asha, &id, Side::First).await;
    seat.send(Command::Resign).await;
    seat.event().await;
    let profile = eventually("the count", async || {
        let profile = asha.get("/api/v1/players/Asha").await.json();
        (profile["played"] != 0).then_some(profile)
    })
    .await;
    assert_eq!(
        (&profile["played"], &profile["lost"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(profile["games"][0]["game"], "kalah");
    server.stop().await;
}

#[tokio::test]
async fn pass_and_play_that_cannot_be_is_refused() {
    let server = TestServer::start().await;
    let mut guest = server.guest().await;
    let path = "/api/v1/matches/pass-and-play";
    let body = json!({ "game": "mawe", "time_control": { "kind": "unlimited" } });
    let refused = server.stranger().post(path, &body).await;
    refused.problem(401, "sign-in-first");
    for (field, value, code) in [
        ("rated", json!(true), "bad-field"),
        ("level", json!(3), "bad-field"),
        ("game", json!("chess"), "bad-field"),
        ("setup", json!("9x9"), "bad-setup"),
        (
            "time_control",
            json!({ "kind": "correspondence", "days": 0 }),
            "bad-time-control",
        ),
    ] {
        let refused = guest.post(path, &with(body.clone(), field, value)).await;
        refused.bad_field(code, field);
    }
    let public = guest.post(path, &with(body, "private", json!(false))).await;
    assert_eq!(public.status, 201);
    server.stop().await;
}

#[tokio::test]
async fn eight_guests_do_not_fill_anybody_s_screen() {
    let server = TestServer::start().await;
    let bahati = server.account("Bahati").await;
    let mut made = 0;
    for _ in 0..8 {
        let mut guest = server.guest().await;
        for _ in 0..20 {
            let answer = guest.post("/api/v1/challenges", &offer("Bahati")).await;
            made += usize::from(answer.status == 201);
        }
    }
    assert_eq!(made, 5);
    assert_eq!(open(&bahati).await.0, 5);
    // The open challenges do not keep a friend away.
    let mut friend = server.account("Asha").await;
    challenge(&mut friend, &offer("Bahati")).await;
    server.stop().await;
}

#[tokio::test]
async fn who_is_declined_waits_before_asking_the_same_player_again() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    server.account("Zofia").await;
    let id = challenge(&mut asha, &offer("Bahati")).await;
    let no = bahati.post(&at(&id, "/decline"), &json!({})).await;
    assert_eq!(no.status, 204);
    let refused = asha.post("/api/v1/challenges", &offer("Bahati")).await;
    refused.problem(429, "challenge-declined");
    let wait: u64 = refused.header("retry-after").parse().expect("seconds");
    assert!((1..=30).contains(&wait), "{wait}");
    // The challenger may still challenge others, and the other direction is not blocked.
    challenge(&mut asha, &offer("Zofia")).await;
    challenge(&mut bahati, &offer("Asha")).await;
    server.stop().await;
}

#[tokio::test]
async fn who_wants_no_challenges_of_guests_gets_none() {
    const PATH: &str = "/api/v1/me/preferences";
    let server = TestServer::start().await;
    let bahati = server.account("Bahati").await;
    let mut guest = server.guest().await;
    let mut asha = server.account("Asha").await;
    let usual = json!({ "guests_may_challenge": true, "challenges_from": "everybody", "challenge_min_rating": null, "challenge_max_rating": null, "chat": false, "avatar": null, "flag": null });
    assert_eq!(bahati.get(PATH).await.json(), usual);
    challenge(&mut guest, &offer("Bahati")).await;
    let set = async |what: serde_json::Value| {
        let request = bahati.request(reqwest::Method::PATCH, PATH).json(&what);
        crate::common::Answer::of(request).await
    };
    let off = json!({ "guests_may_challenge": false });
    let now = with(usual, "guests_may_challenge", json!(false));
    let now = with(now, "challenges_from", json!("registered"));
    assert_eq!(set(off).await.json(), now);
    assert_eq!(set(json!({})).await.json(), now, "what is left out stays");
    assert_eq!(set(json!({ "guests": 1 })).await.status, 422);
    let refused = guest.post("/api/v1/challenges", &offer("Bahati")).await;
    refused.problem(403, "guests-refused");
    challenge(&mut asha, &offer("Bahati")).await;
    let nobody = server.stranger().get(PATH).await;
    nobody.problem(401, "sign-in-first");
    server.stop().await;
}

#[tokio::test]
async fn a_challenge_may_give_its_players_unequal_clocks() {
    let server = TestServer::start().await;
    let mut people = [server.account("Asha").await, server.account("Bahati").await];
    let unequal = |offer, challenger: u32, opponent: u32| {
        let extra = json!({ "challenger": challenger, "opponent": opponent });
        with(offer, "extra_minutes", extra)
    };
    let wish = with(unequal(offer("Bahati"), 1, 10), "side", json!("first"));
    let id = challenge(&mut people[0], &wish).await;
    let view = people[1].get(&at(&id, "")).await.json();
    assert_eq!(
        view["extra_minutes"],
        json!({ "challenger": 1, "opponent": 10 })
    );
    let accepted = people[1].post(&at(&id, "/accept"), &json!({})).await;
    let id = accepted.text("/id");
    let mut pair = Pair::at(people, id.clone()).await;
    pair.plies(3).await;
    let told = Socket::open(&pair.people[0]).await.joined(&id).await.view;
    let extra = told.extra_ms.expect("extra time");
    assert_eq!((extra.first, extra.second), (60_000, 600_000));
    let clock = told.state.clock;
    assert!(
        clock.first_ms < 400_000 && clock.second_ms > 600_000,
        "{clock:?}"
    );

    // In the rematch each player has the same extra time at the other side.
    pair.act(0, Command::Resign).await;
    for seat in &mut pair.seats {
        seat.socket.rematch(&id).await;
    }
    let next = next_match(&mut pair.seats[0].socket).await;
    let told = Socket::open(&pair.people[0]).await.joined(&next).await.view;
    let extra = told.extra_ms.expect("extra time");
    assert_eq!((extra.first, extra.second), (600_000, 60_000));
    server.stop().await;
}

#[tokio::test]
async fn only_a_casual_challenge_with_clocks_has_extra_time() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let extra = |challenger: u32, opponent: u32| {
        let extra = json!({ "challenger": challenger, "opponent": opponent });
        with(by_link(), "extra_minutes", extra)
    };
    let three_hours = json!({ "kind": "realtime", "base_ms": 10_800_000, "increment_ms": 0 });
    for (offer, code) in [
        (extra(61, 0), "bad-terms"),
        (extra(0, u32::MAX), "bad-terms"),
        (with(extra(1, 0), "rated", json!(true)), "bad-terms"),
        (
            with(extra(0, 1), "time_control", json!({ "kind": "unlimited" })),
            "bad-terms",
        ),
        (
            with(
                extra(0, 1),
                "time_control",
                json!({ "kind": "correspondence", "days": 2 }),
            ),
            "bad-terms",
        ),
        (with(extra(0, 1), "time_control", three_hours), "bad-terms"),
        (
            with(by_link(), "extra_minutes", json!({ "opponents": 1 })),
            "bad-field",
        ),
    ] {
        let refused = asha.post("/api/v1/challenges", &offer).await;
        let field = match code {
            "bad-field" => "extra_minutes.opponents",
            _ => "extra_minutes",
        };
        refused.bad_field(code, field);
    }
    // Without extra time none of this matters.
    let rated = with(extra(0, 0), "rated", json!(true));
    assert_eq!(asha.post("/api/v1/challenges", &rated).await.status, 201);
    server.stop().await;
}
