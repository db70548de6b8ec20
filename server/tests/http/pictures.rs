//! Pictures of positions: their size, the view that they show, and their cost.

use std::num::NonZeroU32;
use std::time::Duration;

use mawe_rules::GameKind;
use reqwest::Method;
use resvg::tiny_skia::Pixmap;

use super::{NOBODYS, bot_match};
use crate::common::play::Pair;
use crate::common::{Answer, Person, TestServer};

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
    assert_eq!(server.app().pictures.drawn(), 6 + 2);
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
    assert_eq!((refused, server.app().pictures.drawn()), (9, 3));
    check_card(&from("203.0.113.2", &GameKind::Congkak).await);
    let (number, bytes) = server.app().pictures.kept();
    assert_eq!(number, 4);
    assert!(bytes < 4 * 300_000, "{bytes}");
    server.stop().await;
}
