//! The log of a running program, and the ids of requests in it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::time::timeout;

use crate::common::process::{Process, mawe, mawe_after, run};
use crate::common::socket::Socket;
use crate::common::{Answer, PASSWORD, PATIENCE, Person, TestServer};

/// A program with its log in a file.
pub(crate) struct Logged {
    pub(crate) process: Process,
    log: PathBuf,
}

impl Logged {
    /// Starts a server with these options, and with everything in its log.
    pub(crate) async fn start(directory: &Path, options: &[&str]) -> Logged {
        let log = directory.join("log");
        let words = ["sh", "-c", "exec \"$@\" 2>\"$LOG\"", "sh"].map(str::to_owned);
        let mut command = mawe_after(&words, ["--listen", "127.0.0.1:0", "--bots", "1"]);
        command.args(options).arg("--data-dir");
        command.arg(directory.join("data")).env("LOG", &log);
        let process = Process::of(command).await;
        Logged { process, log }
    }

    /// Returns the log so far.
    pub(crate) fn text(&self) -> String {
        std::fs::read_to_string(&self.log).expect("a log is text")
    }

    /// Stops the program; returns its log.
    pub(crate) async fn stop(self) -> String {
        assert_eq!(self.process.stop("TERM").await, Some(0));
        std::fs::read_to_string(self.log).expect("a log is text")
    }
}

/// Returns the lines of a log in JSON.
fn lines(log: &str) -> Vec<Value> {
    let read = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line:?}"));
        let members: BTreeSet<&str> = value
            .as_object()
            .expect("an object")
            .keys()
            .map(String::as_str)
            .collect();
        let expected = ["fields", "level", "message", "spans", "target", "time"];
        assert_eq!(members, BTreeSet::from(expected), "{line}");
        value
    };
    log.lines().map(read).collect()
}

/// Returns the lines of requests by the id of the request.
fn answered(lines: &[Value]) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    for line in lines.iter().filter(|line| line["message"] == "answered") {
        let id = line["spans"][0]["request_id"].as_str();
        let id = id.unwrap_or_else(|| panic!("{line} has no id")).to_owned();
        assert_eq!(found.insert(id, line["fields"].clone()), None, "{line}");
    }
    found
}

/// What a person did: the expected line of each request by its id, and the texts that may not be in the log.
#[derive(Default)]
struct Script {
    expected: BTreeMap<String, (&'static str, &'static str, u16)>,
    secrets: Vec<String>,
}

impl Script {
    /// Sends a request, and notes the line that it must have.
    async fn ask(
        &mut self,
        person: &mut Person,
        (method, route): (&'static str, &'static str),
        path: &str,
        body: Option<Value>,
    ) -> Answer {
        let method_sent: Method = method.parse().expect("a method");
        // Neither an id nor the name of a browser is taken from the client.
        let request = person
            .request(method_sent, path)
            .header("x-request-id", "id-of-the-client")
            .header("user-agent", "browser-of-the-client");
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        let answer = person.send(request).await;
        let id = answer.header("x-request-id").to_owned();
        let line = (method, route, answer.status.as_u16());
        assert_eq!(self.expected.insert(id, line), None, "no two have one id");
        answer
    }

