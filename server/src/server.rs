//! Starts and stops the parts of a server in the right order.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use crate::admin;
use crate::admin::socket::AdminSocket;
use crate::arrange::unix_ms;
use crate::bots::{BotNews, Bots};
use crate::cluster::{Cluster, JoinError};
use crate::config::Config;
use crate::connections;
use crate::connections::admission::Admission;
use crate::connections::open_files::OpenFiles;
use crate::devices::Devices;
use crate::http::compression::Compression;
use crate::http::crowd::Crowd;
use crate::http::limits::Limits;
use crate::http::quotas::Quotas;
use crate::http::{self, AppState, Settings};
use crate::journal::Journal;
use crate::ladder;
use crate::lobby::Lobby;
use crate::passwords::Passwords;
use crate::private;
use crate::prune;
use crate::push;
use crate::rating;
use crate::readiness::Readiness;
use crate::recount::{self, RecountError};
use crate::room::mail::RoomMsg;
use crate::rooms::{self, Rooms};
use crate::sockets::Sockets;
use crate::store::{self, Deed, Store, StoreError};
use crate::tv::{self, Tv};
use crate::used::Used;
use crate::worker::market::{Helping, Market};
use crate::worker::{Crew, think};

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
    app: http::App,
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
    app: http::App,
    stop: watch::Sender<bool>,
    http: JoinHandle<()>,
    journal: JoinHandle<()>,
    chores: Vec<JoinHandle<()>>,
    /// The tasks of a node among several, with their stop signal; they end before the node leaves the cluster.
    as_node: (watch::Sender<bool>, Vec<JoinHandle<()>>),
    /// The task that serves the operator's socket.
    admin: Option<JoinHandle<()>>,
    crew: Crew,
}

