//! The operator's settings: options on the command line, then `MAWE_…` in the environment, then a TOML file.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use mawe_store::MinFreeSpace;
use serde::Deserialize;

use crate::admin::socket;
use crate::bots::exchange::WorkerKey;
use crate::cluster::ClusterOptions;
use crate::cluster::bus::BusOptions;
use crate::connections::admission::{self, ConnectionLimits};
use crate::connections::timeouts::Timeouts;
use crate::page::banner::Banner;
use crate::push::{PushOptions, Trusted};

/// The default address and port to listen on.
const LISTEN: &str = "127.0.0.1:8080";

/// The default data directory, relative to the current directory.
const DATA_DIR: &str = "mawe-data";

/// The name of the embedded database's file in the data directory.
const SQLITE_FILE: &str = "mawe.sqlite";

/// The name of the optional file in the data directory with the key of remote workers.
const WORKER_KEY_FILE: &str = "worker-key";

/// The default number of guests and accounts that one address may create in a minute: a class of children at once.
const SIGN_UPS_PER_MINUTE: NonZeroU32 = NonZeroU32::new(60).expect("not zero");

/// The default number of requests that one address may send in a minute: a hundred pages that are all in use.
const REQUESTS_PER_MINUTE: NonZeroU32 = NonZeroU32::new(6_000).expect("not zero");

/// The default wait in a pool before a computer opponent is offered.
const BOT_OFFER_AFTER: Duration = Duration::from_secs(20);

/// The default delay for the spectators of a rated match, in seconds: too late to help a player, soon enough to watch.
const SPECTATOR_DELAY_S: u64 = 3;

/// How long an empty room stays in memory, so that a player who closed the page by mistake, or follows a link back, finds it open.
const LINGER: Duration = Duration::from_secs(60);

/// The greatest length of a node's name, in bytes: it is part of the NATS subjects.
const MAX_NODE_BYTES: usize = 40;

/// The greatest delay for spectators, in seconds: more would not be watching live.
const MAX_SPECTATOR_DELAY_S: u64 = 60;

/// The options that name the store.
#[derive(Debug, Clone, Default, Args)]
pub struct StoreOptions {
    /// The directory of the embedded database and of the admin socket [default: mawe-data]
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

/// The options of a tool that needs the data directory but no store.
#[derive(Debug, Clone, Default, Args)]
pub struct DataOptions {
    /// The data directory with the endgame databases [default: mawe-data]
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
    /// The number of threads that think for the computer opponents; 0 leaves it to `mawe worker` elsewhere [default: all cores but one]
    #[arg(long, env = "MAWE_BOTS", value_name = "N")]
    pub bots: Option<usize>,
    /// The key with which a remote `mawe worker` may think for this server, 16 characters or more; also as the file worker-key in the data
    /// directory [default: no remote workers]
    #[arg(
        long,
        env = "MAWE_WORKER_KEY",
        value_name = "KEY",
        hide_env_values = true
    )]
    pub worker_key: Option<String>,
    /// The server's public address, like `https://play.example.org`, if it is behind a proxy: pages of any other origin may not act here
    /// [default: the Host of each request]
    #[arg(long, env = "MAWE_ORIGIN", value_name = "URL")]
    pub origin: Option<String>,
    /// Take the address of each visitor from X-Forwarded-For, which a proxy in front sets
    #[arg(long, env = "MAWE_BEHIND_PROXY", num_args = 0..=1, default_missing_value = "true")]
    pub behind_proxy: Option<bool>,
    /// The number of guests and accounts that one address may create in a minute [default: 60]
    #[arg(long, env = "MAWE_SIGN_UPS_PER_MINUTE", value_name = "N")]
    pub sign_ups_per_minute: Option<NonZeroU32>,
    /// The seconds in a pool after which a player is offered a computer opponent; 0 for never [default: 20]
    #[arg(long, env = "MAWE_BOT_OFFER_AFTER", value_name = "SECONDS")]
    pub bot_offer_after: Option<u64>,
    /// The delay for the spectators of a rated match in seconds, 0 to 60 [default: 3]
    #[arg(long, env = "MAWE_SPECTATOR_DELAY", value_name = "SECONDS")]
    pub spectator_delay: Option<u64>,
    /// The number of requests that one address may send in a minute; a quarter of them may change something and a twentieth create
    /// something [default: 6000]
    #[arg(long, env = "MAWE_REQUESTS_PER_MINUTE", value_name = "N")]
    pub requests_per_minute: Option<NonZeroU32>,
    /// The greatest number of connections, if the system permits as many open files [default: 50000]
    #[arg(long, env = "MAWE_CONNECTIONS", value_name = "N")]
    pub connections: Option<NonZeroU32>,
    /// The greatest number of connections of one address; behind a proxy, of concurrent requests [default: 1024]
    #[arg(long, env = "MAWE_CONNECTIONS_PER_ADDRESS", value_name = "N")]
    pub connections_per_address: Option<NonZeroU32>,
    /// The greatest number of sockets and streams of one address, and of new ones in a minute [default: 400]
    #[arg(long, env = "MAWE_SOCKETS_PER_ADDRESS", value_name = "N")]
    pub sockets_per_address: Option<NonZeroU32>,
    /// A line of text on every page, except for accounts with the grant premium [default: none]
    #[arg(long, env = "MAWE_BANNER_TEXT", value_name = "TEXT")]
    pub banner_text: Option<String>,
    /// The target of that line: an address that begins with http:// or https://
    #[arg(long, env = "MAWE_BANNER_LINK", value_name = "URL")]
    pub banner_link: Option<String>,
    /// The picture beside that line: a PNG, JPEG, GIF or WebP file of at most 256 KiB, read when the server starts
    #[arg(long, env = "MAWE_BANNER_PICTURE", value_name = "FILE")]
    pub banner_picture: Option<PathBuf>,
    /// Whether absent players get push messages in their browsers when it is their turn; the server needs access to the push services
    /// [default: true]
    #[arg(long, env = "MAWE_PUSH", num_args = 0..=1, default_missing_value = "true")]
    pub push: Option<bool>,
    /// The operator's address for push services that report a problem: mailto:you@example.org or an address with https:// [default: the
    /// origin, if it has https://]
    #[arg(long, env = "MAWE_PUSH_CONTACT", value_name = "URL")]
    pub push_contact: Option<String>,
    /// Push services within your own network, as host:port with commas between: also accepted without https and at private addresses
    /// [default: none; only push services of the public network]
    #[arg(
        long,
        env = "MAWE_PUSH_TRUST",
        value_name = "HOST:PORT",
        value_delimiter = ','
    )]
    pub push_trust: Option<Vec<String>>,
    /// The NATS server that connects several nodes on one Postgres database: nats://host:port or tls://host:port [default: a single node]
    #[arg(long, env = "MAWE_NATS", value_name = "URL", hide_env_values = true)]
    pub nats: Option<String>,
    /// A file with certificates of authorities that may have signed the certificate of NATS, besides those of the system
    #[arg(long, env = "MAWE_NATS_CA", value_name = "FILE")]
    pub nats_ca: Option<PathBuf>,
    /// The name of this node, in letters, digits and dashes [default: drawn at random]
    #[arg(long, env = "MAWE_NODE", value_name = "NAME")]
    pub node: Option<String>,
    /// The free megabytes on the disk of the embedded database below which the server refuses new matches and players, so that running
    /// matches can end; 0 for no limit [default: 200, or a tenth of a disk smaller than 2 GB]
    #[arg(long, env = "MAWE_MIN_FREE_SPACE", value_name = "MB")]
    pub min_free_space: Option<MinFreeSpace>,
    /// The store
    #[command(flatten)]
    pub store: StoreOptions,
}

