//! Traces of a running program, as a collector receives them.

use std::path::Path;
use std::process::Stdio;

use mawe_rules::Side;
use reqwest::Method;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::process::Command;
use tokio::time::timeout;

use crate::common::collector::{Collector, Received, check_job_of_worker};
use crate::common::play::{Pair, Seat};
use crate::common::process::{Process, mawe, run};
use crate::common::{PASSWORD, PATIENCE, Person, eventually};
use crate::metrics;

/// A `traceparent` of a stranger who wants to be traced.
const STRANGER: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const STRANGERS_TRACE: u128 = 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736;

async fn start(directory: &Path, options: &[String]) -> Process {
    let mut command = mawe(["--listen", "127.0.0.1:0", "--bots", "1"]);
    command
        .args(["--requests-per-minute", "1000000"])
        .args(["--metrics", "same", "--metrics-token", metrics::TOKEN])
        .args(options)
        .arg("--data-dir")
        .arg(directory);
    Process::of(command).await
}

/// Returns a pair of guests at a match.
async fn pair(process: &Process) -> Pair {
    let people = [
        Person::guest_at(process.address).await,
        Person::guest_at(process.address).await,
    ];
    Pair::of(people, false).await
}

/// Starts a match of a guest with the first move against level 1.
async fn against_a_computer(process: &Process) -> Seat {
    let mut person = Person::guest_at(process.address).await;
    let clock = json!({ "kind": "realtime", "base_ms": 300_000, "increment_ms": 0 });
    let wanted = json!({ "game": "mawe", "level": 1, "side": "first", "time_control": clock });
    let made = person.post("/api/v1/matches", &wanted).await;
    assert_eq!(made.status, 201, "{made:?}");
    Seat::take(&person, &made.text("/id"), Side::First).await
}

async fn metric(process: &Process, name: &str, labels: &[(&str, &str)]) -> f64 {
    let collector = Person::at(process.address).with_token(metrics::TOKEN);
    metrics::scrape(&collector).await.sum(name, labels)
}

fn is_command(span: &Received) -> bool {
    span.name == "command"
}

#[tokio::test]
async fn a_move_is_one_trace_from_its_socket_to_its_acknowledgement() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let collector = Collector::start().await;
    let process = start(directory.path(), &collector.options("1")).await;
    let mut pair = pair(&process).await;
    pair.ply().await;

    let names = ["command", "room", "append", "commit", "deliver"];
    let trace = collector.trace(is_command, &names).await;
    assert_eq!(trace.0.len(), names.len(), "{trace:#?}");
    let command = trace.root();
    assert!(command.is_server);
    assert_eq!(command.attributes["game.match_id"], pair.id);
    assert_eq!(command.attributes["command.kind"], "move");
    let room = trace.below(command, "room");
    let append = trace.below(room, "append");
    let commit = trace.below(append, "commit");
    assert_eq!(append.attributes["entries"], "1");
    assert_eq!(commit.attributes["appends"], "1");
    // The acknowledgement leaves after the commit, and the trace lasts until it is written.
    let deliver = trace.below(command, "deliver");
    assert!(deliver.time.0 >= commit.time.1, "{trace:#?}");
    assert!(command.time.1 >= deliver.time.1, "{trace:#?}");
    assert_eq!(process.stop("TERM").await, Some(0));
}

#[tokio::test]
async fn a_command_over_rest_is_a_part_of_its_request() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let collector = Collector::start().await;
    let process = start(directory.path(), &collector.options("1")).await;
    let mut pair = pair(&process).await;
    let turn = pair.turn();
    let path = format!("/api/v1/matches/{}/commands", pair.id);
    let command = pair.seats[turn].a_move(&pair.seats[turn].mirror.state.legal[0]);
    let body = json!({ "client_id": "rest-1", "seq": 0, "command": command });
    let person = &mut pair.people[turn];
    let request = person.request(Method::POST, &path).json(&body);
    let answer = person.send(request.header("traceparent", STRANGER)).await;
    assert_eq!(answer.status, 200, "{answer:?}");

    let route = "/api/v1/matches/{id}/commands";
    let is_it = |span: &Received| span.name == format!("POST {route}");
    let trace = collector
        .trace(is_it, &["room", "append", "commit", "deliver"])
        .await;
    let request = trace.root();
    assert!(request.is_server);
    assert_eq!(request.attributes["http.route"], route);
    assert_eq!(request.attributes["http.response.status_code"], "200");
    assert_eq!(
        request.attributes["request_id"],
        answer.header("x-request-id")
    );
    let room = trace.below(request, "room");
    let append = trace.below(room, "append");
    trace.below(append, "commit");
    trace.below(request, "deliver");
    // The trace of a client is linked; it is neither joined nor obeyed.
    let strangers = STRANGERS_TRACE.to_be_bytes();
    assert_ne!(request.trace, strangers);
    assert_eq!(request.links, [strangers]);
}

