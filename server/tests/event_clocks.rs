//! Games of events with clocks of different length: berserk in an arena, and the extra time of a simul's host.

use serde_json::{Value, json};

use crate::common::{Answer, Person, TestServer};
use crate::events::{
    HOUR_MS, accounts, create, games, join, later, proposal, standings, with, with_players,
};

async fn view(person: &Person, id: &str) -> Value {
    let answer = person.get(&format!("/api/v1/matches/{id}")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

/// Sends a command, named so, on the state that the sender sees now.
async fn send(person: &mut Person, id: &str, name: &str, command: Value) -> Answer {
    let seq = view(person, id).await["seq"].clone();
    let body = json!({ "client_id": name, "seq": seq, "command": command });
    let path = format!("/api/v1/matches/{id}/commands");
    person.post(&path, &body).await
}

/// The player of a side plays the first legal move.
async fn moves(people: &mut [Person], seats: [usize; 2], id: &str) {
    let state = view(&people[0], id).await;
    let side = usize::from(state["turn"] == "second");
    let command = json!({ "kind": "move", "ply": state["ply"], "move": state["legal"][0] });
    let name = format!("m-{}", state["ply"]);
    let done = send(&mut people[seats[side]], id, &name, command).await;
    assert_eq!(done.status, 200, "{done:?}");
}

/// An arena of two accounts, whose first match has begun: its id, and which of the two has each seat.
async fn arena_of_two(
    server: &TestServer,
    people: &mut [Person],
    body: &Value,
) -> (String, String, [usize; 2]) {
    let id = create(&mut people[0], body).await;
    for person in people.iter_mut() {
        join(person, &id).await;
    }
    for ms in [0, 1_000] {
        later(server, HOUR_MS + ms).await;
    }
    let paired = games(&people[0], &id).await;
    let running = paired[0]["match"].as_str().expect("a match").to_owned();
    let first = view(&people[0], &running).await["seats"]["first"]["player"]["name"].clone();
    let seats = if people[0].name().await == first {
        [0, 1]
    } else {
        [1, 0]
    };
    (id, running, seats)
}

fn with_increment(body: Value) -> Value {
    let pace = json!({ "kind": "realtime", "base_ms": 300_000, "increment_ms": 2_000 });
    with(body, "time_control", pace)
}

#[tokio::test]
async fn a_player_of_an_arena_halves_the_clock_for_one_more_point() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati"]).await;
    let body = with(with_increment(proposal("arena")), "berserk", json!(true));
    let (id, running, seats) = arena_of_two(&server, &mut people, &body).await;
    let before = view(&people[0], &running).await;
    assert_eq!(before["options"]["berserk"], true);
    assert_eq!(before.get("berserk"), None, "nobody has done it: {before}");

    let berserk = || json!({ "kind": "berserk" });
    let [first, second] = seats;
    let done = send(&mut people[first], &running, "b-1", berserk()).await;
    assert_eq!(done.status, 200, "{done:?}");
    // The same command again is answered as before, another one is refused.
    let again = send(&mut people[first], &running, "b-1", berserk()).await;
    assert_eq!(again.status, 200);
    assert_eq!(again.json()["seq"], done.json()["seq"]);
    send(&mut people[first], &running, "b-2", berserk())
        .await
        .problem(409, "cannot-berserk");
    let halved = view(&people[second], &running).await;
    assert_eq!(halved["berserk"], json!(["first"]));
    assert_eq!(halved["clock"]["first_ms"], 150_000);
    assert_eq!(halved["clock"]["second_ms"], 300_000);

    // Who has moved cannot do it any more.
    for _ in 0..2 {
        moves(&mut people, seats, &running).await;
    }
    send(&mut people[second], &running, "b-3", berserk())
        .await
        .problem(409, "cannot-berserk");
    // Both clocks run now. The second side gets the increment, the first one does not.
    for _ in 0..2 {
        moves(&mut people, seats, &running).await;
    }
    let later_on = view(&people[0], &running).await;
    let clock_after = |ply: usize| {
        later_on["plies"][ply]["clock_ms"]
            .as_u64()
            .expect("a clock")
    };
    assert!(clock_after(2) <= 150_000, "{later_on}");
    assert!(
        clock_after(3) + later_on["plies"][3]["spent_ms"].as_u64().expect("a time") == 302_000,
        "{later_on}"
    );

    let resigned = send(
        &mut people[second],
        &running,
        "r",
        json!({ "kind": "resign" }),
    )
    .await;
    assert_eq!(resigned.status, 200, "{resigned:?}");
    later(&server, HOUR_MS + 1_500).await;
    let rows = standings(&people[0], &id).await;
    let name = people[first].name().await;
    assert_eq!(
        (&rows[0]["player"]["name"], &rows[0]["points"]),
        (&json!(name), &json!(3.0)),
        "two for the win, one for the half clock"
    );
    assert_eq!(rows[1]["points"], 0.0);
    assert_eq!(games(&people[0], &id).await[0]["berserk"], json!(["first"]));
    assert_eq!(
        view(&people[0], &running).await["berserk"],
        json!(["first"])
    );
    server.stop().await;
}

#[tokio::test]
async fn no_clock_is_halved_where_the_event_does_not_allow_it() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati"]).await;
    let (_, running, seats) = arena_of_two(&server, &mut people, &proposal("arena")).await;
    assert_eq!(
        view(&people[0], &running).await["options"]["berserk"],
        false
    );
    send(
        &mut people[seats[0]],
        &running,
        "b",
        json!({ "kind": "berserk" }),
    )
    .await
    .problem(409, "cannot-berserk");
    server.stop().await;
}

