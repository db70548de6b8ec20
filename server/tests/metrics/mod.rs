//! The metrics of a running server, as Prometheus scrapes them.

mod openmetrics;

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::Path;

use futures_util::future::join_all;
use mawe_server::http::metrics::CONNECTIONS;
use mawe_server::identity::shared_key::SharedKey;
use mawe_server::metrics::{MetricsPlace, MetricsSettings};
use mawe_wire::{ServerMsg, SessionMsg};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use self::openmetrics::Scrape;
use crate::common::play::Pair;
use crate::common::postgres::Postgres;
use crate::common::process::{mawe, run};
use crate::common::socket::Socket;
use crate::common::{Answer, PASSWORD, PATIENCE, Person, TestServer, eventually};

pub(crate) const TOKEN: &str = "a-token-of-the-collector";

/// The settings of a listener of their own on a free port, without a token.
fn own() -> Option<MetricsSettings> {
    Some(MetricsSettings {
        place: MetricsPlace::Own(SocketAddr::from(([127, 0, 0, 1], 0))),
        token: None,
    })
}

/// The settings of the server's own listener.
pub(crate) fn same() -> Option<MetricsSettings> {
    Some(MetricsSettings {
        place: MetricsPlace::Same,
        token: Some(SharedKey::new(TOKEN).expect("long enough")),
    })
}

pub(crate) async fn scrape(collector: &Person) -> Scrape {
    let answer = collector.get("/metrics").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(
        answer.header("content-type"),
        "application/openmetrics-text; version=1.0.0; charset=utf-8"
    );
    assert_eq!(answer.header("cache-control"), "no-store");
    Scrape::read(&String::from_utf8(answer.body).expect("text"))
}

/// Scrapes until the sum of a family's samples is as wanted: some numbers are kept for seconds.
async fn until(
    collector: &Person,
    name: &str,
    labels: &[(&str, &str)],
    wanted: impl Fn(f64) -> bool,
) {
    eventually(&format!("{name} {labels:?}"), async || {
        let sum = scrape(collector).await.sum(name, labels);
        wanted(sum).then_some(())
    })
    .await;
}

/// Opens a socket of a new guest, which waits in a pool.
async fn wait_in_a_pool(server: &TestServer) -> (Person, Socket) {
    let person = server.guest().await;
    let mut socket = Socket::open(&person).await;
    let game = mawe_rules::GameKind::Mawe;
    let join = SessionMsg::JoinPool {
        game,
        pool: "5+0".to_owned(),
        rated: false,
    };
    socket.send(&join).await;
    (person, socket)
}

