//! Guests, accounts, sessions, and limits on attempts.

use reqwest::Method;
use serde_json::json;

use super::{bot_match, credentials, with};
use crate::common::{Answer, PASSWORD, Person, TestServer, nobody};

#[tokio::test]
async fn a_guest_is_somebody_and_stays_so() {
    let server = TestServer::start().await;
    let mut person = server.stranger();
    assert_eq!(person.get("/api/v1/me").await.json(), nobody());
    let created = person.post("/api/v1/guests", &json!({})).await;
    assert_eq!(created.status, 201);
    let cookie = created.header("set-cookie");
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    assert!(
        !cookie.contains("Secure"),
        "this server has no TLS: {cookie}"
    );
    let me = person.get("/api/v1/me").await.json();
    assert_eq!(me, created.json());
    assert_eq!(me["player"]["kind"], "guest");
    assert!(person.name().await.starts_with("Guest-"));
    // A second request changes nothing.
    let again = person.post("/api/v1/guests", &json!({})).await;
    assert_eq!(again.status, 200);
    assert_eq!(again.json(), me);
    assert!(again.headers.get("set-cookie").is_none());
    // Two guests are different players.
    assert_ne!(server.guest().await.name().await, person.name().await);
    server.stop().await;
}

/// Starts a server with an origin over TLS.
async fn over_tls() -> TestServer {
    TestServer::start_with(|config| {
        config.network.origin = Some("https://play.example".to_owned());
    })
    .await
}

/// Requests the client's own player with these cookies.
async fn with_cookies(server: &TestServer, cookies: &str) -> Answer {
    let request = server.stranger().request(Method::GET, "/api/v1/me");
    Answer::of(request.header("cookie", cookies)).await
}

#[tokio::test]
async fn over_tls_the_cookie_belongs_to_this_host_alone() {
    let server = over_tls().await;
    let mut person = server.stranger();
    let request = person
        .request(Method::POST, "/api/v1/guests")
        .header("origin", "https://play.example")
        .json(&json!({}));
    let created = person.send(request).await;
    assert_eq!(created.status, 201);
    let cookie = created.header("set-cookie");
    assert!(cookie.starts_with("__Host-mawe_session="), "{cookie}");
    assert!(cookie.contains("; Path=/;") && cookie.ends_with("; Secure"));
    assert!(!cookie.contains("Domain"));
    let token = created.session().expect("a session");
    let me = with_cookies(&server, &format!("__Host-mawe_session={token}")).await;
    assert_eq!(me.json(), created.json());
    assert!(!me.headers.contains_key("set-cookie"));
    // An earlier session continues, and gets the new cookie name.
    let me = with_cookies(&server, &format!("mawe_session={token}")).await;
    assert_eq!(me.json(), created.json());
    assert_eq!(me.session().as_ref(), Some(&token));
    let set: Vec<&str> = me
        .headers
        .get_all("set-cookie")
        .iter()
        .map(|value| value.to_str().expect("ASCII"))
        .collect();
    assert_eq!(set.len(), 2);
    assert!(set[1].starts_with("mawe_session=; ") && set[1].contains("Max-Age=0"));
    // Logging out deletes both cookies.
    let out = person.delete("/api/v1/sessions/current").await;
    assert_eq!(out.headers.get_all("set-cookie").iter().count(), 2);
    assert_eq!(person.token, None);
    server.stop().await;
}

#[tokio::test]
async fn over_tls_only_pages_of_the_configured_origin_may_act() {
    let server = over_tls().await;
    let host = server.address;
    for origin in [
        "http://play.example",
        "https://play.example:8443",
        // Derived from the Host of the request itself.
        &format!("http://{host}"),
        &format!("https://{host}"),
    ] {
        let request = server.stranger().request(Method::POST, "/api/v1/guests");
        let request = request.header("origin", origin).json(&json!({}));
        Answer::of(request).await.problem(403, "foreign-origin");
        let socket = server.stranger().request(Method::GET, "/api/v1/ws");
        let socket = socket
            .header("origin", origin)
            .header("upgrade", "websocket");
        Answer::of(socket).await.problem(403, "foreign-origin");
    }
    server.stop().await;
}

#[tokio::test]
async fn browsers_are_told_to_stay_with_tls_where_they_have_come_by_it() {
    let server = over_tls().await;
    let plain = TestServer::start().await;
    for path in ["/", "/api/v1/me", "/api/v1/nothing"] {
        let answer = server.stranger().get(path).await;
        assert_eq!(
            answer.header("strict-transport-security"),
            "max-age=31536000",
            "{path}"
        );
        let answer = plain.stranger().get(path).await;
        assert!(
            !answer.headers.contains_key("strict-transport-security"),
            "{path}"
        );
    }
    server.stop().await;
    plain.stop().await;
}

