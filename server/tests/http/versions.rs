//! The addresses of the page's files below a version, and how long each may be stored.

use reqwest::Method;

use super::framing::Line;
use super::page::{document_of, unpacked, version_of};
use crate::common::{Answer, TestServer};

const FOR_GOOD: &str = "public, max-age=31536000, immutable";
const REVALIDATED: &str = "no-cache";

/// A version that no server has.
const OTHER: &str = "AAAAAAAAAAAAAAAA";

#[tokio::test]
async fn a_document_links_to_files_that_may_be_stored_for_good() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let version = version_of(&stranger).await;
    for path in ["/", "/watch", "/rules/oware", "/settings"] {
        let answer = stranger.get(path).await;
        assert_eq!(answer.header("cache-control"), REVALIDATED, "{path}");
        let document = document_of(&answer);
        let links: Vec<&str> = document
            .split([' ', '>'])
            .filter_map(|word| word.strip_prefix("src=").or(word.strip_prefix("href=")))
            .map(|link| link.trim_matches('"'))
            .filter(|link| link.contains('.') && !link.contains("://"))
            .collect();
        assert!(links.len() > 60, "{links:?}");
        for link in links {
            let file = stranger.get(link).await;
            assert_eq!(file.status, 200, "{link}");
            let is_versioned = link.starts_with(&format!("/v/{version}/"));
            assert!(is_versioned || link == "/manifest.webmanifest", "{link}");
            let expected = if is_versioned { FOR_GOOD } else { REVALIDATED };
            assert_eq!(file.header("cache-control"), expected, "{link}");
        }
    }
    // The documents of another language, of a missing page and of the worker.
    let polish = stranger
        .request(Method::GET, "/")
        .header("accept-language", "pl");
    let polish = document_of(&Answer::of(polish).await);
    assert!(polish.contains(&format!("src=\"/v/{version}/app.js\"")));
    let stored = document_of(&stranger.get("/index.html").await);
    assert!(stored.contains("src=\"/app.js\"") && !stored.contains("/v/"));
    server.stop().await;
}

