//! The cluster of docker-compose.cluster.yml as written, without Docker: its commands, variables, health check and load balancer, with
//! addresses of this machine in place of host names.

use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use fastrand::Rng;
use mawe_rules::Side;
use serde::Deserialize;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

use super::jobs::{against, play};
use super::place::Place;
use super::{Board, SEED, TO_THE_END, addresses};
use crate::common::nats::Nats;
use crate::common::play::Seat;
use crate::common::postgres::Postgres;
use crate::common::process::{Process, mawe, run};
use crate::common::{AGAIN, PATIENCE, eventually};

/// The variables that the operator must set, and their values here.
const SET: [(&str, &str); 3] = [
    ("MAWE_POSTGRES_PASSWORD", "embe"),
    ("MAWE_NATS_PASSWORD", "korosho"),
    ("MAWE_WORKER_KEY", "sixteen-signs-or-more"),
];

/// The number of attempts to start the load balancer, in case another process takes its port.
const ATTEMPTS: usize = 5;

#[derive(Deserialize)]
struct Compose {
    services: BTreeMap<String, Service>,
}

/// The part of a service that matters here; the rest concerns Docker only.
#[derive(Deserialize)]
struct Service {
    #[serde(default)]
    image: String,
    #[serde(default)]
    profiles: Vec<String>,
    extends: Option<BTreeMap<String, String>>,
    #[serde(default)]
    command: Vec<String>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    #[serde(default)]
    volumes: Vec<String>,
    #[serde(default)]
    ports: Vec<String>,
}

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The files with the containers of one machine and of a cluster.
const FILES: [&str; 2] = ["docker-compose.yml", "docker-compose.cluster.yml"];