#[tokio::test]
async fn a_scrape_shows_what_has_happened() {
    let server = TestServer::start_with(|config| config.metrics = own()).await;
    let collector = Person::at(server.metrics_address());
    let before = scrape(&collector).await;
    for name in [
        "mawe_moves_total",
        "mawe_pairings_total",
        "mawe_append_seconds",
    ] {
        assert!(before.sum(name, &[]).abs() < 0.5, "{name}");
    }

    // A match between two people.
    let mut pair = Pair::of_guests(&server).await;
    pair.plies(6).await;
    // A pairing.
    let (_one, mut first) = wait_in_a_pool(&server).await;
    until(
        &collector,
        "mawe_pool_waiting",
        &[("pool", "5+0")],
        |count| count > 0.5,
    )
    .await;
    let (_other, mut second) = wait_in_a_pool(&server).await;
    for socket in [&mut first, &mut second] {
        let paired = |message| matches!(message, ServerMsg::Paired { .. }).then_some(());
        socket.until(paired).await;
    }
    // A failed login.
    let mut stranger = server.stranger();
    let credentials = json!({ "name": "Nobody", "password": PASSWORD });
    let login = stranger.post("/api/v1/sessions", &credentials).await;
    assert_eq!(login.status, StatusCode::UNAUTHORIZED, "{login:?}");
    // A move of a computer opponent, which begins.
    let mut person = server.guest().await;
    let clock = json!({ "kind": "realtime", "base_ms": 300_000, "increment_ms": 0 });
    let wanted = json!({ "game": "mawe", "level": 1, "side": "second", "time_control": clock });
    let made = person.post("/api/v1/matches", &wanted).await;
    assert_eq!(made.status, StatusCode::CREATED, "{made:?}");
    until(&collector, "mawe_moves_total", &[], |moves| moves > 6.5).await;
    // An address that does not exist, with a name from outside.
    let lost = stranger.get("/api/v1/no-such-thing-as-this").await;
    assert_eq!(lost.status, StatusCode::NOT_FOUND);

    let after = scrape(&collector).await;
    let route = |route| vec![("route", route)];
    let sessions = [
        ("route", "/api/v1/sessions"),
        ("method", "POST"),
        ("status", "401"),
    ];
    for (name, labels, least) in [
        ("mawe_http_requests_total", sessions.to_vec(), 1.0),
        ("mawe_http_requests_total", route("/api/v1/guests"), 5.0),
        (
            "mawe_http_requests_total",
            route("/api/v1/challenges/{id}/accept"),
            1.0,
        ),
        (
            "mawe_http_requests_total",
            vec![("route", "other"), ("status", "404")],
            1.0,
        ),
        (
            "mawe_http_requests_total",
            vec![("route", "/api/v1/ws"), ("status", "101")],
            4.0,
        ),
        ("mawe_http_request_seconds", route("/api/v1/guests"), 5.0),
        ("mawe_connections", vec![], 4.0),
        ("mawe_connections_limit", vec![], 10.0),
        ("mawe_sockets", vec![], 4.0),
        ("mawe_players_online", vec![], 4.0),
        ("mawe_guests_online", vec![], 4.0),
        ("mawe_rooms_open", vec![], 3.0),
        ("mawe_moves_total", vec![], 7.0),
        ("mawe_move_seconds", vec![], 6.0),
        ("mawe_append_seconds", vec![], 1.0),
        ("mawe_append_batch", vec![], 1.0),
        ("mawe_store_writes_total", vec![], 10.0),
        ("mawe_pairings_total", vec![("game", "mawe")], 1.0),
        (
            "mawe_bot_jobs_answered_total",
            vec![("level", "1"), ("worker", "thread")],
            1.0,
        ),
        ("mawe_nodes", vec![], 1.0),
        ("mawe_tasks", vec![], 5.0),
        ("process_start_time_seconds", vec![], 1e9),
        (
            "mawe_build_info",
            vec![("version", env!("CARGO_PKG_VERSION"))],
            1.0,
        ),
    ] {
        let sum = after.sum(name, &labels);
        assert!(sum >= least, "{name} {labels:?}: {sum}");
    }
    let moves = after.sum("mawe_move_seconds", &[]);
    assert!(
        (moves - 6.0).abs() < 0.5,
        "the moves of people are timed: {moves}"
    );
    let labels = after.families["mawe_http_requests_total"].samples.iter();
    let mut values = labels.flat_map(|sample| sample.labels.values());
    assert!(
        values.all(|value| !value.contains("no-such-thing")),
        "names from outside are no labels"
    );
    until(
        &collector,
        "mawe_matches_running",
        &[("kind", "realtime")],
        |sum| sum > 2.5,
    )
    .await;
    for (name, least) in [
        ("mawe_database_size_bytes", 500.0),
        ("mawe_wal_size_bytes", 1_000.0),
        ("mawe_disk_size_bytes", 1e6),
        ("mawe_store_connections", 2.0),
        ("mawe_store_connections_limit", 5.0),
    ] {
        until(&collector, name, &[], |sum| sum >= least).await;
    }
    if cfg!(target_os = "linux") {
        for name in [
            "process_resident_memory_bytes",
            "process_open_fds",
            "process_max_fds",
        ] {
            assert!(after.sum(name, &[]) > 5.0, "{name}");
        }
    }

    drop((first, second));
    until(&collector, "mawe_sockets", &[], |sum| {
        (1.5..2.5).contains(&sum)
    })
    .await;
    server.stop().await;
}

/// Returns the rows of the table of `docs/operating.md`: name and type.
fn documented() -> BTreeSet<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/operating.md");
    let page = std::fs::read_to_string(path).expect("it is in the repository");
    let table = page.split("| family | type |").nth(1).expect("it is there");
    let rows = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    rows.map(|line| {
        let mut cells = line.trim_matches('|').split('|').map(str::trim);
        let name = cells.next().expect("a name").trim_matches('`');
        let kind = cells.next().expect("a type");
        assert_eq!(cells.filter(|cell| cell.len() > 3).count(), 2, "{line}");
        (name.to_owned(), kind.to_owned())
    })
    .collect()
}

fn families(scrape: &Scrape) -> BTreeSet<(String, String)> {
    let families = scrape.families.iter();
    families
        .map(|(name, family)| (name.clone(), family.kind.clone()))
        .collect()
}

