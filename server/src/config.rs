//! What the operator sets: options on the command line, as `MAWE_…` in the environment, or in a TOML file, in this order.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::Deserialize;

use crate::admin::socket;
use crate::banner::Banner;
use crate::cluster::ClusterOptions;
use crate::cluster::bus::BusOptions;
use crate::connections::admission::{self, ConnectionLimits};
use crate::connections::timeouts::Timeouts;
use crate::http::jobs::WorkerKey;
use crate::push::{PushOptions, Trusted};
use crate::store::MinFreeSpace;

/// Where the server listens when nothing is said.
const LISTEN: &str = "127.0.0.1:8080";

/// Where the data is kept when nothing is said, from the current directory.
const DATA_DIR: &str = "mawe-data";

/// The file of the embedded database in the data directory.
const SQLITE_FILE: &str = "mawe.sqlite";

/// The file in the data directory that may hold the key of workers elsewhere.
const WORKER_KEY_FILE: &str = "worker-key";

/// Guests and accounts that one address may make in a minute when nothing is said: a class of children at once.
const SIGN_UPS_PER_MINUTE: NonZeroU32 = NonZeroU32::new(60).expect("not zero");

/// Requests that one address may send in a minute when nothing is said: a hundred pages that are all in use.
const REQUESTS_PER_MINUTE: NonZeroU32 = NonZeroU32::new(6_000).expect("not zero");

/// How long one waits for a person when nothing is said, before a computer opponent is offered.
const BOT_OFFER_AFTER: Duration = Duration::from_secs(20);

/// How many seconds the spectators of a rated match are behind when nothing is said: too late to help a player, soon enough to watch.
const SPECTATOR_DELAY_S: u64 = 3;

/// How long a room that nobody is in stays in memory: whoever closes the page by mistake, or follows a link back, finds it open.
const LINGER: Duration = Duration::from_secs(60);

/// The longest name of a node: it is part of what NATS calls it.
const MAX_NODE_BYTES: usize = 40;

/// More would not be watching live.
const MAX_SPECTATOR_DELAY_S: u64 = 60;

/// The options that name the store.
#[derive(Debug, Clone, Default, Args)]
pub struct StoreOptions {
    /// Where the embedded database is kept, and the socket on which the server hears its operator [default: mawe-data]
    #[arg(long, env = "MAWE_DATA_DIR", value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// A Postgres database instead of the embedded one: postgres://user:password@host/name
    #[arg(
        long,
        env = "MAWE_DATABASE",
        value_name = "URL",
        hide_env_values = true
    )]
    pub database: Option<String>,
    /// A TOML file with any of these options, named as here without the dashes in front
    #[arg(long, env = "MAWE_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// Where a tool that needs no store finds what is kept beside it.
#[derive(Debug, Clone, Default, Args)]
pub struct DataOptions {
    /// The data directory, where endgame databases are [default: mawe-data]
    #[arg(
        long,
        env = "MAWE_DATA_DIR",
        value_name = "DIR",
        visible_alias = "data"
    )]
    data_dir: Option<PathBuf>,
}

impl DataOptions {
    /// The data directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        self.data_dir.as_deref().unwrap_or(Path::new(DATA_DIR))
    }
}

