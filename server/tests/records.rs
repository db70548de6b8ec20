//! Public records of players and games: rating curves, head-to-head, statistics, and the ratings of computer opponents.

use crate::common::play::{Pair, Seat};
use crate::common::{Answer, Person, TestServer, config, eventually};
use mawe_rules::Side;
use mawe_server::server::Server;
use mawe_wire::Command;
use serde_json::{Value, json};

/// Plays a match that `winner` (0 for the side that moves first) wins after four plies, and waits until it is counted.
async fn play(people: [Person; 2], rated: bool, winner: usize) -> [Person; 2] {
    let stranger = Person::at(people[0].address);
    let name = people[0].name().await;
    let path = format!("/api/v1/players/{name}");
    let played = stranger.get(&path).await.json()["played"].clone();
    let mut pair = Pair::of(people, rated).await;
    pair.plies(4).await;
    pair.act(1 - winner, Command::Resign).await;
    eventually("the count", async || {
        let now = stranger.get(&path).await.json()["played"].clone();
        (now != played).then_some(())
    })
    .await;
    pair.people
}

fn items(answer: &Answer) -> Vec<Value> {
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["items"].as_array().expect("items").clone()
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

#[tokio::test]
async fn a_rating_s_curve_is_read_from_either_end() {
    let server = TestServer::start().await;
    let mut people = [server.account("Asha").await, server.account("Bahati").await];
    for winner in [0, 0, 1, 0, 1] {
        people = play(people, true, winner).await;
    }
    // A casual match does not change a rating.
    play(people, false, 0).await;
    let stranger = server.stranger();
    let path = "/api/v1/players/aSHA/ratings/mawe/rapid";
    let whole = items(&stranger.get(path).await);
    assert_eq!(whole.len(), 5);
    let mut rating = 1_500.0;
    for (point, result) in whole.iter().zip(["won", "won", "lost", "won", "lost"]) {
        assert_eq!(point["result"], result);
        assert_eq!(
            point["opponent"],
            json!({ "name": "Bahati", "kind": "account" })
        );
        assert!((number(&point["change"]) - (number(&point["rating"]) - rating)).abs() < 1e-9);
        rating = number(&point["rating"]);
        let id = point["match"].as_str().expect("an id");
        let played = stranger.get(&format!("/api/v1/matches/{id}")).await;
        assert_eq!(played.json()["finished_at"], point["at"]);
    }
    let profile = stranger.get("/api/v1/players/Asha").await.json();
    assert_eq!(profile["ratings"][0]["rating"], whole[4]["rating"]);

    let mut back = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = stranger
            .get(&format!("{path}?order=newest&limit=2{cursor}"))
            .await;
        back.extend(items(&page));
        match page.json()["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    back.reverse();
    assert_eq!(back, whole);

    let none = stranger
        .get("/api/v1/players/Asha/ratings/kalah/daily")
        .await;
    assert_eq!(none.json(), json!({ "items": [], "next": null }));
    for unknown in [
        "/api/v1/players/Nobody/ratings/mawe/rapid",
        "/api/v1/players/Asha/ratings/chess/rapid",
        "/api/v1/players/Asha/ratings/mawe/warp",
    ] {
        stranger.get(unknown).await.problem(404, "not-found");
    }
    for (query, field) in [
        ("order=up", "order"),
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("cursor=1", "cursor"),
        ("cursor=a.b", "cursor"),
        ("cursor=1.-2", "cursor"),
        ("since=1", "since"),
    ] {
        let refused = stranger.get(&format!("{path}?{query}")).await;
        refused.bad_field("bad-filter", field);
    }
    server.stop().await;
}

#[tokio::test]
async fn two_players_stand_against_each_other_from_either_side() {
    let server = TestServer::start().await;
    let mut people = [server.account("Asha").await, server.guest().await];
    let guest = people[1].name().await;
    for winner in [0, 1, 1] {
        people = play(people, false, winner).await;
    }
    people.reverse();
    play(people, false, 1).await;
    let stranger = server.stranger();
    let against = async |one: &str, other: &str| {
        let path = format!("/api/v1/players/{one}/against/{other}");
        stranger.get(&path).await.json()
    };
    let seen = against("Asha", &guest).await;
    assert_eq!(seen["player"]["name"], "Asha");
    assert_eq!(seen["opponent"], json!({ "name": guest, "kind": "guest" }));
    let tally = json!({ "game": "mawe", "won": 2, "drawn": 0, "lost": 2 });
    assert_eq!(seen["games"], json!([tally]));
    assert_eq!(
        (&seen["played"], &seen["won"], &seen["drawn"], &seen["lost"]),
        (&json!(4), &json!(2), &json!(0), &json!(2))
    );
    let other_way = against(&guest, "Asha").await;
    assert_eq!(other_way["won"], 2);
    let strangers = against("Asha", "mawe-Kete").await;
    assert_eq!(
        (&strangers["played"], &strangers["games"]),
        (&json!(0), &json!([]))
    );
    for path in ["Asha/against/Nobody", "Nobody/against/Asha"] {
        let path = format!("/api/v1/players/{path}");
        stranger.get(&path).await.problem(404, "not-found");
    }

    // The profile shows the same figures by side.
    let profile = stranger.get("/api/v1/players/Asha").await.json();
    let sides = json!({
        "first": { "won": 1, "drawn": 0, "lost": 2, "plies": 12 },
        "second": { "won": 1, "drawn": 0, "lost": 0, "plies": 4 },
    });
    assert_eq!(
        profile["games"],
        json!([{ "game": "mawe", "sides": sides }])
    );
    assert_eq!(profile["played"], 4);
    server.stop().await;
}

#[tokio::test]
async fn every_game_says_how_its_matches_went() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let before = items(&stranger.get("/api/v1/games").await);
    let kinds: Vec<&str> = before
        .iter()
        .filter_map(|game| game["game"].as_str())
        .collect();
    let all = mawe_rules::GameKind::ALL.iter().map(|kind| kind.id());
    assert!(kinds.into_iter().eq(all));
    for game in &before {
        assert_eq!(
            (&game["played"], &game["average_plies"]),
            (&json!(0), &Value::Null)
        );
    }
    let mut people = [server.guest().await, server.guest().await];
    for winner in [0, 0, 1] {
        people = play(people, false, winner).await;
    }
    let games = items(&stranger.get("/api/v1/games").await);
    let mawe = games.iter().find(|game| game["game"] == "mawe");
    assert_eq!(
        mawe,
        Some(
            &json!({ "game": "mawe", "played": 3, "first_won": 2, "drawn": 0, "second_won": 1, "average_plies": 4.0 })
        )
    );
    server.stop().await;
}

#[tokio::test]
async fn what_has_not_changed_is_not_sent_twice() {
    let server = TestServer::start().await;
    let people = play(
        [server.account("Asha").await, server.account("Bahati").await],
        true,
        0,
    )
    .await;
    let stranger = server.stranger();
    let paths = [
        "/api/v1/players/Asha",
        "/api/v1/players/Asha/ratings/mawe/rapid",
        "/api/v1/players/Asha/against/Bahati",
        "/api/v1/leaderboards/mawe?speed=rapid",
        "/api/v1/games",
    ];
    let mut tags = Vec::new();
    for path in paths {
        let answer = stranger.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        let tag = answer.header("etag").to_owned();
        assert!(!answer.header("cache-control").is_empty());
        let request = stranger.request(reqwest::Method::GET, path);
        let again = Answer::of(request.header("if-none-match", &tag)).await;
        assert_eq!(
            (again.status.as_u16(), again.body.len()),
            (304, 0),
            "{path}"
        );
        assert_eq!(again.header("etag"), tag);
        tags.push(tag);
    }
    play(people, true, 0).await;
    for (path, tag) in paths.into_iter().zip(tags) {
        let request = stranger.request(reqwest::Method::GET, path);
        let again = Answer::of(request.header("if-none-match", &tag)).await;
        // Two matches are too few for a rank.
        let status = if path.contains("leaderboards") {
            304
        } else {
            200
        };
        assert_eq!(again.status.as_u16(), status, "{path}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_computer_s_rating_moves_and_is_ranked() {
    let server = TestServer::start().await;
    let mut person = server.account("Asha").await;
    let stranger = server.stranger();
    let rated = json!({
        "game": "oware", "level": 8, "side": "first", "rated": true,
        "time_control": { "kind": "realtime", "base_ms": 300_000, "increment_ms": 3_000 },
    });
    // It has a rating of every game and speed, from the ladder of its levels.
    let rating_of = |bot: &Value| {
        let ratings = bot["ratings"].as_array().expect("ratings");
        let of = |row: &&Value| row["game"] == "oware" && row["speed"] == "blitz";
        ratings.iter().find(of).expect("a seed").clone()
    };
    let seed = rating_of(&stranger.get("/api/v1/players/mawe-Kilima").await.json());
    assert_eq!(seed["games"], 0);
    for games in 1..=2 {
        let created = person.post("/api/v1/matches", &rated).await;
        assert_eq!(created.status, 201, "{created:?}");
        // The first move is drawn by lot.
        let id = created.text("/id");
        let view = person.get(&format!("/api/v1/matches/{id}")).await.json();
        let begins = view["seats"]["first"]["player"]["name"] == "Asha";
        let side = if begins { Side::First } else { Side::Second };
        let mut seat = Seat::take(&person, &id, side).await;
        while seat.mirror.state.ply < 4 || seat.mirror.state.turn != side {
            if seat.mirror.state.turn == side {
                let command = seat.a_move(&seat.mirror.state.legal[0].clone());
                seat.send(command).await;
            }
            seat.event().await;
        }
        seat.send(Command::Resign).await;
        seat.event().await;
        let bot = eventually("the rating", async || {
            let bot = stranger.get("/api/v1/players/mawe-Kilima").await.json();
            Some(rating_of(&bot)).filter(|rating| rating["games"] == games)
        })
        .await;
        assert!(number(&bot["rating"]) > number(&seed["rating"]));
    }
    // A computer's rating hardly ages; make it a person who has not played for two years.
    let directory = server.stop().await;
    let url = format!("sqlite:{}", directory.path().join("mawe.sqlite").display());
    let pool = sqlx::SqlitePool::connect(&url).await.expect("the database");
    let two_years_ms = 2 * 365 * 24 * 60 * 60 * 1_000i64;
    sqlx::query(
        "UPDATE ratings SET deviation = 60, volatility = 0.06, opponents = 8, updated_ms = updated_ms - $1 WHERE rating > 1500",
    )
    .bind(two_years_ms)
    .execute(&pool)
    .await
    .expect("it is changed");
    pool.close().await;
    let server = Server::start(config(directory.path()))
        .await
        .expect("the server starts");
    let stranger = Person::at(server.address);
    let board = stranger.get("/api/v1/leaderboards/oware?speed=blitz").await;
    let board = items(&board);
    assert_eq!(board.len(), 1);
    let kilima = json!({ "name": "mawe-Kilima", "kind": "bot", "level": 8 });
    assert_eq!(board[0]["player"], kilima);
    // The shown deviation is that of today.
    assert_eq!(board[0]["rating"]["provisional"], true);
    let rating = rating_of(&stranger.get("/api/v1/players/mawe-Kilima").await.json());
    assert!(number(&rating["deviation"]) > 110.0);
    assert_eq!(rating["provisional"], true);
    // Correspondence matches have a separate leaderboard.
    let daily = stranger.get("/api/v1/leaderboards/oware?speed=daily").await;
    assert_eq!(items(&daily), Vec::<Value>::new());
    server.stop().await;
}
