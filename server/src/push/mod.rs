//! Push messages: absent players are told of their turn in a correspondence match, of challenges by name, and of events that they have joined.
//!
//! A call may be lost. It enters a bounded queue after its cause is durable, and no caller waits for it: a full queue, a push service that
//! is down or a stop of the server loses calls, and nothing else. [`Push`] is the sender's side. [`Caller`] is the task that checks whether
//! a call still holds and sends it to every browser of the player (RFC 8030), encrypted so that only the browser can read it (RFC 8291).
//! See docs/operating.md.

mod options;
mod service;
mod vapid;

use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderName, HeaderValue, header};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use futures_util::{StreamExt, stream};
use mawe_rules::GameKind;
use serde::Serialize;
use sha2::{Digest, Sha256};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::JoinSet;
use web_push_native::p256::PublicKey;
use web_push_native::{Auth, WebPushBuilder};

pub use self::options::{PushOptions, PushSettings};
pub use self::service::{BadEndpoint, Endpoint, Trusted};
use mawe_store::{Store, StoreError, SubscriptionRow};
use mawe_wire::events::{EventRef, EventState};
use mawe_wire::ids::{ChallengeId, MatchId, PlayerId};
use mawe_wire::{Language, NoticeKind};

use self::service::{ServiceResponse, Services};
use self::vapid::Vapid;
use crate::clock::unix_ms;
use crate::meters::Counter;

/// Maximum number of calls in the queue.
const QUEUE: usize = 1_024;

/// Maximum number of calls under way. Most of them wait: for a player who may be about to leave, or for a push service that is down.
const MAX_UNDER_WAY: usize = 4_096;

/// Maximum number of messages that are sent concurrently.
const AT_ONCE: usize = 16;

/// Sizes of a browser's keys: an uncompressed point, and a secret.
const POINT_BYTES: usize = 65;
const AUTH_BYTES: usize = 16;

/// Number of times a message is sent before it is given up, and the longest pause between: about ten minutes with the default first pause.
const ATTEMPTS: u32 = 8;
const MAX_PAUSE: Duration = Duration::from_secs(10 * 60);

/// Time that a push service keeps a call for an absent browser, where the turn has no end.
const USUAL_TTL_MS: i64 = 14 * 24 * 60 * 60 * 1_000;

/// A message to be pushed to a player.
#[derive(Debug, Clone)]
pub struct Call {
    /// The player to call.
    pub player: PlayerId,
    /// Name of the opponent or challenger; empty before the start of an event.
    pub by: String,
    /// The game kind.
    pub game: GameKind,
    /// Time after which the call is pointless; `None` if there is no such time.
    pub until_ms: Option<i64>,
    /// The cause of the call.
    pub about: About,
}

/// The cause of a call.
#[derive(Debug, Clone)]
pub enum About {
    /// It is the player's turn in a match. Holds while the journal has this head.
    Turn {
        /// The match.
        match_id: MatchId,
        /// The head of the journal.
        head: u64,
    },
    /// A challenge to the player.
    Challenge(ChallengeId),
    /// An event that the player has joined begins soon.
    EventStarts(EventRef),
    /// A realtime match of the player in an event has begun.
    EventMatch {
        /// The match.
        match_id: MatchId,
        /// The event.
        event: EventRef,
    },
}

/// The content of a message: codes and names. The page adds the words, from `static/i18n`.
#[derive(Serialize)]
struct Payload<'a> {
    kind: &'static str,
    /// The id of the match, the challenge or the event.
    id: &'a str,
    game: GameKind,
    by: &'a str,
    /// The name of the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'a str>,
    language: Language,
}

/// The keys of a browser.
#[derive(Clone)]
pub struct BrowserKeys {
    public: PublicKey,
    auth: Auth,
}

impl BrowserKeys {
    /// Parses the keys that a browser sends: an uncompressed point of P-256, and 16 bytes. `None` if they are invalid.
    #[must_use]
    pub fn new(p256dh: &[u8], auth: &[u8]) -> Option<BrowserKeys> {
        let auth = <[u8; AUTH_BYTES]>::try_from(auth).ok()?;
        let public = PublicKey::from_sec1_bytes(p256dh).ok()?;
        (p256dh.len() == POINT_BYTES).then(|| BrowserKeys {
            public,
            auth: auth.into(),
        })
    }
}

/// The sender's side of the queue of calls.
pub struct Push {
    queue: mpsc::Sender<Call>,
    key: String,
    services: Arc<Services>,
    meters: Arc<PushMeters>,
}

/// The messages since the start.
#[derive(Debug, Default)]
pub struct PushMeters {
    /// Messages that a push service has accepted.
    pub sent: Counter,
    /// Messages to browsers that no longer exist.
    pub gone: Counter,
    /// Messages that a push service refused.
    pub refused: Counter,
    /// Messages that were given up after several attempts.
    pub given_up: Counter,
    /// Calls that found no place in the queue.
    pub dropped: Counter,
}

/// The task that sends the calls.
pub struct Caller {
    queue: mpsc::Receiver<Call>,
    line: Arc<Line>,
}

