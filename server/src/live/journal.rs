//! The only writer of journal entries on this node. It commits all queued appends at once (group commit), so that an append takes one
//! commit, and the number of commits does not limit the throughput (`docs/decisions/0004-log-first.md`).

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use mawe_play::room::entry::StoredEntry;
use mawe_store::{Append, Appended, StoreError};

use crate::meters::{BATCHES, Counter, DURATIONS, Histogram};
use crate::trace::Trace;

/// The number of appends that may wait, which is the number of rooms that may append at once; further rooms wait to queue.
const QUEUE: usize = 8_192;

/// The largest number of appends in one commit, so that the first of a burst does not wait for all of it.
const MAX_BATCH: usize = 1_024;

/// The pause between attempts to read back the outcome of a commit, while the store does not answer.
const READ_BACK_EVERY: Duration = Duration::from_millis(200);

/// A sender to the writer.
#[derive(Debug, Clone)]
pub struct Journal {
    jobs: mpsc::Sender<Job>,
    meters: Arc<JournalMeters>,
}

/// The work of the writer since the start.
#[derive(Debug)]
pub struct JournalMeters {
    /// The durations of commits, with the reading back of an unknown outcome.
    pub seconds: Histogram,
    /// The numbers of appends in a commit.
    pub batch: Histogram,
    /// Appends that were not written.
    pub failed: Counter,
}

/// The reason why entries are not in the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    /// Another owner has written entries, or the match is over: the room's state is out of date.
    #[error("the journal has moved on")]
    Fenced,
    /// Nothing was written; the caller may try again.
    #[error("the store is unavailable")]
    Unavailable,
}

struct Job {
    append: Append,
    trace: Trace,
    done: oneshot::Sender<Result<(), AppendError>>,
}

impl Journal {
    /// Starts the writer. It ends after the last [`Journal`] is dropped and the queue is empty; join the handle to wait for that.
    #[must_use]
    pub fn start(store: Arc<dyn mawe_store::Journal>) -> (Journal, JoinHandle<()>) {
        let (jobs, queue) = mpsc::channel(QUEUE);
        let meters = Arc::new(JournalMeters {
            seconds: Histogram::new(DURATIONS),
            batch: Histogram::new(BATCHES),
            failed: Counter::default(),
        });
        let journal = Journal {
            jobs,
            meters: Arc::clone(&meters),
        };
        (journal, tokio::spawn(write(store, queue, meters)))
    }

    /// Returns the work of the writer since the start.
    #[must_use]
    pub fn meters(&self) -> &JournalMeters {
        &self.meters
    }

    /// Returns the number of appends that wait for the writer.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.jobs.max_capacity() - self.jobs.capacity()
    }

    /// Makes entries durable. A room may have only one append in progress. The span of the commit is below that of `trace`.
    ///
    /// # Errors
    /// [`AppendError`]. An unknown outcome is never returned: it is read back first.
    pub async fn append(&self, append: Append, trace: Trace) -> Result<(), AppendError> {
        let (done, answer) = oneshot::channel();
        let job = Job {
            append,
            trace,
            done,
        };
        self.jobs
            .send(job)
            .await
            .map_err(|_| AppendError::Unavailable)?;
        // The writer drops the sender only at its own end, when the process stops.
        answer.await.unwrap_or(Err(AppendError::Unavailable))
    }
}

impl JournalMeters {
    fn note(&self, outcomes: &[Result<(), AppendError>], took: Duration) {
        self.seconds.record(took);
        self.batch.record_units(outcomes.len() as u64);
        let failed = outcomes.iter();
        let failed = failed.filter(|outcome| **outcome == Err(AppendError::Unavailable));
        self.failed.add(failed.count() as u64);
    }
}

async fn write(
    store: Arc<dyn mawe_store::Journal>,
    mut queue: mpsc::Receiver<Job>,
    meters: Arc<JournalMeters>,
) {
    let mut jobs = Vec::with_capacity(MAX_BATCH);
    while queue.recv_many(&mut jobs, MAX_BATCH).await > 0 {
        let count = jobs.len();
        let traced = jobs.iter().filter(|job| job.trace.is_drawn());
        let commits: Vec<Trace> = traced.map(|job| job.trace.commit(count)).collect();
        let (batch, done): (Vec<Append>, Vec<_>) =
            jobs.drain(..).map(|job| (job.append, job.done)).unzip();
        let began = Instant::now();
        let outcomes = commit(store.as_ref(), &batch).await;
        meters.note(&outcomes, began.elapsed());
        drop(commits);
        for (done, outcome) in done.into_iter().zip(outcomes) {
            // The room may be gone; its successor replays the entries.
            let _ = done.send(outcome);
        }
    }
}

async fn commit(store: &dyn mawe_store::Journal, batch: &[Append]) -> Vec<Result<(), AppendError>> {
    match store.append(batch).await {
        Ok(outcomes) => outcomes.into_iter().map(told).collect(),
        Err(StoreError::OutcomeUnknown(error)) => {
            tracing::warn!(%error, "the line to the store broke inside a commit; reading back what became of it");
            read_back(store, batch).await
        }
        Err(error) => {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "{} appends were not written",
                batch.len()
            );
            vec![Err(AppendError::Unavailable); batch.len()]
        }
    }
}

fn told(outcome: Appended) -> Result<(), AppendError> {
    match outcome {
        Appended::Done => Ok(()),
        Appended::Fenced => Err(AppendError::Fenced),
    }
}

/// Reads back the outcome of a commit. The entries stored at (match, seq) decide; nothing is acknowledged or refused before they are read.
async fn read_back(
    store: &dyn mawe_store::Journal,
    batch: &[Append],
) -> Vec<Result<(), AppendError>> {
    let mut outcomes = Vec::with_capacity(batch.len());
    for append in batch {
        let stored = loop {
            match store.entries(&append.match_id, append.head).await {
                Ok(stored) => break stored,
                Err(_) => tokio::time::sleep(READ_BACK_EVERY).await,
            }
        };
        outcomes.push(stands(append, &stored));
    }
    outcomes
}

fn stands(append: &Append, stored: &[StoredEntry]) -> Result<(), AppendError> {
    if stored.is_empty() {
        Err(AppendError::Unavailable)
    } else if stored.starts_with(&append.entries) {
        Ok(())
    } else {
        Err(AppendError::Fenced)
    }
}

#[cfg(test)]
mod tests {
    use mawe_wire::ids::MatchId;

    use super::*;

    fn entry(seq: u64, epoch: u64) -> StoredEntry {
        StoredEntry {
            seq,
            epoch,
            kind: "resign".into(),
            payload: "{}".into(),
            client_id: None,
            at_ms: 0,
        }
    }

    #[test]
    fn an_unknown_outcome_is_decided_by_what_stands_there() {
        let entries = vec![entry(4, 1), entry(5, 1)];
        let append = Append {
            match_id: MatchId::random(),
            head: 3,
            epoch: 1,
            entries: entries.clone(),
            finish: None,
            due_ms: None,
        };
        assert_eq!(stands(&append, &[]), Err(AppendError::Unavailable));
        assert_eq!(stands(&append, &entries), Ok(()));
        assert_eq!(
            stands(&append, &[entry(4, 1), entry(5, 1), entry(6, 1)]),
            Ok(())
        );
        assert_eq!(
            stands(&append, &[entry(4, 2), entry(5, 2)]),
            Err(AppendError::Fenced)
        );
    }
}