/// The contents of a configuration file.
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

/// The resolved configuration of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The address and port to listen on.
    pub listen: SocketAddr,
    /// The number of threads that think for the computer opponents.
    pub bots: usize,
    /// The key of remote workers; `None` refuses them.
    pub worker_key: Option<WorkerKey>,
    /// The public origin of the server; `None` takes the Host of each request.
    pub origin: Option<String>,
    /// Whether a proxy sets the address of each visitor.
    pub behind_proxy: bool,
    /// Guests and accounts that one address may create in a minute.
    pub sign_ups_per_minute: NonZeroU32,
    /// The wait in a pool before a computer opponent is offered; `None` for never.
    pub bot_offer_after: Option<Duration>,
    /// The delay for the spectators of a rated match.
    pub spectator_delay: Duration,
    /// How long an empty room stays in memory.
    pub linger: Duration,
    /// Requests that one address may send in a minute.
    pub requests_per_minute: NonZeroU32,
    /// The limits on connections and sockets.
    pub connections: ConnectionLimits,
    /// The time limits on receiving from a client.
    pub timeouts: Timeouts,
    /// The operator's notice.
    pub banner: Option<Banner>,
    /// The options of push messages; `None` sends none.
    pub push: Option<PushOptions>,
    /// The store, as [`mawe_store::open`] takes it.
    pub store_url: String,
    /// The data directory.
    pub data_dir: PathBuf,
    /// The path of the admin socket.
    pub admin_socket: PathBuf,
    /// The options of a node of a cluster; `None` for a single node.
    pub cluster: Option<ClusterOptions>,
    /// The free space that the disk of an embedded database must have for new matches and players.
    pub min_free_space: MinFreeSpace,
}

/// A configuration that cannot be used: one line with the fault and its remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

impl ServeOptions {
    /// Resolves the configuration: options first, then the file, then the defaults.
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

/// Returns the options of push messages, or `None` if they are off.
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

/// Checks that the options of a cluster are complete: several nodes need a common database and NATS between them.
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

/// Checks the options of the connection to NATS.
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
    /// Returns the data directory.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn directory(&self) -> Result<PathBuf, ConfigError> {
        Ok(self.data_dir(&self.file()?).to_owned())
    }

    /// Returns the address of the store, as [`mawe_store::open`] takes it.
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

    /// Returns the path of the admin socket, beside the embedded database: a command that finds the one finds the other.
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

    /// Returns the key of workers from the option, or else from the data directory.
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

/// Returns the number of cores minus one, at least one.
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
