//! The server as a whole: from an open port to the last write.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::response::IntoResponse;
use mawe_store::pruning;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use super::chores::{self, until};
use super::error::StartError;
use super::node::{DRAIN, Node, Parts, close_journal, open_store};
use crate::admin::socket::AdminSocket;
use crate::admin::timetable;
use crate::api::Routes;
use crate::app::App;
use crate::clock::unix_ms;
use crate::cluster::{Cluster, Pairing, Receivers};
use crate::config::Config;
use crate::connections::admission::Admission;
use crate::connections::forwarded::Proxies;
use crate::connections::open_files::OpenFiles;
use crate::http;
use crate::http::error::ApiError;
use crate::http::requests::identified;
use crate::live::sockets::Sockets;
use crate::live::tv;
use crate::lobby::events;
use crate::mail;
use crate::metrics::{MetricsPlace, MetricsSettings};
use crate::push;
use crate::worker::nats::{NatsJobs, OwnThenNats};
use crate::worker::{ThreadPool, think};
use crate::{admin, api, connections};

/// The time limit of a stop as a whole: while the store is unavailable, writes in progress do not end.
const STOP_WITHIN: Duration = Duration::from_secs(5);

/// A running server.
pub struct Server {
    /// The address on which it listens.
    pub address: SocketAddr,
    /// The address of its metrics, if they have one of their own.
    pub metrics_address: Option<SocketAddr>,
    app: App,
    cluster: Option<Arc<Cluster>>,
    stop: watch::Sender<bool>,
    http: JoinHandle<()>,
    /// The task that serves the metrics, if they have a listener of their own.
    metrics: Option<JoinHandle<()>>,
    journal: JoinHandle<()>,
    chores: Vec<JoinHandle<()>>,
    /// The tasks of a node among several, with their stop signal; they end before the node leaves the cluster.
    as_node: (watch::Sender<bool>, Vec<JoinHandle<()>>),
    /// The task that serves the operator's socket.
    admin: Option<JoinHandle<()>>,
    crew: ThreadPool,
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
        let listener = connections::listen(config.network.listen).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let metrics = listen_for_metrics(config.metrics.as_ref())?;
        // The name is for an operator's look at the table; fencing uses the epoch.
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
        let (mail, postman, resets) = match &config.mail {
            Some(settings) => {
                let (mailer, postman, resets) = mail::start(settings);
                (Some(mailer), Some(postman), Some(resets))
            }
            None => (None, None, None),
        };
        let routes = Routes::default();
        let parts = Parts {
            owner,
            store,
            sockets,
            cluster: cluster.clone(),
            push,
            mail,
            requests: routes.meters(),
        };
        let node = Node::assemble(&config, parts).await?;
        let Node {
            app,
            journal,
            news,
            notices,
        } = node;
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
        if let Some(postman) = postman {
            chores.push(tokio::spawn(postman.run(stopped.clone())));
        }
        if let Some(resets) = resets {
            let app = Arc::clone(&app);
            let answering = http::reset_mails::answer(app, resets, stopped.clone());
            chores.push(tokio::spawn(answering));
        }
        chores.extend([
            tokio::spawn(Arc::clone(rooms).deliver_bot_news(news, stopped.clone())),
            tokio::spawn(chores::count_matches(Arc::clone(rooms), stopped.clone())),
            tokio::spawn(tv::run(
                Arc::clone(&app.tv),
                app.store.clone(),
                Arc::clone(&app.sockets),
                stopped.clone(),
            )),
            tokio::spawn(Arc::clone(&services.run_time).watch(stopped.clone())),
            tokio::spawn(chores::wake_matches(Arc::clone(rooms), stopped.clone())),
            tokio::spawn(chores::wake_matches_to_answer(
                Arc::clone(rooms),
                stopped.clone(),
            )),
            tokio::spawn(Arc::clone(&app.lobby).run(stopped.clone())),
            tokio::spawn(Arc::clone(&app.analyst).run(stopped.clone())),
            tokio::spawn(events::run_watching(
                Arc::clone(&app.lobby),
                stopped.clone(),
            )),
            tokio::spawn(notices.run(stopped.clone())),
            tokio::spawn(chores::note_lapsed(Arc::clone(&app), stopped.clone())),
            tokio::spawn(chores::enable_accounts(Arc::clone(&app), stopped.clone())),
            tokio::spawn(chores::write_used(Arc::clone(&app), stopped.clone())),
            tokio::spawn(chores::write_summaries(Arc::clone(&app), stopped.clone())),
            tokio::spawn(pruning::run(app.store.clone(), unix_ms, stopped.clone())),
        ]);
        if let Some(timetable) = config.backups.clone() {
            let app = Arc::clone(&app);
            let backups = timetable::run(app, timetable, unix_ms, stopped.clone());
            chores.push(tokio::spawn(backups));
        }
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
        let place = config.metrics.as_ref().map(|metrics| metrics.place);
        let router = api::router(routes, Arc::clone(&app), place == Some(MetricsPlace::Same));
        let settings = connections::Settings {
            admission: Arc::clone(app.sockets.admission()),
            timeouts: config.timeouts,
            proxies: config.network.proxies(),
            refusal: || identified(|| ApiError::TooManyConnections.into_response()),
        };
        let (metrics_address, metrics) = match metrics {
            Some((listener, address)) => {
                tracing::info!("metrics are at http://{address}{}", http::metrics::PATH);
                let settings = connections::Settings {
                    admission: Admission::new(&http::metrics::CONNECTIONS, open_files.limit),
                    proxies: Proxies::None,
                    ..settings.clone()
                };
                let router = http::metrics::alone(Arc::clone(&app));
                let serving =
                    connections::serve(listener, router, settings, until(stopped.clone()));
                (Some(address), Some(tokio::spawn(serving)))
            }
            None => (None, None),
        };
        let serving = connections::serve(listener, router, settings, until(stopped));
        let http = tokio::spawn(serving);
        Ok(Server {
            address,
            metrics_address,
            app,
            cluster,
            stop,
            http,
            metrics,
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
            metrics,
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
        if let Some(metrics) = metrics
            && let Ok(result) = tokio::time::timeout(DRAIN, metrics).await
        {
            joined("the listener of the metrics", result);
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

/// Binds the address of the metrics, if they have one of their own; returns it as the system knows it.
fn listen_for_metrics(
    metrics: Option<&MetricsSettings>,
) -> Result<Option<(TcpListener, SocketAddr)>, StartError> {
    let Some(MetricsPlace::Own(address)) = metrics.map(|metrics| metrics.place) else {
        return Ok(None);
    };
    let failed = |error| StartError::ListenMetrics { address, error };
    let listener = connections::listen(address).map_err(failed)?;
    let bound = listener.local_addr().map_err(failed)?;
    Ok(Some((listener, bound)))
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
