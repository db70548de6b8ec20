//! Push messages to absent players, sent to a push service of the test, which decodes them.

use std::time::Duration;

use axum::http::StatusCode;
use mawe_server::push::PushSettings;
use reqwest::Method;
use serde_json::{Value, json};

use crate::common::push_service::{Browser, PushService, claims};
use crate::common::socket::Socket;
use crate::common::{Answer, PASSWORD, Person, TestServer, eventually};

/// The time for which the test waits to see that nothing arrives: longer than any message takes here.
const QUIET: Duration = Duration::from_millis(400);

fn options(service: &PushService) -> PushSettings {
    PushSettings {
        look_again: Duration::from_millis(50),
        retry: Duration::from_millis(20),
        ..PushSettings::new(Some("mailto:a@example.org".into()), vec![service.trusted()])
    }
}

async fn server(service: &PushService) -> TestServer {
    let options = options(service);
    TestServer::start_with(|config| config.push = Some(options)).await
}

async fn put(person: &mut Person, subscription: &Value) -> Answer {
    let request = person
        .request(Method::PUT, "/api/v1/me/push")
        .json(subscription);
    person.send(request).await
}

pub(crate) async fn subscribe(person: &mut Person, browser: &Browser) {
    let done = put(person, &browser.subscription()).await;
    assert_eq!(done.status, StatusCode::NO_CONTENT, "{done:?}");
}

async fn browsers(person: &Person) -> Value {
    person.get("/api/v1/me/push").await.json()["items"].clone()
}

/// Makes a correspondence match in which `first` has the first move.
pub(crate) async fn daily(first: &mut Person, second: &mut Person) -> String {
    let offer = json!({
        "game": "mawe",
        "side": "second",
        "time_control": { "kind": "correspondence", "days": 3 },
    });
    let challenge = second.post("/api/v1/challenges", &offer).await;
    let path = format!("/api/v1/challenges/{}/accept", challenge.text("/id"));
    first.post(&path, &json!({})).await.text("/id")
}

