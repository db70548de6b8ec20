//! Ratings after matches, and the leaderboards.

use mawe_play::rating;
use mawe_play::room::entry::StoredEntry;
use mawe_play::room::io::Finish;
use mawe_rules::{BySide, GameKind, Side};
use mawe_server::clock::unix_ms;
use mawe_store::{Append, Appended, NewMatch};
use mawe_wire::ids::MatchId;
use mawe_wire::{Command, MatchOptions, TimeControl};
use serde_json::{Value, json};

use crate::common::play::Pair;
use crate::common::{Person, TestServer, eventually};

#[tokio::test]
async fn a_rated_match_changes_both_ratings_exactly_once() {
    let server = TestServer::start().await;
    let people = [server.account("Asha").await, server.account("Bahati").await];
    let mut pair = Pair::of(people, true).await;
    pair.plies(4).await;
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
    // The history and the match show the change of the rating.
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
    // Neither a repeated command nor a restart counts the match again.
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
    // A rated match follows: once it is counted, the other would have been counted too.
    let mut pair = Pair::of(people, true).await;
    pair.plies(4).await;
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

/// Makes `winner` beat `loser` in a rated match some days after the previous one, and counts it.
async fn beats(server: &TestServer, winner: &Person, loser: &Person, day: i64) {
    let store = &server.app().store;
    let id = async |person: &Person| {
        let player = store.find_player_by_name(&person.name().await).await;
        player.expect("it answers").expect("registered").id
    };
    let time_control = TimeControl::Realtime {
        base_ms: 600_000,
        increment_ms: 0,
    };
    let new = NewMatch {
        id: MatchId::random(),
        game: GameKind::Mawe,
        setup: String::new(),
        rated: true,
        time_control,
        speed: time_control.speed(),
        extra_ms: BySide::default(),
        options: MatchOptions::usual(true),
        private: false,
        players: BySide::new(id(winner).await, id(loser).await),
        ratings: BySide::default(),
        rematch_of: None,
        due_ms: None,
        created_ms: 0,
    };
    store.create_match(&new).await.expect("a match");
    let entry = StoredEntry {
        seq: 1,
        epoch: 0,
        kind: "resign".into(),
        payload: r#"{"side":"second","kind":"resign","left_ms":[1,1,1,1]}"#.into(),
        client_id: None,
        at_ms: 0,
    };
    let finish = Finish {
        winner: Some(Side::First),
        reason: "resign".into(),
        score: None,
        at_ms: unix_ms() - (100 - day) * 24 * 60 * 60 * 1_000,
        plies: 0,
        uncounted: true,
        left_by: None,
    };
    let append = Append {
        match_id: new.id.clone(),
        head: 0,
        epoch: 0,
        entries: vec![entry],
        finish: Some(finish),
        due_ms: None,
    };
    let done = store.append(&[append]).await.expect("it is written");
    assert_eq!(done, [Appended::Done]);
    store
        .count_match(&new.id, rating::rate)
        .await
        .expect("it is counted");
}

#[tokio::test]
async fn who_has_played_enough_is_ranked() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let mut people = Vec::new();
    for n in 0..9 {
        people.push(server.account(&format!("Mchezaji{n}")).await);
    }
    let board = async |query: &str| {
        let path = format!("/api/v1/leaderboards/mawe?speed=rapid{query}");
        stranger.get(&path).await.json()
    };
    // Each plays each, and mostly the earlier beats the later; the first plays only seven of the eight others at first.
    let mut day = 0;
    let mut round = async |skip: bool, upset: bool| {
        day += 3;
        for one in 0..9 {
            for other in one + 1..9 {
                if skip && (one, other) == (0, 1) {
                    continue;
                }
                let (winner, loser) = if upset { (other, one) } else { (one, other) };
                beats(&server, &people[winner], &people[loser], day).await;
            }
        }
    };
    for upset in [false, true, false] {
        round(true, upset).await;
    }
    let of_seven = board("").await;
    let names = |board: &Value| -> Vec<String> {
        let items = board["items"].as_array().expect("a list");
        let name = |line: &Value| line["player"]["name"].as_str().expect("a name").to_owned();
        items.iter().map(name).collect()
    };
    assert!(
        !names(&of_seven).contains(&"Mchezaji0".to_owned()),
        "{of_seven}"
    );
    round(false, false).await;
    let whole = board("").await;
    assert_eq!(names(&whole)[0], "Mchezaji0");
    assert_eq!(whole["items"][0]["rank"], 1);
    assert_eq!(whole["items"][0]["rating"]["provisional"], false);
    assert_eq!(whole["items"][1]["rank"], 2);
    let profile = stranger.get("/api/v1/players/Mchezaji0").await.json();
    assert_eq!(profile["ratings"][0]["opponents"], 8);
    // The pages agree; other speeds have separate leaderboards.
    let first = board("&limit=1").await;
    assert_eq!(first["items"][0], whole["items"][0]);
    let next = first["next"].as_str().expect("there is a second page");
    let second = board(&format!("&limit=1&cursor={next}")).await;
    assert_eq!(second["items"][0], whole["items"][1]);
    let blitz = stranger.get("/api/v1/leaderboards/mawe").await.json();
    assert_eq!(blitz["items"], json!([]));
    server.stop().await;
}