#[tokio::test]
async fn the_job_of_a_computer_opponent_and_its_move_belong_to_the_move_before() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let collector = Collector::start().await;
    let process = start(directory.path(), &collector.options("1")).await;
    let mut seat = against_a_computer(&process).await;
    let first = seat.a_move(&seat.mirror.state.legal[0]);
    seat.send(first).await;
    seat.event().await;
    seat.event().await;

    let names = [
        "room", "append", "commit", "deliver", "job", "search", "room", "append", "commit",
    ];
    let trace = collector.trace(is_command, &names).await;
    let room = trace.below(trace.root(), "room");
    let job = trace.below(room, "job");
    assert_eq!(job.attributes["game"], "mawe");
    assert_eq!(job.attributes["level"], "1");
    assert_eq!(job.attributes["attempts"], "1");
    assert!(["thread", "fallback"].contains(&job.attributes["worker"].as_str()));
    trace.below(job, "search");
    let answered = trace.below(job, "room");
    assert!(answered.time.0 >= job.time.1, "{trace:#?}");
    trace.below(trace.below(answered, "append"), "commit");
}

#[tokio::test]
async fn a_worker_over_http_continues_the_trace_of_its_job() {
    const KEY: &str = "a-key-of-workers-0123456789";
    let directory = tempfile::tempdir().expect("a temporary directory");
    let collector = Collector::start().await;
    let mut command = mawe(["--listen", "127.0.0.1:0", "--bots", "0"]);
    command
        .args(["--worker-key", KEY])
        .args(collector.options("1"))
        .arg("--data-dir")
        .arg(directory.path());
    let process = Process::of(command).await;
    let server = format!("http://{}", process.address);
    let mut worker = mawe(["worker", "--threads", "1", "--server", &server]);
    worker
        .args(collector.option_of_worker())
        .env("MAWE_WORKER_KEY", KEY)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut worker = worker.spawn().expect("the binary is there");
    let mut seat = against_a_computer(&process).await;
    let first = seat.a_move(&seat.mirror.state.legal[0]);
    seat.send(first).await;
    seat.event().await;
    seat.event().await;

    let names = ["room", "job", "search", "room"];
    let trace = collector.trace(is_command, &names).await;
    check_job_of_worker(&collector, &trace, "http");
    assert_eq!(trace.one("search").attributes["plies"], "1");
    // It waits for a job meanwhile, and sends its last spans.
    let pid = worker.id().expect("it runs").to_string();
    let stopped = Command::new("kill").args(["-TERM", &pid]).status().await;
    assert!(stopped.expect("kill runs").success());
    let ended = timeout(PATIENCE, worker.wait()).await.expect("it ends");
    assert!(ended.expect("it is waited for").success());
    assert_eq!(process.stop("TERM").await, Some(0));
}

#[tokio::test]
async fn a_span_has_no_name_no_address_and_no_secret() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let collector = Collector::start().await;
    let process = start(directory.path(), &collector.options("1")).await;
    let mut amina = Person::at(process.address);
    let account = json!({ "name": "Amina", "password": PASSWORD });
    for path in ["/api/v1/accounts", "/api/v1/sessions"] {
        let answer = amina.post(path, &account).await;
        assert!(answer.status.is_success(), "{answer:?}");
    }
    let program = amina.program(&["read"]).await;
    let token = program.bearer.clone().expect("a token");
    program.get("/api/v1/me?secret=of-the-query").await;
    let found = amina.get("/api/v1/players?search=Baraka").await;
    assert!(found.status.is_success(), "{found:?}");
    let offer = json!({
        "game": "mawe", "side": "first", "rated": false,
        "time_control": { "kind": "realtime", "base_ms": 600_000, "increment_ms": 0 },
    });
    let link = amina.post("/api/v1/challenges", &offer).await.text("/id");
    amina.get(&format!("/api/v1/challenges/{link}")).await;
    let session = amina.token.clone().expect("a session");
    assert_eq!(process.stop("TERM").await, Some(0));

    let of_challenge = |span: &Received| span.name == "GET /api/v1/challenges/{id}";
    assert!(collector.spans().iter().any(of_challenge), "all are there");
    let secrets = [
        "Amina",
        PASSWORD,
        &session,
        &token,
        &link,
        "Baraka",
        "of-the-query",
        "127.0.0.1",
        "reqwest",
    ];
    for secret in secrets {
        assert!(!collector.has_heard(secret.as_bytes()), "{secret}");
    }
}

