//! Conditional moves on several nodes: the node that takes them, the owner of the match, and that of the opponent are three.

use reqwest::Method;
use serde_json::json;

use super::lobby::account;
use super::place::Place;
use crate::common::{Answer, eventually};
use crate::push::{daily, play};

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_played_wherever_it_was_stored() {
    let place = Place::of(3).await;
    let mut ala = account(&place, 0, "Ala").await;
    let mut baraka = account(&place, 1, "Baraka").await;
    let id = daily(&mut ala, &mut baraka).await;
    let path = format!("/api/v1/matches/{id}");
    let owner = place.first_owner(&id).await;
    let store = async |node: usize| {
        let there = baraka.moved_to(place.addresses[node]);
        let view = there.get(&path).await.json();
        let first = &view["legal"][0];
        let after = there.request(Method::PUT, &format!("{path}/conditional-moves"));
        // The answer is the first legal one after Ala's move; the problem names the ply if it is none.
        let line = json!([[first, answer_to(&view)]]);
        let body = json!({ "seq": view["seq"], "lines": line });
        let kept = Answer::of(after.json(&body)).await;
        assert_eq!(kept.status, 200, "{kept:?}");
    };
    store((owner + 1) % 3).await;
    play(
        &mut ala.moved_to(place.addresses[(owner + 2) % 3]),
        &id,
        "ply-0",
    )
    .await;
    for node in 0..3 {
        let reader = ala.moved_to(place.addresses[node]);
        eventually("the answer", async || {
            let view = reader.get(&path).await.json();
            (view["ply"] == 2).then_some(())
        })
        .await;
    }
}

/// Returns the first legal answer to the first legal move of a match of Mawe!.
fn answer_to(view: &serde_json::Value) -> String {
    let start = view["start"].as_str().expect("a position");
    let mut record = mawe_rules::Record::from_position(
        mawe_rules::AnyPosition::parse(mawe_rules::GameKind::Mawe, start).expect("a position"),
    );
    let first = view["legal"][0].as_str().expect("a move");
    record.play(first).expect("it is legal");
    record.legal_moves().remove(0)
}
