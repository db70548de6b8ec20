//! How often one address, or one name, may try what is dear or secret.
//!
//! Where there are several nodes, each tells the others what was spent on it, so that the limits hold for all of them together. What is
//! lost on the way is spent on one node only: a limit is no promise.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use crate::http::error::ApiError;
use crate::http::guesses::{Guesser, Guesses, NotWrong};
use crate::ids::PlayerId;
use crate::protocol::PlayerKind;
use crate::sockets::Beyond;
use crate::store::Player;

/// Challenges by name, each of which disturbs somebody, before the rest must wait.
const CHALLENGES: u32 = 20;

/// How long until one more may be made.
const CHALLENGE_EVERY: Duration = Duration::from_secs(30);

/// Challenges of one player to one other before the rest must wait, those included that were taken back.
const CHALLENGES_TO_ONE: u32 = 3;

/// How long until one more may be made.
const CHALLENGE_TO_ONE_EVERY: Duration = Duration::from_secs(5 * 60);

/// Challenges to one player by all accounts together before the rest must wait: more than friends make, and no more than one reads.
const CHALLENGES_BY_ACCOUNTS: u32 = 20;

/// How long until one more may be made.
const CHALLENGE_BY_ACCOUNT_EVERY: Duration = Duration::from_secs(60);

/// Challenges to one player by all guests together before the rest must wait: guests are made by the dozen. Accounts are counted apart, so
/// that guests cannot keep friends away.
const CHALLENGES_BY_GUESTS: u32 = 5;

/// How long until one more may be made.
const CHALLENGE_BY_GUEST_EVERY: Duration = Duration::from_secs(5 * 60);

/// Seeks from one address before the rest must wait: a school sits behind one address.
const SEEKS: u32 = 30;

/// How long until one more may be made.
const SEEK_EVERY: Duration = Duration::from_secs(20);

/// Reports, each of which a person reads, before the rest must wait.
const REPORTS: u32 = 5;

/// How long until one more may be made.
const REPORT_EVERY: Duration = Duration::from_secs(600);

/// Wrong worker keys of one address before the rest must wait.
const WORKER_KEYS: u32 = 10;

/// How long until one more may be tried.
const WORKER_KEY_EVERY: Duration = Duration::from_secs(6);

/// Keys that are at rest are forgotten when so many are held.
pub(crate) const SWEEP_AT: usize = 10_000;

/// What was spent, and by whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "on", rename_all = "kebab-case")]
pub enum Spent {
    /// A guest or an account.
    SignUp {
        /// From this network.
        from: IpAddr,
    },
    /// A login.
    Login {
        /// From this network.
        from: IpAddr,
    },
    /// A password that was tried, and is taken to be wrong.
    Guess {
        /// By this guesser.
        by: Guesser,
    },
    /// It was not wrong: nothing was spent.
    GuessUndone {
        /// By this guesser.
        by: Guesser,
        /// What it was.
        outcome: NotWrong,
    },
    /// A place among those who want to try a password that many try.
    Turn {
        /// For this guesser.
        by: Guesser,
        /// When it comes, from now on.
        wait_ms: u64,
    },
    /// A challenge by name.
    Challenge {
        /// By this player.
        player: PlayerId,
        /// To this one, where that is a person; an older node does not say.
        #[serde(default)]
        to: Option<PlayerId>,
        /// Whether by a guest.
        #[serde(default)]
        guest: bool,
    },
    /// A seek.
    Seek {
        /// From this network.
        from: IpAddr,
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
    guesses: Mutex<Guesses>,
    challenges: DefaultKeyedRateLimiter<PlayerId>,
    challenges_to_one: DefaultKeyedRateLimiter<(PlayerId, PlayerId)>,
    challenges_by_accounts: DefaultKeyedRateLimiter<PlayerId>,
    challenges_by_guests: DefaultKeyedRateLimiter<PlayerId>,
    seeks: DefaultKeyedRateLimiter<IpAddr>,
    reports: DefaultKeyedRateLimiter<PlayerId>,
    worker_keys: DefaultKeyedRateLimiter<IpAddr>,
}

/// A try at a password. It counts as wrong unless [`Guess::undo`] says otherwise: also when the client goes away meanwhile.
#[derive(Debug)]
#[must_use = "what turns out right must not count as wrong"]
pub struct Guess<'a> {
    limits: &'a Limits,
    by: Guesser,
}

impl Guess<'_> {
    /// It was not wrong.
    pub fn undo(self, outcome: NotWrong) {
        self.limits
            .guesses()
            .undo(&self.by, outcome, Instant::now());
        let by = self.by;
        self.limits.tell_others(Spent::GuessUndone { by, outcome });
    }
}

