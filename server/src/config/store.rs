//! The place of the data: the data directory, the database, and the operator's socket.

use std::path::{Path, PathBuf};

use clap::Args;
use mawe_store::{MinFreeSpace, StoreLimits};

use crate::admin::socket;

/// The default data directory, relative to the current directory.
/// The default of `--data-dir`.
pub(crate) const DATA_DIR: &str = "mawe-data";

/// The name of the embedded database's file in the data directory.
const SQLITE_FILE: &str = "mawe.sqlite";

/// The id of the option that names a configuration file.
pub(super) const CONFIG: &str = "config";

/// The options that name the store.
#[derive(Debug, Clone, Args)]
pub struct StoreOptions {
    /// The directory of the embedded database and of the admin socket.
    #[arg(long, env = "MAWE_DATA_DIR", value_name = "DIR", default_value = DATA_DIR)]
    pub data_dir: PathBuf,
    /// A Postgres database instead of the embedded one: postgres://user:password@host/name.
    #[arg(
        long,
        env = "MAWE_DATABASE",
        value_name = "URL",
        hide_env_values = true
    )]
    pub database: Option<String>,
    /// A TOML file with any of the server's options, named as here without the dashes in front.
    #[arg(long, env = "MAWE_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// The number of a server's connections to its database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
pub struct ConnectionOptions {
    /// The greatest number of connections to Postgres, 8 to 500; four of them are kept for moves and for the lease of the node
    #[arg(
        long,
        env = "MAWE_POSTGRES_CONNECTIONS",
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(8..=500),
        default_value_t = StoreLimits::POSTGRES_CONNECTIONS
    )]
    pub postgres_connections: u32,
    /// The greatest number of connections of the embedded database for reading, 1 to 64
    #[arg(
        long,
        env = "MAWE_SQLITE_READERS",
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=64),
        default_value_t = StoreLimits::SQLITE_READERS
    )]
    pub sqlite_readers: u32,
}

impl ConnectionOptions {
    /// Returns the limits of the store.
    #[must_use]
    pub fn limits(self, min_free: MinFreeSpace) -> StoreLimits {
        StoreLimits {
            min_free,
            sqlite_readers: self.sqlite_readers,
            postgres_connections: self.postgres_connections,
        }
    }
}

impl Default for ConnectionOptions {
    fn default() -> Self {
        Self {
            postgres_connections: StoreLimits::POSTGRES_CONNECTIONS,
            sqlite_readers: StoreLimits::SQLITE_READERS,
        }
    }
}

impl StoreOptions {
    /// Returns the address of the store, as [`mawe_store::open`] takes it.
    #[must_use]
    pub fn url(&self) -> String {
        let embedded = || format!("sqlite:{}", self.data_dir.join(SQLITE_FILE).display());
        self.database.clone().unwrap_or_else(embedded)
    }

    /// Returns the path of the admin socket, beside the embedded database: a command that finds the one finds the other.
    pub(super) fn admin_socket(&self) -> PathBuf {
        let url = self.url();
        let database = url.strip_prefix("sqlite:").map(Path::new);
        let beside = database.map(|path| path.parent().unwrap_or(Path::new("")));
        beside.unwrap_or(&self.data_dir).join(socket::FILE)
    }
}

/// The options of a tool that needs the data directory but no store.
#[derive(Debug, Clone, Args)]
pub struct DataOptions {
    /// The data directory with the endgame databases.
    #[arg(
        long,
        env = "MAWE_DATA_DIR",
        value_name = "DIR",
        visible_alias = "data",
        default_value = DATA_DIR
    )]
    pub data_dir: PathBuf,
}
