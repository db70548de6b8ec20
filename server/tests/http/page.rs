//! The page's files, other origins, and the document of the API.

use std::io::Read;

use reqwest::Method;
use serde_json::{Value, json};

use super::{NOBODYS, bot_match};
use crate::common::{Answer, Person, TestServer};

/// Returns a document as text.
pub(super) fn document_of(answer: &Answer) -> String {
    String::from_utf8(answer.body.clone()).expect("text")
}

/// Returns the version of the page, from the links of a document.
pub(super) async fn version_of(client: &Person) -> String {
    let document = document_of(&client.get("/").await);
    let (_, rest) = document.split_once("src=\"/v/").expect("a link");
    let (version, _) = rest.split_once("/theme.js\"").expect("the first one");
    version.to_owned()
}

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
            !read
                .headers
                .contains_key("access-control-allow-credentials"),
            "the page sees no answer to a cookie"
        );
        assert!(
            !String::from_utf8_lossy(&read.body).contains("Rafiki"),
            "the cookie is ignored"
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
        // The page's own scripts and the rules as WebAssembly, nothing else: text is never evaluated.
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
        "/rules/oware",
        "/player/mawe-Kete",
        "/app.js",
        "/sw.js",
        "/css/base.css",
        "/i18n/ml.json",
        "/manifest.webmanifest",
        "/wasm/rules_bg.wasm",
        "/wasm/engine_bg.wasm",
        "/api/docs",
        "/api/openapi.json",
    ] {
        let plain = asked(path, "identity").await;
        assert!(!plain.headers.contains_key("content-encoding"), "{path}");
        let tag = plain.header("etag");
        for (accepted, coding) in [
            ("gzip, deflate, br, zstd", "br"),
            ("gzip;q=0.5,BR;q=0.9", "br"),
            ("br;q=0, gzip", "gzip"),
        ] {
            let packed = asked(path, accepted).await;
            assert_eq!(packed.header("content-encoding"), coding, "{path}");
            assert_eq!(packed.header("content-type"), plain.header("content-type"));
            assert!(packed.body.len() * 4 < plain.body.len() * 3, "{path}");
            assert!(unpacked(&packed) == plain.body, "{path}");
            // The encoding changes the bytes of the same version.
            assert_eq!(packed.header("etag"), format!("W/{tag}"), "{path}");
            let again = stranger.request(Method::GET, path);
            let again = again
                .header("accept-encoding", accepted)
                .header("if-none-match", packed.header("etag"));
            let again = Answer::of(again).await;
            assert_eq!(again.status, 304, "{path}");
            assert!(again.body.is_empty(), "{path}");
            for answer in [&plain, &packed, &again] {
                assert!(answer.header("vary").contains("accept-encoding"), "{path}");
            }
        }
    }
    // A font is compressed already, and the picture is as short as the headers.
    for path in ["/fonts/noto-sans-malayalam-400.woff2", "/icon.svg"] {
        let answer = asked(path, "gzip, br").await;
        assert_eq!(answer.status, 200);
        assert!(!answer.headers.contains_key("content-encoding"));
    }
    // Only the parts of three documents that are written for each response were compressed on threads that handle other requests, three
    // times each.
    let inline = server.app().compression.inline_bytes();
    assert!((1..3 * 3 * 4 * 1024).contains(&inline), "{inline}");
    server.stop().await;
}

/// Returns whether `Vary` names this header.
fn varies_by(answer: &Answer, name: &str) -> bool {
    let vary = answer.headers.get_all("vary").iter();
    let mut vary = vary.map(|value| value.to_str().expect("ASCII"));
    vary.any(|value| value == name)
}

/// Returns the body without its compression.
pub(super) fn unpacked(answer: &Answer) -> Vec<u8> {
    let mut unpacked = Vec::new();
    match answer.header("content-encoding") {
        "br" => {
            brotli::BrotliDecompress(&mut answer.body.as_slice(), &mut unpacked).expect("Brotli");
        }
        "gzip" => {
            let mut decoder = flate2::read::GzDecoder::new(answer.body.as_slice());
            decoder.read_to_end(&mut unpacked).expect("gzip");
        }
        other => panic!("{other}"),
    }
    unpacked
}

#[tokio::test]
async fn little_of_an_answer_of_its_own_is_packed_where_others_wait() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    let packed = async |person: &Person, path: &str| {
        let before = server.app().compression.inline_bytes();
        let request = person.request(Method::GET, path);
        let answer = Answer::of(request.header("accept-encoding", "gzip, br")).await;
        assert_eq!(answer.status, 200, "{path}");
        (answer, server.app().compression.inline_bytes() - before)
    };
    // A body that fits in a packet is sent uncompressed.
    let (small, inline) = packed(&person, "/api/v1/me").await;
    assert!(!small.headers.contains_key("content-encoding"));
    assert_eq!(inline, 0);
    // A longer one is compressed at once...
    for _ in 0..4 {
        person.post("/api/v1/matches", &bot_match()).await;
    }
    let plain = person.get("/api/v1/me/matches").await;
    assert!(plain.body.len() > 1024);
    let (some, inline) = packed(&person, "/api/v1/me/matches").await;
    assert_eq!(some.header("content-encoding"), "gzip");
    assert!(some.header("vary").contains("accept-encoding"));
    assert_eq!(usize::try_from(inline), Ok(unpacked(&some).len()));
    // ...and a much longer one on another thread.
    for _ in 0..36 {
        person.post("/api/v1/matches", &bot_match()).await;
    }
    let plain = person.get("/api/v1/me/matches").await;
    assert!(plain.body.len() > 16 * 1024, "{}", plain.body.len());
    let (long, inline) = packed(&person, "/api/v1/me/matches").await;
    assert_eq!(long.header("content-encoding"), "gzip");
    assert_eq!(
        unpacked(&long).len(),
        plain.body.len(),
        "the same matches, with other clocks"
    );
    assert_eq!(inline, 0);
    server.stop().await;
}