/// Plays the first legal move.
pub(crate) async fn play(person: &mut Person, id: &str, name: &str) -> Answer {
    let view = person.get(&format!("/api/v1/matches/{id}")).await.json();
    let command = json!({
        "client_id": name,
        "seq": view["seq"],
        "command": { "kind": "move", "ply": view["ply"], "move": view["legal"][0] },
    });
    let done = person
        .post(&format!("/api/v1/matches/{id}/commands"), &command)
        .await;
    assert!(done.status.is_success(), "{done:?}");
    done
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_not_there_is_called_when_it_is_their_turn() {
    let service = PushService::start().await;
    let server = server(&service).await;
    let (mut ala, mut baraka) = (server.account("Ala").await, server.account("Baraka").await);
    let key = server.stranger().get("/api/v1/push/key").await.text("/key");
    let (phone, desk) = (service.browser("phone"), service.browser("desk"));
    subscribe(&mut ala, &phone).await;
    let mut polish = desk.subscription();
    polish["language"] = json!("pl");
    let mut at_desk = server.stranger();
    let who = json!({ "name": "Ala", "password": PASSWORD });
    at_desk.post("/api/v1/sessions", &who).await;
    assert_eq!(
        put(&mut at_desk, &polish).await.status,
        StatusCode::NO_CONTENT
    );

    // Ala has the first move: both of her browsers get the message that the match has begun.
    let id = daily(&mut ala, &mut baraka).await;
    let mut first = service.wait_for(2).await;
    first.sort_by(|a, b| a.browser.cmp(&b.browser));
    let told = |language: &str| json!({ "kind": "turn", "id": id, "game": "mawe", "by": "Baraka", "language": language });
    assert_eq!(desk.read(&first[0]), told("pl"));
    assert_eq!(phone.read(&first[1]), told("en"));
    for message in &first {
        assert_eq!(message.headers["content-type"], "application/octet-stream");
        assert_eq!(message.headers["urgency"], "normal");
        let ttl: u64 = message.headers["ttl"]
            .to_str()
            .expect("ASCII")
            .parse()
            .expect("seconds");
        assert!(
            (3 * 86_400 - 60..=3 * 86_400).contains(&ttl),
            "three days, not {ttl} s"
        );
        let topic = message.headers["topic"].to_str().expect("ASCII");
        assert!(topic.len() == 32 && !topic.contains(&id), "{topic}");
        let claims = claims(message, &key);
        assert_eq!(claims["aud"], format!("http://{}", service.address));
        assert_eq!(claims["sub"], "mailto:a@example.org");
        let lasts = claims["exp"].as_i64().expect("seconds") - jiff::Timestamp::now().as_second();
        assert!((3_600..=86_400).contains(&lasts), "{lasts} s");
    }

    // Ala moves. Baraka has no subscription; after his move, she gets another message about the same match.
    play(&mut ala, &id, "a").await;
    play(&mut baraka, &id, "b").await;
    let all = service.wait_for(4).await;
    assert_eq!(all[3].headers["topic"], all[0].headers["topic"]);
    let another = daily(&mut ala, &mut baraka).await;
    let all = service.wait_for(6).await;
    assert_ne!(all[5].headers["topic"], all[0].headers["topic"]);

    // Neither another read of the match, nor the player's own action, nor the end sends a message.
    play(&mut ala, &another, "c").await;
    let resign = json!({ "client_id": "r", "seq": 1, "command": { "kind": "resign" } });
    let done = baraka
        .post(&format!("/api/v1/matches/{another}/commands"), &resign)
        .await;
    assert!(done.status.is_success(), "{done:?}");
    tokio::time::sleep(QUIET).await;
    assert_eq!(service.received().len(), 6);

    // The key is drawn once.
    let again = TestServer::start_on(server.stop().await).await;
    assert_eq!(
        again.stranger().get("/api/v1/push/key").await.text("/key"),
        key
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_there_is_not_called_and_who_has_just_gone_is() {
    let service = PushService::start().await;
    let mut options = options(&service);
    options.look_again = QUIET;
    let server = TestServer::start_with(|config| config.push = Some(options)).await;
    let (mut ala, mut baraka) = (server.guest().await, server.guest().await);
    let phone = service.browser("phone");
    subscribe(&mut ala, &phone).await;
    let socket = Socket::open(&ala).await;
    let id = daily(&mut ala, &mut baraka).await;
    tokio::time::sleep(QUIET * 3).await;
    assert_eq!(service.received().len(), 0, "she is there");
    play(&mut ala, &id, "a").await;
    play(&mut baraka, &id, "b").await;
    // Her telephone goes to sleep a moment later.
    drop(socket);
    let message = service.wait_for(1).await;
    assert_eq!(phone.read(&message[0])["id"], id);
    // No message is sent for a turn that is over at the second check.
    play(&mut ala, &id, "c").await;
    let socket = Socket::open(&ala).await;
    play(&mut baraka, &id, "d").await;
    play(&mut ala, &id, "e").await;
    drop(socket);
    tokio::time::sleep(QUIET * 3).await;
    assert_eq!(service.received().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_by_name_calls_the_one_it_is_to() {
    let service = PushService::start().await;
    let server = server(&service).await;
    let (mut ala, mut baraka) = (server.account("Ala").await, server.account("Baraka").await);
    let spoken = json!({ "language": "sw" });
    assert!(
        baraka
            .post("/api/v1/me/language", &spoken)
            .await
            .status
            .is_success()
    );
    let phone = service.browser("phone");
    subscribe(&mut baraka, &phone).await;
    let offer = json!({
        "game": "oware", "to": "baraka",
        "time_control": { "kind": "realtime", "base_ms": 600_000, "increment_ms": 0 },
    });
    let challenge = ala.post("/api/v1/challenges", &offer).await;
    let messages = service.wait_for(1).await;
    let told = json!({ "kind": "challenge", "id": challenge.text("/id"), "game": "oware", "by": "Ala", "language": "sw" });
    assert_eq!(phone.read(&messages[0]), told);
    let ttl: u64 = messages[0].headers["ttl"]
        .to_str()
        .expect("ASCII")
        .parse()
        .expect("seconds");
    assert!((86_400 - 60..=86_400).contains(&ttl), "a day, not {ttl} s");
    // Moves of a computer opponent send no message, as it answers at once.
    let with_computer = json!({ "game": "mawe", "level": 1, "side": "second", "time_control": { "kind": "unlimited" } });
    assert!(
        baraka
            .post("/api/v1/matches", &with_computer)
            .await
            .status
            .is_success()
    );
    tokio::time::sleep(QUIET).await;
    assert_eq!(service.received().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_busy_service_is_asked_again_and_a_browser_that_is_gone_is_forgotten() {
    let service = PushService::start().await;
    let server = server(&service).await;
    let (mut ala, mut baraka) = (server.guest().await, server.guest().await);
    let phone = service.browser("phone");
    subscribe(&mut ala, &phone).await;
    service.answer(&[(429, Some(1)), (503, None), (201, None)]);
    let began = std::time::Instant::now();
    let id = daily(&mut ala, &mut baraka).await;
    let messages = service.wait_for(3).await;
    assert!(
        began.elapsed() >= Duration::from_secs(1),
        "it was asked to wait"
    );
    assert_eq!(phone.read(&messages[2]), phone.read(&messages[0]));
    assert_eq!(messages[2].headers["topic"], messages[0].headers["topic"]);
    // The service rejects this one: that is logged, the subscription stays, and the message is not sent again.
    play(&mut ala, &id, "a").await;
    service.answer(&[(400, None)]);
    play(&mut baraka, &id, "b").await;
    service.wait_for(4).await;
    // An outdated message is not sent again.
    play(&mut ala, &id, "c").await;
    service.answer(&[(503, Some(1))]);
    play(&mut baraka, &id, "d").await;
    service.wait_for(5).await;
    play(&mut ala, &id, "e").await;
    tokio::time::sleep(Duration::from_secs(1) + QUIET).await;
    assert_eq!(service.received().len(), 5);
    for (number, status) in [(6, 410), (7, 404)] {
        assert_eq!(browsers(&ala).await.as_array().map(Vec::len), Some(1));
        service.answer(&[(status, None)]);
        play(&mut baraka, &id, &format!("{status}b")).await;
        service.wait_for(number).await;
        eventually("the browser is forgotten", async || {
            (browsers(&ala).await == json!([])).then_some(())
        })
        .await;
        play(&mut ala, &id, &format!("{status}a")).await;
        subscribe(&mut ala, &phone).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_is_of_a_session_and_ends_with_it() {
    let service = PushService::start().await;
    let server = server(&service).await;
    let (mut ala, mut baraka) = (server.account("Ala").await, server.account("Baraka").await);
    let phone = service.browser("phone");
    subscribe(&mut ala, &phone).await;
    subscribe(&mut ala, &phone).await;
    let listed = browsers(&ala).await;
    assert_eq!(listed.as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&listed[0]["service"], &listed[0]["current"]),
        (&json!("127.0.0.1"), &json!(true))
    );
    assert!(
        !listed.to_string().contains("/push/"),
        "nothing that lets others send: {listed}"
    );
    // The telephone changes hands: it is Baraka's now.
    subscribe(&mut baraka, &phone).await;
    assert_eq!(browsers(&ala).await, json!([]));
    assert_eq!(browsers(&baraka).await.as_array().map(Vec::len), Some(1));
    // No message is sent after the subscription is removed, after a logout, or to a disabled account.
    assert_eq!(
        baraka.delete("/api/v1/me/push").await.status,
        StatusCode::NO_CONTENT
    );
    assert_eq!(browsers(&baraka).await, json!([]));
    let who = json!({ "name": "Ala", "password": PASSWORD });
    subscribe(&mut ala, &service.browser("first")).await;
    let mut sessions = Vec::new();
    for number in 0..10 {
        let mut session = server.stranger();
        let logged_in = session.post("/api/v1/sessions", &who).await;
        assert_eq!(logged_in.status, StatusCode::OK, "{logged_in:?}");
        subscribe(&mut session, &service.browser(&format!("b{number}"))).await;
        sessions.push(session);
    }
    let count = async |person: &Person| browsers(person).await.as_array().map(Vec::len);
    assert_eq!(count(&ala).await, Some(10), "of more the oldest goes");
    let mut last = sessions.pop().expect("ten");
    last.delete("/api/v1/sessions/current").await;
    assert_eq!(count(&ala).await, Some(9));
    ala.delete("/api/v1/me/sessions").await;
    assert_eq!(browsers(&ala).await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_subscription_is_refused_with_the_reason() {
    let service = PushService::start().await;
    let server = server(&service).await;
    let mut ala = server.account("Ala").await;
    let good = service.browser("phone").subscription();
    let with = |field: &str, value: &str| {
        let mut changed = good.clone();
        changed[field] = json!(value);
        changed
    };
    for endpoint in [
        "http://127.0.0.1:1/push",
        "https://127.0.0.1/push",
        "https://169.254.169.254/latest",
        "https://[::1]/push",
        "http://push.example.org/push",
        "nonsense",
        "",
        &format!("https://push.example.org/{}", "x".repeat(3_000)),
    ] {
        let refused = put(&mut ala, &with("endpoint", endpoint)).await;
        refused.bad_field("bad-push-endpoint", "endpoint");
    }
    put(&mut ala, &with("p256dh", "!"))
        .await
        .bad_field("bad-push-keys", "p256dh");
    put(&mut ala, &with("p256dh", "AAAA"))
        .await
        .bad_field("bad-push-keys", "p256dh");
    put(&mut ala, &with("auth", "\u{e9}"))
        .await
        .bad_field("bad-push-keys", "auth");
    put(&mut ala, &with("auth", "AAAA"))
        .await
        .bad_field("bad-push-keys", "p256dh");
    put(&mut ala, &with("language", "xx"))
        .await
        .bad_field("bad-field", "language");
    put(&mut ala, &with("more", "x"))
        .await
        .bad_field("bad-field", "more");
    let mut stranger = server.stranger();
    put(&mut stranger, &good)
        .await
        .problem(401, "sign-in-first");
    let mut program = ala.program(&["read", "play", "challenge"]).await;
    put(&mut program, &good)
        .await
        .problem(403, "session-needed");
    program
        .get("/api/v1/me/push")
        .await
        .problem(403, "session-needed");
    assert_eq!(browsers(&ala).await, json!([]));

    let off = TestServer::start_with(|config| config.push = None).await;
    let mut guest = off.guest().await;
    guest.get("/api/v1/push/key").await.problem(403, "push-off");
    put(&mut guest, &good).await.problem(403, "push-off");
    assert_eq!(browsers(&guest).await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn players_of_an_event_are_called_before_its_start_and_to_their_matches() {
    let service = PushService::start().await;
    let server = server(&service).await;
    let (mut ala, mut baraka) = (server.account("Ala").await, server.account("Baraka").await);
    let phone = service.browser("phone");
    subscribe(&mut ala, &phone).await;

    // One that begins in five minutes, and another that begins with its second player.
    let soon = jiff::Timestamp::now() + jiff::SignedDuration::from_mins(5);
    let event = |start: Value| {
        let mut body = json!({
            "kind": "round-robin", "name": "Friday", "game": "oware",
            "time_control": { "kind": "realtime", "base_ms": 300_000, "increment_ms": 0 },
        });
        let terms = body.as_object_mut().expect("an object");
        terms.extend(start.as_object().expect("an object").clone());
        body
    };
    let announced = event(json!({ "start_at": soon.to_string() }));
    let announced = baraka.post("/api/v1/events", &announced).await.text("/id");
    let joined = ala
        .post(&format!("/api/v1/events/{announced}/join"), &json!({}))
        .await;
    assert_eq!(joined.status, StatusCode::OK, "{joined:?}");
    let called = service.wait_for(1).await;
    assert_eq!(
        phone.read(&called[0]),
        json!({ "kind": "event-starts", "id": announced, "game": "oware", "by": "", "event": "Friday", "language": "en" })
    );

    let full = event(json!({ "start_players": 2 }));
    let full = baraka.post("/api/v1/events", &full).await.text("/id");
    for person in [&mut ala, &mut baraka] {
        let path = format!("/api/v1/events/{full}/join");
        let joined = person.post(&path, &json!({})).await;
        assert_eq!(joined.status, StatusCode::OK, "{joined:?}");
    }
    let called = service.wait_for(2).await;
    let told = phone.read(&called[1]);
    let games = ala.get(&format!("/api/v1/events/{full}/games")).await;
    assert_eq!(
        told,
        json!({ "kind": "event-match-begun", "id": games.text("/items/0/match"), "game": "oware", "by": "Baraka", "event": "Friday", "language": "en" })
    );
    // The start is announced once; that of the other event, whose time is not known, is not.
    tokio::time::sleep(QUIET).await;
    assert_eq!(service.received().len(), 2);
    server.stop().await;
}