/// Returns whether a player has a socket open, on any node.
pub type IsConnected = Box<dyn Fn(&PlayerId) -> bool + Send + Sync>;

/// State that all calls share.
struct Line {
    vapid: Vapid,
    services: Arc<Services>,
    store: Arc<dyn Store>,
    is_connected: IsConnected,
    options: PushSettings,
    sending: Semaphore,
    meters: Arc<PushMeters>,
}

/// Creates both ends of the queue, with the key in the store; at the first start a key is drawn.
///
/// # Errors
/// The store failed, or its key is invalid.
pub async fn start(
    options: &PushSettings,
    store: &Arc<dyn Store>,
    is_connected: IsConnected,
) -> Result<(Push, Caller), StoreError> {
    let secret = store.push_key(&vapid::draw()).await?;
    let damaged = |detail: String| StoreError::Damaged {
        what: "push key",
        detail,
    };
    let vapid = Vapid::new(&secret, options.contact.clone());
    let vapid = vapid.ok_or_else(|| damaged("it is no number of its curve".to_owned()))?;
    let services = Services::new(options.trusted.iter().cloned())
        .map_err(|error| damaged(error.to_string()))?;
    let services = Arc::new(services);
    let (sender, queue) = mpsc::channel(QUEUE);
    let meters = Arc::new(PushMeters::default());
    let push = Push {
        queue: sender,
        key: vapid.public.clone(),
        services: Arc::clone(&services),
        meters: Arc::clone(&meters),
    };
    let line = Line {
        vapid,
        services,
        store: Arc::clone(store),
        is_connected,
        options: options.clone(),
        sending: Semaphore::new(AT_ONCE),
        meters,
    };
    let line = Arc::new(line);
    Ok((push, Caller { queue, line }))
}

impl Push {
    /// The public key that a browser subscribes with.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns the messages since the start.
    #[must_use]
    pub fn meters(&self) -> &PushMeters {
        &self.meters
    }

    /// Returns the number of calls in the queue.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }

    /// Parses the endpoint that a browser gives.
    ///
    /// # Errors
    /// [`BadEndpoint`].
    pub fn endpoint(&self, text: &str) -> Result<Endpoint, BadEndpoint> {
        self.services.endpoint(text)
    }

    /// Queues a call, to be sent if the player is absent. Never waits.
    pub fn call(&self, call: Call) {
        if self.queue.try_send(call).is_err() {
            self.meters.dropped.count();
            tracing::warn!("a player was not called: too many wait to be, or the server stops");
        }
    }
}

impl Caller {
    /// Sends calls until the server stops.
    pub async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        let mut under_way = JoinSet::new();
        loop {
            tokio::select! {
                // An error means that the sender is gone, which is a stop too.
                _ = stopped.wait_for(|stopped| *stopped) => return,
                Some(done) = under_way.join_next(), if !under_way.is_empty() => {
                    if let Err(error) = done {
                        tracing::error!(%error, "what calls a player panicked");
                    }
                }
                call = self.queue.recv(), if under_way.len() < MAX_UNDER_WAY => {
                    let Some(call) = call else { return };
                    let line = Arc::clone(&self.line);
                    under_way.spawn(async move { line.carry_out(&call).await });
                }
            }
        }
    }
}

impl Line {
    async fn carry_out(&self, call: &Call) {
        if (self.is_connected)(&call.player) {
            tokio::time::sleep(self.options.look_again).await;
        }
        match self.browsers(call).await {
            Ok(browsers) => {
                let each = stream::iter(browsers);
                each.for_each_concurrent(None, async |browser| self.tell(call, &browser).await)
                    .await;
            }
            Err(error) => tracing::warn!(
                error = &error as &dyn std::error::Error,
                "a player was not called: the store did not answer"
            ),
        }
    }

    /// Returns the browsers to send to; none if the call no longer holds.
    async fn browsers(&self, call: &Call) -> Result<Vec<SubscriptionRow>, StoreError> {
        if (self.is_connected)(&call.player) {
            return Ok(Vec::new());
        }
        let browsers = self.store.subscriptions_of(&call.player, unix_ms()).await?;
        if browsers.is_empty() || !self.holds(call).await? {
            return Ok(Vec::new());
        }
        Ok(browsers)
    }

    /// Whether the cause of the call still exists.
    async fn holds(&self, call: &Call) -> Result<bool, StoreError> {
        let now = unix_ms();
        if call.until_ms.is_some_and(|until| until <= now) {
            return Ok(false);
        }
        match &call.about {
            About::Turn { match_id, head } => {
                let row = self.store.find_match(match_id).await?;
                Ok(row.is_some_and(|row| row.finish.is_none() && row.head == *head))
            }
            About::Challenge(id) => {
                let row = self.store.find_challenge(id).await?;
                Ok(row.is_some_and(|row| {
                    row.match_id.is_none() && !row.cancelled && row.declined.is_none()
                }))
            }
            About::EventStarts(event) => {
                let row = self.store.find_event(&event.id).await?;
                Ok(row.is_some_and(|row| {
                    matches!(row.columns.state, EventState::Coming | EventState::Running)
                }))
            }
            About::EventMatch { match_id, .. } => {
                let row = self.store.find_match(match_id).await?;
                Ok(row.is_some_and(|row| row.finish.is_none()))
            }
        }
    }

