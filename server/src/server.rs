//! Starts and stops the parts of a server in the right order.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::response::IntoResponse;
use mawe_play::rating;
use mawe_store::readiness::Readiness;
use mawe_store::recount::{self, RecountError};
use mawe_store::{Deed, Store, StoreError, private, pruning};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use crate::admin::socket::AdminSocket;
use crate::app::{App, AppState, Settings};
use crate::bots::{BotNews, Bots, ladder};
use crate::clock::unix_ms;
use crate::cluster::{Cluster, JoinError, Pairing, Receivers};
use crate::config::Config;
use crate::connections::admission::Admission;
use crate::connections::open_files::OpenFiles;
use crate::http::error::ApiError;
use crate::identity::devices::Devices;
use crate::identity::last_used::LastUsed;
use crate::identity::passwords::Passwords;
use crate::limits::attempts::Limits;
use crate::limits::compression::Compression;
use crate::limits::concurrency::ConcurrencyLimit;
use crate::limits::quotas::Quotas;
use crate::live::journal::Journal;
use crate::live::message::RoomMsg;
use crate::live::remote::RemoteMatches;
use crate::live::rooms::Rooms;
use crate::live::services::{self, Services};
use crate::live::sockets::Sockets;
use crate::live::tv::{self, Tv};
use crate::lobby::Lobby;
use crate::push::{self, Push};
use crate::worker::nats::{NatsJobs, OwnThenNats};
use crate::worker::{ThreadPool, think};
use crate::{admin, api, connections, http};

/// The pause between searches for uncounted matches without a notification: needed after a crash, or when the store was unavailable.
const COUNT_EVERY: Duration = Duration::from_secs(5);

/// The pause before a failed recount is tried again (a node counted a match meanwhile, or a journal cannot be read). It is long because a
/// recount is the most expensive task that this server starts by itself.
const RECOUNT_AGAIN: Duration = Duration::from_secs(60);

/// The number of uncounted matches that are fetched at once.
const COUNT_BATCH: u32 = 100;

/// The pause between searches for due matches.
const WAKE_EVERY: Duration = Duration::from_secs(1);

/// The number of due matches that are opened at once: after a long outage they are opened in batches.
const WAKE_BATCH: u32 = 500;

/// The interval at which the times of use of sessions and tokens are stored.
const WRITE_USED_EVERY: Duration = Duration::from_secs(60);

/// The pause between searches for accounts to enable again.
const ENABLE_EVERY: Duration = Duration::from_secs(10);

/// The time that requests in progress get at a stop.
const DRAIN: Duration = Duration::from_secs(3);

/// The time limit of a stop as a whole: while the store is unavailable, writes in progress do not end.
const STOP_WITHIN: Duration = Duration::from_secs(5);

/// The parts of a node, without a listener and without background tasks.
struct Node {
    app: App,
    /// The task of the journal's writer.
    journal: JoinHandle<()>,
    news: mpsc::UnboundedReceiver<BotNews>,
}

/// A node for the operator's commands when no server is running. It has no listener and no background tasks.
pub struct Console(Node);

/// A running server.
pub struct Server {
    /// The address on which it listens.
    pub address: SocketAddr,
    app: App,
    cluster: Option<Arc<Cluster>>,
    stop: watch::Sender<bool>,
    http: JoinHandle<()>,
    journal: JoinHandle<()>,
    chores: Vec<JoinHandle<()>>,
    /// The tasks of a node among several, with their stop signal; they end before the node leaves the cluster.
    as_node: (watch::Sender<bool>, Vec<JoinHandle<()>>),
    /// The task that serves the operator's socket.
    admin: Option<JoinHandle<()>>,
    crew: ThreadPool,
}

