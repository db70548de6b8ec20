//! The look of a player: chosen with an account, seen wherever the player is shown.

use axum::http::StatusCode;
use mawe_wire::{Avatar, Flag, Look};
use serde_json::{Value, json};

use crate::common::socket::Socket;
use crate::common::{Answer, Person, TestServer};
use crate::push::daily;

const PATH: &str = "/api/v1/me/preferences";

async fn choose(person: &mut Person, look: Value) -> Answer {
    person.patch(PATH, &look).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_look_is_chosen_by_accounts_and_seen_by_all() {
    let server = TestServer::start().await;
    let (mut ala, mut baraka) = (server.account("Ala").await, server.account("Baraka").await);
    let id = daily(&mut ala, &mut baraka).await;
    let mut watcher = Socket::open(&server.stranger()).await;
    let before = watcher.joined(&id).await;
    assert_eq!(before.view.seats.first.player.look, Look::default());
    let plain = ala.get("/api/v1/me").await.json();
    assert_eq!(plain["player"], json!({ "name": "Ala", "kind": "account" }));

    let chosen = choose(&mut ala, json!({ "avatar": "crab", "flag": "TZ" })).await;
    let kept = json!({ "guests_may_challenge": true, "challenges_from": "everybody", "challenge_min_rating": null, "challenge_max_rating": null, "chat": false, "avatar": "crab", "flag": "TZ" });
    assert_eq!(chosen.json(), kept);
    assert_eq!(ala.get(PATH).await.json(), kept);
    // Who follows a running match sees it at once.
    let after = watcher.snapshot().await;
    let look = Look {
        display_name: None,
        avatar: Some(Avatar::Crab),
        flag: "TZ".parse().ok(),
    };
    assert_eq!(after.view.seats.first.player.look, look);
    let shown = json!({ "name": "Ala", "kind": "account", "avatar": "crab", "flag": "TZ" });
    for (path, pointer) in [
        ("/api/v1/me", "/player"),
        ("/api/v1/players/Ala", "/player"),
        ("/api/v1/players?search=al", "/items/0"),
        ("/api/v1/me/matches", "/items/0/seats/first/player"),
    ] {
        let answer = ala.get(path).await.json();
        assert_eq!(answer.pointer(pointer), Some(&shown), "{path}: {answer}");
    }
    let view = server
        .stranger()
        .get(&format!("/api/v1/matches/{id}"))
        .await;
    assert_eq!(view.json()["seats"]["first"]["player"], shown);

    // What is left out stays, null takes it back.
    choose(&mut ala, json!({ "flag": null })).await;
    assert_eq!(
        ala.get("/api/v1/me").await.json()["player"]["avatar"],
        "crab"
    );
    choose(
        &mut ala,
        json!({ "avatar": null, "guests_may_challenge": false }),
    )
    .await;
    assert_eq!(
        ala.get("/api/v1/me").await.json()["player"],
        plain["player"]
    );
    assert_eq!(ala.get(PATH).await.json()["guests_may_challenge"], false);

    for wrong in [
        json!({ "avatar": "dragon" }),
        json!({ "avatar": 3 }),
        json!({ "flag": "tz" }),
        json!({ "flag": "EU" }),
        json!({ "flag": "../../TZ" }),
    ] {
        assert_eq!(choose(&mut baraka, wrong).await.status, 422);
    }
    let mut guest = server.guest().await;
    choose(&mut guest, json!({ "avatar": "crab" }))
        .await
        .problem(403, "account-needed");
    choose(&mut guest, json!({ "flag": null }))
        .await
        .problem(403, "account-needed");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_avatar_and_flag_has_a_small_file() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let avatars = Avatar::ALL.map(|one| (format!("avatars/{}", one.as_str()), 1_000));
    let flags = Flag::all().map(|flag| (format!("flags/{}", flag.as_str()), 6_000));
    for (name, most) in avatars.into_iter().chain(flags) {
        let file = stranger.get(&format!("/looks/{name}.svg")).await;
        assert_eq!(file.status, StatusCode::OK, "{name}");
        assert_eq!(file.headers["content-type"], "image/svg+xml", "{name}");
        let cached = "public, max-age=604800";
        assert_eq!(file.headers["cache-control"], cached, "{name}");
        assert!(
            file.body.len() < most,
            "{name} has {} bytes",
            file.body.len()
        );
        let text = String::from_utf8_lossy(&file.body);
        for active in ["<script", "<style", "href", "url(", "<image", " on"] {
            assert!(!text.contains(active), "{name} has {active}");
        }
    }
    let missing = stranger.get("/looks/flags/EU.svg").await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
    server.stop().await;
}
