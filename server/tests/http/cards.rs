//! The heads of documents: titles, cards, languages, and the files for search engines.

use std::collections::{BTreeMap, BTreeSet};

use html5gum::{Token, Tokenizer};
use mawe_rules::GameKind;
use mawe_server::page::banner::Banner;
use mawe_wire::{Command, Language};
use reqwest::Method;
use resvg::tiny_skia::Pixmap;
use resvg::usvg::roxmltree;
use serde_json::json;

use super::{bot_match, with};
use crate::common::play::Pair;
use crate::common::{Answer, Person, TestServer};

/// The parts of a head that other programs read.
#[derive(Debug)]
struct Head {
    language: String,
    title: String,
    /// By name or property.
    metas: BTreeMap<String, String>,
    canonical: String,
    /// By language.
    alternates: BTreeMap<String, String>,
    /// Elements that only an address could have made: none is expected.
    strange: usize,
}

impl Head {
    fn of(answer: &Answer) -> Head {
        let text = std::str::from_utf8(&answer.body).expect("text");
        let mut head = Head {
            language: String::new(),
            title: String::new(),
            metas: BTreeMap::new(),
            canonical: String::new(),
            alternates: BTreeMap::new(),
            strange: 0,
        };
        let string = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
        let mut is_title = false;
        for token in Tokenizer::new(text) {
            match token.expect("it is in memory") {
                Token::StartTag(tag) => {
                    let name = string(&tag.name);
                    let attribute = |wanted: &str| {
                        let mut all = tag.attributes.iter();
                        let found = all.find(|(name, _)| name.as_slice() == wanted.as_bytes());
                        found.map(|(_, value)| string(value)).unwrap_or_default()
                    };
                    match name.as_str() {
                        "html" => head.language = attribute("lang"),
                        "title" => is_title = true,
                        "meta" => {
                            let key = [attribute("name"), attribute("property")].concat();
                            let double = head.metas.insert(key.clone(), attribute("content"));
                            assert!(double.is_none() || key.is_empty(), "{key} twice");
                        }
                        "link" if attribute("rel") == "canonical" => {
                            head.canonical = attribute("href");
                        }
                        "link"
                            if attribute("rel") == "alternate" && attribute("type").is_empty() =>
                        {
                            head.alternates
                                .insert(attribute("hreflang"), attribute("href"));
                        }
                        "b" => head.strange += 1,
                        _ => {}
                    }
                }
                Token::EndTag(tag) if tag.name.as_slice() == b"title" => is_title = false,
                Token::String(words) if is_title => head.title.push_str(&string(&words)),
                _ => {}
            }
        }
        assert_eq!(head.strange, 0, "{head:?}");
        head
    }

    #[track_caller]
    fn meta(&self, name: &str) -> &str {
        let found = self.metas.get(name);
        found.unwrap_or_else(|| panic!("no {name} in {self:?}"))
    }
}

async fn open(person: &Person, path: &str) -> Answer {
    let request = person.request(Method::GET, path);
    Answer::of(request.header("accept", "text/html")).await
}

async fn head(person: &Person, path: &str) -> Head {
    let answer = open(person, path).await;
    assert_eq!(answer.status, 200, "{path}");
    Head::of(&answer)
}

/// The addresses of the site map, without the origin.
async fn listed(person: &Person, origin: &str) -> Vec<String> {
    let map = person.get("/sitemap.xml").await;
    assert_eq!(map.header("content-type"), "text/xml; charset=utf-8");
    let map = String::from_utf8(map.body).expect("text");
    let document = roxmltree::Document::parse(&map).expect("XML");
    let places = document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.sitemaps.org/schemas/sitemap/0.9", "loc")));
    places
        .map(|node| {
            let place = node.text().expect("an address");
            place.strip_prefix(origin).expect("our origin").to_owned()
        })
        .collect()
}

