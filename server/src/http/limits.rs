//! How often one address, or one name, may try what is dear or secret.
//!
//! Where there are several nodes, each tells the others what was spent on it, so that the limits hold for all of them together. What is
//! lost on the way is spent on one node only: a limit is no promise.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::OnceLock;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use crate::http::error::ApiError;
use crate::ids::PlayerId;
use crate::sockets::Beyond;

/// Passwords tried for one name before the rest must wait.
const LOGINS_PER_NAME: u32 = 10;

/// How long until one more may be tried.
const LOGIN_EVERY: Duration = Duration::from_secs(6);

/// Challenges by name, each of which disturbs somebody, before the rest must wait.
const CHALLENGES: u32 = 20;

/// How long until one more may be made.
const CHALLENGE_EVERY: Duration = Duration::from_secs(3);

/// Reports, each of which a person reads, before the rest must wait.
const REPORTS: u32 = 5;

/// How long until one more may be made.
const REPORT_EVERY: Duration = Duration::from_secs(600);

/// Wrong worker keys of one address before the rest must wait.
const WORKER_KEYS: u32 = 10;

/// How long until one more may be tried.
const WORKER_KEY_EVERY: Duration = Duration::from_secs(6);

/// Keys that are at rest are forgotten when so many are held.
pub(super) const SWEEP_AT: usize = 10_000;

/// What was spent, and by whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "on", rename_all = "kebab-case")]
pub enum Spent {
    /// A guest or an account.
    SignUp {
        /// From this network.
        from: IpAddr,
    },
    /// A password that was tried.
    Login {
        /// From this network.
        from: IpAddr,
        /// For this name.
        name: String,
    },
    /// A challenge by name.
    Challenge {
        /// By this player.
        player: PlayerId,
    },
    /// A report.
    Report {
        /// By this player.
        player: PlayerId,
    },
    /// A wrong worker's key.
    WorkerKey {
        /// From this network.
        from: IpAddr,
    },
}

/// The limits of a node, and of all nodes together as far as they hear of each other.
#[derive(Debug)]
pub struct Limits {
    /// The way to other nodes, where there are any.
    beyond: OnceLock<mpsc::Sender<Beyond>>,
    sign_ups: DefaultKeyedRateLimiter<IpAddr>,
    logins: DefaultKeyedRateLimiter<IpAddr>,
    logins_by_name: DefaultKeyedRateLimiter<String>,
    challenges: DefaultKeyedRateLimiter<PlayerId>,
    reports: DefaultKeyedRateLimiter<PlayerId>,
    worker_keys: DefaultKeyedRateLimiter<IpAddr>,
}

impl Limits {
    /// `per_minute` sign-ups (guests and accounts), and as many logins, from one address: a school sits behind one address.
    #[must_use]
    pub fn new(per_minute: NonZeroU32) -> Limits {
        let one = NonZeroU32::MIN;
        let names = Quota::with_period(LOGIN_EVERY).unwrap_or(Quota::per_minute(one));
        let challenges = Quota::with_period(CHALLENGE_EVERY).unwrap_or(Quota::per_minute(one));
        let reports = Quota::with_period(REPORT_EVERY).unwrap_or(Quota::per_minute(one));
        let keys = Quota::with_period(WORKER_KEY_EVERY).unwrap_or(Quota::per_minute(one));
        Limits {
            beyond: OnceLock::new(),
            sign_ups: DefaultKeyedRateLimiter::keyed(Quota::per_minute(per_minute)),
            logins: DefaultKeyedRateLimiter::keyed(Quota::per_minute(per_minute)),
            logins_by_name: DefaultKeyedRateLimiter::keyed(
                names.allow_burst(NonZeroU32::new(LOGINS_PER_NAME).unwrap_or(one)),
            ),
            challenges: DefaultKeyedRateLimiter::keyed(
                challenges.allow_burst(NonZeroU32::new(CHALLENGES).unwrap_or(one)),
            ),
            reports: DefaultKeyedRateLimiter::keyed(
                reports.allow_burst(NonZeroU32::new(REPORTS).unwrap_or(one)),
            ),
            worker_keys: DefaultKeyedRateLimiter::keyed(
                keys.allow_burst(NonZeroU32::new(WORKER_KEYS).unwrap_or(one)),
            ),
        }
    }

    /// From now on there are other nodes, and what is spent here is told this way.
    pub fn join_others(&self, beyond: mpsc::Sender<Beyond>) {
        // It is set once.
        let _ = self.beyond.set(beyond);
    }

    /// One more guest or account from this address.
    ///
    /// # Errors
    /// [`ApiError::TooMany`].
    pub fn sign_up(&self, from: IpAddr) -> Result<(), ApiError> {
        self.spend(Spent::SignUp {
            from: network(from),
        })
    }

