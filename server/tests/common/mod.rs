//! Shared parts of the tests of a running server: a server, people over HTTP, sockets, and pairs of players.
//!
//! No helper sleeps for a fixed time: [`eventually`] polls until a time limit.

// Each test binary uses a part of it, and exports nothing.
#![allow(dead_code, unreachable_pub)]

pub mod authenticator;
pub mod collector;
pub mod document;
pub mod faults;
pub mod mail_server;
pub mod nats;
pub mod pgbouncer;
pub mod place;
pub mod play;
pub mod postgres;
pub mod process;
pub mod push_service;
pub mod raw;
pub mod socket;
pub mod wire;

use std::future::Future;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::Path;
use std::time::Duration;

use mawe_server::bots::endgames::EndgameOptions;
use mawe_server::bots::options::BotOptions;
use mawe_server::config::{Config, ConnectionOptions, NetworkOptions};
use mawe_server::connections::admission::ConnectionLimits;
use mawe_server::connections::timeouts::Timeouts;
use mawe_server::identity::refused_names::RefusedNames;
use mawe_server::limits::{MESSAGES_PER_SECOND, RateLimits};
use mawe_server::live::options::LiveOptions;
use mawe_server::page::site::Site;
use mawe_server::push::PushSettings;
use mawe_server::server::Server;
use mawe_store::{AccountChange, Attribution, MinFreeSpace};
use mawe_wire::ids::PlayerId;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The time for which a test waits for an expected event. Long, as only a failure waits for all of it, also on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(90);

/// The interval between two polls.
pub const AGAIN: Duration = Duration::from_millis(10);

/// The password of all accounts in tests.
pub const PASSWORD: &str = "korosho na maembe";

/// Polls until there is an answer.
pub async fn eventually<T, F: Future<Output = Option<T>>>(what: &str, ask: impl Fn() -> F) -> T {
    let asking = async {
        loop {
            if let Some(answer) = ask().await {
                return answer;
            }
            tokio::time::sleep(AGAIN).await;
        }
    };
    tokio::time::timeout(PATIENCE, asking)
        .await
        .unwrap_or_else(|_| panic!("{what} did not come about"))
}

/// Returns what `GET /api/v1/me` tells a visitor without a player.
pub fn nobody() -> Value {
    json!({
        "player": null, "moderator": false, "operator": false, "inviter": false, "premium": false, "teacher": false,
        "language": null, "unread": 0, "site": null,
    })
}

/// A server in this process, with its own port and directory.
pub struct TestServer {
    pub address: SocketAddr,
    server: Server,
    directory: TempDir,
}

/// Returns the usual configuration, with the data in `directory`.
pub fn config(directory: &Path) -> Config {
    Config {
        network: NetworkOptions {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            origin: None,
            behind_proxy: false,
            trusted_proxies: Vec::new(),
        },
        bots: BotOptions {
            threads: 1,
            offer_after: Duration::ZERO,
            analyses_per_day: 30,
        },
        endgames: EndgameOptions {
            solve_endgames: false,
        },
        worker_key: None,
        rates: RateLimits {
            sign_ups_per_minute: NonZeroU32::new(1_000).expect("not zero"),
            requests_per_minute: NonZeroU32::new(1_000_000).expect("not zero"),
            messages_per_second: MESSAGES_PER_SECOND,
        },
        live: LiveOptions {
            spectator_delay: Duration::ZERO,
            chat: true,
        },
        linger: Duration::from_secs(60),
        rematch_offer: Duration::from_secs(60),
        // All clients of a test have one address.
        connections: ConnectionLimits {
            connections_per_address: NonZeroU32::new(100_000).expect("not zero"),
            sockets_per_address: NonZeroU32::new(100_000).expect("not zero"),
            ..ConnectionLimits::default()
        },
        timeouts: Timeouts::default(),
        site: Site::default(),
        banner: None,
        push: Some(PushSettings::new(None, Vec::new())),
        mail: None,
        store_url: format!("sqlite:{}", directory.join("mawe.sqlite").display()),
        data_dir: directory.to_owned(),
        admin_socket: directory.join("admin.sock"),
        cluster: None,
        metrics: None,
        traces: None,
        refused_names: RefusedNames::default(),
        operator_page: false,
        in_force: Vec::new(),
        // The test machine's disk may be nearly full.
        min_free_space: MinFreeSpace::Off,
        store_connections: ConnectionOptions::default(),
        backups: None,
    }
}

