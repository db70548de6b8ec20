//! Boards on other pages: the documents for frames, and their description for programs (oEmbed).

use std::num::NonZeroU32;

use html5gum::{Token, Tokenizer};
use reqwest::Method;
use serde_json::{Value, json};

use super::{NOBODYS, bot_match, with};
use crate::common::play::Pair;
use crate::common::{Answer, Person, TestServer};

/// The greatest size of a document for a frame, with its script and without the styles that all pages share.
const MAX_BYTES: usize = 8_000;

/// The attributes of the elements of one name, in order.
fn elements(html: &[u8], wanted: &str) -> Vec<Vec<(String, String)>> {
    let text = std::str::from_utf8(html).expect("text");
    let string = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    Tokenizer::new(text)
        .filter_map(|token| match token.expect("it is in memory") {
            Token::StartTag(tag) if tag.name.as_slice() == wanted.as_bytes() => {
                let attributes = tag.attributes.iter();
                Some(
                    attributes
                        .map(|(name, value)| (string(name), string(value)))
                        .collect(),
                )
            }
            _ => None,
        })
        .collect()
}

fn attribute<'a>(element: &'a [(String, String)], name: &str) -> &'a str {
    let found = element.iter().find(|(other, _)| other == name);
    found.map_or("", |(_, value)| value)
}

async fn open(person: &Person, path: &str) -> Answer {
    let answer = person.get(path).await;
    assert_eq!(answer.status, 200, "{path}: {answer:?}");
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    assert!(!answer.has_header("set-cookie"));
    let policy = answer.header("content-security-policy");
    assert!(policy.contains("frame-ancestors *"), "{policy}");
    assert!(
        policy.contains("sandbox allow-scripts allow-popups"),
        "{policy}"
    );
    assert!(!policy.contains("allow-same-origin"), "{policy}");
    answer
}

#[tokio::test]
async fn only_boards_may_be_framed() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    let id = person
        .post("/api/v1/matches", &bot_match())
        .await
        .text("/id");
    open(&person, &format!("/embed/match/{id}")).await;
    open(&person, "/embed/tv/kalah").await;
    for path in [
        "/".to_owned(),
        format!("/match/{id}"),
        "/api/docs".to_owned(),
        "/api/docs/api".to_owned(),
        "/embed/".to_owned(),
        "/embed/embed.js".to_owned(),
        format!("/api/v1/matches/{id}"),
        format!("/embed/match/{NOBODYS}"),
        format!("/embed/match/{id}?theme=pink"),
    ] {
        let answer = person.get(&path).await;
        let policy = answer.header("content-security-policy");
        assert!(
            policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
    }
    let missing = person.get(&format!("/embed/match/{NOBODYS}")).await;
    missing.problem(404, "not-found");
    let wrong = person.get(&format!("/embed/match/{id}?theme=pink")).await;
    wrong.bad_field("bad-filter", "theme");
    server.stop().await;
}

#[tokio::test]
async fn a_board_is_the_same_for_every_reader_and_small() {
    let server = TestServer::start().await;
    let people = [server.account("Amina").await, server.account("Zofia").await];
    let pair = Pair::of(people, false).await;
    let path = format!("/embed/match/{}", pair.id);
    let stranger = open(&server.stranger(), &path).await;
    // A player gets the same answer as a stranger.
    assert!(open(&pair.people[0], &path).await.body == stranger.body);
    let html = String::from_utf8(stranger.body.clone()).expect("text");
    assert!(html.contains("Amina") && html.contains("Zofia"), "{html}");
    let mut bytes = stranger.body.len();
    for file in ["/embed/embed.js", "/embed/embed.css"] {
        let answer = server.stranger().get(file).await;
        assert_eq!(answer.status, 200, "{file}");
        bytes += answer.body.len();
    }
    assert!(bytes < MAX_BYTES, "{bytes}");
    // Everything that it loads is there, and the only link opens the match in a tab of its own.
    let images = elements(&stranger.body, "img");
    let source = attribute(&images[0], "src");
    assert_eq!(source, format!("/api/v1/matches/{}/board.svg", pair.id));
    assert_eq!(server.stranger().get(source).await.status, 200);
    let body = &elements(&stranger.body, "body")[0];
    let stream = attribute(body, "data-stream");
    assert_eq!(stream, format!("/api/v1/matches/{}/stream", pair.id));
    let links = elements(&stranger.body, "a");
    assert_eq!(links.len(), 1);
    let page = attribute(&links[0], "href");
    assert_eq!(page, format!("/match/{}?lang=en", pair.id));
    assert_eq!(attribute(&links[0], "target"), "_blank");
    assert_eq!(attribute(&links[0], "rel"), "noopener");
    server.stop().await;
}

#[tokio::test]
async fn a_board_has_the_colours_and_the_language_of_its_address() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    for (query, language, theme) in [
        ("", "en", ""),
        ("?theme=dark", "en", "dark"),
        ("?theme=light&lang=pl", "pl", "light"),
        ("?lang=sw", "sw", ""),
    ] {
        let answer = open(&stranger, &format!("/embed/tv/oware{query}")).await;
        let root = &elements(&answer.body, "html")[0];
        assert_eq!(attribute(root, "lang"), language, "{query}");
        assert_eq!(attribute(root, "data-theme"), theme, "{query}");
    }
    let request = stranger.request(Method::GET, "/embed/tv/oware");
    let preferred = Answer::of(request.header("accept-language", "ml")).await;
    let root = &elements(&preferred.body, "html")[0];
    assert_eq!(attribute(root, "lang"), "ml");
    server.stop().await;
}

