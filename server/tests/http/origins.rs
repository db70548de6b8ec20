//! Pages of other origins: they read what is public, act by tokens, and never by a cookie.

use reqwest::Method;
use serde_json::json;

use super::bot_match;
use crate::common::{Answer, PASSWORD, Person, TestServer};

const ELSEWHERE: &str = "https://elsewhere.example";

async fn from_elsewhere(person: &Person, method: Method, path: &str) -> Answer {
    let request = person.request(method, path).header("origin", ELSEWHERE);
    Answer::of(request).await
}

/// The headers of a comma-separated list, in lower case.
fn words(answer: &Answer, header: &str) -> Vec<String> {
    let list = answer.header(header).split(',');
    list.map(|word| word.trim().to_ascii_lowercase()).collect()
}

#[track_caller]
fn is_readable(answer: &Answer) {
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert!(!answer.has_header("access-control-allow-credentials"));
    let exposed = words(answer, "access-control-expose-headers");
    for header in [
        "ratelimit",
        "ratelimit-policy",
        "retry-after",
        "etag",
        "x-request-id",
        "idempotency-replayed",
    ] {
        assert!(exposed.iter().any(|one| one == header), "{exposed:?}");
    }
}

#[tokio::test]
async fn a_preflight_permits_what_programs_send() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    for (method, path) in [
        ("POST", "/api/v1/matches"),
        ("PUT", "/api/v1/matches/x/conditional-moves"),
        ("DELETE", "/api/v1/challenges/x"),
        ("PATCH", "/api/v1/me/preferences"),
        ("GET", "/api/v1/me"),
    ] {
        let request = stranger
            .request(Method::OPTIONS, path)
            .header("origin", ELSEWHERE)
            .header("access-control-request-method", method)
            .header(
                "access-control-request-headers",
                "authorization,content-type,idempotency-key",
            );
        let answer = Answer::of(request).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.header("access-control-allow-origin"), "*");
        assert!(!answer.has_header("access-control-allow-credentials"));
        let methods = words(&answer, "access-control-allow-methods");
        assert!(
            methods.contains(&method.to_ascii_lowercase()),
            "{methods:?}"
        );
        let headers = words(&answer, "access-control-allow-headers");
        for header in ["authorization", "content-type", "idempotency-key"] {
            assert!(headers.iter().any(|one| one == header), "{headers:?}");
        }
        assert!(answer.has_header("access-control-max-age"));
    }
    // The page itself is not for other pages.
    let page = from_elsewhere(&stranger, Method::GET, "/").await;
    assert!(!page.has_header("access-control-allow-origin"));
    server.stop().await;
}

#[tokio::test]
async fn a_page_elsewhere_reads_public_data_and_problems() {
    let server = TestServer::start().await;
    let stranger = server.stranger();
    for (path, status) in [
        ("/api/v1/games", 200),
        ("/api/v1/players/nobody", 404),
        ("/api/v1/me/matches", 401),
        ("/api/v1/nothing", 404),
        ("/api/openapi.json", 200),
    ] {
        let answer = from_elsewhere(&stranger, Method::GET, path).await;
        assert_eq!(answer.status, status, "{path}");
        is_readable(&answer);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_page_elsewhere_acts_by_a_token_and_never_by_a_cookie() {
    let server = TestServer::start().await;
    let mut person = server.account("Amina").await;
    let program = person.program(&["read", "play"]).await;
    // The browser of Amina: with a cookie, and with another origin.
    for path in [
        "/api/v1/me/matches",
        "/api/v1/me/notices",
        "/api/v1/me/tokens",
    ] {
        let answer = from_elsewhere(&person, Method::GET, path).await;
        answer.problem(401, "sign-in-first");
        assert_eq!(person.get(path).await.status, 200, "{path}");
    }
    let me = from_elsewhere(&person, Method::GET, "/api/v1/me").await;
    assert_eq!(me.json()["player"], json!(null), "{me:?}");
    assert!(!me.has_header("set-cookie"));
    let wish = |person: &Person| {
        let request = person.request(Method::POST, "/api/v1/matches");
        request.header("origin", ELSEWHERE).json(&bot_match())
    };
    let refused = Answer::of(wish(&person)).await;
    refused.problem(403, "foreign-origin");
    is_readable(&refused);
    // A page elsewhere could otherwise guess passwords from the addresses of its readers, by a token that nobody looks at.
    for path in ["/api/v1/sessions", "/api/v1/appeals", "/api/v1/accounts"] {
        let guess = server.stranger().request(Method::POST, path);
        let guess = guess
            .header("origin", ELSEWHERE)
            .header("authorization", "Bearer x")
            .json(&json!({ "name": "Amina", "password": PASSWORD, "text": "x" }));
        Answer::of(guess).await.problem(403, "foreign-origin");
    }
    // The token works with any cookie beside it.
    let made = Answer::of(wish(&program)).await;
    assert_eq!(made.status, 201);
    is_readable(&made);
    let mine = from_elsewhere(&program, Method::GET, "/api/v1/me/matches").await;
    assert_eq!(mine.json()["items"][0]["id"], made.json()["id"]);
    // From our own origin the cookie is used, with its header and without.
    let own = format!("http://{}", server.address);
    let request = person.request(Method::GET, "/api/v1/me/matches");
    assert_eq!(Answer::of(request.header("origin", own)).await.status, 200);
    server.stop().await;
}