impl TestServer {
    pub async fn start() -> TestServer {
        TestServer::start_with(|_| {}).await
    }

    pub async fn start_with(change: impl FnOnce(&mut Config)) -> TestServer {
        let directory = tempfile::tempdir().expect("a temporary directory");
        TestServer::start_in(directory, change).await
    }

    async fn start_in(directory: TempDir, change: impl FnOnce(&mut Config)) -> TestServer {
        let mut config = config(directory.path());
        change(&mut config);
        let server = Server::start(config).await.expect("the server starts");
        TestServer {
            address: server.address,
            server,
            directory,
        }
    }

    /// Stops the server, and returns its data directory.
    pub async fn stop(self) -> TempDir {
        self.server.stop().await;
        self.directory
    }

    /// Stops the server, and starts another on its data.
    pub async fn restart(self) -> TestServer {
        let directory = self.stop().await;
        TestServer::start_in(directory, |_| {}).await
    }

    /// Starts a server on the data of another.
    pub async fn start_on(directory: TempDir) -> TestServer {
        TestServer::start_in(directory, |_| {}).await
    }

    /// Starts a server on the data of another, with another configuration.
    pub async fn start_on_as(directory: TempDir, change: impl FnOnce(&mut Config)) -> TestServer {
        TestServer::start_in(directory, change).await
    }

    /// Returns the address of the metrics, which must have one of their own.
    pub fn metrics_address(&self) -> SocketAddr {
        self.server.metrics_address.expect("metrics have one")
    }

    /// Returns the shared state of the handlers.
    pub fn app(&self) -> &mawe_server::app::App {
        self.server.app()
    }

    pub fn stranger(&self) -> Person {
        Person::at(self.address)
    }

    pub async fn guest(&self) -> Person {
        Person::guest_at(self.address).await
    }

    pub async fn account(&self, name: &str) -> Person {
        let mut person = self.stranger();
        let answer = person
            .post(
                "/api/v1/accounts",
                &json!({ "name": name, "password": PASSWORD }),
            )
            .await;
        assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
        person
    }

    /// Returns the id of a player, who keeps it with another name.
    pub async fn player_id(&self, name: &str) -> PlayerId {
        let found = self.app().store.find_player_by_name(name).await;
        found.expect("the store answers").expect("a player").id
    }

    /// Changes an account as the operator does.
    pub async fn change_account(&self, name: &str, change: AccountChange) {
        let by = Attribution {
            by: None,
            why: "because".to_owned(),
            at_ms: 1,
        };
        let id = self.player_id(name).await;
        let changed = self.app().store.change_account(&id, &change, &by);
        changed.await.expect("it can be changed");
    }
}

/// The time after which a client takes a connection no more: the server closes one that has had no request for ten seconds after its opening,
/// and the client opens such ones in advance. A request that is sent at the moment of the closing would get no answer.
const IDLE: Duration = Duration::from_secs(5);

/// Returns the builder of a client of HTTP. The client library switches reqwest's TLS on for the whole workspace, without its cryptography:
/// the first client names that of the server. It trusts no certificate: servers of tests speak plain HTTP, and each client would otherwise read
/// all certificates of the system.
pub fn http_client() -> reqwest::ClientBuilder {
    // An error says that it is named already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .tls_certs_only([])
        .pool_idle_timeout(IDLE)
}

/// A person with a browser, which keeps the session cookie.
#[derive(Debug, Clone)]
pub struct Person {
    pub address: SocketAddr,
    pub token: Option<String>,
    /// The name and value of the cookie by which the browser is known to accounts.
    pub device: Option<String>,
    /// The name and value of the cookie to which challenges of passkeys are bound.
    pub passkey: Option<String>,
    /// A token for programs, if it is used in place of the cookie.
    pub bearer: Option<String>,
    client: reqwest::Client,
}

/// The server's answer.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: reqwest::header::HeaderMap,
    pub body: Vec<u8>,
}