/// The reason why a server did not start: one line with the fault and its remedy.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The store could not be opened.
    #[error(transparent)]
    Store(#[from] mawe_store::OpenError),
    /// The address is not available.
    #[error(
        "cannot listen on {address}: {error}; stop what listens there, or choose another address with --listen"
    )]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The store could not be read.
    #[error("the store could not be read: {0}")]
    Read(#[from] StoreError),
    /// The node could not join the cluster.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// Other nodes use the database, but this node was started without a cluster.
    #[error(
        "nodes that work together by NATS use this database ({0}); start this one with --nats too, or stop them first"
    )]
    NotAlone(String),
    /// The threads for the computer opponents could not be started.
    #[error("cannot start threads for the computer opponents: {0}")]
    Threads(std::io::Error),
}

impl Server {
    /// Opens the store and the rooms of running matches, and listens.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn start(config: Config) -> Result<Server, StartError> {
        // The port is bound first: a second server on it must not touch the data.
        let listen = |error| StartError::Listen {
            address: config.network.listen,
            error,
        };
        let listener = TcpListener::bind(config.network.listen)
            .await
            .map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        // The name is only for operators who read the table; fencing uses the epoch.
        let owner = format!("{address}-{}", std::process::id());
        let open_files = OpenFiles::raise_limit();
        let store = open_store(&config).await?;
        let joined = match &config.cluster {
            Some(options) => Some(Cluster::join(options, &store, address.to_string()).await?),
            None => {
                let others = store.living_nodes().await?;
                if !others.is_empty() {
                    return Err(StartError::NotAlone(others.join(", ")));
                }
                None
            }
        };
        let cluster = joined.as_ref().map(|(cluster, _)| Arc::clone(cluster));
        let sockets = Arc::new(Sockets::new(Admission::new(
            &config.connections,
            open_files.limit,
        )));
        let (push, caller) = match &config.push {
            Some(options) => {
                let sockets = Arc::clone(&sockets);
                let is_connected = Box::new(move |player: &_| sockets.is_here(player));
                let (push, caller) = push::start(options, &store, is_connected).await?;
                (Some(push), Some(caller))
            }
            None => (None, None),
        };
        let parts = Parts {
            owner,
            store,
            sockets,
            cluster: cluster.clone(),
            push,
        };
        let Node { app, journal, news } = Node::assemble(&config, parts).await?;
        let (rooms, services) = (&app.rooms, &app.rooms.services);
        let bots = &services.bots;
        let think = think::by_engine();
        let crew = match &cluster {
            Some(cluster) => {
                let helping = OwnThenNats {
                    bots: Arc::clone(bots),
                    market: NatsJobs::new(cluster.bus.clone()),
                };
                ThreadPool::start_with(bots, &Arc::new(helping), config.bots.threads, &think)
            }
            None => ThreadPool::start(bots, config.bots.threads, &think),
        }
        .map_err(StartError::Threads)?;
        let (stop, stopped) = watch::channel(false);
        let mut chores = Vec::new();
        if let Some(caller) = caller {
            chores.push(tokio::spawn(caller.run(stopped.clone())));
        }
        chores.extend([
            tokio::spawn(Arc::clone(rooms).deliver_bot_news(news, stopped.clone())),
            tokio::spawn(count_matches(Arc::clone(rooms), stopped.clone())),
            tokio::spawn(tv::run(
                Arc::clone(&app.tv),
                app.store.clone(),
                stopped.clone(),
            )),
            tokio::spawn(Arc::clone(&services.run_time).watch(stopped.clone())),
            tokio::spawn(wake_matches(Arc::clone(rooms), stopped.clone())),
            tokio::spawn(Arc::clone(&app.lobby).run(stopped.clone())),
            tokio::spawn(enable_accounts(Arc::clone(&app), stopped.clone())),
            tokio::spawn(write_used(Arc::clone(&app), stopped.clone())),
            tokio::spawn(pruning::run(app.store.clone(), unix_ms, stopped.clone())),
        ]);
        // After all steps that may fail, because an error to start is reported in one line.
        open_files.log();
        let (leave, left) = watch::channel(false);
        let mut as_node = Vec::new();
        if let Some((cluster, listening)) = joined {
            let receivers = Receivers {
                rooms: Arc::clone(rooms),
                sockets: Arc::clone(&app.sockets),
                limits: Arc::clone(&app.limits),
                pairing: Arc::clone(&app.lobby) as Arc<dyn Pairing>,
            };
            let listen = Arc::clone(&cluster).listen(receivers, listening, left.clone());
            as_node.push(tokio::spawn(listen));
            let forward =
                Arc::clone(&cluster).forward_events(&app.sockets, &app.limits, left.clone());
            as_node.push(tokio::spawn(forward));
            let keep = Arc::clone(&cluster).keep_lease(Arc::clone(rooms), left.clone());
            as_node.push(tokio::spawn(keep));
            as_node.push(tokio::spawn(cluster.lend(bots)));
            let check = Arc::clone(&cluster).check_sessions(Arc::clone(&app.sockets), left.clone());
            as_node.push(tokio::spawn(check));
            as_node.push(tokio::spawn(cluster.take_up(Arc::clone(rooms), left)));
        } else {
            let running = rooms.open_live().await?;
            if running > 0 {
                tracing::info!("took up {running} running matches");
            }
        }
        let admin = hear_operator(&app, &config.admin_socket, stopped.clone()).await;
        let router = api::router(Arc::clone(&app));
        let settings = connections::Settings {
            admission: Arc::clone(app.sockets.admission()),
            timeouts: config.timeouts,
            behind_proxy: config.network.behind_proxy,
            refusal: || ApiError::TooManyConnections.into_response(),
        };
        let serving = connections::serve(listener, router, settings, until(stopped));
        let http = tokio::spawn(serving);
        Ok(Server {
            address,
            app,
            cluster,
            stop,
            http,
            journal,
            chores,
            as_node: (leave, as_node),
            admin,
            crew,
        })
    }

    /// Returns the state shared by the request handlers.
    #[must_use]
    pub fn app(&self) -> &App {
        &self.app
    }

    /// Waits until another process has taken this node's place. Never returns on a node without a cluster.
    pub async fn replaced(&self) {
        match &self.cluster {
            Some(cluster) => cluster.replaced.notified().await,
            None => std::future::pending().await,
        }
    }

    /// Stops the server: refuses new requests, closes the sockets so that clients reconnect, ends the rooms after their appends, and closes
    /// the store.
    pub async fn stop(self) {
        let Server {
            app,
            cluster,
            stop,
            http,
            journal,
            chores,
            as_node: (leave, as_node),
            admin,
            crew,
            ..
        } = self;
        let latest = Instant::now() + STOP_WITHIN;
        if let Some(cluster) = &cluster {
            // The rooms end first, so that their matches are free when the clients reconnect to other nodes.
            app.rooms.services.bots.close();
            app.rooms.stop().await;
            // Fails only if the tasks have already ended.
            let _ = leave.send(true);
            for chore in as_node {
                ended(chore, latest).await;
            }
            // If this fails, the matches become free when the lease ends.
            let _ = timeout_at(latest, cluster.leave()).await;
        }
        let _ = stop.send(true);
        app.sockets.stop().await;
        if cluster.is_none() {
            app.rooms.services.bots.close();
            app.rooms.stop().await;
        }
        for chore in chores {
            ended(chore, latest).await;
        }
        if let Ok(result) = tokio::time::timeout(DRAIN, http).await {
            joined("the listener", result);
        }
        if let Some(admin) = admin
            && let Ok(result) = tokio::time::timeout(DRAIN, admin).await
        {
            joined("the operator's socket", result);
        }
        let store = close_journal(app, journal).await;
        joined(
            "the crew",
            tokio::task::spawn_blocking(|| crew.stop()).await,
        );
        if tokio::time::timeout(DRAIN, store.close()).await.is_err() {
            tracing::warn!("the store does not let go; stopping all the same");
        }
    }
}

