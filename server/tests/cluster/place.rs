//! A cluster for tests: Postgres, NATS, and nodes that are processes of the program.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;

use mawe_rules::Side;
use reqwest::StatusCode;
use serde_json::json;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions, Row};
use tempfile::TempDir;

use super::proxy::Proxy;
use super::world::World;
use crate::common::nats::Nats;
use crate::common::postgres::Postgres;
use crate::common::process::{Process, mawe_after};
use crate::common::{Person, eventually};
use crate::metrics;

/// Several nodes, with their Postgres and NATS.
pub(crate) struct Place {
    pub(crate) nodes: Vec<Option<Process>>,
    pub(crate) addresses: Vec<SocketAddr>,
    pub(crate) nats: Nats,
    pub(crate) database: String,
    _postgres: Postgres,
    directory: TempDir,
    /// The number of threads for computer opponents of each added node.
    pub(crate) threads: usize,
    /// Further options of added nodes.
    pub(crate) more: Vec<String>,
    /// The proxies between each node and Postgres, and NATS; empty for direct connections.
    proxies: Vec<(Proxy, Proxy)>,
    /// The separate network of all parts, if there is one.
    world: Option<Network>,
    /// Whether a restarted node keeps its address.
    keeps_addresses: bool,
}

/// A network with one part on each host. The players are at host 0, with this process.
pub(crate) struct Network {
    pub(crate) world: World,
    /// A second NATS, joined to the first, which the last node uses.
    pub(crate) second_nats: Nats,
}

impl Network {
    pub(crate) const PEOPLE: usize = 0;
    pub(crate) const POSTGRES: usize = 1;
    pub(crate) const NATS: usize = 2;
    pub(crate) const SECOND_NATS: usize = 3;

    /// Returns the host of a node.
    pub(crate) fn host(node: usize) -> usize {
        4 + node
    }

    /// Returns the host of a node's NATS.
    pub(crate) fn nats_of(node: usize) -> usize {
        if node == Self::ISLAND {
            Self::SECOND_NATS
        } else {
            Self::NATS
        }
    }

    /// The node that uses the second NATS.
    pub(crate) const ISLAND: usize = 2;
}

/// An entry as stored in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) seq: u64,
    pub(crate) epoch: u64,
    pub(crate) kind: String,
    pub(crate) client_id: Option<String>,
}

impl Place {
    pub(crate) async fn of(nodes: usize) -> Place {
        Place::with(nodes, Postgres::start(), Nats::start(), None).await
    }

    /// Creates a cluster with an existing Postgres.
    pub(crate) async fn with(
        nodes: usize,
        postgres: Postgres,
        nats: Nats,
        world: Option<Network>,
    ) -> Place {
        let mut place = Place {
            nodes: Vec::new(),
            addresses: Vec::new(),
            nats,
            database: postgres.fresh_database().await,
            _postgres: postgres,
            directory: tempfile::tempdir().expect("a temporary directory"),
            threads: 0,
            more: Vec::new(),
            proxies: Vec::new(),
            world,
            keeps_addresses: false,
        };
        // NATS has just been started.
        let nats = place.nats.place();
        eventually("NATS", async || {
            tokio::net::TcpStream::connect(&nats).await.ok()
        })
        .await;
        for _ in 0..nodes {
            place.add().await;
        }
        place
    }

    /// Starts nodes that keep their addresses over a restart.
    pub(crate) async fn that_keeps_addresses(nodes: usize) -> Place {
        let mut place = Place::of(0).await;
        place.keeps_addresses = true;
        for _ in 0..nodes {
            place.add().await;
        }
        place
    }

    /// Starts nodes whose connections can be cut.
    pub(crate) async fn behind_proxies(nodes: usize) -> Place {
        let mut place = Place::of(0).await;
        for _ in 0..nodes {
            let at = |port: u16| SocketAddr::from(([127, 0, 0, 1], port));
            let options: PgConnectOptions = place.database.parse().expect("an address");
            let postgres = Proxy::to(at(options.get_port())).await;
            let nats = Proxy::to(at(place.nats.port)).await;
            place.proxies.push((postgres, nats));
            place.add().await;
        }
        place
    }

