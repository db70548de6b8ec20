//! What matches do to ratings, and the lists that follow.

use mawe_server::protocol::Command;
use serde_json::{Value, json};

use crate::common::play::Pair;
use crate::common::{Person, TestServer, eventually};

#[tokio::test]
async fn a_rated_match_changes_both_ratings_exactly_once() {
    let server = TestServer::start().await;
    let people = [server.account("Asha").await, server.account("Bahati").await];
    let mut pair = Pair::of(people, true).await;
    pair.plies(2).await;
    pair.act(1, Command::Resign).await;
    let stranger = server.stranger();
    let rating = async |person: &Person, name: &str| -> Option<Value> {
        let profile = person.get(&format!("/api/v1/players/{name}")).await.json();
        profile["ratings"].get(0).cloned()
    };
    let winner = eventually("the rating", || rating(&stranger, "Asha")).await;
    let loser = rating(&stranger, "Bahati").await.expect("both at once");
    assert_eq!(winner["speed"], "rapid");
    let points = |rating: &Value| rating["rating"].as_f64().expect("a number");
    assert!(points(&winner) > 1500.0 && points(&loser) < 1500.0);
    for (rating, won, lost) in [(&winner, 1, 0), (&loser, 0, 1)] {
        assert_eq!(rating["games"], 1);
        assert_eq!(rating["won"], won);
        assert_eq!(rating["lost"], lost);
        assert_eq!(rating["provisional"], true);
    }
    // The history says what it changed, and the match too.
    let whole = |rating: &Value| (points(rating).round() - 1500.0) as i64;
    let history = stranger.get("/api/v1/players/Asha/matches").await.json();
    let seats = &history["items"][0]["seats"];
    assert_eq!(seats["first"]["rating_change"], whole(&winner));
    assert_eq!(seats["second"]["rating_change"], whole(&loser));
    let view = stranger
        .get(&format!("/api/v1/matches/{}", pair.id))
        .await
        .json();
    assert_eq!(view["seats"]["first"]["rating_change"], whole(&winner));
    // A provisional rating is not ranked.
    let board = stranger
        .get("/api/v1/leaderboards/mawe?speed=rapid")
        .await
        .json();
    assert_eq!(board["items"], json!([]));
    // Neither saying it again nor a restart counts it again.
    let id = pair.id.clone();
    let seq = pair.seats[1].mirror.seq;
    pair.seats[1]
        .socket
        .command(&id, "c-2", seq, Command::Resign)
        .await;
    pair.seats[1].socket.event().await;
    let server = server.restart().await;
    let after = stranger.moved_to(server.address);
    assert_eq!(rating(&after, "Asha").await, Some(winner));
    assert_eq!(rating(&after, "Bahati").await, Some(loser));
    server.stop().await;
}

#[tokio::test]
async fn a_match_called_off_changes_no_rating() {
    let server = TestServer::start().await;
    let people = [server.account("Asha").await, server.account("Bahati").await];
    let mut pair = Pair::of(people.clone(), true).await;
    pair.act(0, Command::Abort).await;
    // A match that counts comes after it: once that is counted, the other would have been.
    let mut pair = Pair::of(people, true).await;
    pair.act(0, Command::Resign).await;
    let stranger = server.stranger();
    let profile = eventually("the rating", async || {
        let profile = stranger.get("/api/v1/players/Bahati").await.json();
        profile["ratings"].get(0).is_some().then_some(profile)
    })
    .await;
    assert_eq!(profile["ratings"][0]["games"], 1);
    assert_eq!(profile["played"], 1);
    server.stop().await;
}

#[tokio::test]
async fn who_has_played_enough_is_ranked() {
    let server = TestServer::start().await;
    let mut people = [server.account("Asha").await, server.account("Bahati").await];
    let stranger = server.stranger();
    let mut games = 0;
    let board = loop {
        // Asha wins two of three.
        let mut pair = Pair::of(people, true).await;
        pair.act(usize::from(games % 3 != 2), Command::Resign).await;
        people = pair.people;
        games += 1;
        eventually("the rating", async || {
            let profile = stranger.get("/api/v1/players/Asha").await.json();
            (profile["ratings"][0]["games"] == games).then_some(())
        })
        .await;
        let board = stranger
            .get("/api/v1/leaderboards/mawe?speed=rapid")
            .await
            .json();
        if board["items"].as_array().map(Vec::len) == Some(2) {
            break board;
        }
        assert!(games < 60, "still provisional after {games} games");
    };
    assert!(games > 3, "a rating is not settled by {games} games");
    assert_eq!(board["items"][0]["player"]["name"], "Asha");
    assert_eq!(board["items"][0]["rank"], 1);
    assert_eq!(board["items"][0]["games"], games);
    assert_eq!(board["items"][0]["rating"]["provisional"], false);
    assert_eq!(board["items"][1]["player"]["name"], "Bahati");
    assert_eq!(board["items"][1]["rank"], 2);
    // By page; and other speeds have boards of their own.
    let first = stranger
        .get("/api/v1/leaderboards/mawe?speed=rapid&limit=1")
        .await
        .json();
    assert_eq!(first["items"][0], board["items"][0]);
    let next = first["next"].as_str().expect("there is a second page");
    let second = stranger
        .get(&format!(
            "/api/v1/leaderboards/mawe?speed=rapid&limit=1&cursor={next}"
        ))
        .await
        .json();
    assert_eq!(second["items"][0], board["items"][1]);
    assert_eq!(second["next"], Value::Null);
    let blitz = stranger.get("/api/v1/leaderboards/mawe").await.json();
    assert_eq!(blitz["items"], json!([]));
    server.stop().await;
}
