//! The bus between nodes and to workers, over NATS. It may lose messages; senders that must notice a loss number their messages.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::connection::State;
use async_nats::{
    Client, ConnectOptions, Event, Message, ServerAddr, StatusCode, Subject, Subscriber,
};
use futures_util::StreamExt;
use mawe_wire::ids::WorkerId;
use serde::Serialize;
use tokio::sync::Notify;

use crate::bots::job::{JobOffer, ResultView, VERSION, Word};
use crate::cluster::message::{ToAll, ToNode};

/// Time limit for the first connection to NATS.
const PATIENCE: Duration = Duration::from_secs(3);

/// Time limit for handing a message to the connection; after it the message counts as lost.
const SEND_LIMIT: Duration = Duration::from_millis(500);

/// Longest pause between two attempts to reconnect.
const RECONNECT: Duration = Duration::from_secs(1);

/// Interval of pings; a half-open connection is noticed after two.
const PING_EVERY: Duration = Duration::from_secs(5);

/// Subject that all nodes subscribe to.
const ALL: &str = "mawe.all";

/// Subject on which workers ask nodes for their versions.
const VERSIONS: &str = "mawe.versions";

/// Queue group of all workers: NATS gives each job to one member.
const WORKERS: &str = "workers";

/// Inbox prefix of workers. Only workers receive answers here, so one line of the NATS configuration lists all that a worker may subscribe
/// to.
const WORKER_INBOX: &str = "mawe.worker";

/// Time limit for the first answer to an offer: a worker that receives a job reports it at once.
const TAKEN_WITHIN: Duration = Duration::from_secs(1);

/// Maximum length of a version, in characters; longer ones are cut.
const MAX_VERSION_CHARS: usize = 40;

/// Time to wait for answers with versions.
const VERSIONS_WITHIN: Duration = Duration::from_secs(1);

/// Address of NATS and the certificates to trust.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BusOptions {
    /// `nats://…` or `tls://…`, with user and password if NATS needs them.
    pub url: String,
    /// Further root certificates for the server's certificate, beside those of the system.
    pub ca: Option<PathBuf>,
}

/// NATS cannot be used. The message is one line that names the cause and the remedy, without a password.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BusError(String);

/// The connection to NATS.
#[derive(Debug, Clone)]
pub(crate) struct Bus {
    client: Client,
    /// Notified when the connection is made or made again.
    returned: Arc<Notify>,
}

/// A subscription to one job, from any node.
pub(crate) struct Demand {
    jobs: Subscriber,
    bus: Bus,
}

/// A job of another node, and the subject for the answer.
#[derive(Debug)]
pub(crate) struct Delivery {
    pub(crate) offer: JobOffer,
    pub(crate) answer: Subject,
}

/// Outcome of offering a job to the workers of all nodes.
pub(crate) enum Offered {
    /// A worker took the job and returned this result.
    Done(ResultView),
    /// The worker that received the job is busy with another.
    Busy,
    /// No worker is free.
    Refused,
    /// A worker took the job, but is late or its answer was lost.
    Unknown,
}

/// The subscriptions of a node that has joined, for `Cluster::listen`.
pub struct Subscriptions {
    pub(crate) node: Subscriber,
    pub(crate) all: Subscriber,
}

impl BusOptions {
    /// Checks the address, and that the certificates can be read.
    ///
    /// # Errors
    /// [`BusError`].
    pub fn new(url: String, ca: Option<PathBuf>) -> Result<BusOptions, BusError> {
        if let Some(ca) = &ca {
            std::fs::metadata(ca).map_err(|error| {
                BusError(format!(
                    "the certificates in {} cannot be read: {error}",
                    ca.display()
                ))
            })?;
        }
        let bus = BusOptions { url, ca };
        bus.address()?;
        Ok(bus)
    }

    /// Host and port, for people to read: without a password.
    pub(crate) fn place(&self) -> String {
        self.address().map_or_else(
            |_| "?".to_owned(),
            |address| format!("{}:{}", address.host(), address.port()),
        )
    }

    fn unreached(&self, error: &dyn std::fmt::Display) -> BusError {
        let place = self.place();
        BusError(format!(
            "cannot use NATS at {place}: {error}; start it, or mend the address that --nats names"
        ))
    }

    fn address(&self) -> Result<ServerAddr, BusError> {
        let known = ["nats://", "tls://"];
        let address = self.url.parse::<ServerAddr>().ok();
        // The address is not in the message: in a mistyped one, the password may stand anywhere.
        address
            .filter(|_| known.iter().any(|scheme| self.url.starts_with(scheme)))
            .ok_or_else(|| {
                BusError("the address of NATS must be nats://HOST:PORT or tls://HOST:PORT, with USER:PASSWORD@ before the host if it wants them".to_owned())
            })
    }
}

