//! Timetables of events over HTTP: the rights of making and stopping them, and their events.

use mawe_server::clock::unix_ms;
use mawe_store::AccountChange;
use mawe_wire::grants::Grant;
use serde_json::{Value, json};

use crate::common::{Answer, Person, TestServer};

const TIMETABLES: &str = "/api/v1/event-timetables";
const HOUR_MS: i64 = 60 * 60 * 1_000;
const DAY_MS: i64 = 24 * HOUR_MS;

fn proposal(club: Option<&str>) -> Value {
    json!({
        "every": "daily", "at": "18:30", "zone": "europe/warsaw",
        "event": {
            "kind": "knockout", "name": "Every evening", "game": "mawe",
            "time_control": { "kind": "realtime", "base_ms": 300_000, "increment_ms": 0 },
            "entry": { "club": club },
        },
    })
}

fn with(mut body: Value, pointer: &str, value: Value) -> Value {
    let (parent, field) = pointer.rsplit_once('/').expect("a pointer");
    body.pointer_mut(parent).expect("it is there")[field] = value;
    body
}

#[track_caller]
fn items(answer: Answer) -> Vec<Value> {
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["items"].as_array().expect("items").clone()
}

async fn coming(person: &Person) -> Vec<Value> {
    items(person.get("/api/v1/events?limit=100").await)
}

fn start(event: &Value) -> i64 {
    let at: jiff::Timestamp = event["start_at"]
        .as_str()
        .expect("a time")
        .parse()
        .expect("a time");
    at.as_millisecond()
}

async fn make_due(server: &TestServer, at_ms: i64) {
    server.app().lobby.advance_events(at_ms).await;
}

async fn officer(server: &TestServer, name: &str) -> Person {
    let mut person = server.account(name).await;
    let handle = name.to_lowercase();
    let club = json!({ "handle": handle, "name": format!("Club of {name}"), "joining": "open" });
    assert_eq!(person.post("/api/v1/clubs", &club).await.status, 201);
    person
}

#[tokio::test]
async fn a_timetable_has_one_coming_event_until_it_is_stopped() {
    let server = TestServer::start().await;
    let mut asha = officer(&server, "Asha").await;
    let made = asha.post(TIMETABLES, &proposal(Some("asha"))).await;
    assert_eq!(made.status, 201, "{made:?}");
    let timetable = made.json();
    assert_eq!(timetable["zone"], "Europe/Warsaw");
    assert_eq!(timetable["event"]["entry"]["club"]["handle"], "asha");
    let now = unix_ms();
    for _ in 0..3 {
        make_due(&server, now).await;
    }
    let first = coming(&asha).await;
    assert_eq!(first.len(), 1, "{first:?}");
    assert_eq!(first[0]["start_at"], timetable["next_at"]);
    assert_eq!(first[0]["entry"]["club"]["handle"], "asha");
    // Nobody comes: it is cancelled, and the next one is made.
    make_due(&server, start(&first[0]) + 1_000).await;
    let second = coming(&asha).await;
    assert_eq!(second.len(), 1, "{second:?}");
    let days = start(&second[0]) - start(&first[0]);
    assert!(
        (DAY_MS - HOUR_MS..=DAY_MS + HOUR_MS).contains(&days),
        "{days}"
    );
    // The server slept for five days: what has passed is left out.
    let later = start(&second[0]) + 5 * DAY_MS + HOUR_MS;
    make_due(&server, later).await;
    let third = coming(&asha).await;
    assert_eq!(third.len(), 1, "{third:?}");
    assert!((later..later + DAY_MS).contains(&start(&third[0])));
    let path = format!("{TIMETABLES}/{}", timetable["id"].as_str().expect("an id"));
    let mut other = server.account("Bahati").await;
    assert_eq!(items(other.get(TIMETABLES).await).len(), 0);
    other.delete(&path).await.problem(404, "not-found");
    assert_eq!(items(asha.get(TIMETABLES).await).len(), 1);
    assert_eq!(asha.delete(&path).await.status, 204);
    asha.delete(&path).await.problem(404, "not-found");
    make_due(&server, start(&third[0]) + 1_000).await;
    assert_eq!(coming(&asha).await.len(), 0);
    server.stop().await;
}

