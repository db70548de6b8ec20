//! The options of the server, and the configuration that they resolve to.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use mawe_store::MinFreeSpace;

use crate::admin::timetable::{Timetable, TimetableOptions};
use crate::app::Setting;
use crate::bots::endgames::EndgameOptions;
use crate::bots::exchange::WorkerKeyOptions;
use crate::bots::options::BotOptions;
use crate::cluster::{ClusterOptions, ClusterSettings};
use crate::config::defaults::defaults;
use crate::config::error::ConfigError;
use crate::config::log::LogOptions;
use crate::config::network::NetworkOptions;
use crate::config::store::{ConnectionOptions, StoreOptions};
use crate::connections::admission::ConnectionLimits;
use crate::connections::timeouts::Timeouts;
use crate::identity::refused_names::{NameOptions, RefusedNames};
use crate::identity::shared_key::SharedKey;
use crate::limits::RateLimits;
use crate::live::options::LiveOptions;
use crate::mail::{MailOptions, MailSettings};
use crate::metrics::{MetricsOptions, MetricsSettings};
use crate::page::banner::{Banner, BannerOptions};
use crate::page::site::{Site, SiteOptions};
use crate::push::{PushOptions, PushSettings};
use crate::trace::{TraceOptions, TraceSettings};

/// The time for which an empty room stays in memory, so that a player who closed the page by mistake, or follows a link back, finds it open.
const LINGER: Duration = Duration::from_secs(60);
const REMATCH_OFFER: Duration = Duration::from_secs(60);

/// The options of the server.
#[derive(Debug, Clone, Args)]
pub struct ServeOptions {
    #[command(flatten)]
    network: NetworkOptions,
    #[command(flatten)]
    bots: BotOptions,
    #[command(flatten)]
    endgames: EndgameOptions,
    #[command(flatten)]
    worker_key: WorkerKeyOptions,
    #[command(flatten)]
    rates: RateLimits,
    #[command(flatten)]
    live: LiveOptions,
    #[command(flatten)]
    connections: ConnectionLimits,
    #[command(flatten)]
    site: SiteOptions,
    #[command(flatten)]
    names: NameOptions,
    #[command(flatten)]
    banner: BannerOptions,
    #[command(flatten)]
    push: PushOptions,
    #[command(flatten)]
    mail: MailOptions,
    #[command(flatten)]
    cluster: ClusterOptions,
    #[command(flatten)]
    metrics: MetricsOptions,
    #[command(flatten)]
    traces: TraceOptions,
    /// Show accounts with the grant `operator` the state of the server at /admin: numbers, accounts, settings without secrets, and the log of
    /// the operator and of moderators.
    #[arg(
        long,
        env = "MAWE_OPERATOR_PAGE",
        num_args = 0..=1,
        default_missing_value = "true",
        default_value_t = false,
        action = clap::ArgAction::Set
    )]
    operator_page: bool,
    /// The free megabytes on the disk of the embedded database below which the server refuses new matches and players, so that running
    /// matches can end; 0 for no limit [default: 200, or a tenth of a disk smaller than 2 GB]
    #[arg(long, env = "MAWE_MIN_FREE_SPACE", value_name = "MB")]
    min_free_space: Option<MinFreeSpace>,
    #[command(flatten)]
    backups: TimetableOptions,
    #[command(flatten)]
    store_connections: ConnectionOptions,
    /// The log.
    #[command(flatten)]
    pub log: LogOptions,
    /// The store.
    #[command(flatten)]
    pub store: StoreOptions,
}

/// The resolved configuration of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The address of the server.
    pub network: NetworkOptions,
    /// The computer opponents.
    pub bots: BotOptions,
    /// The endgame databases that the server makes.
    pub endgames: EndgameOptions,
    /// The key of remote workers; `None` refuses them.
    pub worker_key: Option<SharedKey>,
    /// The limits on the requests of one address.
    pub rates: RateLimits,
    /// The running matches.
    pub live: LiveOptions,
    /// The time for which an empty room stays in memory. No option.
    pub linger: Duration,
    /// The time for which an offer of a rematch stands. No option.
    pub rematch_offer: Duration,
    /// The limits on connections and sockets.
    pub connections: ConnectionLimits,
    /// The time limits on receiving from a client. No option.
    pub timeouts: Timeouts,
    /// The visibility of the site, its registration, and its look.
    pub site: Site,
    /// The names that the operator refuses.
    pub refused_names: RefusedNames,
    /// The operator's notice.
    pub banner: Option<Banner>,
    /// The settings of push messages; `None` sends none.
    pub push: Option<PushSettings>,
    /// The settings of mail; `None` sends none.
    pub mail: Option<MailSettings>,
    /// The settings of a node of a cluster; `None` for a single node.
    pub cluster: Option<ClusterSettings>,
    /// The settings of the metrics; `None` shows none.
    pub metrics: Option<MetricsSettings>,
    /// The settings of traces; `None` makes none.
    pub traces: Option<TraceSettings>,
    /// Whether there is an operator's page.
    pub operator_page: bool,
    /// The options in force. No option.
    pub in_force: Vec<Setting>,
    /// The store, as [`mawe_store::open`] takes it.
    pub store_url: String,
    /// The data directory.
    pub data_dir: PathBuf,
    /// The path of the admin socket.
    pub admin_socket: PathBuf,
    /// The free space that the disk of an embedded database must have for new matches and players.
    pub min_free_space: MinFreeSpace,
    /// The timetable of backups; `None` for none.
    pub backups: Option<Timetable>,
    /// The number of connections to the store.
    pub store_connections: ConnectionOptions,
}

impl ServeOptions {
    /// Returns the options of a command that works on a store without serving it: all others have their defaults.
    pub(crate) fn of_store(store: StoreOptions) -> ServeOptions {
        ServeOptions {
            store,
            ..defaults()
        }
    }

    /// Checks the options, and reads the files that they name.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn resolve(self) -> Result<Config, ConfigError> {
        self.network.check()?;
        let store_url = self.store.url();
        Ok(Config {
            worker_key: self.worker_key.resolve(&self.store.data_dir)?,
            site: self.site.resolve()?,
            refused_names: self.names.resolve()?,
            banner: self.banner.resolve()?,
            push: self.push.resolve(self.network.origin.as_deref())?,
            mail: self
                .mail
                .resolve(self.network.origin.as_deref(), &self.store.data_dir)?,
            cluster: self.cluster.resolve(&store_url)?,
            metrics: self.metrics.resolve()?,
            backups: self.backups.resolve(&store_url, &self.store.data_dir)?,
            traces: self.traces.resolve()?,
            operator_page: self.operator_page,
            in_force: Vec::new(),
            admin_socket: self.store.admin_socket(),
            network: self.network,
            bots: self.bots,
            endgames: self.endgames,
            rates: self.rates,
            live: self.live,
            linger: LINGER,
            rematch_offer: REMATCH_OFFER,
            connections: self.connections,
            timeouts: Timeouts::default(),
            store_url,
            data_dir: self.store.data_dir,
            min_free_space: self.min_free_space.unwrap_or_default(),
            store_connections: self.store_connections,
        })
    }
}