    /// Registers, logs in, makes a token and uses it, invites by link, plays over a socket; with mistakes in between.
    async fn play(address: std::net::SocketAddr) -> Script {
        let mut script = Script::default();
        let mut amina = Person::at(address);
        let (accounts, sessions) = ("/api/v1/accounts", "/api/v1/sessions");
        let with = |password: &str| Some(json!({ "name": "Amina", "password": password }));
        let made = script
            .ask(&mut amina, ("POST", accounts), accounts, with(PASSWORD))
            .await;
        assert_eq!(made.status, 201, "{made:?}");
        for password in ["a-wrong-password-of-hers", PASSWORD] {
            let body = with(password);
            script
                .ask(&mut amina, ("POST", sessions), sessions, body)
                .await;
        }
        let tokens = "/api/v1/me/tokens";
        let wanted = json!({ "name": "my-program", "scopes": ["read"] });
        let token = script
            .ask(&mut amina, ("POST", tokens), tokens, Some(wanted))
            .await;
        let token = token.text("/token");
        let mut program = amina.with_token(&token);
        let me = "/api/v1/me";
        script.ask(&mut program, ("GET", me), me, None).await;
        let refused = script
            .ask(
                &mut amina.with_token("mawe_0123456789-a-token-of-nobody"),
                ("GET", "/api/v1/me/matches"),
                "/api/v1/me/matches",
                None,
            )
            .await;
        assert_eq!(refused.status, 401, "{refused:?}");
        let offer = json!({
            "game": "mawe",
            "time_control": { "kind": "realtime", "base_ms": 600_000, "increment_ms": 0 },
        });
        let challenges = "/api/v1/challenges";
        let link = script
            .ask(&mut amina, ("POST", challenges), challenges, Some(offer))
            .await;
        let link = link.text("/id");
        let mut guest = Person::at(address);
        let guests = "/api/v1/guests";
        let body = Some(json!({}));
        script.ask(&mut guest, ("POST", guests), guests, body).await;
        // The page of the link is a file, which has no line.
        guest.get(&format!("/challenge/{link}")).await;
        let shown = format!("{challenges}/{link}");
        script
            .ask(&mut guest, ("GET", "/api/v1/challenges/{id}"), &shown, None)
            .await;
        let accept = format!("{shown}/accept");
        let route = ("POST", "/api/v1/challenges/{id}/accept");
        let accepted = script
            .ask(&mut guest, route, &accept, Some(json!({})))
            .await;
        let search = "/api/v1/players?search=a-secret-query";
        script
            .ask(&mut guest, ("GET", "/api/v1/players"), search, None)
            .await;
        let nowhere = "/api/v1/nowhere/a-secret-path";
        let lost = script.ask(&mut guest, ("GET", "none"), nowhere, None).await;
        lost.problem(404, "not-found");
        let mut socket = Socket::open(&guest).await;
        socket.joined(&accepted.text("/id")).await;
        script.secrets.extend([
            PASSWORD.to_owned(),
            "a-wrong-password-of-hers".to_owned(),
            token,
            "a-token-of-nobody".to_owned(),
            link,
            amina.token.clone().expect("she is logged in"),
            guest.token.clone().expect("a guest has a session"),
            "a-secret-query".to_owned(),
            "a-secret-path".to_owned(),
            "id-of-the-client".to_owned(),
            "browser-of-the-client".to_owned(),
        ]);
        let device = amina.device.clone().expect("her browser is known");
        let (_, device) = device.split_once('=').expect("a name and a value");
        script.secrets.push(device.to_owned());
        script
    }

    fn check_secrets(&self, log: &str) {
        for secret in &self.secrets {
            assert!(secret.len() >= 10, "{secret} could be there by chance");
            let line = log.lines().find(|line| line.contains(secret.as_str()));
            assert_eq!(line, None, "{secret}");
        }
    }
}

#[tokio::test]
async fn each_request_has_one_line_of_json_and_no_secret_is_in_the_log() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let options = ["--log-format", "json", "--log", "trace"];
    let server = Logged::start(directory.path(), &options).await;
    let script = Script::play(server.process.address).await;
    let log = server.stop().await;
    script.check_secrets(&log);
    let lines = lines(&log);
    assert!(lines.iter().any(|line| line["message"] == "stopping"));
    let mut answered = answered(&lines);
    for (id, (method, route, status)) in &script.expected {
        let fields = answered.remove(id);
        let fields = fields.unwrap_or_else(|| panic!("{method} {route} has no line"));
        let line = (&fields["method"], &fields["route"], &fields["status"]);
        let expected = (&json!(method), &json!(route), &json!(status));
        assert_eq!(line, expected, "{fields}");
        assert!(fields["duration_ms"].as_f64().is_some_and(|ms| ms > 0.0));
        let has_code = fields["code"].is_string();
        assert_eq!(has_code, *status >= 400, "{fields}");
    }
    // A socket has one line, at its opening, whatever is said over it.
    let rest: Vec<Value> = answered.into_values().collect();
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert_eq!(
        (&rest[0]["route"], &rest[0]["status"]),
        (&json!("/api/v1/ws"), &json!(101))
    );
}

#[tokio::test]
async fn a_log_of_text_has_the_same_lines_and_no_secret() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let server = Logged::start(directory.path(), &["--log", "trace"]).await;
    let script = Script::play(server.process.address).await;
    let log = server.stop().await;
    script.check_secrets(&log);
    for (id, (method, route, status)) in &script.expected {
        let of_request: Vec<&str> = log
            .lines()
            .filter(|line| line.contains(": answered ") && line.contains(id.as_str()))
            .collect();
        let [line] = of_request[..] else {
            panic!("{method} {route} has these lines: {of_request:?}");
        };
        for part in [
            " INFO request: ".to_owned(),
            format!(" method=\"{method}\" route=\"{route}\" status={status} duration_ms="),
            format!(" request_id={id}"),
        ] {
            assert!(line.contains(&part), "{line}: {part}");
        }
    }
}