#[tokio::test]
async fn the_host_of_a_simul_has_more_time() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati", "Chiku"]).await;
    let body = with(with_players("simul", 3), "host_extra_minutes", json!(5));
    let id = create(&mut people[0], &body).await;
    for person in &mut people {
        join(person, &id).await;
    }
    for ms in [0, 1_000] {
        later(&server, ms).await;
    }
    let paired = games(&people[0], &id).await;
    assert_eq!(paired.len(), 2);
    let host = json!(people[0].name().await);
    for game in paired {
        let running = view(&people[1], game["match"].as_str().expect("a match")).await;
        let (hosts, others) = if running["seats"]["first"]["player"]["name"] == host {
            ("first", "second")
        } else {
            ("second", "first")
        };
        assert_eq!(running["extra_ms"][hosts], 300_000, "{running}");
        assert_eq!(running["extra_ms"][others], 0);
        assert_eq!(running["clock"][format!("{hosts}_ms")], 600_000);
        assert_eq!(running["clock"][format!("{others}_ms")], 300_000);
    }
    server.stop().await;
}

#[tokio::test]
async fn clocks_that_an_event_cannot_have_are_refused() {
    let server = TestServer::start().await;
    let mut person = server.account("Asha").await;
    let pace = |base_ms: u64| json!({ "kind": "realtime", "base_ms": base_ms, "increment_ms": 0 });
    let berserk = |kind| with(proposal(kind), "berserk", json!(true));
    let host = |minutes: u64| with(proposal("simul"), "host_extra_minutes", json!(minutes));
    let daily = json!({ "kind": "correspondence", "days": 1 });
    for (body, code, field) in [
        (berserk("swiss"), "bad-terms", "berserk"),
        (
            with(berserk("arena"), "time_control", pace(19_999)),
            "bad-terms",
            "berserk",
        ),
        (
            with(proposal("arena"), "host_extra_minutes", json!(0)),
            "bad-terms",
            "host_extra_minutes",
        ),
        (host(61), "bad-terms", "host_extra_minutes"),
        (
            with(host(2), "time_control", pace(10_700_000)),
            "bad-terms",
            "host_extra_minutes",
        ),
        (
            with(host(2), "time_control", daily),
            "bad-time-control",
            "time_control",
        ),
    ] {
        person
            .post("/api/v1/events", &body)
            .await
            .bad_field(code, field);
    }
    let shortest = with(berserk("arena"), "time_control", pace(20_000));
    let id = create(&mut person, &shortest).await;
    let seen = person.get(&format!("/api/v1/events/{id}")).await.json();
    assert_eq!(
        (&seen["berserk"], &seen["host_extra_minutes"]),
        (&json!(true), &json!(0))
    );
    server.stop().await;
}