#[tokio::test]
async fn nobody_keeps_an_answer_for_one_person() {
    let server = TestServer::start().await;
    let mut person = server.stranger();
    let created = person.post("/api/v1/guests", &json!({})).await;
    assert_eq!(created.header("cache-control"), "no-store");
    for path in [
        "/api/v1/me",
        "/api/v1/me/matches",
        "/api/v1/me/sessions",
        "/api/v1/me/nothing",
        "/api/v1/players/mawe-Kete/matches",
    ] {
        let answer = person.get(path).await;
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
    }
    // Without a session; answers below `me` depend on the client in any case.
    let stranger = server.stranger();
    assert_eq!(
        stranger.get("/api/v1/me").await.header("cache-control"),
        "no-store"
    );
    let public = stranger.get("/api/v1/players/mawe-Kete/matches").await;
    assert_ne!(
        public.headers.get("cache-control").map(|it| it.as_bytes()),
        Some(&b"no-store"[..])
    );
    // The page's files are the same for all clients.
    assert_eq!(person.get("/").await.header("cache-control"), "no-cache");
    server.stop().await;
}

#[tokio::test]
async fn a_bad_cookie_does_not_hide_a_good_one() {
    let server = TestServer::start().await;
    let mut person = server.stranger();
    let me = person.post("/api/v1/guests", &json!({})).await;
    let good = format!("mawe_session={}", person.token.as_ref().expect("a session"));
    let bad = |number: usize| format!("mawe_session={}", format!("{number}").repeat(43));
    for cookies in [
        format!("{}; {good}", bad(1)),
        format!("{}; {}; {}; {good}", bad(1), bad(2), bad(3)),
        // A value without the form of a token is not looked up.
        format!("mawe_session=; mawe_session=x; {good}"),
        format!("{good}; {}", bad(1)),
    ] {
        assert_eq!(
            with_cookies(&server, &cookies).await.json(),
            me.json(),
            "{cookies}"
        );
    }
    let apart = server.stranger().request(Method::GET, "/api/v1/me");
    let apart = apart.header("cookie", bad(1)).header("cookie", &good);
    assert_eq!(Answer::of(apart).await.json(), me.json());
    // Only a limited number of them is looked up.
    let flood: Vec<String> = (1..=9).map(bad).collect();
    let flood = with_cookies(&server, &format!("{}; {good}", flood.join("; "))).await;
    assert_eq!(flood.json()["player"], json!(null));
    server.stop().await;
}

#[tokio::test]
async fn a_token_that_nobody_was_given_is_nobodys() {
    let server = TestServer::start().await;
    let mut person = server.stranger();
    person.token = Some("x".repeat(43));
    assert_eq!(person.get("/api/v1/me").await.json(), nobody());
    let refused = person.post("/api/v1/matches", &bot_match()).await;
    refused.problem(401, "sign-in-first");
    server.stop().await;
}

#[tokio::test]
async fn a_guest_who_registers_keeps_their_match_and_gets_a_new_session() {
    let server = TestServer::start().await;
    let mut person = server.guest().await;
    let id = person
        .post("/api/v1/matches", &bot_match())
        .await
        .text("/id");
    let old = person.clone();
    let registered = person
        .post("/api/v1/accounts", &credentials("Neema", PASSWORD))
        .await;
    assert_eq!(registered.status, 201);
    assert_eq!(
        registered.json()["player"],
        json!({ "name": "Neema", "kind": "account" })
    );
    assert_ne!(old.token, person.token);
    // The guest's token loses its rights: it may have been stolen while it had few.
    assert_eq!(old.get("/api/v1/me").await.json(), nobody());
    let half = json!({ "kind": "realtime", "base_ms": 60_000 });
    person
        .post("/api/v1/matches", &with(bot_match(), "time_control", half))
        .await
        .bad_field("bad-field", "time_control.increment_ms");
    let running = person.get("/api/v1/me/matches").await.json();
    assert_eq!(running["items"][0]["id"], id.as_str());
    assert_eq!(
        running["items"][0]["seats"]["first"]["player"]["name"],
        "Neema"
    );
    // An account cannot register again.
    let again = person
        .post("/api/v1/accounts", &credentials("Neema2", PASSWORD))
        .await;
    again.problem(409, "has-account");
    server.stop().await;
}