#[tokio::test]
async fn every_listed_page_has_a_card_of_its_own_in_every_language() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let origin = format!("http://{}", server.address);
    let paths = listed(&stranger, &origin).await;
    assert_eq!(paths.len(), 9 + 4 * GameKind::ALL.len());
    let mut pictures = BTreeSet::new();
    for language in Language::ALL {
        let tag = language.as_str();
        let (mut titles, mut descriptions) = (BTreeSet::new(), BTreeSet::new());
        for path in &paths {
            let head = head(&stranger, &format!("{path}?lang={tag}")).await;
            let here = format!("{origin}{path}?lang={tag}");
            assert_eq!(head.language, tag, "{path}");
            assert_eq!((&*head.canonical, head.meta("og:url")), (&*here, &*here));
            assert!(head.title.contains("Mawe!"), "{head:?}");
            assert!(titles.insert(head.title.clone()), "twice: {head:?}");
            assert_eq!(head.meta("description"), head.meta("og:description"));
            assert!(head.meta("description").chars().count() > 20, "{head:?}");
            assert!(!head.meta("description").contains(['{', '$']), "{head:?}");
            descriptions.insert(head.meta("description").to_owned());
            assert!(!head.metas.contains_key("robots"), "{path}");
            assert!(!head.meta("og:title").is_empty() && !head.meta("og:image:alt").is_empty());
            assert_eq!(head.meta("twitter:card"), "summary_large_image");
            let size = [head.meta("og:image:width"), head.meta("og:image:height")];
            assert_eq!(size, ["1200", "630"]);
            pictures.insert(head.meta("og:image").to_owned());
            let expected: BTreeMap<String, String> = Language::ALL
                .iter()
                .map(|one| (one.as_str(), format!("?lang={}", one.as_str())))
                .chain([("x-default", String::new())])
                .map(|(tag, query)| (tag.to_owned(), format!("{origin}{path}{query}")))
                .collect();
            assert_eq!(head.alternates, expected, "{path}");
        }
        // Only the home page and those about the server share one, and the leaderboards.
        assert!(descriptions.len() > 20, "{descriptions:#?}");
    }
    assert_eq!(pictures.len(), GameKind::ALL.len());
    for picture in pictures {
        let path = picture.strip_prefix(&origin).expect("our origin");
        let answer = stranger.get(path).await;
        let pixels = Pixmap::decode_png(&answer.body).expect("a PNG");
        assert_eq!((pixels.width(), pixels.height()), (1200, 630));
    }
    server.stop().await;
}

