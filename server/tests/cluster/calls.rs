//! Push messages to absent players come from exactly one node, whichever nodes are alive and receive the requests.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::json;

use super::lobby::account;
use super::place::Place;
use crate::common::push_service::PushService;
use crate::push::{daily, play, subscribe};

/// The time for which the test waits to see that nothing more arrives.
const QUIET: Duration = Duration::from_millis(1_500);

#[tokio::test(flavor = "multi_thread")]
async fn exactly_one_node_calls_who_is_not_there() {
    let service = PushService::start().await;
    let mut place = Place::of(0).await;
    place.more = vec!["--push-trust".to_owned(), service.address.to_string()];
    for _ in 0..3 {
        place.add().await;
    }
    let mut ala = account(&place, 0, "Ala").await;
    let mut baraka = account(&place, 1, "Baraka").await;
    let (of_ala, of_baraka) = (service.browser("ala"), service.browser("baraka"));
    // Each player subscribes at one node and plays through another; the match is owned by a third.
    subscribe(&mut ala.moved_to(place.addresses[1]), &of_ala).await;
    subscribe(&mut baraka.moved_to(place.addresses[2]), &of_baraka).await;
    let id = daily(&mut ala, &mut baraka).await;
    // Ala has the first move; then each move causes a push message to the other player.
    service.wait_for(1).await;
    for ply in 0..6 {
        let mover = if ply % 2 == 0 { &ala } else { &baraka };
        let mut there = mover.moved_to(place.addresses[(ply + 2) % 3]);
        play(&mut there, &id, &format!("ply-{ply}")).await;
        let calls = service.wait_for(ply + 2).await;
        let last = calls.last().expect("one came");
        let called = if ply % 2 == 0 { &of_baraka } else { &of_ala };
        assert_eq!(called.read(last)["id"], id);
    }
    // A challenge by name, and a match that another node takes over: the push message of its turn was sent before.
    let offer = json!({
        "game": "oware", "to": "Ala", "time_control": { "kind": "correspondence", "days": 3 },
    });
    let mut challenger = baraka.moved_to(place.addresses[2]);
    let made = challenger.post("/api/v1/challenges", &offer).await;
    assert_eq!(made.status, StatusCode::CREATED, "{made:?}");
    service.wait_for(8).await;
    let owner = place.first_owner(&id).await;
    place.take(owner).kill().await;
    let heir = (owner + 1) % 3;
    let view = ala.moved_to(place.addresses[heir]);
    let path = format!("/api/v1/matches/{id}");
    crate::common::eventually("another has taken it", async || {
        view.get(&path).await.status.is_success().then_some(())
    })
    .await;
    play(&mut ala.moved_to(place.addresses[heir]), &id, "ply-6").await;
    service.wait_for(9).await;
    tokio::time::sleep(QUIET).await;
    assert_eq!(service.received().len(), 9, "nobody is called twice");
}
