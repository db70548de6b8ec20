//! The example bots on two nodes, which are restarted one after the other during their matches.

use tokio::time::timeout;

use super::lobby::account;
use super::place::Place;
use crate::bots::{LONG, bot_of, example_py, example_rs, python, ran};
use crate::common::{Person, eventually};

/// The number of further entries that show that a match continues, with moves of both.
const ENOUGH: usize = 6;

/// Returns a running match, and the length of its journal.
async fn running(place: &Place) -> Option<(String, usize)> {
    let list = Person::at(place.addresses[0])
        .get("/api/v1/matches")
        .await
        .json();
    let id = list["items"][0]["id"].as_str()?.to_owned();
    let length = place.journal(&id).await.len();
    Some((id, length))
}

#[tokio::test]
async fn the_example_bots_play_on_through_a_rolling_restart() {
    let python = python().await;
    let mut place = Place::that_keeps_addresses(2).await;
    let (_, in_python) = bot_of(account(&place, 0, "Chatu").await).await;
    let (_, in_rust) = bot_of(account(&place, 1, "Kaa").await).await;
    let mut waits = example_py(&python, &in_python, &["--matches", "2"]);
    let challenges = example_rs(&in_rust, "Chatu", "mawe", 2);
    let restarts = async {
        // The other node then takes over the match from the stopped one: each bot receives one `moved` error, and loses its own connection
        // once.
        for _ in 0..2 {
            let (id, _) = eventually("a match", async || {
                running(&place)
                    .await
                    .filter(|(_, length)| *length >= ENOUGH)
            })
            .await;
            let owner = place.first_owner(&id).await;
            assert_eq!(place.take(owner).stop("TERM").await, Some(0));
            place.again(owner).await;
            let length = place.journal(&id).await.len();
            eventually("the match goes on", async || {
                let goes_on = place.journal(&id).await.len() >= length + ENOUGH;
                (goes_on || place.is_over(&id).await).then_some(())
            })
            .await;
        }
    };
    let (played, (), ()) = tokio::join!(
        timeout(LONG, challenges.run()),
        ran("the bot in Python", &mut waits),
        restarts,
    );
    played
        .expect("the bot in Rust ends")
        .expect("it plays to the end");
    let history = Person::at(place.addresses[0])
        .get("/api/v1/players/Kaa/matches")
        .await
        .json();
    let items = history["items"].as_array().expect("items");
    assert_eq!(items.len(), 2);
    for item in items {
        let reason = item["result"]["reason"].as_str().expect("it is over");
        assert!(
            !["time", "aborted", "abandoned", "no-show"].contains(&reason),
            "{item}"
        );
    }
}
