//! Drawn openings: every rated match of Kalah and Congkak begins with one, and any match of a game with openings does on request.

use mawe_play::openings::openings_of;
use mawe_rules::games::opening::Opening;
use mawe_rules::notation::json::JsonRecord;
use mawe_rules::notation::{pdn, transcript};
use mawe_rules::{AnyPosition, AnySetup, GameKind, Side};
use mawe_wire::{Command, MatchView};
use serde_json::{Value, json};

use crate::common::play::{Pair, Seat};
use crate::common::socket::Socket;
use crate::common::{Person, TestServer};
use crate::events::{accounts, create, games, join, later, with_players};
use crate::ws::next_match;

fn terms(game: &str, setup: &str, rated: bool) -> Value {
    json!({
        "game": game, "setup": setup, "rated": rated,
        "time_control": { "kind": "realtime", "base_ms": 600_000, "increment_ms": 0 },
    })
}

fn with(mut body: Value, field: &str, value: Value) -> Value {
    body[field] = value;
    body
}

async fn view(person: &Person, id: &str) -> MatchView {
    let mut socket = Socket::open(person).await;
    socket.joined(id).await.view
}

/// The side that makes the first move after an opening: after the three plies of a ballot of checkers, White.
fn first_to_move(game: GameKind) -> Side {
    match game {
        GameKind::Checkers => Side::Second,
        _ => Side::First,
    }
}

/// Checks that the match begins with an opening of the list, which its setup names.
#[track_caller]
fn assert_drawn(view: &MatchView) {
    let setup = AnySetup::parse(view.game, &view.setup).expect("a setup");
    assert!(matches!(setup.opening(), Opening::Plies(_)), "{setup}");
    assert!(openings_of(&setup).contains(&setup), "{setup}");
    let start = AnyPosition::start(view.game, &setup).expect("a start");
    assert_eq!(view.start, start.to_string());
    if view.plies.is_empty() {
        assert_eq!(view.state.turn, first_to_move(view.game));
    }
}

#[tokio::test]
async fn a_rated_match_begins_with_a_drawn_opening_however_it_comes_about() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    for game in [GameKind::Kalah, GameKind::Congkak] {
        let wish = terms(game.id(), &AnySetup::usual(game).to_string(), true);

        let against_bot = with(wish.clone(), "level", json!(3));
        let made = asha.post("/api/v1/matches", &against_bot).await;
        assert_eq!(made.status, 201, "{made:?}");
        assert_drawn(&view(&asha, &made.text("/id")).await);

        // The sides are drawn by lot.
        let id = loop {
            let challenge = asha.post("/api/v1/challenges", &wish).await;
            assert_eq!(challenge.status, 201, "{challenge:?}");
            let path = format!("/api/v1/challenges/{}/accept", challenge.text("/id"));
            let accepted = bahati.post(&path, &json!({})).await;
            assert_eq!(accepted.status, 200, "{accepted:?}");
            let id = accepted.text("/id");
            if asha.keeps(&id, "first").await {
                break id;
            }
        };
        assert_drawn(&view(&asha, &id).await);

        // The match is played, shown and exported from that position.
        let mut pair = Pair::at([asha, bahati], id.clone()).await;
        pair.plies(4).await;
        pair.act(0, Command::Resign).await;
        let told = view(&pair.people[0], &id).await;
        assert_drawn(&told);
        let path = format!("/api/v1/matches/{id}/export?format=json");
        let record = pair.people[0].get(&path).await.json();
        let record: JsonRecord = serde_json::from_value(record).expect("a record");
        let replayed = record.replay().expect("it is by the rules");
        assert_eq!(replayed.start().to_string(), told.start);
        assert_eq!(replayed.ply(), 4);

        // The opening of the rematch is drawn again, and nearly always another one.
        for seat in &mut pair.seats {
            seat.socket.rematch(&id).await;
        }
        let next = next_match(&mut pair.seats[0].socket).await;
        assert_drawn(&view(&pair.people[0], &next).await);
        let mut seat = Seat::take(&pair.people[0], &next, Side::Second).await;
        seat.send(Command::Abort).await;
        seat.event().await;
        [asha, bahati] = pair.people;
    }
    server.stop().await;
}

