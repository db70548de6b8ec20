//! Pictures of positions: their size, the view that they show, and their cost.

use std::collections::HashSet;
use std::num::NonZeroU32;
use std::time::Duration;

use gif::{ColorOutput, DecodeOptions};
use mawe_rules::{AnyPosition, AnySetup, GameKind};
use mawe_wire::Command;
use reqwest::Method;
use resvg::tiny_skia::Pixmap;
use resvg::usvg::{Options, Tree};
use serde_json::json;

use super::{NOBODYS, bot_match, offer, with};
use crate::common::play::Pair;
use crate::common::{Answer, Person, TestServer};

/// The number of games.
const GAMES: u64 = GameKind::ALL.len() as u64;

/// Checks that an answer is a PNG of the size of a card.
#[track_caller]
fn check_card(answer: &Answer) {
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.header("content-type"), "image/png");
    assert!(answer.header("cache-control").starts_with("public"));
    let pixels = Pixmap::decode_png(&answer.body).expect("a PNG");
    assert_eq!((pixels.width(), pixels.height()), (1200, 630));
}

async fn a_pair(server: &TestServer, rated: bool) -> Pair {
    let people = [server.account("Amina").await, server.account("Zofia").await];
    Pair::of(people, rated).await
}

async fn picture(person: &Person, id: &str, query: &str) -> Answer {
    person
        .get(&format!("/api/v1/matches/{id}/picture.png{query}"))
        .await
}

#[tokio::test]
async fn a_match_and_a_game_have_pictures() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let mut tags = Vec::new();
    for game in GameKind::ALL {
        let answer = stranger
            .get(&format!("/api/v1/games/{game}/picture.png"))
            .await;
        check_card(&answer);
        tags.push(answer.header("etag").to_owned());
    }
    tags.sort_unstable();
    tags.dedup();
    assert_eq!(tags.len(), GameKind::ALL.len());

    let mut pair = a_pair(&server, false).await;
    let before = picture(&stranger, &pair.id, "").await;
    check_card(&before);
    pair.plies(2).await;
    let now = picture(&stranger, &pair.id, "").await;
    check_card(&now);
    assert!(now.body != before.body);
    for (query, same) in [("?ply=0", &before), ("?ply=2", &now)] {
        let answer = picture(&stranger, &pair.id, query).await;
        assert!(answer.body == same.body, "{query}");
        assert_eq!(answer.header("etag"), same.header("etag"), "{query}");
    }
    // Drawn once: the games, and the positions after 0 and 2 plies.
    assert_eq!(server.app().pictures.drawn(), GAMES + 2);
    let request = stranger.request(
        Method::GET,
        &format!("/api/v1/matches/{}/picture.png", pair.id),
    );
    let again = Answer::of(request.header("if-none-match", now.header("etag"))).await;
    assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
    server.stop().await;
}

#[tokio::test]
async fn a_picture_that_cannot_be_is_refused() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let mut person = server.guest().await;
    let id = person
        .post("/api/v1/matches", &bot_match())
        .await
        .text("/id");
    for query in ["?ply=1", "?ply=4294967295", "?ply=-1", "?ply=x"] {
        let answer = picture(&stranger, &id, query).await;
        answer.bad_field("bad-filter", "ply");
    }
    let answer = picture(&stranger, NOBODYS, "").await;
    answer.problem(404, "not-found");
    let answer = stranger.get("/api/v1/games/chess/picture.png").await;
    answer.problem(404, "not-found");
    assert_eq!(server.app().pictures.drawn(), 0);
    server.stop().await;
}

