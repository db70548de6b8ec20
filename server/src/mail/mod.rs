//! Mail to owners of accounts: links that confirm an address and links that set a new password.
//!
//! A mail may be lost. It enters a bounded queue, and no request waits for it: a full queue, a mail server that is down or a stop of the server
//! loses mails, and nothing else; the owner asks once more. [`Mailer`] is the side of the requests. [`Postman`] is the task that hands the
//! mails to the operator's mail server. See docs/operating.md.

mod options;
mod resets;
mod transport;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

pub use self::options::{MailOptions, MailSettings, Security};
pub use self::resets::{ResetRequest, ResetRequests};
pub use self::transport::Mail;
use self::transport::{Delivery, Transport};
use crate::meters::Counter;

/// Maximum number of mails in the queue.
const QUEUE: usize = 256;

/// Maximum number of mails that are on their way or wait for another attempt.
const MAX_UNDER_WAY: usize = 64;

/// Number of times a mail is offered before it is given up, and the growth of the pause between: together three minutes with the default first pause.
const ATTEMPTS: u32 = 5;
const PAUSE_GROWTH: u32 = 3;

/// The queue is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueFull;

/// The side of the requests of the queue of mails.
#[derive(Debug)]
pub struct Mailer {
    queue: mpsc::Sender<Mail>,
    resets: mpsc::Sender<ResetRequest>,
    meters: Arc<MailMeters>,
}

/// The mails since the start.
#[derive(Debug, Default)]
pub struct MailMeters {
    /// Mails that the mail server has accepted.
    pub sent: Counter,
    /// Mails that the mail server refused for good.
    pub refused: Counter,
    /// Mails that were given up after several attempts.
    pub given_up: Counter,
    /// Mails and requests for mails that found no place in a queue, and mails that were left at a stop.
    pub dropped: Counter,
    /// Mails that were not written because an account or a mailbox had several within an hour.
    pub limited: Counter,
}

/// The task that hands the mails to the mail server.
pub struct Postman {
    queue: mpsc::Receiver<Mail>,
    line: Arc<Line>,
}

/// State that all mails share.
struct Line {
    transport: Transport,
    attempt_limit: Duration,
    retry: Duration,
    meters: Arc<MailMeters>,
}

/// A place in the queue.
#[derive(Debug)]
pub struct Place<'a>(mpsc::Permit<'a, Mail>);

impl Place<'_> {
    /// Queues a mail.
    pub fn send(self, mail: Mail) {
        self.0.send(mail);
    }
}

/// Creates both ends of the queues.
#[must_use]
pub fn start(settings: &MailSettings) -> (Mailer, Postman, ResetRequests) {
    let (sender, queue) = mpsc::channel(QUEUE);
    let (resets, requests) = resets::queue();
    let meters = Arc::new(MailMeters::default());
    let mailer = Mailer {
        queue: sender,
        resets,
        meters: Arc::clone(&meters),
    };
    let line = Line {
        transport: Transport::new(settings),
        attempt_limit: settings.attempt_limit,
        retry: settings.retry,
        meters,
    };
    let line = Arc::new(line);
    (mailer, Postman { queue, line }, requests)
}

impl Mailer {
    /// Returns the mails since the start.
    #[must_use]
    pub fn meters(&self) -> &MailMeters {
        &self.meters
    }

    /// Returns the number of mails in the queue.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }

    /// Reserves a place for a mail that is written after something else has been done. Never waits.
    ///
    /// # Errors
    /// [`QueueFull`], also while the server stops.
    pub fn place(&self) -> Result<Place<'_>, QueueFull> {
        self.queue.try_reserve().map(Place).map_err(|_| {
            self.meters.dropped.count();
            QueueFull
        })
    }

    /// Queues a mail, which is lost if the queue is full. Never waits.
    pub fn send(&self, mail: Mail) {
        if let Ok(place) = self.place() {
            place.send(mail);
        } else {
            tracing::warn!("a mail was not sent: too many wait, or the server stops");
        }
    }

    /// Queues a request for a link that sets a new password. Never waits.
    ///
    /// # Errors
    /// [`QueueFull`], also while the server stops.
    pub fn request_reset(&self, request: ResetRequest) -> Result<(), QueueFull> {
        let queued = self.resets.try_send(request);
        queued.map_err(|(TrySendError::Full(_) | TrySendError::Closed(_))| {
            self.meters.dropped.count();
            QueueFull
        })
    }
}

impl Postman {
    /// Sends mails until the server stops.
    pub async fn run(mut self, mut stopped: watch::Receiver<bool>) {
        let mut under_way = JoinSet::new();
        loop {
            tokio::select! {
                // An error means that the sender is gone, which is a stop too.
                _ = stopped.wait_for(|stopped| *stopped) => break,
                Some(done) = under_way.join_next(), if !under_way.is_empty() => {
                    if let Err(error) = done {
                        tracing::error!(%error, "the task of a mail panicked");
                    }
                }
                mail = self.queue.recv(), if under_way.len() < MAX_UNDER_WAY => {
                    let Some(mail) = mail else { break };
                    let line = Arc::clone(&self.line);
                    under_way.spawn(async move { line.deliver(&mail).await });
                }
            }
        }
        // A stop does not wait for a mail server.
        let left = under_way.len() + self.queue.len();
        if left > 0 {
            self.line.meters.dropped.add(left as u64);
            tracing::warn!("{left} mails were not sent before the stop");
        }
    }
}

impl Line {
    /// Hands over one mail, in up to [`ATTEMPTS`] attempts.
    async fn deliver(&self, mail: &Mail) {
        let mut pause = self.retry;
        for attempt in 1..=ATTEMPTS {
            let until = Instant::now() + self.attempt_limit;
            let tried = tokio::time::timeout_at(until, self.transport.offer(mail)).await;
            match tried.unwrap_or(Delivery::Later(None)) {
                Delivery::Taken => {
                    self.meters.sent.count();
                    return;
                }
                // Replies of a mail server may repeat the address, and are not logged.
                Delivery::Refused(code) => {
                    self.meters.refused.count();
                    tracing::warn!(mail.code = %code, "the mail server refused a mail");
                    return;
                }
                Delivery::Later(fault) => {
                    let fault = fault.unwrap_or_else(|| "no answer in time".to_owned());
                    tracing::warn!(mail.attempt = attempt, %fault, "the mail server did not take a mail");
                }
            }
            if attempt < ATTEMPTS {
                tokio::time::sleep(pause).await;
                pause *= PAUSE_GROWTH;
            }
        }
        self.meters.given_up.count();
        tracing::warn!("a mail was given up");
    }
}