#[tokio::test]
async fn no_stranger_can_ask_to_be_traced() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let collector = Collector::start().await;
    let process = start(directory.path(), &collector.options("0")).await;
    let mut pair = pair(&process).await;
    pair.plies(4).await;
    for _ in 0..20 {
        let request = pair.people[0].request(Method::GET, "/api/v1/me");
        let request = request.header("traceparent", STRANGER);
        let answer = pair.people[0]
            .send(request.header("tracestate", "a=b"))
            .await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    // A stop sends the waiting spans.
    assert_eq!(process.stop("TERM").await, Some(0));
    assert_eq!(collector.spans().len(), 0);
}

#[tokio::test]
async fn a_collector_that_is_away_costs_spans_and_nothing_else() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    // Bound and not listening: connections are refused, and no other test gets the port.
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
    let any = "127.0.0.1:0".parse().expect("an address");
    socket.bind(any).expect("a port");
    let address = socket.local_addr().expect("an address");
    let options = [
        "--traces",
        &format!("http://{address}"),
        "--trace-sample",
        "1",
    ];
    let process = start(directory.path(), &options.map(str::to_owned)).await;
    let mut pair = pair(&process).await;
    pair.plies(6).await;
    eventually("lost spans are counted", async || {
        let lost = [("reason", "not-taken")];
        let lost = metric(&process, "mawe_trace_spans_dropped_total", &lost).await;
        (lost > 0.5).then_some(())
    })
    .await;
    pair.plies(2).await;
    assert_eq!(process.stop("TERM").await, Some(0));
}

#[tokio::test]
async fn a_collector_that_never_answers_fills_a_bounded_queue() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    // Its connections are accepted by the system, and nobody reads them.
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let options = [
        "--traces",
        &format!("http://{address}"),
        "--trace-sample",
        "1",
    ];
    let process = start(directory.path(), &options.map(str::to_owned)).await;
    let full = async || {
        let full = [("reason", "queue-full")];
        metric(&process, "mawe_trace_spans_dropped_total", &full).await > 0.5
    };
    // A queue of 2,048 spans, and a batch of 512 every five seconds.
    let stranger = Person::at(process.address);
    let mut sent = 0;
    while !full().await {
        assert!(sent < 40_000, "the queue has no bound");
        for _ in 0..500 {
            let answer = stranger.get("/api/v1/games").await;
            assert_eq!(answer.status, 200, "{answer:?}");
        }
        sent += 500;
    }
    // Only now: sockets that nobody reads for long answer no pings, and are closed.
    let mut pair = pair(&process).await;
    pair.plies(2).await;
    assert_eq!(process.stop("TERM").await, Some(0));
}

#[tokio::test]
async fn a_wrong_option_of_traces_is_one_line() {
    for (options, expected) in [
        (
            &["--traces", "127.0.0.1:4318"][..],
            "such as http://127.0.0.1:4318",
        ),
        (&["--traces", "http://a:b@c"], "OTEL_EXPORTER_OTLP_HEADERS"),
        (
            &["--traces", "http://c", "--trace-sample", "2"],
            "from 0 to 1",
        ),
        (&["--trace-sample", "0.5"], "--traces"),
        (
            &[
                "worker",
                "--nats",
                "nats://127.0.0.1:9",
                "--traces",
                "http://a:b@c",
            ],
            "OTEL_EXPORTER_OTLP_HEADERS",
        ),
    ] {
        let ended = run(mawe(options)).await;
        let code = ended.code.expect("it ends by itself");
        let line = ended.complaint(code);
        assert!(line.contains(expected) && !line.contains("a:b"), "{line}");
    }
}