#[tokio::test]
async fn any_position_has_a_picture() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let of = async |game: &GameKind, position: &str| {
        let path = format!("/api/v1/positions/{game}/picture.png");
        let position: String = form_urlencoded::byte_serialize(position.as_bytes()).collect();
        stranger.get(&format!("{path}?position={position}")).await
    };
    let mut tags = HashSet::new();
    for game in GameKind::ALL {
        let start = AnyPosition::start(*game, &AnySetup::standard(*game)).expect("a start");
        let answer = of(game, &start.to_string()).await;
        check_card(&answer);
        tags.insert(answer.header("etag").to_owned());
    }
    // Some games of draughts begin alike, and a picture is drawn once.
    let starts = tags.len() as u64;
    assert!(starts > GAMES / 2, "{starts}");
    assert_eq!(server.app().pictures.drawn(), starts);
    // The most seeds: a picture holds a bounded number of them.
    let full = "1000,0,0,0,0,0,0/0,0,0,0,0,0,0 s";
    let answer = of(&GameKind::Kalah, full).await;
    check_card(&answer);
    assert!(answer.body.len() < 300_000, "{}", answer.body.len());
    let long = format!("{}0,0,0,0,0,0,0 s", "0,".repeat(200));
    for wrong in ["", "x", "1001,0,0,0,0,0,0/0,0,0,0,0,0,0 s", &long] {
        let answer = of(&GameKind::Kalah, wrong).await;
        answer.bad_field("bad-filter", "position");
    }
    check_card(&stranger.get("/api/v1/positions/kalah/picture.png").await);
    let answer = stranger
        .get("/api/v1/positions/chess/picture.png?position=x")
        .await;
    answer.problem(404, "not-found");
    assert_eq!(server.app().pictures.drawn(), starts + 1);
    server.stop().await;
}

#[tokio::test]
async fn a_picture_shows_no_more_than_spectators_see() {
    let server =
        TestServer::start_with(|config| config.live.spectator_delay = Duration::from_secs(3600))
            .await;
    let mut pair = a_pair(&server, true).await;
    let stranger = server.stranger();
    let start = picture(&stranger, &pair.id, "").await;
    pair.plies(3).await;
    // For the players themselves too: a picture is nobody's own.
    for person in [&stranger, &pair.people[0]] {
        let answer = picture(person, &pair.id, "").await;
        check_card(&answer);
        assert!(answer.body == start.body);
        for query in ["?ply=1", "?ply=3"] {
            let answer = picture(person, &pair.id, query).await;
            answer.bad_field("bad-filter", "ply");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn an_address_that_wants_many_pictures_waits() {
    // Three pictures a minute.
    let server = TestServer::start_with(|config| {
        config.network.behind_proxy = true;
        config.rates.requests_per_minute = NonZeroU32::new(150).expect("not zero");
    })
    .await;
    let from = async |address: &str, game: &GameKind| {
        let path = format!("/api/v1/games/{game}/picture.png");
        let request = server.stranger().request(Method::GET, &path);
        Answer::of(request.header("x-forwarded-for", address)).await
    };
    let mut refused = 0;
    for _ in 0..3 {
        for game in GameKind::ALL {
            let answer = from("203.0.113.1", game).await;
            if answer.status == 429 {
                answer.problem(429, "too-many-requests");
                refused += 1;
            } else {
                check_card(&answer);
            }
        }
    }
    // Those that are kept cost no more than any request.
    let drawn = server.app().pictures.drawn();
    assert_eq!((refused, drawn), (3 * (GAMES - 3), 3));
    check_card(&from("203.0.113.2", &GameKind::Congkak).await);
    let (number, bytes) = server.app().pictures.kept();
    assert_eq!(number, 4);
    assert!(bytes < 4 * 300_000, "{bytes}");
    server.stop().await;
}

/// The size of a moving picture, and the times of its frames in hundredths of a second.
#[track_caller]
fn decoded(answer: &Answer) -> ((u16, u16), Vec<u16>) {
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.header("content-type"), "image/gif");
    assert!(answer.header("cache-control").starts_with("public"));
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    let mut decoder = options.read_info(&answer.body[..]).expect("a GIF");
    let size = (decoder.width(), decoder.height());
    let mut times = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        times.push(frame.delay);
    }
    (size, times)
}

/// Plays a match of a game to its end, or until the first player resigns after so many plies; returns its id and its number of plies.
async fn a_whole_match(server: &TestServer, game: GameKind, most: u32) -> (String, usize) {
    let mut people = [server.guest().await, server.guest().await];
    let [first, second] = &mut people;
    let offer = with(offer(), "game", json!(game));
    let id = first.challenge(second, &offer).await;
    let mut pair = Pair::at(people, id).await;
    while !pair.is_over() && pair.seats[0].mirror.state.ply < most {
        pair.ply().await;
    }
    if !pair.is_over() {
        pair.act(0, Command::Resign).await;
    }
    (pair.id.clone(), pair.seats[0].mirror.plies.len())
}

#[tokio::test]
async fn a_finished_match_moves_and_a_running_one_does_not() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    for (game, size) in [
        (GameKind::Kalah, (800, 288)),
        (GameKind::Reversi, (480, 480)),
    ] {
        let (id, plies) = a_whole_match(&server, game, u32::MAX).await;
        let path = format!("/api/v1/matches/{id}/animation.gif");
        let answer = stranger.get(&path).await;
        let (shown, times) = decoded(&answer);
        assert_eq!((shown, times.len()), (size, plies + 1), "{game}");
        let (last, others) = times.split_last().expect("frames");
        assert!(others.iter().all(|time| 2 * time < *last), "{times:?}");
        let request = stranger.request(Method::GET, &path);
        let again = Answer::of(request.header("if-none-match", answer.header("etag"))).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
        assert!(stranger.get(&path).await.body == answer.body);
    }
    assert_eq!(server.app().animations.drawn(), 2);

    let mut person = server.guest().await;
    let id = person
        .post("/api/v1/matches", &bot_match())
        .await
        .text("/id");
    let answer = stranger
        .get(&format!("/api/v1/matches/{id}/animation.gif"))
        .await;
    answer.problem(409, "match-not-over");
    let answer = stranger
        .get(&format!("/api/v1/matches/{NOBODYS}/animation.gif"))
        .await;
    answer.problem(404, "not-found");
    server.stop().await;
}

