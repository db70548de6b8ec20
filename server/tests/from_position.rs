//! Matches that start from a position that a player chose.

use mawe_rules::notation::json::JsonRecord;
use mawe_rules::notation::pdn;
use mawe_rules::{AnySetup, GameKind, Record, Side};
use mawe_wire::{Command, MatchView};
use serde_json::{Value, json};

use crate::common::play::{Pair, Seat};
use crate::common::socket::Socket;
use crate::common::{Person, TestServer};
use crate::ws::next_match;

/// The endpoints that make a match or an offer of one, with the fields that each needs besides the terms.
fn doors() -> [(&'static str, Value); 4] {
    [
        ("/api/v1/matches", json!({ "level": 1 })),
        ("/api/v1/matches/pass-and-play", json!({})),
        ("/api/v1/challenges", json!({})),
        ("/api/v1/seeks", json!({})),
    ]
}

fn terms(game: GameKind, setup: &str) -> Value {
    json!({
        "game": game, "setup": setup,
        "time_control": { "kind": "realtime", "base_ms": 600_000, "increment_ms": 0 },
    })
}

fn with(mut terms: Value, fields: &Value) -> Value {
    let fields = fields.as_object().expect("an object").clone();
    terms.as_object_mut().expect("an object").extend(fields);
    terms
}

/// A game after some plies, or after its end; the number of each ply and `seed` select the move.
fn game_after(kind: GameKind, plies: usize, seed: usize) -> Record {
    let mut game = Record::new(kind, &AnySetup::standard(kind)).expect("a game");
    for ply in 0..plies {
        let legal = game.legal_moves();
        let Some(m) = legal.get((ply * 5 + seed) % legal.len().max(1)) else {
            break;
        };
        game.play(m).expect("it is legal");
    }
    game
}

/// The setup of a game from a position of another, in which players have moves for some plies.
fn some_setup(kind: GameKind) -> String {
    let is_open = |seed: &usize| {
        let games = [8, 14].map(|plies| game_after(kind, plies, *seed));
        games.iter().all(|game| game.outcome().is_none()) && games[0].forced_pass().is_none()
    };
    let seed = (0..100).find(is_open).expect("not all games are short");
    format!("position={}", game_after(kind, 8, seed).position())
}

async fn view(person: &Person, id: &str) -> MatchView {
    let mut socket = Socket::open(person).await;
    socket.joined(id).await.view
}

/// Makes a match by a challenge that the other accepts; the side that `side` names is the challenger's.
async fn a_match(people: &mut [Person; 2], terms: Value) -> String {
    let challenge = people[0].post("/api/v1/challenges", &terms).await;
    assert_eq!(challenge.status, 201, "{challenge:?}");
    let path = format!("/api/v1/challenges/{}/accept", challenge.text("/id"));
    let accepted = people[1].post(&path, &json!({})).await;
    assert_eq!(accepted.status, 200, "{accepted:?}");
    accepted.text("/id")
}

#[tokio::test]
async fn two_people_play_every_game_from_a_position() {
    let server = TestServer::start().await;
    let mut people = [server.account("Asha").await, server.account("Bahati").await];
    for &game in GameKind::ALL {
        let setup = some_setup(game);
        let position = setup.strip_prefix("position=").expect("the key");
        let wish = with(terms(game, &setup), &json!({ "side": "first" }));
        let id = a_match(&mut people, wish).await;
        let mut pair = Pair::at(people, id.clone()).await;
        pair.plies(3).await;
        pair.act(0, Command::Resign).await;

        let told = view(&pair.people[0], &id).await;
        assert_eq!(
            (told.setup.as_str(), told.start.as_str()),
            (&*setup, position)
        );
        assert!(!told.rated);
        let path = format!("/api/v1/matches/{id}/export");
        let written = pair.people[0].get(&format!("{path}?format=json")).await;
        let written: JsonRecord = serde_json::from_value(written.json()).expect("a record");
        assert_eq!(written.setup, "", "the position stands in `start`");
        assert_eq!(written.start.as_deref(), Some(position));
        let replayed = written.replay().expect("it is by the rules");
        assert_eq!(replayed.ply(), 3);
        assert_eq!(replayed.setup().to_string(), setup);
        if pdn::Dialect::of(game).is_some() {
            let text = pair.people[0].get(&path).await;
            let mut games = pdn::games(&text.body, None);
            let read = games.next().expect("a game").expect("PDN").record;
            assert_eq!(read.start().to_string(), position);
            assert_eq!(read.position(), replayed.position());
        }

        // The rematch starts there, too.
        for seat in &mut pair.seats {
            seat.socket.rematch(&id).await;
        }
        let next = next_match(&mut pair.seats[0].socket).await;
        let again = view(&pair.people[0], &next).await;
        assert_eq!((again.setup, again.start), (told.setup, told.start));
        let mut seat = Seat::take(&pair.people[0], &next, Side::Second).await;
        seat.send(Command::Abort).await;
        seat.event().await;
        people = pair.people;
    }
    server.stop().await;
}

#[tokio::test]
async fn a_computer_opponent_plays_every_game_from_a_position() {
    let server = TestServer::start().await;
    let mut guest = server.guest().await;
    for &game in GameKind::ALL {
        let setup = some_setup(game);
        let start = AnySetup::parse(game, &setup).and_then(|setup| Record::new(game, &setup));
        let side = start.expect("a start").turn().other();
        let wish = with(terms(game, &setup), &json!({ "level": 1, "side": side }));
        let made = guest.post("/api/v1/matches", &wish).await;
        assert_eq!(made.status, 201, "{made:?}");
        let mut seat = Seat::take(&guest, &made.text("/id"), side).await;
        // The computer has the first move, and in some games several.
        while seat.mirror.state.turn != side {
            seat.event().await;
        }
        assert!(!seat.mirror.plies.is_empty(), "{game}");
        seat.send(Command::Resign).await;
        while seat.mirror.state.result.is_none() {
            seat.event().await;
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn a_pass_at_the_start_is_played_before_the_match() {
    let server = TestServer::start().await;
    let mut people = [server.guest().await, server.guest().await];
    let game = GameKind::Reversi;
    let positions = (0..50).flat_map(|seed| (0..60).map(move |plies| (plies, seed)));
    let mut positions = positions.map(|(plies, seed)| game_after(game, plies, seed));
    let passing = positions.find(|game| game.forced_pass().is_some());
    let mut passing = passing.expect("one of these has a pass");
    let setup = format!("position={}", passing.position());
    let id = a_match(&mut people, terms(game, &setup)).await;
    passing.play("pass").expect("it is legal");
    let told = view(&people[0], &id).await;
    assert_eq!(told.start, passing.position().to_string());
    assert_eq!(told.state.turn, passing.turn());
    assert_eq!(told.state.legal, passing.legal_moves());
    server.stop().await;
}

#[tokio::test]
async fn the_start_of_the_standard_game_is_the_standard_game() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let start = game_after(GameKind::Mawe, 0, 0);
    let setup = format!("position={}", start.position());
    let wish = with(
        terms(GameKind::Mawe, &setup),
        &json!({ "level": 1, "rated": true }),
    );
    let made = asha.post("/api/v1/matches", &wish).await;
    assert_eq!(made.status, 201, "{made:?}");
    let told = view(&asha, &made.text("/id")).await;
    assert_eq!((told.setup.as_str(), told.rated), ("", true));
    server.stop().await;
}

#[tokio::test]
async fn a_start_that_cannot_be_played_is_refused_everywhere() {
    let server = TestServer::start().await;
    let mut asha = server.account("Asha").await;
    let long = format!("position={}", "9".repeat(10_000));
    let over = "position=0,0,0,0,0,0,26/0,0,0,0,0,0,22 s";
    let heavy = "position=900,4,4,4,4,4,0/400,4,4,4,4,4,0 s";
    for (path, fields) in doors() {
        for (game, setup, why) in [
            (GameKind::Kalah, "position=", "position"),
            (GameKind::Kalah, "position=1,2,3", "position"),
            (GameKind::Kalah, "position=B:WK32:BK1", "position"),
            (GameKind::Kalah, long.as_str(), "300 characters at most"),
            (GameKind::Kalah, heavy, "1000 seeds at most"),
            (GameKind::Kalah, over, "the game is over"),
            (GameKind::Checkers, "position=W:W:BK1", "the game is over"),
        ] {
            let refused = asha.post(path, &with(terms(game, setup), &fields)).await;
            refused.bad_field("bad-setup", "setup");
            let detail = refused.text("/detail");
            assert!(detail.contains(why), "{path} {setup:.40}: {detail}");
            assert!(detail.len() < 300, "{path}: {detail}");
        }
        // No rating depends on a start that a player chose.
        let rated = with(
            terms(GameKind::Kalah, &some_setup(GameKind::Kalah)),
            &fields,
        );
        let rated = with(rated, &json!({ "rated": true }));
        let refused = asha.post(path, &rated).await;
        assert_eq!(refused.status, 422, "{path}: {refused:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn equal_points_of_the_decisive_form_of_mawe_are_a_win_of_the_last_move() {
    let server = TestServer::start().await;
    let mut people = [server.account("Asha").await, server.account("Bahati").await];
    let rated = with(
        terms(GameKind::Mawe, "form=decisive"),
        &json!({ "rated": true }),
    );
    let refused = people[0].post("/api/v1/challenges", &rated).await;
    refused.bad_field("bad-setup", "setup");
    // After White's move Black has only a pinned stone and no move.
    for (turn, winner, reason) in [
        ("wd", Some(Side::First), "last-move"),
        ("w", None, "no-moves"),
    ] {
        let setup = format!("position=8/8/8/8/8/8/W7/b7 {turn}");
        let wish = with(terms(GameKind::Mawe, &setup), &json!({ "side": "first" }));
        let id = a_match(&mut people, wish).await;
        let mut seat = Seat::take(&people[0], &id, Side::First).await;
        let text = "a2b3".to_owned();
        seat.send(Command::Move { ply: 0, text }).await;
        seat.event().await;
        let result = view(&people[0], &id).await.state.result.expect("an end");
        assert_eq!((result.winner, result.reason.as_str()), (winner, reason));
    }
    server.stop().await;
}