/// Returns a file with its variables substituted as Compose does.
fn compose(name: &str) -> Compose {
    let mut text = String::new();
    let file = file(name);
    let mut parts = file.split("${");
    text.push_str(parts.next().expect("there is a first part"));
    for part in parts {
        let (variable, rest) = part.split_once('}').expect("a variable ends");
        let name = variable.split(':').next().expect("there is a first part");
        let set = SET.iter().find(|(set, _)| *set == name);
        let value = set.map(|(_, value)| *value);
        let default = variable.split_once(":-").map(|(_, default)| default);
        text.push_str(
            value
                .or(default)
                .expect("a variable that must be set is in SET"),
        );
        text.push_str(rest);
    }
    serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

impl Compose {
    fn service(&self, name: &str) -> &Service {
        let service = self.services.get(name);
        service.unwrap_or_else(|| panic!("there is a service {name}"))
    }

    /// Starts a node with its environment in the file, except for addresses and paths.
    async fn node(&self, name: &str, place: &Place, data: &Path) -> Process {
        let mut environment = self.service(name).environment.clone();
        let mut there = |variable: &str, change: &dyn Fn(&str) -> String| {
            let value = environment.get_mut(variable);
            let value = value.unwrap_or_else(|| panic!("{name} has {variable}"));
            *value = change(value);
        };
        there("MAWE_LISTEN", &|_| "127.0.0.1:0".to_owned());
        there("MAWE_METRICS", &|_| "127.0.0.1:0".to_owned());
        there("MAWE_NATS", &|url| {
            at(url, "nats:4222", &place.nats.place())
        });
        there("MAWE_DATABASE", &|url| {
            assert_eq!(url, "postgres://mawe:embe@postgres:5432/mawe");
            place.database.clone()
        });
        let mut command = mawe(["serve", "--sign-ups-per-minute", "1000", "--data-dir"]);
        command.arg(data).envs(environment);
        Process::of(command).await
    }
}

/// Replaces one address in a text by another; it must occur.
fn at(text: &str, written: &str, address: &str) -> String {
    assert!(text.contains(written), "{written} is not in {text}");
    text.replace(written, address)
}

/// Caddy in front of these nodes; it ends when this value is dropped.
struct Balancer {
    address: SocketAddr,
    _caddy: Child,
    _directory: TempDir,
}

impl Balancer {
    async fn before(service: &Service, nodes: [SocketAddr; 2]) -> Balancer {
        let mount = &service.volumes[0];
        let (ours, theirs) = mount.split_once(':').expect("a file and its place");
        assert_eq!(theirs, "/etc/caddy/Caddyfile:ro", "where its image looks");
        let directory = tempfile::tempdir().expect("a temporary directory");
        for _ in 0..ATTEMPTS {
            let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
            let address = port.expect("a free port");
            let mut text = at(
                &file(ours),
                "\n{$MAWE_SITE::8081} {",
                &format!("\nhttp://{address} {{"),
            );
            for (name, node) in ["node-a:8080", "node-b:8080"].into_iter().zip(nodes) {
                text = at(&text, name, &node.to_string());
            }
            let config = directory.path().join("Caddyfile");
            std::fs::write(&config, text).expect("it can be written");
            let mut caddy = Command::new("caddy")
                .args(["run", "--adapter", "caddyfile", "--config"])
                .arg(config)
                .env("XDG_DATA_HOME", directory.path())
                .env("XDG_CONFIG_HOME", directory.path())
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .kill_on_drop(true)
                .spawn()
                .expect(
                    "this test needs Caddy: install it (apt-get install caddy; it need not run)",
                );
            let begun = Instant::now();
            while caddy.try_wait().expect("it can be asked").is_none() {
                if TcpStream::connect(address).await.is_ok() {
                    return Balancer {
                        address,
                        _caddy: caddy,
                        _directory: directory,
                    };
                }
                assert!(begun.elapsed() < PATIENCE, "Caddy does not listen");
                tokio::time::sleep(AGAIN).await;
            }
        }
        panic!("Caddy did not start");
    }
}

/// A password that is not set is an error of Compose, and never an empty one; a service without a profile starts always.
#[test]
fn each_compose_file_starts_its_own_services_with_passwords() {
    let always = |name: &str| {
        let services = compose(name).services.into_iter();
        let always = services
            .filter(|(_, service)| service.profiles.is_empty() && service.extends.is_none());
        always.map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(always(FILES[0]), ["mawe", "postgres"]);
    assert_eq!(
        always(FILES[1]),
        ["balancer", "nats", "node-a", "node-b", "postgres", "worker"]
    );
    for name in FILES {
        let file = file(name);
        for line in file.lines().filter(|line| {
            ["PASSWORD}", "PASSWORD:-", "KEY:-"]
                .iter()
                .any(|part| line.contains(part))
        }) {
            let variable = SET.iter().find(|(variable, _)| line.contains(variable));
            let (variable, _) = variable.expect("a secret is in SET");
            assert!(file.contains(&format!("${{{variable}:?")), "{name}: {line}");
        }
        let compose = compose(name);
        // A server that believes its proxy cannot be reached around it.
        for service in compose
            .services
            .values()
            .filter(|service| service.environment.contains_key("MAWE_BEHIND_PROXY"))
        {
            assert!(
                service
                    .ports
                    .iter()
                    .all(|port| port.starts_with("127.0.0.1:")),
                "{:?}",
                service.ports
            );
        }
        let ours = compose.services.values();
        let ours =
            ours.filter(|service| service.environment.keys().any(|name| name == "MAWE_LISTEN"));
        assert!(
            ours.map(|service| &*service.image)
                .all(|image| image == "mawe")
        );
    }
}

/// The program would silently ignore an unknown name.
#[tokio::test]
async fn every_variable_in_the_compose_files_is_one_that_the_program_knows() {
    for (name, service) in FILES.into_iter().flat_map(|file| compose(file).services) {
        let ours = service.environment.keys();
        let ours: Vec<_> = ours.filter(|name| name.starts_with("MAWE_")).collect();
        // The load balancer has variables of its own.
        if ours.is_empty() || service.image.starts_with("caddy") {
            continue;
        }
        let command = service.command.first().map_or("serve", String::as_str);
        let help = run(mawe([command, "--help"])).await.result();
        for variable in ours {
            // The help shows no value of a secret variable.
            let known = ["=", "]"].map(|end| help.contains(&format!("[env: {variable}{end}")));
            assert!(
                known.contains(&true),
                "{name}: `mawe {command}` does not know {variable}"
            );
        }
    }
}

#[tokio::test]
async fn the_cluster_of_the_compose_file_plays_on_when_a_node_dies() {
    let compose = compose(FILES[1]);
    let guarded: Vec<&str> = compose
        .service("nats")
        .command
        .iter()
        .map(String::as_str)
        .collect();
    let nats = Nats::with(&guarded, &[]);
    let mut place = Place::with(0, Postgres::start(), nats, None).await;
    let data = tempfile::tempdir().expect("a temporary directory");
    let a = compose.node("node-a", &place, &data.path().join("a")).await;
    let b = compose.node("node-b", &place, &data.path().join("b")).await;
    for id in ["a", "b"] {
        assert!(
            !place.name_of(id).await.is_empty(),
            "both are of one cluster"
        );
    }
    let balancer = Balancer::before(compose.service("balancer"), [a.address, b.address]).await;
    // All three addresses lead to the load balancer.
    place.addresses = vec![balancer.address; 3];

    let service = compose.service("worker");
    let there = format!("http://{}", a.address);
    let arguments = service.command.iter();
    let arguments = arguments.map(|word| word.replace("http://node-a:8080", &there));
    let arguments: Vec<String> = arguments.collect();
    assert!(arguments.contains(&there), "{arguments:?}");
    let mut environment = service.environment.clone();
    // The path in the container.
    let heartbeat = data.path().join("heartbeat");
    environment.insert("MAWE_HEARTBEAT".to_owned(), heartbeat.display().to_string());
    let mut command = mawe(&arguments);
    command.envs(&environment);
    let mut worker = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary is there");
    let (person, id) = against(&place, 0, "kalah", 3).await;
    let mut seat = Seat::take(&person, &id, Side::Second).await;
    play(&mut seat, 6).await;
    let ended = worker.try_wait().expect("it can be asked");
    assert_eq!(ended, None, "its key is right");
    // As the image's own check does; the worker may not have been answered yet, since the nodes think, too.
    let healthy = async || {
        let mut check = mawe(["health"]);
        check.env("MAWE_HEARTBEAT", &heartbeat);
        let ended = run(check).await;
        (ended.code == Some(0)).then_some(ended.stdout)
    };
    assert_eq!(
        eventually("the worker's heartbeat", healthy).await,
        "ready\n"
    );

    let addresses = addresses(&place);
    let mut rng = Rng::with_seed(SEED);
    let mut board = Board::set_up(&place, &addresses, "checkers", [0, 1, 2]).await;
    board.until(6, &mut rng).await;
    a.kill().await;
    board.until(12, &mut rng).await;
    // The load balancer never answers that no node is there.
    for _ in 0..20 {
        let guest = place.guest(0).await;
        assert!(guest.get("/readyz").await.status.is_success());
    }
    board.until(TO_THE_END, &mut rng).await;
    board.check(&place).await;
    assert_eq!(b.stop("TERM").await, Some(0));
}
