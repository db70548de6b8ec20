//! Notices to registered players: raised in their absence, listed, read, and sent to their sockets.

use mawe_wire::{DeclineReason, Notice, NoticeKind, NoticeOutcome};
use serde_json::{Value, json};

use crate::common::socket::Socket;
use crate::common::{Person, TestServer, eventually};
use crate::push::{daily, play};

async fn list(person: &Person) -> Value {
    person.get("/api/v1/me/notices").await.json()
}

async fn kinds(person: &Person) -> Vec<String> {
    let list = list(person).await;
    let items = list["items"].as_array().expect("a list");
    let kinds = items.iter().map(|item| item["kind"].as_str());
    kinds.map(|kind| kind.expect("a text").to_owned()).collect()
}

/// Waits until the notices are of these kinds, newest first: some are written after their cause.
async fn until_kinds(person: &Person, wanted: &[&str]) {
    eventually(&format!("the notices are {wanted:?}"), async || {
        (kinds(person).await == wanted).then_some(())
    })
    .await;
}

async fn unread(person: &Person) -> Value {
    person.get("/api/v1/me").await.json()["unread"].clone()
}

fn offer(to: &str) -> Value {
    json!({ "game": "oware", "to": to, "time_control": { "kind": "unlimited" } })
}

async fn command(person: &mut Person, id: &str, kind: &str) {
    let view = person.get(&format!("/api/v1/matches/{id}")).await.json();
    let body = json!({ "client_id": kind, "seq": view["seq"], "command": { "kind": kind } });
    let path = format!("/api/v1/matches/{id}/commands");
    let done = person.post(&path, &body).await;
    assert!(done.status.is_success(), "{done:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_by_name_and_its_answer_are_noticed() {
    let server = TestServer::start().await;
    let (mut ala, mut baraka) = (server.account("Ala").await, server.account("Baraka").await);
    let challenge = ala.post("/api/v1/challenges", &offer("baraka")).await;
    let id = challenge.text("/id");
    let listed = list(&baraka).await;
    let notice = &listed["items"][0];
    assert_eq!(notice["kind"], "challenge");
    assert_eq!(notice["by"], json!({ "name": "Ala", "kind": "account" }));
    assert_eq!(notice["challenge"], id);
    assert_eq!(notice["game"], "oware");
    assert_eq!(notice["read"], false);
    assert_eq!(notice["until"], challenge.text("/expires_at"));
    assert_eq!(
        (&listed["unread"], &listed["next"]),
        (&json!(1), &Value::Null)
    );
    assert_eq!(
        (unread(&baraka).await, unread(&ala).await),
        (json!(1), json!(0))
    );

    // The answer is a notice to the challenger, at once where she is there.
    let mut at_home = Socket::open(&ala).await;
    let path = format!("/api/v1/challenges/{id}/decline");
    let no = baraka.post(&path, &json!({ "reason": "later" })).await;
    assert_eq!(no.status, 204);
    let (declined, count) = at_home.notice(NoticeKind::ChallengeDeclined).await;
    assert_eq!(count, 1);
    let reason = DeclineReason::Later.as_str();
    assert_eq!(declined.about.reason.as_deref(), Some(reason));
    assert_eq!(kinds(&baraka).await, [""; 0]);

    // She reads it in one place, and learns it in the other.
    let read = json!({ "up_to": declined.at.to_string() });
    assert_eq!(ala.post("/api/v1/me/notices/read", &read).await.status, 204);
    assert_eq!(at_home.unread().await, 0);
    assert_eq!(list(&ala).await["items"][0]["read"], true);

    // The other way round: who accepts has no notice, who had challenged has one about the match.
    let mut elsewhere = Socket::open(&baraka).await;
    // He moves first, so that the notice of his turn replaces it, but not before it is sent.
    let mut first = offer("ala");
    first["side"] = json!("first");
    let challenge = baraka.post("/api/v1/challenges", &first).await;
    let path = format!("/api/v1/challenges/{}/accept", challenge.text("/id"));
    let made = ala.post(&path, &json!({})).await.text("/id");
    let (accepted, _) = elsewhere.notice(NoticeKind::ChallengeAccepted).await;
    let about = |notice: Notice| notice.about.match_id.map(|id| id.to_string());
    assert_eq!(about(accepted).as_ref(), Some(&made));
    let (turn, count) = elsewhere.notice(NoticeKind::Turn).await;
    assert_eq!((about(turn), count), (Some(made), 1));
    assert!(!kinds(&ala).await.contains(&"challenge".to_owned()));

    // One that is taken back leaves none.
    let challenge = baraka.post("/api/v1/challenges", &offer("ala")).await;
    assert!(kinds(&ala).await.contains(&"challenge".to_owned()));
    let path = format!("/api/v1/challenges/{}", challenge.text("/id"));
    assert_eq!(baraka.delete(&path).await.status, 204);
    assert!(!kinds(&ala).await.contains(&"challenge".to_owned()));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_and_the_end_of_a_daily_match_are_one_notice() {
    let server = TestServer::start().await;
    let (mut ala, mut baraka) = (server.account("Ala").await, server.account("Baraka").await);
    let id = daily(&mut ala, &mut baraka).await;
    until_kinds(&ala, &["turn"]).await;
    let listed = list(&ala).await;
    assert_eq!(listed["items"][0]["match"], id);
    assert_eq!(listed["items"][0]["by"]["name"], "Baraka");
    assert_ne!(listed["items"][0]["until"], Value::Null);
    // Her move ends it, and makes one for him; his makes one for her.
    play(&mut ala, &id, "a").await;
    until_kinds(&ala, &[]).await;
    until_kinds(&baraka, &["turn"]).await;
    play(&mut baraka, &id, "b").await;
    until_kinds(&ala, &["turn"]).await;
    // The end replaces it. He is not there either.
    let mut at_home = Socket::open(&ala).await;
    command(&mut baraka, &id, "resign").await;
    let (ended, _) = at_home.notice(NoticeKind::Ended).await;
    assert_eq!(ended.about.outcome, Some(NoticeOutcome::Won));
    assert_eq!(ended.about.reason.as_deref(), Some("resign"));
    assert_eq!(ended.about.rating_change, None, "it was not rated");
    until_kinds(&ala, &["ended"]).await;
    until_kinds(&baraka, &["ended"]).await;
    assert_eq!(list(&baraka).await["items"][0]["outcome"], "lost");
    // Who opens the match has seen it.
    at_home.joined(&id).await;
    assert_eq!(at_home.unread().await, 0);
    assert_eq!(list(&ala).await["items"][0]["read"], true);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_follows_the_match_needs_no_notice() {
    let server = TestServer::start().await;
    let (mut ala, mut baraka) = (server.account("Ala").await, server.account("Baraka").await);
    let id = daily(&mut ala, &mut baraka).await;
    let mut at_board = Socket::open(&baraka).await;
    at_board.joined(&id).await;
    play(&mut ala, &id, "a").await;
    at_board.event().await;
    // Another match, which he does not follow, is noticed after it.
    let other = daily(&mut baraka, &mut ala).await;
    let (turn, unread) = at_board.notice(NoticeKind::Turn).await;
    assert_eq!(turn.about.match_id.map(|id| id.to_string()), Some(other));
    assert_eq!(unread, 1);
    // The end of the one before his eyes is listed as read.
    play(&mut baraka, &id, "b").await;
    command(&mut ala, &id, "resign").await;
    eventually("the end is there, and read", async || {
        let list = list(&baraka).await;
        let items = list["items"].as_array().expect("a list").clone();
        let ended = items.iter().find(|item| item["kind"] == "ended")?;
        (ended["read"] == true && list["unread"] == 1).then_some(())
    })
    .await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_daily_match_that_is_called_off_is_noticed_by_who_is_away() {
    let server = TestServer::start().await;
    let (mut ala, mut baraka) = (server.account("Ala").await, server.account("Baraka").await);
    let id = daily(&mut ala, &mut baraka).await;
    let mut at_board = Socket::open(&baraka).await;
    at_board.joined(&id).await;
    until_kinds(&ala, &["turn"]).await;
    command(&mut baraka, &id, "abort").await;
    until_kinds(&ala, &["ended"]).await;
    assert_eq!(list(&ala).await["items"][0]["outcome"], "called-off");
    assert_eq!(kinds(&baraka).await, [""; 0]);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_that_nobody_answers_lapses_for_both() {
    let server = TestServer::start().await;
    let (mut ala, baraka) = (server.account("Ala").await, server.account("Baraka").await);
    let id = ala
        .post("/api/v1/challenges", &offer("baraka"))
        .await
        .text("/id");
    let id = id.parse().expect("an id");
    let row = server
        .app()
        .store
        .find_challenge(&id)
        .await
        .expect("it answers");
    let over_ms = row.expect("the challenge").offer.expires_ms;
    let mut at_home = Socket::open(&ala).await;
    let noted = server.app().store.note_lapsed(over_ms, 9).await;
    assert_eq!(noted.expect("it answers"), std::slice::from_ref(&id));
    assert_eq!(kinds(&ala).await, ["challenge-lapsed"]);
    assert_eq!(kinds(&baraka).await, ["challenge-missed"]);
    server.app().rooms.services.notices.announce(id.as_str());
    let (_, unread) = at_home.notice(NoticeKind::ChallengeLapsed).await;
    assert_eq!(unread, 1);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_to_be_read_is_named_by_id_or_by_time() {
    let server = TestServer::start().await;
    let (mut ala, mut baraka) = (server.account("Ala").await, server.account("Baraka").await);
    for _ in 0..3 {
        ala.post("/api/v1/challenges", &offer("baraka")).await;
    }
    let first = baraka.get("/api/v1/me/notices?limit=2").await.json();
    let next = first["next"].as_str().expect("there is more").to_owned();
    let rest = baraka
        .get(&format!("/api/v1/me/notices?cursor={next}"))
        .await
        .json();
    assert_eq!(rest["items"].as_array().map(Vec::len), Some(1));
    assert_eq!((&rest["next"], &rest["unread"]), (&Value::Null, &json!(3)));
    let path = "/api/v1/me/notices/read";
    let one = json!({ "id": rest["items"][0]["id"] });
    assert_eq!(baraka.post(path, &one).await.status, 204);
    assert_eq!(unread(&baraka).await, 2);
    for wrong in [
        json!({}),
        json!({ "id": rest["items"][0]["id"], "up_to": "2026-11-20T18:00:00Z" }),
    ] {
        baraka.post(path, &wrong).await.problem(422, "bad-filter");
    }
    for wrong in ["cursor=x", "cursor=1.%00", "limit=0", "limit=101"] {
        let path = format!("/api/v1/me/notices?{wrong}");
        baraka.get(&path).await.problem(422, "bad-filter");
    }
    let unread_only = baraka.get("/api/v1/me/notices?unread=true").await.json();
    assert_eq!(unread_only["items"].as_array().map(Vec::len), Some(2));
    let words = baraka
        .get("/api/v1/me/notices?of_moderators=true")
        .await
        .json();
    assert_eq!(words["items"], json!([]));
    server.stop().await;
}