async fn described(person: &Person, query: &[(&str, &str)]) -> Answer {
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(query)
        .finish();
    person.get(&format!("/oembed?{query}")).await
}

#[tokio::test]
async fn a_public_match_describes_itself() {
    let server = TestServer::start().await;
    let people = [server.account("Amina").await, server.account("Zofia").await];
    let pair = Pair::of(people, false).await;
    let stranger = server.stranger();
    let origin = format!("http://{}", server.address);
    let request = stranger.request(Method::GET, &format!("/match/{}?lang=pl", pair.id));
    let page = Answer::of(request.header("accept", "text/html")).await;
    let links = elements(&page.body, "link");
    let links: Vec<_> = links
        .iter()
        .filter(|link| attribute(link, "type") == "application/json+oembed")
        .collect();
    assert_eq!(links.len(), 1);
    assert_eq!(attribute(links[0], "rel"), "alternate");
    let found = attribute(links[0], "href");
    let answer = stranger
        .get(found.strip_prefix(&origin).expect("our origin"))
        .await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.header("content-type"), "application/json");
    let embed = answer.json();
    assert_eq!(
        [&embed["version"], &embed["type"], &embed["provider_url"]],
        [&json!("1.0"), &json!("rich"), &json!(origin)]
    );
    let title = embed["title"].as_str().expect("a title");
    assert!(title.contains("Amina – Zofia"), "{title}");
    assert_eq!(embed["thumbnail_width"], 1200);
    let frames = elements(embed["html"].as_str().expect("HTML").as_bytes(), "iframe");
    assert_eq!(frames.len(), 1);
    let source = attribute(&frames[0], "src");
    assert_eq!(source, format!("{origin}/embed/match/{}", pair.id));
    assert_eq!(attribute(&frames[0], "title"), title);
    for side in ["width", "height"] {
        assert_eq!(attribute(&frames[0], side), embed[side].to_string());
    }
    open(&stranger, source.strip_prefix(&origin).expect("ours")).await;
    server.stop().await;
}

#[tokio::test]
async fn a_description_keeps_to_the_greatest_size() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let url = format!("http://{}/embed/tv/kalah", server.address);
    for (width, height) in [
        ("300", "200"),
        ("1", "1"),
        ("4000", "100"),
        ("200", "4294967295"),
    ] {
        let query = [("url", &*url), ("maxwidth", width), ("maxheight", height)];
        let embed = described(&stranger, &query).await.json();
        let most = |text: &str| text.parse::<u64>().expect("a number");
        let [wide, high] = ["width", "height"].map(|side| embed[side].as_u64().expect("a number"));
        assert!((1..=most(width)).contains(&wide), "{embed}");
        assert!((1..=most(height)).contains(&high), "{embed}");
        // The picture is larger than that.
        assert_eq!(embed["thumbnail_url"], Value::Null, "{embed}");
    }
    for (field, value) in [("maxwidth", "0"), ("maxheight", "x"), ("format", "xml")] {
        let answer = described(&stranger, &[("url", &*url), (field, value)]).await;
        answer.bad_field("bad-filter", field);
    }
    described(&stranger, &[])
        .await
        .bad_field("bad-filter", "url");
    server.stop().await;
}

#[tokio::test]
async fn other_addresses_and_private_matches_are_described_to_nobody() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    let private = with(bot_match(), "private", json!(true));
    let private = person.post("/api/v1/matches", &private).await.text("/id");
    let origin = format!("http://{}", server.address);
    for url in [
        format!("{origin}/match/{private}"),
        format!("{origin}/match/{NOBODYS}"),
        format!("{origin}/settings"),
        origin.clone(),
        format!("https://evil.example/match/{private}"),
        format!("{origin}.evil.example/embed/tv/mawe"),
        "x".repeat(4_000),
    ] {
        let answer = described(&person, &[("url", &*url)]).await;
        answer.problem(404, "not-found");
    }
    let request = person.request(Method::GET, &format!("/match/{private}"));
    let page = Answer::of(request.header("accept", "text/html")).await;
    let links = elements(&page.body, "link");
    let is_oembed = |link: &Vec<_>| attribute(link, "type").contains("oembed");
    assert!(!links.iter().any(is_oembed));
    server.stop().await;
}

#[tokio::test]
async fn a_flood_of_boards_waits() {
    let server = TestServer::start_with(|config| {
        config.network.behind_proxy = true;
        config.rates.requests_per_minute = NonZeroU32::MIN;
    })
    .await;
    for (address, path) in [
        ("203.0.113.1", "/embed/tv/mawe".to_owned()),
        ("203.0.113.2", format!("/embed/match/{NOBODYS}")),
        ("203.0.113.3", "/oembed?url=x".to_owned()),
    ] {
        let mut refused = 0;
        for _ in 0..10 {
            let request = server.stranger().request(Method::GET, &path);
            let answer = Answer::of(request.header("x-forwarded-for", address)).await;
            refused += u32::from(answer.status == 429);
        }
        assert!(refused >= 6, "{path}: {refused}");
    }
    server.stop().await;
}
