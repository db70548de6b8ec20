//! The page's files, other origins, and the document of the API.

use reqwest::Method;
use serde_json::{Value, json};

use super::{NOBODYS, bot_match};
use crate::common::{Answer, TestServer};

#[tokio::test]
async fn a_page_of_another_origin_may_read_and_not_act() {
    let server = TestServer::start().await;
    let mut person = server.account("Rafiki").await;
    let own = format!("http://{}", server.address);
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1"] {
        for (method, path) in [
            (Method::POST, "/api/v1/guests"),
            (Method::POST, "/api/v1/matches"),
            (Method::DELETE, "/api/v1/sessions/current"),
        ] {
            let request = person
                .request(method, path)
                .header("origin", origin)
                .json(&bot_match());
            Answer::of(request).await.problem(403, "foreign-origin");
        }
        let read = person
            .request(Method::GET, "/api/v1/me")
            .header("origin", origin);
        let read = Answer::of(read).await;
        assert_eq!(read.status, 200);
        assert!(
            read.headers.get("access-control-allow-origin").is_none(),
            "the page does not get to see it"
        );
    }
    assert_eq!(person.name().await, "Rafiki", "still signed in");
    let request = person
        .request(Method::DELETE, "/api/v1/sessions/current")
        .header("origin", own);
    assert_eq!(person.send(request).await.status, 204);
    server.stop().await;
}

#[tokio::test]
async fn every_answer_carries_the_security_headers() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    for path in ["/", "/match/x", "/api/v1/me", "/api/v1/nothing", "/healthz"] {
        let answer = stranger.get(path).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("default-src 'self'"), "{path}: {policy}");
        // The page's own scripts and the rules as WebAssembly, nothing else: no text is ever run.
        let scripts = policy
            .split("; ")
            .find(|part| part.starts_with("script-src "));
        assert_eq!(
            scripts,
            Some("script-src 'self' 'wasm-unsafe-eval'"),
            "{path}: {policy}"
        );
        assert!(
            policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "same-origin", "{path}");
        assert_eq!(
            answer.header("cross-origin-opener-policy"),
            "same-origin",
            "{path}"
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn the_page_s_files_are_packed_for_those_who_can_unpack_them() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let asked = |path: &str, accepted: &str| {
        let request = stranger.request(Method::GET, path);
        Answer::of(request.header("accept-encoding", accepted))
    };
    for path in [
        "/",
        "/app.js",
        "/css/base.css",
        "/i18n/ml.json",
        "/icon.svg",
    ] {
        let plain = asked(path, "identity").await;
        assert!(!plain.headers.contains_key("content-encoding"), "{path}");
        for accepted in ["gzip, deflate, br, zstd", "gzip;q=0.5,BR;q=0.9"] {
            let packed = asked(path, accepted).await;
            assert_eq!(packed.header("content-encoding"), "br", "{path}");
            assert!(packed.header("vary").contains("accept-encoding"), "{path}");
            assert_eq!(packed.header("content-type"), plain.header("content-type"));
            assert!(packed.body.len() * 4 < plain.body.len() * 3, "{path}");
            let mut unpacked = Vec::new();
            brotli::BrotliDecompress(&mut packed.body.as_slice(), &mut unpacked).expect("Brotli");
            assert_eq!(unpacked, plain.body, "{path}");
        }
        let refused = asked(path, "br;q=0, gzip").await;
        assert_eq!(refused.header("content-encoding"), "gzip", "{path}");
    }
    // A font is packed already, however it is asked for.
    let font = asked("/fonts/noto-sans-malayalam-400.woff2", "br").await;
    assert_eq!(font.status, 200);
    server.stop().await;
}