/// One account loses to another as fast as possible.
#[tokio::test]
async fn matches_between_two_accounts_make_nobody_s_rating() {
    let server = TestServer::start().await;
    let mut people = [server.account("Asha").await, server.account("Bahati").await];
    let stranger = server.stranger();
    let offer = json!({
        "game": "oware", "rated": true,
        "time_control": { "kind": "realtime", "base_ms": 180_000, "increment_ms": 2_000 },
    });
    // A match without a move is never counted.
    for _ in 0..20 {
        let [one, other] = &mut people;
        let made = one.post("/api/v1/challenges", &offer).await;
        let path = format!("/api/v1/challenges/{}/accept", made.text("/id"));
        let id = other.post(&path, &json!({})).await.text("/id");
        let resign = json!({ "client_id": "r", "seq": 0, "command": { "kind": "resign" } });
        let path = format!("/api/v1/matches/{id}/commands");
        let over = other.post(&path, &resign).await.json();
        assert_eq!(over["state"]["result"]["reason"], "left-early");
    }
    // Matches with two moves each count less and less, and in the end nothing.
    let mut changes = Vec::new();
    for n in 1..=7 {
        let mut pair = Pair::of(people, true).await;
        pair.plies(4).await;
        pair.act(1, Command::Resign).await;
        let view = eventually("the match is counted", async || {
            let path = format!("/api/v1/matches/{}", pair.id);
            let view = stranger.get(&path).await.json();
            view.get("rating_weight").is_some().then_some(view)
        })
        .await;
        changes.push(
            view["seats"]["first"]["rating_change"]
                .as_i64()
                .expect("a change"),
        );
        let weight = view["rating_weight"].as_f64().expect("a weight");
        assert!((weight - rating::weight(n - 1)).abs() < 1e-9, "{view}");
        people = pair.people;
    }
    assert_eq!(changes[5..], [0, 0]);
    let profile = stranger.get("/api/v1/players/Asha").await.json();
    let ratings = profile["ratings"].as_array().expect("a list");
    assert_eq!(
        ratings.len(),
        1,
        "of the matches without a move nothing is left"
    );
    assert_eq!(
        (&ratings[0]["game"], &ratings[0]["opponents"]),
        (&json!("mawe"), &json!(1))
    );
    for speed in ["rapid", "blitz"] {
        for game in ["mawe", "oware"] {
            let path = format!("/api/v1/leaderboards/{game}?speed={speed}");
            assert_eq!(stranger.get(&path).await.json()["items"], json!([]));
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn the_lot_gives_the_sides_of_a_rated_match() {
    let server = TestServer::start().await;
    let (mut one, mut other) = (server.account("Asha").await, server.account("Bahati").await);
    let mut first = 0;
    let tries = 20;
    for _ in 0..tries {
        let offer = json!({
            "game": "kalah", "rated": true, "side": "first",
            "time_control": { "kind": "realtime", "base_ms": 600_000, "increment_ms": 0 },
        });
        let made = one.post("/api/v1/challenges", &offer).await;
        assert_eq!(made.json()["side"], "random", "{made:?}");
        let path = format!("/api/v1/challenges/{}/accept", made.text("/id"));
        let id = other.post(&path, &json!({})).await.text("/id");
        first += u32::from(one.keeps(&id, "first").await);
    }
    // By chance alone once in half a million.
    assert!((1..tries).contains(&first), "{first} of {tries}");
    server.stop().await;
}
