//! The way between nodes: NATS, as a bus that may lose what it carries. Whoever needs to know numbers it.

use std::path::PathBuf;
use std::time::Duration;

use async_nats::{Client, ConnectOptions, Event, ServerAddr, Subscriber};
use serde::Serialize;

use crate::cluster::words::{ToAll, ToNode};

/// How long NATS may take to answer at the start.
const PATIENCE: Duration = Duration::from_secs(3);

/// How long a message may wait for a line that is away: then it counts as lost.
const SEND_LIMIT: Duration = Duration::from_millis(500);

/// The longest pause before the line is tried again.
const RECONNECT: Duration = Duration::from_secs(1);

/// Between two pings of the line: a half-open one is noticed after two.
const PING_EVERY: Duration = Duration::from_secs(5);

/// What all nodes hear.
const ALL: &str = "mawe.all";

/// Where NATS is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BusOptions {
    /// `nats://…` or `tls://…`, with user and password if it wants them.
    pub url: String,
    /// The certificates of who may have signed that of the server, beyond those of the system.
    pub ca: Option<PathBuf>,
}

/// Why there is no way: one line, with the thing and the mend, and without a password.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BusError(String);

/// The line to NATS.
#[derive(Debug, Clone)]
pub(crate) struct Bus {
    client: Client,
}

/// What this node hears.
pub(crate) struct Ears {
    pub(crate) node: Subscriber,
    pub(crate) all: Subscriber,
}

impl BusOptions {
    /// Reads the address.
    ///
    /// # Errors
    /// [`BusError`] when it is none.
    pub fn check(&self) -> Result<(), BusError> {
        self.address().map(drop)
    }

    fn address(&self) -> Result<ServerAddr, BusError> {
        let known = ["nats://", "tls://"];
        let address = self.url.parse::<ServerAddr>().ok();
        // It is not shown: a mistyped one can have the password anywhere.
        address
            .filter(|_| known.iter().any(|scheme| self.url.starts_with(scheme)))
            .ok_or_else(|| {
                BusError("the address of NATS must be nats://HOST:PORT or tls://HOST:PORT, with USER:PASSWORD@ before the host if it wants them".to_owned())
            })
    }
}

impl Bus {
    /// Connects, and listens to what is for this node and for all.
    pub(crate) async fn connect(options: &BusOptions, node: &str) -> Result<(Bus, Ears), BusError> {
        let address = options.address()?;
        let place = format!("{}:{}", address.host(), address.port());
        let mut connect = ConnectOptions::new()
            .name(format!("mawe {node}"))
            .connection_timeout(PATIENCE)
            .ping_interval(PING_EVERY)
            .no_echo()
            .reconnect_delay_callback(|attempts| {
                let exponent = u32::try_from(attempts.min(4)).unwrap_or(4);
                (Duration::from_millis(50) * 2u32.pow(exponent)).min(RECONNECT)
            })
            .event_callback(|event| async move { note(&event) });
        if let Some(ca) = &options.ca {
            connect = connect.add_root_certificates(ca.clone());
        }
        let unreached = |error: &dyn std::fmt::Display| {
            BusError(format!(
                "cannot use NATS at {place}: {error}; start it, or mend the address that --nats names"
            ))
        };
        let client = tokio::time::timeout(PATIENCE, connect.connect(address.clone()))
            .await
            .map_err(|_| unreached(&"it does not answer"))?
            .map_err(|error| unreached(&error))?;
        let of_node = client.subscribe(of_node(node)).await;
        let of_all = client.subscribe(ALL).await;
        let ears = Ears {
            node: of_node.map_err(|error| unreached(&error))?,
            all: of_all.map_err(|error| unreached(&error))?,
        };
        // Whoever hears of this node from the database must reach it.
        client.flush().await.map_err(|error| unreached(&error))?;
        Ok((Bus { client }, ears))
    }

    /// Tells a node. Whether it arrives nobody says; `false`: it certainly does not.
    pub(crate) async fn tell(&self, node: &str, message: &ToNode) -> bool {
        self.publish(of_node(node), message).await
    }

    /// Tells all other nodes.
    pub(crate) async fn tell_all(&self, message: &ToAll) -> bool {
        self.publish(ALL.to_owned(), message).await
    }

    /// Waits until what was told is on the line.
    pub(crate) async fn flush(&self) {
        // A line that is away carries nothing.
        let _ = tokio::time::timeout(SEND_LIMIT, self.client.flush()).await;
    }

    async fn publish(&self, subject: String, message: &impl Serialize) -> bool {
        let payload = serde_json::to_vec(message).expect("a message is plain JSON");
        let sent = tokio::time::timeout(SEND_LIMIT, self.client.publish(subject, payload.into()));
        matches!(sent.await, Ok(Ok(())))
    }
}

fn of_node(name: &str) -> String {
    format!("mawe.node.{name}")
}

fn note(event: &Event) {
    match event {
        Event::Connected => tracing::debug!("connected to NATS"),
        Event::Disconnected => tracing::warn!(
            "NATS is away; matches whose players are on their owner's node go on, others wait"
        ),
        other => tracing::warn!("NATS: {other}"),
    }
}