#[tokio::test]
async fn files_and_probes_have_a_line_only_when_they_fail() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let server = Logged::start(directory.path(), &["--log-format", "json"]).await;
    let person = Person::at(server.process.address);
    for path in ["/", "/theme.js", "/healthz", "/readyz", "/rules/mawe"] {
        let answer = person.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        assert_eq!(answer.header("x-request-id").len(), 16, "{path}");
    }
    let missing = person.get("/nothing/here.js").await;
    assert_eq!(missing.status, 404, "{missing:?}");
    let asked = person.get("/api/v1/games").await;
    let log = server.stop().await;
    let answered = answered(&lines(&log));
    let of = |answer: &Answer| answered[answer.header("x-request-id")].clone();
    assert_eq!(answered.len(), 2, "{answered:?}");
    let missing = of(&missing);
    assert_eq!(
        (&missing["route"], &missing["status"]),
        (&json!("none"), &json!(404))
    );
    assert_eq!(of(&asked)["route"], "/api/v1/games");
}

#[tokio::test]
async fn a_flood_of_refused_requests_is_a_count_in_the_log() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let options = ["--log-format", "json", "--requests-per-minute", "20"];
    let server = Logged::start(directory.path(), &options).await;
    let person = Person::at(server.process.address);
    let mut refused = 0;
    let mut asked = 0;
    while refused < 200 {
        let answer = person.get("/api/v1/pools").await;
        asked += 1;
        refused += u64::from(answer.status == 429);
    }
    let lines = lines(&server.stop().await);
    assert_eq!(answered(&lines).len() as u64, asked - refused);
    // A slow run has a summary a minute, a fast one only the last.
    let summaries = lines
        .iter()
        .filter(|line| line["message"] == "requests were refused" && line["level"] == "WARN");
    let counts = summaries.map(|line| {
        assert_eq!(line["fields"]["code"], "too-many-requests");
        line["fields"]["count"].as_u64().expect("a number")
    });
    assert_eq!(counts.sum::<u64>(), refused);
}

#[tokio::test]
async fn an_id_is_drawn_here_and_stands_in_problems_too() {
    let server = TestServer::start().await;
    let person = server.stranger();
    let with_id = |path: &str| {
        let request = person.request(Method::GET, path);
        request.header("x-request-id", "0123456789abcdef")
    };
    let mut ids = BTreeSet::new();
    for path in [
        "/api/v1/games",
        "/",
        "/api/v1/me/matches",
        "/api/v1/nothing",
        "/sw.js",
    ] {
        let answer = Answer::of(with_id(path)).await;
        let id = answer.header("x-request-id").to_owned();
        assert!(
            id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{id}"
        );
        if answer.status.is_client_error() {
            assert_eq!(answer.json()["request_id"], id, "{path}");
        }
        assert!(ids.insert(id), "{path}");
    }
    assert!(!ids.contains("0123456789abcdef"));
    server.stop().await;
}

#[tokio::test]
async fn a_filter_sets_the_level_and_a_wrong_one_is_refused_in_one_line() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let server = Logged::start(directory.path(), &["--log", "warn"]).await;
    Person::at(server.process.address)
        .get("/api/v1/games")
        .await;
    let log = server.stop().await;
    assert!(!log.contains(" INFO "), "{log}");
    let complaint = run(mawe(["--log", "mawe_server=loud"])).await.complaint(2);
    assert!(complaint.contains("--log"), "{complaint}");
    let complaint = run(mawe(["--log-format", "xml"])).await.complaint(2);
    assert!(
        complaint.contains("text") && complaint.contains("json"),
        "{complaint}"
    );
}

#[tokio::test]
async fn a_worker_logs_in_the_same_form() {
    let server = TestServer::start().await;
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut command = mawe(["worker", "--threads", "1", "--log-format", "json", "--key"]);
    command
        .args(["a-key-of-some-length", "--server"])
        .arg(format!("http://{}", server.address))
        .arg("--data-dir")
        .arg(directory.path())
        .stderr(std::process::Stdio::piped());
    let mut worker = command.spawn().expect("the binary is there");
    let log = BufReader::new(worker.stderr.take().expect("it is piped"));
    let line = timeout(PATIENCE, log.lines().next_line()).await;
    let line = line.expect("it starts").expect("it logs").expect("a line");
    let read = lines(&line);
    let [line] = &read[..] else {
        panic!("{line}");
    };
    let message = line["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("working for "), "{line}");
    worker.kill().await.expect("it can be killed");
    server.stop().await;
}
