//! Keys of requests on several nodes: a client that got no answer from one node sends its request to another.

use reqwest::Method;
use serde_json::{Value, json};

use super::place::Place;
use crate::common::Answer;

#[tokio::test(flavor = "multi_thread")]
async fn one_request_to_every_node_at_once_makes_one_thing() {
    let place = Place::of(3).await;
    let person = place.guest(0).await;
    let days = json!({ "kind": "correspondence", "days": 3 });
    for (path, body) in [
        (
            "/api/v1/challenges",
            json!({ "game": "mawe", "time_control": days }),
        ),
        (
            "/api/v1/matches",
            json!({ "game": "mawe", "level": 1, "time_control": days }),
        ),
    ] {
        let mut requests = tokio::task::JoinSet::new();
        for address in [&place.addresses, &place.addresses].into_iter().flatten() {
            let there = person.moved_to(*address);
            let request = there
                .request(Method::POST, path)
                .header("idempotency-key", path)
                .json(&body);
            requests.spawn(Answer::of(request));
        }
        let mut ids = Vec::new();
        for answer in requests.join_all().await {
            assert_eq!(answer.status, 201, "{answer:?}");
            ids.push(answer.text("/id"));
        }
        ids.dedup();
        assert_eq!(ids.len(), 1, "{ids:?}");
    }
    let mine = person.get("/api/v1/me/challenges").await.json();
    assert_eq!(mine["outgoing"].as_array().map(Vec::len), Some(1));
    let mine = person.get("/api/v1/me/matches").await.json();
    assert_eq!(mine["items"].as_array().map(Vec::len), Some(1));
    let other: Value = json!({ "game": "oware", "time_control": days });
    let request = person.moved_to(place.addresses[1]);
    let request = request.request(Method::POST, "/api/v1/challenges");
    let refused = request
        .header("idempotency-key", "/api/v1/challenges")
        .json(&other);
    Answer::of(refused)
        .await
        .bad_field("bad-field", "Idempotency-Key");
}