impl Limits {
    /// `per_minute` sign-ups (guests and accounts), and as many logins, from one address: a school sits behind one address.
    #[must_use]
    pub fn new(per_minute: NonZeroU32) -> Limits {
        let one = NonZeroU32::MIN;
        let quota = |every: Duration, burst: u32| {
            let quota = Quota::with_period(every).unwrap_or(Quota::per_minute(one));
            quota.allow_burst(NonZeroU32::new(burst).unwrap_or(one))
        };
        let reports = Quota::with_period(REPORT_EVERY).unwrap_or(Quota::per_minute(one));
        let keys = Quota::with_period(WORKER_KEY_EVERY).unwrap_or(Quota::per_minute(one));
        Limits {
            beyond: OnceLock::new(),
            sign_ups: DefaultKeyedRateLimiter::keyed(Quota::per_minute(per_minute)),
            logins: DefaultKeyedRateLimiter::keyed(Quota::per_minute(per_minute)),
            guesses: Mutex::default(),
            challenges: DefaultKeyedRateLimiter::keyed(quota(CHALLENGE_EVERY, CHALLENGES)),
            challenges_to_one: DefaultKeyedRateLimiter::keyed(quota(
                CHALLENGE_TO_ONE_EVERY,
                CHALLENGES_TO_ONE,
            )),
            challenges_by_accounts: DefaultKeyedRateLimiter::keyed(quota(
                CHALLENGE_BY_ACCOUNT_EVERY,
                CHALLENGES_BY_ACCOUNTS,
            )),
            challenges_by_guests: DefaultKeyedRateLimiter::keyed(quota(
                CHALLENGE_BY_GUEST_EVERY,
                CHALLENGES_BY_GUESTS,
            )),
            seeks: DefaultKeyedRateLimiter::keyed(quota(SEEK_EVERY, SEEKS)),
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

    /// One more login from this address.
    ///
    /// # Errors
    /// [`ApiError::TooMany`].
    pub fn login(&self, from: IpAddr) -> Result<(), ApiError> {
        self.spend(Spent::Login {
            from: network(from),
        })
    }

    /// One more try at a password.
    ///
    /// # Errors
    /// [`ApiError::TooMany`].
    pub fn guess(&self, by: Guesser) -> Result<Guess<'_>, ApiError> {
        let begun = self.guesses().begin(&by, Instant::now());
        match begun {
            Ok(()) => {
                self.tell_others(Spent::Guess { by });
                Ok(Guess { limits: self, by })
            }
            Err(wait) => {
                if wait.is_new {
                    let wait_ms = u64::try_from(wait.time.as_millis()).unwrap_or(u64::MAX);
                    self.tell_others(Spent::Turn { by, wait_ms });
                }
                Err(ApiError::TooMany {
                    retry_s: wait.time.as_secs() + 1,
                })
            }
        }
    }

    /// One more challenge by name of this player; a program that is asked is disturbed by none.
    ///
    /// # Errors
    /// [`ApiError::TooMany`].
    pub fn challenge(&self, by: &Player, to: &Player) -> Result<(), ApiError> {
        self.spend(Spent::Challenge {
            player: by.id.clone(),
            to: (to.kind != PlayerKind::Bot).then(|| to.id.clone()),
            guest: by.kind == PlayerKind::Guest,
        })
    }

    /// One more seek from this address.
    ///
    /// # Errors
    /// [`ApiError::TooMany`].
    pub fn seek(&self, from: IpAddr) -> Result<(), ApiError> {
        self.spend(Spent::Seek {
            from: network(from),
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
        self.tell_others(spent);
        Ok(())
    }

    fn tell_others(&self, spent: Spent) {
        if let Some(beyond) = self.beyond.get()
            && beyond.try_send(Beyond::Spent(spent)).is_err()
        {
            tracing::warn!("other nodes were not told what was spent: the way is full");
        }
    }

    fn guesses(&self) -> MutexGuard<'_, Guesses> {
        self.guesses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, spent: &Spent) -> Result<(), ApiError> {
        match spent {
            Spent::SignUp { from } => check(&self.sign_ups, from),
            Spent::Login { from } => check(&self.logins, from),
            Spent::Guess { by } => {
                self.guesses().count(by, Instant::now());
                Ok(())
            }
            Spent::GuessUndone { by, outcome } => {
                self.guesses().undo(by, *outcome, Instant::now());
                Ok(())
            }
            Spent::Turn { by, wait_ms } => {
                let wait = Duration::from_millis(*wait_ms);
                self.guesses().give_turn(by, wait, Instant::now());
                Ok(())
            }
            Spent::Challenge { player, to, guest } => {
                // The challenger's own bounds first: one who is over them takes nothing from others who challenge the same player.
                if let Some(to) = to {
                    check(&self.challenges_to_one, &(player.clone(), to.clone()))?;
                }
                check(&self.challenges, player)?;
                if let Some(to) = to {
                    let all = if *guest {
                        &self.challenges_by_guests
                    } else {
                        &self.challenges_by_accounts
                    };
                    check(all, to)?;
                }
                Ok(())
            }
            Spent::Seek { from } => check(&self.seeks, from),
            Spent::Report { player } => check(&self.reports, player),
            Spent::WorkerKey { from } => check(&self.worker_keys, from),
        }
    }
}

/// One person has a whole /64 of IPv6: that is what is counted.
pub(crate) fn network(address: IpAddr) -> IpAddr {
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
    use crate::http::guesses::NameKey;

    fn stranger(name: &str, host: u8) -> Guesser {
        Guesser::Stranger {
            name: NameKey::of(name),
            from: network(IpAddr::from([10, 0, 0, host])),
        }
    }

    #[test]
    fn what_is_spent_elsewhere_counts_and_is_told_once() {
        let limits = || Limits::new(NonZeroU32::new(1_000).expect("not zero"));
        let (here, there) = (limits(), limits());
        let (sender, mut told) = mpsc::channel(1_000);
        here.join_others(sender);
        let mut hear = || {
            let heard = std::iter::from_fn(|| told.try_recv().ok());
            let spent = heard.filter_map(|beyond| match beyond {
                Beyond::Spent(spent) => Some(spent),
                Beyond::Tell(..) | Beyond::TellOne(..) | Beyond::EndSession(_) => None,
            });
            let spent: Vec<Spent> = spent.collect();
            for one in &spent {
                let json = serde_json::to_vec(one).expect("it can be said");
                there.note(&serde_json::from_slice(&json).expect("it is understood"));
            }
            spent.len()
        };
        let tries = (0..100).filter(|_| here.guess(stranger("Amina", 1)).is_ok());
        let tries = tries.count();
        assert_eq!(hear(), tries, "what is refused is not told");
        assert!(there.guess(stranger("amina", 1)).is_err());
        assert!(there.guess(stranger("Zofia", 1)).is_ok());
        // A right one ends the waits there too.
        let right = here.guess(stranger("Furaha", 1)).expect("it is the first");
        right.undo(NotWrong::Right);
        assert_eq!(hear(), 2);
        for _ in 0..tries {
            assert!(there.guess(stranger("Furaha", 1)).is_ok());
        }
        // So does a turn: the last of these has a long one here, and there.
        let attackers = (2..200).filter(|host| here.guess(stranger("Amina", *host)).is_ok());
        assert!(attackers.count() < 50);
        assert_eq!(hear(), 198);
        let wait = there.guess(stranger("Amina", 199));
        assert!(
            matches!(wait, Err(ApiError::TooMany { retry_s: 20..=61 })),
            "{wait:?}"
        );
    }

    fn player(kind: PlayerKind) -> Player {
        Player {
            id: PlayerId::random(),
            name: "Somebody".into(),
            kind,
            level: None,
            created_ms: 0,
        }
    }

    #[test]
    fn nobody_is_challenged_more_often_than_they_read() {
        let limits = Limits::new(NonZeroU32::new(1_000).expect("not zero"));
        let made = |by: &Player, to: &Player| {
            let challenges = (0..100).filter(|_| limits.challenge(by, to).is_ok());
            u32::try_from(challenges.count()).expect("few")
        };
        let (amina, zofia) = (player(PlayerKind::Account), player(PlayerKind::Account));
        assert_eq!(made(&amina, &zofia), CHALLENGES_TO_ONE);
        let guests = (0..8).map(|_| made(&player(PlayerKind::Guest), &zofia));
        assert_eq!(guests.sum::<u32>(), CHALLENGES_BY_GUESTS);
        let accounts = (0..30).map(|_| made(&player(PlayerKind::Account), &zofia));
        assert_eq!(
            accounts.sum::<u32>() + CHALLENGES_TO_ONE,
            CHALLENGES_BY_ACCOUNTS
        );
        // Of one sender there is a bound besides, whomever they ask; and a program is asked as often as its own bound allows.
        let sender = player(PlayerKind::Account);
        let asked = (0..30).map(|_| made(&sender, &player(PlayerKind::Account)));
        assert_eq!(asked.sum::<u32>(), CHALLENGES);
        let bot = player(PlayerKind::Bot);
        assert_eq!(made(&player(PlayerKind::Account), &bot), CHALLENGES);
    }

    #[test]
    fn one_address_makes_so_many_seeks() {
        let limits = Limits::new(NonZeroU32::new(1_000).expect("not zero"));
        let from = IpAddr::from([10, 0, 0, 1]);
        let made = (0..100).filter(|_| limits.seek(from).is_ok()).count();
        assert_eq!(made, SEEKS as usize);
        assert!(limits.seek(IpAddr::from([10, 0, 0, 2])).is_ok());
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