#[tokio::test]
async fn a_name_belongs_to_one_in_any_case() {
    let server = TestServer::start().await;
    server.account("Baraka").await;
    for name in ["Baraka", "baraka", "BARAKA"] {
        let taken = server
            .stranger()
            .post("/api/v1/accounts", &credentials(name, PASSWORD))
            .await;
        taken.problem(409, "name-taken");
        let mut guest = server.guest().await;
        let taken = guest
            .post("/api/v1/accounts", &credentials(name, PASSWORD))
            .await;
        taken.problem(409, "name-taken");
        assert!(guest.name().await.starts_with("Guest-"));
    }
    server.stop().await;
}

#[tokio::test]
async fn bad_names_and_weak_passwords_are_refused_with_advice() {
    let server = TestServer::start().await;
    let mut person = server.stranger();
    for name in [
        "",
        "a",
        "1abc",
        "a b",
        "żółw",
        "Guest-abc",
        "mawe-Bot",
        "Admin",
    ] {
        let refused = person
            .post("/api/v1/accounts", &credentials(name, PASSWORD))
            .await;
        refused.bad_field("bad-name", "name");
    }
    for password in ["", "short", "password", "xxxxxxxxxx", "tatu-imani-tatu"] {
        let refused = person
            .post("/api/v1/accounts", &credentials("Imani", password))
            .await;
        refused.bad_field("weak-password", "password");
    }
    assert_eq!(person.token, None);
    server.get_missing_player("Imani").await;
    server.stop().await;
}

impl TestServer {
    async fn get_missing_player(&self, name: &str) {
        let answer = self
            .stranger()
            .get(&format!("/api/v1/players/{name}"))
            .await;
        answer.problem(404, "not-found");
    }
}

#[tokio::test]
async fn a_wrong_name_and_a_wrong_password_get_the_same_answer() {
    let server = TestServer::start().await;
    server.account("Tumaini").await;
    let guest = server.guest().await.name().await;
    let mut person = server.stranger();
    let mut answers = Vec::new();
    for (name, password) in [
        ("Tumaini", "not the password"),
        ("Nobody", PASSWORD),
        (guest.as_str(), PASSWORD),
        ("mawe-Kete", PASSWORD),
    ] {
        let refused = person
            .post("/api/v1/sessions", &credentials(name, password))
            .await;
        refused.problem(401, "wrong-credentials");
        let mut headers: Vec<(String, String)> = refused
            .headers
            .iter()
            // These differ between any two responses.
            .filter(|(name, _)| !["date", "x-request-id"].contains(&name.as_str()))
            .map(|(name, value)| (name.to_string(), format!("{value:?}")))
            .collect();
        headers.sort();
        let mut body = refused.json();
        body["request_id"].take();
        answers.push((body, headers));
    }
    for answer in &answers[1..] {
        assert_eq!(answer, &answers[0]);
    }
    server.stop().await;
}

#[tokio::test]
async fn logging_in_opens_a_session_and_logging_out_ends_it() {
    let server = TestServer::start().await;
    let mut here = server.account("Furaha").await;
    let mut there = server.stranger();
    let entered = there
        .post("/api/v1/sessions", &credentials("FURAHA", PASSWORD))
        .await;
    assert_eq!(entered.status, 200);
    assert_eq!(entered.text("/player/name"), "Furaha");
    assert_ne!(here.token, there.token);
    let old = here.clone();
    let out = here.delete("/api/v1/sessions/current").await;
    assert_eq!(out.status, 204);
    assert_eq!(here.token, None, "the cookie is taken back");
    assert_eq!(old.get("/api/v1/me").await.json(), nobody());
    assert_eq!(there.name().await, "Furaha", "the other session goes on");
    // Logging out without a session is harmless.
    assert_eq!(
        server
            .stranger()
            .delete("/api/v1/sessions/current")
            .await
            .status,
        204
    );
    server.stop().await;
}

#[tokio::test]
async fn sign_ups_and_guesses_have_limits() {
    let server = TestServer::start_with(|config| {
        config.rates.sign_ups_per_minute = std::num::NonZeroU32::new(3).expect("not zero");
    })
    .await;
    for _ in 0..3 {
        server.guest().await;
    }
    let mut person = server.stranger();
    for (path, body) in [
        ("/api/v1/guests", json!({})),
        ("/api/v1/accounts", credentials("Zawadi", PASSWORD)),
    ] {
        let refused = person.post(path, &body).await;
        refused.problem(429, "too-many-requests");
        let wait: u64 = refused
            .header("retry-after")
            .parse()
            .expect("whole seconds");
        assert!((1..=60).contains(&wait), "{wait}");
    }
    // Logins have a separate limit of the same size.
    let mut statuses = Vec::new();
    for _ in 0..4 {
        let answer = person
            .post("/api/v1/sessions", &credentials("Nobody", PASSWORD))
            .await;
        statuses.push(answer.status.as_u16());
    }
    assert_eq!(statuses, [401, 401, 401, 429]);
    server.stop().await;
}

