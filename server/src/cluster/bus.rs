//! The way between nodes, and to workers: NATS, as a bus that may lose what it carries. Whoever needs to know numbers it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::connection::State;
use async_nats::{
    Client, ConnectOptions, Event, Message, ServerAddr, StatusCode, Subject, Subscriber,
};
use futures_util::StreamExt;
use serde::Serialize;
use tokio::sync::Notify;

use crate::bots::job::{Offer, ResultView, VERSION, Word};
use crate::cluster::words::{ToAll, ToNode};
use crate::ids::WorkerId;

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

/// Where workers ask which versions there are.
const VERSIONS: &str = "mawe.versions";

/// Whoever takes jobs is one of these: each job reaches one of them.
const WORKERS: &str = "workers";

/// Where a worker is answered, and nobody else: what it may hear can be told to NATS in one line.
const WORKER_INBOX: &str = "mawe.worker";

/// A worker that gets a job says so at once: by then it has been heard.
const TAKEN_WITHIN: Duration = Duration::from_secs(1);

/// No version is longer.
const MAX_VERSION_CHARS: usize = 40;

/// How long is listened for versions.
const VERSIONS_WITHIN: Duration = Duration::from_secs(1);

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
    /// Told when the line is there again.
    returned: Arc<Notify>,
}

/// The readiness for one job, of whichever node.
pub(crate) struct Credit {
    jobs: Subscriber,
    bus: Bus,
}

/// A job of another node, and where it is answered.
#[derive(Debug)]
pub(crate) struct Loan {
    pub(crate) offer: Offer,
    pub(crate) answer: Subject,
}

/// What became of a job that was put to the workers of all nodes.
pub(crate) enum Offered {
    /// Somebody took it, and says this.
    Done(ResultView),
    /// Who was to have it has another by now.
    Busy,
    /// Nobody has time.
    Refused,
    /// Whoever took it is late, or its answer was lost.
    Unknown,
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

    /// Where it is, for people: without a password.
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
        // It is not shown: a mistyped one can have the password anywhere.
        address
            .filter(|_| known.iter().any(|scheme| self.url.starts_with(scheme)))
            .ok_or_else(|| {
                BusError("the address of NATS must be nats://HOST:PORT or tls://HOST:PORT, with USER:PASSWORD@ before the host if it wants them".to_owned())
            })
    }
}

impl Bus {
    /// Connects as a node, and listens to what is for it and for all.
    pub(crate) async fn connect(options: &BusOptions, node: &str) -> Result<(Bus, Ears), BusError> {
        let connect = ConnectOptions::new().name(format!("mawe {node}"));
        let without = "matches whose players are on their owner's node go on, others wait";
        let bus = Bus::dial(options, connect, without).await?;
        let ears = Ears {
            node: bus.hear(options, of_node(node)).await?,
            all: bus.hear(options, ALL.to_owned()).await?,
        };
        // Whoever hears of this node from the database must reach it.
        let flushed = bus.client.flush().await;
        flushed.map_err(|error| options.unreached(&error))?;
        Ok((bus, ears))
    }

    /// Connects as a worker, which hears of jobs and nothing else.
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
        // The client itself takes no notice of them there.
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

    /// Hears when a worker of this version has time again, and who asks for versions. `None` when the line has ended for good.
    pub(crate) async fn hear_workers(&self) -> Option<(Subscriber, Subscriber)> {
        let free = self.client.subscribe(free()).await.ok()?;
        let askers = self.client.subscribe(VERSIONS).await.ok()?;
        Some((free, askers))
    }

    /// Puts a job to the workers of all nodes; waits until one has said what came of it, and says who took it. What is no word about this
    /// job is passed over.
    pub(crate) async fn offer(
        &self,
        offer: &Offer,
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
        // Whoever only listens to all that goes by NATS is no worker, though NATS thinks so.
        if is_taken {
            Offered::Unknown
        } else {
            Offered::Refused
        }
    }

    /// Says that there is time for one job.
    pub(crate) async fn ask_for_job(&self) -> Option<Credit> {
        let subscribed = self.client.queue_subscribe(jobs(), WORKERS.to_owned());
        let mut subscriber = subscribed.await.ok()?;
        // NATS itself ends it with the first job: nobody who is busy is asked.
        subscriber.unsubscribe_after(1).await.ok()?;
        // Lost, it is found a second later.
        self.send(free(), Vec::new()).await;
        Some(Credit {
            jobs: subscriber,
            bus: self.clone(),
        })
    }

    /// Answers a job of another node. Lost, the job goes to somebody else.
    pub(crate) async fn answer(&self, to: Subject, word: &Word) {
        self.publish(to.to_string(), word).await;
    }

    /// The versions of the nodes there are, as far as they answer, until `wanted` is among them.
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
                    // NATS itself says that there is no node.
                    return;
                }
                let version = String::from_utf8_lossy(&message.payload);
                versions.push(version.chars().take(MAX_VERSION_CHARS).collect());
                if version == wanted {
                    return;
                }
            }
        };
        // Those that are not heard by then do not count.
        let _ = tokio::time::timeout(VERSIONS_WITHIN, listening).await;
        versions
    }

    /// Tells a worker which version this node has.
    pub(crate) async fn tell_version(&self, asked: Message) {
        if let Some(reply) = asked.reply {
            self.send(reply.to_string(), VERSION.into()).await;
        }
    }

    /// Waits until the line is there, or there again. For one task.
    pub(crate) async fn returned(&self) {
        self.returned.notified().await;
    }

    /// Whether there is a line, as far as is known.
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

impl Credit {
    /// The job. `None`: there is none to come any more, or what came was none; a new credit is needed.
    pub(crate) async fn job(&mut self) -> Option<Loan> {
        loan(self.jobs.next().await?)
    }

    /// There is no time any more. A job that is on its way already is given back.
    pub(crate) async fn give_up(mut self) {
        if self.jobs.drain().await.is_err() {
            return;
        }
        // NATS answers when nothing more is to come. Nobody has to wait for it.
        tokio::spawn(async move {
            while let Some(message) = self.jobs.next().await {
                if let Some(Loan { answer, .. }) = loan(message) {
                    self.bus.answer(answer, &Word::Busy).await;
                }
            }
        });
    }
}

fn loan(message: Message) -> Option<Loan> {
    let answer = message.reply?;
    match serde_json::from_slice(&message.payload) {
        Ok(offer) => Some(Loan { offer, answer }),
        Err(error) => {
            tracing::warn!(%error, "a job on NATS is none of ours");
            None
        }
    }
}

/// Jobs of this version: a level is as strong wherever it is thought for.
fn jobs() -> String {
    format!("mawe.jobs.{VERSION}")
}

fn free() -> String {
    format!("mawe.free.{VERSION}")
}

fn of_node(name: &str) -> String {
    format!("mawe.node.{name}")
}

/// What stands in an address with %XX for some of its bytes.
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
