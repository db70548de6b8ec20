//! The rounds of the lobby: pairing, standings and updates.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use super::board::Board;
use super::pools::Lobby;
use crate::clock::unix_ms;

/// Interval between rounds of pairing and lobby updates.
const ROUND: Duration = Duration::from_secs(1);

/// Interval at which waiting players are told their standing.
const TELL_EVERY: Duration = Duration::from_secs(5);

/// Interval at which club matches are begun, and their games seated.
const CLUB_MATCHES_EVERY: Duration = Duration::from_secs(2);

/// Interval at which events are paired, and their games seated.
const EVENTS_EVERY: Duration = Duration::from_secs(1);

/// Number of rounds between two sweeps for absent seekers.
const SWEEP_EVERY: u64 = 10;

/// Number of rounds after which pool requests are repeated to the node that pairs.
const RENEW_EVERY: u64 = 2;

/// Numbered rounds at an interval until the server stops. After a slow round, missed rounds are not made up for.
struct Rounds {
    interval: tokio::time::Interval,
    stopped: watch::Receiver<bool>,
    number: u64,
}

impl Rounds {
    fn every(pause: Duration, stopped: &watch::Receiver<bool>) -> Rounds {
        let mut interval = tokio::time::interval(pause);
        interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Rounds {
            interval,
            stopped: stopped.clone(),
            number: 0,
        }
    }

    /// Waits for the next round and returns its number; `None` when the server stops.
    async fn next(&mut self) -> Option<u64> {
        tokio::select! {
            _ = self.stopped.wait_for(|stopped| *stopped) => None,
            _ = self.interval.tick() => {
                self.number += 1;
                Some(self.number)
            }
        }
    }
}

impl Lobby {
    /// Runs the rounds of pairing and updates until the server stops.
    pub async fn run(self: Arc<Self>, stopped: watch::Receiver<bool>) {
        tokio::join!(
            self.keep_pairing(Rounds::every(ROUND, &stopped)),
            // These run apart from pairing: a store that is slow to make a match must not delay the updates.
            self.keep_sending_standings(Rounds::every(TELL_EVERY, &stopped)),
            self.keep_showing(Rounds::every(ROUND, &stopped)),
            self.keep_advancing_club_matches(Rounds::every(CLUB_MATCHES_EVERY, &stopped)),
            self.keep_advancing_events(Rounds::every(EVENTS_EVERY, &stopped)),
        );
    }

    async fn keep_pairing(&self, mut rounds: Rounds) {
        while let Some(round) = rounds.next().await {
            if self.pairs_here() {
                self.pair().await;
                self.tell_waiting(round).await;
            }
            if round % RENEW_EVERY == 0 {
                self.renew_wishes().await;
            }
        }
    }

    async fn keep_sending_standings(&self, mut rounds: Rounds) {
        while rounds.next().await.is_some() {
            self.tell_standings();
        }
    }

    async fn keep_advancing_club_matches(&self, mut rounds: Rounds) {
        while rounds.next().await.is_some() {
            self.advance_club_matches(unix_ms()).await;
        }
    }

    async fn keep_advancing_events(&self, mut rounds: Rounds) {
        while rounds.next().await.is_some() {
            if self.pairs_here() {
                self.advance_events(unix_ms()).await;
            }
        }
    }

    async fn keep_showing(&self, mut rounds: Rounds) {
        let mut board = Board::default();
        while let Some(round) = rounds.next().await {
            if round % SWEEP_EVERY == 0 {
                self.sweep(&mut board, Instant::now()).await;
            }
            self.publish(&mut board).await;
        }
    }
}
