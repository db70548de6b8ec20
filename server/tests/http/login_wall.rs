//! A site for its accounts alone: the requests that need no login, and the refusal of all others.

use reqwest::Method;
use serde_json::json;

use crate::common::socket::Socket;
use crate::common::{Answer, Person, TestServer};

const HTML: &str = "text/html,application/xhtml+xml";

async fn private() -> TestServer {
    TestServer::start_with(|config| config.site.is_public = false).await
}

/// Opens an address as a browser does.
async fn open(person: &Person, path: &str) -> Answer {
    let client = crate::common::http_client()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .expect("a client");
    let mut request = client
        .get(format!("http://{}{path}", person.address))
        .header("accept", HTML);
    if let Some(cookie) = person.cookie() {
        request = request.header("cookie", cookie);
    }
    Answer::of(request).await
}

#[tokio::test]
async fn every_page_leads_to_the_login_and_back() {
    let server = private().await;
    let nobody = server.stranger();
    for path in [
        "/",
        "/watch",
        "/players",
        "/match/AAAAAAAAAAAA",
        "/player/Asha",
        "/settings",
        "/about",
        "/rules/mawe",
        "/analysis",
        "/learn/mawe",
        "/people",
        "/nowhere",
        "/sitemap.xml",
    ] {
        let answer = open(&nobody, path).await;
        assert_eq!(answer.status, 303, "{path}: {answer:?}");
        let next: String = form_urlencoded::byte_serialize(path.as_bytes()).collect();
        let to = if path == "/" {
            "/login".to_owned()
        } else {
            format!("/login?next={next}")
        };
        assert_eq!(answer.header("location"), to, "{path}");
        assert_eq!(answer.header("cache-control"), "private, no-store");
        // A program is told.
        nobody.get(path).await.problem(401, "sign-in-first");
    }
    for path in ["/login", "/register"] {
        let answer = open(&nobody, path).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        assert_eq!(answer.header("cache-control"), "private, no-store");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_files_of_the_page_the_probes_and_the_robots_need_no_login() {
    let server = private().await;
    let nobody = server.stranger();
    for path in [
        "/app.js",
        "/css/base.css",
        "/i18n/en.json",
        "/sw.js",
        "/icon.svg",
        "/manifest.webmanifest",
        "/healthz",
        "/readyz",
        "/third-party-notices.txt",
        "/index.html",
    ] {
        let answer = nobody.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
    }
    let robots = nobody.get("/robots.txt").await;
    assert_eq!(robots.body, b"User-agent: *\nDisallow: /\n");
    let me = nobody.get("/api/v1/me").await.json();
    assert_eq!(me["site"]["public"], false);
    assert_eq!(me["player"], serde_json::Value::Null);
    // The service worker's files are the same on every server.
    let worker = String::from_utf8(nobody.get("/sw.js").await.body).expect("a script");
    let version = worker.split("\"version\":\"").nth(1).expect("a version");
    let version = version.split('"').next().expect("its end");
    let file = nobody.get(&format!("/v/{version}/app.js")).await;
    assert_eq!(file.status, 200);
    assert!(file.header("cache-control").contains("immutable"));
    server.stop().await;
}

#[tokio::test]
async fn an_account_sees_everything_and_no_cache_keeps_it() {
    let server = private().await;
    let mut asha = server.account("Asha").await;
    let mut bahati = server.account("Bahati").await;
    let id = asha.play_with(&mut bahati, "first", false).await;
    for path in [
        "/".to_owned(),
        format!("/match/{id}"),
        format!("/api/v1/matches/{id}"),
        format!("/api/v1/matches/{id}/picture.png"),
        "/api/v1/players/Bahati".to_owned(),
        "/api/v1/games".to_owned(),
        format!("/embed/match/{id}"),
        "/api/openapi.json".to_owned(),
    ] {
        let answer = open(&asha, &path).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        assert_eq!(
            answer.header("cache-control"),
            "private, no-store",
            "{path}"
        );
        let refused = server.stranger().get(&path).await;
        refused.problem(401, "sign-in-first");
    }
    let mut socket = Socket::open(&asha).await;
    let _ = socket.joined(&id).await;
    // Programs go on: by a token of an account, and by one of a bot account.
    let program = asha.program(&["read"]).await;
    let seen = program.get(&format!("/api/v1/matches/{id}")).await;
    assert_eq!(seen.status, 200, "{seen:?}");
    let mut robot = server.account("Robot").await;
    let bot = robot.program(&["bot", "read", "play"]).await;
    let became = Answer::of(bot.request(Method::POST, "/api/v1/me/bot").json(&json!({}))).await;
    assert_eq!(became.status, 200, "{became:?}");
    assert_eq!(bot.get("/api/v1/me/matches").await.status, 200);
    let player = asha.program(&["play"]).await;
    player
        .get("/api/v1/games")
        .await
        .problem(403, "scope-needed");
    let unknown = server
        .stranger()
        .with_token("none")
        .get("/api/v1/games")
        .await;
    unknown.problem(401, "bad-token");
    // The end of the session is the end of all of it.
    let left = asha.delete("/api/v1/sessions/current").await;
    assert_eq!(left.status, 204);
    asha.get("/api/v1/games")
        .await
        .problem(401, "sign-in-first");
    server.stop().await;
}

#[tokio::test]
async fn a_guest_of_before_is_nobody_but_may_keep_the_matches() {
    let server = TestServer::start().await;
    let guest = server.guest().await;
    let id = server.player_id(&guest.name().await).await;
    let directory = server.stop().await;
    let server = TestServer::start_on_as(directory, |config| config.site.is_public = false).await;
    let mut guest = guest.moved_to(server.address);
    guest
        .get("/api/v1/games")
        .await
        .problem(401, "sign-in-first");
    guest
        .get("/api/v1/me/matches")
        .await
        .problem(401, "sign-in-first");
    assert_eq!(open(&guest, "/watch").await.status, 303);
    guest
        .post("/api/v1/guests", &json!({}))
        .await
        .problem(401, "sign-in-first");
    let credentials = super::credentials("Asha", crate::common::PASSWORD);
    let kept = guest.post("/api/v1/accounts", &credentials).await;
    assert_eq!(kept.status, 201, "{kept:?}");
    assert_eq!(server.player_id("Asha").await, id);
    assert_eq!(guest.get("/api/v1/games").await.status, 200);
    server.stop().await;
}