#[tokio::test]
async fn only_the_present_version_is_immutable_and_every_other_is_served_as_without_one() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let version = version_of(&stranger).await;
    for name in [
        "app.js",
        "css/base.css",
        "i18n/rules/ml.json",
        "icon.svg",
        "art/oware.svg",
        "fonts/noto-sans-malayalam-400.woff2",
        "wasm/rules_bg.wasm",
        "index.html",
        "manifest.webmanifest",
    ] {
        let plain = stranger.get(&format!("/{name}")).await;
        assert_eq!(plain.header("cache-control"), REVALIDATED, "{name}");
        let own = format!("/v/{version}/{name}");
        for (path, expected) in [
            (own.clone(), FOR_GOOD),
            (format!("{own}?query"), FOR_GOOD),
            (format!("/v/{OTHER}/{name}"), REVALIDATED),
            (format!("/v/{version}A/{name}"), REVALIDATED),
            (format!("/v/{}/{name}", &version[1..]), REVALIDATED),
            (format!("/v//{name}"), REVALIDATED),
            (format!("/v/%00\"<b>/{name}"), REVALIDATED),
        ] {
            let answer = stranger.get(&path).await;
            assert_eq!(answer.status, 200, "{path}");
            assert_eq!(answer.header("cache-control"), expected, "{path}");
            assert!(answer.body == plain.body, "{path}");
            for header in ["content-type", "etag", "content-security-policy"] {
                assert_eq!(answer.header(header), plain.header(header), "{path}");
            }
            let again = stranger
                .request(Method::GET, &path)
                .header("if-none-match", answer.header("etag"));
            let again = Answer::of(again).await;
            assert_eq!(again.status, 304, "{path}");
            assert_eq!(again.header("cache-control"), expected, "{path}");
            assert!(again.body.is_empty(), "{path}");
            let stale = stranger
                .request(Method::GET, &path)
                .header("if-none-match", "\"of another version\"");
            assert_eq!(Answer::of(stale).await.status, 200, "{path}");
            let head = Answer::of(stranger.request(Method::HEAD, &path)).await;
            assert_eq!(head.status, 200, "{path}");
            assert_eq!(head.header("cache-control"), expected, "{path}");
            let length = plain.body.len().to_string();
            assert_eq!(head.header("content-length"), length, "{path}");
            assert!(head.body.is_empty(), "{path}");
            // Parts of files are not served, with or without a version: the whole file is a permitted response.
            let part = stranger
                .request(Method::GET, &path)
                .header("range", "bytes=0-9");
            let part = Answer::of(part).await;
            assert_eq!(part.status, 200, "{path}");
            assert_eq!(part.header("cache-control"), expected, "{path}");
            assert!(!part.headers.contains_key("content-range"), "{path}");
            assert!(part.body == plain.body, "{path}");
        }
        for (accepted, coding) in [("br, gzip", "br"), ("gzip", "gzip")] {
            let request = stranger.request(Method::GET, &own);
            let packed = Answer::of(request.header("accept-encoding", accepted)).await;
            assert_eq!(packed.header("cache-control"), FOR_GOOD, "{own}");
            if plain.headers.contains_key("vary") {
                assert_eq!(packed.header("content-encoding"), coding, "{own}");
                assert_eq!(packed.header("vary"), "accept-encoding", "{own}");
                assert!(unpacked(&packed) == plain.body, "{own}");
            } else {
                assert!(packed.body == plain.body, "{own}");
            }
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn below_a_version_is_nothing_but_its_files() {
    let server = TestServer::start().await;
    let mut stranger = server.stranger();
    let version = version_of(&stranger).await;
    for version in [&version, OTHER] {
        for name in [
            "",
            "nothing.js",
            "sw.js",
            "robots.txt",
            "favicon.ico",
            "sitemap.xml",
            "third-party-notices.txt",
            "apidocs/docs.js",
            "first/home.html",
            "i18n/cards/en.json",
            "tests/sw.test.js",
            "core/wire.d.ts",
            "css",
            "watch",
            "api/v1/me",
            "v/AAAAAAAAAAAAAAAA/app.js",
        ] {
            let path = format!("/v/{version}/{name}");
            let answer = stranger.get(&path).await;
            answer.problem(404, "not-found");
            assert!(!answer.headers.contains_key("cache-control"), "{path}");
            let browser = stranger.request(Method::GET, &path);
            let shown = Answer::of(browser.header("accept", "text/html")).await;
            assert_eq!(shown.status, 404, "{path}");
            assert_eq!(shown.header("cache-control"), REVALIDATED, "{path}");
        }
        let path = format!("/v/{version}/app.js");
        let posted = stranger.post(&path, &serde_json::json!({})).await;
        posted.problem(405, "method-not-allowed");
        // A library would resolve these paths before it sends them.
        for way in [
            "../Cargo.toml",
            "../../Cargo.toml",
            "../../server/Cargo.toml",
            "css/../../Cargo.toml",
            "css/../app.js",
            "%2e%2e/Cargo.toml",
            "..%2fCargo.toml",
            "css%2fbase.css",
            "..\\Cargo.toml",
            "/app.js/../../Cargo.toml",
            "./app.js",
            "app.js/",
            "app.js%00",
        ] {
            let path = format!("/v/{version}/{way}");
            let mut line = Line::to(server.address).await;
            let host = server.address;
            line.send(&format!("GET {path} HTTP/1.1\r\nhost: {host}\r\n\r\n"))
                .await;
            let answer = line.answer().await;
            assert_eq!(answer.status, 404, "{path}");
            assert!(!answer.head.contains("immutable"), "{path}");
        }
    }
    for path in ["/v", "/v/", "/v/app.js"] {
        stranger.get(path).await.problem(404, "not-found");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_refused_request_for_a_file_is_not_stored() {
    let server = TestServer::start_with(|config| {
        config.rates.requests_per_minute = std::num::NonZeroU32::MIN;
    })
    .await;
    let stranger = server.stranger();
    let version = version_of(&stranger).await;
    let path = format!("/v/{version}/core/id.js");
    let mut answers = Vec::new();
    for _ in 0..20 {
        answers.push(stranger.get(&path).await);
    }
    assert_eq!(answers[0].status, 200);
    let refused = answers.iter().find(|answer| answer.status == 429);
    let refused = refused.expect("the limit is reached");
    let control = refused.headers.get("cache-control");
    assert!(control.is_none_or(|control| control != FOR_GOOD));
    server.stop().await;
}