#[tokio::test]
async fn one_name_cannot_be_guessed_at_for_long() {
    let server = TestServer::start().await;
    let mut person = server.stranger();
    let mut last = person
        .post("/api/v1/sessions", &credentials("Amani", "a guess at it"))
        .await;
    for _ in 0..14 {
        last = person
            .post("/api/v1/sessions", &credentials("aMANI", "a guess at it"))
            .await;
    }
    last.problem(429, "too-many-requests");
    assert!(!last.header("retry-after").is_empty());
    // Others can log in.
    let other = person
        .post("/api/v1/sessions", &credentials("Other", "a guess at it"))
        .await;
    other.problem(401, "wrong-credentials");
    server.stop().await;
}

/// Logs in from an address that the proxy names.
async fn log_in_from(person: &mut Person, address: &str, name: &str, password: &str) -> Answer {
    let request = person
        .request(Method::POST, "/api/v1/sessions")
        .header("x-forwarded-for", address)
        .json(&credentials(name, password));
    person.send(request).await
}

#[tokio::test]
async fn strangers_who_guess_do_not_shut_the_owner_out() {
    let server = TestServer::start_with(|config| config.network.behind_proxy = true).await;
    let mut owner = server.account("Amani").await;
    let thief = owner.clone();
    // An attacker with a hundred networks guesses until each is told to wait.
    let mut guesses = 0;
    for host in 0..100 {
        let address = format!("203.0.113.{host}");
        loop {
            let mut stranger = server.stranger();
            let answer = log_in_from(&mut stranger, &address, "amani", "a guess at it").await;
            if answer.status == 429 {
                break;
            }
            answer.problem(401, "wrong-credentials");
            guesses += 1;
            assert!(guesses <= 100, "no end of guesses");
        }
    }
    // On a known device the owner can log in from anywhere, also from the addresses of the attacker.
    for address in ["198.51.100.1", "203.0.113.1"] {
        assert_eq!(owner.delete("/api/v1/sessions/current").await.status, 204);
        let answer = log_in_from(&mut owner, address, "Amani", PASSWORD).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    // On a new device the owner must wait, for a minute at most.
    let mut fresh = server.stranger();
    let answer = log_in_from(&mut fresh, "198.51.100.2", "Amani", PASSWORD).await;
    answer.problem(429, "too-many-requests");
    let wait: u64 = answer.header("retry-after").parse().expect("seconds");
    assert!((1..=61).contains(&wait), "{wait}");
    // A device known to one account is not known to another.
    owner.delete("/api/v1/sessions/current").await;
    owner.token = None;
    let mut other = owner.clone();
    let registered = other
        .post("/api/v1/accounts", &credentials("Zawadi", PASSWORD))
        .await;
    assert_eq!(registered.status, 201);
    let mut only_zawadi = server.stranger();
    only_zawadi.device = other.device.clone().map(|cookie| {
        let (name, marks) = cookie.split_once('=').expect("a cookie");
        let newest = marks.split('.').next().expect("a mark");
        format!("{name}={newest}")
    });
    let answer = log_in_from(&mut only_zawadi, "198.51.100.3", "Amani", PASSWORD).await;
    answer.problem(429, "too-many-requests");
    // A browser used by both accounts is known to both.
    let answer = log_in_from(&mut other, "198.51.100.3", "Amani", PASSWORD).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    // A device with a mark of the old password is unknown after the change.
    let new = "ndizi na korosho";
    let changed = other
        .post(
            "/api/v1/me/password",
            &json!({ "old": PASSWORD, "new": new }),
        )
        .await;
    assert_eq!(changed.status, 204, "{changed:?}");
    let mut thief = thief;
    let answer = log_in_from(&mut thief, "198.51.100.4", "Amani", "a guess at it").await;
    answer.problem(429, "too-many-requests");
    other.delete("/api/v1/sessions/current").await;
    let answer = log_in_from(&mut other, "198.51.100.5", "Amani", new).await;
    assert_eq!(
        answer.status, 200,
        "the browser of the change is known: {answer:?}"
    );
    server.stop().await;
}

#[tokio::test]
async fn a_known_device_that_guesses_is_slowed_too() {
    let server = TestServer::start().await;
    let mut device = server.account("Amani").await;
    device.delete("/api/v1/sessions/current").await;
    let mut guesses = 0;
    while device
        .post("/api/v1/sessions", &credentials("Amani", "a guess at it"))
        .await
        .status
        == 401
    {
        guesses += 1;
        assert!(guesses <= 20, "no end of guesses");
    }
    let refused = device
        .post("/api/v1/sessions", &credentials("Amani", PASSWORD))
        .await;
    refused.problem(429, "too-many-requests");
    // Other players need not wait.
    let mut stranger = server.stranger();
    let answer = stranger
        .post("/api/v1/sessions", &credentials("Amani", PASSWORD))
        .await;
    assert_eq!(answer.status, 200);
    server.stop().await;
}

#[tokio::test]
async fn a_device_is_remembered_by_a_cookie_of_its_own() {
    let server = TestServer::start().await;
    let mut person = server.stranger();
    let registered = person
        .post("/api/v1/accounts", &credentials("Amani", PASSWORD))
        .await;
    let device_cookie = |answer: &Answer| {
        let cookies = answer.headers.get_all("set-cookie").iter();
        let mut cookies = cookies.map(|cookie| cookie.to_str().expect("ASCII").to_owned());
        cookies.find(|cookie| cookie.contains("mawe_device="))
    };
    let cookie = device_cookie(&registered).expect("it is set");
    for attribute in ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age="] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    assert!(
        !cookie.contains("Secure"),
        "this server has no TLS: {cookie}"
    );
    // Neither a wrong password nor a guest session makes a device known.
    let wrong = server
        .stranger()
        .post("/api/v1/sessions", &credentials("Amani", "a guess at it"))
        .await;
    assert_eq!(device_cookie(&wrong), None);
    assert_eq!(server.guest().await.device, None);
    server.stop().await;

    let server = TestServer::start_with(|config| {
        config.network.origin = Some("https://play.example".to_owned());
    })
    .await;
    let person = server.stranger();
    let request = person
        .request(Method::POST, "/api/v1/accounts")
        .header("origin", "https://play.example")
        .json(&credentials("Amani", PASSWORD));
    let cookie = device_cookie(&Answer::of(request).await).expect("it is set");
    assert!(
        cookie.starts_with("__Host-mawe_device=") && cookie.contains("; Secure"),
        "{cookie}"
    );
    server.stop().await;
}