#[tokio::test]
async fn the_page_is_served_at_each_of_its_addresses() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let page = stranger.get("/index.html").await;
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    // The same document for all pages, with the first texts of each page in it.
    let text = document_of;
    // The one for the service worker has the paths of the files instead of the addresses in this version.
    let version = format!("=\"/v/{}/", version_of(&stranger).await);
    let document = text(&page);
    let parts = |document: &str| {
        let document =
            document.replace("<html lang=\"en\">", "<html lang=\"en\" data-words=\"en\">");
        let (start, rest) = document.split_once("<!--head-->").expect("a place");
        let (head, rest) = rest.split_once("<!--first-->").expect("a place");
        let (middle, end) = rest.split_once("<!--words-->").expect("a place");
        [start, head, middle, end].map(str::to_owned)
    };
    let usual = parts(&document);
    // It loads the modules that a match needs at once, and all others later.
    let of_match = parts(&document.replace(" fetchpriority=\"low\"", ""));
    // The first content of some pages needs a style sheet of its own.
    let sheet = |name: &str| format!("<link rel=\"stylesheet\" href=\"/css/{name}.css\">");
    let last = sheet("home");
    let [of_player, of_watch, of_rules] = ["player", "watch", "rules"]
        .map(|own| parts(&document.replace(&last, &format!("{last}\n{}", sheet(own)))));
    assert!(![&of_match, &of_player, &of_watch, &of_rules].contains(&&usual));
    let mut amina = server.account("Amina").await;
    let id = amina.post("/api/v1/matches", &bot_match()).await;
    let of_match_path = format!("/match/{}", id.text("/id"));
    for path in [
        "/",
        &of_match_path,
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
        assert!(varies_by(&answer, "accept-language"));
        let shown = text(&answer).replace(&version, "=\"/");
        let [start, head, middle, end] = match path {
            "/player/Amina" => &of_player,
            "/watch" => &of_watch,
            "/rules/mawe" => &of_rules,
            path if path == of_match_path => &of_match,
            _ => &usual,
        };
        assert!(shown.starts_with(start) && shown.ends_with(end), "{path}");
        assert!(shown.contains(head) && shown.contains(middle), "{path}");
        let (title, about) = ("Mawe!</title>", "<meta name=\"description\" content=\"");
        let title = if path == "/" {
            "<title>Mawe! – "
        } else {
            title
        };
        assert!(shown.contains(title) && shown.contains(about), "{path}");
        assert!(shown.contains(">Watch</a>"), "{path}");
        assert!(shown.contains("\"menu.watch\": \"Watch\""), "{path}");
        let link = answer
            .headers
            .get("link")
            .map(|link| link.to_str().expect("ASCII"));
        let of_its_own = format!(
            "</api/v1/matches/{}>; rel=preload; as=fetch; crossorigin=anonymous",
            id.text("/id")
        );
        let expected = (path == of_match_path).then_some(of_its_own.as_str());
        assert_eq!(link, expected, "{path}");
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
async fn where_nothing_is_a_person_sees_the_page_say_so_and_a_program_a_problem() {
    let server = TestServer::start().await;
    let mut amina = server.account("Amina").await;
    let id = amina
        .post("/api/v1/matches", &bot_match())
        .await
        .text("/id");
    // The request of a browser that opens an address.
    let browse = async |path: &str, language: &str| {
        let request = server.stranger().request(Method::GET, path);
        let request = request
            .header("accept", "text/html,application/xhtml+xml,*/*;q=0.8")
            .header("accept-language", language);
        Answer::of(request).await
    };
    for path in [
        "/nothing",
        "/watch/more",
        "/rules/chess",
        "/match/AAAAAAAAAAAA",
        "/match/abc",
        "/analysis/AAAAAAAAAAAA",
        "/player/Nobody",
        "/player/Nobody/report",
    ] {
        for (language, words) in [
            ("en", "This page does not exist."),
            ("pl", "Ta strona nie istnieje."),
            ("sw", "Ukurasa huu haupo."),
            ("ml", "ഈ പേജ് നിലവിലില്ല."),
        ] {
            let answer = browse(path, language).await;
            assert_eq!(answer.status, 404, "{path}");
            assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
            for name in ["accept", "accept-language", "accept-encoding"] {
                assert!(varies_by(&answer, name), "{path} {name}");
            }
            assert!(!answer.headers.contains_key("link"), "{path}");
            let text = String::from_utf8(answer.body).expect("text");
            assert!(text.contains(&format!("<p>{words}</p>")), "{path}");
            assert!(text.contains("/app.js\""), "{path}");
        }
    }
    // A missing page keeps its status 404 for a client that has the document already.
    let request = server.stranger().request(Method::GET, "/nothing");
    let request = request.header("accept", "text/html");
    let tag = browse("/nothing", "en").await.header("etag").to_owned();
    let again = Answer::of(request.header("if-none-match", tag)).await;
    assert_eq!(again.status, 404);
    // An existing page is shown.
    for path in [
        &*format!("/match/{id}"),
        &format!("/analysis/{id}"),
        "/player/Amina",
        "/player/amina",
        "/player/Amina/report",
        "/player/mawe-Kete",
    ] {
        assert_eq!(browse(path, "en").await.status, 200, "{path}");
    }
    // An address of the page answers programs as well; any other is not found.
    let stranger = server.stranger();
    assert_eq!(stranger.get("/match/AAAAAAAAAAAA").await.status, 404);
    stranger.get("/nothing").await.problem(404, "not-found");
    let api = stranger
        .request(Method::GET, "/api/v1/nothing")
        .header("accept", "text/html");
    Answer::of(api).await.problem(404, "not-found");
    server.stop().await;
}

#[tokio::test]
async fn browsers_and_crawlers_find_what_they_ask_every_server_for() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    let robots = stranger.get("/robots.txt").await;
    assert_eq!(robots.status, 200);
    assert_eq!(robots.header("content-type"), "text/plain; charset=utf-8");
    let rules = String::from_utf8(robots.body).expect("text");
    assert!(rules.starts_with("User-agent: *\nAllow: /api/v1/games/*/picture.png\n"));
    assert!(rules.contains("\nDisallow: /api/\n"));
    let icon = stranger.get("/favicon.ico").await;
    assert_eq!(icon.status, 200);
    assert_eq!(icon.header("content-type"), "image/x-icon");
    assert!(icon.body.starts_with(&[0, 0, 1, 0]), "an icon file");
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
    assert!(!files.contains_key("/robots.txt") && !files.contains_key("/favicon.ico"));
    for page in shell["pages"].as_array().expect("pages") {
        // A page that shows nothing is answered with the document too.
        let path = format!("/{}", page.as_str().expect("a word"));
        let request = stranger.request(Method::GET, &path);
        let answer = Answer::of(request.header("accept", "text/html")).await;
        assert_eq!(
            answer.header("content-type"),
            "text/html; charset=utf-8",
            "{path}"
        );
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
        (Method::PATCH, "/api/v1/me"),
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
    let server = TestServer::start_with(|config| config.operator_page = true).await;
    let stranger = server.stranger();
    let answer = stranger.get("/api/openapi.json").await;
    assert_eq!(answer.header("content-type"), "application/json");
    let document = answer.json();
    let version = document["openapi"].as_str().expect("a version");
    assert!(version.starts_with("3.1."), "{version}");
    let printed: Value =
        serde_json::from_str(&mawe_server::api::openapi_json()).expect("plain JSON");
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
                // A stream has no end; `streams.rs` reads it.
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
            // The document lists every status that occurs; refusals of the body are common to all routes.
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
async fn guides_and_their_files_are_beside_the_openapi_document() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    for (name, kind, part) in [
        (
            "protocol",
            "text/html; charset=utf-8",
            "<h3 id=\"close-codes\">Close codes</h3>",
        ),
        (
            "api-bots",
            "text/html; charset=utf-8",
            "<a href=\"/api/docs/protocol#what-a-client-must-do\">",
        ),
        ("bot.py", "text/plain; charset=utf-8", "import"),
        (
            "client-messages.schema.json",
            "application/json",
            "\"watch-lobby\"",
        ),
    ] {
        let path = format!("/api/docs/{name}");
        let answer = stranger.get(&path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.header("content-type"), kind, "{path}");
        assert_eq!(answer.header("cache-control"), "no-cache", "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        let again = stranger.request(Method::GET, &path);
        let again = again.header("if-none-match", answer.header("etag"));
        assert_eq!(Answer::of(again).await.status, 304, "{path}");
        let text = String::from_utf8(answer.body).expect("text");
        assert!(text.contains(part), "{path}: {text}");
    }
    let committed = std::fs::read_to_string("../docs/server-messages.schema.json");
    let served = stranger
        .get("/api/docs/server-messages.schema.json")
        .await
        .body;
    assert_eq!(
        String::from_utf8(served).ok(),
        committed.ok(),
        "it is the schema in the repository"
    );
    for name in [
        "",
        "operating",
        "Protocol",
        "protocol.md",
        "..%2Fdocs.js",
        "bot.py/",
    ] {
        let path = format!("/api/docs/{name}");
        stranger.get(&path).await.problem(404, "not-found");
    }
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