/// The reason why a server did not start: one line with the fault and its remedy.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The store could not be opened.
    #[error(transparent)]
    Store(#[from] store::OpenError),
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
            address: config.listen,
            error,
        };
        let listener = TcpListener::bind(config.listen).await.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        // The name is only for operators who read the table; fencing uses the epoch.
        let owner = format!("{address}-{}", std::process::id());
        let open_files = OpenFiles::raise_limit();
        let node = Node::assemble(&config, owner, open_files.limit).await?;
        let Node { app, journal, news } = node;
        let (rooms, bots) = (&app.rooms, &app.rooms.bots);
        let joined = match &config.cluster {
            Some(options) => {
                let joined = Cluster::join(options, &app.store, address.to_string()).await?;
                // Cannot fail: nothing else has set it, and no room is open yet.
                let _ = rooms.cluster.set(Arc::clone(&joined.0));
                Some(joined)
            }
            None => {
                let others = app.store.living_nodes().await?;
                if !others.is_empty() {
                    return Err(StartError::NotAlone(others.join(", ")));
                }
                None
            }
        };
        let think = think::by_engine();
        let crew = match rooms.cluster.get() {
            Some(cluster) => {
                let helping = Helping {
                    bots: Arc::clone(bots),
                    market: Market::new(cluster.bus.clone()),
                };
                Crew::start_with(bots, &Arc::new(helping), config.bots, &think)
            }
            None => Crew::start(bots, config.bots, &think),
        }
        .map_err(StartError::Threads)?;
        let (stop, stopped) = watch::channel(false);
        let mut chores = Vec::new();
        if let Some(options) = &config.push {
            let (push, caller) = push::start(options, &app.store, &app.sockets).await?;
            // Cannot fail: nothing else has set it, and no room is open yet.
            let _ = rooms.push.set(push);
            chores.push(tokio::spawn(caller.run(stopped.clone())));
        }
        chores.extend([
            tokio::spawn(Arc::clone(rooms).deliver_bot_news(news, stopped.clone())),
            tokio::spawn(count_matches(Arc::clone(rooms), stopped.clone())),
            tokio::spawn(tv::run(
                Arc::clone(&app.tv),
                Arc::clone(&app.store),
                stopped.clone(),
            )),
            tokio::spawn(Arc::clone(&rooms.run_time).watch(stopped.clone())),
            tokio::spawn(wake_matches(Arc::clone(rooms), stopped.clone())),
            tokio::spawn(Arc::clone(&app.lobby).run(stopped.clone())),
            tokio::spawn(enable_accounts(Arc::clone(&app), stopped.clone())),
            tokio::spawn(write_used(Arc::clone(&app), stopped.clone())),
            tokio::spawn(prune::run(Arc::clone(&app.store), stopped.clone())),
        ]);
        // After all steps that may fail, because an error to start is reported in one line.
        open_files.log();
        let (leave, left) = watch::channel(false);
        let mut as_node = Vec::new();
        if let Some((cluster, listening)) = joined {
            let listen = Arc::clone(&cluster).listen(Arc::clone(&app), listening, left.clone());
            as_node.push(tokio::spawn(listen));
            let beyond = Arc::clone(&cluster).tell_beyond(&app, left.clone());
            as_node.push(tokio::spawn(beyond));
            let keep = Arc::clone(&cluster).keep_lease(Arc::clone(rooms), left.clone());
            as_node.push(tokio::spawn(keep));
            as_node.push(tokio::spawn(cluster.lend(bots)));
            let check = Arc::clone(&cluster).check_sessions(Arc::clone(&app), left.clone());
            as_node.push(tokio::spawn(check));
            as_node.push(tokio::spawn(cluster.take_up(Arc::clone(rooms), left)));
        } else {
            let running = rooms.open_live().await?;
            if running > 0 {
                tracing::info!("took up {running} running matches");
            }
        }
        let admin = hear_operator(&app, &config.admin_socket, stopped.clone()).await;
        let router = http::router(Arc::clone(&app));
        let settings = connections::Settings {
            admission: Arc::clone(app.sockets.admission()),
            timeouts: config.timeouts,
            behind_proxy: config.behind_proxy,
        };
        let serving = connections::serve(listener, router, settings, until(stopped));
        let http = tokio::spawn(serving);
        Ok(Server {
            address,
            app,
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
    pub fn app(&self) -> &http::App {
        &self.app
    }

    /// Waits until another process has taken this node's place. Never returns on a node without a cluster.
    pub async fn replaced(&self) {
        match self.app.rooms.cluster.get() {
            Some(cluster) => cluster.replaced.notified().await,
            None => std::future::pending().await,
        }
    }

    /// Stops the server: refuses new requests, closes the sockets so that clients reconnect, ends the rooms after their appends, and closes
    /// the store.
    pub async fn stop(self) {
        let Server {
            app,
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
        if let Some(cluster) = app.rooms.cluster.get() {
            // The rooms end first, so that their matches are free when the clients reconnect to other nodes.
            app.rooms.bots.close();
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
        if app.rooms.cluster.get().is_none() {
            app.rooms.bots.close();
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

impl Node {
    async fn assemble(config: &Config, owner: String, open_files: u64) -> Result<Node, StartError> {
        private::tighten_data_directory(&config.data_dir);
        let store = store::open_with(&config.store_url, config.min_free_space).await?;
        let readiness = Readiness::new(Arc::clone(&store));
        let bot_accounts = ladder::players(store.as_ref()).await?;
        let devices = Devices::open(store.as_ref()).await?;
        let (journal, journal_task) = Journal::start(Arc::clone(&store));
        let (bots, news) = Bots::new();
        let rooms = Rooms::new(
            Arc::clone(&store),
            journal,
            bots,
            owner,
            rooms::Settings {
                spectator_delay: config.spectator_delay,
                linger: config.linger,
            },
        );
        let admission = Admission::new(&config.connections, open_files);
        let sockets = Arc::new(Sockets::new(admission));
        let lobby = Lobby::new(
            Arc::clone(&store),
            Arc::clone(&rooms),
            Arc::clone(&sockets),
            bot_accounts.clone(),
            config.bot_offer_after,
        );
        let app = Arc::new(AppState {
            store,
            rooms,
            sockets,
            lobby,
            passwords: Passwords::new(),
            limits: Limits::new(config.sign_ups_per_minute),
            bots: bot_accounts,
            settings: Settings {
                origin: config.origin.clone(),
                behind_proxy: config.behind_proxy,
                banner: config.banner.clone(),
                worker_key: config.worker_key.clone(),
            },
            tv: Arc::new(Tv::default()),
            quotas: Quotas::new(config.requests_per_minute),
            compression: Compression::default(),
            jobs: Crowd::of(http::jobs::MAX_WAITING),
            exports: Crowd::of(http::export::MAX_EXPORTS),
            streams: Crowd::of(http::streams::MAX_STREAMS),
            used: Used::default(),
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
        // The console takes no connections, so it needs no limit of open files.
        Ok(Console(Node::assemble(config, owner, 0).await?))
    }

    /// Returns the state for its router.
    #[must_use]
    pub fn app(&self) -> &http::App {
        &self.0.app
    }

    /// Ends the open rooms, and closes the store.
    pub async fn close(self) {
        let Node { app, journal, .. } = self.0;
        app.rooms.bots.close();
        app.rooms.stop().await;
        close_journal(app, journal).await.close().await;
    }
}

/// Ends the journal's writer, and returns the store.
async fn close_journal(app: http::App, journal: JoinHandle<()>) -> Arc<dyn Store> {
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
    app: &http::App,
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
        match rooms.store.due_match_ids(unix_ms(), WAKE_BATCH).await {
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
async fn enable_accounts(app: http::App, stopped: watch::Receiver<bool>) {
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
async fn write_used(app: http::App, stopped: watch::Receiver<bool>) {
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
            () = rooms.matches_owed.notified() => {}
            () = tokio::time::sleep(COUNT_EVERY) => {}
        }
    }
}

/// Recounts everything if matches were made void, to remove their effects from all ratings. Returns `false` if that failed and must be
/// repeated.
async fn recount_voids(rooms: &Rooms) -> bool {
    let store = rooms.store.as_ref();
    let recounted = async {
        let voids = store.voids_owed().await?;
        if voids.is_empty() {
            return Ok(voids);
        }
        // No match may be counted on this node during the recount.
        let _quiet = rooms.counting.acquire().await;
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
    let store = rooms.store.as_ref();
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
        let _turn = rooms.counting.acquire().await;
        match store.count_match(&id, rating::rate).await {
            // Clients that still follow the match get the rating changes.
            Ok(true) => {
                rooms.send_if_open(&id, RoomMsg::Counted).await;
                if let Some(cluster) = rooms.cluster.get() {
                    cluster.tell_counted(&id).await;
                }
            }
            Ok(false) => {}
            Err(error) => {
                tracing::warn!(game.match_id = %id, error = &error as &dyn std::error::Error, "a match could not be counted; trying again soon");
            }
        }
    }
}
