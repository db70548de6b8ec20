//! Requests for links that set a new password.
//!
//! They are answered by a task of their own, so that the response to a request neither contains nor, by its time, tells whether there is such an
//! account.

use mawe_wire::Language;
use tokio::sync::mpsc;

/// Maximum number of requests in the queue: each costs a few reads of the store.
const QUEUE: usize = 64;

/// A request for a link that sets a new password.
#[derive(Debug)]
pub struct ResetRequest {
    /// The name of an account, or an address.
    pub account: String,
    /// The language of the requesting browser, for accounts without a chosen one.
    pub language: Language,
}

/// The requests, for the task that answers them.
#[derive(Debug)]
pub struct ResetRequests(mpsc::Receiver<ResetRequest>);

impl ResetRequests {
    /// Returns the next request; `None` when there will be none.
    pub async fn next(&mut self) -> Option<ResetRequest> {
        self.0.recv().await
    }
}

pub(super) fn queue() -> (mpsc::Sender<ResetRequest>, ResetRequests) {
    let (sender, queue) = mpsc::channel(QUEUE);
    (sender, ResetRequests(queue))
}