#[tokio::test]
async fn operators_make_timetables_for_everybody_and_moderators_stop_them() {
    let server = TestServer::start().await;
    let mut operator = server.account("Mjuzi").await;
    operator
        .post(TIMETABLES, &proposal(None))
        .await
        .problem(403, "operators-only");
    server
        .change_account("Mjuzi", AccountChange::Grant(Grant::Operator))
        .await;
    // The session says so as of the next request. A simul has its creator as the host.
    let body = with(proposal(None), "/event/kind", json!("simul"));
    let made = operator.post(TIMETABLES, &body).await;
    assert_eq!(made.status, 201, "{made:?}");
    make_due(&server, unix_ms()).await;
    let event = coming(&operator).await.remove(0);
    assert_eq!(
        (&event["players"], &event["created_by"]["name"]),
        (&json!(1), &json!("Mjuzi"))
    );
    let mut moderator = server.account("Mlinzi").await;
    server
        .change_account("Mlinzi", AccountChange::Grant(Grant::Moderator))
        .await;
    assert_eq!(items(moderator.get(TIMETABLES).await).len(), 1);
    let path = format!("{TIMETABLES}/{}", made.text("/id"));
    assert_eq!(moderator.delete(&path).await.status, 204);
    assert_eq!(items(operator.get(TIMETABLES).await).len(), 0);
    server.stop().await;
}

#[tokio::test]
async fn an_officer_who_has_left_makes_no_events() {
    let server = TestServer::start().await;
    let mut asha = officer(&server, "Asha").await;
    let mut bahati = server.account("Bahati").await;
    let joined = bahati.post("/api/v1/clubs/asha/members", &json!({})).await;
    assert_eq!(joined.text("/standing"), "member");
    bahati
        .post(TIMETABLES, &proposal(Some("asha")))
        .await
        .problem(403, "officers-only");
    let made = asha.post(TIMETABLES, &proposal(Some("asha"))).await;
    assert_eq!(made.status, 201, "{made:?}");
    let officer = json!({ "player": bahati.name().await });
    let officer = asha.post("/api/v1/clubs/asha/officers", &officer).await;
    assert_eq!(officer.status, 204, "{officer:?}");
    let own = format!("/api/v1/clubs/asha/members/{}", asha.name().await);
    let left = asha.delete(&own).await;
    assert_eq!(left.status, 204, "{left:?}");
    make_due(&server, unix_ms() + 9 * DAY_MS).await;
    assert_eq!(coming(&bahati).await.len(), 0);
    // A present officer may stop it.
    let path = format!("{TIMETABLES}/{}", made.text("/id"));
    assert_eq!(bahati.delete(&path).await.status, 204);
    server.stop().await;
}

#[tokio::test]
async fn bad_and_too_many_timetables_are_refused() {
    let server = TestServer::start().await;
    let mut asha = officer(&server, "Asha").await;
    let good = proposal(Some("asha"));
    for (pointer, value, field, code) in [
        ("/at", json!("24:00"), "at", "bad-terms"),
        ("/zone", json!("Mars/Olympus"), "zone", "bad-terms"),
        ("/zone", json!("+02:00"), "zone", "bad-terms"),
        ("/weekdays", json!(["friday"]), "weekdays", "bad-terms"),
        ("/every", json!("weekly"), "weekdays", "bad-terms"),
        (
            "/event/start_players",
            json!(4),
            "event.start_at",
            "bad-terms",
        ),
        (
            "/event/start_at",
            json!("2030-01-01T00:00:00Z"),
            "event.start_at",
            "bad-terms",
        ),
        ("/event/name", json!("x"), "event.name", "bad-text"),
        (
            "/event/entry/club",
            json!("nowhere"),
            "event.entry.club",
            "unknown-club",
        ),
        (
            "/event/entry/password",
            json!("x"),
            "event.entry.password",
            "bad-terms",
        ),
    ] {
        let refused = asha
            .post(TIMETABLES, &with(good.clone(), pointer, value))
            .await;
        refused.bad_field(code, field);
    }
    let mut refused = 0;
    for _ in 0..9 {
        let answer = asha.post(TIMETABLES, &good).await;
        if answer.status != 201 {
            answer.problem(422, "too-many-timetables");
            refused += 1;
        }
    }
    assert_eq!((refused, items(asha.get(TIMETABLES).await).len()), (4, 5));
    // All of them at once.
    make_due(&server, unix_ms()).await;
    assert_eq!(coming(&asha).await.len(), 5);
    let mut pages = 0;
    let mut path = format!("{TIMETABLES}?limit=2");
    loop {
        let page = asha.get(&path).await.json();
        pages += 1;
        let Some(next) = page["next"].as_str() else {
            break;
        };
        path = format!("{TIMETABLES}?limit=2&cursor={next}");
    }
    assert_eq!(pages, 3);
    server.stop().await;
}