impl Bus {
    /// Connects as a node, and subscribes to messages for this node and for all nodes.
    pub(crate) async fn connect(
        options: &BusOptions,
        node: &str,
    ) -> Result<(Bus, Subscriptions), BusError> {
        let connect = ConnectOptions::new().name(format!("mawe {node}"));
        let without = "matches whose players are on their owner's node go on, others wait";
        let bus = Bus::dial(options, connect, without).await?;
        let ears = Subscriptions {
            node: bus.hear(options, of_node(node)).await?,
            all: bus.hear(options, ALL.to_owned()).await?,
        };
        // A node that reads of this one in the database must be able to reach it.
        let flushed = bus.client.flush().await;
        flushed.map_err(|error| options.unreached(&error))?;
        Ok((bus, ears))
    }

    /// Connects as a worker, which receives jobs and nothing else.
    pub(crate) async fn connect_worker(options: &BusOptions) -> Result<Bus, BusError> {
        let connect = ConnectOptions::new()
            .name("mawe worker")
            .custom_inbox_prefix(WORKER_INBOX);
        Bus::dial(options, connect, "there are no jobs until it is back").await
    }

    async fn dial(
        options: &BusOptions,
        connect: ConnectOptions,
        without: &'static str,
    ) -> Result<Bus, BusError> {
        let returned = Arc::new(Notify::new());
        let mut connect = connect
            .connection_timeout(PATIENCE)
            .ping_interval(PING_EVERY)
            .no_echo()
            .reconnect_delay_callback(|attempts| {
                let exponent = u32::try_from(attempts.min(4)).unwrap_or(4);
                (Duration::from_millis(50) * 2u32.pow(exponent)).min(RECONNECT)
            })
            .event_callback({
                let returned = Arc::clone(&returned);
                move |event| {
                    if event == Event::Connected {
                        returned.notify_one();
                    }
                    async move { note(&event, without) }
                }
            });
        let address = options.address()?;
        // The client ignores the user and password in the address.
        if let Some(user) = address.username() {
            let password = address.password().unwrap_or_default();
            connect = connect.user_and_password(plain(user), plain(password));
        }
        if let Some(ca) = &options.ca {
            connect = connect.add_root_certificates(ca.clone());
        }
        let client = tokio::time::timeout(PATIENCE, connect.connect(address))
            .await
            .map_err(|_| options.unreached(&"it does not answer"))?
            .map_err(|error| options.unreached(&error))?;
        Ok(Bus { client, returned })
    }

    async fn hear(&self, options: &BusOptions, subject: String) -> Result<Subscriber, BusError> {
        let heard = self.client.subscribe(subject).await;
        heard.map_err(|error| options.unreached(&error))
    }

    /// Sends a message to a node. `false` means that it certainly does not arrive; `true` promises nothing.
    pub(crate) async fn tell(&self, node: &str, message: &ToNode) -> bool {
        self.publish(of_node(node), message).await
    }

    /// Sends a message to all other nodes.
    pub(crate) async fn tell_all(&self, message: &ToAll) -> bool {
        self.publish(ALL.to_owned(), message).await
    }

    /// Waits until all messages are written to the connection.
    pub(crate) async fn flush(&self) {
        // Without a connection nothing can be flushed.
        let _ = tokio::time::timeout(SEND_LIMIT, self.client.flush()).await;
    }

    /// Subscribes to reports of free workers of this version, and to requests for versions. `None` when the connection has ended for good.
    pub(crate) async fn hear_workers(&self) -> Option<(Subscriber, Subscriber)> {
        let free = self.client.subscribe(free()).await.ok()?;
        let askers = self.client.subscribe(VERSIONS).await.ok()?;
        Some((free, askers))
    }

    /// Offers a job to the workers of all nodes and waits for the result. Calls `taken` with the worker that takes the job. Ignores
    /// messages that are not about this job.
    pub(crate) async fn offer(
        &self,
        offer: &JobOffer,
        within: Duration,
        taken: impl Fn(WorkerId),
    ) -> Offered {
        if !self.is_there() {
            return Offered::Refused;
        }
        let inbox = self.client.new_inbox();
        let Ok(mut answers) = self.client.subscribe(inbox.clone()).await else {
            return Offered::Refused;
        };
        let job = &offer.job;
        let payload = serde_json::to_vec(offer).expect("a job is plain JSON");
        let sent = self
            .client
            .publish_with_reply(jobs(), inbox, payload.into())
            .await;
        if sent.is_err() {
            return Offered::Refused;
        }
        let mut is_taken = false;
        let mut limit = TAKEN_WITHIN;
        let begun = Instant::now();
        loop {
            let left = limit.saturating_sub(begun.elapsed());
            let Ok(Some(message)) = tokio::time::timeout(left, answers.next()).await else {
                break;
            };
            if message.status == Some(StatusCode::NO_RESPONDERS) {
                return Offered::Refused;
            }
            match serde_json::from_slice(&message.payload) {
                Ok(Word::Taken { by }) => {
                    (is_taken, limit) = (true, within);
                    by.into_iter().for_each(&taken);
                }
                Ok(Word::Busy) => return Offered::Busy,
                Ok(Word::Done(result)) if result.id == job.id => return Offered::Done(result),
                Ok(Word::Done(_)) => tracing::debug!(bot.job = job.id, "an answer to another job"),
                Err(error) => {
                    tracing::warn!(%error, "an answer to a bot's job is none of ours");
                }
            }
        }
        // A client that subscribes to all subjects counts as a responder for NATS, but is no worker and never reports that it takes the
        // job.
        if is_taken {
            Offered::Unknown
        } else {
            Offered::Refused
        }
    }

