//! A node: the parts of a server below its listener, for a server and for the operator's commands without one.

use std::sync::Arc;
use std::time::Duration;

use mawe_store::readiness::Readiness;
use mawe_store::{Store, private};
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinHandle;

use super::error::StartError;
use crate::analysis::analyst::Analyst;
use crate::app::{App, AppState, Settings};
use crate::bots::exact::ExactValues;
use crate::bots::{BotNews, Bots, ladder};
use crate::clock::unix_ms;
use crate::cluster::Cluster;
use crate::config::Config;
use crate::connections::admission::Admission;
use crate::http;
use crate::identity::devices::Devices;
use crate::identity::last_used::LastUsed;
use crate::identity::passkey_challenges::PasskeyChallenges;
use crate::identity::passwords::Passwords;
use crate::limits::attempts::Limits;
use crate::limits::compression::Compression;
use crate::limits::concurrency::ConcurrencyLimit;
use crate::limits::log_lines::LogLines;
use crate::limits::quotas::Quotas;
use crate::live::journal::Journal;
use crate::live::notices::{self, NoticeWriter};
use crate::live::remote::RemoteMatches;
use crate::live::rooms::Rooms;
use crate::live::services::{self, Services};
use crate::live::sockets::Sockets;
use crate::live::turns::Turns;
use crate::live::tv::Tv;
use crate::lobby::Lobby;
use crate::mail::Mailer;
use crate::meters::node::NodeMeters;
use crate::meters::requests::RequestMeters;
use crate::pictures::Pictures;
use crate::push::Push;

/// The time that requests in progress get at a stop.
pub(super) const DRAIN: Duration = Duration::from_secs(3);

/// The parts of a node, without a listener and without background tasks.
pub(super) struct Node {
    pub(super) app: App,
    /// The task of the journal's writer.
    pub(super) journal: JoinHandle<()>,
    pub(super) news: mpsc::UnboundedReceiver<BotNews>,
    /// The task that writes notices, to be run.
    pub(super) notices: NoticeWriter,
}

/// A node for the operator's commands when no server is running. It has no listener and no background tasks.
pub struct Console(Node);

/// The parts from which a node is assembled.
pub(super) struct Parts {
    /// The node's name in the store.
    pub(super) owner: String,
    pub(super) store: Arc<dyn Store>,
    pub(super) sockets: Arc<Sockets>,
    pub(super) cluster: Option<Arc<Cluster>>,
    pub(super) push: Option<Push>,
    pub(super) mail: Option<Mailer>,
    pub(super) requests: RequestMeters,
}

pub(super) async fn open_store(config: &Config) -> Result<Arc<dyn Store>, mawe_store::OpenError> {
    private::tighten_data_directory(&config.data_dir);
    let limits = config.store_connections.limits(config.min_free_space);
    mawe_store::open_with(&config.store_url, limits).await
}

impl Node {
    pub(super) async fn assemble(config: &Config, parts: Parts) -> Result<Node, StartError> {
        let Parts {
            owner,
            store,
            sockets,
            cluster,
            push,
            mail,
            requests,
        } = parts;
        let readiness = Readiness::new(store.clone());
        let bot_accounts = ladder::players(store.as_ref()).await?;
        let devices = Devices::open(store.as_ref()).await?;
        let passkey_challenges = PasskeyChallenges::open(store.as_ref()).await?;
        let (journal, journal_task) = Journal::start(store.clone());
        let (bots, news) = Bots::new();
        let remote = cluster
            .clone()
            .map(|cluster| cluster as Arc<dyn RemoteMatches>);
        let settings = services::Settings {
            spectator_delay: config.live.spectator_delay,
            linger: config.linger,
            rematch_offer: config.rematch_offer,
        };
        let analyst = Analyst::new(
            Arc::clone(&store),
            Arc::clone(&bots),
            config.bots.analyses_per_day,
        );
        let (notices, writer) = notices::queue(&store, &sockets);
        let services = Services::new(
            Arc::clone(&store),
            journal,
            bots,
            owner,
            settings,
            remote,
            push,
            notices,
        );
        let rooms = Rooms::new(services);
        let lobby = Lobby::new(
            Arc::clone(&store),
            Arc::clone(&rooms),
            Arc::clone(&sockets),
            bot_accounts.clone(),
            config.bots.offer_after(),
            cluster,
        );
        let app = Arc::new(AppState {
            store,
            rooms,
            sockets,
            lobby,
            passwords: Passwords::new(),
            mail,
            limits: Arc::new(Limits::new(config.rates.sign_ups_per_minute)),
            bots: bot_accounts,
            settings: Settings {
                origin: config.network.origin.clone(),
                proxies: config.network.proxies(),
                banner: config.banner.clone(),
                site: config.site.clone(),
                refused_names: config.refused_names.clone(),
                chat: config.live.chat,
                worker_key: config.worker_key.clone(),
                metrics_token: config
                    .metrics
                    .as_ref()
                    .and_then(|metrics| metrics.token.clone()),
                operator_page: config.operator_page,
                in_force: config.in_force.clone(),
            },
            tv: Arc::new(Tv::default()),
            turns: Turns::default(),
            quotas: Quotas::new(config.rates.requests_per_minute),
            messages_per_second: config.rates.messages_per_second,
            compression: Compression::default(),
            pictures: Pictures::of_positions(),
            animations: Pictures::of_matches(),
            exact: ExactValues::default(),
            analyst,
            jobs: ConcurrencyLimit::new(http::jobs::MAX_WAITING),
            exports: ConcurrencyLimit::new(http::export::MAX_EXPORTS),
            streams: ConcurrencyLimit::new(http::streams::MAX_STREAMS),
            used: LastUsed::default(),
            devices,
            passkey_challenges,
            log_lines: LogLines::default(),
            readiness,
            meters: NodeMeters::new(unix_ms(), requests),
            backing_up: Mutex::default(),
        });
        Ok(Node {
            app,
            journal: journal_task,
            news,
            notices: writer,
        })
    }
}

impl Console {
    /// Opens the store.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn open(config: &Config) -> Result<Console, StartError> {
        let owner = format!("console-{}", std::process::id());
        let parts = Parts {
            owner,
            store: open_store(config).await?,
            // The console takes no connections, so it needs no limit of open files.
            sockets: Arc::new(Sockets::new(Admission::new(&config.connections, 0))),
            cluster: None,
            push: None,
            mail: None,
            // The console has no routes.
            requests: RequestMeters::new([]),
        };
        Ok(Console(Node::assemble(config, parts).await?))
    }

    /// Returns the state for its router.
    #[must_use]
    pub fn app(&self) -> &App {
        &self.0.app
    }

    /// Ends the open rooms, and closes the store.
    pub async fn close(self) {
        let Node { app, journal, .. } = self.0;
        app.rooms.services.bots.close();
        app.rooms.stop().await;
        close_journal(app, journal).await.close().await;
    }
}

/// Ends the journal's writer, and returns the store.
pub(super) async fn close_journal(app: App, journal: JoinHandle<()>) -> Arc<dyn Store> {
    let store = Arc::clone(&app.store);
    // The writer ends when the last `Rooms` is dropped; only `app` still has one.
    drop(app);
    if tokio::time::timeout(DRAIN, journal).await.is_err() {
        tracing::warn!(
            "a request still holds the journal; stopping all the same, nothing acknowledged is lost"
        );
    }
    store
}