    /// Sends to one browser; tries up to [`ATTEMPTS`] times while the push service is busy.
    async fn tell(&self, call: &Call, browser: &SubscriptionRow) {
        // The operator may have changed the trusted services since, or another version stored the row.
        let (Ok(endpoint), Some(keys)) = (
            self.services.endpoint(&browser.endpoint),
            BrowserKeys::new(&browser.p256dh, &browser.auth),
        ) else {
            self.forget(browser).await;
            return;
        };
        let mut pause = self.options.retry;
        for attempt in 1..=ATTEMPTS {
            let verdict = self.send(call, browser, &endpoint, &keys).await;
            let wait = match verdict {
                ServiceResponse::Taken => {
                    self.meters.sent.count();
                    return;
                }
                ServiceResponse::Gone => {
                    self.meters.gone.count();
                    self.forget(browser).await;
                    return;
                }
                ServiceResponse::Refused(status) => {
                    self.meters.refused.count();
                    tracing::warn!(push.service = endpoint.host(), %status, "a push service refused a message");
                    return;
                }
                ServiceResponse::Later(wait) => wait.unwrap_or(pause).max(pause),
            };
            if attempt == ATTEMPTS {
                break;
            }
            tokio::time::sleep(wait).await;
            pause = (pause * 2).min(MAX_PAUSE);
            if !matches!(self.holds(call).await, Ok(true)) {
                return;
            }
        }
        self.meters.given_up.count();
        tracing::warn!(
            push.service = endpoint.host(),
            "a push service did not take a message; it is given up"
        );
    }

    async fn send(
        &self,
        call: &Call,
        browser: &SubscriptionRow,
        endpoint: &Endpoint,
        keys: &BrowserKeys,
    ) -> ServiceResponse {
        // The semaphore is never closed.
        let _turn = self.sending.acquire().await;
        let now = unix_ms();
        let ttl_ms = call.until_ms.map_or(USUAL_TTL_MS, |until| until - now);
        let ttl = Duration::from_millis(u64::try_from(ttl_ms).unwrap_or_default());
        let told = call.told(browser.language.unwrap_or(Language::En));
        let message = WebPushBuilder::new(endpoint.uri().clone(), keys.public, keys.auth)
            .with_valid_duration(ttl)
            .build(told);
        let mut message = message.expect("a short text can be encrypted for any key");
        let headers = message.headers_mut();
        let authorization = self.vapid.authorization(&endpoint.origin(), now);
        headers.insert(header::AUTHORIZATION, authorization);
        // A deadline of days is no reason to wake a sleeping telephone.
        let urgency = HeaderValue::from_static("normal");
        headers.insert(HeaderName::from_static("urgency"), urgency);
        headers.insert(HeaderName::from_static("topic"), call.about.topic());
        self.services.send(endpoint, message).await
    }

    async fn forget(&self, browser: &SubscriptionRow) {
        if let Err(error) = self.store.forget_endpoint(&browser.endpoint).await {
            // The next call will find it gone too.
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "a browser that is gone could not be forgotten"
            );
        }
    }
}

impl Call {
    /// Returns the content of the message, as JSON.
    fn told(&self, language: Language) -> Vec<u8> {
        let (kind, id) = self.about.kind_and_id();
        let event = match &self.about {
            About::EventStarts(event) | About::EventMatch { event, .. } => Some(&*event.name),
            About::Turn { .. } | About::Challenge(_) => None,
        };
        let told = Payload {
            kind,
            id,
            game: self.game,
            by: &self.by,
            event,
            language,
        };
        serde_json::to_vec(&told).expect("it is plain JSON")
    }
}

impl About {
    /// Returns the code of the cause, and the id of its subject.
    fn kind_and_id(&self) -> (&'static str, &str) {
        match self {
            About::Turn { match_id, .. } => ("turn", match_id.as_str()),
            About::Challenge(id) => ("challenge", id.as_str()),
            About::EventStarts(event) => (NoticeKind::EventStarts.as_str(), event.id.as_str()),
            About::EventMatch { match_id, .. } => {
                (NoticeKind::EventMatchBegun.as_str(), match_id.as_str())
            }
        }
    }

    /// Returns the topic by which a message replaces an older one that still waits at the push service. The service reads it, so it is a
    /// hash: the id of a private match gives access to it.
    fn topic(&self) -> HeaderValue {
        let (kind, id) = match self.kind_and_id() {
            // Messages of an earlier version, which may still wait there, have this topic.
            ("turn", id) => ("match", id),
            other => other,
        };
        let digest = Sha256::digest(format!("{kind} {id}"));
        // A topic may have 32 characters, which encode 24 bytes.
        let topic = BASE64_URL_SAFE_NO_PAD.encode(&digest[..24]);
        HeaderValue::try_from(topic).expect("it is letters, digits and signs")
    }
}