    /// Starts three nodes, each part of the cluster on a host of its own.
    pub(crate) async fn in_a_network() -> Place {
        let world = World::of(Network::host(3) - 1);
        let at = |host: usize| (world.words(host), World::address(host));
        let (words, address) = at(Network::POSTGRES);
        let postgres = Postgres::after(words, &address, World::ALL);
        let (words, first) = at(Network::NATS);
        let join = |routes: &str| {
            let cluster = "nats://0.0.0.0:6222";
            let mut more = vec!["--cluster", cluster, "--cluster_name", "mawe"];
            if !routes.is_empty() {
                more.extend(["--routes", routes]);
            }
            more.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let more = join("");
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        let nats = Nats::after(words, &first, &more);
        let (words, second) = at(Network::SECOND_NATS);
        let more = join(&format!("nats://{first}:6222"));
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        let second_nats = Nats::after(words, &second, &more);
        let network = Network { world, second_nats };
        Place::with(3, postgres, nats, Some(network)).await
    }

    /// Returns the network of all parts.
    pub(crate) fn world(&self) -> &World {
        &self.world.as_ref().expect("they have one").world
    }

    /// Returns the proxies of a node to Postgres and NATS.
    pub(crate) fn lines(&self, node: usize) -> (&Proxy, &Proxy) {
        let (postgres, nats) = &self.proxies[node];
        (postgres, nats)
    }

    /// Returns the data directory of a node.
    pub(crate) fn data_of(&self, number: usize) -> PathBuf {
        self.directory.path().join(format!("node-{number}"))
    }

    /// Waits until no finished match remains to be counted.
    pub(crate) async fn until_all_is_counted(&self) {
        eventually("all matches are counted", async || {
            let uncounted = self
                .query("SELECT match_id FROM outbox WHERE match_id <> $1", "")
                .await;
            uncounted.is_empty().then_some(())
        })
        .await;
    }

    /// Starts another node.
    pub(crate) async fn add(&mut self) -> usize {
        let number = self.nodes.len();
        let node = self.start(number).await;
        self.addresses.push(node.address);
        self.nodes.push(Some(node));
        number
    }

    /// Restarts a node; it has another address, unless addresses are kept.
    pub(crate) async fn again(&mut self, number: usize) {
        let node = self.start(number).await;
        self.addresses[number] = node.address;
        self.nodes[number] = Some(node);
    }

    async fn start(&self, number: usize) -> Process {
        let (mut nats, mut database) = (self.nats.url.clone(), self.database.clone());
        if let Some((to_postgres, to_nats)) = self.proxies.get(number) {
            let options: PgConnectOptions = database.parse().expect("an address");
            let there = |port: u16| format!("127.0.0.1:{port}");
            database = database.replace(&there(options.get_port()), &there(to_postgres.port));
            nats = nats.replace(&there(self.nats.port), &there(to_nats.port));
        }
        let (mut words, mut listen) = (Vec::new(), "127.0.0.1:0".to_owned());
        if let Some(network) = &self.world {
            let host = Network::host(number);
            words = network.world.words(host);
            // Outside the port range of outgoing connections: see World::forget.
            listen = format!("{}:8080", World::address(host));
            if number == Network::ISLAND {
                nats.clone_from(&network.second_nats.url);
            }
        }
        if self.keeps_addresses {
            let there = self.addresses.get(number);
            listen =
                there.map_or_else(|| format!("127.0.0.1:{}", free_port()), ToString::to_string);
        }
        let (nats, database) = (nats.as_str(), database.as_str());
        let name = format!("node-{number}");
        let mut command = mawe_after(&words, ["--listen", &listen, "--bots"]);
        command
            .arg(self.threads.to_string())
            .args(["--sign-ups-per-minute", "10000"])
            .args(["--requests-per-minute", "1000000"])
            .args(["--sockets-per-address", "100000"])
            .args(["--spectator-delay", "0"])
            .args(["--metrics", "same", "--metrics-token", metrics::TOKEN])
            .args(["--nats", nats, "--database", database, "--node", &name])
            .args(&self.more)
            .arg("--data-dir")
            .arg(self.data_of(number));
        std::fs::create_dir_all(self.data_of(number)).expect("a directory");
        Process::of(command).await
    }

    pub(crate) fn node(&self, number: usize) -> &Process {
        self.nodes[number].as_ref().expect("it runs")
    }

    pub(crate) fn take(&mut self, number: usize) -> Process {
        self.nodes[number].take().expect("it runs")
    }

    pub(crate) async fn guest(&self, node: usize) -> Person {
        Person::guest_at(self.addresses[node]).await
    }

    /// Makes a match of these two; the first moves first.
    pub(crate) async fn arrange(
        &self,
        game: &str,
        first: &mut Person,
        second: &mut Person,
        rated: bool,
    ) -> String {
        let offer = json!({
            "game": game,
            "side": Side::First,
            "rated": rated,
            // Rated matches have one form only.
            "setup": if rated && game == "congkak" { "form=limited" } else { "" },
            "time_control": { "kind": "realtime", "base_ms": 600_000, "increment_ms": 0 },
        });
        loop {
            let challenge = first.post("/api/v1/challenges", &offer).await;
            assert_eq!(challenge.status, StatusCode::CREATED, "{challenge:?}");
            let path = format!("/api/v1/challenges/{}/accept", challenge.text("/id"));
            let accepted = second.post(&path, &json!({})).await;
            assert_eq!(accepted.status, StatusCode::OK, "{accepted:?}");
            let id = accepted.text("/id");
            if first.keeps(&id, "first").await {
                return id;
            }
        }
    }

    /// Opens a connection to the database of the nodes.
    pub(crate) async fn connection(&self) -> PgConnection {
        let options: PgConnectOptions = self.database.parse().expect("an address");
        options.connect().await.expect("Postgres runs")
    }

    /// Executes a statement with one parameter.
    pub(crate) async fn query(&self, sql: &'static str, id: &str) -> Vec<sqlx::postgres::PgRow> {
        let mut connection = self.connection().await;
        sqlx::query(sql)
            .bind(id.to_owned())
            .fetch_all(&mut connection)
            .await
            .expect("a table of ours")
    }

    /// Locks the sessions against reading until the connection is dropped.
    pub(crate) async fn lock_sessions(&self) -> PgConnection {
        let mut connection = self.connection().await;
        sqlx::raw_sql("BEGIN; LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE")
            .execute(&mut connection)
            .await
            .expect("a table of ours");
        connection
    }

    /// Stores the row of a node with a lease that does not end during the test: a real one may renew its lease late on a busy machine.
    pub(crate) async fn note_one_that_lives(&self, id: &str) {
        self.query(
            "INSERT INTO nodes (id, name, address, expires_ms)
            VALUES ($1, $1 || '-elsewhere', '127.0.0.1:9', 9000000000000000)",
            id,
        )
        .await;
    }

    /// Stores a migration of a later version, as a newer node would.
    pub(crate) async fn note_a_newer_schema(&self) {
        self.query(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
            VALUES (9999, $1, true, '', 0)",
            "a later one",
        )
        .await;
    }

    /// Returns the journal of a match.
    pub(crate) async fn journal(&self, id: &str) -> Vec<Written> {
        let rows = self
            .query(
                "SELECT seq, epoch, kind, client_id FROM entries WHERE match_id = $1 ORDER BY seq",
                id,
            )
            .await;
        let written = |row: sqlx::postgres::PgRow| Written {
            seq: row.get::<i64, _>("seq").cast_unsigned(),
            epoch: row.get::<i64, _>("epoch").cast_unsigned(),
            kind: row.get("kind"),
            client_id: row.get("client_id"),
        };
        rows.into_iter().map(written).collect()
    }

    /// Returns the name of the node with this id, to which messages are addressed.
    pub(crate) async fn name_of(&self, id: &str) -> String {
        let rows = self.query("SELECT name FROM nodes WHERE id = $1", id).await;
        rows.first().expect("it runs").get("name")
    }

    /// Returns whether a match is over.
    pub(crate) async fn is_over(&self, id: &str) -> bool {
        let rows = self
            .query(
                "SELECT 1 FROM matches WHERE id = $1 AND finished_ms IS NOT NULL",
                id,
            )
            .await;
        !rows.is_empty()
    }

    /// Waits until a node owns a match, and returns its number: a match that was just made is opened in the background.
    pub(crate) async fn first_owner(&self, id: &str) -> usize {
        eventually("a node that owns the match", async || self.owner(id).await).await
    }

    /// Returns the number of leases that running nodes have lost: a machine that is too busy for a node's renewal moves its matches.
    pub(crate) async fn leases_lost(&self) -> f64 {
        let mut lost = 0.0;
        for (number, node) in self.nodes.iter().enumerate() {
            if node.is_some() {
                lost += self.metric(number, "mawe_leases_lost_total").await;
            }
        }
        lost
    }

    /// Returns a number from the metrics of a node.
    pub(crate) async fn metric(&self, node: usize, name: &str) -> f64 {
        let collector = Person::at(self.addresses[node]).with_token(metrics::TOKEN);
        metrics::scrape(&collector).await.sum(name, &[])
    }

    /// Returns the name of the node that owns a match.
    pub(crate) async fn owner_name(&self, id: &str) -> Option<String> {
        let rows = self
            .query("SELECT owner FROM matches WHERE id = $1", id)
            .await;
        rows.first().expect("the match is there").get("owner")
    }

    /// Returns the number of the node that owns a match.
    pub(crate) async fn owner(&self, id: &str) -> Option<usize> {
        let owner = self.owner_name(id).await?;
        let number = owner.strip_prefix("node-")?.split('-').next()?;
        number.parse().ok()
    }
}

/// Returns a free port outside the range of outgoing connections: no connection takes it by chance while its node is down.
fn free_port() -> u16 {
    let mut ports = std::iter::repeat_with(|| fastrand::u16(61_000..65_000));
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    ports.find(is_free).expect("some are free")
}
