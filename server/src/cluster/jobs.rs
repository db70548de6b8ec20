//! Puts the jobs of this node to the workers of all nodes. See [`crate::worker::market`] for who takes them.
//!
//! NATS gives each job to one worker that has time, or says at once that nobody has. The queue of this node keeps the job all the while:
//! it has a deadline there, and what comes back is judged there, under the number that it was lent by.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Subscriber;
use futures_util::StreamExt;
use tokio::task::JoinSet;

use crate::bots::job::{Job, JobResult, Offer};
use crate::bots::{Bots, SLACK};
use crate::cluster::bus::{Bus, Offered};
use crate::ids::WorkerId;

/// Nobody had time: how long until it is asked again, where nobody says that they have.
const AGAIN: Duration = Duration::from_secs(1);

/// That nobody has time is known after so long.
const VERDICT: Duration = Duration::from_millis(3);

/// How many jobs are put to others before the verdict on the first is known.
const MAX_WINDOW: u32 = 256;

/// What became of an offer: when it was made, and whether nobody had time.
struct Verdict {
    offered: Instant,
    refused: bool,
}

/// Puts jobs to others until the queue is closed.
pub(crate) async fn lend(bots: Arc<Bots>, bus: Bus) {
    let Some((mut free, mut askers)) = bus.hear_workers().await else {
        tracing::error!("NATS takes no subscriptions; no worker elsewhere thinks for this node");
        return;
    };
    let me = WorkerId::random();
    let mut offers = JoinSet::new();
    // Where nobody may have time, one job is enough to find out; where somebody takes it, twice as many go after it.
    let (mut window, mut offered, mut last) = (1, 0, Instant::now());
    let mut somebody_free = Instant::now();
    loop {
        tokio::select! {
            biased;
            Some(ended) = offers.join_next() => {
                let Ok(Verdict { offered: at, refused }) = ended else {
                    tracing::error!("what puts a bot's job to other nodes panicked");
                    continue;
                };
                if refused {
                    (window, offered) = (1, 0);
                    // Somebody may have got time while it was under way.
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

/// Waits until somebody says that they have time, or it is time to ask all the same.
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
) -> Verdict {
    let offered = Instant::now();
    let offer = Offer {
        job: job.to_view(),
        failed_by,
    };
    let taken = |by| bots.note_doer(&me, job.id, by);
    let refused = match bus.offer(&offer, job.think_for + SLACK, taken).await {
        Offered::Done(result) => {
            bots.settle(&me, JobResult::from(result));
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
        // The queue takes it away when its time is over.
        Offered::Unknown => false,
    };
    Verdict { offered, refused }
}