#[tokio::test]
async fn moving_pictures_cost_their_address_by_their_frames() {
    // Ten pictures a minute.
    let server = TestServer::start_with(|config| {
        config.network.behind_proxy = true;
        config.rates.requests_per_minute = NonZeroU32::new(500).expect("not zero");
    })
    .await;
    let (id, plies) = a_whole_match(&server, GameKind::Reversi, 56).await;
    let (other, other_plies) = a_whole_match(&server, GameKind::Reversi, 55).await;
    assert_eq!((plies, other_plies), (56, 55));
    let from = async |address: &str, path: &str| {
        let request = server.stranger().request(Method::GET, path);
        Answer::of(request.header("x-forwarded-for", address)).await
    };
    let moving = |id: &str| format!("/api/v1/matches/{id}/animation.gif");
    // Some sixty frames are as many as a minute has.
    decoded(&from("203.0.113.1", &moving(&id)).await);
    let refused = from("203.0.113.1", &moving(&other)).await;
    refused.problem(429, "too-many-requests");
    assert_eq!(server.app().animations.drawn(), 1);
    // The one that is kept costs no drawing, and other addresses have limits of their own.
    for _ in 0..5 {
        decoded(&from("203.0.113.1", &moving(&id)).await);
    }
    decoded(&from("203.0.113.2", &moving(&other)).await);
    assert_eq!(server.app().animations.drawn(), 2);
    let (number, bytes) = server.app().animations.kept();
    assert!(number == 2 && bytes < 2 * 2_000_000, "{bytes}");
    server.stop().await;
}

#[tokio::test]
async fn a_board_alone_is_an_svg_of_the_same_position() {
    let server = TestServer::start().await;
    let mut pair = a_pair(&server, false).await;
    pair.plies(2).await;
    let stranger = server.stranger();
    let path = |query: &str| format!("/api/v1/matches/{}/board.svg{query}", pair.id);
    let now = stranger.get(&path("")).await;
    assert_eq!(now.status, 200);
    assert_eq!(now.header("content-type"), "image/svg+xml");
    let text = std::str::from_utf8(&now.body).expect("text");
    let tree = Tree::from_str(text, &Options::default()).expect("an SVG");
    assert_eq!((tree.size().width(), tree.size().height()), (630.0, 630.0));
    assert!(text.matches("class=\"last\"").count() > 0);
    let before = stranger.get(&path("?ply=0")).await;
    assert!(before.body != now.body);
    assert!(stranger.get(&path("?ply=2")).await.body == now.body);
    stranger
        .get(&path("?ply=3"))
        .await
        .bad_field("bad-filter", "ply");
    // Nothing is drawn on the server for it.
    assert_eq!(server.app().pictures.drawn(), 0);
    server.stop().await;
}
