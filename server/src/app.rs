//! The shared state of the handlers.

use std::num::NonZeroU32;
use std::sync::Arc;

use mawe_store::readiness::Readiness;
use mawe_store::{Player, Store};
use serde::Serialize;
use tokio::sync::Mutex;
use utoipa::ToSchema;

use crate::analysis::analyst::Analyst;
use crate::bots::exact::ExactValues;
use crate::connections::forwarded::Proxies;
use crate::identity::devices::Devices;
use crate::identity::last_used::LastUsed;
use crate::identity::passkey_challenges::PasskeyChallenges;
use crate::identity::passwords::Passwords;
use crate::identity::refused_names::RefusedNames;
use crate::identity::shared_key::SharedKey;
use crate::limits::attempts::Limits;
use crate::limits::compression::Compression;
use crate::limits::concurrency::ConcurrencyLimit;
use crate::limits::log_lines::LogLines;
use crate::limits::quotas::Quotas;
use crate::live::rooms::Rooms;
use crate::live::sockets::Sockets;
use crate::live::turns::Turns;
use crate::live::tv::Tv;
use crate::lobby::Lobby;
use crate::mail::Mailer;
use crate::meters::node::NodeMeters;
use crate::page::banner::Banner;
use crate::page::site::Site;
use crate::pictures::Pictures;

/// The state of all handlers, shared.
pub type App = Arc<AppState>;

/// The state of all handlers.
pub struct AppState {
    /// The database.
    pub store: Arc<dyn Store>,
    /// The live matches.
    pub rooms: Arc<Rooms>,
    /// The open sockets.
    pub sockets: Arc<Sockets>,
    /// Pools and seeks.
    pub lobby: Arc<Lobby>,
    /// The threads that hash passwords.
    pub passwords: Passwords,
    /// The queue of mails; `None` where mail is off.
    pub mail: Option<Mailer>,
    /// The limits on attempts.
    pub limits: Arc<Limits>,
    /// The bots' accounts, level 1 first.
    pub bots: Vec<Player>,
    /// The operator's settings.
    pub settings: Settings,
    /// The featured matches.
    pub tv: Arc<Tv>,
    /// The sides to move in listed matches.
    pub turns: Turns,
    /// The quotas of requests.
    pub quotas: Quotas,
    /// The number of messages that one socket may send in a second.
    pub messages_per_second: NonZeroU32,
    /// The compression of responses.
    pub compression: Compression,
    /// The pictures of positions.
    pub pictures: Arc<Pictures>,
    /// The moving pictures of matches.
    pub animations: Arc<Pictures>,
    /// Searches for exact values.
    pub exact: ExactValues,
    /// The analyst of matches.
    pub analyst: Arc<Analyst>,
    /// Exports in progress.
    pub exports: Arc<ConcurrencyLimit>,
    /// Requests of remote workers that wait for a job.
    pub jobs: Arc<ConcurrencyLimit>,
    /// Open streams.
    pub streams: Arc<ConcurrencyLimit>,
    /// Sessions and tokens used recently.
    pub used: LastUsed,
    /// Browsers that have logged in before.
    pub devices: Devices,
    /// The signatures of challenges of passkeys.
    pub passkey_challenges: PasskeyChallenges,
    /// The bounds of the log.
    pub log_lines: LogLines,
    /// Whether the store can write.
    pub readiness: Readiness,
    /// The numbers of this node.
    pub meters: NodeMeters,
    /// Held while a backup is written.
    pub backing_up: Mutex<()>,
}

/// The operator's settings for HTTP.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The public origin, such as `https://example.org`: pages of any other may not act here. Without one the `Host` of a request is used.
    pub origin: Option<String>,
    /// The proxies in front, which report the address of each client.
    pub proxies: Proxies,
    /// The operator's notice.
    pub banner: Option<Banner>,
    /// The visibility of the site, its registration, and its look.
    pub site: Site,
    /// The names that the operator refuses.
    pub refused_names: RefusedNames,
    /// Whether there is chat.
    pub chat: bool,
    /// The key that remote workers must present; without one no remote worker is accepted.
    pub worker_key: Option<SharedKey>,
    /// The token of metrics, if they have one.
    pub metrics_token: Option<SharedKey>,
    /// Whether there is an operator's page.
    pub operator_page: bool,
    /// The options in force, for that page.
    pub in_force: Vec<Setting>,
}

/// An option in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Setting {
    /// The name of the option, without the dashes.
    pub name: String,
    /// The value; null if there is none, and if it is a secret.
    #[schema(required = true)]
    pub value: Option<String>,
    /// The place that the value comes from.
    pub source: SettingSource,
    /// Whether the value is a secret, and not shown.
    pub is_secret: bool,
}

/// The place that the value of an option comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SettingSource {
    /// The command line.
    CommandLine,
    /// A variable of the environment.
    Environment,
    /// The configuration file.
    File,
    /// The default.
    Default,
}

impl Settings {
    /// Returns whether the public origin uses TLS; cookies are then `Secure`.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.origin
            .as_deref()
            .is_some_and(|origin| origin.starts_with("https://"))
    }
}

impl AppState {
    /// Returns the bot of a level.
    #[must_use]
    pub fn bot(&self, level: u8) -> Option<&Player> {
        self.bots.iter().find(|bot| bot.level == Some(level))
    }
}