#[tokio::test]
async fn a_casual_match_begins_with_one_where_that_is_wished() {
    let server = TestServer::start().await;
    let mut guest = server.guest().await;
    let usual = with(terms("kalah", "", false), "level", json!(1));
    let made = guest.post("/api/v1/matches", &usual).await;
    let usual = view(&guest, &made.text("/id")).await;
    assert_eq!(usual.setup, "");
    let start = AnyPosition::start(GameKind::Kalah, &AnySetup::standard(GameKind::Kalah));
    assert_eq!(usual.start, start.expect("a start").to_string());
    for (game, setup) in [
        ("kalah", "opening=drawn"),
        ("congkak", "form=limited,opening=drawn"),
        ("checkers", "opening=drawn"),
        ("reversi", "opening=drawn"),
    ] {
        let wish = with(terms(game, setup, false), "level", json!(1));
        let made = guest.post("/api/v1/matches", &wish).await;
        assert_eq!(made.status, 201, "{made:?}");
        assert_drawn(&view(&guest, &made.text("/id")).await);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_rated_match_of_checkers_or_reversi_begins_with_one_only_where_it_is_wished() {
    let server = TestServer::start().await;
    let mut people = [server.account("Asha").await, server.account("Bahati").await];
    for game in [GameKind::Checkers, GameKind::Reversi] {
        let usual = with(terms(game.id(), "", true), "level", json!(1));
        let made = people[0].post("/api/v1/matches", &usual).await;
        assert_eq!(made.status, 201, "{made:?}");
        let usual = view(&people[0], &made.text("/id")).await;
        assert_eq!((usual.setup.as_str(), usual.rated), ("", true));

        let wish = terms(game.id(), "opening=drawn", true);
        let challenge = people[0].post("/api/v1/challenges", &wish).await;
        assert_eq!(challenge.status, 201, "{challenge:?}");
        let path = format!("/api/v1/challenges/{}/accept", challenge.text("/id"));
        let accepted = people[1].post(&path, &json!({})).await;
        assert_eq!(accepted.status, 200, "{accepted:?}");
        let id = accepted.text("/id");
        let told = view(&people[0], &id).await;
        assert!(told.rated);
        assert_drawn(&told);

        // The match is played and exported from that position; formats of other programs have the opening as the first plies.
        if told.seats.second.player.name == people[0].name().await {
            people.swap(0, 1);
        }
        let mut pair = Pair::at(people, id.clone()).await;
        pair.plies(4).await;
        pair.act(0, Command::Resign).await;
        let setup = AnySetup::parse(game, &told.setup).expect("a setup");
        let opening = setup.opening_plies();
        let path = format!("/api/v1/matches/{id}/export");
        let json = pair.people[0].get(&format!("{path}?format=json")).await;
        let record: JsonRecord = serde_json::from_value(json.json()).expect("a record");
        let replayed = record.replay().expect("it is by the rules");
        assert_eq!(
            (replayed.start().to_string(), replayed.ply()),
            (told.start, 4)
        );
        let text = pair.people[0].get(&path).await;
        let read = match game {
            GameKind::Checkers => {
                let mut games = pdn::games(&text.body, None);
                games.next().expect("a game").expect("PDN").record
            }
            _ => transcript::read(&text.body).expect("a transcript"),
        };
        let moves: Vec<String> = read.moves().iter().map(ToString::to_string).collect();
        assert_eq!(moves[..opening.len()], opening);
        assert_eq!(read.position(), replayed.position());
        people = pair.people;
    }
    server.stop().await;
}

#[tokio::test]
async fn a_computer_opponent_that_has_the_first_move_after_an_opening_makes_it() {
    let server = TestServer::start().await;
    let mut guest = server.guest().await;
    let mut wish = with(terms("checkers", "opening=drawn", false), "level", json!(1));
    // Without a clock, too, where the match is looked at again only at the time that its row names.
    wish["time_control"] = json!({ "kind": "unlimited" });
    let made = guest
        .post("/api/v1/matches", &with(wish, "side", json!("first")))
        .await;
    assert_eq!(made.status, 201, "{made:?}");
    let mut seat = Seat::take(&guest, &made.text("/id"), Side::First).await;
    while seat.mirror.state.turn != Side::First {
        seat.event().await;
    }
    server.stop().await;
}

#[tokio::test]
async fn the_matches_of_an_event_begin_with_openings_where_its_terms_say_so() {
    let server = TestServer::start().await;
    let mut people = accounts(&server, ["Asha", "Bahati"]).await;
    for game in [GameKind::Checkers, GameKind::Reversi] {
        let mut body = with(with_players("round-robin", 2), "game", json!(game));
        body["rated"] = json!(true);
        let chosen = with(body.clone(), "setup", json!("opening=f5"));
        let refused = people[0].post("/api/v1/events", &chosen).await;
        refused.bad_field("bad-setup", "setup");

        let id = create(&mut people[0], &with(body, "setup", json!("opening=drawn"))).await;
        for person in &mut people {
            join(person, &id).await;
        }
        later(&server, 0).await;
        let games = games(&people[0], &id).await;
        assert_eq!(games.len(), 1, "{games:?}");
        let played = games[0]["match"].as_str().expect("a match");
        let told = view(&people[0], played).await;
        assert!(told.rated);
        assert_drawn(&told);
    }
    server.stop().await;
}

#[tokio::test]
async fn nobody_chooses_an_opening_and_no_rating_depends_on_an_uneven_start() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    for (game, setup, rated) in [
        ("kalah", "opening=311", true),
        ("kalah", "opening=311", false),
        ("kalah", "seeds=6", true),
        ("kalah", "seeds=6,opening=drawn", false),
        ("congkak", "opening=drawn", false),
        ("oware", "opening=drawn", false),
        ("mawe", "opening=drawn", true),
        // No form of this game is rated.
        ("pallanguzhi", "", true),
        ("pallanguzhi", "form=pair", true),
        ("pallanguzhi", "rounds=3", true),
        ("checkers", "opening=11-15.23-19.8-11", true),
        ("reversi", "opening=f5d6c3d3", false),
    ] {
        let wish = with(terms(game, setup, rated), "level", json!(1));
        let refused = asha.post("/api/v1/matches", &wish).await;
        refused.bad_field("bad-setup", "setup");
    }
    server.stop().await;
}