#[tokio::test]
async fn the_page_is_served_at_each_of_its_addresses() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let page = stranger.get("/index.html").await;
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    // The same document everywhere, with the first words of each page in it, and all that it says.
    let text = |answer: &Answer| String::from_utf8(answer.body.clone()).expect("text");
    let document = text(&page);
    let parts = |document: &str| {
        let document =
            document.replace("<html lang=\"en\">", "<html lang=\"en\" data-words=\"en\">");
        let (start, rest) = document.split_once("<!--first-->").expect("a place");
        let (middle, end) = rest.split_once("<!--words-->").expect("a place");
        [start, middle, end].map(str::to_owned)
    };
    let usual = parts(&document);
    // Its modules are what a match needs at once, and all others later.
    let of_match = parts(&document.replace(" fetchpriority=\"low\"", ""));
    assert_ne!(usual, of_match);
    for path in [
        "/",
        "/match/abc",
        "/device/abc",
        "/challenge/abc",
        "/player/Amina",
        "/players/mawe",
        "/watch",
        "/settings",
        "/about",
        "/rules/mawe",
        "/login",
        "/register",
    ] {
        let answer = stranger.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.header("content-type"), page.header("content-type"));
        assert!(answer.header("vary").contains("accept-language"));
        let shown = text(&answer);
        let [start, middle, end] = if path.starts_with("/match/") {
            &of_match
        } else {
            &usual
        };
        assert!(shown.starts_with(start) && shown.ends_with(end), "{path}");
        assert!(shown.contains(middle), "{path}");
        assert!(shown.contains(">Watch</a>"), "{path}");
        assert!(shown.contains("\"menu.watch\": \"Watch\""), "{path}");
        let link = answer
            .headers
            .get("link")
            .map(|link| link.to_str().expect("ASCII"));
        let of_its_own = "</api/v1/matches/abc>; rel=preload; as=fetch; crossorigin=anonymous";
        assert_eq!(link, (path == "/match/abc").then_some(of_its_own), "{path}");
        let again = stranger
            .request(Method::GET, path)
            .header("if-none-match", answer.header("etag"));
        assert_eq!(Answer::of(again).await.status, 304, "{path}");
        let polish = stranger
            .request(Method::GET, path)
            .header("accept-language", "de,pl;q=0.9,en;q=0.8");
        let polish = Answer::of(polish).await;
        assert!(
            text(&polish).contains("<html lang=\"pl\" data-words=\"pl\">"),
            "{path}"
        );
        assert_ne!(polish.header("etag"), answer.header("etag"), "{path}");
    }
    let rules = text(&stranger.get("/rules/mawe").await);
    assert!(
        rules.contains("<a class=\"button\" href=\"/rules/mawe\" aria-current=\"page\">Mawe!</a>")
    );
    for path in [
        "/nothing",
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/tests/x",
    ] {
        stranger.get(path).await.problem(404, "not-found");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_service_worker_knows_every_file_of_the_page_by_its_tag() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let worker = stranger.get("/sw.js").await;
    assert!(worker.header("content-type").contains("javascript"));
    let script = String::from_utf8_lossy(worker.body.as_ref()).into_owned();
    let (first, source) = script.split_once('\n').expect("two lines");
    let shell = first
        .strip_prefix("self.SHELL = ")
        .and_then(|rest| rest.strip_suffix(';'))
        .expect("the list");
    let shell: Value = serde_json::from_str(shell).expect("JSON");
    assert!(source.contains("skipWaiting"));
    let files = shell["files"].as_object().expect("files");
    for path in ["/index.html", "/app.js", "/wasm/rules_bg.wasm"] {
        assert!(files.contains_key(path), "{path}");
    }
    for (path, tag) in files {
        assert!(!path.starts_with("/tests/") && path != "/sw.js", "{path}");
        let answer = stranger.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(
            answer.header("etag"),
            tag.as_str().expect("a tag"),
            "{path}"
        );
    }
    for page in shell["pages"].as_array().expect("pages") {
        let path = format!("/{}/x", page.as_str().expect("a word"));
        if path != "//x" {
            assert_eq!(stranger.get(&path).await.status, 200, "{path}");
        }
    }
    let again = stranger
        .request(Method::GET, "/sw.js")
        .header("if-none-match", worker.header("etag"));
    assert_eq!(Answer::of(again).await.status, 304);
    server.stop().await;
}

#[tokio::test]
async fn a_method_that_an_address_does_not_take_is_refused() {
    let server = TestServer::start().await;
    let mut stranger = server.stranger();
    for (method, path) in [
        (Method::DELETE, "/api/v1/me"),
        (Method::PUT, "/api/v1/guests"),
        (Method::GET, "/api/v1/guests"),
        (Method::PATCH, "/api/v1/matches"),
        (Method::POST, "/api/openapi.json"),
        (Method::POST, "/"),
        (Method::DELETE, "/login"),
    ] {
        let request = stranger.request(method.clone(), path).json(&json!({}));
        let answer = stranger.send(request).await;
        answer.problem(405, "method-not-allowed");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_openapi_document_describes_routes_that_are_there() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let answer = stranger.get("/api/openapi.json").await;
    assert_eq!(answer.header("content-type"), "application/json");
    let document = answer.json();
    let version = document["openapi"].as_str().expect("a version");
    assert!(version.starts_with("3.1."), "{version}");
    let printed: Value =
        serde_json::from_str(&mawe_server::http::openapi_json()).expect("plain JSON");
    assert_eq!(document, printed, "`mawe openapi` prints the same");
    let paths = document["paths"].as_object().expect("there are paths");
    assert!(paths.len() > 10);
    for (path, item) in paths {
        for (method, operation) in item.as_object().expect("operations") {
            let method: Method = method.to_uppercase().parse().expect("a method");
            let concrete = path
                .replace("{id}", NOBODYS)
                .replace("{name}", "mawe-Kete")
                .replace("{game}", "mawe");
            let request = stranger.request(method.clone(), &concrete);
            if path.ends_with("/stream") {
                // It has no end; `streams.rs` reads it.
                let answer = request.send().await.expect("an answer");
                let status = answer.status().as_u16().to_string();
                assert!(
                    !operation["responses"][&status].is_null(),
                    "{path} answers {status}"
                );
                continue;
            }
            let answer = Answer::of(request).await;
            let status = answer.status.as_u16();
            assert_ne!(status, 405, "{method} {path}");
            assert!(status < 500, "{method} {path}: {answer:?}");
            if status == 404 {
                let detail = answer.text("/detail");
                assert_ne!(detail, "there is no such address", "{method} {path}");
                assert!(
                    detail.starts_with("there is no such"),
                    "{method} {path}: {detail}"
                );
            }
            // What it answers is what it is said to answer; refusals of the body come with every route.
            let said = operation["responses"].as_object().expect("responses");
            assert!(
                said.contains_key(&status.to_string()) || [400, 413, 415, 422].contains(&status),
                "{method} {path} answers {status}, of which the document knows nothing"
            );
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn the_openapi_document_has_a_page_of_our_own() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let page = stranger.get("/api/docs").await;
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert!(
        !page
            .header("content-security-policy")
            .contains("unsafe-inline")
    );
    let text = String::from_utf8(page.body).expect("text");
    let linked = text.split('"').filter(|part| part.starts_with('/'));
    let mut found = 0;
    for path in linked {
        let answer = stranger.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        found += 1;
    }
    assert!(found >= 5, "{text}");
    assert!(!text.contains("://"), "nothing comes from another host");
    server.stop().await;
}

#[tokio::test]
async fn the_server_says_that_it_lives_and_is_ready() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    for (path, text) in [("/healthz", "ok\n"), ("/readyz", "ready\n")] {
        let answer = stranger.get(path).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.body, text.as_bytes());
    }
    server.stop().await;
}