    /// One more login from this address for this name.
    ///
    /// # Errors
    /// [`ApiError::TooMany`].
    pub fn login(&self, from: IpAddr, name: &str) -> Result<(), ApiError> {
        self.spend(Spent::Login {
            from: network(from),
            name: name.to_lowercase(),
        })
    }

    /// One more challenge by name of this player.
    ///
    /// # Errors
    /// [`ApiError::TooMany`].
    pub fn challenge(&self, player: &PlayerId) -> Result<(), ApiError> {
        self.spend(Spent::Challenge {
            player: player.clone(),
        })
    }

    /// One more report of this player's.
    ///
    /// # Errors
    /// [`ApiError::TooMany`].
    pub fn report(&self, player: &PlayerId) -> Result<(), ApiError> {
        self.spend(Spent::Report {
            player: player.clone(),
        })
    }

    /// One more wrong worker's key from this address.
    ///
    /// # Errors
    /// [`ApiError::TooMany`].
    pub fn worker(&self, from: IpAddr) -> Result<(), ApiError> {
        self.spend(Spent::WorkerKey {
            from: network(from),
        })
    }

    /// What was spent on another node counts here, too.
    pub fn note(&self, spent: &Spent) {
        // What is over the limit here already cannot be taken back there.
        let _ = self.take(spent);
    }

    /// Spends it, and tells the others. What is refused costs nothing and is not told.
    fn spend(&self, spent: Spent) -> Result<(), ApiError> {
        self.take(&spent)?;
        if let Some(beyond) = self.beyond.get()
            && beyond.try_send(Beyond::Spent(spent)).is_err()
        {
            tracing::warn!("other nodes were not told what was spent: the way is full");
        }
        Ok(())
    }

    fn take(&self, spent: &Spent) -> Result<(), ApiError> {
        match spent {
            Spent::SignUp { from } => check(&self.sign_ups, from),
            Spent::Login { from, name } => {
                check(&self.logins, from)?;
                check(&self.logins_by_name, name)
            }
            Spent::Challenge { player } => check(&self.challenges, player),
            Spent::Report { player } => check(&self.reports, player),
            Spent::WorkerKey { from } => check(&self.worker_keys, from),
        }
    }
}

/// One person has a whole /64 of IPv6: that is what is counted.
pub(super) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6((v6.to_bits() & !u128::from(u64::MAX)).into()),
        v4 @ IpAddr::V4(_) => v4,
    }
}

fn check<K: std::hash::Hash + Eq + Clone>(
    limiter: &DefaultKeyedRateLimiter<K>,
    key: &K,
) -> Result<(), ApiError> {
    if limiter.len() > SWEEP_AT {
        limiter.retain_recent();
    }
    limiter.check_key(key).map_err(|refused| {
        let wait = refused.wait_time_from(DefaultClock::default().now());
        ApiError::TooMany {
            retry_s: wait.as_secs() + 1,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guessing_a_password_is_slow_from_wherever() {
        let limits = Limits::new(NonZeroU32::new(1_000).expect("not zero"));
        let allowed = (0..100u8)
            .filter(|n| limits.login(IpAddr::from([10, 0, 0, *n]), "Amina").is_ok())
            .count();
        assert_eq!(allowed, LOGINS_PER_NAME as usize);
        assert!(limits.login(IpAddr::from([10, 0, 0, 1]), "Zofia").is_ok());
    }

    #[test]
    fn what_is_spent_elsewhere_counts_and_is_told_once() {
        let limits = || Limits::new(NonZeroU32::new(1_000).expect("not zero"));
        let (here, there) = (limits(), limits());
        let (sender, mut told) = mpsc::channel(100);
        here.join_others(sender);
        let from = IpAddr::from([10, 0, 0, 1]);
        let allowed = (0..100).filter(|_| here.login(from, "Amina").is_ok());
        assert_eq!(allowed.count(), LOGINS_PER_NAME as usize);
        let mut heard = 0;
        while let Ok(Beyond::Spent(spent)) = told.try_recv() {
            there.note(&spent);
            heard += 1;
        }
        assert_eq!(heard, LOGINS_PER_NAME);
        assert!(there.login(from, "amina").is_err());
        assert!(there.login(from, "Zofia").is_ok());
    }

    #[test]
    fn an_ipv6_network_is_one_address() {
        let limits = Limits::new(NonZeroU32::new(2).expect("not zero"));
        let addresses = ["2001:db8::1", "2001:db8::2", "2001:db8::3"];
        let allowed: Vec<bool> = addresses
            .iter()
            .map(|text| limits.sign_up(text.parse().expect("an address")).is_ok())
            .collect();
        assert_eq!(allowed, [true, true, false]);
    }
}