/// The options of the server.
#[derive(Debug, Clone, Default, Args)]
pub struct ServeOptions {
    /// The address and port to listen on; port 0 takes a free one [default: 127.0.0.1:8080]
    #[arg(long, env = "MAWE_LISTEN", value_name = "ADDRESS:PORT")]
    pub listen: Option<SocketAddr>,
    /// How many threads think for the computer opponents; 0 leaves it to `mawe worker` elsewhere [default: all cores but one]
    #[arg(long, env = "MAWE_BOTS", value_name = "N")]
    pub bots: Option<usize>,
    /// The key with which `mawe worker` elsewhere may think for this server, 16 characters or more; also as file worker-key in the data
    /// directory [default: none may]
    #[arg(
        long,
        env = "MAWE_WORKER_KEY",
        value_name = "KEY",
        hide_env_values = true
    )]
    pub worker_key: Option<String>,
    /// The address that people use, like `https://play.example.org`, where a proxy stands in front: pages of any other origin may not act
    /// here [default: the Host of each request]
    #[arg(long, env = "MAWE_ORIGIN", value_name = "URL")]
    pub origin: Option<String>,
    /// A proxy in front names the address of each visitor in X-Forwarded-For
    #[arg(long, env = "MAWE_BEHIND_PROXY", num_args = 0..=1, default_missing_value = "true")]
    pub behind_proxy: Option<bool>,
    /// How many guests and accounts one address may make in a minute [default: 60]
    #[arg(long, env = "MAWE_SIGN_UPS_PER_MINUTE", value_name = "N")]
    pub sign_ups_per_minute: Option<NonZeroU32>,
    /// After how many seconds one who waits for an opponent is offered a computer opponent; 0 for never [default: 20]
    #[arg(long, env = "MAWE_BOT_OFFER_AFTER", value_name = "SECONDS")]
    pub bot_offer_after: Option<u64>,
    /// How many seconds the spectators of a rated match are behind, 0 to 60 [default: 3]
    #[arg(long, env = "MAWE_SPECTATOR_DELAY", value_name = "SECONDS")]
    pub spectator_delay: Option<u64>,
    /// How many requests one address may send in a minute, of which a quarter may change and a twentieth make something [default: 6000]
    #[arg(long, env = "MAWE_REQUESTS_PER_MINUTE", value_name = "N")]
    pub requests_per_minute: Option<NonZeroU32>,
    /// How many connections the server takes at most, if the system lets it have as many files open [default: 50000]
    #[arg(long, env = "MAWE_CONNECTIONS", value_name = "N")]
    pub connections: Option<NonZeroU32>,
    /// How many connections one address may have; behind a proxy, how many requests at a time [default: 1024]
    #[arg(long, env = "MAWE_CONNECTIONS_PER_ADDRESS", value_name = "N")]
    pub connections_per_address: Option<NonZeroU32>,
    /// How many sockets and streams one address may have, and how many of them it may open anew in a minute [default: 400]
    #[arg(long, env = "MAWE_SOCKETS_PER_ADDRESS", value_name = "N")]
    pub sockets_per_address: Option<NonZeroU32>,
    /// A line of yours on every page, but for accounts that were granted premium [default: none]
    #[arg(long, env = "MAWE_BANNER_TEXT", value_name = "TEXT")]
    pub banner_text: Option<String>,
    /// Where that line leads: an address that begins with http:// or https://
    #[arg(long, env = "MAWE_BANNER_LINK", value_name = "URL")]
    pub banner_link: Option<String>,
    /// What it shows beside: a PNG, JPEG, GIF or WebP file of at most 256 KiB, read when the server starts
    #[arg(long, env = "MAWE_BANNER_PICTURE", value_name = "FILE")]
    pub banner_picture: Option<PathBuf>,
    /// Whether players are called by push messages of their browsers when they are not there and it is their turn; it needs a way out to
    /// the push services [default: true]
    #[arg(long, env = "MAWE_PUSH", num_args = 0..=1, default_missing_value = "true")]
    pub push: Option<bool>,
    /// Whom a push service can write to when something is wrong with the messages: mailto:you@example.org or an address with https://
    /// [default: the origin, where that has https://]
    #[arg(long, env = "MAWE_PUSH_CONTACT", value_name = "URL")]
    pub push_contact: Option<String>,
    /// Push services within a network of yours, as host:port with commas between: taken without https too, and wherever they are
    /// [default: none; push services are of the public network]
    #[arg(
        long,
        env = "MAWE_PUSH_TRUST",
        value_name = "HOST:PORT",
        value_delimiter = ','
    )]
    pub push_trust: Option<Vec<String>>,
    /// NATS, by which several nodes on one Postgres database work together: nats://host:port or tls://host:port [default: a node alone]
    #[arg(long, env = "MAWE_NATS", value_name = "URL", hide_env_values = true)]
    pub nats: Option<String>,
    /// A file with the certificates of who may have signed that of NATS, beyond those of the system
    #[arg(long, env = "MAWE_NATS_CA", value_name = "FILE")]
    pub nats_ca: Option<PathBuf>,
    /// What this node is called among the others, in letters, digits and dashes [default: drawn at random]
    #[arg(long, env = "MAWE_NODE", value_name = "NAME")]
    pub node: Option<String>,
    /// With less room than so many megabytes on the disk of the embedded database no new matches and players are taken, so that those that
    /// run can end; 0 for no limit [default: 200, or a tenth of a disk smaller than 2 GB]
    #[arg(long, env = "MAWE_MIN_FREE_SPACE", value_name = "MB")]
    pub min_free_space: Option<MinFreeSpace>,
    /// Where the store is
    #[command(flatten)]
    pub store: StoreOptions,
}

