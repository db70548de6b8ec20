//! Offers the jobs of this node to the workers of all nodes. [`crate::worker::nats`] is the side that takes them.
//!
//! NATS gives each job to one free worker, or reports at once that none is free. The job stays in the queue of this node meanwhile: the
//! queue holds its deadline, and judges the result under the number by which the job was lent.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Subscriber;
use futures_util::StreamExt;
use mawe_wire::ids::WorkerId;
use tokio::task::JoinSet;

use crate::bots::job::{Job, JobOffer, JobResult};
use crate::bots::{Bots, SLACK, WorkerKind};
use crate::cluster::bus::{Bus, Offered};

/// Pause before the next offer after a refusal, unless a free worker is reported earlier.
const AGAIN: Duration = Duration::from_secs(1);

/// A refusal arrives within this time.
const VERDICT: Duration = Duration::from_millis(3);

/// Maximum number of jobs that are offered before the first verdict is known.
const MAX_WINDOW: u32 = 256;

/// Outcome of an offer: its time, and whether no worker was free.
struct OfferOutcome {
    offered: Instant,
    refused: bool,
}

/// Offers jobs to other workers until the queue is closed.
pub(crate) async fn lend(bots: Arc<Bots>, bus: Bus) {
    let Some((mut free, mut askers)) = bus.hear_workers().await else {
        tracing::error!("NATS takes no subscriptions; no worker elsewhere thinks for this node");
        return;
    };
    let me = WorkerId::random();
    let mut offers = JoinSet::new();
    // While it is unknown whether a worker is free, only one job is offered; when it is taken, the number doubles.
    let (mut window, mut offered, mut last) = (1, 0, Instant::now());
    let mut somebody_free = Instant::now();
    loop {
        tokio::select! {
            biased;
            Some(ended) = offers.join_next() => {
                let Ok(OfferOutcome { offered: at, refused }) = ended else {
                    tracing::error!("what puts a bot's job to other nodes panicked");
                    continue;
                };
                if refused {
                    (window, offered) = (1, 0);
                    // A worker may have become free since the offer was made.
                    if somebody_free <= at {
                        await_time(&bots, &bus, &mut free, &mut askers).await;
                        somebody_free = Instant::now();
                    }
                }
            }
            Some(_) = free.next() => somebody_free = Instant::now(),
            Some(asked) = askers.next() => bus.tell_version(asked).await,
            () = tokio::time::sleep_until((last + VERDICT).into()), if offered > 0 => {
                if offered == window {
                    window = (window * 2).min(MAX_WINDOW);
                }
                offered = 0;
            }
            job = bots.next_to_spare(&me), if offered < window => {
                let Some((job, failed_by)) = job else { return };
                (offered, last) = (offered + 1, Instant::now());
                offers.spawn(offer(Arc::clone(&bots), bus.clone(), me.clone(), job, failed_by));
            }
        }
    }
}

/// Waits until a worker reports that it is free, at most for [`AGAIN`].
async fn await_time(bots: &Bots, bus: &Bus, free: &mut Subscriber, askers: &mut Subscriber) {
    let again = tokio::time::sleep(AGAIN);
    tokio::pin!(again);
    loop {
        tokio::select! {
            () = &mut again => return,
            () = bots.closed() => return,
            Some(_) = free.next() => return,
            Some(asked) = askers.next() => bus.tell_version(asked).await,
        }
    }
}

async fn offer(
    bots: Arc<Bots>,
    bus: Bus,
    me: WorkerId,
    job: Job,
    failed_by: Vec<WorkerId>,
) -> OfferOutcome {
    let offered = Instant::now();
    let offer = JobOffer {
        job: job.to_view(),
        failed_by,
    };
    let taken = |by| bots.note_doer(&me, job.id, by);
    let refused = match bus.offer(&offer, job.think_for + SLACK, taken).await {
        Offered::Done(result) => {
            bots.settle(WorkerKind::Nats, &me, JobResult::from(result));
            false
        }
        Offered::Busy => {
            bots.put_back(&me, job.id);
            false
        }
        Offered::Refused => {
            bots.put_back(&me, job.id);
            true
        }
        // The queue takes the job back at its deadline.
        Offered::Unknown => false,
    };
    OfferOutcome { offered, refused }
}