#[tokio::test]
async fn every_family_is_in_the_operators_table_and_the_other_way_round() {
    let server = TestServer::start_with(|config| config.metrics = own()).await;
    let scrape = scrape(&Person::at(server.metrics_address())).await;
    let (found, documented) = (families(&scrape), documented());
    assert_eq!(
        found.symmetric_difference(&documented).collect::<Vec<_>>(),
        Vec::<&(String, String)>::new(),
        "the table of metrics in docs/operating.md lists others than the server has"
    );
    server.stop().await;
}

#[tokio::test]
async fn a_server_on_postgres_has_the_same_families() {
    let postgres = Postgres::start();
    let url = postgres.whole_database().await;
    let server = TestServer::start_with(|config| {
        config.metrics = own();
        config.store_url = url;
    })
    .await;
    let collector = Person::at(server.metrics_address());
    server.guest().await;
    let scrape = scrape(&collector).await;
    assert_eq!(families(&scrape), documented());
    let build = [("database", "postgres")];
    assert!(scrape.sum("mawe_build_info", &build) > 0.5);
    assert!(scrape.sum("mawe_store_writes_total", &[]) > 0.5);
    until(&collector, "mawe_database_size_bytes", &[], |bytes| {
        bytes > 1e5
    })
    .await;
    until(&collector, "mawe_store_connections", &[], |count| {
        count > 0.5
    })
    .await;
    server.stop().await;
}

#[tokio::test]
async fn on_the_servers_own_address_the_token_is_needed() {
    let server = TestServer::start_with(|config| config.metrics = same()).await;
    let stranger = server.stranger();
    stranger.get("/metrics").await.problem(401, "bad-token");
    for wrong in ["", "a-token-of-the-collectoR", "a-token-of-the-collector-"] {
        let answer = stranger.with_token(wrong).get("/metrics").await;
        answer.problem(401, "bad-token");
    }
    let collector = stranger.with_token(TOKEN);
    assert_eq!(families(&scrape(&collector).await), documented());
    // Nobody can try many tokens, and the right one goes on.
    let guesses = (0..500).map(|number| {
        let guess = stranger.with_token(&format!("a-guess-of-the-token-{number}"));
        async move { guess.get("/metrics").await.status }
    });
    let answers = join_all(guesses).await;
    assert!(
        answers.contains(&StatusCode::TOO_MANY_REQUESTS),
        "{answers:?}"
    );
    let is_refused = |status: &StatusCode| matches!(status.as_u16(), 401 | 429);
    assert!(answers.iter().all(is_refused), "{answers:?}");
    scrape(&collector).await;
    server.stop().await;

    // A server without metrics has no such address.
    let server = TestServer::start().await;
    let answer = server.stranger().with_token(TOKEN).get("/metrics").await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    server.stop().await;
}

#[tokio::test]
async fn the_options_are_checked_in_one_line() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (arguments, code, part) in [
        (&["--metrics", "same"][..], 1, "--metrics-token"),
        (&["--metrics", "same", "--metrics-token", "short"], 1, "16"),
        (&["--metrics", "nowhere"], 2, "127.0.0.1:9100"),
        (&["--metrics", "203.0.113.1:1"], 1, "--metrics"),
    ] {
        let mut command = mawe(["--listen", "127.0.0.1:0", "--bots", "1", "--data-dir"]);
        command.arg(directory.path()).args(arguments);
        let ended = run(command).await;
        assert_eq!(ended.code, Some(code), "{ended:?}");
        let complaint = ended.stderr.lines().last().expect("a line");
        assert!(complaint.contains(part), "{ended:?}");
        assert!(!ended.stderr.contains("short"), "{ended:?}");
    }
}