impl Person {
    pub fn at(address: SocketAddr) -> Person {
        Person {
            address,
            token: None,
            device: None,
            passkey: None,
            bearer: None,
            client: http_client()
                .no_proxy()
                .timeout(PATIENCE)
                .build()
                .expect("a client"),
        }
    }

    pub async fn guest_at(address: SocketAddr) -> Person {
        let mut person = Person::at(address);
        person.become_guest().await;
        person
    }

    /// Signs in as a new guest.
    pub async fn become_guest(&mut self) {
        let answer = self.post("/api/v1/guests", &json!({})).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{answer:?}");
    }

    /// Returns a stranger on the connections of this person.
    pub fn beside(&self) -> Person {
        Person {
            token: None,
            device: None,
            passkey: None,
            bearer: None,
            ..self.clone()
        }
    }

    /// Returns the same person on another address of this machine's own, for limits of one address.
    pub fn at_address(&self, address: [u8; 4]) -> Person {
        Person {
            client: http_client()
                .no_proxy()
                .timeout(PATIENCE)
                .local_address(std::net::IpAddr::from(address))
                .build()
                .expect("a client"),
            ..self.clone()
        }
    }

    /// Returns the same person with another address of the server.
    pub fn moved_to(&self, address: SocketAddr) -> Person {
        Person {
            address,
            ..self.clone()
        }
    }

    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self
            .client
            .request(method, format!("http://{}{path}", self.address));
        let request = match self.cookie() {
            Some(cookie) => request.header("cookie", cookie),
            None => request,
        };
        match &self.bearer {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// Creates a program of this person, with a token of these scopes and without a cookie.
    pub async fn program(&mut self, scopes: &[&str]) -> Person {
        let wanted = json!({ "name": "a program", "scopes": scopes });
        let made = self.post("/api/v1/me/tokens", &wanted).await;
        assert_eq!(made.status, StatusCode::CREATED, "{made:?}");
        self.with_token(&made.text("/token"))
    }

    /// Returns a client with this token.
    pub fn with_token(&self, token: &str) -> Person {
        Person {
            bearer: Some(token.to_owned()),
            ..Person::at(self.address)
        }
    }

    /// Returns whether the client has a session or a token.
    pub fn is_somebody(&self) -> bool {
        self.token.is_some() || self.bearer.is_some()
    }

    pub fn cookie(&self) -> Option<String> {
        let session = self.token.as_ref();
        let session = session.map(|token| format!("mawe_session={token}"));
        let cookies: Vec<String> = session
            .into_iter()
            .chain(self.device.clone())
            .chain(self.passkey.clone())
            .collect();
        (!cookies.is_empty()).then(|| cookies.join("; "))
    }

    /// Sends a request, and keeps the cookies of the answer.
    pub async fn send(&mut self, request: reqwest::RequestBuilder) -> Answer {
        let answer = Answer::of(request).await;
        if let Some(token) = answer.session() {
            self.token = Some(token).filter(|token| !token.is_empty());
        }
        for cookie in answer.headers.get_all("set-cookie") {
            let cookie = cookie.to_str().expect("cookies are ASCII");
            let pair = cookie.split(';').next().unwrap_or_default();
            if pair.contains("mawe_device=") {
                self.device = Some(pair.to_owned());
            } else if pair.contains("mawe_passkey=") {
                self.passkey = Some(pair.to_owned());
            } else {
                assert!(
                    pair.contains("mawe_session="),
                    "no other cookie is set: {cookie}"
                );
            }
        }
        answer
    }

    pub async fn get(&self, path: &str) -> Answer {
        Answer::of(self.request(Method::GET, path)).await
    }

    pub async fn post(&mut self, path: &str, body: &Value) -> Answer {
        let request = self.request(Method::POST, path).json(body);
        self.send(request).await
    }

    pub async fn patch(&mut self, path: &str, body: &Value) -> Answer {
        let request = self.request(Method::PATCH, path).json(body);
        self.send(request).await
    }

    pub async fn delete(&mut self, path: &str) -> Answer {
        let request = self.request(Method::DELETE, path);
        self.send(request).await
    }

    pub async fn name(&self) -> String {
        let me = self.get("/api/v1/me").await.json();
        me["player"]["name"].as_str().expect("signed in").to_owned()
    }

    /// Challenges `other`, who accepts; returns the id of the match. `side` is this person's.
    pub async fn play_with(&mut self, other: &mut Person, side: &str, rated: bool) -> String {
        let offer = json!({
            "game": "mawe",
            "side": side,
            "rated": rated,
            "time_control": { "kind": "realtime", "base_ms": 600_000, "increment_ms": 0 },
        });
        loop {
            let id = self.challenge(other, &offer).await;
            if self.keeps(&id, side).await {
                return id;
            }
        }
    }

    /// Sends a challenge that `other` accepts; returns the id of the match.
    pub async fn challenge(&mut self, other: &mut Person, offer: &Value) -> String {
        let challenge = self.post("/api/v1/challenges", offer).await;
        assert_eq!(challenge.status, StatusCode::CREATED, "{challenge:?}");
        let path = format!("/api/v1/challenges/{}/accept", challenge.text("/id"));
        let accepted = other.post(&path, &json!({})).await;
        assert_eq!(accepted.status, StatusCode::OK, "{accepted:?}");
        accepted.text("/id")
    }

    /// Returns whether this person has the side in a match; if the draw gave the other, as it may in a rated one, the match is called off.
    pub async fn keeps(&mut self, id: &str, side: &str) -> bool {
        let seats = self.get(&format!("/api/v1/matches/{id}")).await.json();
        if seats["seats"][side]["player"]["name"] == self.name().await {
            return true;
        }
        let abort = json!({ "client_id": "lot", "seq": 0, "command": { "kind": "abort" } });
        let path = format!("/api/v1/matches/{id}/commands");
        let called_off = self.post(&path, &abort).await;
        assert_eq!(called_off.status, StatusCode::OK, "{called_off:?}");
        false
    }
}

impl Answer {
    pub async fn of(request: reqwest::RequestBuilder) -> Answer {
        let response = request.send().await.expect("the server answers");
        let (status, headers) = (response.status(), response.headers().clone());
        let body = response.bytes().await.expect("a whole body").to_vec();
        Answer {
            status,
            headers,
            body,
        }
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns the token in the session's `Set-Cookie`, if there is one; empty if the cookie is deleted. Over TLS the cookie has a
    /// different name, and the other one is deleted beside it.
    pub fn session(&self) -> Option<String> {
        let cookies = self.headers.get_all("set-cookie").iter();
        let cookies: Vec<&str> = cookies
            .map(|cookie| cookie.to_str().expect("cookies are ASCII"))
            .collect();
        let named = |name: &str| {
            let token = cookies.iter().find_map(|cookie| cookie.strip_prefix(name));
            token.and_then(|rest| rest.split(';').next())
        };
        let token = named("__Host-mawe_session=").or_else(|| named("mawe_session="));
        token.map(str::to_owned)
    }

    /// Returns the text at a JSON pointer.
    pub fn text(&self, pointer: &str) -> String {
        let json = self.json();
        let found = json.pointer(pointer).and_then(Value::as_str);
        found
            .unwrap_or_else(|| panic!("no text at {pointer} of {json}"))
            .to_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value
            .unwrap_or_else(|| panic!("no {name} in {self:?}"))
            .to_str()
            .expect("headers of ours are ASCII")
    }

    pub fn has_header(&self, name: &str) -> bool {
        self.headers.contains_key(name)
    }

    /// Checks that the answer is a complete problem with this status and code; returns it.
    #[track_caller]
    pub fn problem(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status.as_u16(), status, "{self:?}");
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(problem["status"], status, "{problem}");
        for words in ["title", "detail"] {
            assert!(
                problem[words].as_str().is_some_and(|text| !text.is_empty()),
                "{problem}"
            );
        }
        assert_eq!(problem["request_id"], self.header("x-request-id"));
        problem
    }

    /// Checks that the answer is a 422 for this field.
    #[track_caller]
    pub fn bad_field(&self, code: &str, field: &str) {
        assert_eq!(self.problem(422, code)["field"], field, "{self:?}");
    }
}
