//! The place of the data: the data directory, the database, and the operator's socket.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::admin::socket;

/// The default data directory, relative to the current directory.
const DATA_DIR: &str = "mawe-data";

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