#[tokio::test]
async fn a_flood_of_the_metrics_costs_a_bounded_amount_and_no_player() {
    const FLOOD: usize = 200;
    let server = TestServer::start_with(|config| config.metrics = own()).await;
    let address = server.metrics_address();

    // Connections that say nothing: those beyond the limit are refused and closed.
    let mut refused = JoinSet::new();
    for _ in 0..FLOOD {
        let mut stream = TcpStream::connect(address).await.expect("the port listens");
        refused.spawn(async move {
            let mut said = Vec::new();
            let _ = stream.read_to_end(&mut said).await;
            said.starts_with(b"HTTP/1.1 503 ")
        });
    }
    let most = usize::try_from(CONNECTIONS.connections_per_address.get()).expect("few");
    let refusals = async {
        let mut count = 0;
        while count < FLOOD - most {
            let ended = refused.join_next().await.expect("all others are refused");
            count += usize::from(ended.expect("it does not panic"));
        }
    };
    let refusals = tokio::time::timeout(PATIENCE, refusals).await;
    refusals.expect("the connections beyond the limit are refused");
    // The players' address has its own places.
    let health = server.stranger().get("/readyz").await;
    assert_eq!(health.status, StatusCode::OK);
    refused.shutdown().await;

    // Scrapes at once: each has an answer, and they wait for each other rather than for players.
    let collector = Person::at(address);
    eventually("a place is free", async || {
        let request = collector.request(Method::GET, "/metrics").send().await;
        request
            .ok()
            .filter(|answer| answer.status() == StatusCode::OK)
    })
    .await;
    let mut streams = Vec::new();
    for _ in 0..8 {
        let mut stream = TcpStream::connect(address).await.expect("the port listens");
        let request = "GET /metrics HTTP/1.1\r\nhost: mawe\r\n\r\n".repeat(20);
        stream
            .write_all(request.as_bytes())
            .await
            .expect("it is read");
        streams.push(stream);
    }
    server.guest().await;
    drop(streams);
    eventually("the collector is served again", async || {
        let request = collector.request(Method::GET, "/metrics").send().await;
        request
            .ok()
            .filter(|answer| answer.status() == StatusCode::OK)
    })
    .await;
    server.stop().await;
}

#[tokio::test]
async fn a_listener_of_their_own_has_the_metrics_alone_and_may_have_a_token() {
    let server = TestServer::start_with(|config| {
        config.metrics = Some(MetricsSettings {
            token: same().and_then(|settings| settings.token),
            ..own().expect("settings")
        });
    })
    .await;
    let stranger = Person::at(server.metrics_address());
    stranger.get("/metrics").await.problem(401, "bad-token");
    scrape(&stranger.with_token(TOKEN)).await;
    for path in ["/", "/readyz", "/api/v1/me", "/metrics/x"] {
        let answer = stranger.with_token(TOKEN).get(path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
    let posted = Answer::of(stranger.request(Method::POST, "/metrics")).await;
    assert_eq!(posted.status, StatusCode::METHOD_NOT_ALLOWED);
    let on_main = server.stranger().with_token(TOKEN).get("/metrics").await;
    assert_eq!(on_main.status, StatusCode::NOT_FOUND);
    server.stop().await;
}

fn deployed(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../deploy")
        .join(name);
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns the names of metrics in an expression: as in queries, with the parts of a histogram under the name of the whole.
fn names(expression: &str, families: &BTreeMap<String, String>) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = expression.split(|c| !is_part(c));
    let ours = words.filter(|word| word.starts_with("mawe_") || word.starts_with("process_"));
    let whole = |word: &str| {
        let parts = ["_bucket", "_sum", "_count"].iter();
        let mut stems = parts.filter_map(|part| word.strip_suffix(part));
        let is_histogram =
            |stem: &&str| families.get(*stem).is_some_and(|kind| kind == "histogram");
        stems.rfind(is_histogram).unwrap_or(word).to_owned()
    };
    ours.map(whole).collect()
}

/// Rules and dashboard name metrics of this server only; every alert has its paragraph.
#[test]
fn rules_and_dashboard_use_families_that_exist() {
    let families: BTreeMap<String, String> = documented().into_iter().collect();
    let rules: Value =
        serde_saphyr::from_str(&deployed("prometheus/rules.yml")).expect("it is YAML");
    let rules = rules["groups"][0]["rules"].as_array().expect("rules");
    let board: Value =
        serde_json::from_str(&deployed("grafana/dashboards/mawe.json")).expect("it is JSON");
    let panels = board["panels"].as_array().expect("panels").iter();
    let targets = panels.flat_map(|panel| panel["targets"].as_array().expect("targets"));
    let expressions = rules.iter().chain(targets).map(|with| {
        let text = with["expr"].as_str().expect("an expression");
        (text, names(text, &families))
    });
    let expressions: Vec<_> = expressions.collect();
    assert!(expressions.len() > 40, "{expressions:?}");
    for (text, names) in &expressions {
        assert!(!names.is_empty(), "{text} has no metric");
        for name in names {
            assert!(families.contains_key(name), "{name} is no family: {text}");
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/operating.md");
    let page = std::fs::read_to_string(path).expect("it is in the repository");
    let alerts = rules
        .iter()
        .map(|rule| rule["alert"].as_str().expect("a name"));
    let alerts: BTreeSet<&str> = alerts.collect();
    let words = page.split(['`', '(', ')', ' ']);
    let described = words.filter(|word| word.starts_with("Mawe") && word.len() > 5);
    let described: BTreeSet<&str> = described.filter(|word| !word.contains('!')).collect();
    assert_eq!(alerts, described);
}