/// What is in a configuration file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    data_dir: Option<PathBuf>,
    database: Option<String>,
    listen: Option<SocketAddr>,
    bots: Option<usize>,
    worker_key: Option<String>,
    origin: Option<String>,
    behind_proxy: Option<bool>,
    sign_ups_per_minute: Option<NonZeroU32>,
    bot_offer_after: Option<u64>,
    spectator_delay: Option<u64>,
    requests_per_minute: Option<NonZeroU32>,
    connections: Option<NonZeroU32>,
    connections_per_address: Option<NonZeroU32>,
    sockets_per_address: Option<NonZeroU32>,
    banner_text: Option<String>,
    banner_link: Option<String>,
    banner_picture: Option<PathBuf>,
    push: Option<bool>,
    push_contact: Option<String>,
    push_trust: Option<Vec<String>>,
    nats: Option<String>,
    nats_ca: Option<PathBuf>,
    node: Option<String>,
    min_free_space: Option<u64>,
}

/// What a server is started with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Where to listen.
    pub listen: SocketAddr,
    /// How many threads think.
    pub bots: usize,
    /// What workers elsewhere have to show; `None` for none.
    pub worker_key: Option<WorkerKey>,
    /// The origin that people use.
    pub origin: Option<String>,
    /// Whether a proxy names addresses.
    pub behind_proxy: bool,
    /// Guests and accounts of one address in a minute.
    pub sign_ups_per_minute: NonZeroU32,
    /// After how long in a pool a computer opponent is offered; `None` for never.
    pub bot_offer_after: Option<Duration>,
    /// How far behind the spectators of a rated match are.
    pub spectator_delay: Duration,
    /// How long a room that nobody is in stays in memory.
    pub linger: Duration,
    /// Requests of one address in a minute.
    pub requests_per_minute: NonZeroU32,
    /// How many connections and sockets there may be.
    pub connections: ConnectionLimits,
    /// How long a client may take to send what it sends.
    pub timeouts: Timeouts,
    /// The operator's notice.
    pub banner: Option<Banner>,
    /// How players are called who are not there; `None`: they are not.
    pub push: Option<PushOptions>,
    /// The store, as [`crate::store::open`] takes it.
    pub store_url: String,
    /// The data directory.
    pub data_dir: PathBuf,
    /// Where the operator is heard.
    pub admin_socket: PathBuf,
    /// How it is one of several nodes; `None`: it is alone.
    pub cluster: Option<ClusterOptions>,
    /// How much room the disk of an embedded database must have for new matches and players.
    pub min_free_space: MinFreeSpace,
}

/// A configuration that cannot be used: one line with the thing and the mend.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