/// The parts from which a node is assembled.
struct Parts {
    /// The node's name in the store.
    owner: String,
    store: Arc<dyn Store>,
    sockets: Arc<Sockets>,
    cluster: Option<Arc<Cluster>>,
    push: Option<Push>,
}

async fn open_store(config: &Config) -> Result<Arc<dyn Store>, mawe_store::OpenError> {
    private::tighten_data_directory(&config.data_dir);
    mawe_store::open_with(&config.store_url, config.min_free_space).await
}

impl Node {
    async fn assemble(config: &Config, parts: Parts) -> Result<Node, StartError> {
        let Parts {
            owner,
            store,
            sockets,
            cluster,
            push,
        } = parts;
        let readiness = Readiness::new(store.clone());
        let bot_accounts = ladder::players(store.as_ref()).await?;
        let devices = Devices::open(store.as_ref()).await?;
        let (journal, journal_task) = Journal::start(store.clone());
        let (bots, news) = Bots::new();
        let remote = cluster
            .clone()
            .map(|cluster| cluster as Arc<dyn RemoteMatches>);
        let settings = services::Settings {
            spectator_delay: config.live.spectator_delay,
            linger: config.linger,
        };
        let services = Services::new(
            Arc::clone(&store),
            journal,
            bots,
            owner,
            settings,
            remote,
            push,
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
            limits: Arc::new(Limits::new(config.rates.sign_ups_per_minute)),
            bots: bot_accounts,
            settings: Settings {
                origin: config.network.origin.clone(),
                behind_proxy: config.network.behind_proxy,
                banner: config.banner.clone(),
                worker_key: config.worker_key.clone(),
            },
            tv: Arc::new(Tv::default()),
            quotas: Quotas::new(config.rates.requests_per_minute),
            compression: Compression::default(),
            jobs: ConcurrencyLimit::new(http::jobs::MAX_WAITING),
            exports: ConcurrencyLimit::new(http::export::MAX_EXPORTS),
            streams: ConcurrencyLimit::new(http::streams::MAX_STREAMS),
            used: LastUsed::default(),
            devices,
            readiness,
        });
        Ok(Node {
            app,
            journal: journal_task,
            news,
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
async fn close_journal(app: App, journal: JoinHandle<()>) -> Arc<dyn Store> {
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

/// Serves the operator's socket. The server also runs without one, since players do not need it.
async fn hear_operator(
    app: &App,
    path: &Path,
    stopped: watch::Receiver<bool>,
) -> Option<JoinHandle<()>> {
    match AdminSocket::bind(path).await {
        Ok(socket) => {
            let router = admin::router(Arc::clone(app));
            Some(tokio::spawn(socket.serve(router, until(stopped))))
        }
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "there is no socket for `mawe admin` and `mawe backup`; set --data-dir to a directory of this server's own");
            None
        }
    }
}

fn joined<T>(what: &str, result: Result<T, tokio::task::JoinError>) {
    if let Err(error) = result {
        tracing::error!(%error, "{what} did not end well");
    }
}

/// Waits for the end of a background task that was told to stop, and aborts it at `latest`.
async fn ended(mut chore: JoinHandle<()>, latest: Instant) {
    match timeout_at(latest, &mut chore).await {
        Ok(result) => joined("a chore", result),
        Err(_) => {
            tracing::warn!("a chore still waits for the store; stopping all the same");
            chore.abort();
        }
    }
}

async fn until(mut stopped: watch::Receiver<bool>) {
    // An error means that the sender is gone, which is a stop too.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

/// Opens unloaded matches when they are due, so that a flag falls without a player present.
async fn wake_matches(rooms: Arc<Rooms>, stopped: watch::Receiver<bool>) {
    let stop = until(stopped);
    tokio::pin!(stop);
    loop {
        match rooms
            .services
            .store
            .due_match_ids(unix_ms(), WAKE_BATCH)
            .await
        {
            Ok(due) => due.iter().for_each(|id| rooms.open(id)),
            Err(error) => tracing::warn!(
                error = &error as &dyn std::error::Error,
                "due matches could not be read; trying again soon"
            ),
        }
        tokio::select! {
            () = &mut stop => return,
            () = tokio::time::sleep(WAKE_EVERY) => {}
        }
    }
}

/// Enables accounts whose time-limited disabling is over.
async fn enable_accounts(app: App, stopped: watch::Receiver<bool>) {
    let stop = until(stopped);
    tokio::pin!(stop);
    loop {
        if let Err(error) = app.store.enable_due(unix_ms()).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "accounts whose time is over could not be enabled; trying again soon"
            );
        }
        tokio::select! {
            () = &mut stop => return,
            () = tokio::time::sleep(ENABLE_EVERY) => {}
        }
    }
}

/// Stores the times of use of sessions and tokens at intervals, and at the stop.
async fn write_used(app: App, stopped: watch::Receiver<bool>) {
    let stop = until(stopped);
    tokio::pin!(stop);
    loop {
        let stops = tokio::select! {
            () = &mut stop => true,
            () = tokio::time::sleep(WRITE_USED_EVERY) => false,
        };
        if let Err(error) = app.used.write(app.store.as_ref()).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "when sessions were used could not be written down; trying again later"
            );
        }
        if stops {
            return;
        }
    }
}