#[tokio::test]
async fn the_language_of_an_address_is_that_of_its_document() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let asked = async |path: &str| {
        let request = stranger.request(Method::GET, path);
        Head::of(&Answer::of(request.header("accept-language", "pl")).await)
    };
    let plain = asked("/rules/oware").await;
    assert_eq!(
        (&*plain.language, &*plain.title),
        ("pl", "Zasady gry Oware · Mawe!")
    );
    assert!(plain.canonical.ends_with("/rules/oware"));
    let chosen = asked("/rules/oware?lang=sw").await;
    assert_eq!(chosen.language, "sw");
    assert!(chosen.canonical.ends_with("/rules/oware?lang=sw"));
    // An unknown language is none, and no other parameter is part of the address.
    for query in ["?lang=de", "?lang=%22%3E%3Cb%3E", "?x=%22%3E%3Cb%3E"] {
        let head = asked(&format!("/rules/oware{query}")).await;
        assert_eq!(
            (head.language, head.canonical),
            (plain.language.clone(), plain.canonical.clone())
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn the_card_of_a_match_names_its_players_and_its_result() {
    let server = TestServer::start().await;
    let people = [server.account("Amina").await, server.account("Zofia").await];
    let mut pair = Pair::of(people, false).await;
    let stranger = server.stranger();
    let path = format!("/match/{}", pair.id);
    let running = head(&stranger, &path).await;
    assert_eq!(running.title, "Amina – Zofia · Mawe!");
    assert_eq!(running.meta("og:title"), "Amina – Zofia · Mawe!");
    assert_eq!(
        running.meta("description"),
        "A match of Mawe! is running. Watch it live."
    );
    let picture = format!(
        "http://{}/api/v1/matches/{}/picture.png",
        server.address, pair.id
    );
    assert_eq!(running.meta("og:image"), picture);
    assert!(!running.metas.contains_key("robots"));
    pair.act(0, Command::Resign).await;
    for path in [path, format!("/analysis/{}", pair.id)] {
        for (language, expected) in [
            ("en", "Mawe!: Black wins"),
            ("sw", "Mawe!: Upande mweusi umeshinda"),
            ("pl", "Mawe!: Czarne wygrywają"),
            ("ml", "Mawe!: കറുപ്പ് ജയിച്ചു"),
        ] {
            let over = head(&stranger, &format!("{path}?lang={language}")).await;
            let about = over.meta("description");
            assert!(
                about.starts_with(expected) && about.contains(" – "),
                "{about}"
            );
        }
    }
    // A match for those with its link only is not listed.
    let mut guest = server.guest().await;
    let private = with(bot_match(), "private", json!(true));
    let id = guest.post("/api/v1/matches", &private).await.text("/id");
    let private = head(&stranger, &format!("/match/{id}?lang=pl")).await;
    assert_eq!(private.meta("robots"), "noindex");
    assert!(
        private.title.contains("Kokoto, poziom\u{a0}1"),
        "{}",
        private.title
    );
    assert!(private.title.contains("Gość"), "{}", private.title);
    assert!(private.alternates.is_empty());
    server.stop().await;
}

#[tokio::test]
async fn the_card_of_a_player_names_them_and_nobody_is_not_listed() {
    let server = TestServer::start().await;
    server.account("Amina").await;
    let stranger = server.stranger();
    let amina = head(&stranger, "/player/amina").await;
    assert_eq!(
        (&*amina.title, amina.meta("og:title")),
        ("Amina · Mawe!", "Amina")
    );
    assert_eq!(
        amina.meta("description"),
        "Ratings, matches and results of Amina"
    );
    assert!(!amina.metas.contains_key("robots"));
    // A computer opponent has ratings from the start.
    let computer = head(&stranger, "/player/mawe-Kete").await;
    assert!(
        computer.meta("description").contains(" · Ratings, "),
        "{computer:?}"
    );
    let report = head(&stranger, "/player/Amina/report?lang=pl").await;
    assert!(report.title.contains("Amina"));
    for path in [
        "/player/Amina/report",
        "/settings",
        "/login",
        "/device/abc",
        "/challenge/x",
    ] {
        assert_eq!(
            head(&stranger, path).await.meta("robots"),
            "noindex",
            "{path}"
        );
    }
    for path in [
        "/player/Nobody",
        "/match/AAAAAAAAAAAA",
        "/player/%3Cb%3E%22",
        "/no/%22%3E%3Cb%3E",
    ] {
        let answer = open(&stranger, &format!("{path}?lang=sw")).await;
        assert_eq!(answer.status, 404, "{path}");
        let missing = Head::of(&answer);
        assert_eq!(missing.meta("robots"), "noindex");
        assert_eq!(missing.language, "sw");
    }
    server.stop().await;
}

/// The elements of a document whose text is shown before the scripts run: the headings, the names at the seats, and the first line about
/// the object.
fn first_texts(answer: &Answer) -> Vec<String> {
    let string = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    let body = std::str::from_utf8(&answer.body).expect("text");
    let (mut texts, mut is_shown) = (Vec::new(), false);
    for token in Tokenizer::new(body) {
        match token.expect("it is in memory") {
            Token::StartTag(tag) => {
                let class = tag.attributes.get(b"class".as_slice());
                let class = class.map(|value| string(value)).unwrap_or_default();
                is_shown = tag.name.as_slice() == b"h1"
                    || ["player", "status", "lead"].contains(&class.as_str());
            }
            Token::EndTag(_) => is_shown = false,
            Token::String(words) if is_shown => texts.push(string(&words)),
            _ => {}
        }
    }
    texts
}

#[tokio::test]
async fn a_document_says_of_its_object_what_its_card_says() {
    let server = TestServer::start().await;
    let people = [server.account("Amina").await, server.account("Zofia").await];
    let mut pair = Pair::of(people, false).await;
    let stranger = server.stranger();
    let path = format!("/match/{}", pair.id);
    let running = open(&stranger, &path).await;
    let names = ["Mawe!: Amina – Zofia", "Zofia", "Amina"];
    assert_eq!(
        first_texts(&running),
        [names.as_slice(), &["Mawe! · Rapid · 10 min + 0 s · casual"]].concat()
    );
    let again = async |tag: &str| {
        let request = stranger.request(Method::GET, &path);
        let request = request.header("accept", "text/html");
        Answer::of(request.header("if-none-match", tag)).await
    };
    assert_eq!(again(running.header("etag")).await.status, 304);
    pair.act(0, Command::Resign).await;
    let over = again(running.header("etag")).await;
    assert_eq!(over.status, 200);
    let texts = first_texts(&over);
    assert_eq!(texts[..3], names);
    let result = Head::of(&over).meta("description").replace("Mawe!: ", "");
    assert_eq!(texts[3], result);
    // The analysis of a match begins with its scripts.
    let analysis = open(&stranger, &format!("/analysis/{}", pair.id)).await;
    assert!(first_texts(&analysis).is_empty());

    // A match for those with its link only says to them what its card says.
    let mut guest = server.guest().await;
    let private = with(bot_match(), "private", json!(true));
    let id = guest.post("/api/v1/matches", &private).await.text("/id");
    let private = open(&stranger, &format!("/match/{id}?lang=pl")).await;
    let [title, top, bottom, _] = <[String; 4]>::try_from(first_texts(&private)).expect("four");
    let named = format!("{bottom} – {top}");
    assert!(title.ends_with(&format!(": {named}")), "{title}");
    assert!(
        named.contains("Kokoto, poziom\u{a0}1") && named.contains("Gość "),
        "{named}"
    );
    assert_eq!(Head::of(&private).title, format!("{named} · Mawe!"));

    // A player, in every language; the address has another case.
    for (language, expected) in [
        ("en", "Player · No rated match yet."),
        ("sw", "Mchezaji · Bado hakuna mechi ya ukadiriaji."),
        ("pl", "Gracz · Jeszcze bez partii rankingowej."),
        ("ml", "അംഗം · റേറ്റിങ്ങുള്ള മത്സരം ഇതുവരെയില്ല."),
    ] {
        let player = open(&stranger, &format!("/player/amina?lang={language}")).await;
        assert_eq!(first_texts(&player), ["Amina", expected]);
    }
    for path in ["/match/AAAAAAAAAAAA", "/player/Nobody"] {
        let missing = open(&stranger, path).await;
        assert_eq!(missing.status, 404);
        assert_eq!(first_texts(&missing), ["Nothing here"], "{path}");
    }
    server.stop().await;

    // Where the operator has a banner, it would move what the document shows.
    let server = TestServer::start_with(|config| {
        config.banner = Some(Banner {
            text: "The cup begins on Friday".into(),
            link: None,
            picture: None,
        });
    })
    .await;
    server.account("Amina").await;
    let player = open(&server.stranger(), "/player/Amina").await;
    assert!(first_texts(&player).is_empty());
    server.stop().await;
}

#[tokio::test]
async fn links_are_absolute_where_an_origin_is_known() {
    let server = TestServer::start_with(|config| {
        config.network.origin = Some("https://mawe.example".to_owned());
    })
    .await;
    let stranger = server.stranger();
    let home = head(&stranger, "/").await;
    assert_eq!(home.meta("og:url"), "https://mawe.example/");
    assert_eq!(
        home.meta("og:image"),
        "https://mawe.example/api/v1/games/mawe/picture.png"
    );
    let robots = stranger.get("/robots.txt").await;
    let robots = String::from_utf8(robots.body).expect("text");
    assert!(robots.ends_with("\nSitemap: https://mawe.example/sitemap.xml\n"));
    assert!(!listed(&stranger, "https://mawe.example").await.is_empty());
    server.stop().await;

    // Without one the host of the request counts, unless it is more than the name of a host.
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let asked = async |path: &str, host: &str| {
        let request = stranger.request(Method::GET, path).header("host", host);
        Answer::of(request.header("accept", "text/html")).await
    };
    let home = Head::of(&asked("/", "play.example:81").await);
    assert_eq!(home.meta("og:url"), "http://play.example:81/");
    for host in ["a_b", "a~b", "a'b", "a&b"] {
        let answer = asked("/", host).await;
        if answer.status == 400 {
            continue;
        }
        let home = Head::of(&answer);
        assert_eq!(home.canonical, "/", "{host}");
        for name in ["og:url", "og:image", "twitter:card"] {
            assert!(!home.metas.contains_key(name), "{host} {name}");
        }
        assert!(home.alternates.is_empty(), "{host}");
        assert_eq!(asked("/sitemap.xml", host).await.status, 404);
    }
    server.stop().await;
}