impl ServeOptions {
    /// The configuration: options, then the file, then what is usual.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn resolve(self) -> Result<Config, ConfigError> {
        let file = self.store.file()?;
        let origin = self.origin.or(file.origin.clone());
        if let Some(origin) = &origin {
            let rest = origin
                .strip_prefix("https://")
                .or_else(|| origin.strip_prefix("http://"));
            if rest.is_none_or(|rest| rest.is_empty() || rest.trim_end_matches('/').contains('/')) {
                return Err(ConfigError(format!(
                    "origin {origin:?} must be like https://play.example.org, without a path"
                )));
            }
        }
        let spectator_delay = self
            .spectator_delay
            .or(file.spectator_delay)
            .unwrap_or(SPECTATOR_DELAY_S);
        if spectator_delay > MAX_SPECTATOR_DELAY_S {
            return Err(ConfigError(format!(
                "spectator-delay {spectator_delay} must be at most {MAX_SPECTATOR_DELAY_S} seconds"
            )));
        }
        let banner = Banner::of(
            self.banner_text.or(file.banner_text.clone()).as_deref(),
            self.banner_link.or(file.banner_link.clone()).as_deref(),
            self.banner_picture
                .or(file.banner_picture.clone())
                .as_deref(),
        )
        .map_err(ConfigError)?;
        let push = push(
            self.push.or(file.push).unwrap_or(true),
            self.push_contact.or(file.push_contact.clone()),
            self.push_trust.or(file.push_trust.clone()),
            origin.as_deref(),
        )?;
        let store_url = self.store.url(&file);
        let cluster = cluster(
            self.nats.or(file.nats.clone()),
            self.nats_ca.or(file.nats_ca.clone()),
            self.node.or(file.node.clone()),
            &store_url,
        )?;
        Ok(Config {
            listen: self
                .listen
                .or(file.listen)
                .unwrap_or_else(|| LISTEN.parse().expect("an address and a port")),
            bots: self.bots.or(file.bots).unwrap_or_else(spare_cores),
            worker_key: self.store.worker_key(self.worker_key.as_deref(), &file)?,
            origin,
            behind_proxy: self.behind_proxy.or(file.behind_proxy).unwrap_or(false),
            sign_ups_per_minute: self
                .sign_ups_per_minute
                .or(file.sign_ups_per_minute)
                .unwrap_or(SIGN_UPS_PER_MINUTE),
            bot_offer_after: Some(
                self.bot_offer_after
                    .or(file.bot_offer_after)
                    .map_or(BOT_OFFER_AFTER, Duration::from_secs),
            )
            .filter(|after| !after.is_zero()),
            spectator_delay: Duration::from_secs(spectator_delay),
            linger: LINGER,
            requests_per_minute: self
                .requests_per_minute
                .or(file.requests_per_minute)
                .unwrap_or(REQUESTS_PER_MINUTE),
            connections: ConnectionLimits {
                connections: self
                    .connections
                    .or(file.connections)
                    .unwrap_or(admission::CONNECTIONS),
                connections_per_address: self
                    .connections_per_address
                    .or(file.connections_per_address)
                    .unwrap_or(admission::CONNECTIONS_PER_ADDRESS),
                sockets_per_address: self
                    .sockets_per_address
                    .or(file.sockets_per_address)
                    .unwrap_or(admission::SOCKETS_PER_ADDRESS),
            },
            timeouts: Timeouts::default(),
            banner,
            push,
            store_url,
            data_dir: self.store.data_dir(&file).to_owned(),
            admin_socket: self.store.admin_socket(&file),
            cluster,
            min_free_space: self
                .min_free_space
                .or(file.min_free_space.map(MinFreeSpace::of_megabytes))
                .unwrap_or_default(),
        })
    }
}

/// How players are called, where they are at all.
fn push(
    on: bool,
    contact: Option<String>,
    trust: Option<Vec<String>>,
    origin: Option<&str>,
) -> Result<Option<PushOptions>, ConfigError> {
    let is_contact = |text: &str| text.starts_with("mailto:") || text.starts_with("https://");
    if let Some(wrong) = contact.as_deref().filter(|text| !is_contact(text)) {
        return Err(ConfigError(format!(
            "push-contact {wrong:?} must be like mailto:you@example.org or https://example.org"
        )));
    }
    let trusted = trust
        .unwrap_or_default()
        .iter()
        .map(|text| {
            Trusted::new(text.trim())
                .map_err(|advice| ConfigError(format!("push-trust {text:?} {advice}")))
        })
        .collect::<Result<Vec<_>, _>>()?;
    let origin = origin.filter(|origin| is_contact(origin));
    let contact = contact.or_else(|| origin.map(str::to_owned));
    Ok(on.then(|| PushOptions::new(contact, trusted)))
}