#[tokio::test]
async fn behind_a_proxy_the_named_address_is_limited() {
    let server = TestServer::start_with(|config| {
        config.network.behind_proxy = true;
        config.rates.sign_ups_per_minute = std::num::NonZeroU32::MIN;
    })
    .await;
    let from = async |address: &str| {
        let request = server
            .stranger()
            .request(Method::POST, "/api/v1/guests")
            .header("x-forwarded-for", address)
            .json(&json!({}));
        Answer::of(request).await.status.as_u16()
    };
    assert_eq!(from("203.0.113.7").await, 201);
    assert_eq!(from("203.0.113.7").await, 429);
    // Only the address that the proxy itself added counts: the rest is under the client's control.
    assert_eq!(from("198.51.100.1, 203.0.113.7").await, 429);
    assert_eq!(from("203.0.113.8").await, 201);
    server.stop().await;
}

#[tokio::test]
async fn behind_several_proxies_the_client_is_limited() {
    let server = TestServer::start_with(|config| {
        let proxies = ["127.0.0.0/8", "203.0.113.0/24"].map(|it| it.parse().expect("a network"));
        config.network.trusted_proxies = proxies.into();
        config.rates.sign_ups_per_minute = std::num::NonZeroU32::MIN;
    })
    .await;
    let from = async |addresses: &str| {
        let request = server
            .stranger()
            .request(Method::POST, "/api/v1/guests")
            .header("x-forwarded-for", addresses)
            .json(&json!({}));
        Answer::of(request).await.status.as_u16()
    };
    // Two visitors behind one CDN, which has many addresses.
    assert_eq!(from("198.51.100.1, 203.0.113.7").await, 201);
    assert_eq!(from("198.51.100.2, 203.0.113.7").await, 201);
    assert_eq!(from("198.51.100.1, 203.0.113.8").await, 429);
    // An address that the visitor has put before its own changes nothing.
    assert_eq!(from("192.0.2.1, 198.51.100.2, 203.0.113.7").await, 429);
    server.stop().await;
}
