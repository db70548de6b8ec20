//! Challenges by link.

use serde_json::json;

use super::{credentials, offer, with};
use crate::common::{PASSWORD, TestServer};

#[tokio::test]
async fn a_challenge_is_accepted_once_by_somebody_else() {
    let server = TestServer::start().await;
    let (mut challenger, mut friend) = (server.guest().await, server.guest().await);
    let created = challenger.post("/api/v1/challenges", &offer()).await;
    assert_eq!(created.status, 201);
    assert_eq!(created.text("/status"), "open");
    assert_eq!(created.text("/challenger/name"), challenger.name().await);
    let path = format!("/api/v1/challenges/{}", created.text("/id"));
    assert_eq!(friend.get(&path).await.json(), created.json());
    let accept = format!("{path}/accept");
    challenger
        .post(&accept, &json!({}))
        .await
        .problem(409, "own-challenge");
    let accepted = friend.post(&accept, &json!({})).await;
    assert_eq!(accepted.status, 200);
    let seen = friend.get(&path).await;
    assert_eq!(seen.text("/status"), "accepted");
    assert_eq!(seen.text("/match"), accepted.text("/id"));
    let view = friend
        .get(&format!("/api/v1/matches/{}", accepted.text("/id")))
        .await;
    assert_eq!(
        view.text("/seats/first/player/name"),
        challenger.name().await
    );
    assert_eq!(view.text("/seats/second/player/name"), friend.name().await);
    let mut third = server.guest().await;
    for person in [&mut friend, &mut third] {
        person
            .post(&accept, &json!({}))
            .await
            .problem(409, "challenge-closed");
    }
    challenger
        .delete(&path)
        .await
        .problem(409, "challenge-closed");
    server.stop().await;
}

#[tokio::test]
async fn a_crowd_that_accepts_at_once_makes_one_match() {
    let server = TestServer::start().await;
    let mut challenger = server.guest().await;
    let challenge = challenger.post("/api/v1/challenges", &offer()).await;
    let path = format!("/api/v1/challenges/{}/accept", challenge.text("/id"));
    let mut crowd = Vec::new();
    for _ in 0..8 {
        crowd.push(server.guest().await);
    }
    let accepts = crowd.iter_mut().map(async |person| {
        let answer = person.post(&path, &json!({})).await;
        answer.status.as_u16()
    });
    let mut statuses = futures_util::future::join_all(accepts).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
    let running = challenger.get("/api/v1/me/matches").await.json();
    assert_eq!(running["items"].as_array().map(Vec::len), Some(1));
    server.stop().await;
}

#[tokio::test]
async fn a_challenge_can_be_taken_back_by_its_challenger_only() {
    let server = TestServer::start().await;
    let (mut challenger, mut other) = (server.guest().await, server.guest().await);
    let created = challenger.post("/api/v1/challenges", &offer()).await;
    let path = format!("/api/v1/challenges/{}", created.text("/id"));
    other.delete(&path).await.problem(404, "not-found");
    assert_eq!(other.get(&path).await.text("/status"), "open");
    assert_eq!(challenger.delete(&path).await.status, 204);
    assert_eq!(other.get(&path).await.text("/status"), "cancelled");
    other
        .post(&format!("{path}/accept"), &json!({}))
        .await
        .problem(409, "challenge-closed");
    server.stop().await;
}

#[tokio::test]
async fn rated_matches_are_for_accounts() {
    let server = TestServer::start().await;
    let mut guest = server.guest().await;
    let mut account = server.account("Pendo").await;
    let rated = with(offer(), "rated", json!(true));
    guest
        .post("/api/v1/challenges", &rated)
        .await
        .problem(403, "account-needed");
    let challenge = account.post("/api/v1/challenges", &rated).await;
    assert_eq!(challenge.status, 201);
    assert_eq!(challenge.json()["rated"], true);
    let accept = format!("/api/v1/challenges/{}/accept", challenge.text("/id"));
    guest
        .post(&accept, &json!({}))
        .await
        .problem(403, "account-needed");
    // The guest registers, as requested.
    guest
        .post("/api/v1/accounts", &credentials("Mosi", PASSWORD))
        .await;
    assert_eq!(guest.post(&accept, &json!({})).await.status, 200);
    server.stop().await;
}