/// Half a cluster is none: several nodes need one database that all of them reach, and a way between them.
fn cluster(
    nats: Option<String>,
    ca: Option<PathBuf>,
    node: Option<String>,
    store_url: &str,
) -> Result<Option<ClusterOptions>, ConfigError> {
    let Some(url) = nats else {
        let lonely = [("nats-ca", ca.is_some()), ("node", node.is_some())];
        return match lonely.into_iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(ConfigError(format!(
                "{option} is for one of several nodes; name NATS too, with --nats"
            ))),
            None => Ok(None),
        };
    };
    if store_url.starts_with("sqlite:") {
        return Err(ConfigError(
            "nats is for several nodes on one Postgres database, and this one has an embedded one; name a database with --database postgres://…, or leave --nats away"
                .to_owned(),
        ));
    }
    if let Some(node) = &node {
        let known = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        if node.is_empty() || node.len() > MAX_NODE_BYTES || !node.bytes().all(known) {
            return Err(ConfigError(format!(
                "node {node:?} must be 1 to {MAX_NODE_BYTES} letters, digits and dashes"
            )));
        }
    }
    let bus = bus(url, ca)?;
    Ok(Some(ClusterOptions { bus, node }))
}

/// Where NATS is.
///
/// # Errors
/// [`ConfigError`].
pub fn bus(url: String, ca: Option<PathBuf>) -> Result<BusOptions, ConfigError> {
    if let Some(ca) = &ca {
        std::fs::metadata(ca).map_err(|error| {
            ConfigError(format!(
                "the certificates in {} cannot be read: {error}",
                ca.display()
            ))
        })?;
    }
    let bus = BusOptions { url, ca };
    bus.check()
        .map_err(|error| ConfigError(error.to_string()))?;
    Ok(bus)
}

impl StoreOptions {
    /// The data directory.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn directory(&self) -> Result<PathBuf, ConfigError> {
        Ok(self.data_dir(&self.file()?).to_owned())
    }

    /// Where the store is, as [`crate::store::open`] takes it.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn resolve(&self) -> Result<String, ConfigError> {
        Ok(self.url(&self.file()?))
    }

    fn data_dir<'a>(&'a self, file: &'a File) -> &'a Path {
        let data_dir = self.data_dir.as_deref().or(file.data_dir.as_deref());
        data_dir.unwrap_or(Path::new(DATA_DIR))
    }

    /// Beside an embedded database, wherever that is: who finds the one finds the other.
    fn admin_socket(&self, file: &File) -> PathBuf {
        let url = self.url(file);
        let database = url.strip_prefix("sqlite:").map(Path::new);
        let beside = database.map(|path| path.parent().unwrap_or(Path::new("")));
        beside
            .unwrap_or_else(|| self.data_dir(file))
            .join(socket::FILE)
    }

    fn url(&self, file: &File) -> String {
        let embedded = || {
            let path = self.data_dir(file).join(SQLITE_FILE);
            format!("sqlite:{}", path.display())
        };
        self.database
            .clone()
            .or_else(|| file.database.clone())
            .unwrap_or_else(embedded)
    }

    /// The key of workers: as it was given, or from the data directory.
    fn worker_key(
        &self,
        given: Option<&str>,
        file: &File,
    ) -> Result<Option<WorkerKey>, ConfigError> {
        let (place, text) = match given.or(file.worker_key.as_deref()) {
            Some(text) => ("worker-key".to_owned(), text.to_owned()),
            None => {
                let data_dir = self.data_dir.as_deref().or(file.data_dir.as_deref());
                let path = data_dir
                    .unwrap_or(Path::new(DATA_DIR))
                    .join(WORKER_KEY_FILE);
                match std::fs::read_to_string(&path) {
                    Ok(text) => (path.display().to_string(), text),
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
                    Err(error) => {
                        return Err(ConfigError(format!(
                            "the worker's key in {} cannot be read: {error}",
                            path.display()
                        )));
                    }
                }
            }
        };
        let key = WorkerKey::new(text.trim());
        key.map(Some)
            .map_err(|error| ConfigError(format!("the key in {place} is none: {error}")))
    }

    fn file(&self) -> Result<File, ConfigError> {
        let Some(path) = &self.config else {
            return Ok(File::default());
        };
        let shown = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| {
            ConfigError(format!(
                "the configuration file {shown} cannot be read: {error}"
            ))
        })?;
        toml::from_str(&text).map_err(|error: toml::de::Error| {
            let start = error.span().map_or(0, |span| span.start.min(text.len()));
            let line = text[..start].matches('\n').count() + 1;
            ConfigError(format!(
                "the configuration file {shown}, line {line}: {}",
                error.message().replace('\n', " ")
            ))
        })
    }
}