    /// Subscribes to one job, and reports that a worker is free.
    pub(crate) async fn ask_for_job(&self) -> Option<Demand> {
        let subscribed = self.client.queue_subscribe(jobs(), WORKERS.to_owned());
        let mut subscriber = subscribed.await.ok()?;
        // NATS itself ends the subscription after the first job, so no busy worker is offered one.
        subscriber.unsubscribe_after(1).await.ok()?;
        // If this report is lost, nodes offer jobs again after a second.
        self.send(free(), Vec::new()).await;
        Some(Demand {
            jobs: subscriber,
            bus: self.clone(),
        })
    }

    /// Answers a job of another node. If the answer is lost, the job goes to another worker.
    pub(crate) async fn answer(&self, to: Subject, word: &Word) {
        self.publish(to.to_string(), word).await;
    }

    /// Returns the versions of the nodes that answer in time; stops when `wanted` is among them.
    pub(crate) async fn versions(&self, wanted: &str) -> Vec<String> {
        let inbox = self.client.new_inbox();
        let Ok(mut answers) = self.client.subscribe(inbox.clone()).await else {
            return Vec::new();
        };
        let asked = self
            .client
            .publish_with_reply(VERSIONS, inbox, Vec::new().into());
        let mut versions = Vec::new();
        let listening = async {
            if asked.await.is_err() {
                return;
            }
            while let Some(message) = answers.next().await {
                if message.status == Some(StatusCode::NO_RESPONDERS) {
                    // NATS itself reports that there is no node.
                    return;
                }
                let version = String::from_utf8_lossy(&message.payload);
                versions.push(version.chars().take(MAX_VERSION_CHARS).collect());
                if version == wanted {
                    return;
                }
            }
        };
        // Later answers do not count.
        let _ = tokio::time::timeout(VERSIONS_WITHIN, listening).await;
        versions
    }

    /// Answers a worker's request with the version of this node.
    pub(crate) async fn tell_version(&self, asked: Message) {
        if let Some(reply) = asked.reply {
            self.send(reply.to_string(), VERSION.into()).await;
        }
    }

    /// Waits until the connection is made or made again. For one task only.
    pub(crate) async fn returned(&self) {
        self.returned.notified().await;
    }

    /// Whether the connection stands, as far as the client knows.
    pub(crate) fn is_there(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    async fn publish(&self, subject: String, message: &impl Serialize) -> bool {
        let payload = serde_json::to_vec(message).expect("a message is plain JSON");
        self.send(subject, payload).await
    }

    async fn send(&self, subject: String, payload: Vec<u8>) -> bool {
        let sent = tokio::time::timeout(SEND_LIMIT, self.client.publish(subject, payload.into()));
        matches!(sent.await, Ok(Ok(())))
    }
}

impl Demand {
    /// Waits for the job. `None`: no job comes any more, or the message was not a job; a new credit is needed.
    pub(crate) async fn job(&mut self) -> Option<Delivery> {
        loan(self.jobs.next().await?)
    }

    /// Ends the subscription: the worker is no longer free. A job that is already under way is given back.
    pub(crate) async fn give_up(mut self) {
        if self.jobs.drain().await.is_err() {
            return;
        }
        // NATS reports when nothing more is to come. The caller need not wait for that.
        tokio::spawn(async move {
            while let Some(message) = self.jobs.next().await {
                if let Some(Delivery { answer, .. }) = loan(message) {
                    self.bus.answer(answer, &Word::Busy).await;
                }
            }
        });
    }
}

fn loan(message: Message) -> Option<Delivery> {
    let answer = message.reply?;
    match serde_json::from_slice(&message.payload) {
        Ok(offer) => Some(Delivery { offer, answer }),
        Err(error) => {
            tracing::warn!(%error, "a job on NATS is none of ours");
            None
        }
    }
}

/// Subject of jobs of this version: a level must play equally well on every worker.
fn jobs() -> String {
    format!("mawe.jobs.{VERSION}")
}

fn free() -> String {
    format!("mawe.free.{VERSION}")
}

fn of_node(name: &str) -> String {
    format!("mawe.node.{name}")
}

/// Decodes the percent-encoded bytes of a part of an address.
fn plain(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let coded = digits.and_then(|two| u8::from_str_radix(two, 16).ok());
        match coded.filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn note(event: &Event, without: &str) {
    match event {
        Event::Connected => tracing::debug!("connected to NATS"),
        Event::Disconnected => tracing::warn!("NATS is away; {without}"),
        other => tracing::warn!("NATS: {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_password_may_have_any_character() {
        for (coded, meant) in [
            ("", ""),
            ("korosho", "korosho"),
            ("a%40b%3A%2F", "a@b:/"),
            ("%C5%82%", "ł%"),
            ("100%zz%4", "100%zz%4"),
        ] {
            assert_eq!(plain(coded), meant);
        }
    }
}