/// Counts finished matches: at the start, at the end of each match, and at intervals.
async fn count_matches(rooms: Arc<Rooms>, stopped: watch::Receiver<bool>) {
    let stop = until(stopped);
    tokio::pin!(stop);
    let mut recount_at = Instant::now();
    loop {
        count_owed(&rooms).await;
        if recount_at <= Instant::now() && !recount_voids(&rooms).await {
            recount_at = Instant::now() + RECOUNT_AGAIN;
        }
        tokio::select! {
            () = &mut stop => return,
            () = rooms.services.uncounted.notified() => {}
            () = tokio::time::sleep(COUNT_EVERY) => {}
        }
    }
}

/// Recounts everything if matches were made void, to remove their effects from all ratings. Returns `false` if that failed and must be
/// repeated.
async fn recount_voids(rooms: &Rooms) -> bool {
    let store = rooms.services.store.as_ref();
    let recounted = async {
        let voids = store.voids_owed().await?;
        if voids.is_empty() {
            return Ok(voids);
        }
        // No match may be counted on this node during the recount.
        let _quiet = rooms.services.counting.acquire().await;
        let deed = Deed {
            by: None,
            why: "matches were made void".to_owned(),
            at_ms: unix_ms(),
        };
        recount::rebuild(store, &deed).await?;
        store.settle_voids(&voids).await?;
        Ok::<_, RecountError>(voids)
    };
    match recounted.await {
        Ok(voids) => {
            for id in voids {
                rooms.send_if_open(&id, RoomMsg::Counted).await;
            }
            true
        }
        Err(error) => {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "matches were made void, but not everything could be counted again; trying again in a minute"
            );
            false
        }
    }
}

async fn count_owed(rooms: &Rooms) {
    let store = rooms.services.store.as_ref();
    let owed = match store.uncounted_matches(COUNT_BATCH).await {
        Ok(owed) => owed,
        Err(error) => {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "uncounted matches could not be read; trying again soon"
            );
            return;
        }
    };
    for id in owed {
        let _turn = rooms.services.counting.acquire().await;
        match store.count_match(&id, rating::rate).await {
            // Clients that still follow the match get the rating changes.
            Ok(true) => {
                rooms.send_if_open(&id, RoomMsg::Counted).await;
                if let Some(remote) = &rooms.services.remote {
                    remote.tell_counted(&id).await;
                }
            }
            Ok(false) => {}
            Err(error) => {
                tracing::warn!(game.match_id = %id, error = &error as &dyn std::error::Error, "a match could not be counted; trying again soon");
            }
        }
    }
}