/// All cores but one, and one at least.
pub(crate) fn spare_cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| (cores.get() - 1).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(toml: &str) -> (ServeOptions, tempfile::NamedTempFile) {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        std::fs::write(file.path(), toml).expect("it can be written");
        let store = StoreOptions {
            config: Some(file.path().to_owned()),
            ..StoreOptions::default()
        };
        (
            ServeOptions {
                store,
                ..ServeOptions::default()
            },
            file,
        )
    }

    #[test]
    fn options_go_before_the_file_and_the_file_before_the_usual() {
        let (mut given, _file) =
            options("listen = \"127.0.0.1:9000\"\nbots = 3\ndata-dir = \"/srv/mawe\"\n");
        given.bots = Some(5);
        let config = given.resolve().expect("it is right");
        assert_eq!(config.listen.port(), 9000);
        assert_eq!(config.bots, 5);
        assert_eq!(config.store_url, "sqlite:/srv/mawe/mawe.sqlite");
        assert_eq!(config.admin_socket, Path::new("/srv/mawe/admin.sock"));
        assert_eq!(config.sign_ups_per_minute, SIGN_UPS_PER_MINUTE);
        assert_eq!(config.bot_offer_after, Some(BOT_OFFER_AFTER));
    }

    #[test]
    fn the_operators_socket_is_beside_the_database_or_in_the_data_directory() {
        for (database, expected) in [
            ("sqlite:/var/lib/x.sqlite", "/var/lib/admin.sock"),
            ("sqlite:x.sqlite", "admin.sock"),
            ("postgres://a@b/c", "/srv/mawe/admin.sock"),
        ] {
            let (given, _file) = options(&format!(
                "data-dir = \"/srv/mawe\"\ndatabase = {database:?}\n"
            ));
            let config = given.resolve().expect("it is right");
            assert_eq!(config.admin_socket, Path::new(expected), "{database}");
        }
    }

    #[test]
    fn the_worker_s_key_comes_from_the_options_or_the_data_directory_and_must_be_long() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let given = |key: Option<&str>| ServeOptions {
            worker_key: key.map(str::to_owned),
            bots: Some(0),
            store: StoreOptions {
                data_dir: Some(directory.path().to_owned()),
                ..StoreOptions::default()
            },
            ..ServeOptions::default()
        };
        let none = given(None).resolve().expect("it is right");
        assert_eq!((none.worker_key, none.bots), (None, 0));
        let path = directory.path().join(WORKER_KEY_FILE);
        std::fs::write(&path, "from-the-data-directory\n").expect("it can be written");
        let key = |options: ServeOptions| {
            let config = options.resolve().expect("it is right");
            config.worker_key.expect("a key").secret().to_owned()
        };
        assert_eq!(key(given(None)), "from-the-data-directory");
        assert_eq!(
            key(given(Some("from-the-command-line"))),
            "from-the-command-line"
        );
        std::fs::write(&path, "short\n").expect("it can be written");
        let message = given(None).resolve().expect_err("it is short").to_string();
        assert!(
            message.contains("worker-key") && !message.contains("short"),
            "{message}"
        );
    }

    #[test]
    fn the_limit_of_free_space_comes_from_the_file_too() {
        let (given, _file) = options("min-free-space = 500\n");
        let limit = given.resolve().expect("it is right").min_free_space;
        assert_eq!(limit, MinFreeSpace::Bytes(500_000_000));
        let (given, _file) = options("min-free-space = 0\n");
        let limit = given.resolve().expect("it is right").min_free_space;
        assert_eq!(limit, MinFreeSpace::Off);
        let (given, _file) = options("bots = 3\n");
        let limit = given.resolve().expect("it is right").min_free_space;
        assert_eq!(limit, MinFreeSpace::Usual);
    }

    #[test]
    fn a_computer_opponent_is_never_offered_after_no_time() {
        let (given, _file) = options("bot-offer-after = 0\n");
        assert_eq!(given.resolve().expect("it is right").bot_offer_after, None);
    }

    #[test]
    fn a_banner_is_off_unless_it_is_set_and_a_bad_one_is_named() {
        let (given, _file) = options("bots = 3\n");
        assert_eq!(given.resolve().expect("it is right").banner, None);
        let (given, _file) = options(
            "banner-text = \"The cup begins on Friday\"\nbanner-link = \"https://example.org\"\n",
        );
        let banner = given.resolve().expect("it is right").banner;
        assert_eq!(banner.expect("it is set").text, "The cup begins on Friday");
        let (given, _file) =
            options("banner-text = \"x\"\nbanner-link = \"javascript:alert(1)\"\n");
        let refused = given.resolve().expect_err("no such link").to_string();
        assert!(refused.contains("banner-link"), "{refused}");
    }

    #[test]
    fn players_are_called_unless_it_is_off_and_a_bad_service_is_named() {
        let resolved = |toml: &str| {
            let (given, _file) = options(toml);
            given.resolve()
        };
        let push = |toml: &str| resolved(toml).expect("it is right").push;
        let usual = push("bots = 3\n").expect("it is on");
        assert_eq!((usual.contact, usual.trusted), (None, Vec::new()));
        assert_eq!(push("push = false\n"), None);
        let contact = |toml: &str| push(toml).expect("it is on").contact;
        let origin = "origin = \"https://play.example.org\"\n";
        assert_eq!(contact(origin).as_deref(), Some("https://play.example.org"));
        assert_eq!(contact("origin = \"http://play.example.org\"\n"), None);
        let named = format!("{origin}push-contact = \"mailto:a@example.org\"\n");
        assert_eq!(contact(&named).as_deref(), Some("mailto:a@example.org"));
        let trust = push("push-trust = [\"push.school.lan:8443\", \"127.0.0.1:9\"]\n");
        assert_eq!(trust.expect("it is on").trusted.len(), 2);
        for (toml, word) in [
            ("push-contact = \"a@example.org\"\n", "push-contact"),
            ("push-trust = [\"push.school.lan\"]\n", "push.school.lan"),
        ] {
            let refused = resolved(toml).expect_err(toml).to_string();
            assert!(
                refused.contains(word) && !refused.contains('\n'),
                "{refused}"
            );
        }
    }

    #[test]
    fn an_unknown_key_is_named_with_its_line() {
        let (given, _file) = options("bots = 3\nlisten-on = \"127.0.0.1:9000\"\n");
        let message = given
            .resolve()
            .expect_err("there is no such key")
            .to_string();
        assert!(
            message.contains("line 2") && message.contains("listen-on") && !message.contains('\n'),
            "{message}"
        );
    }

    #[test]
    fn a_missing_file_and_a_bad_origin_are_named() {
        let store = StoreOptions {
            config: Some("/nowhere/mawe.toml".into()),
            ..StoreOptions::default()
        };
        let message = ServeOptions {
            store,
            ..ServeOptions::default()
        }
        .resolve()
        .expect_err("it is not there")
        .to_string();
        assert!(message.contains("/nowhere/mawe.toml"), "{message}");
        for origin in ["play.example.org", "https://", "https://a.example/path"] {
            let given = ServeOptions {
                origin: Some(origin.into()),
                ..ServeOptions::default()
            };
            assert!(given.resolve().is_err(), "{origin}");
        }
    }
}
